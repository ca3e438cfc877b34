/* Reading and writing tables: CSV files (RFC 4180), plain, .gz or .zst; reading also from databases. */
#ifndef COVEY_IO_H
#define COVEY_IO_H

#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_csv_options {
    char delimiter;          /* 0: guessed from the first lines among , ; TAB | */
    const char *const *null; /* texts that mean "missing"; NULL: the empty cell only */
    size_t n_null;
    bool no_header; /* the first line is data; columns are named 1, 2, ..., unless there are names */
    bool trim;      /* blanks and tabs around cells are dropped; those within quotes stay */
    /* Called once per column of the file, in order; false: the column is checked for its form but is not in the table,
     * which saves most of the time and memory of a column with many distinct values.  NULL: every column. */
    bool (*keep)(void *context, const char *name);
    void *context;
    /* Called once per column of a CSV file that is not kept; true: how often its values occur is told by `watched`,
     * once the file was read.  It is an exact count of the rows of some values, of all if they are few, and takes
     * little time and memory.  NULL: none.  Columns of other sources are not watched. */
    bool (*watch)(void *context, const char *name);
    void (*watched)(void *context, const char *name, const covey_repeats *repeats);
    /* Called once per column of a CSV file that is kept; true: only which rows have the same value matters.  A column
     * of numbers up to 99,999,999, perhaps with the same text in front of each, then has codes in the order of the
     * numbers and no labels, which saves most of the time and memory of a column with many values.  NULL: none. */
    bool (*tell_apart)(void *context, const char *name);
    int64_t memory_limit; /* bytes that reading may take, about: a text that is compressed or comes from a pipe has a
                           * quarter of it; 0: that has half of the memory that is free */
    size_t n_names;
    const char *const *names; /* with no_header: names of all columns; "": its number; n_names 0: none */
} covey_csv_options;

#define COVEY_CSV_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        0, NULL, 0, false, false, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL                                             \
    }

/**
 * Reads a whole CSV file into a table of text columns, whose codes are in byte order of their texts (null first).
 *
 * Compression is told from the file's first bytes, not from its name.  UTF-8 byte order mark, LF and CRLF line ends,
 * quoted cells with "" and line breaks inside are accepted; a last line without line end too.  Blank lines at the end
 * of the file are nothing.  Elsewhere a blank line is an empty cell if the table has one column, else an error. Cells
 * keep the blanks around them unless `trim` is set.  The label of missing cells is "null"; a file that has both missing
 * cells and the text null in a column must list "null" among options->null.
 *
 * @return COVEY_OK; COVEY_ENOTFOUND; COVEY_EIO, also if somebody writes to the file meanwhile; COVEY_EPARSE with file,
 * row (line of the file) and column for: an empty file, duplicate or empty column names, a row with too few or too many
 * cells, an unterminated quote, a quote inside an unquoted cell, text behind a closing quote, a NUL byte, invalid
 * UTF-8; more than 2^32 - 1 rows; truncated or corrupt compressed data; COVEY_EINVAL for a folder, a delimiter that
 * cannot be one, a compressed file that holds more than memory_limit allows; COVEY_ECANCELLED; COVEY_ENOMEM.  Messages
 * show no more of the data than the offending cell.
 *
 * Uses run's threads; the result does not depend on their number.  A header without rows gives a table of 0 rows.
 */
COVEY_API covey_status covey_csv_read(covey_table **out, const char *path, const covey_csv_options *options,
                                      const covey_run *run, covey_error *err);

/**
 * Reads a table from wherever it is: covey_csv_read for a file, but whoever covey_foreign_set_reader (covey/arrow.h)
 * named for one of another program; else sqlite:FILE?table=T or
 * postgresql://USER@HOST:PORT/DATABASE?table=T&schema=S (S: the search path's where left out; further keys are
 * libpq's).
 *
 * The table, or view, is read in one transaction that changes nothing and sees one state of the data.  It gives what
 * the CSV file of its cells would give: text columns, numbers in their text form; NULL is a missing value, and so are
 * the texts options->null.  Rows are numbered from 1 in the order in which the database gives them; covey_column_line
 * says that number.
 *
 * @return what covey_csv_read returns; COVEY_ENOTFOUND for a database or table that is not there; COVEY_EINVAL for a
 * source that cannot be understood, a delimiter, or a database whose support is not built in; COVEY_EPARSE with row and
 * column for a blob or bytea, a NUL byte, invalid UTF-8; COVEY_EIO for a server that refuses or is lost.  No message
 * holds a password.
 */
COVEY_API covey_status covey_table_read(covey_table **out, const char *source, const covey_csv_options *options,
                                        const covey_run *run, covey_error *err);

/* The formats that are known, for lists. */
typedef struct covey_format {
    const char *name;    /* "csv.gz", "sqlite" */
    const char *summary; /* one line */
    const char *source;  /* what defines it */
    bool reads, writes;  /* tables are read from it; releases are exported to it, or tables written */
    bool is_built;       /* false: its library was not there when covey was built, or nobody was named who reads it */
    const char *
        needs; /* what to install for one that is not built in, NULL: nothing that helps without building covey again */
} covey_format;

/* How many formats are known, those not built in included. */
COVEY_API size_t covey_format_count(void);
/* One of them, static; NULL behind the last. */
COVEY_API const covey_format *covey_format_at(size_t index);

/**
 * Writes a table as CSV: header, LF line ends, cells quoted where RFC 4180 asks for it, missing cells empty.
 *
 * The ending of path chooses the compression (.gz, .zst).  The file is new and readable by its owner only (mode 0600);
 * it is removed if it cannot be completed.
 *
 * @return COVEY_OK; COVEY_EEXIST if there is a file of that name; COVEY_EIO with the reason (a full disk, say);
 * COVEY_EINVAL for a delimiter that cannot be one; COVEY_ENOMEM; COVEY_ECANCELLED
 *
 * Uses run's threads; the bytes written do not depend on their number.
 */
COVEY_API covey_status covey_csv_write(const covey_table *table, const char *path, char delimiter, const covey_run *run,
                                       covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
