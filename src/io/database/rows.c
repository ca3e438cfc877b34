/* Collecting cells that come one by one.  One dictionary per column and batches of codes, which the CSV reader's second
 * half joins into columns.
 */
#include "io/database/rows.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/run.h"
#include "io/csv/columns.h"

enum { ROWS_PER_CHUNK = 1 << 16, PADDING = 16 };

struct covey_rows {
    const char *source;
    const covey_csv_options *options;
    const covey_run *run;
    char **name;    /* [n_kept] */
    size_t *number; /* [n_kept] of the column in the source */
    bool *kept;     /* [n_kept] all true: what the second half asks for */
    bool *has_text; /* [n_kept] */
    size_t n_kept;
    covey_csv_scanner scanner;
    covey_csv_chunk *chunk; /* [n_chunks] of ROWS_PER_CHUNK rows, the last of fewer */
    size_t n_chunks;
    int64_t n_rows;
    covey_text cell; /* with readable bytes behind it */
    bool broken;     /* memory ran out */
    bool any_null;   /* see columns.h */
};

static covey_status fail_memory(const covey_rows *rows, covey_error *err)
{
    return covey_i_no_memory(err);
}

static covey_status check_name(const char *source, const char *const *names, size_t c, covey_error *err)
{
    size_t bad;

    if (names[c][0] == '\0')
        return covey_fail_at(err, COVEY_EPARSE, source, 0, NULL, 0,
                             "column %zu has no name; a policy could not call it", c + 1);
    if (!covey_i_text_is_utf8(names[c], strlen(names[c]), &bad))
        return covey_fail_at(err, COVEY_EPARSE, source, 0, NULL, 0, "the name of column %zu is not valid UTF-8", c + 1);
    for (size_t b = 0; b < c; b++)
        if (strcmp(names[b], names[c]) == 0)
            return covey_fail_at(err, COVEY_EPARSE, source, 0, names[c], 0,
                                 "columns %zu and %zu are both called \"%s\"", b + 1, c + 1, names[c]);
    return COVEY_OK;
}

static covey_status choose_columns(covey_rows *rows, const char *const *names, size_t n, covey_error *err)
{
    rows->name = covey_i_array_zero(n, sizeof *rows->name);
    rows->number = covey_i_array(n, sizeof *rows->number);
    rows->kept = covey_i_array(n, sizeof *rows->kept);
    rows->has_text = covey_i_array_zero(n, sizeof *rows->has_text);
    if (!rows->name || !rows->number || !rows->kept || !rows->has_text)
        return fail_memory(rows, err);
    for (size_t c = 0; c < n; c++)
        COVEY_TRY(check_name(rows->source, names, c, err));
    for (size_t c = 0; c < n; c++) {
        if (rows->options->keep && !rows->options->keep(rows->options->context, names[c]))
            continue;
        if (!(rows->name[rows->n_kept] = covey_i_strdup(names[c])))
            return fail_memory(rows, err);
        rows->kept[rows->n_kept] = true;
        rows->number[rows->n_kept++] = c;
    }
    return covey_i_table_check_width(rows->source, rows->n_kept, rows->options->keep != NULL, err);
}

covey_status covey_i_rows_begin(covey_rows **out, const char *source, const char *const *names, size_t n,
                                const covey_csv_options *options, const covey_run *run, covey_error *err)
{
    static const covey_csv_options defaults = COVEY_CSV_OPTIONS_INIT;
    covey_rows *rows;
    covey_status status;

    if (options && options->delimiter)
        return covey_fail_at(err, COVEY_EINVAL, source, 0, NULL, 0,
                             "a delimiter is for files: a table of a database has none");
    if (options && options->no_header)
        return covey_fail_at(err, COVEY_EINVAL, source, 0, NULL, 0,
                             "columns of a database have names: no_header is for files");
    if (!(rows = covey_i_array_zero(1, sizeof *rows)))
        return covey_i_no_memory(err);
    *rows =
        (covey_rows){.source = source, .options = options ? options : &defaults, .run = run, .cell = COVEY_TEXT_INIT};
    status = choose_columns(rows, names, n, err);
    if (status == COVEY_OK && rows->n_kept > 0 &&
        !covey_i_csv_scanner_init(&rows->scanner, rows->n_kept, ',', false, rows->kept))
        status = fail_memory(rows, err);
    if (status == COVEY_OK)
        *out = rows;
    else
        covey_i_rows_free(rows);
    return status;
}

void covey_i_rows_are_no_input(covey_rows *rows)
{
    rows->any_null = true;
}

size_t covey_i_rows_n_kept(const covey_rows *rows)
{
    return rows->n_kept;
}

size_t covey_i_rows_kept(const covey_rows *rows, size_t k)
{
    return rows->number[k];
}

