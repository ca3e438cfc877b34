/* How often each value of a column stands in each class: for queries that count rows of classes by a value that differs
 * within them. */
#ifndef COVEY_QUERY_GENERALIZED_CLASS_COUNTS_H
#define COVEY_QUERY_GENERALIZED_CLASS_COUNTS_H

#include "reader/opened.h"

typedef struct covey_class_count {
    uint32_t cell, n;
} covey_class_count;

typedef struct covey_class_counts {
    uint32_t *start;          /* [n_classes + 1] NULL: they would be hardly fewer than the rows */
    covey_class_count *entry; /* of a class in no particular order */
} covey_class_counts;

/* Counts the cells of a column, class by class; memory lives in the arena. */
covey_status covey_i_class_counts_make(covey_class_counts *out, const covey_opened *opened, const covey_column *text,
                                       covey_arena *arena, covey_error *err);

#endif
