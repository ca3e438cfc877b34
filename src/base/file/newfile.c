/* Making a file without a name, or under another one, and giving it its own. */
#include "base/file/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/unfinished.h"
#include "base/text.h"

struct covey_newfile {
    char *target;
    char *folder;    /* of the target, "." if it names none */
    char *temporary; /* NULL: the file has no name yet */
    int fd;
    bool is_device;
    bool replaces;             /* something stands where the file is to go */
    bool is_new;               /* it has its name, where there was nothing */
    const covey_product *over; /* what may be replaced */
    covey_outfile *stream;
};

static void free_file(covey_newfile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    covey_i_free(file->target);
    covey_i_free(file->folder);
    covey_i_free(file->temporary);
    covey_i_free(file);
}

static covey_status fail_system(const char *path, const char *what, covey_error *err)
{
    if (errno == ENAMETOOLONG)
        return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0, "the name is too long; choose a shorter one");
    return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s: %s", what, strerror(errno));
}

static covey_status fail_exists(const char *path, covey_error *err)
{
    return covey_fail_at(err, COVEY_EEXIST, path, 0, NULL, 0,
                         "exists already; choose another name, or force its replacement (--force)");
}

/* .NAME.covey-PID-N beside the target, as folders in the making are called. */
static char *temporary_name(const covey_newfile *file, int number)
{
    const char *slash = strrchr(file->target, '/');
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "%s/.%s.covey-%ld-%d", file->folder, slash ? slash + 1 : file->target,
                            (long)getpid(), number);
    if (!text.broken)
        return text.bytes;
    covey_i_text_free(&text);
    return NULL;
}

/* A link that leads nowhere is one, too. */
static covey_status check_target(covey_newfile *file, covey_error *err)
{
    struct stat facts;

    file->replaces = lstat(file->target, &facts) == 0;
    if (!file->replaces)
        return COVEY_OK; /* what else is wrong with it will show when the file is made */
    return file->over ? covey_i_product_spare(file->target, &facts, file->over, err) : fail_exists(file->target, err);
}

static covey_status look_at_target(covey_newfile *file, covey_error *err)
{
    struct stat facts;

    if (stat(file->target, &facts) != 0)
        return check_target(file, err);
    file->is_device = S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode);
    if (S_ISDIR(facts.st_mode))
        return covey_fail_at(err, COVEY_EEXIST, file->target, 0, NULL, 0, "is a folder; give the name of a file");
    if (file->is_device && file->over)
        return covey_fail_at(err, COVEY_EEXIST, file->target, 0, NULL, 0,
                             "is %s, which is not replaced; leave out --force to write into it, or choose another name",
                             covey_i_product_never(facts.st_mode));
    return file->is_device ? COVEY_OK : check_target(file, err);
}

static covey_status make_named(covey_newfile *file, covey_error *err)
{
    int error;

    for (int number = 0; file->fd < 0 && number < 100; number++) {
        covey_i_free(file->temporary);
        if (!(file->temporary = temporary_name(file, number)))
            return covey_i_no_memory(err);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file->fd < 0 && errno != EEXIST)
            break;
    }
    if (file->fd >= 0) {
        covey_i_unfinished_add(file->temporary);
        return COVEY_OK;
    }
    error = errno;
    covey_i_free(file->temporary); /* it is not ours */
    file->temporary = NULL;
    errno = error;
    if (error == ENOENT)
        return covey_fail_at(err, COVEY_ENOTFOUND, file->folder, 0, NULL, 0, "there is no such folder; make it first");
    return fail_system(file->target, "cannot be made", err);
}

static covey_status open_target(covey_newfile *file, covey_error *err)
{
    COVEY_TRY(look_at_target(file, err));
    if (file->is_device) {
        file->fd = open(file->target, O_WRONLY | O_CLOEXEC);
        return file->fd >= 0 ? COVEY_OK : fail_system(file->target, "cannot be opened", err);
    }
#ifdef O_TMPFILE
    file->fd = open(file->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file->fd >= 0)
        return COVEY_OK;
#endif
    return make_named(file, err);
}

