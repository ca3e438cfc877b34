/* Stable sorts of row numbers by several code columns at once, on all threads. */
#ifndef COVEY_SORT_KEYS_H
#define COVEY_SORT_KEYS_H

#include <covey/base.h>

typedef struct covey_sort_key {
    const void *codes; /* indexed by row */
    int width;         /* bytes per code: 1, 2 or 4 */
    uint32_t n_values; /* all codes are smaller; what map makes of them, if there is one */
    const uint32_t *map; /* compare map[code] instead of the codes; only with a width of 4; NULL: the codes */
} covey_sort_key;

/**
 * Sorts rows[0 .. n-1] stably by key[0], equal ones by key[1], and so on.
 *
 * Neighbouring keys are packed into one number as long as it fits 32 bits, so that short codes cost one sort together.
 * 16 bytes of scratch per row; the result does not depend on run's threads.
 */
covey_status covey_i_sort_rows_by_keys(uint32_t *rows, size_t n, const covey_sort_key *key, size_t n_keys, const covey_run *run,
                                       covey_error *err);

#endif
