/* Tables of SQLite databases, read in one transaction: see covey_table_read. */
#include "io/format_impl.h"

#include "base/error.h"

#ifdef COVEY_HAS_SQLITE

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file/infile.h"
#include "base/text.h"
#include "io/database/near_table.h"
#include "io/database/rows.h"
#include "io/database/sql_name.h"

enum { BUSY_MILLISECONDS = 5000 };

struct reading {
    const covey_database *database;
    sqlite3 *db;
    sqlite3_stmt *statement;
    covey_rows *rows;
    char **name; /* [n_names] tables, or columns */
    size_t n_names;
};

static covey_status fail(const struct reading *r, covey_error *err)
{
    const int code = r->db ? sqlite3_errcode(r->db) & 0xff : SQLITE_NOMEM;
    const char *reason = r->db ? sqlite3_errmsg(r->db) : "no memory";

    if (code == SQLITE_NOMEM)
        return covey_i_no_memory(err);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return covey_fail_at(err, COVEY_EPARSE, r->database->shown, 0, NULL, 0,
                             "is no SQLite database, or a damaged one: %s", reason);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return covey_fail_at(err, COVEY_EIO, r->database->shown, 0, NULL, 0,
                             "another program keeps it locked: %s; try again later", reason);
    return covey_fail_at(err, code == SQLITE_ERROR ? COVEY_EINVAL : COVEY_EIO, r->database->shown, 0, NULL, 0,
                         "cannot be read: %s", reason);
}

static covey_status fail_memory(const struct reading *r, covey_error *err)
{
    return covey_i_no_memory(err);
}

static covey_status open_database(struct reading *r, covey_error *err)
{
    char *const path = r->database->place;
    covey_text name = COVEY_TEXT_INIT;
    struct stat facts;
    covey_status status;
    int code, fd;

    if ((status = covey_i_infile_open_regular(&fd, &facts, path, NULL)) ==
        COVEY_EINVAL) /* SQLite would wait for the other end of a pipe */
        return covey_fail_at(err, COVEY_EINVAL, r->database->shown, 0, NULL, 0,
                             "is not a regular file, so no database: a pipe or a folder cannot be read as one");
    if (status == COVEY_OK)
        close(fd);
    /* A name that begins with "file:" or ":" means something else to SQLite. */
    covey_i_text_add_format(&name, "%s%s", path[0] == '/' ? "" : "./", path);
    if (name.broken) {
        covey_i_text_free(&name);
        return fail_memory(r, err);
    }
    code = sqlite3_open_v2(name.bytes, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    covey_i_text_free(&name);
    if (code == SQLITE_CANTOPEN)
        return covey_fail_at(err, COVEY_ENOTFOUND, r->database->shown, 0, NULL, 0,
                             "there is no such database file, or it may not be read");
    if (code != SQLITE_OK)
        return fail(r, err);
    sqlite3_busy_timeout(r->db, BUSY_MILLISECONDS);
    sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0,
                      NULL); /* a view may call no function that does more than compute */
    return sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK ? COVEY_OK : fail(r, err);
}

static void clear_names(struct reading *r)
{
    for (size_t i = 0; i < r->n_names; i++)
        covey_i_free(r->name[i]);
    covey_i_free(r->name);
    r->name = NULL;
    r->n_names = 0;
}

static bool add_name(struct reading *r, const char *name)
{
    char **names = covey_i_realloc(r->name, r->n_names + 1, sizeof *names);

    if (!names)
        return false;
    r->name = names;
    return (r->name[r->n_names] = covey_i_strdup(name ? name : "")) && ++r->n_names;
}

