/* Tables with chosen distributions, and how far bounds of averages lie apart. */
#include "reproduce/distribution/groups.h"

#include <covey/generate.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file/outfile.h"
#include "base/sort/compare.h"
#include "base/text.h"
#include "generate/generator_impl.h"
#include "release/transformed/transformed.h"
#include "table/table_impl.h"

enum { QUERIES = 100, MOST_TRIES = 100 * QUERIES };

const double covey_i_distribution_spans[COVEY_DIST_SPANS] = {1, 2, 5, 10, 20, 30, 40, 50, 60};

/* --- releases --- */

/* Sorts, and makes sums of the first 0, 1, ..., n. */
static void add_up(double *value, size_t n, int (*compare)(const void *, const void *))
{
    qsort(value + 1, n, sizeof *value, compare);
    value[0] = 0;
    for (size_t i = 1; i <= n; i++)
        value[i] += value[i - 1];
}

static void list_ends(covey_distribution_groups *g, const covey_transformed *data)
{
    const double unit = pow(10, data->scale);
    double width = 0;
    size_t n_entries = 0;

    for (uint32_t c = 0; c < g->n_groups; c++) {
        const covey_target *target = &data->target[data->target_of_group[c]];
        double *low = g->low_sum + g->start[c], *high = g->high_sum + g->start[c];
        size_t n = 0;

        for (uint32_t line = data->line_start[c]; line < data->line_start[c + 1]; line++) {
            const covey_target_node *node = &target->tree.node[data->line[line].node];

            for (uint32_t i = 0; i < data->line[line].copies; i++) {
                low[++n] = (double)target->number[node->first_leaf] / unit;
                high[n] = (double)target->number[node->first_leaf + node->n_leaves - 1] / unit;
                width += high[n] - low[n];
            }
        }
        n_entries += n;
        add_up(low, n, covey_i_compare_double);
        add_up(high, n, covey_i_compare_double_down);
    }
    g->width = width / (double)n_entries;
}

static covey_status allocate(covey_distribution_groups *g, const covey_release *release, covey_arena *arena,
                             covey_error *err)
{
    const covey_transformed *data = release->form_data;

    *g = (covey_distribution_groups){
        .n_rows = release->n_rows, .n_groups = release->n_classes, .n_fakes = release->objective.fakes};
    g->age = covey_arena_array(arena, double, g->n_rows);
    g->value = covey_arena_array(arena, double, g->n_rows);
    g->group = covey_arena_array(arena, uint32_t, g->n_rows);
    if (!g->age || !g->value || !g->group || !(g->start = covey_arena_array(arena, size_t, (size_t)g->n_groups + 1)))
        return covey_i_no_memory(err);
    g->start[0] = 0;
    for (uint32_t c = 0; c < g->n_groups; c++) {
        g->start[c + 1] = g->start[c] + 1;
        for (uint32_t line = data->line_start[c]; line < data->line_start[c + 1]; line++)
            g->start[c + 1] += data->line[line].copies;
    }
    for (uint32_t t = 0; t < data->n_targets; t++)
        g->distance = fmax(g->distance, data->target[t].distance);
    g->low_sum = covey_arena_array(arena, double, g->start[g->n_groups]);
    g->high_sum = covey_arena_array(arena, double, g->start[g->n_groups]);
    return g->low_sum && g->high_sum ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status fill(covey_distribution_groups *g, const covey_release *release, const covey_problem *problem,
                         covey_arena *arena, covey_error *err)
{
    const covey_transformed *data = release->form_data;
    const covey_column *age = problem->axis[0].column, *sensitive = problem->field[data->field].column;

    if (problem->n_axes != 1 || !age->number || !sensitive->number)
        return covey_fail(err, COVEY_EINVAL, "an experiment on ages and numbers needs both as numbers");
    COVEY_TRY(allocate(g, release, arena, err));
    for (uint32_t r = 0; r < g->n_rows; r++) {
        g->age[r] = (double)age->number[covey_i_code(age, r)];
        g->value[r] = (double)sensitive->number[covey_i_code(sensitive, r)] / pow(10, sensitive->scale);
    }
    for (uint32_t c = 0; c < g->n_groups; c++)
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            g->group[release->row_order[i]] = c;
    list_ends(g, data);
    return COVEY_OK;
}

covey_status covey_i_distribution_groups_make(covey_distribution_groups *out, const covey_experiment_context *context,
                                              const char *policy, const covey_distribution_setup *setup,
                                              covey_arena *arena, covey_error *err)
{
    const covey_setting all[] = {{"method", "distribution"},        {"model", "p-private"},   {"scheme", setup->scheme},
                                 {"resolution", setup->resolution}, {"fakes", setup->fakes},  {"target", setup->target},
                                 {"targets", setup->targets},       {"groups", setup->groups}};
    covey_setting settings[sizeof all / sizeof *all + 1];
    covey_experiment_made made;
    covey_status status;
    size_t n = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].value)
            settings[n++] = all[i];
    settings[n] = (covey_setting){NULL, NULL};
    COVEY_TRY(covey_i_experiment_make(&made, context, policy, settings, NULL, err));
    status = fill(out, made.release, &made.prepared.problem, arena, err);
    out->seconds = made.seconds;
    covey_i_experiment_made_clear(&made);
    return status;
}

