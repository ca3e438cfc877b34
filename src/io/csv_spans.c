/* See csv_spans.h.
 *
 * Where the cells of a row end is seen in the words of bits that tell which of its bytes are delimiters and line feeds: nothing is asked byte by byte.  What a span
 * holds is known by its text, so that whatever is not as it should be is a text that was not seen before, and goes the slow way: cell by cell. */
#include "io/csv_spans.h"

#include "base/alloc.h"
#include "io/csv_sorted.h"

enum {
    TRIED_PLACES = 32,       /* of the file, */
    TRIED_ROWS = 32,         /* in each */
    MOST_EXPECTED = 1 << 12, /* texts of a span, as far as the rows that are tried tell */
    MOST_SLOW = 1 << 12,     /* rows of a chunk that go the slow way, beside ... */
    ROWS_OF_SLOW = 16,       /* ... one of so many: texts are of more kinds than expected, or longer */
    LANES = 16,              /* bytes that are compared at once */
    MOST_LANES = 4,          /* behind the number, of a row that goes the quick way */
    DIGITS = 8,              /* of a number there */
    MOST_NUMBER = 99999999
};

static const uint64_t ONES = 0x0101010101010101u;

/* --- which cells stand together --- */

static uint32_t longest_text(const covey_dictionary *d)
{
    size_t size = 0;

    for (uint32_t v = 0; v < d->n; v++)
        size = covey_i_dictionary_size(d, v) > size ? covey_i_dictionary_size(d, v) : size;
    return (uint32_t)size;
}

/* Does a text end like a line?  It stood in quotes; without them a row would end before its last byte. */
static bool has_line_end(const covey_dictionary *d)
{
    for (uint32_t v = 0; v < d->n; v++)
        if (covey_i_dictionary_size(d, v) > 0 && d->text[d->start[v + 1] - 1] == '\r')
            return true;
    return false;
}

/* From the columns' dictionaries, which know the rows that were tried; false without memory.  No spans: rows or cells are too long, or unusual. */
static bool find_spans(covey_csv_scanner *s)
{
    uint64_t n_texts = 0, size = 0, row_size = 0;

    if (!(s->span = covey_i_array_zero(s->n_columns, sizeof *s->span)))
        return false;
    s->span_use = COVEY_SPANS_NONE;
    if (has_line_end(&s->dictionary[s->n_columns - 1]))
        return true;
    for (size_t c = 1; c < s->n_columns; c++) {
        const uint32_t longest = longest_text(&s->dictionary[c]), n_values = s->dictionary[c].n;

        if (longest > COVEY_DICTIONARY_PACKED || (row_size += longest + 1) > MOST_LANES * LANES)
            return true;
        if (c > 1 && size + 1 + longest <= COVEY_DICTIONARY_PACKED && n_texts * n_values <= MOST_EXPECTED) {
            s->span[s->n_spans - 1].n++;
            n_texts *= n_values;
            size += 1 + longest;
        } else {
            s->span[s->n_spans++] = (covey_csv_span){.first = c, .n = 1};
            n_texts = n_values;
            size = longest;
        }
    }
    for (size_t k = 0; k < s->n_spans; k++) {
        covey_csv_span *span = &s->span[k];

        if (span->n > 1 && !covey_i_dictionary_init(&span->joint))
            return false;
        span->dictionary = span->n > 1 ? &span->joint : &s->dictionary[span->first];
    }
    s->span_use = COVEY_SPANS_USED;
    return true;
}

/* Does a row differ from the one before in its last cell at most? */
static bool is_alike(const char *row, const char *before, char delimiter)
{
    const char *last = before ? memrchr(before, delimiter, (size_t)(row - before)) : NULL;

    return last && memcmp(row, before, (size_t)(last - before)) == 0;
}

/* The rows that are tried at a place, behind a line feed; adds up how many they are, and are alike. */
static covey_csv_chunk rows_at(int64_t *n_rows, int64_t *n_alike, const covey_csv_scanner *s, int place)
{
    const char *at = s->rows + (s->rows_end - s->rows) / TRIED_PLACES * place, *before = NULL;
    const char *feed = place == 0 ? NULL : memchr(at, '\n', (size_t)(s->rows_end - at));
    covey_csv_chunk rows = {.start = place == 0 ? at : feed ? feed + 1 : s->rows_end};

    rows.end = rows.start;
    for (int row = 0; row < TRIED_ROWS && rows.end < s->rows_end; row++) {
        *n_alike += is_alike(rows.end, before, s->delimiter);
        ++*n_rows;
        before = rows.end;
        feed = memchr(rows.end, '\n', (size_t)(s->rows_end - rows.end));
        rows.end = feed ? feed + 1 : s->rows_end;
    }
    return rows;
}

