#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "base/alloc.h"
#include "method/rows/row_runs.h"
#include "table/table_impl.h"

enum { ROWS = 100000, COLUMNS = 4 };

static bool are_equal(const covey_column *const *column, size_t n, uint32_t row, uint32_t other)
{
    size_t same = 0;

    while (same < n && covey_i_code(column[same], row) == covey_i_code(column[same], other))
        same++;
    return same == n;
}

/* Codes are those of the rows' columns, whatever they are taken from. */
static void check_codes(const problem_maker *m, const covey_sorted_rows *sorted, const covey_row_runs *runs)
{
    uint32_t *got = malloc(((size_t)runs->n + 1) * sizeof *got);

    for (size_t c = 0; c < COLUMNS; c++) {
        const covey_row_codes codes = covey_i_row_codes(&m->problem, sorted, m->column[c]);

        assert_int_equal(codes.is_packed, sorted->packed != NULL);
        covey_i_row_codes_at(got, &codes, runs->start, runs->n);
        for (uint32_t i = 0; i < runs->n; i++)
            assert_int_equal(got[i], covey_i_code(m->column[c], sorted->rows[runs->start[i]]));
    }
    free(got);
}

/* Two quasi-identifiers, two other fields.  With or without what rows are sorted by, runs and groups are found as by
 * comparing every row with the one before it; they are equal in the quasi-identifiers and the wanted fields. */
static void check(const uint32_t *n_values, bool fit, uint32_t n_rows, const size_t *wanted, size_t n_wanted,
                  size_t n_told_apart, int n_threads)
{
    static uint32_t codes[ROWS];
    const covey_column *columns[COLUMNS];
    const covey_run run = {.n_threads = n_threads};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows sorted;
    uint64_t random = 7;
    problem_maker m;

    maker_init(&m, n_rows);
    for (size_t c = 0; c < COLUMNS; c++) {
        for (uint32_t i = 0; i < n_rows; i++)
            codes[i] = i > 0 && maker_below(&random, 8) > 0 ? codes[i - 1] : maker_below(&random, n_values[c]);
        if (c < 2)
            maker_add_flat(&m, "q", codes, n_values[c], false);
        else
            maker_add_insensitive(&m, "s", codes, n_values[c]);
    }
    maker_promise(&m, "k-anonymity", "k=1", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    for (size_t c = 0; c < n_wanted; c++)
        columns[c] = m.column[wanted[c]];
    assert_int_equal(covey_i_problem_order(&sorted, &m.problem, &run, NULL), COVEY_OK);
    assert_int_equal(sorted.packed != NULL, fit);
    for (int round = 0; round < 2; round++) { /* then without */
        uint32_t at_run = 0, at_group = 0;
        covey_row_runs runs;

        assert_int_equal(covey_i_row_runs_new(&runs, &m.problem, &sorted, columns, n_wanted, &arena, &run, NULL),
                         COVEY_OK);
        for (uint32_t i = 0; i < sorted.n; i++) {
            if (i == 0 || !are_equal((const covey_column *const *)m.column, 2, sorted.rows[i], sorted.rows[i - 1]))
                assert_int_equal(runs.group ? runs.group[at_group++] : at_group++, at_run);
            if (i == 0 ||
                !are_equal((const covey_column *const *)m.column, n_told_apart, sorted.rows[i], sorted.rows[i - 1]))
                assert_int_equal(runs.start[at_run++], i);
        }
        assert_int_equal(runs.n, at_run);
        assert_int_equal(runs.n_groups, at_group);
        assert_int_equal(runs.start[at_run], sorted.n);
        assert_int_equal(runs.group ? runs.group[at_group] : at_group, at_run);
        assert_int_equal(runs.group == NULL, n_wanted == 0);
        check_codes(&m, &sorted, &runs);
        covey_i_free(sorted.packed);
        sorted.packed = NULL;
    }
    covey_i_sorted_rows_clear(&sorted);
    covey_arena_free(&arena);
    maker_clear(&m);
}

static void runs_and_groups_of_equal_rows_are_found(void **state)
{
    static const uint32_t few[] = {3, 2, 5, 1}, some[] = {7, 300, 40, 1000}, many[] = {70000, 7, 70000, 2};
    static const size_t both[] = {2, 3}, third[] = {2};

    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        check(few, true, ROWS, both, 2, 4, n_threads);
        check(few, true, ROWS, third, 1, 3, n_threads);
        check(few, true, ROWS, NULL, 0, 2, n_threads);
        check(some, true, ROWS - 5, both, 2, 4, n_threads);
        check(some, true, ROWS, third, 1, 3, n_threads);
        check(many, false, ROWS / 2, both, 2, 4, n_threads);
        check(many, false, ROWS, third, 1, 3, n_threads);
    }
}

static void no_rows_have_no_runs(void **state)
{
    const covey_sorted_rows none = {0};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_row_runs runs;
    covey_problem problem = {0};

    assert_int_equal(covey_i_row_runs_new(&runs, &problem, &none, NULL, 0, &arena, NULL, NULL), COVEY_OK);
    assert_int_equal(runs.n, 0);
    assert_int_equal(runs.n_groups, 0);
    assert_int_equal(runs.start[0], 0);
    covey_arena_free(&arena);
}

static void rows_can_be_runs_of_their_own(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_row_runs runs;

    assert_int_equal(covey_i_row_runs_single(&runs, 3, &arena, NULL), COVEY_OK);
    assert_int_equal(runs.n, 3);
    assert_int_equal(runs.n_groups, 3);
    assert_null(runs.group);
    for (uint32_t i = 0; i <= 3; i++)
        assert_int_equal(runs.start[i], i);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_and_groups_of_equal_rows_are_found),
                                       cmocka_unit_test(rows_can_be_runs_of_their_own),
                                       cmocka_unit_test(no_rows_have_no_runs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
