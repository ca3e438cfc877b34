/* What the targets of groups are made from: distribution_targets.c makes them, distribution_entries.c finds out whose they are. */
#ifndef COVEY_DISTRIBUTION_ENTRIES_H
#define COVEY_DISTRIBUTION_ENTRIES_H

#include "method/distribution_impl.h"

/* An item of `targets`. */
typedef struct covey_dist_entry {
    const covey_yaml *group;      /* NULL: every group */
    covey_dist_wish wish;
    bool has_tree;
    covey_hierarchy_spec spec;
    uint32_t target;              /* made for the first group, if all get the same; UINT32_MAX: not yet */
} covey_dist_entry;

typedef struct covey_dist_making {
    struct distributing *d;
    covey_dist_wish wish;         /* of groups without an entry */
    uint32_t common;              /* their target; UINT32_MAX: not made yet */
    size_t n_entries;
    covey_dist_entry *entry;
    const covey_hierarchy *tree;  /* of the whole attribute */
    uint32_t n_groups, *first, *row; /* [n_groups + 1], [n_rows] group by group */
} covey_dist_making;

/* The first item of `targets` that a group fits; NULL: none. */
covey_status covey_i_dist_find_entry(covey_dist_entry **out, const covey_dist_making *m, uint32_t group, covey_error *err);

#endif
