/* Which rows have a value in some ranges, for columns of few values: sets of rows as bits, one per value, of all rows
 * up to it.
 *
 * A range is then the difference of two sets, whatever its length, and a conjunction of ranges costs two bits a row and
 * column. */
#ifndef COVEY_QUERY_PERTURBED_BIT_INDEX_H
#define COVEY_QUERY_PERTURBED_BIT_INDEX_H

#include <covey/table.h>

#include "base/arena.h"

typedef struct covey_bit_column {
    uint32_t n;            /* different cells; 0: the column is not indexed */
    const uint32_t *place; /* [n] codes in the column's order */
    uint64_t **upto;       /* [n - 1] sets: rows whose code stands at most there */
} covey_bit_column;

typedef struct covey_bit_index {
    uint32_t n_rows, n_words; /* of 64 rows */
    covey_bit_column *column; /* [n_columns] */
} covey_bit_index;

typedef struct covey_bit_source {
    const covey_column *column; /* NULL: not to be indexed */
    const uint32_t *rank;       /* [n_values] order of the codes; NULL: as they are */
} covey_bit_source;

/* Indexes columns of few values, from left to right while there is room. */
covey_status covey_i_bit_index_make(covey_bit_index *out, const covey_bit_source *source, size_t n_columns,
                                    uint32_t n_rows, covey_arena *arena, covey_error *err);

/* The runs of places that pass: first .. last. */
typedef struct covey_bit_run {
    uint32_t first, last;
} covey_bit_run;

typedef struct covey_bit_test {
    const covey_bit_column *column;
    uint32_t n_runs;
    covey_bit_run *run; /* [n_runs] */
} covey_bit_test;

/* Sets the bits of all rows of words first .. first + n - 1; clears those that fail a test. */
void covey_i_bit_all(uint64_t *rows, const covey_bit_index *index, uint32_t first, uint32_t n);
void covey_i_bit_keep(uint64_t *rows, const covey_bit_test *test, uint32_t first, uint32_t n);
/* How many bits of n words are set. */
int64_t covey_i_bit_count(const uint64_t *rows, uint32_t n);

#endif
