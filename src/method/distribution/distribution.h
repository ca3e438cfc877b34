/* The files of the method: distribution.c forms groups and hides values; targets.c finds out what the groups shall seem
 * to follow (entries.h), with trees.c, which reads the hierarchies of single groups. */
#ifndef COVEY_METHOD_DISTRIBUTION_DISTRIBUTION_H
#define COVEY_METHOD_DISTRIBUTION_DISTRIBUTION_H

#include "base/yaml_tree.h"
#include "method/distribution/core.h"
#include "method/method_impl.h"

enum { COVEY_DIST_SA_ONLY, COVEY_DIST_QI_SA };

struct covey_distribution_params {
    int scheme;
    const char *target, *targets; /* NULL: not given */
    const char *resolution, *fakes;
};

/* One run. */
struct distributing {
    const covey_problem *problem;
    const struct covey_distribution_params *params;
    const covey_run *run;
    size_t field; /* the sensitive one */
    const covey_column *column;
    int scale; /* of the targets' numbers */

    /* by covey_i_distribution_make_targets */
    bool is_exact, has_source; /* resolution: exact; some target is source */
    uint32_t resolution;
    covey_distribution_lift lift; /* the largest that rounding makes, of the node that has this label */
    const char *lifted_label;
    covey_ratio fakes; /* a number, or a share of the rows */
    bool fakes_are_percent;
    uint32_t n_targets;
    covey_target *target;      /* [n_targets] all different, by content */
    uint32_t *target_of_group; /* [n_groups, at least 1] */
    uint32_t *leaf_of_row;     /* [n_rows] in the tree of the row's target */
    uint32_t most_leaves;      /* of any tree */
    void **owned;
    size_t n_owned; /* hierarchies and columns behind the targets, in turn */

    uint32_t *rows; /* [n_rows] by part, then by leaf */
    uint32_t *leaf; /* [n_rows] of rows[i] */
    uint32_t n_parts;
    uint32_t *part_start;                /* [n_parts + 1] */
    covey_distribution_members *members; /* [n_parts] */
    covey_i128 sum;
    int64_t n_fakes;
    covey_arena published; /* owns the targets until a release does */
    covey_arena arena;
};

/* Reads the parameters, makes the targets and judges them by the promises beside p-private. */
covey_status covey_i_distribution_make_targets(struct distributing *d, covey_error *err);
void covey_i_distribution_clear_targets(struct distributing *d);

/* A hierarchy as an item of `targets` gives it; texts are the node's. */
covey_status covey_i_distribution_read_tree(covey_hierarchy_spec *out, const covey_yaml *node, covey_arena *arena,
                                            covey_error *err);

#endif
