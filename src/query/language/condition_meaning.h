/* What a value of a query means in a column: a number, a text, or several of its values. */
#ifndef COVEY_QUERY_LANGUAGE_CONDITION_MEANING_H
#define COVEY_QUERY_LANGUAGE_CONDITION_MEANING_H

#include "query/label.h"
#include "query/language/condition.h"

/* A condition that is being understood. */
typedef struct covey_condition_binder {
    covey_condition *condition;
    const covey_sql_query *query;
    const covey_query_column *columns;
    size_t n_columns;
    uint32_t n_tests;
    covey_arena *arena;
    covey_error *err;
} covey_condition_binder;

typedef struct covey_condition_meaning {
    enum { COVEY_MEANS_NUMBER, COVEY_MEANS_TEXT, COVEY_MEANS_RUNS, COVEY_MEANS_ITEMS, COVEY_MEANS_NOTHING } kind;
    int64_t number;
    int scale;                  /* of the number */
    uint32_t n;                 /* of runs, of items */
    uint32_t first;             /* item */
    const covey_value_run *run; /* any of them */
} covey_condition_meaning;

covey_status covey_i_condition_meaning_find(covey_condition_meaning *out, covey_condition_binder *binder,
                                            const covey_query_column *column, const covey_sql_value *value);
/* The same for a value that is to be compared by order, which must be a single one. */
covey_status covey_i_condition_meaning_find_single(covey_condition_meaning *out, covey_condition_binder *binder,
                                                   const covey_query_column *column, const covey_sql_value *value);

#endif
