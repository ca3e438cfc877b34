/* What the targets of groups are made from: params.c reads what is wished for, shapes.c makes targets from hierarchies,
 * targets.c gives each group one, and entries.c finds out whose the wishes are. */
#ifndef COVEY_METHOD_DISTRIBUTION_ENTRIES_H
#define COVEY_METHOD_DISTRIBUTION_ENTRIES_H

#include "method/distribution/distribution.h"

/* An item of `targets`. */
typedef struct covey_distribution_entry {
    const covey_yaml *group; /* NULL: every group */
    covey_distribution_wish wish;
    bool has_tree;
    covey_hierarchy_spec spec;
    uint32_t target; /* made for the first group, if all get the same; UINT32_MAX: not yet */
} covey_distribution_entry;

typedef struct covey_distribution_making {
    struct distributing *d;
    covey_distribution_wish wish; /* of groups without an entry */
    uint32_t common;              /* their target; UINT32_MAX: not made yet */
    size_t n_entries;
    covey_distribution_entry *entry;
    const covey_hierarchy *tree;     /* of the whole attribute */
    uint32_t n_groups, *first, *row; /* [n_groups + 1], [n_rows] group by group */
} covey_distribution_making;

/* The first item of `targets` that a group fits; NULL: none. */
covey_status covey_i_distribution_find_entry(covey_distribution_entry **out, const covey_distribution_making *m,
                                             uint32_t group, covey_error *err);

/* Fills wish and entries, and what the parameters say of d. */
covey_status covey_i_distribution_read_params(covey_distribution_making *m, covey_error *err);

/* Numbers must ascend along the leaves: then every node is a run of neighbouring values. */
covey_status covey_i_distribution_check_order(const covey_hierarchy *tree, const covey_column *leaves,
                                              covey_error *err);
/* A hierarchy over the values of some rows -- n of m->row from first on --, and these rows as leaves of it; d owns
 * both. */
covey_status covey_i_distribution_build_tree(const covey_hierarchy **tree_out, const covey_column **leaves_out,
                                             covey_distribution_making *m, const covey_hierarchy_spec *spec,
                                             uint32_t first, uint32_t n, covey_error *err);
/* What d is to free at its end, also if this fails; column may be NULL. */
covey_status covey_i_distribution_own(struct distributing *d, void *hierarchy, void *column, covey_error *err);
/* Everything but codes, weights and texts.  leaves: a column whose codes are the leaves. */
covey_status covey_i_distribution_shape(covey_target *target, const covey_hierarchy *tree, const covey_column *leaves,
                                        covey_arena *arena, covey_error *err);
/* Which code of the sensitive column each leaf of a group's own hierarchy is: rows of other groups may have it. Numbers
 * of columns ascend. */
covey_status covey_i_distribution_find_codes(covey_target *target, const struct distributing *d,
                                             const covey_column *leaves, covey_arena *scratch, covey_error *err);
/* Texts, which codes tell. */
covey_status covey_i_distribution_label_nodes(covey_target *target, const struct distributing *d,
                                              const covey_hierarchy *tree, const covey_column *leaves,
                                              covey_arena *arena, covey_error *err);

#endif
