/* Good partitionings fast.  The beam follows, in each block, the few cuts whose sides' bounds add up to least; small
 * blocks are solved exactly where that takes no time.  The neighbourhood search then solves parts of the best
 * partitioning exactly.  See docs/design/optimal-partition.md. */
#include "method/optimal/optimal.h"

#include <math.h>

/* TINY: blocks of fewer classes than that are solved at once, even where classes are counted. */
enum { MOST_DEPTH = 8000, TINY = 8 };

/* ---- What blocks will cost in the end ----
 *
 * Bounds know sizes alone, so they rate a cut into 10.1 k and 10.1 k rows as high as one into 10.6 k and 9.6 k.  But
 * the first two blocks will hardly be cut into ten classes each, with so few rows to spare; the second two may.  How
 * much more than its bound a block of some size costs is much the same all over a table, so it is learned from those
 * that are solved. */

/* Sizes that are alike: by eighths of k, and where there are many classes, by quarters of the size. */
static uint32_t size_kind(const covey_optimal_grid *g, int64_t n)
{
    const int64_t q = n / g->k;
    uint32_t i = COVEY_OPT_FINE_KINDS;

    if (q < COVEY_OPT_FINE_KINDS / 8)
        return (uint32_t)(q * 8 + n % g->k * 8 / g->k);
    for (int64_t most = COVEY_OPT_FINE_KINDS / 8; most <= q && i + 1 < COVEY_OPT_SIZE_KINDS; most += most / 4)
        i++;
    return i;
}

static void learn(covey_optimal_worker *w, int64_t n, covey_optimal_units value)
{
    enum { MEMORY = 50 }; /* later blocks count as much as so many */
    const covey_optimal_units bound = covey_i_optimal_bound(w->g, n, 0, 0);
    const uint32_t i = size_kind(w->g, n);

    if (bound == 0 || value >= COVEY_OPT_INFINITE)
        return;
    w->guess.n[i] += w->guess.n[i] < MEMORY;
    w->guess.mean[i] += ((double)value / (double)bound - w->guess.mean[i]) / w->guess.n[i];
}

static covey_optimal_units guess(const covey_optimal_worker *w, int64_t n, covey_optimal_units lower,
                                 covey_optimal_units upper)
{
    const covey_optimal_grid *g = w->g;
    const uint32_t i = size_kind(g, n);
    const double q = (double)(n / g->k);
    covey_optimal_units value;

    if (lower >= upper || n < g->least_cut || n == 0)
        return lower;
    value = covey_i_optimal_bound(g, n, 0, 0);
    value = (covey_optimal_units)((double)value * (w->guess.n[i] ? w->guess.mean[i]
                                                   : q >= 4      ? q / floor((double)n / (double)g->k - 0.5)
                                                                 : 1));
    value = value > lower ? value : lower;
    return value < upper ? value : upper;
}

/* What the right side of a cut may come to with luck: half-way between its bound and what is to be expected. */
static covey_optimal_units likely(const covey_optimal_worker *w, int64_t n, const covey_optimal_cut *cut)
{
    if (w->g->is_additive || cut->right >= COVEY_OPT_INFINITE)
        return cut->right;
    return cut->right + (guess(w, n, cut->right, cut->right_upper) - cut->right) / 2;
}

/* ---- The search ---- */

