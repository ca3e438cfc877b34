/* The publisher's own list of the class of each row, which proves promises over units and is no part of a release. */
#ifndef COVEY_JOB_LINKS_H
#define COVEY_JOB_LINKS_H

#include "job/prepare.h"
#include "release/release_impl.h"

/* The class of each row of the input, before the release is given back. */
typedef struct covey_links {
    int64_t n_rows;     /* of the input, with those that were dropped */
    uint32_t *class_of; /* [n_rows] number as published, from 1; 0: suppressed or dropped; covey_i_malloc */
} covey_links;

/* COVEY_EINVAL for a place inside the release, COVEY_EEXIST for a file that is there (unless it is such a list and
 * force is set): before any work is done. */
covey_status covey_i_links_check_place(const char *path, const char *target, bool force, covey_error *err);

covey_status covey_i_links_make(covey_links *out, const covey_release *release, const covey_prepared *prepared,
                                covey_error *err);
/* Writes `row,class` and beside it path.json with the SHA-256 of input and manifest, so that only its owner can read
 * them. */
covey_status covey_i_links_write(const covey_links *links, const char *path, const char *input, const char *folder,
                                 covey_error *err);
void covey_i_links_clear(covey_links *links);

#endif
