/* Rows that no other row is equal to in some columns. */
#ifndef COVEY_INSPECT_ALONE_H
#define COVEY_INSPECT_ALONE_H

#include <covey/inspect.h>

/* Begins with covey_i_alone_init and ends with covey_i_alone_clear, also where the first fails. */
typedef struct covey_alone {
    covey_column *const *typed;
    size_t n_rows;
    uint64_t *slot;   /* [mask + 1] key + 1; 0: free */
    uint8_t *seen;    /* [mask + 1] 1: once, 2: more often */
    uint32_t *number; /* [mask + 1] of the key, in order of appearance; made for the first set that needs it */
    uint32_t *id;     /* [n_rows] of each row in the columns that were looked at; likewise */
    uint64_t mask;
} covey_alone;

/* COVEY_ENOMEM. */
covey_status covey_i_alone_init(covey_alone *alone, covey_column *const *typed, size_t n_rows, covey_error *err);
void covey_i_alone_clear(covey_alone *alone);

/* Counts them for column [n], n > 0.  A missing cell is a value of its own.  COVEY_ENOMEM. */
covey_status covey_i_alone_count(int64_t *out, covey_alone *alone, const size_t *column, size_t n, covey_error *err);
/* The order of sets of as many columns, as qsort wants it: those that single out most first, ties by their columns. */
int covey_i_alone_compare(const covey_inspected_set *x, const covey_inspected_set *y);

#endif
