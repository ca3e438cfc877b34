#include "../test.h"

#include "../support/class_judge.h"

/* The diseases of the beta-likeness paper: counts 2, 3, 3, 3, 4, 4 of 19. */
static const int64_t diseases[] = {2, 3, 3, 3, 4, 4};

static void one_of_three_of_a_value_with_share_one_sixth_is_one_likeness_exactly(void **unused)
{
    const int64_t six[] = {1, 1, 1, 1, 1, 1}, third[] = {1, 1, 1, 0, 0, 0}, half[] = {1, 1, 0, 0, 0, 0};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=1", six, 6, NULL);
    assert_true(judge_admits(&j, third));
    assert_false(judge_admits(&j, half));
    assert_string_equal(judge_figure_text(&j, third), "1");
    assert_string_equal(judge_figure_text(&j, half), "2");
    assert_string_equal(judge_figure_text(&j, six), "0");
    assert_int_equal(j.model->min_size(j.state), 3);
    judge_clear(&j);
    judge_init(&j, "enhanced-beta-likeness", "beta=1", six, 6, NULL);
    assert_true(judge_admits(&j, third));
    judge_clear(&j);
}

static void six_rows_of_the_diseases_may_hold_one_of_the_rarest_but_not_two(void **unused)
{
    judge j;

    judge_init(&j, "enhanced-beta-likeness", "beta=2", diseases, 6, NULL);
    assert_true(judge_admits(&j, (int64_t[]){1, 1, 1, 1, 1, 1}));
    assert_false(judge_admits(&j, (int64_t[]){2, 0, 2, 0, 2, 0})); /* 2/6 > 6/19 */
    assert_true(judge_admits(&j, (int64_t[]){0, 2, 0, 2, 0, 2}));
    assert_string_equal(judge_figure_text(&j, (int64_t[]){2, 0, 2, 0, 2, 0}), "13/6");
    judge_clear(&j);
}

static void only_the_enhanced_model_keeps_a_frequent_value_from_filling_a_class(void **unused)
{
    const int64_t two[] = {50, 50};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=1", two, 2, NULL);
    assert_true(judge_admits(&j, (int64_t[]){7, 0}));
    judge_clear(&j);
    judge_init(&j, "enhanced-beta-likeness", "beta=1", two, 2, NULL);
    assert_false(judge_admits(&j, (int64_t[]){7, 0}));
    assert_true(judge_admits(&j, (int64_t[]){11, 2})); /* 11/13 = 0.84615 < 0.84657 */
    assert_false(judge_admits(&j, (int64_t[]){6, 1})); /* 6/7 = 0.85714 */
    judge_clear(&j);
}

static void bounds_are_the_caps(void **unused)
{
    int64_t cap[] = {6, 6, 6, 6, 6, 1}, need[6] = {0};
    judge j;

    judge_init(&j, "enhanced-beta-likeness", "beta=2", diseases, 6, NULL);
    j.model->bounds(j.state, 6, NULL, j.prior.n_values, cap, need);
    assert_int_equal(cap[0], 1); /* 36/19 */
    assert_int_equal(cap[1], 2); /* 2.696 */
    assert_int_equal(cap[4], 3); /* 3.231 */
    assert_int_equal(cap[5], 1);
    assert_int_equal(need[0], 0);
    judge_clear(&j);
}

static void one_row_of_a_unique_value_needs_half_of_the_table_at_beta_one(void **unused)
{
    int64_t count[] = {1, 99}, cap[2], need[2] = {0};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=1", count, 2, NULL);
    for (int64_t size = 1; size <= 100; size++) {
        cap[0] = cap[1] = size;
        j.model->bounds(j.state, size, NULL, 2, cap, need);
        assert_int_equal(cap[0], size >= 50 ? size / 50 : 0);
    }
    judge_clear(&j);
}

static void a_table_with_one_value_admits_every_class(void **unused)
{
    const int64_t count[] = {7};
    judge j;

    judge_init(&j, "enhanced-beta-likeness", "beta=1", count, 1, NULL);
    assert_true(judge_admits(&j, (int64_t[]){1}));
    assert_string_equal(judge_figure_text(&j, (int64_t[]){1}), "0");
    judge_clear(&j);
}

