/* Folders that appear complete or not at all: made beside the target under a temporary name, renamed at the end.
 *
 * While it is being filled the folder is open to its owner only; a run that dies leaves it behind, and the next run for
 * the same target removes it. */
#ifndef COVEY_BASE_FILE_FOLDER_H
#define COVEY_BASE_FILE_FOLDER_H

#include "base/file/product.h"

typedef struct covey_folder covey_folder;

typedef struct covey_folder_options {
    bool force;                   /* an existing target is replaced, if it is one of these */
    const covey_product *product; /* NULL: a folder that is never committed */
} covey_folder_options;

/**
 * Makes the temporary folder .NAME.covey-PID-XXXXXX beside target (mode 0700) and removes those of dead runs.
 *
 * @return COVEY_OK; COVEY_EEXIST if target exists and may not be replaced; COVEY_ENOTFOUND if its parent is missing,
 * COVEY_EIO if it is not writable, naming it; COVEY_EINVAL if target cannot name a new folder ("", ".", "/"), or is in
 * that of a release;
 * COVEY_ENOMEM
 */
covey_status covey_i_folder_begin(covey_folder **out, const char *target, const covey_folder_options *options,
                                  covey_error *err);

/* A folder for a while: below TMPDIR, or /tmp, beside a target that there never is, ".../covey-PURPOSE-UID"; give it
 * back with covey_i_folder_abort.  What a run leaves behind that was killed goes with the next one of the same purpose
 * and user. */
covey_status covey_i_folder_begin_temporary(covey_folder **out, const char *purpose, covey_error *err);

/* Where to write; borrowed. */
const char *covey_i_folder_path(const covey_folder *folder);

/**
 * Lists its files, where the product says so, gives files and folders the usual modes (0666 and 0777 without the umask)
 * and renames the folder to the target, in place of what was there if that was asked for.  The object is gone
 * afterwards; on failure so is the temporary folder, and an old target is back in its place.
 *
 * @return COVEY_OK; COVEY_EEXIST if the target has come into being meanwhile; COVEY_EIO
 */
covey_status covey_i_folder_commit(covey_folder *folder, covey_error *err);

void covey_i_folder_abort(covey_folder *folder); /* removes the temporary folder; NULL allowed */

/* Does the path lie inside the folder, links resolved?  False where one of them does not exist. */
bool covey_i_folder_holds(const char *folder, const char *path);

/* Removes a file or a folder with all it holds, without following symbolic links.  COVEY_ENOTFOUND; COVEY_EIO naming
 * the target. */
covey_status covey_i_folder_remove(const char *path, covey_error *err);

#endif
