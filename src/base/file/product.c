/* Recognizing what an earlier run made. */
#include "base/file/product.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/text.h"

const covey_product covey_i_product_release = {.noun = "release", .listing = "manifest.json"};

/* What stands behind the last ';' of a line. */
static const char *last_field(size_t *size, const char *line, size_t n)
{
    const char *mark = memrchr(line, ';', n);

    *size = mark ? (size_t)(line + n - mark) - 1 : 0;
    return mark ? mark + 1 : NULL;
}

/* Lines of a value and what it becomes, which all end in one root ("39;30-39;*"); a last line that is cut off does not
 * count. */
static bool is_hierarchy(const char *head, size_t size)
{
    const char *root = NULL, *end;
    size_t root_size = 0, n_lines = 0;

    for (; (end = memchr(head, '\n', size)); size -= (size_t)(end + 1 - head), head = end + 1) {
        size_t n;
        const char *last = last_field(&n, head, (size_t)(end - head));

        if (!last || (root && (n != root_size || memcmp(last, root, n) != 0)))
            return false;
        root = last;
        root_size = n;
        n_lines++;
    }
    return n_lines > 1 || (n_lines == 1 && root_size == 1 && *root == '*'); /* any line with a ';' ends like itself */
}

const covey_product covey_i_product_hierarchy = {.noun = "hierarchy", .is_one = is_hierarchy};

static covey_status fail_memory(const char *path, covey_error *err)
{
    return covey_i_no_memory(err);
}

static covey_status fail_system(const char *path, covey_error *err)
{
    return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be looked at: %s", strerror(errno));
}

/* ---- files ---- */

/* The first bytes of a gzip or Zstandard stream, unpacked as far as they go; those of any other file stay. */
static size_t unpack(char *head, const char *bytes, size_t n)
{
    z_stream z = {.next_in = (unsigned char *)bytes,
                  .avail_in = (unsigned)n,
                  .next_out = (unsigned char *)head,
                  .avail_out = COVEY_PRODUCT_HEAD};
    ZSTD_outBuffer out = {head, COVEY_PRODUCT_HEAD, 0};
    ZSTD_inBuffer in = {bytes, n, 0};
    ZSTD_DCtx *zstd;

    if (n > 2 && memcmp(bytes, "\x1f\x8b", 2) == 0 && inflateInit2(&z, 15 + 16) == Z_OK) {
        inflate(&z, Z_SYNC_FLUSH);
        inflateEnd(&z);
        return COVEY_PRODUCT_HEAD - z.avail_out;
    }
    if (n > 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0 && (zstd = ZSTD_createDCtx())) {
        while (in.pos < in.size && out.pos < out.size && !ZSTD_isError(ZSTD_decompressStream(zstd, &out, &in)))
            ;
        ZSTD_freeDCtx(zstd);
        return out.pos;
    }
    memcpy(head, bytes, n);
    return n;
}

static bool is_of_kind(const covey_product *product, const char *head, size_t n)
{
    for (size_t i = 0; i < product->n_beginnings; i++) {
        const covey_beginning *b = &product->beginning[i];
        const size_t size = strlen(b->first);

        if (n >= size && memcmp(head, b->first, size) == 0 && (!b->then || memmem(head, n, b->then, strlen(b->then))))
            return true;
    }
    return product->is_one && product->is_one(head, n);
}

static covey_status spare_file(const char *path, const covey_product *product, covey_error *err)
{
    char *bytes = covey_i_malloc(2 * COVEY_PRODUCT_HEAD), *head = bytes + COVEY_PRODUCT_HEAD;
    const int fd = bytes ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    const ssize_t n = fd >= 0 ? read(fd, bytes, COVEY_PRODUCT_HEAD) : -1;
    covey_status status = COVEY_OK;

    if (!bytes)
        return fail_memory(path, err);
    if (n < 0)
        status = fail_system(path, err);
    else if (!is_of_kind(product, head, unpack(head, bytes, (size_t)n)))
        status = covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                               "is no %s, so it is not replaced; choose another name", product->noun);
    if (fd >= 0)
        close(fd);
    covey_i_free(bytes);
    return status;
}

/* ---- folders ---- */

