/* Strict cuts of cells, see cells.c.  What is cut are lists of cells, in the order of their rows. */
#ifndef COVEY_METHOD_SLICING_CELLS_H
#define COVEY_METHOD_SLICING_CELLS_H

#include "method/slicing/slicing.h"

typedef struct covey_slicing_cells covey_slicing_cells;

/* Cells of s->content, which stands in the order of contents; dim: fields that may be cut, all but the sensitive one.
 * Memory is the slicing's arena's. */
covey_status covey_i_slicing_cells_new(covey_slicing_cells **out, const covey_slicing *s, const size_t *dim,
                                       size_t n_dims, covey_error *err);
uint32_t covey_i_slicing_n_cells(const covey_slicing_cells *cells);

/* How many rows some cells have, and their contents: there is room for as many. */
uint32_t covey_i_slicing_cells_size(const covey_slicing_cells *cells, const uint32_t *item, uint32_t n);
void covey_i_slicing_cell_contents(covey_slicing_contents *out, const covey_slicing_cells *cells, const uint32_t *item,
                                   uint32_t n);
/* Smallest and largest code of some cells (n > 0), of every dimension: low, high [n_dims]. */
void covey_i_slicing_cell_ends(uint32_t *low, uint32_t *high, const covey_slicing_cells *cells, const uint32_t *item,
                               uint32_t n);

/* What one thread counts in. */
typedef struct covey_slicing_cell_counts {
    uint32_t *pair, *set; /* [n_pairs], [n_sets] zero between calls */
    uint32_t *touched;    /* [n_pairs + 1] */
    uint32_t *in;         /* [n_sets + 1] */
    uint32_t *code;       /* [codes that are counted] zero between calls */
} covey_slicing_cell_counts;

covey_status covey_i_slicing_cell_counts_new(covey_slicing_cell_counts *out, const covey_slicing_cells *cells,
                                             covey_arena *arena, covey_error *err);

/* Reorders the cells so that those up to the median come first; returns how many they are: not all.  low < high: their
 * codes' ends; scratch: [n]. */
uint32_t covey_i_slicing_cell_part(const covey_slicing_cells *cells, covey_slicing_cell_counts *counts, size_t dim,
                                   uint32_t *item, uint32_t *scratch, uint32_t n, uint32_t low, uint32_t high);
/* Has no sensitive value a share above 1/l in any set of their rows?
 *
 * most: in, that no pair has more rows of these cells, as is known of cells that they are a part of; out, if they hold,
 * the same or less. */
bool covey_i_slicing_cells_hold(uint32_t *most, const covey_slicing_cells *cells, covey_slicing_cell_counts *counts,
                                const uint32_t *item, uint32_t n);

#endif
