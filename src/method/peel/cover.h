/* How lots get into classes.
 *
 *   aside.c     rows of rare values become one class, where values are capped
 *   take.c      node after node: rows are grouped, groups are taken
 *   labels.c    what a node calls the cells, as keys (labels.h)
 *   trim.c      the largest part of a group that keeps the promises
 *   serve.c     classes around rows of rare values, where values are capped
 *   rest.c      rows that nobody took; rows that are better suppressed
 *   cut.c       classes are cut in two, at a place that
 *   cutter.c    finds, or where
 *   slices.c    says that all cuts together are best;
 *   items.c     puts what is cut in order; a very large class is cut as
 *   planned_cuts.c  plans */
#ifndef COVEY_METHOD_PEEL_COVER_H
#define COVEY_METHOD_PEEL_COVER_H

#include "method/peel/peel.h"

/* trim.c */
typedef struct covey_peel_trimmer {
    const covey_peel_table *t;
    covey_tally tally;
    int64_t *cap, *need;          /* [n_values] of the view that is trimmed */
    int64_t *have, *keep, *left;  /* [n_values] of the group, of its part, scratch */
    double *share;                /* [n_values] of the part, if it were like the whole table */
    int64_t least_part;           /* rows: no smaller part can be like the whole table */
    uint32_t n_present, *present; /* values that occur in the group */
    int64_t *many;                /* [n_kinds] scratch */
    uint64_t *holding, *failing;  /* [2^COVEY_PEEL_MEMO_BITS] sets of kinds that can make a class, or cannot; 0: free */
} covey_peel_trimmer;
covey_status covey_i_peel_trimmer_new(covey_peel_trimmer *trimmer, const covey_peel_table *t, covey_arena *arena,
                                      covey_error *err);
/* How many rows of each kind to take of a group, if it breaks a promise: take[kind] is its count before, the trimmed
 * count after. kinds: those that it may have.  Returns the rows that are left, 0: no part was found that keeps the
 * promises.  trimmer->tally is then what is taken, without ranges. */
int64_t covey_i_peel_trim(covey_peel_trimmer *trimmer, int64_t *take, const uint32_t *kinds, uint32_t n_kinds);

/* A kind as a bit.  Where there are more kinds than bits, they share them. */
static inline uint64_t covey_i_peel_kind_bit(uint32_t kind)
{
    return (uint64_t)1 << (kind % 64);
}

/* Has a group of rows of these kinds, given as bits, any part that keeps the promises, however many rows it may have of
 * each? */
bool covey_i_peel_trim_can_hold(covey_peel_trimmer *trimmer, uint64_t kinds);

/* take.c */
typedef struct covey_peel_take {
    int64_t until;     /* the last node's loss */
    int roughness;     /* 1, or so many times less work: more nodes are left out */
    bool any_rest;     /* do not ask that what remains keeps the promises together */
    const bool *leave; /* [n_kinds] kinds that are not touched, NULL: none */
} covey_peel_take;
/* Takes classes from the lots that are in none. */
covey_status covey_i_peel_take(covey_peel *p, const covey_peel_take *take, covey_error *err);

/* aside.c: a class of the rows with the rarest values, and of others that would be dear; none where such a class, or
 * all others, would break a promise.  No row is in a class before. */
covey_status covey_i_peel_set_aside(covey_peel *p, const covey_peel_plan *plan, covey_error *err);

/* Is that worth trying: does a row of the rarest value ask for a class of a good part of the table? */
covey_status covey_i_peel_asks_aside(bool *out, const covey_peel_table *t, covey_error *err);

/* serve.c: classes around the rows of rare values, and the order in which rows would like to be taken along. */
covey_status covey_i_peel_serve(covey_peel *p, const covey_peel_plan *plan, covey_error *err);

/* rest.c */
covey_status covey_i_peel_place_rest(covey_peel *p,
                                     covey_error *err); /* every row is in a class that keeps the promises */
/* Takes out at most so many rows that cost their class, and themselves, more than a suppressed row does. */
covey_status covey_i_peel_suppress(covey_peel *p, int64_t most, covey_error *err);
int64_t covey_i_peel_relief(const covey_peel *p,
                            uint32_t lot); /* what a class costs less if a row of a lot leaves it */

/* cut.c: cuts all classes until no cut pays.  Where promises ask for nothing but rows the largest class is planned by
 * all threads if it has so many rows at least; what comes out is the same. */
enum { COVEY_PEEL_PLANNED = 1 << 15 };
covey_status covey_i_peel_cut(covey_peel *p, uint32_t least_planned, covey_error *err);

#endif
