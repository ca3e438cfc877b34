/* Blocks and the cuts through them.  One pass over a block's items gives, for every axis, what stands in each of its cells (rows, bound's
 * sums, tight box); sums from both ends then give both sides of every cut.  See opt_impl.h. */
#include "method/opt_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

covey_status covey_i_opt_tree_add(covey_opt_tree *tree, uint32_t node, covey_error *err)
{
    if (tree->n == tree->capacity) {
        const size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
        uint32_t *grown = covey_i_realloc(tree->node, capacity, sizeof *grown);

        if (!grown)
            return covey_fail(err, COVEY_ENOMEM, "partitioning");
        tree->node = grown;
        tree->capacity = capacity;
    }
    tree->node[tree->n++] = node;
    return COVEY_OK;
}

covey_status covey_i_opt_tree_copy(covey_opt_tree *into, const covey_opt_tree *from, covey_error *err)
{
    uint32_t *node;

    if (!(node = covey_i_array(from->n ? from->n : 1, sizeof *node)))
        return covey_fail(err, COVEY_ENOMEM, "partitioning");
    memcpy(node, from->node, from->n * sizeof *node);
    covey_i_free(into->node);
    *into = (covey_opt_tree){node, from->n, from->n};
    return COVEY_OK;
}

void covey_i_opt_tree_clear(covey_opt_tree *tree)
{
    covey_i_free(tree->node);
    memset(tree, 0, sizeof *tree);
}

covey_status covey_i_opt_worker_new(covey_opt_worker *w, const covey_opt_grid *g, covey_error *err)
{
    memset(w, 0, sizeof *w);
    w->g = g;
    w->slab_n = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_heavy = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_sum = covey_arena_array_zero(&w->arena, int64_t, g->n_cells);
    w->slab_lane = covey_arena_array(&w->arena, int16_t, (size_t)g->n_cells * g->stride);
    w->slab_after = covey_arena_array(&w->arena, int16_t, (size_t)g->n_cells * g->stride);
    w->key = covey_arena_array(&w->arena, uint64_t, 2 * (size_t)g->key_words);
    if (!w->slab_n || !w->slab_heavy || !w->slab_sum || !w->slab_lane || !w->slab_after || !w->key)
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    COVEY_TRY(covey_i_opt_judge_new(&w->judge, g, &w->arena, err));
    /* A block of the arena with room for what searches take and give back: each new block is twice as large as the one before it. */
    if (!covey_arena_alloc(&w->arena, (size_t)g->n_items + 2048, 32) || !covey_arena_alloc(&w->arena, 1, 1))
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    return COVEY_OK;
}

void covey_i_opt_worker_clear(covey_opt_worker *w)
{
    covey_arena_free(&w->arena);
}

/* Eight lanes in one register. */
typedef int16_t lanes __attribute__((vector_size(16), aligned(2), may_alias));

/* The larger of two boxes' lanes, so the box around both. */
static inline void widen(int16_t *box, const int16_t *other, uint32_t stride)
{
    for (uint32_t i = 0; i < stride; i += 8) {
        const lanes a = *(const lanes *)(box + i), b = *(const lanes *)(other + i), larger = a > b;

        *(lanes *)(box + i) = (a & larger) | (b & ~larger);
    }
}

static inline void clear_box(int16_t *box, uint32_t stride)
{
    for (uint32_t i = 0; i < stride; i++)
        box[i] = INT16_MIN;
}

static inline void count_item(covey_opt_block *block, const covey_opt_grid *g, uint32_t item)
{
    block->item[block->n_items++] = item;
    block->n += g->weight[item];
    block->heavy += g->heavy[item];
    block->heavy_sum += g->heavy_sum[item];
    widen(block->tight, g->lane + (size_t)item * g->stride, g->stride);
}

void covey_i_opt_block_add(covey_opt_block *block, const covey_opt_grid *g, uint32_t item)
{
    count_item(block, g, item);
}

bool covey_i_opt_block_new(covey_opt_block *block, covey_opt_worker *w, uint32_t *item)
{
    const covey_opt_grid *g = w->g;

    *block = (covey_opt_block){.item = item, .tight = covey_arena_array(&w->arena, int16_t, g->stride)};
    if (!item || !block->tight)
        return false;
    clear_box(block->tight, g->stride);
    if (!g->has_lengths && !g->tries_empty)
        return true;
    block->low = covey_arena_array(&w->arena, uint16_t, g->d);
    block->high = covey_arena_array(&w->arena, uint16_t, g->d);
    return block->low && block->high;
}

