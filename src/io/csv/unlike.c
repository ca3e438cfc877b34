/* Rows of a numbered file that hardly resemble the one before, as those of a group are that are published as they were,
 * or that have the same cells behind many a number, as those of buckets.  Asking of each cell whether it is the one
 * above it would be guessing.  So all cells of a row are looked up, and their codes written, in any case: verifying
 * anatomy takes 1.34 times its time without (docs/design/speed.md).
 *
 * All that stands behind the number, the tail, is looked up first if it is short: where the chunk has a row with the
 * same bytes there, their codes are the same.  They stand beside the bytes where each takes one byte, and else in the
 * row; they are copied column by column, many rows at once. */
#include <string.h>

#include "io/csv/sorted_scan.h"

#include "base/codes.h"

enum {
    MARKED = 32, /* bytes */
    BATCH = 512, /* rows; where most of a batch have new tails, none are looked up any more */
    TAILS_LOG2 = 10,
    FEEDS = 64,   /* bytes */
    AHEAD = 1024, /* bytes that are fetched early */
    PACKED = 8    /* codes of a byte beside a tail */
};

/* Sixteen bytes from the first one behind a number's delimiter to the line feed, zeros behind it; where the rows of a
 * chunk have others that belong in the same place, the last. */
struct tail {
    uint64_t key[2]; /* zeros: none yet */
    uint64_t source;
};

/* What a cell of a column needs: side by side, and here, for a code that is written may be anything to the compiler. */
struct lane {
    const covey_dictionary_slot *slot;
    void *codes;
    uint64_t n_codes; /* that fit into the width */
    int shift, width;
};

struct unlike {
    covey_sorted_scan *x;
    struct lane lane[COVEY_SORTED_UNLIKE];
    const char *feeds_base;
    uint64_t feeds;            /* a bit for each byte from there on: a line feed that is not behind yet */
    bool is_packed;            /* all codes are of one byte, and few */
    uint32_t n_rows, n_copied; /* of the batch */
    uint64_t source[BATCH];    /* the codes of each; not packed: the row of the chunk that has them */
    struct tail tail[1 << TAILS_LOG2];
};

static void load_lane(struct unlike *u, size_t c)
{
    const covey_csv_chunk *chunk = u->x->chunk;
    const covey_dictionary *d = &u->x->s->dictionary[c];
    const int width = chunk->width[c];

    u->lane[c] = (struct lane){d->slot, chunk->codes[c], (uint64_t)1 << 8 * width, d->shift, width};
}

static void copy_codes(struct unlike *u);

/* Codes do not fit into a byte any more. */
static void give_packing_up(struct unlike *u)
{
    copy_codes(u);
    u->is_packed = false;
    memset(u->tail, 0, sizeof u->tail);
}

/* A value that is new, or among many; false without memory. */
static __attribute__((noinline)) bool take_rare(struct unlike *u, size_t c, const char *cell, uint32_t size, int64_t at)
{
    covey_csv_chunk *chunk = u->x->chunk;
    covey_dictionary *d = &u->x->s->dictionary[c];
    const uint32_t code = covey_i_dictionary_code(d, cell, size);

    if (code >= u->lane[c].n_codes && u->x->has_tails && u->is_packed)
        give_packing_up(u);
    if (code >= u->lane[c].n_codes && !covey_i_csv_chunk_widen(chunk, c, d->n, at)) {
        u->x->s->out_of_memory = true;
        return false;
    }
    covey_i_codes_put(chunk->codes[c], chunk->width[c], (size_t)at, code);
    load_lane(u, c);
    return true;
}

static inline bool take_cell(struct unlike *u, size_t c, const char *cell, uint32_t size, int64_t at)
{
    const struct lane *lane = &u->lane[c];

    if (size <= COVEY_DICTIONARY_PACKED) {
        const uint64_t key = covey_i_first_bytes(covey_i_load_word(cell), size);
        const uint64_t code = (uint64_t)covey_i_dictionary_in_place(lane->slot, lane->shift, key, size) - 1;

        if (code < lane->n_codes) { /* less than that of a cell that is not there */
            covey_i_codes_put(lane->codes, lane->width, (size_t)at, (uint32_t)code);
            return true;
        }
    }
    return take_rare(u, c, cell, size, at);
}

/* The ends of cells from a place on. */
struct ends {
    const char *base; /* of the marks */
    uint32_t bits;
};

static inline const char *next_end(struct ends *ends, char delimiter)
{
    const char *end;

    while (!ends->bits) {
        ends->base += MARKED;
        ends->bits = covey_i_mark_bits_32(ends->base, delimiter);
    }
    end = ends->base + __builtin_ctz(ends->bits);
    ends->bits &= ends->bits - 1;
    return end;
}

/* The cells behind the number; returns the row behind, NULL if they are not for this way. */
static inline const char *take_row(struct unlike *u, const char *cell, size_t last, char delimiter, int64_t at)
{
    struct ends ends = {cell, covey_i_mark_bits_32(cell, delimiter)};
    const char *end;

    for (size_t c = 1; c < last; c++, cell = end + 1) {
        end = next_end(&ends, delimiter);
        if (*end != delimiter || !take_cell(u, c, cell, (uint32_t)(end - cell), at))
            return NULL;
    }
    end = next_end(&ends, delimiter);
    return *end == '\n' && take_cell(u, last, cell, (uint32_t)(end - cell), at) ? end + 1 : NULL;
}

