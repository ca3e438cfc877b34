/* Tables that say which values each published cell stands for. */
#include "export/cells_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "io/database/rows.h"
#include "query/query_impl.h"
#include "table/table_impl.h"

enum { LEAF_COLUMNS = 3, NUMBER_COLUMNS = 5 };

/* Tables of ours have no texts that mean "missing". */
static const char *const nothing[] = {""};
static const covey_csv_options as_they_are = {.null = nothing};

static void add_text(covey_rows *rows, size_t k, const char *text)
{
    covey_i_rows_cell(rows, k, text, text ? strlen(text) : 0);
}

static void add_number(covey_rows *rows, size_t k, const covey_query_column *column, int64_t number)
{
    char text[64];

    covey_i_typing_format_number(text, sizeof text, column ? column->type : COVEY_TYPE_INTEGER, number,
                                 column ? column->scale : 0);
    add_text(rows, k, text);
}

static covey_status finish(covey_sheets *sheets, const char *name, covey_rows *rows, const char *key, covey_error *err)
{
    covey_table *table = NULL;
    covey_export_table *added;

    COVEY_TRY(covey_i_rows_finish(&table, rows, err));
    COVEY_TRY(covey_i_sheets_add(&added, sheets, name, table, false, err));
    return covey_i_sheets_key(sheets, added, &key, 1, err);
}

/* ---- classes ---- */

static bool has_ranges(const covey_query_column *column)
{
    return column->opened->stated->publish == COVEY_PUBLISH_RANGE;
}

static void add_range(covey_rows *rows, size_t k, const covey_query_column *column, const covey_query_cell *cell)
{
    if (cell->has_range) {
        add_number(rows, k, column, cell->low);
        add_number(rows, k + 1, column, cell->high);
    } else {
        add_text(rows, k, NULL);
        add_text(rows, k + 1, NULL);
    }
    add_text(rows, k + 2, !cell->has_null ? "0" : cell->has_range ? "1" : "2");
}

static covey_status add_class(covey_rows *rows, const covey_query_release *release, uint32_t class, covey_error *err)
{
    size_t k = 2;

    add_number(rows, 0, NULL, class + (int64_t)1);
    add_number(rows, 1, NULL, release->opened->class_start[class + 1] - release->opened->class_start[class]);
    for (size_t c = 0; c < release->n_columns; c++)
        if (has_ranges(&release->column[c])) {
            add_range(rows, k, &release->column[c],
                      &release->column[c].cell[release->opened->column[c].class_cell[class]]);
            k += 3;
        }
    return covey_i_rows_end_row(rows, err);
}

/* Names of the columns, in the sheets' arena. */
static const char **name_columns(size_t *n, covey_sheets *sheets, const covey_query_release *release)
{
    static const char *const endings[] = {"low", "high", "missing"};
    const char **names = covey_arena_array(&sheets->arena, const char *, 2 + 3 * release->n_columns);

    if (!names)
        return NULL;
    names[0] = "class";
    names[1] = "rows";
    *n = 2;
    for (size_t c = 0; c < release->n_columns; c++)
        for (int i = 0; i < 3 && has_ranges(&release->column[c]); i++) {
            const size_t size = strlen(release->column[c].name) + sizeof "_missing";
            char *name = covey_arena_array(&sheets->arena, char, size);

            if (!name)
                return NULL;
            snprintf(name, size, "%s_%s", release->column[c].name, endings[i]);
            names[(*n)++] = name;
        }
    return names;
}

static covey_status add_classes(covey_sheets *sheets, const covey_query_release *release, const covey_run *run,
                                covey_error *err)
{
    covey_rows *rows = NULL;
    covey_status status;
    size_t n;
    const char **names = name_columns(&n, sheets, release);

    if (!names)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_rows_begin(&rows, "the classes of a release", names, n, &as_they_are, run, err));
    status = COVEY_OK;
    for (uint32_t class = 0; status == COVEY_OK && class < release->opened->n_classes; class ++)
        status = add_class(rows, release, class, err);
    if (status == COVEY_OK)
        status = finish(sheets, "classes", rows, "class", err);
    covey_i_rows_free(rows);
    return status;
}

