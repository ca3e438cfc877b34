/* Weighted sums of sensitive values, which are any of their group's: bounds by pairing weights and values.
 *
 * With a group's n values of mean m and variance v, dealt out at random, and weights w of its hit rows E[SUM] =
 * m sum w, and Var[SUM] = v (n sum w^2 - (sum w)^2) / (n - 1), since any two values have the covariance -v / (n - 1).
 */
#include <math.h>

#include "base/error.h"
#include "query/bucketized/groups.h"
#include "query/exchange.h"
#include "query/weighted_rows.h"

/* What is found of hit groups, which adds up. */
struct sums {
    covey_i128 lower, upper, weights, n_numbers;
    double estimate, variance;
};

/* A missing value adds nothing to a sum. */
static uint32_t list_values(int64_t *value, covey_i128 *n_numbers, const covey_query_groups *b, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t e = b->entry_start[group]; e < b->entry_start[group + 1]; e++) {
        const bool is_missing = b->slot[e] == UINT32_MAX;

        *n_numbers += is_missing ? 0 : b->count[e];
        for (int64_t copy = 0; copy < b->count[e]; copy++)
            value[n++] = is_missing ? 0 : b->number[e];
    }
    return n;
}

static void add_group(struct sums *s, const covey_query_groups *b, const covey_query_hit *hit, int64_t *weight,
                      int64_t *value, double unit)
{
    const uint32_t n = list_values(value, &s->n_numbers, b, hit->group);
    double mean = 0, variance = 0;
    covey_weighted_moments of;

    covey_i_weighted_rows_sort(&of, weight, (size_t)hit->n);
    for (uint32_t i = 0; i < n; i++)
        mean += (double)value[i] / unit / n;
    for (uint32_t i = 0; i < n; i++)
        variance += pow((double)value[i] / unit - mean, 2) / n;
    covey_i_weighted_rows_sort_values(value, n, true);
    s->lower += covey_i_weighted_rows_pair(weight, value, (size_t)hit->n);
    covey_i_weighted_rows_sort_values(value, n, false);
    s->upper += covey_i_weighted_rows_pair(weight, value, (size_t)hit->n);
    s->weights += of.sum;
    s->estimate += mean * (double)of.sum;
    if (n > 1)
        s->variance += variance * (n * of.squares - (double)of.sum * (double)of.sum) / (n - 1);
}

static covey_status exchange(covey_query_exchange *x, struct sums *s, covey_error *err)
{
    COVEY_TRY(covey_i_exchange_wide(x, &s->lower, err));
    COVEY_TRY(covey_i_exchange_wide(x, &s->upper, err));
    COVEY_TRY(covey_i_exchange_wide(x, &s->weights, err));
    COVEY_TRY(covey_i_exchange_wide(x, &s->n_numbers, err));
    COVEY_TRY(covey_i_exchange_double(x, &s->estimate, err));
    return covey_i_exchange_double(x, &s->variance, err);
}

covey_status covey_i_group_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                    const covey_query_groups *b, const covey_query_hits *hits,
                                    const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                    covey_error *err)
{
    const bool is_mean = aggregate->function == COVEY_SQL_AVG;
    const double unit = covey_i_query_unit(aggregate->scale);
    covey_weighted_rows found;
    struct sums s = {0};
    int64_t *value;
    size_t most = 0, at = 0;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    COVEY_TRY(covey_i_weighted_rows_find(&found, aggregate, scan, rows, arena, err));
    for (uint32_t i = 0; i < hits->n; i++) {
        const uint32_t g = hits->hit[i].group;

        most = b->row_start[g + 1] - b->row_start[g] > most ? b->row_start[g + 1] - b->row_start[g] : most;
    }
    if (!(value = covey_arena_array(arena, int64_t, most)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < hits->n && b->slot; at += (size_t)hits->hit[i++].n) /* both go by group */
        add_group(&s, b, &hits->hit[i], found.weight + at, value, unit);
    if (scan->exchange)
        COVEY_TRY(exchange(scan->exchange, &s, err));
    if (s.n_numbers == 0) /* a sum of nothing */
        return COVEY_OK;
    out->lower = (covey_query_exact){true, s.lower, is_mean ? (int64_t)s.weights : 1};
    out->upper = (covey_query_exact){true, s.upper, is_mean ? (int64_t)s.weights : 1};
    out->estimate = s.estimate / (is_mean ? (double)s.weights : 1);
    out->standard_error = sqrt(fmax(s.variance, 0)) / (is_mean ? (double)s.weights : 1);
    return COVEY_OK;
}
