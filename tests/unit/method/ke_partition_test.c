/* The worked examples and edge cases of (k,e)-partitions. */
#include "test.h"

#include <string.h>

#include "support/problem/ke_maker.h"

typedef enum criterion { MIN_SUM, MIN_MAX, TOUCH, STRICT } criterion;

static ke_worth solve(const int64_t *row, uint32_t n, int64_t k, int64_t e, criterion how)
{
    const covey_ke_bounds bounds = {k, e};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_ke_partition partition;
    covey_status status = COVEY_OK;
    ke_worth worth;
    ke_set set;

    ke_make(&set, row, n);
    assert_true(ke_is_feasible(&set.values, &bounds));
    if (how == MIN_SUM)
        status = covey_i_ke_min_sum(&partition, &set.values, &bounds, &arena, NULL);
    else if (how == MIN_MAX)
        status = covey_i_ke_min_max(&partition, &set.values, &bounds, COVEY_KE_MOST_WORK, NULL, &arena, NULL);
    else
        status = covey_i_ke_min_max_blocks(&partition, &set.values, &bounds, how == STRICT, &arena, NULL);
    assert_int_equal(status, COVEY_OK);
    worth = ke_judge(&partition, &set.values, &bounds);
    covey_arena_free(&arena);
    return worth;
}

static void the_published_figures_come_out(void **state)
{
    static const int64_t trillion = INT64_C(1000000000000);
    const struct {
        int64_t row[6];
        uint32_t n;
        int64_t k, e, sum;
        uint32_t n_groups; /* of min-sum */
        int64_t exact, touch, strict;
    } cases[] = {
        {{0, 5, 6, 11}, 4, 2, 6, 11, 1, 6, 11, 11},
        {{0, 3, 3, 6, 6, 9}, 6, 3, 0, 9, 1, 6, 9, 9},
        {{0, 3, 3, 6}, 4, 2, 0, 6, 2, 3, 3, 6},
        {{0, 3, 4, 6, 7, 10}, 6, 3, 0, 8, 2, 4, 4, 4},
        {{5, 5, 5}, 3, 1, 0, 0, 3, 0, 0, 0},
        {{trillion, trillion + 1, 3 * trillion, 3 * trillion + 7, 9 * trillion},
         5,
         2,
         5,
         INT64_C(7999999999993),
         2,
         INT64_C(5999999999993),
         INT64_C(5999999999993),
         INT64_C(5999999999993)},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ke_worth worth = solve(cases[i].row, cases[i].n, cases[i].k, cases[i].e, MIN_SUM);

        assert_true(worth.sum == cases[i].sum);
        assert_int_equal(worth.n_groups, cases[i].n_groups);
        assert_int_equal(solve(cases[i].row, cases[i].n, cases[i].k, cases[i].e, MIN_MAX).max, cases[i].exact);
        assert_int_equal(solve(cases[i].row, cases[i].n, cases[i].k, cases[i].e, TOUCH).max, cases[i].touch);
        assert_int_equal(solve(cases[i].row, cases[i].n, cases[i].k, cases[i].e, STRICT).max, cases[i].strict);
    }
}

static void as_many_numbers_as_a_group_needs_make_one_group(void **state)
{
    const int64_t row[] = {4, 1, 9, 1, 9, 9, 4};

    for (criterion how = MIN_SUM; how <= STRICT; how++)
        assert_int_equal(solve(row, 7, 3, 0, how).n_groups, 1);
}

static void negative_numbers_are_ordinary(void **state)
{
    const int64_t row[] = {-11, -6, -5, 0};

    assert_true(solve(row, 4, 2, 6, MIN_SUM).sum == 11);
    assert_int_equal(solve(row, 4, 2, 6, MIN_MAX).max, 6);
}

static void the_widest_numbers_of_a_column_do_not_overflow(void **state)
{
    const int64_t most = INT64_C(999999999999999999);
    const int64_t row[] = {-most, -most + 1, 0, 1, most - 1, most};

    assert_true(solve(row, 6, 2, 0, MIN_SUM).sum == 3);
    assert_true(solve(row, 6, 2, 0, MIN_MAX).max == 1);
    assert_true(solve(row, 6, 2, most, MIN_SUM).sum == 2 * most);
    assert_true(solve(row, 6, 2, most + 1, MIN_SUM).sum == 2 * most);
    assert_true(solve(row, 6, 2, most, MIN_MAX).max == most + 1); /* {-most, 1 - most, 1} and the rest */
}

static void half_of_the_block_optimum_is_approached(void **state)
{
    const int64_t row[] = {0, 999, 1000, 1999}; /* 0, e - d, e, 2e - d */

    assert_int_equal(solve(row, 4, 2, 1000, TOUCH).max, 1999);
    assert_int_equal(solve(row, 4, 2, 1000, MIN_MAX).max, 1000);
}

static void too_much_work_is_refused_with_a_way_out(void **state)
{
    const int64_t row[] = {0, 5, 6, 11};
    const covey_ke_bounds bounds = {2, 6};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_ke_partition partition;
    covey_error err;
    ke_set set;

    ke_make(&set, row, 4);
    assert_int_equal(covey_i_ke_min_max(&partition, &set.values, &bounds, 15, NULL, &arena, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "min-max-touch"));
    assert_int_equal(covey_i_ke_min_max(&partition, &set.values, &bounds, 16, NULL, &arena, &err), COVEY_OK);
    covey_arena_free(&arena);
}

