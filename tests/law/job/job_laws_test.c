/* The main job on random tables, policies and methods: a release is published, holds, is faithful, shows what its files
 * say and nothing of the input's order, the machine or the threads; or nothing is left behind.  COVEY_LAW_JOB and
 * COVEY_LAW_METHOD choose one to look at, whose folder stays if it fails. */
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

enum { ROUNDS = 80 };

static uint64_t n_rounds(void)
{
    return (uint64_t)test_share(ROUNDS);
}

/* One way to do a job. */
struct attempt {
    random_job *job;
    const char *method; /* NULL: auto */
    const char *model;  /* promised instead of what the job's policy promises; NULL: that */
    covey_text params;  /* "cut=relaxed\n…" for the method */
    bool seeded;
    bool has_default_params;
    char what[256];
};

static void set(covey_policy *policy, const char *key, const char *value, const struct attempt *a)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("%s: --%s %s: %s", a->what, key, value, err.message);
}

static void choose_params(struct attempt *a, uint64_t *state)
{
    size_t n = 0;
    const covey_param *param = a->method ? covey_method_params(covey_method_find(a->method), &n) : NULL;

    a->seeded = maker_below(state, 2);
    a->has_default_params = true;
    for (size_t i = 0; i < n && maker_below(state, 2); i++) {
        const char *text = job_param(a->job, &param[i], state);

        if (!text)
            continue;
        covey_i_text_add_format(&a->params, "%s=%s\n", param[i].name, text);
        a->has_default_params = false;
        a->seeded |= strcmp(text, "paper") == 0 || strcmp(text, "nearest") == 0; /* draw random numbers */
    }
    if (a->method && strcmp(a->method, "full-domain") == 0) /* the check below knows what rows attain, not levels */
        covey_i_text_add_format(&a->params, "publish-boxes=tight\n");
    if (a->method &&
        strcmp(a->method, "optimal-partition") == 0) /* or some searches would take many times what all other jobs do */
        covey_i_text_add_format(&a->params, "node-limit=5000\n");
}

