/* Releases of a table that changes, while allocations fail one by one: neither release nor ledger is left half done,
 * and a proof says that it has no memory. */
#include "test.h"

#include <covey/covey.h>

#include "support/failing.h"
#include "support/folder.h"
#include "base/file/folder.h"

static char folder[128];

static void path_of(char path[256], const char *name)
{
    snprintf(path, 256, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
    char path[256];

    path_of(path, name);
    file_put(path, text);
}

static void write_policy(const char *name, const char *table)
{
    char text[512];

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: %s}\nattributes:\n"
             "  - {name: who, role: entity}\n  - {name: age, role: quasi-identifier}\n"
             "  - {name: city, role: quasi-identifier}\n  - {name: ill, role: sensitive}\n"
             "privacy: [{model: m-invariance, m: 2}]\nmethod: {name: m-invariance}\nsuppression: {limit: 0.3}\n",
             table);
    write_file(name, text);
}

static int set_up(void **state)
{
    assert_true(test_folder(folder, sizeof folder, "oom"));
    write_file("one.csv",
               "who,age,city,ill\na,21,A,flu\nb,22,B,cold\nc,29,A,gout\nd,31,C,flu\ne,35,B,cold\nf,38,A,flu\n"
               "g,41,B,cold\nh,44,A,gout\n");
    write_file("two.csv",
               "who,age,city,ill\nb,22,B,cold\nc,29,A,gout\nd,31,C,flu\ne,36,B,cold\nf,38,A,flu\ni,50,C,flu\n"
               "j,52,C,hiv\nk,53,A,flu\nl,54,A,flu\n");
    write_policy("one.yaml", "one.csv");
    write_policy("two.yaml", "two.csv");
    return 0;
}

static int tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

static covey_status anonymize(const char *policy_name, const char *release, const char *const *previous,
                              size_t n_previous, covey_error *err)
{
    covey_run run = {.n_threads = 1, .has_seed = true, .seed = 2};
    char policy_path[256], target[256], ledger[256];
    covey_anonymize_options options = {.ledger = ledger, .previous = previous, .n_previous = n_previous};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;

    path_of(policy_path, policy_name);
    path_of(target, release);
    path_of(ledger, "ledger.csv");
    if ((status = covey_policy_read(&policy, policy_path, err)) == COVEY_OK &&
        (status = covey_policy_check(policy, err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, target, &options, &run, err)) == COVEY_OK) {
        assert_int_equal(report.n_published, report.n_rows + report.n_counterfeits - report.n_suppressed);
        covey_anonymize_report_clear(&report);
    }
    covey_policy_free(policy);
    return status;
}

static void anonymize_each(const char *policy, const char *release, const char *const *previous, size_t n_previous)
{
    failing f = {.least = 100, .what = release, .folder = folder};

    while (failing_next(&f))
        failing_ends(&f, anonymize(policy, release, previous, n_previous, &f.err));
}

static void verify_each(const char *release, const char *table, const char *const *previous)
{
    const covey_run run = {.n_threads = 1};
    char path[256], ledger[256], original[256];
    const covey_verify_options options = {
        .ledger = ledger, .previous = previous, .n_previous = 1, .original = original};
    failing f = {.least = 100, .what = release};

    path_of(path, release);
    path_of(ledger, "ledger.csv");
    path_of(original, table);
    while (failing_next(&f)) {
        covey_verdict *verdict = NULL;

        failing_ends(&f, covey_verify(&verdict, path, &options, &run, &f.err));
        if (verdict) {
            assert_int_equal(verdict->n_problems, 0);
            assert_true(verdict->holds && verdict->faithful == 1 && verdict->invariance_proven == 1);
        }
        covey_verdict_free(verdict);
    }
}

static void releases_over_time_survive_every_failing_allocation(void **state)
{
    char one[256], two[256];
    const char *first[] = {one}, *second[] = {two};

    path_of(one, "first");
    path_of(two, "second");
    anonymize_each("one.yaml", "first", NULL, 0);
    anonymize_each("two.yaml", "second", first, 1);
    verify_each("second", "two.csv", first);
    verify_each("first", "one.csv", second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(releases_over_time_survive_every_failing_allocation)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
