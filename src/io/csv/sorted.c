/* Reading sorted files by what changes from row to row.  A column's code is written when the next one is known: at once
 * for all rows that have it. */
#include "io/csv/sorted.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "io/csv/reader.h"
#include "io/csv/sorted_scan.h"
#include "table/table_impl.h"

enum {
    SAMPLE = 128, /* rows that tell whether most of the others are unlike those before them */
    FEW = 8,      /* equal rows, behind which more may be expected */
    BATCH = 16    /* rows, behind which such are looked for */
};

static const uint64_t ONES = 0x0101010101010101u, HIGHS = 0x8080808080808080u;

/* The lowest high bit that is set is the first byte of word that equals the byte repeated in pattern; see scan.c. */
static inline uint64_t marks(uint64_t word, uint64_t pattern)
{
    const uint64_t x = word ^ pattern;

    return (x - ONES) & ~x & HIGHS;
}

/* How many of n bytes are the same from the beginning; at least n if all are.  Up to 31 bytes behind them are read. */
static inline uint32_t same_bytes(const char *a, const char *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 32) {
        const uint32_t same = covey_i_same_bits_32(a + i, b + i);

        if (~same)
            return i + (uint32_t)__builtin_ctz(~same);
    }
    return n;
}

/* --- codes --- */

/* From this row on column c has another code.  False without memory. */
static bool change(covey_sorted_scan *x, size_t c, uint32_t code)
{
    covey_csv_chunk *chunk = x->chunk;

    covey_i_sorted_write(x, c);
    x->code[c] = code;
    return (chunk->width[c] && code < (uint64_t)1 << 8 * chunk->width[c]) ||
           covey_i_csv_chunk_widen(chunk, c, x->s->dictionary[c].n, x->row);
}

/* --- cells --- */

/* Where the first of three bytes is; one of them comes. */
static const char *find_mark(const char *at, uint64_t a, uint64_t b, uint64_t c)
{
    for (;; at += 8) {
        const uint64_t word = covey_i_load_word(at), hit = marks(word, a) | marks(word, b) | marks(word, c);

        if (hit)
            return at + (__builtin_ctzll(hit) >> 3);
    }
}

/* A cell that may be long or quoted. */
struct cell {
    const char *bytes, *stop; /* stop: the delimiter or line feed behind it */
    uint64_t size;
};

/* False if it is not for this way. */
static bool find_cell(struct cell *cell, const char *at, char delimiter)
{
    const uint64_t delimiters = ONES * (unsigned char)delimiter, line_feeds = ONES * '\n', quotes = ONES * '"';

    if (*at == '"') {
        const char *closing = find_mark(at + 1, quotes, quotes, line_feeds);

        *cell = (struct cell){at + 1, closing + 1, (uint64_t)(closing - (at + 1))};
        return *closing == '"' && (closing[1] == delimiter || closing[1] == '\n');
    }
    cell->bytes = at;
    cell->stop = find_mark(at, delimiters, line_feeds, quotes);
    cell->size = (uint64_t)(cell->stop - at);
    return *cell->stop != '"' && !(*cell->stop == '\n' && cell->size > 0 && cell->stop[-1] == '\r');
}

/* Takes the cells of a row from column c on apart, which begins at `at`; false if they are not for this way, or without
 * memory. */