covey_status covey_i_newfile_begin(covey_newfile **out, const char *target, const covey_product *over, covey_error *err)
{
    const char *slash = strrchr(target, '/');
    covey_newfile *file = covey_i_array_zero(1, sizeof *file);
    covey_status status;

    if (!file)
        return covey_i_no_memory(err);
    file->fd = -1;
    file->over = over;
    file->target = covey_i_strdup(target);
    file->folder =
        slash ? covey_i_strndup(target, slash == target ? 1 : (size_t)(slash - target)) : covey_i_strdup(".");
    if (!file->target || !file->folder)
        status = covey_i_no_memory(err);
    else if (target[0] == '\0' || (slash && slash[1] == '\0'))
        status = covey_fail(err, COVEY_EINVAL, "\"%s\" cannot be the name of a new file", target);
    else if ((status = covey_i_product_spare_release(target, err)) == COVEY_OK &&
             (status = open_target(file, err)) == COVEY_OK)
        status = covey_i_outfile_over(&file->stream, file->fd, target, err);
    if (status == COVEY_OK)
        *out = file;
    else
        covey_i_newfile_abort(file);
    return status;
}

void covey_i_newfile_make_private(covey_newfile *file)
{
    if (!file->is_device)
        fchmod(file->fd, 0600);
}

covey_outfile *covey_i_newfile_stream(covey_newfile *file)
{
    return file->stream;
}

/* Links a file without a name: to the target itself, or to a temporary name if the target is to be replaced. */
static covey_status give_name(covey_newfile *file, covey_error *err)
{
    char open_file[64];

    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", file->fd);
    if (linkat(AT_FDCWD, open_file, AT_FDCWD, file->target, AT_SYMLINK_FOLLOW) == 0)
        return COVEY_OK;
    if (errno == EEXIST && !file->over)
        return fail_exists(file->target, err);
    for (int number = 0; errno == EEXIST && number < 100; number++) {
        char *name = temporary_name(file, number);

        if (!name)
            return covey_i_no_memory(err);
        if (linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            file->temporary = name;
            return COVEY_OK;
        }
        covey_i_free(name);
    }
    return fail_system(file->target, "cannot be made", err);
}

/* Without force a link does what rename cannot: it fails if the target exists.  Some file systems know no links. */
static int rename_to_target(const covey_newfile *file)
{
    struct stat facts;

    if (file->over)
        return rename(file->temporary, file->target);
    if (link(file->temporary, file->target) == 0)
        return unlink(file->temporary);
    if (errno != EPERM && errno != EOPNOTSUPP)
        return -1;
    if (lstat(file->target, &facts) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(file->temporary, file->target);
}

static covey_status move_to_target(covey_newfile *file, covey_error *err)
{
    if (rename_to_target(file) != 0)
        return errno == EEXIST ? fail_exists(file->target, err) : fail_system(file->target, "cannot be made", err);
    covey_i_unfinished_remove(file->temporary);
    covey_i_free(file->temporary);
    file->temporary = NULL;
    return COVEY_OK;
}

covey_status covey_i_newfile_finish(covey_newfile *file, covey_error *err)
{
    covey_outfile *stream = file->stream;

    file->stream = NULL;
    return stream ? covey_i_outfile_close(stream, err) : COVEY_OK;
}

static covey_status put_in_place(covey_newfile *file, covey_error *err)
{
    if (file->is_device)
        return COVEY_OK;
    if (file->over) /* another may stand there by now */
        COVEY_TRY(check_target(file, err));
    if (!file->temporary)
        COVEY_TRY(give_name(file, err));
    if (file->temporary)
        COVEY_TRY(move_to_target(file, err));
    file->is_new = !file->replaces;
    return COVEY_OK;
}

covey_status covey_i_newfile_commit_all(covey_newfile *const *file, size_t n, covey_error *err)
{
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < n && status == COVEY_OK; i++)
        if (file[i])
            status = covey_i_newfile_finish(file[i], err);
    for (size_t i = 0; i < n && status == COVEY_OK; i++)
        if (file[i])
            status = put_in_place(file[i], err);
    for (size_t i = 0; i < n; i++) {
        if (status != COVEY_OK && file[i] && file[i]->is_new)
            unlink(file[i]->target);
        covey_i_newfile_abort(file[i]); /* what has its name by now stays */
    }
    return status;
}

covey_status covey_i_newfile_commit(covey_newfile *file, covey_error *err)
{
    return covey_i_newfile_commit_all(&file, 1, err);
}

void covey_i_newfile_abort(covey_newfile *file)
{
    if (!file)
        return;
    covey_i_outfile_abort(file->stream);
    if (file->temporary) {
        unlink(file->temporary);
        covey_i_unfinished_remove(file->temporary);
    }
    free_file(file);
}
