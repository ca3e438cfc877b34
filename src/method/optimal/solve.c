/* Depth-first branch and bound on blocks.  Blocks are independent, so the best partitioning of a block is that of its
 * best cut's sides; what is known of a block (bounds, or the optimum) is kept by its tight box.  See
 * docs/design/optimal-partition.md.
 *
 * A call is given a budget.  It answers with the optimum if that is below the budget; otherwise with some lower bound
 * that is not: proving "not below" is cheaper than finding the optimum. */
#include "method/optimal/optimal.h"

#include <string.h>

#include "base/error.h"

/* MOST_FAILURES: a block whose budget was too small that often is solved for good, or many small raises of the budget
 * would each go through it again; if it has few cells, for others a proof that the budget does not do is much cheaper.
 */
enum { MOST_FAILURES = 3, FEW_CELLS = 500, MANY_CELLS = 1000 };

static covey_optimal_units out_of_memory(covey_optimal_worker *w)
{
    w->stopped = w->is_full = true;
    return COVEY_OPT_INFINITE;
}

/* Smaller blocks are not cut, or as quickly as they are looked up. */
static bool is_kept(const covey_optimal_grid *g, const covey_optimal_block *block)
{
    return block->n >= (g->by_size ? 3 * g->k : g->least_cut);
}

/* The tightest lower bound that is known without searching. */
static covey_optimal_units quick_bound(covey_optimal_worker *w, const covey_optimal_block *block)
{
    covey_optimal_units bound = covey_i_optimal_block_bound(w->g, block);
    covey_optimal_known known;

    if (block->count && block->ahead > bound)
        bound = block->ahead;
    if (!is_kept(w->g, block) || !covey_i_optimal_recall(&known, w, block))
        return bound;
    return known.lower > bound ? known.lower : bound;
}

/* Are both sides of all cuts classes, and costs known from their sizes? */
static bool is_pair(const covey_optimal_grid *g, const covey_optimal_block *block)
{
    return g->by_size && block->n < 3 * g->k;
}

/* Both sides of a cut within a limit: the sum if that is below it, else a lower bound that is not.  The smaller side
 * goes first: it is cheap, and may show that the other need not be looked at. */
static covey_optimal_units solve_sides(covey_optimal_worker *w, const covey_optimal_block *left,
                                       const covey_optimal_block *right, covey_optimal_units limit)
{
    const covey_optimal_block *small = left->n < right->n ? left : right, *large = small == left ? right : left;
    covey_optimal_units large_bound, small_bound, first;

    if (small->count && small->ahead + large->ahead >= limit)
        return small->ahead + large->ahead;
    large_bound = quick_bound(w, large);
    small_bound = quick_bound(w, small);
    if (large_bound + small_bound >= limit)
        return large_bound + small_bound;
    first = covey_i_optimal_solve(w, small, limit - large_bound);
    if (w->stopped || first + large_bound >= limit)
        return first + large_bound;
    return first + covey_i_optimal_solve(w, large, limit - first);
}

/* A search that ends here has found something all the same. */
static covey_optimal_units keep_unfinished(covey_optimal_worker *w, const covey_optimal_block *block,
                                           covey_optimal_units best, uint32_t cut, const covey_optimal_known *old)
{
    if (cut != COVEY_OPT_LEAF && !w->is_full)
        covey_i_optimal_remember(
            w, block,
            (covey_optimal_known){.lower = old->lower, .upper = best, .cut = cut, .n_failures = old->n_failures});
    return COVEY_OPT_INFINITE;
}