static inline bool take_cells(covey_sorted_scan *x, const char *row, const char *at, size_t c)
{
    covey_csv_scanner *s = x->s;
    const size_t n = s->n_columns;
    const char *base = at; /* of the marks */
    uint32_t bits = covey_i_mark_bits_32(at, s->delimiter);

    for (; c < n; c++) {
        const char *stop, end = c + 1 < n ? s->delimiter : '\n';
        uint32_t code;

        if (!bits) {
            base = at;
            bits = covey_i_mark_bits_32(at, s->delimiter);
        }
        stop = base + __builtin_ctz(bits | (uint32_t)1 << 31);
        if (*stop == end && stop - at <= COVEY_DICTIONARY_PACKED) {
            const uint32_t size = (uint32_t)(stop - at);

            code = covey_i_dictionary_packed(&s->dictionary[c], covey_i_first_bytes(covey_i_load_word(at), size), size,
                                             at);
            bits &= bits - 1;
        } else {
            struct cell cell;

            if (!find_cell(&cell, at, s->delimiter) || cell.size > INT32_MAX || *cell.stop != end)
                return false; /* not for this way; or too few cells or too many */
            code = covey_i_dictionary_code(&s->dictionary[c], cell.bytes, (uint32_t)cell.size);
            stop = cell.stop;
            bits = 0;
        }
        if ((code != x->code[c] || x->row == 0) && !change(x, c, code)) {
            s->out_of_memory = true;
            return false;
        }
        x->end[c] = (uint32_t)(stop - row);
        at = stop + 1;
    }
    return true;
}

/* --- numbers --- */

/* The chunk's first row has the next number; false if that is none. */
static bool first_number(covey_sorted_number *number, const char *at, char delimiter)
{
    uint64_t value = 0;

    *number = (covey_sorted_number){0};
    for (; at[number->size] >= '0' && at[number->size] <= '9'; number->size++) {
        if (number->size == 9) /* as many rows would not fit into memory */
            return false;
        number->digits[number->size] = at[number->size];
        value = value * 10 + (uint64_t)(at[number->size] - '0');
    }
    number->value = (uint32_t)value;
    number->word = covey_i_load_word(number->digits);
    return value > 0 && number->digits[0] != '0' && at[number->size] == delimiter;
}

/* --- rows --- */

/* How many cells at the beginning of a row are those of the row before: its first byte that is not stands behind them.
 */
static inline size_t count_same(const covey_sorted_scan *x, uint32_t same)
{
    const size_t n = x->s->n_columns;
    size_t c = 0;

    if (n > 1 && x->end[n - 2] < same) /* the usual case */
        return n - 1;
    while (x->end[c] < same)
        c++;
    return c;
}

/* A row has another number than the one before, and takes it: the cells behind it may still be the same.  How many
 * cells are done; 0 if it has not the next number, or without memory. */
static size_t take_number(covey_sorted_scan *x, const char *row, const char *before)
{
    const uint32_t size = x->next.size;
    size_t c = 1;

    if (!covey_i_sorted_has_number(row, &x->next, x->s->delimiter) || !covey_i_sorted_begin_number(x))
        return 0;
    if (before && x->end[0] == size) {
        const uint32_t behind = size + 1, same = behind + same_bytes(row + behind, before + behind,
                                                                     x->end[x->s->n_columns - 1] + 1 - behind);

        while (c < x->s->n_columns && x->end[c] < same)
            c++;
    }
    x->end[0] = size;
    return c;
}

static inline bool take_row(covey_sorted_scan *x, const char *row, const char *before, uint32_t same)
{
    size_t c = count_same(x, same);

    x->n_unlike += c <= 1;
    if (x->is_numbered && c == 0 && (c = take_number(x, row, before)) == 0)
        return false;
    return take_cells(x, row, row + (c > 0 ? x->end[c - 1] + 1 : 0), c);
}

/* --- rows that differ in their last cell alone --- */

/* What such rows have in common. */
struct alike {
    const char *before; /* one of them */
    uint32_t begin;     /* of the last cell */
    char delimiter;
};

static inline bool has_same_cells(const struct alike *a, const char *row)
{
    return same_bytes(row, a->before, a->begin) >= a->begin;
}

/* The last cell's bytes up to the first that may end it or needs care; COVEY_MARKED if there is none so near. */
static inline uint32_t size_of_last(const struct alike *a, const char *row)
{
    return (uint32_t)__builtin_ctz(covey_i_mark_bits(row + a->begin, a->delimiter) | (uint32_t)1 << COVEY_MARKED);
}

