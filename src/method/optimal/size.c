/* Blocks where sizes say all: where any k rows are a class and cost their square.  Such blocks carry the number of rows
 * in each cell of each axis.  From these follow their boxes, all their cuts, and what they cost at least if they are
 * cut once; of both sides of a cut only the smaller one is counted. */
#include "method/optimal/optimal.h"

#include <string.h>

/* Counts the rows of a block's items, cells that the box around them does not reach left out: nobody reads those.  The
 * box may be too large. Deep in a search items share a cell on many axes, which need no counting. */
static void count_items(covey_optimal_block *block, covey_optimal_worker *w, const int16_t *box)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t stride = g->stride, *const weight = g->weight;
    uint32_t n_open = 0, *const open = w->open, *const open_first = w->open + g->d;

    for (uint32_t a = 0; a < g->d; a++) {
        const uint32_t low = (uint32_t)-box[g->d + a], high = (uint32_t)box[a];

        if (low == high) {
            block->count[w->first[a] + low] = (int32_t)block->n;
            continue;
        }
        memset(block->count + w->first[a] + low, 0, (high - low + 1) * sizeof *block->count);
        open[n_open] = a;
        open_first[n_open++] = w->first[a];
    }
    for (uint32_t i = 0; i < block->n_items; i++) {
        const int16_t *own = g->lane + (size_t)block->item[i] * stride;
        const int32_t rows = (int32_t)weight[block->item[i]];

        for (uint32_t j = 0; j < n_open; j++)
            block->count[open_first[j] + (uint32_t)own[open[j]]] += rows;
    }
}

/* The box of a counted block, which lies in a larger one, and what it costs at least: as it is, or cut once. */
static void look_ahead(covey_optimal_block *block, const covey_optimal_worker *w, const int16_t *box)
{
    const covey_optimal_grid *g = w->g;
    const covey_optimal_units *const floor = g->floor;
    const int64_t n = block->n;
    covey_optimal_units best = covey_i_optimal_class_of(g, n);

    for (uint32_t a = 0; a < g->d; a++) {
        const int32_t *const count = block->count + w->first[a];
        const covey_axis_splits *const splits = g->axis[a].splits;
        uint32_t low = (uint32_t)-box[g->d + a], high = (uint32_t)box[a];
        int64_t n_left = 0;

        while (low < high && count[low] == 0)
            low++;
        while (high > low && count[high] == 0)
            high--;
        block->tight[a] = (int16_t)high;
        block->tight[g->d + a] = (int16_t) - (int32_t)low;
        for (uint32_t c = low; c < high; c++) {
            covey_optimal_units sum;

            n_left += count[c];
            if (!covey_i_optimal_is_possible(g, block, a, n_left, count[c]))
                continue;
            sum = floor[n_left] + floor[n - n_left];
            if (sum < best && covey_i_splits_allow(splits, low, high, c))
                best = sum;
        }
    }
    block->ahead = best;
}

bool covey_i_optimal_count_block(covey_optimal_block *block, covey_optimal_worker *w)
{
    if (block->count)
        return true;
    if (!(block->count = covey_arena_array(&w->arena, int32_t, w->g->n_cells)))
        return false;
    count_items(block, w, block->tight);
    look_ahead(block, w, block->tight);
    return true;
}

static bool counted_block(covey_optimal_block *block, covey_optimal_worker *w, uint32_t *item)
{
    *block = (covey_optimal_block){.item = item,
                                   .tight = covey_arena_array_zero(&w->arena, int16_t, w->g->stride),
                                   .count = covey_arena_array(&w->arena, int32_t, w->g->n_cells)};
    return block->tight && block->count;
}

/* Sums for the bound of heavy cells, which few blocks have. */
static void add_heavy(covey_optimal_block *block, const covey_optimal_grid *g)
{
    for (uint32_t i = 0; i < block->n_items; i++) {
        block->heavy += g->heavy[block->item[i]];
        block->heavy_sum += g->heavy_sum[block->item[i]];
    }
}

