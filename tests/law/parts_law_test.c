/* Tables done part by part, on random tables, policies and methods: whenever the whole table can be published, so can its parts; the
 * release keeps every promise, is faithful, and shows nothing of the input's order, the threads or the pieces that were read.
 * COVEY_LAW_ROUNDS says how many tables, COVEY_LAW_JOB chooses one. */
#include "../test.h"

#include <covey/covey.h>

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/csvs.h"
#include "../support/job_check.h"
#include "../support/problem_maker.h"
#include "base/folder.h"
#include "base/text.h"

enum { ROUNDS = 120 };

enum { MOST_METHODS = 64 };

static uint64_t n_releases, n_parted, n_stepped;  /* so far; with more than one part; step by step */
static uint64_t n_parted_by[MOST_METHODS];        /* by number of the method */

static covey_policy *make_policy(const random_job *job, const char *method, const char *input, bool cut, const char *what)
{
    covey_policy *policy = NULL;
    covey_error err;
    char size[32];

    snprintf(size, sizeof size, "%lld", (long long)job->min_size);
    if (covey_policy_read(&policy, csv_path("in/policy.yaml"), &err) != COVEY_OK || covey_policy_set(policy, "input", input, &err) != COVEY_OK ||
        covey_policy_set(policy, "method", method, &err) != COVEY_OK ||
        (job->min_size && covey_policy_set(policy, "min-size", size, &err) != COVEY_OK) ||
        (cut && covey_policy_set(policy, "publish-boxes", "cut", &err) != COVEY_OK) || covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s: %s", what, err.message);
    return policy;
}

/* The whole file of a release. */
static char *file_of(const char *folder, const char *name)
{
    char path[1024];
    size_t size;

    snprintf(path, sizeof path, "%s/%s", csv_path(folder), name);
    return csv_get_file(&size, path);
}

static void expect_same(const char *name, const char *what)
{
    char *one = file_of("out/release", name), *two = file_of("out/again", name);

    assert_non_null(one);
    assert_non_null(two);
    if (strcmp(one, two) != 0)
        fail_msg("%s: %s differs with the order of rows, threads or pieces", what, name);
    free(one);
    free(two);
}

static void expect_verified(const char *what)
{
    char target[1024], original[1024];
    const covey_verify_options options = {.original = original};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(target, sizeof target, "%s", csv_path("out/release"));
    snprintf(original, sizeof original, "%s", csv_path("in/quokka.csv"));
    if (covey_verify(&verdict, target, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", what, err.message);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    if (!verdict->holds || verdict->faithful != 1)
        fail_msg("%s: holds %d, faithful %d", what, verdict->holds, verdict->faithful);
    covey_verdict_free(verdict);
}

static void expect_entries(int expected, const char *what)
{
    DIR *stream = opendir(csv_path("out"));
    const struct dirent *entry;
    int n = 0;

    assert_non_null(stream);
    while ((entry = readdir(stream)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    if (n != expected)
        fail_msg("%s: %d entries beside the release, not %d", what, n, expected);
}

static void shuffle(const random_job *job, uint64_t *state)
{
    uint32_t order[JOB_MOST_ROWS];
    const job_writing how = {.order = order, .delimiter = ',', .crlf = maker_below(state, 2)};

    for (uint32_t i = 0; i < job->n_rows; i++)
        order[i] = i;
    for (uint32_t i = (uint32_t)job->n_rows; i > 1; i--) {
        const uint32_t other = maker_below(state, i), swap = order[i - 1];

        order[i - 1] = order[other];
        order[other] = swap;
    }
    job_write(job, csv_path("in/shuffled.csv"), &how);
}

/* The rows in another order, other threads, other pieces. */
static void do_again(const random_job *job, const char *method, const covey_parts_options *options, bool cut, covey_status first, const char *what,
                     uint64_t *state)
{
    const covey_run run = {.n_threads = 3, .has_seed = true, .seed = 11};
    covey_anonymize_report report;
    covey_policy *policy;
    covey_error err;
    covey_status status;

    shuffle(job, state);
    policy = make_policy(job, method, csv_path("in/shuffled.csv"), cut, what);
    status = covey_anonymize_in_parts(&report, policy, csv_path("out/again"), options, &run, &err);
    covey_policy_free(policy);
    if (status != first)
        fail_msg("%s: %s at first, %s with the rows in another order", what, covey_status_name(first), covey_status_name(status));
    if (status != COVEY_OK)
        return;
    covey_anonymize_report_clear(&report);
    expect_same("table.csv", what);
    expect_same("manifest.json", what);
    assert_int_equal(covey_i_folder_remove(csv_path("out/again"), NULL), COVEY_OK);
}

/* Plan, parts in the order from the last to the first, merge: the same release, if every part can be made alone. */
static void do_steps(const covey_policy *policy, const covey_parts_options *options, const char *what)
{
    enum { MOST = JOB_MOST_ROWS };
    const covey_run run = {.n_threads = 2, .has_seed = true, .seed = 11};
    static char path[MOST][1024];
    const char *part[MOST];
    char recipe[512];
    covey_anonymize_report report;
    covey_part_report one;
    covey_plan_report plan;
    covey_error err;
    int64_t n = 0;

    snprintf(recipe, sizeof recipe, "%s", csv_path("recipe"));
    if (covey_plan_table(&plan, policy, recipe, options, &run, &err) != COVEY_OK)
        fail_msg("%s: %s", what, err.message);
    assert_true(plan.n_parts <= MOST);
    for (int64_t p = plan.n_parts; p > 0; p--) {
        covey_status status;

        snprintf(path[n], sizeof path[n], "%s-%lld", recipe, (long long)p);
        part[n] = path[n];
        status = covey_part_anonymize(&one, recipe, p, p, NULL, part[n], NULL, &run, &err);
        n += status == COVEY_OK;
        if (status == COVEY_EINFEASIBLE)
            break; /* parts that are done together are the business of covey_anonymize_in_parts */
        if (status != COVEY_OK)
            fail_msg("%s, part %lld: %s", what, (long long)p, err.message);
    }
    if (n == plan.n_parts) {
        n_stepped++;
        if (covey_merge_parts(&report, recipe, part, (size_t)n, csv_path("out/again"), NULL, &run, &err) != COVEY_OK)
            fail_msg("%s: %s", what, err.message);
        covey_anonymize_report_clear(&report);
        expect_same("table.csv", what);
        expect_same("manifest.json", what);
        assert_int_equal(covey_i_folder_remove(csv_path("out/again"), NULL), COVEY_OK);
    }
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(unlink(path[i]), 0);
    assert_int_equal(unlink(recipe), 0);
}

static void do_parts(random_job *job, size_t number, uint64_t *state)
{
    const char *method = covey_method_name(covey_method_at(number));
    const covey_parts_options options = {.rows_per_part = 1 + maker_below(state, 50)};
    const bool cut = maker_below(state, 4) == 0 && (strcmp(method, "elastic") == 0 || strcmp(method, "mondrian") == 0);
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 11};
    covey_anonymize_report whole, parts;
    covey_status in_core, in_parts;
    covey_error err, parts_err;
    covey_policy *policy;
    char what[128];

    snprintf(what, sizeof what, "job %llu with %s, %lld rows per part", (unsigned long long)job->number, method, (long long)options.rows_per_part);
    policy = make_policy(job, method, csv_path("in/quokka.csv"), cut, what);
    in_core = covey_anonymize(&whole, policy, csv_path("whole"), NULL, &run, &err);
    if (in_core == COVEY_OK) {
        covey_anonymize_report_clear(&whole);
        assert_int_equal(covey_i_folder_remove(csv_path("whole"), NULL), COVEY_OK);
    }
    in_parts = covey_anonymize_in_parts(&parts, policy, csv_path("out/release"), &options, &run, &parts_err);
    if (in_parts == COVEY_OK)
        do_steps(policy, &options, what);
    covey_policy_free(policy);
    if (in_parts == COVEY_EINVAL && strstr(parts_err.message, "joint")) {
        expect_entries(0, what);
        return;
    }
    if (in_parts != in_core && (in_core == COVEY_OK || in_parts != COVEY_OK || job->limit_num == 0))
        fail_msg("%s: %s as a whole (%s), %s in parts (%s)", what, covey_status_name(in_core), in_core ? err.message : "",
                 covey_status_name(in_parts), in_parts ? parts_err.message : "");
    if (in_parts == COVEY_OK) {
        n_releases++;
        n_parted += strstr(parts.note, "parts") != NULL;
        n_parted_by[number] += strstr(parts.note, "parts") != NULL;
        assert_int_equal(parts.n_rows, job->n_rows - job->n_dropped);
        covey_anonymize_report_clear(&parts);
        if (!cut)
            job_check_release(job, csv_path("out/release"), what);
        expect_verified(what);
    }
    do_again(job, method, &options, cut, in_parts, what, state);
    expect_entries(in_parts == COVEY_OK, what);
    if (in_parts == COVEY_OK)
        assert_int_equal(covey_i_folder_remove(csv_path("out/release"), NULL), COVEY_OK);
}

static void test_parts__keep_the_laws_of_the_whole(void **unused)
{
    const char *only = getenv("COVEY_LAW_JOB"), *rounds = getenv("COVEY_LAW_ROUNDS");
    const uint64_t n = rounds ? strtoull(rounds, NULL, 10) : ROUNDS;
    const job_writing plain = {.delimiter = ','};

    for (uint64_t number = only ? strtoull(only, NULL, 10) : 0; number < n || only; number++) {
        static random_job job;
        uint64_t state = number + 77;

        csv_folder();
        assert_int_equal(mkdir(csv_path("in"), 0700), 0);
        assert_int_equal(mkdir(csv_path("out"), 0700), 0);
        random_job_init(&job, number, csv_path("in"));
        job_write(&job, csv_path("in/quokka.csv"), &plain);
        for (size_t m = 0; m < covey_method_count(); m++)
            if (covey_method_at(m)->in_parts)
                do_parts(&job, m, &state);
        random_job_clear(&job);
        csv_folder_remove();
        if (only)
            break;
    }
    if (!only) {
        assert_true(n_releases > n / 2);
        assert_true(n_parted > n / 4);
        assert_true(n_stepped > n / 4);
        for (size_t m = 0; m < covey_method_count(); m++)
            if (covey_method_at(m)->in_parts && n_parted_by[m] == 0)
                fail_msg("no release of %s had more than one part", covey_method_name(covey_method_at(m)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts__keep_the_laws_of_the_whole),
    };

    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* waiting for a disk would take most of the time */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
