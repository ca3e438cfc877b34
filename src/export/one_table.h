/* A transformed release as one table: each row beside an interval that it may lie in. */
#ifndef COVEY_EXPORT_ONE_TABLE_H
#define COVEY_EXPORT_ONE_TABLE_H

#include "export/sheets.h"

/**
 * Adds to a transformed release the table rows: the columns of quasi, then NAME_low, NAME_high and NAME_label of the
 * sensitive column.  The entries of each group are dealt to its rows at random, which tells nothing that the two tables
 * do not; those that made-up values are behind stand in rows of their own without anything else.
 * Source: [Koudas09] section 3, figure 2.
 *
 * @return COVEY_EPARSE where a column is called like one of the three; COVEY_EIO without random numbers; COVEY_ENOMEM
 */
covey_status covey_i_one_table_add(covey_sheets *sheets, const covey_run *run, covey_error *err);

#endif
