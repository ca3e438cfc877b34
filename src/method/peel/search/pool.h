/* How the files that let pools fall apart share a pool.  A pool is the rows of a class, or of a class and one near it,
 * that are in no class while it is looked at; it is parted in two.
 *
 *   explode.c      which pools are tried, and which of their partings pays
 *   boxes.c        how the rows of a pool lie: the boxes that two cells span, and what rows of it lose
 *   part.c         what a part costs at its best, and how it is carried out */
#ifndef COVEY_METHOD_PEEL_SEARCH_POOL_H
#define COVEY_METHOD_PEEL_SEARCH_POOL_H

#include "method/peel/partition.h"

enum {
    COVEY_PEEL_POOL_ROWS = 40, /* at most; they are bits of a word */
    COVEY_PEEL_POOL_DONORS = 60,
    COVEY_PEEL_POOL_LANES = 16, /* axes on which ends of ranges are found at once */
    COVEY_PEEL_POOL_BOXES = COVEY_PEEL_POOL_ROWS * (COVEY_PEEL_POOL_ROWS + 1) / 2,
    COVEY_PEEL_POOL_SPLITS = 512, /* that are told from others */
    COVEY_PEEL_POOL_MOVES = 2 * (COVEY_PEEL_POOL_ROWS + COVEY_PEEL_POOL_DONORS),
    COVEY_PEEL_POOL_SLOTS = 2 * COVEY_PEEL_POOL_SPLITS
};

/* A part of a pool and what to do with it. */
typedef struct covey_peel_part {
    uint32_t row[COVEY_PEEL_POOL_ROWS + COVEY_PEEL_POOL_DONORS]; /* [n + n_donors] the donors behind the others */
    uint32_t n, n_donors;
    bool is_class; /* else its rows join other classes */
    int64_t cost;
} covey_peel_part;

/* The codes that a pool has on an axis, if they are several; sets of rows are bits. */
typedef struct covey_peel_spread {
    uint32_t n;
    uint32_t code[COVEY_PEEL_POOL_ROWS];                           /* [n] ascending */
    uint64_t having[COVEY_PEEL_POOL_ROWS];                         /* [n] the rows that have it */
    uint64_t between[COVEY_PEEL_POOL_ROWS * COVEY_PEEL_POOL_ROWS]; /* [n * n] rows under the label of two codes */
    int32_t loss[COVEY_PEEL_POOL_ROWS * COVEY_PEEL_POOL_ROWS];     /* [n * n] of it */
} covey_peel_spread;

/* A pool and the best way found to part it. */
typedef struct covey_peel_split {
    uint32_t row[COVEY_PEEL_POOL_ROWS], n;
    int64_t target[COVEY_PEEL_POOL_ROWS]; /* cost of joining another class */
    int64_t all_targets;                  /* their sum */
    covey_peel_spread *spread;            /* [n_spread] */
    size_t n_spread;
    int8_t *rank;       /* [COVEY_PEEL_POOL_ROWS][width] of each row's code on each spread axis */
    size_t width;       /* n_axes, filled up to whole lanes */
    int64_t loss_alike; /* on the other axes */
    int64_t best;
    covey_peel_part part[2];
    uint64_t seen[COVEY_PEEL_POOL_SLOTS]; /* sets of rows by their hash, 0: free */
    uint16_t seen_at[COVEY_PEEL_POOL_SPLITS];
    uint32_t n_seen;
    int64_t box_loss[COVEY_PEEL_POOL_BOXES]; /* [n_boxes] */
    uint64_t box[COVEY_PEEL_POOL_BOXES]; /* [n_boxes] rows that two of the pool's cells span with their labels, but all
                                            of it; each set once as long as it can be told */
    uint32_t n_boxes;
} covey_peel_split;

struct covey_peel_pools {
    uint64_t *tried; /* [1 << tried_bits] hashes of pools that were tried in vain */
    uint32_t n_tried, tried_bits;
    uint32_t *target;        /* [n_rows] by the first row alike: the class it was last found to join best */
    int64_t *target_bound;   /* [n_rows] and below which cost it was searched; -1: never */
    uint32_t *hull;          /* [2 * width] */
    covey_peel_split *split; /* scratch */
};

/* Rows that were put somewhere, to be put back if it does not pay. */
typedef struct covey_peel_moved {
    uint32_t row[COVEY_PEEL_POOL_MOVES], from[COVEY_PEEL_POOL_MOVES], n;
} covey_peel_moved;

/* boxes.c */
/* Where the rows of the pool stand on the axes on which they differ; fills box. */
void covey_i_peel_find_boxes(covey_peel_split *s, const covey_peel *p);
int64_t covey_i_peel_hull_loss(const covey_peel_split *s, uint64_t rows); /* of a class of some of the pool's rows */

/* part.c */
/* Finds out what to do with a part and what that costs: joining costs join, being a class at least least. */
void covey_i_peel_price(covey_peel *p, covey_peel_part *part, int64_t join, int64_t least, int64_t bound);
/* Does what the part says, at its real cost; false if it cannot be done any more. */
bool covey_i_peel_carry_out(covey_peel *p, covey_peel_moved *moved, int64_t *cost, const covey_peel_part *part,
                            int64_t bound, bool *no_memory);
void covey_i_peel_put_back(covey_peel *p, const covey_peel_moved *moved);

#endif
