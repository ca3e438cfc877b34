#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"
#include "support/problem/problem_maker.h"
#include "base/exact/cap.h"

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

static void a_two_sided_class_has_every_value_and_none_much_less(void **unused)
{
    const int64_t two[] = {25, 75};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=1,two-sided=ratio", two, 2, NULL);
    assert_true(judge_admits(&j, (int64_t[]){1, 7})); /* 1/8 is half of 1/4 exactly */
    assert_false(judge_admits(&j, (int64_t[]){1, 8}));
    assert_false(judge_admits(&j, (int64_t[]){0, 1}));
    assert_true(judge_admits(&j, (int64_t[]){1, 1}));
    assert_true(j.model->traits_of(j.state) & COVEY_MODEL_CAPS);
    assert_int_equal(j.model->min_size(j.state), 2);
    judge_clear(&j);
    judge_init(&j, "enhanced-beta-likeness", "beta=1,two-sided=ratio", two, 2, NULL); /* 0.75/(1 - ln 0.75) = 0.58244 */
    assert_true(judge_admits(&j, (int64_t[]){5, 7}));                                 /* 0.58333 */
    assert_false(judge_admits(&j, (int64_t[]){42, 58}));                              /* 0.58 */
    judge_clear(&j);
    judge_init(&j, "basic-beta-likeness", "beta=1,two-sided={difference: 1/5}", two, 2, NULL);
    assert_true(judge_admits(&j, (int64_t[]){2, 3})); /* 3/5 is a fifth less than 3/4 exactly */
    assert_true(judge_admits(&j, (int64_t[]){1, 4})); /* as is 1/5 of 1/4 */
    assert_false(judge_admits(&j, (int64_t[]){3, 4}));
    assert_false(judge_admits(&j, (int64_t[]){1, 5}));
    judge_clear(&j);
    judge_init(&j, "basic-beta-likeness", "beta=1,two-sided={difference: 0}", two, 2, NULL);
    assert_true(judge_admits(&j, (int64_t[]){1, 3}));
    assert_false(judge_admits(&j, (int64_t[]){26, 75}));
    judge_clear(&j);
}

/* "implies delta-disclosure with delta > ln(1 + beta)" */
static void two_sided_likeness_implies_delta_disclosure(void **unused)
{
    const int64_t table[] = {3, 5, 9};
    judge beta, delta;
    int n = 0;

    judge_init(&beta, "basic-beta-likeness", "beta=1,two-sided=ratio", table, 3, NULL);
    judge_init(&delta, "delta-disclosure", "delta=0.694", table, 3, NULL); /* ln 2 = 0.6931 */
    for (int64_t a = 0; a < 9; a++)
        for (int64_t b = 0; b < 9; b++)
            for (int64_t c = 0; c < 9; c++)
                if (a + b + c > 0 && judge_admits(&beta, (int64_t[]){a, b, c})) {
                    assert_true(judge_admits(&delta, (int64_t[]){a, b, c}));
                    n++;
                }
    assert_true(n > 50);
    judge_clear(&beta);
    judge_clear(&delta);
}

static void a_group_has_a_bound_of_its_own(void **unused)
{
    const int64_t table[] = {10, 10, 10, 70};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=4,groups=[[0, 1], [2]],group-beta=1/2", table, 4, NULL);
    assert_true(judge_admits(&j, (int64_t[]){3, 0, 1, 6})); /* 3/10 of the first group's 2/10 */
    assert_false(judge_admits(&j, (int64_t[]){2, 2, 0, 6}));
    assert_false(judge_admits(&j, (int64_t[]){0, 0, 2, 8})); /* 2/10 of 1/10 */
    assert_false(j.model->traits_of(j.state) & COVEY_MODEL_CAPS);
    judge_clear(&j);
    /* With the same beta a group follows from its values under the basic model, but not under the enhanced one. */
    judge_init(&j, "basic-beta-likeness", "beta=1,groups=[[0, 1, 2]]", table, 4, NULL);
    assert_true(judge_admits(&j, (int64_t[]){2, 2, 2, 4}));
    judge_clear(&j);
    judge_init(&j, "enhanced-beta-likeness", "beta=2,groups=[[0, 1, 2]]", table, 4,
               NULL); /* 0.3 (1 + 1.204) = 0.6612 */
    assert_true(judge_admits(&j, (int64_t[]){22, 22, 22, 34}));
    assert_false(judge_admits(&j, (int64_t[]){23, 22, 22, 33}));
    judge_clear(&j);
}

