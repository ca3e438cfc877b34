/* Parallel loops over a small number of tasks. */
#ifndef COVEY_BASE_THREADS_H
#define COVEY_BASE_THREADS_H

#include <covey/base.h>

/* One task; returns a status and may fill err (each task has its own). */
typedef covey_status (*covey_task)(void *context, size_t task, covey_error *err);

/**
 * Runs task(context, 0 .. n_tasks-1) on at most n_threads threads, each task once, in any order; task 0 on the caller's
 * own thread, so that it may ask whether to go on.
 *
 * @return COVEY_OK, or the status and message of the failing task with the lowest number (the others still run); if
 * threads cannot be made the caller's thread does the work
 */
covey_status covey_i_parallel(int n_threads, size_t n_tasks, covey_task task, void *context, covey_error *err);

/* From the first begin to the last end, threads that helped in one loop wait for the next one instead of going: a call
 * that has many loops stands between the two.  No thread is left behind the last end, so that programs may fork, unload
 * the library or exit then. */
void covey_i_threads_crew_begin(void);
void covey_i_threads_crew_end(void);

#endif
