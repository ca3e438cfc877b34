/* Strict cuts of cells, see slicing_cells.c.  What is cut are lists of cells, in the order of their rows. */
#ifndef COVEY_SLICING_CELLS_H
#define COVEY_SLICING_CELLS_H

#include "method/slicing_impl.h"

typedef struct covey_slicing_cells covey_slicing_cells;

/* Cells of s->content, which stands in the order of contents; dim: fields that may be cut, all but the sensitive one.  Memory is the slicing's arena's. */
covey_status covey_i_slicing_cells_new(covey_slicing_cells **out, const covey_slicing *s, const size_t *dim, size_t n_dims, covey_error *err);
uint32_t covey_i_slicing_n_cells(const covey_slicing_cells *cells);

/* How many rows some cells have, and the rows, by content; row: room for as many. */
uint32_t covey_i_slicing_cells_size(const covey_slicing_cells *cells, const uint32_t *item, uint32_t n);
void covey_i_slicing_cell_rows(uint32_t *row, const covey_slicing_cells *cells, const uint32_t *item, uint32_t n);
/* Smallest and largest code of some cells. */
void covey_i_slicing_cell_ends(uint32_t *low, uint32_t *high, const covey_slicing_cells *cells, size_t dim, const uint32_t *item, uint32_t n);
/* Reorders the cells so that those up to the median come first; returns how many they are: not all.  low < high: their codes' ends. */
uint32_t covey_i_slicing_cell_part(covey_slicing_cells *cells, size_t dim, uint32_t *item, uint32_t n, uint32_t low, uint32_t high);
/* Has no sensitive value a share above 1/l in any set of their rows? */
bool covey_i_slicing_cells_hold(covey_slicing_cells *cells, const uint32_t *item, uint32_t n);

#endif