/* ---- leaves ---- */

/* low and high: NULL for no number, or no end on that side. */
static covey_status add_leaf(covey_rows *rows, const covey_query_column *column, uint32_t code, const char *leaf,
                             const char *kind, const int64_t *low, const int64_t *high, covey_error *err)
{
    add_text(rows, 0, covey_column_label(column->text, code));
    add_text(rows, 1, leaf);
    add_text(rows, 2, kind);
    for (size_t k = LEAF_COLUMNS; column->is_number && k < NUMBER_COLUMNS; k++) {
        const int64_t *number = k == LEAF_COLUMNS ? low : high;

        if (number)
            add_number(rows, k, column, *number);
        else
            add_text(rows, k, NULL);
    }
    return covey_i_rows_end_row(rows, err);
}

static covey_status add_cell(covey_rows *rows, const covey_query_column *column, uint32_t code, covey_error *err)
{
    const covey_query_cell *cell = &column->cell[code];

    if (cell->has_null)
        COVEY_TRY(add_leaf(rows, column, code, NULL, "missing", NULL, NULL, err));
    if (cell->has_other)
        COVEY_TRY(add_leaf(rows, column, code, NULL, "open", NULL, NULL, err));
    if (cell->has_range)
        COVEY_TRY(add_leaf(rows, column, code, NULL, cell->high_open ? "below" : "range",
                           cell->low == COVEY_NO_LOW ? NULL : &cell->low,
                           cell->high == COVEY_NO_HIGH ? NULL : &cell->high, err));
    for (uint32_t i = 0; i < cell->n_items; i++) {
        const covey_query_item *item = &column->item[cell->item ? cell->item[i] : cell->first + i];

        const int64_t *number = column->is_number && item->has_number ? &item->number : NULL;

        COVEY_TRY(add_leaf(rows, column, code, item->is_null ? NULL : item->label,
                           item->is_null   ? "missing"
                           : item->is_open ? "open"
                                           : "value",
                           number, number, err));
    }
    return COVEY_OK;
}

static covey_status add_leaves(covey_sheets *sheets, const covey_query_column *column, const covey_run *run,
                               covey_error *err)
{
    static const char *const names[NUMBER_COLUMNS] = {"cell", "leaf", "kind", "low", "high"};
    covey_text name = COVEY_TEXT_INIT;
    covey_rows *rows = NULL;
    covey_status status;

    COVEY_TRY(covey_i_rows_begin(&rows, "the cells of a release", names,
                                 column->is_number ? NUMBER_COLUMNS : LEAF_COLUMNS, &as_they_are, run, err));
    covey_i_rows_are_no_input(rows); /* a value may be called null, and an open cell has none */
    covey_i_text_add_format(&name, "leaves_%s", column->name);
    status = name.broken ? covey_i_no_memory(err) : COVEY_OK;
    for (uint32_t code = 0; status == COVEY_OK && code < column->text->n_values; code++)
        status = add_cell(rows, column, code, err);
    if (status == COVEY_OK)
        status = finish(sheets, name.bytes, rows, "cell", err);
    covey_i_text_free(&name);
    covey_i_rows_free(rows);
    return status;
}

covey_status covey_i_cells_add(covey_sheets *sheets, const covey_run *run, covey_error *err)
{
    covey_query_release *release = NULL;
    covey_status status;

    if (strcmp(sheets->stated->form, "generalized") != 0)
        return COVEY_OK;
    COVEY_TRY(covey_query_open(&release, sheets->folder, run, err));
    status = add_classes(sheets, release, run, err);
    for (size_t c = 0; status == COVEY_OK && c < release->n_columns; c++)
        if (release->column[c].role == COVEY_ROLE_QUASI && !has_ranges(&release->column[c]))
            status = add_leaves(sheets, &release->column[c], run, err);
    covey_query_close(release);
    return status;
}
