/* The recipe of a plan: a file from which whoever makes a part knows all that the plan found.  Format: docs/parts.md.
 */
#ifndef COVEY_PARTS_PLAN_RECIPE_H
#define COVEY_PARTS_PLAN_RECIPE_H

#include <covey/parts.h>

#include "parts/plan/plan.h"

/* The end of a planning: says what of the data is to be known, writes the recipe and reports. */
covey_status covey_i_recipe_publish(covey_plan_report *report, covey_plan *plan, const covey_policy *policy,
                                    const char *path, bool force, const covey_run *run, covey_error *err);

/**
 * Reads a recipe back.
 *
 * @param policy  receives the plan's policy, which outlives it (covey_policy_free)
 * @return COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE for a file that is no recipe or was changed; COVEY_EINVAL for a
 * hierarchy file that is not what it was, or a recipe of another version
 */
covey_status covey_i_recipe_read(covey_plan *out, covey_policy **policy, const char *path, const covey_run *run,
                                 covey_error *err);

#endif
