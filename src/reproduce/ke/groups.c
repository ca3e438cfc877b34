/* Partitions of rows with numbers, and what averages over them can be. */
#include "reproduce/ke/groups.h"

#include <covey/generate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "generate/generator_impl.h"
#include "table/table_impl.h"

const char *const covey_i_ke_needs[] = {"adult/adult-capital-loss-1427.csv", "adult/hierarchies/age.csv", NULL};

enum { QUERIES = 100 };

/* --- partitions --- */

/* Groups of a release, classes or permuted ones, with their values and ages. */
static covey_status fill(covey_ke_groups *g, const covey_release *release, const covey_problem *problem,
                         covey_arena *arena, covey_error *err)
{
    const covey_column *age = NULL, *sensitive = NULL;
    double *value, *ages;

    for (size_t f = 0; f < problem->n_fields; f++) {
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            sensitive = problem->field[f].column;
        if (strcmp(problem->field[f].column->name, "age") == 0)
            age = problem->field[f].column;
    }
    if (!age || !sensitive || !age->number || !sensitive->number)
        return covey_fail(err, COVEY_EINVAL, "an experiment on ages and numbers needs both as numbers");
    *g = (covey_ke_groups){.n_rows = release->n_rows, .n_groups = release->n_classes};
    value = covey_arena_array(arena, double, g->n_rows);
    ages = covey_arena_array(arena, double, g->n_rows);
    g->value = value;
    g->age = ages;
    g->group = covey_arena_array(arena, uint32_t, g->n_rows);
    g->start = covey_arena_array(arena, uint32_t, (size_t)g->n_groups + 1);
    g->sorted = covey_arena_array(arena, double, g->n_rows);
    g->low = covey_arena_array(arena, double, g->n_groups);
    g->high = covey_arena_array(arena, double, g->n_groups);
    if (!value || !ages || !g->group || !g->start || !g->sorted || !g->low || !g->high)
        return covey_i_no_memory(err);
    memset(g->group, 0xff, g->n_rows * sizeof *g->group);
    for (uint32_t r = 0; r < g->n_rows; r++) {
        value[r] = (double)sensitive->number[covey_i_code(sensitive, r)] / pow(10, sensitive->scale);
        ages[r] = (double)age->number[covey_i_code(age, r)];
    }
    for (uint32_t c = 0; c < g->n_groups; c++) {
        g->low[c] = INFINITY;
        g->high[c] = -INFINITY;
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
            const uint32_t row = release->row_order[i];

            g->group[row] = c;
            g->sorted[i] = value[row];
            g->low[c] = fmin(g->low[c], ages[row]);
            g->high[c] = fmax(g->high[c], ages[row]);
        }
        qsort(g->sorted + release->class_start[c], release->class_start[c + 1] - release->class_start[c],
              sizeof *g->sorted, covey_i_compare_double);
    }
    memcpy(g->start, release->class_start, ((size_t)g->n_groups + 1) * sizeof *g->start);
    return COVEY_OK;
}

covey_status covey_i_ke_groups_make(covey_ke_groups *out, const covey_experiment_context *context, const char *policy,
                                    const covey_setting *settings, covey_arena *arena, covey_error *err)
{
    covey_experiment_made made;
    covey_status status;

    COVEY_TRY(covey_i_experiment_make(&made, context, policy, settings, NULL, err));
    status = fill(out, made.release, &made.prepared.problem, arena, err);
    covey_i_experiment_made_clear(&made);
    return status;
}

/* --- bounds --- */

covey_avg_bounds covey_i_ke_permuted(const covey_ke_groups *g, const uint32_t *hits)
{
    double lower = 0, upper = 0, n = 0;

    for (uint32_t c = 0; c < g->n_groups; c++) {
        for (uint32_t i = 0; i < hits[c]; i++) {
            lower += g->sorted[g->start[c] + i];
            upper += g->sorted[g->start[c + 1] - 1 - i];
        }
        n += hits[c];
    }
    return n > 0 ? (covey_avg_bounds){lower / n, upper / n} : (covey_avg_bounds){NAN, NAN};
}

