/* Opening whole files: mapped, decompressed or copied. */
#include "base/file/infile.h"

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
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

/* A byte buffer that grows; beyond the spill's limit it is emptied into a file. */
struct buffer {
    char *bytes;
    size_t size, capacity;
    const covey_infile_spill *spill; /* NULL: there is no limit */
    int disk;                        /* -1: nothing is there */
    size_t on_disk;
};

static bool map(covey_infile *out, int fd, size_t size);

static bool grow(struct buffer *b, size_t capacity)
{
    char *bytes;

    if (b->spill && capacity > b->spill->most_bytes)
        capacity = b->spill->most_bytes;
    bytes = capacity < SIZE_MAX / 2 ? covey_i_realloc(b->bytes, capacity + COVEY_INFILE_PADDING, 1) : NULL;
    if (!bytes)
        return false;
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

/* The file has no name from the beginning: it goes with the run, however that ends. */
static covey_status empty(struct buffer *b, const char *path, covey_error *err)
{
    const char *file = b->spill->path;

    if (!file)
        return covey_fail_at(
            err, COVEY_EINVAL, path, 0, NULL, 0,
            "holds more than %zu MiB once it is unpacked, which is too much for %s; %sunpack it into a file first",
            b->spill->most_bytes >> 20, b->spill->is_asked ? "this memory limit" : "this machine's memory",
            b->spill->is_asked ? "give a larger --memory-limit, or " : "");
    if (b->disk < 0) {
        if ((b->disk = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
            return covey_fail_at(err, COVEY_EIO, file, 0, NULL, 0, "cannot be made: %s", strerror(errno));
        unlink(file);
    }
    for (size_t at = 0; at < b->size;) {
        const ssize_t n = write(b->disk, b->bytes + at, b->size - at);

        if (n < 0 && errno != EINTR)
            return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be unpacked beside the target: %s",
                                 strerror(errno));
        at += n > 0 ? (size_t)n : 0;
    }
    b->on_disk += b->size;
    b->size = 0;
    return COVEY_OK;
}

static covey_status make_room(struct buffer *b, const char *path, covey_error *err)
{
    if (b->size < b->capacity)
        return COVEY_OK;
    if (b->spill && b->capacity == b->spill->most_bytes)
        return empty(b, path, err);
    if (!grow(b, b->capacity < 65536 ? 65536 : b->capacity / 2 * 3))
        return covey_i_no_memory(err);
    return COVEY_OK;
}

static void clear(struct buffer *b)
{
    covey_i_free(b->bytes);
    if (b->disk >= 0)
        close(b->disk);
}

/* Hands the buffer over to file, with its padding; it is empty afterwards in any case. */
static covey_status own(covey_infile *file, struct buffer *b, const char *path, covey_error *err)
{
    covey_status status = COVEY_OK;

    if (b->disk < 0) {
        memset(b->bytes + b->size, 0, COVEY_INFILE_PADDING);
        *file = (covey_infile){.bytes = b->bytes, .size = b->size, .owned = b->bytes};
        return COVEY_OK;
    }
    if ((status = empty(b, path, err)) == COVEY_OK && !map(file, b->disk, b->on_disk))
        status = covey_i_no_memory(err);
    clear(b);
    return status;
}

static covey_status read_all(covey_infile *out, int fd, const char *path, const covey_infile_spill *spill,
                             covey_error *err)
{
    struct buffer b = {.spill = spill, .disk = -1};
    covey_status status;

    for (;;) {
        ssize_t n;

        if ((status = make_room(&b, path, err)) != COVEY_OK)
            break;
        n = read(fd, b.bytes + b.size, b.capacity - b.size);
        if (n > 0) {
            b.size += (size_t)n;
        } else if (n == 0) {
            return own(out, &b, path, err);
        } else if (errno != EINTR) {
            status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be read: %s", strerror(errno));
            break;
        }
    }
    clear(&b);
    return status;
}

/* Maps a file with readable zeros behind it: first nothing but zeros, then the file over them.  False if that does not
 * work here. */
static bool map_shared(covey_infile *out, int fd, size_t size, int protection, int sharing)
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

static bool map(covey_infile *out, int fd, size_t size)
{
    return map_shared(out, fd, size, PROT_READ, MAP_PRIVATE);
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
    if (!S_ISREG(facts.st_mode) || facts.st_size == 0 || !map(out, fd, (size_t)facts.st_size))
        status = read_all(out, fd, path, spill, err);
    close(fd);
    if (status == COVEY_OK && S_ISREG(facts.st_mode))
        out->opened = facts;
    return status;
}

/* zlib's own memory passes through ours. */
static void *zlib_alloc(void *context, unsigned n, unsigned size)
{
    return covey_i_array(n, size);
}

static void zlib_free(void *context, void *p)
{
    covey_i_free(p);
}

static covey_status fail_corrupt(const char *path, const char *kind, const char *why, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "the %s data is %s; get the file again", kind, why);
}

static bool is_gzip(const char *bytes, size_t size)
{
    return size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* Offers the whole input in pieces that zlib's 32-bit counters hold. */
static void refill(z_stream *z, const covey_infile *packed)
{
    const size_t left = packed->size - (size_t)((const char *)z->next_in - packed->bytes);

    z->avail_in = left > 1u << 30 ? 1u << 30 : (unsigned)left;
}

/* Behind a member: true if another follows.  Zero bytes are padding (tapes, block devices). */
static bool next_member(z_stream *z, const covey_infile *packed, bool *garbage)
{
    const char *at = (const char *)z->next_in, *end = packed->bytes + packed->size;

    if (is_gzip(at, (size_t)(end - at)))
        return inflateReset(z) == Z_OK;
    while (at < end && *at == '\0')
        at++;
    *garbage = at < end;
    return false;
}

static covey_status inflate_all(struct buffer *b, z_stream *z, const covey_infile *packed, const char *path,
                                covey_error *err)
{
    for (;;) {
        bool garbage = false;
        int result;

        COVEY_TRY(make_room(b, path, err));
        refill(z, packed);
        z->next_out = (unsigned char *)b->bytes + b->size;
        z->avail_out = b->capacity - b->size > 1u << 30 ? 1u << 30 : (unsigned)(b->capacity - b->size);
        result = inflate(z, Z_NO_FLUSH);
        b->size = (size_t)((char *)z->next_out - b->bytes);
        if (result == Z_STREAM_END && !next_member(z, packed, &garbage))
            return garbage ? fail_corrupt(path, "gzip", "followed by bytes that are none of it", err) : COVEY_OK;
        if (result == Z_MEM_ERROR)
            return covey_i_no_memory(err);
        if (result == Z_BUF_ERROR && z->avail_out > 0)
            return fail_corrupt(path, "gzip", "cut off", err);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return fail_corrupt(path, "gzip", "corrupt", err);
    }
}

static covey_status gunzip(covey_infile *out, const covey_infile *packed, const char *path,
                           const covey_infile_spill *spill, covey_error *err)
{
    struct buffer b = {.spill = spill, .disk = -1};
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free, .next_in = (unsigned char *)packed->bytes};
    covey_status status;

    if (!grow(&b, packed->size * 4 + 4096) || inflateInit2(&z, 15 + 16) != Z_OK) {
        covey_i_free(b.bytes);
        return covey_i_no_memory(err);
    }
    status = inflate_all(&b, &z, packed, path, err);
    inflateEnd(&z);
    if (status == COVEY_OK)
        return own(out, &b, path, err);
    clear(&b);
    return status;
}

/* The largest window, as a power of two, that a zstd file may ask for: memory for it is taken at once, and filled as
 * the text is unpacked.  8 MiB, as all but the slowest levels make them, always do; 128 MiB, zstd's own limit, where
 * nothing else is said. */
static int most_window_log(const covey_infile_spill *spill)
{
    int log = 23;

    if (!spill)
        return 27;
    while (log < 31 && spill->most_bytes >> (log + 1) > 0) /* as of zstd --long=31, if there is room */
        log++;
    return log;
}

static covey_status fail_window(const char *path, const covey_infile_spill *spill, covey_error *err)
{
    return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0,
                         "takes more than %d MiB of memory to unpack (it was made with zstd --long or --ultra); "
                         "%sunpack it into a file first",
                         1 << (most_window_log(spill) - 20),
                         spill && spill->is_asked ? "give a larger --memory-limit, or " : "");
}

