/* The steps that the checks of all published forms share. */
#ifndef COVEY_AUDIT_STEPS_H
#define COVEY_AUDIT_STEPS_H

#include "audit/form_impl.h"
#include "reader/bucketized/help_lines.h"
#include "reader/original.h"

/* --- steps of check --- */

/* What comes between reading the tables and checking them: counts them, and looks whether anything is promised. */
void covey_i_audit_opened(covey_audit *audit);

/* The views and ranges that promises are judged by. */
typedef struct covey_audit_sides {
    covey_opened_views views;
    covey_quasi_codes codes;
    covey_arena arena;
} covey_audit_sides;

/* Is a promise about the combination of the sensitive attributes?  About the published ranges? */
bool covey_i_audit_wants_joint(const covey_stated *stated);
bool covey_i_audit_wants_ranges(const covey_stated *stated);

/* Steps of covey_i_audit_judge: sides are all zeros before, and cleared in any case; behind the last class comes what
 * the promises have achieved. */
covey_status covey_i_audit_sides_make(covey_audit_sides *sides, covey_audit *audit, covey_problems *problems,
                                      covey_error *err);
void covey_i_audit_sides_clear(covey_audit_sides *sides);
covey_status covey_i_audit_finish_promises(covey_audit *audit, covey_error *err);

/* Makes the views of the sensitive attributes, judges opened->groups by every promise and compares with what the
 * manifest states. */
covey_status covey_i_audit_judge(covey_audit *audit, covey_error *err);

/* The same with a judge of the form's own, which fills audit->judged; context: what it is to be told. */
typedef covey_status (*covey_audit_judge)(covey_audit *audit, const void *context, const covey_opened_views *views,
                                          const covey_quasi_codes *codes, covey_arena *arena, covey_error *err);
covey_status covey_i_audit_judge_by(covey_audit *audit, covey_audit_judge judge, const void *context, covey_error *err);

/* Recomputes help.csv; most: the most values of a group.  See help_table.c. */
covey_status covey_i_help_check(covey_problems *problems, const covey_opened *opened, const covey_opened_table *help,
                                int scale, size_t most, covey_help_list list, const void *context, covey_error *err);

/* Finds the figures of the published cells and compares them with the manifest's.  Needs usable columns. */
covey_status covey_i_audit_figures(covey_audit *audit, covey_error *err);

/* Reads the original, if there is one, and compares the priors with it.  *out stays NULL where there is nothing to go
 * on with: no original was given, or it or the release is not in order, which has then been reported.
 * covey_i_original_free. */
covey_status covey_i_audit_original(covey_original **out, covey_audit *audit, covey_error *err);

/* Step of covey_i_audit_original: compares the priors of the manifest with the original's counts, faithful_prior.c. */
covey_status covey_i_faithful_prior(covey_problems *problems, const covey_opened *opened,
                                    const covey_original *original, covey_error *err);

#endif
