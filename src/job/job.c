/* See covey/job.h: the life of a table, step by step.  The release is made in a folder beside the target that only its owner can read,
 * verified from its files, and only then renamed to the target's name. */
#include <covey/job.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/source.h"
#include "base/threads.h"
#include "job/choose.h"
#include "job/warnings.h"
#include "release/manifest.h"

/* One call of covey_anonymize. */
struct job {
    const covey_policy *policy;
    const covey_run *run;
    covey_anonymize_report *report;
    covey_prepared prepared;
    covey_choice choice;
    covey_release *release;
    covey_folder *folder;
    covey_files files;
    covey_figure *achieved; /* [promises.n] */
};

static covey_status report_progress(const covey_run *run, const char *phase, covey_error *err)
{
    if (run && run->progress && !run->progress(run->context, phase, 0, 0))
        return covey_fail(err, COVEY_ECANCELLED, "cancelled: nothing was written");
    return COVEY_OK;
}

/* Rows that were suppressed are in no table, but where a prior is published their sensitive values follow by subtraction. */
static covey_status check_suppressed(struct job *job, covey_error *err)
{
    const covey_problem *problem = &job->prepared.problem;
    uint32_t n_suppressed = job->release->n_rows - job->release->n_published;
    covey_tally gone;
    bool *published;

    if (n_suppressed > problem->max_suppressed)
        return covey_fail(err, COVEY_EINTERNAL, "method %s suppressed %u rows, more than allowed: nothing was published", job->choice.method->name,
                          n_suppressed);
    if (job->release->n_published == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "every row would have to be suppressed: no release can keep the policy");
    if (n_suppressed == 0 || !(covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR))
        return COVEY_OK;
    if (!(published = covey_arena_array_zero(&job->prepared.arena, bool, problem->n_rows)))
        return covey_fail(err, COVEY_ENOMEM, "suppressed rows");
    COVEY_TRY(covey_i_tally_new(&gone, &problem->promises, &job->prepared.arena, err));
    for (uint32_t i = 0; i < job->release->n_published; i++)
        published[job->release->row_order[i]] = true;
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (!published[row])
            covey_i_tally_add(&gone, &problem->promises, row);
    if (!covey_i_promises_admit(&problem->promises, &gone))
        return covey_fail(err, COVEY_EINTERNAL,
                          "the sensitive values of the %u suppressed rows, which follow from the published prior, break the policy: nothing was published",
                          n_suppressed);
    return COVEY_OK;
}

static covey_status hash_files(struct job *job, covey_error *err)
{
    const char *folder = covey_i_folder_path(job->folder);

    for (size_t i = 0; i < job->files.n; i++) {
        covey_file *file = &job->files.file[i];
        covey_text path = COVEY_TEXT_INIT;
        covey_status status;

        covey_i_text_add_format(&path, "%s/%s", folder, file->name);
        status = path.broken ? covey_fail(err, COVEY_ENOMEM, "hash of %s", file->name)
                             : covey_i_sha256_file(file->sha256, &file->size_bytes, path.bytes, err);
        covey_i_text_free(&path);
        if (status != COVEY_OK)
            return status;
    }
    return COVEY_OK;
}

/* Hashing keeps one core busy for as long as judging the classes keeps the other. */
static covey_status hash_or_judge(void *context, size_t task, covey_error *err)
{
    struct job *job = context;

    if (task == 0)
        return hash_files(job, err);
    return covey_i_release_achieved(job->achieved, job->release, &job->prepared.problem, job->run, err);
}

/* Every parameter of a promise, as the policy wrote it or by default. */
static covey_status collect_params(covey_pairs *out, const covey_wish_promise *wish, covey_arena *arena, covey_error *err)
{
    const covey_model *model = wish->model;
    const char **name = covey_arena_array(arena, const char *, model->n_params), **text = covey_arena_array(arena, const char *, model->n_params);

    if (!name || !text)
        return covey_fail(err, COVEY_ENOMEM, "parameters of model %s", model->name);
    out->n = 0;
    for (size_t i = 0; i < model->n_params; i++) {
        const char *value = model->params[i].fallback;

        for (size_t w = 0; w < wish->n_params; w++)
            if (strcmp(wish->param_names[w], model->params[i].name) == 0)
                value = wish->param_texts[w];
        if (!value)
            continue;
        name[out->n] = model->params[i].name;
        text[out->n++] = value;
    }
    out->name = name;
    out->text = text;
    return COVEY_OK;
}

