/* Groups of rows with different sensitive values inside closed buckets; see slicing_groups.c. */
#ifndef COVEY_SLICING_GROUPS_H
#define COVEY_SLICING_GROUPS_H

#include "base/rng.h"
#include "method/anatomy_impl.h"
#include "method/slicing_impl.h"

typedef struct covey_slicing_groups {
    covey_slicing *s;
    covey_anatomy anatomy;
    uint32_t l;               /* ceil(l) */
    covey_rng rng;
    uint32_t *group;          /* [rows of the table] scratch of Anatomy */
    uint32_t *member, *begin; /* [most], [most + 1] rows group by group, and where groups begin */
    uint32_t *group_at;       /* [most] the group of each place in member */
    uint32_t *bucket_of_row, n_buckets; /* the groups made so far become buckets */
} covey_slicing_groups;

/* For buckets of at most so many rows.  The rng is to be wiped. */
covey_status covey_i_slicing_groups_start(covey_slicing_groups *out, covey_slicing *s, uint32_t most, uint32_t *bucket_of_row, const covey_run *run,
                                          covey_error *err);

/* The rows of each set of a bucket become groups of their own where they can; the others stay together.  Reorders the rows. */
void covey_i_slicing_part(covey_slicing_groups *p, covey_slicing_test *test, uint32_t *row, uint32_t n);

#endif
