/* Cells: the rows with equal quasi-identifiers as one item, for methods that never part them.  The codes of the cells
 * lie in narrow arrays of their own, so that work goes with the number of different combinations instead of the number
 * of rows. */
#ifndef COVEY_METHOD_ROWS_ROW_CELLS_H
#define COVEY_METHOD_ROWS_ROW_CELLS_H

#include "problem/problem.h"
#include "table/table_impl.h"

/* Codes as a column of the table has them. */
typedef struct covey_row_cell_codes {
    int width; /* bytes per code: 1, 2 or 4 */
    void *codes;
} covey_row_cell_codes;

typedef struct covey_row_cells {
    uint32_t n;
    const uint32_t *rows;       /* [start[n]] the rows they were made of */
    uint32_t *start;            /* [n + 1] cell c holds rows[start[c] .. start[c+1]-1] */
    covey_row_cell_codes *axis; /* [n_axes] by cell */
    covey_row_cell_codes *view; /* [n_views] by place in rows, so that a cell's lie together */
} covey_row_cells;

/**
 * Makes the cells of rows.
 *
 * @param sorted   rows of one cell should stand together (as covey_i_start_sorted gives them); where they do not, they
 * are several cells. The row numbers must live as long as the cells; what they are sorted by need not, and where it is
 * known the table is not asked, whose rows lie anywhere.
 * @param single   every row is a cell of its own: for cuts that may part equal rows
 * @param arena    owns all of it
 */
covey_status covey_i_row_cells_new(covey_row_cells *cells, const covey_problem *problem,
                                   const covey_sorted_rows *sorted, bool single, covey_arena *arena,
                                   const covey_run *run, covey_error *err);

static inline uint32_t covey_i_row_cells_code(const covey_row_cell_codes *codes, uint32_t i)
{
    return covey_i_codes_get(codes->codes, codes->width, i);
}

static inline uint32_t covey_i_row_cells_size(const covey_row_cells *cells, uint32_t cell)
{
    return cells->start[cell + 1] - cells->start[cell];
}

/* The smallest and the largest code of cell[0 .. n-1] on each axis: low and high [n_axes]; n > 0. */
void covey_i_row_cells_range(uint32_t *low, uint32_t *high, const covey_row_cells *cells, size_t n_axes,
                             const uint32_t *cell, uint32_t n);

/* Adds a cell's rows to a tally. */
void covey_i_row_cells_tally(covey_tally *tally, const covey_row_cells *cells, uint32_t cell);

#endif
