/* Reads CSV files.
 *
 * The file is handed out in chunks, in order.  Whoever takes one first finds its end - a line end outside quotes - by
 * counting quotes, which runs at memory speed; then it is scanned in parallel with the others, into dictionary codes of
 * the worker's own.  A chunk that is not well-formed stops the work; since chunks are handed out in order, the first
 * such chunk holds the first error of the file, and the careful parser reads it again to say what is wrong. */
#include "io/csv/read.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/csv/columns.h"
#include "io/csv/explain.h"
#include "io/csv/reader.h"
#include "io/csv/sorted.h"

/* A code mostly takes a byte, and a cell two to five. */
enum { BYTES_A_CODE = 2, MOST_ROOM = (1 << 21) - 64 /* of a large page */, LEAST_ROOM = 8 << 20 };

enum { LEAST_CHUNK = 1 << 18, MOST_CHUNK = 1 << 23, CHUNKS_PER_THREAD = 8, TEXT_SHARE = 4 };

static const covey_csv_options defaults = COVEY_CSV_OPTIONS_INIT;

static bool report_progress(covey_csv_reader *r)
{
    return !pthread_equal(pthread_self(), r->caller) ||
           covey_i_run_goes_on(r->run, "reading", r->cursor - r->file.bytes, (int64_t)r->file.size, NULL) == COVEY_OK;
}

/* The next chunk to scan, NULL if there is none. */
static covey_csv_chunk *take_chunk(covey_csv_reader *r)
{
    covey_csv_chunk *chunk = NULL;

    pthread_mutex_lock(&r->lock);
    if (!r->stop && r->cursor < r->end) {
        chunk = &r->chunk[r->n_chunks++];
        (r->order == COVEY_CSV_ANY ? covey_i_csv_reader_cut : covey_i_csv_reader_cut_sorted)(chunk, r);
        if (!report_progress(r))
            r->stop = r->cancelled = true;
    }
    pthread_mutex_unlock(&r->lock);
    return chunk;
}

static void stop_all(covey_csv_reader *r)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_mutex_unlock(&r->lock);
}

/* Columns that are kept are judged by their dictionaries; what is not must be looked at here.  Cells end at ASCII
 * bytes, so all of them are right if the whole is. */
static bool has_good_bytes(const covey_csv_chunk *chunk)
{
    const size_t size = (size_t)(chunk->end - chunk->start);

    return !memchr(chunk->start, '\0', size) && covey_i_text_is_utf8(chunk->start, size, NULL);
}

static covey_status scan_chunks(void *context, size_t worker, covey_error *err)
{
    covey_csv_reader *r = context;
    covey_csv_scanner *scanner = &r->scanner[worker];
    covey_csv_chunk *chunk;

    while ((chunk = take_chunk(r))) {
        chunk->worker = worker;
        chunk->room = scanner->codes.first > 0 ? &scanner->codes : NULL;
        if (r->order == COVEY_CSV_ANY)
            covey_i_csv_scan(chunk, scanner);
        else
            covey_i_csv_scan_sorted(chunk, scanner, r->order == COVEY_CSV_NUMBERED);
        chunk->bad_bytes = r->n_kept < r->n_columns && !chunk->plain && !has_good_bytes(chunk);
        covey_i_infile_drop(&r->file, (size_t)(chunk->start - r->file.bytes), (size_t)(chunk->end - r->file.bytes));
        if (chunk->wrong || chunk->has_other_keys || scanner->out_of_memory) {
            stop_all(r);
            return scanner->out_of_memory ? covey_i_no_memory(err) : COVEY_OK;
        }
    }
    return COVEY_OK;
}

/* Where the rows stand in the file, if any record spans lines or the first row is not on line 2. */
static bool collect_lines(covey_csv_reader *r)
{
    size_t n = 0, at = 0;
    int64_t row = 0, extra = 0;

    for (size_t i = 0; i < r->n_chunks; i++)
        n += r->chunk[i].n_long;
    if (n == 0 && r->first_line == 2)
        return true;
    if (!(r->lines = covey_i_array_zero(1, sizeof *r->lines)))
        return false;
    r->lines->references = 1;
    r->lines->first_line = r->first_line;
    r->lines->n = n;
    r->lines->row = covey_i_array(n, sizeof *r->lines->row);
    r->lines->extra = covey_i_array(n, sizeof *r->lines->extra);
    if (!r->lines->row || !r->lines->extra)
        return false;
    for (size_t i = 0; i < r->n_chunks; i++) {
        const covey_csv_chunk *chunk = &r->chunk[i];

        for (size_t k = 0; k < chunk->n_long; k++, at++) {
            r->lines->row[at] = row + chunk->long_row[k];
            r->lines->extra[at] = extra += chunk->long_extra[k];
        }
        row += chunk->n_rows;
    }
    return true;
}