static void refused(const char *model, const char *params, const covey_model_input *input, const char *why)
{
    const int64_t table[] = {3, 4, 5};
    covey_error err = {0};
    judge j;

    assert_int_equal(judge_new(&j, model, params, table, 3, input, &err), COVEY_EINVAL);
    if (!strstr(err.message, why))
        fail_msg("\"%s\" does not say \"%s\"", err.message, why);
    judge_clear(&j);
}

static void what_groups_and_sides_cannot_be_is_said(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const char *const words[] = {"low", "mid", "high"};
    const covey_model_input text = {.sensitive = judge_texts("salary", words, 3, &arena)};
    const covey_model_input release = {.sensitive = judge_texts("salary", words, 3, &arena), .lacks_values = true};
    judge j;

    refused("basic-beta-likeness", "beta=1,two-sided=both", NULL,
            "two-sided must be ratio or {difference: 0.5}, not both");
    refused("basic-beta-likeness", "beta=1,two-sided={difference: 1}", NULL,
            "must be less than 1, not 1: (p - q)/p is never larger than 1");
    refused("basic-beta-likeness", "beta=1,two-sided={difference: -1}", NULL, "a number from 0 to less than 1");
    refused("basic-beta-likeness", "beta=1,two-sided={difference: 0.1, ratio: 1}", NULL, "two-sided must be");
    refused("enhanced-beta-likeness", "beta=1,group-beta=2", NULL, "group-beta goes with groups or proximity");
    refused("enhanced-beta-likeness", "beta=1,groups=low", NULL, "a list of lists");
    refused("enhanced-beta-likeness", "beta=1,groups=[low, mid]", &text, "a list of lists");
    refused("enhanced-beta-likeness", "beta=1,groups=[[]]", &text, "a list of lists");
    refused("enhanced-beta-likeness", "beta=1,groups=[]", &text, "a list of lists");
    refused("enhanced-beta-likeness", "beta=1,groups=[[low, hihg]]", &text,
            "has no value \"hihg\"; did you mean \"high\"?");
    refused("enhanced-beta-likeness", "beta=1,groups=[[low, mid, low]]", &text, "the value \"low\" stands twice");
    refused("enhanced-beta-likeness", "beta=1,groups=[[low, mid", &text, "groups: not YAML");
    refused("enhanced-beta-likeness", "beta=1,proximity=3", &text, "proximity must be {window: 3} or {width: 1000}");
    refused("enhanced-beta-likeness", "beta=1,proximity={window: 0}", &text, "a whole number from 1");
    refused("enhanced-beta-likeness", "beta=1,proximity={window: 2}", &text,
            "no-order: a window needs an order, but column \"salary\" is text");
    refused("enhanced-beta-likeness", "beta=1,proximity={width: 2}", &text,
            "a width needs numbers, but column \"salary\" is text");
    judge_init(&j, "enhanced-beta-likeness", "beta=1,groups=[[low, gone]]", (int64_t[]){3, 4, 5}, 3,
               &release); /* a value that did not occur */
    judge_clear(&j);
    covey_arena_free(&arena);
}

/* Every window of a random line, once more and plainly. */
static bool plain_windows_admit(const int64_t *table, const int64_t *class, const int64_t *number, uint32_t n,
                                int64_t values, int64_t width, covey_ratio beta)
{
    uint32_t point[12], n_points = 0, last_end = 0;
    int64_t total = 0, size = 0;

    for (uint32_t v = 0; v < n; v++) {
        total += table[v];
        size += class[v];
        if (table[v] > 0)
            point[n_points++] = v;
    }
    for (uint32_t begin = 0; begin < n_points; begin++) {
        int64_t rows = 0, in_table = 0;
        uint32_t end = begin;
        covey_cap cap;

        while (end < n_points && (values ? end - begin < values : number[point[end]] - number[point[begin]] <= width)) {
            rows += class[point[end]];
            in_table += table[point[end++]];
        }
        if (begin > 0 && end == last_end)
            continue;
        last_end = end;
        cap = covey_i_cap_enhanced(in_table, total, beta);
        if (!covey_i_cap_holds(&cap, rows, size))
            return false;
    }
    return true;
}

