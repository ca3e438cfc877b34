/* Writes tables as CSV: see covey/io.h.
 *
 * Each distinct value is made ready once - quoted if need be, with the delimiter behind it - and then copied per row in
 * steps of 16 bytes.  Workers format pieces of rows into buffers of their own and write them in turn. */
#include <covey/io.h>

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/run.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/turns.h"
#include "table/table_impl.h"

enum { STEP = 16, MOST_READY = 65536, BATCH_ROWS = 512, PIECE_BATCHES = 32 };

/* A cell with what stands behind it, if both fit. */
struct ready {
    char bytes[STEP - 1];
    uint8_t size; /* 0: too long */
};

/* A column's values on their way to the file. */
struct cells {
    const covey_column *column;
    char delimiter, terminator; /* behind each cell: the delimiter, or the line end */
    const char *empty;          /* how an empty cell is written */
    struct ready *ready;        /* [n_values], NULL for large dictionaries */
    uint64_t *quoted_at;        /* [n_values] 1 + offset into quoted, 0 if written as it is; NULL if all are */
    covey_text quoted;          /* quoted cells, a NUL behind each */
};

struct writer {
    const covey_table *table;
    const char *path;
    const covey_run *run;
    struct cells *cells; /* [n_columns] */
    size_t n_columns;
    covey_outfile *file;
    pthread_t caller;  /* progress is reported from its thread only */
    bool cancelled;    /* the caller's */
    covey_turns turns; /* pieces of rows */
    int64_t n_pieces;
};

/* The cell of a value, without terminator. */
static const char *cell_of(size_t *size, const struct cells *cells, uint32_t code)
{
    const covey_column *column = cells->column;

    *size = column->has_null && code == 0 ? 0 : covey_column_label_size(column, code);
    if (*size == 0) {
        *size = strlen(cells->empty);
        return cells->empty;
    }
    if (cells->quoted_at && cells->quoted_at[code]) {
        const char *quoted = cells->quoted.bytes + cells->quoted_at[code] - 1;

        *size = strlen(quoted);
        return quoted;
    }
    return covey_column_label(column, code);
}

/* Quotes the values that need it. */
static bool quote_values(struct cells *cells)
{
    const covey_column *column = cells->column;

    for (uint32_t v = column->has_null; v < column->n_values; v++) {
        const char *label = covey_column_label(column, v);
        const size_t size = covey_column_label_size(column, v);

        if (!covey_i_csv_needs_quotes(label, size, cells->delimiter))
            continue;
        if (!cells->quoted_at && !(cells->quoted_at = covey_i_array_zero(column->n_values, sizeof *cells->quoted_at)))
            return false;
        cells->quoted_at[v] = cells->quoted.size + 1;
        covey_i_csv_add_cell(&cells->quoted, label, size, cells->delimiter);
        covey_i_text_add_char(&cells->quoted, '\0');
    }
    return !cells->quoted.broken;
}

static bool make_ready(struct cells *cells)
{
    const uint32_t n = cells->column->n_values;

    if (n > MOST_READY)
        return true;
    if (!(cells->ready = covey_i_array_zero(n, sizeof *cells->ready)))
        return false;
    for (uint32_t v = 0; v < n; v++) {
        struct ready *ready = &cells->ready[v];
        size_t size;
        const char *bytes = cell_of(&size, cells, v);

        if (size + 1 > sizeof ready->bytes)
            continue;
        memcpy(ready->bytes, bytes, size);
        ready->bytes[size] = cells->terminator;
        ready->size = (uint8_t)(size + 1);
    }
    return true;
}

static covey_status prepare_column(void *context, size_t c, covey_error *err)
{
    struct writer *w = context;
    struct cells *cells = &w->cells[c];

    if (quote_values(cells) && make_ready(cells))
        return COVEY_OK;
    return covey_i_no_memory(err);
}

/* Room for the short cells of a row. */
static size_t row_room(const struct writer *w)
{
    return (w->n_columns + 1) * STEP;
}

/* Appends a cell of any length, and sees to it that the rest of the row still has room. */
static bool add_long_cell(covey_text *text, const struct writer *w, const struct cells *cells, uint32_t code)
{
    size_t size;
    const char *bytes = cell_of(&size, cells, code);

    if (!covey_i_text_reserve(text, size + 1 + row_room(w)))
        return false;
    memcpy(text->bytes + text->size, bytes, size);
    text->bytes[text->size + size] = cells->terminator;
    text->size += size + 1;
    return true;
}

/* Appends n rows; code[c * BATCH_ROWS + i] is the code of the i-th. */
static bool add_rows(covey_text *text, const struct writer *w, const uint32_t *code, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (!covey_i_text_reserve(text, row_room(w)))
            return false;
        for (size_t c = 0; c < w->n_columns; c++) {
            const struct cells *cells = &w->cells[c];
            const uint32_t v = code[c * BATCH_ROWS + (size_t)i];

            if (cells->ready && cells->ready[v].size) {
                memcpy(text->bytes + text->size, &cells->ready[v], STEP);
                text->size += cells->ready[v].size;
            } else if (!add_long_cell(text, w, cells, v)) {
                return false;
            }
        }
    }
    return true;
}

