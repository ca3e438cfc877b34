/* Numbers of classes: what the search for them is made of.
 *
 *   count.c     the search, and what numbers of classes say of costs
 *   parts.c     parts of a block as sets of bits
 *   refuted.c   what was found out of boxes
 *
 * See docs/design/optimal-partition.md. */
#ifndef COVEY_METHOD_OPTIMAL_COUNT_H
#define COVEY_METHOD_OPTIMAL_COUNT_H

#include "method/optimal/optimal.h"

/* ---- parts.c ---- */

/* The block that is asked about: its parts are sets of its items. */
typedef struct covey_optimal_whole {
    const covey_optimal_grid *g;
    uint32_t n_words;
    uint32_t *rows; /* [its items] */
    uint32_t *cell; /* [its items][d] among the cells of all axes */
    uint64_t *upto; /* [n_cells][n_words] the items up to a cell of its axis */
} covey_optimal_whole;

typedef struct covey_optimal_part {
    covey_optimal_block block; /* its rows, box and counts; its items are not listed */
    uint64_t *bits;            /* [n_words] */
    int64_t most;              /* classes that sizes allow if it is cut once; 1 if it cannot be cut */
} covey_optimal_part;

/* What a block takes as a whole. */
size_t covey_i_optimal_whole_bytes(const covey_optimal_grid *g, size_t n_items);
/* In w->arena, as all parts; false: no memory. */
bool covey_i_optimal_whole_new(covey_optimal_whole *whole, covey_optimal_part *all, covey_optimal_worker *w,
                               const covey_optimal_block *block);
bool covey_i_optimal_part_new(covey_optimal_part *part, const covey_optimal_whole *whole, covey_optimal_worker *w);
/* Both sides of a cut, which are new parts or may be overwritten. */
void covey_i_optimal_part_divide(covey_optimal_part *left, covey_optimal_part *right, const covey_optimal_whole *whole,
                                 const covey_optimal_part *part, uint32_t axis, uint32_t cell, int64_t n_left);

/* ---- refuted.c ---- */

/* Can a box be cut into so many classes? */
covey_optimal_answer covey_i_optimal_counter_recall(covey_optimal_counter *c, const covey_optimal_grid *g,
                                                    const covey_optimal_block *block, int64_t q);
void covey_i_optimal_counter_remember(covey_optimal_counter *c, const covey_optimal_grid *g,
                                      const covey_optimal_block *block, int64_t q, covey_optimal_answer answer);

#endif
