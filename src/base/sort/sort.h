/* Stable radix sorts of row numbers. */
#ifndef COVEY_BASE_SORT_SORT_H
#define COVEY_BASE_SORT_SORT_H

#include <covey/base.h>

/**
 * Sorts rows[0 .. n-1] stably by key[row] (least significant digit first, 8 bits a pass; passes whose digit never
 * varies are skipped).
 *
 * @param rows     [n] in and out
 * @param scratch  [n]
 * @param key      indexed by row
 */
void covey_i_sort_rows_u32(uint32_t *rows, uint32_t *scratch, size_t n, const uint32_t *key);
void covey_i_sort_rows_u64(uint32_t *rows, uint32_t *scratch, size_t n, const uint64_t *key);
/* The same by an 8- or 16-bit code array (a column's codes). */
void covey_i_sort_rows_codes(uint32_t *rows, uint32_t *scratch, size_t n, const void *codes, int width);

/* Sorts bare numbers below 2^n_bits; scratch: [n]. */
void covey_i_sort_u64(uint64_t *numbers, uint64_t *scratch, size_t n, int n_bits);

#endif
