/* What the presets of a manifest claim, proved from what is published. */
#ifndef COVEY_READER_PRESETS_H
#define COVEY_READER_PRESETS_H

#include "reader/opened.h"

/* Does the manifest promise what its presets ask, and does it treat the columns that they treat?  Marks these columns,
 * for their cells to be looked at. */
void covey_i_presets_check(covey_problems *problems, covey_stated *stated);

/* Finds fault with cells of a marked column that show what its preset hides; step of covey_i_cells_read. */
covey_status covey_i_presets_check_cells(covey_opened_column *column, covey_error *err);

#endif