/* The smallest mean of sure..possible values of each group, sign +1; the largest with sign -1, negated: guess it, take
 * what is below the guess, and the mean is a better guess. */
static double extreme(const covey_ke_groups *g, const uint32_t *sure, const uint32_t *possible, double sign)
{
    double guess = INFINITY, mean = INFINITY;

    do {
        double sum = 0, n = 0, least = INFINITY;

        guess = mean;
        for (uint32_t c = 0; c < g->n_groups; c++)
            for (uint32_t i = 0; i < possible[c]; i++) {
                const double value = sign * g->sorted[sign > 0 ? g->start[c] + i : g->start[c + 1] - 1 - i];

                least = fmin(least, value);
                if (i >= sure[c] && value >= guess)
                    break;
                sum += value;
                n++;
            }
        mean = n > 0 ? sum / n : least; /* nothing surely: the single best value */
    } while (isinf(guess) ? isfinite(mean) : mean < guess - 1e-12 * fabs(guess));
    return mean;
}

covey_avg_bounds covey_i_ke_generalized(const covey_ke_groups *g, const uint32_t *sure, const uint32_t *possible)
{
    const double lower = extreme(g, sure, possible, 1), upper = -extreme(g, sure, possible, -1);

    return isfinite(lower) ? (covey_avg_bounds){lower, upper} : (covey_avg_bounds){NAN, NAN};
}

/* --- queries --- */

struct query {
    const covey_ke_groups *g;
    uint32_t *hits, *sure, *possible; /* [n_groups] */
    double sum, n;
};

static covey_status new_query(struct query *q, const covey_ke_groups *g, covey_arena *arena, covey_error *err)
{
    *q = (struct query){.g = g,
                        .hits = covey_arena_array(arena, uint32_t, g->n_groups),
                        .sure = covey_arena_array(arena, uint32_t, g->n_groups),
                        .possible = covey_arena_array(arena, uint32_t, g->n_groups)};
    return q->hits && q->sure && q->possible ? COVEY_OK : covey_i_no_memory(err);
}

static void clear(struct query *q)
{
    memset(q->hits, 0, q->g->n_groups * sizeof *q->hits);
    q->sum = q->n = 0;
}

static void hit(struct query *q, uint32_t row)
{
    if (q->g->group[row] == UINT32_MAX)
        return;
    q->hits[q->g->group[row]]++;
    q->sum += q->g->value[row];
    q->n++;
}

/* Adds the query's error; false: it selects nothing, or its AVG is 0. */
static bool add_error(covey_ke_error *out, const struct query *q)
{
    const double truth = q->sum / q->n, slack = 1e-9 * fabs(truth);
    const covey_avg_bounds permuted = covey_i_ke_permuted(q->g, q->hits),
                           generalized = covey_i_ke_generalized(q->g, q->sure, q->possible);

    if (!(q->n > 0) || truth == 0)
        return false;
    out->permuted += (permuted.upper - permuted.lower) / fabs(truth);
    out->generalized += (generalized.upper - generalized.lower) / fabs(truth);
    out->is_inside = out->is_inside && permuted.lower <= truth + slack && truth <= permuted.upper + slack &&
                     generalized.lower <= permuted.lower + slack && permuted.upper <= generalized.upper + slack;
    return true;
}

