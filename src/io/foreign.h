/* Files of other programs: known by their first bytes, read by whoever offered to (covey/io.h). */
#ifndef COVEY_IO_FOREIGN_H
#define COVEY_IO_FOREIGN_H

#include <covey/arrow.h>
#include <covey/io.h>

/* What the file is to people ("an SPSS file"), static; NULL: none of those, or nothing that can be looked at. */
const char *covey_i_foreign_title(const char *path);

/* Reads the file as covey_table_read does; title is what it is. */
covey_status covey_i_foreign_table(covey_table **out, const char *path, const char *title,
                                   const covey_csv_options *options, const covey_run *run, covey_error *err);

/* What a file with such an ending is ("an SPSS file"), if a foreign writer writes it; NULL: none of those. */
const char *covey_i_foreign_target(const char *path);

/* Whoever writes them; NULL: nobody. */
covey_foreign_writer covey_i_foreign_writer(void);

/* The formats, for lists; NULL behind the last. */
const covey_format *covey_i_foreign_format(size_t index);

/* What to install for them. */
#define COVEY_FOREIGN_NEEDS "pip install \".[files]\" in the sources of covey"

#endif
