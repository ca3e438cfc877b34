/* What the files of SABRE share.
 *
 *   sabre.c           the method
 *   ground.c    where the sensitive values lie, and what moving them costs
 *   runs.c      buckets of values on a line
 *   trees.c     buckets of values below the nodes of a tree
 *   worst.c     the largest distance that a class with given numbers of rows per bucket can have
 *   draw.h            the rest, which it shares with BUREL
 *
 * Source: [Cao11]; the bounds are ours, docs/design/sabre.md. */
#ifndef COVEY_METHOD_SABRE_SABRE_H
#define COVEY_METHOD_SABRE_SABRE_H

#include "method/draw/draw.h"

/* The sensitive values that occur, as points 0 .. n-1 in the order in which buckets are runs: of equal distance by
 * (rows, code), on a line by position, in a tree by leaf.  Costs are distances times rows of the table times the ground
 * denominator: whole numbers. */
typedef struct covey_sabre_ground {
    covey_closeness closeness;
    covey_i128 limit; /* buckets may cost this much together: floor((1 - slack) t * rows * den) */
    uint32_t n;
    uint32_t *value;    /* [n] codes */
    int64_t *rows;      /* [n] in the table */
    uint64_t *position; /* [n] LINE; else NULL */
    int64_t *below;     /* [n + 1] rows of points 0 .. i-1 */
    covey_i128 *moment; /* [n + 1] LINE: sum of rows * position of points 0 .. i-1 */
    /* TREE: of each node */
    const covey_node *node;
    uint32_t n_nodes;
    uint32_t *first_point; /* [n_nodes + 1] points first_point[v] .. first_point[end of v] - 1 lie below v */
    int64_t *node_rows;    /* [n_nodes] */
    covey_i128 *node_cost; /* [n_nodes] of a bucket of all points below */
} covey_sabre_ground;

covey_status covey_i_sabre_ground_new(covey_sabre_ground *ground, const covey_closeness *closeness, covey_ratio slack,
                                      covey_arena *arena, covey_error *err);

/* What a bucket of points low .. high costs at worst, if every class has its share of the bucket: EQUAL and LINE. */
covey_i128 covey_i_sabre_run_cost(const covey_sabre_ground *ground, uint32_t low, uint32_t high);

/* The node behind the last one below v, in pre-order. */
uint32_t covey_i_sabre_node_end(const covey_sabre_ground *ground, uint32_t v);
/* Points below v: first .. end-1. */
static inline uint32_t covey_i_sabre_first_point(const covey_sabre_ground *ground, uint32_t v)
{
    return ground->first_point[ground->node[v].first_leaf];
}
static inline uint32_t covey_i_sabre_end_point(const covey_sabre_ground *ground, uint32_t v)
{
    return ground->first_point[ground->node[v].first_leaf + ground->node[v].n_leaves];
}

/**
 * Cuts the points into buckets that cost at most ground->limit together.
 *
 * @param first    [n + 1] receives where each bucket begins, and n behind the last
 * @param n_out    buckets
 * @param fewest   as few as possible instead of cut after cut, each where it saves most (ties: leftmost)
 * @return COVEY_EINVAL if finding the fewest would take too much memory
 */
covey_status covey_i_sabre_runs(uint32_t *first, size_t *n_out, const covey_sabre_ground *ground, bool fewest,
                                covey_arena *arena, covey_error *err);
/* The same where buckets are nodes; node: [n] receives them. */
covey_status covey_i_sabre_trees(uint32_t *first, uint32_t *node, size_t *n_out, const covey_sabre_ground *ground,
                                 bool fewest, covey_arena *arena, covey_error *err);

/* Buckets and scratch for judging classes. */
typedef struct covey_sabre_worst {
    const covey_sabre_ground *ground;
    size_t n_buckets;
    const uint32_t *first;         /* [n_buckets + 1] points */
    const uint32_t *node;          /* [n_buckets] TREE */
    int64_t *least;                /* [n_buckets] EQUAL: rows of the rarest value */
    covey_i128 *surplus, *deficit; /* [n_nodes] TREE: of the children; zero between calls */
    covey_i128 *path;              /* [n_nodes] TREE: cost of all ancestors if the class has the leaf only */
} covey_sabre_worst;

covey_status covey_i_sabre_worst_new(covey_sabre_worst *worst, const covey_sabre_ground *ground, const uint32_t *first,
                                     const uint32_t *node, size_t n_buckets, covey_arena *arena, covey_error *err);

/* The largest distance that a class of `size` rows with rows[j] of each bucket j can have, whichever of the bucket's
 * values they bear; as a fraction that need not be in lowest terms. */
covey_fraction covey_i_sabre_worst_distance(covey_sabre_worst *worst, const uint32_t *rows, int64_t size);

#endif
