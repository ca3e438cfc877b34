/* What the files of peel share: how a partition is started and searched.
 *
 *   peel.c      the method: parameters, trials on several threads, the release
 *   plan.c      how trials go
 *   trial.c     a start; passes of search
 *   or_elastic.c  what loses less than the search
 *   watch.c     what trials are told by, and tell, their caller
 *   table.h     the rows as lots, losses as integers, ladders and nodes
 *   partition.h classes of lots with ranges and counts, and whether they keep the promises
 *   cover.h     how lots get into classes: node after node, and what remains
 *   search/     how a partition is bettered
 *
 * Source: docs/design/peel.md. */
#ifndef COVEY_METHOD_PEEL_PEEL_H
#define COVEY_METHOD_PEEL_PEEL_H

#include "method/peel/partition.h"

enum {
    COVEY_PEEL_MOST_TRIALS = 2,
    COVEY_PEEL_THOROUGH = 1, /* how well starts are made: so many times less work than there may be */
    COVEY_PEEL_FAIRLY = 2,
    COVEY_PEEL_PLAINLY = 3,
    COVEY_PEEL_ROUGHLY = 4
};

/* How a trial goes. */
typedef struct covey_peel_plan {
    double until;  /* < 0: no limit */
    double aside;  /* of the class of rows with rare values: the share that goes for these alone; 0: no such class */
    int roughness; /* of the start: COVEY_PEEL_THOROUGH, or less */
    uint32_t rare_size; /* values that need classes of so many rows are served first */
    double price_share;
    double tau;                /* of a unit: moves may cost so much at first */
    int n_warm;                /* passes until they may not */
    int n_passes;              /* after these */
    int n_rounds;              /* of shaking */
    int64_t least_gain;        /* of what is lost: one part in so many; a round that brings less is the last one */
    uint32_t shakes_per_class; /* in a round */
    double most_lost;          /* of a unit: a shake may cost so much at the beginning of a round, nothing at its end */
    int n_near;                /* of exploding, -1: none */
    bool opens;                /* boxes, after the first pass */
    bool is_whole;             /* passes are not made by halves */
    int64_t work_limit;        /* of a side's search */
} covey_peel_plan;

/* plan.c */
/* Plans the trials on a table: plan[COVEY_PEEL_MOST_TRIALS].  Returns how many there are.  until: as in a plan. */
size_t covey_i_peel_plan_trials(covey_peel_plan *plan, const covey_peel_table *t, double until, bool refines);
/* What a move may cost at first, from what the trial's start loses. */
void covey_i_peel_plan_threshold(covey_peel_plan *plan, const covey_peel *start, size_t trial);

/* watch.c */
/* Reports done of to_do steps; COVEY_ECANCELLED if somebody cancelled. */
covey_status covey_i_peel_report(covey_peel *p, int64_t done, int64_t to_do, covey_error *err);
bool covey_i_peel_is_enough(const covey_peel *p); /* does the caller want what there is? */

/* trial.c */
covey_status covey_i_peel_begin(covey_peel *p, const covey_peel_plan *plan,
                                covey_error *err); /* a partition to start from */
/* Passes of search over a partition, until nothing gains any more or the work is done. */
covey_status covey_i_peel_passes(covey_peel *p, const covey_peel_plan *plan, int64_t work_limit, covey_error *err);

/* Puts elastic's release in the place of another that loses more; after a failure there is none.  min_size: as of
 * peel. */
covey_status covey_i_peel_or_elastic(covey_release **release, const covey_problem *problem, int64_t min_size,
                                     const covey_run *run, covey_error *err);

#endif
