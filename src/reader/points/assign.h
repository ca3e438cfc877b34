/* Can rows of the original be dealt out to published classes, one to one, each into a class whose cells cover it?
 *
 * A flow problem: distinct original rows supply, classes need, and boxes say who may take what.  The edges are never
 * written down; sets of bits answer for them (bits.h). */
#ifndef COVEY_READER_POINTS_ASSIGN_H
#define COVEY_READER_POINTS_ASSIGN_H

#include "reader/original.h"

/* Rows of one point that one entry holds. */
typedef struct covey_assigned_share {
    uint32_t entry, amount;
} covey_assigned_share;

/* Rows that agree in everything but the quasi-identifiers. */
typedef struct covey_assignment {
    size_t n_dims;
    uint32_t n_points;
    const uint32_t *coordinate; /* [n_points * n_dims] different points, point-major */
    uint32_t *supply;           /* [n_points] rows at each point, > 0; in and out: those that are left over */
    uint32_t n_entries;
    const covey_cover **box; /* [n_entries * n_dims] what each class's cells cover, entry-major */
    uint32_t *need;          /* [n_entries] published rows, > 0; in and out: those that no row is left for */
    /* Out, in the arena; first_share stays NULL where there is nothing to deal out.  The shares of point p are
     * share[first_share[p]] and the n_shares[p] - 1 behind it. */
    uint32_t *first_share, *n_shares;
    covey_assigned_share *share;
} covey_assignment;

/**
 * Deals out as many rows as can be dealt out at all.
 *
 * Greedy first, smallest box first; what then still needs rows is found augmenting paths, all shortest ones in one
 * phase: about the square root of the rows in phases at most, and mostly a few.
 */
covey_status covey_i_assign(covey_assignment *assignment, covey_arena *arena, covey_error *err);

#endif
