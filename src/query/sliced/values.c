/* Sums and extremes of a column of a sliced release over selected rows.
 *
 * In each cell some lines are selected for sure, and of others, a pool, between so many and so many, whichever.  Where
 * generalized cells make lines of a cell pass with different probabilities, each counts with its own in estimates,
 * without an error. */
#include <math.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/sliced/slices.h"
#include "query/value_pools.h"

/* --- the lines --- */

static uint32_t place_of(const covey_slice_node *node, uint32_t column)
{
    uint32_t place = 0;

    while (node->opened->attribute[place] != column)
        place++;
    return place;
}

/* [n_rows] the number of each line, by its place among the column's. */
static void find_slots(uint32_t *slot, const covey_query_slices *s, const covey_slice_node *node, uint32_t column)
{
    const uint32_t place = place_of(node, column);

    for (uint32_t i = 0; i < s->n_rows; i++)
        slot[i] = s->numbers[column].slot_of_cell[covey_i_slice_code(node->opened, place, i)];
}

/* A line's number becomes its product with the weight beside it: numbers of a column that is not published. */
static covey_status weigh(covey_query_numbers *out, uint32_t *slot, const covey_query_slices *s,
                          const covey_slice_node *node, const covey_bound_aggregate *aggregate, covey_arena *arena,
                          covey_error *err)
{
    const int64_t *number = s->numbers[aggregate->column].number;
    const uint32_t place = place_of(node, aggregate->weight_column);
    uint32_t *line = covey_arena_array(arena, uint32_t, s->n_rows),
             *scratch = covey_arena_array(arena, uint32_t, s->n_rows), n = 0;
    uint64_t *key = covey_arena_array(arena, uint64_t, s->n_rows);

    *out = (covey_query_numbers){.number = covey_arena_array(arena, int64_t, s->n_rows)};
    if (!line || !scratch || !key || !out->number)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (slot[i] != UINT32_MAX) {
            const int64_t product = number[slot[i]] * aggregate->weight[covey_i_slice_code(node->opened, place, i)];

            key[i] = (uint64_t)product ^ UINT64_C(1) << 63; /* negative ones first */
            line[n++] = i;
        }
    covey_i_sort_rows_u64(line, scratch, n, key);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || key[line[i]] != key[line[i - 1]])
            out->number[out->n++] = (int64_t)(key[line[i]] ^ UINT64_C(1) << 63);
        slot[line[i]] = out->n - 1;
    }
    return COVEY_OK;
}

/* Lines that are in question, with numbers, by cell and number; the others are sure or out.  A group of GROUP BY has
 * few of them. */