/* Solves a block if that takes few nodes: with budgets from its bound upwards.  Keeps what it finds on the way. */
static bool solve_quickly(covey_optimal_units *value, covey_optimal_worker *w, const covey_optimal_block *block,
                          covey_optimal_units upper, int64_t nodes)
{
    const int64_t end = covey_i_optimal_give_nodes(w, nodes);
    covey_optimal_known known = {.lower = -COVEY_OPT_INFINITE};
    covey_optimal_units bound = covey_i_optimal_block_bound(w->g, block), step, v = COVEY_OPT_INFINITE;
    bool solved = false;

    if (covey_i_optimal_recall(&known, w, block) && known.lower > bound)
        bound = known.lower;
    step = upper >= COVEY_OPT_INFINITE ? COVEY_OPT_INFINITE - bound : (upper - bound) / 50 + 1;
    while (!solved && !w->stopped) {
        const covey_optimal_units budget = bound + step < upper ? bound + step : upper;

        v = covey_i_optimal_solve(w, block, budget);
        solved = !w->stopped && (v < budget || budget >= upper);
        bound = v;
        step += step / 2;
    }
    covey_i_optimal_take_back(w, end);
    *value = v;
    if (solved)
        learn(w, block->n, v);
    return solved && v < upper;
}

/* Counts the classes that a block can have, as far as that takes few nodes; false if that gives no partitioning. */
static bool count_quickly(covey_optimal_known *known, covey_optimal_worker *w, const covey_optimal_block *block,
                          const covey_optimal_effort *effort)
{
    if (!w->counter || block->n >= effort->counted || block->n < 3 * w->g->k)
        return false;
    covey_i_optimal_count_down(w, block, effort->count_nodes);
    return covey_i_optimal_recall(known, w, block) && known->upper < COVEY_OPT_INFINITE;
}

/* Where bounds say little, cuts are ranked by what both sides cost as classes. */
static bool rank_by_leaves(covey_optimal_cut *cut, uint32_t n, covey_optimal_worker *w,
                           const covey_optimal_block *block)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);

    for (uint32_t i = 0; i < n; i++) {
        covey_optimal_block left, right;
        covey_optimal_verdict verdict;

        if (!covey_i_optimal_divide(&left, &right, w, block, cut[i].axis, cut[i].cell))
            return false;
        cut[i].rank = 0;
        if (left.n > 0)
            cut[i].rank += covey_i_optimal_leaf(&w->judge, &left, &verdict);
        if (right.n > 0 && cut[i].rank < COVEY_OPT_INFINITE)
            cut[i].rank += covey_i_optimal_leaf(&w->judge, &right, &verdict);
        covey_arena_rewind(&w->arena, mark);
    }
    return true;
}

/* Cuts that could lead below `upper`, the most promising first; NULL: no memory. */
static covey_optimal_cut *promising_cuts(uint32_t *n, covey_optimal_worker *w, const covey_optimal_block *block,
                                         covey_optimal_units upper, const covey_optimal_effort *effort)
{
    covey_optimal_units least = COVEY_OPT_INFINITE;
    covey_optimal_cut *cut = covey_i_optimal_cuts_below(n, &least, w, block, upper);

    if (!cut || (w->g->is_additive && !rank_by_leaves(cut, *n, w, block)))
        return NULL;
    for (uint32_t i = 0; !w->g->is_additive && i < *n && block->n < effort->guessed; i++)
        cut[i].rank = guess(w, cut[i].n_left, cut[i].left, cut[i].left_upper) +
                      guess(w, block->n - cut[i].n_left, cut[i].right, cut[i].right_upper);
    covey_i_optimal_sort_cuts(cut, *n, block->n);
    return cut;
}

/* A partitioning that starts with another cut and costs less than NEAR times the best one deserves the same care before
 * it is dropped: what a beam finds at once never gets below what has been improved for long. */
static const double NEAR = 1.03;

/* Whether a side of a cut breaks a promise that no cutting of it would keep: a look at the side itself says so, no
 * search is needed. */
static bool is_lost(covey_optimal_worker *w, const covey_optimal_block *side)
{
    covey_optimal_verdict verdict;

    if (side->n == 0 || w->g->options->suppress)
        return false;
    covey_i_optimal_leaf(&w->judge, side, &verdict);
    return verdict == COVEY_OPT_FAILS_TOGETHER || verdict == COVEY_OPT_FAILS_WHOLLY;
}