covey_status covey_i_opt_root(covey_opt_block *block, covey_opt_worker *w, covey_error *err)
{
    const covey_opt_grid *g = w->g;

    if (!covey_i_opt_block_new(block, w, covey_arena_array(&w->arena, uint32_t, g->n_items)))
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    for (size_t a = 0; block->low && a < g->d; a++) {
        block->low[a] = 0;
        block->high[a] = (uint16_t)g->axis[a].n_cells;
    }
    for (uint32_t i = 0; i < g->n_items; i++)
        covey_i_opt_block_add(block, g, i);
    return COVEY_OK;
}

bool covey_i_opt_divide(covey_opt_block *left, covey_opt_block *right, covey_opt_worker *w, const covey_opt_block *block, uint32_t axis, uint32_t cell)
{
    const covey_opt_grid *g = w->g;
    uint32_t *both = covey_arena_array(&w->arena, uint32_t, 2 * (size_t)block->n_items);

    if (!both || !covey_i_opt_block_new(left, w, both) || !covey_i_opt_block_new(right, w, both + block->n_items))
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
        covey_opt_block *const side[2] = {left, right};

        count_item(side[g->lane[(size_t)item * g->stride + axis] > (int16_t)cell], g, item);
    }
    return true;
}

void covey_i_opt_key(uint64_t *key, const covey_opt_grid *g, const int16_t *tight, const uint16_t *low, const uint16_t *high)
{
    uint32_t used = 0, at = 0;

    key[0] = 0;
    for (size_t a = 0; a < g->d; a++) {
        const uint32_t bits = g->key_shift[a];
        const bool by_edge = low && g->axis[a].is_geometric;
        const uint64_t from = by_edge ? low[a] : (uint64_t)-tight[g->d + a], to = by_edge ? high[a] : (uint64_t)tight[a];

        if (used + 2 * bits > 64) {
            key[++at] = 0;
            used = 0;
        }
        key[at] |= (from | to << bits) << used;
        used += 2 * bits;
    }
}

covey_opt_units covey_i_opt_block_bound(const covey_opt_grid *g, const covey_opt_block *block)
{
    return covey_i_opt_bound(g, block->n, block->heavy, block->heavy_sum);
}

/* Cells low .. high of an axis as far as the block reaches. */
static void extent(uint32_t *low, uint32_t *high, const covey_opt_grid *g, const covey_opt_block *block, size_t a)
{
    *low = block->n_items > 0 ? COVEY_OPT_LOW(block, g, a) : 0;
    *high = block->n_items > 0 ? COVEY_OPT_HIGH(block, g, a) : 0;
    if (g->axis[a].is_geometric) {
        *low = block->low[a];
        *high = block->high[a] - 1u;
    }
}

/* Fills the slabs of an axis from the items. */
static void fill_slabs(covey_opt_worker *w, const covey_opt_block *block, size_t a, uint32_t low, uint32_t high)
{
    const covey_opt_grid *g = w->g;
    const uint32_t stride = g->stride, first = g->axis[a].first;
    int16_t *const lane = w->slab_lane + (size_t)first * stride;

    for (uint32_t c = low; c <= high; c++) {
        w->slab_n[first + c] = w->slab_heavy[first + c] = w->slab_sum[first + c] = 0;
        clear_box(lane + (size_t)c * stride, stride);
    }
    for (uint32_t i = 0; i < block->n_items; i++) {
        const uint32_t item = block->item[i];
        const int16_t *own = g->lane + (size_t)item * stride;
        const uint32_t c = first + (uint32_t)own[a];

        w->slab_n[c] += g->weight[item];
        w->slab_heavy[c] += g->heavy[item];
        w->slab_sum[c] += g->heavy_sum[item];
        widen(w->slab_lane + (size_t)c * stride, own, stride);
    }
}

/* Rows per cell alone: enough to see whether there is anything to cut. */
static void fill_counts(covey_opt_worker *w, const covey_opt_block *block, size_t a, uint32_t low, uint32_t high)
{
    const covey_opt_grid *g = w->g;
    int64_t *const n = w->slab_n + g->axis[a].first;

    memset(n + low, 0, (high - low + 1) * sizeof *n);
    for (uint32_t i = 0; i < block->n_items; i++)
        n[g->lane[(size_t)block->item[i] * g->stride + a]] += g->weight[block->item[i]];
}

