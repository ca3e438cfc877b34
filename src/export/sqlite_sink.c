/* Exports to SQLite.  A new database is filled beside its target and gets its name at the end.  One that is there
 * already is changed in one transaction of SQLite's: what an earlier export made goes, whatever else it holds stays,
 * and an export that fails or is killed leaves it as it was.
 *
 * A table covey_export lists what was made, each with its definition: a table of the same name that is defined in
 * another way is somebody else's. */
#include "export/sink.h"

#include "base/error.h"

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
#include "base/file/folder.h"
#include "base/file/product.h"
#include "io/database/sql_name.h"

/* SQLite keeps a number with a point in a double, which holds this many digits for sure. */
enum { DIGITS_OF_A_DOUBLE = 15 };

#define LISTING "covey_export"
#define CREATE_LISTING "CREATE TABLE " LISTING " (type TEXT, name TEXT, sql TEXT)"

struct filling {
    char *target;
    bool force;
    bool is_in_place;     /* the target is a database already */
    covey_folder *folder; /* otherwise: temporary, beside the target, open to its owner only */
    char *path;           /* of the database in it */
    sqlite3 *db;
    int64_t last_foreign; /* row of sqlite_master behind which all is ours */
};

static covey_status fail(const struct filling *f, covey_error *err)
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

    return snprintf(path, sizeof path, "%s%s", f->target, ending) < (int)sizeof path && lstat(path, &facts) == 0 &&
           facts.st_size > 0;
}

/* Only a database, or an empty file, is written to. */
static covey_status check_target(struct filling *f, covey_error *err)
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