static bool add_chunk(covey_rows *rows)
{
    covey_csv_chunk *chunks = covey_i_realloc(rows->chunk, rows->n_chunks + 1, sizeof *chunks), *chunk;

    if (!chunks)
        return false;
    rows->chunk = chunks;
    chunk = &chunks[rows->n_chunks++];
    *chunk = (covey_csv_chunk){.codes = covey_i_array_zero(rows->n_kept, sizeof *chunk->codes),
                               .width = covey_i_array(rows->n_kept, sizeof *chunk->width)};
    for (size_t k = 0; chunk->codes && chunk->width && k < rows->n_kept; k++) {
        chunk->width[k] = sizeof(uint32_t);
        if (!(chunk->codes[k] = covey_i_array(ROWS_PER_CHUNK, sizeof(uint32_t))))
            return false;
    }
    return chunk->codes && chunk->width;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void covey_i_rows_cell(covey_rows *rows, size_t k, const char *bytes, size_t size)
{
    static const char nothing[PADDING] = {0};
    const int64_t row = rows->n_rows % ROWS_PER_CHUNK;

    if (rows->broken || (row == 0 && k == 0 && !add_chunk(rows)) || size > UINT32_MAX - PADDING) {
        rows->broken = true;
        return;
    }
    while (bytes && rows->options->trim && size > 0 && is_blank(*bytes)) {
        bytes++;
        size--;
    }
    while (bytes && rows->options->trim && size > 0 && is_blank(bytes[size - 1]))
        size--;
    covey_i_text_clear(&rows->cell);
    covey_i_text_add(&rows->cell, bytes ? bytes : COVEY_CSV_SQL_NULL, bytes ? size : sizeof COVEY_CSV_SQL_NULL - 1);
    size = rows->cell.size;
    covey_i_text_add(&rows->cell, nothing, PADDING);
    if ((rows->broken = rows->cell.broken))
        return;
    ((uint32_t *)rows->chunk[rows->n_chunks - 1].codes[k])[row] =
        covey_i_dictionary_code(&rows->scanner.dictionary[k], rows->cell.bytes, (uint32_t)size);
    rows->broken = rows->scanner.dictionary[k].broken;
}

void covey_i_rows_has_texts(covey_rows *rows, size_t k)
{
    rows->has_text[k] = true;
}

covey_status covey_i_rows_end_row(covey_rows *rows, covey_error *err)
{
    if (rows->broken)
        return fail_memory(rows, err);
    if (++rows->n_rows > UINT32_MAX)
        return covey_fail_at(err, COVEY_EPARSE, rows->source, 0, NULL, 0,
                             "has more than 4294967295 rows; split the table");
    if (rows->n_kept > 0)
        rows->chunk[rows->n_chunks - 1].n_rows++;
    return rows->n_rows % ROWS_PER_CHUNK == 0 ? covey_i_run_goes_on(rows->run, "reading", rows->n_rows, 0, err)
                                              : COVEY_OK;
}

covey_status covey_i_rows_refuse(const covey_rows *rows, size_t k, const char *what, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, rows->source, rows->n_rows + 1, rows->name[k], 0, "column \"%s\": %s",
                         rows->name[k], what);
}

covey_status covey_i_rows_finish(covey_table **out, covey_rows *rows, covey_error *err)
{
    static const char *const empty[] = {""};
    covey_lines *lines = covey_i_array_zero(1, sizeof *lines);
    covey_csv_parts parts = {.path = rows->source,
                             .name = (const char *const *)rows->name,
                             .kept = rows->kept,
                             .n_columns = rows->n_kept,
                             .null = rows->options->null ? rows->options->null : empty,
                             .n_null = rows->options->null ? rows->options->n_null : 1,
                             .has_sql_null = true,
                             .any_null = rows->any_null,
                             .scanner = &rows->scanner,
                             .n_workers = 1,
                             .chunk = rows->chunk,
                             .n_chunks = rows->n_chunks,
                             .n_rows = rows->n_rows,
                             .lines = lines};
    covey_status status;

    if (!lines)
        return fail_memory(rows, err);
    lines->references = 1;
    lines->first_line = 1;
    lines->are_rows = true;
    status = covey_i_csv_columns(out, &parts, rows->run, err);
    covey_i_lines_free(lines);
    for (size_t k = 0; status == COVEY_OK && k < rows->n_kept; k++)
        (*out)->columns[k]->is_typed = !rows->has_text[k];
    return status;
}

void covey_i_rows_free(covey_rows *rows)
{
    if (!rows)
        return;
    for (size_t i = 0; i < rows->n_chunks; i++)
        covey_i_csv_chunk_clear(&rows->chunk[i], rows->n_kept);
    for (size_t k = 0; rows->name && k < rows->n_kept; k++)
        covey_i_free(rows->name[k]);
    covey_i_csv_scanner_free(&rows->scanner);
    covey_i_text_free(&rows->cell);
    covey_i_free(rows->chunk);
    covey_i_free(rows->name);
    covey_i_free(rows->number);
    covey_i_free(rows->kept);
    covey_i_free(rows->has_text);
    covey_i_free(rows);
}
