/* Mondrian on the splits: the widest attribute that can be cut is cut where its halves are most equal, as long as both
 * may be published. Every search starts from it.  Source: [LeFevre06]; ties as in docs/design/optimal-partition.md. */
#include "method/optimal/optimal.h"

#include <stdlib.h>

#include "base/error.h"

struct greedy {
    covey_optimal_worker *w;
    covey_optimal_tree *tree;
    covey_optimal_units cost;
};

/* Width of the block's rows relative to the domain, on an axis. */
static covey_fraction width_of(const covey_optimal_grid *g, const covey_optimal_block *block, size_t a)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (uint32_t i = 0; i < block->n_items; i++) {
        const size_t at = (size_t)block->item[i] * g->d + a;

        low = g->low[at] < low ? g->low[at] : low;
        high = g->high[at] > high ? g->high[at] : high;
    }
    return covey_i_axis_extent(g->axis[a].axis, low, high);
}

/* The axes by width, widest first. */
static bool order_axes(uint32_t **out, uint32_t *n, covey_optimal_worker *w, const covey_optimal_block *block)
{
    const covey_optimal_grid *g = w->g;
    uint32_t *axis = covey_arena_array(&w->arena, uint32_t, g->d);
    covey_fraction *width = covey_arena_array(&w->arena, covey_fraction, g->d);

    *n = 0;
    if (!axis || !width)
        return false;
    for (uint32_t a = 0; a < g->d; a++) {
        uint32_t j = *n;

        width[a] = width_of(g, block, a);
        if (width[a].num == 0)
            continue;
        for (; j > 0 && covey_i_fraction_compare(width[axis[j - 1]], width[a]) < 0; j--)
            axis[j] = axis[j - 1];
        axis[j] = a;
        ++*n;
    }
    *out = axis;
    return true;
}

/* The most balanced cut of an axis; ties to the smaller threshold. */
static const covey_optimal_cut *most_balanced(const covey_optimal_cut *cut, uint32_t n, uint32_t axis, int64_t rows)
{
    const covey_optimal_cut *best = NULL;

    for (uint32_t i = 0; i < n; i++)
        if (cut[i].axis == axis && cut[i].n_left > 0 && cut[i].n_left < rows &&
            (!best || llabs(2 * cut[i].n_left - rows) < llabs(2 * best->n_left - rows)))
            best = &cut[i];
    return best;
}

static covey_status grow(struct greedy *m, const covey_optimal_block *block, covey_optimal_units leaf,
                         covey_error *err);

/* Cuts the block if both sides are admitted. */
static covey_status try_cut(bool *done, struct greedy *m, const covey_optimal_block *block,
                            const covey_optimal_cut *cut, covey_error *err)
{
    covey_optimal_worker *w = m->w;
    covey_optimal_block left, right;
    covey_optimal_verdict verdict;
    covey_optimal_units cost_left, cost_right;

    if (!covey_i_optimal_divide(&left, &right, w, block, cut->axis, cut->cell))
        return covey_i_no_memory(err);
    cost_left = covey_i_optimal_leaf(&w->judge, &left, &verdict);
    if (verdict != COVEY_OPT_ADMITTED)
        return COVEY_OK;
    cost_right = covey_i_optimal_leaf(&w->judge, &right, &verdict);
    if (verdict != COVEY_OPT_ADMITTED)
        return COVEY_OK;
    *done = true;
    COVEY_TRY(covey_i_optimal_tree_add(m->tree, cut->axis << 16 | cut->cell, err));
    COVEY_TRY(grow(m, &left, cost_left, err));
    return grow(m, &right, cost_right, err);
}

static covey_status grow(struct greedy *m, const covey_optimal_block *block, covey_optimal_units leaf, covey_error *err)
{
    covey_optimal_worker *w = m->w;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    uint32_t n_cuts, n_axes, *axis;
    const covey_optimal_cut *cut;
    bool done = false;
    covey_status status = COVEY_OK;

    if (!(cut = covey_i_optimal_cuts(&n_cuts, w, block)) || !order_axes(&axis, &n_axes, w, block))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_axes && !done && status == COVEY_OK; i++) {
        const covey_optimal_cut *one = most_balanced(cut, n_cuts, axis[i], block->n);

        if (one)
            status = try_cut(&done, m, block, one, err);
    }
    covey_arena_rewind(&w->arena, mark);
    if (status == COVEY_OK && !done) {
        m->cost = m->cost + leaf < COVEY_OPT_INFINITE ? m->cost + leaf : COVEY_OPT_INFINITE;
        status = covey_i_optimal_tree_add(m->tree, COVEY_OPT_LEAF, err);
    }
    return status;
}

covey_status covey_i_optimal_greedy(covey_optimal_tree *tree, covey_optimal_units *cost, covey_optimal_worker *w,
                                    const covey_optimal_block *root, covey_error *err)
{
    struct greedy m = {.w = w, .tree = tree};
    covey_optimal_verdict verdict;
    const covey_optimal_units leaf = covey_i_optimal_leaf(&w->judge, root, &verdict);

    tree->n = 0;
    COVEY_TRY(grow(&m, root, leaf, err));
    *cost = m.cost;
    return COVEY_OK;
}
