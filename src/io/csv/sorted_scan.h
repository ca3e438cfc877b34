/* What the reader of sorted files knows of a chunk while it scans it; see sorted.c and unlike.c. */
#ifndef COVEY_IO_CSV_SORTED_SCAN_H
#define COVEY_IO_CSV_SORTED_SCAN_H

#include "base/codes.h"
#include "io/csv/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    COVEY_SORTED_SLACK = 16, /* codes behind the last row that may be written */
    COVEY_MARKED = 16        /* bytes that are marked at once */
};

/* The number that the next row has if it is not that of the row before. */
typedef struct covey_sorted_number {
    uint32_t value;
    uint32_t size;
    uint64_t word; /* its first eight digits */
    char digits[16];
} covey_sorted_number;

/* Does a row begin with a number?  Digits that were just written would be waited for if they were loaded at once. */
static inline bool covey_i_sorted_has_number(const char *row, const covey_sorted_number *number, char delimiter)
{
    if (number->size <= 8 ? covey_i_first_bytes(covey_i_load_word(row) ^ number->word, number->size) != 0
                          : memcmp(row, number->digits, number->size) != 0)
        return false;
    return row[number->size] == delimiter;
}

typedef struct covey_sorted_scan {
    covey_csv_chunk *chunk;
    covey_csv_scanner *s;
    uint32_t
        *end; /* [n_columns] of the cells of the row before, from its beginning: where the delimiter or line feed is */
    uint32_t *code; /* [n_columns] of the row before */
    int64_t *since; /* [n_columns] the first row that has it; not written from there on */
    int64_t row;
    bool is_numbered;
    covey_sorted_number next;
    uint32_t n_numbers, *number_start;
    size_t capacity;  /* the chunk's */
    int64_t n_unlike; /* rows that were another one from the number or the first cell behind it on */
    bool is_unlike;   /* most cells change from row to row */
    bool has_tails;   /* what stands behind numbers, which are short, may have been there before */
} covey_sorted_scan;

/* A bit for each of 16 bytes: is it the same in both; may a cell end at it, or need care because of it? */
#ifdef __SSE2__
static inline __m128i covey_i_load_lanes(const char *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static inline uint32_t covey_i_same_bits(const char *a, const char *b)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(covey_i_load_lanes(a), covey_i_load_lanes(b)));
}

static inline uint32_t covey_i_mark_bits(const char *bytes, char delimiter)
{
    const __m128i lanes = covey_i_load_lanes(bytes);
    const __m128i ends =
        _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8(delimiter)), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\n')));
    const __m128i others =
        _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\r')));

    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(ends, others));
}
#else
static inline uint32_t covey_i_same_bits(const char *a, const char *b)
{
    uint32_t bits = 0;

    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(a[i] == b[i]) << i;
    return bits;
}

static inline uint32_t covey_i_mark_bits(const char *bytes, char delimiter)
{
    uint32_t bits = 0;

    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(bytes[i] == delimiter || bytes[i] == '\n' || bytes[i] == '"' || bytes[i] == '\r') << i;
    return bits;
}
#endif

static inline uint32_t covey_i_same_bits_32(const char *a, const char *b)
{
    return covey_i_same_bits(a, b) | covey_i_same_bits(a + 16, b + 16) << 16;
}

static inline uint32_t covey_i_mark_bits_32(const char *bytes, char delimiter)
{
    return covey_i_mark_bits(bytes, delimiter) | covey_i_mark_bits(bytes + 16, delimiter) << 16;
}

/* Writes a code to rows from .. to-1. */
void covey_i_sorted_fill(void *codes, int width, int64_t from, int64_t to, uint32_t code);

/* Writes the codes that column c has in the rows before this one. */
static inline void covey_i_sorted_write(covey_sorted_scan *x, size_t c)
{
    const int64_t since = x->since[c], n = x->row - since;

    if (n > COVEY_SORTED_SLACK)
        covey_i_sorted_fill(x->chunk->codes[c], x->chunk->width[c], since, x->row, x->code[c]);
    else if (n > 0)
        COVEY_CODES_TYPED(x->chunk->width[c], {
            covey_code *at = (covey_code *)x->chunk->codes[c] + since;
            const covey_code code = (covey_code)x->code[c];

            for (size_t i = 0; i < COVEY_SORTED_SLACK; i++)
                at[i] = code;
        });
    x->since[c] = x->row;
}

/* To the next number where the last digit is 9. */
void covey_i_sorted_carry(covey_sorted_number *number);

/* Makes room for more of them; false without memory. */
bool covey_i_sorted_more_numbers(covey_sorted_scan *x);

/* A row with the next number begins; false without memory. */
static inline bool covey_i_sorted_begin_number(covey_sorted_scan *x)
{
    covey_sorted_number *next = &x->next;

    if (x->n_numbers == x->capacity && !covey_i_sorted_more_numbers(x))
        return false;
    x->number_start[x->n_numbers++] = (uint32_t)x->row;
    next->value++;
    if (next->size > 8 || next->digits[next->size - 1] == '9') {
        covey_i_sorted_carry(next);
    } else {
        next->digits[next->size - 1]++;
        next->word += (uint64_t)1 << 8 * (next->size - 1);
    }
    return true;
}

/* Takes rows of any cells, of a numbered file of at most so many columns, until one is unusual; *before, the one before
 * them, is the last one afterwards. Returns the first row that is not taken; NULL without memory. */
enum { COVEY_SORTED_UNLIKE = 64 };
const char *covey_i_sorted_take_unlike(covey_sorted_scan *x, const char *row, const char **before);

#endif
