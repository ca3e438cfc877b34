/* How single published cells are read; see docs/manifest.md, "Cells of table.csv". */
#ifndef COVEY_READER_CELLS_CELLS_H
#define COVEY_READER_CELLS_CELLS_H

#include "reader/opened.h"

enum { COVEY_MOST_SET_ELEMENTS = 64 }; /* more are published as * */

/* A number of the column's type, with its own digits behind the point. */
bool covey_i_cell_number(int64_t *value, int *scale, covey_type type, const char *text);
/* value * 10^(to - from) for from <= to; false, with value as it was, if that has more than 18 digits. */
bool covey_i_cell_rescale(int64_t *value, int from, int to);

/* Does the text look like a set, {...}? */
bool covey_i_cell_is_set(const char *text);
/* Takes a set apart; *ok false: it is not well-formed.  Elements live in the arena. */
covey_status covey_i_cell_split_set(const char ***out, uint32_t *n_out, bool *ok, const char *text, covey_arena *arena,
                                    covey_error *err);

/* Understands all cells of one column: fills scale, domain, cell, number, fault, rank. */
covey_status covey_i_cells_read(covey_opened_column *column, covey_problems *problems, covey_error *err);

/* The kinds of columns, each in a file of its own. */
covey_status covey_i_cells_read_ranges(covey_opened_column *column, covey_problems *problems, covey_error *err);
covey_status covey_i_cells_read_labels(covey_opened_column *column, covey_error *err);
covey_status covey_i_cells_read_sets(covey_opened_column *column, covey_error *err);
covey_status covey_i_cells_read_values(covey_opened_column *column, covey_error *err);

#endif
