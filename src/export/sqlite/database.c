/* The file of a database: what is there, a new one beside it, and the end. */
#include "export/sqlite/sqlite.h"

#ifdef COVEY_HAS_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/product.h"
#include "base/text.h"

covey_status covey_i_sqlite_fail(const covey_sqlite_filling *f, covey_error *err)
{
    const int code = sqlite3_errcode(f->db) & 0xff;
    char reason[256];

    snprintf(reason, sizeof reason, "%s", sqlite3_errmsg(f->db));
    if (code == SQLITE_NOMEM)
        return covey_i_no_memory(err);
    if (code == SQLITE_TOOBIG)
        return covey_fail(err, COVEY_EINVAL, "sqlite:%s: more than SQLite can hold: %s", f->target, reason);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: another program is using it: it is not replaced", f->target);
    return covey_fail(err, COVEY_EIO, "sqlite:%s: cannot be written, and %s: %s", f->target,
                      f->is_in_place ? "is as it was" : "nothing is left of it", reason);
}

covey_status covey_i_sqlite_run(const covey_sqlite_filling *f, const char *sql, covey_error *err)
{
    return sqlite3_exec(f->db, sql, NULL, NULL, NULL) == SQLITE_OK ? COVEY_OK : covey_i_sqlite_fail(f, err);
}

static covey_status fail_system(const covey_sqlite_filling *f, const char *what, covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "sqlite:%s: %s: %s", f->target, what, strerror(errno));
}

static bool exists_beside(const covey_sqlite_filling *f, const char *ending)
{
    char path[4096];
    struct stat facts;

    return snprintf(path, sizeof path, "%s%s", f->target, ending) < (int)sizeof path && lstat(path, &facts) == 0 &&
           facts.st_size > 0;
}

/* Only a database, or an empty file, is written to. */
covey_status covey_i_sqlite_check_target(covey_sqlite_filling *f, covey_error *err)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat facts;
    const char *never;
    FILE *file;
    size_t n;

    if (lstat(f->target, &facts) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG
                   ? COVEY_OK
                   : fail_system(f, "cannot be looked at", err);
    if (!f->force)
        return covey_fail(err, COVEY_EEXIST,
                          "sqlite:%s: exists already; choose another name, or force its replacement (--force)",
                          f->target);
    never = covey_i_product_never(facts.st_mode);
    if (!S_ISREG(facts.st_mode))
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: is %s and is not replaced; choose another name", f->target,
                          never ? never : "no plain file");
    if (!(file = fopen(f->target, "re")))
        return fail_system(f, "cannot be read", err);
    n = fread(head, 1, sizeof head, file);
    fclose(file);
    if (n > 0 && memcmp(head, magic, sizeof magic) != 0)
        return covey_fail(err, COVEY_EEXIST,
                          "sqlite:%s: is no SQLite database and is not replaced; choose another name", f->target);
    f->is_in_place = n > 0;
    if (exists_beside(f, "-wal"))
        return covey_fail(err, COVEY_EEXIST,
                          "sqlite:%s: another program has it open, or left it unfinished: it is not replaced",
                          f->target);
    return COVEY_OK;
}

/* A temporary folder beside the target; the name it is made for is no one's. */
static covey_status make_place(covey_sqlite_filling *f, covey_error *err)
{
    const covey_folder_options options = {.force = true};
    covey_text name = COVEY_TEXT_INIT, path = COVEY_TEXT_INIT;
    covey_status status;

    COVEY_TRY(covey_i_product_spare_release(f->target, err));
    covey_i_text_add_format(&name, "%s-export", f->target);
    status = name.broken ? covey_i_no_memory(err) : covey_i_folder_begin(&f->folder, name.bytes, &options, err);
    covey_i_text_free(&name);
    if (status != COVEY_OK)
        return status;
    covey_i_text_add_format(&path, "%s/db", covey_i_folder_path(f->folder));
    f->path = path.bytes;
    return path.broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* "./" before a name keeps it from being taken for an address of SQLite's. */
covey_status covey_i_sqlite_open(covey_sqlite_filling *f, const char *name, int flags, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    int code;

    covey_i_text_add_format(&path, "%s%s", name[0] == '/' ? "" : "./", name);
    if (path.broken) {
        covey_i_text_free(&path);
        return covey_i_no_memory(err);
    }
    code = sqlite3_open_v2(path.bytes, &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags, NULL);
    covey_i_text_free(&path);
    if (code != SQLITE_OK)
        return f->db ? covey_i_sqlite_fail(f, err) : covey_i_no_memory(err);
    return COVEY_OK;
}

/* Nobody else sees the file, and a crash loses all of it: neither journal nor waiting for the disk is needed on the
 * way. */
covey_status covey_i_sqlite_open_new(covey_sqlite_filling *f, covey_error *err)
{
    COVEY_TRY(make_place(f, err));
    COVEY_TRY(covey_i_sqlite_open(f, f->path, SQLITE_OPEN_CREATE, err));
    COVEY_TRY(covey_i_sqlite_run(f, "PRAGMA journal_mode = OFF", err));
    COVEY_TRY(covey_i_sqlite_run(f, "PRAGMA synchronous = OFF", err));
    return covey_i_sqlite_run(f, "BEGIN", err);
}

static covey_status sync_file(const covey_sqlite_filling *f, covey_error *err)
{
    const int fd = open(f->path, O_RDWR | O_CLOEXEC);
    covey_status status = COVEY_OK;

    if (fd < 0)
        return fail_system(f, "cannot be opened again", err);
    if (fsync(fd) != 0)
        status = fail_system(f, "cannot be written to the disk", err);
    close(fd);
    return status;
}

static covey_status rename_to_target(covey_sqlite_filling *f, covey_error *err)
{
    int result;

    if (f->force) {
        COVEY_TRY(covey_i_sqlite_check_target(f, err));
        if (f->is_in_place)
            return covey_fail(err, COVEY_EEXIST,
                              "sqlite:%s: has come into being meanwhile and is not replaced; choose another name",
                              f->target);
        result = rename(f->path, f->target);
    } else {
        result = renameat2(AT_FDCWD, f->path, AT_FDCWD, f->target, RENAME_NOREPLACE);
        if (result != 0 &&
            (errno == EINVAL || errno == ENOSYS)) /* not on this file system: a link fails where a name is taken */
            result = link(f->path, f->target);
    }
    if (result == 0)
        return COVEY_OK;
    if (errno == EEXIST)
        return covey_fail(err, COVEY_EEXIST,
                          "sqlite:%s: has come into being meanwhile and is not replaced; choose another name",
                          f->target);
    return fail_system(f, "cannot be put in place", err);
}

covey_status covey_i_sqlite_put_in_place(covey_sqlite_filling *f, covey_error *err)
{
    COVEY_TRY(sync_file(f, err));
    return rename_to_target(f, err);
}

#endif