/* SQLite does not tell names apart that differ in case alone. */
static covey_status check_names(const struct filling *f, const covey_sheets *sheets, covey_error *err)
{
    for (size_t i = 0; i < sheets->n_tables; i++) {
        const covey_export_table *t = &sheets->table[i];

        for (size_t j = 0; j < i; j++)
            if (strcasecmp(sheets->table[j].name, t->name) == 0)
                return covey_fail(err, COVEY_EINVAL,
                                  "sqlite:%s: SQLite would take the tables \"%s\" and \"%s\" for one", f->target,
                                  sheets->table[j].name, t->name);
        for (size_t c = 0; c < t->n_columns; c++)
            for (size_t b = 0; b < c; b++)
                if (strcasecmp(t->column[b].name, t->column[c].name) == 0)
                    return covey_fail_at(err, COVEY_EINVAL, NULL, 0, t->column[c].name, 0,
                                         "sqlite:%s: SQLite would take the columns \"%s\" and \"%s\" of table %s for "
                                         "one; rename one before publishing",
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
    status = name.broken ? covey_i_no_memory(err) : covey_i_folder_begin(&f->folder, name.bytes, &options, err);
    covey_i_text_free(&name);
    if (status != COVEY_OK)
        return status;
    covey_i_text_add_format(&path, "%s/db", covey_i_folder_path(f->folder));
    f->path = path.bytes;
    return path.broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* "./" before a name keeps it from being taken for an address of SQLite's. */
static covey_status open_file(struct filling *f, const char *name, int flags, covey_error *err)
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
        return f->db ? fail(f, err) : covey_i_no_memory(err);
    return COVEY_OK;
}

/* Nobody else sees the file, and a crash loses all of it: neither journal nor waiting for the disk is needed on the
 * way. */
static covey_status open_new(struct filling *f, covey_error *err)
{
    COVEY_TRY(make_place(f, err));
    COVEY_TRY(open_file(f, f->path, SQLITE_OPEN_CREATE, err));
    COVEY_TRY(run_sql(f, "PRAGMA journal_mode = OFF", err));
    COVEY_TRY(run_sql(f, "PRAGMA synchronous = OFF", err));
    return run_sql(f, "BEGIN", err);
}

/* ---- what is in a database already ---- */

/* A query's first row, if it has one: up to two texts and a number. */
static covey_status ask(const struct filling *f, const char *sql, const char *parameter, covey_text *first,
                        covey_text *second, int64_t *number, covey_error *err)
{
    sqlite3_stmt *query = NULL;
    covey_status status = COVEY_OK;
    int code;

    if (sqlite3_prepare_v2(f->db, sql, -1, &query, NULL) != SQLITE_OK ||
        (parameter && sqlite3_bind_text(query, 1, parameter, -1, SQLITE_STATIC) != SQLITE_OK)) {
        status = fail(f, err);
    } else if ((code = sqlite3_step(query)) == SQLITE_ROW) {
        if (first)
            covey_i_text_add_string(first, (const char *)sqlite3_column_text(query, 0));
        if (second)
            covey_i_text_add_string(second, (const char *)sqlite3_column_text(query, 1));
        if (number)
            *number = sqlite3_column_int64(query, 0);
        if ((first && first->broken) || (second && second->broken))
            status = covey_i_no_memory(err);
    } else if (code != SQLITE_DONE) {
        status = fail(f, err);
    }
    sqlite3_finalize(query);
    return status;
}

/* Removes what an earlier export made.  Views first, because they stand on tables; indexes go with these. */
static covey_status drop_ours(const struct filling *f, covey_error *err)
{
    int64_t is_listed = 0;
    covey_status status = COVEY_OK;

    COVEY_TRY(ask(f, "SELECT 1 FROM sqlite_master WHERE name = '" LISTING "' AND sql = '" CREATE_LISTING "'", NULL,
                  NULL, NULL, &is_listed, err));
    for (bool goes_on = is_listed; goes_on;) {
        covey_text type = COVEY_TEXT_INIT, name = COVEY_TEXT_INIT, sql = COVEY_TEXT_INIT;

        status = ask(f,
                     "SELECT m.type, m.name FROM sqlite_master m JOIN " LISTING
                     " e ON m.type = e.type AND m.name = e.name AND m.sql = e.sql "
                     "WHERE m.type IN ('table', 'view') ORDER BY m.type DESC LIMIT 1",
                     NULL, &type, &name, NULL, err);
        goes_on = status == COVEY_OK && name.size > 0;
        if (goes_on) {
            covey_i_text_add_string(&sql, strcmp(type.bytes, "view") == 0 ? "DROP VIEW " : "DROP TABLE ");
            covey_i_sql_add_name(&sql, name.bytes);
            status = sql.broken ? covey_i_no_memory(err) : run_sql(f, sql.bytes, err);
            goes_on = status == COVEY_OK;
        }
        covey_i_text_free(&type);
        covey_i_text_free(&name);
        covey_i_text_free(&sql);
    }
    return status == COVEY_OK && is_listed ? run_sql(f, "DROP TABLE " LISTING, err) : status;
}

static covey_status check_free(const struct filling *f, const char *name, covey_error *err)
{
    covey_text type = COVEY_TEXT_INIT;
    covey_status status =
        ask(f, "SELECT type FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", name, &type, NULL, NULL, err);

    if (status == COVEY_OK && type.size > 0)
        status = covey_fail(err, COVEY_EEXIST,
                            "sqlite:%s: holds a%s %s \"%s\" that is no export's, and is not replaced; rename it, or "
                            "choose another file",
                            f->target, type.bytes[0] == 'i' ? "n" : "", type.bytes, name);
    covey_i_text_free(&type);
    return status;
}

/* No name of ours is another's. */
static covey_status check_clashes(const struct filling *f, const covey_sheets *sheets, covey_error *err)
{
    COVEY_TRY(check_free(f, LISTING, err));
    for (size_t i = 0; i < sheets->n_views; i++)
        COVEY_TRY(check_free(f, sheets->view[i].name, err));
    for (size_t i = 0; i < sheets->n_tables; i++) {
        const covey_export_table *t = &sheets->table[i];

        COVEY_TRY(check_free(f, t->name, err));
        for (size_t k = 0; t->key[k]; k++) {
            covey_text name = COVEY_TEXT_INIT;
            covey_status status;

            covey_i_sink_index_name(&name, t, k);
            status = name.broken ? covey_i_no_memory(err) : check_free(f, name.bytes, err);
            covey_i_text_free(&name);
            if (status != COVEY_OK)
                return status;
        }
    }
    return COVEY_OK;
}

/* Nobody else writes to it from here on. */
static covey_status open_old(struct filling *f, const covey_sheets *sheets, covey_error *err)
{
    COVEY_TRY(open_file(f, f->target, 0, err));
    COVEY_TRY(run_sql(f, "PRAGMA foreign_keys = OFF", err)); /* of others' tables to ours, which come back at once */
    COVEY_TRY(run_sql(f, "BEGIN IMMEDIATE", err));
    COVEY_TRY(drop_ours(f, err));
    COVEY_TRY(check_clashes(f, sheets, err));
    return ask(f, "SELECT COALESCE(MAX(rowid), 0) FROM sqlite_master", NULL, NULL, NULL, &f->last_foreign, err);
}

static covey_status begin(void **state, const char *target, const covey_sheets *sheets,
                          const covey_export_options *options, covey_error *err)
{
    struct filling *f = covey_i_array_zero(1, sizeof *f);
    covey_database database = {0};
    covey_status status = covey_i_database_parse(&database, target, "--to", err);

    if (!f || status != COVEY_OK) {
        covey_i_free(f);
        covey_i_database_clear(&database);
        return status != COVEY_OK ? status : covey_i_no_memory(err);
    }
    f->target = database.place;
    f->force = options->force;
    database.place = NULL;
    if (database.table)
        status =
            covey_fail(err, COVEY_EINVAL, "%s: the tables of a release have their own names: leave out ?table", target);
    covey_i_database_clear(&database);
    if (status == COVEY_OK && (status = check_target(f, err)) == COVEY_OK &&
        (status = check_names(f, sheets, err)) == COVEY_OK)
        status = f->is_in_place ? open_old(f, sheets, err) : open_new(f, err);
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
        if (n_digits(covey_column_label(column->text, v), covey_column_label_size(column->text, v)) >
            DIGITS_OF_A_DOUBLE)
            return "TEXT";
    return "NUMERIC";
}

static covey_status create_table(const struct filling *f, const covey_export_table *table, sqlite3_stmt **insert,
                                 covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_sink_create(&sql, table, type_name);
    status = sql.broken ? covey_i_no_memory(err) : run_sql(f, sql.bytes, err);
    covey_i_text_clear(&sql);
    covey_i_text_add_string(&sql, "INSERT INTO ");
    covey_i_sql_add_name(&sql, table->name);
    for (size_t c = 0; c < table->n_columns; c++)
        covey_i_text_add_string(&sql, c ? ", ?" : " VALUES (?");
    covey_i_text_add_string(&sql, ")");
    if (status == COVEY_OK && sql.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && sqlite3_prepare_v2(f->db, sql.bytes, (int)sql.size, insert, NULL) != SQLITE_OK)
        status = fail(f, err);
    covey_i_text_free(&sql);
    return status;
}

/* Everything is given as text: the column's affinity makes numbers of it. */
static covey_status insert_row(const struct filling *f, sqlite3_stmt *insert, const covey_export_table *table,
                               int64_t row, covey_error *err)
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

static covey_status put_in_place(struct filling *f, covey_error *err)
{
    int result;

    if (f->force) {
        COVEY_TRY(check_target(f, err));
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

/* Lists what is new. */
static covey_status list_ours(const struct filling *f, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&sql,
                            CREATE_LISTING
                            "; INSERT INTO " LISTING
                            " SELECT type, name, sql FROM sqlite_master WHERE rowid > %lld AND sql IS NOT NULL "
                            "AND name <> '" LISTING "' ORDER BY rowid",
                            (long long)f->last_foreign);
    status = sql.broken ? covey_i_no_memory(err) : run_sql(f, sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

static covey_status commit(void *state, covey_error *err)
{
    struct filling *f = state;
    covey_status status = list_ours(f, err);

    if (status == COVEY_OK)
        status = run_sql(f, "COMMIT", err);
    if (status == COVEY_OK && sqlite3_close(f->db) != SQLITE_OK)
        status = fail(f, err);
    else if (status == COVEY_OK)
        f->db = NULL;
    if (status == COVEY_OK && !f->is_in_place && (status = sync_file(f, err)) == COVEY_OK)
        status = put_in_place(f, err);
    abort_filling(f);
    return status;
}

const covey_sink covey_i_sink_sqlite = {
    .prefix = "sqlite:",
    .library = "libsqlite3-dev",
    .product = "SQLite",
    .begin = begin,
    .table = write_table,
    .statement = statement,
    .commit = commit,
    .abort = abort_filling,
};

#else

const covey_sink covey_i_sink_sqlite = {.prefix = "sqlite:", .library = "libsqlite3-dev", .product = "SQLite"};

#endif
