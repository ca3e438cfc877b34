/* Where the sensitive values lie, and what a bucket of them costs.
 *
 * If every class has exactly its share of every bucket's rows, rows move inside buckets only, and the distance of a
 * class is at most the sum of what each bucket costs at worst.  The distance is convex in the class's shares, so the
 * worst is to have one value only: equal  the rarest: all other rows of the bucket have moved, U = rows - rows of the
 * rarest; line   one of the two ends: U = max of sum rows * distance to the one and to the other; tree   some leaf: at
 * each ancestor the rows that are not below the path's child rise to it, U = sum height * (rows - child's rows).
 * Source: [Cao11] section 4 for the idea; [derived] the bounds. */
#include "method/sabre/sabre.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct ranked {
    int64_t rows;
    uint32_t value;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->rows != y->rows)
        return x->rows < y->rows ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Points by (rows, code). */
static covey_status rank_points(covey_sabre_ground *g, covey_arena *arena, covey_error *err)
{
    const covey_histogram *prior = g->closeness.prior;
    struct ranked *ranked = covey_arena_array(arena, struct ranked, prior->n_distinct);
    uint32_t n = 0;

    if (!ranked)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < prior->n_values; v++)
        if (prior->count[v] > 0)
            ranked[n++] = (struct ranked){prior->count[v], v};
    qsort(ranked, n, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < n; i++)
        g->value[i] = ranked[i].value;
    return COVEY_OK;
}

/* Points by leaf, which is by code. */
static void list_leaves(covey_sabre_ground *g)
{
    const covey_histogram *prior = g->closeness.prior;
    uint32_t n = 0;

    for (uint32_t v = 0; v < prior->n_values; v++) {
        g->first_point[v] = n;
        if (prior->count[v] > 0)
            g->value[n++] = v;
    }
    g->first_point[prior->n_values] = n;
}

static void find_node_costs(covey_sabre_ground *g)
{
    for (uint32_t v = g->n_nodes; v-- > 0;) { /* pre-order backwards: children before their parents */
        if (g->node[v].n_children == 0)
            g->node_rows[v] = g->closeness.prior->count[g->node[v].leaf];
        if (v > 0)
            g->node_rows[g->node[v].parent] += g->node_rows[v];
    }
    for (uint32_t v = g->n_nodes; v-- > 1;) {
        const uint32_t parent = g->node[v].parent;
        covey_i128 cost =
            g->node_cost[v] + (covey_i128)g->node[parent].height * (g->node_rows[parent] - g->node_rows[v]);

        if (g->node_rows[v] > 0 &&
            cost > g->node_cost[parent]) /* a leaf without rows is none that a class could have */
            g->node_cost[parent] = cost;
    }
}

/* floor((1 - slack) t * rows * den), by bisection: the product itself may be too large. */
static covey_i128 find_limit(const covey_closeness *c, covey_ratio slack)
{
    const covey_i128 whole = (covey_i128)c->den * c->prior->total;
    const covey_fraction t =
        covey_i_fraction((covey_i128)(slack.den - slack.num) * c->t.num, (covey_i128)slack.den * c->t.den);
    covey_i128 low = 0, high = whole + 1; /* 0 fits, and nothing is farther away than 1 */

    while (high - low > 1) {
        const covey_i128 middle = low + (high - low) / 2;

        if (covey_i_fraction_compare((covey_fraction){middle, whole}, t) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static covey_status tree_new(covey_sabre_ground *g, covey_arena *arena, covey_error *err)
{
    const covey_hierarchy *tree = g->closeness.tree;

    g->n_nodes = covey_hierarchy_n_nodes(tree);
    g->node = covey_hierarchy_nodes(tree);
    g->first_point = covey_arena_array(arena, uint32_t, (size_t)g->closeness.prior->n_values + 1);
    g->node_rows = covey_arena_array_zero(arena, int64_t, g->n_nodes);
    g->node_cost = covey_arena_array_zero(arena, covey_i128, g->n_nodes);
    if (!g->first_point || !g->node_rows || !g->node_cost)
        return covey_i_no_memory(err);
    list_leaves(g);
    find_node_costs(g);
    return COVEY_OK;
}

covey_status covey_i_sabre_ground_new(covey_sabre_ground *g, const covey_closeness *closeness, covey_ratio slack,
                                      covey_arena *arena, covey_error *err)
{
    const uint32_t n = closeness->prior->n_distinct;
    const bool is_line = closeness->ground == COVEY_GROUND_LINE;

    *g = (covey_sabre_ground){.closeness = *closeness,
                              .limit = find_limit(closeness, slack),
                              .n = n,
                              .value = covey_arena_array(arena, uint32_t, n),
                              .rows = covey_arena_array(arena, int64_t, n),
                              .below = covey_arena_array(arena, int64_t, (size_t)n + 1)};
    if (is_line) {
        g->position = covey_arena_array(arena, uint64_t, n);
        g->moment = covey_arena_array(arena, covey_i128, (size_t)n + 1);
    }
    if (!g->value || !g->rows || !g->below || (is_line && (!g->position || !g->moment)))
        return covey_i_no_memory(err);
    if (closeness->ground == COVEY_GROUND_EQUAL)
        COVEY_TRY(rank_points(g, arena, err));
    else if (closeness->ground == COVEY_GROUND_TREE)
        COVEY_TRY(tree_new(g, arena, err));
    else
        memcpy(g->value, closeness->value, n * sizeof *g->value);
    g->below[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        g->rows[i] = closeness->prior->count[g->value[i]];
        g->below[i + 1] = g->below[i] + g->rows[i];
    }
    for (uint32_t i = 0; is_line && i < n; i++) {
        g->position[i] = closeness->position[i];
        g->moment[0] = 0;
        g->moment[i + 1] = g->moment[i] + (covey_i128)g->rows[i] * g->position[i];
    }
    return COVEY_OK;
}

covey_i128 covey_i_sabre_run_cost(const covey_sabre_ground *g, uint32_t low, uint32_t high)
{
    const covey_i128 rows = g->below[high + 1] - g->below[low];
    covey_i128 moment, to_low, to_high;

    if (!g->position)
        return rows - g->rows[low]; /* the first is the rarest */
    moment = g->moment[high + 1] - g->moment[low];
    to_low = moment - rows * g->position[low];
    to_high = rows * g->position[high] - moment;
    return to_low > to_high ? to_low : to_high;
}

uint32_t covey_i_sabre_node_end(const covey_sabre_ground *g, uint32_t v)
{
    const uint32_t end_leaf = g->node[v].first_leaf + g->node[v].n_leaves;
    uint32_t low = v + 1, high = g->n_nodes;

    while (low < high) { /* first leaves ascend in pre-order */
        const uint32_t middle = low + (high - low) / 2;

        if (g->node[middle].first_leaf < end_leaf)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
