/* Multisets of numbers for the partitions of ke-permutation, and a judge that knows nothing of how they were made. */
#ifndef COVEY_TESTS_KE_MAKER_H
#define COVEY_TESTS_KE_MAKER_H

#include "method/ke/ke.h"

enum { KE_MOST_ROWS = 64 };

/* Numbers with copies from a list in any order. */
typedef struct ke_set {
    covey_ke_values values;
    int64_t value[KE_MOST_ROWS];
    uint32_t copies[KE_MOST_ROWS];
    uint32_t order[KE_MOST_ROWS]; /* [rows] the list as indices into value */
} ke_set;

void ke_make(ke_set *set, const int64_t *row, uint32_t n_rows);

/* Is the whole set a valid group?  Else no partition has one. */
bool ke_is_feasible(const covey_ke_values *values, const covey_ke_bounds *bounds);

/* What a partition is worth; fails the test if it does not hold exactly the set, or holds a group that is not valid. */
typedef struct ke_worth {
    covey_i128 sum;
    int64_t max;
    uint32_t n_groups;
} ke_worth;

ke_worth ke_judge(const covey_ke_partition *partition, const covey_ke_values *values, const covey_ke_bounds *bounds);

#endif
