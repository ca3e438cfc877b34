/* quasi.csv, for every form whose rows stand in groups. */
#ifndef COVEY_RELEASE_SHEET_QUASI_SHEET_H
#define COVEY_RELEASE_SHEET_QUASI_SHEET_H

#include "release/release_impl.h"

/* content: [n_published] of each row, the packed number of covey_i_bucketized_contents_keys; NULL: row_order tells. */
covey_status covey_i_quasi_write(const covey_release *release, const covey_problem *problem, const uint32_t *content,
                                 const char *folder, covey_files *files, const covey_run *run, covey_error *err);

#endif
