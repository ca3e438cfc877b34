/* COUNT(DISTINCT entity): how many units of each class, or group, have a row that is selected.  What is known of a
 * class is how many units it has, and how many rows the largest may have; which rows are one unit's is in no file. */
#ifndef COVEY_QUERY_CLASS_UNITS_H
#define COVEY_QUERY_CLASS_UNITS_H

#include "query/query_impl.h"

/* Units with a selected row, in all classes so far. */
typedef struct covey_selected_units {
    int64_t lower, upper;
    double expected; /* NaN: not known */
} covey_selected_units;

/* A class, or what is selected of it by a query. */
typedef struct covey_class_of_units {
    int64_t n_rows, n_units, largest; /* largest: no unit has more rows */
    int64_t n_sure, n_maybe;          /* rows that are surely, and possibly selected */
    double expected;                  /* sum of the chances of all of them; NaN: not known */
} covey_class_of_units;

/* Adds a class.  Where rows of units lie evenly and anywhere in it, `expected` is what is to be expected, if all its
 * possibly selected rows have the same chance. */
void covey_i_selected_units_add(covey_selected_units *units, const covey_class_of_units *class);

#endif
