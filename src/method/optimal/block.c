/* Blocks and the cuts through them.  One pass over a block's items gives, for every axis, what stands in each of its
 * cells (rows, bound's sums, tight box); sums from both ends then give both sides of every cut. */
#include "method/optimal/optimal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

covey_status covey_i_optimal_worker_new(covey_optimal_worker *w, const covey_optimal_grid *g, covey_error *err)
{
    memset(w, 0, sizeof *w);
    w->g = g;
    w->slab_n = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_heavy = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_sum = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_lane = covey_arena_array(&w->arena, int16_t, (size_t)g->n_cells * g->stride);
    w->slab_after = covey_arena_array(&w->arena, int16_t, (size_t)g->n_cells * g->stride);
    w->first = covey_arena_array(&w->arena, uint32_t, g->d);
    w->open = covey_arena_array(&w->arena, uint32_t, 2 * g->d);
    w->key = covey_arena_array(&w->arena, uint64_t, 2 * (size_t)g->key_words);
    if (!w->slab_n || !w->slab_heavy || !w->slab_sum || !w->slab_lane || !w->slab_after || !w->first || !w->open ||
        !w->key)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < g->d; a++)
        w->first[a] = g->axis[a].first;
    COVEY_TRY(covey_i_optimal_judge_new(&w->judge, g, &w->arena, err));
    /* A block of the arena with room for what searches take and give back: each new block is twice as large as the one
     * before it. */
    if (!covey_arena_alloc(&w->arena, (size_t)g->n_items + 2048, 32) || !covey_arena_alloc(&w->arena, 1, 1))
        return covey_i_no_memory(err);
    return COVEY_OK;
}

void covey_i_optimal_worker_clear(covey_optimal_worker *w)
{
    covey_arena_free(&w->arena);
}

/* The larger of two boxes' lanes, so the box around both: eight lanes are one register. */
static inline void widen(int16_t *restrict box, const int16_t *restrict other, uint32_t stride)
{
    for (uint32_t i = 0; i < stride; i += 8, box += 8, other += 8)
        for (uint32_t j = 0; j < 8; j++)
            box[j] = box[j] > other[j] ? box[j] : other[j];
}

static inline void clear_box(int16_t *box, uint32_t stride)
{
    for (uint32_t i = 0; i < stride; i++)
        box[i] = INT16_MIN;
}

static inline void count_item(covey_optimal_block *block, const covey_optimal_grid *g, uint32_t item)
{
    block->item[block->n_items++] = item;
    block->n += g->weight[item];
    block->heavy += g->heavy[item];
    block->heavy_sum += g->heavy_sum[item];
    widen(block->tight, g->lane + (size_t)item * g->stride, g->stride);
}

void covey_i_optimal_block_add(covey_optimal_block *block, const covey_optimal_grid *g, uint32_t item)
{
    count_item(block, g, item);
}

bool covey_i_optimal_block_new(covey_optimal_block *block, covey_optimal_worker *w, uint32_t *item)
{
    const covey_optimal_grid *g = w->g;

    *block = (covey_optimal_block){.item = item, .tight = covey_arena_array(&w->arena, int16_t, g->stride)};
    if (!item || !block->tight)
        return false;
    clear_box(block->tight, g->stride);
    if (!g->has_edges)
        return true;
    block->low = covey_arena_array(&w->arena, uint16_t, g->d);
    block->high = covey_arena_array(&w->arena, uint16_t, g->d);
    return block->low && block->high;
}

covey_status covey_i_optimal_root(covey_optimal_block *block, covey_optimal_worker *w, covey_error *err)
{
    const covey_optimal_grid *g = w->g;

    if (!covey_i_optimal_block_new(block, w, covey_arena_array(&w->arena, uint32_t, g->n_items)))
        return covey_i_no_memory(err);
    for (size_t a = 0; block->low && a < g->d; a++) {
        block->low[a] = 0;
        block->high[a] = (uint16_t)g->axis[a].n_cells;
    }
    for (uint32_t i = 0; i < g->n_items; i++)
        covey_i_optimal_block_add(block, g, i);
    return COVEY_OK;
}

