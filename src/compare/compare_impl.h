/* How a comparison is put together; inside the module only. */
#ifndef COVEY_COMPARE_COMPARE_IMPL_H
#define COVEY_COMPARE_COMPARE_IMPL_H

#include <covey/compare.h>

#include <pthread.h>

#include "compare/queries.h"
#include "job/prepare.h"

enum { COVEY_COMPARE_USUAL_TIME = 3 }; /* seconds of a method */

/* What all methods share; read-only while they run, but for what the lock protects. */
typedef struct covey_comparing {
    const covey_policy *policy;
    const covey_compare_options *options;
    const covey_run *run; /* the caller's */
    covey_prepared prepared;
    covey_compare_queries workload;
    covey_bounded_loss bounded;    /* of releases by classes */
    covey_arena arena;             /* owns the workload */
    const char *folder;            /* only its owner can read it */
    int n_threads;                 /* of each method */
    struct covey_contest *contest; /* [n] one per registered method */
    size_t n;
    pthread_mutex_t lock;
    int64_t n_done;
    bool cancelled;
} covey_comparing;

/* One method's turn. */
typedef struct covey_contest {
    covey_comparing *all;
    const covey_method *method;
    covey_compared_method figures; /* its texts are static or stand here */
    char reason[1200];
    double deadline;
    bool stopped;
} covey_contest;

/* Runs a method and measures its release (src/compare/contest.c).  Only what is
 * nobody's fault fails: memory, disk, a wish to stop. */
covey_status covey_i_contest_run(covey_contest *contest, size_t index, covey_error *err);

/* Brings methods into order and marks those that no other one beats (src/compare/ranking.c). */
void covey_i_compare_rank(covey_compared_method *method, size_t n, covey_compare_objective objective);

#endif
