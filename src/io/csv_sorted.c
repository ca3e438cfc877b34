/* See csv_sorted.h.  A column's code is written when the next one is known: at once for all rows that have it. */
#include "io/csv_sorted.h"

#include "base/alloc.h"
#include "table/table_impl.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SLACK = 16 /* codes behind the last row that may be written */, SAMPLE = 128 /* rows */, SAMPLED_ROWS_PER_CHANGE = 16 };

static const uint64_t ONES = 0x0101010101010101u, HIGHS = 0x8080808080808080u;

/* The number that the next row has if it is not that of the row before. */
struct number {
    uint32_t value;
    uint32_t size;
    char digits[16];
};

struct scan {
    covey_csv_chunk *chunk;
    covey_csv_scanner *s;
    uint32_t *end;    /* [n_columns] of the cells of the row before, from its beginning: where the delimiter or line feed is */
    uint32_t *code;   /* [n_columns] of the row before */
    int64_t *since;   /* [n_columns] the first row that has it; not written from there on */
    int64_t row;
    int64_t n_last_but_one; /* rows that were the same up to the last cell but one */
    bool has_two_restless;  /* the last column is not the only one that changes often */
    struct number next;
    uint32_t n_numbers, *number_start; size_t capacity; /* the chunk's */
};

/* The lowest high bit that is set is the first byte of word that equals the byte repeated in pattern; see csv_scan.c. */
static inline uint64_t marks(uint64_t word, uint64_t pattern)
{
    const uint64_t x = word ^ pattern;

    return (x - ONES) & ~x & HIGHS;
}

/* A bit for each of 16 bytes: is it the same in both; may a cell end at it, or need care because of it? */
#ifdef __SSE2__
static inline __m128i load_lanes(const char *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static inline uint32_t same_bits(const char *a, const char *b)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(load_lanes(a), load_lanes(b)));
}

static inline uint32_t mark_bits(const char *bytes, char delimiter)
{
    const __m128i lanes = load_lanes(bytes);
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8(delimiter)), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\n')));
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\r')));

    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(ends, others));
}
#else
static inline uint32_t same_bits(const char *a, const char *b)
{
    uint32_t bits = 0;

    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(a[i] == b[i]) << i;
    return bits;
}

static inline uint32_t mark_bits(const char *bytes, char delimiter)
{
    uint32_t bits = 0;

    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(bytes[i] == delimiter || bytes[i] == '\n' || bytes[i] == '"' || bytes[i] == '\r') << i;
    return bits;
}
#endif

static inline uint32_t same_bits_32(const char *a, const char *b)
{
    return same_bits(a, b) | same_bits(a + 16, b + 16) << 16;
}

static inline uint32_t mark_bits_32(const char *bytes, char delimiter)
{
    return mark_bits(bytes, delimiter) | mark_bits(bytes + 16, delimiter) << 16;
}

/* How many of n bytes are the same from the beginning; at least n if all are.  Up to 31 bytes behind them are read. */
static inline uint32_t same_bytes(const char *a, const char *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 32) {
        const uint32_t same = same_bits_32(a + i, b + i);

        if (~same)
            return i + (uint32_t)__builtin_ctz(~same);
    }
    return n;
}

/* --- codes --- */

static void fill(void *codes, int width, int64_t from, int64_t to, uint32_t code)
{
    const size_t n = (size_t)(to - from);

    if (width == 1) {
        if (n <= SLACK)
            memset((uint8_t *)codes + from, (int)code, SLACK);
        else
            memset((uint8_t *)codes + from, (int)code, n);
    } else if (width == 2) {
        uint16_t *at = (uint16_t *)codes + from;

        if (n <= SLACK)
            for (size_t i = 0; i < SLACK; i++)
                at[i] = (uint16_t)code;
        else
            for (size_t i = 0; i < n; i++)
                at[i] = (uint16_t)code;
    } else {
        uint32_t *at = (uint32_t *)codes + from;

        for (size_t i = 0; i < n; i++)
            at[i] = code;
    }
}

/* From this row on column c has another code.  False without memory. */
static inline bool change(struct scan *x, size_t c, uint32_t code)
{
    covey_csv_chunk *chunk = x->chunk;

    if (x->row > x->since[c])
        fill(chunk->codes[c], chunk->width[c], x->since[c], x->row, x->code[c]);
    x->since[c] = x->row;
    x->code[c] = code;
    return (chunk->width[c] && code < (uint64_t)1 << 8 * chunk->width[c]) ||
           covey_i_csv_chunk_widen(chunk, c, x->s->dictionary[c].n, x->row);
}

