/* What a sliced release says about the rows of the original: which bucket each may have gone to, and with which pieces.
 */
#ifndef COVEY_ATTACK_SLICES_H
#define COVEY_ATTACK_SLICES_H

#include "attack/attack_impl.h"

/* The sets of pieces of a bucket that agree beside the sensitive value, in the last column that holds a view's
 * attribute: set s is lines (*start)[s] .. (*start)[s + 1] - 1 of that column, in bucket (*bucket)[s], from 0.  In the
 * release's arena. */
covey_status covey_i_attack_slice_sets(uint32_t *n_out, uint32_t **start, uint32_t **bucket, covey_attacked *release,
                                       const covey_opened_view *view, covey_error *err);

/* Fills class_of_row of a target of a sliced release; step of covey_i_attack_link.
 *
 * A row went to a bucket that has its pieces in all columns; mostly there is one.  Where there are several, rows are
 * dealt out as far as the pieces go.  Where finding them takes too long, only rows drawn at random (by run->seed) are
 * looked at. */
covey_status covey_i_attack_slice_link(covey_attacked *release, covey_attack_target *target, covey_arena *arena,
                                       covey_error *err);

#endif