static bool stop(void *context, const char *phase, int64_t done, int64_t to_do)
{
    return false;
}

static void the_search_can_be_cancelled(void **state)
{
    const int64_t row[] = {0, 5, 6, 11};
    const covey_ke_bounds bounds = {2, 6};
    const covey_run run = {.progress = stop};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_ke_partition partition;
    ke_set set;

    ke_make(&set, row, 4);
    assert_int_equal(covey_i_ke_min_max(&partition, &set.values, &bounds, COVEY_KE_MOST_WORK, &run, &arena, NULL),
                     COVEY_ECANCELLED);
    covey_arena_free(&arena);
}

/* A partition as text: numbers of each group, copies written out. */
static const char *show(const covey_ke_partition *partition, const covey_ke_values *values)
{
    static char text[256];
    size_t used = 0;

    for (uint32_t g = 0; g < partition->n_groups; g++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", g ? " |" : "");
        for (size_t i = partition->start[g]; i < partition->start[g + 1]; i++)
            for (uint32_t c = 0; c < partition->share[i].copies; c++)
                used += (size_t)snprintf(text + used, sizeof text - used, used ? " %d" : "%d",
                                         (int)values->value[partition->share[i].value]);
    }
    return text;
}

static const char *scanned(const int64_t *row, uint32_t n, int64_t k, int64_t e)
{
    const covey_ke_bounds bounds = {k, e};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_ke_partition partition;
    const char *text;
    ke_set set;

    ke_make(&set, row, n);
    assert_int_equal(covey_i_ke_scan(&partition, &set.values, set.order, n, &bounds, &arena, NULL), COVEY_OK);
    ke_judge(&partition, &set.values, &bounds);
    text = show(&partition, &set.values);
    covey_arena_free(&arena);
    return text;
}

static void scan_closes_groups_as_soon_as_they_are_valid(void **state)
{
    assert_string_equal(scanned((const int64_t[]){3, 3, 9, 1, 2, 8}, 6, 2, 5), "3 3 9 | 1 2 8");
    assert_string_equal(scanned((const int64_t[]){3, 9, 3, 1, 8, 8, 7}, 7, 2, 5), "3 9 | 1 3 7 8 8");
    assert_string_equal(scanned((const int64_t[]){1, 2, 3}, 3, 3, 2), "1 2 3");
    assert_string_equal(scanned((const int64_t[]){4, 4}, 2, 1, 0), "4 | 4");
}

static const char *refined(const int64_t *row, uint32_t n, int64_t k, int64_t e)
{
    const covey_ke_bounds bounds = {k, e};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_ke_share share[KE_MOST_ROWS];
    covey_ke_partition whole = {1, (size_t[]){0, 0}, share}, partition;
    const char *text;
    ke_set set;

    ke_make(&set, row, n);
    for (uint32_t v = 0; v < set.values.n; v++)
        share[v] = (covey_ke_share){v, set.copies[v]};
    whole.start[1] = set.values.n;
    assert_int_equal(covey_i_ke_refine(&partition, &whole, &set.values, &bounds, &arena, NULL), COVEY_OK);
    ke_judge(&partition, &set.values, &bounds);
    text = show(&partition, &set.values);
    covey_arena_free(&arena);
    return text;
}

static void refine_deals_in_turn_to_as_many_groups_as_stay_valid(void **state)
{
    assert_string_equal(refined((const int64_t[]){1, 2, 3, 4, 5, 6}, 6, 2, 0), "1 4 | 2 5 | 3 6");
    assert_string_equal(refined((const int64_t[]){1, 2, 3, 4, 5, 6}, 6, 2, 4), "1 3 5 | 2 4 6");
    assert_string_equal(refined((const int64_t[]){1, 2, 3, 4, 5, 6}, 6, 2, 5), "1 2 3 4 5 6");
    assert_string_equal(refined((const int64_t[]){1, 1, 1, 2, 2, 9}, 6, 2, 0), "1 2 | 1 2 | 1 9");
    assert_string_equal(refined((const int64_t[]){1, 1, 1, 1}, 4, 1, 0), "1 | 1 | 1 | 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_figures_come_out),
        cmocka_unit_test(as_many_numbers_as_a_group_needs_make_one_group),
        cmocka_unit_test(negative_numbers_are_ordinary),
        cmocka_unit_test(the_widest_numbers_of_a_column_do_not_overflow),
        cmocka_unit_test(half_of_the_block_optimum_is_approached),
        cmocka_unit_test(too_much_work_is_refused_with_a_way_out),
        cmocka_unit_test(the_search_can_be_cancelled),
        cmocka_unit_test(scan_closes_groups_as_soon_as_they_are_valid),
        cmocka_unit_test(refine_deals_in_turn_to_as_many_groups_as_stay_valid),
    };

    return cmocka_run_group_tests_name("ke_partition", tests, NULL, NULL);
}