static covey_status unzstd_all(struct buffer *b, ZSTD_DCtx *context, const covey_infile *packed, const char *path,
                               covey_error *err)
{
    ZSTD_inBuffer in = {packed->bytes, packed->size, 0};
    size_t result = 0;

    do {
        ZSTD_outBuffer to;

        COVEY_TRY(make_room(b, path, err));
        to = (ZSTD_outBuffer){b->bytes, b->capacity, b->size};
        result = ZSTD_decompressStream(context, &to, &in);
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
            return covey_i_no_memory(err);
        if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
            return fail_window(path, b->spill, err);
        if (ZSTD_isError(result))
            return fail_corrupt(path, "zstd", "corrupt", err);
        if (in.pos == in.size && to.pos == b->size && result != 0 && to.pos < to.size)
            return fail_corrupt(path, "zstd", "cut off", err);
        b->size = to.pos;
    } while (in.pos < in.size || result != 0);
    return COVEY_OK;
}

static covey_status unzstd(covey_infile *out, const covey_infile *packed, const char *path,
                           const covey_infile_spill *spill, covey_error *err)
{
    struct buffer b = {.spill = spill, .disk = -1};
    ZSTD_DCtx *context = ZSTD_createDCtx();
    covey_status status;

    if (!context || !grow(&b, packed->size * 4 + 4096)) {
        ZSTD_freeDCtx(context);
        return covey_i_no_memory(err);
    }
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, most_window_log(spill));
    status = unzstd_all(&b, context, packed, path, err);
    ZSTD_freeDCtx(context);
    if (status == COVEY_OK)
        return own(out, &b, path, err);
    clear(&b);
    return status;
}