/* Some chunks for each worker, so that none waits long for the last. */
static size_t usual_chunk_size(size_t n_bytes, size_t n_workers)
{
    const size_t size = n_bytes / (n_workers * CHUNKS_PER_THREAD);

    return size < LEAST_CHUNK ? LEAST_CHUNK : size > MOST_CHUNK ? MOST_CHUNK : size;
}

/* The first chunk that is not well-formed, or has bad bytes, is read again to say why. */
static covey_status find_fault(const covey_csv_reader *r, covey_error *err)
{
    const covey_csv_source source = {.path = r->path,
                                     .end = r->end,
                                     .delimiter = r->delimiter,
                                     .trim = r->options->trim,
                                     .name = r->name,
                                     .n_columns = r->n_columns};

    for (size_t i = 0; i < r->n_chunks; i++)
        if (r->chunk[i].wrong)
            return covey_i_csv_explain(&source, &r->chunk[i], err);
    for (size_t i = 0; i < r->n_chunks; i++)
        if (r->chunk[i].bad_bytes)
            return covey_i_csv_explain_bytes(&source, &r->chunk[i], err);
    return COVEY_OK;
}

/* For the codes of a worker at first, in large pages, of which the system clears many bytes at once: 2 MB cost a ninth
 * of what they do in small ones.  0: in arrays that are given back column by column, as codes of numbered files are,
 * for which memory that a method gave back suffices; and those of an input as long as the room that is left over would
 * count. */
static size_t room_of(const covey_csv_reader *r, size_t n_bytes)
{
    const size_t room = n_bytes / r->n_workers / BYTES_A_CODE;

    if (r->order == COVEY_CSV_NUMBERED || (r->order == COVEY_CSV_ANY && room < LEAST_ROOM))
        return 0;
    return room < MOST_ROOM ? room : MOST_ROOM;
}

static covey_status start_scanners(covey_csv_reader *r, covey_error *err)
{
    const size_t left = (size_t)(r->end - r->cursor);

    r->n_workers = (size_t)covey_run_threads(r->run);
    if (r->chunk_size == 0)
        r->chunk_size = usual_chunk_size(left, r->n_workers);
    r->most_chunks = left / r->chunk_size + 1;
    if (r->n_workers > r->most_chunks)
        r->n_workers = r->most_chunks;
    r->chunk = covey_i_array_zero(r->most_chunks, sizeof *r->chunk);
    r->scanner = covey_i_array_zero(r->n_workers, sizeof *r->scanner);
    if (!r->chunk || !r->scanner)
        return covey_i_no_memory(err);
    for (size_t w = 0; w < r->n_workers; w++)
        if (!covey_i_csv_scanner_init(&r->scanner[w], r->n_columns, r->delimiter, r->options->trim, r->kept) ||
            (r->is_key && !covey_i_csv_scanner_number(&r->scanner[w], r->is_key)) ||
            (r->watched && !covey_i_csv_scanner_watch(&r->scanner[w], r->watched)))
            return covey_i_no_memory(err);
    for (size_t w = 0; w < r->n_workers; w++)
        r->scanner[w].codes.first = room_of(r, left);
    r->caller = pthread_self();
    return COVEY_OK;
}

/* Scans from the cursor to the end, on all threads.  *in_order false: the rows are not what they were expected to be,
 * and have to be read again. */
static covey_status scan_rows(bool *in_order, covey_csv_reader *r, covey_error *err)
{
    *in_order = true;
    COVEY_TRY(start_scanners(r, err));
    COVEY_TRY(covey_i_parallel((int)r->n_workers, r->n_workers, scan_chunks, r, err));
    if (r->cancelled)
        return covey_fail(err, COVEY_ECANCELLED, "%s: reading was cancelled", r->path);
    if (r->order == COVEY_CSV_ANY)
        return find_fault(r, err);
    for (size_t i = 0; i < r->n_chunks; i++)
        *in_order &= !r->chunk[i].wrong;
    if (!*in_order || r->order == COVEY_CSV_SORTED)
        return COVEY_OK;
    COVEY_TRY(covey_i_csv_join_numbers(&r->numbers, r->chunk, r->n_chunks, (int)r->n_workers, err));
    *in_order = r->numbers.start != NULL;
    return COVEY_OK;
}

/* The first column of a numbered file has a name only. */
static covey_status add_numbers_column(covey_table **out, const covey_csv_reader *r, covey_error *err)
{
    covey_table *narrow = *out, *table = NULL;
    covey_column *number = NULL;
    covey_status status;

    *out = NULL;
    if ((status = covey_i_table_new(&table, narrow->n_rows, r->n_columns, err)) == COVEY_OK &&
        (status = covey_i_column_new(&number, r->name[0], COVEY_TYPE_TEXT, narrow->n_rows, 0, false, 0, NULL, NULL,
                                     NULL, err)) == COVEY_OK) {
        table->columns[0] = number;
        for (size_t c = 0; c < narrow->n_columns; c++) {
            table->columns[c + 1] = narrow->columns[c];
            narrow->columns[c] = NULL;
        }
        *out = table;
    } else {
        covey_table_free(table);
    }
    covey_table_free(narrow);
    return status;
}

