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

static double odds_of(const covey_attack_channel *c, uint32_t i)
{
    return (1 - c->alpha[i]) / c->alpha[i];
}

/* What divides the rows that seem drawn anew. */
static double drawn_share(const covey_attack_channel *c)
{
    double share = 0;

    for (uint32_t i = 0; i < c->n; i++)
        share += odds_of(c, i) / c->n;
    return 1 + share;
}

void covey_i_attack_reconstruct(double *out, const int64_t *observed, const covey_attack_target *t)
{
    const covey_attack_channel *c = &t->channel;
    double drawn = 0, s;

    for (uint32_t i = 0; i < c->n; i++)
        drawn += odds_of(c, i) * (double)observed[c->value[i]];
    s = drawn / drawn_share(c);
    for (uint32_t i = 0; i < c->n; i++)
        out[i] = fmax(0, ((double)observed[c->value[i]] - s / c->n) / c->alpha[i]);
}

/* What reconstruction guesses of one point: it says 0 of values that none of its rows shows, and the first value of all
 * where it says 0 of each.
 *
 * shown: the values of its rows, ascending, each once
 * share: what covey_i_attack_reconstruct divides by */
static uint32_t guess(const uint32_t *shown, uint32_t n_shown, const int64_t *observed, double share,
                      const covey_attack_target *t)
{
    const covey_attack_channel *c = &t->channel;
    uint32_t best = c->value[0];
    double drawn = 0, most = 0;

    for (uint32_t j = 0; j < n_shown; j++)
        drawn += odds_of(c, c->index[shown[j]]) * (double)observed[shown[j]];
    for (uint32_t j = 0; j < n_shown; j++) {
        const uint32_t i = c->index[shown[j]];
        const double rows = ((double)observed[shown[j]] - drawn / share / c->n) / c->alpha[i];

        if (rows > most) {
            most = rows;
            best = shown[j];
        }
    }
    return best;
}

covey_status covey_i_attack_rows_enough(int64_t *out, covey_attacked *r, const covey_attack_target *t,
                                        covey_arena *arena, covey_error *err)
{
    const covey_points *points;
    const uint32_t *published;
    uint32_t *order, *scratch, *rows, *first, *value_of_row, *shown;
    int64_t *observed = covey_arena_array_zero(arena, int64_t, t->n_values), hits = 0, plain = 0;
    const double share = drawn_share(&t->channel);

    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    COVEY_TRY(covey_i_attack_published_points(&published, r, err));
    order = covey_arena_array(arena, uint32_t, points->n);
    scratch = covey_arena_array(arena, uint32_t, points->n > r->opened->n_rows ? points->n : r->opened->n_rows);
    rows = covey_arena_array(arena, uint32_t, r->opened->n_rows);
    value_of_row = covey_arena_array(arena, uint32_t, r->opened->n_rows);
    shown = covey_arena_array(arena, uint32_t, t->n_values);
    first = covey_arena_array_zero(arena, uint32_t, (size_t)points->n + 1);
    if (!observed || !order || !scratch || !rows || !value_of_row || !shown || !first)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < r->opened->n_rows; i++) {
        rows[i] = i;
        value_of_row[i] = t->view->value_of_cell[covey_i_code_at(t->view->text, i)];
        if (published[i] != UINT32_MAX)
            first[published[i] + 1]++;
    }
    covey_i_sort_rows_u32(rows, scratch, r->opened->n_rows, value_of_row);
    covey_i_sort_rows_u32(rows, scratch, r->opened->n_rows, published);
    for (uint32_t p = 0; p < points->n; p++) {
        order[p] = p;
        first[p + 1] += first[p];
    }
    covey_i_sort_rows_u32(order, scratch, points->n, points->n_rows);
    *out = 0;
    for (uint32_t i = points->n; i-- > 0;) { /* the largest cells first */
        const uint32_t p = order[i];
        uint32_t n_shown = 0, value;

        for (uint32_t j = first[p]; j < first[p + 1]; j++) {
            const uint32_t v = value_of_row[rows[j]];

            if (observed[v]++ == 0 && t->channel.index[v] != UINT32_MAX)
                shown[n_shown++] = v;
        }
        value = guess(shown, n_shown, observed, share, t);
        for (uint32_t j = first[p]; j < first[p + 1]; j++)
            observed[value_of_row[rows[j]]] = 0;
        for (uint32_t j = points->start[p]; j < points->start[p + 1]; j++) {
            hits += t->value_of_row[points->row[j]] == value;
            plain += t->value_of_row[points->row[j]] == t->most_frequent;
        }
        if (hits > plain && (i == 0 || points->n_rows[order[i - 1]] < points->n_rows[p]))
            *out = points->n_rows[p];
    }
    return COVEY_OK;
}
