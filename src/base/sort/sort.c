/* Radix sorts, byte by byte. */
#include "base/sort/sort.h"

#include <string.h>

#include "base/codes.h"

/* Compiled once for each width, where it is a constant. */
#define PER_WIDTH static inline __attribute__((always_inline))

PER_WIDTH uint32_t digit(const void *key, int width, uint32_t row, int shift)
{
    return (width == 8 ? (uint32_t)(((const uint64_t *)key)[row] >> shift)
                       : covey_i_codes_get(key, width, row) >> shift) &
           255;
}

/* One counting pass by bits shift .. shift+7 of keys.  Returns false if all rows agree (nothing was moved). */
PER_WIDTH bool pass(uint32_t *to, const uint32_t *from, size_t n, const void *key, int width, int shift)
{
    size_t start[256] = {0}, sum = 0;

    for (size_t i = 0; i < n; i++)
        start[digit(key, width, from[i], shift)]++;
    if (n == 0 || start[digit(key, width, from[0], shift)] == n)
        return false;
    for (int d = 0; d < 256; d++) {
        size_t count = start[d];

        start[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[start[digit(key, width, from[i], shift)]++] = from[i];
    return true;
}

PER_WIDTH void sort_rows(uint32_t *rows, uint32_t *scratch, size_t n, const void *key, int width)
{
    uint32_t *from = rows, *to = scratch;

    for (int shift = 0; shift < 8 * width; shift += 8)
        if (pass(to, from, n, key, width, shift)) {
            uint32_t *swap = from;

            from = to;
            to = swap;
        }
    if (from != rows)
        memcpy(rows, from, n * sizeof *rows);
}

void covey_i_sort_rows_u32(uint32_t *rows, uint32_t *scratch, size_t n, const uint32_t *key)
{
    sort_rows(rows, scratch, n, key, sizeof *key);
}

void covey_i_sort_rows_u64(uint32_t *rows, uint32_t *scratch, size_t n, const uint64_t *key)
{
    sort_rows(rows, scratch, n, key, sizeof *key);
}

void covey_i_sort_rows_codes(uint32_t *rows, uint32_t *scratch, size_t n, const void *codes, int width)
{
    COVEY_CODES_TYPED(width, { sort_rows(rows, scratch, n, codes, sizeof(covey_code)); });
}

/* Below this an insertion sort beats clearing the counters. */
enum { FEW_NUMBERS = 48 };

static void insert_u64(uint64_t *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t number = numbers[i];
        size_t at = i;

        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

void covey_i_sort_u64(uint64_t *numbers, uint64_t *scratch, size_t n, int n_bits)
{
    uint64_t *from = numbers, *to = scratch;

    if (n <= FEW_NUMBERS) {
        insert_u64(numbers, n);
        return;
    }
    for (int shift = 0; shift < n_bits; shift += 8) {
        size_t start[256] = {0}, sum = 0;
        uint64_t *swap = from;

        for (size_t i = 0; i < n; i++)
            start[(from[i] >> shift) & 255]++;
        if (start[(from[0] >> shift) & 255] == n)
            continue;
        for (int d = 0; d < 256; d++) {
            const size_t count = start[d];

            start[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[start[(from[i] >> shift) & 255]++] = from[i];
        from = to;
        to = swap;
    }
    if (from != numbers)
        memcpy(numbers, from, n * sizeof *numbers);
}
