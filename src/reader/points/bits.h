/* Points of a grid as sets of bits: finds those of a set that lie in a box.
 *
 * Points get numbers of their own, by which those near each other stand together: where a box is elsewhere, many are
 * left out at once.  Per dimension and step of the grid a bit per point says whether the point lies below; a range is
 * then the difference of two such sets, a box the intersection of its ranges, 64 points at a time.  The caller's own
 * sets say which points are of interest. */
#ifndef COVEY_READER_POINTS_BITS_H
#define COVEY_READER_POINTS_BITS_H

#include "reader/original.h"

typedef struct covey_bit_axis {
    uint32_t low, high;    /* codes of all points */
    uint32_t n_steps;      /* neighbouring codes taken together; 0: too few points to be worth it */
    const uint32_t *last;  /* [n_steps] greatest code of each step */
    const uint8_t *step;   /* [high - low + 1] of each code; NULL: codes lie too far apart */
    const uint64_t *below; /* [(n_steps + 1) * n_blocks * COVEY_BIT_BLOCK] points of the steps before each */
    bool exact;            /* each step is one code */
} covey_bit_axis;

/* Points of steps between two sets. */
typedef struct covey_bit_run {
    const uint64_t *begin, *end; /* [n_blocks * COVEY_BIT_BLOCK] */
} covey_bit_run;

enum {
    COVEY_BIT_BLOCK = 8,  /* words that are looked at together */
    COVEY_BIT_LEVELS = 12 /* of groups of blocks at most, each of eight of the level below */
};

typedef struct covey_bit_level {
    uint32_t *low, *high; /* [groups * n_dims] the smallest box around each one's points */
} covey_bit_level;

typedef struct covey_point_bits {
    size_t n_dims;
    uint32_t n_points, n_words, n_blocks;
    const uint32_t *point;                   /* [n_points] the caller's number of each */
    const uint32_t *coordinate;              /* [n_points * n_dims] point-major */
    covey_bit_axis *axis;                    /* [n_dims] */
    covey_bit_level level[COVEY_BIT_LEVELS]; /* the first one is of blocks */
    size_t n_levels;
    /* The box that was asked about last. */
    const covey_cover *const *box;
    bool is_empty;      /* no point can lie in it */
    covey_bit_run *run; /* one after the other, those of a dimension together; room for any box */
    size_t n_asked;     /* dimensions that have runs */
    uint32_t *n_runs;   /* [n_dims] of these */
    bool *must_look;    /* [n_dims] the bits promise too much: points must be looked at */
    bool any_to_look;
    uint32_t block;                   /* that was looked at last */
    uint64_t inside[COVEY_BIT_BLOCK]; /* its points that are in the box by their bits */
} covey_point_bits;

/* For n_points > 0 points, in the arena; 20 bytes per point and dimension and some constants. */
covey_status covey_i_point_bits_build(covey_point_bits *out, const uint32_t *coordinate, uint32_t n_points,
                                      size_t n_dims, covey_arena *arena, covey_error *err);

/**
 * The first point of a set, from a word of it on, that lies in a box.
 *
 * @param word  in: where to begin; out: the word of the point.  To go on behind a point, take it out of the set.
 * @param set   [n_words]
 * @param box   [n_dims] lasts, and does not change, until another one is asked about
 * @return false if there is none
 */
bool covey_i_point_bits_next(uint32_t *point, uint32_t *word, covey_point_bits *bits, const uint64_t *set,
                             const covey_cover *const *box);

static inline void covey_i_bit_add(uint64_t *set, uint32_t point)
{
    set[point / 64] |= UINT64_C(1) << point % 64;
}

static inline void covey_i_bit_remove(uint64_t *set, uint32_t point)
{
    set[point / 64] &= ~(UINT64_C(1) << point % 64);
}

/* All points. */
static inline void covey_i_bits_fill(uint64_t *set, const covey_point_bits *bits)
{
    for (uint32_t w = 0; w < bits->n_words; w++)
        set[w] = UINT64_MAX;
    if (bits->n_points % 64)
        set[bits->n_words - 1] = (UINT64_C(1) << bits->n_points % 64) - 1;
}

#endif
