#include "test.h"

#include "support/csvs.h"
#include "table/histogram.h"

static covey_histogram of_size(uint32_t n, covey_arena *arena)
{
    covey_histogram h;

    assert_int_equal(covey_i_histogram_new(&h, n, arena, NULL), COVEY_OK);
    return h;
}

static void it_counts_every_row_of_a_column(void **unused)
{
    covey_table *table = csv_table("s,t\nb,\na,x\nb,x\n");
    covey_arena arena = COVEY_ARENA_INIT;
    covey_histogram h;

    assert_int_equal(covey_i_histogram_of(&h, covey_table_column(table, 0), &arena, NULL), COVEY_OK);
    assert_int_equal(h.n_values, 2);
    assert_int_equal(h.total, 3);
    assert_int_equal(h.n_distinct, 2);
    assert_int_equal(h.n_present, 2);
    assert_int_equal(h.count[0], 1);
    assert_int_equal(h.count[1], 2);
    assert_int_equal(covey_i_histogram_of(&h, covey_table_column(table, 1), &arena, NULL), COVEY_OK);
    assert_int_equal(h.count[0], 1); /* the missing cell is a value */
    assert_int_equal(h.count[1], 2);
    covey_arena_free(&arena);
    covey_table_free(table);
}

static void values_that_went_back_to_zero_stay_listed_but_are_not_distinct(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_histogram h = of_size(5, &arena);

    covey_i_histogram_add(&h, 3, 2);
    covey_i_histogram_add(&h, 1, 1);
    covey_i_histogram_remove(&h, 3, 1);
    assert_int_equal(h.n_distinct, 2);
    covey_i_histogram_remove(&h, 3, 1);
    assert_int_equal(h.n_distinct, 1);
    assert_int_equal(h.n_present, 2);
    covey_i_histogram_add(&h, 3, 7);
    assert_int_equal(h.n_distinct, 2);
    assert_int_equal(h.n_present, 2); /* listed once */
    assert_int_equal(h.total, 8);
    covey_i_histogram_add(&h, 0, 0);
    assert_int_equal(h.n_distinct, 2);
    covey_arena_free(&arena);
}

static void clearing_leaves_an_empty_histogram(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_histogram h = of_size(4, &arena);

    covey_i_histogram_add(&h, 2, 9);
    covey_i_histogram_clear(&h);
    assert_int_equal(h.total, 0);
    assert_int_equal(h.n_distinct, 0);
    assert_int_equal(h.n_present, 0);
    assert_int_equal(h.count[2], 0);
    assert_int_equal(h.listed[2], 0);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_counts_every_row_of_a_column),
        cmocka_unit_test(values_that_went_back_to_zero_stay_listed_but_are_not_distinct),
        cmocka_unit_test(clearing_leaves_an_empty_histogram),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
