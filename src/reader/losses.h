/* How much information a release has lost, from its published cells alone. */
#ifndef COVEY_READER_LOSSES_H
#define COVEY_READER_LOSSES_H

#include <covey/release.h>

#include "base/exact/fraction.h"
#include "reader/opened.h"

/* Shares in [0, 1] of one quasi-identifier, over all rows; suppressed rows count 1.  NaN where the hierarchy was built
 * from the data. */
typedef struct covey_attribute_losses {
    double ail, ncp;
} covey_attribute_losses;

/* Needs usable columns.  per_attribute: [n_quasi].  The risks of exact forms are NaN. */
covey_status covey_i_losses(covey_release_figures *out, covey_attribute_losses *per_attribute,
                            const covey_opened *opened, covey_error *err);

/* --- the same for classes that come window by window --- */

/* Losses of one quasi-identifier, in multiples of 1 / what it can lose. */
typedef struct covey_loss_sums {
    covey_i128 ail, ncp;
} covey_loss_sums;

typedef struct covey_losses_so_far {
    covey_loss_sums *column; /* [n_quasi] all zeros at first */
    covey_u128 squares;      /* of the classes' sizes */
    int64_t smallest;        /* class; 0: there is none yet */
} covey_losses_so_far;

void covey_i_losses_add(covey_losses_so_far *sums, const covey_opened *opened);
/* opened->n_rows and n_classes are those of the whole again. */
void covey_i_losses_finish(covey_release_figures *out, covey_attribute_losses *per_attribute,
                           const covey_losses_so_far *sums, const covey_opened *opened);

#endif