/* Has the last cell so many bytes?  Where it ends is asked so while rows are taken, for to compute it where the answer
 * was guessed right would have each row wait for the one before. */
static inline bool ends_at(const struct alike *a, const char *row, uint32_t size)
{
    const uint32_t bit = (uint32_t)1 << size;

    return (covey_i_mark_bits(row + a->begin, a->delimiter) & (2 * bit - 1)) == bit && row[a->begin + size] == '\n';
}

/* How many rows equal the one before, `size` bytes long, from a row on. */
static uint32_t count_equals(const char *row, uint32_t size, const char *end)
{
    const uint32_t left = (uint32_t)(end - row), same = same_bytes(row, row - size, left);

    return (same < left ? same : left) / size;
}

/* Takes such rows as long as their last cells are short and known; returns the first that is not taken. */
static inline const char *take_alike(covey_sorted_scan *x, const char *row, const char *before)
{
    const size_t last = x->s->n_columns - 1;
    const struct alike a = {before, last > 0 ? x->end[last - 1] + 1 : 0, x->s->delimiter};
    const covey_dictionary d = x->s->dictionary[last];
    const int width = x->chunk->width[last];
    const uint64_t n_codes = (uint64_t)1 << 8 * width;
    const char *const end = x->chunk->end;
    void *codes = x->chunk->codes[last];
    uint64_t code = x->code[last];
    uint32_t taken = x->end[last] + 1, size; /* the latest row's bytes, its last cell's */
    int64_t n = x->row;

    covey_i_sorted_write(x, last);
    while (row < end && has_same_cells(&a, row) && (size = size_of_last(&a, row)) <= COVEY_DICTIONARY_PACKED) {
        const int64_t first = n;

        for (; n < first + BATCH && row < end && has_same_cells(&a, row) && ends_at(&a, row, size); n++) {
            const uint64_t key = covey_i_first_bytes(covey_i_load_word(row + a.begin), size);
            const uint64_t found = (uint64_t)covey_i_dictionary_in_place(d.slot, d.shift, key, size) - 1;

            if (found >= n_codes) /* that of a cell that is not there */
                break;
            code = found;
            covey_i_codes_put(codes, width, (size_t)n, (uint32_t)code);
            taken = a.begin + size + 1;
            row += taken;
        }
        if (n == first)
            break;
        if (n - x->row >= FEW && covey_i_codes_get(codes, width, (size_t)n - FEW) == code) {
            const uint32_t more = count_equals(row, taken, end);

            covey_i_sorted_fill(codes, width, n, n + more, (uint32_t)code);
            n += more;
            row += (size_t)more * taken;
        }
    }
    x->row = x->since[last] = n;
    x->code[last] = (uint32_t)code;
    x->end[last] = taken - 1;
    return row;
}

static bool scan_rows(covey_sorted_scan *x)
{
    const char *row = x->chunk->start, *before = NULL;
    const size_t last = x->s->n_columns - 1;
    bool has_sample = !x->is_numbered || x->s->n_columns > COVEY_SORTED_UNLIKE;

    if (x->is_numbered && row < x->chunk->end && !first_number(&x->next, row, x->s->delimiter))
        return false;
    x->chunk->first_number = x->next.value;
    while (row < x->chunk->end) {
        const uint32_t size = x->end[last] + 1, same = before ? same_bytes(row, before, size) : 0;

        if (same < size && !take_row(x, row, before, same))
            return false;
        before = row;
        row += x->end[last] + 1;
        x->row++;
        row = take_alike(x, row, before);
        before = row - (x->end[last] + 1);
        if (!has_sample && x->row >= SAMPLE) {
            has_sample = true;
            x->is_unlike = x->n_unlike > SAMPLE / 2;
            x->has_tails = x->is_unlike || x->n_numbers > SAMPLE / 4;
        }
        if ((x->is_unlike || x->has_tails) && !(row = covey_i_sorted_take_unlike(x, row, &before)))
            return false;
    }
    for (size_t c = x->is_numbered; c <= last; c++)
        covey_i_sorted_write(x, c);
    return true;
}

