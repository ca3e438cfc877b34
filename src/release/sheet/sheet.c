/* Formatting lines on all threads, writing and hashing them in order. */
#include "release/sheet/sheet.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "base/turns.h"
#include "table/table_impl.h"

enum { LINES_PER_PIECE = 1 << 15, BATCH_CODES = 4096, BATCH_ROWS = 256 };

struct writer {
    const covey_sheet *sheet;
    covey_outfile *out;
    uint32_t *piece_start; /* [n_pieces + 1] first group of each piece */
    size_t n_pieces;
    const covey_run *run;
    pthread_t caller; /* progress is reported from its thread only */
    bool cancelled;   /* the caller's */
    covey_turns turns, hash_turns;
    covey_sheet_hash *hash;               /* NULL: not wanted */
    double seconds_lines, seconds_hashed; /* of all threads, without waiting; guarded by turns */
};

/* Somebody's turn will never come. */
static void stop(struct writer *w)
{
    covey_i_turns_stop(&w->turns);
    covey_i_turns_stop(&w->hash_turns);
}

covey_status covey_i_ready_cells_make(covey_ready_cells *cells, const covey_column *column, char delimiter,
                                      const char *empty, covey_error *err)
{
    cells->column = column;
    cells->codes = column->codes;
    if (!(cells->start = covey_i_array((size_t)column->n_values + 1, sizeof *cells->start)))
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        cells->start[v] = cells->bytes.size;
        covey_i_text_add_char(&cells->bytes, delimiter);
        if ((v == 0 && column->has_null) || covey_column_label_size(column, v) == 0)
            covey_i_text_add_string(&cells->bytes, empty);
        else
            covey_i_csv_add_cell(&cells->bytes, covey_column_label(column, v), covey_column_label_size(column, v),
                                 delimiter);
        if (cells->bytes.size - cells->start[v] > cells->longest)
            cells->longest = cells->bytes.size - cells->start[v];
    }
    cells->start[column->n_values] = cells->bytes.size;
    covey_i_text_reserve(&cells->bytes, COVEY_SHEET_SLACK);
    return cells->bytes.broken ? covey_i_no_memory(err) : COVEY_OK;
}

void covey_i_ready_cells_free(covey_ready_cells *cells)
{
    covey_i_text_free(&cells->bytes);
    covey_i_free(cells->start);
}

static void fetch_codes(uint32_t *to, const covey_ready_cells *cells, const uint32_t *rows, size_t n)
{
    covey_i_codes_at(to, cells->codes, cells->column->width, rows, n);
}

char *covey_i_sheet_copy_rows(char *to, const covey_ready_cells *cells, size_t n_cells, const uint32_t *rows, size_t n,
                              const char *prefix, size_t n_prefix)
{
    const size_t n_comma = prefix ? 0 : 1,
                 n_batched = n_cells < BATCH_CODES ? n_cells : 0; /* too many columns: one by one */
    const size_t batch = n_batched > 0 && BATCH_CODES / n_batched < BATCH_ROWS ? BATCH_CODES / n_batched : BATCH_ROWS;
    uint32_t codes[BATCH_CODES];

    for (size_t start = 0; start < n; start += batch) {
        const size_t n_rows = n - start < batch ? n - start : batch;

        for (size_t c = 0; c < n_batched; c++)
            fetch_codes(codes + c * n_rows, &cells[c], rows + start, n_rows);
        for (size_t i = 0; i < n_rows; i++) {
            if (prefix)
                to = covey_i_sheet_copy(to, prefix, n_prefix);
            for (size_t c = 0; c < n_cells; c++) {
                const size_t skipped = c == 0 ? n_comma : 0;
                uint32_t code;

                if (n_batched > 0)
                    code = codes[c * n_rows + i];
                else
                    fetch_codes(&code, &cells[c], rows + start + i, 1);
                to = covey_i_sheet_copy(to, cells[c].bytes.bytes + cells[c].start[code] + skipped,
                                        cells[c].start[code + 1] - cells[c].start[code] - skipped);
            }
            *to++ = '\n';
        }
    }
    return to;
}

