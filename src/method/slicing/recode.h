/* Between recode.c, which finds groups of values, and recode_cells.c, which makes cells of them. */
#ifndef COVEY_METHOD_SLICING_RECODE_H
#define COVEY_METHOD_SLICING_RECODE_H

#include "method/slicing/slicing.h"

/* The groups of an attribute; codes that no published row has belong to the group that they lie in. */
typedef struct covey_slicing_grouping {
    uint32_t level, n_groups, *group; /* [axis->n_values] ascending */
    bool is_last;                     /* one group is left, or there is no further level */
} covey_slicing_grouping;

struct covey_slicing_recoding {
    covey_slicing *s;
    const covey_problem *given; /* with values as they are */
    bool drops_early;
    uint32_t k, **count;         /* [n_axes][n_values] published rows */
    covey_slicing_grouping *now; /* [n_axes] */
    uint32_t *piece;             /* [rows of the table] scratch */
};

/* Counts the published rows of each value again. */
covey_status covey_i_slicing_count_values(covey_slicing_recoding *r, covey_error *err);

#endif