/* --- queries --- */

/* (upper - lower)/true; NaN: the range has no row. */
static double ask(bool *holds, const covey_distribution_groups *g, double from, double to, uint32_t *hits)
{
    double sum = 0, n = 0, lower = 0, upper = 0;

    memset(hits, 0, g->n_groups * sizeof *hits);
    for (uint32_t r = 0; r < g->n_rows; r++)
        if (g->age[r] >= from && g->age[r] <= to) {
            hits[g->group[r]]++;
            sum += g->value[r];
            n++;
        }
    if (!(n > 0))
        return NAN;
    for (uint32_t c = 0; c < g->n_groups; c++) {
        lower += g->low_sum[g->start[c] + hits[c]];
        upper += g->high_sum[g->start[c] + hits[c]];
    }
    *holds = *holds && lower <= sum + 1e-6 && sum <= upper + 1e-6;
    return (upper - lower) / fabs(sum);
}

covey_status covey_i_distribution_range(double *out, const covey_distribution_groups *g, double span, uint64_t seed,
                                        covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    uint32_t *hits = covey_arena_array(arena, uint32_t, g->n_groups);
    double youngest = INFINITY, oldest = -INFINITY, sum = 0;
    covey_splitmix rng = {seed};
    bool holds = true;
    int n = 0;

    if (!hits)
        return covey_i_no_memory(err);
    for (uint32_t r = 0; r < g->n_rows; r++) {
        youngest = fmin(youngest, g->age[r]);
        oldest = fmax(oldest, g->age[r]);
    }
    for (int tries = 0; n < QUERIES && tries < MOST_TRIES; tries++) {
        const double from =
            youngest + (double)covey_i_splitmix_below(&rng, (uint64_t)fmax(oldest - span - youngest, 0) + 1);
        const double error = ask(&holds, g, from, from + span, hits);

        if (isnan(error))
            continue;
        sum += error;
        n++;
    }
    covey_arena_rewind(arena, mark);
    if (!holds)
        return covey_fail(err, COVEY_EINTERNAL, "bounds of a transformed release do not hold the truth");
    *out = sum / n;
    return COVEY_OK;
}

covey_status covey_i_distribution_fill_curves(covey_distribution_groups *groups,
                                              const covey_experiment_context *context, const char *policy,
                                              const covey_distribution_curve *curve, size_t n_curves, size_t first,
                                              covey_error *err)
{
    for (size_t c = 0; c < n_curves; c++) {
        covey_distribution_groups made;

        COVEY_TRY(covey_i_experiment_goes_on(context, first + c, context->curves->n_curves, err));
        COVEY_TRY(covey_i_distribution_groups_make(&made, context, policy, &curve[c].setup, context->arena, err));
        for (size_t p = 0; p < COVEY_DIST_SPANS; p++)
            COVEY_TRY(covey_i_distribution_range(&context->curves->y[first + c][p], &made,
                                                 covey_i_distribution_spans[p], p + 1, context->arena, err));
        if (groups)
            groups[c] = made;
    }
    return COVEY_OK;
}

