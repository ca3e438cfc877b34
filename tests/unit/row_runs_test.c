#include "../test.h"

#include <string.h>

#include "../support/problem_maker.h"
#include "method/row_runs.h"
#include "table/table_impl.h"

enum { ROWS = 100000, COLUMNS = 4 };

/* Runs and groups are found as by comparing every row with the one before it, whether the columns' codes fit one number or not. */
static void check(const uint32_t *n_values, size_t n_outer, uint32_t n, uint32_t step, int n_threads)
{
    static uint32_t codes[ROWS], rows[ROWS];
    const covey_column *column[COLUMNS];
    const covey_run run = {.n_threads = n_threads};
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t at_run = 0, at_group = 0;
    uint64_t random = 7;
    covey_row_runs runs;
    problem_maker m;

    maker_init(&m, ROWS);
    for (size_t c = 0; c < COLUMNS; c++) {
        for (uint32_t i = 0; i < ROWS; i++)
            codes[i] = i > 0 && maker_below(&random, 8) > 0 ? codes[i - 1] : maker_below(&random, n_values[c]);
        maker_add_insensitive(&m, "column", codes, n_values[c]);
        column[c] = m.column[c];
    }
    for (uint32_t i = 0; i < n; i++)
        rows[i] = (uint32_t)((uint64_t)i * step % ROWS);
    assert_int_equal(covey_i_row_runs_new(&runs, column, n_outer, COLUMNS, ROWS, rows, n, &arena, &run, NULL), COVEY_OK);
    for (uint32_t i = 0; i < n; i++) {
        size_t same = 0;

        while (i > 0 && same < COLUMNS && covey_i_code(column[same], rows[i]) == covey_i_code(column[same], rows[i - 1]))
            same++;
        if (i == 0 || same < n_outer)
            assert_int_equal(runs.group[at_group++], at_run);
        if (i == 0 || same < COLUMNS)
            assert_int_equal(runs.start[at_run++], i);
    }
    assert_int_equal(runs.n, at_run);
    assert_int_equal(runs.n_groups, at_group);
    assert_int_equal(runs.start[at_run], n);
    assert_int_equal(runs.group[at_group], at_run);
    covey_arena_free(&arena);
    maker_clear(&m);
}

static void runs_and_groups_of_equal_rows_are_found(void **state)
{
    static const uint32_t few[] = {3, 2, 5, 4}, some[] = {200, 300, 2, 70000}, many[] = {70000, 70000, 70000, 1};

    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        check(few, 3, ROWS, 1, n_threads);
        check(few, 0, ROWS, 99999, n_threads);
        check(some, 2, ROWS - 5, 1, n_threads);
        check(some, 4, ROWS / 2, 99999, n_threads);
        check(many, 1, ROWS, 1, n_threads);
    }
}

static void no_rows_have_no_runs(void **state)
{
    static const uint32_t few[] = {3, 2, 5, 4};

    check(few, 3, 0, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_and_groups_of_equal_rows_are_found), cmocka_unit_test(no_rows_have_no_runs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
