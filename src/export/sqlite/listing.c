/* Which tables and views of a database are an export's.  A table covey_export lists what was made, each with its
 * definition: a table of the same name that is defined in another way is somebody else's. */
#include "export/sqlite/sqlite.h"

#ifdef COVEY_HAS_SQLITE

#include <sqlite3.h>
#include <string.h>

#include "base/error.h"
#include "export/sink.h"
#include "io/database/sql_name.h"

#define LISTING "covey_export"
#define CREATE_LISTING "CREATE TABLE " LISTING " (type TEXT, name TEXT, sql TEXT)"

/* ---- what is in a database already ---- */

/* A query's first row, if it has one: up to two texts and a number. */
static covey_status ask(const covey_sqlite_filling *f, const char *sql, const char *parameter, covey_text *first,
                        covey_text *second, int64_t *number, covey_error *err)
{
    sqlite3_stmt *query = NULL;
    covey_status status = COVEY_OK;
    int code;

    if (sqlite3_prepare_v2(f->db, sql, -1, &query, NULL) != SQLITE_OK ||
        (parameter && sqlite3_bind_text(query, 1, parameter, -1, SQLITE_STATIC) != SQLITE_OK)) {
        status = covey_i_sqlite_fail(f, err);
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
        status = covey_i_sqlite_fail(f, err);
    }
    sqlite3_finalize(query);
    return status;
}

/* Removes what an earlier export made.  Views first, because they stand on tables; indexes go with these. */
static covey_status drop_ours(const covey_sqlite_filling *f, covey_error *err)
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
            status = sql.broken ? covey_i_no_memory(err) : covey_i_sqlite_run(f, sql.bytes, err);
            goes_on = status == COVEY_OK;
        }
        covey_i_text_free(&type);
        covey_i_text_free(&name);
        covey_i_text_free(&sql);
    }
    return status == COVEY_OK && is_listed ? covey_i_sqlite_run(f, "DROP TABLE " LISTING, err) : status;
}

static covey_status check_free(const covey_sqlite_filling *f, const char *name, covey_error *err)
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
static covey_status check_clashes(const covey_sqlite_filling *f, const covey_sheets *sheets, covey_error *err)
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

covey_status covey_i_sqlite_take_over(covey_sqlite_filling *f, const covey_sheets *sheets, covey_error *err)
{
    COVEY_TRY(drop_ours(f, err));
    COVEY_TRY(check_clashes(f, sheets, err));
    return ask(f, "SELECT COALESCE(MAX(rowid), 0) FROM sqlite_master", NULL, NULL, NULL, &f->last_foreign, err);
}

covey_status covey_i_sqlite_list(const covey_sqlite_filling *f, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&sql,
                            CREATE_LISTING
                            "; INSERT INTO " LISTING
                            " SELECT type, name, sql FROM sqlite_master WHERE rowid > %lld AND sql IS NOT NULL "
                            "AND name <> '" LISTING "' ORDER BY rowid",
                            (long long)f->last_foreign);
    status = sql.broken ? covey_i_no_memory(err) : covey_i_sqlite_run(f, sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

#endif