static bool is_dot_or_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A walk through a folder and those below it.  What names are called there: path from the top. */
struct walk {
    covey_text path;
    /* Of each file, and of each folder before what it holds; false ends the walk. */
    bool (*visit)(void *context, const char *path, bool is_folder, bool is_file);
    void *context;
};

/* Takes fd over.  0; 1 if a visit ended it; -1 with errno. */
static int walk_through(struct walk *walk, int fd)
{
    const size_t size = walk->path.size;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    int result = 0, error;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    while (result == 0 && (errno = 0, entry = readdir(dir))) {
        struct stat facts;

        if (is_dot_or_dots(entry->d_name))
            continue;
        walk->path.size = size;
        covey_i_text_add_string(&walk->path, entry->d_name);
        if (walk->path.broken || fstatat(dirfd(dir), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            result = -1;
        else if (!walk->visit(walk->context, walk->path.bytes, S_ISDIR(facts.st_mode), S_ISREG(facts.st_mode)))
            result = 1;
        else if (S_ISDIR(facts.st_mode)) {
            covey_i_text_add_char(&walk->path, '/');
            result =
                walk_through(walk, openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        }
    }
    error = result == 0 ? errno : 0;
    if (result < 0)
        error = errno;
    closedir(dir);
    errno = error;
    return error ? -1 : result;
}

struct listed {
    const covey_product *product;
    const json_t *files;
};

static const char *listed_name(const struct listed *l, size_t i)
{
    const char *name = json_string_value(json_object_get(json_array_get(l->files, i), "name"));

    return name ? name : "";
}

/* Is it listed, or a folder of something that is? */
static bool is_listed(void *context, const char *path, bool is_folder, bool is_file)
{
    const struct listed *l = context;
    const size_t size = strlen(path);

    if (is_file && strcmp(path, l->product->listing) == 0)
        return true;
    for (size_t i = 0; i < json_array_size(l->files); i++) {
        const char *name = listed_name(l, i);

        if (is_file ? strcmp(name, path) == 0 : is_folder && strncmp(name, path, size) == 0 && name[size] == '/')
            return true;
    }
    return false;
}

/* The listing, NULL if it is none of this product. */
static json_t *read_listing(int folder, const covey_product *product)
{
    const int fd = openat(folder, product->listing, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    /* json_loadfd would ask the system for each byte. */
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    struct stat facts;
    json_t *root = NULL;

    if (file && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode))
        root = json_loadf(file, 0, NULL);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    if (json_is_array(json_object_get(root, "files")) &&
        (product->kind ? json_string_value(json_object_get(root, "kind")) &&
                             strcmp(json_string_value(json_object_get(root, "kind")), product->kind) == 0
                       : json_is_integer(json_object_get(root, "format_version")) &&
                             json_is_string(json_object_get(root, "form"))))
        return root;
    json_decref(root);
    return NULL;
}

static bool nothing_at_all(void *context, const char *path, bool is_folder, bool is_file)
{
    return false;
}

static covey_status spare_folder(const char *path, const covey_product *product, covey_error *err)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct walk walk = {.path = COVEY_TEXT_INIT, .visit = nothing_at_all};
    struct listed listed = {.product = product};
    covey_status status = COVEY_OK;
    bool has_listing;
    json_t *root;
    int found;

    if (fd < 0)
        return fail_system(path, err);
    has_listing = faccessat(fd, product->listing, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if ((root = read_listing(fd, product))) {
        listed.files = json_object_get(root, "files");
        walk.visit = is_listed;
        walk.context = &listed;
    }
    if ((found = walk_through(&walk, fd)) < 0)
        status = walk.path.broken ? fail_memory(path, err) : fail_system(path, err);
    else if (!has_listing)
        status = covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                               "holds no %s, so it is not replaced; choose another name", product->listing);
    else if (!root)
        status = covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                               "its %s is not that of a %s, so it is not replaced; choose another name",
                               product->listing, product->noun);
    else if (found)
        status = covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                               "holds \"%.200s\", which is not listed in its %s, so it is not replaced; choose another "
                               "name, or move that away first",
                               walk.path.bytes, product->listing);
    json_decref(root);
    covey_i_text_free(&walk.path);
    return status;
}

const char *covey_i_product_never(mode_t mode)
{
    return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : NULL;
}

