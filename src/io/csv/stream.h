/* CSV files read piece by piece, for tables that memory does not hold: each piece is a table of its own. */
#ifndef COVEY_IO_CSV_STREAM_H
#define COVEY_IO_CSV_STREAM_H

#include <covey/io.h>

#include "base/file/infile.h"

typedef struct covey_csv_stream covey_csv_stream;

/**
 * Opens a file and reads its header.
 *
 * @param options     as for covey_csv_read; what it points to outlives the stream
 * @param piece_size  bytes; pieces are as large, but for the end of their last record
 * @param spill       for what is compressed or a pipe, and no record may be larger than what memory holds of it; NULL:
 * memory holds whatever comes
 * @return as covey_csv_read; COVEY_EINVAL if the spill takes no more
 */
covey_status covey_i_csv_stream_open(covey_csv_stream **out, const char *path, const covey_csv_options *options,
                                     size_t piece_size, const covey_infile_spill *spill, const covey_run *run,
                                     covey_error *err);

/* The same of a text that is open, and the stream's from now on, whatever the result.  path: what messages call it. */
covey_status covey_i_csv_stream_of(covey_csv_stream **out, covey_infile *text, const char *path,
                                   const covey_csv_options *options, size_t piece_size, const covey_run *run,
                                   covey_error *err);

/* Its rows are expected to be sorted: pieces are tried the quick way first, see sorted.h. */
void covey_i_csv_stream_expect_sorted(covey_csv_stream *stream);

/* The next piece's rows, which know their lines in the file; NULL behind the last.  As covey_csv_read; what two pieces
 * together would make an error (missing cells beside the text "null") is for the caller to see. */
covey_status covey_i_csv_stream_next(covey_table **out, covey_csv_stream *stream, covey_error *err);

/* The same with one record more, if there is one, which is the first of the next piece again. */
covey_status covey_i_csv_stream_next_overlapping(covey_table **out, covey_csv_stream *stream, covey_error *err);

/* The same as covey_i_csv_stream_next, with whole runs of records that have the same whole number in their first cell,
 * quoted or not; its last run is the first of the next piece, too, unless it is the last of the file. */
covey_status covey_i_csv_stream_next_runs(covey_table **out, covey_csv_stream *stream, covey_error *err);

/* The same with the runs up to that of a number, which is the first of the next piece again.  NULL: there is none.
 * Numbers ascend, and no cell holds a line feed: of another file this may be any piece, or no table. */
covey_status covey_i_csv_stream_next_to(covey_table **out, covey_csv_stream *stream, uint64_t number, covey_error *err);

bool covey_i_csv_stream_is_at_end(const covey_csv_stream *stream); /* no row is left */
void covey_i_csv_stream_rewind(covey_csv_stream *stream);          /* to the first row */

/* Has nobody written to the file since it was opened?  COVEY_EIO if somebody has. */
covey_status covey_i_csv_stream_unchanged(const covey_csv_stream *stream, covey_error *err);
void covey_i_csv_stream_close(covey_csv_stream *stream); /* NULL allowed */

#endif
