/* GROUP BY columns whose values stand row by row: which rows are of a group. */
#ifndef COVEY_QUERY_GENERALIZED_ROW_KEYS_H
#define COVEY_QUERY_GENERALIZED_ROW_KEYS_H

#include "query/query_impl.h"

/* Is a key's column published row by row, and not class by class? */
static inline bool covey_i_key_is_of_rows(const covey_bound_query *query, const covey_query_release *release, size_t k)
{
    return release->column[query->key[k]].role != COVEY_ROLE_QUASI;
}

/* Rows by the place of their values in the lists of the keys. */
typedef struct covey_row_keys {
    uint32_t n_groups; /* combinations of places; 0: no key is of rows */
    uint32_t *stride;  /* [n_keys] of a key's place in the number of a combination; 0: not of rows */
    uint32_t *start;   /* [n_groups + 1] */
    uint32_t *row;     /* [rows] of each combination, ascending */
} covey_row_keys;

/* The values of a column that is published row by row, in its order. */
covey_status covey_i_row_key_values(uint32_t *n, covey_query_value **out, const covey_query_column *column,
                                    uint32_t n_rows, covey_arena *arena, covey_error *err);

/* Sorts rows by their keys.  n: [n_keys] how many values covey_i_row_key_values has listed of each key of rows; their
 * product is small. */
covey_status covey_i_row_keys_make(covey_row_keys *out, const covey_query_release *release,
                                   const covey_bound_query *query, const uint32_t *n, covey_arena *arena,
                                   covey_error *err);

/* The rows of a combination; at: [n_keys] places. */
static inline uint32_t covey_i_row_keys_group(const covey_row_keys *keys, const uint32_t *at, size_t n_keys)
{
    uint32_t group = 0;

    for (size_t k = 0; k < n_keys; k++)
        group += at[k] * keys->stride[k];
    return group;
}

#endif
