/* Queries over the form "perturbed": rows are exact but for the sensitive value, which was kept or replaced at random
 * with published probabilities.  See perturbed.c. */
#ifndef COVEY_QUERY_PERTURBED_PERTURBED_H
#define COVEY_QUERY_PERTURBED_PERTURBED_H

#include "query/perturbed/bit_index.h"
#include "query/perturbed/randomization.h"
#include "query/perturbed/row_contents.h"
#include "query/rows.h"
#include "reader/perturbed/perturbed.h"

typedef struct covey_query_perturbed {
    covey_randomization randomization;
    covey_row_contents rows;       /* equal rows are one */
    uint32_t n_values;             /* lines of perturbation.csv */
    uint32_t sensitive;            /* index of the column */
    const covey_column *text;      /* [rows.n] as published */
    const uint32_t *cell;          /* [n_values] the column's cell */
    const uint32_t *value_of_code; /* [n codes of table.csv] */
    const int64_t *prior;          /* [n_values] rows of the original */
    const double *share;           /* [n_values] the same as shares */
    covey_query_numbers *numbers;  /* [n_columns] of columns that can be added up, else n = 0 */
    bool are_numbers;              /* the sensitive values, but for a missing one */
    int64_t n_missing;             /* of the prior */
    int64_t *slot_count;           /* [numbers[sensitive].n] of the prior */
    covey_bit_index index;
} covey_query_perturbed;

/* Selected rows by what they show; rows for which the same true values count stand together. */
typedef struct covey_perturbed_kind {
    uint64_t atoms; /* of the sensitive column that count; without it in the condition 1 */
    int64_t n;      /* rows */
    int64_t *shown; /* [n_values] */
} covey_perturbed_kind;

typedef struct covey_perturbed_rows {
    uint32_t n;
    covey_perturbed_kind *kind; /* [n] */
} covey_perturbed_rows;

/* Finds the selected rows: by the index where the condition is a conjunction, else by looking at each; see rows.c. */
covey_status covey_i_perturbed_rows(covey_perturbed_rows *out, const covey_query_perturbed *p,
                                    const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                    covey_error *err);

/* What rows of a kind tell of sums over their true values; sums over kinds are independent of each other. */
typedef struct covey_perturbed_sum {
    double estimate, variance; /* without bias, so that the variance may be negative */
    double guess, largest;     /* what the prior alone suggests for sum |a|, and max |a| */
    double toward;             /* ... and for the sum */
} covey_perturbed_sum;

/* Adds the sum of a[true value] over a kind's rows; room: [2 * n_values]. */
void covey_i_perturbed_add(covey_perturbed_sum *sum, const covey_query_perturbed *p, const covey_perturbed_kind *kind,
                           const double *a, double *room);

/* Brings a sum towards what the prior suggests, each weighed by its variance. */
void covey_i_perturbed_shrink(covey_perturbed_sum *sum);

/* SUM, AVG, MIN and MAX of the sensitive column over a kind's rows, without a condition on it. */
void covey_i_perturbed_figures(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                               const covey_query_perturbed *p, const covey_perturbed_kind *kind, bool shrink,
                               double *room);

/* Weighted sums of the sensitive column over rows that the scan accepts, without a condition on it: weighted.c. */
covey_status covey_i_perturbed_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                        const covey_query_perturbed *p, const covey_row_scan *scan,
                                        const covey_query_rows *rows, bool shrink, covey_arena *arena,
                                        covey_error *err);

/* Sets error and interval from a sum's variance; bounds and estimate are there. */
void covey_i_perturbed_interval(covey_query_figures *out, double variance, int scale, int64_t n_rows);

#endif
