/* Jensen-Shannon divergence: the mean of the Kullback-Leibler divergences of the table's shares p and the class's q
 * from their midpoint. Source: [CaoKarras12] section 2, whose figures are in bits.  A value that the class lacks adds
 * p/2 bits. */
#include "model/distance/distance.h"

#include <math.h>

#include "model/counts.h"

static covey_estimate real(const void *state, const covey_histogram *group)
{
    const covey_divergence_state *s = state;
    const double n_table = (double)s->prior->total, n_class = (double)group->total;
    int64_t absent = s->prior->total;
    covey_ascending values;
    covey_terms terms = {0};

    covey_i_ascending_init(&values, group);
    for (uint32_t v; covey_i_ascending_next(&values, &v);) {
        const double p = (double)s->prior->count[v] / n_table, q = (double)group->count[v] / n_class;

        absent -= s->prior->count[v];
        covey_i_terms_add(&terms, q * log(2 * q / (p + q)));
        if (p > 0)
            covey_i_terms_add(&terms, p * log(2 * p / (p + q)));
    }
    covey_i_terms_add(&terms, (double)absent / n_table * log(2));
    return covey_i_divergence(&terms, 2 * s->unit);
}

static bool is_within(const void *state, const covey_histogram *group, covey_ratio t)
{
    const covey_divergence_state *s = state;

    return covey_i_divergence_js_is_within(s->prior, group, t, s->natural);
}

static covey_estimate real_of_shares(const void *state, covey_share *share, size_t n)
{
    const covey_divergence_state *s = state;
    int64_t absent = s->prior->total;
    covey_long_terms terms = {0};

    for (size_t i = 0; i < n; i++) {
        const int64_t rows = s->prior->count[share[i].value];
        const long double p = (long double)rows / (long double)s->prior->total,
                          q = (long double)share[i].num / (long double)share[i].den;

        absent -= rows;
        covey_i_long_terms_add(&terms, q * logl(2 * q / (p + q)));
        if (rows > 0)
            covey_i_long_terms_add(&terms, p * logl(2 * p / (p + q)));
    }
    covey_i_long_terms_add(&terms, (long double)absent / (long double)s->prior->total * logl(2));
    return covey_i_divergence_long(&terms, s->natural ? 2 : 2 * logl(2), 0);
}

const covey_distance covey_distance_js = {
    .name = "js",
    .prepare = covey_i_divergence_prepare,
    .real = real,
    .is_within = is_within,
    .real_of_shares = real_of_shares,
};
