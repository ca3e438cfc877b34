/* What the files of the form "perturbed" share: form_perturbed.c has the form and its rows, perturbed_lines.c reads perturbation.csv,
 * perturbed_posteriors.c judges promises. */
#ifndef COVEY_PERTURBED_CHECK_H
#define COVEY_PERTURBED_CHECK_H

#include "audit/audit_form.h"
#include "audit/perturbed_lines.h"
#include "audit/row_order.h"

#define COVEY_PERTURBED_ROWS "table.csv"
#define COVEY_PERTURBED_VALUES "perturbation.csv"

/* Reads perturbation.csv into form_data.  *usable: its numbers are what they can be. */
covey_status covey_i_perturbed_read_values(bool *usable, covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                                           covey_error *err);

/* Says what the columns of table.csv are called, and compares its rows with what is stated. */
void covey_i_perturbed_expect(covey_opened_table *rows, covey_opened *o);
void covey_i_perturbed_compare_counts(covey_problems *problems, const covey_opened *o, const covey_opened_table *rows);

/* By what rows are sorted: quasi-identifiers first, then the other columns, each from left to right.  column: [n_columns] room. */
void covey_i_perturbed_sorting(covey_row_order *order, const covey_opened_column **column, const covey_opened *o);

/* A covey_audit_judge. */
covey_status covey_i_perturbed_judge(covey_judged *out, const covey_opened *opened, const covey_audit_views *views, const covey_quasi_codes *codes,
                                     covey_problems *problems, const covey_run *run, covey_arena *arena, covey_error *err);

#endif
