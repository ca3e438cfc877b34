/* Runs experiments and writes what they found: a table and a plot for each, and a page that stands them beside the
 * papers' words. */
#include "reproduce/experiment_impl.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/file/outfile.h"
#include "base/run.h"
#include "plot/plot.h"
#include "reproduce/database.h"
#include "reproduce/kept.h"

static covey_status write_svg(const covey_curves *curves, const covey_experiment *experiment, const char *path,
                              covey_error *err)
{
    covey_plot plot = {.title = experiment->title,
                       .description = experiment->statement,
                       .x_title = experiment->x_title,
                       .y_title = experiment->y_title,
                       .x_log = experiment->x_log,
                       .y_log = experiment->y_log,
                       .y_from_zero = !experiment->y_log && !experiment->y_from_data,
                       .n_curves = curves->n_plotted ? curves->n_plotted : curves->n_curves,
                       .n_points = curves->n_points,
                       .x = curves->x,
                       .x_label = curves->x_label};
    covey_text text = COVEY_TEXT_INIT;

    for (size_t c = 0; c < plot.n_curves; c++) {
        plot.name[c] = curves->name[c];
        plot.y[c] = curves->y[c];
    }
    covey_i_plot_svg(&text, &plot);
    return covey_i_outfile_make_text(path, &text, err);
}

/* Policies name files relative to themselves, so that names in them must be whole.  NULL: there is no such file, or no
 * memory. */
static char *absolute(covey_arena *arena, const char *path)
{
    char whole[PATH_MAX];

    return realpath(path, whole) ? covey_arena_strdup(arena, whole) : NULL;
}

/* --- one experiment --- */

/* The first table that is not there; NULL: all are. */
static const char *missing_table(const covey_experiment *experiment, const char *data, covey_arena *arena)
{
    for (size_t i = 0; experiment->needs && experiment->needs[i]; i++) {
        const char *path = data ? covey_i_experiment_path(arena, data, experiment->needs[i]) : NULL;

        if (!path || access(path, R_OK) != 0)
            return experiment->needs[i];
    }
    return NULL;
}

static covey_status write_files(const covey_curves *curves, const covey_experiment *experiment, const char *folder,
                                covey_arena *arena, covey_error *err)
{
    char name[128], *csv, *svg;

    snprintf(name, sizeof name, "%s.csv", experiment->name);
    csv = covey_i_experiment_path(arena, folder, name);
    snprintf(name, sizeof name, "%s.svg", experiment->name);
    svg = covey_i_experiment_path(arena, folder, name);
    if (!csv || !svg)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_write_csv(curves, experiment->x_title, csv, err));
    return write_svg(curves, experiment, svg, err);
}

/* Reasons were checked for what experiments name themselves. */
static void explain(covey_reproduced *r, const covey_experiment_context *context)
{
    const covey_reproduce_options *options = context->options;
    const bool is_as_checked = options->rows == 0 && options->seconds == 0 && !context->stands_in;
    const char *why = "it was not known to differ";

    if (is_as_checked && r->experiment->why) {
        r->because = r->experiment->because;
        why = r->experiment->why;
    } else if (!is_as_checked) {
        why = "nobody looked for the reason with tables or limits other than those that the experiment names";
    }
    snprintf(r->why, sizeof r->why, "%s", why);
}

static covey_status run_one(covey_reproduced *out, const char *folder, const covey_reproduce_options *options,
                            covey_notes *notes, const covey_run *run, covey_error *err)
{
    const covey_experiment *experiment = out->experiment;
    covey_arena arena = COVEY_ARENA_INIT;
    const char *missing = missing_table(experiment, options->data, &arena);
    covey_curves curves = {0};
    covey_experiment_context context = {.options = options,
                                        .run = run,
                                        .arena = &arena,
                                        .task = experiment->task,
                                        .curves = &curves,
                                        .notes = notes,
                                        .finding = out->finding};
    const double begin = covey_i_seconds();
    char *scratch;
    covey_status status = COVEY_OK;

    if (missing) {
        out->state = COVEY_REPRODUCED_MISSING;
        snprintf(out->finding, sizeof out->finding, "%s is not there%s", missing,
                 options->data ? "" : ": --data names the folder of real tables");
        goto done;
    }
    if (!(scratch = covey_i_experiment_path(&arena, folder, ".scratch"))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if (mkdir(scratch, 0700) != 0) {
        status = covey_fail(err, COVEY_EIO, "%s: a folder for temporary files cannot be made", folder);
        goto done;
    }
    if (!(context.scratch = absolute(&arena, scratch))) {
        status = covey_fail(err, COVEY_EIO, "%s: the folder for temporary files cannot be found again", folder);
        goto done;
    }
    if ((status = covey_i_run_goes_on(run, experiment->name, 0, 0, err)) == COVEY_OK &&
        (status = experiment->run(&context, err)) == COVEY_OK)
        status = write_files(&curves, experiment, folder, &arena, err);
    covey_i_folder_remove(scratch, NULL);
    out->state = context.holds ? COVEY_REPRODUCED_HOLDS : COVEY_REPRODUCED_DIFFERS;
    if (!context.holds)
        explain(out, &context);
    out->seconds = covey_i_seconds() - begin;
done:
    covey_arena_free(&arena);
    return status;
}

/* --- all of them --- */

static covey_status unknown(const char *name, covey_error *err)
{
    const size_t n = covey_experiment_count();
    const char **names = covey_i_array(n, sizeof *names), *near = NULL;

    if (!names)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        names[i] = covey_experiment_at(i)->name;
    near = covey_nearest_name(name, names, n);
    covey_i_free(names);
    if (near)
        return covey_fail(err, COVEY_EINVAL, "there is no experiment \"%s\"; did you mean \"%s\"?", name, near);
    return covey_fail(err, COVEY_EINVAL, "there is no experiment \"%s\"; covey reproduce without a name lists them",
                      name);
}

static covey_status find_experiments(covey_reproduced *out, const char *const *names, size_t n, covey_error *err)
{
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        if (!(out[i].experiment = covey_experiment_find(names[i])))
            return unknown(names[i], err);
        for (size_t j = 0; j < i; j++)
            if (out[j].experiment == out[i].experiment)
                return covey_fail(err, COVEY_EINVAL, "experiment \"%s\" is named twice", names[i]);
    }
    return COVEY_OK;
}

