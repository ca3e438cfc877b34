/* A k-d tree of points. */
#include "reader/points/tree.h"

#include <string.h>

#include "base/error.h"

enum { LEAF_POINTS = 8 };

/* A tree in the making. */
struct building {
    covey_point_tree *tree;
    uint32_t *extent; /* [n_dims] width of all points, at least 1: dimensions are compared by the share of it */
};

static uint32_t at(const covey_point_tree *tree, uint32_t point, size_t dim)
{
    return tree->coordinate[(size_t)point * tree->n_dims + dim];
}

static void find_bounds(uint32_t *low, uint32_t *high, const covey_point_tree *tree, uint32_t begin, uint32_t end)
{
    for (size_t d = 0; d < tree->n_dims; d++) {
        low[d] = UINT32_MAX;
        high[d] = 0;
    }
    for (uint32_t i = begin; i < end; i++)
        for (size_t d = 0; d < tree->n_dims; d++) {
            uint32_t c = at(tree, tree->point[i], d);

            low[d] = c < low[d] ? c : low[d];
            high[d] = c > high[d] ? c : high[d];
        }
}

static size_t widest(const struct building *b, const uint32_t *low, const uint32_t *high)
{
    size_t best = 0;

    for (size_t d = 1; d < b->tree->n_dims; d++)
        if ((uint64_t)(high[d] - low[d]) * b->extent[best] > (uint64_t)(high[best] - low[best]) * b->extent[d])
            best = d;
    return best;
}

/* Hoare's selection: afterwards points before `middle` are not above it in this dimension, those behind not below. */
static void split_at(const covey_point_tree *tree, uint32_t begin, uint32_t end, uint32_t middle, size_t dim)
{
    int64_t low = begin, high = (int64_t)end - 1;

    while (low < high) {
        uint32_t pivot = at(tree, tree->point[low + (high - low) / 2], dim);
        int64_t i = low - 1, j = high + 1;

        for (;;) {
            uint32_t swap;

            while (at(tree, tree->point[++i], dim) < pivot)
                ;
            while (at(tree, tree->point[--j], dim) > pivot)
                ;
            if (i >= j)
                break;
            swap = tree->point[i];
            tree->point[i] = tree->point[j];
            tree->point[j] = swap;
        }
        if ((int64_t)middle <= j)
            high = j;
        else
            low = j + 1;
    }
}

static uint32_t build_node(struct building *b, uint32_t begin, uint32_t end)
{
    covey_point_tree *tree = b->tree;
    uint32_t number = tree->n_nodes++, middle = begin + (end - begin) / 2;
    uint32_t *low = tree->low + number * tree->n_dims, *high = tree->high + number * tree->n_dims;

    tree->node[number] = (covey_point_node){begin, end, 0};
    find_bounds(low, high, tree, begin, end);
    if (end - begin <= LEAF_POINTS)
        return number;
    if (tree->n_dims > 0)
        split_at(tree, begin, end, middle, widest(b, low, high));
    build_node(b, begin, middle);
    tree->node[number].right = build_node(b, middle, end);
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
        .point = covey_arena_array(arena, uint32_t, n_points),
        .node = covey_arena_array(arena, covey_point_node, most_nodes),
        .low = covey_arena_array(arena, uint32_t, most_nodes * n_dims),
        .high = covey_arena_array(arena, uint32_t, most_nodes * n_dims),
    };
    struct building building = {&tree, covey_arena_array(arena, uint32_t, n_dims)};
    uint32_t *high = covey_arena_array(arena, uint32_t, n_dims);

    if (!tree.point || !tree.node || !tree.low || !tree.high || !building.extent || !high)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_points; i++)
        tree.point[i] = i;
    find_bounds(building.extent, high, &tree, 0, n_points);
    for (size_t d = 0; d < n_dims; d++)
        building.extent[d] = high[d] > building.extent[d] ? high[d] - building.extent[d] : 1;
    build_node(&building, 0, n_points);
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
        if (!covey_i_cover_holds(box[d], at(tree, point, d)))
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
