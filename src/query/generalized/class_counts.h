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
    /* The same where it takes no more room than the rows: rows of a class whose cell stands before each place in the
     * column's order, so that those of a run of cells are a difference. */
    uint32_t n_places;     /* cells, and one */
    uint32_t *before;      /* [n_classes][n_places] NULL: there are too many */
    const uint32_t *place; /* [cells] NULL: they are in order */
} covey_class_counts;

/* Rows of a class with a cell at the places first .. last; of counts with before. */
static inline uint32_t covey_i_class_counts_between(const covey_class_counts *counts, uint32_t class, uint32_t first,
                                                    uint32_t last)
{
    const uint32_t *before = counts->before + (size_t) class * counts->n_places;

    return before[last + 1] - before[first];
}

/* Counts the cells of a column, class by class; memory lives in the arena.  rank: [cells] their order, NULL: they are
 * in order; borrowed. */
covey_status covey_i_class_counts_make(covey_class_counts *out, const covey_opened *opened, const covey_column *text,
                                       const uint32_t *rank, covey_arena *arena, covey_error *err);

#endif
