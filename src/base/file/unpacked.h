/* Bytes that grow while a file is read, and how gzip and zstd files are unpacked; for infile.c. */
#ifndef COVEY_BASE_FILE_UNPACKED_H
#define COVEY_BASE_FILE_UNPACKED_H

#include "base/file/infile.h"

/* A byte buffer that grows; beyond the spill's limit it is emptied into a file. */
typedef struct covey_unpacked {
    char *bytes;
    size_t size, capacity;
    const covey_infile_spill *spill; /* NULL: there is no limit */
    int disk;                        /* -1: nothing is there */
    size_t on_disk;
} covey_unpacked;

/* path: of the file that is unpacked, for complaints. */
covey_status covey_i_unpacked_make_room(covey_unpacked *b, const char *path, covey_error *err);
void covey_i_unpacked_clear(covey_unpacked *b);
/* Hands the buffer over to file, with its padding; it is empty afterwards in any case. */
covey_status covey_i_unpacked_own(covey_infile *file, covey_unpacked *b, const char *path, covey_error *err);

bool covey_i_unpacked_is_gzip(const char *bytes, size_t size);
bool covey_i_unpacked_is_zstd(const char *bytes, size_t size);
/* Compressed in a way that is not read: its name, else NULL. */
const char *covey_i_unpacked_foreign(const char *bytes, size_t size);
covey_status covey_i_unpacked_gzip(covey_infile *out, const covey_infile *packed, const char *path,
                                   const covey_infile_spill *spill, covey_error *err);
covey_status covey_i_unpacked_zstd(covey_infile *out, const covey_infile *packed, const char *path,
                                   const covey_infile_spill *spill, covey_error *err);

#endif
