/* What the files of peel share: how a partition is started and searched.
 *
 *   peel.c      the method: parameters, trials on several threads, the release
 *   trial.c     a start; passes of search
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

/* How a trial goes. */
typedef struct covey_peel_plan {
    double until;  /* < 0: no limit */
    double aside;  /* of the class of rows with rare values: the share that goes for these alone; 0: no such class */
    int roughness; /* of the start: 1, or so many times less work for it */
    uint32_t rare_size; /* values that need classes of so many rows are served first */
    double price_share;
    double tau;                /* of a unit: moves may cost so much at first */
    int n_warm;                /* passes until they may not */
    int n_rounds;              /* of shaking */
    uint32_t shakes_per_class; /* in a round */
    int n_near;                /* of exploding, -1: none */
    bool opens;                /* boxes */
    bool is_whole;             /* passes are not made by halves */
    int64_t work_limit;        /* of a side's search */
} covey_peel_plan;

/* trial.c */
/* Reports done of to_do steps; COVEY_ECANCELLED if somebody cancelled. */
covey_status covey_i_peel_report(covey_peel *p, int64_t done, int64_t to_do, covey_error *err);
covey_status covey_i_peel_begin(covey_peel *p, const covey_peel_plan *plan,
                                covey_error *err); /* a partition to start from */
bool covey_i_peel_is_enough(const covey_peel *p);  /* does the caller want what there is? */
covey_status covey_i_peel_passes(covey_peel *p, const covey_peel_plan *plan, int64_t work_limit, covey_error *err);

#endif
