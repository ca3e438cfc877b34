/* Cells and types of the tables that an export writes. */
#include "export/sheets.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "io/csv/read.h"
#include "io/database/rows.h"
#include "io/database/sql_name.h"
#include "reader/contents.h"
#include "table/table_impl.h"

enum { MOST_DIGITS = 15 }; /* that a decimal of an exported table may have to be one in every database */

static bool grow(void **array, size_t n, size_t *capacity, size_t size)
{
    const size_t more = *capacity ? 2 * *capacity : 16;
    void *grown;

    if (n < *capacity)
        return true;
    if (!(grown = covey_i_realloc(*array, more, size)))
        return false;
    *array = grown;
    *capacity = more;
    return true;
}

covey_export_table *covey_i_sheets_find(const covey_sheets *sheets, const char *name)
{
    for (size_t i = 0; i < sheets->n_tables; i++)
        if (strcmp(sheets->table[i].name, name) == 0)
            return &sheets->table[i];
    return NULL;
}

const covey_export_column *covey_i_sheet_column(const covey_export_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->column[c].name, name) == 0)
            return &table->column[c];
    return NULL;
}

/* ---- types ---- */

static bool is_of_type(const char *text, size_t size, covey_type type)
{
    int64_t number;
    int scale;

    if (type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(&number, text, size);
    return covey_i_typing_parse_decimal(&number, &scale, text, size) &&
           (type == COVEY_TYPE_DECIMAL || !memchr(text, '.', size));
}

/* Is every cell of the type? */
static bool fits(const covey_export_column *column, covey_type type)
{
    const covey_column *text = column->text;

    for (uint32_t v = text->has_null; v < text->n_values; v++) {
        const size_t size = covey_column_label_size(text, v);

        if (!(size == 0 && column->empty_is_null) && !is_of_type(covey_column_label(text, v), size, type))
            return false;
    }
    return text->n_values > 0;
}

/* Figures that a method has computed (0.0060000000000000001): more digits than decimals have. */
static bool is_real(const covey_column *text)
{
    bool is_long = false;

    for (uint32_t v = text->has_null; v < text->n_values; v++) {
        const char *label = covey_column_label(text, v);
        const size_t size = covey_column_label_size(text, v);

        if (size == 0 || strspn(label, "0123456789.eE+-") != size || !strpbrk(label, "0123456789") || label[0] == 'e' ||
            label[0] == 'E')
            return false;
        if (label[0] == '0' && size > 1 && label[1] != '.' && label[1] != 'e') /* a code */
            return false;
        is_long |= size > MOST_DIGITS || strchr(label, 'e');
    }
    return is_long && text->n_values > text->has_null;
}

static bool has_codes(const covey_column *text)
{
    for (uint32_t v = text->has_null; v < text->n_values; v++)
        if (covey_i_typing_has_leading_zeros(covey_column_label(text, v), covey_column_label_size(text, v)))
            return true;
    return false;
}

/* The type of a column that the manifest does not speak of. */
static covey_status guess(covey_export_column *column, bool may_be_real, covey_error *err)
{
    covey_column *typed = NULL;
    covey_export_column with_null = *column;

    COVEY_TRY(covey_i_typing_column_type(&typed, (covey_column *)(uintptr_t)column->text, COVEY_TYPE_GUESS, NULL, 0,
                                         column->name, err));
    column->type = typed->type;
    covey_i_column_free(typed);
    column->is_real =
        may_be_real && (column->type == COVEY_TYPE_TEXT || column->type == COVEY_TYPE_DECIMAL) && is_real(column->text);
    if (column->is_real)
        return COVEY_OK;
    if (column->type != COVEY_TYPE_TEXT || column->text->n_values < 2)
        return COVEY_OK;
    /* Numbers with empty cells between: the empty ones are missing. */
    with_null.empty_is_null = true;
    for (covey_type type = COVEY_TYPE_INTEGER; type <= COVEY_TYPE_DATE; type++)
        if (covey_column_label_size(column->text, 0) == 0 && fits(&with_null, type) &&
            (type == COVEY_TYPE_DATE || !has_codes(column->text))) {
            *column = with_null;
            column->type = type;
            break;
        }
    return COVEY_OK;
}

covey_status covey_i_sheets_guess(covey_export_column *column, const covey_stated *stated, covey_error *err)
{
    const int at = covey_i_stated_column(stated, column->name);

    if (at < 0 || stated->column[at].role != COVEY_ROLE_INSENSITIVE || column->type != COVEY_TYPE_TEXT)
        return COVEY_OK;
    return guess(column, false, err);
}

/* May a column of that role stand in the table?  Others have columns of the form's own, which a column of the release
 * may be called like: "hits". */
static bool may_hold(const char *table, covey_role role)
{
    static const char *const own[] = {"help", "perturbation", "matrix", "target", "groups"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(table, own[i]) == 0)
            return false;
    return strcmp(table, "sensitive") != 0 || role == COVEY_ROLE_SENSITIVE;
}

/* Does a column of the form's own hold values of the sensitive one, and is compared with it? */
static bool holds_sensitive(const char *table, const char *column)
{
    return (strcmp(table, "perturbation") == 0 && strcmp(column, "value") == 0) ||
           (strcmp(table, "matrix") == 0 && (strcmp(column, "published") == 0 || strcmp(column, "original") == 0));
}

static const covey_stated_column *find_stated(const covey_export_column *column, const char *table,
                                              const covey_stated *stated)
{
    const int at = covey_i_stated_column(stated, column->name);

    if (holds_sensitive(table, column->name))
        for (size_t i = 0; i < stated->n_columns; i++)
            if (stated->column[i].role == COVEY_ROLE_SENSITIVE)
                return &stated->column[i];
    return at >= 0 && may_hold(table, stated->column[at].role) ? &stated->column[at] : NULL;
}

/* What the manifest says of a column that is published as it is; false: nothing. */
static bool stated_type(covey_export_column *column, const char *table, const covey_stated *stated)
{
    const covey_stated_column *s = find_stated(column, table, stated);

    if (!s)
        return false;
    column->type = COVEY_TYPE_TEXT;
    if (s->publish != COVEY_PUBLISH_VALUE)
        return true;
    column->empty_is_null = s->type != COVEY_TYPE_TEXT || s->has_missing;
    if (s->type != COVEY_TYPE_TEXT && fits(column, s->type))
        column->type = s->type;
    return true;
}

/* ---- tables ---- */

static covey_status take_over(covey_sheets *sheets, covey_table *table, covey_error *err)
{
    if (!grow((void **)&sheets->source, sheets->n_sources, &sheets->source_capacity, sizeof *sheets->source)) {
        covey_table_free(table);
        return covey_i_no_memory(err);
    }
    sheets->source[sheets->n_sources++] = table;
    return COVEY_OK;
}

covey_status covey_i_sheets_add(covey_export_table **out, covey_sheets *sheets, const char *name, covey_table *table,
                                bool is_published, covey_error *err)
{
    covey_export_table t = {.name = covey_arena_strdup(&sheets->arena, name),
                            .n_rows = covey_table_n_rows(table),
                            .n_columns = covey_table_n_columns(table)};

    COVEY_TRY(take_over(sheets, table, err));
    t.column = covey_arena_array_zero(&sheets->arena, covey_export_column, t.n_columns);
    if (!t.name || !t.column ||
        !grow((void **)&sheets->table, sheets->n_tables, &sheets->table_capacity, sizeof *sheets->table))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < t.n_columns; c++) {
        t.column[c] =
            (covey_export_column){.name = covey_table_column(table, c)->name, .text = covey_table_column(table, c)};
        if (!is_published || !stated_type(&t.column[c], name, sheets->stated))
            COVEY_TRY(
                guess(&t.column[c], strcmp(name, "help") != 0, err)); /* sums of decimals are exact, however long */
    }
    sheets->table[sheets->n_tables] = t;
    *out = &sheets->table[sheets->n_tables++];
    return COVEY_OK;
}