static covey_status sort_lines(uint32_t **out, uint32_t *n_out, covey_value_pools *c, const covey_query_slices *s,
                               const uint8_t *passes, covey_slice_fall fall, uint32_t root,
                               const uint32_t *slot_of_line, const covey_slice_cell *cell, covey_arena *arena,
                               covey_error *err)
{
    uint32_t n = 0, *line = covey_arena_array(arena, uint32_t, s->n_rows),
             *scratch = covey_arena_array(arena, uint32_t, s->n_rows);

    if (!line || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        if (slot_of_line[i] == UINT32_MAX)
            continue;
        if (fall == COVEY_FALLS_ALL && cell[s->slice[root].cell_of_line[i]].upper == 0)
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

/* Of all n lines in question between lower and upper are selected; of those with a number then at least lower less the
 * others. */
static void settle_pool(covey_value_pool *pool, const covey_slice_cell *cell, covey_slice_fall fall)
{
    const int64_t n = cell->n, n_numbers = pool->end - pool->begin, others = n - n_numbers;
    int64_t lower = cell->lower, upper = cell->upper;

    *pool = (covey_value_pool){pool->begin, pool->end, n, 0, 0, cell->expected, cell->pairs, cell->rest};
    if (fall == COVEY_FALLS_ANY) { /* those that fail everywhere are not selected */
        lower = n - cell->upper;
        upper = n - cell->lower;
        pool->expected = (double)n - cell->expected;
        pool->pairs = (double)n * (double)(n - 1) - 2 * (double)(n - 1) * cell->expected + cell->pairs;
    }
    pool->lower = lower > others ? lower - others : 0;
    pool->upper = upper < n_numbers ? upper : n_numbers;
}

static covey_status make_pools(covey_value_pools *c, const covey_query_slices *s, const covey_slice_lines *lines,
                               covey_slice_fall fall, uint32_t root, const uint32_t *slot, const covey_slice_cell *cell,
                               covey_arena *arena, covey_error *err)
{
    const covey_slice_node *node = &s->slice[root];
    uint32_t *line = NULL, n = 0;

    COVEY_TRY(sort_lines(&line, &n, c, s, lines->passes[root], fall, root, slot, cell, arena, err));
    c->number = covey_arena_array(arena, int64_t, n);
    c->below = covey_arena_array(arena, covey_i128, (size_t)n + 1);
    c->pool = covey_arena_array(arena, covey_value_pool, n);
    c->share = lines->share[root] ? covey_arena_array(arena, double, n) : NULL;
    if (!c->number || !c->below || !c->pool || (lines->share[root] && !c->share))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n && c->share; i++)
        c->share[i] = lines->share[root][line[i]];
    c->below[0] = 0;
    for (uint32_t i = 0, j; i < n; i = j) {
        covey_value_pool *pool = &c->pool[c->n++];

        for (j = i; j < n && node->cell_of_line[line[j]] == node->cell_of_line[line[i]]; j++) {
            c->number[j] = c->numbers->number[slot[line[j]]];
            c->below[j + 1] = c->below[j] + c->number[j];
        }
        pool->begin = i;
        pool->end = j;
        settle_pool(pool, &cell[node->cell_of_line[line[i]]], fall);
        if (pool->upper == 0)
            c->n--;
    }
    return COVEY_OK;
}

/* --- figures --- */

/* Where lines pass with different probabilities: any fails where a line passes, and the rest as well. */
static void estimate_shares(covey_query_figures *out, const covey_value_pools *c, covey_slice_fall fall,
                            bool is_average)
{
    double n = (double)c->sure.n, mean = (double)c->sure.sum / c->unit;

    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = c->pool[i].begin; j < c->pool[i].end; j++) {
            const double all = c->share[j] * c->pool[i].rest, p = fall == COVEY_FALLS_ANY ? 1 - all : all;

            n += p;
            mean += p * (double)c->number[j] / c->unit;
        }
    out->estimate = is_average ? n > 0 ? mean / n : NAN : mean;
}

covey_status covey_i_slice_values(covey_query_figures *out, int64_t *n_sure, const covey_bound_aggregate *aggregate,
                                  const covey_query_slices *s, const covey_slice_lines *lines, covey_slice_fall fall,
                                  uint32_t root, const covey_slice_cell *cell, covey_arena *arena, covey_error *err)
{
    covey_query_numbers products;
    covey_value_pools c = {.numbers = aggregate->weight ? &products : &s->numbers[aggregate->column],
                           .unit = covey_i_query_unit(aggregate->scale)};
    uint32_t *slot = covey_arena_array(arena, uint32_t, s->n_rows);

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    if (!slot)
        return covey_i_no_memory(err);
    find_slots(slot, s, &s->slice[root], aggregate->column);
    if (aggregate->weight)
        COVEY_TRY(weigh(&products, slot, s, &s->slice[root], aggregate, arena, err));
    COVEY_TRY(make_pools(&c, s, lines, fall, root, slot, cell, arena, err));
    if (c.sure.n > 0 || c.n > 0) {
        const bool is_average = aggregate->function == COVEY_SQL_AVG;

        covey_i_pools_bound(out, aggregate->function, &c);
        if (is_average || aggregate->function == COVEY_SQL_SUM) /* nothing is derived for extremes */
            c.share ? estimate_shares(out, &c, fall, is_average)
                    : covey_i_pools_estimate(out, &c, is_average, s->is_common);
    }
    *n_sure = covey_i_pools_sure(&c);
    return COVEY_OK;
}