static covey_status write_manifest(struct job *job, const char *const *hierarchy, covey_error *err)
{
    static const char *const empty_cell[] = {""};
    const covey_policy *policy = job->policy;
    covey_arena *arena = &job->prepared.arena;
    covey_pairs *params = covey_arena_array_zero(arena, covey_pairs, policy->n_promises);
    covey_utility_figures utility;
    covey_manifest manifest = {
        .release = job->release, .problem = &job->prepared.problem, .method = job->choice.method->name,
        .method_params = {job->choice.n_params, job->choice.param_name, job->choice.param_text},
        .promise_params = params, .achieved = job->achieved, .utility = &utility, .preset = policy->preset, .n_presets = policy->n_presets,
        .missing = policy->null ? policy->null : empty_cell, .n_missing = policy->null ? policy->n_null : 1, .trim = policy->trim,
        .n_dropped = job->prepared.n_dropped, .seeded = job->run && job->run->has_seed, .files = &job->files, .note = job->release->note,
    };

    if (!params)
        return covey_fail(err, COVEY_ENOMEM, "manifest");
    for (size_t i = 0; i < policy->n_promises; i++)
        COVEY_TRY(collect_params(&params[i], &policy->promise[i], arena, err));
    covey_i_release_utility(&utility, job->release, &job->prepared.problem);
    job->report->figures = (covey_release_figures){
        .ail = utility.ail, .ncp = utility.ncp, .discernibility = utility.discernibility, .average_class_size = utility.average_class_size,
        .largest_risk = utility.largest_risk, .mean_risk = utility.mean_risk,
        .smallest_class = utility.smallest_class,
    };
    return covey_i_manifest_write(&manifest, hierarchy, covey_i_folder_path(job->folder), err);
}

/* Writes tables, hierarchies and manifest into the temporary folder. */
static covey_status write_release(struct job *job, covey_error *err)
{
    covey_problem *problem = &job->prepared.problem;
    covey_arena *arena = &job->prepared.arena;
    const char **hierarchy = covey_arena_array_zero(arena, const char *, problem->n_fields);
    const char *folder = covey_i_folder_path(job->folder);
    double begin = covey_i_seconds(), written;

    job->achieved = covey_arena_array_zero(arena, covey_figure, problem->promises.n);
    if (!hierarchy || !job->achieved)
        return covey_fail(err, COVEY_ENOMEM, "release");
    COVEY_TRY(job->release->form->write(job->release, problem, folder, &job->files, job->run, err));
    COVEY_TRY(covey_i_release_write_hierarchies(hierarchy, job->release, problem, folder, &job->files, arena, err));
    written = covey_i_seconds();
    COVEY_TRY(covey_i_parallel(covey_run_threads(job->run), 2, hash_or_judge, job, err));
    COVEY_TRY(write_manifest(job, hierarchy, err));
    job->report->seconds_write = written - begin;
    job->report->seconds_hash = covey_i_seconds() - written;
    return COVEY_OK;
}

static covey_status verify(struct job *job, covey_error *err)
{
    covey_verify_options options = {.skip_hashes = true};
    double begin = covey_i_seconds();
    covey_error reason;
    covey_verdict *verdict;
    const covey_status status = covey_verify(&job->report->verdict, covey_i_folder_path(job->folder), &options, job->run, &reason);

    if (status == COVEY_ECANCELLED)
        return covey_fail(err, status, "cancelled: nothing was written");
    if (status == COVEY_EPARSE || status == COVEY_EINVAL || status == COVEY_ENOTFOUND) /* the input and the policy are not to blame */
        return covey_fail(err, COVEY_EINTERNAL, "the written release cannot be read again and was removed: %s", reason.message);
    if (status != COVEY_OK) {
        if (err)
            *err = reason;
        return status;
    }
    job->report->seconds_verify = covey_i_seconds() - begin;
    verdict = job->report->verdict;
    if (verdict->holds)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINTERNAL, "the written release failed its verification and was removed: %s",
                      verdict->n_problems ? verdict->problem[0] : "a promise does not hold");
}

static covey_status report_levels(struct job *job, covey_error *err)
{
    const covey_problem *problem = &job->prepared.problem;
    covey_anonymize_report *report = job->report;

    if (!job->release->objective.level)
        return COVEY_OK;
    if (!(report->level = covey_i_array_zero(problem->n_axes, sizeof *report->level)))
        return covey_fail(err, COVEY_ENOMEM, "levels of %zu columns", problem->n_axes);
    for (size_t a = 0; a < problem->n_axes; a++) {
        if (!(report->level[a].attribute = covey_i_strdup(problem->axis[a].column->name)))
            return covey_fail(err, COVEY_ENOMEM, "levels of %zu columns", problem->n_axes);
        report->level[a].level = job->release->objective.level[a];
        report->n_levels++;
    }
    return COVEY_OK;
}

