/* Reading and writing data files: CSV (RFC 4180), plain, .gz or .zst. */
#ifndef COVEY_IO_H
#define COVEY_IO_H

#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_csv_options {
    char delimiter;              /* 0: guessed from the first lines among , ; TAB | */
    const char *const *null;     /* texts that mean "missing"; NULL: the empty cell only */
    size_t n_null;
    int no_header;               /* 1: columns are named 1, 2, ... (hierarchy files) */
} covey_csv_options;

#define COVEY_CSV_OPTIONS_INIT {0, NULL, 0, 0}

/**
 * Reads a whole CSV file into a table of text columns, whose codes are in byte order of their texts (null first).
 *
 * Compression is told from the file's first bytes, not from its name.  UTF-8 byte order mark, LF and CRLF line ends, quoted
 * cells with "" and line breaks inside are accepted; a last line without line end too.  Blank lines are an error only if the
 * table has more than one column.
 *
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE with file, row (line of the file) and column for: an empty file,
 *   duplicate or empty column names, a row with too few or too many cells, an unterminated quote, a quote inside an unquoted
 *   cell, text behind a closing quote, a NUL byte, invalid UTF-8.  Never prints or returns more of the data than the offending cell.
 *
 * Uses run's threads; the result does not depend on their number.  A header without rows gives a table of 0 rows.
 */
COVEY_API covey_status covey_csv_read(covey_table **out, const char *path, const covey_csv_options *options, const covey_run *run,
                                      covey_error *err);

/* The delimiter that covey_csv_read used or would guess: 0 on failure. */
COVEY_API covey_status covey_csv_guess_delimiter(char *out, const char *path, covey_error *err);

/**
 * Writes a table as CSV: header, LF line ends, cells quoted where RFC 4180 asks for it, missing cells empty.
 * The ending of path chooses the compression (.gz, .zst).  The file is made with mode 0600 & ~umask... see io/file.h.
 */
COVEY_API covey_status covey_csv_write(const covey_table *table, const char *path, char delimiter, const covey_run *run, covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
