/* Kullback-Leibler divergence of the table's shares p from the class's q: sum of p log(p/q); infinite if the class
 * lacks a value. Source: [CaoKarras12] section 2, whose figures are in bits. */
#include "model/distance/distance.h"

#include <math.h>

static covey_estimate real(const void *state, const covey_histogram *group)
{
    const covey_divergence_state *s = state;
    const covey_histogram *prior = s->prior;
    const double n_table = (double)prior->total, n_class = (double)group->total;
    covey_terms terms = {0};

    if (group->n_distinct < prior->n_distinct)
        return covey_i_divergence_infinite();
    for (uint32_t v = 0; v < prior->n_values; v++) {
        const double p = (double)prior->count[v] / n_table;

        if (prior->count[v] == 0)
            continue;
        if (group->count[v] == 0)
            return covey_i_divergence_infinite();
        covey_i_terms_add(&terms, p * log(p * n_class / (double)group->count[v]));
    }
    return covey_i_divergence(&terms, s->unit);
}

static bool is_within(const void *state, const covey_histogram *group, covey_ratio t)
{
    const covey_divergence_state *s = state;

    return covey_i_divergence_kl_is_within(s->prior, group, t, s->natural);
}

static covey_estimate real_of_shares(const void *state, covey_share *share, size_t n)
{
    const covey_divergence_state *s = state;
    covey_long_terms terms = {0};
    uint32_t n_common = 0;

    for (size_t i = 0; i < n; i++) {
        const long double p = (long double)s->prior->count[share[i].value] / (long double)s->prior->total;

        n_common += p > 0;
        if (p > 0)
            covey_i_long_terms_add(&terms, p * logl(p * (long double)share[i].den / (long double)share[i].num));
    }
    return n_common < s->prior->n_distinct ? covey_i_divergence_infinite()
                                           : covey_i_divergence_long(&terms, s->natural ? 1 : logl(2), 0);
}

const covey_distance covey_distance_kl = {
    .name = "kl",
    .prepare = covey_i_divergence_prepare,
    .real = real,
    .is_within = is_within,
    .real_of_shares = real_of_shares,
};
