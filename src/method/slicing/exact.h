/* The exact test of a sliced table: does any signature that its pieces can form let a sensitive value follow with a
 * probability above 1/l?
 *
 * Needed where buckets may share values that separate nothing: relaxed cuts, random buckets.  What is kept of every
 * bucket is how often it holds each piece; signatures are looked at only where some set of a bucket is hot (has too
 * large a share), see exact.c. */
#ifndef COVEY_METHOD_SLICING_EXACT_H
#define COVEY_METHOD_SLICING_EXACT_H

#include "method/slicing/slicing.h"

typedef struct covey_slicing_exact covey_slicing_exact;

/* One bucket, number 0, of all rows that are published: row[0 .. s->n-1].  by_paper: weights of the paper (buckets
 * alike) instead of sizes.  Memory is the slicing's arena's. */
covey_status covey_i_slicing_exact_new(covey_slicing_exact **out, covey_slicing *s, const uint32_t *row, bool by_paper,
                                       covey_error *err);

/**
 * Puts buckets in the place of one, if the table holds with them.
 *
 * @param holds   false: it does not, or it was not found out within the steps that a test may take; nothing has changed
 * @param first   receives the number of the first new bucket; the others follow
 * @param row     rows of the old bucket; part i ends at end[i]
 */
covey_status covey_i_slicing_exact_replace(bool *holds, uint32_t *first, covey_slicing_exact *exact, uint32_t old,
                                           const uint32_t *row, const uint32_t *end, uint32_t n_parts,
                                           covey_error *err);
/* Does the whole table hold, looked at anew?  false also if that takes too many steps. */
covey_status covey_i_slicing_exact_check(bool *holds, covey_slicing_exact *exact, covey_error *err);
/* Sets of buckets with too large a share, which other buckets make up for. */
size_t covey_i_slicing_exact_hot(const covey_slicing_exact *exact);

#endif
