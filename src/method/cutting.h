/* Top-down cutting: a set of rows is cut in two again and again while both sides keep every promise.  Here is the recursion, its
 * threads and its bookkeeping; where to cut is the method's business. */
#ifndef COVEY_CUTTING_H
#define COVEY_CUTTING_H

#include "method/method_impl.h"

/* How a method cuts.  One worker per thread; its scratch lives in the worker's arena. */
typedef struct covey_cutter {
    size_t worker_size;
    /* Prepares a zeroed worker. */
    covey_status (*start)(void *worker, const void *context, covey_arena *arena, covey_error *err);
    /* Reorders rows[0 .. n-1] so that the first *n_left go left; *n_left = 0: no cut is allowed, the set is a class.  Must depend on the
     * rows and their order only.  Both sides keep every promise. */
    covey_status (*cut)(uint32_t *n_left, void *worker, uint32_t *rows, uint32_t n, covey_error *err);
} covey_cutter;

/**
 * Cuts rows[0 .. n-1] until nothing can be cut and appends the classes to class_of_row, numbering them from *n_classes on.
 *
 * @param rows  permuted in place
 * The classes do not depend on the number of threads.
 */
covey_status covey_i_cut_all(uint32_t *class_of_row, uint32_t *n_classes, uint32_t *rows, uint32_t n, const covey_cutter *cutter,
                             const void *context, const covey_run *run, covey_error *err);

/* A whole method of that kind: starts (covey_i_start), cuts everything, makes the release. */
covey_status covey_i_cut_into_release(covey_release **out, const covey_problem *problem, const covey_cutter *cutter, const void *context,
                                      const covey_run *run, covey_error *err);

#endif
