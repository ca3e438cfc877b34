/* Opening whole files: mapped, unpacked (unpacked.c) or copied. */
#include "base/file/unpacked.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/mapping.h"
#include "base/text.h"

static covey_status read_all(covey_infile *out, int fd, const char *path, const covey_infile_spill *spill,
                             covey_error *err)
{
    covey_unpacked b = {.spill = spill, .disk = -1};
    covey_status status;

    for (;;) {
        ssize_t n;

        if ((status = covey_i_unpacked_make_room(&b, path, err)) != COVEY_OK)
            break;
        n = read(fd, b.bytes + b.size, b.capacity - b.size);
        if (n > 0) {
            b.size += (size_t)n;
        } else if (n == 0) {
            return covey_i_unpacked_own(out, &b, path, err);
        } else if (errno != EINTR) {
            status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be read: %s", strerror(errno));
            break;
        }
    }
    covey_i_unpacked_clear(&b);
    return status;
}

enum { MOST_ENTRIES = 1000 };

/* near [NAME_MAX + 1]: what its folder has of that name, but for a slip; "" if there is nothing. */
static void find_near_file(char *near, const char *folder, const char *name)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, NULL, alphasort), n_shown = n < MOST_ENTRIES ? n : MOST_ENTRIES;
    const char *names[MOST_ENTRIES], *nearest;

    for (int i = 0; i < n_shown; i++)
        names[i] = entry[i]->d_name;
    nearest = n_shown > 0 ? covey_nearest_name(name, names, (size_t)n_shown) : NULL;
    snprintf(near, NAME_MAX + 1, "%s", nearest ? nearest : "");
    for (int i = 0; i < n; i++)
        free(entry[i]); /* of the C library */
    free(entry);
}

static covey_status no_such_file(const char *path, covey_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX], near[NAME_MAX + 1] = "";
    struct stat facts;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (slash && stat(folder, &facts) != 0)
        return covey_fail_at(err, COVEY_ENOTFOUND, path, 0, NULL, 0, "there is no such file, nor its folder");
    if (strcmp(path, "-") == 0)
        return covey_fail_at(err, COVEY_ENOTFOUND, path, 0, NULL, 0,
                             "there is no such file; standard input is /dev/stdin");
    find_near_file(near, folder, name);
    return covey_fail_at(err, COVEY_ENOTFOUND, path, 0, NULL, 0, "there is no such file%s%s%s",
                         *near ? "; did you mean \"" : "", near, *near ? "\"?" : "");
}

/* flags: O_NONBLOCK where the other end of a pipe is not to be waited for */
static covey_status open_file(int *fd_out, struct stat *facts, const char *path, int flags, covey_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    covey_status status = COVEY_OK;

    if (fd < 0 && errno == ENOENT)
        return no_such_file(path, err);
    if (fd < 0)
        return covey_fail_at(err, errno == ENOTDIR ? COVEY_ENOTFOUND : COVEY_EIO, path, 0, NULL, 0, "%s",
                             strerror(errno));
    if (fstat(fd, facts) != 0)
        status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
    else if (S_ISDIR(facts->st_mode))
        status = covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0, "is a folder, not a file");
    else if ((flags & O_NONBLOCK) && !S_ISREG(facts->st_mode))
        status = covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0,
                               "is a %s, not a regular file; write what it gives into a file first",
                               S_ISFIFO(facts->st_mode) || S_ISSOCK(facts->st_mode) ? "pipe" : "device");
    if (status == COVEY_OK)
        *fd_out = fd;
    else
        close(fd);
    return status;
}

covey_status covey_i_infile_open_regular(int *fd, struct stat *facts, const char *path, covey_error *err)
{
    return open_file(fd, facts, path, O_NONBLOCK, err);
}

static covey_status open_plain(covey_infile *out, const char *path, bool takes_pipes, const covey_infile_spill *spill,
                               covey_error *err)
{
    covey_status status = COVEY_OK;
    struct stat facts;
    int fd = -1;

    COVEY_TRY(open_file(&fd, &facts, path, takes_pipes ? 0 : O_NONBLOCK, err));
    if (!S_ISREG(facts.st_mode) || facts.st_size == 0 || !covey_i_mapping_private(out, fd, (size_t)facts.st_size))
        status = read_all(out, fd, path, spill, err);
    close(fd);
    if (status == COVEY_OK && S_ISREG(facts.st_mode))
        out->opened = facts;
    return status;
}

