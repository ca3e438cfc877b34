/* The attack minimality against the same measured without files, on the tables of the specification; and where it
 * stops. */
#include "test.h"

#include <covey/job.h>

#include <math.h>
#include <string.h>

#include "support/csvs.h"
#include "support/problem/minimality.h"
#include "base/file/folder.h"

enum { MOST_TEXT = 4096 };

static covey_policy *make_policy(const char *method)
{
    static const char *const keys[][2] = {
        {"attribute", "{name: q0, role: quasi-identifier, domain: [0, 19]}"},
        {"attribute", "{name: s, role: sensitive}"},
        {"model", "enhanced-beta-likeness:beta=1"},
    };
    covey_policy *policy;
    covey_error err;

    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", csv_path("t.csv"), &err), COVEY_OK);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(covey_policy_set(policy, keys[i][0], keys[i][1], &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "method", method, &err), COVEY_OK);
    if (covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return policy;
}

/* Publishes the table that lies at t.csv, and attacks the release. */
static covey_attack_report *publish_and_attack(const char *method)
{
    static const char *const names[] = {"minimality"};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1};
    const covey_anonymize_options force = {.force = true};
    covey_policy *policy = make_policy(method);
    covey_attack_options options = {.name = names, .n_names = 1};
    covey_attack_program *program = NULL;
    covey_anonymize_report made;
    covey_attack_report *report = NULL;
    covey_error err;
    char target[512];

    snprintf(target, sizeof target, "%s.release", csv_path("t.csv"));
    if (covey_anonymize(&made, policy, target, &force, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_anonymize_report_clear(&made);
    assert_int_equal(covey_program_new(&program, policy, &err), COVEY_OK);
    options.program = program;
    if (covey_attack_release(&report, target, &options, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_program_free(program);
    covey_policy_free(policy);
    assert_int_equal(covey_i_folder_remove(target, NULL), COVEY_OK);
    return report;
}

static double detail(const covey_attack_report *report, const char *name)
{
    for (size_t i = 0; i < report->result->n_details; i++)
        if (strcmp(report->result->detail[i].name, name) == 0)
            return report->result->detail[i].value.kind == COVEY_ATTACK_NUMBER
                       ? report->result->detail[i].value.number
                       : (double)report->result->detail[i].value.integer;
    fail_msg("there is no %s", name);
    return NAN;
}

static void compare(const char *method, const int64_t *count, uint32_t n_values, uint64_t seed)
{
    minimality_table table;
    minimality expected;
    covey_attack_report *report;
    char text[MOST_TEXT];
    int size;

    minimality_random_table(&table, count, n_values, 1, seed);
    minimality_measure(&expected, &table, method, "", (covey_ratio){1, 1});
    size = snprintf(text, sizeof text, "q0,s\n");
    for (uint32_t v = 0, row = 0; v < n_values; v++)
        for (int64_t i = 0; i < count[v]; i++, row++)
            size += snprintf(text + size, sizeof text - (size_t)size, "%u,v%u\n", table.code[0][row], v);
    csv_put_file(csv_path("t.csv"), text, (size_t)size);
    report = publish_and_attack(method);
    assert_true(report->result->applies);
    assert_true(fabs(report->result->figure - (double)expected.n_breached / (double)expected.n_worlds) < 1e-12);
    assert_true(fabs(detail(report, "largest_excess") - expected.worst) < 1e-6);
    assert_int_equal((int64_t)detail(report, "worlds"), expected.n_worlds);
    assert_int_equal((int64_t)detail(report, "different_releases"), expected.n_outputs);
    assert_int_equal((int64_t)detail(report, "made_again"), 1);
    assert_true(detail(report, "largest_excess_without_program") <= 1 + 1e-9);
    assert_int_equal(report->result->verdict, expected.n_breached > 0 ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE);
    covey_attack_report_free(report);
}

static void test_minimality__files_tell_what_the_methods_tell(void **state)
{
    static const int64_t three[] = {3, 3, 2}, four[] = {2, 2, 2, 2};

    compare("burel", three, 3, 6);
    compare("mondrian", three, 3, 6);
    compare("elastic", three, 3, 11);
    compare("elastic", four, 4, 7);
}

static void test_minimality__a_table_that_is_not_tiny_is_refused(void **state)
{
    covey_attack_report *report;
    char text[MOST_TEXT];
    int size = snprintf(text, sizeof text, "q0,s\n");

    for (int row = 0; row < 12; row++) /* 12!/2^6 worlds */
        size += snprintf(text + size, sizeof text - (size_t)size, "%d,v%d\n", row, row / 2);
    csv_put_file(csv_path("t.csv"), text, (size_t)size);
    report = publish_and_attack("mondrian");
    assert_false(report->result->applies);
    assert_non_null(strstr(report->result->why_not, "7484400 worlds"));
    assert_non_null(strstr(report->result->why_not, "20000"));
    covey_attack_report_free(report);
    size += snprintf(text + size, sizeof text - (size_t)size, "5,v5\n");
    csv_put_file(csv_path("t.csv"), text, (size_t)size);
    report = publish_and_attack("mondrian");
    assert_false(report->result->applies);
    assert_non_null(strstr(report->result->why_not, "13 rows, and 12 are the most"));
    covey_attack_report_free(report);
}

static int start(void **state)
{
    return csv_folder() ? 0 : -1;
}

static int end(void **state)
{
    csv_folder_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimality__files_tell_what_the_methods_tell),
        cmocka_unit_test(test_minimality__a_table_that_is_not_tiny_is_refused),
    };

    return cmocka_run_group_tests_name("minimality", tests, start, end);
}
