/* What the files of BUREL share.
 *
 *   burel.c           the method
 *   burel_buckets.c   DPpartition: sensitive values to buckets
 *   burel_tree.c      ECTree: how many rows of each bucket a class gets
 *   burel_curve.c     the rows in the order of the Hilbert curve
 *   burel_retrieve.c  which rows those are
 *   burel_split.c     post-split: classes are halved as long as the rows they really got allow
 *
 * Source: [CaoKarras12] section 4; decisions and departures in docs/design/burel.md. */
#ifndef COVEY_BUREL_IMPL_H
#define COVEY_BUREL_IMPL_H

#include "base/fraction.h"
#include "method/method_impl.h"

/* Sensitive values in runs: values from first[j] on to first[j + 1] - 1, of an ascending list, share bucket j. */
typedef struct covey_burel_buckets {
    size_t n;
    uint32_t *first;     /* [n + 1] into value */
    uint32_t *value;     /* the attribute's codes that occur, rarest first */
    uint32_t *bucket_of; /* [values of the attribute] */
    uint32_t *size;      /* [n] rows */
} covey_burel_buckets;

/**
 * Finds the fewest runs of n_values values, ascending by count, such that a run's rows fit the limit of its rarest value:
 * sum * scale <= limit[rarest] (strict: <).  A single value is always a run.  Ties: the last run as short as possible, and so on.
 *
 * @param first  [n_values + 1] receives where each run begins, and n_values behind the last
 * @param scratch  [2 * (n_values + 1)]
 * @return the number of runs
 *
 * Source: [CaoKarras12] section 4.3, DPpartition.
 */
size_t covey_i_burel_partition(uint32_t *first, const int64_t *count, const int64_t *limit, size_t n_values, int64_t scale, bool strict,
                               uint32_t *scratch);

/* Makes buckets from how often each value occurs among the n_rows rows: sum / n_rows <= (1 - slack) f(rarest). */
covey_status covey_i_burel_buckets_new(covey_burel_buckets *buckets, const covey_promises *promises, int view, const int64_t *count,
                                       uint32_t n_rows, covey_ratio slack, bool strict, covey_arena *arena, covey_error *err);

/* The most rows of each bucket's rarest value in a class of that size. */
typedef void (*covey_burel_caps)(int64_t *cap, void *context, int64_t size);

/* A class, or the rows of several classes before they are divided. */
typedef struct covey_burel_node {
    uint32_t *rows;       /* [n_buckets] */
    uint32_t total;
    uint32_t left, right; /* nodes; 0: it is a class */
    uint32_t n_leaves;
} covey_burel_node;

/* Equal nodes are one node: at one depth no bucket's rows take more than two values, so there are few. */
typedef struct covey_burel_tree {
    size_t n_buckets, n_nodes, capacity;
    covey_burel_node *node; /* [n_nodes] the root is node 0 */
    uint32_t *slots;        /* [n_slots] open addressing from rows to nodes, UINT32_MAX: free */
    size_t n_slots;
    covey_arena arena;
} covey_burel_tree;

/* Divides size[0 .. n_buckets-1] in halves, again and again, while both halves keep the caps and have min_size rows. */
covey_status covey_i_burel_tree_new(covey_burel_tree *tree, const uint32_t *size, size_t n_buckets, int64_t min_size, covey_burel_caps caps,
                                    void *context, covey_error *err);
void covey_i_burel_tree_clear(covey_burel_tree *tree);
/* leaf: [node[0].n_leaves] receives the classes from left to right. */
void covey_i_burel_leaves(uint32_t *leaf, const covey_burel_tree *tree);

/* Rows along the Hilbert curve: cell by cell, those of one cell in their canonical order. */
typedef struct covey_burel_curve {
    uint32_t n, n_cells;
    uint32_t *rows;       /* [n] */
    uint32_t *cell_start; /* [n_cells + 1] into rows */
    covey_u128 *key;      /* [n_cells] ascending */
} covey_burel_curve;

/* rows[0 .. n-1]: as covey_i_start gives them. */
covey_status covey_i_burel_curve_new(covey_burel_curve *curve, const covey_problem *problem, const uint32_t *rows, uint32_t n,
                                     const covey_run *run, covey_error *err);
void covey_i_burel_curve_clear(covey_burel_curve *curve);
/* Bits per axis, and the place of each code of an axis on the grid of that many bits. */
int covey_i_burel_bits(const covey_problem *problem);
void covey_i_burel_coordinates(uint16_t *coordinate, const covey_axis *axis, int n_bits);

/* The rows bucket by bucket, along the curve in each. */
typedef struct covey_burel_piles {
    uint32_t *row;   /* [n] */
    uint32_t *cell;  /* [n] */
    uint32_t *start; /* [n_buckets + 1] */
} covey_burel_piles;

covey_status covey_i_burel_piles_new(covey_burel_piles *piles, const covey_burel_curve *curve, const covey_burel_buckets *buckets,
                                     const covey_column *sensitive, const covey_run *run, covey_error *err);
void covey_i_burel_piles_clear(covey_burel_piles *piles);

/* Gives every row its class, the number of its leaf. */
covey_status covey_i_burel_sweep(uint32_t *class_of_row, const covey_burel_piles *piles, const covey_burel_tree *tree, const uint32_t *leaf,
                                 const covey_run *run, covey_error *err);
/* The same as published: around random rows.  Source: [CaoKarras12] section 4.5. */
covey_status covey_i_burel_retrieve(uint32_t *class_of_row, const covey_burel_piles *piles, const covey_burel_curve *curve,
                                    const covey_burel_tree *tree, const uint32_t *leaf, const covey_run *run, covey_error *err);

/* Halves classes 0 .. *n_classes-1, each value's rows along the curve, while both halves keep every promise. */
covey_status covey_i_burel_split(uint32_t *class_of_row, uint32_t *n_classes, const covey_problem *problem, const covey_burel_curve *curve,
                                 const covey_column *sensitive, int64_t min_size, const covey_run *run, covey_error *err);

#endif
