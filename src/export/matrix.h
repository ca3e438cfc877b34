/* The chances of a perturbed release as a table: which value shows where which one is true. */
#ifndef COVEY_EXPORT_MATRIX_H
#define COVEY_EXPORT_MATRIX_H

#include "export/sheets.h"

/**
 * Adds to a perturbed release the table matrix, a line for every pair of values: published, original, probability (that
 * the first shows where the second is true) and inverse (what a row that shows the first counts for the second, so that
 * the sum over rows estimates how many have it; NULL where some value is never kept).
 * Source: [CaoKarras12] section 5, PM.
 *
 * @return COVEY_EPARSE where perturbation.csv has no numbers; COVEY_ENOMEM.  Of more than 1,000 values there is none,
 * with a warning.
 */
covey_status covey_i_matrix_add(covey_sheets *sheets, const covey_run *run, covey_error *err);

#endif
