/* covey compare with --vary: several policies that differ in what is varied. */
#ifndef COVEY_CLI_COMMAND_COMPARE_VARIED_H
#define COVEY_CLI_COMMAND_COMPARE_VARIED_H

#include "args.h"
#include "print.h"

/* Compares the policy of the command line in every combination of the --vary options, prints the result and writes the
 * --plot. *yes: some method keeps some of the policies. */
covey_status cli_compare_varied(bool *yes, const cli_call *call, const covey_compare_options *options,
                                covey_error *err);

/* compare.c: the methods of a comparison as an array, and one figure of one; fmt: "%" for a share, "" otherwise. */
json_t *cli_json_compared_methods(const covey_comparison *comparison);
void cli_add_figure(cli_table *table, double value, const char *fmt);
/* What attacks are right about without a release. */
void cli_print_guess(const covey_comparison *comparison);

#endif
