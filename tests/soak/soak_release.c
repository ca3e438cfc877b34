/* A release of a random job by a random method. */
#include "soak.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "base/text.h"

static bool is_number(const soak_case *c)
{
    return c->job.column[c->job.sensitive[0]].type != COVEY_TYPE_TEXT;
}

/* What methods promise that are made for it; NULL: what the job's policy does. */
static const char *promise_for(soak_case *c, const covey_method *made)
{
    static const char *const targets[] = {"source", "uniform", "{zipf: {s: 1}}", "{normal: {mean: 10, sd: 5}}"};
    const char *method = made ? covey_method_name(made) : "auto";

    if (strcmp(method, "burel") == 0 && c->job.n_sensitive == 1)
        return job_format(&c->job, "%s-beta-likeness:beta=%u/4", soak_below(c, 2) ? "basic" : "enhanced",
                          2 + soak_below(c, 24));
    if (strcmp(method, "sabre") == 0 && c->job.n_sensitive == 1)
        return job_format(&c->job, "t-closeness:t=%u/20,distance=%s", 1 + soak_below(c, 12),
                          !is_number(c) || c->job.column[c->job.sensitive[0]].has_missing || soak_below(c, 3) == 0
                              ? "equal"
                          : soak_below(c, 2) ? "ordered"
                                             : "numeric");
    if (!made || strcmp(covey_method_form(made), "generalized") == 0)
        return NULL;
    if (strcmp(method, "anatomy") == 0)
        return soak_below(c, 2) ? job_format(&c->job, "probabilistic-l-diversity:l=%u/4", 5 + soak_below(c, 10))
                                : job_format(&c->job, "distinct-l-diversity:l=%u", 1 + soak_below(c, 4));
    if (strcmp(method, "ke-permutation") == 0)
        return job_format(&c->job, "ke-anonymity:k=%u,e=%u/2", 1 + soak_below(c, 4), soak_below(c, 12));
    if (strcmp(method, "perturbation") == 0)
        return job_format(&c->job, "%s-beta-likeness:beta=%u/4", soak_below(c, 2) ? "basic" : "enhanced",
                          1 + soak_below(c, 24));
    if (strcmp(method, "slicing") == 0)
        return job_format(&c->job, "sliced-l-diversity:l=%u/4", 5 + soak_below(c, 9));
    return job_format(&c->job, "p-private:target=%s", targets[soak_below(c, is_number(c) ? 4 : 3)]);
}

static bool set(covey_policy *policy, const char *key, const char *value, covey_error *err)
{
    return covey_policy_set(policy, key, value, err) == COVEY_OK;
}

/* Random parameters of the method, and of the groups in which rows are mixed. */
static bool choose_params(soak_case *c, covey_policy *policy, const covey_method *method, covey_error *err)
{
    size_t n = 0, used = strlen(c->what);
    const covey_param *param = method ? covey_method_params(method, &n) : NULL;

    for (size_t i = 0; i < n && soak_below(c, 3); i++) {
        const char *text = job_param(&c->job, &param[i], &c->state);

        if (text && strcmp(param[i].name, "fakes") != 0 && strcmp(param[i].name, "node-limit") != 0) {
            used += (size_t)snprintf(c->what + used, sizeof c->what - used, " %s=%s", param[i].name, text);
            if (!set(policy, param[i].name, text, err))
                return false;
        }
    }
    if (method && strcmp(covey_method_name(method), "optimal-partition") == 0 &&
        !set(policy, "node-limit", "5000", err))
        return false;
    if (method && strcmp(covey_method_name(method), "distribution") == 0 && soak_below(c, 2) &&
        !set(policy, "fakes", soak_below(c, 2) ? "2" : "10%", err))
        return false;
    return !method || strcmp(covey_method_form(method), "generalized") != 0 || c->job.min_size == 0 ||
           set(policy, "min-size", job_format(&c->job, "%lld", (long long)c->job.min_size), err);
}

