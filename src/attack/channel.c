/* Inverting a perturbed release.  Source: [CaoKarras12] section 5. */
#include "attack/channel.h"

#include <math.h>

#include "attack/published.h"
#include "base/error.h"
#include "base/sort/sort.h"

void covey_i_attack_posterior(double *out, const covey_attack_target *t, uint32_t v)
{
    const covey_attack_channel *c = &t->channel;
    double sum = 0;

    for (uint32_t i = 0; i < c->n; i++)
        sum += out[i] = covey_i_attack_prior(t, c->value[i]) * covey_i_attack_shows(c, i, v);
    for (uint32_t i = 0; i < c->n; i++)
        out[i] /= sum;
}

void covey_i_attack_reconstruct(double *out, const int64_t *observed, const covey_attack_target *t)
{
    const covey_attack_channel *c = &t->channel;
    double drawn = 0, share = 0, s;

    for (uint32_t i = 0; i < c->n; i++) {
        const double odds = (1 - c->alpha[i]) / c->alpha[i];

        drawn += odds * (double)observed[c->value[i]];
        share += odds / c->n;
    }
    s = drawn / (1 + share);
    for (uint32_t i = 0; i < c->n; i++)
        out[i] = fmax(0, ((double)observed[c->value[i]] - s / c->n) / c->alpha[i]);
}

/* What reconstruction guesses of one point, and how many of its rows that is. */
static uint32_t guess(double *part, const int64_t *observed, const covey_attack_target *t)
{
    uint32_t best = 0;

    covey_i_attack_reconstruct(part, observed, t);
    for (uint32_t i = 1; i < t->channel.n; i++)
        if (part[i] > part[best])
            best = i;
    return t->channel.value[best];
}

covey_status covey_i_attack_rows_enough(int64_t *out, covey_attacked *r, const covey_attack_target *t,
                                        covey_arena *arena, covey_error *err)
{
    const covey_points *points;
    const uint32_t *published;
    uint32_t *order, *scratch, *rows, *first;
    int64_t *observed = covey_arena_array_zero(arena, int64_t, t->n_values), hits = 0, plain = 0;
    double *part = covey_arena_array(arena, double, t->channel.n);

    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    COVEY_TRY(covey_i_attack_published_points(&published, r, err));
    order = covey_arena_array(arena, uint32_t, points->n);
    scratch = covey_arena_array(arena, uint32_t, points->n > r->opened->n_rows ? points->n : r->opened->n_rows);
    rows = covey_arena_array(arena, uint32_t, r->opened->n_rows);
    first = covey_arena_array_zero(arena, uint32_t, (size_t)points->n + 1);
    if (!observed || !part || !order || !scratch || !rows || !first)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < r->opened->n_rows; i++) {
        rows[i] = i;
        if (published[i] != UINT32_MAX)
            first[published[i] + 1]++;
    }
    covey_i_sort_rows_u32(rows, scratch, r->opened->n_rows, published);
    for (uint32_t p = 0; p < points->n; p++) {
        order[p] = p;
        first[p + 1] += first[p];
    }
    covey_i_sort_rows_u32(order, scratch, points->n, points->n_rows);
    *out = 0;
    for (uint32_t i = points->n; i-- > 0;) { /* the largest cells first */
        const uint32_t p = order[i];
        uint32_t value;

        for (uint32_t j = first[p]; j < first[p + 1]; j++)
            observed[t->view->value_of_cell[covey_i_code_at(t->view->text, rows[j])]]++;
        value = guess(part, observed, t);
        for (uint32_t j = first[p]; j < first[p + 1]; j++)
            observed[t->view->value_of_cell[covey_i_code_at(t->view->text, rows[j])]] = 0;
        for (uint32_t j = points->start[p]; j < points->start[p + 1]; j++) {
            hits += t->value_of_row[points->row[j]] == value;
            plain += t->value_of_row[points->row[j]] == t->most_frequent;
        }
        if (hits > plain && (i == 0 || points->n_rows[order[i - 1]] < points->n_rows[p]))
            *out = points->n_rows[p];
    }
    return COVEY_OK;
}
