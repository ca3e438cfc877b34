/* The form "transformed" between modules: rows as they are, and for each group the subtrees of a weighted hierarchy that its sensitive
 * values are hidden in.  Who draws a row of a group and a value of its subtree, by the weights, draws by the target. */
#ifndef COVEY_TRANSFORMED_H
#define COVEY_TRANSFORMED_H

#include "release/release_impl.h"

/* Nodes are in pre-order: the children of i are i + 1, node[i + 1].end, ... below node[i].end. */
typedef struct covey_target_node {
    uint32_t first_leaf, n_leaves;
    uint32_t end;    /* first node behind its subtree */
    uint64_t weight; /* relative to its brothers; the root 1 */
    uint64_t sum;    /* of the children's weights, below 2^63; 0: a leaf, or no child has weight */
    int64_t range;   /* largest minus smallest value; of categories leaves - 1 */
} covey_target_node;

/* A hierarchy with weights: what a row of a group may be believed to have. */
typedef struct covey_target_tree {
    uint32_t n_nodes, n_leaves;
    covey_target_node *node; /* [n_nodes]; 0 is the root; every inner node has two children or more */
} covey_target_tree;

#endif
