/* Points of a grid in a k-d tree: adds to those that lie in a box.  Source: [Bentley75], with a bounding box per node.
 */
#ifndef COVEY_READER_POINTS_TREE_H
#define COVEY_READER_POINTS_TREE_H

#include "reader/original.h"

typedef struct covey_point_node {
    uint32_t begin, end; /* points[begin .. end-1] */
    uint32_t right;      /* its right child; the left one is the next node; 0: a leaf */
} covey_point_node;

typedef struct covey_point_tree {
    size_t n_dims;
    uint32_t n_nodes;
    const uint32_t *coordinate; /* [n_points * n_dims] point-major, borrowed */
    uint32_t *point;            /* [n_points] numbers of the points, leaf by leaf */
    covey_point_node *node;     /* [n_nodes] pre-order */
    uint32_t *low, *high;       /* [n_nodes * n_dims] bounding boxes */
} covey_point_tree;

/* A tree of n_points > 0 points in the arena. */
covey_status covey_i_point_tree_build(covey_point_tree *out, const uint32_t *coordinate, uint32_t n_points,
                                      size_t n_dims, covey_arena *arena, covey_error *err);

/**
 * Adds weight to value[p] of every point p of a box: at once for a whole subtree, by way of pending[node].
 *
 * @param pending  [n_nodes] zeros at first; covey_i_point_tree_settle hands it down
 */
void covey_i_point_tree_add(double *value, double *pending, const covey_point_tree *tree, const covey_cover *const *box,
                            double weight);
void covey_i_point_tree_settle(double *value, double *pending, const covey_point_tree *tree);

/* What is told of a box: nodes that lie in it as a whole, and points of other leaves that do.  node or point is
 * UINT32_MAX. */
typedef void (*covey_point_visit)(void *context, uint32_t node, uint32_t point);
void covey_i_point_tree_visit(const covey_point_tree *tree, const covey_cover *const *box, covey_point_visit visit,
                              void *context);

#endif
