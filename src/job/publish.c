/* Writing the folder of a release: tables, hierarchies, manifest. */
#include "job/publish.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/file/source.h"
#include "base/hash.h"
#include "base/threads.h"
#include "job/cut_tables.h"
#include "release/counterfeits_table.h"
#include "release/made_up.h"
#include "release/manifest/manifest.h"
#include "release/units_table.h"

/* Rows that were suppressed are in no table, but where a prior is published their sensitive values follow by
 * subtraction. */
covey_status covey_i_publish_check(covey_publication *p, covey_error *err)
{
    const covey_problem *problem = p->problem;
    uint32_t n_suppressed = p->release->n_rows - p->release->n_published;
    covey_tally gone;
    bool *published;

    if (n_suppressed > problem->max_suppressed)
        return covey_fail(err, COVEY_EINTERNAL,
                          "method %s suppressed %u rows, more than allowed: nothing was published",
                          p->choice->method->name, n_suppressed);
    if (p->release->n_published == 0) {
        covey_fail(err, COVEY_EINFEASIBLE, "every row would have to be suppressed: no release can keep the policy");
        return strcmp(p->choice->method->form, "generalized") == 0 ? covey_i_method_name_nearest(problem, err)
                                                                   : COVEY_EINFEASIBLE;
    }
    if (n_suppressed == 0 || !(covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR))
        return COVEY_OK;
    if (!(published = covey_arena_array_zero(p->arena, bool, problem->n_rows)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&gone, &problem->promises, p->arena, err));
    for (uint32_t i = 0; i < p->release->n_published; i++)
        published[p->release->row_order[i]] = true;
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (!published[row])
            covey_i_tally_add(&gone, &problem->promises, row);
    if (!covey_i_promises_admit(&problem->promises, &gone))
        return covey_fail(err, COVEY_EINTERNAL,
                          "the sensitive values of the %u suppressed rows, which follow from the published prior, "
                          "break the policy: nothing was published",
                          n_suppressed);
    return COVEY_OK;
}

covey_status covey_i_publish_settle(covey_settled *settled, covey_release **release, const covey_problem *problem,
                                    const covey_run *run, covey_error *err)
{
    const covey_status status = covey_i_release_settle(settled, release, problem, run, err);
    covey_changes changes = {.is_lost = false};

    if (status != COVEY_EINFEASIBLE || !(*release)->has_regions)
        return status;
    covey_i_changes_method(&changes, "publish-boxes", "tight");
    return covey_i_method_name_nearest_with(&changes, problem, err);
}

struct hashing {
    covey_publication *p;
    size_t *file; /* [files.n] the largest first */
};

static covey_status hash_file(covey_publication *p, covey_file *file, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    covey_status status;

    if (file->is_hashed)
        return COVEY_OK;
    covey_i_text_add_format(&path, "%s/%s", p->folder, file->name);
    status = path.broken ? covey_i_no_memory(err)
                         : covey_i_hash_sha256_file(file->sha256, &file->size_bytes, path.bytes, err);
    covey_i_text_free(&path);
    return status;
}

/* Files that were not hashed while they were written: each keeps one core busy; the others hash others, and judge the
 * classes. */
static covey_status hash_or_judge(void *context, size_t task, covey_error *err)
{
    const struct hashing *h = context;
    covey_publication *p = h->p;

    if (task > 0)
        return hash_file(p, &p->files.file[h->file[task - 1]], err);
    if (p->release->sums)
        return COVEY_OK; /* batch by batch, already */
    return covey_i_release_achieved(p->achieved, p->release, p->problem, p->run, err);
}

