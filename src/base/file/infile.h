/* Whole files for reading: mapped if plain, decompressed into memory if gzip or zstd (told by the first bytes, not by
 * the name). */
#ifndef COVEY_BASE_FILE_INFILE_H
#define COVEY_BASE_FILE_INFILE_H

#include <covey/base.h>

#include <sys/stat.h>

/* Zero bytes that can be read behind the last byte, so that readers may load whole words. */
enum { COVEY_INFILE_PADDING = 64 };

typedef struct covey_infile {
    const char *bytes; /* [size + COVEY_INFILE_PADDING] */
    size_t size;
    void *mapping; /* NULL if the bytes are owned */
    size_t mapping_size;
    char *owned;
    struct stat opened; /* what it was when it was opened; st_mode 0: not a regular file */
} covey_infile;

#define COVEY_INFILE_INIT                                                                                              \
    {                                                                                                                  \
        .bytes = NULL                                                                                                  \
    }

/**
 * Opens a regular file, or what a link says is one, and nothing else: a pipe could be waited for for ever.
 *
 * @return COVEY_OK; COVEY_ENOTFOUND; COVEY_EINVAL for a folder, a pipe or a device; COVEY_EIO.  The descriptor is the
 * caller's to close.
 */
covey_status covey_i_infile_open_regular(int *fd, struct stat *facts, const char *path, covey_error *err);

/**
 * Opens a regular file.  It must not be cut short while it is mapped (SIGBUS).
 *
 * @return COVEY_OK; COVEY_ENOTFOUND; COVEY_EINVAL for a folder, a pipe or a device; COVEY_EIO (no permission, a failing
 * disk); COVEY_EPARSE for a compressed stream that is truncated or corrupt, or compressed in a way that is not
 * supported; COVEY_ENOMEM.  *out is untouched on failure.
 */
covey_status covey_i_infile_open(covey_infile *out, const char *path, covey_error *err);
/* How these first bytes of a file say that it is compressed: "gzip", "zstd", or a way that is not read ("xz"); NULL:
 * not at all. */
const char *covey_i_infile_compression(const char *bytes, size_t size);

/* What becomes of a text that is compressed or comes from a pipe and does not fit into memory. */
typedef struct covey_infile_spill {
    const char *path; /* of a file that is made for it, and has no name any more as soon as it is open; NULL: such texts
                         are refused (COVEY_EINVAL) */
    size_t most_bytes; /* that memory may hold of it, more than 0 */
    bool is_asked;     /* by whoever may ask for more, else by what the machine has */
} covey_infile_spill;

/* The same for a table that somebody gives us, which may be a pipe: this and devices are read to their end.  spill
 * NULL: into memory, whatever it takes. */
covey_status covey_i_infile_open_input(covey_infile *out, const char *path, const covey_infile_spill *spill,
                                       covey_error *err);

/**
 * A text that the caller makes: *bytes is to be filled before anybody reads it.  A text of more than most_bytes is in a
 * file without a name in TMPDIR, or /var/tmp, so that memory need not hold it.
 *
 * @return COVEY_OK; COVEY_EIO for a file that cannot be made so large; COVEY_ENOMEM
 */
covey_status covey_i_infile_new(covey_infile *out, char **bytes, size_t size, size_t most_bytes, covey_error *err);
void covey_i_infile_close(covey_infile *file); /* may be all zeros */

/* Has nobody written to the file since it was opened?  path as it was opened; another file that stands there now has
 * left ours alone. Returns COVEY_EIO if somebody has: then what was read may be partly old and partly new. */
covey_status covey_i_infile_unchanged(const covey_infile *file, const char *path, covey_error *err);

/* The caller is done with bytes lo .. hi-1 for now: their pages need not stay in memory.  They can be read again at the
 * price of a disk or cache access. */
void covey_i_infile_drop(const covey_infile *file, size_t lo, size_t hi);

#endif