bool covey_i_optimal_divide(covey_optimal_block *left, covey_optimal_block *right, covey_optimal_worker *w,
                            const covey_optimal_block *block, uint32_t axis, uint32_t cell)
{
    const covey_optimal_grid *g = w->g;
    uint32_t *both = covey_arena_array(&w->arena, uint32_t, 2 * (size_t)block->n_items);

    if (!both || !covey_i_optimal_block_new(left, w, both) ||
        !covey_i_optimal_block_new(right, w, both + block->n_items))
        return false;
    if (block->low) {
        memcpy(left->low, block->low, g->d * sizeof *left->low);
        memcpy(left->high, block->high, g->d * sizeof *left->high);
        memcpy(right->low, block->low, g->d * sizeof *right->low);
        memcpy(right->high, block->high, g->d * sizeof *right->high);
        left->high[axis] = right->low[axis] = (uint16_t)(cell + 1);
    }
    for (uint32_t i = 0; i < block->n_items; i++) { /* sides without a branch: which one is as good as random */
        const uint32_t item = block->item[i];
        covey_optimal_block *const side[2] = {left, right};

        count_item(side[g->lane[(size_t)item * g->stride + axis] > (int16_t)cell], g, item);
    }
    return true;
}

void covey_i_optimal_key(uint64_t *key, const covey_optimal_grid *g, const int16_t *tight, const uint16_t *low,
                         const uint16_t *high)
{
    uint32_t used = 0, at = 0;

    key[0] = 0;
    for (size_t a = 0; a < g->d; a++) {
        const uint32_t bits = g->key_shift[a];
        const bool by_edge = low && g->axis[a].is_geometric;
        const uint64_t from = by_edge ? low[a] : (uint64_t)-tight[g->d + a],
                       to = by_edge ? high[a] : (uint64_t)tight[a];

        if (used + 2 * bits > 64) {
            key[++at] = 0;
            used = 0;
        }
        key[at] |= (from | to << bits) << used;
        used += 2 * bits;
    }
}

covey_optimal_units covey_i_optimal_block_bound(const covey_optimal_grid *g, const covey_optimal_block *block)
{
    return covey_i_optimal_bound(g, block->n, block->heavy, block->heavy_sum);
}

/* Cells low .. high of an axis as far as the block reaches. */
static void extent(uint32_t *low, uint32_t *high, const covey_optimal_grid *g, const covey_optimal_block *block,
                   size_t a)
{
    *low = block->n_items > 0 ? COVEY_OPT_LOW(block, g, a) : 0;
    *high = block->n_items > 0 ? COVEY_OPT_HIGH(block, g, a) : 0;
    if (g->axis[a].is_geometric) {
        *low = block->low[a];
        *high = block->high[a] - 1u;
    }
}

/* Rows per cell, of all axes in one pass: enough to see which cuts are worth a closer look. */
static void count_rows(covey_optimal_worker *w, const covey_optimal_block *block)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t d = (uint32_t)g->d, stride = g->stride;
    const uint32_t *const first = w->first, *const weight = g->weight;
    const int16_t *const lane = g->lane;
    int64_t *const n = w->slab_n;

    memset(n, 0, g->n_cells * sizeof *n);
    for (uint32_t i = 0; i < block->n_items; i++) {
        const uint32_t item = block->item[i];
        const int16_t *own = lane + (size_t)item * stride;
        const int64_t rows = weight[item];

        for (uint32_t a = 0; a < d; a++)
            n[first[a] + (uint32_t)own[a]] += rows;
    }
}

static void take_counts(covey_optimal_worker *w, const covey_optimal_block *block)
{
    if (!block->count)
        count_rows(w, block);
    for (uint32_t a = 0; block->count && a < w->g->d; a++)
        for (uint32_t c = w->first[a] + COVEY_OPT_LOW(block, w->g, a);
             c <= w->first[a] + COVEY_OPT_HIGH(block, w->g, a); c++)
            w->slab_n[c] = block->count[c];
}

