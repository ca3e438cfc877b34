/* The objectives of searches for classes, found again in the table. */
#ifndef COVEY_AUDIT_GENERALIZED_OBJECTIVE_H
#define COVEY_AUDIT_GENERALIZED_OBJECTIVE_H

#include <covey/release.h>

#include "base/exact/fraction.h"
#include "reader/opened.h"

typedef struct covey_class_objective {
    const covey_opened_column
        *label;          /* what class-error and class-entropy are about; NULL: neither, or not published */
    bool knows_labels;   /* the label's dictionary is that of the whole table */
    uint32_t n_labels;   /* in it */
    int64_t errors;      /* rows that have not their class's most frequent label */
    long double entropy; /* in nats, of all rows */
    int64_t *level;      /* [n_quasi] of full-domain; -1: not stated */
    bool *is_off;        /* [n_quasi] is a cell not of that level? */
    bool *shows_all;     /* [n_quasi] is a cell of numbers *, which their last level alone has? */
    covey_i128 *beside;  /* [n_quasi] what the other cells of such a column lose less than *, over all rows */
} covey_class_objective;

/* What the manifest says of it; in the arena. */
covey_status covey_i_objective_begin(covey_class_objective *out, const covey_opened *opened, covey_arena *arena,
                                     covey_error *err);
/* Looks at the classes in memory; needs usable columns. */
covey_status covey_i_objective_add(covey_class_objective *objective, const covey_opened *opened, covey_error *err);
/* opened->n_rows and n_classes are those of the whole. */
void covey_i_objective_compare(covey_problems *problems, const covey_class_objective *objective,
                               const covey_opened *opened, const covey_release_figures *figures);

#endif