/* False: rows are not as they should be, or without memory. */
static bool try_places(covey_csv_scanner *s)
{
    bool right = true;

    for (int place = 0; place < TRIED_PLACES && right; place++) {
        int64_t n_rows = 0, n_alike = 0;
        covey_csv_chunk rows = rows_at(&n_rows, &n_alike, s, place);

        covey_i_csv_scan_sorted(&rows, s, true);
        right = !rows.wrong && !s->out_of_memory;
        covey_i_csv_chunk_clear(&rows, s->n_columns);
    }
    return right;
}

bool covey_i_csv_spans_try(covey_csv_scanner *s)
{
    int64_t n_rows = 0, n_alike = 0;

    s->span_use = COVEY_SPANS_NONE;
    for (int place = 0; place < TRIED_PLACES; place++)
        rows_at(&n_rows, &n_alike, s, place);
    if (n_alike > n_rows / 4 * 3)
        return true;
    if (try_places(s) && !find_spans(s))
        s->out_of_memory = true;
    if (s->span_use == COVEY_SPANS_NONE)
        covey_i_csv_spans_free(s);
    return !s->out_of_memory;
}

void covey_i_csv_spans_free(covey_csv_scanner *s)
{
    for (size_t k = 0; k < s->n_spans; k++) {
        covey_i_dictionary_free(&s->span[k].joint);
        covey_i_free(s->span[k].cell);
    }
    covey_i_free(s->span);
    s->span = NULL;
    s->n_spans = 0;
}

const covey_csv_span *covey_i_csv_span_of(size_t *k, const covey_csv_scanner *s, size_t c)
{
    const covey_csv_span *span = s->span;

    while (c >= span->first + span->n)
        span++;
    *k = c - span->first;
    return span;
}

/* --- a row that goes the slow way --- */

static bool no_memory(covey_sorted_scan *x)
{
    x->s->out_of_memory = true;
    return false;
}

/* The cells of a span's newest text. */
static bool add_cells(covey_csv_span *span, const uint32_t *code)
{
    const uint32_t n = span->joint.n;

    if (n > span->capacity) {
        const size_t capacity = 2 * (size_t)n;
        uint32_t *cell = covey_i_realloc(span->cell, capacity * span->n, sizeof *cell);

        if (!cell)
            return false;
        span->cell = cell;
        span->capacity = capacity;
    }
    memcpy(span->cell + (n - 1) * span->n, code, span->n * sizeof *code);
    return true;
}

static bool put_code(covey_sorted_scan *x, const covey_csv_span *span, uint32_t code)
{
    covey_csv_chunk *chunk = x->chunk;
    const size_t c = span->first;

    if (span->dictionary->broken || !covey_i_csv_chunk_widen(chunk, c, span->dictionary->n, x->row))
        return no_memory(x);
    if (chunk->width[c] == 1)
        ((uint8_t *)chunk->codes[c])[x->row] = (uint8_t)code;
    else if (chunk->width[c] == 2)
        ((uint16_t *)chunk->codes[c])[x->row] = (uint16_t)code;
    else
        ((uint32_t *)chunk->codes[c])[x->row] = code;
    return true;
}

/* Looks up the cells of a span that begins at `at`, and moves it behind their end. */
static bool take_span(covey_sorted_scan *x, covey_csv_span *span, const char **at)
{
    covey_csv_scanner *s = x->s;
    const char *text = *at, *stop = text;
    uint32_t code = 0;

    for (size_t k = 0; k < span->n; k++) {
        const size_t c = span->first + k;
        covey_sorted_cell cell;

        if (!covey_i_sorted_cell(&cell, *at, s->delimiter) || cell.size > INT32_MAX || *cell.stop != (c + 1 < s->n_columns ? s->delimiter : '\n'))
            return false;
        if (cell.size > 0 && cell.bytes[cell.size - 1] == '\r')
            return false; /* in quotes; without them it would be a part of the line's end */
        x->code[c] = code = covey_i_dictionary_code(&s->dictionary[c], cell.bytes, (uint32_t)cell.size);
        stop = cell.stop;
        *at = stop + 1;
    }
    if (span->n > 1) {
        const uint32_t n = span->joint.n;

        code = covey_i_dictionary_code(&span->joint, text, (uint32_t)(stop - text));
        if (span->joint.n > n && !add_cells(span, x->code + span->first))
            return no_memory(x);
    }
    return put_code(x, span, code);
}

