/* Exports to SQLite: a database is filled beside its target and takes its place at the end. */
#include "export/sink.h"

#ifdef COVEY_HAS_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/folder.h"
#include "io/sql_name.h"

/* SQLite keeps a number with a point in a double, which holds this many digits for sure. */
enum { DIGITS_OF_A_DOUBLE = 15 };

struct filling {
    char *target;
    bool force;
    covey_folder *folder; /* temporary, beside the target, open to its owner only */
    char *path;           /* of the database in it */
    sqlite3 *db;
};

static covey_status no_memory(const struct filling *f, covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "sqlite:%s: writing a database", f->target);
}

static covey_status fail(const struct filling *f, covey_error *err)
{
    const int code = sqlite3_errcode(f->db) & 0xff;
    char reason[256];

    snprintf(reason, sizeof reason, "%s", sqlite3_errmsg(f->db));
    if (code == SQLITE_NOMEM)
        return no_memory(f, err);
    if (code == SQLITE_TOOBIG)
        return covey_fail(err, COVEY_EINVAL, "sqlite:%s: more than SQLite can hold: %s", f->target, reason);
    return covey_fail(err, COVEY_EIO, "sqlite:%s: cannot be written, and nothing is left of it: %s", f->target, reason);
}

static covey_status fail_system(const struct filling *f, const char *what, covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "sqlite:%s: %s: %s", f->target, what, strerror(errno));
}

static void abort_filling(void *state)
{
    struct filling *f = state;

    if (!f)
        return;
    sqlite3_close(f->db);
    covey_i_folder_abort(f->folder);
    covey_i_free(f->target);
    covey_i_free(f->path);
    covey_i_free(f);
}

/* ---- what is there ---- */

static bool exists_beside(const struct filling *f, const char *ending)
{
    char path[4096];
    struct stat facts;

    return snprintf(path, sizeof path, "%s%s", f->target, ending) < (int)sizeof path && lstat(path, &facts) == 0 && facts.st_size > 0;
}

/* Only a database, or an empty file, is replaced. */
static covey_status check_target(const struct filling *f, covey_error *err)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat facts;
    FILE *file;
    size_t n;

    if (lstat(f->target, &facts) != 0)
        return errno == ENOENT || errno == ENOTDIR ? COVEY_OK : fail_system(f, "cannot be looked at", err);
    if (!f->force)
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: exists already; choose another name, or force its replacement (--force)", f->target);
    if (!S_ISREG(facts.st_mode))
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: is no plain file and is not replaced; choose another name", f->target);
    if (!(file = fopen(f->target, "re")))
        return fail_system(f, "cannot be read", err);
    n = fread(head, 1, sizeof head, file);
    fclose(file);
    if (n > 0 && memcmp(head, magic, sizeof magic) != 0)
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: is no SQLite database and is not replaced; choose another name", f->target);
    if (exists_beside(f, "-wal") || exists_beside(f, "-journal"))
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: another program has it open, or left it unfinished: it is not replaced", f->target);
    return COVEY_OK;
}

/* SQLite does not tell names apart that differ in case alone. */
static covey_status check_names(const struct filling *f, const covey_sheets *sheets, covey_error *err)
{
    for (size_t i = 0; i < sheets->n_tables; i++) {
        const covey_export_table *t = &sheets->table[i];

        for (size_t j = 0; j < i; j++)
            if (strcasecmp(sheets->table[j].name, t->name) == 0)
                return covey_fail(err, COVEY_EINVAL, "sqlite:%s: SQLite would take the tables \"%s\" and \"%s\" for one", f->target,
                                  sheets->table[j].name, t->name);
        for (size_t c = 0; c < t->n_columns; c++)
            for (size_t b = 0; b < c; b++)
                if (strcasecmp(t->column[b].name, t->column[c].name) == 0)
                    return covey_fail_at(err, COVEY_EINVAL, NULL, 0, t->column[c].name, 0,
                                         "sqlite:%s: SQLite would take the columns \"%s\" and \"%s\" of table %s for one; rename one before publishing",
                                         f->target, t->column[b].name, t->column[c].name, t->name);
    }
    return COVEY_OK;
}

