/* Finding delimiters and line feeds outside quotes.  Sixteen bytes are compared at once, and the results of four
 * comparisons make one word with a bit for each byte; then bits are taken off one by one.  The idea is that of
 * [LangdaleLemire19], section 3.1. */
#include "io/csv/marks.h"

#include <string.h>

#include "base/alloc.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 64 };

#define MOST_OFFSET ((size_t)1 << 30) /* longer cells than that are not for this way of reading */

bool covey_i_csv_marks_new(covey_csv_marks *marks, size_t least)
{
    *marks = (covey_csv_marks){.capacity = least + BLOCK};
    marks->end = covey_i_array(marks->capacity + 1, sizeof *marks->end);
    marks->line_feed = covey_i_array(marks->capacity, sizeof *marks->line_feed);
    if (!marks->end || !marks->line_feed)
        return false;
    marks->end[0] = UINT32_MAX;
    return true;
}

void covey_i_csv_marks_free(covey_csv_marks *marks)
{
    covey_i_free(marks->end);
    covey_i_free(marks->line_feed);
    *marks = (covey_csv_marks){0};
}

#ifdef __SSE2__

const bool covey_i_csv_has_marks = true;

/* A bit for each of the 64 bytes that is one of those in pattern. */
static inline uint64_t equal_bytes(const __m128i bytes[4], __m128i pattern)
{
    uint64_t bits = 0;

    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes[i], pattern)) << 16 * i;
    return bits;
}

/* The bits from each odd set bit on up to the next even one. */
static inline uint64_t between_pairs(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

static inline size_t list_bits(uint32_t *to, uint32_t offset, uint64_t bits)
{
    size_t n = 0;

    for (; bits; bits &= bits - 1)
        to[n++] = offset + (uint32_t)__builtin_ctzll(bits);
    return n;
}

/* What is carried from block to block: of the block before, in the highest bit, was the last byte ... */
struct carried {
    uint64_t end, closing; /* ... an end, a closing quote? */
    bool inside;           /* ... within quotes? */
};

/* Bits within quotes, the opening ones included.  *simple turns false unless every quote that opens stands behind the
 * end of a cell, every one that closes before one (or before CR, which whoever reads the cell looks at), and no line
 * feed within. */
static inline uint64_t find_quoted(bool *simple, struct carried *carried, uint64_t quotes, uint64_t ends,
                                   uint64_t lines, uint64_t returns)
{
    const uint64_t inside = between_pairs(quotes) ^ ((uint64_t)0 - carried->inside), closing = quotes & ~inside;

    ends &= ~inside;
    if ((quotes & inside & ~(ends << 1 | carried->end >> 63)) |
        ((closing << 1 | carried->closing >> 63) & ~(ends | returns)) | (lines & inside))
        *simple = false;
    *carried = (struct carried){ends, closing, inside >> 63};
    return inside;
}

void covey_i_csv_marks_find(covey_csv_marks *marks, const char *start, const char *end, char delimiter, bool has_quotes,
                            size_t wanted)
{
    const __m128i delimiters = _mm_set1_epi8(delimiter), line_feeds = _mm_set1_epi8('\n'), quotes = _mm_set1_epi8('"'),
                  returns = _mm_set1_epi8('\r');
    const size_t size = (size_t)(end - start) < MOST_OFFSET ? (size_t)(end - start) : MOST_OFFSET;
    struct carried carried = {.end = (uint64_t)1 << 63};

    marks->n_ends = marks->n_line_feeds = 0;
    marks->simple = true;
    for (size_t at = 0; at < size && marks->n_ends < wanted; at += BLOCK) {
        char last[BLOCK] = {0};
        const char *block = start + at;
        __m128i bytes[4];
        uint64_t lines, ends;

        if (size - at < BLOCK)
            block = memcpy(last, block, size - at); /* zeros are no marks */
        for (int i = 0; i < 4; i++)
            bytes[i] = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        lines = equal_bytes(bytes, line_feeds);
        ends = lines | equal_bytes(bytes, delimiters);
        if (has_quotes) {
            const uint64_t inside = find_quoted(&marks->simple, &carried, equal_bytes(bytes, quotes), ends, lines,
                                                equal_bytes(bytes, returns));

            lines &= ~inside;
            ends &= ~inside;
        }
        marks->n_ends += list_bits(marks->end + 1 + marks->n_ends, (uint32_t)at, ends);
        marks->n_line_feeds += list_bits(marks->line_feed + marks->n_line_feeds, (uint32_t)at, lines);
    }
}

#else

const bool covey_i_csv_has_marks = false;

void covey_i_csv_marks_find(covey_csv_marks *marks, const char *start, const char *end, char delimiter, bool has_quotes,
                            size_t wanted)
{
    marks->n_ends = marks->n_line_feeds = 0;
    marks->simple = true;
}

#endif
