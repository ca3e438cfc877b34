/* See publish.h. */
#include "job/publish.h"

#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/threads.h"
#include "release/manifest.h"

/* Rows that were suppressed are in no table, but where a prior is published their sensitive values follow by subtraction. */
covey_status covey_i_publish_check(covey_publication *p, covey_error *err)
{
    const covey_problem *problem = p->problem;
    uint32_t n_suppressed = p->release->n_rows - p->release->n_published;
    covey_tally gone;
    bool *published;

    if (n_suppressed > problem->max_suppressed)
        return covey_fail(err, COVEY_EINTERNAL, "method %s suppressed %u rows, more than allowed: nothing was published", p->choice->method->name,
                          n_suppressed);
    if (p->release->n_published == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "every row would have to be suppressed: no release can keep the policy");
    if (n_suppressed == 0 || !(covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR))
        return COVEY_OK;
    if (!(published = covey_arena_array_zero(p->arena, bool, problem->n_rows)))
        return covey_fail(err, COVEY_ENOMEM, "suppressed rows");
    COVEY_TRY(covey_i_tally_new(&gone, &problem->promises, p->arena, err));
    for (uint32_t i = 0; i < p->release->n_published; i++)
        published[p->release->row_order[i]] = true;
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (!published[row])
            covey_i_tally_add(&gone, &problem->promises, row);
    if (!covey_i_promises_admit(&problem->promises, &gone))
        return covey_fail(err, COVEY_EINTERNAL,
                          "the sensitive values of the %u suppressed rows, which follow from the published prior, break the policy: nothing was published",
                          n_suppressed);
    return COVEY_OK;
}

static covey_status hash_files(covey_publication *p, covey_error *err)
{
    const char *folder = p->folder;

    for (size_t i = 0; i < p->files.n; i++) {
        covey_file *file = &p->files.file[i];
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
    covey_publication *p = context;

    if (task == 0)
        return hash_files(p, err);
    return covey_i_release_achieved(p->achieved, p->release, p->problem, p->run, err);
}

/* What rows shall seem to follow where the promise leaves it to the method. */
static const char *method_target(const covey_choice *choice)
{
    for (size_t i = 0; i < choice->n_params; i++)
        if (strcmp(choice->param_name[i], "target") == 0)
            return choice->param_text[i];
    return "source";
}

/* Every parameter of a promise, as the policy wrote it or by default. */
static covey_status collect_params(covey_pairs *out, const covey_wish_promise *wish, const covey_choice *choice, covey_arena *arena, covey_error *err)
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
        if (!value && model->target && strcmp(model->params[i].name, "target") == 0)
            value = method_target(choice);
        if (!value)
            continue;
        name[out->n] = model->params[i].name;
        text[out->n++] = value;
    }
    out->name = name;
    out->text = text;
    return COVEY_OK;
}

static covey_status write_manifest(covey_publication *p, const char *const *hierarchy, covey_error *err)
{
    static const char *const empty_cell[] = {""};
    const covey_policy *policy = p->policy;
    covey_arena *arena = p->arena;
    covey_pairs *params = covey_arena_array_zero(arena, covey_pairs, policy->n_promises);
    covey_utility_figures utility;
    covey_manifest manifest = {
        .release = p->release, .problem = p->problem, .method = p->choice->method->name,
        .method_params = {p->choice->n_params, p->choice->param_name, p->choice->param_text},
        .promise_params = params, .achieved = p->achieved, .utility = &utility, .preset = policy->preset, .n_presets = policy->n_presets,
        .missing = policy->null ? policy->null : empty_cell, .n_missing = policy->null ? policy->n_null : 1, .trim = policy->trim,
        .n_dropped = p->n_dropped, .seeded = p->run && p->run->has_seed, .files = &p->files, .note = p->release->note,
    };

    if (!params)
        return covey_fail(err, COVEY_ENOMEM, "manifest");
    for (size_t i = 0; i < policy->n_promises; i++)
        COVEY_TRY(collect_params(&params[i], &policy->promise[i], p->choice, arena, err));
    covey_i_release_utility(&utility, p->release, p->problem);
    p->figures = (covey_release_figures){
        .ail = utility.ail, .ncp = utility.ncp, .discernibility = utility.discernibility, .average_class_size = utility.average_class_size,
        .largest_risk = utility.largest_risk, .mean_risk = utility.mean_risk,
        .smallest_class = utility.smallest_class,
    };
    return covey_i_manifest_write(&manifest, hierarchy, p->folder, err);
}

covey_status covey_i_publish_write(covey_publication *p, covey_error *err)
{
    const covey_problem *problem = p->problem;
    covey_arena *arena = p->arena;
    const char **hierarchy = covey_arena_array_zero(arena, const char *, problem->n_fields);
    const char *folder = p->folder;
    double begin = covey_i_seconds(), written;

    p->achieved = covey_arena_array_zero(arena, covey_figure, problem->promises.n);
    if (!hierarchy || !p->achieved)
        return covey_fail(err, COVEY_ENOMEM, "release");
    COVEY_TRY(p->release->form->write(p->release, problem, folder, &p->files, p->run, err));
    COVEY_TRY(covey_i_release_write_hierarchies(hierarchy, p->release, problem, folder, &p->files, arena, err));
    written = covey_i_seconds();
    COVEY_TRY(covey_i_parallel(covey_run_threads(p->run), 2, hash_or_judge, p, err));
    COVEY_TRY(write_manifest(p, hierarchy, err));
    p->seconds_write = written - begin;
    p->seconds_hash = covey_i_seconds() - written;
    return COVEY_OK;
}
