/* Reading a table from data in memory: every column on its own, then what all readers end in. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/arrow/cells.h"
#include "io/arrow/codebook.h"
#include "io/arrow/data.h"
#include "io/arrow/table.h"
#include "io/format_impl.h"

struct reading {
    const covey_arrow_data *data;
    const covey_csv_options *options;
    const char **name;          /* [n_kept] */
    bool *kept;                 /* [n_kept] all true: what the second half asks for */
    covey_arrow_column *column; /* [n_kept] */
    size_t n_kept;
    covey_csv_scanner scanner;
    covey_csv_chunk chunk;
};

static covey_status check_name(const covey_arrow_data *data, size_t c, covey_error *err)
{
    const char *name = data->schema.children[c]->name;
    size_t bad;

    if (!name || !name[0])
        return covey_fail_at(err, COVEY_EPARSE, data->shown, 0, NULL, 0,
                             "column %zu has no name; a policy could not call it", c + 1);
    if (!covey_i_text_is_utf8(name, strlen(name), &bad))
        return covey_fail_at(err, COVEY_EPARSE, data->shown, 0, NULL, 0, "the name of column %zu is not valid UTF-8",
                             c + 1);
    for (size_t b = 0; b < c; b++)
        if (strcmp(data->schema.children[b]->name, name) == 0)
            return covey_fail_at(err, COVEY_EPARSE, data->shown, 0, name, 0,
                                 "columns %zu and %zu are both called \"%s\"", b + 1, c + 1, name);
    return COVEY_OK;
}

static covey_status add_column(struct reading *r, size_t c, covey_error *err)
{
    const struct ArrowSchema *schema = r->data->schema.children[c];
    covey_arrow_column *column = &r->column[r->n_kept];
    const char *what;

    *column = (covey_arrow_column){
        .data = r->data, .child = c, .trim = r->options->trim, .chunk = &r->chunk, .to = r->n_kept};
    if (!covey_i_arrow_field(&column->field, &what, schema))
        return covey_fail_at(
            err, COVEY_EINVAL, r->data->shown, 0, schema->name, 0,
            "column \"%s\": values of type %s (Arrow format \"%s\") are no cells of a table; turn them "
            "into numbers, texts or dates, or drop the column",
            schema->name, what, schema->format);
    r->name[r->n_kept] = schema->name;
    r->kept[r->n_kept++] = true;
    return COVEY_OK;
}

static covey_status choose_columns(struct reading *r, covey_error *err)
{
    const size_t n = (size_t)r->data->schema.n_children;

    r->name = covey_i_array_zero(n, sizeof *r->name);
    r->kept = covey_i_array_zero(n, sizeof *r->kept);
    r->column = covey_i_array_zero(n, sizeof *r->column);
    if (!r->name || !r->kept || !r->column)
        return covey_i_no_memory(err);
    if (n == 0)
        return covey_fail_at(err, COVEY_EPARSE, r->data->shown, 0, NULL, 0, "the table has no columns");
    for (size_t c = 0; c < n; c++)
        COVEY_TRY(check_name(r->data, c, err));
    for (size_t c = 0; c < n; c++)
        if (!r->options->keep || r->options->keep(r->options->context, r->data->schema.children[c]->name))
            COVEY_TRY(add_column(r, c, err));
    return covey_i_table_check_width(r->data->shown, r->n_kept, r->options->keep != NULL, err);
}

/* The dictionaries, and the one chunk that holds all rows. */
static covey_status make_room(struct reading *r, covey_error *err)
{
    r->chunk.n_line_ends = r->data->n_rows;
    r->chunk.n_rows = r->data->n_rows;
    r->chunk.codes = covey_i_array_zero(r->n_kept, sizeof *r->chunk.codes);
    r->chunk.width = covey_i_array_zero(r->n_kept, 1);
    if (!r->chunk.codes || !r->chunk.width ||
        (r->n_kept > 0 && !covey_i_csv_scanner_init(&r->scanner, r->n_kept, ',', false, r->kept)))
        return covey_i_no_memory(err);
    for (size_t k = 0; k < r->n_kept; k++)
        r->column[k].dictionary = &r->scanner.dictionary[k];
    return COVEY_OK;
}