/* Compressed in a way that we do not read: its name, else NULL. */
static const char *foreign_compression(const char *bytes, size_t size)
{
    static const struct {
        const char *magic, *name;
    } known[] = {{"\xFD"
                  "7zXZ",
                  "xz"},
                 {"PK\x03\x04", "zip"},
                 {"BZh91AY&SY", "bzip2"},
                 {"7z\xBC\xAF\x27\x1C", "7-Zip"},
                 {"\x04\x22\x4D\x18", "lz4"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size >= strlen(known[i].magic) && memcmp(bytes, known[i].magic, strlen(known[i].magic)) == 0)
            return known[i].name;
    return NULL;
}

static bool is_zstd(const char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0;
}

const char *covey_i_infile_compression(const char *bytes, size_t size)
{
    return is_gzip(bytes, size) ? "gzip" : is_zstd(bytes, size) ? "zstd" : foreign_compression(bytes, size);
}

static covey_status open_unpacked(covey_infile *out, const char *path, bool takes_pipes,
                                  const covey_infile_spill *spill, covey_error *err)
{
    covey_infile plain = COVEY_INFILE_INIT;
    covey_status status;
    const char *foreign;

    COVEY_TRY(open_plain(&plain, path, takes_pipes, spill, err));
    if ((foreign = foreign_compression(plain.bytes, plain.size))) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0,
                               "is a %s file; unpack it first (plain, gzip and zstd files are read)", foreign);
    } else if (is_gzip(plain.bytes, plain.size)) {
        status = gunzip(out, &plain, path, spill, err);
    } else if (is_zstd(plain.bytes, plain.size)) {
        status = unzstd(out, &plain, path, spill, err);
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
        else if (!map_shared(out, fd, size, PROT_READ | PROT_WRITE, MAP_SHARED))
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