covey_status covey_i_product_spare(const char *path, const struct stat *facts, const covey_product *product,
                                   covey_error *err)
{
    const bool wants_folder = product->listing != NULL;
    const char *never = covey_i_product_never(facts->st_mode);

    if (S_ISLNK(facts->st_mode))
        return covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                             "is a symbolic link, which is not replaced; name the %s itself",
                             wants_folder ? "folder" : "file");
    if (never)
        return covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0, "is %s and is not replaced; choose another name",
                             never);
    if (wants_folder && !S_ISDIR(facts->st_mode))
        return covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                             "is a file, not a folder, and is not replaced; choose another name");
    if (!wants_folder && !S_ISREG(facts->st_mode))
        return covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                             "is a folder and is not replaced; choose another name");
    if (wants_folder)
        return spare_folder(path, product, err);
    return facts->st_size == 0 ? COVEY_OK : spare_file(path, product, err);
}

/* ---- listings ---- */

static bool add_file(void *context, const char *path, bool is_folder, bool is_file)
{
    return is_folder || json_array_append_new(context, json_pack("{s:o}", "name", json_string(path))) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(json_string_value(json_object_get(*(json_t *const *)a, "name")),
                  json_string_value(json_object_get(*(json_t *const *)b, "name")));
}

/* In the order of their names, whatever the file system's. */
static json_t *sorted(const json_t *files)
{
    const size_t n = json_array_size(files);
    json_t **item = covey_i_array(n, sizeof *item), *out = json_array();

    for (size_t i = 0; item && i < n; i++)
        item[i] = json_array_get(files, i);
    if (item)
        qsort(item, n, sizeof *item, by_name);
    for (size_t i = 0; item && i < n; i++)
        json_array_append(out, item[i]);
    covey_i_free(item);
    if (json_array_size(out) == n)
        return out;
    json_decref(out);
    return NULL;
}

covey_status covey_i_product_list(const char *folder, const covey_product *product, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT, text = COVEY_TEXT_INIT;
    json_t *files = json_array(), *root = NULL;
    struct walk walk = {.path = COVEY_TEXT_INIT, .visit = add_file, .context = files};
    bool is_unreadable = false;
    char *dump = NULL;
    covey_status status;

    covey_i_text_add_format(&path, "%s/%s", folder, product->listing);
    if (files)
        is_unreadable =
            walk_through(&walk, open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0 && !walk.path.broken;
    if (files && !is_unreadable)
        root = json_pack("{s:o, s:s, s:o}", "tool", json_sprintf("covey %s", covey_version()), "kind", product->kind,
                         "files", sorted(files));
    if (root && (dump = json_dumps(root, JSON_INDENT(1))))
        covey_i_text_add_format(&text, "%s\n", dump);
    if (is_unreadable)
        status = fail_system(folder, err);
    else if (dump && !path.broken)
        status = covey_i_outfile_make_text(path.bytes, &text, err);
    else
        status = covey_i_no_memory(err);
    free(dump);
    json_decref(root);
    json_decref(files);
    covey_i_text_free(&walk.path);
    covey_i_text_free(&path);
    return status;
}

/* Does the folder hold the manifest of a release?  Other programs have files of that name. */
static bool is_release(const char *path)
{
    const int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    json_t *listing = folder >= 0 ? read_listing(folder, &covey_i_product_release) : NULL;
    const bool is = listing != NULL;

    if (folder >= 0)
        close(folder);
    json_decref(listing);
    return is;
}

bool covey_i_product_is_in_release(const char *path)
{
    char folder[PATH_MAX], real[PATH_MAX];
    size_t size = strlen(path);

    while (size > 1 && path[size - 1] == '/') /* of a folder */
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    if (snprintf(folder, sizeof folder, "%.*s", size ? (int)size : 1, size ? path : ".") >= (int)sizeof folder ||
        !realpath(folder, real))
        return false;
    for (char *end; (end = strrchr(real, '/')); *end = '\0')
        if (is_release(real))
            return true;
    return false;
}

covey_status covey_i_product_spare_release(const char *path, covey_error *err)
{
    if (covey_i_product_is_in_release(path))
        return covey_fail(
            err, COVEY_EINVAL,
            "%s: is in the folder of a release, whose manifest names all files in it; choose another place", path);
    return COVEY_OK;
}
