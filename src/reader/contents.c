/* Comparing the files of a folder with those that its manifest lists. */
#include "reader/contents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/hash.h"
#include "base/plural.h"
#include "io/csv/join.h"
#include "reader/form_impl.h"

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

/* One file as it stands in the folder. */
static covey_status check_file(bool *present, covey_problems *problems, const char *folder, const char *name,
                               int64_t size_bytes, covey_arena *arena, covey_error *err)
{
    const char *path = covey_i_contents_path(arena, folder, name), *packed;
    struct stat facts;

    *present = false;
    if (!path)
        return covey_i_no_memory(err);
    if (lstat(path, &facts) != 0)
        covey_i_problem(problems, "%s: the file is missing", name);
    else if (!S_ISREG(facts.st_mode))
        covey_i_problem(problems, "%s: this is not a regular file", name);
    else if ((packed = compression_of(path)))
        covey_i_problem(problems, "%s: this is a %s file; tables of releases are not compressed", name, packed);
    else
        *present = true;
    if (*present && (int64_t)facts.st_size != size_bytes)
        covey_i_problem(problems, "%s has %" PRId64 " bytes, manifest.json says %" PRId64, name, (int64_t)facts.st_size,
                        size_bytes);
    return COVEY_OK;
}

/* What is known of the files of a table before the next one. */
struct parts_before {
    const char *name; /* of the first and of the last one; NULL: there is none */
    covey_infile first;
    size_t header_size;
    bool is_numbered;
    const char *last_name;
    uint64_t last; /* number of the last row; 0: none */
};

/* Do lines begin with the number of their class? */
static bool is_numbered(const covey_stated *stated, const covey_infile *file)
{
    const char *word = stated->published_as->word;
    const size_t size = strlen(word);

    return !stated->published_as->is_random && file->size > size && memcmp(file->bytes, word, size) == 0 &&
           file->bytes[size] == ',';
}

static void compare_part(struct parts_before *before, covey_problems *problems, const covey_stated_part *stated,
                         const covey_csv_part *part)
{
    const int64_t n_classes = before->is_numbered ? part->n_numbers : 0;

    if (part->n_rows != stated->n_rows)
        covey_i_problem(problems, "%s has %" PRId64 " row%s, manifest.json says %" PRId64, stated->name, part->n_rows,
                        covey_i_plural(part->n_rows), stated->n_rows);
    if (n_classes != stated->n_classes)
        covey_i_problem(problems, "%s has %" PRId64 " classes, manifest.json says %" PRId64, stated->name, n_classes,
                        stated->n_classes);
    if (before->is_numbered && part->n_rows > 0 && part->first == before->last)
        covey_i_problem(problems, "%s and %s: rows of one class are in both", before->last_name, stated->name);
    if (part->n_rows == 0)
        return;
    before->last = part->last;
    before->last_name = stated->name;
}

/* *fine: it is, by its form, one of the files of a table. */
static covey_status look_into_part(bool *fine, struct parts_before *before, covey_problems *problems,
                                   const char *folder, const covey_stated *stated, const covey_stated_part *part,
                                   covey_arena *arena, covey_error *err)
{
    const char *path = covey_i_contents_path(arena, folder, part->name), *fault;
    covey_infile file = COVEY_INFILE_INIT;
    covey_csv_part found;

    if (!path)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_infile_open(&file, path, err));
    covey_i_csv_part_read(&found, &file);
    fault = found.fault;
    if (!fault && before->name &&
        (found.header_size != before->header_size || memcmp(file.bytes, before->first.bytes, found.header_size) != 0))
        fault = "its header is not that of the first file";
    *fine = !fault;
    if (fault) {
        covey_i_problem(problems, "%s: %s", part->name, fault);
    } else if (!before->name) {
        *before = (struct parts_before){part->name, file, found.header_size, is_numbered(stated, &file), NULL, 0};
        compare_part(before, problems, part, &found);
        return COVEY_OK; /* which needs its header */
    } else {
        compare_part(before, problems, part, &found);
    }
    covey_i_infile_close(&file);
    return COVEY_OK;
}

/* A table in several files: each has its rows and classes, and no class is in two of them. */
static covey_status check_parts(bool *present, covey_problems *problems, const char *folder, const covey_stated *stated,
                                const covey_stated_file *file, covey_arena *arena, covey_error *err)
{
    struct parts_before before = {.name = NULL};
    covey_status status = COVEY_OK;

    *present = true;
    for (size_t i = 0; status == COVEY_OK && i < file->n_parts; i++) {
        bool fine = false;

        status = check_file(&fine, problems, folder, file->part[i].name, file->part[i].size_bytes, arena, err);
        if (status == COVEY_OK && fine)
            status = look_into_part(&fine, &before, problems, folder, stated, &file->part[i], arena, err);
        *present = *present && fine;
    }
    covey_i_infile_close(&before.first);
    return status;
}

static covey_status check_listed(bool *present, covey_problems *problems, const char *folder,
                                 const covey_stated *stated, const covey_stated_file *file, covey_arena *arena,
                                 covey_error *err)
{
    *present = false;
    if (!is_allowed_name(stated, file->name)) {
        covey_i_problem(problems, "manifest.json lists a file that no release has: \"%s\"", file->name);
        return COVEY_OK;
    }
    if (file->n_parts > 0)
        return check_parts(present, problems, folder, stated, file, arena, err);
    return check_file(present, problems, folder, file->name, file->size_bytes, arena, err);
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
        if (!covey_i_stated_lists(stated, name))
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
    if (!(path = covey_i_contents_path(&arena, folder, "manifest.json"))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if (lstat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) /* a link: the folder goes without what it leads to */
        covey_i_problem(problems, "manifest.json: this is not a regular file");
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

static covey_status hash_file(covey_problems *problems, const char *folder, const char *name, const char *sha256,
                              covey_arena *arena, covey_error *err)
{
    const char *path = covey_i_contents_path(arena, folder, name);
    unsigned char hash[32];
    char hex[65];
    uint64_t size;

    if (!path)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(hex, hash);
    if (strcmp(hex, sha256) != 0)
        covey_i_problem(problems,
                        "%s: its SHA-256 is not the one in manifest.json: the file was changed after it was published",
                        name);
    return COVEY_OK;
}

covey_status covey_i_contents_hash(covey_problems *problems, const char *folder, const covey_stated *stated,
                                   const bool *present, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < stated->n_files && status == COVEY_OK; i++) {
        const covey_stated_file *file = &stated->file[i];

        if (!present[i])
            continue;
        if (file->n_parts == 0)
            status = hash_file(problems, folder, file->name, file->sha256, &arena, err);
        for (size_t p = 0; p < file->n_parts && status == COVEY_OK; p++)
            status = hash_file(problems, folder, file->part[p].name, file->part[p].sha256, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_contents_open(covey_infile *out, const char *folder, const covey_stated_file *file,
                                   size_t most_bytes, covey_error *err)
{
    const size_t n = file->n_parts ? file->n_parts : 1;
    covey_arena arena = COVEY_ARENA_INIT;
    const char **path = covey_arena_array(&arena, const char *, n);
    covey_status status = path ? COVEY_OK : covey_i_no_memory(err);

    for (size_t i = 0; status == COVEY_OK && i < n; i++)
        if (!(path[i] = covey_i_contents_path(&arena, folder, file->n_parts ? file->part[i].name : file->name)))
            status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status =
            file->n_parts ? covey_i_csv_join(out, path, n, most_bytes, err) : covey_i_infile_open(out, path[0], err);
    covey_arena_free(&arena);
    return status;
}