static const char *const empty[] = {""};

/* What the scanners have seen of the columns that are watched. */
static void tell_watched(covey_csv_reader *r)
{
    const covey_csv_options *options = r->options;

    for (size_t c = 0; r->watched && c < r->n_columns; c++) {
        covey_repeats repeats;

        if (!r->watched[c])
            continue;
        for (size_t w = 1; w < r->n_workers; w++)
            covey_i_value_sample_join(&r->scanner[0].sample[c], &r->scanner[w].sample[c]);
        covey_i_value_sample_repeats(&repeats, &r->scanner[0].sample[c], options->null ? options->null : empty,
                                     options->null ? options->n_null : 1);
        options->watched(options->context, r->name[c], &repeats);
    }
}

static covey_csv_parts scanned_parts(const covey_csv_reader *r)
{
    covey_csv_parts parts = {.path = r->path,
                             .name = r->name,
                             .kept = r->kept,
                             .is_key = r->is_key,
                             .n_columns = r->n_columns,
                             .null = r->options->null ? r->options->null : empty,
                             .n_null = r->options->null ? r->options->n_null : 1,
                             .scanner = r->scanner,
                             .n_workers = r->n_workers,
                             .chunk = r->chunk,
                             .n_chunks = r->n_chunks};

    for (size_t i = 0; i < r->n_chunks; i++)
        parts.n_rows += r->chunk[i].n_rows;
    return parts;
}

static covey_status build_table(covey_table **out, covey_csv_reader *r, covey_error *err)
{
    covey_csv_parts parts = scanned_parts(r);

    if (parts.n_rows > UINT32_MAX)
        return covey_fail_at(err, COVEY_EPARSE, r->path, 0, NULL, 0,
                             "has %" PRId64 " rows; the most is 4294967295; split the table", parts.n_rows);
    if (!collect_lines(r))
        return covey_i_no_memory(err);
    tell_watched(r);
    parts.lines = r->lines;
    if (r->order == COVEY_CSV_NUMBERED)
        r->kept[0] = false;
    COVEY_TRY(covey_i_csv_columns(out, &parts, r->run, err));
    if (r->order == COVEY_CSV_NUMBERED)
        COVEY_TRY(add_numbers_column(out, r, err));
    (*out)->is_misguessed = r->is_misguessed;
    return COVEY_OK;
}

/* Can the quick way be tried? */
static bool may_be_sorted(const covey_csv_reader *r)
{
    return r->n_kept == r->n_columns && !r->options->trim && (r->order == COVEY_CSV_SORTED || r->n_columns > 1);
}

covey_status covey_i_csv_reader_sorted_rows(covey_table **out, covey_csv_reader *r, covey_error *err)
{
    bool in_order;

    *out = NULL;
    if (!may_be_sorted(r))
        return COVEY_OK;
    COVEY_TRY(scan_rows(&in_order, r, err));
    return in_order ? build_table(out, r, err) : COVEY_OK;
}

/* Reads rows from where it began, whatever was read before. */
static covey_status scan_any_rows(covey_csv_reader *r, const covey_csv_reader *begin, covey_error *err)
{
    bool in_order;

    covey_i_csv_reader_free_rows(r);
    r->order = COVEY_CSV_ANY;
    r->cursor = begin->cursor;
    r->line = begin->line;
    r->chunk_size = begin->chunk_size;
    r->stop = false;
    return scan_rows(&in_order, r, err);
}

static bool keys_are_numbers(const covey_csv_reader *r)
{
    covey_csv_parts parts = scanned_parts(r);

    return covey_i_csv_keys_are_numbers(&parts);
}

covey_status covey_i_csv_reader_rows(covey_table **out, covey_csv_reader *r, covey_error *err)
{
    const covey_csv_reader begin = *r;

    if (r->order != COVEY_CSV_ANY) {
        COVEY_TRY(covey_i_csv_reader_sorted_rows(out, r, err));
        if (*out)
            return COVEY_OK;
    }
    COVEY_TRY(scan_any_rows(r, &begin, err));
    if (r->is_key && !keys_are_numbers(r)) {
        covey_i_free(r->is_key);
        r->is_key = NULL;
        COVEY_TRY(scan_any_rows(r, &begin, err));
    }
    return build_table(out, r, err);
}

