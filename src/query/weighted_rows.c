/* Weights of selected rows, and sums of products with values that may be any one's. */
#include "query/weighted_rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/sort/compare.h"

covey_status covey_i_weighted_rows_find(covey_weighted_rows *out, const covey_bound_aggregate *aggregate,
                                        const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                        covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];
    size_t n_published = rows->n;

    if (scan->weight) {
        n_published = 0;
        for (uint32_t i = 0; i < rows->n; i++)
            n_published += scan->weight[rows->row ? rows->row[i] : i];
    }
    *out = (covey_weighted_rows){.weight = covey_arena_array(arena, int64_t, n_published)};
    if (!out->weight)
        return covey_i_no_memory(err);
    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        const uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = rows->row ? rows->row[at + i] : at + i, copies = scan->weight ? scan->weight[row] : 1;

            for (uint32_t copy = 0; accepts[i] && copy < copies; copy++)
                out->weight[out->n++] = covey_i_query_row_weight(aggregate, row);
        }
    }
    return COVEY_OK;
}

void covey_i_weighted_rows_sort_values(int64_t *value, size_t n, bool is_least)
{
    if (n > 0)
        qsort(value, n, sizeof *value, is_least ? covey_i_compare_i64 : covey_i_compare_i64_down);
}

void covey_i_weighted_rows_sort(covey_weighted_moments *out, int64_t *weight, size_t n)
{
    *out = (covey_weighted_moments){0};
    covey_i_weighted_rows_sort_values(weight, n, false);
    for (size_t i = 0; i < n; i++) {
        out->sum += weight[i];
        out->squares += (double)weight[i] * (double)weight[i];
    }
}

covey_i128 covey_i_weighted_rows_pair(const int64_t *weight, const int64_t *value, size_t n)
{
    covey_i128 sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (covey_i128)weight[i] * value[i];
    return sum;
}
