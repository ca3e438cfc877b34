/* Sums of divergences with a proven error, and the exact answer behind them.
 *
 * In the counts P of the table (N rows) and c of the class (n rows), with natural logarithms [derived]:
 *   N KL     = sum P ln P - sum P ln c + N ln n - N ln N
 *   2 N n JS = n sum P ln P + N sum c ln c - sum s ln s + N n (ln n + ln N + 2 ln 2),  s = P n + c N
 * Both are sums of whole multiples of logarithms of whole numbers. */
#include "model/distance/divergence.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/exact/log.h"
#include "model/distance/distance.h"

covey_estimate covey_i_divergence(const covey_terms *terms, double unit)
{
    const double sum = terms->sum + terms->rest;

    return (covey_estimate){sum > 0 ? sum / unit : 0, DBL_EPSILON * (32 + 16 * terms->size) / unit};
}

covey_estimate covey_i_divergence_long(const covey_long_terms *terms, long double unit, long double rounding)
{
    const long double sum = terms->sum + terms->rest;

    return (covey_estimate){sum > 0 ? sum / unit : 0,
                            (LDBL_EPSILON * (32 + 16 * terms->size) + rounding * (8 + 2 * terms->size)) / unit};
}

covey_estimate covey_i_divergence_infinite(void)
{
    return (covey_estimate){INFINITY, 0};
}

bool covey_i_divergence_is_proportional(const covey_histogram *prior, const covey_histogram *group)
{
    if (group->n_distinct != prior->n_distinct)
        return false;
    for (uint32_t v = 0; v < prior->n_values; v++)
        if ((covey_i128)prior->count[v] * group->total != (covey_i128)group->count[v] * prior->total)
            return false;
    return true;
}

struct pair {
    const covey_histogram *prior, *group;
};

static covey_log_term term_of(covey_u128 weight, covey_u128 number, bool is_negative)
{
    return (covey_log_term){number > 0 ? number : 1, weight, is_negative};
}

static covey_log_term kl_term(const void *context, uint64_t index)
{
    const struct pair *pair = context;
    const uint64_t n_table = (uint64_t)pair->prior->total, n_class = (uint64_t)pair->group->total;
    uint64_t rows;

    if (index < 2)
        return index == 0 ? term_of(n_table, n_class, false) : term_of(n_table, n_table, true);
    rows = (uint64_t)pair->prior->count[index / 2 - 1];
    return index % 2 ? term_of(rows, (uint64_t)pair->group->count[index / 2 - 1], true) : term_of(rows, rows, false);
}

bool covey_i_divergence_kl_is_within(const covey_histogram *prior, const covey_histogram *group, covey_ratio t,
                                     bool natural)
{
    const struct pair pair = {prior, group};
    const covey_log_form form = {.term = kl_term,
                                 .context = &pair,
                                 .n_terms = 2 + 2 * (uint64_t)prior->n_values,
                                 .whole = (covey_u128)prior->total,
                                 .t = t,
                                 .natural = natural};

    return covey_i_divergence_is_proportional(prior, group) || covey_i_log_form_is_within(&form);
}

static covey_log_term js_term(const void *context, uint64_t index)
{
    const struct pair *pair = context;
    const uint64_t n_table = (uint64_t)pair->prior->total, n_class = (uint64_t)pair->group->total;
    const covey_u128 both = (covey_u128)n_table * n_class;
    covey_u128 of_table, of_class;

    if (index < 3)
        return index == 0   ? term_of(both, n_class, false)
               : index == 1 ? term_of(both, n_table, false)
                            : term_of(2 * both, 2, false);
    of_table = (covey_u128)pair->prior->count[index / 3 - 1] * n_class;
    of_class = (covey_u128)pair->group->count[index / 3 - 1] * n_table;
    switch (index % 3) {
    case 0:
        return term_of(of_table, (covey_u128)pair->prior->count[index / 3 - 1], false);
    case 1:
        return term_of(of_class, (covey_u128)pair->group->count[index / 3 - 1], false);
    default:
        return term_of(of_table + of_class, of_table + of_class, true);
    }
}

bool covey_i_divergence_js_is_within(const covey_histogram *prior, const covey_histogram *group, covey_ratio t,
                                     bool natural)
{
    const struct pair pair = {prior, group};
    const covey_log_form form = {.term = js_term,
                                 .context = &pair,
                                 .n_terms = 3 + 3 * (uint64_t)prior->n_values,
                                 .whole = 2 * (covey_u128)prior->total * (covey_u128)group->total,
                                 .t = t,
                                 .natural = natural};

    return covey_i_divergence_is_proportional(prior, group) || covey_i_log_form_is_within(&form);
}

covey_status covey_i_divergence_prepare(void **state, covey_u128 *den, const covey_model_input *input,
                                        const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    covey_divergence_state *s = covey_arena_array(arena, covey_divergence_state, 1);

    if (!s)
        return covey_i_no_memory(err);
    *s = (covey_divergence_state){
        .prior = input->prior, .unit = options->natural ? 1 : log(2), .natural = options->natural};
    *state = s;
    *den = 1;
    return COVEY_OK;
}