void covey_i_csv_reader_free_rows(covey_csv_reader *r)
{
    for (size_t i = 0; r->chunk && i < r->n_chunks; i++)
        covey_i_csv_chunk_clear(&r->chunk[i], r->n_columns);
    for (size_t w = 0; r->scanner && w < r->n_workers; w++)
        covey_i_csv_scanner_free(&r->scanner[w]);
    covey_i_lines_free(r->lines);
    covey_i_free(r->chunk);
    covey_i_free(r->scanner);
    r->chunk = NULL;
    r->scanner = NULL;
    r->lines = NULL;
    r->n_chunks = r->n_workers = 0;
}

void covey_i_csv_reader_free(covey_csv_reader *r)
{
    covey_i_csv_reader_free_rows(r);
    covey_i_free(r->numbers.start);
    covey_i_free(r->name);
    covey_i_free(r->kept);
    covey_i_free(r->watched);
    covey_i_free(r->is_key);
    covey_i_free(r->number);
    covey_i_csv_parser_clear(&r->header);
    pthread_mutex_destroy(&r->lock);
}

/* numbers: NULL where none are expected. */
static covey_status read_bytes(covey_table **out, covey_csv_numbers *numbers, covey_csv_reader *r, covey_error *err)
{
    covey_status status;

    COVEY_TRY(covey_i_csv_check_delimiter(r->options->delimiter, err));
    pthread_mutex_init(&r->lock, NULL);
    if ((status = covey_i_csv_reader_begin(r, err)) == COVEY_OK)
        status = covey_i_csv_reader_rows(out, r, err);
    if (status == COVEY_OK && numbers) {
        *numbers = r->numbers;
        r->numbers = (covey_csv_numbers){0};
    }
    covey_i_csv_reader_free(r);
    return status;
}

covey_status covey_i_csv_read_file(covey_table **out, const covey_infile *file, const char *path,
                                   const covey_csv_options *options, size_t chunk_size, const covey_run *run,
                                   covey_error *err)
{
    covey_csv_reader r = {
        .path = path, .options = options ? options : &defaults, .run = run, .file = *file, .chunk_size = chunk_size};

    return read_bytes(out, NULL, &r, err);
}

covey_status covey_i_csv_read_sorted_file(covey_table **out, covey_csv_numbers *numbers, const covey_infile *file,
                                          const char *path, const covey_csv_options *options, size_t chunk_size,
                                          const covey_run *run, covey_error *err)
{
    covey_csv_reader r = {.path = path,
                          .options = options ? options : &defaults,
                          .run = run,
                          .file = *file,
                          .chunk_size = chunk_size,
                          .order = numbers ? COVEY_CSV_NUMBERED : COVEY_CSV_SORTED};

    if (numbers)
        *numbers = (covey_csv_numbers){0};
    return read_bytes(out, numbers, &r, err);
}

/* The file must be the same at the end. */
static covey_status finish_reading(covey_table **out, covey_table *table, covey_infile *file, const char *path,
                                   covey_status status, covey_error *err)
{
    const covey_status unchanged =
        status == COVEY_OK || status == COVEY_EPARSE ? covey_i_infile_unchanged(file, path, err) : COVEY_OK;

    covey_i_infile_close(file);
    if (status == COVEY_OK && unchanged == COVEY_OK)
        *out = table;
    else
        covey_table_free(table);
    return unchanged != COVEY_OK ? unchanged : status;
}

/* How much of a text that is unpacked memory may hold; NULL: not known. */
static const covey_infile_spill *text_limit(covey_infile_spill *spill, const covey_csv_options *options)
{
    const int64_t limit = options ? options->memory_limit : 0,
                  most = limit > 0 ? limit / TEXT_SHARE : covey_i_free_memory() / 2;

    *spill = (covey_infile_spill){.most_bytes = (size_t)most, .is_asked = limit > 0};
    return most > 0 ? spill : NULL;
}

covey_status covey_csv_read(covey_table **out, const char *path, const covey_csv_options *options, const covey_run *run,
                            covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_table *table = NULL;
    covey_infile_spill limit;
    covey_status status;

    COVEY_TRY(covey_i_infile_open_input(&file, path, text_limit(&limit, options), err));
    status = covey_i_csv_read_file(&table, &file, path, options, 0, run, err);
    return finish_reading(out, table, &file, path, status, err);
}

covey_status covey_i_csv_read_sorted(covey_table **out, covey_csv_numbers *numbers, const char *path,
                                     const covey_csv_options *options, const covey_run *run, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_table *table = NULL;
    covey_status status;

    COVEY_TRY(covey_i_infile_open(&file, path, err));
    status = covey_i_csv_read_sorted_file(&table, numbers, &file, path, options, 0, run, err);
    status = finish_reading(out, table, &file, path, status, err);
    if (status != COVEY_OK && numbers) {
        covey_i_free(numbers->start);
        *numbers = (covey_csv_numbers){0};
    }
    return status;
}
