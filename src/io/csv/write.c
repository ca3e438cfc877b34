/* Writes tables as CSV.  The lines are made and written as those of releases, release/sheet/sheet.h. */
#include <covey/io.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/threads.h"
#include "release/sheet/sheet.h"
#include "table/table_impl.h"

enum { MOST_BATCH = 256, BATCH_BYTES = 1 << 20 };

struct writing {
    const covey_table *table;
    const char *path;
    char delimiter;
    size_t n_columns;
    covey_ready_cells *cells; /* [n_columns] */
    size_t longest;           /* bytes of a line at most */
};

/* In batches: where few lines are long, most of the room for them all would never be used. */
static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct writing *w = context;
    const size_t fit = BATCH_BYTES / (w->longest + 1);
    const uint32_t most = fit > MOST_BATCH ? MOST_BATCH : fit > 0 ? (uint32_t)fit : 1;
    uint32_t row[MOST_BATCH];

    for (uint32_t first = begin, n; first < end; first += n) {
        char *to;

        n = end - first < most ? end - first : most;
        if (!covey_i_text_reserve(out, n * w->longest + COVEY_SHEET_SLACK))
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < n; i++)
            row[i] = first + i;
        to = covey_i_sheet_copy_rows(out->bytes + out->size, w->cells, w->n_columns, row, n, NULL, 0);
        out->size = (size_t)(to - out->bytes);
    }
    return COVEY_OK;
}

static covey_status make_column(void *context, size_t c, covey_error *err)
{
    struct writing *w = context;
    const char *empty = w->n_columns == 1 ? "\"\"" : ""; /* a blank line at the end would be no row */

    return covey_i_ready_cells_make(&w->cells[c], covey_table_column(w->table, c), w->delimiter, empty, err);
}

static covey_status make_cells(struct writing *w, const covey_run *run, covey_error *err)
{
    if (w->n_columns == 0)
        return covey_fail(err, COVEY_EINVAL, "%s: a table without columns cannot be written as CSV", w->path);
    if (!(w->cells = covey_i_array_zero(w->n_columns, sizeof *w->cells)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), w->n_columns, make_column, w, err));
    for (size_t c = 0; c < w->n_columns; c++)
        w->longest += w->cells[c].longest;
    return COVEY_OK;
}

static covey_status write_lines(const struct writing *w, covey_outfile *file, const covey_run *run, covey_error *err)
{
    const covey_sheet sheet = {.name = w->path,
                               .n_groups = (uint32_t)covey_table_n_rows(w->table),
                               .lines = add_lines,
                               .context = w,
                               .phase = "writing"};
    covey_text header = COVEY_TEXT_INIT;
    bool is_broken;

    for (size_t c = 0; c < w->n_columns; c++) {
        const char *name = covey_table_column(w->table, c)->name;

        covey_i_csv_add_cell(&header, name, strlen(name), w->delimiter);
        covey_i_text_add_char(&header, c + 1 < w->n_columns ? w->delimiter : '\n');
    }
    if (!header.broken)
        covey_i_outfile_write(file, header.bytes, header.size);
    is_broken = header.broken;
    covey_i_text_free(&header);
    return is_broken ? covey_i_no_memory(err) : covey_i_sheet_append(&sheet, file, NULL, run, err);
}

static covey_status write_file(const struct writing *w, const covey_run *run, covey_error *err)
{
    covey_outfile *file;
    covey_status status;

    COVEY_TRY(covey_i_outfile_open(&file, w->path, err));
    if ((status = write_lines(w, file, run, err)) == COVEY_OK)
        return covey_i_outfile_close(file, err);
    covey_i_outfile_abort(file);
    return status;
}

covey_status covey_csv_write(const covey_table *table, const char *path, char delimiter, const covey_run *run,
                             covey_error *err)
{
    struct writing w = {table, path, delimiter ? delimiter : ',', covey_table_n_columns(table), NULL, 0};
    covey_status status;

    COVEY_TRY(covey_i_csv_check_delimiter(delimiter, err));
    if ((status = make_cells(&w, run, err)) == COVEY_OK)
        status = write_file(&w, run, err);
    for (size_t c = 0; w.cells && c < w.n_columns; c++)
        covey_i_ready_cells_free(&w.cells[c]);
    covey_i_free(w.cells);
    return status;
}
