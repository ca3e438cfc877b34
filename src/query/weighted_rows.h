/* Sums in which rows count by their weights, where it is known which rows are selected, and not which of some values is
 * whose.  A sum of products is least where the largest weight meets the least value, and greatest where it meets the
 * greatest. Source: [HardyLittlewoodPolya34] theorem 368, the rearrangement inequality. */
#ifndef COVEY_QUERY_WEIGHTED_ROWS_H
#define COVEY_QUERY_WEIGHTED_ROWS_H

#include "query/rows.h"

typedef struct covey_weighted_rows {
    size_t n;
    int64_t *weight; /* [n] of the selected rows, one by one, in their order */
} covey_weighted_rows;

/* Rows that the scan accepts; in the arena. */
covey_status covey_i_weighted_rows_find(covey_weighted_rows *out, const covey_bound_aggregate *aggregate,
                                        const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                        covey_error *err);

/* What n weights tell of sums. */
typedef struct covey_weighted_moments {
    covey_i128 sum;
    double squares; /* sum of their squares */
} covey_weighted_moments;

/* Sorts n of them, the largest first. */
void covey_i_weighted_rows_sort(covey_weighted_moments *out, int64_t *weight, size_t n);
/* The sum of weight[i] * value[i]. */
covey_i128 covey_i_weighted_rows_pair(const int64_t *weight, const int64_t *value, size_t n);
/* Sorts values, the least first (is_least), or the greatest. */
void covey_i_weighted_rows_sort_values(int64_t *value, size_t n, bool is_least);

#endif
