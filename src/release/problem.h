/* The problem that a method solves: a typed table, its axes, the promises to keep, how many rows may be suppressed. */
#ifndef COVEY_PROBLEM_H
#define COVEY_PROBLEM_H

#include "model/promise.h"
#include "release/axis.h"

/* One column of the input that is published, in input order. */
typedef struct covey_field {
    covey_role role;             /* QUASI, SENSITIVE or INSENSITIVE */
    int axis;                    /* QUASI: index into axes, else -1 */
    const covey_column *column;
    const covey_hierarchy *tree; /* NULL if none */
} covey_field;

typedef struct covey_problem {
    int64_t n_rows;
    size_t n_axes; covey_axis *axis;
    size_t n_fields; covey_field *field;
    covey_promises promises;
    int64_t max_suppressed;
} covey_problem;

#endif