/* May this cut be tried at all? */
static bool is_allowed(const covey_opt_grid *g, const covey_opt_block *block, size_t a, uint32_t low, uint32_t high, uint32_t cell, int64_t n_left,
                       bool is_occupied)
{
    const covey_opt_axis *axis = &g->axis[a];
    const int64_t n_right = block->n - n_left;

    if ((n_left == 0 || n_right == 0) && !g->tries_empty)
        return false;
    /* The cut behind the last value says the same; between siblings there may be none there. */
    if (!is_occupied && !axis->is_geometric && !axis->splits->siblings)
        return false;
    if (!g->options->suppress && g->fails_for_good && ((n_left > 0 && n_left < g->k) || (n_right > 0 && n_right < g->k)))
        return false;
    if (axis->reach && (axis->reach[block->low[a]] > cell + 1 || axis->reach[cell + 1] > block->high[a]))
        return false;
    return covey_i_splits_allow(axis->splits, low, high, cell);
}

/* Cached bounds of one side. */
static covey_opt_units side_bound(covey_opt_worker *w, int64_t n, int64_t heavy, int64_t sum, const int16_t *tight, const uint16_t *low,
                                  const uint16_t *high)
{
    const covey_opt_grid *g = w->g;
    const covey_opt_units bound = covey_i_opt_bound(g, n, heavy, sum);
    covey_opt_known known;

    if (!w->hunt || !w->hunt->cache || n < g->least_cut || n == 0)
        return bound;
    covey_i_opt_key(w->key, g, tight, low, high);
    return covey_i_opt_cache_get(&known, w->hunt->cache, w->key) && known.lower > bound ? known.lower : bound;
}

/* Sides of the cuts through one axis, from both ends. */
static uint32_t cut_axis(covey_opt_cut *cut, covey_opt_worker *w, const covey_opt_block *block, size_t a, uint32_t low, uint32_t high)
{
    const covey_opt_grid *g = w->g;
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
        if (!is_allowed(g, block, a, low, high, c, n_left, is_occupied))
            continue;
        cut[n] = (covey_opt_cut){.axis = (uint32_t)a, .cell = c, .n_left = n_left};
        const uint16_t kept_low = block->low ? block->low[a] : 0, kept_high = block->high ? block->high[a] : 0;

        if (block->high)
            block->high[a] = (uint16_t)(c + 1);
        cut[n].left = side_bound(w, n_left, heavy, sum, lane + (size_t)c * stride, block->low, block->high);
        if (block->high) {
            block->high[a] = kept_high;
            block->low[a] = (uint16_t)(c + 1);
        }
        cut[n].right = side_bound(w, block->n - n_left, block->heavy - heavy, block->heavy_sum - sum, after + (size_t)(c + 1) * stride, block->low,
                                  block->high);
        if (block->low)
            block->low[a] = kept_low;
        cut[n].rank = cut[n].left + cut[n].right;
        n++;
    }
    return n;
}

covey_opt_cut *covey_i_opt_cuts(uint32_t *n, covey_opt_worker *w, const covey_opt_block *block)
{
    const covey_opt_grid *g = w->g;
    uint32_t most = 0, low, high;
    covey_opt_cut *cut;

    *n = 0;
    for (size_t a = 0; a < g->d; a++) {
        extent(&low, &high, g, block, a);
        most += high - low;
    }
    if (!(cut = covey_arena_array(&w->arena, covey_opt_cut, most)))
        return NULL;
    for (size_t a = 0; a < g->d; a++) {
        bool any = false;
        int64_t n_left = 0;

        extent(&low, &high, g, block, a);
        if (low == high)
            continue;
        fill_counts(w, block, a, low, high);
        for (uint32_t c = low; c < high && !any; c++) {
            n_left += w->slab_n[g->axis[a].first + c];
            any = is_allowed(g, block, a, low, high, c, n_left, w->slab_n[g->axis[a].first + c] > 0);
        }
        if (!any)
            continue;
        fill_slabs(w, block, a, low, high);
        *n += cut_axis(cut + *n, w, block, a, low, high);
    }
    return cut;
}

static int64_t imbalance(const covey_opt_cut *cut, int64_t rows)
{
    return llabs(2 * cut->n_left - rows);
}