/* --- cells --- */

struct cell {
    const char *bytes, *stop; /* stop: the delimiter or line feed behind it */
    uint64_t size;
};

/* Where the first of three bytes is; one of them comes. */
static const char *find_mark(const char *at, uint64_t a, uint64_t b, uint64_t c)
{
    for (;; at += 8) {
        const uint64_t word = covey_i_load_word(at), hit = marks(word, a) | marks(word, b) | marks(word, c);

        if (hit)
            return at + (__builtin_ctzll(hit) >> 3);
    }
}

/* A cell that may be long or quoted; false if it is not for this way. */
static bool any_cell(struct cell *cell, const char *at, char delimiter)
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

/* Takes the cells of a row from column c on apart, which begins at `at`; false if they are not for this way, or without memory. */
static inline bool take_cells(struct scan *x, const char *row, const char *at, size_t c)
{
    covey_csv_scanner *s = x->s;
    const size_t n = s->n_columns;
    const char *base = at; /* of the marks */
    uint32_t bits = mark_bits_32(at, s->delimiter);

    for (; c < n; c++) {
        const char *stop, end = c + 1 < n ? s->delimiter : '\n';
        uint32_t code;

        if (!bits) {
            base = at;
            bits = mark_bits_32(at, s->delimiter);
        }
        stop = base + __builtin_ctz(bits | (uint32_t)1 << 31);
        if (*stop == end && stop - at <= COVEY_DICTIONARY_PACKED) {
            const uint32_t size = (uint32_t)(stop - at);

            code = covey_i_dictionary_packed(&s->dictionary[c], covey_i_first_bytes(covey_i_load_word(at), size), size, at);
            bits &= bits - 1;
        } else {
            struct cell cell;

            if (!any_cell(&cell, at, s->delimiter) || cell.size > INT32_MAX || *cell.stop != end)
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

/* A row with the next number begins; false without memory. */
static bool begin_number(struct scan *x)
{
    if (x->n_numbers == x->capacity) {
        const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
        uint32_t *start = covey_i_realloc(x->number_start, capacity, sizeof *start);

        if (!start)
            return false;
        x->number_start = start;
        x->capacity = capacity;
    }
    x->number_start[x->n_numbers++] = (uint32_t)x->row;
    return true;
}

static void count_up(struct number *number)
{
    uint32_t i = number->size;

    number->value++;
    while (i > 0 && number->digits[i - 1] == '9')
        number->digits[--i] = '0';
    if (i > 0) {
        number->digits[i - 1]++;
    } else {
        memmove(number->digits + 1, number->digits, number->size++);
        number->digits[0] = '1';
    }
}

/* The number of the chunk's first row is the next one. */
static bool first_number(struct number *number, const char *at, char delimiter)
{
    uint64_t value = 0;

    *number = (struct number){0};
    for (; at[number->size] >= '0' && at[number->size] <= '9'; number->size++) {
        if (number->size == 9) /* as many rows would not fit into memory */
            return false;
        number->digits[number->size] = at[number->size];
        value = value * 10 + (uint64_t)(at[number->size] - '0');
    }
    number->value = (uint32_t)value;
    return value > 0 && number->digits[0] != '0' && at[number->size] == delimiter;
}

static bool is_next(const struct number *number, const char *at, char delimiter)
{
    if (number->size <= 8 ? covey_i_first_bytes(covey_i_load_word(at) ^ covey_i_load_word(number->digits), number->size) != 0
                          : memcmp(at, number->digits, number->size) != 0)
        return false;
    return at[number->size] == delimiter;
}

/* --- rows --- */

/* A row that has another number than the one before: the cells behind it may still be the same. */
static bool take_numbered(struct scan *x, const char *row, const char *before)
{
    const uint32_t size = x->next.size;
    size_t c = 1;

    if (!is_next(&x->next, row, x->s->delimiter))
        return false;
    if (!begin_number(x)) {
        x->s->out_of_memory = true;
        return false;
    }
    count_up(&x->next);
    if (before && x->end[0] == size) {
        const uint32_t behind = size + 1, same = behind + same_bytes(row + behind, before + behind, x->end[x->s->n_columns - 1] + 1 - behind);

        while (c < x->s->n_columns && x->end[c] < same)
            c++;
    }
    x->end[0] = size;
    return take_cells(x, row, row + x->end[c - 1] + 1, c);
}

static bool take_row(struct scan *x, const char *row, const char *before, uint32_t same, bool is_numbered)
{
    const size_t n = x->s->n_columns;
    size_t c = 0;

    if (n > 1 && x->end[n - 2] < same) /* the usual case */
        c = n - 1;
    else
        while (x->end[c] < same)
            c++;
    x->n_last_but_one += c + 2 == n;
    if (is_numbered && c == 0)
        return take_numbered(x, row, before);
    return take_cells(x, row, row + (c > 0 ? x->end[c - 1] + 1 : 0), c);
}

/* --- rows that begin alike --- */

/* A column whose codes are written at once, because nobody can foretell where they change. */
struct restless {
    size_t c;
    covey_dictionary *dictionary;
    uint8_t *codes; /* NULL: they have more than a byte, and are written when they change */
    uint32_t code;  /* of the row before */
};

static void begin_restless(struct restless *r, struct scan *x, size_t c)
{
    *r = (struct restless){c, &x->s->dictionary[c], x->chunk->width[c] == 1 ? x->chunk->codes[c] : NULL, x->code[c]};
    if (r->codes && x->row > x->since[c])
        fill(r->codes, 1, x->since[c], x->row, r->code);
}

/* All rows before `at` are written. */
static void end_restless(const struct restless *r, struct scan *x, int64_t at)
{
    if (!r->codes)
        return;
    x->since[r->c] = at;
    x->code[r->c] = r->code;
}

/* A cell that is new, or beside its place, or has a code of more than a byte. */
static __attribute__((noinline)) bool take_rare(struct restless *r, struct scan *x, uint64_t key, uint32_t size, const char *cell, int64_t at)
{
    const size_t c = r->c;

    end_restless(r, x, at);
    x->row = at;
    r->code = covey_i_dictionary_packed(r->dictionary, key, size, cell);
    if (r->code != x->code[c] && !change(x, c, r->code)) {
        x->s->out_of_memory = true;
        return false;
    }
    r->codes = x->chunk->width[c] == 1 ? x->chunk->codes[c] : NULL;
    if (r->codes)
        r->codes[at] = (uint8_t)r->code;
    return true;
}

/* A cell of at most 8 bytes. */
static inline bool take_restless(struct restless *r, struct scan *x, const char *cell, uint32_t size, int64_t at)
{
    const uint64_t key = covey_i_first_bytes(covey_i_load_word(cell), size);
    const covey_dictionary_slot *slot = &r->dictionary->slot[covey_i_dictionary_place(r->dictionary, key, size)];

    if (!r->codes || slot->key != key || slot->size != size || slot->code_1 - 1 > UINT8_MAX)
        return take_rare(r, x, key, size, cell, at);
    r->codes[at] = (uint8_t)(r->code = slot->code_1 - 1);
    return true;
}

/* Takes rows as long as they begin like the one before up to their last cell, or the last two.  Returns the first row that is not taken; NULL without
 * memory. */
static inline const char *take_alike(struct scan *x, const char *row, const char **before, const bool two)
{
    enum { MOST = 32, MARKED = 16 };

    const size_t last = x->s->n_columns - 1, c = last - two;
    const uint32_t from = c > 0 ? x->end[c - 1] + 1 : 0; /* where rows differ */
    const uint32_t front = from < MOST ? ((uint32_t)1 << from) - 1 : UINT32_MAX;
    const char *const end = x->chunk->end, *const first = *before;
    const char delimiter = x->s->delimiter;
    uint32_t stop = x->end[c], stop_last = x->end[last];
    int64_t at = x->row;
    struct restless left, right;

    if (two)
        begin_restless(&left, x, c);
    begin_restless(&right, x, last);
    for (; row < end; at++) {
        const char *cell = row + from, *cell_last = cell;
        uint32_t bits, size = 0, size_last;

        if ((~same_bits_32(row, first) & front) || (from > MOST && memcmp(row + MOST, first + MOST, from - MOST) != 0))
            break;
        bits = mark_bits(cell, delimiter) | 1u << MARKED;
        if (two) {
            size = (uint32_t)__builtin_ctz(bits);
            bits &= bits - 1;
            if (!bits || size > COVEY_DICTIONARY_PACKED || cell[size] != delimiter)
                break;
            cell_last = cell + size + 1;
        }
        size_last = (uint32_t)(__builtin_ctz(bits) - (cell_last - cell));
        if (size_last > COVEY_DICTIONARY_PACKED || cell_last[size_last] != '\n')
            break;
        if ((two && !take_restless(&left, x, cell, size, at)) || !take_restless(&right, x, cell_last, size_last, at))
            return NULL;
        *before = row;
        stop = from + size;
        stop_last = (uint32_t)(cell_last - row) + size_last;
        row += stop_last + 1;
    }
    x->row = at;
    x->end[c] = stop;
    x->end[last] = stop_last;
    if (two)
        end_restless(&left, x, at);
    end_restless(&right, x, at);
    return row;
}

static const char *take_all_alike(struct scan *x, const char *row, const char **before)
{
    return x->has_two_restless ? take_alike(x, row, before, true) : take_alike(x, row, before, false);
}

static bool scan_rows(struct scan *x, bool is_numbered)
{
    const char *row = x->chunk->start, *before = NULL;
    const size_t last = x->s->n_columns - 1;
    bool decided = false;

    if (is_numbered && row < x->chunk->end && (!first_number(&x->next, row, x->s->delimiter)))
        return false;
    x->chunk->first_number = x->next.value;
    while (row < x->chunk->end) {
        const uint32_t size = x->end[last] + 1, same = before ? same_bytes(row, before, size) : 0;

        if ((!before || same < size) && !take_row(x, row, before, same, is_numbered))
            return false;
        x->row++;
        before = row;
        if (!decided && x->row >= SAMPLE) {
            x->has_two_restless = last > is_numbered && x->n_last_but_one > x->row / SAMPLED_ROWS_PER_CHANGE;
            decided = true;
        }
        if (!(row = take_all_alike(x, row + x->end[last] + 1, &before)))
            return false;
    }
    for (size_t c = is_numbered; c <= last && x->row > 0; c++)
        if (!change(x, c, x->code[c]))
            return false;
    return true;
}

void covey_i_csv_scan_sorted(covey_csv_chunk *chunk, covey_csv_scanner *s, bool is_numbered)
{
    const size_t n = s->n_columns;
    struct scan x = {.chunk = chunk, .s = s};
    bool done = false;

    x.end = covey_i_array_zero(n, sizeof *x.end);
    x.code = covey_i_array_zero(n, sizeof *x.code);
    x.since = covey_i_array_zero(n, sizeof *x.since);
    chunk->codes = covey_i_array_zero(n, sizeof *chunk->codes);
    chunk->width = covey_i_array_zero(n, 1);
    chunk->n_line_ends = (chunk->end - chunk->start) / (int64_t)n + SLACK; /* no record is shorter than its delimiters and line feed */
    if (!x.end || !x.code || !x.since || !chunk->codes || !chunk->width)
        s->out_of_memory = true;
    else
        done = (chunk->end == chunk->start || chunk->end[-1] == '\n') && chunk->end - chunk->start <= INT32_MAX && scan_rows(&x, is_numbered);
    chunk->n_rows = x.row;
    chunk->n_numbers = x.n_numbers;
    chunk->number_start = x.number_start;
    for (size_t c = is_numbered; c < n; c++)
        if (s->dictionary[c].broken)
            s->out_of_memory = true;
    chunk->wrong = !done && !s->out_of_memory;
    covey_i_free(x.end);
    covey_i_free(x.code);
    covey_i_free(x.since);
}

bool covey_i_csv_join_numbers(covey_csv_numbers *out, const covey_csv_chunk *chunk, size_t n_chunks)
{
    uint32_t last = 0, known = 0, *start;
    int64_t row = 0;

    *out = (covey_csv_numbers){0};
    for (size_t i = 0; i < n_chunks; i++) {
        if (chunk[i].n_rows == 0)
            continue;
        if (chunk[i].first_number != last && chunk[i].first_number != last + 1)
            return true;
        last = chunk[i].first_number + chunk[i].n_numbers - 1;
    }
    if (!(start = covey_i_array((size_t)last + 1, sizeof *start)))
        return false;
    for (size_t i = 0; i < n_chunks; row += chunk[i++].n_rows)
        for (uint32_t k = 0; k < chunk[i].n_numbers; k++)
            if (chunk[i].first_number + k > known) /* else the chunk goes on with the number of the one before */
                start[known++] = (uint32_t)row + chunk[i].number_start[k];
    start[last] = (uint32_t)row;
    *out = (covey_csv_numbers){last, start};
    return true;
}