/* Tries the cuts of a block one by one. */
static covey_optimal_units try_cuts(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_units leaf,
                                    covey_optimal_units upper, const covey_optimal_known *old)
{
    covey_optimal_units best = leaf, limit = leaf < upper ? leaf : upper, least = COVEY_OPT_INFINITE;
    covey_optimal_known known = {.cut = COVEY_OPT_LEAF, .n_failures = old->n_failures};
    covey_arena_mark mark;
    uint32_t n;
    covey_optimal_cut *cut;

    /* In a small block few cuts are left and what is known of their sides hardly helps: it is not worth the boxes. */
    if (block->count && block->heavy == 0 && block->n_items < MANY_CELLS)
        cut = covey_i_optimal_cuts_by_size(&n, &least, w, block, limit);
    else
        cut = covey_i_optimal_cuts_below(&n, &least, w, block, limit);
    if (!cut)
        return out_of_memory(w);
    covey_i_optimal_sort_cuts(cut, n, block->n);
    mark = covey_arena_save(&w->arena);
    for (uint32_t i = 0; i < n; i++) {
        covey_optimal_block left, right;
        covey_optimal_units sum;

        if (cut[i].rank >= limit) {
            least = cut[i].rank < least ? cut[i].rank : least;
            break; /* so are all behind it */
        }
        if (!(block->count ? covey_i_optimal_divide_counted(&left, &right, w, block, &cut[i])
                           : covey_i_optimal_divide(&left, &right, w, block, cut[i].axis, cut[i].cell)))
            return out_of_memory(w);
        sum = solve_sides(w, &left, &right, limit);
        covey_arena_rewind(&w->arena, mark);
        if (w->stopped)
            return keep_unfinished(w, block, best, known.cut, old);
        if (sum >= limit) { /* may hold a mere bound: it must not become the best */
            least = sum < least ? sum : least;
            continue;
        }
        best = limit = sum;
        known.cut = cut[i].axis << 16 | cut[i].cell;
    }
    if (best < upper) {
        known.lower = known.upper = best;
    } else {
        best = least < best ? least : best;
        known.lower = best > old->lower ? best : old->lower;
        known.upper = COVEY_OPT_INFINITE;
        known.n_failures++;
        best = known.lower;
    }
    covey_i_optimal_remember(w, block, known);
    return best;
}

/* The block, counted if its sizes say all. */
static covey_optimal_units solve_counted(covey_optimal_worker *w, const covey_optimal_block *block,
                                         covey_optimal_units upper);

covey_optimal_units covey_i_optimal_solve(covey_optimal_worker *w, const covey_optimal_block *block,
                                          covey_optimal_units upper)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_block counted = *block;
    covey_optimal_units value;

    if (!w->g->by_size || block->count || block->n == 0)
        return solve_counted(w, block, upper);
    value = covey_i_optimal_count_block(&counted, w) ? solve_counted(w, &counted, upper) : out_of_memory(w);
    covey_arena_rewind(&w->arena, mark);
    return value;
}

static covey_optimal_units solve_counted(covey_optimal_worker *w, const covey_optimal_block *block,
                                         covey_optimal_units upper)
{
    const covey_optimal_grid *g = w->g;
    covey_optimal_known old = {.lower = -COVEY_OPT_INFINITE, .upper = COVEY_OPT_INFINITE};
    covey_optimal_verdict verdict;
    covey_optimal_units leaf, bound, value;
    covey_arena_mark mark;

    if (block->n == 0)
        return 0;
    if (is_pair(g, block) && block->n >= g->k)
        return block->ahead;
    if (!covey_i_optimal_goes_on(w))
        return COVEY_OPT_INFINITE;
    if (is_kept(g, block) && covey_i_optimal_recall(&old, w, block) && (old.lower >= old.upper || old.lower >= upper))
        return old.lower;
    bound = covey_i_optimal_block_bound(g, block);
    if (block->count && block->ahead > bound)
        bound = block->ahead;
    if (bound >= upper)
        return bound;
    leaf = covey_i_optimal_leaf(&w->judge, block, &verdict);
    if (verdict == COVEY_OPT_FAILS_WHOLLY || block->n < g->least_cut ||
        (!g->options->suppress && verdict == COVEY_OPT_FAILS_TOGETHER)) {
        if (is_kept(g, block))
            covey_i_optimal_remember(w, block,
                                     (covey_optimal_known){.lower = leaf, .upper = leaf, .cut = COVEY_OPT_LEAF});
        return leaf;
    }
    mark = covey_arena_save(&w->arena);
    old.lower = bound > old.lower ? bound : old.lower;
    w->depth++;
    value = try_cuts(w, block, leaf,
                     old.n_failures >= MOST_FAILURES && block->n_items <= FEW_CELLS ? COVEY_OPT_INFINITE : upper, &old);
    w->depth--;
    covey_arena_rewind(&w->arena, mark);
    return value;
}

