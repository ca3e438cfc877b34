/* Preloaded into a command by tools/soak: lets the SOAK_FAIL_AT-th call that changes a file fail with the error number
 * SOAK_FAIL_ERRNO, and all later ones, too, if SOAK_FAIL_ON is set, as a full disk does.  What goes to stdout and
 * stderr is left alone. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

static bool fails(void)
{
    static atomic_long n;
    const char *at = getenv("SOAK_FAIL_AT"), *number = getenv("SOAK_FAIL_ERRNO");
    const long now = atomic_fetch_add(&n, 1) + 1, then = at ? strtol(at, NULL, 10) : 0;

    if (then == 0 || now < then || (now > then && !getenv("SOAK_FAIL_ON")))
        return false;
    errno = number ? (int)strtol(number, NULL, 10) : ENOSPC;
    return true;
}

#pragma GCC visibility push(default)

#define FAILING(type, name, list, ...)                                                                                 \
    type name list;                                                                                                    \
    type name list                                                                                                     \
    {                                                                                                                  \
        type(*next) list = (type(*) list)dlsym(RTLD_NEXT, #name);                                                      \
                                                                                                                       \
        return fails() ? -1 : next(__VA_ARGS__);                                                                       \
    }

FAILING(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
FAILING(ssize_t, pwrite64, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
FAILING(int, fsync, (int fd), fd)
FAILING(int, fdatasync, (int fd), fd)
FAILING(int, ftruncate, (int fd, off_t size), fd, size)
FAILING(int, ftruncate64, (int fd, off_t size), fd, size)
FAILING(int, rename, (const char *from, const char *to), from, to)
FAILING(int, renameat2, (int from_fd, const char *from, int to_fd, const char *to, unsigned flags), from_fd, from,
        to_fd, to, flags)
FAILING(int, mkdir, (const char *path, mode_t mode), path, mode)
FAILING(int, mkdirat, (int fd, const char *path, mode_t mode), fd, path, mode)
FAILING(int, fchmodat, (int fd, const char *path, mode_t mode, int flags), fd, path, mode, flags)

ssize_t write(int fd, const void *from, size_t size);
ssize_t write(int fd, const void *from, size_t size)
{
    ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");

    return fd > 2 && fails() ? -1 : next(fd, from, size);
}

#pragma GCC visibility pop
