/* Sums and extremes of the sensitive values of hit rows, which are any values of their groups.
 *
 * With g_1 <= ... <= g_n the values of a group and c of its rows hit: SUM lies between the c least and the c greatest,
 * added over groups; AVG is that by COUNT, which is exact; MIN lies between min g_1 and min g_(n-c+1), MAX between max
 * g_c and max g_n.  All are attained together, because groups are permuted independently.  Under the uniform
 * permutation E[SUM] = sum of c mean, Var[SUM] = sum of c (n - c) / (n - 1) variance, and P(MIN >= x) is the product
 * over groups of C(#{values >= x}, c) / C(n, c), which falls from value to value by running quotients. */
#include "query/bucketized/groups.h"

#include <math.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/value_pools.h"

/* The entry that holds the place-th value of a group, counted from 0. */
static uint32_t entry_at(const covey_query_groups *b, uint32_t group, int64_t place)
{
    uint32_t low = b->entry_start[group], high = b->entry_start[group + 1];

    if (high - low == b->row_start[group + 1] - b->row_start[group]) /* all different */
        return low + (uint32_t)(place < 0 ? 0 : place);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (b->rows_below[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Sum of the n least values of a group. */
static covey_i128 sum_of_least(const covey_query_groups *b, uint32_t group, int64_t n)
{
    uint32_t entry = entry_at(b, group, n - 1);

    return n == 0 ? 0 : b->sum_below[entry] + (covey_i128)b->number[entry] * (n - b->rows_below[entry]);
}

static int64_t size_of(const covey_query_groups *b, uint32_t group)
{
    return (int64_t)b->row_start[group + 1] - b->row_start[group];
}

static void bound_sum(covey_query_figures *out, const covey_query_groups *b, const covey_query_hits *hits, int scale)
{
    double unit = covey_i_query_unit(scale), expected = 0, variance = 0;
    covey_i128 lower = 0, upper = 0;

    for (uint32_t i = 0; i < hits->n; i++) {
        uint32_t group = hits->hit[i].group;
        int64_t c = hits->hit[i].n, n = size_of(b, group);

        lower += sum_of_least(b, group, c);
        upper += b->total[group] - (c < n ? sum_of_least(b, group, n - c) : 0);
        expected += (double)c * (b->mean[group] / unit);
        if (c < n)
            variance += (double)c * (double)(n - c) / (double)(n - 1) * (b->variance[group] / unit / unit);
    }
    *out = (covey_query_figures){{true, lower, 1}, {true, upper, 1}, expected, sqrt(variance), {0}};
}

static void bound_extreme(covey_query_figures *out, const covey_query_groups *b, const covey_query_hits *hits,
                          bool is_min)
{
    int64_t outer = 0, inner = 0;

    for (uint32_t i = 0; i < hits->n; i++) {
        uint32_t group = hits->hit[i].group;
        int64_t c = hits->hit[i].n, n = size_of(b, group);
        int64_t far = b->number[entry_at(b, group, is_min ? 0 : n - 1)],
                near = b->number[entry_at(b, group, is_min ? n - c : c - 1)];

        outer = i == 0 || (is_min ? far < outer : far > outer) ? far : outer;
        inner = i == 0 || (is_min ? near < inner : near > inner) ? near : inner;
    }
    out->lower = (covey_query_exact){true, is_min ? outer : inner, 1};
    out->upper = (covey_query_exact){true, is_min ? inner : outer, 1};
}

/* --- the expected extreme --- */

/* Hit groups that still have values; entry by entry they are found by their group, directly where many are hit. */
struct falling {
    const covey_query_groups *b;
    const covey_query_hits *hits;
    uint32_t n, *entry; /* entries to look at, in ascending order of their values */
    uint32_t *
        hit_of; /* [n_groups] UINT32_MAX: not hit; NULL: all entries are of hit groups, few enough to be searched for */
    int64_t *left; /* [hits->n] values that have not been taken away */
};

static uint32_t find_hit(const struct falling *f, uint32_t group)
{
    uint32_t low = 0, high = f->hits->n;

    if (f->hit_of)
        return f->hit_of[group];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (f->hits->hit[middle].group <= group)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Few entries are sorted, of many all are walked over. */
static covey_status pick_entries(struct falling *f, covey_arena *arena, covey_error *err)
{
    const covey_query_groups *b = f->b;
    uint32_t n_entries = b->entry_start[b->n_groups], *scratch;

    for (uint32_t i = 0; i < f->hits->n; i++)
        f->n += b->entry_start[f->hits->hit[i].group + 1] - b->entry_start[f->hits->hit[i].group];
    if (f->n > n_entries / 8) {
        f->n = n_entries;
        f->entry = b->by_value;
        if (!(f->hit_of = covey_arena_array(arena, uint32_t, b->n_groups)))
            return covey_i_no_memory(err);
        for (uint32_t g = 0; g < b->n_groups; g++)
            f->hit_of[g] = UINT32_MAX;
        for (uint32_t i = 0; i < f->hits->n; i++)
            f->hit_of[f->hits->hit[i].group] = i;
        return COVEY_OK;
    }
    f->entry = covey_arena_array(arena, uint32_t, f->n);
    scratch = covey_arena_array(arena, uint32_t, f->n);
    if (!f->entry || !scratch)
        return covey_i_no_memory(err);
    f->n = 0;
    for (uint32_t i = 0; i < f->hits->n; i++)
        for (uint32_t e = b->entry_start[f->hits->hit[i].group]; e < b->entry_start[f->hits->hit[i].group + 1]; e++)
            f->entry[f->n++] = e;
    covey_i_sort_rows_u32(f->entry, scratch, f->n, b->slot);
    return COVEY_OK;
}

/* Takes away value by value from the near end: p is the probability that no hit row has had one, and the next value
 * counts with it. */
static covey_status expect_extreme(double *out, const covey_query_groups *b, const covey_query_hits *hits, bool is_min,
                                   int scale, covey_arena *arena, covey_error *err)
{
    const int64_t *number = b->numbers[b->sensitive].number;
    struct falling f = {.b = b, .hits = hits, .left = covey_arena_array(arena, int64_t, hits->n)};
    long double p = 1, unit = covey_i_query_unit(scale), expected = 0;
    uint32_t before = UINT32_MAX;

    if (!f.left)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < hits->n; i++)
        f.left[i] = size_of(b, hits->hit[i].group);
    COVEY_TRY(pick_entries(&f, arena, err));
    for (uint32_t i = 0; i < f.n && p > 0; i++) {
        uint32_t e = f.entry[is_min ? i : f.n - 1 - i], slot = b->slot[e], hit = find_hit(&f, b->group_of[e]);

        if (hit == UINT32_MAX)
            continue;
        if (before == UINT32_MAX)
            expected = number[slot];
        else if (slot != before)
            expected += p * ((long double)number[slot] - number[before]);
        before = slot;
        for (int64_t copies = b->count[e]; copies > 0 && p > 0; copies--, f.left[hit]--)
            p *= (long double)(f.left[hit] - hits->hit[hit].n) / (long double)f.left[hit];
    }
    *out = (double)(expected / unit);
    return COVEY_OK;
}

/* --- where values are missing --- */

/* c rows of a group with m numbers and z missing values have at least c - z numbers. */
static covey_status make_pools(covey_value_pools *pools, const covey_query_groups *b, const covey_query_hits *hits,
                               covey_arena *arena, covey_error *err)
{
    size_t n = 0;

    for (uint32_t i = 0; i < hits->n; i++)
        n += (size_t)size_of(b, hits->hit[i].group);
    pools->pool = covey_arena_array(arena, covey_value_pool, hits->n);
    pools->number = covey_arena_array(arena, int64_t, n);
    pools->below = covey_arena_array(arena, covey_i128, n + 1);
    if (!pools->pool || !pools->number || !pools->below)
        return covey_i_no_memory(err);
    pools->below[0] = 0;
    for (uint32_t i = 0, end = 0; i < hits->n; i++) {
        const uint32_t group = hits->hit[i].group;
        const int64_t c = hits->hit[i].n, size = size_of(b, group);
        covey_value_pool pool = {.begin = end, .n = size, .expected = (double)c, .pairs = (double)c * (double)(c - 1)};
        int64_t n_numbers, n_missing;

        for (uint32_t e = b->entry_start[group]; e < b->entry_start[group + 1] && b->slot[e] != UINT32_MAX; e++)
            for (int64_t copy = 0; copy < b->count[e]; copy++, end++) {
                pools->number[end] = b->number[e];
                pools->below[end + 1] = pools->below[end] + b->number[e];
            }
        n_numbers = end - pool.begin;
        n_missing = size - n_numbers;
        pool.end = end;
        pool.lower = c > n_missing ? c - n_missing : 0;
        pool.upper = c < n_numbers ? c : n_numbers;
        if (pool.upper > 0)
            pools->pool[pools->n++] = pool;
    }
    return COVEY_OK;
}

static covey_status figures_of_pools(covey_query_figures *out, int64_t *n_sure, covey_sql_function function,
                                     const covey_query_groups *b, const covey_query_hits *hits, int scale,
                                     covey_arena *arena, covey_error *err)
{
    covey_value_pools pools = {.numbers = &b->numbers[b->sensitive], .unit = covey_i_query_unit(scale)};

    COVEY_TRY(make_pools(&pools, b, hits, arena, err));
    *n_sure = covey_i_pools_sure(&pools);
    if (pools.n == 0)
        return COVEY_OK;
    covey_i_pools_bound(out, function, &pools);
    if (function == COVEY_SQL_SUM || function == COVEY_SQL_AVG)
        covey_i_pools_estimate(out, &pools, function == COVEY_SQL_AVG, true);
    return COVEY_OK;
}

/* --- one aggregate --- */

covey_status covey_i_group_figures(covey_query_figures *out, int64_t *n_sure, covey_sql_function function,
                                   const covey_query_groups *b, const covey_query_hits *hits, int scale,
                                   covey_arena *arena, covey_error *err)
{
    bool is_min = function == COVEY_SQL_MIN;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    *n_sure = hits->total;
    if (hits->total == 0 || !b->slot) /* nothing, or nothing but missing values */
        return COVEY_OK;
    if (b->has_missing)
        return figures_of_pools(out, n_sure, function, b, hits, scale, arena, err);
    if (function == COVEY_SQL_MIN || function == COVEY_SQL_MAX) {
        bound_extreme(out, b, hits, is_min);
        return expect_extreme(&out->estimate, b, hits, is_min, scale, arena, err);
    }
    bound_sum(out, b, hits, scale);
    if (function == COVEY_SQL_AVG) {
        out->lower.den = out->upper.den = hits->total;
        out->estimate /= (double)hits->total;
        out->standard_error /= (double)hits->total;
    }
    return COVEY_OK;
}
