/* Numbers in pools, of each of which between so many and so many are selected, whichever: what SUM, AVG, MIN and MAX of
 * them can be, and are expected to be. */
#ifndef COVEY_QUERY_VALUE_POOLS_H
#define COVEY_QUERY_VALUE_POOLS_H

#include "query/query_impl.h"

typedef struct covey_value_pool {
    uint32_t begin, end;    /* in covey_value_pools.number; not empty */
    int64_t n;              /* lines, also without a number */
    int64_t lower, upper;   /* so many of those with a number are selected; upper > 0 */
    double expected, pairs; /* E[K], E[K (K - 1)] of all lines */
    double rest;            /* how likely the other columns' pieces pass; sliced releases with shares */
} covey_value_pool;

typedef struct covey_value_pools {
    uint32_t n;
    covey_value_pool *pool;
    int64_t *number;        /* ascending in each pool */
    covey_i128 *below;      /* [n + 1] sums of the numbers before */
    double *share;          /* [numbers] how likely the line passes in its own column; NULL: all do */
    covey_sure_values sure; /* numbers that are selected beside those of pools; least and greatest: slots */
    const covey_query_numbers *numbers;
    double unit;
} covey_value_pools;

/* How many numbers are selected at least. */
int64_t covey_i_pools_sure(const covey_value_pools *pools);

/* Bounds of SUM, AVG, MIN or MAX; some number must be selected, or in a pool. */
void covey_i_pools_bound(covey_query_figures *out, covey_sql_function function, const covey_value_pools *pools);

/* Expected SUM, or AVG, of pools without shares. */
void covey_i_pools_estimate(covey_query_figures *out, const covey_value_pools *pools, bool is_average, bool has_error);

#endif
