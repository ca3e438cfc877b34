/* See sort.h. */
#include "base/sort/sort.h"

#include <string.h>

/* One counting pass by bits shift .. shift+7 of KEY(row).  Returns false if all rows agree (nothing was moved). */
#define DEFINE_PASS(name, type)                                                                                        \
    static bool name(uint32_t *to, const uint32_t *from, size_t n, const type *key, int shift)                         \
    {                                                                                                                  \
        size_t start[256] = {0}, sum = 0;                                                                              \
                                                                                                                       \
        for (size_t i = 0; i < n; i++)                                                                                 \
            start[(key[from[i]] >> shift) & 255]++;                                                                    \
        if (n == 0 || start[(key[from[0]] >> shift) & 255] == n)                                                       \
            return false;                                                                                              \
        for (int d = 0; d < 256; d++) {                                                                                \
            size_t count = start[d];                                                                                   \
                                                                                                                       \
            start[d] = sum;                                                                                            \
            sum += count;                                                                                              \
        }                                                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                 \
            to[start[(key[from[i]] >> shift) & 255]++] = from[i];                                                      \
        return true;                                                                                                   \
    }

DEFINE_PASS(pass_u8, uint8_t)
DEFINE_PASS(pass_u16, uint16_t)
DEFINE_PASS(pass_u32, uint32_t)
DEFINE_PASS(pass_u64, uint64_t)

#define DEFINE_SORT(name, type, pass)                                                                                  \
    static void name(uint32_t *rows, uint32_t *scratch, size_t n, const type *key)                                     \
    {                                                                                                                  \
        uint32_t *from = rows, *to = scratch;                                                                          \
                                                                                                                       \
        for (int shift = 0; shift < (int)(8 * sizeof *key); shift += 8)                                                \
            if (pass(to, from, n, key, shift)) {                                                                       \
                uint32_t *swap = from;                                                                                 \
                                                                                                                       \
                from = to;                                                                                             \
                to = swap;                                                                                             \
            }                                                                                                          \
        if (from != rows)                                                                                              \
            memcpy(rows, from, n * sizeof *rows);                                                                      \
    }

DEFINE_SORT(sort_u8, uint8_t, pass_u8)
DEFINE_SORT(sort_u16, uint16_t, pass_u16)
DEFINE_SORT(sort_u32, uint32_t, pass_u32)
DEFINE_SORT(sort_u64, uint64_t, pass_u64)

void covey_i_sort_rows_u32(uint32_t *rows, uint32_t *scratch, size_t n, const uint32_t *key)
{
    sort_u32(rows, scratch, n, key);
}

void covey_i_sort_rows_u64(uint32_t *rows, uint32_t *scratch, size_t n, const uint64_t *key)
{
    sort_u64(rows, scratch, n, key);
}

void covey_i_sort_rows_codes(uint32_t *rows, uint32_t *scratch, size_t n, const void *codes, int width)
{
    if (width == 1)
        sort_u8(rows, scratch, n, codes);
    else if (width == 2)
        sort_u16(rows, scratch, n, codes);
    else
        sort_u32(rows, scratch, n, codes);
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
