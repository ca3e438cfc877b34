/* The losses that the manifest states, held to those of the published cells. */
#ifndef COVEY_AUDIT_LOSSES_COMPARE_H
#define COVEY_AUDIT_LOSSES_COMPARE_H

#include "reader/losses.h"

/* Compares the figures with the manifest's: where the loss of one attribute cannot be recomputed, ail and ncp become
 * NaN, and still those of the others are compared, and whether all of them together make the ail that is stated.
 * per_attribute: as filled by covey_i_losses */
void covey_i_losses_compare(covey_problems *problems, covey_release_figures *figures,
                            const covey_attribute_losses *per_attribute, const covey_opened *opened);

#endif
