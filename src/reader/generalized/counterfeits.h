/* How many rows of each class a generalized release made up (counterfeits.csv). */
#ifndef COVEY_READER_GENERALIZED_COUNTERFEITS_H
#define COVEY_READER_GENERALIZED_COUNTERFEITS_H

#include "reader/opened.h"

#define COVEY_COUNTERFEITS_TABLE "counterfeits.csv"

/* Reads the table of a release whose manifest counts counterfeits into opened->counterfeits; what is wrong with it goes
 * to problems, and then that stays NULL: where a class would have no row but made-up ones, too. */
covey_status covey_i_counterfeits_read(covey_opened *opened, const bool *present, covey_problems *problems,
                                       const covey_run *run, covey_error *err);

/* Made-up rows of a class. */
static inline uint32_t covey_i_counterfeits_of(const covey_opened *opened, uint32_t class_index)
{
    return opened->counterfeits ? opened->counterfeits[class_index] : 0;
}

#endif