static bool scan_chunk(covey_csv_chunk *chunk, covey_csv_scanner *s, bool is_numbered)
{
    const size_t n = s->n_columns;
    covey_sorted_scan x = {.chunk = chunk, .s = s, .is_numbered = is_numbered};
    bool done = false;

    x.end = covey_i_array_zero(n, sizeof *x.end);
    x.code = covey_i_array_zero(n, sizeof *x.code);
    x.since = covey_i_array_zero(n, sizeof *x.since);
    chunk->codes = covey_i_array_zero(n, sizeof *chunk->codes);
    chunk->width = covey_i_array_zero(n, 1);
    if (chunk->room) /* in which no row is wasted */
        chunk->n_line_ends = covey_i_csv_count_lines(chunk->start, (size_t)(chunk->end - chunk->start));
    else
        chunk->n_line_ends =
            (chunk->end - chunk->start) / (int64_t)n; /* no record is shorter than its delimiters and line feed */
    chunk->n_line_ends += COVEY_SORTED_SLACK;
    if (!x.end || !x.code || !x.since || !chunk->codes || !chunk->width)
        s->out_of_memory = true;
    else
        done = (chunk->end == chunk->start || chunk->end[-1] == '\n') && chunk->end - chunk->start <= INT32_MAX &&
               scan_rows(&x);
    chunk->n_rows = x.row;
    chunk->n_numbers = x.n_numbers;
    chunk->number_start = x.number_start;
    for (size_t c = is_numbered; c < n; c++)
        if (s->dictionary[c].broken)
            s->out_of_memory = true;
    covey_i_free(x.end);
    covey_i_free(x.code);
    covey_i_free(x.since);
    return done;
}

void covey_i_csv_scan_sorted(covey_csv_chunk *chunk, covey_csv_scanner *s, bool is_numbered)
{
    chunk->wrong = !scan_chunk(chunk, s, is_numbered) && !s->out_of_memory;
}

/* --- numbers of all chunks --- */

struct joining {
    const covey_csv_chunk *chunk;
    uint32_t *start;
};

/* A chunk's first number may have begun in the one before. */
static covey_status join_chunk(void *context, size_t task, covey_error *err)
{
    const struct joining *j = context;
    const covey_csv_chunk *chunk = &j->chunk[task];
    uint32_t row = 0, last = 0;

    (void)err;
    for (size_t i = 0; i < task; i++) {
        row += (uint32_t)j->chunk[i].n_rows;
        last = j->chunk[i].n_rows > 0 ? j->chunk[i].first_number + j->chunk[i].n_numbers - 1 : last;
    }
    for (uint32_t k = chunk->first_number == last; chunk->n_rows > 0 && k < chunk->n_numbers; k++)
        j->start[chunk->first_number - 1 + k] = row + chunk->number_start[k];
    return COVEY_OK;
}

covey_status covey_i_csv_join_numbers(covey_csv_numbers *out, const covey_csv_chunk *chunk, size_t n_chunks,
                                      int n_threads, covey_error *err)
{
    struct joining j = {.chunk = chunk};
    uint32_t last = 0, n_rows = 0;

    *out = (covey_csv_numbers){0};
    for (size_t i = 0; i < n_chunks; i++) {
        if (chunk[i].n_rows == 0)
            continue;
        if (chunk[i].first_number != last && chunk[i].first_number != last + 1)
            return COVEY_OK;
        last = chunk[i].first_number + chunk[i].n_numbers - 1;
        n_rows += (uint32_t)chunk[i].n_rows;
    }
    if (!(j.start = covey_i_array_full((size_t)last + 1, sizeof *j.start)))
        return covey_i_no_memory(err);
    j.start[last] = n_rows;
    *out = (covey_csv_numbers){last, j.start};
    return covey_i_parallel(n_threads, n_chunks, join_chunk, &j, err);
}
