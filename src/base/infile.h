/* Whole files for reading: mapped if plain, decompressed into memory if gzip or zstd (told by the first bytes, not by the name). */
#ifndef COVEY_INFILE_H
#define COVEY_INFILE_H

#include <covey/base.h>

#include <sys/stat.h>

/* Zero bytes that can be read behind the last byte, so that readers may load whole words. */
enum { COVEY_INFILE_PADDING = 64 };

typedef struct covey_infile {
    const char *bytes;   /* [size + COVEY_INFILE_PADDING] */
    size_t size;
    void *mapping;       /* NULL if the bytes are owned */
    size_t mapping_size;
    char *owned;
    struct stat opened;  /* what it was when it was opened; st_mode 0: not a regular file */
} covey_infile;

#define COVEY_INFILE_INIT {.bytes = NULL}

/**
 * Opens a file; pipes and devices are read to their end.  A file must not be cut short while it is mapped (SIGBUS).
 *
 * @return COVEY_OK; COVEY_ENOTFOUND; COVEY_EINVAL for a folder; COVEY_EIO (no permission, a failing disk); COVEY_EPARSE for a
 *   compressed stream that is truncated or corrupt, or compressed in a way that is not supported; COVEY_ENOMEM.  *out is untouched on failure.
 */
covey_status covey_i_infile_open(covey_infile *out, const char *path, covey_error *err);
void covey_i_infile_close(covey_infile *file); /* may be all zeros */

/* Has nobody written to the file since it was opened?  path as it was opened; another file that stands there now has left ours alone.
 * Returns COVEY_EIO if somebody has: then what was read may be partly old and partly new. */
covey_status covey_i_infile_unchanged(const covey_infile *file, const char *path, covey_error *err);

/* The caller is done with bytes lo .. hi-1 for now: their pages need not stay in memory.  They can be read again at the price of a disk
 * or cache access. */
void covey_i_infile_drop(const covey_infile *file, size_t lo, size_t hi);

#endif
