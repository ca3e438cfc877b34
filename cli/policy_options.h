/* A policy from the command line: every key of a policy file and every parameter of a method is an option. */
#ifndef COVEY_CLI_POLICY_OPTIONS_H
#define COVEY_CLI_POLICY_OPTIONS_H

#include "args.h"

/* Fills out with an option per key and per parameter of the registered methods, and returns their number; with NULL a
 * number that is at least that: methods share parameters. */
size_t cli_policy_options(cli_option *out);

/**
 * Makes the policy that a command line asks for.
 *
 * @param source  a policy file, which the options then change; or a table: the options are the policy
 * @return what covey_policy_read, _set and _check return
 */
covey_status cli_policy_build(covey_policy **out, const cli_call *call, const char *source, covey_error *err);

/* The first attribute of the policy that has the role; NULL: there is none. */
const covey_wish_attribute *cli_policy_find(const covey_policy *policy, covey_role role);

#endif