void covey_i_sheet_add_name(covey_text *header, const char *name)
{
    if (header->size > 0)
        covey_i_text_add_char(header, ',');
    covey_i_csv_add_cell(header, name, strlen(name), ',');
}

static uint32_t n_lines(const covey_sheet *sheet)
{
    return sheet->start ? sheet->start[sheet->n_groups] : sheet->n_groups;
}

/* Whole groups, about as many lines each. */
static covey_status make_pieces(struct writer *w, covey_error *err)
{
    const covey_sheet *sheet = w->sheet;
    const uint32_t wanted = sheet->lines_per_piece ? sheet->lines_per_piece : LINES_PER_PIECE;
    uint32_t g = 0;

    if (!(w->piece_start = covey_i_array((size_t)n_lines(sheet) / wanted + 3, sizeof *w->piece_start)))
        return covey_i_no_memory(err);
    w->piece_start[0] = 0;
    while (g < sheet->n_groups) {
        uint32_t begin = sheet->start ? sheet->start[g] : g;

        if (!sheet->start)
            g = sheet->n_groups - g < wanted ? sheet->n_groups : g + wanted;
        while (sheet->start && g < sheet->n_groups && (sheet->start[g] == begin || sheet->start[g] - begin < wanted))
            g++;
        w->piece_start[++w->n_pieces] = g;
    }
    return COVEY_OK;
}

/* The next piece to format, -1 if there is none. */
static int64_t take_piece(struct writer *w)
{
    const covey_sheet *sheet = w->sheet;
    const int64_t piece = covey_i_turns_take(&w->turns);
    uint32_t first;

    if (piece < 0 || !sheet->phase || !pthread_equal(pthread_self(), w->caller))
        return piece;
    first = w->piece_start[piece];
    if (covey_i_run_goes_on(w->run, sheet->phase, sheet->start ? sheet->start[first] : first, n_lines(sheet), NULL) ==
        COVEY_OK)
        return piece;
    w->cancelled = true;
    stop(w);
    return -1;
}

static covey_status format_piece(covey_text *text, const struct writer *w, int64_t piece, covey_error *err)
{
    covey_i_text_clear(text);
    COVEY_TRY(w->sheet->lines(text, w->sheet->context, w->piece_start[piece], w->piece_start[piece + 1], err));
    return text->broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* Both in their turn; false: all must stop. */
static bool write_piece(struct writer *w, const covey_text *text, int64_t piece, double seconds)
{
    double begin;

    if (!covey_i_turns_wait(&w->turns, piece))
        return false;
    begin = covey_i_seconds();
    covey_i_outfile_write(w->out, text->bytes, text->size); /* nobody else's turn */
    if (covey_i_outfile_is_broken(w->out))                  /* which closing it tells */
        stop(w);
    w->seconds_lines += seconds + covey_i_seconds() - begin;
    covey_i_turns_pass(&w->turns);
    return true;
}

static bool hash_piece(struct writer *w, const covey_text *text, int64_t piece)
{
    double begin;

    if (!covey_i_turns_wait(&w->hash_turns, piece))
        return false;
    begin = covey_i_seconds();
    covey_i_sha256_add(&w->hash->sum, text->bytes, text->size);
    w->seconds_hashed += covey_i_seconds() - begin;
    covey_i_turns_pass(&w->hash_turns);
    return true;
}

static covey_status write_pieces(void *context, size_t worker, covey_error *err)
{
    struct writer *w = context;
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    int64_t piece;

    while (status == COVEY_OK && (piece = take_piece(w)) >= 0) {
        const double begin = covey_i_seconds();

        if ((status = format_piece(&text, w, piece, err)) != COVEY_OK ||
            !write_piece(w, &text, piece, covey_i_seconds() - begin) || (w->hash && !hash_piece(w, &text, piece)))
            break;
    }
    if (status != COVEY_OK)
        stop(w);
    covey_i_text_free(&text);
    return status;
}

static covey_status run_writers(struct writer *w, covey_error *err)
{
    const size_t n_threads = (size_t)covey_run_threads(w->run),
                 n_workers = n_threads < w->n_pieces ? n_threads : w->n_pieces;
    const double begin = covey_i_seconds();
    covey_status status;

    covey_i_turns_init(&w->turns, (int64_t)w->n_pieces);
    covey_i_turns_init(&w->hash_turns, (int64_t)w->n_pieces);
    status = covey_i_parallel((int)n_workers, n_workers, write_pieces, w, err);
    covey_i_turns_free(&w->hash_turns);
    covey_i_turns_free(&w->turns);
    if (w->seconds_hashed > 0)
        w->hash->seconds += (covey_i_seconds() - begin) * w->seconds_hashed / (w->seconds_lines + w->seconds_hashed);
    return status;
}

covey_status covey_i_sheet_append(const covey_sheet *sheet, covey_outfile *out, covey_sheet_hash *hash,
                                  const covey_run *run, covey_error *err)
{
    struct writer w = {.sheet = sheet, .out = out, .run = run, .caller = pthread_self(), .hash = hash};
    covey_status status = make_pieces(&w, err);

    if (status == COVEY_OK)
        status = run_writers(&w, err);
    covey_i_free(w.piece_start);
    if (status == COVEY_OK && w.cancelled)
        status = covey_fail(err, COVEY_ECANCELLED, "%s: writing was cancelled", sheet->name);
    return status;
}

void covey_i_sheet_hash_end(covey_files *files, covey_file *file, covey_sheet_hash *hash)
{
    file->size_bytes = hash->sum.size;
    covey_i_sha256_end(file->sha256, &hash->sum);
    file->is_hashed = true;
    files->seconds_hash += hash->seconds;
}

/* The file of this name that is listed, NULL if there is none. */
static covey_file *find_listed(const covey_files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->file[i].name, name) == 0)
            return &files->file[i];
    return NULL;
}

