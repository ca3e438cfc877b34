/* covey compare with --vary: several policies that differ in what is varied. */
#ifndef COVEY_CLI_COMMAND_COMPARE_VARIED_H
#define COVEY_CLI_COMMAND_COMPARE_VARIED_H

#include "args.h"
#include "print.h"

/* Compares the policy of the command line in every combination of the --vary options, prints the result and writes the
 * --plot. *yes: some method keeps some of the policies. */
covey_status cli_compare_varied(bool *yes, const cli_call *call, const covey_compare_options *options,
                                covey_error *err);

#endif