/* Boxes and sums per cell of an axis. */
static void fill_slabs(covey_optimal_worker *w, const covey_optimal_block *block, size_t a, uint32_t low, uint32_t high)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t stride = g->stride, first = g->axis[a].first, *const item = block->item;
    const int16_t *const lane = g->lane;
    int16_t *const slab = w->slab_lane + (size_t)first * stride;

    for (uint32_t c = low; c <= high; c++) {
        w->slab_heavy[first + c] = w->slab_sum[first + c] = 0;
        clear_box(slab + (size_t)c * stride, stride);
    }
    for (uint32_t i = 0; i < block->n_items; i++) {
        const int16_t *own = lane + (size_t)item[i] * stride;

        widen(slab + (size_t)own[a] * stride, own, stride);
    }
    if (block->heavy == 0 && block->heavy_sum == 0)
        return;
    for (uint32_t i = 0; i < block->n_items; i++) {
        const uint32_t c = first + (uint32_t)lane[(size_t)item[i] * stride + a];

        w->slab_heavy[c] += g->heavy[item[i]];
        w->slab_sum[c] += g->heavy_sum[item[i]];
    }
}

/* May this cut be tried at all? */
static bool is_allowed(const covey_optimal_grid *g, const covey_optimal_block *block, size_t a, uint32_t low,
                       uint32_t high, uint32_t cell, int64_t n_left, bool is_occupied)
{
    const covey_optimal_axis *axis = &g->axis[a];
    const int64_t n_right = block->n - n_left;

    if ((n_left == 0 || n_right == 0) && !g->tries_empty)
        return false;
    /* The cut behind the last value says the same; between siblings there may be none there. */
    if (!is_occupied && !axis->is_geometric && !axis->splits->siblings)
        return false;
    if (!g->options->suppress && g->fails_for_good &&
        ((n_left > 0 && n_left < g->k) || (n_right > 0 && n_right < g->k)))
        return false;
    if (axis->reach && (axis->reach[block->low[a]] > cell + 1 || axis->reach[cell + 1] > block->high[a]))
        return false;
    return covey_i_splits_allow(axis->splits, low, high, cell);
}

/* Cached bounds of one side. */
static covey_optimal_units side_bound(covey_optimal_units *upper, covey_optimal_worker *w, int64_t n, int64_t heavy,
                                      int64_t sum, const int16_t *tight, const uint16_t *low, const uint16_t *high)
{
    const covey_optimal_grid *g = w->g;
    const covey_optimal_units bound = covey_i_optimal_bound(g, n, heavy, sum);
    covey_optimal_known known;

    *upper = COVEY_OPT_INFINITE;
    if (!w->hunt || !w->hunt->cache || n < g->least_cut || n == 0)
        return bound;
    covey_i_optimal_key(w->key, g, tight, low, high);
    if (!covey_i_optimal_cache_get(&known, w->hunt->cache, w->key))
        return bound;
    *upper = known.upper;
    return known.lower > bound ? known.lower : bound;
}

/* What both sides cost at least, from their numbers of rows alone. */
static covey_optimal_units bound_by_size(const covey_optimal_grid *g, int64_t n_left, int64_t n_right)
{
    return covey_i_optimal_bound(g, n_left, 0, 0) + covey_i_optimal_bound(g, n_right, 0, 0);
}

/* Sides of the cuts through one axis, from both ends. */
static uint32_t cut_axis(covey_optimal_cut *cut, covey_optimal_units *least, covey_optimal_worker *w,
                         const covey_optimal_block *block, size_t a, uint32_t low, uint32_t high,
                         covey_optimal_units limit)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t stride = g->stride, first = g->axis[a].first;
    int16_t *const lane = w->slab_lane + (size_t)first * stride, *const after = w->slab_after + (size_t)first * stride;
    int64_t n_left = 0, heavy = 0, sum = 0;
    uint32_t n = 0;

    memcpy(after + (size_t)high * stride, lane + (size_t)high * stride, stride * sizeof *lane);
    for (uint32_t c = high; c-- > low;) {
        memcpy(after + (size_t)c * stride, lane + (size_t)c * stride, stride * sizeof *lane);
        widen(after + (size_t)c * stride, after + (size_t)(c + 1) * stride, stride);
    }
    for (uint32_t c = low; c < high; c++) {
        const bool is_occupied = w->slab_n[first + c] > 0;

        n_left += w->slab_n[first + c];
        heavy += w->slab_heavy[first + c];
        sum += w->slab_sum[first + c];
        if (c > low)
            widen(lane + (size_t)c * stride, lane + (size_t)(c - 1) * stride, stride);
        if (!is_allowed(g, block, a, low, high, c, n_left, is_occupied) ||
            bound_by_size(g, n_left, block->n - n_left) >= limit)
            continue;
        cut[n] = (covey_optimal_cut){.axis = (uint32_t)a, .cell = c, .n_left = n_left};
        const uint16_t kept_low = block->low ? block->low[a] : 0, kept_high = block->high ? block->high[a] : 0;

        if (block->high)
            block->high[a] = (uint16_t)(c + 1);
        cut[n].left =
            side_bound(&cut[n].left_upper, w, n_left, heavy, sum, lane + (size_t)c * stride, block->low, block->high);
        if (block->high) {
            block->high[a] = kept_high;
            block->low[a] = (uint16_t)(c + 1);
        }
        cut[n].right = side_bound(&cut[n].right_upper, w, block->n - n_left, block->heavy - heavy,
                                  block->heavy_sum - sum, after + (size_t)(c + 1) * stride, block->low, block->high);
        if (block->low)
            block->low[a] = kept_low;
        cut[n].rank = cut[n].left + cut[n].right;
        if (cut[n].rank < limit)
            n++;
        else
            *least = cut[n].rank < *least ? cut[n].rank : *least;
    }
    return n;
}

