/* Bisecting: a list of items is cut in two, its halves again, until nothing can be cut.  Here are the order, the
 * threads and the bookkeeping of all top-down cutting; where to cut, and what a half is, is the method's rule. */
#ifndef COVEY_METHOD_ROWS_BISECT_H
#define COVEY_METHOD_ROWS_BISECT_H

#include "base/arena.h"
#include "release/release_impl.h"

/* Parts of the items, growing, each with as many numbers beside it as its rule wants. */
typedef struct covey_parts {
    size_t n, capacity, n_notes;
    covey_span *part;
    uint32_t *notes; /* [capacity][n_notes] */
} covey_parts;

covey_status covey_i_parts_add(covey_parts *parts, covey_span part, const uint32_t *notes, covey_error *err);
void covey_i_parts_clear(covey_parts *parts); /* all zeros allowed */

/* What came of looking at a part. */
typedef enum covey_bisected {
    COVEY_BISECTED_CUT,
    COVEY_BISECTED_CLOSED, /* it cannot be cut */
    COVEY_BISECTED_LATER   /* not among others: it becomes a piece */
} covey_bisected;

/* How a method cuts.  One worker per thread.  What comes of a part must depend on its items, their order and its notes
 * only, so that the number of threads does not show. */
typedef struct covey_bisector {
    size_t worker_size, result_size;
    size_t n_notes;
    bool by_breadth;  /* the oldest part is always the next; else the largest one, and inside pieces the leftmost */
    uint32_t small;   /* parts of so many items at most become pieces, which threads cut each for itself */
    size_t most_open; /* as soon as so many parts are open they become pieces, too */
    /* Prepares a zeroed worker with scratch in its arena. */
    covey_status (*start)(void *worker, const void *context, covey_arena *arena, covey_error *err);
    void (*stop)(void *worker); /* also where start failed; NULL: nothing to do */
    /* Before a worker cuts a piece by itself; may move it and change its notes.  NULL: nothing to do. */
    covey_status (*take)(covey_span *piece, uint32_t *notes, void *worker, covey_error *err);
    /* Cuts a part, with so many threads, in halves and their notes [2][n_notes]. */
    covey_status (*cut)(covey_bisected *out, covey_span half[2], uint32_t *half_notes, void *worker, int n_threads,
                        covey_span part, const uint32_t *notes, covey_error *err);
    /* Notes a closed part in the result of its piece. */
    covey_status (*close)(void *result, void *worker, covey_span part, const uint32_t *notes, covey_error *err);
} covey_bisector;

/* What closed parts were noted in, piece by piece; of parts that were closed before there were pieces first, or, by
 * size, as pieces. */
typedef struct covey_bisection {
    size_t n;
    void *result; /* [n] of rule->result_size bytes, zeroed before */
} covey_bisection;

/**
 * Cuts a list of items.
 *
 * @param out    zeroed; its results are the caller's to clear, also when this fails, and then to free
 * @param notes  of the whole list
 */
covey_status covey_i_bisect(covey_bisection *out, const covey_bisector *rule, const void *context, covey_span whole,
                            const uint32_t *notes, const covey_run *run, covey_error *err);

#endif
