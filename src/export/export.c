/* Export: reads a release, checks that it is what its manifest says, and hands its tables to a sink. */
#include <covey/export.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "export/cells_tables.h"
#include "export/file_target.h"
#include "export/matrix.h"
#include "export/one_table.h"
#include "export/sink.h"
#include "io/database/sql_name.h"
#include "io/foreign.h"
#include "reader/contents.h"
#include "table/formulas.h"

#define COVEY_SINK(name) extern const covey_sink covey_i_sink_##name;
#include "export/sink_list.h"
#undef COVEY_SINK

#define COVEY_SINK(name) &covey_i_sink_##name,
static const covey_sink *const sinks[] = {
#include "export/sink_list.h"
};
#undef COVEY_SINK

enum { N_SINKS = sizeof sinks / sizeof *sinks };

static covey_status find_sink(const covey_sink **out, const char *target, covey_error *err)
{
    for (size_t i = 0; i < N_SINKS; i++)
        if (strncmp(target, sinks[i]->prefix, strlen(sinks[i]->prefix)) == 0) {
            *out = sinks[i];
            if (!sinks[i]->begin)
                return covey_fail(err, COVEY_EINVAL,
                                  "--to %s: this covey was built without %s; install %s and build it again",
                                  sinks[i]->prefix, sinks[i]->product, sinks[i]->library);
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINVAL,
                      "--to takes sqlite:FILE, postgresql://USER@HOST/DATABASE, jsonl:FOLDER, csv:FOLDER, or a file of "
                      "another program (.parquet, .feather, .sav, .dta, .xpt, .xlsx, .ods), not \"%s\"",
                      target);
}

/* NULL for the target of a sink; else what the file is that it names. */
static const char *file_title(const char *target)
{
    for (size_t i = 0; i < N_SINKS; i++)
        if (strncmp(target, sinks[i]->prefix, strlen(sinks[i]->prefix)) == 0)
            return NULL;
    return covey_i_foreign_target(target);
}

/* A release that is not what its manifest says is not spread any further. */
static covey_status check_files(const covey_stated *stated, const char *folder, covey_error *err)
{
    bool *present = covey_i_array_zero(stated->n_files, sizeof *present);
    covey_problems problems = COVEY_PROBLEMS_INIT;
    covey_status status;

    if (!present)
        return covey_i_no_memory(err);
    status = covey_i_contents_check(present, &problems, folder, stated, err);
    if (status == COVEY_OK)
        status = covey_i_contents_hash(&problems, folder, stated, present, err);
    if (status == COVEY_OK && problems.n > 0)
        status = covey_fail(err, COVEY_EPARSE, "%s: the release is not as its manifest says, so it is not exported: %s",
                            folder, problems.line[0]);
    covey_i_problems_clear(&problems);
    covey_i_free(present);
    return status;
}

static covey_status add_indexes(const covey_sink *sink, void *state, const covey_export_table *table, covey_error *err)
{
    covey_status status = COVEY_OK;

    for (size_t k = 0; status == COVEY_OK && table->key[k]; k++) {
        covey_text sql = COVEY_TEXT_INIT, name = COVEY_TEXT_INIT;

        covey_i_sink_index_name(&name, table, k);
        covey_i_text_add_string(&sql, "CREATE INDEX ");
        covey_i_sql_add_name(&sql, name.bytes ? name.bytes : "");
        covey_i_text_add_string(&sql, " ON ");
        covey_i_sql_add_name(&sql, table->name);
        for (size_t i = 0; table->key[k][i]; i++) {
            covey_i_text_add_string(&sql, i ? ", " : " (");
            covey_i_sql_add_name(&sql, table->key[k][i]);
        }
        covey_i_text_add_string(&sql, ")");
        status = sql.broken || name.broken ? covey_i_no_memory(err) : sink->statement(state, sql.bytes, err);
        covey_i_text_free(&sql);
        covey_i_text_free(&name);
    }
    return status;
}

