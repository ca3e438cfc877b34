/* The rows of a table on disk, as the one pass over its text has read them: by column, in the codes of the piece that
 * they came in, with what these mean.  When all values are known, rows are dealt from here instead of being read from
 * the text once more. */
#ifndef COVEY_PARTS_DEAL_SPILL_H
#define COVEY_PARTS_DEAL_SPILL_H

#include "parts/deal/deal.h"
#include "parts/plan/growing_values.h"

/* Makes the file (mode 0600). */
covey_status covey_i_spill_new(covey_spill **out, const char *path, covey_error *err);

/* Appends the rows of a piece.  map [n_columns][values of the column]: their codes among the growing values. */
covey_status covey_i_spill_add(covey_spill *spill, const covey_column *const *column, uint32_t *const *map,
                               size_t n_columns, int64_t n_rows, const covey_run *run, covey_error *err);

/* All pieces are there: takes the places of the values, [n_columns]. */
covey_status covey_i_spill_end(covey_spill *spill, covey_growing_values *values, covey_error *err);

/* Deals all rows; COVEY_EIO if the file is not as it was written. */
covey_status covey_i_spill_deal(const covey_spill *spill, const covey_dealer *dealer, const covey_run *run,
                                covey_error *err);
void covey_i_spill_free(covey_spill *spill); /* removes the file; NULL allowed */

#endif
