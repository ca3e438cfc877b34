/* Runs: neighbouring rows with equal codes as one item.  Methods start from rows sorted by content, so that equal rows
 * stand together: what never tells them apart can work on runs, of which there may be many times fewer. */
#ifndef COVEY_METHOD_ROWS_ROW_RUNS_H
#define COVEY_METHOD_ROWS_ROW_RUNS_H

#include "problem/problem.h"

typedef struct covey_row_runs {
    uint32_t n, n_groups;
    uint32_t *start; /* [n + 1] run i is rows[start[i] .. start[i+1]-1] */
    uint32_t *group; /* [n_groups + 1] neighbouring runs with equal quasi-identifiers: runs group[g] .. group[g+1]-1;
                        NULL: each run is one */
} covey_row_runs;

/**
 * Finds runs of rows that are equal in their quasi-identifiers and in columns[0 .. n_columns-1]: the longest, unless
 * fields that are none of these come first in the order of the rows.  Without columns a run is a group.
 *
 * @param sorted  as covey_i_start_sorted gives them; where rows are packed the table is not asked, whose rows lie
 * anywhere
 * @param arena   owns the result
 */
covey_status covey_i_row_runs_new(covey_row_runs *runs, const covey_problem *problem, const covey_sorted_rows *sorted,
                                  const covey_column *const *columns, size_t n_columns, covey_arena *arena,
                                  const covey_run *run, covey_error *err);

/* Every row as a run of its own. */
covey_status covey_i_row_runs_single(covey_row_runs *runs, uint32_t n, covey_arena *arena, covey_error *err);

/* Where the codes of sorted rows come from. */
typedef struct covey_row_codes {
    const covey_column *column;
    const covey_sorted_rows *sorted;
    bool is_packed; /* packed / stride % n_values, by multiplication */
    uint32_t n_values;
    uint64_t per_stride, per_value; /* 2^64 / stride, 2^64 / n_values, rounded up */
} covey_row_codes;

covey_row_codes covey_i_row_codes(const covey_problem *problem, const covey_sorted_rows *sorted,
                                  const covey_column *column);
/* Codes of the rows at[0 .. n-1], places among the sorted rows. */
void covey_i_row_codes_at(uint32_t *out, const covey_row_codes *codes, const uint32_t *at, uint32_t n);
/* Copies them into an array of codes as wide as the column's, to its places first .. first+n-1.  at: NULL if the sorted
 * rows first .. first+n-1 are meant. */
void covey_i_row_codes_copy(void *to, uint32_t first, const covey_row_codes *codes, const uint32_t *at, uint32_t n);

#endif
