/* Joining the parts of a plan into one release. */
#ifndef COVEY_PARTS_MERGE_MERGE_H
#define COVEY_PARTS_MERGE_MERGE_H

#include "job/publish.h"
#include "parts/merge/merged.h"
#include "parts/part/file.h"

/**
 * Writes the release of all parts into a folder: everything that a release has.
 *
 * @param path    [n] files of parts, which together hold each part of the plan once
 * @param n_files  as in covey_publication
 * @param report  receives what is known of the release; not the verdict
 */
covey_status covey_i_merge(covey_anonymize_report *report, const covey_plan *plan, const char *const *path, size_t n,
                           const char *folder, int64_t n_files, const covey_run *run, covey_error *err);

/* A range of all parts' units, for who merges in several places: what it is made of, and what comes before it. */
typedef struct covey_range {
    const char *const *path; /* [n] pieces of parts that hold just its units (part/cut.h) */
    size_t n;
    const bool *mark;     /* covey_i_parts_settle_marked, of all parts; NULL: no row is suppressed */
    int64_t n_suppressed; /* rows, of all parts */
    int64_t first_class;  /* classes or groups that are published before it */
} covey_range;

/* Writes the tables of a range into a folder, lists them, and says what is known of them as covey_i_merged_write does:
 * what the whole is to be is for covey_i_merge_finish to see. */
covey_status covey_i_merge_range(covey_text *sums, int64_t *n_classes, covey_files *files, const covey_plan *plan,
                                 const covey_range *range, const char *folder, const covey_run *run, covey_error *err);

/* What is known of all ranges. */
typedef struct covey_ranges {
    size_t n;                /* ranges */
    const covey_bytes *sums; /* [n] */
    const bool *mark;        /* as above */
    int64_t n_suppressed;
} covey_ranges;

/* The rest of a release whose tables are elsewhere: checks that ranges are the whole, and writes hierarchies and
 * manifest into a folder.  files: of the tables, which are taken, with their hashes. */
covey_status covey_i_merge_finish(covey_anonymize_report *report, const covey_plan *plan, const covey_ranges *ranges,
                                  covey_files *files, const char *folder, const covey_run *run, covey_error *err);

#endif