covey_status covey_i_ke_arbitrary(covey_ke_error *out, const covey_ke_groups *g, uint32_t n_selected, uint64_t seed,
                                  covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    uint32_t *row = covey_arena_array(arena, uint32_t, g->n_rows);
    covey_splitmix rng = {seed};
    struct query q;
    int n_asked = 0;

    COVEY_TRY(new_query(&q, g, arena, err));
    if (!row)
        return covey_i_no_memory(err);
    *out = (covey_ke_error){.is_inside = true};
    for (uint32_t r = 0; r < g->n_rows; r++)
        row[r] = r;
    for (int i = 0; i < QUERIES; i++) {
        clear(&q);
        for (uint32_t k = 0; k < n_selected && k < g->n_rows; k++) { /* the first of a shuffle */
            const uint32_t j = k + (uint32_t)covey_i_splitmix_below(&rng, g->n_rows - k), swap = row[k];

            row[k] = row[j];
            row[j] = swap;
            hit(&q, row[k]);
        }
        for (uint32_t c = 0; c < g->n_groups; c++) {
            const uint32_t size = g->start[c + 1] - g->start[c];

            q.possible[c] = q.hits[c] > 0 ? size : 0;
            q.sure[c] = q.hits[c] == size ? size : 0;
        }
        n_asked += add_error(out, &q);
    }
    out->permuted /= n_asked;
    out->generalized /= n_asked;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

covey_status covey_i_ke_range(covey_ke_error *out, const covey_ke_groups *g, double span, uint64_t seed,
                              covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    double youngest = INFINITY, oldest = -INFINITY;
    covey_splitmix rng = {seed};
    struct query q;
    int n_asked = 0;

    COVEY_TRY(new_query(&q, g, arena, err));
    *out = (covey_ke_error){.is_inside = true};
    for (uint32_t r = 0; r < g->n_rows; r++) {
        youngest = fmin(youngest, g->age[r]);
        oldest = fmax(oldest, g->age[r]);
    }
    for (int tries = 0; n_asked < QUERIES && tries < 100 * QUERIES; tries++) {
        const double from = youngest + (double)covey_i_splitmix_below(&rng, (uint64_t)(oldest - youngest) + 1),
                     to = from + span;

        clear(&q);
        for (uint32_t r = 0; r < g->n_rows; r++)
            if (g->age[r] >= from && g->age[r] <= to)
                hit(&q, r);
        for (uint32_t c = 0; c < g->n_groups; c++) {
            const uint32_t size = g->start[c + 1] - g->start[c];

            q.possible[c] = g->low[c] <= to && g->high[c] >= from ? size : 0;
            q.sure[c] = g->low[c] >= from && g->high[c] <= to ? size : 0;
        }
        n_asked += add_error(out, &q);
    }
    out->permuted /= n_asked;
    out->generalized /= n_asked;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

/* --- tables --- */

char *covey_i_ke_adult_policy(const covey_experiment_context *context, bool age_alone)
{
    static const char *const attribute[] = {"age",        "workclass", "education", "marital-status",
                                            "occupation", "race",      "sex",       "native-country"};
    const char *folder = context->options->data;
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(
        &text, "version: 1\ninput: {path: \"%s/adult/adult-capital-loss-1427.csv\"}\nothers: drop\nattributes:\n",
        folder);
    for (size_t i = 0; i < (age_alone ? 1 : sizeof attribute / sizeof *attribute); i++)
        covey_i_text_add_format(
            &text, "  - {name: %s, role: quasi-identifier, hierarchy: {file: \"%s/adult/hierarchies/%s.csv\"}%s}\n",
            attribute[i], folder, attribute[i], i == 0 ? ", type: integer, publish: range" : "");
    covey_i_text_add_string(&text, "  - {name: capital-loss, role: sensitive, type: integer}\n");
    return covey_i_text_keep(&text, context->arena);
}

covey_status covey_i_ke_generated_policy(char **out, const covey_experiment_context *context, const char *correlation,
                                         const char *noise, int64_t rows, covey_error *err)
{
    const char *const name[] = {"correlation", "noise"}, *const value[] = {correlation, noise};
    const covey_generate_options options = {.force = true, .param_names = name, .param_texts = value, .n_params = 2};
    char *table = covey_i_experiment_scratch(context, "table.csv");
    covey_text text = COVEY_TEXT_INIT;

    if (!table)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_generate_with("capital-loss", rows, 1, table, &options, NULL, err));
    covey_i_text_add_format(
        &text,
        "version: 1\ninput: {path: \"%s\"}\nattributes:\n  - {name: age, role: quasi-identifier, type: integer}\n"
        "  - {name: capital-loss, role: sensitive, type: integer}\n",
        table);
    *out = covey_i_text_keep(&text, context->arena);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}
