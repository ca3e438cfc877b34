/* What is known of merged units when they are gone: counters, never data.  They add up, so that units may be merged in
 * several places. */
#ifndef COVEY_PARTS_MERGE_MERGED_H
#define COVEY_PARTS_MERGE_MERGED_H

#include "parts/part/file.h"
#include "release/release_impl.h"

typedef struct covey_merged {
    bool any; /* is anything merged? */
    covey_part_kind kind;
    covey_part_goal goal;
    bool is_seeded;
    int64_t n_published, n_classes;
    covey_figure *achieved;     /* [promises.n] */
    covey_histogram *published; /* [n_views] */
    covey_release_sums sums;
    covey_i128 sum_error, max_error;
    char *facts;    /* what the form adds to the manifest; covey_i_malloc, the caller's to free */
    char note[512]; /* of a release of them */
} covey_merged;

/* Of nothing yet; in the arena but for facts. */
covey_status covey_i_merged_new(covey_merged *out, const covey_problem *problem, covey_arena *arena, covey_error *err);
/* As bytes, for another process of the same build of covey. */
covey_status covey_i_merged_write(covey_text *out, const covey_merged *merged, const covey_problem *problem,
                                  covey_error *err);
/* Adds such bytes; COVEY_EINVAL for others. */
covey_status covey_i_merged_add(covey_merged *into, const char *bytes, size_t size, const covey_problem *problem,
                                covey_error *err);

#endif
