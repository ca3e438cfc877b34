/* The form "transformed": quasi-identifiers as they are; sensitive values hidden in subtrees of a hierarchy whose
 * weights are published.
 *
 *     quasi.csv      group, quasi-identifiers, insensitive columns: as they are, sorted by group, then by content
 *     sensitive.csv  group, low, high, label, count: more entries than rows where values were made up
 *     target.csv     target, low, high, label, weight, probability: every node of every target
 *     groups.csv     group, target: only if there are several targets
 *     help.csv       what follows about SUM, MIN and MAX of any 1, 2, ... rows of a group; where the sensitive column
 * is a number
 *
 * Source: [Koudas09] section 3. */
#include "release/transformed/transformed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "release/bucketized/bucketized.h"
#include "release/sheet/help_sheet.h"
#include "release/sheet/quasi_sheet.h"
#include "release/sheet/sheet.h"
#include "table/histogram.h"

static void add_cell(covey_text *out, const char *text)
{
    covey_i_text_add_char(out, ',');
    covey_i_csv_add_cell(out, text, strlen(text), ',');
}

/* low, high, label */
static void add_node(covey_text *out, const covey_target *target, uint32_t node)
{
    add_cell(out, target->low[node]);
    add_cell(out, target->high[node]);
    add_cell(out, target->label[node]);
}

static const covey_target *target_of(const covey_transformed *data, uint32_t group)
{
    return &data->target[data->target_of_group[group]];
}

/* --- sensitive.csv --- */

static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_transformed *data = context;

    for (uint32_t g = begin; g < end; g++)
        for (uint32_t i = data->line_start[g]; i < data->line_start[g + 1]; i++) {
            covey_i_text_add_whole(out, g + 1);
            add_node(out, target_of(data, g), data->line[i].node);
            covey_i_text_add_char(out, ',');
            covey_i_text_add_whole(out, data->line[i].copies);
            covey_i_text_add_char(out, '\n');
        }
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status write_lines(const covey_release *release, const char *folder, covey_files *files,
                                const covey_run *run, covey_error *err)
{
    const covey_transformed *data = release->form_data;
    const covey_sheet sheet = {.name = "sensitive.csv",
                               .header = "group,low,high,label,count\n",
                               .n_groups = release->n_classes,
                               .start = data->line_start,
                               .lines = add_lines,
                               .context = data};

    return covey_i_sheet_write(&sheet, folder, files, run, err);
}

/* --- target.csv, groups.csv --- */