static covey_status encode_column(void *context, size_t task, covey_error *err)
{
    struct reading *r = context;

    return covey_i_arrow_column_codes(&r->column[task], err);
}

static covey_status make_table(covey_table **out, struct reading *r, const covey_run *run, covey_error *err)
{
    static const char *const empty[] = {""};
    covey_lines *lines = covey_i_array_zero(1, sizeof *lines);
    covey_csv_parts parts = {.path = r->data->shown,
                             .name = r->name,
                             .kept = r->kept,
                             .n_columns = r->n_kept,
                             .null = r->options->null ? r->options->null : empty,
                             .n_null = r->options->null ? r->options->n_null : 1,
                             .has_sql_null = true,
                             .scanner = &r->scanner,
                             .n_workers = 1,
                             .chunk = &r->chunk,
                             .n_chunks = 1,
                             .n_rows = r->data->n_rows,
                             .lines = lines};
    covey_table *table = NULL;
    covey_status status;

    if (!lines)
        return covey_i_no_memory(err);
    lines->references = 1;
    lines->first_line = 1;
    lines->are_rows = true;
    status = covey_i_csv_columns(&table, &parts, run, err);
    covey_i_lines_free(lines);
    for (size_t k = 0; status == COVEY_OK && k < r->n_kept; k++)
        table->columns[k]->is_typed = covey_i_arrow_field_is_typed(&r->column[k].field);
    if (status == COVEY_OK)
        status = covey_i_arrow_codebook(&table->codebook, &r->data->schema, err);
    if (status == COVEY_OK)
        *out = table;
    else
        covey_table_free(table);
    return status;
}

static covey_status read_table(covey_table **out, struct reading *r, const covey_run *run, covey_error *err)
{
    if (r->options->delimiter || r->options->no_header)
        return covey_fail_at(err, COVEY_EINVAL, r->data->shown, 0, NULL, 0,
                             "a delimiter or a missing header is for CSV files: this table has neither");
    COVEY_TRY(choose_columns(r, err));
    COVEY_TRY(make_room(r, err));
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), r->n_kept, encode_column, r, err));
    COVEY_TRY(covey_i_run_goes_on(run, "reading", r->data->n_rows, r->data->n_rows, err));
    return make_table(out, r, run, err);
}

covey_status covey_i_arrow_table(covey_table **out, const char *source, const covey_csv_options *options,
                                 const covey_run *run, covey_error *err)
{
    static const covey_csv_options defaults = COVEY_CSV_OPTIONS_INIT;
    covey_arrow_data *data = covey_i_arrow_data_share(source);
    struct reading r = {.data = data, .options = options ? options : &defaults};
    covey_status status;

    if (!data)
        return covey_fail_at(err, COVEY_ENOTFOUND, source, 0, NULL, 0,
                             "no table of this process is called so (any more); for a file of that name write ./%s",
                             source);
    status = read_table(out, &r, run, err);
    covey_i_csv_chunk_clear(&r.chunk, r.n_kept);
    covey_i_csv_scanner_free(&r.scanner);
    covey_i_free(r.name);
    covey_i_free(r.kept);
    covey_i_free(r.column);
    covey_arrow_data_free(data);
    return status;
}

const covey_format_impl covey_i_format_arrow = {
    .facts = {.name = "arrow",
              .summary = "tables in the memory of a program, such as data frames; not for the command line",
              .source = "Apache Arrow, The Arrow C data interface",
              .reads = true,
              .writes = true,
              .is_built = true},
    .kind = COVEY_SOURCE_ARROW,
};
