/* What the cells of a generalized release stand for, as tables: so that SQL can ask of them. */
#ifndef COVEY_EXPORT_CELLS_TABLES_H
#define COVEY_EXPORT_CELLS_TABLES_H

#include "export/sheets.h"

/**
 * Adds to a generalized release
 *   classes: class, rows, and for each quasi-identifier that is published by ranges NAME_low, NAME_high (NULL for
 * missing cells only) and NAME_missing (0: none of its values is missing, 1: some may be, 2: all are) leaves_NAME for
 * each other quasi-identifier: cell, leaf, kind (value; missing; open: a leaf that stands for others; range, below: all
 * numbers from low to high, or below high), and where it is a number low and high Other forms, whose cells are exact,
 * get nothing.
 */
covey_status covey_i_cells_add(covey_sheets *sheets, const covey_run *run, covey_error *err);

#endif
