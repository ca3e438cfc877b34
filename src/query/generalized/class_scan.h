/* Which rows of a generalized release a query selects, class by class: surely, possibly or not, and with which
 * probability.
 *
 * Classes whose cell in one column already rules the condition out are passed over, which is told once per cell and
 * query.  Where rows are only counted and differ in one column within a class, a class's rows are counted by that
 * column's values. */
#ifndef COVEY_QUERY_GENERALIZED_CLASS_SCAN_H
#define COVEY_QUERY_GENERALIZED_CLASS_SCAN_H

#include "query/class_units.h"
#include "query/generalized/class_counts.h"
#include "query/query_impl.h"

enum { COVEY_SCAN_MOST_COUNTED_KINDS = 64 };

/* What is made of a release when it is opened. */
typedef struct covey_generalized {
    covey_query_numbers *numbers;     /* [n_columns] of columns that can be added up, else n = 0 */
    covey_sure_values **class_values; /* [n_columns] of these columns: [n_classes] all rows of each class; else NULL */
    covey_class_counts *counts;       /* [n_columns] of columns that differ within classes */
} covey_generalized;

/* One query, or one group of it. */
typedef struct covey_class_scan {
    const covey_query_release *release;
    const covey_generalized *g;
    const covey_bound_query *query;
    const covey_query_value *key; /* [query->n_keys] NULL: no GROUP BY */
    double **key_share; /* [query->n_keys] share of the key's value in each cell of its column; negative: it is the only
                           one; NaN: not known; NULL: the key is of rows */
    const uint32_t *key_row; /* where keys are of rows: [n_key_rows] rows of the group, ascending; NULL: all rows */
    uint32_t n_key_rows;
    covey_atom_list *list;     /* [n_attributes] the box of a class, or of a row of it */
    covey_atom_list *key_list; /* [n_attributes] n > 0: the attribute is a key */
    bool by_row;               /* condition or keys speak of columns that differ within a class, */
    uint32_t **offset;         /* [n_attributes] per cell of such a column; NULL: the others */
    uint32_t n_kinds;          /* and tells so many kinds of rows apart by them */
    covey_outcome *of_kind;    /* [n_kinds] what they are in the class that kind_known names */
    uint32_t *kind_known;      /* [n_kinds] class + 1 */
    int counted;               /* rows are only counted, and this attribute alone differs within a class; -1: no */
    uint32_t n_live;           /* kinds of rows that the condition may select, with a cell of each */
    struct {
        uint32_t kind, cell, first, last; /* first, last: places of its cells, if has_runs */
    } live[COVEY_SCAN_MOST_COUNTED_KINDS];
    bool has_runs; /* nothing else stands between the cells of each of these, and counts are differences */
    uint32_t n_open;
    uint32_t *open; /* classes that no cell rules out, ascending */
    covey_selected_rows rows;
    covey_selected_rows unsure; /* of the class at hand, if it has made-up rows: those that are selected unless they are
                                   among these */
    covey_selected_values *values; /* [n_aggregates] numbers NULL: those that count */
    covey_selected_units *units;   /* [n_aggregates] of COUNT(DISTINCT ...); NULL: there is none */
    covey_class_of_units of_class; /* the class at hand, for these */
} covey_class_scan;

/* Empties rows and values, and adds what the rows of all classes are, or those that key_row names. */
void covey_i_class_scan_run(covey_class_scan *scan);

/* Begins a query over the release: release, g and query are set, the rest is 0.  Memory lives in the arena; keys are
 * the caller's to set.  COVEY_EINVAL: the condition tells too many kinds of rows apart, or not all values that the
 * query's aggregates are about are numbers; COVEY_ENOMEM. */
covey_status covey_i_class_scan_begin(covey_class_scan *a, covey_arena *arena, covey_error *err);

/* Suppressed rows that may satisfy the condition: of those with a value of one sensitive attribute where the prior
 * tells it. */
int64_t covey_i_class_scan_suppressed(covey_class_scan *a);

#endif
