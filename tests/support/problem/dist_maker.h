/* Weighted hierarchies over small domains of numbers, and a judge of what hides in them that shares nothing with the
 * method. */
#ifndef COVEY_TESTS_DIST_MAKER_H
#define COVEY_TESTS_DIST_MAKER_H

#include "method/distribution/core.h"

enum { DIST_MOST_LEAVES = 64, DIST_MOST_NODES = 2 * DIST_MOST_LEAVES };

typedef struct dist_tree {
    covey_target_tree tree;
    covey_target_node node[DIST_MOST_NODES];
    int64_t value[DIST_MOST_LEAVES];
} dist_tree;

/* Runs of arity^1, arity^2, ... neighbouring values; all weights 1. */
void dist_make_balanced(dist_tree *t, const int64_t *value, uint32_t n, uint32_t arity);
/* Any shape, weights 0 to 4 (0 seldom), values that ascend by 1 to 5.  `random` as for maker_below. */
void dist_make_random(dist_tree *t, uint32_t n_leaves, uint64_t *random);
/* Weights have changed: reduces them and sets the sums. */
void dist_reduce(dist_tree *t);

/* The leaves of values, ascending; fails the test if one is not in the domain. */
covey_distribution_values dist_values(uint32_t *leaf, const dist_tree *t, const int64_t *value, uint32_t n);

/* By the definitions: is the average of the members' distributions the target, and can each value be given to a member
 * of its own that holds it? */
bool dist_is_private(const dist_tree *t, const uint32_t *copies); /* [n_nodes] */
bool dist_generalizes(const dist_tree *t, const uint32_t *copies, const uint32_t *leaf, uint32_t n);

/* The least sum of ranges over all multisets of nodes that do both; -1: there is none. */
int64_t dist_least_of_all(const dist_tree *t, const uint32_t *leaf, uint32_t n);

#endif
