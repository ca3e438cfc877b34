/* Whose fault it was: complaints about what a policy wishes, which only its use has shown, get the place where that
 * stands. */
#ifndef COVEY_POLICY_BLAME_H
#define COVEY_POLICY_BLAME_H

#include <covey/policy.h>

/* The method's own place, for parameters that nobody gave it. */
covey_wish_place covey_i_policy_method_place(const covey_wish_method *wish);

/**
 * Each returns status.  A wrong policy's error that names no file gets one: that of the table if it knows a line of it;
 * otherwise where the parameter that it is about (covey_i_error_about) stands, or the whole wish, in the policy file;
 * or the flag that gave the parameter.
 */
covey_status covey_i_policy_blame_method(const covey_policy *policy, const covey_wish_method *wish, covey_status status,
                                         covey_error *err);
covey_status covey_i_policy_blame_promise(const covey_policy *policy, const covey_wish_promise *wish,
                                          covey_status status, covey_error *err);
covey_status covey_i_policy_blame_hierarchy(const covey_policy *policy, const covey_wish_attribute *wish,
                                            covey_status status, covey_error *err);
/* A table that is not there: the error names the policy's line, too. */
covey_status covey_i_policy_blame_input(const covey_policy *policy, covey_status status, covey_error *err);

#endif
