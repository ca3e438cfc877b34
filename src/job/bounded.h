/* How far a release is from the best. */
#ifndef COVEY_JOB_BOUNDED_H
#define COVEY_JOB_BOUNDED_H

#include <covey/job.h>

#include "problem/problem.h"

/* What all releases of the problem lose at least that are of that form; none where rows have units, or the form shows
 * quasi-identifiers as they are. */
covey_status covey_i_job_bound(covey_bounded_loss *out, const covey_problem *problem, const char *form, double seconds,
                               const covey_run *run, covey_error *err);
/* Gives the bound up where the release that was settled measures losses by another hierarchy than the problem. */
void covey_i_job_bound_settle(covey_bounded_loss *bounded, const covey_problem *problem, const covey_problem *settled);

#endif
