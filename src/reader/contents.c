/* See contents.h. */
#include "reader/contents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/form_impl.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/file/infile.h"

static const char HIERARCHIES[] = "hierarchies";

covey_status covey_i_contents_read_file(char **out, size_t *size_bytes, const char *path, size_t limit,
                                        covey_error *err)
{
    covey_status status = COVEY_OK;
    struct stat facts;
    char *bytes = NULL;
    size_t n = 0;
    ssize_t got;
    int fd;

    COVEY_TRY(covey_i_infile_open_regular(&fd, &facts, path, err));
    if ((uint64_t)facts.st_size > limit) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "larger than %zu bytes", limit);
        goto done;
    }
    if (!(bytes = covey_i_malloc((size_t)facts.st_size + 1))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    while (n < (size_t)facts.st_size && (got = read(fd, bytes + n, (size_t)facts.st_size - n)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
            goto done;
        }
        n += (size_t)got;
    }
    bytes[n] = '\0';
    *out = bytes;
    *size_bytes = n;
    bytes = NULL;
done:
    covey_i_free(bytes);
    close(fd);
    return status;
}

char *covey_i_contents_path(covey_arena *arena, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = covey_arena_array(arena, char, size);

    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* A hierarchy's name is one path component that ends in .csv and does not begin with a dot. */
static bool is_allowed_name(const covey_stated *stated, const char *name)
{
    const size_t prefix = sizeof HIERARCHIES; /* with the slash in the place of the NUL */
    size_t n = strlen(name);

    if (stated->published_as->has_table(name))
        return true;
    if (strncmp(name, HIERARCHIES, prefix - 1) != 0 || name[prefix - 1] != '/')
        return false;
    name += prefix;
    n -= prefix;
    return n > 4 && name[0] != '.' && !strchr(name, '/') && strcmp(name + n - 4, ".csv") == 0;
}

/* Tables and hierarchies of releases are plain text: what is packed could hold anything, and is not unpacked to see.
 * NULL: it is plain, or cannot be read, which its reader says. */
static const char *compression_of(const char *path)
{
    char first[16];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t n = fd >= 0 ? read(fd, first, sizeof first) : -1;

    if (fd >= 0)
        close(fd);
    return n > 0 ? covey_i_infile_compression(first, (size_t)n) : NULL;
}

static covey_status check_listed(bool *present, covey_problems *problems, const char *folder,
                                 const covey_stated *stated, const covey_stated_file *file, covey_arena *arena,
                                 covey_error *err)
{
    struct stat facts;
    const char *path, *packed;

    *present = false;
    if (!is_allowed_name(stated, file->name)) {
        covey_i_problem(problems, "manifest.json lists a file that no release has: \"%s\"", file->name);
        return COVEY_OK;
    }
    if (!(path = covey_i_contents_path(arena, folder, file->name)))
        return covey_i_no_memory(err);
    if (lstat(path, &facts) != 0)
        covey_i_problem(problems, "%s: the file is missing", file->name);
    else if (!S_ISREG(facts.st_mode))
        covey_i_problem(problems, "%s: this is not a regular file", file->name);
    else if ((packed = compression_of(path)))
        covey_i_problem(problems, "%s: this is a %s file; tables of releases are not compressed", file->name, packed);
    else
        *present = true;
    if (*present && (int64_t)facts.st_size != file->size_bytes)
        covey_i_problem(problems, "%s has %" PRId64 " bytes, manifest.json says %" PRId64, file->name,
                        (int64_t)facts.st_size, file->size_bytes);
    return COVEY_OK;
}

/* What is in a folder: prefix is "" or "hierarchies/". */
static covey_status check_unlisted(covey_problems *problems, const char *path, const char *prefix,
                                   const covey_stated *stated, covey_error *err)
{
    DIR *stream = opendir(path);
    struct dirent *entry;

    if (!stream && errno == ENOENT && *prefix)
        return COVEY_OK;
    if (!stream)
        return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
    while ((entry = readdir(stream))) {
        char name[sizeof HIERARCHIES + sizeof entry->d_name];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (!*prefix && (strcmp(entry->d_name, "manifest.json") == 0 || strcmp(entry->d_name, HIERARCHIES) == 0))
            continue;
        snprintf(name, sizeof name, "%s%s", prefix, entry->d_name);
        if (covey_i_stated_file(stated, name) < 0)
            covey_i_problem(problems, "%s is in the folder, but not in manifest.json", name);
    }
    closedir(stream);
    return COVEY_OK;
}

covey_status covey_i_contents_check(bool *present, covey_problems *problems, const char *folder,
                                    const covey_stated *stated, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;
    struct stat facts;
    const char *path;

    for (size_t i = 0; i < stated->n_files && status == COVEY_OK; i++)
        status = check_listed(&present[i], problems, folder, stated, &stated->file[i], &arena, err);
    if (status != COVEY_OK || (status = check_unlisted(problems, folder, "", stated, err)) != COVEY_OK)
        goto done;
    if (!(path = covey_i_contents_path(&arena, folder, HIERARCHIES))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if (lstat(path, &facts) == 0 && !S_ISDIR(facts.st_mode)) {
        covey_i_problem(problems, "%s is not a folder", HIERARCHIES);
        for (size_t i = 0; i < stated->n_files; i++) /* it may be a link to anywhere */
            present[i] = present[i] && stated->published_as->has_table(stated->file[i].name);
        goto done;
    }
    status = check_unlisted(problems, path, "hierarchies/", stated, err);
done:
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_contents_hash(covey_problems *problems, const char *folder, const covey_stated *stated,
                                   const bool *present, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < stated->n_files && status == COVEY_OK; i++) {
        const char *path = covey_i_contents_path(&arena, folder, stated->file[i].name);
        unsigned char hash[32];
        char hex[65];
        uint64_t size;

        if (!present[i])
            continue;
        if (!path) {
            status = covey_i_no_memory(err);
            break;
        }
        if ((status = covey_i_hash_sha256_file(hash, &size, path, err)) != COVEY_OK)
            break;
        covey_i_hash_hex(hex, hash);
        if (strcmp(hex, stated->file[i].sha256) != 0)
            covey_i_problem(
                problems,
                "%s: its SHA-256 is not the one in manifest.json: the file was changed after it was published",
                stated->file[i].name);
    }
    covey_arena_free(&arena);
    return status;
}
