/* Exports to a folder of files, one per table: JSON lines, or CSV. */
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/filename.h"
#include "base/file/folder.h"
#include "base/file/outfile.h"
#include "export/sink.h"
#include "table/formulas.h"

static const covey_product csv_product = {.noun = "CSV export", .listing = "covey.json", .kind = "CSV export"},
                           jsonl_product = {
                               .noun = "JSON lines export", .listing = "covey.json", .kind = "JSON lines export"};

enum { LONGEST_NAME = 200 };

struct filling {
    covey_folder *folder;
    const covey_sheets *sheets;
    char (*name)[COVEY_FILENAME_SIZE]; /* [sheets->n_tables] files */
    covey_text line;
    /* Appends a cell with what stands before it. */
    void (*add)(covey_text *line, const covey_export_column *column, size_t at, const char *cell, size_t size);
    const char *ending;
    bool has_header, is_json;
};

static void abort_filling(void *state)
{
    struct filling *f = state;

    if (!f)
        return;
    covey_i_folder_abort(f->folder);
    covey_i_text_free(&f->line);
    covey_i_free(f->name);
    covey_i_free(f);
}

static bool is_taken(const struct filling *f, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcasecmp(f->name[j], f->name[i]) == 0) /* not every file system tells them apart */
            return true;
    return false;
}

static bool name_files(struct filling *f)
{
    if (!(f->name = covey_i_array(f->sheets->n_tables, sizeof *f->name)))
        return false;
    for (size_t i = 0; i < f->sheets->n_tables; i++) {
        size_t number = 1;

        do
            covey_i_filename(f->name[i], f->sheets->table[i].name, LONGEST_NAME, number++, f->ending);
        while (is_taken(f, i));
    }
    return true;
}

static covey_status begin(void **state, const struct filling *kind, const char *folder, const covey_sheets *sheets,
                          const covey_export_options *options, covey_error *err)
{
    const covey_folder_options place = {.force = options->force,
                                        .product = kind->is_json ? &jsonl_product : &csv_product};
    struct filling *f = covey_i_array_zero(1, sizeof *f);
    covey_status status;

    if (!f)
        return covey_i_no_memory(err);
    *f = *kind;
    f->sheets = sheets;
    status = !name_files(f) ? covey_i_no_memory(err) : covey_i_folder_begin(&f->folder, folder, &place, err);
    if (status == COVEY_OK)
        *state = f;
    else
        abort_filling(f);
    return status;
}

/* ---- JSON lines ---- */

static void add_json_text(covey_text *out, const char *text, size_t size)
{
    covey_i_text_add_char(out, '"');
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            covey_i_text_add_format(out, "\\%c", c);
        else if (c < 0x20)
            covey_i_text_add_format(out, "\\u%04x", c);
        else
            covey_i_text_add_char(out, (char)c);
    }
    covey_i_text_add_char(out, '"');
}

/* A number as JSON writes it has no leading zero, and a digit on both sides of its point. */
static bool is_json_number(const char *text, size_t size)
{
    const bool minus = size > 0 && text[0] == '-';

    text += minus;
    size -= minus;
    return size > 0 && text[0] != '.' && text[size - 1] != '.' && !(text[0] == '0' && size > 1 && text[1] != '.');
}

static void add_json_cell(covey_text *line, const covey_export_column *column, size_t at, const char *cell, size_t size)
{
    const bool is_number = column->is_real || column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL;

    covey_i_text_add_string(line, at ? ", " : "{");
    add_json_text(line, column->name, strlen(column->name));
    covey_i_text_add_string(line, ": ");
    if (!cell)
        covey_i_text_add_string(line, "null");
    else if (is_number && is_json_number(cell, size))
        covey_i_text_add(line, cell, size);
    else
        add_json_text(line, cell, size);
}

static covey_status begin_jsonl(void **state, const char *target, const covey_sheets *sheets,
                                const covey_export_options *options, covey_error *err)
{
    static const struct filling kind = {
        .line = COVEY_TEXT_INIT, .add = add_json_cell, .ending = "jsonl", .is_json = true};

    return begin(state, &kind, target + strlen("jsonl:"), sheets, options, err);
}

