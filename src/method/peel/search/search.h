/* How a partition is bettered, each step leaving one that holds.
 *
 *   rounds.c    search on two sides at once
 *   search.c    rows move and are exchanged, classes dissolve
 *   move.c      the best move of a row
 *   index.c     which classes are near a row or a class
 *   trie.h      ranges of codes as a tree, for index.c
 *   explode.c   a class falls apart in two (pool.h; boxes.c: where its rows lie, part.c: what becomes of a part)
 *   open.c      boxes become classes
 *   donor.c     rows that a class can spare
 *   shake.c     a class is spoilt, its surroundings are searched, and taken back if that costs too much
 *   kick.c      how a class is spoilt
 *   cross.c     the best of two partitions */
#ifndef COVEY_METHOD_PEEL_SEARCH_SEARCH_H
#define COVEY_METHOD_PEEL_SEARCH_SEARCH_H

#include "method/peel/peel.h"

/* index.c */
typedef struct covey_peel_near {
    int64_t cost;
    uint32_t class;
} covey_peel_near;
covey_status covey_i_peel_index_build(covey_peel *p, covey_error *err);
covey_status covey_i_peel_index_refresh(covey_peel *p, uint32_t n_moved,
                                        covey_error *err); /* rebuilds it if many rows have moved */
/* The class that a row joins at the least increase of cost, below bound; never except.  COVEY_PEEL_NONE: there is none.
 */
uint32_t covey_i_peel_target(covey_peel *p, int64_t *increase, uint32_t row, uint32_t except, int64_t bound);
/* The k classes that are merged with c at the least increase, of at most `most` rows together.  k <=
 * COVEY_PEEL_MOST_NEAR. Returns how many there are. */
uint32_t covey_i_peel_near_classes(covey_peel *p, covey_peel_near *near, uint32_t c, uint32_t k, uint32_t most);
/* move.c: the best move of a row, and with exchange also the best exchange for a row of another
 * class.  *class and *other receive where to and for whom (COVEY_PEEL_NONE: for nobody); returns the gain; *class =
 * COVEY_PEEL_NONE: nothing gains more than least. */
int64_t covey_i_peel_best_move(covey_peel *p, uint32_t *class, uint32_t *other, uint32_t row, bool exchange,
                               int64_t least);

/* search.c: passes over all rows or classes; each adds what it gained. */
covey_status covey_i_peel_pass_move(covey_peel *p, bool exchange, int64_t *gain, covey_error *err);
covey_status covey_i_peel_pass_dissolve(covey_peel *p, int64_t *gain, covey_error *err);

/* kick.c: spoils the class of a row, which has at most COVEY_PEEL_MOST_DISSOLVED; false: what came out does not keep
 * the promises, or costs too much.  Makes one new class at most. */
bool covey_i_peel_kick(covey_peel *p, uint32_t row, uint64_t random, bool *no_memory);

/* shake.c */
/* A round: shakes classes drawn by salt, as long as there is work left. */
covey_status covey_i_peel_shake(covey_peel *p, const covey_peel_plan *plan, uint64_t salt, covey_error *err);

/* cross.c: a partition without its ranges */
typedef struct covey_peel_saved {
    uint32_t n_classes;
    uint32_t *class_of; /* [n_rows] */
    uint32_t *n;        /* [n_classes] rows */
    int64_t *loss;      /* [n_classes] of a row */
} covey_peel_saved;
covey_status covey_i_peel_save(covey_peel_saved *saved, const covey_peel *p, covey_arena *arena, covey_error *err);
covey_status covey_i_peel_restore(covey_peel *p, const covey_peel_saved *saved, covey_error *err);
/* Keeps the better of what p and another partition have, place by place. */
covey_status covey_i_peel_cross(covey_peel *p, const covey_peel_saved *old, covey_error *err);

/* open.c: boxes become classes */
covey_status covey_i_peel_pass_open(covey_peel *p, int64_t *gain, covey_error *err);

/* donor.c: rows that their classes can spare, one per class, cell and kind */
covey_status covey_i_peel_donors_build(covey_peel *p, covey_error *err);
/* The donor for a set with these ranges, size rows: (size + 1) times the loss with it less what its class gains; below
 * bound.  usable: judges kinds, NULL: all are. */
uint32_t covey_i_peel_best_donor(covey_peel *p, int64_t *cost, const uint32_t *low, const uint32_t *high, int64_t size,
                                 uint32_t except, int64_t bound, bool (*usable)(const void *context, uint32_t kind),
                                 const void *context);

/* explode.c: n_near: pools of a class and each of so many near ones, beside the class alone */
covey_status covey_i_peel_pass_explode(covey_peel *p, uint32_t n_near, int64_t *gain, covey_error *err);
/* Which pools were tried; if classes are to explode, donors and targets anew. */
covey_status covey_i_peel_pools_build(covey_peel *p, bool explodes, covey_error *err);
int64_t covey_i_peel_explode(covey_peel *p, uint32_t c, uint32_t n_near,
                             bool *no_memory);            /* one class; returns the gain */
bool covey_i_peel_is_tried(covey_peel *p, uint64_t hash); /* a pool, by its rows; it is from now on */
void covey_i_peel_forget_pools(covey_peel *p);            /* that were tried in vain */

/* rounds.c: improves p[0]; p[1] is scratch */
covey_status covey_i_peel_search(covey_peel *p, const covey_peel_plan *plan, int n_threads, covey_error *err);

#endif