static bool format_piece(covey_text *text, const struct writer *w, uint32_t *code, int64_t piece)
{
    const int64_t n_rows = covey_table_n_rows(w->table), first = piece * BATCH_ROWS * PIECE_BATCHES;

    covey_i_text_clear(text);
    for (int batch = 0; batch < PIECE_BATCHES; batch++) {
        const int64_t lo = first + (int64_t)batch * BATCH_ROWS;
        const int64_t hi = lo + BATCH_ROWS < n_rows ? lo + BATCH_ROWS : n_rows;

        if (lo >= hi)
            break;
        for (size_t c = 0; c < w->n_columns; c++)
            covey_i_column_unpack(code + c * BATCH_ROWS, w->cells[c].column, lo, hi);
        if (!add_rows(text, w, code, hi - lo))
            return false;
    }
    return true;
}

/* The next piece to format, -1 if there is none. */
static int64_t take_piece(struct writer *w)
{
    const int64_t piece = covey_i_turns_take(&w->turns);

    if (piece < 0 || !pthread_equal(pthread_self(), w->caller) ||
        covey_i_run_goes_on(w->run, "writing", piece * BATCH_ROWS * PIECE_BATCHES, covey_table_n_rows(w->table),
                            NULL) == COVEY_OK)
        return piece;
    w->cancelled = true;
    covey_i_turns_stop(&w->turns);
    return -1;
}

/* Writes a piece after all before it; false if the work has stopped. */
static bool write_in_turn(struct writer *w, int64_t piece, const covey_text *text)
{
    if (!covey_i_turns_wait(&w->turns, piece))
        return false;
    covey_i_outfile_write(w->file, text->bytes, text->size); /* nobody else's turn */
    if (covey_i_outfile_is_broken(w->file))
        covey_i_turns_stop(&w->turns);
    covey_i_turns_pass(&w->turns);
    return true;
}

static covey_status write_pieces(void *context, size_t worker, covey_error *err)
{
    struct writer *w = context;
    uint32_t *code = covey_i_array(w->n_columns * BATCH_ROWS, sizeof *code);
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    int64_t piece = 0;

    while (code && (piece = take_piece(w)) >= 0) {
        if (!format_piece(&text, w, code, piece))
            break;
        if (!write_in_turn(w, piece, &text)) {
            piece = -1;
            break;
        }
    }
    if (!code || piece >= 0) {
        status = covey_i_no_memory(err);
        covey_i_turns_stop(&w->turns);
    }
    covey_i_free(code);
    covey_i_text_free(&text);
    return status;
}

static covey_status write_header(struct writer *w, char delimiter, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    for (size_t c = 0; c < w->n_columns; c++) {
        const char *name = w->cells[c].column->name;

        covey_i_csv_add_cell(&text, name, strlen(name), delimiter);
        covey_i_text_add_char(&text, w->cells[c].terminator);
    }
    if (text.broken)
        status = covey_i_no_memory(err);
    else
        covey_i_outfile_write(w->file, text.bytes, text.size);
    covey_i_text_free(&text);
    return status;
}

static covey_status set_up(struct writer *w, char delimiter, covey_error *err)
{
    w->n_columns = covey_table_n_columns(w->table);
    w->n_pieces = (covey_table_n_rows(w->table) + BATCH_ROWS * PIECE_BATCHES - 1) / (BATCH_ROWS * PIECE_BATCHES);
    if (w->n_columns == 0)
        return covey_fail(err, COVEY_EINVAL, "%s: a table without columns cannot be written as CSV", w->path);
    if (!(w->cells = covey_i_array_zero(w->n_columns, sizeof *w->cells)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < w->n_columns; c++) {
        w->cells[c].column = covey_table_column(w->table, c);
        w->cells[c].delimiter = delimiter;
        w->cells[c].terminator = c + 1 < w->n_columns ? delimiter : '\n';
        w->cells[c].empty = w->n_columns == 1 ? "\"\"" : ""; /* a blank line at the end would be no row */
        w->cells[c].quoted = (covey_text)COVEY_TEXT_INIT;
    }
    return covey_i_parallel(covey_run_threads(w->run), w->n_columns, prepare_column, w, err);
}

static covey_status write_file(struct writer *w, char delimiter, covey_error *err)
{
    const size_t n_threads = (size_t)covey_run_threads(w->run);
    const size_t n_workers = (int64_t)n_threads < w->n_pieces ? n_threads : (size_t)w->n_pieces;
    covey_status status;

    COVEY_TRY(covey_i_outfile_open(&w->file, w->path, err));
    w->caller = pthread_self();
    covey_i_turns_init(&w->turns, w->n_pieces);
    if ((status = write_header(w, delimiter, err)) == COVEY_OK)
        status = covey_i_parallel((int)n_workers, n_workers, write_pieces, w, err);
    covey_i_turns_free(&w->turns);
    if (status == COVEY_OK && w->cancelled)
        status = covey_fail(err, COVEY_ECANCELLED, "%s: writing was cancelled", w->path);
    if (status == COVEY_OK)
        return covey_i_outfile_close(w->file, false, err);
    covey_i_outfile_abort(w->file);
    return status;
}

covey_status covey_csv_write(const covey_table *table, const char *path, char delimiter, const covey_run *run,
                             covey_error *err)
{
    struct writer w = {.table = table, .path = path, .run = run};
    covey_status status;

    COVEY_TRY(covey_i_csv_check_delimiter(delimiter, err));
    if (delimiter == '\0')
        delimiter = ',';
    if ((status = set_up(&w, delimiter, err)) == COVEY_OK)
        status = write_file(&w, delimiter, err);
    for (size_t c = 0; w.cells && c < w.n_columns; c++) {
        covey_i_free(w.cells[c].ready);
        covey_i_free(w.cells[c].quoted_at);
        covey_i_text_free(&w.cells[c].quoted);
    }
    covey_i_free(w.cells);
    return status;
}
