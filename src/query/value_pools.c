/* The least and the greatest SUM, AVG, MIN and MAX over pools of numbers.
 *
 * SUM takes the least (greatest) of those that must be, and more of them while they help; AVG is a quotient, minimized
 * by Dinkelbach's method: from a guess take all that lies below it, until nothing changes.
 *
 * Estimates: K of a pool's m lines are selected, all sets of K alike.  With mean a and sum of squared deviations d of
 * the m values E[SUM] = a E[K], Var[SUM] = a^2 Var[K] + d (E[K]/m - E[K (K - 1)]/(m (m - 1))).  AVG is the quotient of
 * expectations, with the error of its linearization. */
#include "query/value_pools.h"

#include <math.h>

/* --- bounds --- */

/* How many numbers of a pool lie below num / den (above it, from the other end); den > 0. */
static int64_t count_beyond(const covey_value_pools *c, const covey_value_pool *pool, covey_i128 num, int64_t den,
                            bool is_least)
{
    uint32_t low = pool->begin, high = pool->end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        covey_i128 number = (covey_i128)c->number[middle] * den;

        if (is_least ? number < num : number <= num)
            low = middle + 1;
        else
            high = middle;
    }
    return is_least ? low - pool->begin : pool->end - low;
}

/* The n least or greatest of a pool. */
static covey_i128 sum_of(const covey_value_pools *c, const covey_value_pool *pool, int64_t n, bool is_least)
{
    return is_least ? c->below[pool->begin + n] - c->below[pool->begin] : c->below[pool->end] - c->below[pool->end - n];
}

/* Takes from each pool what must be, and of what may be all beyond num / den. */
static void take(covey_i128 *sum, int64_t *n, const covey_value_pools *c, covey_i128 num, int64_t den, bool is_least)
{
    *sum = c->sure.sum;
    *n = c->sure.n;
    for (uint32_t i = 0; i < c->n; i++) {
        const covey_value_pool *pool = &c->pool[i];
        int64_t taken = count_beyond(c, pool, num, den, is_least);

        taken = taken < pool->lower ? pool->lower : taken > pool->upper ? pool->upper : taken;
        *sum += sum_of(c, pool, taken, is_least);
        *n += taken;
    }
}

/* The least (greatest) of all that may be selected. */
static int64_t outermost(const covey_value_pools *c, bool is_least)
{
    bool any = c->sure.n > 0;
    int64_t best = any ? c->numbers->number[is_least ? c->sure.least : c->sure.greatest] : 0;

    for (uint32_t i = 0; i < c->n; i++) {
        int64_t number = c->number[is_least ? c->pool[i].begin : c->pool[i].end - 1];

        best = !any || (is_least ? number < best : number > best) ? number : best;
        any = true;
    }
    return best;
}

/* How far in the least (greatest) selected number can lie. */
static int64_t innermost(const covey_value_pools *c, bool is_least)
{
    bool any = c->sure.n > 0;
    int64_t best = any ? c->numbers->number[is_least ? c->sure.least : c->sure.greatest] : 0;

    for (uint32_t i = 0; i < c->n; i++) {
        const covey_value_pool *pool = &c->pool[i];
        int64_t number;

        if (pool->lower == 0)
            continue;
        number = c->number[is_least ? pool->end - pool->lower : pool->begin + pool->lower - 1];
        best = !any || (is_least ? number < best : number > best) ? number : best;
        any = true;
    }
    return any ? best : outermost(c, !is_least); /* nothing is sure: a single one, the furthest in */
}

static covey_query_exact extreme_average(const covey_value_pools *c, bool is_least)
{
    covey_i128 num = 0, sum;
    int64_t den = c->sure.n, n;

    for (uint32_t i = 0; i < c->n; i++)
        den += c->pool[i].lower;
    if (den == 0)
        return (covey_query_exact){true, outermost(c, is_least), 1};
    num = c->sure.sum;
    for (uint32_t i = 0; i < c->n; i++)
        num += sum_of(c, &c->pool[i], c->pool[i].lower, is_least);
    for (;;) {
        take(&sum, &n, c, num, den, is_least);
        if (is_least ? sum * den >= num * n : sum * den <= num * n)
            return (covey_query_exact){true, num, den};
        num = sum;
        den = n;
    }
}

static covey_query_exact extreme_sum(const covey_value_pools *c, bool is_least)
{
    covey_i128 sum;
    int64_t n;

    take(&sum, &n, c, 0, 1, is_least);
    return (covey_query_exact){true, sum, 1};
}

int64_t covey_i_pools_sure(const covey_value_pools *c)
{
    int64_t n = c->sure.n;

    for (uint32_t i = 0; i < c->n; i++)
        n += c->pool[i].lower;
    return n;
}

void covey_i_pools_bound(covey_query_figures *out, covey_sql_function function, const covey_value_pools *c)
{
    switch (function) {
    case COVEY_SQL_SUM:
        out->lower = extreme_sum(c, true);
        out->upper = extreme_sum(c, false);
        break;
    case COVEY_SQL_AVG:
        out->lower = extreme_average(c, true);
        out->upper = extreme_average(c, false);
        break;
    default:
        out->lower = (covey_query_exact){true, function == COVEY_SQL_MIN ? outermost(c, true) : innermost(c, false), 1};
        out->upper = (covey_query_exact){true, function == COVEY_SQL_MIN ? innermost(c, true) : outermost(c, false), 1};
        break;
    }
}

/* --- estimates --- */

/* Moments of a sum over a pool's selected lines of x - shift for those with a number x, 0 for the others. */
static void add_moments(double *mean, double *variance, const covey_value_pools *c, const covey_value_pool *pool,
                        double shift)
{
    const double n = (double)pool->n;
    double sum = 0, deviation = 0, average;

    for (uint32_t i = pool->begin; i < pool->end; i++)
        sum += (double)c->number[i] / c->unit - shift;
    average = sum / n;
    for (uint32_t i = pool->begin; i < pool->end; i++)
        deviation += pow((double)c->number[i] / c->unit - shift - average, 2);
    deviation += (n - (pool->end - pool->begin)) * average * average;
    *mean += average * pool->expected;
    *variance += average * average * (pool->pairs + pool->expected - pool->expected * pool->expected);
    *variance += n > 1 ? deviation * (pool->expected / n - pool->pairs / (n * (n - 1))) : 0;
}

void covey_i_pools_estimate(covey_query_figures *out, const covey_value_pools *c, bool is_average, bool has_error)
{
    double n = (double)c->sure.n, mean = (double)c->sure.sum / c->unit, variance = 0, unused = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        add_moments(&mean, &variance, c, &c->pool[i], 0);
        n += c->pool[i].expected * (c->pool[i].end - c->pool[i].begin) / (double)c->pool[i].n;
    }
    out->estimate = mean;
    if (is_average) {
        if (!(n > 0))
            return;
        out->estimate = mean / n;
        variance = 0;
        for (uint32_t i = 0; i < c->n; i++)
            add_moments(&unused, &variance, c, &c->pool[i], mean / n);
        variance /= n * n;
    }
    if (has_error)
        out->standard_error = sqrt(fmax(variance, 0));
}
