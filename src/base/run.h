/* Asks the caller of a run now and then whether the work is to go on, and says how far it is. */
#ifndef COVEY_BASE_RUN_H
#define COVEY_BASE_RUN_H

#include <covey/base.h>

#include <pthread.h>
#include <stdatomic.h>

/**
 * Asks at once; only from the thread that the caller's call came on.
 *
 * @param what   phase, as the caller's progress function gets it
 * @param to_do  what done counts up to; 0: unknown
 * @return COVEY_ECANCELLED if the caller wants to stop
 */
covey_status covey_i_run_goes_on(const covey_run *run, const char *what, int64_t done, int64_t to_do, covey_error *err);

/* A loop of many small steps, on any number of threads: only the caller's own thread asks, every few thousand steps,
 * and the others hear what the answer was. */
typedef struct covey_run_poll {
    const covey_run *run;
    const char *what;
    int64_t to_do;
    pthread_t caller;
    int64_t asked; /* done when the caller was asked last */
    _Atomic int64_t done;
    atomic_bool is_cancelled;
} covey_run_poll;

/* By the caller's own thread. */
void covey_i_run_poll_begin(covey_run_poll *poll, const covey_run *run, const char *what, int64_t to_do);

/* n more steps are done, 0: a large one begins, before which is asked at once.  COVEY_ECANCELLED: nobody is to go on.
 */
covey_status covey_i_run_poll_add(covey_run_poll *poll, int64_t n, covey_error *err);

#endif
