/* Tables of a release in several files (docs/manifest.md). */
#ifndef COVEY_JOB_CUT_TABLES_H
#define COVEY_JOB_CUT_TABLES_H

#include "release/release_impl.h"

/* Cuts each table of rows into at most n files of about the same size, none of which parts a class; fewer where there
 * are fewer classes.  Files are listed in the place of their table. */
covey_status covey_i_cut_tables(covey_files *files, const covey_form *form, const char *folder, int64_t n,
                                covey_error *err);

#endif
