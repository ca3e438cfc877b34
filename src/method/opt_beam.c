/* Good partitionings fast.  The beam follows, in each block, the few cuts whose sides' bounds add up to least; small blocks are solved
 * exactly where that takes no time.  The neighbourhood search then solves parts of the best partitioning exactly.  See
 * docs/design/optimal-partition.md. */
#include "method/opt_impl.h"

/* SMALL: blocks of up to so many k rows are tried exactly first, with so many nodes. */
enum { SMALL = 10, SMALL_NODES = 300, MOST_DEPTH = 8000, RANKED = 24 };

static void keep(covey_opt_worker *w, const covey_opt_block *block, covey_opt_known known)
{
    covey_i_opt_key(w->key, w->g, block->tight, block->low, block->high);
    known.n = (uint32_t)block->n;
    covey_i_opt_cache_put(w->hunt->cache, w->key, &known);
}

static bool look(covey_opt_known *known, covey_opt_worker *w, const covey_opt_block *block)
{
    covey_i_opt_key(w->key, w->g, block->tight, block->low, block->high);
    return covey_i_opt_cache_get(known, w->hunt->cache, w->key);
}

/* Solves a block if that takes few nodes: with budgets from its bound upwards. */
static bool solve_quickly(covey_opt_units *value, covey_opt_worker *w, const covey_opt_block *block, covey_opt_units upper, int64_t nodes)
{
    const int64_t end = w->node_end;
    covey_opt_units budget = covey_i_opt_block_bound(w->g, block), v = COVEY_OPT_INFINITE;
    bool solved = false;

    if (upper >= COVEY_OPT_INFINITE)
        budget = COVEY_OPT_INFINITE;
    if (end == 0 || end > w->n_nodes + nodes)
        w->node_end = w->n_nodes + nodes;
    while (!solved && !w->stopped) {
        const covey_opt_units step = (upper - budget) / 8;

        v = covey_i_opt_solve(w, block, budget + 1 < upper ? budget + 1 : upper);
        solved = !w->stopped && (v <= budget || v >= upper || budget + 1 >= upper);
        budget = v + step + 1;
    }
    w->node_end = end;
    if (w->ran_out && !w->is_full && (end == 0 || w->n_nodes < end) && !atomic_load(&w->hunt->stop))
        w->stopped = w->ran_out = false;
    *value = v;
    return solved && v < upper;
}

/* Where bounds say little, cuts are ranked by what both sides cost as classes. */
static bool rank_by_leaves(covey_opt_cut *cut, uint32_t *n, covey_opt_worker *w, const covey_opt_block *block)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);

    for (uint32_t i = 0; i < *n; i++) {
        covey_opt_block left, right;
        covey_opt_verdict verdict;

        if (!covey_i_opt_divide(&left, &right, w, block, cut[i].axis, cut[i].cell))
            return false;
        cut[i].rank = 0;
        if (left.n > 0)
            cut[i].rank += covey_i_opt_leaf(&w->judge, &left, &verdict);
        if (right.n > 0 && cut[i].rank < COVEY_OPT_INFINITE)
            cut[i].rank += covey_i_opt_leaf(&w->judge, &right, &verdict);
        covey_arena_rewind(&w->arena, mark);
    }
    return true;
}

static covey_opt_units out_of_memory(covey_opt_worker *w)
{
    w->stopped = w->is_full = true;
    return COVEY_OPT_INFINITE;
}

