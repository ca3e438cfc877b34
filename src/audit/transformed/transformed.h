/* The steps of the check of a transformed release. */
#ifndef COVEY_AUDIT_TRANSFORMED_TRANSFORMED_H
#define COVEY_AUDIT_TRANSFORMED_TRANSFORMED_H

#include "audit/steps.h"
#include "reader/transformed/transformed.h"

/* Do all groups fit their targets, exactly? */
covey_status covey_i_transformed_check_entries(bool *is_private, covey_problems *problems, const covey_opened *o,
                                               const covey_opened_transformed *t, covey_error *err);
/* Are nodes called as the hierarchy says?  See labels.c. */
covey_status covey_i_transformed_check_labels(covey_problems *problems, const covey_opened *o,
                                              const covey_opened_transformed *t, covey_error *err);
/* Order of rows, groups and entries; the objective and the number of made-up values. */
covey_status covey_i_transformed_check_order(covey_problems *problems, const covey_opened *o,
                                             const covey_opened_transformed *t, covey_error *err);

/* Can the groups hide the original's rows?  See faithful.c. */
covey_status covey_i_transformed_check_faithful(covey_problems *problems, const covey_opened *o,
                                                const covey_opened_transformed *t, const covey_original *original,
                                                covey_error *err);

#endif
