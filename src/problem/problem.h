/* The problem that a method solves: a typed table, its axes, the promises to keep, how many rows may be suppressed. */
#ifndef COVEY_PROBLEM_PROBLEM_H
#define COVEY_PROBLEM_PROBLEM_H

#include "base/sort/keys.h"
#include "model/promise.h"
#include "model/units.h"
#include "problem/axis.h"

/* One column that is published, in input order. */
typedef struct covey_field {
    covey_role role; /* QUASI, SENSITIVE or INSENSITIVE */
    int axis;        /* QUASI: index into axes, else -1 */
    const covey_column *column;
    const covey_hierarchy *tree;          /* NULL if none */
    const covey_hierarchy_spec *tree_how; /* how the tree is built from the data, else NULL; borrowed from the policy */
    const char *tree_spec; /* JSON of the hierarchy's specification where it is built from the data, else NULL */
    const covey_recoding *recoding; /* how its values were written, if not as covey does; NULL: not known */
    bool has_order;                 /* a text with a declared order */
    bool is_weight;                 /* INSENSITIVE: a sampling weight */
    bool type_is_guessed;           /* from the values, because the policy does not say it */
} covey_field;

/* What rows of a fixed group have in common: a part of an attribute's values. */
typedef struct covey_group_key {
    const covey_column *column;
    const covey_hierarchy *tree;  /* groups by a level of it, else NULL */
    const uint32_t *part_of_code; /* [column->n_values] */
} covey_group_key;

typedef struct covey_problem {
    uint32_t n_rows;
    size_t n_axes;
    covey_axis *axis; /* [n_axes] the quasi-identifiers, in field order */
    size_t n_fields;
    covey_field *field;
    covey_promises promises;
    int64_t max_suppressed;
    double loss_to_beat; /* average information loss from which on a release is of no use: a method may stop, and say
                            that it is infeasible; 0: none */
    bool is_guide; /* what comes of it is judged, joined and cut again (method/units/): a long search would be lost */
    /* Fixed groups, for methods with uses_groups: rows of different ones are never mixed.  Numbered by their content.
     */
    uint32_t n_groups;            /* 0: there are none, all rows are one group */
    const uint32_t *group_of_row; /* [n_rows], each group has rows; NULL if there are none */
    size_t n_group_keys;
    const covey_group_key *group_key; /* none: they are another method's classes */
    const covey_units *units;         /* whose rows they are; NULL: each row stands for itself */
    const struct covey_history
        *history; /* of their units, for promises about releases over time; NULL: there is none */
} covey_problem;

/* What the fixed group of a row is made of: `region = "north", age from 20 to 34`.  Only where there are groups. */
void covey_i_problem_group_text(char *out, size_t size, const covey_problem *problem, uint32_t row);

/* The field that is called so; NULL: none is. */
const covey_field *covey_i_problem_field(const covey_problem *problem, const char *name);
/* A quasi-identifier's field. */
const covey_field *covey_i_problem_field_of(const covey_problem *problem, size_t axis);

/* Rows of the table in an order that depends on their published content only: by axis codes, then by the other fields'
 * codes. rows: [n_rows] receives them. */
covey_status covey_i_problem_sort_rows(uint32_t *rows, const covey_problem *problem, const covey_run *run,
                                       covey_error *err);

/* The fields that are no quasi-identifiers as keys, the first most significant; key: [n_fields]; returns how many. */
size_t covey_i_problem_content_keys(covey_sort_key *key, const covey_problem *problem);

/* Is that column all that is published beside the quasi-identifiers? */
bool covey_i_problem_is_content(const covey_problem *problem, const covey_column *column);

/* Rows in that order, with what they are sorted by where it fits. */
typedef struct covey_sorted_rows {
    uint32_t n;
    uint32_t *rows;      /* [n] */
    uint32_t *packed;    /* [n] the codes of each row as one number, in the order of rows; NULL: they take more than 32
                            bits, or are not known */
    uint64_t n_contents; /* rows with equal packed / n_contents have equal quasi-identifiers; packed % n_contents: the
                            other fields */
} covey_sorted_rows;

/* A column's digit in the packed numbers: packed / stride % n_values is its code. */
typedef struct covey_digit {
    uint64_t stride;
    uint32_t n_values;
} covey_digit;

/* All rows of the table; clear them afterwards, also when this fails. */
covey_status covey_i_problem_order(covey_sorted_rows *sorted, const covey_problem *problem, const covey_run *run,
                                   covey_error *err);
/* The same for those who ask for contents only: rows is NULL where these are packed, and all below UINT32_MAX. */
covey_status covey_i_problem_order_contents(covey_sorted_rows *sorted, const covey_problem *problem,
                                            const covey_run *run, covey_error *err);
/* False: the column is none of those that rows are sorted by.  Only where rows are packed. */
bool covey_i_problem_digit(covey_digit *digit, const covey_problem *problem, const covey_column *column);
void covey_i_sorted_rows_clear(covey_sorted_rows *sorted);

/* Average information loss of a release, exact until the last division: numerator[n_axes] holds the sum over the
 * published rows of each axis' loss in units of 1/loss_den; suppressed rows lose 1.  [CaoKarras12] section 2. */
double covey_i_problem_ail(const covey_problem *problem, const covey_i128 *numerator, int64_t n_suppressed);

#endif