static covey_status add_view(const covey_sink *sink, void *state, const covey_export_view *view, covey_error *err)
{
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_string(&sql, "CREATE VIEW ");
    covey_i_sql_add_name(&sql, view->name);
    covey_i_text_add_format(&sql, " AS %s", view->sql);
    status = sql.broken ? covey_i_no_memory(err) : sink->statement(state, sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

static covey_status fill(const covey_sink *sink, void *state, const covey_sheets *sheets, const covey_run *run,
                         covey_error *err)
{
    for (size_t i = 0; i < sheets->n_tables; i++)
        COVEY_TRY(sink->table(state, &sheets->table[i], run, err));
    if (!sink->statement)
        return COVEY_OK;
    for (size_t i = 0; i < sheets->n_tables; i++)
        COVEY_TRY(add_indexes(sink, state, &sheets->table[i], err));
    for (size_t i = 0; i < sheets->n_views; i++)
        COVEY_TRY(add_view(sink, state, &sheets->view[i], err));
    return COVEY_OK;
}

/* Spreadsheets know no columns that are texts. */
static void warn_of_formulas(const covey_sheets *sheets, const covey_run *run)
{
    for (size_t i = 0; i < sheets->n_tables; i++)
        for (size_t c = 0; c < sheets->table[i].n_columns; c++) {
            char what[128];

            snprintf(what, sizeof what, "table \"%.100s\"", sheets->table[i].name);
            covey_i_formulas_warn(sheets->table[i].column[c].text, what, run);
        }
}

static covey_status write_all(const covey_sink *sink, const char *target, const covey_sheets *sheets,
                              const covey_export_options *options, const covey_run *run, covey_error *err)
{
    void *state = NULL;
    covey_status status;

    COVEY_TRY(sink->begin(&state, target, sheets, options, err));
    if ((status = fill(sink, state, sheets, run, err)) == COVEY_OK)
        return sink->commit(state, err);
    sink->abort(state);
    return status;
}

/* ---- the report ---- */

struct reported {
    covey_arena arena;
};

static covey_status make_report(covey_export_report *report, const covey_sheets *sheets, const char *target,
                                covey_error *err)
{
    struct reported *own = covey_i_array_zero(1, sizeof *own);
    covey_exported_table *table;
    bool ok;

    if (!own)
        return covey_i_no_memory(err);
    table = covey_arena_array_zero(&own->arena, covey_exported_table, sheets->n_tables);
    *report = (covey_export_report){.n_tables = sheets->n_tables, .table = table, .own = own};
    ok = table && (report->target = covey_i_source_shown(target, &own->arena));
    for (size_t i = 0; ok && i < sheets->n_tables; i++) {
        table[i] = (covey_exported_table){covey_arena_strdup(&own->arena, sheets->table[i].name),
                                          sheets->table[i].n_rows, sheets->table[i].n_columns};
        ok = table[i].name;
    }
    if (ok)
        return COVEY_OK;
    covey_export_report_clear(report);
    return covey_i_no_memory(err);
}

void covey_export_report_clear(covey_export_report *report)
{
    struct reported *own = report->own;

    if (own) {
        covey_arena_free(&own->arena);
        covey_i_free(own);
    }
    *report = (covey_export_report){0};
}

covey_status covey_export(covey_export_report *report, const char *release, const char *target,
                          const covey_export_options *options, const covey_run *run, covey_error *err)
{
    static const covey_export_options usual;
    const covey_sink *sink = NULL;
    covey_stated *stated = NULL;
    covey_sheets sheets = {0};
    covey_export_report made = {0};
    const char *title = file_title(target);
    covey_status status;

    options = options ? options : &usual;
    if (!title)
        COVEY_TRY(find_sink(&sink, target, err));
    if (options->table && !title)
        return covey_fail(err, COVEY_EINVAL, "--table is for a file that holds one; --to %s takes all", target);
    if (options->safe_cells && !(sink && sink->is_for_spreadsheets))
        return covey_fail(err, COVEY_EINVAL, "--safe-cells is for spreadsheets, which read CSV: write --to csv:FOLDER");
    COVEY_TRY(covey_i_stated_read(&stated, release, err));
    covey_i_stated_take_read_types(stated);
    status = check_files(stated, release, err);
    if (status == COVEY_OK && title) {
        if ((status = covey_i_file_target_write(&sheets, stated, release, target, title, options, run, err)) ==
            COVEY_OK)
            status = make_report(&made, &sheets, target, err);
    } else if (status == COVEY_OK && (status = covey_i_sheets_read(&sheets, stated, release, run, err)) == COVEY_OK &&
               (status = covey_i_cells_add(&sheets, run, err)) == COVEY_OK &&
               (status = covey_i_one_table_add(&sheets, run, err)) == COVEY_OK &&
               (status = covey_i_matrix_add(&sheets, run, err)) == COVEY_OK &&
               (status = make_report(&made, &sheets, target, err)) == COVEY_OK)
        status = write_all(sink, target, &sheets, options, run, err);
    if (status == COVEY_OK && sink && sink->is_for_spreadsheets && !options->safe_cells)
        warn_of_formulas(&sheets, run);
    if (status == COVEY_OK && report)
        *report = made;
    else
        covey_export_report_clear(&made);
    covey_i_sheets_clear(&sheets);
    covey_i_stated_free(stated);
    return status;
}