static covey_status run_sql(const struct filling *f, const char *sql, covey_error *err)
{
    return sqlite3_exec(f->db, sql, NULL, NULL, NULL) == SQLITE_OK ? COVEY_OK : fail(f, err);
}

/* A temporary folder beside the target; the name it is made for is no one's. */
static covey_status make_place(struct filling *f, covey_error *err)
{
    const covey_folder_options options = {.force = true};
    covey_text name = COVEY_TEXT_INIT, path = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&name, "%s-export", f->target);
    status = name.broken ? no_memory(f, err) : covey_i_folder_begin(&f->folder, name.bytes, &options, err);
    covey_i_text_free(&name);
    if (status != COVEY_OK)
        return status;
    covey_i_text_add_format(&path, "%s/db", covey_i_folder_path(f->folder));
    f->path = path.bytes;
    return path.broken ? no_memory(f, err) : COVEY_OK;
}

/* Nobody else sees the file, and a crash loses all of it: neither journal nor waiting for the disk is needed on the way. */
static covey_status open_database(struct filling *f, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    int code;

    covey_i_text_add_format(&path, "%s%s", f->path[0] == '/' ? "" : "./", f->path);
    if (path.broken) {
        covey_i_text_free(&path);
        return no_memory(f, err);
    }
    code = sqlite3_open_v2(path.bytes, &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    covey_i_text_free(&path);
    if (code != SQLITE_OK)
        return f->db ? fail(f, err) : no_memory(f, err);
    COVEY_TRY(run_sql(f, "PRAGMA journal_mode = OFF", err));
    COVEY_TRY(run_sql(f, "PRAGMA synchronous = OFF", err));
    return run_sql(f, "BEGIN", err);
}

static covey_status begin(void **state, const char *target, const covey_sheets *sheets, bool force, covey_error *err)
{
    struct filling *f = covey_i_array_zero(1, sizeof *f);
    covey_database database = {0};
    covey_status status = covey_i_database_parse(&database, target, "--to", err);

    if (!f || status != COVEY_OK) {
        covey_i_free(f);
        covey_i_database_clear(&database);
        return status != COVEY_OK ? status : covey_fail(err, COVEY_ENOMEM, "%s: writing a database", target);
    }
    f->target = database.place;
    f->force = force;
    database.place = NULL;
    if (database.table)
        status = covey_fail(err, COVEY_EINVAL, "%s: the tables of a release have their own names: leave out ?table", target);
    covey_i_database_clear(&database);
    if (status == COVEY_OK && (status = check_target(f, err)) == COVEY_OK && (status = check_names(f, sheets, err)) == COVEY_OK &&
        (status = make_place(f, err)) == COVEY_OK)
        status = open_database(f, err);
    if (status == COVEY_OK)
        *state = f;
    else
        abort_filling(f);
    return status;
}

/* ---- tables ---- */

static size_t n_digits(const char *text, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < size; i++)
        n += text[i] >= '0' && text[i] <= '9';
    return n;
}

/* Numbers that a double could not hold stay texts, exact as they are published. */
static const char *type_name(const covey_export_column *column)
{
    if (column->is_real)
        return "REAL";
    if (column->type == COVEY_TYPE_INTEGER)
        return "INTEGER";
    if (column->type != COVEY_TYPE_DECIMAL)
        return "TEXT";
    for (uint32_t v = 0; v < column->text->n_values; v++)
        if (n_digits(covey_column_label(column->text, v), covey_column_label_size(column->text, v)) > DIGITS_OF_A_DOUBLE)
            return "TEXT";
    return "NUMERIC";
}

