/* Largest matchings of rows of a few types and values of a few kinds: how many rows of a group can have a value that
 * makes a condition true, or false.
 *
 * A type is the set of atoms that make its rows true, a kind the set of atoms that its values may be of; a row and a
 * value fit where the two meet. The matching is a largest flow, found along shortest paths. */
#ifndef COVEY_QUERY_MATCHING_H
#define COVEY_QUERY_MATCHING_H

#include "base/arena.h"

enum { COVEY_MATCHING_MOST_TYPES = 4096 };

typedef struct covey_matching {
    uint32_t n_types, n_kinds;
    uint64_t *accepts; /* [COVEY_MATCHING_MOST_TYPES] which atoms fit */
    int64_t *n_rows;   /* [COVEY_MATCHING_MOST_TYPES] of each type */
    uint64_t *holds;   /* [most kinds] which atoms a value may be of */
    int64_t *n_values; /* [most kinds] of each kind */

    int64_t *supply, *room, *flow; /* [most types], [most kinds], [n_types * n_kinds] */
    uint32_t *queue, *came_from;   /* [most types + most kinds] */
    size_t n_flow;                 /* what flow has room for */
    covey_arena *arena;
} covey_matching;

/* No types and no kinds yet; memory lives in the arena. */
covey_status covey_i_matching_make(covey_matching *out, uint32_t most_kinds, covey_arena *arena, covey_error *err);

/* The place of rows of a type, which is added if it is new; COVEY_MATCHING_MOST_TYPES: there are too many. */
uint32_t covey_i_matching_type(covey_matching *m, uint64_t accepts);

/**
 * Most rows that can have values of their own that fit.
 *
 * @param flip  atoms whose sense is turned round in every type: 0, or all, for values that do not fit
 * @return COVEY_EINVAL if there are too many types and kinds at once
 */
covey_status covey_i_matching_largest(int64_t *out, covey_matching *m, uint64_t flip, covey_error *err);

#endif
