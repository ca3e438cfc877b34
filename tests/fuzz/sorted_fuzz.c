/* Large CSV files of sorted, numbered and equal rows, grown from a small input (kit.h): all ways to read them - in one
 * chunk or many, the quick ways of sorted and of numbered files, piece by piece - give the same columns, or the same
 * complaint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "io/csv/read.h"
#include "io/csv/stream.h"
#include "kit.h"
#include "table/table_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 60000 };
enum { NOTHING, A_RECORD, A_RUN }; /* what a piece has in common with the next one */

struct file {
    covey_infile bytes;
    const char *path;
    covey_csv_options options;
    size_t chunk_size, piece_size;
    covey_run run;
    covey_table *plain; /* NULL: err says why */
    covey_error err;
};

static bool are_same_cells(const covey_column *a, int64_t row_a, const covey_column *b, int64_t row_b)
{
    const uint32_t x = covey_column_code(a, row_a), y = covey_column_code(b, row_b);

    return covey_column_label_size(a, x) == covey_column_label_size(b, y) &&
           memcmp(covey_column_label(a, x), covey_column_label(b, y), covey_column_label_size(a, x)) == 0 &&
           covey_column_line(a, row_a) == covey_column_line(b, row_b);
}

/* The rows of a piece are those of the whole from `first` on. */
static void require_rows(const covey_table *piece, const covey_table *whole, size_t first_column, int64_t first)
{
    fuzz_require(covey_table_n_columns(piece) == covey_table_n_columns(whole) &&
                 first + covey_table_n_rows(piece) <= covey_table_n_rows(whole));
    for (size_t c = first_column; c < covey_table_n_columns(whole); c++)
        for (int64_t row = 0; row < covey_table_n_rows(piece); row++)
            fuzz_require(are_same_cells(covey_table_column(piece, c), row, covey_table_column(whole, c), first + row));
}

/* The same order of values, too: codes are equal. */
static void require_table(const covey_table *table, const covey_table *plain, size_t first_column)
{
    fuzz_require(covey_table_n_rows(table) == covey_table_n_rows(plain));
    require_rows(table, plain, first_column, 0);
    for (size_t c = first_column; c < covey_table_n_columns(plain); c++)
        for (int64_t row = 0; row < covey_table_n_rows(plain); row++)
            fuzz_require(covey_column_code(covey_table_column(table, c), row) ==
                         covey_column_code(covey_table_column(plain, c), row));
}

static void require_complaint(const covey_error *err, const covey_error *expected)
{
    fuzz_require(strcmp(err->message, expected->message) == 0 && err->row == expected->row &&
                 strcmp(err->column, expected->column) == 0);
}

static void read_in_chunks(const struct file *f)
{
    covey_table *table = NULL;
    covey_error err = {0};

    fuzz_require(covey_i_csv_read_file(&table, &f->bytes, "f.csv", &f->options, f->chunk_size, &f->run, &err) ==
                 f->err.status);
    if (f->plain)
        require_table(table, f->plain, 0);
    else
        require_complaint(&err, &f->err);
    covey_table_free(table);
}

/* --- numbers --- */

static void require_numbers(const covey_csv_numbers *numbers, const covey_column *text)
{
    fuzz_require(numbers->start[0] == 0 && numbers->start[numbers->n] == text->n_rows);
    for (uint32_t n = 1; n <= numbers->n; n++) {
        char expected[16];

        snprintf(expected, sizeof expected, "%u", n);
        fuzz_require(numbers->start[n - 1] < numbers->start[n]);
        for (uint32_t row = numbers->start[n - 1]; row < numbers->start[n]; row++)
            fuzz_require(strcmp(covey_column_label(text, covey_column_code(text, row)), expected) == 0);
    }
}

/* Windows up to a number that grows by `step`; the last class of one is the first of the next. */
static void read_windows(const struct file *f, const covey_csv_numbers *numbers, bool is_sorted, uint32_t step)
{
    covey_csv_stream *stream = NULL;
    uint32_t from = 1;

    fuzz_require(covey_i_csv_stream_open(&stream, f->path, &f->options, f->piece_size, NULL, &f->run, NULL) ==
                 COVEY_OK);
    if (is_sorted)
        covey_i_csv_stream_expect_sorted(stream);
    for (uint32_t to = step; from <= numbers->n && !covey_i_csv_stream_is_at_end(stream); to += step) {
        const uint32_t last = to < numbers->n ? to : numbers->n;
        covey_table *piece = NULL;

        fuzz_require(covey_i_csv_stream_next_to(&piece, stream, to, NULL) == COVEY_OK && piece);
        fuzz_require(covey_table_n_rows(piece) == numbers->start[last] - numbers->start[from - 1]);
        require_rows(piece, f->plain, 0, numbers->start[from - 1]);
        covey_table_free(piece);
        from = last;
    }
    fuzz_require(from == numbers->n || numbers->n == 0);
    covey_i_csv_stream_close(stream);
}