/* Tries the first cuts of a block, each with the best that the beam finds on both sides; `known` takes what is better.
 * is_deep: sides are improved before a cut is dropped, trying half as many cuts in turn, so that this ends.
 * Cuts with a side that can never be published are none of them: bounds know sizes alone, and where a promise on the
 * sensitive values is what is scarce, all of the first ones may be such. */
static void try_cuts(covey_optimal_known *known, covey_optimal_worker *w, const covey_optimal_block *block,
                     uint32_t most_cuts, bool is_deep, const covey_optimal_effort *effort)
{
    covey_optimal_effort less = *effort;
    covey_arena_mark mark;
    uint32_t n, n_tried = 0;
    covey_optimal_cut *cut = promising_cuts(&n, w, block, known->upper, effort);

    if (!cut) {
        w->stopped = w->is_full = true;
        return;
    }
    if (w->counter)
        less.others /= 2;
    mark = covey_arena_save(&w->arena);
    for (uint32_t i = 0; i < n && n_tried < most_cuts && !w->stopped; i++) {
        covey_optimal_block left, right;
        covey_optimal_units sum;

        if (cut[i].left + cut[i].right >= known->upper)
            continue;
        if (!covey_i_optimal_divide(&left, &right, w, block, cut[i].axis, cut[i].cell)) {
            w->stopped = w->is_full = true;
            return;
        }
        if (!w->g->size_only && (is_lost(w, &left) || is_lost(w, &right))) {
            covey_arena_rewind(&w->arena, mark);
            continue;
        }
        n_tried++;
        sum = covey_i_optimal_beam(w, &left, effort);
        if (sum + likely(w, right.n, &cut[i]) < known->upper && !w->stopped)
            sum += covey_i_optimal_beam(w, &right, effort);
        else
            sum = COVEY_OPT_INFINITE;
        if (is_deep && sum >= known->upper && (double)sum < NEAR * (double)known->upper && !w->stopped)
            sum = covey_i_optimal_improve(w, &left, &less) + covey_i_optimal_improve(w, &right, &less);
        covey_arena_rewind(&w->arena, mark);
        if (sum < known->upper && !w->stopped) {
            known->upper = sum;
            known->cut = cut[i].axis << 16 | cut[i].cell;
        }
    }
}

/* Follows the best cuts of a block. */
static covey_optimal_units follow(covey_optimal_worker *w, const covey_optimal_block *block, covey_optimal_units leaf,
                                  const covey_optimal_effort *effort)
{
    covey_optimal_known known = {
        .lower = covey_i_optimal_block_bound(w->g, block), .upper = leaf, .cut = COVEY_OPT_LEAF};

    try_cuts(&known, w, block, block->n < effort->narrow || !w->g->size_only ? effort->width : 1, false, effort);
    if (w->stopped)
        return COVEY_OPT_INFINITE;
    known.level = effort->level;
    covey_i_optimal_remember(w, block, known);
    learn(w, block->n, known.upper);
    return known.upper;
}

/* Is there no class more to be had?  Then all that is left is to make classes more alike. */
static bool is_settled(const covey_optimal_worker *w, int64_t n, const covey_optimal_known *known)
{
    return w->counter && (double)(known->upper - known->lower) * 2 * (double)(n / w->g->k) < (double)known->lower;
}

