/* Making a folder under another name and renaming it. */
#include "base/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/unfinished.h"
#include "base/text.h"

struct covey_folder {
    char *target;
    char *parent; /* "." if target has none */
    char *name;   /* last part of target */
    char *temporary;
    int lock; /* open and locked while the run lives, so that others see that it does */
    bool replace;
    covey_folder_options options;
};

static void free_folder(covey_folder *f)
{
    if (f->lock >= 0)
        close(f->lock);
    covey_i_free(f->target);
    covey_i_free(f->parent);
    covey_i_free(f->name);
    covey_i_free(f->temporary);
    covey_i_free(f);
}

static covey_status fail_memory(const char *target, covey_error *err)
{
    return covey_i_no_memory(err);
}

static covey_status fail_system(const char *path, const char *what, covey_error *err)
{
    return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s: %s", what, strerror(errno));
}

/* Opens an entry for reading as a folder; -1 with errno if it is none or a symbolic link. */
static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_dot_or_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int remove_entry(int at, const char *name);

/* Removes what the folder holds; takes fd over.  0, or -1 with errno. */
static int empty_folder(int fd)
{
    DIR *dir = fdopendir(fd);
    int result = 0, error = 0;
    struct dirent *entry;

    if (!dir) {
        close(fd);
        return -1;
    }
    while (result == 0 && (errno = 0, entry = readdir(dir)))
        if (!is_dot_or_dots(entry->d_name))
            result = remove_entry(dirfd(dir), entry->d_name);
    error = errno;
    closedir(dir);
    errno = error;
    return error ? -1 : result;
}

