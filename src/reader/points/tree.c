/* A k-d tree of points. */
#include "reader/points/tree.h"

#include "base/error.h"
#include "reader/points/order.h"

enum { LEAF_POINTS = 8 };

static uint32_t build_node(covey_point_tree *tree, covey_point_order *order, uint32_t begin, uint32_t end)
{
    uint32_t number = tree->n_nodes++, middle = begin + (end - begin) / 2;
    uint32_t *low = tree->low + number * tree->n_dims, *high = tree->high + number * tree->n_dims;

    tree->node[number] = (covey_point_node){begin, end, 0};
    covey_i_point_order_bounds(low, high, order, begin, end);
    if (end - begin <= LEAF_POINTS)
        return number;
    covey_i_point_order_split(order, low, high, begin, end, middle);
    build_node(tree, order, begin, middle);
    tree->node[number].right = build_node(tree, order, middle, end);
    return number;
}

covey_status covey_i_point_tree_build(covey_point_tree *out, const uint32_t *coordinate, uint32_t n_points,
                                      size_t n_dims, covey_arena *arena, covey_error *err)
{
    /* Halves of more than LEAF_POINTS points: each leaf holds at least half of that. */
    size_t most_nodes = 2 * ((size_t)n_points / (LEAF_POINTS / 2) + 1);
    covey_point_tree tree = {
        .n_dims = n_dims,
        .coordinate = coordinate,
        .node = covey_arena_array(arena, covey_point_node, most_nodes),
        .low = covey_arena_array(arena, uint32_t, most_nodes * n_dims),
        .high = covey_arena_array(arena, uint32_t, most_nodes * n_dims),
    };
    covey_point_order order;

    COVEY_TRY(covey_i_point_order_begin(&order, coordinate, n_points, n_dims, arena, err));
    if (!tree.node || !tree.low || !tree.high)
        return covey_i_no_memory(err);
    build_node(&tree, &order, 0, n_points);
    tree.point = order.point;
    *out = tree;
    return COVEY_OK;
}

/* --- adding --- */

static bool is_apart(const covey_point_tree *tree, uint32_t node, const covey_cover *const *box)
{
    const uint32_t *low = tree->low + node * tree->n_dims, *high = tree->high + node * tree->n_dims;

    for (size_t d = 0; d < tree->n_dims; d++)
        if (high[d] < box[d]->low || low[d] > box[d]->high)
            return true;
    return false;
}

static bool is_inside(const covey_point_tree *tree, uint32_t point, const covey_cover *const *box)
{
    for (size_t d = 0; d < tree->n_dims; d++)
        if (!covey_i_cover_holds(box[d], tree->coordinate[(size_t)point * tree->n_dims + d]))
            return false;
    return true;
}

/* Is every point that could be in the node's box in the other box, too?  Lists of codes are looked at point by point.
 */
static bool is_covered(const covey_point_tree *tree, uint32_t node, const covey_cover *const *box)
{
    const uint32_t *low = tree->low + node * tree->n_dims, *high = tree->high + node * tree->n_dims;

    for (size_t d = 0; d < tree->n_dims; d++)
        if (low[d] < box[d]->low || high[d] > box[d]->high || (box[d]->code && low[d] != high[d]))
            return false;
        else if (box[d]->code && !covey_i_cover_holds(box[d], low[d]))
            return false;
    return true;
}

/* Calls visit for the nodes and single points of a box: compiled into each caller, for nothing is done with most. */
static inline __attribute__((always_inline)) void walk(const covey_point_tree *tree, const covey_cover *const *box,
                                                       covey_point_visit visit, void *context)
{
    uint32_t stack[64];
    int n = 0;

    stack[n++] = 0;
    while (n > 0) {
        uint32_t number = stack[--n];
        const covey_point_node *node = &tree->node[number];

        if (is_apart(tree, number, box))
            continue;
        if (is_covered(tree, number, box)) {
            visit(context, number, UINT32_MAX);
        } else if (node->right) {
            stack[n++] = node->right;
            stack[n++] = number + 1;
        } else {
            for (uint32_t i = node->begin; i < node->end; i++)
                if (is_inside(tree, tree->point[i], box))
                    visit(context, UINT32_MAX, tree->point[i]);
        }
    }
}

struct adding {
    double *value, *pending, weight;
};

static void add(void *context, uint32_t node, uint32_t point)
{
    const struct adding *to = context;

    if (point == UINT32_MAX)
        to->pending[node] += to->weight;
    else
        to->value[point] += to->weight;
}

void covey_i_point_tree_add(double *value, double *pending, const covey_point_tree *tree, const covey_cover *const *box,
                            double weight)
{
    struct adding to = {value, pending, weight};

    walk(tree, box, add, &to);
}

void covey_i_point_tree_settle(double *value, double *pending, const covey_point_tree *tree)
{
    for (uint32_t number = 0; number < tree->n_nodes; number++) { /* pre-order: parents first */
        const covey_point_node *node = &tree->node[number];

        if (node->right) {
            pending[number + 1] += pending[number];
            pending[node->right] += pending[number];
        } else {
            for (uint32_t i = node->begin; i < node->end; i++)
                value[tree->point[i]] += pending[number];
        }
        pending[number] = 0;
    }
}

/* --- telling --- */

void covey_i_point_tree_visit(const covey_point_tree *tree, const covey_cover *const *box, covey_point_visit visit,
                              void *context)
{
    walk(tree, box, visit, context);
}
