/* The steps that make a generalized release of classes, whatever the classes are given as (classes.c, class_cells.c).
 */
#ifndef COVEY_RELEASE_GENERALIZED_CLASS_RELEASE_H
#define COVEY_RELEASE_GENERALIZED_CLASS_RELEASE_H

#include "release/generalized/class_order.h"
#include "release/release_impl.h"

covey_status covey_i_release_new(covey_release **out, const covey_problem *problem, bool has_regions, covey_error *err);

/* Gives the published classes their places, sizes and ranges, and room for their rows.  size: [list's n] rows.  A class
 * that is made of several has the cells of each, and the ranges of all.  Rows that have room already keep it. */
covey_status covey_i_release_place_classes(covey_release *release, const covey_class_list *list, const uint32_t *size,
                                           const covey_class_order *order, covey_error *err);

/* Once all rows are in their places, those of each class by content: the order of classes that the codes of their cells
 * do not tell apart, and the objective "ail". */
covey_status covey_i_release_finish(covey_release *release, const covey_problem *problem,
                                    const covey_class_order *order, covey_error *err);

#endif
