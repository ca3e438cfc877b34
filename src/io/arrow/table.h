/* Tables from data in memory. */
#ifndef COVEY_IO_ARROW_TABLE_H
#define COVEY_IO_ARROW_TABLE_H

#include <covey/io.h>

/* Reads the data that source names, as covey_table_read does a file; rows are numbered from 1 in messages. */
covey_status covey_i_arrow_table(covey_table **out, const char *source, const covey_csv_options *options,
                                 const covey_run *run, covey_error *err);

#endif
