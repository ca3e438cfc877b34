/* Files of other programs: known by their first bytes, read by whoever offered to (covey/io.h). */
#ifndef COVEY_IO_FOREIGN_H
#define COVEY_IO_FOREIGN_H

#include <covey/io.h>

/* What the file is to people ("an SPSS file"), static; NULL: none of those, or nothing that can be looked at. */
const char *covey_i_foreign_title(const char *path);

/* Reads the file as covey_table_read does; title is what it is. */
covey_status covey_i_foreign_table(covey_table **out, const char *path, const char *title,
                                   const covey_csv_options *options, const covey_run *run, covey_error *err);

#endif
