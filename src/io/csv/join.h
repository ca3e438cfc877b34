/* A table that stands in several CSV files, each with the header and whole classes. */
#ifndef COVEY_IO_CSV_JOIN_H
#define COVEY_IO_CSV_JOIN_H

#include <covey/base.h>

#include "base/file/infile.h"

/* What one of the files holds. */
typedef struct covey_csv_part {
    size_t header_size;   /* bytes of its first record */
    int64_t n_rows;       /* records behind that */
    int64_t n_numbers;    /* stretches of rows whose first cell is the same whole number, quoted or not */
    uint64_t first, last; /* number of the first and of the last row; 0: there is none */
    const char *fault;    /* static; NULL: it can be one of several files, since it ends behind a record */
} covey_csv_part;

/* Looks through all records of a file. */
void covey_i_csv_part_read(covey_csv_part *out, const covey_infile *file);

/**
 * Opens files as one text: the first one, then the others without their headers.
 *
 * @param path        [n]
 * @param most_bytes  a longer text is put into a file without a name (covey_i_infile_new)
 * @return as covey_i_infile_open; COVEY_EPARSE for a file whose header is not the first one's, or that does not end
 * behind a record; COVEY_EIO also for one that somebody writes to
 */
covey_status covey_i_csv_join(covey_infile *out, const char *const *path, size_t n, size_t most_bytes,
                              covey_error *err);

#endif