static covey_status fill_report(struct job *job, covey_error *err)
{
    covey_anonymize_report *report = job->report;
    const covey_release *release = job->release;

    report->n_rows = release->n_rows;
    report->n_published = release->n_published;
    report->n_suppressed = (int64_t)release->n_rows - release->n_published;
    report->n_dropped = job->prepared.n_dropped;
    report->n_classes = release->n_classes;
    snprintf(report->form, sizeof report->form, "%s", release->form->name);
    snprintf(report->method, sizeof report->method, "%s", job->choice.method->name);
    snprintf(report->objective_name, sizeof report->objective_name, "%s", release->objective.name);
    report->objective_value = release->objective.value;
    report->objective_bound = release->objective.bound;
    report->objective_is_maximised = release->objective.is_maximised;
    report->has_bound = release->objective.has_bound;
    report->optimal = release->objective.optimal;
    snprintf(report->note, sizeof report->note, "%s", release->note);
    return report_levels(job, err);
}

/* Everything up to the rename. */
static covey_status make(struct job *job, covey_error *err)
{
    double begin;

    for (size_t i = 0; job->run && job->run->warn && i < job->policy->n_warnings; i++)
        job->run->warn(job->run->context, job->policy->warning[i]);
    COVEY_TRY(report_progress(job->run, "read", err));
    COVEY_TRY(covey_i_prepare(&job->prepared, job->policy, job->run, err));
    COVEY_TRY(covey_i_warn_of_data(&job->prepared, job->policy, job->run, err));
    job->report->seconds_read = job->prepared.seconds_read;
    begin = covey_i_seconds();
    COVEY_TRY(covey_i_choose(&job->release, &job->choice, &job->prepared, job->policy, job->run, err));
    COVEY_TRY(check_suppressed(job, err));
    job->report->seconds_anonymize = covey_i_seconds() - begin;
    COVEY_TRY(report_progress(job->run, "write", err));
    COVEY_TRY(write_release(job, err));
    COVEY_TRY(fill_report(job, err));
    /* The verifier works from the files; what made them makes room for it. */
    covey_release_free(job->release);
    job->release = NULL;
    covey_i_prepared_clear(&job->prepared);
    COVEY_TRY(report_progress(job->run, "verify", err));
    return verify(job, err);
}

/* Replacing a folder removes all that it holds: never what the release is made from. */
static covey_status spare_input(const covey_policy *policy, const char *target, covey_error *err)
{
    const char *const source[] = {policy->input_path, policy->path};

    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        size_t size;
        const char *path = source[i] ? covey_i_source_path(source[i], &size) : NULL;
        char *copy = path ? covey_i_strndup(path, size) : NULL;
        bool holds;

        if (path && !copy)
            return covey_fail(err, COVEY_ENOMEM, "%s: looking for the input", target);
        holds = path && covey_i_folder_holds(target, copy);
        covey_i_free(copy);
        if (holds)
            return covey_fail_at(err, COVEY_EEXIST, target, 0, NULL, 0, "holds %s, which would be removed with it; choose another name", source[i]);
    }
    return COVEY_OK;
}

covey_status covey_anonymize(covey_anonymize_report *report, const covey_policy *policy, const char *target, const covey_anonymize_options *options,
                             const covey_run *run, covey_error *err)
{
    struct job job = {.policy = policy, .run = run, .report = report};
    /* Only what looks like a release is ever replaced. */
    covey_folder_options place = {.force = options && options->force, .mark = "manifest.json"};
    double begin = covey_i_seconds();
    covey_status status;

    memset(report, 0, sizeof *report);
    if ((status = spare_input(policy, target, err)) != COVEY_OK)
        return status;
    if ((status = covey_i_folder_begin(&job.folder, target, &place, err)) != COVEY_OK)
        return status;
    if ((status = make(&job, err)) == COVEY_OK)
        status = covey_i_folder_commit(job.folder, err);
    else
        covey_i_folder_abort(job.folder);
    covey_release_free(job.release);
    covey_i_prepared_clear(&job.prepared);
    covey_i_files_clear(&job.files);
    report->seconds_total = covey_i_seconds() - begin;
    if (status != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}

void covey_anonymize_report_clear(covey_anonymize_report *report)
{
    covey_verdict_free(report->verdict);
    for (size_t a = 0; a < report->n_levels; a++)
        covey_i_free(report->level[a].attribute);
    covey_i_free(report->level);
    memset(report, 0, sizeof *report);
}