/* Tables and views are looked up first, so that what is not there gets a helpful message. */
static covey_status check_table(struct reading *r, covey_error *err)
{
    static const char sql[] =
        "SELECT name, name = ?1 COLLATE NOCASE FROM sqlite_master WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    bool found = false;
    int code;

    if (sqlite3_prepare_v2(r->db, sql, -1, &r->statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(r->statement, 1, r->database->table, -1, SQLITE_STATIC) != SQLITE_OK)
        return fail(r, err);
    while ((code = sqlite3_step(r->statement)) == SQLITE_ROW) {
        found |= sqlite3_column_int(r->statement, 1) != 0;
        if (!add_name(r, (const char *)sqlite3_column_text(r->statement, 0)))
            return fail_memory(r, err);
    }
    if (code != SQLITE_DONE)
        return fail(r, err);
    sqlite3_finalize(r->statement);
    r->statement = NULL;
    return found ? COVEY_OK
                 : covey_i_database_no_such_table(r->database, (const char *const *)r->name, r->n_names, err);
}

/* SELECT of some columns of the table; NULL: all. */
static covey_status prepare(struct reading *r, const covey_rows *rows, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    int code;

    covey_i_text_add_string(&sql, "SELECT ");
    for (size_t k = 0; rows && k < covey_i_rows_n_kept(rows); k++) {
        covey_i_text_add_string(&sql, k ? ", " : "");
        covey_i_sql_add_name(&sql, r->name[covey_i_rows_kept(rows, k)]);
    }
    covey_i_text_add_string(&sql, !rows ? "* FROM " : covey_i_rows_n_kept(rows) ? " FROM " : "1 FROM ");
    covey_i_sql_add_name(&sql, r->database->table);
    if (sql.broken) {
        covey_i_text_free(&sql);
        return fail_memory(r, err);
    }
    code = sqlite3_prepare_v2(r->db, sql.bytes, (int)sql.size, &r->statement, NULL);
    covey_i_text_free(&sql);
    return code == SQLITE_OK ? COVEY_OK : fail(r, err);
}

static covey_status read_columns(struct reading *r, covey_error *err)
{
    clear_names(r);
    COVEY_TRY(prepare(r, NULL, err));
    for (int c = 0; c < sqlite3_column_count(r->statement); c++)
        if (!add_name(r, sqlite3_column_name(r->statement, c)))
            return fail_memory(r, err);
    sqlite3_finalize(r->statement);
    r->statement = NULL;
    return COVEY_OK;
}

/* SQLite's own text of a number has 15 digits: where they do not say the number exactly, 17 do. */
static void add_real(struct reading *r, size_t k)
{
    const double value = sqlite3_column_double(r->statement, (int)k);
    char text[64];

    sqlite3_snprintf(sizeof text, text, "%!.15g", value);
    for (int digits = 16; digits <= 17 && strtod(text, NULL) != value; digits++)
        sqlite3_snprintf(sizeof text, text, "%!.*g", digits, value);
    covey_i_rows_cell(r->rows, k, text, strlen(text));
}

static covey_status read_cell(struct reading *r, size_t k, covey_error *err)
{
    const char *text;
    size_t size;

    switch (sqlite3_column_type(r->statement, (int)k)) {
    case SQLITE_NULL:
        covey_i_rows_cell(r->rows, k, NULL, 0);
        return COVEY_OK;
    case SQLITE_BLOB:
        return covey_i_rows_refuse(
            r->rows, k, "a blob, which cannot be published; leave the column out or convert it to text", err);
    case SQLITE_FLOAT:
        add_real(r, k);
        return COVEY_OK;
    case SQLITE_TEXT:
        covey_i_rows_has_texts(r->rows, k);
        /* fall through */
    default:
        text = (const char *)sqlite3_column_text(r->statement, (int)k);
        size = (size_t)sqlite3_column_bytes(r->statement, (int)k);
        if (!text)
            return fail_memory(r, err);
        if (memchr(text, '\0', size))
            return covey_i_rows_refuse(r->rows, k, "a text with a NUL byte, which text files cannot hold", err);
        covey_i_rows_cell(r->rows, k, text, size);
        return COVEY_OK;
    }
}

static covey_status read_rows(struct reading *r, covey_error *err)
{
    const size_t n = covey_i_rows_n_kept(r->rows);
    int code;

    while ((code = sqlite3_step(r->statement)) == SQLITE_ROW) {
        for (size_t k = 0; k < n; k++)
            COVEY_TRY(read_cell(r, k, err));
        COVEY_TRY(covey_i_rows_end_row(r->rows, err));
    }
    return code == SQLITE_DONE ? COVEY_OK : fail(r, err);
}

static covey_status read_table(covey_table **out, const covey_database *database, const covey_csv_options *options,
                               const covey_run *run, covey_error *err)
{
    struct reading r = {.database = database};
    covey_status status;

    if ((status = open_database(&r, err)) == COVEY_OK && (status = check_table(&r, err)) == COVEY_OK &&
        (status = read_columns(&r, err)) == COVEY_OK &&
        (status = covey_i_rows_begin(&r.rows, database->shown, (const char *const *)r.name, r.n_names, options, run,
                                     err)) == COVEY_OK &&
        (status = prepare(&r, r.rows, err)) == COVEY_OK && (status = read_rows(&r, err)) == COVEY_OK)
        status = covey_i_rows_finish(out, r.rows, err);
    sqlite3_finalize(r.statement);
    sqlite3_close(r.db);
    clear_names(&r);
    covey_i_rows_free(r.rows);
    return status;
}

#endif

const covey_format_impl covey_i_format_sqlite = {
    .facts =
        {
            .name = "sqlite",
            .summary =
                "a table or view of an SQLite database, as sqlite:FILE?table=NAME; covey export --to sqlite:FILE",
            .source = "SQLite 3",
            .reads = true,
            .writes = true,
#ifdef COVEY_HAS_SQLITE
            .is_built = true,
#endif
        },
    .kind = COVEY_SOURCE_SQLITE,
    .library = "libsqlite3-dev",
#ifdef COVEY_HAS_SQLITE
    .read = read_table,
#endif
};