covey_optimal_units covey_i_optimal_beam(covey_optimal_worker *w, const covey_optimal_block *block,
                                         const covey_optimal_effort *effort)
{
    const covey_optimal_grid *g = w->g;
    covey_optimal_known known = {.upper = COVEY_OPT_INFINITE};
    covey_optimal_verdict verdict;
    covey_optimal_units leaf, value;
    covey_arena_mark mark;
    bool is_known, is_counted;

    if (block->n == 0)
        return 0;
    if (w->stopped || w->depth > MOST_DEPTH)
        return COVEY_OPT_INFINITE;
    if (++w->n_nodes % 64 == 0) {
        atomic_fetch_add(&w->hunt->n_nodes, 64);
        w->stopped = covey_i_optimal_is_over(w->hunt, w->is_first);
    }
    if (w->node_end > 0 && w->n_nodes >= w->node_end)
        w->stopped = w->ran_out = true;
    is_known = covey_i_optimal_recall(&known, w, block);
    if (is_known && (known.lower >= known.upper || known.level >= effort->level))
        return known.upper;
    leaf = covey_i_optimal_leaf(&w->judge, block, &verdict);
    if (verdict == COVEY_OPT_FAILS_WHOLLY || block->n < g->least_cut ||
        (!g->options->suppress && verdict == COVEY_OPT_FAILS_TOGETHER))
        return leaf;
    mark = covey_arena_save(&w->arena);
    is_counted = count_quickly(&known, w, block, effort);
    if (block->n < (is_counted ? TINY * g->k : effort->small) && !w->stopped &&
        solve_quickly(&value, w, block, known.upper < leaf ? known.upper : leaf, effort->nodes)) {
        covey_arena_rewind(&w->arena, mark);
        return value;
    }
    covey_arena_rewind(&w->arena, mark);
    if (w->stopped)
        return COVEY_OPT_INFINITE;
    if (is_counted) {
        covey_i_optimal_recall(&known, w, block);
        known.level = effort->level;
        covey_i_optimal_remember(w, block, known);
        learn(w, block->n, known.upper);
        return known.upper;
    }
    w->depth++;
    value = follow(w, block, leaf, effort);
    w->depth--;
    covey_arena_rewind(&w->arena, mark);
    if (covey_i_optimal_recall(&known, w, block) &&
        known.upper < value) /* by another thread, or when the quick search ended half-way */
        value = known.upper;
    return value;
}

covey_optimal_units covey_i_optimal_improve(covey_optimal_worker *w, const covey_optimal_block *block,
                                            const covey_optimal_effort *effort)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_known known, other;
    covey_optimal_block left, right;
    covey_optimal_units value, before;

    if (block->n == 0)
        return 0;
    if (!covey_i_optimal_recall(&known, w, block)) /* one that is not cut, or that had to go */
        return covey_i_optimal_beam(w, block, effort);
    if (w->stopped || known.lower >= known.upper || known.cut == COVEY_OPT_LEAF)
        return known.upper;
    if (is_settled(w, block->n, &known) && (block->n >= effort->small || known.level >= effort->level))
        return known.upper;
    if (known.level < effort->level)
        count_quickly(&known, w, block, effort);
    if (block->n < effort->small && known.level < effort->level && !w->stopped) {
        if (solve_quickly(&value, w, block, known.upper, effort->nodes) || w->stopped ||
            !covey_i_optimal_recall(&known, w, block))
            return value;
        covey_arena_rewind(&w->arena, mark);
    }
    if (!covey_i_optimal_divide(&left, &right, w, block, known.cut >> 16, known.cut & 0xffff)) {
        w->stopped = w->is_full = true;
        return COVEY_OPT_INFINITE;
    }
    before = known.upper;
    value = covey_i_optimal_improve(w, &left, effort);
    value += covey_i_optimal_improve(w, &right, effort);
    covey_arena_rewind(&w->arena, mark);
    other = known;
    other.upper = value < known.upper ? value : known.upper;
    if (!w->stopped)
        try_cuts(&other, w, block, effort->others,
                 block->n == w->whole->n || (w->counter && block->n >= effort->counted), effort);
    other.level = w->stopped ? known.level : effort->level;
    if (!w->is_full) /* what was found counts, even if the search is over */
        covey_i_optimal_remember(w, block, other);
    if (other.upper < before && w->n_nodes >= w->next_offer && !w->stopped &&
        covey_i_optimal_offer_found(w, NULL) != COVEY_OK)
        w->stopped = w->is_full = true;
    covey_arena_rewind(&w->arena, mark);
    return other.upper;
}
