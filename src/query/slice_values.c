/* Sums and extremes of a column of a sliced release over selected rows.  See query_slices.h.
 *
 * In each cell some lines are selected for sure, and of others between so many and so many, whichever.  SUM takes the least (greatest) of those that
 * must be, and more of them while they help; AVG is a quotient, minimized by Dinkelbach's method: from a guess take all that lies below it, until
 * nothing changes.
 *
 * Estimates: K of a cell's m lines are selected, all sets of K alike.  With mean a and sum of squared deviations d of the m values
 * E[SUM] = a E[K], Var[SUM] = a^2 Var[K] + d (E[K]/m - E[K (K - 1)]/(m (m - 1))).  AVG is the quotient of expectations, with the error of
 * its linearization.  Where generalized cells make lines of a cell pass with different probabilities, each counts with its own, without an error. */
#include <math.h>

#include "base/sort.h"
#include "query/query_slices.h"

/* The lines of a cell of which not all are selected for sure; those with a number stand in ascending order. */
struct pool {
    uint32_t begin, end;      /* in chosen.number */
    int64_t n;                /* lines, also without a number */
    int64_t lower, upper;     /* so many of those with a number are selected */
    double expected, pairs;   /* of all lines */
    double rest;              /* how likely the other columns' pieces pass */
};

struct chosen {
    uint32_t n_pools; struct pool *pool;
    int64_t *number;          /* ascending in each pool */
    covey_i128 *below;        /* [n + 1] sums of the numbers before */
    double *share;            /* [numbers] how likely the line passes in its own column; NULL: all do */
    covey_sure_values sure;   /* least and greatest: slots */
    const covey_query_numbers *numbers;
    double unit;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for the values of a query");
}

/* --- the lines --- */

/* Lines that are in question, with numbers, by cell and number; the others are sure or out. */
static covey_status sort_lines(uint32_t **out, uint32_t *n_out, struct chosen *c, const covey_query_slices *s, const uint8_t *passes,
                               covey_slice_fall fall, uint32_t root, const uint32_t *slot_of_line, covey_arena *arena, covey_error *err)
{
    uint32_t n = 0, *line = covey_arena_array(arena, uint32_t, s->n_rows), *scratch = covey_arena_array(arena, uint32_t, s->n_rows);

    if (!line || !scratch)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        if (slot_of_line[i] == UINT32_MAX)
            continue;
        if (!passes || passes[i])
            line[n++] = i;
        else if (fall == COVEY_FALLS_ANY)
            covey_i_sure_add(&c->sure, c->numbers, slot_of_line[i]);
    }
    covey_i_sort_rows_u32(line, scratch, n, slot_of_line);
    covey_i_sort_rows_u32(line, scratch, n, s->slice[root].cell_of_line);
    *out = line;
    *n_out = n;
    return COVEY_OK;
}

/* Of all n lines in question between lower and upper are selected; of those with a number then at least lower less the others. */
static void settle_pool(struct pool *pool, const covey_slice_cell *cell, covey_slice_fall fall)
{
    const int64_t n = cell->n, n_numbers = pool->end - pool->begin, others = n - n_numbers;
    int64_t lower = cell->lower, upper = cell->upper;

    *pool = (struct pool){pool->begin, pool->end, n, 0, 0, cell->expected, cell->pairs, cell->rest};
    if (fall == COVEY_FALLS_ANY) { /* those that fail everywhere are not selected */
        lower = n - cell->upper;
        upper = n - cell->lower;
        pool->expected = (double)n - cell->expected;
        pool->pairs = (double)n * (double)(n - 1) - 2 * (double)(n - 1) * cell->expected + cell->pairs;
    }
    pool->lower = lower > others ? lower - others : 0;
    pool->upper = upper < n_numbers ? upper : n_numbers;
}