covey_status covey_i_distribution_range_curves(covey_distribution_groups *groups,
                                               const covey_experiment_context *context, const char *policy,
                                               const covey_distribution_curve *curve, size_t n_curves, covey_error *err)
{
    const char *name[COVEY_CURVES_MOST] = {NULL};

    for (size_t c = 0; c < n_curves; c++)
        name[c] = curve[c].name;
    COVEY_TRY(covey_i_curves_new(context->curves, name, n_curves, covey_i_distribution_spans, COVEY_DIST_SPANS,
                                 context->arena, err));
    return covey_i_distribution_fill_curves(groups, context, policy, curve, n_curves, 0, err);
}

double covey_i_distribution_mean(const double *y)
{
    double sum = 0;

    for (size_t i = 0; i < COVEY_DIST_SPANS; i++)
        sum += y[i];
    return sum / COVEY_DIST_SPANS;
}

/* --- tables, policies, hierarchies --- */

covey_status covey_i_distribution_policy(char **out, const covey_experiment_context *context, const char *table,
                                         const char *hierarchy, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text,
                            "version: 1\ninput: {path: \"%s\"}\nothers: drop\nattributes:\n  - {name: age, role: "
                            "quasi-identifier, type: integer}\n"
                            "  - {name: capital-loss, role: sensitive, type: integer%s%s}\n",
                            table, hierarchy ? ", hierarchy: " : "", hierarchy ? hierarchy : "");
    *out = covey_i_text_keep(&text, context->arena);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status generate(char **path, const covey_experiment_context *context, int64_t rows,
                             const char *const *name, const char *const *value, size_t n, covey_error *err)
{
    const covey_generate_options options = {.force = true, .param_names = name, .param_texts = value, .n_params = n};

    if (!(*path = covey_i_experiment_scratch(context, "table.csv")))
        return covey_i_no_memory(err);
    return covey_generate_with("capital-loss", rows, 1, *path, &options, NULL, err);
}

covey_status covey_i_distribution_adult_table(char **path, bool *is_real, const covey_experiment_context *context,
                                              covey_error *err)
{
    static const char *const name[] = {"domain"}, *const value[] = {"155,4356"};
    enum { ROWS = 1427 };

    *path = context->options->data ? covey_i_experiment_data(context, "adult/adult-capital-loss-1427.csv") : NULL;
    if ((*is_real = *path && access(*path, R_OK) == 0))
        return COVEY_OK;
    return generate(path, context, ROWS, name, value, 1, err);
}

covey_status covey_i_distribution_generated_table(char **path, const covey_experiment_context *context,
                                                  covey_distribution_table table, covey_error *err)
{
    const char *const name[] = {"distribution", "correlation", "noise"};
    const char *const value[] = {table.distribution ? table.distribution : "normal",
                                 table.correlation ? table.correlation : "0", table.noise};

    return generate(path, context, context->options->rows ? context->options->rows : COVEY_DIST_ROWS, name, value,
                    table.noise ? 3 : 2, err);
}

covey_status covey_i_distribution_write_tree(const char *path, const int64_t *value, size_t n, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;

    for (size_t i = 0; i < n; i++) {
        covey_i_text_add_format(&text, "%" PRId64, value[i]);
        for (size_t width = 2, before = 1; before < n; before = width, width *= 2) {
            const size_t first = i / width * width, last = first + width < n ? first + width - 1 : n - 1;

            if (first == last) /* a run of one has no name of its own */
                covey_i_text_add_format(&text, ";%" PRId64, value[first]);
            else
                covey_i_text_add_format(&text, ";%" PRId64 "..%" PRId64, value[first], value[last]);
        }
        covey_i_text_add_string(&text, "\n");
    }
    remove(path);
    return covey_i_outfile_make_text(path, &text, err);
}
