/* The classifier, and the rows that it guesses.  Source: [CaoKarras12] section 7, eq. (15)-(19); [Cormode11]. */
#include "attack/bayes/bayes.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"

enum { N_TASKS = 64, LARGEST = 1 << 26 };

bool covey_i_bayes_too_large(covey_attack_maker *out, const covey_attacked *r, const covey_attack_target *t)
{
    double n = 0;

    for (size_t q = 0; q < r->opened->n_quasi; q++)
        n += (double)covey_i_attack_quasi(r, q)->n_values * t->n_values;
    if (n <= LARGEST)
        return false;
    covey_i_attack_not(out,
                       "the columns have so many different values that a classifier would have to learn %.3g weights; "
                       "this version stops at %.3g",
                       n, (double)LARGEST);
    return true;
}

covey_status covey_i_bayes_new(covey_bayes *out, const covey_attacked *r, const covey_attack_target *t,
                               covey_arena *arena, covey_error *err)
{
    *out = (covey_bayes){
        .n_dims = r->opened->n_quasi,
        .n_values = t->n_values,
        .log_prior = covey_arena_array(arena, double, t->n_values),
        .log_weight = covey_arena_array_zero(arena, double *, r->opened->n_quasi),
    };
    if (!out->log_prior || !out->log_weight)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < t->n_values; v++)
        out->log_prior[v] = t->prior[v] > 0 ? log(covey_i_attack_prior(t, v)) : COVEY_BAYES_NEVER;
    for (size_t q = 0; q < out->n_dims; q++) {
        const size_t n = (size_t)covey_i_attack_quasi(r, q)->n_values * t->n_values;

        if (!(out->log_weight[q] = covey_arena_array(arena, double, n)))
            return covey_i_no_memory(err);
        for (size_t i = 0; i < n; i++)
            out->log_weight[q][i] = COVEY_BAYES_NEVER;
    }
    return COVEY_OK;
}

/* From the rows of the original. */
static covey_status learn_probabilities(covey_bayes *bayes, const covey_attacked *r, const covey_attack_target *t,
                                        covey_arena *arena, covey_error *err)
{
    int64_t *whole =
        covey_arena_array_zero(arena, int64_t, t->n_values); /* the release's prior may leave out suppressed rows */

    if (!whole)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        if (t->value_of_row[row] != UINT32_MAX)
            whole[t->value_of_row[row]]++;
    for (size_t q = 0; q < bayes->n_dims; q++) {
        const covey_column *column = covey_i_attack_quasi(r, q);
        const size_t n = (size_t)column->n_values * t->n_values;
        covey_arena_mark mark = covey_arena_save(arena);
        uint32_t *count = covey_arena_array_zero(arena, uint32_t, n);

        if (!count)
            return covey_i_no_memory(err);
        for (uint32_t row = 0; row < r->original->n_rows; row++)
            if (t->value_of_row[row] != UINT32_MAX)
                count[(size_t)covey_i_code_at(column, row) * t->n_values + t->value_of_row[row]]++;
        for (size_t i = 0; i < n; i++)
            if (count[i] > 0)
                bayes->log_weight[q][i] = log((double)count[i] / (double)whole[i % t->n_values]);
        covey_arena_rewind(arena, mark);
    }
    for (uint32_t v = 0; v < t->n_values; v++)
        bayes->log_prior[v] = whole[v] > 0 ? log((double)whole[v] / (double)r->original->n_rows) : COVEY_BAYES_NEVER;
    return COVEY_OK;
}

/* --- guessing --- */

struct trying {
    const covey_bayes *bayes;
    const covey_points *points;
    const covey_attack_target *target;
    covey_run_poll poll; /* points */
    struct part {
        int64_t hits, top3;
        int64_t *recalled;
        double *score;
    } part[N_TASKS];
};

/* Sums of logarithms whose exact values are equal differ by what their terms were rounded. */
static bool is_higher(double score, double than)
{
    return score > than + 1e-11 + 1e-14 * fabs(than);
}

/* The three values with the highest scores, the smaller first among equals. */
static void find_best(uint32_t best[3], const double *score, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t v = 0; v < n; v++) {
        uint32_t i = found;

        if (found == 3 && !is_higher(score[v], score[best[2]]))
            continue;
        i = found < 3 ? found++ : 2;
        for (; i > 0 && is_higher(score[v], score[best[i - 1]]); i--)
            best[i] = best[i - 1];
        best[i] = v;
    }
    for (; found < 3; found++)
        best[found] = UINT32_MAX;
}