static covey_status make_pools(struct chosen *c, const covey_query_slices *s, const covey_slice_lines *lines, covey_slice_fall fall, uint32_t root,
                               uint32_t column, const covey_slice_cell *cell, covey_arena *arena, covey_error *err)
{
    const covey_slice_node *node = &s->slice[root];
    uint32_t *slot = covey_arena_array(arena, uint32_t, s->n_rows), *line = NULL, n = 0, place = 0;

    if (!slot)
        return no_memory(err);
    while (node->opened->attribute[place] != column)
        place++;
    for (uint32_t i = 0; i < s->n_rows; i++)
        slot[i] = c->numbers->slot_of_cell[covey_i_slice_code(node->opened, place, i)];
    COVEY_TRY(sort_lines(&line, &n, c, s, lines->passes[root], fall, root, slot, arena, err));
    c->number = covey_arena_array(arena, int64_t, n);
    c->below = covey_arena_array(arena, covey_i128, (size_t)n + 1);
    c->pool = covey_arena_array(arena, struct pool, n);
    c->share = lines->share[root] ? covey_arena_array(arena, double, n) : NULL;
    if (!c->number || !c->below || !c->pool || (lines->share[root] && !c->share))
        return no_memory(err);
    for (uint32_t i = 0; i < n && c->share; i++)
        c->share[i] = lines->share[root][line[i]];
    c->below[0] = 0;
    for (uint32_t i = 0, j; i < n; i = j) {
        struct pool *pool = &c->pool[c->n_pools++];

        for (j = i; j < n && node->cell_of_line[line[j]] == node->cell_of_line[line[i]]; j++) {
            c->number[j] = c->numbers->number[slot[line[j]]];
            c->below[j + 1] = c->below[j] + c->number[j];
        }
        pool->begin = i;
        pool->end = j;
        settle_pool(pool, &cell[node->cell_of_line[line[i]]], fall);
        if (pool->upper == 0)
            c->n_pools--;
    }
    return COVEY_OK;
}

/* --- bounds --- */

/* How many numbers of a pool lie below num / den (above it, from the other end); den > 0. */
static int64_t count_beyond(const struct chosen *c, const struct pool *pool, covey_i128 num, int64_t den, bool is_least)
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
static covey_i128 sum_of(const struct chosen *c, const struct pool *pool, int64_t n, bool is_least)
{
    return is_least ? c->below[pool->begin + n] - c->below[pool->begin] : c->below[pool->end] - c->below[pool->end - n];
}

/* Takes from each pool what must be, and of what may be all beyond num / den. */
static void take(covey_i128 *sum, int64_t *n, const struct chosen *c, covey_i128 num, int64_t den, bool is_least)
{
    *sum = c->sure.sum;
    *n = c->sure.n;
    for (uint32_t i = 0; i < c->n_pools; i++) {
        const struct pool *pool = &c->pool[i];
        int64_t taken = count_beyond(c, pool, num, den, is_least);

        taken = taken < pool->lower ? pool->lower : taken > pool->upper ? pool->upper : taken;
        *sum += sum_of(c, pool, taken, is_least);
        *n += taken;
    }
}

/* The least (greatest) of all that may be selected. */
static int64_t outermost(const struct chosen *c, bool is_least)
{
    bool any = c->sure.n > 0;
    int64_t best = any ? c->numbers->number[is_least ? c->sure.least : c->sure.greatest] : 0;

    for (uint32_t i = 0; i < c->n_pools; i++) {
        int64_t number = c->number[is_least ? c->pool[i].begin : c->pool[i].end - 1];

        best = !any || (is_least ? number < best : number > best) ? number : best;
        any = true;
    }
    return best;
}

/* How far in the least (greatest) selected number can lie. */
static int64_t innermost(const struct chosen *c, bool is_least)
{
    bool any = c->sure.n > 0;
    int64_t best = any ? c->numbers->number[is_least ? c->sure.least : c->sure.greatest] : 0;

    for (uint32_t i = 0; i < c->n_pools; i++) {
        const struct pool *pool = &c->pool[i];
        int64_t number;

        if (pool->lower == 0)
            continue;
        number = c->number[is_least ? pool->end - pool->lower : pool->begin + pool->lower - 1];
        best = !any || (is_least ? number < best : number > best) ? number : best;
        any = true;
    }
    return any ? best : outermost(c, !is_least); /* nothing is sure: a single one, the furthest in */
}

