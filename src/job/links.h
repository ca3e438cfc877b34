/* The publisher's own list of the class of each row, which proves promises over units and is no part of a release. */
#ifndef COVEY_JOB_LINKS_H
#define COVEY_JOB_LINKS_H

#include "base/file/newfile.h"
#include "job/prepare.h"
#include "release/release_impl.h"

/* Two files that only their owner can read: path with `row,class`, and path.json with the SHA-256 of input and
 * manifest. */
typedef struct covey_links {
    covey_newfile *lines, *facts;
} covey_links;

/**
 * Starts them, before any work is done; all zeros after a failure, and where path is NULL.
 *
 * @return COVEY_EINVAL where rows have no units, and for a place in the release's folder; COVEY_EEXIST for a file that
 * is there and is no such list, or that force does not replace
 */
covey_status covey_i_links_begin(covey_links *out, const char *path, const covey_policy *policy, const char *target,
                                 bool force, covey_error *err);
/* Would the file stand in the release, or does it in the folder of another one? */
bool covey_i_links_is_inside(const char *path, const char *target);
/* The class of each row of the input, empty where it is in none. */
covey_status covey_i_links_write(covey_links *links, const covey_release *release, const covey_prepared *prepared,
                                 covey_error *err);
/* Once the release is complete in its folder: says which columns name units, and of which files the list is.  Both
 * files are complete then, too, so that no release is published whose links could not be written. */
covey_status covey_i_links_describe(covey_links *links, const covey_policy *policy, const char *folder,
                                    covey_error *err);
/* Gives both files their names.  They are gone afterwards, whatever the result. */
covey_status covey_i_links_commit(covey_links *links, covey_error *err);
void covey_i_links_abort(covey_links *links); /* all zeros allowed */

#endif