static covey_status append_to(const covey_sheet *sheet, covey_file *listed, const char *path, const covey_run *run,
                              covey_error *err)
{
    covey_outfile *out;
    covey_status status;

    COVEY_TRY(covey_i_outfile_append(&out, path, err));
    if ((status = covey_i_sheet_append(sheet, out, NULL, run, err)) != COVEY_OK) {
        covey_i_outfile_abort(out);
        return status;
    }
    listed->is_hashed = false; /* of what was there before */
    listed->n_rows += n_lines(sheet);
    listed->size_bytes += covey_i_outfile_size(out);
    return covey_i_outfile_close(out, err);
}

static covey_status write_new(const covey_sheet *sheet, const char *path, covey_files *files, const covey_run *run,
                              covey_error *err)
{
    covey_sheet_hash hash = {.seconds = 0};
    covey_outfile *out;
    covey_status status;
    uint64_t size;

    COVEY_TRY(covey_i_outfile_open(&out, path, err));
    covey_i_outfile_string(out, sheet->header);
    covey_i_sha256_begin(&hash.sum);
    covey_i_sha256_add(&hash.sum, sheet->header, strlen(sheet->header));
    if ((status = covey_i_sheet_append(sheet, out, files->hashes_lines ? &hash : NULL, run, err)) != COVEY_OK) {
        covey_i_outfile_abort(out);
        return status;
    }
    size = covey_i_outfile_size(out);
    COVEY_TRY(covey_i_outfile_close(out, err));
    COVEY_TRY(covey_i_files_add(files, sheet->name, n_lines(sheet), err));
    files->file[files->n - 1].size_bytes = size;
    if (files->hashes_lines)
        covey_i_sheet_hash_end(files, &files->file[files->n - 1], &hash);
    return COVEY_OK;
}

covey_status covey_i_sheet_write(const covey_sheet *sheet, const char *folder, covey_files *files, const covey_run *run,
                                 covey_error *err)
{
    covey_file *listed = find_listed(files, sheet->name);
    covey_text path = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&path, "%s/%s", folder, sheet->name);
    if (path.broken)
        status = covey_i_no_memory(err);
    else if (listed)
        status = append_to(sheet, listed, path.bytes, run, err);
    else
        status = write_new(sheet, path.bytes, files, run, err);
    covey_i_text_free(&path);
    return status;
}