static covey_status add_targets(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_transformed *data = context;

    for (uint32_t t = begin; t < end; t++)
        for (uint32_t i = 0; i < data->target[t].tree.n_nodes; i++) {
            covey_i_text_add_format(out, "%" PRIu32, t + 1);
            add_node(out, &data->target[t], i);
            covey_i_text_add_format(out, ",%" PRIu64 ",%.17g\n", data->target[t].tree.node[i].weight,
                                    (double)data->target[t].probability[i]);
        }
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status write_targets(const covey_transformed *data, const char *folder, covey_files *files,
                                  const covey_run *run, covey_error *err)
{
    uint32_t *start = covey_i_array((size_t)data->n_targets + 1, sizeof *start);
    const covey_sheet sheet = {.name = "target.csv",
                               .header = "target,low,high,label,weight,probability\n",
                               .n_groups = data->n_targets,
                               .start = start,
                               .lines = add_targets,
                               .context = data};
    covey_status status;

    if (!start)
        return covey_i_no_memory(err);
    start[0] = 0;
    for (uint32_t t = 0; t < data->n_targets; t++)
        start[t + 1] = start[t] + data->target[t].tree.n_nodes;
    status = covey_i_sheet_write(&sheet, folder, files, run, err);
    covey_i_free(start);
    return status;
}

static covey_status add_groups(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_transformed *data = context;

    for (uint32_t g = begin; g < end; g++)
        covey_i_text_add_format(out, "%" PRIu32 ",%" PRIu32 "\n", g + 1, data->target_of_group[g] + 1);
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status write_groups(const covey_release *release, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    uint32_t *start = covey_i_array((size_t)release->n_classes + 1, sizeof *start);
    const covey_sheet sheet = {.name = "groups.csv",
                               .header = "group,target\n",
                               .n_groups = release->n_classes,
                               .start = start,
                               .lines = add_groups,
                               .context = release->form_data};
    covey_status status;

    if (!start)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g <= release->n_classes; g++)
        start[g] = g;
    status = covey_i_sheet_write(&sheet, folder, files, run, err);
    covey_i_free(start);
    return status;
}

/* --- help.csv --- */

static int compare_ends(const void *a, const void *b)
{
    const covey_help_run *x = a, *y = b;

    return (x->end > y->end) - (x->end < y->end);
}

/* The ends of all entries of a group. */
static uint32_t list_ends(covey_help_run *low, covey_help_run *high, const void *context, uint32_t g)
{
    const covey_transformed *data = context;
    const covey_target *target = target_of(data, g);
    uint32_t n = 0;

    for (uint32_t i = data->line_start[g]; i < data->line_start[g + 1]; i++) {
        const covey_target_node *node = &target->tree.node[data->line[i].node];

        low[n] = (covey_help_run){target->number[node->first_leaf], data->line[i].copies};
        high[n++] = (covey_help_run){target->number[node->first_leaf + node->n_leaves - 1], data->line[i].copies};
    }
    qsort(high, n, sizeof *high, compare_ends); /* lines are sorted by low */
    return n;
}

static covey_status write_help(const covey_release *release, const char *folder, covey_files *files,
                               const covey_run *run, covey_error *err)
{
    const covey_transformed *data = release->form_data;
    covey_help help = {.release = release, .scale = data->scale, .list = list_ends, .context = data};

    for (uint32_t g = 0; g < release->n_classes; g++)
        if (data->line_start[g + 1] - data->line_start[g] > help.most_runs)
            help.most_runs = data->line_start[g + 1] - data->line_start[g];
    return covey_i_help_write(&help, folder, files, run, err);
}

static bool has_help(const covey_column *column)
{
    return column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder,
                                 covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_transformed *data = release->form_data;

    COVEY_TRY(covey_i_quasi_write(release, problem, NULL, folder, files, run, err));
    COVEY_TRY(write_lines(release, folder, files, run, err));
    COVEY_TRY(write_targets(data, folder, files, run, err));
    if (data->n_targets > 1)
        COVEY_TRY(write_groups(release, folder, files, run, err));
    return has_help(problem->field[data->field].column) ? write_help(release, folder, files, run, err) : COVEY_OK;
}

/* --- figures --- */

/* What a model finds of the targets; of one that compares with the whole table nothing is said, because it would tell
 * of it. */
static covey_status judge_targets(covey_figure *out, const covey_promise *promise, const covey_release *release,
                                  uint32_t n_values, covey_arena *arena, covey_error *err)
{
    const covey_transformed *data = release->form_data;

    for (uint32_t t = 0; t < data->n_targets; t++) {
        covey_figure figure;
        bool admits;

        COVEY_TRY(covey_i_target_judge(&admits, &figure, promise, &data->target[t], n_values, arena, err));
        if (!admits)
            return covey_fail(err, COVEY_EINTERNAL, "a target breaks %s: nothing was published", promise->model->name);
        if (t == 0)
            *out = figure;
        else
            covey_i_figure_combine(promise->model, out, &figure);
    }
    return COVEY_OK;
}

static covey_status achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                             const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (size_t p = 0; p < problem->promises.n && status == COVEY_OK; p++) {
        const covey_promise *promise = &problem->promises.promise[p];

        if (promise->model->traits & COVEY_MODEL_TARGET)
            figure[p] = covey_i_figure_fraction(0, 1);
        else if (promise->model->traits & COVEY_MODEL_PRIOR)
            figure[p] = covey_i_figure_real(NAN);
        else
            status = judge_targets(&figure[p], promise, release, problem->promises.view[promise->view].column->n_values,
                                   &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}

static void free_data(void *form_data)
{
    covey_transformed *data = form_data;
    covey_arena arena;

    if (!data)
        return;
    arena = data->arena;
    covey_i_free(data);
    covey_arena_free(&arena);
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "group") == 0;
}

const covey_form covey_form_transformed = {
    .name = "transformed",
    .unit = "group",
    .faithful = "Every row is one of the original's, one to one, and the intervals of every group can hold its values.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .hides_prior = true,
    .reserves = reserves,
    .achieved = achieved,
};