static void windows_are_judged_as_one_by_one(void **unused)
{
    uint64_t random = 1;
    int n_admitted = 0, n_refused = 0;

    for (int round = 0; round < 4000; round++) {
        const uint32_t n = 1 + maker_below(&random, 12);
        const int64_t values = maker_below(&random, 2) ? 1 + maker_below(&random, 6) : 0,
                      width = maker_below(&random, 20);
        int64_t table[12], class[12], number[12], size = 0, total = 0;
        covey_arena arena = COVEY_ARENA_INIT;
        covey_model_input input = {.has_order = true};
        char params[96];
        judge j;
        bool admits, expected;

        for (uint32_t v = 0; v < n; v++) {
            number[v] = (v ? number[v - 1] : -5) + 1 + maker_below(&random, 7);
            total += table[v] = maker_below(&random, 4) ? 1 + maker_below(&random, 9) : 0;
            size += class[v] = table[v] > 0 && maker_below(&random, 2) ? 1 + maker_below(&random, 3) : 0;
        }
        input.sensitive = judge_numbers("salary", number, 0, n, &arena);
        if (size > 0) {
            if (values)
                snprintf(params, sizeof params, "beta=1000,group-beta=3/2,proximity={window: %d}", (int)values);
            else
                snprintf(params, sizeof params, "beta=1000,group-beta=3/2,proximity={width: %d}", (int)width);
            judge_init(&j, "enhanced-beta-likeness", params, table, n, &input);
            admits = judge_admits(&j, class);
            expected = plain_windows_admit(table, class, number, n, values, width, (covey_ratio){3, 2});
            for (uint32_t v = 0; v < n; v++) { /* and the values' own bounds: -ln p at most */
                const covey_cap cap = covey_i_cap_enhanced(table[v], total, (covey_ratio){1000, 1});

                expected = expected && covey_i_cap_holds(&cap, class[v], size);
            }
            assert_int_equal(admits, expected);
            n_admitted += admits;
            n_refused += !admits;
            judge_clear(&j);
        }
        covey_arena_free(&arena);
    }
    assert_true(n_admitted > 300 && n_refused > 300);
}

/* The window with the least bound need not begin or end at a value of the class: 5, 1, (the class's value), 1, 5. */
static void the_tightest_window_may_lie_around_a_value(void **unused)
{
    const int64_t table[] = {50, 1, 8, 1, 50}, number[] = {1, 2, 3, 4, 5};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input input = {.sensitive = judge_numbers("salary", number, 0, 5, &arena), .has_order = true};
    judge j;

    judge_init(&j, "basic-beta-likeness", "beta=10,proximity={window: 3},group-beta=1", table, 5, &input);
    assert_false(judge_admits(&j, (int64_t[]){4, 0, 2, 0, 4})); /* 2/10 > 2 (10/110), though 6/10 < 2 (59/110) */
    assert_true(judge_admits(&j, (int64_t[]){5, 0, 2, 0, 4}));  /* 2/11 */
    judge_clear(&j);
    covey_arena_free(&arena);
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
        cmocka_unit_test(a_two_sided_class_has_every_value_and_none_much_less),
        cmocka_unit_test(two_sided_likeness_implies_delta_disclosure),
        cmocka_unit_test(a_group_has_a_bound_of_its_own),
        cmocka_unit_test(what_groups_and_sides_cannot_be_is_said),
        cmocka_unit_test(windows_are_judged_as_one_by_one),
        cmocka_unit_test(the_tightest_window_may_lie_around_a_value),
        cmocka_unit_test(delta_disclosure_bounds_the_logarithm_strictly),
        cmocka_unit_test(delta_disclosure_is_right_beyond_doubles),
        cmocka_unit_test(delta_disclosure_wants_every_value_of_the_table),
        cmocka_unit_test(the_whole_table_has_no_distance_from_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
