/* Joining the parts of a plan into one release. */
#ifndef COVEY_PARTS_MERGE_H
#define COVEY_PARTS_MERGE_H

#include "job/publish.h"
#include "parts/part_file.h"

/**
 * Writes the release of all parts into a folder: everything that a release has.
 *
 * @param path    [n] files of parts, which together hold each part of the plan once
 * @param n_files  as in covey_publication
 * @param report  receives what is known of the release; not the verdict
 */
covey_status covey_i_merge(covey_anonymize_report *report, const covey_plan *plan, const char *const *path, size_t n,
                           const char *folder, int64_t n_files, const covey_run *run, covey_error *err);

#endif