covey_status covey_i_sheets_key(covey_sheets *sheets, covey_export_table *table, const char *const *columns, size_t n,
                                covey_error *err)
{
    const char **list = covey_arena_array_zero(&sheets->arena, const char *, n + 1);
    size_t at = 0;

    for (size_t i = 0; list && i < n; i++)
        if (!(list[i] = covey_arena_strdup(&sheets->arena, columns[i])))
            return covey_i_no_memory(err);
    while (at < sizeof table->key / sizeof *table->key - 1 && table->key[at])
        at++;
    table->key[at] = list;
    return list ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status add_view(covey_sheets *sheets, const char *name, const char *sql, covey_error *err)
{
    covey_export_view view = {covey_arena_strdup(&sheets->arena, name), covey_arena_strdup(&sheets->arena, sql)};

    if (!view.name || !view.sql ||
        !grow((void **)&sheets->view, sheets->n_views, &sheets->view_capacity, sizeof *sheets->view))
        return covey_i_no_memory(err);
    sheets->view[sheets->n_views++] = view;
    return COVEY_OK;
}

/* ---- files ---- */

/* "hierarchies/zip.csv": hierarchy_zip; "table.csv": table. */
static char *table_name(covey_arena *arena, const char *file)
{
    static const char folder[] = "hierarchies/";
    const bool is_hierarchy = strncmp(file, folder, sizeof folder - 1) == 0;
    const char *base = is_hierarchy ? file + sizeof folder - 1 : file;
    const size_t size = strlen(base), kept = size > 4 && strcmp(base + size - 4, ".csv") == 0 ? size - 4 : size;
    char *name = covey_arena_array(arena, char, kept + sizeof "hierarchy_");

    if (name) {
        memcpy(name, "hierarchy_", sizeof "hierarchy_");
        memcpy(name + (is_hierarchy ? strlen("hierarchy_") : 0), base, kept);
        name[(is_hierarchy ? strlen("hierarchy_") : 0) + kept] = '\0';
    }
    return name;
}

/* The columns of a hierarchy are its levels. */
static covey_status name_levels(covey_sheets *sheets, covey_export_table *table, covey_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        char name[32];

        snprintf(name, sizeof name, "level_%zu", c);
        table->column[c].type = COVEY_TYPE_TEXT; /* a leaf may be 20 where its parent is 20-29 */
        table->column[c].empty_is_null = false;
        if (!(table->column[c].name = covey_arena_strdup(&sheets->arena, name)))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

static covey_status read_table(covey_table **out, const char *path, const covey_sheets *sheets,
                               const covey_stated_file *file, const covey_csv_options *options, const covey_run *run,
                               covey_error *err)
{
    covey_infile text = COVEY_INFILE_INIT;
    covey_status status;

    if (file->n_parts == 0)
        return covey_csv_read(out, path, options, run, err);
    COVEY_TRY(covey_i_contents_open(&text, sheets->folder, file, COVEY_CONTENTS_MOST, err));
    status = covey_i_csv_read_file(out, &text, path, options, 0, run, err);
    covey_i_infile_close(&text);
    return status;
}

static covey_status read_file(covey_sheets *sheets, const covey_stated_file *file, const covey_run *run,
                              covey_error *err)
{
    static const char *const nothing[] = {""}; /* of which none are listed: an empty cell is a text at first */
    const bool is_hierarchy = strncmp(file->name, "hierarchies/", strlen("hierarchies/")) == 0;
    const covey_csv_options options = {
        .delimiter = is_hierarchy ? ';' : ',', .null = nothing, .no_header = is_hierarchy};
    const char *path = covey_i_contents_path(&sheets->arena, sheets->folder, file->name),
               *name = table_name(&sheets->arena, file->name);
    covey_export_table *added;
    covey_table *table = NULL;

    if (!path || !name)
        return covey_i_no_memory(err);
    COVEY_TRY(read_table(&table, path, sheets, file, &options, run, err));
    if (covey_table_n_rows(table) != file->n_rows) {
        covey_table_free(table);
        return covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0,
                             "has not as many rows as manifest.json says (covey verify says more)");
    }
    COVEY_TRY(covey_i_sheets_add(&added, sheets, name, table, !is_hierarchy, err));
    return is_hierarchy ? name_levels(sheets, added, err) : COVEY_OK;
}

/* Table manifest: one line per key of manifest.json, its value as JSON. */
static covey_status add_manifest(covey_sheets *sheets, const covey_run *run, covey_error *err)
{
    static const char *const names[] = {"key", "value"}, *const nothing[] = {""};
    const covey_csv_options options = {.null = nothing};
    covey_rows *rows = NULL;
    covey_table *table = NULL;
    covey_export_table *added;
    covey_status status;
    const char *key;
    json_t *value;

    COVEY_TRY(covey_i_rows_begin(&rows, "manifest.json", names, 2, &options, run, err));
    status = COVEY_OK;
    json_object_foreach(sheets->stated->root, key, value)
    {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

        if (text) {
            covey_i_rows_cell(rows, 0, key, strlen(key));
            covey_i_rows_cell(rows, 1, text, strlen(text));
            status = covey_i_rows_end_row(rows, err);
        } else {
            status = covey_i_no_memory(err);
        }
        free(text);
        if (status != COVEY_OK)
            break;
    }
    if (status == COVEY_OK)
        status = covey_i_rows_finish(&table, rows, err);
    covey_i_rows_free(rows);
    if (status == COVEY_OK)
        status = covey_i_sheets_add(&added, sheets, "manifest", table, false, err);
    if (status == COVEY_OK)
        added->column[0].type = added->column[1].type = COVEY_TYPE_TEXT;
    return status;
}

/* ---- keys and views ---- */

static covey_status add_keys(covey_sheets *sheets, covey_error *err)
{
    static const char *const numbers[] = {"class", "group", "bucket", "target"};

    for (size_t i = 0; i < sheets->n_tables; i++) {
        covey_export_table *table = &sheets->table[i];
        const char *key[2] = {table->n_columns ? table->column[0].name : "", "hits"};
        const size_t n = covey_i_sheet_column(table, "hits") ? 2 : 1;

        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (strcmp(key[0], numbers[k]) == 0)
                COVEY_TRY(covey_i_sheets_key(sheets, table, key, n, err));
    }
    return COVEY_OK;
}

/* View release: the rows that queries speak of. */
static covey_status add_release_view(covey_sheets *sheets, covey_error *err)
{
    static const char *const rows[] = {"table", "quasi"};
    covey_text sql = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sql.size == 0 && covey_i_sheets_find(sheets, rows[i])) {
            covey_i_text_add_string(&sql, "SELECT * FROM ");
            covey_i_sql_add_name(&sql, rows[i]);
        }
    if (sql.broken)
        status = covey_i_no_memory(err);
    else if (sql.size > 0)
        status = add_view(sheets, "release", sql.bytes, err);
    covey_i_text_free(&sql);
    return status;
}

