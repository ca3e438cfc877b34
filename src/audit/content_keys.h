/* Rows of a release and of its original by what some of their columns say: a number for every combination of values,
 * the same on both sides. */
#ifndef COVEY_AUDIT_CONTENT_KEYS_H
#define COVEY_AUDIT_CONTENT_KEYS_H

#include "reader/original.h"
#include "reader/problems.h"

/* One side. */
typedef struct covey_key_side {
    uint32_t n_rows;
    uint64_t *key;     /* [n_rows] combination */
    uint32_t *row;     /* [n_rows] rows, in the order of the last sort */
    uint32_t *scratch; /* [n_rows] */
} covey_key_side;

/**
 * Makes the keys of columns that are published as they are.  Values that the original lacks get a code of their own.
 *
 * @param column  [n] which columns; all in the table with the quasi-identifiers
 */
covey_status covey_i_content_keys(covey_key_side *published, covey_key_side *from, const covey_opened *opened,
                                  const covey_original *original, const uint32_t *column, size_t n, covey_arena *arena,
                                  covey_error *err);

/* Sorts side->row by key, stably. */
void covey_i_content_sort(covey_key_side *side);

/* Numbers the keys of both sides 0, 1, ... in their order, the same keys alike; returns how many there are. */
uint64_t covey_i_content_renumber(covey_key_side *a, covey_key_side *b);

/* Is every content, of contents 0 .. n_contents - 1, published at most as often as the original has it?  What is not is
 * a problem of its group.  left [n_contents] receives how often the original has it more. */
bool covey_i_content_is_had(int64_t *left, uint32_t n_contents, const covey_key_side *published,
                            const covey_key_side *from, const covey_opened *opened, covey_problems *problems);

#endif
