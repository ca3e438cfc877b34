/* The CSV reader at work: what reading a file at once (read.c) and piece by piece (stream.c) share. */
#ifndef COVEY_IO_CSV_READER_H
#define COVEY_IO_CSV_READER_H

#include <pthread.h>

#include <covey/io.h>

#include "base/csv_cell.h"
#include "base/file/infile.h"
#include "io/csv/sorted.h"
#include "table/table_impl.h"

typedef struct covey_csv_reader {
    const char *path;
    const covey_csv_options *options;
    const covey_run *run;
    covey_infile file; /* the caller's */
    char delimiter;
    bool is_misguessed; /* covey_table's */

    covey_csv_parser header; /* owns the names */
    const char **name;       /* [n_columns] */
    char (*number)[24];      /* [n_columns] names of columns without a header */
    bool *kept;              /* [n_columns] */
    bool *watched;           /* [n_columns]; NULL: none is */
    bool *is_key;            /* [n_columns] of which only is asked which rows have the same value; NULL: none is */
    size_t n_columns, n_kept;

    pthread_t caller;     /* progress is reported from its thread only */
    pthread_mutex_t lock; /* guards the rest of this part */
    const char *cursor, *end;
    int64_t line; /* that the cursor is on */
    size_t chunk_size, n_chunks;
    size_t most_record; /* a chunk is cut off once it is longer by that, whatever it ends with; 0: never */
    bool stop, cancelled;

    int64_t first_line;     /* of the first row */
    covey_csv_chunk *chunk; /* [at most most_chunks] */
    size_t most_chunks;
    covey_csv_scanner *scanner; /* [n_workers] */
    size_t n_workers;
    covey_lines *lines;

    enum {
        COVEY_CSV_ANY,
        COVEY_CSV_SORTED,
        COVEY_CSV_NUMBERED
    } order;                   /* what the rows are expected to be, see sorted.h; then what they are */
    covey_csv_numbers numbers; /* NUMBERED: of the rows */
} covey_csv_reader;

/* header.c: looks at the file, which has been opened, and reads its header; path, options and run are there. */
covey_status covey_i_csv_reader_begin(covey_csv_reader *r, covey_error *err);

/* chunks.c */
/* The next piece of the file, of at least chunk_size bytes: it ends behind a line end outside quotes. */
void covey_i_csv_reader_cut(covey_csv_chunk *chunk, covey_csv_reader *r);
/* The same for rows that are sorted: none is accepted that holds a line end, so that nothing needs to be counted. */
void covey_i_csv_reader_cut_sorted(covey_csv_chunk *chunk, covey_csv_reader *r);
/* Line ends among n bytes. */
int64_t covey_i_csv_count_lines(const char *bytes, size_t n);

/* read.c */
/* The table of the rows from the cursor to the end, scanned on all threads. */
covey_status covey_i_csv_reader_rows(covey_table **out, covey_csv_reader *r, covey_error *err);
/* The same of rows in the order that r expects; NULL: they are not, or unusual. */
covey_status covey_i_csv_reader_sorted_rows(covey_table **out, covey_csv_reader *r, covey_error *err);
void covey_i_csv_reader_free_rows(covey_csv_reader *r); /* what belongs to the rows that were scanned */
void covey_i_csv_reader_free(covey_csv_reader *r);

#endif