/* Line feeds are found before the rows are taken apart: where a row begins does not wait for the one before. */
static inline uint64_t find_feeds(const char *at)
{
    static const char line_feeds[32] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

    return (uint64_t)covey_i_same_bits_32(at + 32, line_feeds) << 32 | covey_i_same_bits_32(at, line_feeds);
}

/* How many bytes there are from a cell to the next line feed, which is taken. */
static inline uint64_t size_of_tail(struct unlike *u, const char *cell)
{
    const char *feed;

    while (!u->feeds) {
        u->feeds_base += FEEDS;
        u->feeds = find_feeds(u->feeds_base);
    }
    feed = u->feeds_base + __builtin_ctzll(u->feeds);
    u->feeds &= u->feeds - 1;
    return (uint64_t)(feed + 1 - cell);
}

/* The bytes of a tail, zeros behind them. */
static inline void load_tail(uint64_t key[2], const char *cell, uint64_t size)
{
    static const char mask[32] = "\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377";
    const char *own = mask + 16 - size;

    key[0] = covey_i_load_word(cell) & covey_i_load_word(own);
    key[1] = covey_i_load_word(cell + 8) & covey_i_load_word(own + 8);
}

/* The row's codes are written. */
static inline void add_source(struct unlike *u, size_t last, uint32_t at)
{
    uint64_t source = at;

    if (u->is_packed) {
        source = 0;
        for (size_t c = last; c > 0; c--)
            source = source << 8 | ((const uint8_t *)u->lane[c].codes)[at];
    }
    u->source[u->n_rows++] = source;
}

/* The same, of a row whose tail may have been there before. */
static inline const char *take_tail(struct unlike *u, const char *cell, size_t last, char delimiter, uint32_t at)
{
    const char *next;
    struct tail *tail;
    uint64_t key[2], size;

    if (!u->x->has_tails) {
        next = take_row(u, cell, last, delimiter, at);
        u->n_rows += next != NULL;
        return next;
    }
    if ((size = size_of_tail(u, cell)) > sizeof key) {
        if ((next = take_row(u, cell, last, delimiter, at)))
            add_source(u, last, at);
        return next;
    }
    load_tail(key, cell, size);
    tail = &u->tail[covey_i_mix(key[0], key[1]) >> (64 - TAILS_LOG2)];
    if (tail->key[0] == key[0] && tail->key[1] == key[1]) {
        u->source[u->n_rows++] = tail->source;
        u->n_copied++;
        return cell + size;
    }
    if ((next = take_row(u, cell, last, delimiter, at))) {
        add_source(u, last, at);
        *tail = (struct tail){{key[0], key[1]}, u->source[u->n_rows - 1]};
    }
    return next;
}

/* --- rows that repeat --- */

/* Of n < 9 bytes, each the same. */
static inline uint64_t repeat_byte(uint64_t byte, uint32_t n)
{
    return covey_i_first_bytes(byte * 0x0101010101010101u, n);
}

/* The next number, as its first eight bytes; it must have as many digits, `size`.  Each digit becomes the byte that a
 * carry leaves if it is a 9. */
static inline uint64_t next_number(uint64_t word, uint32_t size)
{
    const uint32_t unused = 64 - 8 * size;
    const uint64_t digits = __builtin_bswap64(word) >> unused, sum = digits + repeat_byte(0xff - '9', size) + 1,
                   kept = sum >> 7 & repeat_byte(1, size), zeros = repeat_byte(1, size) ^ kept;

    return __builtin_bswap64((sum - kept * (0xff - '9') + zeros * '0') << unused);
}

/* What take_repeats() changes, at hand. */
struct repeats {
    uint64_t own, next; /* numbers */
    uint64_t feeds;
    const char *feeds_base;
    uint32_t n_rows, n_numbers;
};

static void set_number(covey_sorted_number *number, uint64_t word)
{
    number->word = word;
    for (int i = 0; i < 8; i++)
        number->digits[i] = (char)(word >> 8 * i);
}

static void store_repeats(struct unlike *u, covey_sorted_number *own, const struct repeats *r)
{
    covey_sorted_scan *x = u->x;

    set_number(own, r->own);
    set_number(&x->next, r->next);
    x->next.value += r->n_numbers - x->n_numbers;
    x->n_numbers = r->n_numbers;
    x->row += r->n_rows - u->n_rows;
    u->n_copied += r->n_rows - u->n_rows;
    u->n_rows = r->n_rows;
    u->feeds = r->feeds;
    u->feeds_base = r->feeds_base;
}

/* Takes rows of the batch as long as their tails were there before and numbers keep their length; returns the first
 * that is not taken.  Nothing that a row needs waits for the one before, but for whether its number is that one's. */