/* Returns where the next row begins, NULL if this one is not for this way.  before: the row before it, NULL: none. */
static const char *take_row(covey_sorted_scan *x, const char *row, const char *before)
{
    const char *at = row;

    if (before && memcmp(row, before, x->end[0] + 1) == 0) {
        at += x->end[0] + 1;
    } else {
        const uint32_t size = x->next.size;

        if (!covey_i_sorted_is_next(&x->next, row, x->s->delimiter) || !covey_i_sorted_begin_number(x))
            return NULL;
        x->end[0] = size;
        at += size + 1;
    }
    for (size_t k = 0; k < x->s->n_spans; k++)
        if (!take_span(x, &x->s->span[k], &at))
            return NULL;
    x->row++;
    return at;
}

/* --- the quick way --- */

/* Digits of a number, the last in the lowest byte. */
static inline uint64_t digits_of(const char *row, uint32_t size)
{
    return __builtin_bswap64(covey_i_load_word(row)) >> (64 - 8 * size);
}

/* The digits of the next number; something else where it has one more. */
static inline uint64_t next_digits(uint64_t digits)
{
    const uint64_t nine_is_255 = ONES * (UINT8_MAX - '9'), sum = digits + nine_is_255 + 1, is_carried = ~sum >> 7 & ONES;

    return sum - (ONES ^ is_carried) * (UINT8_MAX - '9') + is_carried * '0';
}

/* A bit for each byte that is the wanted one. */
static inline uint64_t equal_bits(const char *bytes, char wanted, const int n_lanes)
{
    uint64_t bits = 0;

    for (int i = 0; i < n_lanes; i++)
        bits |= (uint64_t)covey_i_equal_bits(bytes + LANES * i, wanted) << LANES * i;
    return bits;
}

/* A span as a row needs it. */
struct lane {
    const covey_dictionary *dictionary;
    const covey_dictionary_slot *slot;
    void *codes;
    int shift, width;
    uint32_t most, n_cells; /* most: the last code that fits */
};

static void begin_lanes(struct lane *lane, const covey_sorted_scan *x)
{
    for (size_t k = 0; k < x->s->n_spans; k++) {
        const covey_csv_span *span = &x->s->span[k];
        const int width = x->chunk->width[span->first];

        lane[k] = (struct lane){.dictionary = span->dictionary, .slot = span->dictionary->slot, .codes = x->chunk->codes[span->first], .width = width,
                                .shift = span->dictionary->shift, .most = UINT32_MAX >> (32 - 8 * width), .n_cells = (uint32_t)span->n};
    }
}

/* The slot of a text that does not stand at its place; a free one if it is not there. */
static __attribute__((noinline)) const covey_dictionary_slot *find_beside(const covey_dictionary *d, uint64_t key, uint32_t size)
{
    const size_t mask = ((size_t)1 << (64 - d->shift)) - 1;
    size_t i = covey_i_dictionary_place(d, key, size);

    while (d->slot[i].code_1 != 0 && (d->slot[i].key != key || d->slot[i].size != size))
        i = (i + 1) & mask;
    return &d->slot[i];
}

/* False: it was not seen before, or its code does not fit. */
static inline bool take_text(const struct lane *lane, const char *text, uint32_t size, int64_t row)
{
    const uint64_t key = covey_i_first_bytes(covey_i_load_word(text), size);
    const covey_dictionary_slot *slot = &lane->slot[covey_i_mix(key, size) >> lane->shift];
    uint32_t code;

    if (slot->key != key || slot->size != size)
        slot = find_beside(lane->dictionary, key, size);
    if ((code = slot->code_1 - 1) > lane->most || slot->code_1 == 0)
        return false;
    if (lane->width == 1)
        ((uint8_t *)lane->codes)[row] = (uint8_t)code;
    else if (lane->width == 2)
        ((uint16_t *)lane->codes)[row] = (uint16_t)code;
    else
        ((uint32_t *)lane->codes)[row] = code;
    return true;
}

