/* Whoever cancels a run is obeyed at the next question: every call then ends with COVEY_ECANCELLED, leaves nothing in
 * the folder and leaks nothing (the sanitizers watch), whichever question it was. */
#include "test.h"

#include <covey/covey.h>
#include <covey/report.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "support/folder.h"
#include "base/file/folder.h"

enum { N_ROWS = 1000, EVERY = 8, AT_RANDOM = 3 };

static char folder[128], table[256], target[256];
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

static int set_up(void **state)
{
    FILE *file;

    (void)state;
    random_state = test_seed(1);
    assert_true(test_folder(folder, sizeof folder, "cancelled"));
    snprintf(table, sizeof table, "%s/table.csv", folder);
    snprintf(target, sizeof target, "%s/release", folder);
    assert_non_null(file = fopen(table, "w"));
    fputs("age,zip,city,pay\n", file);
    for (int i = 0; i < N_ROWS; i++)
        fprintf(file, "%u,%u,c%u,%u\n", 20 + random_below(60), 10000 + random_below(500), random_below(8),
                10 * random_below(20));
    assert_int_equal(fclose(file), 0);
    return 0;
}

static int tear_down(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

/* --- what is cancelled --- */

struct asked {
    int n, until; /* questions that came, and the first that is answered with no */
    pthread_t caller;
    atomic_bool is_foreign; /* has another thread asked? */
};

static bool goes_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct asked *asked = context;

    (void)phase;
    (void)done;
    (void)to_do;
    if (!pthread_equal(pthread_self(), asked->caller)) {
        atomic_store(&asked->is_foreign, true);
        return true;
    }
    return ++asked->n < asked->until;
}

typedef covey_status (*cancellable)(const covey_policy *policy, const covey_run *run, covey_error *err);

static covey_status anonymize(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    const covey_anonymize_options options = {.force = true};
    covey_anonymize_report report = {0};
    covey_status status = covey_anonymize(&report, policy, target, &options, run, err);

    covey_anonymize_report_clear(&report);
    return status;
}

static covey_status verify(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    const covey_verify_options options = {.original = table};
    covey_verdict *verdict = NULL;
    covey_status status = covey_verify(&verdict, target, &options, run, err);

    (void)policy;
    covey_verdict_free(verdict);
    return status;
}

static covey_status measure(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    const covey_measure_options options = {.original = table, .n_queries = 20};
    covey_measurement *measurement = NULL;
    covey_status status = covey_measure(&measurement, target, &options, run, err);

    (void)policy;
    covey_measurement_free(measurement);
    return status;
}

static covey_status attack(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    const covey_attack_options options = {.original = table};
    covey_attack_report *report = NULL;
    covey_status status = covey_attack_release(&report, target, &options, run, err);

    (void)policy;
    covey_attack_report_free(report);
    return status;
}

static covey_status query(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    covey_query_release *release = NULL;
    covey_status status = covey_query_open(&release, target, run, err);

    (void)policy;
    covey_query_close(release);
    return status;
}

static covey_status report(const covey_policy *policy, const covey_run *run, covey_error *err)
{
    const covey_report_options options = {.original = table};
    covey_report made = {0};
    covey_status status = covey_report_make(&made, target, &options, run, err);

    (void)policy;
    covey_report_clear(&made);
    return status;
}

static void cancel_once(const char *what, cancellable work, const covey_policy *policy, int until)
{
    const int n_entries = folder_entries(folder);
    struct asked asked = {.until = until, .caller = pthread_self()};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1, .progress = goes_on, .context = &asked};
    covey_error err = {COVEY_OK};
    covey_status status = work(policy, &run, &err);

    if (status != COVEY_ECANCELLED)
        fail_msg("%s: cancelled at question %d: status %s, \"%s\"", what, until, covey_status_name(status),
                 err.message);
    if (folder_entries(folder) != n_entries)
        fail_msg("%s: cancelled at question %d: something was left behind", what, until);
}

/* With several threads only the caller's own asks. */
static void ask_on_threads(const char *what, cancellable work, const covey_policy *policy)
{
    struct asked asked = {.until = INT32_MAX, .caller = pthread_self()};
    const covey_run run = {.n_threads = 3, .has_seed = true, .seed = 1, .progress = goes_on, .context = &asked};
    covey_error err = {COVEY_OK};

    if (work(policy, &run, &err) != COVEY_OK || atomic_load(&asked.is_foreign))
        fail_msg("%s: another thread asks, or \"%s\"", what, err.message);
}

