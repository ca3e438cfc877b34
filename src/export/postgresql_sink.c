/* Exports to PostgreSQL: COPY, in one transaction.  What is not committed is as if it had never been. */
#include "export/sink.h"

#include "base/error.h"

#ifdef COVEY_HAS_POSTGRESQL

#include <string.h>

#include "base/alloc.h"
#include "io/database/server.h"
#include "io/database/sql_name.h"

/* Tables and views of ours are known by their comment: --force removes those of an earlier export. */
#define COMMENT "made by covey export"

enum { LONGEST_NAME = 63, BYTES_PER_PIECE = 1 << 16 };

struct filling {
    covey_database database;
    covey_server *server;
    const covey_sheets *sheets;
    covey_text piece; /* of rows on their way */
};

static void abort_filling(void *state)
{
    struct filling *f = state;

    if (!f)
        return;
    covey_i_server_close(f->server); /* rolls back */
    covey_i_database_clear(&f->database);
    covey_i_text_free(&f->piece);
    covey_i_free(f);
}

/* ---- what is there ---- */

/* Longer names would be cut off, and two of them could become one. */
static covey_status check_name(const struct filling *f, const char *kind, const char *name, covey_error *err)
{
    if (strlen(name) <= LONGEST_NAME)
        return COVEY_OK;
    return covey_fail(
        err, COVEY_EINVAL,
        "%s: the name of %s \"%s\" is longer than the %d bytes that PostgreSQL takes; rename it before publishing",
        f->database.shown, kind, name, LONGEST_NAME);
}

static covey_status check_names(const struct filling *f, const covey_sheets *sheets, covey_error *err)
{
    for (size_t i = 0; i < sheets->n_tables; i++) {
        const covey_export_table *t = &sheets->table[i];

        COVEY_TRY(check_name(f, "table", t->name, err));
        for (size_t c = 0; c < t->n_columns; c++)
            COVEY_TRY(check_name(f, "column", t->column[c].name, err));
    }
    return COVEY_OK;
}

/* Is it the name of something that will be made? */
static bool is_wanted(const covey_sheets *sheets, const char *name)
{
    bool is = covey_i_sheets_find(sheets, name) != NULL;

    for (size_t i = 0; i < sheets->n_views; i++)
        is |= strcmp(sheets->view[i].name, name) == 0;
    for (size_t i = 0; i < sheets->n_tables; i++)
        for (size_t k = 0; sheets->table[i].key[k]; k++) {
            covey_text index = COVEY_TEXT_INIT;

            covey_i_sink_index_name(&index, &sheets->table[i], k);
            is |= !index.broken && strcmp(index.bytes, name) == 0;
            covey_i_text_free(&index);
        }
    return is;
}

static covey_status drop(const struct filling *f, const char *name, char kind, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_string(&sql, kind == 'v' ? "DROP VIEW " : "DROP TABLE ");
    covey_i_sql_add_name(&sql, name);
    status = sql.broken ? covey_i_no_memory(err) : covey_i_server_do(f->server, sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

/* What make_room asks of each thing in the schema. */
enum { NAME, KIND, IS_OURS };

/* Views first, because they stand on tables; indexes go with these. */
static covey_status drop_all(const struct filling *f, const PGresult *found, covey_error *err)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < covey_i_pq.ntuples(found); i++) {
            const char kind = *covey_i_pq.getvalue(found, i, KIND);

            if (*covey_i_pq.getvalue(found, i, IS_OURS) == 't' && strchr(pass ? "rp" : "v", kind))
                COVEY_TRY(drop(f, covey_i_pq.getvalue(found, i, NAME), kind, err));
        }
    return COVEY_OK;
}

/* A name that is wanted must be free, or an earlier export's that may be replaced. */
static covey_status check_clash(const struct filling *f, const PGresult *found, int i, bool force, covey_error *err)
{
    const char *name = covey_i_pq.getvalue(found, i, NAME);

    if (!is_wanted(f->sheets, name))
        return COVEY_OK;
    if (*covey_i_pq.getvalue(found, i, IS_OURS) != 't')
        return covey_fail(err, COVEY_EEXIST,
                          "%s: there is a \"%s\" that is no export's, and is not replaced; rename it, or choose "
                          "another schema (?schema=NAME)",
                          f->database.shown, name);
    return force ? COVEY_OK
                 : covey_fail(err, COVEY_EEXIST,
                              "%s: there is a table \"%s\" already; choose another schema (?schema=NAME), or force its "
                              "replacement (--force)",
                              f->database.shown, name);
}

