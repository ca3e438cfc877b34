/* A quicker way through files whose rows are sorted, as those of releases are: a row mostly begins like the one before
 * it.  How far is seen many bytes at a time, and only what follows is taken apart and looked up.  Without it a
 * verification takes 1.5 to 1.6 times its time (docs/design/speed.md).
 *
 * Files may also be numbered: the first cell of every row is the number of its class, 1, 2, ... in rows that stand
 * together.  Then these cells are not even looked up.
 *
 * Whatever is unusual is left to the ordinary reader, which accepts all that this one accepts, with the same result:
 * cells that span lines or hold quotes, CR, a last line without an end, and whatever is wrong. */
#ifndef COVEY_IO_CSV_SORTED_H
#define COVEY_IO_CSV_SORTED_H

#include <covey/io.h>

#include "io/csv/scan.h"

/* The rows of each number. */
typedef struct covey_csv_numbers {
    uint32_t n;      /* the last number */
    uint32_t *start; /* [n + 1] first row of each; NULL: the file is not numbered in this way */
} covey_csv_numbers;

/**
 * Reads a file of which the caller expects that its rows are sorted; the same table as covey_csv_read.
 *
 * @param numbers  NULL: rows are not numbered; else start is the caller's to free.  Where it is not NULL, the first
 * column has a name but no values.
 */
covey_status covey_i_csv_read_sorted(covey_table **out, covey_csv_numbers *numbers, const char *path,
                                     const covey_csv_options *options, const covey_run *run, covey_error *err);

/* --- for the reader --- */

/* Reads a chunk that ends behind a line feed; sets chunk->wrong if it is not for this way, or scanner->out_of_memory.
 */
void covey_i_csv_scan_sorted(covey_csv_chunk *chunk, covey_csv_scanner *scanner, bool is_numbered);

/* Joins the numbers of all chunks; start stays NULL if they are not 1, 2, ... */
covey_status covey_i_csv_join_numbers(covey_csv_numbers *out, const covey_csv_chunk *chunk, size_t n_chunks,
                                      int n_threads, covey_error *err);

#endif
