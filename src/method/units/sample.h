/* The first classes of units. */
#ifndef COVEY_METHOD_UNITS_SAMPLE_H
#define COVEY_METHOD_UNITS_SAMPLE_H

#include "method/units/hulls.h"

/* All units as one class, or as several where there are very many different ones; behind these, as the last class,
 * units that are too large for any.  class_of_unit: [n_units]. */
covey_status covey_i_unit_classes_begin(uint32_t *class_of_unit, uint32_t *n_classes, covey_units_run *r,
                                        covey_error *err);

#endif
