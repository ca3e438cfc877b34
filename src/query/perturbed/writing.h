/* The files that write the SQL of a perturbed release: sql.c has the plan of it and the rows, values_sql.c the values
 * of the sensitive column, columns_sql.c the answer. */
#ifndef COVEY_QUERY_PERTURBED_WRITING_H
#define COVEY_QUERY_PERTURBED_WRITING_H

#include "query/perturbed/perturbed.h"
#include "query/perturbed/sql.h"

typedef struct covey_perturbed_writing {
    covey_rewriting *r;
    const covey_query_perturbed *p;
    int linked;         /* the condition's attribute that is the sensitive column; -1: none */
    bool has_missing;   /* a sensitive value may be missing */
    double origin;      /* numbers are taken from here */
    bool uses_bounds;   /* SUM, AVG, MIN or MAX of the sensitive column */
    bool uses_means[2]; /* ... SUM or AVG, of which there are estimates if any value is a number; [1]: of rows that
                           count by their sampling weights */
    const covey_bound_aggregate *weighted; /* an aggregate of such rows, whatever its column; there is one sampling
                                              weight.  NULL: none */
} covey_perturbed_writing;

static inline bool covey_i_perturbed_is_known(const covey_perturbed_writing *w, const covey_bound_aggregate *a)
{
    return a->function != COVEY_SQL_COUNT && a->column != w->p->sensitive;
}

/* Is there a weight for every value that a row shows? */
static inline bool covey_i_perturbed_uses_weights(const covey_perturbed_writing *w)
{
    return w->uses_means[0] || w->uses_means[1];
}

/* What the sums of rows are called: s of all alike, qs of those that count by their sampling weights. */
static inline const char *covey_i_perturbed_prefix(bool is_weighted)
{
    return is_weighted ? "q_" : "";
}

/* Appends v, the values, and asked: functions over them, one for each kind of rows, or those of numbers. */
covey_status covey_i_perturbed_write_functions_of_kinds(const covey_perturbed_writing *w, covey_error *err);
void covey_i_perturbed_write_functions_of_numbers(const covey_perturbed_writing *w);
/* Appends whole and weight, of what is asked. */
void covey_i_perturbed_write_weights(const covey_perturbed_writing *w);
/* Appends number: the numbers of the prior in order, how often each is there, and how many lie below and above it. */
covey_status covey_i_perturbed_write_numbers(const covey_perturbed_writing *w, covey_error *err);
/* Appends paired: of each group the least and the greatest sum where rows count by their sampling weights.  ranked has
 * the sum of its r largest weights; of these the prior's numbers, from either end, take as many as there are of each.
 */
void covey_i_perturbed_write_pairs(const covey_perturbed_writing *w);

/* Appends what is selected from z.  As for the other forms: keys, bounds, then expected values, here each with its
 * error. */
void covey_i_perturbed_write_columns(const covey_perturbed_writing *w);

#endif
