/* Tables in tests: from texts, to texts, and folders to keep files in. */
#ifndef COVEY_TESTS_CSVS_H
#define COVEY_TESTS_CSVS_H

#include <covey/io.h>

#include "base/file/infile.h"

/* Bytes in memory as a file; free with covey_i_infile_close.  They and their padding end at a page that cannot be read,
 * as a file's may: who reads on behind them is seen without a sanitizer. */
covey_infile csv_of_bytes(const char *bytes, size_t size);

/* Reads a text as the file "t.csv" in chunks of chunk_size (0: usual) with 3 threads. */
covey_status csv_read_text(covey_table **out, const char *text, const covey_csv_options *options, size_t chunk_size,
                           covey_error *err);

/* The same with usual options; the test fails if the reader does. */
covey_table *csv_table(const char *text);

/* A file of the folder of csv_folder; the test fails if it cannot be read. */
covey_table *csv_read_file(const char *name);

/* The label of a cell. */
const char *csv_cell(const covey_table *table, size_t column, int64_t row);

/* Do both tables have the same names, labels, missing cells and orders of codes? */
bool csv_tables_agree(const covey_table *a, const covey_table *b);

/* A new folder, removed with all it holds by csv_folder_remove.  Paths stay valid for the next three calls. */
const char *csv_folder(void);
void csv_folder_remove(void);
const char *csv_path(const char *name); /* inside the folder */

void csv_put_file(const char *path, const char *bytes, size_t size);
char *csv_get_file(size_t *size, const char *path); /* NUL behind; NULL if there is none; free with free */
/* All files of a folder, hidden ones left out, sorted by name, with their names; free with free. */
char *csv_get_folder(const char *where);

#endif
