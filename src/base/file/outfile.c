/* Writing files through a buffer, compressed where their name says so. */
#include "base/file/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"

enum { BUFFER = 1 << 18, PACKED = 1 << 17, GZIP_LEVEL = 6, ZSTD_LEVEL = 3 };

struct covey_outfile {
    char *path;
    int fd;
    bool own_fd;  /* close it at the end */
    bool made;    /* remove it if it fails */
    char *buffer; /* [capacity], the first `used` bytes wait to be written */
    size_t used, capacity;
    uint64_t written; /* bytes that have left the buffer, before compression */
    bool out_of_memory;
    int error; /* errno of the first failed write, 0: none */
    bool gzip;
    z_stream z;
    ZSTD_CCtx *zstd; /* NULL if not compressed that way */
    char *packed;    /* [PACKED] compressed bytes on their way */
};

bool covey_i_outfile_is_broken(const covey_outfile *file)
{
    return file->error != 0 || file->out_of_memory;
}

uint64_t covey_i_outfile_size(const covey_outfile *file)
{
    return file->written + file->used;
}

static void put(covey_outfile *file, const char *bytes, size_t n)
{
    while (n > 0 && !covey_i_outfile_is_broken(file)) {
        const ssize_t done = write(file->fd, bytes, n);

        if (done > 0) {
            bytes += done;
            n -= (size_t)done;
        } else if (done < 0 && errno != EINTR) {
            file->error = errno;
        } else if (done == 0) {
            file->error = ENOSPC;
        }
    }
}

static void deflate_bytes(covey_outfile *file, const char *bytes, size_t n, bool last)
{
    z_stream *z = &file->z;
    int result = Z_OK;

    do {
        const unsigned piece = n > 1u << 30 ? 1u << 30 : (unsigned)n;

        z->next_in = (unsigned char *)bytes;
        z->avail_in = piece;
        bytes += piece;
        n -= piece;
        do {
            z->next_out = (unsigned char *)file->packed;
            z->avail_out = PACKED;
            result = deflate(z, last && n == 0 ? Z_FINISH : Z_NO_FLUSH);
            put(file, file->packed, PACKED - z->avail_out);
        } while (z->avail_out == 0 && !covey_i_outfile_is_broken(file));
    } while (n > 0 && !covey_i_outfile_is_broken(file));
    if (result == Z_STREAM_ERROR)
        file->out_of_memory = true;
}

static void zstd_bytes(covey_outfile *file, const char *bytes, size_t n, bool last)
{
    ZSTD_inBuffer in = {bytes, n, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {file->packed, PACKED, 0};

        left = ZSTD_compressStream2(file->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            file->out_of_memory = true;
        else
            put(file, file->packed, out.pos);
    } while (!covey_i_outfile_is_broken(file) && (in.pos < in.size || (last && left > 0)));
}

static void pass_on(covey_outfile *file, const char *bytes, size_t n, bool last)
{
    if (covey_i_outfile_is_broken(file))
        return;
    if (file->gzip)
        deflate_bytes(file, bytes, n, last);
    else if (file->zstd)
        zstd_bytes(file, bytes, n, last);
    else
        put(file, bytes, n);
    file->written += n;
}

static void flush(covey_outfile *file)
{
    if (file->used)
        pass_on(file, file->buffer, file->used, false);
    file->used = 0;
}

void covey_i_outfile_write(covey_outfile *file, const char *bytes, size_t n)
{
    if (n > file->capacity - file->used)
        flush(file);
    if (n > file->capacity) {
        pass_on(file, bytes, n, false);
    } else if (n) {
        memcpy(file->buffer + file->used, bytes, n);
        file->used += n;
    }
}

void covey_i_outfile_string(covey_outfile *file, const char *string)
{
    covey_i_outfile_write(file, string, strlen(string));
}

char *covey_i_outfile_room(covey_outfile *file, size_t n)
{
    if (n > file->capacity - file->used)
        flush(file);
    if (n > file->capacity) {
        char *buffer = covey_i_realloc(file->buffer, n, 1);

        if (!buffer) {
            file->out_of_memory = true;
            return NULL;
        }
        file->buffer = buffer;
        file->capacity = n;
    }
    return file->buffer + file->used;
}

void covey_i_outfile_used(covey_outfile *file, size_t n)
{
    file->used += n;
}

/* Gives back everything but the descriptor's fate. */
static void release(covey_outfile *file)
{
    if (file->gzip)
        deflateEnd(&file->z);
    ZSTD_freeCCtx(file->zstd);
    covey_i_free(file->packed);
    covey_i_free(file->buffer);
    covey_i_free(file->path);
    covey_i_free(file);
}

static void *zlib_alloc(void *context, unsigned n, unsigned size)
{
    return covey_i_array(n, size);
}

static void zlib_free(void *context, void *p)
{
    covey_i_free(p);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n > m && strcmp(text + n - m, ending) == 0;
}

static bool start_compression(covey_outfile *file)
{
    const bool gzip = ends_with(file->path, ".gz"), zstd = ends_with(file->path, ".zst");

    if (!gzip && !zstd)
        return true;
    if (!(file->packed = covey_i_malloc(PACKED)))
        return false;
    if (gzip) {
        file->z.zalloc = zlib_alloc;
        file->z.zfree = zlib_free;
        file->gzip = deflateInit2(&file->z, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
        return file->gzip;
    }
    if (!(file->zstd = ZSTD_createCCtx()))
        return false;
    ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_checksumFlag, 1);
    return true;
}

covey_status covey_i_outfile_over(covey_outfile **out, int fd, const char *name, covey_error *err)
{
    covey_outfile *file = covey_i_array_zero(1, sizeof *file);

    if (!file)
        return covey_i_no_memory(err);
    file->fd = fd;
    file->capacity = BUFFER;
    file->path = covey_i_strdup(name);
    file->buffer = covey_i_malloc(BUFFER);
    if (!file->path || !file->buffer || !start_compression(file)) {
        release(file);
        return covey_i_no_memory(err);
    }
    *out = file;
    return COVEY_OK;
}

/* A device or pipe that exists; -1 with errno EEXIST for anything else. */
static int open_device(const char *path)
{
    struct stat facts;
    int fd;

    if (stat(path, &facts) != 0 || !(S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode)) ||
        (fd = open(path, O_WRONLY | O_CLOEXEC)) < 0) {
        errno = EEXIST;
        return -1;
    }
    if (fstat(fd, &facts) != 0 || S_ISREG(facts.st_mode)) { /* it changed in between */
        close(fd);
        errno = EEXIST;
        return -1;
    }
    return fd;
}

