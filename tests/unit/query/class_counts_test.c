/* Rows of classes by the places of their cells: against counting row by row. */
#include "test.h"

#include "base/arena.h"
#include "query/generalized/class_counts.h"
#include "support/problem/problem_maker.h"
#include "table/table_impl.h"

enum { ROUNDS = 300, MOST_ROWS = 60, MOST_CELLS = 6, MOST_CLASSES = 12 };

static uint32_t count(const uint32_t *code, const uint32_t *rank, uint32_t from, uint32_t to, uint32_t first,
                      uint32_t last)
{
    uint32_t n = 0;

    for (uint32_t r = from; r < to; r++) {
        const uint32_t place = rank ? rank[code[r]] : code[r];

        n += place >= first && place <= last;
    }
    return n;
}

static void runs_of_places_are_counted_as_row_by_row(void **state)
{
    uint64_t seed = test_seed(61);
    unsigned n_counted = 0, n_refused = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t n_rows = 1 + maker_below(&seed, MOST_ROWS), n_cells = 1 + maker_below(&seed, MOST_CELLS),
                       n_classes = 1 + maker_below(&seed, n_rows < MOST_CLASSES ? n_rows : MOST_CLASSES);
        const bool has_rank = round % 3 > 0, shares_places = round % 6 == 5 && n_cells > 1;
        uint32_t code[MOST_ROWS], rank[MOST_CELLS], start[MOST_CLASSES + 1] = {0};
        covey_column text = {.n_values = n_cells, .width = sizeof *code, .codes = code};
        covey_opened opened = {.n_rows = n_rows, .n_classes = n_classes, .class_start = start};
        covey_arena arena = COVEY_ARENA_INIT;
        covey_class_counts counts;

        for (uint32_t r = 0; r < n_rows; r++)
            code[r] = maker_below(&seed, n_cells);
        for (uint32_t c = 1; c < n_classes; c++) /* every class has a row */
            start[c] = start[c - 1] + 1 + maker_below(&seed, n_rows - start[c - 1] - (n_classes - c));
        start[n_classes] = n_rows;
        for (uint32_t i = 0; i < n_cells; i++)
            rank[i] = n_cells - 1 - i;
        if (shares_places)
            rank[1] = rank[0];
        assert_int_equal(covey_i_class_counts_make(&counts, &opened, &text, has_rank ? rank : NULL, &arena, NULL),
                         COVEY_OK);
        assert_true(!counts.before || !has_rank || !shares_places);
        assert_true(counts.before || (n_cells + 1) * n_classes > n_rows || (has_rank && shares_places));
        n_counted += counts.before != NULL;
        n_refused += counts.before == NULL;
        for (uint32_t c = 0; c < n_classes && counts.before; c++)
            for (uint32_t first = 0; first < n_cells; first++)
                for (uint32_t last = first; last < n_cells; last++)
                    assert_int_equal(covey_i_class_counts_between(&counts, c, first, last),
                                     count(code, has_rank ? rank : NULL, start[c], start[c + 1], first, last));
        covey_arena_free(&arena);
    }
    assert_true(test_is_enough(n_counted >= 50 && n_refused >= 50));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_places_are_counted_as_row_by_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