static covey_policy *make_policy(const struct attempt *a, const char *input, char delimiter)
{
    covey_policy *policy = NULL;
    covey_error err;
    char text[64];

    if (covey_policy_read(&policy, csv_path("in/policy.yaml"), &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    set(policy, "input", input, a);
    set(policy, "method", a->method ? a->method : "auto", a);
    if (a->model)
        set(policy, "model", a->model, a);
    snprintf(text, sizeof text, "%c", delimiter);
    if (delimiter)
        set(policy, "delimiter", text, a);
    snprintf(text, sizeof text, "%lld", (long long)a->job->min_size);
    if (a->job->min_size && !a->model)
        set(policy, "min-size", text, a);
    for (const char *line = a->params.bytes; line && *line; line = strchr(line, '\n') + 1) {
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "="), line);
        line += strlen(name) + 1;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        set(policy, name, text, a);
    }
    if (covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    return policy;
}

static void expect_only(const char *name, const struct attempt *a)
{
    DIR *stream = opendir(csv_path("out"));
    const struct dirent *entry;

    assert_non_null(stream);
    while ((entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (!name || strcmp(entry->d_name, name) != 0))
            fail_msg("%s: %s is left", a->what, entry->d_name);
    closedir(stream);
}

static covey_status anonymize(double *loss, const struct attempt *a, const char *input, char delimiter,
                              const char *target, int n_threads, covey_error *err)
{
    covey_policy *policy = make_policy(a, input, delimiter);
    const covey_run run = {.n_threads = n_threads, .has_seed = a->seeded, .seed = 11};
    covey_anonymize_report report;
    const covey_status status = covey_anonymize(&report, policy, target, NULL, &run, err);

    covey_policy_free(policy);
    if (status != COVEY_OK)
        return status;
    assert_true(report.verdict->holds);
    *loss = report.figures.ail;
    covey_anonymize_report_clear(&report);
    return COVEY_OK;
}

static void expect_verified(const struct attempt *a, const char *target, const char *original)
{
    const covey_verify_options options = {.original = original};
    covey_verdict *verdict = NULL;
    covey_error err;

    if (covey_verify(&verdict, target, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", a->what, err.message);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    if (!verdict->holds || verdict->faithful != 1 || verdict->n_problems > 0)
        fail_msg("%s: holds %d, faithful %d", a->what, verdict->holds, verdict->faithful);
    covey_verdict_free(verdict);
}

static void write_shuffled(const random_job *job, uint64_t *state)
{
    static const char delimiters[] = ",;\t|";
    uint32_t order[JOB_MOST_ROWS];
    const job_writing how = {.order = order,
                             .delimiter = delimiters[maker_below(state, 4)],
                             .crlf = maker_below(state, 2),
                             .byte_order_mark = maker_below(state, 2),
                             .quotes_all = maker_below(state, 2)};
    const char delimiter[] = {how.delimiter, '\0'};

    for (uint32_t i = 0; i < job->n_rows; i++)
        order[i] = i;
    for (uint32_t i = (uint32_t)job->n_rows; i > 1; i--) {
        const uint32_t other = maker_below(state, i), swap = order[i - 1];

        order[i - 1] = order[other];
        order[other] = swap;
    }
    job_write(job, csv_path("in/shuffled.csv"), &how);
    csv_put_file(csv_path("in/delimiter"), delimiter, 1);
}

/* The manifest states the input's delimiter where another one would be guessed from it. */
static void forget_delimiter(char *folder)
{
    char *line = strstr(folder, "\n  \"delimiter\": "), *next = line ? strchr(line + 1, '\n') : NULL;

    if (next)
        memmove(line, next, strlen(next) + 1);
}

/* The same table in another order and notation, with other threads, must give the same. */
static void expect_same_again(const struct attempt *a, covey_status first, uint64_t *state)
{
    size_t size;
    double loss;
    char *delimiter, *one, *two;
    covey_error err;
    covey_status status;

    write_shuffled(a->job, state);
    delimiter = csv_get_file(&size, csv_path("in/delimiter"));
    status = anonymize(&loss, a, csv_path("in/shuffled.csv"), *delimiter, csv_path("again"),
                       (const int[]){2, 5}[maker_below(state, 2)], &err);
    free(delimiter);
    if (status != first)
        fail_msg("%s: %s at first, %s with the rows in another order", a->what, covey_status_name(first),
                 covey_status_name(status));
    if (status != COVEY_OK)
        return;
    one = csv_get_folder(csv_path("out/release"));
    two = csv_get_folder(csv_path("again"));
    forget_delimiter(one);
    forget_delimiter(two);
    if (strcmp(one, two) != 0)
        fail_msg("%s: another order, notation or number of threads gives another release", a->what);
    free(one);
    free(two);
    assert_int_equal(covey_i_folder_remove(csv_path("again"), NULL), COVEY_OK);
}

/* Without suppression a release exists if and only if the whole table holds as one class: all models on classes are
 * closed under union. */
static void expect_answer(const struct attempt *a, covey_status status, const covey_error *err)
{
    const int whole = job_whole_holds(a->job);

    if (status == COVEY_EINFEASIBLE && whole == 1)
        fail_msg("%s: one class would do, but: %s", a->what, err->message);
    if (status == COVEY_OK && whole == 0 && a->job->limit_num == 0)
        fail_msg("%s: a release, although the whole table fails", a->what);
}

/* What a method refuses, perhaps after the option that asked for it: it keeps no such promises, or takes no such
 * parameters. */
static bool is_of_method(const covey_error *err, const char *method)
{
    const char *text = strncmp(err->message, "--", 2) == 0 ? strstr(err->message, ": ") : NULL;

    text = text ? text + 2 : err->message;
    return strncmp(text, "method ", 7) == 0 && strncmp(text + 7, method, strlen(method)) == 0;
}

/* Does the job with one method; the loss, or a negative number if there is no release. */
static double do_job(struct attempt *a, uint64_t *state)
{
    double loss = -1;
    covey_error err;
    covey_status status;

    choose_params(a, state);
    snprintf(a->what, sizeof a->what, "job %llu with %s%s%.100s", (unsigned long long)a->job->number,
             a->method ? a->method : "auto", a->params.bytes ? " " : "", a->params.bytes ? a->params.bytes : "");
    status = anonymize(&loss, a, csv_path("in/quokka.csv"), 0, csv_path("out/release"), 1, &err);
    if (status == COVEY_EINVAL && is_of_method(&err, "")) {
        expect_only(NULL, a);
        return -1;
    }
    if (status != COVEY_OK && status != COVEY_EINFEASIBLE)
        fail_msg("%s: %s", a->what, err.message);
    expect_answer(a, status, &err);
    expect_only(status == COVEY_OK ? "release" : NULL, a);
    if (status == COVEY_OK) {
        if (!a->params.bytes || !strstr(a->params.bytes, "publish-boxes=cut")) /* then cells need not be attained */
            job_check_release(a->job, csv_path("out/release"), a->what);
        expect_verified(a, csv_path("out/release"), csv_path("in/quokka.csv"));
    }
    expect_same_again(a, status, state);
    if (status == COVEY_OK)
        assert_int_equal(covey_i_folder_remove(csv_path("out/release"), NULL), COVEY_OK);
    return loss;
}

/* Methods that publish groups keep other promises than most jobs have: they get one that they can keep.  What such a
 * release must hold is checked in two_tables_test.c; here it must be faithful whatever columns, hierarchies and missing
 * values a job has, and nothing may show. */
static uint64_t n_grouped, n_sliced; /* releases of these kinds, so far */

/* Columns and buckets, as groups; slicing_law_test.c checks what must hold. */
static const char *const group_models[] = {"probabilistic-l-diversity:l=2", "distinct-l-diversity:l=3",
                                           "ke-anonymity:k=2,e=1", NULL},
                         *const slice_models[] = {"sliced-l-diversity:l=5/4", "sliced-l-diversity:l=2", NULL};

/* Random parameters may not go together, and there may be nothing to slice. */
static bool may_refuse(const struct attempt *a, const covey_error *err)
{
    return a->job->n_sensitive != 1 || strstr(err->message, "cannot keep this policy") ||
           strstr(err->message, "number") || is_of_method(err, "slicing: ") ||
           strncmp(err->message, "slicing needs ", 14) == 0;
}

static void do_groups(struct attempt *a, const char *const *models, uint64_t *n_made, uint64_t *state)
{
    double loss;
    covey_error err;
    covey_status status = COVEY_EINVAL;

    choose_params(a, state);
    a->seeded = true; /* draws random numbers */
    for (size_t i = maker_below(state, 2); models[i] && status == COVEY_EINVAL; i++) {
        a->model = models[i];
        snprintf(a->what, sizeof a->what, "job %llu with %s, %s", (unsigned long long)a->job->number, a->method,
                 a->model);
        status = anonymize(&loss, a, csv_path("in/quokka.csv"), 0, csv_path("out/release"), 1, &err);
    }
    expect_only(status == COVEY_OK ? "release" : NULL, a);
    if (status == COVEY_EINVAL && may_refuse(a, &err))
        return;
    if (status != COVEY_OK && status != COVEY_EINFEASIBLE)
        fail_msg("%s: %s", a->what, err.message);
    if (status == COVEY_OK)
        expect_verified(a, csv_path("out/release"), csv_path("in/quokka.csv"));
    *n_made += status == COVEY_OK;
    expect_same_again(a, status, state);
    if (status == COVEY_OK)
        assert_int_equal(covey_i_folder_remove(csv_path("out/release"), NULL), COVEY_OK);
}

/* Every method and auto, which must find the best of those that it may take. */
static void do_with_every_method(random_job *job, uint64_t *state)
{
    const char *only = getenv("COVEY_LAW_METHOD");
    double best = -1;

    /* auto takes no parameters, min-size neither */
    for (size_t i = 0; i < covey_method_count() + (job->min_size == 0); i++) {
        struct attempt a = {.job = job,
                            .method = i < covey_method_count() ? covey_method_name(covey_method_at(i)) : NULL,
                            .params = COVEY_TEXT_INIT};
        double loss;

        if (only && strcmp(only, a.method ? a.method : "auto") != 0)
            continue;
        if (a.method && strcmp(covey_method_form(covey_method_at(i)), "bucketized") == 0 && job->n_sensitive == 1)
            do_groups(&a, group_models, &n_grouped, state);
        if (a.method && strcmp(covey_method_form(covey_method_at(i)), "sliced") == 0 && job->n_sensitive == 1)
            do_groups(&a, slice_models, &n_sliced, state);
        if (a.method && strcmp(covey_method_form(covey_method_at(i)), "generalized") != 0) {
            covey_i_text_free(&a.params);
            continue; /* other forms have laws of their own */
        }
        loss = do_job(&a, state);
        if (!a.method && best >= 0 && (loss < 0 || loss > best))
            fail_msg("%s: loss %g, but a method has %g", a.what, loss, best);
        if (loss >= 0 && a.has_default_params && a.method && covey_method_at(i)->under_auto.most_rows == 0 &&
            (best < 0 || loss < best))
            best = loss;
        covey_i_text_free(&a.params);
    }
}

static void test_job__keeps_its_laws(void **unused)
{
    const char *only = getenv("COVEY_LAW_JOB");
    const job_writing plain = {.delimiter = ','};

    for (uint64_t number = only ? strtoull(only, NULL, 10) : 0; number < n_rounds() || only; number++) {
        static random_job job;
        uint64_t state = number + 1;

        csv_folder();
        assert_int_equal(mkdir(csv_path("in"), 0700), 0);
        assert_int_equal(mkdir(csv_path("out"), 0700), 0);
        random_job_init(&job, number, csv_path("in"));
        job_write(&job, csv_path("in/quokka.csv"), &plain);
        do_with_every_method(&job, &state);
        random_job_clear(&job);
        csv_folder_remove();
        if (only)
            break;
    }
    if (!only && !getenv("COVEY_LAW_METHOD"))
        assert_true(n_grouped >= n_rounds() / 10 && n_sliced >= n_rounds() / 10);
}

static void test_job__every_model_is_recounted(void **unused)
{
    for (size_t i = 0; i < covey_model_count(); i++)
        if (!recount_knows(covey_model_name(covey_model_at(i))))
            fail_msg("tests/support/job/recount.c does not know the model %s", covey_model_name(covey_model_at(i)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job__every_model_is_recounted),
        cmocka_unit_test(test_job__keeps_its_laws),
    };

    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* waiting for a disk would take most of the time */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