/* An index is a table's. */
static covey_status make_room(const struct filling *f, bool force, covey_error *err)
{
    static const char sql[] = "SELECT c.relname, c.relkind, COALESCE(pg_catalog.obj_description(COALESCE(i.indrelid, "
                              "c.oid), 'pg_class') = '" COMMENT "', false) "
                              "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                              "LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid WHERE n.nspname = "
                              "pg_catalog.current_schema() ORDER BY 1";
    PGresult *found;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_server_ask(&found, f->server, sql, NULL, 0, err));
    for (int i = 0; status == COVEY_OK && i < covey_i_pq.ntuples(found); i++)
        status = check_clash(f, found, i, force, err);
    if (status == COVEY_OK && force)
        status = drop_all(f, found, err);
    covey_i_pq.clear(found);
    return status;
}

/* Everything goes into one schema, and names without one mean it. */
static covey_status enter_schema(const struct filling *f, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    PGresult *found = NULL;

    if (f->database.schema) {
        covey_i_text_add_string(&sql, "CREATE SCHEMA IF NOT EXISTS ");
        covey_i_sql_add_name(&sql, f->database.schema);
        status = sql.broken ? covey_i_no_memory(err) : covey_i_server_do(f->server, sql.bytes, err);
        covey_i_text_clear(&sql);
        covey_i_text_add_string(&sql, "SET LOCAL search_path TO ");
        covey_i_sql_add_name(&sql, f->database.schema);
        if (status == COVEY_OK)
            status = sql.broken ? covey_i_no_memory(err) : covey_i_server_do(f->server, sql.bytes, err);
        covey_i_text_free(&sql);
    }
    if (status == COVEY_OK &&
        (status = covey_i_server_ask(&found, f->server, "SELECT pg_catalog.current_schema()", NULL, 0, err)) ==
            COVEY_OK &&
        covey_i_pq.getisnull(found, 0, 0))
        status =
            covey_fail(err, COVEY_EINVAL, "%s: the search path names no schema; add ?schema=NAME", f->database.shown);
    covey_i_pq.clear(found);
    return status;
}

static covey_status begin(void **state, const char *target, const covey_sheets *sheets,
                          const covey_export_options *options, covey_error *err)
{
    struct filling *f = covey_i_array_zero(1, sizeof *f);
    covey_status status;

    if (!f)
        return covey_i_no_memory(err);
    f->piece = (covey_text)COVEY_TEXT_INIT;
    f->sheets = sheets;
    status = covey_i_database_parse(&f->database, target, "--to", err);
    if (status == COVEY_OK && f->database.table)
        status = covey_fail(err, COVEY_EINVAL,
                            "%s: the tables of a release have their own names: leave out table=", f->database.shown);
    if (status == COVEY_OK && (status = check_names(f, sheets, err)) == COVEY_OK &&
        (status = covey_i_server_open(&f->server, &f->database, err)) == COVEY_OK &&
        (status = covey_i_server_do(f->server, "BEGIN", err)) == COVEY_OK &&
        (status = enter_schema(f, err)) == COVEY_OK)
        status = make_room(f, options->force, err);
    if (status == COVEY_OK)
        *state = f;
    else
        abort_filling(f);
    return status;
}

/* ---- tables ---- */

/* Texts are compared byte by byte, as covey does. */
static const char *type_name(const covey_export_column *column)
{
    static const char *const names[] = {
        [COVEY_TYPE_INTEGER] = "bigint", [COVEY_TYPE_DECIMAL] = "numeric", [COVEY_TYPE_DATE] = "date"};

    if (column->is_real)
        return "double precision";
    return column->type == COVEY_TYPE_TEXT ? "text COLLATE \"C\"" : names[column->type];
}

static void add_cell(covey_text *out, const char *cell, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        static const char from[] = "\\\t\n\r", to[] = "\\tnr";
        const char *special = memchr(from, cell[i], sizeof from - 1);

        if (special)
            covey_i_text_add_char(out, '\\');
        covey_i_text_add_char(out, special ? to[special - from] : cell[i]);
    }
}

static void add_row(covey_text *out, const covey_export_table *table, int64_t row)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        size_t size;
        const char *cell = covey_i_sheet_cell(&table->column[c], row, &size);

        if (c)
            covey_i_text_add_char(out, '\t');
        if (cell)
            add_cell(out, cell, size);
        else
            covey_i_text_add(out, "\\N", 2);
    }
    covey_i_text_add_char(out, '\n');
}

