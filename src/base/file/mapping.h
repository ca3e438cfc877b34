/* Files as memory, with readable zeros behind them. */
#ifndef COVEY_BASE_FILE_MAPPING_H
#define COVEY_BASE_FILE_MAPPING_H

#include "base/file/infile.h"

/* Maps a file: false if that does not work here.  protection and sharing are mmap's. */
bool covey_i_mapping_shared(covey_infile *out, int fd, size_t size, int protection, int sharing);
/* The same for reading only. */
bool covey_i_mapping_private(covey_infile *out, int fd, size_t size);

#endif
