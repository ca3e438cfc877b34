/* Top-down cutting: a set of rows is cut in two again and again while both sides keep every promise.  Here is the
 * recursion, its threads and its bookkeeping; where to cut is the method's business. */
#ifndef COVEY_METHOD_ROWS_CUTTING_H
#define COVEY_METHOD_ROWS_CUTTING_H

#include "method/method_impl.h"

/* Where a set was cut: the left side's region ends with one code of an axis, the right side's begins with the next (or
 * the same). */
typedef struct covey_cut_place {
    size_t axis;
    uint32_t left_high, right_low;
    uint32_t edge; /* the method's name of it, which both sides' regions get: neither 0 nor UINT32_MAX, the ends of the
                      domain */
} covey_cut_place;

/* The region of a set, as cuts left it: codes low .. high of each axis, and the names of the edges there. */
typedef struct covey_cut_region {
    const uint32_t *low, *high, *low_edge, *high_edge; /* [n_axes] */
} covey_cut_region;

/* How a method cuts.  One worker per thread; its scratch lives in the worker's arena. */
typedef struct covey_cutter {
    size_t worker_size;
    /* Prepares a zeroed worker. */
    covey_status (*start)(void *worker, const void *context, covey_arena *arena, covey_error *err);
    /* Reorders items[0 .. n-1] so that the first *n_left go left; *n_left = 0: no cut is allowed, the set is a class.
     * Must depend on the rows, their order and their region only.  Both sides keep every promise.  region: NULL where
     * none are wanted. */
    covey_status (*cut)(uint32_t *n_left, void *worker, uint32_t *items, uint32_t n, const covey_cut_region *region,
                        covey_error *err);
    /* Where the last cut of this worker was made. */
    covey_cut_place (*place)(const void *worker);
} covey_cutter;

/* What a set was cut into. */
typedef struct covey_cut_classes {
    uint32_t n;
    covey_span *items;     /* [n] where each class's stand */
    covey_regions regions; /* NULL: not wanted */
} covey_cut_classes;

/**
 * Cuts items[0 .. n-1] until nothing can be cut.  The classes do not depend on the number of threads.
 *
 * @param classes       receives them; clear it afterwards; empty if this fails
 * @param with_regions  the region of each class, too.  The first set's is the whole of problem's axes.
 * @param items         permuted in place, so that those of a class stand together
 */
covey_status covey_i_cut_all(covey_cut_classes *classes, bool with_regions, const covey_problem *problem,
                             uint32_t *items, uint32_t n, const covey_cutter *cutter, const void *context,
                             const covey_run *run, covey_error *err);
void covey_i_cut_classes_clear(covey_cut_classes *classes);

#endif