/* The promise; where there are several sensitive attributes one like it for each. */
static bool set_promises(soak_case *c, covey_policy *policy, const char *promise, covey_error *err)
{
    for (size_t v = 0; v < c->job.n_sensitive; v++) {
        const char *name = job_quoted(&c->job, c->job.column[c->job.sensitive[v]].name);

        if (!set(policy, "model",
                 c->job.n_sensitive == 1 ? promise : job_format(&c->job, "%s,attribute=%s", promise, name), err))
            return false;
    }
    return true;
}

/* COVEY_EINVAL: the method cannot keep such a promise, or takes no such parameters. */
static covey_status attempt(soak_case *c, const covey_method *method, covey_error *err)
{
    const covey_run run = {.n_threads = 1 + (int)soak_below(c, 3), .has_seed = true, .seed = c->seed};
    const char *promise = promise_for(c, method);
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status = COVEY_EINVAL;

    if (covey_policy_read(&policy, csv_path("in/policy.yaml"), err) != COVEY_OK)
        soak_fail(c, "%s", err->message);
    snprintf(c->what, sizeof c->what, "%s", method ? covey_method_name(method) : "auto");
    if (promise) {
        snprintf(c->what, sizeof c->what, "%s %s", covey_method_name(method), promise);
        if (!set_promises(c, policy, promise, err))
            goto done;
    }
    if (set(policy, "method", method ? covey_method_name(method) : "auto", err) &&
        choose_params(c, policy, method, err) && covey_policy_check(policy, err) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, c->r.path, NULL, &run, err)) == COVEY_OK) {
        if (!report.verdict->holds)
            soak_fail(c, "published, but it does not hold");
        covey_anonymize_report_clear(&report);
    }
done:
    covey_policy_free(policy);
    return status;
}

static void count_release(const soak_case *c, const covey_method *method)
{
    const json_t *promises = json_object_get(c->r.manifest, "promises");

    soak_count(method ? covey_method_name(method) : "auto");
    for (size_t i = 0; i < json_array_size(promises); i++)
        soak_count(covey_model_name(
            covey_model_find(json_string_value(json_object_get(json_array_get(promises, i), "model")))));
}

/* The job of that number, and a try at it. */
static covey_status try_job(soak_case *c, uint64_t number, const covey_method *method, covey_error *err)
{
    const job_writing how = {.delimiter = ','};

    random_job_clear(&c->job);
    random_job_init(&c->job, number, csv_path("in"));
    job_write(&c->job, csv_path("in/quokka.csv"), &how);
    if (method && strcmp(covey_method_form(method), "generalized") != 0 && c->job.n_sensitive != 1 &&
        (strcmp(covey_method_name(method), "slicing") != 0 || c->job.n_sensitive == 0))
        return COVEY_EINVAL;
    return attempt(c, method, err);
}

bool soak_release(soak_case *c)
{
    enum { MOST_JOBS = 8 };
    const covey_method *method = covey_method_at((size_t)(c->seed % (covey_method_count() + 1))); /* NULL: auto */
    covey_error err = {0};

    assert_int_equal(mkdir(csv_path("in"), 0700), 0);
    c->state = c->seed ^ UINT64_C(0x5eed5eed5eed);
    snprintf(c->r.path, sizeof c->r.path, "%s", csv_path("release"));
    snprintf(c->r.original, sizeof c->r.original, "%s", csv_path("in/quokka.csv"));
    for (uint64_t i = 0; i < MOST_JOBS; i++) {
        const covey_status status = try_job(c, c->seed * MOST_JOBS + i, method, &err);

        if (status == COVEY_OK) {
            release_read(&c->r);
            count_release(c, method);
            return true;
        }
        if (status != COVEY_EINVAL && status != COVEY_EINFEASIBLE)
            soak_fail(c, "%s", err.message);
        if (access(c->r.path, F_OK) == 0)
            soak_fail(c, "something is left of a release that could not be made");
    }
    soak_count("none-made");
    return false;
}