static int remove_entry(int at, const char *name)
{
    int fd;

    if (unlinkat(at, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    if ((fd = open_folder(at, name)) < 0 || empty_folder(fd) != 0)
        return -1;
    return unlinkat(at, name, AT_REMOVEDIR);
}

covey_status covey_i_folder_remove(const char *path, covey_error *err)
{
    if (remove_entry(AT_FDCWD, path) == 0)
        return COVEY_OK;
    if (errno == ENOENT)
        return covey_fail_at(err, COVEY_ENOTFOUND, path, 0, NULL, 0, "there is no such file or folder");
    return fail_system(path, "cannot be removed", err);
}

/* Splits target into parent and name; false without memory. */
static bool split_target(covey_folder *f, const char *target)
{
    size_t size = strlen(target);
    const char *slash;

    while (size > 1 && target[size - 1] == '/')
        size--;
    if (!(f->target = covey_i_strndup(target, size)))
        return false;
    slash = strrchr(f->target, '/');
    f->name = covey_i_strdup(slash ? slash + 1 : f->target);
    f->parent =
        !slash ? covey_i_strdup(".") : covey_i_strndup(f->target, slash == f->target ? 1 : (size_t)(slash - f->target));
    return f->name && f->parent;
}

static covey_status check_target(covey_folder *f, covey_error *err)
{
    struct stat facts;

    f->replace = false;
    if (!f->options.product) /* nothing is ever put there */
        return COVEY_OK;
    if (lstat(f->target, &facts) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ENAMETOOLONG
                   ? COVEY_OK
                   : fail_system(f->target, "cannot be looked at", err);
    if (!f->options.force)
        return covey_fail_at(err, COVEY_EEXIST, f->target, 0, NULL, 0,
                             "exists already; choose another name, or force its replacement (--force)");
    COVEY_TRY(covey_i_product_spare(f->target, &facts, f->options.product, err));
    f->replace = true;
    return COVEY_OK;
}

/* The process that made a temporary folder of this target: 0 if entry is not the name of one. */
static long maker_of(const char *entry, const char *name)
{
    static const char infix[] = ".covey-";
    const size_t size = strlen(name);
    const char *rest;
    char *end;
    long pid;

    if (entry[0] != '.' || strncmp(entry + 1, name, size) != 0 ||
        strncmp(entry + 1 + size, infix, sizeof infix - 1) != 0)
        return 0;
    rest = entry + 1 + size + sizeof infix - 1;
    pid = strtol(rest, &end, 10);
    return pid > 0 && end > rest && *end == '-' && strlen(end) == 7 ? pid : 0;
}

/* Dead: there is no such process, and nobody holds the lock (a process of another container may have made it). */
static bool is_stale(int parent, const char *entry, long pid)
{
    struct stat facts;
    int fd;
    bool stale;

    if (fstatat(parent, entry, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(facts.st_mode) ||
        facts.st_uid != geteuid())
        return false;
    if (kill((pid_t)pid, 0) == 0 || errno != ESRCH)
        return false;
    if ((fd = open_folder(parent, entry)) < 0)
        return false;
    stale = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return stale;
}

/* What cannot be removed stays: it is in nobody's way. */
static void remove_stale(const covey_folder *f)
{
    const int fd = open(f->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        const long pid = maker_of(entry->d_name, f->name);

        if (pid && is_stale(dirfd(dir), entry->d_name, pid))
            remove_entry(dirfd(dir), entry->d_name);
    }
    if (dir)
        closedir(dir);
}

static covey_status make_temporary(covey_folder *f, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;

    covey_i_text_add_format(&path, "%s/.%s.covey-%ld-XXXXXX", f->parent, f->name, (long)getpid());
    if (path.broken) {
        covey_i_text_free(&path);
        return fail_memory(f->target, err);
    }
    if (!mkdtemp(path.bytes)) { /* mode 0700 */
        covey_i_text_free(&path);
        if (errno == ENAMETOOLONG)
            return covey_fail_at(
                err, COVEY_EINVAL, f->target, 0, NULL, 0,
                "the name is too long for a folder that is made beside it first; choose a shorter one");
        if (errno == ENOENT)
            return covey_fail_at(err, COVEY_ENOTFOUND, f->parent, 0, NULL, 0, "there is no such folder; make it first");
        return fail_system(f->parent, "no folder can be made there", err);
    }
    f->temporary = path.bytes;
    covey_i_unfinished_add(f->temporary);
    f->lock = open_folder(AT_FDCWD, f->temporary);
    if (f->lock >= 0)
        flock(f->lock, LOCK_EX | LOCK_NB); /* where locks do not work, the process number alone must do */
    return COVEY_OK;
}

covey_status covey_i_folder_begin(covey_folder **out, const char *target, const covey_folder_options *options,
                                  covey_error *err)
{
    covey_folder *f = covey_i_array_zero(1, sizeof *f);
    covey_status status;

    if (!f)
        return fail_memory(target, err);
    f->lock = -1;
    if (options)
        f->options = *options;
    if (!split_target(f, target)) {
        status = fail_memory(target, err);
        goto done;
    }
    if (f->name[0] == '\0' || is_dot_or_dots(f->name)) {
        status = covey_fail(err, COVEY_EINVAL, "\"%s\" cannot be the name of a new folder", target);
        goto done;
    }
    if ((status = covey_i_product_spare_release(target, err)) != COVEY_OK ||
        (status = check_target(f, err)) != COVEY_OK)
        goto done;
    remove_stale(f);
    status = make_temporary(f, err);
done:
    if (status == COVEY_OK)
        *out = f;
    else
        free_folder(f);
    return status;
}

const char *covey_i_folder_path(const covey_folder *folder)
{
    return folder->temporary;
}

/* Modes that the umask leaves of 0777, found by making a folder: reading the umask would change it for all threads. */
static bool usual_mode(mode_t *mode, int fd)
{
    static const char name[] = ".covey-mode";
    struct stat facts;
    bool found;

    if (mkdirat(fd, name, 0777) != 0)
        return false;
    found = fstatat(fd, name, &facts, AT_SYMLINK_NOFOLLOW) == 0;
    unlinkat(fd, name, AT_REMOVEDIR);
    *mode = facts.st_mode & 07777; /* a group that new folders inherit (setgid) stays */
    return found;
}

/* Opens up all that the folder holds; takes fd over.  The folder itself comes last, so that nobody looks in before all
 * is done. */
static int open_up(int fd, mode_t mode)
{
    DIR *dir = fdopendir(fd);
    int result = 0, error;
    struct dirent *entry;

    if (!dir) {
        close(fd);
        return -1;
    }
    while (result == 0 && (errno = 0, entry = readdir(dir))) {
        struct stat facts;
        int inner;

        if (is_dot_or_dots(entry->d_name))
            continue;
        if (fstatat(dirfd(dir), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            result = -1;
        else if (S_ISREG(facts.st_mode))
            result = fchmodat(dirfd(dir), entry->d_name, mode & 0666, 0);
        else if (S_ISDIR(facts.st_mode))
            result = (inner = open_folder(dirfd(dir), entry->d_name)) < 0 ? -1 : open_up(inner, mode);
    }
    if (result == 0 && errno == 0)
        result = fchmod(dirfd(dir), mode);
    error = errno;
    closedir(dir);
    errno = error;
    return error ? -1 : result;
}

static bool set_modes(const covey_folder *f)
{
    const int fd = open_folder(AT_FDCWD, f->temporary);
    mode_t mode = 0;

    if (fd < 0)
        return false;
    if (!usual_mode(&mode, fd)) {
        close(fd);
        return false;
    }
    return open_up(fd, mode) == 0;
}

/* Puts the temporary folder in the place of nothing. */
static covey_status move_in(const covey_folder *f, covey_error *err)
{
    struct stat facts;
    int result = renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->target, RENAME_NOREPLACE);

    if (result != 0 && (errno == EINVAL || errno == ENOSYS)) { /* not on this file system: look, then rename */
        errno = EEXIST;
        result = lstat(f->target, &facts) == 0 ? -1 : rename(f->temporary, f->target);
    }
    if (result == 0)
        return COVEY_OK;
    if (errno == EEXIST || errno == ENOTEMPTY)
        return covey_fail_at(err, COVEY_EEXIST, f->target, 0, NULL, 0,
                             "has come into being meanwhile and is not replaced; choose another name");
    return fail_system(f->target, "cannot be put in place", err);
}

/* Replaces the target without an exchange: aside, in, and back if that fails. */
static covey_status move_aside_and_in(const covey_folder *f, covey_error *err)
{
    covey_text aside = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&aside, "%s.old", f->temporary);
    if (aside.broken)
        status = fail_memory(f->target, err);
    else if (rename(f->target, aside.bytes) != 0)
        status = fail_system(f->target, "cannot be replaced", err);
    else if ((status = move_in(f, err)) != COVEY_OK)
        rename(aside.bytes, f->target);
    else
        covey_i_folder_remove(aside.bytes, NULL);
    covey_i_text_free(&aside);
    return status;
}

/* What the target holds by now may be more than what it held when all began. */
static covey_status replace_target(const covey_folder *f, covey_error *err)
{
    struct stat facts;

    if (lstat(f->target, &facts) != 0 && errno == ENOENT)
        return move_in(f, err); /* somebody else has removed it */
    COVEY_TRY(covey_i_product_spare(f->target, &facts, f->options.product, err));
    if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->target, RENAME_EXCHANGE) == 0) {
        covey_i_folder_remove(f->temporary,
                              NULL); /* the old one, now here; the new one stands whether or not this works */
        return COVEY_OK;
    }
    if (errno == ENOENT)
        return move_in(f, err); /* somebody else has removed it */
    if (errno != EINVAL && errno != ENOSYS)
        return fail_system(f->target, "cannot be replaced", err);
    return move_aside_and_in(f, err);
}

covey_status covey_i_folder_begin_temporary(covey_folder **out, const char *purpose, covey_error *err)
{
    const char *parent = getenv("TMPDIR");
    const covey_folder_options options = {.force = false};
    covey_text path = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&path, "%s/covey-%s-%ld", parent && *parent ? parent : "/tmp", purpose, (long)geteuid());
    status = path.broken ? covey_i_no_memory(err) : covey_i_folder_begin(out, path.bytes, &options, err);
    covey_i_text_free(&path);
    return status;
}

covey_status covey_i_folder_commit(covey_folder *folder, covey_error *err)
{
    covey_status status = COVEY_OK;

    if (folder->options.product && folder->options.product->kind)
        status = covey_i_product_list(folder->temporary, folder->options.product, err);
    /* While names change nobody may take the temporary one for something that can go: it may be the old target's for a
     * moment. */
    covey_i_unfinished_remove(folder->temporary);
    if (status == COVEY_OK && !set_modes(folder))
        status = fail_system(folder->temporary, "the modes of its files cannot be set", err);
    else if (status == COVEY_OK)
        status = folder->replace ? replace_target(folder, err) : move_in(folder, err);
    if (status != COVEY_OK)
        covey_i_folder_remove(folder->temporary, NULL);
    free_folder(folder);
    return status;
}

void covey_i_folder_abort(covey_folder *folder)
{
    if (!folder)
        return;
    covey_i_folder_remove(folder->temporary, NULL);
    covey_i_unfinished_remove(folder->temporary);
    free_folder(folder);
}

bool covey_i_folder_holds(const char *folder, const char *path)
{
    char outer[PATH_MAX], inner[PATH_MAX];
    size_t n;

    if (!realpath(folder, outer) || !realpath(path, inner))
        return false;
    n = strlen(outer);
    return strncmp(inner, outer, n) == 0 && (inner[n] == '/' || (n > 0 && outer[n - 1] == '/'));
}