/* Takes rows whose texts are known, at most as many as number_start has room for; *before is the last one then.  Returns the next row. */
static inline const char *take_rows(covey_sorted_scan *x, const char *row, const char **before, const struct lane *lane, const int n_lanes)
{
    const char delimiter = x->s->delimiter, *const end = x->chunk->end;
    const uint32_t size = x->end[0];
    const size_t n_spans = x->s->n_spans;
    uint64_t digits = digits_of(*before, size), next = next_digits(digits);
    uint32_t n_numbers = x->n_numbers;
    int64_t at = x->row;

    while (row < end && n_numbers < x->capacity) {
        const uint64_t own = digits_of(row, size);
        const char *text = row + size + 1;
        uint64_t feeds, delimiters;
        uint32_t begin = 0, stop;
        size_t k = 0;

        if ((own != digits && own != next) || row[size] != delimiter) /* a row may be shorter than that, and the last one */
            break;
        feeds = equal_bits(text, '\n', n_lanes);
        delimiters = equal_bits(text, delimiter, n_lanes);
        if (!feeds)
            break;
        for (; k + 1 < n_spans; k++) {
            for (uint32_t i = 1; i < lane[k].n_cells; i++)
                delimiters &= delimiters - 1;
            if (!delimiters)
                break;
            stop = (uint32_t)__builtin_ctzll(delimiters);
            delimiters &= delimiters - 1;
            if (stop - begin > COVEY_DICTIONARY_PACKED || !take_text(&lane[k], text + begin, stop - begin, at))
                break;
            begin = stop + 1;
        }
        stop = (uint32_t)__builtin_ctzll(feeds);
        if (k + 1 < n_spans || stop - begin > COVEY_DICTIONARY_PACKED || !take_text(&lane[k], text + begin, stop - begin, at))
            break;
        if (lane[k].n_cells == 1 && (delimiters & (feeds ^ (feeds - 1)))) /* of more than one their text tells */
            break;
        x->number_start[n_numbers] = (uint32_t)at++;
        n_numbers += own != digits;
        digits = own;
        next = next_digits(own);
        *before = row;
        row = text + stop + 1;
    }
    x->row = at;
    if (n_numbers > x->n_numbers) { /* next is what follows the last one */
        x->next.value += n_numbers - x->n_numbers - 1;
        memcpy(x->next.digits, *before, size);
        covey_i_sorted_count_up(&x->next);
        x->n_numbers = n_numbers;
    }
    return row;
}

static const char *take_known_rows(covey_sorted_scan *x, const char *row, const char **before, struct lane *lane, uint32_t row_size)
{
    begin_lanes(lane, x);
    if (x->end[0] > DIGITS || x->next.value + x->capacity > MOST_NUMBER)
        return row;
    if (row_size <= LANES)
        return take_rows(x, row, before, lane, 1);
    return row_size <= 2 * LANES ? take_rows(x, row, before, lane, 2) : take_rows(x, row, before, lane, MOST_LANES);
}

bool covey_i_csv_spans_scan(covey_sorted_scan *x)
{
    struct lane *lane = covey_i_array(x->s->n_spans, sizeof *lane);
    const char *row = x->chunk->start, *before = NULL;
    uint32_t row_size = 0;
    int64_t n_slow = 0;
    bool done = lane || no_memory(x);

    x->chunk->has_spans = true;
    for (size_t c = 1; c < x->s->n_columns; c++)
        row_size += longest_text(&x->s->dictionary[c]) + 1;
    if (done && row < x->chunk->end)
        done = covey_i_sorted_first_number(&x->next, row, x->s->delimiter);
    x->chunk->first_number = x->next.value;
    while (done && row < x->chunk->end) {
        const char *next = take_row(x, row, before);

        if (++n_slow > MOST_SLOW + x->row / ROWS_OF_SLOW)
            x->s->span_use = COVEY_SPANS_NONE;
        if (!next || x->s->span_use == COVEY_SPANS_NONE) {
            done = false;
        } else {
            before = row;
            row = take_known_rows(x, next, &before, lane, row_size);
        }
    }
    covey_i_free(lane);
    return done;
}
