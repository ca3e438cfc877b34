/* One pass over a table that memory does not hold: its values, how often each occurs, and a sample of its rows. */
#ifndef COVEY_PARTS_PLAN_GATHER_H
#define COVEY_PARTS_PLAN_GATHER_H

#include "parts/deal/spill.h"
#include "parts/plan/plan.h"

typedef struct covey_gathered covey_gathered;

/**
 * Reads all of the stream.
 *
 * @param plan        receives n_columns, value, count, n_rows
 * @param spill       receives the rows; NULL: not wanted
 * @param most_bytes  that all columns' dictionaries may take; COVEY_EINVAL names the largest one if they do not fit
 */
covey_status covey_i_gather(covey_gathered **out, covey_plan *plan, covey_preparing *s, covey_csv_stream *stream,
                            covey_spill *spill, size_t most_bytes, covey_error *err);

/* The sample, as rows of plan->value's columns; borrowed. */
void covey_i_gathered_sample(covey_plan_sample *out, const covey_gathered *gathered);
void covey_i_gathered_free(covey_gathered *gathered); /* NULL allowed */

#endif
