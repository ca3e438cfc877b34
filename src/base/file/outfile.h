/* Buffered output files, compressed by the ending of their name (.gz, .zst).
 *
 * Errors stick: after the first one writes do nothing, and covey_i_outfile_close reports it.  Long loops look at
 * covey_i_outfile_is_broken now and then, so as not to go on in vain.  A file that is not closed well is removed. */
#ifndef COVEY_BASE_FILE_OUTFILE_H
#define COVEY_BASE_FILE_OUTFILE_H

#include "base/text.h"

/* covey_i_outfile_room gives this much without fail. */
enum { COVEY_OUTFILE_ROOM = 1 << 16 };

typedef struct covey_outfile covey_outfile;

/**
 * Makes a new file with mode 0600; a device or pipe that exists is written to.
 *
 * @return COVEY_OK; COVEY_EEXIST; COVEY_EIO with path and reason; COVEY_ENOMEM
 */
covey_status covey_i_outfile_open(covey_outfile **out, const char *path, covey_error *err);

/* Opens a file that exists at its end; it stays if that fails.  COVEY_EIO, COVEY_ENOMEM. */
covey_status covey_i_outfile_append(covey_outfile **out, const char *path, covey_error *err);

/* Writes to a descriptor that is open already and stays open; name is for messages and, by its ending, for compression.
 */
covey_status covey_i_outfile_over(covey_outfile **out, int fd, const char *name, covey_error *err);

void covey_i_outfile_write(covey_outfile *file, const char *bytes, size_t n);
void covey_i_outfile_string(covey_outfile *file, const char *string);

/* Room for n bytes to be written in place; NULL only for n > COVEY_OUTFILE_ROOM without memory.  Then say how many were
 * used. */
char *covey_i_outfile_room(covey_outfile *file, size_t n);
void covey_i_outfile_used(covey_outfile *file, size_t n);

bool covey_i_outfile_is_broken(const covey_outfile *file);
uint64_t covey_i_outfile_size(const covey_outfile *file); /* bytes given to write so far, before compression */

/**
 * Writes out what is left and closes.  The file object is gone afterwards, whatever the result.
 *
 * @return COVEY_OK; COVEY_EIO with path and reason, of this or any earlier write (then the file has been removed);
 * COVEY_ENOMEM
 */
covey_status covey_i_outfile_close(covey_outfile *file, covey_error *err);
void covey_i_outfile_abort(covey_outfile *file); /* closes and removes it; NULL allowed */

/* Makes a new file of n bytes, or of a text, which is freed whatever the result; a broken text is COVEY_ENOMEM. */
covey_status covey_i_outfile_make(const char *path, const char *bytes, size_t n, covey_error *err);
covey_status covey_i_outfile_make_text(const char *path, covey_text *text, covey_error *err);

#endif
