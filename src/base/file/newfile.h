/* Files that appear complete or not at all: without a name while they are written, or beside the target under a
 * temporary one where the file system cannot do that; given their name at the end.  A device or pipe is written to as
 * it is. */
#ifndef COVEY_BASE_FILE_NEWFILE_H
#define COVEY_BASE_FILE_NEWFILE_H

#include <covey/base.h>

#include "base/file/outfile.h"
#include "base/file/product.h"

typedef struct covey_newfile covey_newfile;

/**
 * Starts a file with the usual mode (0666 without the umask), compressed by the ending of its name (.gz, .zst).
 *
 * @param over  an existing file of this kind is replaced at the end (it outlives the object); NULL: nothing is
 * @return COVEY_OK; COVEY_EEXIST if there is a file that may not be replaced, or a folder; COVEY_EINVAL in the
 * folder of a release; COVEY_ENOTFOUND naming a folder that is missing; COVEY_EIO for one that is not writable;
 * COVEY_ENOMEM
 */
covey_status covey_i_newfile_begin(covey_newfile **out, const char *target, const covey_product *over,
                                   covey_error *err);

covey_outfile *covey_i_newfile_stream(covey_newfile *file); /* where to write; borrowed */

void covey_i_newfile_make_private(covey_newfile *file); /* mode 0600 instead */

/**
 * Writes out what is left: nothing more can be written, and committing it only gives it its name.  For who must know
 * that the file is complete before anything else is made public.
 *
 * @return COVEY_OK; COVEY_EIO of this or any earlier write; COVEY_ENOMEM.  The file is still to be committed or aborted
 */
covey_status covey_i_newfile_finish(covey_newfile *file, covey_error *err);

/**
 * Writes out what is left and gives the file its name.  The object is gone afterwards, whatever the result; on failure
 * so is the file, and an old one stays.
 *
 * @return COVEY_OK; COVEY_EEXIST if the target has come into being meanwhile; COVEY_EIO of this or any earlier write;
 * COVEY_ENOMEM
 */
covey_status covey_i_newfile_commit(covey_newfile *file, covey_error *err);

/* The same for files that belong together: all are written out before the first gets its name, and where one cannot
 * have its name the others lose theirs again.  NULL among them is none. */
covey_status covey_i_newfile_commit_all(covey_newfile *const *file, size_t n, covey_error *err);

void covey_i_newfile_abort(covey_newfile *file); /* NULL allowed */

#endif