bool covey_i_optimal_divide_counted(covey_optimal_block *left, covey_optimal_block *right, covey_optimal_worker *w,
                                    const covey_optimal_block *block, const covey_optimal_cut *cut)
{
    const covey_optimal_grid *g = w->g;
    const int16_t *const lane = g->lane + cut->axis;
    const uint32_t stride = g->stride, n_items = block->n_items;
    const int16_t cell = (int16_t)cut->cell;
    uint32_t *both = covey_arena_array(&w->arena, uint32_t, 2 * (size_t)n_items), n_left = 0, n_right = 0;
    covey_optimal_block *few, *many;

    if (!both || !counted_block(left, w, both) || !counted_block(right, w, both + n_items))
        return false;
    for (uint32_t i = 0; i < n_items; i++) { /* without a branch: sides are as good as random */
        const uint32_t item = block->item[i];
        const bool is_right = lane[(size_t)item * stride] > cell;

        left->item[n_left] = item;
        right->item[n_right] = item;
        n_left += !is_right;
        n_right += is_right;
    }
    left->n_items = n_left;
    right->n_items = n_right;
    left->n = cut->n_left;
    right->n = block->n - cut->n_left;
    few = n_left < n_right ? left : right;
    many = few == left ? right : left;
    count_items(few, w, block->tight);
    for (uint32_t a = 0; a < g->d; a++)
        for (uint32_t c = w->first[a] + COVEY_OPT_LOW(block, g, a); c <= w->first[a] + COVEY_OPT_HIGH(block, g, a); c++)
            many->count[c] = block->count[c] - few->count[c];
    look_ahead(left, w, block->tight);
    look_ahead(right, w, block->tight);
    if (block->heavy > 0) {
        add_heavy(left, g);
        add_heavy(right, g);
    }
    return true;
}

covey_optimal_cut *covey_i_optimal_cuts_by_size(uint32_t *n, covey_optimal_units *least, covey_optimal_worker *w,
                                                const covey_optimal_block *block, covey_optimal_units limit)
{
    const covey_optimal_grid *g = w->g;
    covey_optimal_cut *cut = covey_arena_array(&w->arena, covey_optimal_cut, g->n_cells);

    *n = 0;
    for (uint32_t a = 0; cut && a < g->d; a++) {
        const uint32_t low = COVEY_OPT_LOW(block, g, a), high = COVEY_OPT_HIGH(block, g, a);
        const int32_t *const count = block->count + w->first[a];
        int64_t n_left = 0;

        for (uint32_t c = low; c < high; c++) {
            covey_optimal_cut *one = &cut[*n];

            n_left += count[c];
            if (!covey_i_optimal_is_possible(g, block, a, n_left, count[c]) ||
                !covey_i_splits_allow(g->axis[a].splits, low, high, c))
                continue;
            *one = (covey_optimal_cut){
                .axis = a,
                .cell = c,
                .n_left = n_left,
                .left = g->floor[n_left],
                .right = g->floor[block->n - n_left],
                .left_upper = COVEY_OPT_INFINITE,
                .right_upper = COVEY_OPT_INFINITE,
            };
            one->rank = one->left + one->right;
            if (one->rank < limit)
                ++*n;
            else
                *least = one->rank < *least ? one->rank : *least;
        }
    }
    return cut;
}

bool covey_i_optimal_best_pair(covey_optimal_cut *best, covey_optimal_worker *w, const covey_optimal_block *block)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_block counted = *block;
    covey_optimal_units least;
    covey_optimal_cut *cut;
    uint32_t n = 0;

    if (!covey_i_optimal_count_block(&counted, w) ||
        !(cut = covey_i_optimal_cuts_by_size(&n, &least, w, &counted, covey_i_optimal_class_of(w->g, block->n)))) {
        w->stopped = w->is_full = true;
        return false;
    }
    covey_i_optimal_sort_cuts(cut, n, block->n);
    if (n > 0)
        *best = cut[0];
    covey_arena_rewind(&w->arena, mark);
    return n > 0;
}
