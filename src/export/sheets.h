/* The tables of a release as an export writes them: which cells are NULL, and which type a column has. */
#ifndef COVEY_EXPORT_SHEETS_H
#define COVEY_EXPORT_SHEETS_H

#include <covey/arrow.h>
#include <covey/io.h>

#include "base/arena.h"
#include "reader/stated/stated.h"

typedef struct covey_export_column {
    const char *name;
    covey_type type;          /* INTEGER, DECIMAL, DATE: every cell is one, or NULL */
    const covey_column *text; /* the cells */
    bool is_real;             /* TEXT or DECIMAL: every cell is a double written with all its digits */
    bool empty_is_null;
} covey_export_column;

typedef struct covey_export_table {
    const char *name;
    int64_t n_rows;
    size_t n_columns;
    covey_export_column *column;
    const char *const *key[4]; /* NULL-terminated lists of columns to be found quickly; the first NULL ends them */
} covey_export_table;

typedef struct covey_export_view {
    const char *name;
    const char *sql; /* a SELECT that both databases understand */
} covey_export_view;

/* Everything an export writes, in the order in which it does. */
typedef struct covey_sheets {
    const covey_stated *stated;
    const char *folder;
    covey_export_table *table;
    size_t n_tables, table_capacity;
    covey_export_view *view;
    size_t n_views, view_capacity;
    covey_table **source;
    size_t n_sources, source_capacity; /* what the columns belong to */
    covey_arena arena;
} covey_sheets;

/* Reads all files that the manifest lists.  Their hashes have been checked. */
covey_status covey_i_sheets_read(covey_sheets *sheets, const covey_stated *stated, const char *folder,
                                 const covey_run *run, covey_error *err);
/* Reads the one table of that name ("table", "hierarchy_zip"), whose hash nobody has checked; COVEY_ENOTFOUND. */
covey_status covey_i_sheets_read_one(covey_export_table **out, covey_sheets *sheets, const covey_stated *stated,
                                     const char *folder, const char *name, const covey_run *run, covey_error *err);
void covey_i_sheets_clear(covey_sheets *sheets); /* may be all zeros */

covey_export_table *covey_i_sheets_find(const covey_sheets *sheets, const char *name); /* NULL if there is none */

/* Adds a table of texts, which is taken over; the types of its columns are those of the manifest, if it is published,
 * or guessed. */
covey_status covey_i_sheets_add(covey_export_table **out, covey_sheets *sheets, const char *name, covey_table *table,
                                bool is_published, covey_error *err);
/* Gives an insensitive column, which a release publishes letter by letter, the type that its cells have. */
covey_status covey_i_sheets_guess(covey_export_column *column, const covey_stated *stated, covey_error *err);
/* Adds a key to a table; the names are copied. */
covey_status covey_i_sheets_key(covey_sheets *sheets, covey_export_table *table, const char *const *columns, size_t n,
                                covey_error *err);

/* arrow.c: a table that covey_i_sheets_read_one has read, as covey_export_stream gives it. */
covey_status covey_i_arrow_of_table(struct ArrowArrayStream *out, covey_export_table *table, const covey_stated *stated,
                                    covey_error *err);

/* The cell of a row; NULL: it is missing. */
const covey_export_column *covey_i_sheet_column(const covey_export_table *table, const char *name); /* NULL: none */
static inline const char *covey_i_sheet_cell(const covey_export_column *column, int64_t row, size_t *size)
{
    const uint32_t code = covey_column_code(column->text, row);

    *size = covey_column_label_size(column->text, code);
    if ((code == 0 && column->text->has_null) || (*size == 0 && column->empty_is_null))
        return NULL;
    return covey_column_label(column->text, code);
}

#endif
