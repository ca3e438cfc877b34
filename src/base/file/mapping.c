/* Files as memory, with zeros behind them. */
#include "base/file/mapping.h"

#include <sys/mman.h>
#include <unistd.h>

/* First nothing but zeros, then the file over them. */
bool covey_i_mapping_shared(covey_infile *out, int fd, size_t size, int protection, int sharing)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole;
    char *mapping;

    if (__builtin_add_overflow(size, COVEY_INFILE_PADDING + page, &whole))
        return false;
    whole = whole / page * page;
    mapping = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    if (mmap(mapping, size, protection, sharing | MAP_FIXED, fd, 0) == MAP_FAILED) {
        munmap(mapping, whole);
        return false;
    }
    madvise(mapping, size, MADV_SEQUENTIAL);
    *out = (covey_infile){.bytes = mapping, .size = size, .mapping = mapping, .mapping_size = whole};
    return true;
}

bool covey_i_mapping_private(covey_infile *out, int fd, size_t size)
{
    return covey_i_mapping_shared(out, fd, size, PROT_READ, MAP_PRIVATE);
}