/* The largest file first, so that all are done at about the same time. */
static covey_status hash_and_judge(covey_publication *p, covey_error *err)
{
    struct hashing h = {p, covey_arena_array(p->arena, size_t, p->files.n)};

    if (!h.file)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < p->files.n; i++) {
        size_t at = i;

        for (; at > 0 && p->files.file[h.file[at - 1]].size_bytes < p->files.file[i].size_bytes; at--)
            h.file[at] = h.file[at - 1];
        h.file[at] = i;
    }
    return covey_i_parallel(covey_run_threads(p->run), p->files.n + 1, hash_or_judge, &h, err);
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
static covey_status collect_params(covey_pairs *out, const covey_wish_promise *wish, const covey_choice *choice,
                                   covey_arena *arena, covey_error *err)
{
    const covey_model *model = wish->model;
    const char **name = covey_arena_array(arena, const char *, model->n_params),
               **text = covey_arena_array(arena, const char *, model->n_params);

    if (!name || !text)
        return covey_i_no_memory(err);
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
    covey_pairs *presets = covey_arena_array_zero(arena, covey_pairs, policy->n_presets);
    const char **names = covey_arena_array(arena, const char *, policy->n_names);
    covey_utility_figures utility;
    covey_manifest manifest = {
        .release = p->release,
        .problem = p->problem,
        .method = p->choice->method->name,
        .method_params = {p->choice->n_params, p->choice->param_name, p->choice->param_text},
        .promise_params = params,
        .achieved = p->achieved,
        .utility = &utility,
        .n_units = p->n_units,
        .preset = policy->preset,
        .n_presets = policy->n_presets,
        .preset_params = presets,
        .missing = policy->null ? policy->null : empty_cell,
        .n_missing = policy->null ? policy->n_null : 1,
        .trim = policy->trim,
        .delimiter = p->is_misguessed ? policy->delimiter : '\0',
        .codebook = p->codebook,
        .no_header = policy->no_header,
        .names = names,
        .n_names = policy->n_names,
        .n_dropped = p->n_dropped,
        .seeded = p->run && p->run->has_seed,
        .files = &p->files,
        .note = p->release->note,
    };

    if (!params || !presets || !names)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < policy->n_names; i++)
        names[i] = covey_i_problem_field(p->problem, policy->names[i]) ? policy->names[i] : "";
    for (size_t i = 0; i < policy->n_presets; i++)
        presets[i] =
            (covey_pairs){policy->preset_params[i].n, policy->preset_params[i].name, policy->preset_params[i].text};
    for (size_t i = 0; i < policy->n_promises; i++)
        COVEY_TRY(collect_params(&params[i], &policy->promise[i], p->choice, arena, err));
    covey_i_release_utility(&utility, p->release, p->problem);
    p->figures = (covey_release_figures){
        .ail = utility.ail,
        .ncp = utility.ncp,
        .discernibility = utility.discernibility,
        .average_class_size = utility.average_class_size,
        .largest_risk = utility.largest_risk,
        .mean_risk = utility.mean_risk,
        .smallest_class = utility.smallest_class,
    };
    return covey_i_manifest_write(&manifest, hierarchy, p->folder, err);
}

covey_status covey_i_publish_check_files(int64_t n_files, covey_error *err)
{
    if (n_files >= 0 && n_files <= COVEY_MOST_TABLE_FILES)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINVAL, "a table is cut into 1 to %d files, not %" PRId64, COVEY_MOST_TABLE_FILES,
                      n_files);
}

covey_status covey_i_publish_write(covey_publication *p, covey_error *err)
{
    const covey_problem *problem = p->problem;
    covey_arena *arena = p->arena;
    const char **hierarchy = covey_arena_array_zero(arena, const char *, problem->n_fields);
    const char *folder = p->folder;
    double begin = covey_i_seconds(), written;

    if (!p->release->sums)
        p->achieved = covey_arena_array_zero(arena, covey_figure, problem->promises.n);
    if (!hierarchy || !p->achieved)
        return covey_i_no_memory(err);
    p->files.hashes_lines = p->n_files == 0; /* else files are cut */
    if (!p->release->sums)
        COVEY_TRY(p->release->form->write(p->release, problem, folder, &p->files, p->run, err));
    if (problem->units)
        COVEY_TRY(covey_i_units_table_write(&p->n_units, p->release, problem, folder, &p->files, p->run, err));
    if (covey_i_counterfeits_table_is_wanted(&problem->promises))
        COVEY_TRY(covey_i_counterfeits_table_write(p->release, folder, &p->files, err));
    COVEY_TRY(covey_i_release_write_hierarchies(hierarchy, p->release, problem, folder, &p->files, arena, err));
    if (p->n_files > 0)
        COVEY_TRY(covey_i_cut_tables(&p->files, p->release->form, folder, p->n_files, err));
    written = covey_i_seconds();
    COVEY_TRY(hash_and_judge(p, err));
    COVEY_TRY(write_manifest(p, hierarchy, err));
    p->seconds_write = written - begin - p->files.seconds_hash;
    p->seconds_hash = covey_i_seconds() - written + p->files.seconds_hash;
    return COVEY_OK;
}

