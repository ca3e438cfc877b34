/* What the files of the method "distribution" share: which subtrees of a weighted hierarchy hide a group's values best,
 * so that a row of the group looks as if it were drawn by the weights.
 *
 *   distribution.c   the method: from rows to groups of values, from subtrees to a release
 *   shares.c    targets as policies say them: a share for every leaf
 *   weights.c   from shares to whole weights
 *   ranges.c    the least sum of ranges
 *   fakes.c     the same with made-up values mixed in
 *
 * A multiset of nodes fits the weights if at every node the numbers of members at or below its children are in the
 * ratio of the children's weights; it can hide a group of values if at or below no node lie more members than values.
 * Source: [Koudas09]; proofs of what goes beyond it in docs/design/distribution.md. */
#ifndef COVEY_METHOD_DISTRIBUTION_CORE_H
#define COVEY_METHOD_DISTRIBUTION_CORE_H

#include "base/arena.h"
#include "base/exact/fraction.h"
#include "release/transformed/transformed.h"

enum { COVEY_DIST_MOST_RESOLUTION = 1000000 };

/* Copies of one node. */
typedef struct covey_distribution_member {
    uint32_t node;
    uint32_t copies; /* > 0 */
} covey_distribution_member;

typedef struct covey_distribution_members {
    uint32_t n;
    covey_distribution_member *member; /* [n] pre-order, each node once */
    covey_i128 sum_of_ranges;
} covey_distribution_members;

/* A leaf of the hierarchy for each row of a group. */
typedef struct covey_distribution_values {
    uint32_t n;           /* > 0 */
    const uint32_t *leaf; /* [n] ascending */
} covey_distribution_values;

/* How many of the values lie at leaves low .. high - 1. */
uint32_t covey_i_distribution_count(const covey_distribution_values *values, uint32_t low, uint32_t high);

/* The least sum of ranges; the answer is unique.  tree's weights are reduced.  O(n + visited nodes and their children).
 */
covey_status covey_i_distribution_least_ranges(covey_distribution_members *out, const covey_target_tree *tree,
                                               const covey_distribution_values *values, covey_arena *arena,
                                               covey_error *err);

typedef struct covey_distribution_faked {
    uint32_t n_fakes; /* the fewest among the best numbers */
    covey_distribution_members members;
    uint32_t *fake;    /* [n_fakes] leaves, ascending: one way to have them */
    covey_i128 *least; /* [most + 1] the least sum of ranges for 0, 1, ... fakes */
} covey_distribution_faked;

/**
 * The least sum of ranges with at most `most` values made up.
 *
 * @return COVEY_EINVAL if the tables would have more than COVEY_DIST_MOST_CELLS cells
 */
covey_status covey_i_distribution_least_ranges_with_fakes(covey_distribution_faked *out, const covey_target_tree *tree,
                                                          const covey_distribution_values *values, uint32_t most,
                                                          covey_arena *arena, covey_error *err);
#define COVEY_DIST_MOST_CELLS UINT64_C(200000000)

/* A target as a policy says it; fractions that its kind does not have are 0. */
typedef enum covey_distribution_kind {
    COVEY_DIST_SOURCE,
    COVEY_DIST_UNIFORM,
    COVEY_DIST_NORMAL,
    COVEY_DIST_ZIPF,
    COVEY_DIST_FILE
} covey_distribution_kind;

typedef struct covey_distribution_wish {
    covey_distribution_kind kind;
    covey_ratio a, b; /* mean and standard deviation; exponent */
    const char *file;
} covey_distribution_wish;

covey_status covey_i_distribution_read_target(covey_distribution_wish *out, const char *text, covey_arena *arena,
                                              covey_error *err);
bool covey_i_distribution_same_target(const covey_distribution_wish *a, const covey_distribution_wish *b);

/**
 * What a target gives to every leaf.
 *
 * @param density   NULL if shares are exact, else what they were rounded from, [n_leaves] > 0, in the arena
 * @param target    tree, labels and numbers are set
 * @param column    for type and name
 * @param tree_text which hierarchy the target has, in words; NULL: the column's
 * @param scale     of the target's numbers
 * @param rows      [n_leaves] what COVEY_DIST_SOURCE means
 * @param is_exact  only whole shares will do
 * @return COVEY_EINVAL for what cannot be; with file and line for a bad line of a file
 */
covey_status covey_i_distribution_find_shares(uint64_t *share, const long double **density,
                                              const covey_distribution_wish *wish, const covey_target *target,
                                              const covey_column *column, const char *tree_text, int scale,
                                              const uint64_t *rows, bool is_exact, covey_arena *arena,
                                              covey_error *err);

/**
 * Sets the weights of all nodes from the leaves' shares.
 *
 * @param share       [n_leaves] together below 2^63 and > 0
 * @param density     NULL, or [n_leaves] > 0, which count instead: rounded for each node anew, so that brothers far
 * from all others keep their ratio
 * @param resolution  the largest sum of brothers' weights, unless there are more children; 0: exactly the shares
 */
covey_status covey_i_distribution_set_weights(covey_target_tree *tree, const uint64_t *share,
                                              const long double *density, uint32_t resolution, covey_arena *arena,
                                              covey_error *err);

/* Probabilities of all nodes by their weights, [n_nodes]; 0 below nodes whose children have no weight. */
void covey_i_distribution_probabilities(long double *out, const covey_target_tree *tree);

/* Half the sum of the differences between shares and probabilities of the leaves. */
double covey_i_distribution_distance(const covey_target_tree *tree, const uint64_t *share,
                                     const long double *probability);

/* What rounding to whole weights does to the share of one node. */
typedef struct covey_distribution_lift {
    uint32_t node;
    double wanted, published; /* shares of all; 0 and 0: no node is lifted */
} covey_distribution_lift;

/* Of the nodes whose probability is above their leaves' share by more than a tenth of it, the one that gains most. */
covey_distribution_lift covey_i_distribution_lift_of(const covey_target_tree *tree, const uint64_t *share,
                                                     const long double *probability);

#endif
