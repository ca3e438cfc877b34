/* What the reader of sorted files knows of a chunk while it scans it; see csv_sorted.c and csv_alike.c. */
#ifndef COVEY_CSV_SORTED_SCAN_H
#define COVEY_CSV_SORTED_SCAN_H

#include "io/csv_scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The number that the next row has if it is not that of the row before. */
typedef struct covey_sorted_number {
    uint32_t value;
    uint32_t size;
    char digits[16];
} covey_sorted_number;

typedef struct covey_sorted_scan {
    covey_csv_chunk *chunk;
    covey_csv_scanner *s;
    uint32_t *end;    /* [n_columns] of the cells of the row before, from its beginning: where the delimiter or line feed is */
    uint32_t *code;   /* [n_columns] of the row before */
    int64_t *since;   /* [n_columns] the first row that has it; not written from there on */
    int64_t row;
    bool is_numbered;
    covey_sorted_number next;
    uint32_t n_numbers, *number_start; size_t capacity; /* the chunk's */
    int64_t n_last_but_one; /* rows that were the same as the one before up to the last cell but one */
    int64_t n_unlike; /* rows that were another one from the number or the first cell behind it on */
    bool is_sampled, has_two_restless, is_unlike; /* is it known whether the last column is not the only one that changes often, or most do? */
} covey_sorted_scan;

/* A bit for each of 16 bytes: is it the same in both; is it the wanted one; may a cell end at it, or need care because of it? */
#ifdef __SSE2__
static inline __m128i covey_i_load_lanes(const char *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static inline uint32_t covey_i_same_bits(const char *a, const char *b)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(covey_i_load_lanes(a), covey_i_load_lanes(b)));
}

static inline uint32_t covey_i_equal_bits(const char *bytes, char wanted)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(covey_i_load_lanes(bytes), _mm_set1_epi8(wanted)));
}

static inline uint32_t covey_i_mark_bits(const char *bytes, char delimiter)
{
    const __m128i lanes = covey_i_load_lanes(bytes);
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8(delimiter)), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\n')));
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(lanes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(lanes, _mm_set1_epi8('\r')));

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

static inline uint32_t covey_i_equal_bits(const char *bytes, char wanted)
{
    uint32_t bits = 0;

    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(bytes[i] == wanted) << i;
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

/* Writes the codes that column c has in the rows before this one. */
void covey_i_sorted_write(covey_sorted_scan *x, size_t c);
/* From this row on column c has another code.  False without memory. */
bool covey_i_sorted_change(covey_sorted_scan *x, size_t c, uint32_t code);

/* A cell that may be long or quoted. */
typedef struct covey_sorted_cell {
    const char *bytes, *stop; /* stop: the delimiter or line feed behind it */
    uint64_t size;
} covey_sorted_cell;

/* False if it is not for this way. */
bool covey_i_sorted_cell(covey_sorted_cell *cell, const char *at, char delimiter);

/* The chunk's first row has the next number; false if that is none. */
bool covey_i_sorted_first_number(covey_sorted_number *number, const char *at, char delimiter);
/* Does a row begin with the next number? */
bool covey_i_sorted_is_next(const covey_sorted_number *number, const char *at, char delimiter);
/* A row with the next number begins; false without memory. */
bool covey_i_sorted_begin_number(covey_sorted_scan *x);
/* From the number of a row to the next one. */
void covey_i_sorted_count_up(covey_sorted_number *number);

/* Takes rows as long as they begin like the one before, *before, up to their last cell or the last two; it is the last one afterwards.  Returns the first
 * row that is not taken; NULL without memory. */
const char *covey_i_sorted_take_alike(covey_sorted_scan *x, const char *row, const char **before);
/* The same with rows of any cells, of a numbered file of at most so many columns; ends where a row is unusual. */
enum { COVEY_SORTED_UNLIKE = 64 };
const char *covey_i_sorted_take_unlike(covey_sorted_scan *x, const char *row, const char **before);

#endif
