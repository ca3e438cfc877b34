/* What the files of the form "perturbed" share: perturbed.c has the form and its rows, lines.c reads
 * perturbation.csv, posteriors.c judges promises, and windows.c does without the table in memory. */
#ifndef COVEY_AUDIT_PERTURBED_CHECK_H
#define COVEY_AUDIT_PERTURBED_CHECK_H

#include "audit/form.h"
#include "reader/perturbed/perturbed.h"
#include "audit/row_order.h"

#define COVEY_PERTURBED_ROWS "table.csv"
#define COVEY_PERTURBED_VALUES "perturbation.csv"

/* Reads perturbation.csv into form_data.  *usable: its numbers are what they can be. */
covey_status covey_i_perturbed_read_values(bool *usable, covey_opened *o, const bool *present, covey_problems *problems,
                                           const covey_run *run, covey_error *err);

/* Says what the columns of table.csv are called, and compares its rows with what is stated. */
void covey_i_perturbed_expect(covey_opened_table *rows, covey_opened *o);
void covey_i_perturbed_compare_counts(covey_problems *problems, const covey_opened *o, const covey_opened_table *rows);

/* Are the rows sorted by their content? */
covey_status covey_i_perturbed_ascends(bool *out, const covey_opened *o, const covey_run *run, covey_error *err);

/* A covey_audit_judge. */
covey_status covey_i_perturbed_judge(covey_judged *out, const covey_opened *opened, const covey_audit_views *views,
                                     const covey_quasi_codes *codes, covey_problems *problems, const covey_run *run,
                                     covey_arena *arena, covey_error *err);

/* A form's check_in_windows: accepts what is as it should be. */
covey_status covey_i_perturbed_accept(bool *accepted, covey_audit *audit, size_t window, covey_error *err);

#endif
