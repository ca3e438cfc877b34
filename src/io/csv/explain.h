/* What is wrong with a CSV file: a chunk that the scanner did not like is read again by the careful parser. */
#ifndef COVEY_IO_CSV_EXPLAIN_H
#define COVEY_IO_CSV_EXPLAIN_H

#include "io/csv/scan.h"

/* The file that the chunk is of. */
typedef struct covey_csv_source {
    const char *path;
    const char *end; /* of its records */
    char delimiter;
    bool trim;
    const char *const *name; /* [n_columns] */
    size_t n_columns;
} covey_csv_source;

/* A chunk that is not well-formed; never COVEY_OK. */
covey_status covey_i_csv_explain(const covey_csv_source *source, const covey_csv_chunk *chunk, covey_error *err);
/* A well-formed chunk with a NUL byte or bytes that are not UTF-8; never COVEY_OK. */
covey_status covey_i_csv_explain_bytes(const covey_csv_source *source, const covey_csv_chunk *chunk, covey_error *err);

/* A chunk whose last record goes on and takes more than so many bytes already: names its longest cell; never COVEY_OK.
 */
covey_status covey_i_csv_explain_size(const covey_csv_source *source, const covey_csv_chunk *chunk, size_t most,
                                      covey_error *err);

/* The complaint about a cell with such bytes.  shown: the cell for the message. */
covey_status covey_i_csv_fail_bytes(const char *path, int64_t line, const char *column, const char *shown, bool is_nul,
                                    covey_error *err);

#endif
