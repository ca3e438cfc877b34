/* A Naive Bayes classifier on codes.  What has never been seen together never goes together: shares are
 * not smoothed. */
#include <math.h>

#include "attack/bayes/bayes.h"
#include "base/error.h"
#include "reproduce/slicing/learning.h"

/* log of (rows with both) / (rows with the target's value). */
static covey_status learn_attribute(double **out, const covey_lesson_counts *counts, size_t a, covey_arena *arena,
                                    covey_error *err)
{
    const size_t n_values = counts->n_codes[counts->target], n = counts->n_codes[a] * n_values;
    double *weight = covey_arena_array(arena, double, n);

    if (!weight)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        weight[i] = counts->pair[a][i] > 0 ? log(counts->pair[a][i] / counts->rows[i % n_values]) : COVEY_BAYES_NEVER;
    *out = weight;
    return COVEY_OK;
}

static covey_status learn(covey_bayes *out, size_t *attribute, const covey_lesson_counts *counts, covey_arena *arena,
                          covey_error *err)
{
    const uint32_t n_values = counts->n_codes[counts->target];
    double all = 0;

    *out = (covey_bayes){.n_values = n_values,
                         .log_prior = covey_arena_array(arena, double, n_values),
                         .log_weight = covey_arena_array(arena, double *, counts->n_attributes)};
    if (!out->log_prior || !out->log_weight)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < n_values; v++)
        all += counts->rows[v];
    for (uint32_t v = 0; v < n_values; v++)
        out->log_prior[v] = counts->rows[v] > 0 ? log(counts->rows[v] / all) : COVEY_BAYES_NEVER;
    for (size_t a = 0; a < counts->n_attributes; a++)
        if (a != counts->target) {
            attribute[out->n_dims] = a;
            COVEY_TRY(learn_attribute(&out->log_weight[out->n_dims++], counts, a, arena, err));
        }
    return COVEY_OK;
}

covey_status covey_i_learn_bayes(double *share, const covey_lesson_counts *counts, const covey_lesson *test,
                                 covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    size_t attribute[COVEY_LESSON_ATTRIBUTES];
    uint32_t coordinate[COVEY_LESSON_ATTRIBUTES], hits = 0;
    covey_bayes bayes;
    double *score;

    COVEY_TRY(learn(&bayes, attribute, counts, arena, err));
    if (!(score = covey_arena_array(arena, double, bayes.n_values)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < test->n; i++) {
        for (size_t d = 0; d < bayes.n_dims; d++)
            coordinate[d] = test->code[attribute[d]][i];
        hits += covey_i_bayes_guess(&bayes, coordinate, score) == test->code[counts->target][i];
    }
    *share = test->n > 0 ? (double)hits / test->n : NAN;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}
