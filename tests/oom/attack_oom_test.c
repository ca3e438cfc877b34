/* Allocations of attacks fail one by one: the calls say so, and leak nothing (the sanitizers watch). */
#include "test.h"

#include <covey/job.h>

#include <jansson.h>

#include <string.h>

#include "support/csvs.h"
#include "support/failing.h"
#include "support/release/attacked_release.h"
#include "support/release/bucket_release.h"
#include "support/release/waves.h"
#include "base/alloc.h"

static const char policy_text[] =
    "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: who, role: entity, missing-entity: own}\n"
    "  - {name: age, role: quasi-identifier}\n  - {name: s, role: sensitive}\nmethod: mondrian\nprivacy:\n"
    "  - {model: k-anonymity, k: 2}\n  - {model: basic-beta-likeness, beta: 2}\n";

static void fail_each(const release_folder *r, const covey_attack_options *given)
{
    covey_attack_options options = given ? *given : (covey_attack_options){0};
    const covey_run run = {.n_threads = 1};
    failing f = {.least = 100};

    options.original = r->original[0] ? r->original : NULL;
    while (failing_next(&f)) {
        covey_attack_report *report = NULL;

        failing_ends(&f, covey_attack_release(&report, r->path, &options, &run, &f.err));
        covey_attack_report_free(report);
    }
}

static void test_attack__on_classes_survives_every_failing_allocation(void **state)
{
    const attacked_table table = {"[{'model': 'basic-beta-likeness', 'attribute': 's', 'parameters': {'beta': '2', "
                                  "'groups': '[[v1, v2], [v2, v3]]'}, 'threshold': 2,"
                                  " 'achieved': 0, 'achieved_value': 0.0, 'holds': true}]",
                                  2,
                                  3,
                                  {{1, 1, 1}, {1, 2, 1}}};
    release_folder r, other;
    covey_attack_options options = {0};

    attacked_generalized(&r, &table);
    attacked_generalized(&other, &table);
    release_original(&r, "age,s,h,w\n1,v1,a,3\n2,v2,a,3\n3,v3,b,3\n4,v1,b,5\n5,v2,b,5\n6,v2,c,5\n7,v3,c,5\n");
    options.with = other.path;
    options.population = r.original;
    options.entity = "h";
    options.weight = "w";
    fail_each(&r, &options);
    release_end(&r);
    release_end(&other);
}

