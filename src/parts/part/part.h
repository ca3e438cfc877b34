/* One part: its rows anonymized alone, against the prior of the whole. */
#ifndef COVEY_PARTS_PART_PART_H
#define COVEY_PARTS_PART_PART_H

#include "parts/part/file.h"

/**
 * Anonymizes the rows of parts first .. last and writes them.
 *
 * @return COVEY_EINFEASIBLE if the rows cannot keep the promises alone: they have to be joined with those of a
 * neighbour
 */
covey_status covey_i_part_make(covey_outfile *out, const covey_plan *plan, uint32_t first, uint32_t last,
                               const covey_part_rows *rows, const covey_run *run, covey_error *err);

#endif
