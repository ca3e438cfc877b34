/* The order of classes by what is published of them, and which of them are one. */
#ifndef COVEY_RELEASE_GENERALIZED_CLASS_ORDER_H
#define COVEY_RELEASE_GENERALIZED_CLASS_ORDER_H

#include "release/regions.h"

/* Classes as a method made them. */
typedef struct covey_class_list {
    const covey_problem *problem;
    bool has_regions; /* ranges are regions, not those of the rows */
    uint32_t n;
    const uint32_t *low, *high;     /* [n][n_axes] */
    const int32_t *label_level;     /* [n_axes] see covey_axis' shown_level; NULL: 0 */
    const covey_shown_codes *shown; /* of regions: what sets may list; NULL: all */
    const uint32_t *start, *rows;   /* rows class by class; only read where covey_i_class_order_needs_rows, else NULL */
} covey_class_list;

/* Do cells depend on more than the ranges?  Sets do. */
bool covey_i_class_order_needs_rows(const covey_problem *problem);

typedef struct covey_class_order {
    uint32_t n;      /* published classes: some of the list's are one */
    uint32_t *place; /* [list's n] of the published class that a class is (part of) */
    bool *tied;      /* [n] not told from the class before by the codes of the cells: size and content decide */
} covey_class_order;

/**
 * Orders classes by the codes of their cells.  A class is the set of rows whose published quasi-identifiers are equal,
 * so classes with equal cells become one.
 *
 * @param arena  owns the order
 */
covey_status covey_i_class_order(covey_class_order *order, const covey_class_list *list, covey_arena *arena,
                                 const covey_run *run, covey_error *err);

/* The codes that classes are compared by, before size and content: *key [list's n][2 * n_axes], in the arena.  Classes
 * with equal cells have equal keys. */
covey_status covey_i_class_keys(uint32_t **key, const covey_class_list *list, covey_arena *arena, covey_error *err);

#endif