static int compare_cuts(const void *x, const void *y, void *rows)
{
    const covey_opt_cut *a = x, *b = y;
    const int64_t off_a = imbalance(a, *(int64_t *)rows), off_b = imbalance(b, *(int64_t *)rows);

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (off_a != off_b)
        return off_a < off_b ? -1 : 1;
    if (a->axis != b->axis)
        return a->axis < b->axis ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

void covey_i_opt_sort_cuts(covey_opt_cut *cut, uint32_t n, int64_t rows)
{
    qsort_r(cut, n, sizeof *cut, compare_cuts, &rows);
}

/* What covey_i_opt_apply works with. */
struct applying {
    covey_opt_worker *w;
    const covey_opt_tree *tree;
    size_t at;
    uint32_t *class_of_item, n_classes;
    covey_regions *regions;
    uint32_t *low, *high; /* [d] edges of the box */
    int64_t n_suppressed;
    covey_opt_units cost;
};

/* The codes between the edges of the box are the region of the next class. */
static covey_status add_region(struct applying *t, covey_error *err)
{
    const size_t d = t->w->g->d;
    const uint32_t n = t->n_classes;

    if ((n & (n + 1)) == 0) { /* room for 2 n + 1 */
        uint32_t *low = covey_i_realloc(t->regions->low, (2 * (size_t)n + 1) * d, sizeof *low), *high;

        if (!low)
            return covey_fail(err, COVEY_ENOMEM, "regions");
        t->regions->low = low;
        if (!(high = covey_i_realloc(t->regions->high, (2 * (size_t)n + 1) * d, sizeof *high)))
            return covey_fail(err, COVEY_ENOMEM, "regions");
        t->regions->high = high;
    }
    for (size_t a = 0; a < d; a++) {
        const covey_opt_axis *axis = &t->w->g->axis[a];

        t->regions->low[n * d + a] = t->low[a] ? axis->splits->n_left[t->low[a] - 1] : 0;
        t->regions->high[n * d + a] = (t->high[a] < axis->n_cells ? axis->splits->n_left[t->high[a] - 1] : axis->axis->n_values) - 1;
    }
    return COVEY_OK;
}

static covey_status apply_leaf(struct applying *t, const covey_opt_block *block, covey_error *err)
{
    covey_opt_verdict verdict = COVEY_OPT_ADMITTED;

    if (block->n == 0)
        return COVEY_OK;
    t->cost += covey_i_opt_leaf(&t->w->judge, block, &verdict);
    if (t->cost > COVEY_OPT_INFINITE)
        t->cost = COVEY_OPT_INFINITE;
    for (uint32_t i = 0; t->class_of_item && i < block->n_items; i++)
        t->class_of_item[block->item[i]] = verdict == COVEY_OPT_ADMITTED ? t->n_classes : COVEY_CLASS_SUPPRESSED;
    if (verdict != COVEY_OPT_ADMITTED) {
        t->n_suppressed += block->n;
        return COVEY_OK;
    }
    if (t->regions)
        COVEY_TRY(add_region(t, err));
    t->n_classes++;
    return COVEY_OK;
}

static covey_status apply(struct applying *t, const covey_opt_block *block, covey_error *err)
{
    covey_opt_worker *w = t->w;
    const uint32_t node = t->at < t->tree->n ? t->tree->node[t->at++] : COVEY_OPT_LEAF, axis = node >> 16, edge = (node & 0xffff) + 1;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_opt_block left, right;
    uint32_t kept;
    covey_status status;

    if (node == COVEY_OPT_LEAF)
        return apply_leaf(t, block, err);
    if (!covey_i_opt_divide(&left, &right, w, block, axis, edge - 1))
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    kept = t->high[axis];
    t->high[axis] = edge;
    status = apply(t, &left, err);
    t->high[axis] = kept;
    kept = t->low[axis];
    t->low[axis] = edge;
    if (status == COVEY_OK)
        status = apply(t, &right, err);
    t->low[axis] = kept;
    covey_arena_rewind(&w->arena, mark);
    return status;
}

covey_status covey_i_opt_apply(covey_opt_applied *out, uint32_t *class_of_row, covey_regions *regions, covey_opt_worker *w, const covey_opt_tree *tree,
                               covey_error *err)
{
    const covey_opt_grid *g = w->g;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    struct applying t = {.w = w, .tree = tree, .regions = regions};
    covey_opt_block root;
    covey_status status;

    t.low = covey_arena_array_zero(&w->arena, uint32_t, g->d);
    t.high = covey_arena_array_zero(&w->arena, uint32_t, g->d);
    if (class_of_row)
        t.class_of_item = covey_arena_array(&w->arena, uint32_t, g->n_items);
    if (!t.low || !t.high || (class_of_row && !t.class_of_item))
        return covey_fail(err, COVEY_ENOMEM, "classes");
    for (size_t a = 0; a < g->d; a++)
        t.high[a] = g->axis[a].n_cells;
    if ((status = covey_i_opt_root(&root, w, err)) != COVEY_OK || (status = apply(&t, &root, err)) != COVEY_OK)
        goto done;
    *out = (covey_opt_applied){t.cost, t.n_classes, t.n_suppressed};
    for (uint32_t r = 0; class_of_row && r < g->problem->n_rows; r++)
        class_of_row[r] = g->item_of_row[r] == UINT32_MAX ? COVEY_CLASS_SUPPRESSED : t.class_of_item[g->item_of_row[r]];
done:
    covey_arena_rewind(&w->arena, mark);
    return status;
}