/* The canonical tree of a block whose optimum is `value`. */
static covey_status add_canonical(covey_optimal_tree *tree, covey_optimal_worker *w, const covey_optimal_block *block,
                                  covey_optimal_units value, covey_error *err)
{
    covey_optimal_hunt *hunt = w->hunt;
    covey_arena_mark mark;
    covey_optimal_verdict verdict;
    covey_optimal_cut *cut;
    uint32_t n;

    if (block->n == 0 || covey_i_optimal_leaf(&w->judge, block, &verdict) == value)
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    w->hunt = NULL; /* bounds that do not depend on what was searched */
    cut = covey_i_optimal_cuts(&n, w, block);
    w->hunt = hunt;
    if (!cut)
        return covey_i_no_memory(err);
    covey_i_optimal_sort_cuts(cut, n, block->n);
    mark = covey_arena_save(&w->arena);
    for (uint32_t i = 0; i < n && !w->stopped; i++) {
        covey_optimal_block left, right;

        if (cut[i].rank > value)
            break;
        if (!covey_i_optimal_divide(&left, &right, w, block, cut[i].axis, cut[i].cell))
            return covey_i_no_memory(err);
        if (solve_sides(w, &left, &right, value + 1) == value && !w->stopped) {
            const covey_optimal_units one = covey_i_optimal_solve(w, &left, COVEY_OPT_INFINITE);

            COVEY_TRY(covey_i_optimal_tree_add(tree, cut[i].axis << 16 | cut[i].cell, err));
            COVEY_TRY(add_canonical(tree, w, &left, one, err));
            return add_canonical(tree, w, &right, value - one, err);
        }
        covey_arena_rewind(&w->arena, mark);
    }
    if (w->is_full)
        return covey_i_no_memory(err);
    w->stopped = true; /* only a limit leads here */
    return COVEY_OK;
}

covey_status covey_i_optimal_canonical(covey_optimal_tree *tree, covey_optimal_worker *w,
                                       const covey_optimal_block *block, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    const covey_optimal_units value = covey_i_optimal_solve(w, block, COVEY_OPT_INFINITE);
    covey_status status = COVEY_OK;

    tree->n = 0;
    if (w->is_full)
        status = covey_i_no_memory(err);
    else if (!w->stopped)
        status = add_canonical(tree, w, block, value, err);
    covey_arena_rewind(&w->arena, mark);
    return status;
}

covey_status covey_i_optimal_extract(covey_optimal_tree *tree, covey_optimal_units *cost, covey_optimal_worker *w,
                                     const covey_optimal_block *block, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known;
    covey_optimal_block left, right;
    covey_optimal_verdict verdict;
    covey_status status;
    bool is_known;

    if (block->n == 0)
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    is_known = covey_i_optimal_recall(&known, w, block);
    if (!is_known && is_pair(w->g, block)) { /* of these nothing is kept */
        covey_optimal_cut cut;

        known = (covey_optimal_known){.cut = COVEY_OPT_LEAF, .upper = 0};
        is_known = true;
        if (covey_i_optimal_best_pair(&cut, w, block))
            known.cut = cut.axis << 16 | cut.cell;
        else if (w->is_full)
            return covey_i_no_memory(err);
    }
    if (!is_known && is_kept(w->g, block) && !w->stopped) { /* it had to go: find it again */
        covey_i_optimal_beam(w, block, &(covey_optimal_effort){.width = 1});
        if (w->is_full)
            return covey_i_no_memory(err);
        is_known = covey_i_optimal_recall(&known, w, block);
    }
    if (!is_known || known.cut == COVEY_OPT_LEAF || known.upper >= COVEY_OPT_INFINITE) {
        *cost += covey_i_optimal_leaf(&w->judge, block, &verdict);
        *cost = *cost < COVEY_OPT_INFINITE ? *cost : COVEY_OPT_INFINITE;
        return covey_i_optimal_tree_add(tree, COVEY_OPT_LEAF, err);
    }
    COVEY_TRY(covey_i_optimal_tree_add(tree, known.cut, err));
    if (!covey_i_optimal_divide(&left, &right, w, block, known.cut >> 16, known.cut & 0xffff))
        return covey_i_no_memory(err);
    if ((status = covey_i_optimal_extract(tree, cost, w, &left, err)) == COVEY_OK)
        status = covey_i_optimal_extract(tree, cost, w, &right, err);
    covey_arena_rewind(&w->arena, mark);
    return status;
}

enum { OFFER_NODES = 20000 };

covey_status covey_i_optimal_offer_found(covey_optimal_worker *w, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_tree tree = {0};
    covey_optimal_units cost = 0;
    covey_status status = covey_i_optimal_extract(&tree, &cost, w, w->whole, err);

    if (status == COVEY_OK)
        status = covey_i_optimal_offer(w->hunt, &tree, cost, err);
    w->next_offer = w->n_nodes + OFFER_NODES;
    covey_arena_rewind(&w->arena, mark);
    covey_i_optimal_tree_clear(&tree);
    return status;
}
