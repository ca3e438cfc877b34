/* The CSV reader on bytes that are in memory: for who has read a file already, or joined several. */
#ifndef COVEY_IO_CSV_READ_H
#define COVEY_IO_CSV_READ_H

#include <covey/io.h>

#include "base/file/infile.h"
#include "io/csv/sorted.h"

/* covey_csv_read on bytes in memory (with COVEY_INFILE_PADDING zeros behind them), cut into chunks of at least
 * chunk_size bytes; 0: the usual size.  The result does not depend on it. */
covey_status covey_i_csv_read_file(covey_table **out, const covey_infile *file, const char *path,
                                   const covey_csv_options *options, size_t chunk_size, const covey_run *run,
                                   covey_error *err);

/* The same of covey_i_csv_read_sorted. */
covey_status covey_i_csv_read_sorted_file(covey_table **out, covey_csv_numbers *numbers, const covey_infile *file,
                                          const char *path, const covey_csv_options *options, size_t chunk_size,
                                          const covey_run *run, covey_error *err);

#endif