/* Is there a cut through the axis whose sides' sizes allow less than the limit? */
static bool may_cut(covey_optimal_units *least, covey_optimal_worker *w, const covey_optimal_block *block, size_t a,
                    uint32_t low, uint32_t high, covey_optimal_units limit)
{
    const int64_t *const n = w->slab_n + w->first[a];
    int64_t n_left = 0;
    bool any = false;

    for (uint32_t c = low; c < high; c++) {
        covey_optimal_units bound;

        n_left += n[c];
        if (!is_allowed(w->g, block, a, low, high, c, n_left, n[c] > 0))
            continue;
        bound = bound_by_size(w->g, n_left, block->n - n_left);
        if (bound < limit)
            any = true;
        else
            *least = bound < *least ? bound : *least;
    }
    return any;
}

covey_optimal_cut *covey_i_optimal_cuts_below(uint32_t *n, covey_optimal_units *least, covey_optimal_worker *w,
                                              const covey_optimal_block *block, covey_optimal_units limit)
{
    const covey_optimal_grid *g = w->g;
    uint32_t most = 0, low, high;
    covey_optimal_cut *cut;

    *n = 0;
    for (size_t a = 0; a < g->d; a++) {
        extent(&low, &high, g, block, a);
        most += high - low;
    }
    if (!(cut = covey_arena_array(&w->arena, covey_optimal_cut, most)))
        return NULL;
    take_counts(w, block);
    for (size_t a = 0; a < g->d; a++) {
        extent(&low, &high, g, block, a);
        if (low == high || !may_cut(least, w, block, a, low, high, limit))
            continue;
        fill_slabs(w, block, a, low, high);
        *n += cut_axis(cut + *n, least, w, block, a, low, high, limit);
    }
    return cut;
}

covey_optimal_cut *covey_i_optimal_cuts(uint32_t *n, covey_optimal_worker *w, const covey_optimal_block *block)
{
    covey_optimal_units least;

    return covey_i_optimal_cuts_below(n, &least, w, block, INT64_MAX);
}

static int64_t imbalance(const covey_optimal_cut *cut, int64_t rows)
{
    return llabs(2 * cut->n_left - rows);
}

static int compare_cuts(const void *x, const void *y, void *rows)
{
    const covey_optimal_cut *a = x, *b = y;
    const int64_t off_a = imbalance(a, *(int64_t *)rows), off_b = imbalance(b, *(int64_t *)rows);

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (off_a != off_b)
        return off_a < off_b ? -1 : 1;
    if (a->axis != b->axis)
        return a->axis < b->axis ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

void covey_i_optimal_sort_cuts(covey_optimal_cut *cut, uint32_t n, int64_t rows)
{
    qsort_r(cut, n, sizeof *cut, compare_cuts, &rows);
}

void covey_i_optimal_remember(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_known known)
{
    covey_i_optimal_key(w->key, w->g, block->tight, block->low, block->high);
    known.n = (uint32_t)block->n;
    covey_i_optimal_cache_put(w->hunt->cache, w->key, &known);
}

bool covey_i_optimal_recall(covey_optimal_known *known, covey_optimal_worker *w, const covey_optimal_block *block)
{
    covey_i_optimal_key(w->key, w->g, block->tight, block->low, block->high);
    return covey_i_optimal_cache_get(known, w->hunt->cache, w->key);
}
