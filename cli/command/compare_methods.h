/* What covey compare prints of methods, whether policies vary or not. */
#ifndef COVEY_CLI_COMMAND_COMPARE_METHODS_H
#define COVEY_CLI_COMMAND_COMPARE_METHODS_H

#include "print.h"

/* How many times the least possible the loss is at most; NaN: not known. */
double cli_compare_ratio(const covey_compared_method *m);
/* The methods of a comparison as an array. */
json_t *cli_compare_json_methods(const covey_comparison *comparison);
/* One figure, "-" if it is not known; fmt: "%" for a share, "" otherwise. */
void cli_compare_add_figure(cli_table *table, double value, const char *fmt);
/* "12 rows of 3 units", without the end of the line. */
void cli_compare_print_rows(const covey_comparison *comparison);
/* What attacks are right about without a release, and what they count. */
void cli_compare_print_guess(const covey_comparison *comparison);
/* Says in the object how many rows, and units where rows have any, were compared. */
void cli_compare_json_rows(json_t *object, const covey_comparison *comparison);

#endif