static void a_value_that_the_table_does_not_hold_is_refused(void **unused)
{
    const int64_t count[] = {7, 0, 3};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=1000", count, 3, NULL);
    assert_false(judge_admits(&j, (int64_t[]){700, 1, 300}));
    assert_string_equal(judge_figure_text(&j, (int64_t[]){700, 1, 300}), "inf");
    judge_clear(&j);
}

/* Global counts 2, 4, a class 1, 1: ln 1.5 = 0.405465, ln 0.75 = -0.287682. */
static void delta_disclosure_bounds_the_logarithm_strictly(void **unused)
{
    const int64_t table[] = {2, 4}, pair[] = {1, 1};
    judge j;

    judge_init(&j, "delta-disclosure", "delta=0.41", table, 2, NULL);
    assert_true(judge_admits(&j, pair));
    assert_string_equal(judge_figure_text(&j, pair), "0.405465");
    judge_clear(&j);
    judge_init(&j, "delta-disclosure", "delta=2/5", table, 2, NULL);
    assert_false(judge_admits(&j, pair));
    judge_clear(&j);
}

/* ln 1.5 = 0.405465108108164381978...: the bound decides up to the last digit that a policy can write. */
static void delta_disclosure_is_right_beyond_doubles(void **unused)
{
    const int64_t table[] = {2, 4}, pair[] = {1, 1};
    judge j;

    judge_init(&j, "delta-disclosure", "delta=0.405465108108164382", table, 2, NULL);
    assert_true(judge_admits(&j, pair));
    judge_clear(&j);
    judge_init(&j, "delta-disclosure", "delta=0.405465108108164381", table, 2, NULL);
    assert_false(judge_admits(&j, pair));
    judge_clear(&j);
}

static void delta_disclosure_wants_every_value_of_the_table(void **unused)
{
    const int64_t table[] = {2, 0, 4};
    int64_t cap[] = {6, 6, 6}, need[] = {0, 0, 0};
    judge j;

    judge_init(&j, "delta-disclosure", "delta=1000000", table, 3, NULL);
    assert_true(judge_admits(&j, (int64_t[]){1, 0, 5}));
    assert_false(judge_admits(&j, (int64_t[]){0, 0, 5}));
    assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 0, 5}), "inf");
    assert_false(judge_admits(&j, (int64_t[]){1, 1, 4}));
    assert_string_equal(judge_figure_text(&j, (int64_t[]){1, 1, 4}), "inf");
    assert_int_equal(j.model->min_size(j.state), 2);
    j.model->bounds(j.state, 6, NULL, j.prior.n_values, cap, need);
    assert_int_equal(cap[0], 6);
    assert_int_equal(cap[1], 0);
    assert_int_equal(need[0], 1);
    assert_int_equal(need[1], 0);
    judge_clear(&j);
}

static void the_whole_table_has_no_distance_from_itself(void **unused)
{
    judge j;

    judge_init(&j, "delta-disclosure", "delta=0.000000000000000001", diseases, 6, NULL);
    assert_true(judge_admits(&j, diseases));
    assert_string_equal(judge_figure_text(&j, diseases), "0");
    assert_int_equal(j.model->min_size(j.state) <= 19, 1);
    judge_clear(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_three_of_a_value_with_share_one_sixth_is_one_likeness_exactly),
        cmocka_unit_test(six_rows_of_the_diseases_may_hold_one_of_the_rarest_but_not_two),
        cmocka_unit_test(only_the_enhanced_model_keeps_a_frequent_value_from_filling_a_class),
        cmocka_unit_test(bounds_are_the_caps),
        cmocka_unit_test(one_row_of_a_unique_value_needs_half_of_the_table_at_beta_one),
        cmocka_unit_test(a_table_with_one_value_admits_every_class),
        cmocka_unit_test(a_value_that_the_table_does_not_hold_is_refused),
        cmocka_unit_test(delta_disclosure_bounds_the_logarithm_strictly),
        cmocka_unit_test(delta_disclosure_is_right_beyond_doubles),
        cmocka_unit_test(delta_disclosure_wants_every_value_of_the_table),
        cmocka_unit_test(the_whole_table_has_no_distance_from_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
