/* Tables done part by part, on random tables, policies and all methods that can: whenever the whole table can be
 * published, so can its parts; the release keeps every promise, is faithful, and shows nothing of the input's order,
 * the threads, the pieces that were read or who made which part how often; a single part gives what the whole table
 * gives. COVEY_LAW_JOB chooses one table. */
#include "test.h"

#include <covey/covey.h>

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "support/csvs.h"
#include "support/job/job_check.h"
#include "support/problem/problem_maker.h"
#include "base/file/folder.h"
#include "base/text.h"

enum { ROUNDS = 100 };

enum { MOST_METHODS = 64 };

static uint64_t n_releases, n_parted, n_stepped; /* so far; with more than one part; step by step */
static uint64_t n_parted_by[MOST_METHODS];       /* by number of the method */

/* One way to do a job. */
struct attempt {
    const random_job *job;
    const covey_method *method;
    const char *model; /* promised instead of what the job's policy promises; NULL: that */
    covey_parts_options options;
    bool cut;
    char what[160];
};

static void set(covey_policy *policy, const char *key, const char *value, const struct attempt *a)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("%s: --%s %s: %s", a->what, key, value, err.message);
}

static covey_policy *make_policy(const struct attempt *a, const char *input)
{
    covey_policy *policy = NULL;
    covey_error err;
    char size[32];

    if (covey_policy_read(&policy, csv_path("in/policy.yaml"), &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    set(policy, "input", input, a);
    set(policy, "method", covey_method_name(a->method), a);
    if (a->model)
        set(policy, "model", a->model, a);
    snprintf(size, sizeof size, "%lld", (long long)a->job->min_size);
    if (a->job->min_size && !a->model)
        set(policy, "min-size", size, a);
    if (a->cut)
        set(policy, "publish-boxes", "cut", a);
    if (covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    return policy;
}

/* Both folders hold the same; of a whole table the manifest says other things. */
static void expect_same(const char *one, const char *two, const char *why, const struct attempt *a)
{
    char *first = csv_get_folder(csv_path(one)), *second = csv_get_folder(csv_path(two));
    char *end_first = first, *end_second = second;
    const bool is_whole = strcmp(two, "whole") == 0;

    if (is_whole) { /* "manifest.json" stands before the tables */
        end_first = strstr(first, "\n}\n");
        end_second = strstr(second, "\n}\n");
        assert_non_null(end_first);
        assert_non_null(end_second);
    }
    if (strcmp(end_first, end_second) != 0)
        fail_msg("%s: %s", a->what, why);
    free(first);
    free(second);
}

static void expect_verified(const struct attempt *a)
{
    char target[1024], original[1024];
    const covey_verify_options options = {.original = original};
    const covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(target, sizeof target, "%s", csv_path("out/release"));
    snprintf(original, sizeof original, "%s", csv_path("in/quokka.csv"));
    if (covey_verify(&verdict, target, &options, &run, &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    if (!verdict->holds || verdict->faithful != 1)
        fail_msg("%s: holds %d, faithful %d", a->what, verdict->holds, verdict->faithful);
    covey_verdict_free(verdict);
}

static void expect_entries(int expected, const struct attempt *a)
{
    DIR *stream = opendir(csv_path("out"));
    const struct dirent *entry;
    int n = 0;

    assert_non_null(stream);
    while ((entry = readdir(stream)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    if (n != expected)
        fail_msg("%s: %d entries beside the release, not %d", a->what, n, expected);
}

static void shuffle(const random_job *job, uint64_t *state)
{
    uint32_t order[JOB_MOST_ROWS];
    const job_writing how = {.order = order, .delimiter = ',', .crlf = maker_below(state, 2)};

    maker_shuffle(order, (uint32_t)job->n_rows, state);
    job_write(job, csv_path("in/shuffled.csv"), &how);
}

/* The rows in another order, other threads, other pieces. */
static void do_again(const struct attempt *a, covey_status first, uint64_t *state)
{
    const covey_run run = {.n_threads = 3, .has_seed = true, .seed = 11};
    covey_anonymize_report report;
    covey_policy *policy;
    covey_error err;
    covey_status status;

    shuffle(a->job, state);
    policy = make_policy(a, csv_path("in/shuffled.csv"));
    status = covey_anonymize_in_parts(&report, policy, csv_path("out/again"), &a->options, &run, &err);
    covey_policy_free(policy);
    if (status != first)
        fail_msg("%s: %s at first, %s with the rows in another order", a->what, covey_status_name(first),
                 covey_status_name(status));
    if (status != COVEY_OK)
        return;
    covey_anonymize_report_clear(&report);
    expect_same("out/release", "out/again",
                "another order of rows, number of threads or size of pieces gives another release", a);
    assert_int_equal(covey_i_folder_remove(csv_path("out/again"), NULL), COVEY_OK);
}

/* A part that was lost is made again, by somebody with another number of threads. */
static void expect_same_part(const char *recipe, int64_t p, const char *path, const struct attempt *a)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 11};
    char again[520];
    size_t one_size, two_size;
    char *one, *two;
    covey_part_report report;
    covey_error err;

    snprintf(again, sizeof again, "%s-again", recipe);
    if (covey_part_anonymize(&report, recipe, p, p, NULL, again, NULL, &run, &err) != COVEY_OK)
        fail_msg("%s, part %lld again: %s", a->what, (long long)p, err.message);
    one = csv_get_file(&one_size, path);
    two = csv_get_file(&two_size, again);
    if (one_size != two_size || memcmp(one, two, one_size) != 0)
        fail_msg("%s: part %lld is another one when it is made again", a->what, (long long)p);
    free(one);
    free(two);
    assert_int_equal(unlink(again), 0);
}

/* Plan, parts in the order from the last to the first, some from a table in another order, merge: the same release, if
 * every part can be made alone. */
static void do_steps(const covey_policy *policy, const struct attempt *a, uint64_t *state)
{
    enum { MOST = JOB_MOST_ROWS, FEW_PARTS = 6 };
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 11}, no_seed = {.n_threads = 2};
    static char path[MOST][1024];
    const char *part[MOST];
    char recipe[512], shuffled[512];
    covey_anonymize_report report;
    covey_part_report one;
    covey_plan_report plan;
    covey_error err;
    int64_t n = 0;

    snprintf(recipe, sizeof recipe, "%s", csv_path("recipe"));
    snprintf(shuffled, sizeof shuffled, "%s", csv_path("in/shuffled.csv"));
    shuffle(a->job, state);
    if (covey_plan_table(&plan, policy, recipe, &a->options, &run, &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    assert_true(plan.n_parts <= MOST);
    if (plan.n_parts > FEW_PARTS &&
        maker_below(state, 8) > 0) { /* each is a call of its own, and many parts tell hardly more than some */
        assert_int_equal(unlink(recipe), 0);
        return;
    }
    for (int64_t p = plan.n_parts; p > 0; p--) {
        covey_status status;

        snprintf(path[n], sizeof path[n], "%s-%lld", recipe, (long long)p);
        part[n] = path[n];
        status = covey_part_anonymize(&one, recipe, p, p, p % 2 ? shuffled : NULL, part[n], NULL, &run, &err);
        n += status == COVEY_OK;
        if (status == COVEY_EINFEASIBLE)
            break; /* parts that are done together are the business of covey_anonymize_in_parts */
        if (status != COVEY_OK)
            fail_msg("%s, part %lld: %s", a->what, (long long)p, err.message);
    }
    if (n > 1)
        expect_same_part(recipe, plan.n_parts - plan.n_parts % 2, path[plan.n_parts % 2], a);
    if (n == plan.n_parts) {
        n_stepped++;
        /* whoever joins them needs no seed: all that is random was drawn for the parts, which say that they have one */
        if (covey_merge_parts(&report, recipe, part, (size_t)n, csv_path("out/again"), NULL, &no_seed, &err) !=
            COVEY_OK)
            fail_msg("%s: %s", a->what, err.message);
        covey_anonymize_report_clear(&report);
        expect_same("out/release", "out/again", "step by step another release is made", a);
        assert_int_equal(covey_i_folder_remove(csv_path("out/again"), NULL), COVEY_OK);
    }
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(unlink(path[i]), 0);
    assert_int_equal(unlink(recipe), 0);
}

/* Does it with and without parts; the release in parts, if there is one, is looked at. */
static void do_parts(random_job *job, struct attempt *a, uint64_t *n_made, uint64_t *state)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 11};
    covey_anonymize_report whole, parts;
    covey_status in_core, in_parts;
    covey_error err, parts_err;
    covey_policy *policy = make_policy(a, csv_path("in/quokka.csv"));

    in_core = covey_anonymize(&whole, policy, csv_path("whole"), NULL, &run, &err);
    in_parts = covey_anonymize_in_parts(&parts, policy, csv_path("out/release"), &a->options, &run, &parts_err);
    if (in_parts == COVEY_OK)
        do_steps(policy, a, state);
    covey_policy_free(policy);
    if (in_parts != in_core && !(in_parts == COVEY_EINVAL && strstr(parts_err.message, "joint")) &&
        !(in_parts == COVEY_EINVAL && a->cut && job->limit_num > 0 &&
          strstr(parts_err.message, "publish-boxes: cut with suppression")) &&
        (in_core == COVEY_OK || in_parts != COVEY_OK || job->limit_num == 0))
        fail_msg("%s: %s as a whole (%s), %s in parts (%s)", a->what, covey_status_name(in_core),
                 in_core ? err.message : "", covey_status_name(in_parts), in_parts ? parts_err.message : "");
    if (in_parts == COVEY_OK) {
        const bool is_parted = strstr(parts.note, "parts") != NULL;

        n_releases++;
        n_parted += is_parted;
        *n_made += is_parted;
        assert_int_equal(parts.n_rows, job->n_rows - job->n_dropped);
        covey_anonymize_report_clear(&parts);
        if (!a->cut && !a->model)
            job_check_release(job, csv_path("out/release"), a->what);
        expect_verified(a);
        if (!is_parted && in_core == COVEY_OK)
            expect_same("out/release", "whole", "a single part gives another release than the whole table", a);
    }
    if (in_core == COVEY_OK) {
        covey_anonymize_report_clear(&whole);
        assert_int_equal(covey_i_folder_remove(csv_path("whole"), NULL), COVEY_OK);
    }
    do_again(a, in_parts, state);
    expect_entries(in_parts == COVEY_OK, a);
    if (in_parts == COVEY_OK)
        assert_int_equal(covey_i_folder_remove(csv_path("out/release"), NULL), COVEY_OK);
}

/* Methods of other forms than the jobs' promises are about get one that they keep. */
static const char *model_for(const covey_method *method, uint64_t *state)
{
    static const char *const of_groups[] = {"probabilistic-l-diversity:l=2", "distinct-l-diversity:l=3"};

    if (strcmp(covey_method_form(method), "perturbed") == 0)
        return maker_below(state, 2) ? "enhanced-beta-likeness:beta=2" : "basic-beta-likeness:beta=1/2";
    if (strcmp(covey_method_name(method), "ke-permutation") == 0)
        return "ke-anonymity:k=2,e=1";
    return of_groups[maker_below(state, 2)];
}

/* Does any number of the job say what ke-permutation needs to know of a sensitive attribute? */
static bool fits(const random_job *job, const covey_method *method)
{
    const job_column *sensitive = &job->column[job->sensitive[0]];

    if (strcmp(covey_method_form(method), "generalized") == 0)
        return true;
    if (job->n_sensitive != 1)
        return false;
    return strcmp(covey_method_name(method), "ke-permutation") != 0 ||
           (sensitive->type != COVEY_TYPE_TEXT && !sensitive->has_missing);
}

static void do_method(random_job *job, size_t number, uint64_t *state)
{
    const covey_method *method = covey_method_at(number);
    const bool cuts = strcmp(covey_method_form(method), "generalized") == 0;
    struct attempt a = {.job = job,
                        .method = method,
                        .options = {.rows_per_part = 1 + maker_below(state, maker_below(state, 6) ? 50 : 200)}};

    if (!fits(job, method))
        return;
    a.cut = cuts && maker_below(state, 4) == 0;
    if (strcmp(covey_method_form(method), "generalized") != 0)
        a.model = model_for(method, state);
    snprintf(a.what, sizeof a.what, "job %llu with %s%s%s, %lld rows per part", (unsigned long long)job->number,
             covey_method_name(method), a.model ? ", " : "", a.model ? a.model : "",
             (long long)a.options.rows_per_part);
    do_parts(job, &a, &n_parted_by[number], state);
}

static void test_parts__keep_the_laws_of_the_whole(void **unused)
{
    const char *only = getenv("COVEY_LAW_JOB");
    const uint64_t n = (uint64_t)test_share(ROUNDS);
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
                do_method(&job, m, &state);
        random_job_clear(&job);
        csv_folder_remove();
        if (only)
            break;
    }
    if (!only) {
        assert_true(n_releases > n / 2);
        assert_true(n_parted > n / 4);
        assert_true(n_stepped > n / 4);
        for (size_t m = 0; n >= ROUNDS && m < covey_method_count(); m++)
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
