/* Where exports go: a database or a folder of files.  A sink is one const struct at the end of its own file and a line
 * in sink_list.h. */
#ifndef COVEY_EXPORT_SINK_H
#define COVEY_EXPORT_SINK_H

#include <covey/export.h>

#include "base/file/source.h"
#include "export/sheets.h"

typedef struct covey_sink {
    const char *prefix;  /* "sqlite:" */
    const char *library; /* what must be installed to build it in; NULL: nothing */
    const char *product; /* "SQLite" */
    bool is_for_spreadsheets;
    /* Makes ready for these tables and views: *state is the sink's own.  COVEY_EEXIST for what is there and may not be
     * replaced.  Everything but prefix and product may be NULL: not built in. */
    covey_status (*begin)(void **state, const char *target, const covey_sheets *sheets,
                          const covey_export_options *options, covey_error *err);
    covey_status (*table)(void *state, const covey_export_table *table, const covey_run *run, covey_error *err);
    /* A statement after all tables; NULL: the sink knows no SQL. */
    covey_status (*statement)(void *state, const char *sql, covey_error *err);
    /* Lets everything appear.  The state is gone afterwards, whatever the result. */
    covey_status (*commit)(void *state, covey_error *err);
    void (*abort)(void *state); /* leaves nothing behind; NULL allowed */
} covey_sink;

/* Reports rows written; COVEY_ECANCELLED if that is the answer. */
covey_status covey_i_sink_progress(const covey_run *run, const covey_export_table *table, int64_t row,
                                   covey_error *err);

/* Appends "CREATE TABLE ... (...)"; type_name gives the type of a column. */
void covey_i_sink_create(covey_text *sql, const covey_export_table *table,
                         const char *(*type_name)(const covey_export_column *column));

/* Appends the name of the index over a table's key. */
void covey_i_sink_index_name(covey_text *name, const covey_export_table *table, size_t key);

#endif
