/* Arrays of codes, 1, 2 or 4 bytes each: the one place that asks how wide they are.
 *
 * Where a loop does nothing else with its codes, _get and _put cost nothing: gcc makes a loop of it for each width, and
 * vectorizes these, if the width cannot change meanwhile (a parameter, not a field that what the loop writes might be).
 * What is faster in the codes' own type, for as many as fit into a register are computed at once, is a block of
 * COVEY_CODES_TYPED. */
#ifndef COVEY_BASE_CODES_H
#define COVEY_BASE_CODES_H

#include <stddef.h>
#include <stdint.h>

/* Runs one of three copies of a block, in which covey_code is the type of a code. */
#define COVEY_CODES_TYPED(width, ...)                                                                                  \
    do {                                                                                                               \
        if ((width) == 1) {                                                                                            \
            typedef uint8_t covey_code;                                                                                \
            __VA_ARGS__                                                                                                \
        } else if ((width) == 2) {                                                                                     \
            typedef uint16_t covey_code;                                                                               \
            __VA_ARGS__                                                                                                \
        } else {                                                                                                       \
            typedef uint32_t covey_code;                                                                               \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    } while (0)

static inline uint32_t covey_i_codes_get(const void *codes, int width, size_t i)
{
    if (width == 1)
        return ((const uint8_t *)codes)[i];
    if (width == 2)
        return ((const uint16_t *)codes)[i];
    return ((const uint32_t *)codes)[i];
}

static inline void covey_i_codes_put(void *codes, int width, size_t i, uint32_t code)
{
    if (width == 1)
        ((uint8_t *)codes)[i] = (uint8_t)code;
    else if (width == 2)
        ((uint16_t *)codes)[i] = (uint16_t)code;
    else
        ((uint32_t *)codes)[i] = code;
}

/* The codes from the i-th on. */
static inline void *covey_i_codes_from(const void *codes, int width, size_t i)
{
    return (char *)codes + i * (size_t)width;
}

/* To and from 32-bit numbers. */
void covey_i_codes_unpack(uint32_t *out, const void *codes, int width, size_t n);
void covey_i_codes_pack(void *codes, int width, const uint32_t *from, size_t n);

/* Copies the codes of rows[0 .. n-1].  Where rows lie all over a large table, fetching some hundred at a time is many
 * times faster than one by one between other work: they do not wait for each other. */
void covey_i_codes_at(uint32_t *out, const void *codes, int width, const uint32_t *rows, size_t n);

/* to[i] = map[from[i]] for arrays of codes of any widths; every map[...] fits into to_width bytes. */
void covey_i_codes_map(void *to, int to_width, const void *from, int from_width, size_t n, const uint32_t *map);

/* Adds to each code's count how often it stands among n codes. */
void covey_i_codes_count(uint32_t *count, const void *codes, int width, size_t n);

/* The smallest and the largest of n codes; n > 0. */
void covey_i_codes_range(uint32_t *low, uint32_t *high, const void *codes, int width, size_t n);

#endif
