/* Exports to SQLite.  A new database is filled beside its target and gets its name at the end.  One that is there
 * already is changed in one transaction of SQLite's: what an earlier export made goes, whatever else it holds stays,
 * and an export that fails or is killed leaves it as it was. */
#include "export/sink.h"

#include "base/error.h"

#ifdef COVEY_HAS_SQLITE

#include <sqlite3.h>
#include <strings.h>

#include "base/alloc.h"
#include "export/sqlite/sqlite.h"
#include "io/database/sql_name.h"

/* SQLite keeps a number with a point in a double, which holds this many digits for sure. */
enum { DIGITS_OF_A_DOUBLE = 15 };

static void abort_filling(void *state)
{
    covey_sqlite_filling *f = state;

    if (!f)
        return;
    sqlite3_close(f->db);
    covey_i_folder_abort(f->folder);
    covey_i_free(f->target);
    covey_i_free(f->path);
    covey_i_free(f);
}

/* SQLite does not tell names apart that differ in case alone. */
static covey_status check_names(const covey_sqlite_filling *f, const covey_sheets *sheets, covey_error *err)
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

/* Nobody else writes to it from here on. */
static covey_status open_old(covey_sqlite_filling *f, const covey_sheets *sheets, covey_error *err)
{
    COVEY_TRY(covey_i_sqlite_open(f, f->target, 0, err));
    COVEY_TRY(
        covey_i_sqlite_run(f, "PRAGMA foreign_keys = OFF", err)); /* of others' to ours, which come back at once */
    COVEY_TRY(covey_i_sqlite_run(f, "BEGIN IMMEDIATE", err));
    return covey_i_sqlite_take_over(f, sheets, err);
}

static covey_status begin(void **state, const char *target, const covey_sheets *sheets,
                          const covey_export_options *options, covey_error *err)
{
    covey_sqlite_filling *f = covey_i_array_zero(1, sizeof *f);
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
    if (status == COVEY_OK && (status = covey_i_sqlite_check_target(f, err)) == COVEY_OK &&
        (status = check_names(f, sheets, err)) == COVEY_OK)
        status = f->is_in_place ? open_old(f, sheets, err) : covey_i_sqlite_open_new(f, err);
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

static covey_status create_table(const covey_sqlite_filling *f, const covey_export_table *table, sqlite3_stmt **insert,
                                 covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_sink_create(&sql, table, type_name);
    status = sql.broken ? covey_i_no_memory(err) : covey_i_sqlite_run(f, sql.bytes, err);
    covey_i_text_clear(&sql);
    covey_i_text_add_string(&sql, "INSERT INTO ");
    covey_i_sql_add_name(&sql, table->name);
    for (size_t c = 0; c < table->n_columns; c++)
        covey_i_text_add_string(&sql, c ? ", ?" : " VALUES (?");
    covey_i_text_add_string(&sql, ")");
    if (status == COVEY_OK && sql.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && sqlite3_prepare_v2(f->db, sql.bytes, (int)sql.size, insert, NULL) != SQLITE_OK)
        status = covey_i_sqlite_fail(f, err);
    covey_i_text_free(&sql);
    return status;
}

/* Everything is given as text: the column's affinity makes numbers of it. */
static covey_status insert_row(const covey_sqlite_filling *f, sqlite3_stmt *insert, const covey_export_table *table,
                               int64_t row, covey_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        size_t size;
        const char *cell = covey_i_sheet_cell(&table->column[c], row, &size);

        if (sqlite3_bind_text(insert, (int)c + 1, cell, (int)size, SQLITE_STATIC) != SQLITE_OK)
            return covey_i_sqlite_fail(f, err);
    }
    if (sqlite3_step(insert) != SQLITE_DONE)
        return covey_i_sqlite_fail(f, err);
    sqlite3_reset(insert);
    return COVEY_OK;
}

static covey_status write_table(void *state, const covey_export_table *table, const covey_run *run, covey_error *err)
{
    covey_sqlite_filling *f = state;
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
    return covey_i_sqlite_run(state, sql, err);
}

/* ---- the end ---- */

static covey_status commit(void *state, covey_error *err)
{
    covey_sqlite_filling *f = state;
    covey_status status = covey_i_sqlite_list(f, err);

    if (status == COVEY_OK)
        status = covey_i_sqlite_run(f, "COMMIT", err);
    if (status == COVEY_OK && sqlite3_close(f->db) != SQLITE_OK)
        status = covey_i_sqlite_fail(f, err);
    else if (status == COVEY_OK)
        f->db = NULL;
    if (status == COVEY_OK && !f->is_in_place)
        status = covey_i_sqlite_put_in_place(f, err);
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