static void read_sorted(const struct file *f, bool wants_numbers, uint32_t step)
{
    covey_csv_numbers numbers = {0};
    covey_table *table = NULL;
    covey_error err = {0};

    fuzz_require(covey_i_csv_read_sorted_file(&table, wants_numbers ? &numbers : NULL, &f->bytes, "f.csv", &f->options,
                                              f->chunk_size, &f->run, &err) == f->err.status);
    if (f->plain) {
        require_table(table, f->plain, numbers.start != NULL);
        if (numbers.start) {
            require_numbers(&numbers, covey_table_column(f->plain, 0));
            read_windows(f, &numbers, step % 2, step);
        }
    } else {
        require_complaint(&err, &f->err);
    }
    covey_i_free(numbers.start);
    covey_table_free(table);
}

/* --- pieces --- */

static covey_status next_piece(covey_table **out, covey_csv_stream *stream, int overlap, covey_error *err)
{
    return overlap == NOTHING    ? covey_i_csv_stream_next(out, stream, err)
           : overlap == A_RECORD ? covey_i_csv_stream_next_overlapping(out, stream, err)
                                 : covey_i_csv_stream_next_runs(out, stream, err);
}

/* The row that begins on a line. */
static int64_t row_on(const covey_table *plain, int64_t line)
{
    const covey_column *column = covey_table_column(plain, 0);
    int64_t lo = 0, hi = covey_table_n_rows(plain);

    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;

        if (covey_column_line(column, middle) < line)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* All pieces: each begins where the one before ends, or as much before as they have in common.  Where they fail, all is
 * wrong. */
static void read_pieces(const struct file *f, int overlap, bool is_sorted)
{
    int64_t first = 0, end = 0;
    covey_csv_stream *stream = NULL;
    covey_error err = {0};
    covey_status status = covey_i_csv_stream_open(&stream, f->path, &f->options, f->piece_size, NULL, &f->run, &err);

    if (stream && is_sorted)
        covey_i_csv_stream_expect_sorted(stream);
    while (status == COVEY_OK) {
        covey_table *piece = NULL;

        if ((status = next_piece(&piece, stream, overlap, &err)) != COVEY_OK || !piece)
            break;
        if (f->plain && covey_table_n_rows(piece) > 0) {
            const int64_t begin = row_on(f->plain, covey_column_line(covey_table_column(piece, 0), 0));

            fuzz_require(begin == (overlap == A_RECORD && end > 0 ? end - 1 : end) ||
                         (overlap == A_RUN && begin > first && begin <= end));
            require_rows(piece, f->plain, 0, begin);
            first = begin;
            end = begin + covey_table_n_rows(piece);
        }
        covey_table_free(piece);
    }
    if (f->plain)
        fuzz_require(status == COVEY_OK && end == covey_table_n_rows(f->plain) && covey_i_csv_stream_is_at_end(stream));
    else
        fuzz_require(status == f->err.status && err.message[0] && !strchr(err.message, '\n'));
    covey_i_csv_stream_close(stream);
}

/* --- all of it --- */

static void read_in_all_ways(struct file *f, uint32_t step)
{
    static const covey_run one = {.n_threads = 1};
    const covey_status status = covey_i_csv_read_file(&f->plain, &f->bytes, "f.csv", &f->options, 0, &one, &f->err);

    fuzz_require(status == COVEY_OK || status == COVEY_EPARSE);
    f->err.status = status;
    read_in_chunks(f);
    read_sorted(f, false, step);
    read_sorted(f, true, step);
    for (int overlap = NOTHING; overlap <= A_RUN; overlap++) {
        read_pieces(f, overlap, false);
        read_pieces(f, overlap, true);
    }
    covey_table_free(f->plain);
}

/* The first bytes choose options; the rest grows the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t sizes[] = {1, 7, 60, 500, 4000, 20000};
    static const char *const nothing[] = {NULL};
    fuzz_input in = {data, data + size};
    const unsigned flags = fuzz_byte(&in), cuts = fuzz_byte(&in);
    struct file f = {.options = {.null = nothing}, .run = {.n_threads = 1 + (int)(flags & 3) % 3}};
    covey_text text = COVEY_TEXT_INIT;
    char path[256];

    f.options.delimiter = flags & 4 ? '\0' : ',';
    f.options.no_header = flags & 8;
    f.chunk_size = sizes[cuts % 6];
    f.piece_size = sizes[cuts / 6 % 6];
    covey_i_text_add_char(&text, 'c'); /* so that no file is taken for a compressed one */
    fuzz_grow(&text, &in, MOST_BYTES);
    if (f.piece_size * 100 < text.size) /* as many pieces take their time */
        f.piece_size = text.size / 100;
    f.path = fuzz_path(path, sizeof path, "sorted.csv");
    fuzz_put(f.path, text.bytes, text.size);
    if (!(f.bytes.owned =
              covey_i_array_zero(text.size + COVEY_INFILE_PADDING, 1))) /* not more: what is read behind it is seen */
        abort();
    memcpy(f.bytes.owned, text.bytes, text.size);
    f.bytes.bytes = f.bytes.owned;
    f.bytes.size = text.size;
    covey_i_text_free(&text);
    read_in_all_ways(&f, 1 + flags / 16);
    covey_i_infile_close(&f.bytes);
    remove(path);
    return 0;
}
