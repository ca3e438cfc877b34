/* The objectives of searches for classes, found again in the table. */
#ifndef COVEY_AUDIT_GENERALIZED_OBJECTIVE_H
#define COVEY_AUDIT_GENERALIZED_OBJECTIVE_H

#include <covey/release.h>

#include "base/exact/fraction.h"
#include "reader/original.h"

/* What a label loses: least and most differ where that does not follow from what is published. */
typedef struct covey_level_loss {
    double least, most;
} covey_level_loss;

typedef struct covey_class_objective {
    const covey_opened_column
        *label;             /* what class-error and class-entropy are about; NULL: neither, or not published */
    bool knows_labels;      /* the label's dictionary is that of the whole table */
    uint32_t n_labels;      /* in it */
    int64_t errors;         /* rows that have not their class's most frequent label */
    long double entropy;    /* in nats, of all rows */
    int64_t *level;         /* [n_quasi] of full-domain; -1: not stated */
    bool *is_off;           /* [n_quasi] is a cell not of that level? */
    bool *shows_all;        /* [n_quasi] is a cell *, which the last level alone has? */
    covey_level_loss *loss; /* [n_quasi] over all published rows, unless the column shows all */
} covey_class_objective;

/* What the manifest says of it; in the arena. */
covey_status covey_i_objective_begin(covey_class_objective *out, const covey_opened *opened, covey_arena *arena,
                                     covey_error *err);
/* Looks at the classes in memory; needs usable columns. */
covey_status covey_i_objective_add(covey_class_objective *objective, const covey_opened *opened, covey_error *err);
/* opened->n_rows and n_classes are those of the whole. */
void covey_i_objective_compare(covey_problems *problems, const covey_class_objective *objective,
                               const covey_opened *opened, const covey_release_figures *figures);
/* Compares what takes the rows of the original, objective_original.c. */
covey_status covey_i_objective_compare_original(covey_problems *problems, const covey_opened *opened,
                                                const covey_original *original, covey_error *err);
/* Is the stated value the one that was found?  most: what it could be at most; it was added up in units of a part of
 * that. */
void covey_i_objective_compare_value(covey_problems *problems, const covey_stated *stated, double found, double most);

#endif
