/* Keeping units whole, whatever the method. */
#ifndef COVEY_METHOD_UNITS_UNITS_H
#define COVEY_METHOD_UNITS_UNITS_H

#include "method/method_impl.h"

/**
 * Runs a method: covey_method's run, but where rows have units (problem->units), whose rows stay together and over whom
 * promises hold, too.  The parameters publish classes by their own ranges then.
 *
 * @return COVEY_EINFEASIBLE also where a unit has too many of all rows
 */
covey_status covey_i_units_run_method(covey_release **out, const covey_problem *problem, const covey_method *method,
                                      const void *params, const covey_run *run, covey_error *err);

#endif