covey_status covey_i_outfile_open(covey_outfile **out, const char *path, covey_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool made = fd >= 0;
    covey_status status;

    if (fd < 0 && errno == EEXIST)
        fd = open_device(path);
    if (fd < 0)
        return errno == EEXIST ? covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                                               "exists already; remove it or choose another name")
                               : covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be made: %s", strerror(errno));
    if ((status = covey_i_outfile_over(out, fd, path, err)) != COVEY_OK) {
        close(fd);
        if (made)
            unlink(path);
        return status;
    }
    (*out)->own_fd = true;
    (*out)->made = made;
    return COVEY_OK;
}

covey_status covey_i_outfile_append(covey_outfile **out, const char *path, covey_error *err)
{
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    covey_status status;

    if (fd < 0)
        return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
    if ((status = covey_i_outfile_over(out, fd, path, err)) != COVEY_OK)
        close(fd);
    else
        (*out)->own_fd = true;
    return status;
}

covey_status covey_i_outfile_close(covey_outfile *file, covey_error *err)
{
    covey_status status = COVEY_OK;

    flush(file);
    if (file->gzip || file->zstd)
        pass_on(file, "", 0, true);
    if (file->own_fd && close(file->fd) != 0 && errno != EINTR && !covey_i_outfile_is_broken(file))
        file->error = errno;
    if (file->out_of_memory)
        status = covey_i_no_memory(err);
    else if (file->error)
        status = covey_fail_at(err, COVEY_EIO, file->path, 0, NULL, 0, "cannot be written: %s", strerror(file->error));
    if (status != COVEY_OK && file->made)
        unlink(file->path);
    release(file);
    return status;
}

void covey_i_outfile_abort(covey_outfile *file)
{
    if (!file)
        return;
    if (file->own_fd)
        close(file->fd);
    if (file->made)
        unlink(file->path);
    release(file);
}

covey_status covey_i_outfile_make(const char *path, const char *bytes, size_t n, covey_error *err)
{
    covey_outfile *file = NULL;

    COVEY_TRY(covey_i_outfile_open(&file, path, err));
    covey_i_outfile_write(file, bytes, n);
    return covey_i_outfile_close(file, err);
}

covey_status covey_i_outfile_make_text(const char *path, covey_text *text, covey_error *err)
{
    const covey_status status =
        text->broken ? covey_i_no_memory(err) : covey_i_outfile_make(path, text->bytes, text->size, err);

    covey_i_text_free(text);
    return status;
}