/* ---- CSV ---- */

static void add_csv_cell(covey_text *line, const covey_export_column *column, size_t at, const char *cell, size_t size)
{
    if (at)
        covey_i_text_add_char(line, ',');
    if (cell)
        covey_i_csv_add_cell(line, cell, size, ',');
}

/* A spreadsheet shows what follows an apostrophe, and runs it not. */
static void add_safe_cell(covey_text *line, const covey_export_column *column, size_t at, const char *cell, size_t size)
{
    covey_text safe = COVEY_TEXT_INIT;

    if (!cell || !covey_i_formulas_has(cell, size)) {
        add_csv_cell(line, column, at, cell, size);
        return;
    }
    covey_i_text_add_char(&safe, '\'');
    covey_i_text_add(&safe, cell, size);
    line->broken |= safe.broken;
    add_csv_cell(line, column, at, safe.bytes ? safe.bytes : "", safe.size);
    covey_i_text_free(&safe);
}

static covey_status begin_csv(void **state, const char *target, const covey_sheets *sheets,
                              const covey_export_options *options, covey_error *err)
{
    const struct filling kind = {.line = COVEY_TEXT_INIT,
                                 .add = options->safe_cells ? add_safe_cell : add_csv_cell,
                                 .ending = "csv",
                                 .has_header = true};

    return begin(state, &kind, target + strlen("csv:"), sheets, options, err);
}

/* ---- both ---- */

static void end_line(covey_outfile *file, struct filling *f)
{
    if (f->line.size == 0)
        covey_i_text_add_string(&f->line, "\"\""); /* a line that is blank would be nothing */
    covey_i_text_add_string(&f->line, f->is_json ? "}\n" : "\n");
    covey_i_outfile_write(file, f->line.bytes ? f->line.bytes : "", f->line.size);
    covey_i_text_clear(&f->line);
}

static covey_status write_rows(struct filling *f, covey_outfile *file, const covey_export_table *table,
                               const covey_run *run, covey_error *err)
{
    for (size_t c = 0; f->has_header && c < table->n_columns; c++)
        f->add(&f->line, NULL, c, table->column[c].name, strlen(table->column[c].name));
    if (f->has_header)
        end_line(file, f);
    for (int64_t row = 0; row < table->n_rows && !covey_i_outfile_is_broken(file); row++) {
        COVEY_TRY(covey_i_sink_progress(run, table, row, err));
        for (size_t c = 0; c < table->n_columns; c++) {
            size_t size;
            const char *cell = covey_i_sheet_cell(&table->column[c], row, &size);

            f->add(&f->line, &table->column[c], c, cell, size);
        }
        if (f->line.broken)
            return covey_i_no_memory(err);
        end_line(file, f);
    }
    return COVEY_OK;
}

static covey_status write_table(void *state, const covey_export_table *table, const covey_run *run, covey_error *err)
{
    struct filling *f = state;
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *file = NULL;
    covey_status status;

    covey_i_text_add_format(&path, "%s/%s", covey_i_folder_path(f->folder), f->name[table - f->sheets->table]);
    status = path.broken ? covey_i_no_memory(err) : covey_i_outfile_open(&file, path.bytes, err);
    covey_i_text_free(&path);
    if (status != COVEY_OK)
        return status;
    if ((status = write_rows(f, file, table, run, err)) == COVEY_OK)
        return covey_i_outfile_close(file, err);
    covey_i_outfile_abort(file);
    return status;
}

static covey_status commit(void *state, covey_error *err)
{
    struct filling *f = state;
    const covey_status status = covey_i_folder_commit(f->folder, err);

    f->folder = NULL;
    abort_filling(f);
    return status;
}

const covey_sink covey_i_sink_jsonl = {
    .prefix = "jsonl:",
    .product = "JSON lines",
    .begin = begin_jsonl,
    .table = write_table,
    .commit = commit,
    .abort = abort_filling,
};

const covey_sink covey_i_sink_csv = {
    .prefix = "csv:",
    .product = "CSV",
    .is_for_spreadsheets = true,
    .begin = begin_csv,
    .table = write_table,
    .commit = commit,
    .abort = abort_filling,
};
