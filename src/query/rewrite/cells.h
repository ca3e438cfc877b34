/* The cells of one attribute in rewritten conditions (rewrite.h). */
#ifndef COVEY_QUERY_REWRITE_CELLS_H
#define COVEY_QUERY_REWRITE_CELLS_H

#include "query/rewrite/rewrite.h"

/* Appends: can the cell of a row hold a value of a wanted atom?  wanted: [n_atoms] of the attribute. */
void covey_i_rewrite_can(covey_rewriting *r, const covey_condition_attribute *a, const bool *wanted);
/* The same of an attribute published as numbers or ranges, whatever cells there are: runs of positions, and the missing
 * value. */
void covey_i_rewrite_positions(covey_rewriting *r, const covey_condition_attribute *a, const bool *wanted);
/* SQLite keeps a decimal with more digits than a double holds as a text, which it does not compare as a number:
 * COVEY_EINVAL. */
covey_status covey_i_rewrite_check_digits(const covey_rewriting *r, const covey_query_column *column, covey_error *err);

#endif
