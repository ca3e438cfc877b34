/* Tables of PostgreSQL servers, read with COPY from one snapshot: see covey_table_read. */
#include "io/format_impl.h"

#include "base/error.h"

#ifdef COVEY_HAS_POSTGRESQL

#include <string.h>

#include "base/alloc.h"
#include "io/database/near_table.h"
#include "io/database/rows.h"
#include "io/database/server.h"
#include "io/database/sql_name.h"

/* Types' numbers in every PostgreSQL. */
enum { BYTEA = 17, INT8 = 20, INT2 = 21, INT4 = 23, FLOAT4 = 700, FLOAT8 = 701, DATE = 1082, NUMERIC = 1700 };

struct reading {
    const covey_database *database;
    covey_server *server;
    PGresult *columns; /* of no row: names and types */
    const char **name; /* [n] */
    covey_rows *rows;
    bool *is_bytea; /* [kept columns] */
    covey_text cell;
};

static covey_status fail_memory(const struct reading *r, covey_error *err)
{
    return covey_i_no_memory(err);
}

static covey_status begin(struct reading *r, covey_error *err)
{
    COVEY_TRY(covey_i_server_open(&r->server, r->database, err));
    COVEY_TRY(covey_i_server_do(r->server, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", err));
    COVEY_TRY(covey_i_server_do(r->server, "SET LOCAL DateStyle TO 'ISO, YMD'", err));
    COVEY_TRY(covey_i_server_do(r->server, "SET LOCAL IntervalStyle TO 'postgres'", err));
    return covey_i_server_do(r->server, "SET LOCAL extra_float_digits TO 3", err); /* numbers in full */
}

/* Tables and views are looked up first, so that what is not there gets a helpful message. */
static covey_status check_table(const struct reading *r, covey_error *err)
{
    static const char sql[] =
        "SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND "
        "CASE WHEN $1::text IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) AND (n.nspname <> 'pg_catalog' "
        "OR c.relname = $2) ELSE n.nspname = $1::text END ORDER BY 1";
    const char *const values[] = {r->database->schema, r->database->table};
    PGresult *result;
    const char **names;
    size_t n;
    bool found = false;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_server_ask(&result, r->server, sql, values, 2, err));
    n = (size_t)covey_i_pq.ntuples(result);
    if (!(names = covey_i_array(n, sizeof *names)))
        status = fail_memory(r, err);
    for (size_t i = 0; names && i < n; i++) {
        names[i] = covey_i_pq.getvalue(result, (int)i, 0);
        found |= strcmp(names[i], r->database->table) == 0;
    }
    if (status == COVEY_OK && !found)
        status = covey_i_database_no_such_table(r->database, names, n, err);
    covey_i_free(names);
    covey_i_pq.clear(result);
    return status;
}

static void add_table(covey_text *sql, const covey_database *d)
{
    if (d->schema) {
        covey_i_sql_add_name(sql, d->schema);
        covey_i_text_add_char(sql, '.');
    }
    covey_i_sql_add_name(sql, d->table);
}

static covey_status read_columns(struct reading *r, const covey_csv_options *options, const covey_run *run,
                                 covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;
    size_t n;

    covey_i_text_add_string(&sql, "SELECT * FROM ");
    add_table(&sql, r->database);
    covey_i_text_add_string(&sql, " LIMIT 0");
    status = sql.broken ? fail_memory(r, err) : covey_i_server_ask(&r->columns, r->server, sql.bytes, NULL, 0, err);
    covey_i_text_free(&sql);
    if (status != COVEY_OK)
        return status;
    n = (size_t)covey_i_pq.nfields(r->columns);
    r->name = covey_i_array(n, sizeof *r->name);
    r->is_bytea = covey_i_array_zero(n, sizeof *r->is_bytea);
    if (!r->name || !r->is_bytea)
        return fail_memory(r, err);
    for (size_t c = 0; c < n; c++)
        r->name[c] = covey_i_pq.fname(r->columns, (int)c);
    COVEY_TRY(covey_i_rows_begin(&r->rows, r->database->shown, r->name, n, options, run, err));
    for (size_t k = 0; k < covey_i_rows_n_kept(r->rows); k++) {
        const Oid type = covey_i_pq.ftype(r->columns, (int)covey_i_rows_kept(r->rows, k));

        r->is_bytea[k] = type == BYTEA;
        if (type != INT2 && type != INT4 && type != INT8 && type != FLOAT4 && type != FLOAT8 && type != NUMERIC &&
            type != DATE)
            covey_i_rows_has_texts(r->rows, k);
    }
    return COVEY_OK;
}

static covey_status begin_copy(const struct reading *r, covey_error *err)
{
    const size_t n = covey_i_rows_n_kept(r->rows);
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_string(&sql, n ? "COPY (SELECT " : "COPY (SELECT 1");
    for (size_t k = 0; k < n; k++) {
        covey_i_text_add_string(&sql, k ? ", " : "");
        covey_i_sql_add_name(&sql, r->name[covey_i_rows_kept(r->rows, k)]);
    }
    covey_i_text_add_string(&sql, " FROM ");
    add_table(&sql, r->database);
    covey_i_text_add_string(&sql, ") TO STDOUT");
    status = sql.broken ? fail_memory(r, err) : covey_i_server_copy(r->server, sql.bytes, PGRES_COPY_OUT, err);
    covey_i_text_free(&sql);
    return status;
}

/* Undoes the escapes of COPY's text format in text[0 .. size-1]. */
static void unescape(covey_text *out, const char *text, size_t size)
{
    covey_i_text_clear(out);
    covey_i_text_reserve(out, size);
    for (size_t i = 0; i < size; i++) {
        static const char letters[] = "bfnrtv", bytes[] = "\b\f\n\r\t\v";
        const char *letter;
        char c = text[i];

        if (c == '\\' && i + 1 < size) {
            letter = strchr(letters, c = text[++i]);
            if (letter && *letter)
                c = bytes[letter - letters];
        }
        covey_i_text_add_char(out, c);
    }
}

static covey_status read_cell(struct reading *r, size_t k, const char *text, size_t size, covey_error *err)
{
    if (size == 2 && memcmp(text, "\\N", 2) == 0) {
        covey_i_rows_cell(r->rows, k, NULL, 0);
        return COVEY_OK;
    }
    if (r->is_bytea[k])
        return covey_i_rows_refuse(
            r->rows, k, "a bytea, which cannot be published; leave the column out or convert it to text", err);
    if (memchr(text, '\\', size)) {
        unescape(&r->cell, text, size);
        if (r->cell.broken)
            return fail_memory(r, err);
        text = r->cell.bytes ? r->cell.bytes : "";
        size = r->cell.size;
    }
    covey_i_rows_cell(r->rows, k, text, size);
    return COVEY_OK;
}

/* One row of COPY's text format: cells with tabs between, no line end. */
static covey_status read_row(struct reading *r, const char *row, size_t size, covey_error *err)
{
    const char *end = row + size;

    for (size_t k = 0; k < covey_i_rows_n_kept(r->rows); k++) {
        const char *stop = memchr(row, '\t', (size_t)(end - row));

        stop = stop ? stop : end;
        COVEY_TRY(read_cell(r, k, row, (size_t)(stop - row), err));
        row = stop < end ? stop + 1 : end;
    }
    return covey_i_rows_end_row(r->rows, err);
}

static covey_status read_rows(struct reading *r, covey_error *err)
{
    covey_status status = COVEY_OK;
    char *row = NULL;
    int size;

    while (status == COVEY_OK && (size = covey_i_pq.getCopyData(covey_i_server_connection(r->server), &row, 0)) > 0) {
        status = read_row(r, row, row[size - 1] == '\n' ? (size_t)size - 1 : (size_t)size, err);
        covey_i_pq.freemem(row);
    }
    return status == COVEY_OK ? covey_i_server_end_copy(r->server, err) : status;
}

static covey_status read_table(covey_table **out, const covey_database *database, const covey_csv_options *options,
                               const covey_run *run, covey_error *err)
{
    struct reading r = {.database = database, .cell = COVEY_TEXT_INIT};
    covey_status status;

    if ((status = begin(&r, err)) == COVEY_OK && (status = check_table(&r, err)) == COVEY_OK &&
        (status = read_columns(&r, options, run, err)) == COVEY_OK && (status = begin_copy(&r, err)) == COVEY_OK &&
        (status = read_rows(&r, err)) == COVEY_OK)
        status = covey_i_rows_finish(out, r.rows, err);
    if (r.columns) /* else libpq may not be there */
        covey_i_pq.clear(r.columns);
    covey_i_server_close(r.server);
    covey_i_rows_free(r.rows);
    covey_i_text_free(&r.cell);
    covey_i_free(r.name);
    covey_i_free(r.is_bytea);
    return status;
}

#endif

const covey_format_impl covey_i_format_postgresql = {
    .facts =
        {
            .name = "postgresql",
            .summary = "a table or view of a PostgreSQL server, as postgresql://USER@HOST/DATABASE?table=NAME; covey "
                       "export --to postgresql://...",
            .source = "PostgreSQL",
            .reads = true,
            .writes = true,
#ifdef COVEY_HAS_POSTGRESQL
            .is_built = true,
#endif
        },
    .kind = COVEY_SOURCE_POSTGRESQL,
    .library = "libpq-dev",
#ifdef COVEY_HAS_POSTGRESQL
    .read = read_table,
#endif
};