static covey_status open_unpacked(covey_infile *out, const char *path, bool takes_pipes,
                                  const covey_infile_spill *spill, covey_error *err)
{
    covey_infile plain = COVEY_INFILE_INIT;
    covey_status status;
    const char *foreign;

    COVEY_TRY(open_plain(&plain, path, takes_pipes, spill, err));
    if ((foreign = covey_i_unpacked_foreign(plain.bytes, plain.size))) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0,
                               "is a %s file; unpack it first (plain, gzip and zstd files are read)", foreign);
    } else if (covey_i_unpacked_is_gzip(plain.bytes, plain.size)) {
        status = covey_i_unpacked_gzip(out, &plain, path, spill, err);
    } else if (covey_i_unpacked_is_zstd(plain.bytes, plain.size)) {
        status = covey_i_unpacked_zstd(out, &plain, path, spill, err);
    } else {
        *out = plain;
        return COVEY_OK;
    }
    if (status == COVEY_OK)
        out->opened = plain.opened;
    covey_i_infile_close(&plain);
    return status;
}

covey_status covey_i_infile_open(covey_infile *out, const char *path, covey_error *err)
{
    return open_unpacked(out, path, false, NULL, err);
}

covey_status covey_i_infile_open_input(covey_infile *out, const char *path, const covey_infile_spill *spill,
                                       covey_error *err)
{
    return open_unpacked(out, path, true, spill, err);
}

/* The file has no name as soon as it is open, and all of its room from the beginning: writing through the mapping
 * cannot fail. */
static covey_status new_on_disk(covey_infile *out, size_t size, covey_error *err)
{
    const char *place = getenv("TMPDIR");
    covey_text path = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    int fd = -1, fault;

    covey_i_text_add_format(&path, "%s/covey-XXXXXX", place && *place ? place : "/var/tmp");
    if (path.broken) {
        status = covey_i_no_memory(err);
    } else if ((fd = mkostemp(path.bytes, O_CLOEXEC)) < 0) {
        status = covey_fail_at(err, COVEY_EIO, path.bytes, 0, NULL, 0, "cannot be made: %s", strerror(errno));
    } else {
        unlink(path.bytes);
        if ((fault = posix_fallocate(fd, 0, (off_t)size)) != 0)
            status = covey_fail_at(err, COVEY_EIO, path.bytes, 0, NULL, 0, "cannot be made of %zu MiB: %s", size >> 20,
                                   strerror(fault));
        else if (!covey_i_mapping_shared(out, fd, size, PROT_READ | PROT_WRITE, MAP_SHARED))
            status = covey_i_no_memory(err);
    }
    if (fd >= 0)
        close(fd);
    covey_i_text_free(&path);
    return status;
}

covey_status covey_i_infile_new(covey_infile *out, char **bytes, size_t size, size_t most_bytes, covey_error *err)
{
    if (size > most_bytes) {
        COVEY_TRY(new_on_disk(out, size, err));
        *bytes = out->mapping;
        return COVEY_OK;
    }
    if (size > SIZE_MAX / 2 || !(*bytes = covey_i_malloc(size + COVEY_INFILE_PADDING)))
        return covey_i_no_memory(err);
    memset(*bytes + size, 0, COVEY_INFILE_PADDING);
    *out = (covey_infile){.bytes = *bytes, .size = size, .owned = *bytes};
    return COVEY_OK;
}

covey_status covey_i_infile_unchanged(const covey_infile *file, const char *path, covey_error *err)
{
    const struct stat *then = &file->opened;
    struct stat now;

    if (!S_ISREG(then->st_mode) || stat(path, &now) != 0 || now.st_dev != then->st_dev || now.st_ino != then->st_ino)
        return COVEY_OK;
    if (now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
        return COVEY_OK;
    return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0,
                         "was written to while it was read; try again when nobody changes it");
}

void covey_i_infile_close(covey_infile *file)
{
    if (file->mapping)
        munmap(file->mapping, file->mapping_size);
    covey_i_free(file->owned);
    *file = (covey_infile)COVEY_INFILE_INIT;
}

void covey_i_infile_drop(const covey_infile *file, size_t lo, size_t hi)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    lo = (lo + page - 1) / page * page;
    hi = hi / page * page;
    if (file->mapping && lo < hi)
        madvise((char *)file->mapping + lo, hi - lo, MADV_DONTNEED);
}
