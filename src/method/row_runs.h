/* Runs: neighbouring rows with equal codes as one item.  Methods start from rows sorted by content, so that equal rows stand together: what never
 * tells them apart can work on runs, of which there may be many times fewer. */
#ifndef COVEY_ROW_RUNS_H
#define COVEY_ROW_RUNS_H

#include <covey/table.h>

#include "base/arena.h"

typedef struct covey_row_runs {
    uint32_t n, n_groups;
    uint32_t *start; /* [n + 1] run i is rows[start[i] .. start[i+1]-1] */
    uint32_t *group; /* [n_groups + 1] neighbouring runs that are equal in the first columns: runs group[g] .. group[g+1]-1 */
} covey_row_runs;

/**
 * Finds the longest runs of rows[0 .. n-1] that are equal in columns[0 .. n_columns-1], and groups of those that are equal in the first
 * n_outer columns.
 *
 * @param n_table_rows  rows of each column
 * @param arena         owns the result
 */
covey_status covey_i_row_runs_new(covey_row_runs *runs, const covey_column *const *columns, size_t n_outer, size_t n_columns,
                                  uint32_t n_table_rows, const uint32_t *rows, uint32_t n, covey_arena *arena, const covey_run *run,
                                  covey_error *err);

#endif
