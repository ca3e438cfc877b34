/* Stable sorts of row numbers by several code columns at once, on all threads. */
#ifndef COVEY_BASE_SORT_KEYS_H
#define COVEY_BASE_SORT_KEYS_H

#include <covey/base.h>

typedef struct covey_sort_key {
    const void *codes;   /* indexed by row */
    int width;           /* bytes per code: 1, 2 or 4 */
    uint32_t n_values;   /* all codes are smaller; what map makes of them, if there is one */
    const uint32_t *map; /* compare map[code] instead of the codes; only with a width of 4; NULL: the codes */
} covey_sort_key;

/**
 * Sorts rows[0 .. n-1] stably by key[0], equal ones by key[1], and so on.
 *
 * Neighbouring keys are packed into one number as long as it fits 32 bits, so that short codes cost one sort together.
 * 16 bytes of scratch per row at most; the result does not depend on run's threads.
 */
covey_status covey_i_sort_rows_by_keys(uint32_t *rows, size_t n, const covey_sort_key *key, size_t n_keys,
                                       const covey_run *run, covey_error *err);

/**
 * All rows in that order: rows[0 .. n-1] receives 0 .. n-1, sorted.  Faster than sorting what was filled in.  Many rows
 * whose keys take 26 bits together take no scratch that counts with packed, else 4 bytes each; others 8 or 16.
 *
 * @param packed  [n] receives the keys of each row as one number, the first most significant: ((code of key 0) *
 * n_values of key 1 + code of key 1) * n_values of key 2 ...  NULL: not wanted.  Only where covey_i_keys_fit.
 */
covey_status covey_i_keys_sort_rows(uint32_t *rows, uint32_t *packed, size_t n, const covey_sort_key *key,
                                    size_t n_keys, const covey_run *run, covey_error *err);

/* The same as numbers of 64 bits: the keys as one number, above the row's number.  Only where covey_i_keys_fit; 8 bytes
 * of scratch per row at most. */
covey_status covey_i_keys_sort_pairs(uint64_t *pairs, size_t n, const covey_sort_key *key, size_t n_keys,
                                     const covey_run *run, covey_error *err);
/* Sorts such numbers stably by what is above the row's number, which is below n_values; 8 bytes of scratch each. */
covey_status covey_i_sort_pairs(uint64_t *pairs, size_t n, uint64_t n_values, const covey_run *run, covey_error *err);

/* Do all keys of a row fit a number of 32 bits? */
bool covey_i_keys_fit(const covey_sort_key *key, size_t n_keys);

/* What covey_i_keys_sort_rows gives as packed, without the rows; only where covey_i_keys_fit.  4 bytes of scratch
 * per row. */
covey_status covey_i_sort_packed_keys(uint32_t *packed, size_t n, const covey_sort_key *key, size_t n_keys,
                                      const covey_run *run, covey_error *err);

/* --- packing: pack.c --- */

enum { COVEY_KEY_DIGIT = 13 /* bits at most: 26 in two passes; more streams would no longer fit the caches */ };

/* Keys of n rows; rows: NULL: of first .. first + n - 1. */
void covey_i_pack_keys(uint32_t *packed, const uint32_t *rows, size_t first, size_t n, const covey_sort_key *key,
                       size_t n_keys);
/* Bits of numbers below n_values. */
int covey_i_key_bits(uint64_t n_values);
/* How many passes n of them are sorted in: digits have fewer bits where clearing the counters of more would take longer
 * than the rows do. */
int covey_i_key_passes(uint64_t n_values, size_t n);
/* Into how many pieces n keys are divided for so many threads, 16 at most. */
size_t covey_i_key_chunks(size_t n, int n_threads);
/* The last of n keys that fit 32 bits together: the first of them; *n_values: what their packed values are below. */
size_t covey_i_keys_last(uint64_t *n_values, const covey_sort_key *key, size_t n);
/* place[c][d]: how many keys of chunk c have the digit d, of 0 .. mask; receives where the first of them goes, so that
 * the sort is stable. */
void covey_i_keys_digit_places(uint32_t (*place)[1 << COVEY_KEY_DIGIT], size_t n_chunks, uint32_t mask);

/* --- by the most significant digit first: parts.c --- */

/* Where sorted rows and keys go: [n] each. */
typedef struct covey_ordered {
    uint32_t *rows, *packed; /* packed: NULL: not wanted */
    uint64_t *pairs;         /* instead of both; else NULL */
} covey_ordered;

/* Rows 0 .. n-1 sorted by keys that fit together, whose packed values are below n_values.  *done false: that would not
 * pay, and nothing was done. 4 bytes of scratch per row where packed keys are not wanted, else as much as a part of the
 * rows takes for each thread. */
covey_status covey_i_keys_sort_by_parts(bool *done, const covey_ordered *to, size_t n, const covey_sort_key *key,
                                        size_t n_keys, uint64_t n_values, const covey_run *run, covey_error *err);

#endif
