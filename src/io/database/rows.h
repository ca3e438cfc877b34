/* A table that comes cell by cell, from a database: the same dictionary-coded text columns as the CSV reader makes. */
#ifndef COVEY_IO_DATABASE_ROWS_H
#define COVEY_IO_DATABASE_ROWS_H

#include <covey/io.h>

typedef struct covey_rows covey_rows;

/**
 * Starts a table.
 *
 * @param source   for messages: without passwords
 * @param names    [n] of all columns of the source; options->keep chooses among them
 * @return COVEY_EPARSE for names that are empty, differ from no other, or are not UTF-8; COVEY_EINVAL for options that
 * only files have (delimiter, no_header); COVEY_ENOMEM
 */
covey_status covey_i_rows_begin(covey_rows **out, const char *source, const char *const *names, size_t n,
                                const covey_csv_options *options, const covey_run *run, covey_error *err);

/* They become no release: missing cells may stand beside the text "null". */
void covey_i_rows_are_no_input(covey_rows *rows);

/* Columns that are kept, and the number each has in the source. */
size_t covey_i_rows_n_kept(const covey_rows *rows);
size_t covey_i_rows_kept(const covey_rows *rows, size_t k);

/* Adds a cell, kept column by kept column; bytes NULL: it is missing.  covey_i_rows_end_row reports what may have
 * failed. */
void covey_i_rows_cell(covey_rows *rows, size_t k, const char *bytes, size_t size);

/* Column k holds texts, not only numbers and days. */
void covey_i_rows_has_texts(covey_rows *rows, size_t k);

/* Ends a row of which every kept column has been given; COVEY_ENOMEM, COVEY_ECANCELLED, COVEY_EPARSE for too many rows.
 */
covey_status covey_i_rows_end_row(covey_rows *rows, covey_error *err);

/* Refuses a cell of the row that is being read; what: "a blob, ..." */
covey_status covey_i_rows_refuse(const covey_rows *rows, size_t k, const char *what, covey_error *err);

/* Makes the table: the texts that mean "missing" become so, as in a file.  Rows are numbered from 1 in its messages. */
covey_status covey_i_rows_finish(covey_table **out, covey_rows *rows, covey_error *err);

void covey_i_rows_free(covey_rows *rows); /* NULL allowed */

#endif
