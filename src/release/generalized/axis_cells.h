/* The ready text of cells that many classes share: those of an axis' single values, or of the nodes of its tree. */
#ifndef COVEY_RELEASE_GENERALIZED_AXIS_CELLS_H
#define COVEY_RELEASE_GENERALIZED_AXIS_CELLS_H

#include "base/text.h"
#include "problem/axis.h"

typedef struct covey_axis_cells {
    covey_text bytes; /* ",cell" one after another */
    size_t *start;    /* [values or nodes + 1]; NULL: not made */
} covey_axis_cells;

/* How many there would be. */
uint32_t covey_i_axis_cells_needed(const covey_axis *axis);
/* Makes them; free them afterwards, also when this fails. */
covey_status covey_i_axis_cells_make(covey_axis_cells *cells, const covey_axis *axis, covey_error *err);
void covey_i_axis_cells_free(covey_axis_cells *cells); /* all zeros allowed */

/* Appends the cell of a class whose codes are low .. high; false: it is none of the ready ones. */
bool covey_i_axis_cells_add(covey_text *out, const covey_axis_cells *cells, const covey_axis *axis, uint32_t low,
                            uint32_t high);

#endif
