/* Attacks on sliced and transformed releases that are small enough to follow on paper. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/release/attacked_release.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_attack_sliced__pieces_that_agree_are_what_is_left_of_a_class(void **state)
{
    covey_attack_report *report;
    release_folder r;

    attacked_sliced(&r);
    report = attacked_run(&r, "homogeneity", NULL);
    assert_string_equal(report->result->figure_text, "1");
    assert_int_equal(attacked_detail(report, "certain_rows")->integer,
                     3); /* town b: twice v1 in bucket 1, v2 in bucket 2 */
    assert_near(report->result->bound, 3.0 / 4);
    assert_int_equal(report->result->verdict, COVEY_ATTACK_EXCEEDS);
    covey_attack_report_free(report);
    report = attacked_run(&r, "skewness", NULL);
    assert_string_equal(report->result->figure_text, "2");
    assert_int_equal(attacked_cell(report, "worst", 0, "class")->integer, 1); /* buckets, as they are numbered */
    assert_int_equal(attacked_cell(report, "worst", 1, "class")->integer, 2);
    covey_attack_report_free(report);
    report = attacked_run(&r, "background-knowledge", NULL);
    assert_near(attacked_cell(report, "exclusion", 0, "mean")->number, 1);
    covey_attack_report_free(report);
    report = attacked_run(&r, "re-identification", NULL);
    assert_int_equal(attacked_detail(report, "smallest_class")->integer, 1);
    assert_int_equal(attacked_detail(report, "expected_matches")->integer, 4);
    covey_attack_report_free(report);
    report = attacked_run(&r, "corruption", NULL);
    assert_string_equal(report->result->figure_text, "1");
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack_sliced__rows_are_found_in_their_buckets(void **state)
{
    covey_attack_options options = {0};
    covey_attack_report *report;
    release_folder r;

    attacked_sliced(&r);
    report = attacked_run(&r, "definetti", NULL);
    assert_int_equal(attacked_detail(report, "sampled_rows")->integer, 8);
    assert_int_equal(attacked_detail(report, "sampled_classes")->integer, 4);
    assert_near(attacked_detail(report, "base")->number, (1 + 2 + 2 + 1) / 8.0);
    assert_int_equal(attacked_detail(report, "classes_not_known")->integer, 0);
    covey_attack_report_free(report);
    options.with = r.path;
    report = attacked_run(&r, "composition", &options);
    assert_int_equal(attacked_detail(report, "compared_rows")->integer, 8);
    /* Twice one of two alike; prior 1/2 each: nothing new there.  Of v1, v2, v2: weights 1/9 and 4/9. */
    assert_near(attacked_detail(report, "mean")->number, (2 * 0.5 + 2 * 1 + 0.2 + 2 * 0.8 + 1) / 8);
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack_sliced__a_classifier_expects_pieces_of_a_bucket_to_go_together(void **state)
{
    covey_attack_report *report;
    release_folder r;

    attacked_sliced(&r);
    report = attacked_run(&r, "naive-bayes", NULL);
    /* Towns are known exactly, ages have the bucket's shares: all are guessed rightly but the v2 of bucket 1 and the v1
     * of bucket 2. */
    assert_string_equal(report->result->figure_text, "3/4");
    covey_attack_report_free(report);
    release_end(&r);
}

static void test_attack_transformed__a_row_is_believed_to_follow_the_target(void **state)
{
    covey_attack_options options = {0};
    covey_attack_report *report = NULL;
    const char *name = "skewness";
    release_folder r;

    attacked_transformed(&r);
    report = attacked_run(&r, "homogeneity", NULL);
    assert_string_equal(report->result->figure_text, "1/2");
    covey_attack_report_free(report);
    report = attacked_run(&r, "skewness", NULL); /* 1/2 over 1/4: the original's own share of 2 */
    assert_string_equal(report->result->figure_text, "2");
    assert_near(report->result->prior, 0.75);
    covey_attack_report_free(report);
    report = attacked_run(&r, "naive-bayes", NULL); /* every age has both values alike: the prior decides */
    assert_string_equal(report->result->figure_text, "3/4");
    covey_attack_report_free(report);
    options.name = &name;
    options.n_names = 1;
    assert_int_equal(covey_attack_release(&report, r.path, &options, NULL, NULL), COVEY_OK);
    assert_false(report->result->applies);
    assert_non_null(strstr(report->result->why_not, "--original"));
    assert_true(isnan(report->result->prior));
    covey_attack_report_free(report);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attack_sliced__pieces_that_agree_are_what_is_left_of_a_class),
        cmocka_unit_test(test_attack_sliced__rows_are_found_in_their_buckets),
        cmocka_unit_test(test_attack_sliced__a_classifier_expects_pieces_of_a_bucket_to_go_together),
        cmocka_unit_test(test_attack_transformed__a_row_is_believed_to_follow_the_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