static void publish_persons(const char *table, const char *name)
{
    static const char rows[] = "who,age,s\np1,1,v1\np1,1,v2\np2,2,v1\np2,2,v1\np3,1,v2\np3,3,v1\np4,7,v2\n,7,v1\n";
    char list[1100];
    covey_anonymize_options options = {.force = true, .links = list};
    const covey_run run = {.n_threads = 1};
    covey_anonymize_report report;
    covey_policy *policy;

    snprintf(list, sizeof list, "%s.links", csv_path(name));
    csv_put_file(csv_path(table), rows, strlen(rows));
    csv_put_file(csv_path("policy.yaml"), policy_text, strlen(policy_text));
    assert_int_equal(covey_policy_read(&policy, csv_path("policy.yaml"), NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", csv_path(table), NULL), COVEY_OK);
    assert_int_equal(covey_policy_check(policy, NULL), COVEY_OK);
    assert_int_equal(covey_anonymize(&report, policy, csv_path(name), &options, &run, NULL), COVEY_OK);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

/* Two releases of one table, and of two with the same persons. */
static void test_attack__on_persons_survives_every_failing_allocation(void **state)
{
    static const char *const names[] = {"skewness", "homogeneity", "corruption", "composition", "rare-values"};
    char links[1100], other[1024], other_links[1100], other_table[1024];
    covey_attack_options options = {
        .links = links, .with = other, .with_links = other_links, .n_names = 5, .name = names};
    release_folder r = {.manifest = NULL};

    csv_folder();
    publish_persons("table.csv", "release");
    publish_persons("later.csv", "later");
    snprintf(r.path, sizeof r.path, "%s", csv_path("release"));
    snprintf(r.original, sizeof r.original, "%s", csv_path("table.csv"));
    snprintf(links, sizeof links, "%s.links", r.path);
    snprintf(other, sizeof other, "%s", r.path);
    snprintf(other_links, sizeof other_links, "%s", links);
    fail_each(&r, &options);
    snprintf(other, sizeof other, "%s", csv_path("later"));
    snprintf(other_links, sizeof other_links, "%s.links", other);
    snprintf(other_table, sizeof other_table, "%s", csv_path("later.csv"));
    options.with_original = other_table;
    fail_each(&r, &options);
    csv_folder_remove();
}

static void test_attack__on_releases_of_a_ledger_survives_every_failing_allocation(void **state)
{
    static const char *const name = "composition";
    char ledger[1024], second[1024];
    covey_attack_options options = {.with = second, .releases_ledger = ledger, .n_names = 1, .name = &name};
    release_folder r = {.manifest = NULL};

    csv_folder();
    waves_publish();
    snprintf(r.path, sizeof r.path, "%s", csv_path("first"));
    snprintf(second, sizeof second, "%s", csv_path("second"));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    fail_each(&r, &options);
    csv_folder_remove();
}

/* Its rows are those of the ledger's people. */
static void test_attack__on_made_up_rows_survives_every_failing_allocation(void **state)
{
    char ledger[1024];
    covey_attack_options options = {.releases_ledger = ledger, .entity = "who", .weight = "age"};
    release_folder r = {.manifest = NULL};

    csv_folder();
    waves_publish();
    snprintf(r.path, sizeof r.path, "%s", csv_path("second"));
    snprintf(r.original, sizeof r.original, "%s", csv_path("wave-2.csv"));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    fail_each(&r, &options);
    csv_folder_remove();
}

static void test_attack__on_values_at_random_survives_every_failing_allocation(void **state)
{
    static const int value[] = {1, 2, 3, 4}, shown[] = {1, 2, 4, 4};
    covey_attack_options options = {0};
    release_folder r;

    attacked_perturbed(&r, 4, 4, value, shown);
    options.with = r.path;
    fail_each(&r, &options);
    release_end(&r);
}

static void test_attack__on_groups_survives_every_failing_allocation(void **state)
{
    const bucket_group groups[] = {{.n_rows = 3, .cells = {"1", "2", "2"}, .pay = {10, 20, 30}},
                                   {.n_rows = 2, .cells = {"2", "3"}, .pay = {10, 20}}};
    release_folder r;

    bucket_release(&r, "age",
                   "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1', "
                   "'has_missing': false}",
                   groups, 2);
    release_original(&r, "age,pay\n1,10\n2,20\n2,30\n2,10\n3,20\n");
    fail_each(&r, NULL);
    release_end(&r);
}

static void test_attack__on_pieces_survives_every_failing_allocation(void **state)
{
    covey_attack_options options = {0};
    release_folder r;

    attacked_sliced(&r);
    options.with = r.path;
    fail_each(&r, &options);
    release_end(&r);
}

static void test_attack__on_targets_survives_every_failing_allocation(void **state)
{
    covey_attack_options options = {0};
    release_folder r;

    attacked_transformed(&r);
    options.with = r.path;
    options.population = r.original;
    fail_each(&r, &options);
    release_end(&r);
}

/* The policy's table is that of a release with two classes, whose values stand in six worlds. */
static void test_attack__minimality_survives_every_failing_allocation(void **state)
{
    static const char *const name[] = {"minimality"};
    const attacked_table table = {"[{'model': 'basic-beta-likeness', 'attribute': 's', 'parameters': {'beta': '2'}, "
                                  "'threshold': 2, 'achieved': 0,"
                                  " 'achieved_value': 0.0, 'holds': true}]",
                                  2,
                                  2,
                                  {{1, 1}, {1, 1}}};
    covey_attack_options options = {.name = name, .n_names = 1};
    covey_attack_program *program;
    covey_policy *policy;
    release_folder r;

    attacked_generalized(&r, &table);
    assert_int_equal(covey_policy_new(&policy, NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", r.original, NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "quasi", "age", NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "sensitive", "s", NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "model", "basic-beta-likeness:beta=2", NULL), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "method", "mondrian", NULL), COVEY_OK);
    assert_int_equal(covey_policy_check(policy, NULL), COVEY_OK);
    assert_int_equal(covey_program_new(&program, policy, NULL), COVEY_OK);
    options.program = program;
    fail_each(&r, &options);
    covey_program_free(program);
    covey_policy_free(policy);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attack__on_classes_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_persons_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_releases_of_a_ledger_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_made_up_rows_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_values_at_random_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_groups_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_pieces_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__minimality_survives_every_failing_allocation),
        cmocka_unit_test(test_attack__on_targets_survives_every_failing_allocation),
    };

    /* jansson asks us for memory too, so its failures are tested as well. */
    json_set_alloc_funcs(failing_json, covey_i_free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