static const covey_product product = {.noun = "folder of experiments", .listing = "covey.json", .kind = "experiments"};

/* All experiments of a run. */
struct running {
    covey_reproduced *all;
    size_t n;
    const char **key; /* [n] */
    bool *done;       /* [n] */
    const char *folder;
    covey_reproduce_options options;
    const covey_run *run;
    covey_arena arena;
    covey_notes notes;
};

/* The page and the results of those that are done. */
static covey_status write_summary(struct running *r, const char *folder, covey_error *err)
{
    covey_reproduced *done = covey_i_array(r->n, sizeof *done);
    covey_status status = done ? COVEY_OK : covey_i_no_memory(err);
    size_t n = 0;

    for (size_t i = 0; i < r->n && done; i++)
        if (r->done[i])
            done[n++] = r->all[i];
    if (status == COVEY_OK && (status = covey_i_reproduced_page(done, n, folder, err)) == COVEY_OK)
        status = covey_i_kept_write(r->all, r->key, r->done, r->n, folder, err);
    covey_i_free(done);
    return status;
}

/* Makes the folder from what is done already and at most so many more. */
static covey_status make_folder(struct running *r, size_t most, covey_error *err)
{
    const covey_folder_options place = {.force = r->options.force || r->options.resume, .product = &product};
    covey_folder *made;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_folder_begin(&made, r->folder, &place, err));
    for (size_t i = 0; i < r->n && status == COVEY_OK; i++)
        if (r->done[i] && r->all[i].state != COVEY_REPRODUCED_MISSING)
            status = covey_i_kept_copy(r->all[i].experiment, r->folder, covey_i_folder_path(made), &r->arena, err);
    for (size_t i = 0; i < r->n && most > 0 && status == COVEY_OK; i++)
        if (!r->done[i]) {
            status = run_one(&r->all[i], covey_i_folder_path(made), &r->options, &r->notes, r->run, err);
            r->done[i] = true;
            most--;
        }
    if (status == COVEY_OK && (status = write_summary(r, covey_i_folder_path(made), err)) == COVEY_OK)
        return covey_i_folder_commit(made, err);
    covey_i_folder_abort(made);
    return status;
}

static size_t count_open(const struct running *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += !r->done[i];
    return n;
}

/* One after another, so that whatever ends the run, the folder has what was done until then. */
static covey_status resume(struct running *r, covey_error *err)
{
    COVEY_TRY(covey_i_kept_read(r->all, r->key, r->done, r->n, r->folder, &r->arena, err));
    do
        COVEY_TRY(make_folder(r, 1, err));
    while (count_open(r) > 0);
    return COVEY_OK;
}

static covey_status start(struct running *r, covey_error *err)
{
    r->options.data = r->options.data ? absolute(&r->arena, r->options.data) : NULL;
    r->key = covey_arena_array(&r->arena, const char *, r->n);
    r->done = covey_arena_array_zero(&r->arena, bool, r->n);
    if (!r->key || !r->done)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < r->n; i++)
        COVEY_TRY(covey_i_kept_key(&r->key[i], r->all[i].experiment, &r->options, r->run, &r->arena, err));
    return COVEY_OK;
}

covey_status covey_reproduce(covey_reproduced *out, const char *const *names, size_t n, const char *folder,
                             const covey_reproduce_options *options, const covey_run *run, covey_error *err)
{
    struct running r = {.all = out, .n = n, .folder = folder, .run = run, .arena = COVEY_ARENA_INIT};
    covey_status status;

    r.notes.arena = &r.arena;
    if (options)
        r.options = *options;
    COVEY_TRY(find_experiments(out, names, n, err));
    COVEY_TRY(covey_i_reproduce_server_check(&r.options, err));
    if ((status = start(&r, err)) == COVEY_OK)
        status = r.options.resume ? resume(&r, err) : make_folder(&r, n, err);
    covey_arena_free(&r.arena);
    return status;
}