static covey_query_exact extreme_average(const struct chosen *c, bool is_least)
{
    covey_i128 num = 0, sum;
    int64_t den = c->sure.n, n;

    for (uint32_t i = 0; i < c->n_pools; i++)
        den += c->pool[i].lower;
    if (den == 0)
        return (covey_query_exact){true, outermost(c, is_least), 1};
    num = c->sure.sum;
    for (uint32_t i = 0; i < c->n_pools; i++)
        num += sum_of(c, &c->pool[i], c->pool[i].lower, is_least);
    for (;;) {
        take(&sum, &n, c, num, den, is_least);
        if (is_least ? sum * den >= num * n : sum * den <= num * n)
            return (covey_query_exact){true, num, den};
        num = sum;
        den = n;
    }
}

static covey_query_exact extreme_sum(const struct chosen *c, bool is_least)
{
    covey_i128 sum;
    int64_t n;

    take(&sum, &n, c, 0, 1, is_least);
    return (covey_query_exact){true, sum, 1};
}

/* --- estimates --- */

/* Moments of a sum over a pool's selected lines of x - shift for those with a number x, 0 for the others. */
static void add_moments(double *mean, double *variance, const struct chosen *c, const struct pool *pool, double shift)
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

/* Where lines pass with different probabilities: any fails where a line passes, and the rest as well. */
static void estimate_shares(covey_query_figures *out, const struct chosen *c, covey_slice_fall fall, bool is_average)
{
    double n = (double)c->sure.n, mean = (double)c->sure.sum / c->unit;

    for (uint32_t i = 0; i < c->n_pools; i++)
        for (uint32_t j = c->pool[i].begin; j < c->pool[i].end; j++) {
            const double all = c->share[j] * c->pool[i].rest, p = fall == COVEY_FALLS_ANY ? 1 - all : all;

            n += p;
            mean += p * (double)c->number[j] / c->unit;
        }
    out->estimate = is_average ? n > 0 ? mean / n : NAN : mean;
}

static void estimate(covey_query_figures *out, const struct chosen *c, bool is_average, bool has_error)
{
    double n = (double)c->sure.n, mean = (double)c->sure.sum / c->unit, variance = 0, unused = 0;

    for (uint32_t i = 0; i < c->n_pools; i++) {
        add_moments(&mean, &variance, c, &c->pool[i], 0);
        n += c->pool[i].expected * (c->pool[i].end - c->pool[i].begin) / (double)c->pool[i].n;
    }
    out->estimate = mean;
    if (is_average) {
        if (!(n > 0))
            return;
        out->estimate = mean / n;
        variance = 0;
        for (uint32_t i = 0; i < c->n_pools; i++)
            add_moments(&unused, &variance, c, &c->pool[i], mean / n);
        variance /= n * n;
    }
    if (has_error)
        out->standard_error = sqrt(fmax(variance, 0));
}

covey_status covey_i_slice_values(covey_query_figures *out, const covey_bound_aggregate *aggregate, const covey_query_slices *s,
                                  const covey_slice_lines *lines, covey_slice_fall fall, uint32_t root, const covey_slice_cell *cell,
                                  int64_t n_suppressed, covey_arena *arena, covey_error *err)
{
    struct chosen c = {.numbers = &s->numbers[aggregate->column], .unit = covey_i_query_unit(aggregate->scale)};
    int64_t n_sure;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    COVEY_TRY(make_pools(&c, s, lines, fall, root, aggregate->column, cell, arena, err));
    n_sure = c.sure.n;
    for (uint32_t i = 0; i < c.n_pools; i++)
        n_sure += c.pool[i].lower;
    if (c.sure.n > 0 || c.n_pools > 0) {
        switch (aggregate->function) {
        case COVEY_SQL_SUM:
            out->lower = extreme_sum(&c, true);
            out->upper = extreme_sum(&c, false);
            c.share ? estimate_shares(out, &c, fall, false) : estimate(out, &c, false, s->is_common);
            break;
        case COVEY_SQL_AVG:
            out->lower = extreme_average(&c, true);
            out->upper = extreme_average(&c, false);
            c.share ? estimate_shares(out, &c, fall, true) : estimate(out, &c, true, s->is_common);
            break;
        default:
            out->lower = (covey_query_exact){true, aggregate->function == COVEY_SQL_MIN ? outermost(&c, true) : innermost(&c, false), 1};
            out->upper = (covey_query_exact){true, aggregate->function == COVEY_SQL_MIN ? innermost(&c, true) : outermost(&c, false), 1};
            break;
        }
    }
    covey_i_open_bounds(out, aggregate->function, n_sure, n_suppressed);
    return COVEY_OK;
}
