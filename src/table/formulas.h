/* Cells that a spreadsheet takes for formulas and runs.  Source: OWASP, CSV Injection. */
#ifndef COVEY_TABLE_FORMULAS_H
#define COVEY_TABLE_FORMULAS_H

#include <covey/table.h>

/* Does a text begin with = + - @, a tab or a CR, and is no number?  One of these alone is nothing but a text. */
bool covey_i_formulas_has(const char *text, size_t size);

/* Warns of a column's formulas, and of a name that is one; what: "the table", or what else holds it. */
void covey_i_formulas_warn(const covey_column *column, const char *what, const covey_run *run);

#endif
