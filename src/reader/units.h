/* What a release says of the units of its classes (units.csv). */
#ifndef COVEY_READER_UNITS_H
#define COVEY_READER_UNITS_H

#include "reader/opened.h"

#define COVEY_UNITS_TABLE "units.csv"

/* As stated: [n_classes] each. */
typedef struct covey_opened_units {
    const int64_t *n_units, *largest;
    const int64_t *n_persons; /* where units are households; else as n_units */
} covey_opened_units;

/* Reads the table of a release whose manifest has an entity into opened->units; what is wrong with it goes to problems,
 * and then that stays NULL. */
covey_status covey_i_opened_units_read(covey_opened *opened, const bool *present, covey_problems *problems,
                                       const covey_run *run, covey_error *err);

/* Can they be, in a form whose units of a set have as many rows each and one value each? */
bool covey_i_opened_units_are_alike(const covey_opened *opened, uint32_t set);
/* Has each of them one row?  n: [classes] units, or persons. */
bool covey_i_opened_units_are_rows(const covey_opened *opened, const int64_t *n);
/* For who computes with them: COVEY_EPARSE where they cannot be true of the classes, so that nothing follows. */
covey_status covey_i_opened_units_check(const covey_opened *opened, covey_error *err);

#endif
