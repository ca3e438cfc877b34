/* Anatomy's groups where rows have units: all rows of a unit are in one group, with units of as many rows. */
#ifndef COVEY_METHOD_ANATOMY_UNITS_H
#define COVEY_METHOD_ANATOMY_UNITS_H

#include "method/anatomy/anatomy.h"
#include "method/rows/unit_rows.h"

typedef struct covey_anatomy_units {
    const covey_anatomy_task *task;
    covey_unit_rows rows;   /* a kind is a number of rows */
    int64_t *largest_l;     /* [rows.n_kinds] for which groups can be made of them */
    uint32_t *group_of_row; /* [n_rows] receives the groups, or COVEY_CLASS_SUPPRESSED */
    int64_t n_suppressed;   /* rows, of sizes of which no groups can be made */
    uint32_t n_groups, n_residues;
} covey_anatomy_units;

/**
 * Finds the units of each number of rows.
 *
 * @return COVEY_EINVAL where units are households, or one has several sensitive values; COVEY_EINFEASIBLE where more
 * rows would have to be suppressed than may be; the message names the largest l that can be had
 */
covey_status covey_i_anatomy_units_new(covey_anatomy_units *u, const covey_anatomy_task *task, covey_error *err);

/* Makes the groups; of similar units where qi_aware. */
covey_status covey_i_anatomy_units_group(covey_anatomy_units *u, const unsigned char key[32], bool qi_aware,
                                         covey_error *err);

#endif
