/* Can each group of a release in two tables be a set of original rows?  See group_rows.c. */
#ifndef COVEY_AUDIT_BUCKETIZED_GROUP_ROWS_H
#define COVEY_AUDIT_BUCKETIZED_GROUP_ROWS_H

#include "audit/content_keys.h"

/* Both sides' rows by content and value.  Every content and every value is published at most as often as the original
 * has it. */
typedef struct covey_group_rows {
    const covey_opened *opened;
    const covey_key_side *published; /* keys: contents 0 .. n_contents-1 */
    covey_key_side *from;            /* the original's; sorted anew */
    uint32_t n_contents, n_values;
    const uint32_t *value_of_row;             /* [from->n_rows] sensitive value of each original row, below n_values */
    const uint32_t *value_of_entry;           /* of each entry of opened->groups */
    const int64_t *content_left, *value_left; /* rows that no group has: the suppressed ones */
} covey_group_rows;

/* Groups that are none go to problems. */
covey_status covey_i_group_rows_check(covey_problems *problems, const covey_group_rows *in, covey_error *err);

#endif
