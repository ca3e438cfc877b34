#include "test.h"

#include "base/exact/cap.h"

static const covey_ratio one = {1, 1}, two = {2, 1}, four = {4, 1};

static void one_row_of_three_is_exactly_twice_a_share_of_a_sixth(void **unused)
{
    const covey_cap cap = covey_i_cap_basic(1, 6, one);

    /* (1 + 1) / 6 * 3 = 1, which doubles make 0.99999... */
    assert_int_equal(covey_i_cap_rows(&cap, 3), 1);
    assert_true(covey_i_cap_holds(&cap, 1, 3));
    assert_false(covey_i_cap_holds(&cap, 1, 2));
    assert_int_equal(covey_i_cap_least_size(&cap), 3);
}

/* beta = 2: f(2/19) = 6/19, f(3/19) = 0.449346..., f(4/19), f(1/2), f(9/10) */
static void the_enhanced_bound_has_the_published_values(void **unused)
{
    static const struct {
        int64_t count, total;
        uint64_t share; /* floor(f 2^62), with 80 digits */
    } rows[] = {
        {3, 19, 2072219867279784846u},
        {4, 19, 2483654688033798829u},
        {1, 2, 3904131589864025909u},
        {9, 10, 4587818071842796805u},
    };
    covey_cap cap = covey_i_cap_enhanced(2, 19, two);

    assert_true(cap.num == 6 && cap.den == 19);
    assert_int_equal(covey_i_cap_rows(&cap, 19), 6);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cap = covey_i_cap_enhanced(rows[i].count, rows[i].total, two);
        assert_true(cap.log_share <= rows[i].share);
        assert_true(rows[i].share - cap.log_share <= 1);
        assert_int_equal(covey_i_cap_rows(&cap, 1000000),
                         (int64_t)((double)rows[i].share / (double)((uint64_t)1 << 62) * 1e6));
    }
}

/* e^-4 = 1.83 %: below it the bound is linear, above it is not. */
static void the_two_parts_meet_at_e_to_the_minus_beta(void **unused)
{
    covey_cap linear = covey_i_cap_enhanced(18, 1000, four), basic = covey_i_cap_basic(18, 1000, four);
    covey_cap curved = covey_i_cap_enhanced(19, 1000, four);

    assert_int_equal(covey_i_cap_rows(&linear, 100000), 9000);
    assert_int_equal(covey_i_cap_rows(&basic, 100000), 9000);
    assert_int_equal(covey_i_cap_rows(&curved, 100000), 9430); /* 0.019 (1 - ln 0.019) = 0.094300... < 0.095 */
    linear = covey_i_cap_enhanced(1, 100, four);
    assert_int_equal(covey_i_cap_rows(&linear, 100), 5);
}

/* p = 1/e lies between 36787 and 36788 of 100,000: beta = 1 changes from one part to the other there. */
static void near_one_over_e_the_smaller_part_decides(void **unused)
{
    const covey_cap below = covey_i_cap_enhanced(36787, 100000, one), above = covey_i_cap_enhanced(36788, 100000, one);

    assert_int_equal(covey_i_cap_rows(&below, 100000), 2 * 36787);
    assert_int_equal(covey_i_cap_rows(&above, 100000), 2 * 36788 - 1);
}

static void only_the_sole_value_of_a_table_may_fill_a_class_of_the_enhanced_model(void **unused)
{
    const covey_cap sole = covey_i_cap_enhanced(7, 7, four),
                    nearly = covey_i_cap_enhanced(4294967294, 4294967295, four);

    assert_int_equal(covey_i_cap_rows(&sole, 5), 5);
    assert_int_equal(covey_i_cap_rows(&nearly, 4294967295), 4294967294);
}

static void a_value_that_does_not_occur_may_not_occur(void **unused)
{
    const covey_cap basic = covey_i_cap_basic(0, 7, four), enhanced = covey_i_cap_enhanced(0, 7, four);

    assert_int_equal(covey_i_cap_rows(&basic, 1000), 0);
    assert_int_equal(covey_i_cap_rows(&enhanced, 1000), 0);
    assert_false(covey_i_cap_holds(&enhanced, 1, 1000));
    assert_true(covey_i_cap_holds(&enhanced, 0, 1000));
    assert_true(covey_i_cap_least_size(&enhanced) == INT64_MAX);
}

static void the_longest_parameters_and_the_largest_tables_do_not_overflow(void **unused)
{
    const int64_t all = UINT32_MAX;
    const covey_ratio long_beta = {999999999999999999, 999999999999999998}, huge = {999999999999999999, 1},
                      tiny = {1, 999999999999999999};
    covey_cap cap = covey_i_cap_basic(all - 1, all, long_beta);

    assert_int_equal(covey_i_cap_rows(&cap, all), all);
    cap = covey_i_cap_basic(1, all, huge);
    assert_int_equal(covey_i_cap_rows(&cap, all), all);
    cap = covey_i_cap_basic(1, all, tiny);
    assert_int_equal(covey_i_cap_rows(&cap, all), 1);
    assert_int_equal(covey_i_cap_rows(&cap, all - 1), 0);
    assert_false(covey_i_cap_holds(&cap, 1, all - 1));
}

static void holds_agrees_with_rows_and_with_the_least_size(void **unused)
{
    for (int64_t count = 1; count <= 12; count++)
        for (int64_t size = 1; size <= 40; size++) {
            const covey_cap cap = covey_i_cap_enhanced(count, 12, (covey_ratio){3, 2});

            for (int64_t rows = 0; rows <= size; rows++)
                assert_int_equal(covey_i_cap_holds(&cap, rows, size), rows <= covey_i_cap_rows(&cap, size));
            assert_int_equal(covey_i_cap_rows(&cap, size) >= 1, size >= covey_i_cap_least_size(&cap));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_of_three_is_exactly_twice_a_share_of_a_sixth),
        cmocka_unit_test(the_enhanced_bound_has_the_published_values),
        cmocka_unit_test(the_two_parts_meet_at_e_to_the_minus_beta),
        cmocka_unit_test(near_one_over_e_the_smaller_part_decides),
        cmocka_unit_test(only_the_sole_value_of_a_table_may_fill_a_class_of_the_enhanced_model),
        cmocka_unit_test(a_value_that_does_not_occur_may_not_occur),
        cmocka_unit_test(the_longest_parameters_and_the_largest_tables_do_not_overflow),
        cmocka_unit_test(holds_agrees_with_rows_and_with_the_least_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
