/* Bytes that grow, unpacking gzip and zstd files, and telling how a file is compressed. */
#include "base/file/unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/mapping.h"

static bool grow(covey_unpacked *b, size_t capacity)
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
static covey_status empty(covey_unpacked *b, const char *path, covey_error *err)
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

covey_status covey_i_unpacked_make_room(covey_unpacked *b, const char *path, covey_error *err)
{
    if (b->size < b->capacity)
        return COVEY_OK;
    if (b->spill && b->capacity == b->spill->most_bytes)
        return empty(b, path, err);
    if (!grow(b, b->capacity < 65536 ? 65536 : b->capacity / 2 * 3))
        return covey_i_no_memory(err);
    return COVEY_OK;
}

void covey_i_unpacked_clear(covey_unpacked *b)
{
    covey_i_free(b->bytes);
    if (b->disk >= 0)
        close(b->disk);
}

covey_status covey_i_unpacked_own(covey_infile *file, covey_unpacked *b, const char *path, covey_error *err)
{
    covey_status status = COVEY_OK;

    if (b->disk < 0) {
        memset(b->bytes + b->size, 0, COVEY_INFILE_PADDING);
        *file = (covey_infile){.bytes = b->bytes, .size = b->size, .owned = b->bytes};
        return COVEY_OK;
    }
    if ((status = empty(b, path, err)) == COVEY_OK && !covey_i_mapping_private(file, b->disk, b->on_disk))
        status = covey_i_no_memory(err);
    covey_i_unpacked_clear(b);
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

bool covey_i_unpacked_is_gzip(const char *bytes, size_t size)
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

    if (covey_i_unpacked_is_gzip(at, (size_t)(end - at)))
        return inflateReset(z) == Z_OK;
    while (at < end && *at == '\0')
        at++;
    *garbage = at < end;
    return false;
}

static covey_status inflate_all(covey_unpacked *b, z_stream *z, const covey_infile *packed, const char *path,
                                covey_error *err)
{
    for (;;) {
        bool garbage = false;
        int result;

        COVEY_TRY(covey_i_unpacked_make_room(b, path, err));
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

covey_status covey_i_unpacked_gzip(covey_infile *out, const covey_infile *packed, const char *path,
                                   const covey_infile_spill *spill, covey_error *err)
{
    covey_unpacked b = {.spill = spill, .disk = -1};
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free, .next_in = (unsigned char *)packed->bytes};
    covey_status status;

    if (!grow(&b, packed->size * 4 + 4096) || inflateInit2(&z, 15 + 16) != Z_OK) {
        covey_i_free(b.bytes);
        return covey_i_no_memory(err);
    }
    status = inflate_all(&b, &z, packed, path, err);
    inflateEnd(&z);
    if (status == COVEY_OK)
        return covey_i_unpacked_own(out, &b, path, err);
    covey_i_unpacked_clear(&b);
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

static covey_status unzstd_all(covey_unpacked *b, ZSTD_DCtx *context, const covey_infile *packed, const char *path,
                               covey_error *err)
{
    ZSTD_inBuffer in = {packed->bytes, packed->size, 0};
    size_t result = 0;

    do {
        ZSTD_outBuffer to;

        COVEY_TRY(covey_i_unpacked_make_room(b, path, err));
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

covey_status covey_i_unpacked_zstd(covey_infile *out, const covey_infile *packed, const char *path,
                                   const covey_infile_spill *spill, covey_error *err)
{
    covey_unpacked b = {.spill = spill, .disk = -1};
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
        return covey_i_unpacked_own(out, &b, path, err);
    covey_i_unpacked_clear(&b);
    return status;
}

const char *covey_i_unpacked_foreign(const char *bytes, size_t size)
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

bool covey_i_unpacked_is_zstd(const char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0;
}

const char *covey_i_infile_compression(const char *bytes, size_t size)
{
    return covey_i_unpacked_is_gzip(bytes, size)   ? "gzip"
           : covey_i_unpacked_is_zstd(bytes, size) ? "zstd"
                                                   : covey_i_unpacked_foreign(bytes, size);
}