static const char *take_repeats(struct unlike *u, covey_sorted_number *own, const char *row, const char **before)
{
    const covey_sorted_scan *x = u->x;
    const uint32_t size = own->size, first = (uint32_t)x->row - u->n_rows;
    const uint64_t nines = size <= 8 ? repeat_byte('9', size) : 0;
    const char delimiter = x->s->delimiter, *const end = x->chunk->end;
    struct repeats r = {own->word, x->next.word, u->feeds, u->feeds_base, u->n_rows, x->n_numbers};

    if (size != x->next.size || size > 8)
        return row;
    while (row < end && r.n_rows < BATCH) {
        const uint64_t number = covey_i_first_bytes(covey_i_load_word(row), size);
        const char *const cell = row + size + 1, *feed;
        const struct tail *tail;
        uint64_t key[2], n;

        while (!r.feeds) {
            r.feeds_base += FEEDS;
            __builtin_prefetch(r.feeds_base + AHEAD);
            r.feeds = find_feeds(r.feeds_base);
        }
        feed = r.feeds_base + __builtin_ctzll(r.feeds);
        n = (uint64_t)(feed + 1 - cell);
        if (row[size] != delimiter || n > sizeof key)
            break;
        load_tail(key, cell, n);
        tail = &u->tail[covey_i_mix(key[0], key[1]) >> (64 - TAILS_LOG2)];
        if (tail->key[0] != key[0] || tail->key[1] != key[1])
            break;
        if (number != r.own) {
            if (number != r.next || number == nines || r.n_numbers == x->capacity)
                break;
            x->number_start[r.n_numbers++] = first + r.n_rows;
            r.own = number;
            r.next = next_number(number, size);
        }
        u->source[r.n_rows++] = tail->source;
        r.feeds &= r.feeds - 1;
        *before = row;
        row = feed + 1;
    }
    store_repeats(u, own, &r);
    return row;
}

/* Ends the batch, whose last row is the one before this. */
static void copy_codes(struct unlike *u)
{
    const size_t first = (size_t)u->x->row - u->n_rows;

    for (size_t c = 1; u->n_copied > 0 && c < u->x->s->n_columns; c++)
        COVEY_CODES_TYPED(u->lane[c].width, {
            covey_code *codes = u->lane[c].codes;

            if (u->is_packed)
                for (uint32_t i = 0; i < u->n_rows; i++)
                    codes[first + i] = (covey_code)(u->source[i] >> 8 * (c - 1) & 0xff);
            else
                for (uint32_t i = 0; i < u->n_rows; i++)
                    codes[first + i] = codes[u->source[i]];
        });
    u->x->has_tails = u->x->has_tails && u->n_copied >= u->n_rows / 2;
    u->n_rows = u->n_copied = 0;
}

/* What is known of a row that all of the cells were taken of. */
static void remember(covey_sorted_scan *x, const char *row)
{
    const char *at = row;

    for (size_t c = 0; c < x->s->n_columns; c++) {
        while (*at != x->s->delimiter && *at != '\n')
            at++;
        x->end[c] = (uint32_t)(at++ - row);
        if (c == 0)
            continue;
        x->code[c] = covey_i_codes_get(x->chunk->codes[c], x->chunk->width[c], (size_t)x->row - 1);
        x->since[c] = x->row;
    }
}

const char *covey_i_sorted_take_unlike(covey_sorted_scan *x, const char *row, const char **before)
{
    const char *const end = x->chunk->end, *const first = row, *next;
    const char delimiter = x->s->delimiter;
    const size_t last = x->s->n_columns - 1;
    covey_sorted_number own = {.size = x->end[0]};
    struct unlike u;

    memcpy(own.digits, *before, own.size);
    own.word = covey_i_load_word(own.digits);
    u.x = x;
    u.n_rows = u.n_copied = 0;
    if (x->has_tails) {
        memset(u.tail, 0, sizeof u.tail);
        u.feeds_base = row;
        u.feeds = find_feeds(row);
    }
    u.is_packed = last <= PACKED;
    for (size_t c = 1; c <= last; c++) {
        covey_i_sorted_write(x, c);
        load_lane(&u, c);
        u.is_packed &= u.lane[c].width == 1;
    }
    while (row < end) {
        if (x->has_tails)
            row = take_repeats(&u, &own, row, before);
        if (u.n_rows < BATCH && row < end) {
            const bool is_own = covey_i_sorted_has_number(row, &own, delimiter);

            if ((!is_own && !covey_i_sorted_has_number(row, &x->next, delimiter)) ||
                !(next =
                      take_tail(&u, row + (is_own ? own.size : x->next.size) + 1, last, delimiter, (uint32_t)x->row)))
                break;
            if (!is_own) {
                own = x->next;
                if (!covey_i_sorted_begin_number(x))
                    break;
            }
            *before = row;
            x->row++;
            row = next;
        }
        if (u.n_rows < BATCH)
            continue;
        copy_codes(&u);
        if (!x->has_tails && !x->is_unlike) /* groups are small, but the rows of each are alike */
            break;
    }
    if (x->s->out_of_memory)
        return NULL;
    copy_codes(&u);
    if (row > first)
        remember(x, *before);
    else
        x->is_unlike = x->has_tails = false; /* two in a row are not for this way */
    return row;
}
