/* The order of a generalized table. */
#ifndef COVEY_AUDIT_GENERALIZED_ORDER_H
#define COVEY_AUDIT_GENERALIZED_ORDER_H

#include "reader/opened.h"

/* Is the order of classes and rows the one that docs/manifest.md asks for?  Needs usable columns. */
covey_status covey_i_order_check(covey_problems *problems, const covey_opened *opened, const covey_run *run,
                                 covey_error *err);

#endif