static covey_status create_table(const struct filling *f, const covey_export_table *table, sqlite3_stmt **insert, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_sink_create(&sql, table, type_name);
    status = sql.broken ? no_memory(f, err) : run_sql(f, sql.bytes, err);
    covey_i_text_clear(&sql);
    covey_i_text_add_string(&sql, "INSERT INTO ");
    covey_i_sql_add_name(&sql, table->name);
    for (size_t c = 0; c < table->n_columns; c++)
        covey_i_text_add_string(&sql, c ? ", ?" : " VALUES (?");
    covey_i_text_add_string(&sql, ")");
    if (status == COVEY_OK && sql.broken)
        status = no_memory(f, err);
    if (status == COVEY_OK && sqlite3_prepare_v2(f->db, sql.bytes, (int)sql.size, insert, NULL) != SQLITE_OK)
        status = fail(f, err);
    covey_i_text_free(&sql);
    return status;
}

/* Everything is given as text: the column's affinity makes numbers of it. */
static covey_status insert_row(const struct filling *f, sqlite3_stmt *insert, const covey_export_table *table, int64_t row, covey_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        size_t size;
        const char *cell = covey_i_sheet_cell(&table->column[c], row, &size);

        if (sqlite3_bind_text(insert, (int)c + 1, cell, (int)size, SQLITE_STATIC) != SQLITE_OK)
            return fail(f, err);
    }
    if (sqlite3_step(insert) != SQLITE_DONE)
        return fail(f, err);
    sqlite3_reset(insert);
    return COVEY_OK;
}

static covey_status write_table(void *state, const covey_export_table *table, const covey_run *run, covey_error *err)
{
    struct filling *f = state;
    sqlite3_stmt *insert = NULL;
    covey_status status = create_table(f, table, &insert, err);

    for (int64_t row = 0; status == COVEY_OK && row < table->n_rows; row++)
        if ((status = covey_i_sink_progress(run, table, row, err)) == COVEY_OK)
            status = insert_row(f, insert, table, row, err);
    sqlite3_finalize(insert);
    return status;
}

static covey_status statement(void *state, const char *sql, covey_error *err)
{
    return run_sql(state, sql, err);
}

/* ---- the end ---- */

static covey_status sync_file(const struct filling *f, covey_error *err)
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

static covey_status put_in_place(const struct filling *f, covey_error *err)
{
    int result;

    if (f->force) {
        COVEY_TRY(check_target(f, err));
        result = rename(f->path, f->target);
    } else {
        result = renameat2(AT_FDCWD, f->path, AT_FDCWD, f->target, RENAME_NOREPLACE);
        if (result != 0 && (errno == EINVAL || errno == ENOSYS)) /* not on this file system: a link fails where a name is taken */
            result = link(f->path, f->target);
    }
    if (result == 0)
        return COVEY_OK;
    if (errno == EEXIST)
        return covey_fail(err, COVEY_EEXIST, "sqlite:%s: has come into being meanwhile and is not replaced; choose another name", f->target);
    return fail_system(f, "cannot be put in place", err);
}

static covey_status commit(void *state, covey_error *err)
{
    struct filling *f = state;
    covey_status status = run_sql(f, "COMMIT", err);

    if (status == COVEY_OK && sqlite3_close(f->db) != SQLITE_OK)
        status = fail(f, err);
    else if (status == COVEY_OK)
        f->db = NULL;
    if (status == COVEY_OK && (status = sync_file(f, err)) == COVEY_OK)
        status = put_in_place(f, err);
    abort_filling(f);
    return status;
}

const covey_sink covey_i_sink_sqlite = {
    .prefix = "sqlite:", .library = "libsqlite3-dev", .product = "SQLite",
    .begin = begin, .table = write_table, .statement = statement, .commit = commit, .abort = abort_filling,
};

#else

const covey_sink covey_i_sink_sqlite = {.prefix = "sqlite:", .library = "libsqlite3-dev", .product = "SQLite"};

#endif