static void add_up(double *score, const covey_bayes *bayes, const uint32_t *coordinate)
{
    memcpy(score, bayes->log_prior, bayes->n_values * sizeof *score);
    for (size_t q = 0; q < bayes->n_dims; q++) {
        const double *weight = bayes->log_weight[q] + (size_t)coordinate[q] * bayes->n_values;

        for (uint32_t v = 0; v < bayes->n_values; v++)
            score[v] += weight[v];
    }
}

uint32_t covey_i_bayes_guess(const covey_bayes *bayes, const uint32_t *coordinate, double *score)
{
    uint32_t best[3];

    add_up(score, bayes, coordinate);
    find_best(best, score, bayes->n_values);
    return best[0];
}

static covey_status guess_points(void *context, size_t task, covey_error *err)
{
    struct trying *g = context;
    struct part *part = &g->part[task];
    const covey_points *points = g->points;
    const uint32_t end = (uint32_t)((uint64_t)points->n * (task + 1) / N_TASKS);
    covey_status status = COVEY_OK;
    uint32_t best[3];

    for (uint32_t p = (uint32_t)((uint64_t)points->n * task / N_TASKS); p < end; p++) {
        if ((status = covey_i_run_poll_add(&g->poll, 1, err)) != COVEY_OK)
            break;
        add_up(part->score, g->bayes, points->coordinate + (size_t)p * points->n_dims);
        find_best(best, part->score, g->bayes->n_values);
        for (uint32_t i = points->start[p]; i < points->start[p + 1]; i++) {
            const uint32_t value = g->target->value_of_row[points->row[i]];

            if (value == UINT32_MAX)
                continue;
            part->top3 += value == best[0] || value == best[1] || value == best[2];
            part->hits += value == best[0];
            part->recalled[value] += value == best[0];
        }
    }
    return status;
}

covey_status covey_i_bayes_try(covey_bayes_outcome *out, const covey_bayes *bayes, covey_attacked *r,
                               const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    struct trying *g = covey_arena_array_zero(arena, struct trying, 1);

    *out = (covey_bayes_outcome){.n = r->original->n_rows,
                                 .rows = covey_arena_array_zero(arena, int64_t, t->n_values),
                                 .recalled = covey_arena_array_zero(arena, int64_t, t->n_values)};
    if (!g || !out->rows || !out->recalled)
        return covey_i_no_memory(err);
    g->bayes = bayes;
    g->target = t;
    COVEY_TRY(covey_i_attack_points_of(&g->points, r, err));
    covey_i_run_poll_begin(&g->poll, r->run, "guess", g->points->n);
    for (size_t i = 0; i < N_TASKS; i++) {
        g->part[i].recalled = covey_arena_array_zero(arena, int64_t, t->n_values);
        g->part[i].score = covey_arena_array(arena, double, t->n_values);
        if (!g->part[i].recalled || !g->part[i].score)
            return covey_i_no_memory(err);
    }
    COVEY_TRY(covey_i_parallel(covey_run_threads(r->run), N_TASKS, guess_points, g, err));
    for (size_t i = 0; i < N_TASKS; i++) {
        out->hits += g->part[i].hits;
        out->top3 += g->part[i].top3;
        for (uint32_t v = 0; v < t->n_values; v++)
            out->recalled[v] += g->part[i].recalled[v];
    }
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        if (t->value_of_row[row] != UINT32_MAX)
            out->rows[t->value_of_row[row]]++;
    return COVEY_OK;
}

covey_status covey_i_bayes_ceiling(double *out, covey_attacked *r, const covey_attack_target *t, covey_arena *arena,
                                   covey_error *err)
{
    covey_bayes bayes;
    covey_bayes_outcome outcome = {0};

    COVEY_TRY(covey_i_bayes_new(&bayes, r, t, arena, err));
    COVEY_TRY(learn_probabilities(&bayes, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_try(&outcome, &bayes, r, t, arena, err));
    *out = outcome.n > 0 ? (double)outcome.hits / (double)outcome.n : NAN;
    return COVEY_OK;
}
