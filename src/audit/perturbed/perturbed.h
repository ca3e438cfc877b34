/* The steps of the check of a perturbed release. */
#ifndef COVEY_AUDIT_PERTURBED_PERTURBED_H
#define COVEY_AUDIT_PERTURBED_PERTURBED_H

#include "audit/windows.h"
#include "reader/perturbed/perturbed.h"

/* Are the rows sorted by their content? */
covey_status covey_i_perturbed_ascends(bool *out, const covey_opened *o, const covey_run *run, covey_error *err);

/* Says so if they are not. */
covey_status covey_i_perturbed_check_order(covey_problems *problems, const covey_opened *o, const covey_run *run,
                                           covey_arena *arena, covey_error *err);

/* A covey_audit_judge. */
covey_status covey_i_perturbed_judge(covey_audit *audit, const void *context, const covey_opened_views *views,
                                     const covey_quasi_codes *codes, covey_arena *arena, covey_error *err);

/* matrix.csv has the chances of perturbation.csv, if there is one. */
void covey_i_perturbed_check_matrix(covey_problems *problems, const covey_perturbed_lines *p);

/* How tables that are larger than memory are checked.  See windows.c. */
extern const covey_windows_form covey_i_perturbed_windows;

#endif