static covey_status send_piece(struct filling *f, covey_error *err)
{
    if (f->piece.broken)
        return covey_i_no_memory(err);
    if (covey_i_pq.putCopyData(covey_i_server_connection(f->server), f->piece.bytes, (int)f->piece.size) != 1)
        return covey_i_server_fail(f->server, NULL, "the server broke off", err);
    covey_i_text_clear(&f->piece);
    return COVEY_OK;
}

static covey_status copy_rows(struct filling *f, const covey_export_table *table, const covey_run *run,
                              covey_error *err)
{
    covey_i_text_clear(&f->piece);
    for (int64_t row = 0; row < table->n_rows; row++) {
        COVEY_TRY(covey_i_sink_progress(run, table, row, err));
        add_row(&f->piece, table, row);
        if (f->piece.broken || f->piece.size >= BYTES_PER_PIECE)
            COVEY_TRY(send_piece(f, err));
    }
    if (f->piece.size > 0)
        COVEY_TRY(send_piece(f, err));
    if (covey_i_pq.putCopyEnd(covey_i_server_connection(f->server), NULL) != 1)
        return covey_i_server_fail(f->server, NULL, "the server broke off", err);
    return covey_i_server_end_copy(f->server, err);
}

/* The server's planner should not have to wait for its next round. */
static covey_status analyze(const struct filling *f, const covey_export_table *table, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_string(&sql, "ANALYZE ");
    covey_i_sql_add_name(&sql, table->name);
    status = sql.broken ? covey_i_no_memory(err) : covey_i_server_do(f->server, sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

static void add_comment(covey_text *sql, const char *kind, const char *name)
{
    covey_i_text_add_format(sql, "COMMENT ON %s ", kind);
    covey_i_sql_add_name(sql, name);
    covey_i_text_add_string(sql, " IS '" COMMENT "'");
}

static covey_status write_table(void *state, const covey_export_table *table, const covey_run *run, covey_error *err)
{
    struct filling *f = state;
    covey_text create = COVEY_TEXT_INIT, note = COVEY_TEXT_INIT, copy = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_sink_create(&create, table, type_name);
    add_comment(&note, "TABLE", table->name);
    covey_i_text_add_string(&copy, "COPY ");
    covey_i_sql_add_name(&copy, table->name);
    covey_i_text_add_string(&copy, " FROM STDIN");
    if (create.broken || note.broken || copy.broken)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_server_do(f->server, create.bytes, err)) == COVEY_OK &&
             (status = covey_i_server_do(f->server, note.bytes, err)) == COVEY_OK &&
             (status = covey_i_server_copy(f->server, copy.bytes, PGRES_COPY_IN, err)) == COVEY_OK)
        status = copy_rows(f, table, run, err);
    if (status == COVEY_OK)
        status = analyze(f, table, err);
    covey_i_text_free(&create);
    covey_i_text_free(&note);
    covey_i_text_free(&copy);
    return status;
}

static covey_status statement(void *state, const char *sql, covey_error *err)
{
    return covey_i_server_do(((struct filling *)state)->server, sql, err);
}

static covey_status mark_views(const struct filling *f, covey_error *err)
{
    covey_status status = COVEY_OK;

    for (size_t i = 0; status == COVEY_OK && i < f->sheets->n_views; i++) {
        covey_text sql = COVEY_TEXT_INIT;

        add_comment(&sql, "VIEW", f->sheets->view[i].name);
        status = sql.broken ? covey_i_no_memory(err) : covey_i_server_do(f->server, sql.bytes, err);
        covey_i_text_free(&sql);
    }
    return status;
}

/* A server that dies now may have kept all or nothing, never a part. */
static covey_status commit(void *state, covey_error *err)
{
    struct filling *f = state;
    covey_status status = mark_views(f, err);

    if (status == COVEY_OK)
        status = covey_i_server_do(f->server, "COMMIT", err);
    abort_filling(f);
    return status;
}

#define POSTGRESQL                                                                                                     \
    .library = "libpq-dev", .product = "PostgreSQL", .begin = begin, .table = write_table, .statement = statement,     \
    .commit = commit, .abort = abort_filling

#else

#define POSTGRESQL .library = "libpq-dev", .product = "PostgreSQL"

#endif

const covey_sink covey_i_sink_postgresql = {.prefix = "postgresql:", POSTGRESQL};
const covey_sink covey_i_sink_postgres = {.prefix = "postgres:", POSTGRESQL};
