/* Partitionings as cuts in pre-order, and what they come to when they are applied to the rows. */
#include "method/optimal/optimal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

covey_status covey_i_optimal_tree_add(covey_optimal_tree *tree, uint32_t node, covey_error *err)
{
    if (tree->n == tree->capacity) {
        const size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
        uint32_t *grown = covey_i_realloc(tree->node, capacity, sizeof *grown);

        if (!grown)
            return covey_i_no_memory(err);
        tree->node = grown;
        tree->capacity = capacity;
    }
    tree->node[tree->n++] = node;
    return COVEY_OK;
}

covey_status covey_i_optimal_tree_copy(covey_optimal_tree *into, const covey_optimal_tree *from, covey_error *err)
{
    uint32_t *node;

    if (!(node = covey_i_array(from->n ? from->n : 1, sizeof *node)))
        return covey_i_no_memory(err);
    memcpy(node, from->node, from->n * sizeof *node);
    covey_i_free(into->node);
    *into = (covey_optimal_tree){node, from->n, from->n};
    return COVEY_OK;
}

void covey_i_optimal_tree_clear(covey_optimal_tree *tree)
{
    covey_i_free(tree->node);
    memset(tree, 0, sizeof *tree);
}

/* What covey_i_optimal_apply works with. */
struct applying {
    covey_optimal_worker *w;
    const covey_optimal_tree *tree;
    size_t at;
    uint32_t *class_of_item, n_classes;
    covey_regions *regions;
    uint32_t *low, *high; /* [d] edges of the box */
    int64_t n_suppressed;
    covey_optimal_units cost;
};

/* The codes between the edges of the box are the region of the next class. */
static covey_status add_region(struct applying *t, covey_error *err)
{
    const size_t d = t->w->g->d;
    const uint32_t n = t->n_classes;

    if ((n & (n + 1)) == 0) { /* room for 2 n + 1 */
        uint32_t *low = covey_i_realloc(t->regions->low, (2 * (size_t)n + 1) * d, sizeof *low), *high;

        if (!low)
            return covey_i_no_memory(err);
        t->regions->low = low;
        if (!(high = covey_i_realloc(t->regions->high, (2 * (size_t)n + 1) * d, sizeof *high)))
            return covey_i_no_memory(err);
        t->regions->high = high;
    }
    for (size_t a = 0; a < d; a++)
        covey_i_optimal_region(&t->regions->low[n * d + a], &t->regions->high[n * d + a], t->w->g, a, t->low[a],
                               t->high[a]);
    return COVEY_OK;
}

static covey_status apply_leaf(struct applying *t, const covey_optimal_block *block, covey_error *err)
{
    covey_optimal_verdict verdict = COVEY_OPT_ADMITTED;

    if (block->n == 0)
        return COVEY_OK;
    t->cost += covey_i_optimal_leaf(&t->w->judge, block, &verdict);
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

static covey_status apply(struct applying *t, const covey_optimal_block *block, covey_error *err)
{
    covey_optimal_worker *w = t->w;
    const uint32_t node = t->at < t->tree->n ? t->tree->node[t->at++] : COVEY_OPT_LEAF, axis = node >> 16,
                   edge = (node & 0xffff) + 1;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_optimal_block left, right;
    uint32_t kept;
    covey_status status;

    if (node == COVEY_OPT_LEAF)
        return apply_leaf(t, block, err);
    if (!covey_i_optimal_divide(&left, &right, w, block, axis, edge - 1))
        return covey_i_no_memory(err);
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

covey_status covey_i_optimal_apply(covey_optimal_applied *out, uint32_t *class_of_row, covey_regions *regions,
                                   covey_optimal_worker *w, const covey_optimal_tree *tree, covey_error *err)
{
    const covey_optimal_grid *g = w->g;
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    struct applying t = {.w = w, .tree = tree, .regions = regions};
    covey_optimal_block root;
    covey_status status;

    t.low = covey_arena_array_zero(&w->arena, uint32_t, g->d);
    t.high = covey_arena_array_zero(&w->arena, uint32_t, g->d);
    if (class_of_row)
        t.class_of_item = covey_arena_array(&w->arena, uint32_t, g->n_items);
    if (!t.low || !t.high || (class_of_row && !t.class_of_item))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < g->d; a++)
        t.high[a] = g->axis[a].n_cells;
    if ((status = covey_i_optimal_root(&root, w, err)) != COVEY_OK || (status = apply(&t, &root, err)) != COVEY_OK)
        goto done;
    *out = (covey_optimal_applied){t.cost, t.n_classes, t.n_suppressed};
    for (uint32_t r = 0; class_of_row && r < g->problem->n_rows; r++)
        class_of_row[r] = g->item_of_row[r] == UINT32_MAX ? COVEY_CLASS_SUPPRESSED : t.class_of_item[g->item_of_row[r]];
done:
    covey_arena_rewind(&w->arena, mark);
    return status;
}
