/* What the files of ke-permutation share: partitions of a multiset of numbers into groups that hold at least
 * min_distinct different numbers, the largest at least min_range above the smallest.
 *
 *   permutation.c  the method: fixed groups, criteria, what was reached
 *   rows.c         from rows to numbers, from groups of numbers back to rows
 *   values.c       can it be done at all; what a partition is
 *   blocks.c       min-sum, min-max-touch, min-max-strict: groups are runs of the sorted numbers
 *   chain.c        min-max: ranges may overlap (the decision for a threshold)
 *   search.c       min-max: the least threshold, and the groups that reach it
 *   scan.c         scan: rows one after another
 *   refine.c       refine: splits finished groups
 *
 * All are pure functions: rows, attributes and random numbers are the method's business.
 * Source: [Zhang07]; proofs of what goes beyond it in docs/design/ke-permutation.md. */
#ifndef COVEY_METHOD_KE_KE_H
#define COVEY_METHOD_KE_KE_H

#include "base/arena.h"
#include "base/exact/fraction.h"

typedef struct covey_ke_values {
    uint32_t n;             /* different numbers */
    const int64_t *value;   /* [n] ascending */
    const uint32_t *copies; /* [n] >= 1, together fewer than 2^32 */
} covey_ke_values;

typedef struct covey_ke_bounds {
    int64_t min_distinct; /* >= 1 */
    int64_t min_range;    /* >= 0, same unit as the numbers */
} covey_ke_bounds;

/* Copies of one number that a group holds. */
typedef struct covey_ke_share {
    uint32_t value; /* index into value */
    uint32_t copies;
} covey_ke_share;

typedef struct covey_ke_partition {
    uint32_t n_groups;
    size_t *start;         /* [n_groups + 1] into share */
    covey_ke_share *share; /* group by group, by value */
} covey_ke_partition;

/* Would a single row be a group? */
static inline bool covey_i_ke_is_idle(const covey_ke_bounds *bounds)
{
    return bounds->min_distinct <= 1 && bounds->min_range == 0;
}

/* Sum and maximum of the groups' ranges. */
void covey_i_ke_errors(covey_i128 *sum, int64_t *max, const covey_ke_partition *partition,
                       const covey_ke_values *values);
uint32_t covey_i_ke_size(const covey_ke_partition *partition, uint32_t group); /* rows */

/* Every row its own group. */
covey_status covey_i_ke_singles(covey_ke_partition *out, const covey_ke_values *values, covey_arena *arena,
                                covey_error *err);

/* What follows wants values that are valid as one group, with a range up to 2^62, so that one can be added to another
 * (numbers of columns have at most 18 digits); partitions live in the arena. */

/* The least sum of ranges over all partitions, and among those the most groups.  O(n) */
covey_status covey_i_ke_min_sum(covey_ke_partition *out, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                covey_arena *arena, covey_error *err);

/**
 * The least maximum of ranges over partitions into runs of the sorted numbers, and among those the least sum, then the
 * most groups. O(n)
 *
 * @param strict  copies of one number stay together
 */
covey_status covey_i_ke_min_max_blocks(covey_ke_partition *out, const covey_ke_values *values,
                                       const covey_ke_bounds *bounds, bool strict, covey_arena *arena,
                                       covey_error *err);

/**
 * The least maximum of ranges over all partitions.  O(n w log(n w)), w: the most different numbers within the block
 * optimum.
 *
 * @return COVEY_EINVAL if n w > most_work (which bounds the memory, too), pointing to min-max-touch; COVEY_ECANCELLED
 */
covey_status covey_i_ke_min_max(covey_ke_partition *out, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                int64_t most_work, const covey_run *run, covey_arena *arena, covey_error *err);
#define COVEY_KE_MOST_WORK INT64_C(200000000)

/* order: [n_rows] values (indices) in the order of the rows, every value as often as it has copies. */
covey_status covey_i_ke_scan(covey_ke_partition *out, const covey_ke_values *values, const uint32_t *order,
                             uint32_t n_rows, const covey_ke_bounds *bounds, covey_arena *arena, covey_error *err);

/* Splits every group of a partition into as many groups as can be dealt out in turn. */
covey_status covey_i_ke_refine(covey_ke_partition *out, const covey_ke_partition *partition,
                               const covey_ke_values *values, const covey_ke_bounds *bounds, covey_arena *arena,
                               covey_error *err);

/* ---- chain.c, for search.c ---- */

/* A group of the chain, as positions 1 .. n of different numbers: it holds its first and its last one. */
typedef struct covey_ke_link {
    uint32_t first, last;
    uint32_t taken; /* single numbers of the overlap with the next group that are this group's */
} covey_ke_link;

/* Scratch of decisions for windows of at most `width` different numbers. */
typedef struct covey_ke_chain {
    const covey_ke_values *values;
    const covey_ke_bounds *bounds;
    uint32_t width;
    uint32_t *n_doubled;   /* [n + 1] how many of the first numbers have copies */
    uint32_t *low, *high;  /* [n + 1] which starts a group that ends here may have */
    uint16_t *left, *next; /* [width + 1][width] ring of rows */
    uint32_t *front;       /* [width + 1] */
    bool *fresh;           /* [n + 2] can a group start here that shares nothing with those before? */
} covey_ke_chain;

/* COVEY_EINVAL if width is 2^16 - 1 or more. */
covey_status covey_i_ke_chain_new(covey_ke_chain *chain, const covey_ke_values *values, const covey_ke_bounds *bounds,
                                  uint32_t width, covey_arena *arena, covey_error *err);
/* Are there groups with ranges between min_range and most? */
bool covey_i_ke_chain_decide(covey_ke_chain *chain, int64_t most);
/* The groups, in order; for a `most` that was decided with yes. */
covey_status covey_i_ke_chain_links(covey_ke_link **out, uint32_t *n_out, covey_ke_chain *chain, int64_t most,
                                    covey_arena *arena, covey_error *err);

#endif