/* The best of the first `width` cuts. */
static covey_opt_units try_best(covey_opt_worker *w, const covey_opt_block *block, covey_opt_units leaf, covey_opt_units bound, uint32_t width)
{
    covey_opt_known known = {.lower = bound, .upper = leaf, .cut = COVEY_OPT_LEAF, .width = (uint16_t)width};
    covey_arena_mark mark;
    uint32_t n, n_tried = 0;
    covey_opt_cut *cut = covey_i_opt_cuts(&n, w, block);

    if (!cut || (w->g->is_additive && !rank_by_leaves(cut, &n, w, block)))
        return out_of_memory(w);
    covey_i_opt_sort_cuts(cut, n, block->n);
    mark = covey_arena_save(&w->arena);
    for (uint32_t i = 0; i < n && n_tried < width; i++) {
        covey_opt_block left, right;
        covey_opt_units sum;

        if (cut[i].left + cut[i].right >= known.upper)
            continue;
        n_tried++;
        if (!covey_i_opt_divide(&left, &right, w, block, cut[i].axis, cut[i].cell))
            return out_of_memory(w);
        sum = covey_i_opt_beam(w, &left, width);
        if (!w->stopped && sum + cut[i].right < known.upper)
            sum += covey_i_opt_beam(w, &right, width);
        else
            sum = COVEY_OPT_INFINITE;
        covey_arena_rewind(&w->arena, mark);
        if (w->stopped)
            return COVEY_OPT_INFINITE;
        if (sum < known.upper) {
            known.upper = sum;
            known.cut = cut[i].axis << 16 | cut[i].cell;
        }
    }
    keep(w, block, known);
    return known.upper;
}

covey_opt_units covey_i_opt_beam(covey_opt_worker *w, const covey_opt_block *block, uint32_t width)
{
    const covey_opt_grid *g = w->g;
    covey_opt_known known = {.upper = COVEY_OPT_INFINITE};
    covey_opt_verdict verdict;
    covey_opt_units leaf, value;
    covey_arena_mark mark;
    bool is_known;

    if (block->n == 0)
        return 0;
    if (w->stopped || w->depth > MOST_DEPTH)
        return COVEY_OPT_INFINITE;
    if (++w->n_nodes % 64 == 0) {
        atomic_fetch_add(&w->hunt->n_nodes, 64);
        w->stopped = covey_i_opt_is_over(w->hunt, w->is_first);
    }
    if (w->node_end > 0 && w->n_nodes >= w->node_end)
        w->stopped = w->ran_out = true;
    is_known = look(&known, w, block);
    if (is_known && (known.lower >= known.upper || known.width >= width))
        return known.upper;
    leaf = covey_i_opt_leaf(&w->judge, block, &verdict);
    if (verdict == COVEY_OPT_FAILS_WHOLLY || block->n < g->least_cut ||
        (!g->options->suppress && verdict == COVEY_OPT_FAILS_TOGETHER))
        return leaf;
    mark = covey_arena_save(&w->arena);
    if (block->n < SMALL * g->k && solve_quickly(&value, w, block, known.upper < leaf ? known.upper : leaf, SMALL_NODES)) {
        covey_arena_rewind(&w->arena, mark);
        return value;
    }
    if (w->stopped)
        return COVEY_OPT_INFINITE;
    w->depth++;
    value = try_best(w, block, leaf, covey_i_opt_block_bound(g, block), width);
    w->depth--;
    covey_arena_rewind(&w->arena, mark);
    return is_known && known.upper < value ? known.upper : value;
}

covey_opt_units covey_i_opt_improve(covey_opt_worker *w, const covey_opt_block *block, int64_t most_rows, int64_t nodes)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_opt_known known;
    covey_opt_block left, right;
    covey_opt_units value;

    if (block->n == 0)
        return 0;
    if (!look(&known, w, block))
        return covey_i_opt_beam(w, block, 1);
    if (w->stopped || known.lower >= known.upper)
        return known.upper;
    if (block->n <= most_rows && solve_quickly(&value, w, block, known.upper, nodes)) {
        covey_arena_rewind(&w->arena, mark);
        return value;
    }
    covey_arena_rewind(&w->arena, mark);
    if (known.cut == COVEY_OPT_LEAF || w->stopped)
        return known.upper;
    if (!covey_i_opt_divide(&left, &right, w, block, known.cut >> 16, known.cut & 0xffff))
        return out_of_memory(w);
    value = covey_i_opt_improve(w, &left, most_rows, nodes);
    value += covey_i_opt_improve(w, &right, most_rows, nodes);
    covey_arena_rewind(&w->arena, mark);
    if (!w->stopped && value < known.upper) {
        known.upper = value;
        keep(w, block, known);
    }
    return value < known.upper ? value : known.upper;
}
