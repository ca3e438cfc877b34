/* Which values of the original the published cells stand for. */
#ifndef COVEY_READER_POINTS_COVERS_H
#define COVEY_READER_POINTS_COVERS_H

#include "reader/original.h"

/* What each published cell covers, or which value it is; step of covey_i_original_read. */
covey_status covey_i_covers_make(covey_original_column *out, covey_opened_column *column, covey_problems *problems,
                                 covey_arena *arena, covey_error *err);

/* The first code of a number column whose number is at least wanted (above: greater), which has `scale` digits after
 * the point; the missing value is passed over.  n_values if there is none. */
uint32_t covey_i_covers_first(const covey_column *column, int64_t wanted, int scale, bool above);

#endif
