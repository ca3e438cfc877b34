/* The form "transformed" between modules: rows as they are, and for each group the subtrees of a weighted hierarchy
 * that its sensitive values are hidden in.  Who draws a row of a group and a value of its subtree, by the weights,
 * draws by the target. */
#ifndef COVEY_RELEASE_TRANSFORMED_TRANSFORMED_H
#define COVEY_RELEASE_TRANSFORMED_TRANSFORMED_H

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

/* A target as it is published. */
typedef struct covey_target {
    covey_target_tree tree;
    const char **label, **low, **high; /* [n_nodes] */
    int64_t *number;                   /* [n_leaves] ascending, times 10^scale; NULL: categories */
    uint32_t *code;                    /* [n_leaves] of the sensitive column; UINT32_MAX: no row can have it */
    long double *probability;          /* [n_nodes] */
    double distance;                   /* total variation from what was asked for */
} covey_target;

/* One line of sensitive.csv. */
typedef struct covey_subtree {
    uint32_t node;
    uint32_t copies; /* > 0 */
} covey_subtree;

/* form_data of a transformed release. */
typedef struct covey_transformed {
    size_t field; /* the sensitive one */
    int scale;    /* of the targets' numbers */
    uint32_t n_targets;
    covey_target *target;      /* [n_targets] all different */
    uint32_t *target_of_group; /* [n_classes] */
    uint32_t *line_start;      /* [n_classes + 1] */
    covey_subtree *line;       /* by low, then by high */
    covey_arena arena;         /* owns all that */
} covey_transformed;

/**
 * Does a target satisfy a promise about a distribution of values, and what does it reach?  Exact.
 *
 * @return COVEY_EINVAL if that cannot be said: a value with a probability has no code, or probabilities have too large
 * a common denominator for a model that does not judge value by value; COVEY_ENOMEM
 */
covey_status covey_i_target_judge(bool *admits, covey_figure *figure, const covey_promise *promise,
                                  const covey_target *target, uint32_t n_values, covey_arena *arena, covey_error *err);

#endif
