/* Columns whose values name persons, households or firms, with several rows for each: where a table has one, rows are
 * not persons, and a promise that counts rows says less than it seems to. */
#ifndef COVEY_TABLE_REPEATS_H
#define COVEY_TABLE_REPEATS_H

#include <covey/table.h>

/* May the values be keys of which each has few rows, and many have several?  is_identifier: somebody said that they
 * identify; else the name has to say so, and the rows of a key have to be fewer. */
bool covey_i_repeats_are_keys(const covey_repeats *repeats, const char *name, bool is_identifier);

/* Says so: what it means for promises that count rows. */
void covey_i_repeats_warn(const covey_repeats *repeats, const char *name, const covey_run *run);

/* Counts all values of a column. */
covey_status covey_i_repeats_of_column(covey_repeats *out, const covey_column *column, covey_error *err);

#endif
