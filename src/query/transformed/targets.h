/* Queries over the form "transformed": quasi-identifiers are exact, so that it is known which rows of each group a
 * query hits; their sensitive values lie in different entries of the group.  See transformed.c. */
#ifndef COVEY_QUERY_TRANSFORMED_TARGETS_H
#define COVEY_QUERY_TRANSFORMED_TARGETS_H

#include "query/bucketized/groups.h"
#include "query/rewrite/rewrite.h"
#include "reader/transformed/transformed.h"

typedef struct covey_query_targets {
    covey_query_groups rows; /* what counting rows by group needs */
    const covey_opened_transformed *t;
    size_t *start;                  /* [n_groups + 1] entries one by one */
    int64_t *low, *high;            /* by group: lower ends ascending, upper ends descending; NULL: categories */
    covey_i128 *low_sum, *high_sum; /* of the first, up to each */
    double *mean;                   /* [targets] */
    long double *below;  /* [targets->n_rows + targets] chances of a target's first leaves: below[line of its root +
                            target + leaves] */
    int64_t *leaf_value; /* [targets->n_rows] of a target's leaves in turn, from the line of its root */
} covey_query_targets;

/* Atoms that the values of each node may be of, by line: those of its leaves.  NULL: no memory. */
uint64_t *covey_i_target_atoms(const covey_query_targets *s, const covey_query_release *release,
                               const covey_condition_attribute *sensitive, covey_arena *arena);

/* How many rows satisfy a condition that speaks of the sensitive column: count.c.  Memory lives in the arena. */
typedef struct covey_target_counting covey_target_counting;
covey_status covey_i_target_counting_make(covey_target_counting **out, const covey_query_targets *s,
                                          const covey_query_release *release, const covey_row_scan *scan,
                                          covey_arena *arena, covey_error *err);
covey_status covey_i_target_count(covey_query_figures *out, covey_target_counting *counting,
                                  const covey_query_rows *rows, covey_error *err);

/* Weighted sums of the sensitive column, which has column_scale digits behind the point: weighted.c.  hits: of rows. */
covey_status covey_i_target_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                     const covey_query_targets *s, const covey_query_hits *hits,
                                     const covey_row_scan *scan, const covey_query_rows *rows, int column_scale,
                                     covey_arena *arena, covey_error *err);

/* As SQL over exported tables: sql.c. */
covey_status covey_i_transformed_rewrite(covey_rewriting *r, covey_error *err);

#endif
