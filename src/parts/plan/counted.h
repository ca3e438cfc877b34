/* Plans from values and counts that somebody else has found, such as an engine that distributes work. */
#ifndef COVEY_PARTS_PLAN_COUNTED_H
#define COVEY_PARTS_PLAN_COUNTED_H

#include "parts/plan/plan.h"

/* As covey_i_plan_make, from counts instead of a table. */
covey_status covey_i_counted_plan(covey_plan *out, const covey_policy *policy, const covey_counted *counted,
                                  int64_t memory_limit, int64_t rows_per_part, const covey_run *run, covey_error *err);

#endif
