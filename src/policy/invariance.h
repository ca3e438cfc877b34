/* Promises about releases of a table that changes: what else a policy that has one must say. */
#ifndef COVEY_POLICY_INVARIANCE_H
#define COVEY_POLICY_INVARIANCE_H

#include <covey/policy.h>

/* The promise about releases over time (m-invariance); NULL: there is none. */
const covey_wish_promise *covey_i_policy_invariance(const covey_policy *policy);

/* COVEY_EINVAL where the policy has such a promise and says something that would break it. */
covey_status covey_i_policy_check_invariance(const covey_policy *policy, covey_error *err);

#endif
