/* From a search among rows to what may be published: how many rows are suppressed, and which. */
#ifndef COVEY_METHOD_OPTIMAL_SUPPRESS_H
#define COVEY_METHOD_OPTIMAL_SUPPRESS_H

#include "method/optimal/optimal.h"

/* One table and what is wished for. */
typedef struct covey_optimal_job {
    const covey_problem *problem;
    const covey_run *run;
    covey_optimal_options options;
    covey_arena arena;
    const covey_axis_splits *splits;
    const covey_fraction *min_length; /* [n_axes], NULL: no wish */
    double start;
} covey_optimal_job;

/* What a search gave, in terms of rows. */
typedef struct covey_optimal_found {
    uint32_t *class_of_row; /* [n_rows], owned */
    covey_regions regions;  /* owned */
    uint32_t n_classes;
    int64_t n_suppressed;
    double value, bound; /* as the cost itself, all rows of the table counted */
    bool optimal;
    covey_optimal_stop stop;
    covey_optimal_search search;
} covey_optimal_found;

/* Searches, with suppression where the problem allows any.  out begins as zeros, and is cleared whatever comes of it.
 */
covey_status covey_i_optimal_find(covey_optimal_found *out, covey_optimal_job *job, covey_error *err);
void covey_i_optimal_found_clear(covey_optimal_found *found);

#endif