/* One run that may end tells how many questions there are; least: as many as there must be. */
static void cancel_each(const char *what, cancellable work, const covey_policy *policy, int least)
{
    const int every = test_share(EVERY);
    struct asked asked = {.until = INT32_MAX, .caller = pthread_self()};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1, .progress = goes_on, .context = &asked};
    covey_error err = {COVEY_OK};
    covey_status status = work(policy, &run, &err);

    if (status != COVEY_OK)
        fail_msg("%s: status %s, \"%s\"", what, covey_status_name(status), err.message);
    if (asked.n < least)
        fail_msg("%s: asks %d times instead of %d", what, asked.n, least);
    ask_on_threads(what, work, policy);
    for (int n = 1; n <= asked.n && n <= every; n++)
        cancel_once(what, work, policy, n);
    for (int i = 0; i < test_share(AT_RANDOM) && asked.n > every; i++)
        cancel_once(what, work, policy, every + 1 + (int)random_below((uint32_t)(asked.n - every)));
}

/* --- methods --- */

static const struct {
    const char *method, *model, *quasi, *more_key, *more;
    bool all; /* the release is looked at in every way, too */
} cases[] = {
    {"mondrian", "k-anonymity:k=5", "age,zip,city", NULL, NULL, true},
    {"mondrian:refine=local", "k-anonymity:k=5", "age,zip,city", NULL, NULL, false},
    {"elastic", "t-closeness:t=0.5", "age,zip,city", NULL, NULL, false},
    {"peel", "k-anonymity:k=5", "age,city", NULL, NULL, false},
    {"burel", "basic-beta-likeness:beta=4", "age,zip,city", NULL, NULL, false},
    {"burel:retrieve=paper,post-split=true", "basic-beta-likeness:beta=4", "age,zip,city", NULL, NULL, false},
    {"burel:retrieve=nearest", "basic-beta-likeness:beta=4", "age,zip,city", NULL, NULL, false},
    {"sabre", "t-closeness:t=0.3", "age,zip,city", NULL, NULL, false},
    {"full-domain", "k-anonymity:k=5", "age,city", NULL, NULL, false},
    {"optimal-partition:node-limit=50", "k-anonymity:k=100", "age,city", NULL, NULL, false},
    {"anatomy", "distinct-l-diversity:l=3", "age,zip,city", NULL, NULL, true},
    {"anatomy:qi-aware=true", "distinct-l-diversity:l=3", "age,zip,city", NULL, NULL, false},
    {"perturbation", "enhanced-beta-likeness:beta=4", "age,zip,city", NULL, NULL, true},
    {"slicing", "sliced-l-diversity:l=2", "age,zip,city", NULL, NULL, true},
    {"ke-permutation", "ke-anonymity:k=3,e=20", "age,city", NULL, NULL, false},
    {"distribution", "p-private:target=uniform", "age,city", "groups", "{by: [city]}", true},
};

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("%s: %s: %s", key, value, err.message);
}

static void test_every_method_and_what_looks_at_releases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_policy *policy;
        covey_error err;

        assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
        set(policy, "input", table);
        set(policy, "quasi", cases[i].quasi);
        set(policy, "sensitive", "pay");
        set(policy, "others", "drop");
        set(policy, "model", cases[i].model);
        set(policy, "method", cases[i].method);
        if (cases[i].more_key)
            set(policy, cases[i].more_key, cases[i].more);
        if (covey_policy_check(policy, &err) != COVEY_OK)
            fail_msg("%s: %s", cases[i].method, err.message);
        cancel_each(cases[i].method, anonymize, policy, 8);
        if (cases[i].all) {
            cancel_each("verify", verify, policy, 4);
            cancel_each("measure", measure, policy, 20);
            cancel_each("attack", attack, policy, 10);
            cancel_each("query", query, policy, 2);
            cancel_each("report", report, policy, 20);
        }
        covey_policy_free(policy);
        assert_int_equal(covey_i_folder_remove(target, &err), COVEY_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method_and_what_looks_at_releases)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
