/* Which method makes the release. */
#ifndef COVEY_JOB_CHOOSE_H
#define COVEY_JOB_CHOOSE_H

#include <covey/job.h>

#include "job/choice.h"

/**
 * Runs the policy's method, or (auto) every registered one that accepts the promises, and keeps the release with the
 * least loss (ties: the first that was run).
 *
 * @param candidates  receives what came of each under auto, which is COVEY_OK; NULL: nobody asks
 * @return as covey_anonymize; under auto a method that fails with COVEY_EINFEASIBLE is out of the running unless all do
 */
covey_status covey_i_choose(covey_release **out, covey_choice *choice, covey_candidates *candidates,
                            covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                            covey_error *err);

#endif