covey_status covey_i_sheets_read(covey_sheets *sheets, const covey_stated *stated, const char *folder,
                                 const covey_run *run, covey_error *err)
{
    *sheets = (covey_sheets){.stated = stated, .folder = folder, .arena = COVEY_ARENA_INIT};
    for (size_t i = 0; i < stated->n_files; i++)
        COVEY_TRY(read_file(sheets, &stated->file[i], run, err));
    COVEY_TRY(add_manifest(sheets, run, err));
    COVEY_TRY(add_keys(sheets, err));
    return add_release_view(sheets, err);
}

covey_status covey_i_sheets_read_one(covey_export_table **out, covey_sheets *sheets, const covey_stated *stated,
                                     const char *folder, const char *name, const covey_run *run, covey_error *err)
{
    *sheets = (covey_sheets){.stated = stated, .folder = folder, .arena = COVEY_ARENA_INIT};
    for (size_t i = 0; i < stated->n_files; i++) {
        const char *own = table_name(&sheets->arena, stated->file[i].name);

        if (!own)
            return covey_i_no_memory(err);
        if (strcmp(own, name) != 0)
            continue;
        COVEY_TRY(read_file(sheets, &stated->file[i], run, err));
        *out = &sheets->table[0];
        return COVEY_OK;
    }
    return covey_fail_at(err, COVEY_ENOTFOUND, folder, 0, NULL, 0, "the release has no table \"%s\"", name);
}

void covey_i_sheets_clear(covey_sheets *sheets)
{
    for (size_t i = 0; i < sheets->n_sources; i++)
        covey_table_free(sheets->source[i]);
    covey_i_free(sheets->source);
    covey_i_free(sheets->table);
    covey_i_free(sheets->view);
    covey_arena_free(&sheets->arena);
    *sheets = (covey_sheets){0};
}
