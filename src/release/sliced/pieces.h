/* Numbers of the pieces of a sliced release's columns. */
#ifndef COVEY_RELEASE_SLICED_PIECES_H
#define COVEY_RELEASE_SLICED_PIECES_H

#include "release/sliced/sliced.h"

/* Fills all of pieces but line. */
covey_status covey_i_pieces_number(covey_pieces *pieces, const covey_slice *slice, const covey_dealt *dealt,
                                   const covey_run *run, covey_error *err);
void covey_i_pieces_clear(covey_pieces *pieces);

/* The rows, their table and its pieces, when all lines are written. */
void covey_i_pieces_clear_dealt_rows(covey_sliced *data, covey_dealt *dealt);

/* The codes of a piece that has digits; code: [n_fields]. */
void covey_i_pieces_digits(uint32_t *code, const covey_pieces *pieces, size_t n_fields, uint32_t piece);

#endif
