/* Rows of a numbered file that hardly resemble the one before, as those of a group are that are published as they were.
 * Asking of each cell whether it is the one above it would be guessing.  So all cells of a row are looked up, and their
 * codes written, in any case: verifying anatomy takes 1.34 times its time without (docs/design/speed.md). */
#include <string.h>

#include "io/csv/sorted_scan.h"

#include "base/codes.h"

enum { MARKED = 32 /* bytes */ };

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
};

static void load_lane(struct unlike *u, size_t c)
{
    const covey_csv_chunk *chunk = u->x->chunk;
    const covey_dictionary *d = &u->x->s->dictionary[c];
    const int width = chunk->width[c];

    u->lane[c] = (struct lane){d->slot, chunk->codes[c], (uint64_t)1 << 8 * width, d->shift, width};
}

/* A value that is new, or among many; false without memory. */
static __attribute__((noinline)) bool take_rare(struct unlike *u, size_t c, const char *cell, uint32_t size, int64_t at)
{
    covey_csv_chunk *chunk = u->x->chunk;
    covey_dictionary *d = &u->x->s->dictionary[c];
    const uint32_t code = covey_i_dictionary_code(d, cell, size);

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

static inline bool has_number(const char *row, const covey_sorted_number *number, char delimiter)
{
    return (~covey_i_same_bits(row, number->digits) & (((uint32_t)1 << number->size) - 1)) == 0 &&
           row[number->size] == delimiter;
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
    u.x = x;
    for (size_t c = 1; c <= last; c++) {
        covey_i_sorted_write(x, c);
        load_lane(&u, c);
    }
    for (; row < end; row = next) {
        const bool is_own = has_number(row, &own, delimiter);

        if (!is_own && !has_number(row, &x->next, delimiter))
            break;
        if (!(next = take_row(&u, row + (is_own ? own.size : x->next.size) + 1, last, delimiter, x->row)))
            break;
        if (!is_own) {
            own = x->next;
            if (!covey_i_sorted_begin_number(x))
                break;
        }
        *before = row;
        x->row++;
    }
    if (x->s->out_of_memory)
        return NULL;
    if (row > first)
        remember(x, *before);
    else
        x->is_unlike = false; /* two in a row are not for this way */
    return row;
}
