/* The values of one column of a table that is read piece by piece, in a dictionary that grows: their codes stay as they
 * are meanwhile, and are put in order at the end. */
#ifndef COVEY_PARTS_PLAN_GROWING_VALUES_H
#define COVEY_PARTS_PLAN_GROWING_VALUES_H

#include "io/dictionary.h"
#include "parts/plan/plan.h"

/* Code 0 is the missing value, the others are the dictionary's, one higher. */
typedef struct covey_growing_values {
    covey_dictionary dictionary;
    int64_t *count, *line; /* [capacity] rows with it; where it stands first */
    size_t capacity;
    uint32_t n_codes; /* dictionary.n + 1 at the end */
    uint32_t *place;  /* [n_codes] in the order of bytes; made at the end */
} covey_growing_values;

/* Our code of every value of a piece's column: map[its code]. */
covey_status covey_i_growing_values_add(uint32_t *map, covey_growing_values *values, const covey_column *raw,
                                        covey_error *err);
size_t covey_i_growing_values_size(const covey_growing_values *values); /* bytes that it takes */

/**
 * Puts the values in order; nothing but place stays.
 *
 * @param column, count  receive the plan's column of them, and how often each occurs (the plan's)
 */
covey_status covey_i_growing_values_finish(covey_column **column, int64_t **count, covey_growing_values *values,
                                           const char *name, covey_plan *plan, covey_error *err);
void covey_i_growing_values_clear(covey_growing_values *values); /* may be all zeros */

#endif
