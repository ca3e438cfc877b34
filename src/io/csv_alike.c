/* Rows of a sorted file that begin like the one before; see csv_sorted_scan.h.  In most tables nearly all do, up to the last cell or the last two: those
 * of a column in random order, as the sensitive one mostly is.  Their codes are written at once: whether they change is not foretold by the
 * processor, so that asking would cost more. */
#include <string.h>

#include "io/csv_sorted_scan.h"

enum { SAMPLE = 128 /* rows */, ROWS_PER_CHANGE = 16, MOST_COMPARED = 32, MARKED = 16 /* bytes */ };

/* A column whose codes are written at once. */
struct restless {
    size_t c;
    covey_dictionary *dictionary;
    uint8_t *codes; /* NULL: they have more than a byte, and are written when they change */
    uint32_t code;  /* of the row before */
};

static void begin_restless(struct restless *r, covey_sorted_scan *x, size_t c)
{
    *r = (struct restless){c, &x->s->dictionary[c], x->chunk->width[c] == 1 ? x->chunk->codes[c] : NULL, x->code[c]};
    if (r->codes)
        covey_i_sorted_write(x, c);
}

/* All rows before `at` are written. */
static void end_restless(const struct restless *r, covey_sorted_scan *x, int64_t at)
{
    if (!r->codes)
        return;
    x->since[r->c] = at;
    x->code[r->c] = r->code;
}

/* A cell that is new, or beside its place, or has a code of more than a byte. */
static __attribute__((noinline)) bool take_rare(struct restless *r, covey_sorted_scan *x, uint64_t key, uint32_t size, const char *cell, int64_t at)
{
    const size_t c = r->c;

    end_restless(r, x, at);
    x->row = at;
    r->code = covey_i_dictionary_packed(r->dictionary, key, size, cell);
    if (r->code != x->code[c] && !covey_i_sorted_change(x, c, r->code)) {
        x->s->out_of_memory = true;
        return false;
    }
    r->codes = x->chunk->width[c] == 1 ? x->chunk->codes[c] : NULL;
    if (r->codes)
        r->codes[at] = (uint8_t)r->code;
    return true;
}

/* A cell of at most 8 bytes. */
static inline bool take_restless(struct restless *r, covey_sorted_scan *x, const char *cell, uint32_t size, int64_t at)
{
    const uint64_t key = covey_i_first_bytes(covey_i_load_word(cell), size);
    const covey_dictionary_slot *slot = &r->dictionary->slot[covey_i_dictionary_place(r->dictionary, key, size)];

    if (!r->codes || slot->key != key || slot->size != size || slot->code_1 - 1 > UINT8_MAX)
        return take_rare(r, x, key, size, cell, at);
    r->codes[at] = (uint8_t)(r->code = slot->code_1 - 1);
    return true;
}

/* front: the low n bits, or all */
static inline bool is_alike(const char *a, const char *b, uint32_t n, uint32_t front)
{
    return (~covey_i_same_bits_32(a, b) & front) == 0 && (n <= MOST_COMPARED || memcmp(a + MOST_COMPARED, b + MOST_COMPARED, n - MOST_COMPARED) == 0);
}

static inline const char *take_alike(covey_sorted_scan *x, const char *row, const char **before, const bool two)
{
    const size_t last = x->s->n_columns - 1, c = last - two;
    const uint32_t from = c > 0 ? x->end[c - 1] + 1 : 0; /* where rows differ */
    const uint32_t front = from < MOST_COMPARED ? ((uint32_t)1 << from) - 1 : UINT32_MAX;
    const char *const end = x->chunk->end, *const first = *before;
    const char delimiter = x->s->delimiter;
    uint32_t stop = x->end[c], stop_last = x->end[last];
    int64_t at = x->row;
    struct restless left, right;

    if (two)
        begin_restless(&left, x, c);
    begin_restless(&right, x, last);
    for (; end - row > from; at++) { /* a shorter row is another one */
        const char *cell = row + from, *cell_last = cell;
        uint32_t bits, size = 0, size_last;

        if (!is_alike(row, first, from, front))
            break;
        bits = covey_i_mark_bits(cell, delimiter) | 1u << MARKED;
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

const char *covey_i_sorted_take_alike(covey_sorted_scan *x, const char *row, const char **before)
{
    if (!x->is_sampled && x->row >= SAMPLE) {
        x->has_two_restless = x->s->n_columns > (size_t)1 + x->is_numbered && x->n_last_but_one > x->row / ROWS_PER_CHANGE;
        x->is_unlike = x->is_numbered && x->s->n_columns <= COVEY_SORTED_UNLIKE && x->n_unlike > x->row / 2;
        x->is_sampled = true;
    }
    if (x->is_unlike)
        return covey_i_sorted_take_unlike(x, row, before);
    return x->has_two_restless ? take_alike(x, row, before, true) : take_alike(x, row, before, false);
}