covey_status covey_i_publish_verify(covey_verdict **out, const char *folder, int64_t memory_limit, const covey_run *run,
                                    covey_error *err)
{
    covey_verify_options options = {.skip_hashes = true, .memory_limit = memory_limit};
    covey_error reason;
    covey_verdict *verdict = NULL;
    covey_status status = covey_verify(&verdict, folder, &options, run, &reason);

    if (status == COVEY_ECANCELLED)
        return covey_fail(err, status, "cancelled: nothing was written");
    if (status == COVEY_EPARSE || status == COVEY_EINVAL ||
        status == COVEY_ENOTFOUND) /* the input and the policy are not to blame */
        return covey_fail(err, COVEY_EINTERNAL, "the written release cannot be read again and was removed: %s",
                          reason.message);
    if (status != COVEY_OK) {
        if (err)
            *err = reason;
        return status;
    }
    *out = verdict; /* the report's, whatever it says */
    if (verdict->holds)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINTERNAL, "the written release failed its verification and was removed: %s",
                      verdict->n_problems ? verdict->problem[0] : "a promise does not hold");
}

void covey_i_publish_report(covey_anonymize_report *report, const covey_publication *p)
{
    const covey_release *release = p->release;
    const covey_objective *objective = &release->objective;

    report->figures = p->figures;
    report->seconds_write = p->seconds_write;
    report->seconds_hash = p->seconds_hash;
    report->n_counterfeits = covey_i_release_n_made_up(release);
    report->n_rows = release->n_rows - report->n_counterfeits;
    report->n_published = release->n_published;
    report->n_suppressed = (int64_t)release->n_rows - release->n_published;
    report->n_dropped = p->n_dropped;
    report->n_classes = release->n_classes;
    report->n_units = p->n_units;
    snprintf(report->form, sizeof report->form, "%s", release->form->name);
    snprintf(report->method, sizeof report->method, "%s", p->choice->method->name);
    snprintf(report->objective_name, sizeof report->objective_name, "%s", objective->name);
    report->objective_value = objective->value;
    report->objective_bound = objective->bound;
    report->objective_is_maximised = objective->is_maximised;
    report->has_bound = objective->has_bound;
    report->optimal = objective->optimal;
    report->has_fakes = objective->has_fakes;
    report->fakes = objective->fakes;
    snprintf(report->note, sizeof report->note, "%s", release->note);
    snprintf(report->note + strlen(report->note), sizeof report->note - strlen(report->note), "%s%s",
             *release->note && *release->remark ? "; " : "", release->remark);
}

covey_status covey_i_publish_spare_input(const covey_policy *policy, const char *target, covey_error *err)
{
    const char *const source[] = {policy->input_path, policy->path};

    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        size_t size;
        const char *path = source[i] ? covey_i_source_path(source[i], &size) : NULL;
        char *copy = path ? covey_i_strndup(path, size) : NULL;
        bool holds;

        if (path && !copy)
            return covey_i_no_memory(err);
        holds = path && covey_i_folder_holds(target, copy);
        covey_i_free(copy);
        if (holds)
            return covey_fail_at(err, COVEY_EEXIST, target, 0, NULL, 0,
                                 "holds %s, which would be removed with it; choose another name", source[i]);
    }
    return COVEY_OK;
}
