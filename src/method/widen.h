/* Regions of classes that were not cut from regions: publish-boxes: cut of methods that have a grid of their own. */
#ifndef COVEY_METHOD_WIDEN_H
#define COVEY_METHOD_WIDEN_H

#include "method/method_impl.h"

/* Makes *low .. *high on an axis the smallest stretch of the method's grid that holds it; what it was may not depend on
 * the class's other axes. */
typedef void (*covey_widen)(uint32_t *low, uint32_t *high, const void *grid, size_t axis);

/* The stretch that is published for the codes *low .. *high that rows attain: without the missing value, unless a row
 * has it. */
void covey_i_widen_range(uint32_t *low, uint32_t *high, const covey_column *column, covey_widen widen, const void *grid,
                         size_t axis);

/**
 * A release of a row -> class map that publishes, instead of the ranges of a class's rows, the stretches of a grid that
 * hold them.  A stretch that begins with the missing value but holds a range that does not is published without it: it
 * would say nothing else.
 *
 * @param class_of_row  [n_rows] class numbers below n_classes, or COVEY_CLASS_SUPPRESSED; stays the caller's
 * @param label_level   [n_axes] the levels whose labels are published; NULL: the lowest that say the same
 * @return COVEY_OK; COVEY_ENOMEM
 */
covey_status covey_i_widen_release(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                   uint32_t n_classes, covey_widen widen, const void *grid, const int32_t *label_level,
                                   const covey_run *run, covey_error *err);

/* Moves *low down to the first code with its label, and *high up to the last one with its own.  label: [n_codes], does
 * not fall with the code; the lowest `shift` bits do not count. */
void covey_i_widen_to_labels(uint32_t *low, uint32_t *high, const uint32_t *label, uint32_t n_codes, int shift);

#endif
