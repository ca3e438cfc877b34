/* Queries over the form "bucketized": quasi-identifiers are exact, so that it is known which rows of each group a query
 * hits; the sensitive values of a group belong to its rows in any order.  See bucketized.c. */
#ifndef COVEY_QUERY_BUCKETIZED_GROUPS_H
#define COVEY_QUERY_BUCKETIZED_GROUPS_H

#include "query/rows.h"

/* The sensitive values of all groups: entries start[g] .. start[g + 1] - 1 are those of group g. */
typedef struct covey_query_groups {
    uint32_t n_groups, n_rows;
    const uint32_t *row_start;              /* [n_groups + 1] rows of each group */
    const uint32_t *entry_start;            /* [n_groups + 1] */
    uint32_t sensitive;                     /* index of the column */
    const struct covey_opened_units *units; /* with as many rows and one value each; NULL: rows have none */
    uint32_t *cell;                         /* [n_entries] code of the value */
    int64_t *count;                         /* [n_entries] rows that have it */
    covey_query_numbers *numbers;           /* [n_columns] of columns that can be added up, else n = 0 */

    /* Where the sensitive column is a number that not all rows miss, else NULL: entries of a group stand in ascending
     * order, missing ones last, and */
    bool has_missing; /* then nothing from rows_below on is there */
    uint32_t *slot;   /* [n_entries] place in numbers[sensitive]; UINT32_MAX: missing */
    int64_t *number;  /* [n_entries] the number there: groups are looked through in order, numbers[sensitive] is not */
    int64_t *rows_below;     /* [n_entries] rows of the group's entries before this one */
    covey_i128 *sum_below;   /* [n_entries] sum of these */
    covey_i128 *total;       /* [n_groups] sum of all */
    double *mean, *variance; /* [n_groups] of the group's values, not scaled; the variance is the population's */
    uint32_t *by_value;      /* [n_entries] entries of all groups by value */
    uint32_t *group_of;      /* [n_entries] */
} covey_query_groups;

/* Rows of a group that satisfy the condition. */
typedef struct covey_query_hit {
    uint32_t group;
    int64_t n;
} covey_query_hit;

typedef struct covey_query_hits {
    uint32_t n;
    covey_query_hit *hit; /* [n] by group, n > 0 */
    int64_t total;
} covey_query_hits;

/* --- which rows: hits.c --- */

covey_status covey_i_query_hits(covey_query_hits *out, const covey_query_groups *groups, const covey_row_scan *scan,
                                const covey_query_rows *rows, const covey_run *run, covey_arena *arena,
                                covey_error *err);

/* --- how many, where the condition speaks of the sensitive column: linked_count.c --- */

/* units: receives the same of units, of which groups->units tells; NULL: nobody asks. */
covey_status covey_i_linked_count(covey_query_figures *out, covey_query_figures *units,
                                  const covey_query_groups *groups, const covey_row_scan *scan,
                                  const covey_query_rows *rows, covey_arena *arena, covey_error *err);

/* --- sums and extremes of sensitive values of hit rows: values.c --- */

/* n_sure: receives how many numbers are selected at least. */
covey_status covey_i_group_figures(covey_query_figures *out, int64_t *n_sure, covey_sql_function function,
                                   const covey_query_groups *groups, const covey_query_hits *hits, int scale,
                                   covey_arena *arena, covey_error *err);

/* The same of weighted sums: weighted.c.  hits: of rows. */
covey_status covey_i_group_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                    const covey_query_groups *groups, const covey_query_hits *hits,
                                    const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                    covey_error *err);

#endif
