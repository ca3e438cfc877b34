/* Judges every published class (group, bucket) by every promised model, and compares the result with what the manifest
 * states. */
#ifndef COVEY_AUDIT_JUDGE_H
#define COVEY_AUDIT_JUDGE_H

#include <covey/audit.h>

#include "reader/bind.h"

/* What was found of a promise. */
typedef struct covey_judged {
    covey_bound_promise promise;
    const char *attribute; /* name of the view, when the views are gone */
    bool any;              /* at least one class was judged */
    bool broken;
    covey_figure figure;  /* of the worst class */
    uint32_t worst_class; /* class, group or bucket, from 1 */
    uint32_t worst[2];    /* the first with the least k and the first with the least e, of figures that have both */
} covey_judged;

/**
 * Judges all promises on opened->groups.
 *
 * @param out    [stated->n_promises]; memory lives in the arena
 * @param codes  ranges for models that judge them; n 0: none is promised
 *
 * Classes that break a promise, rows that were suppressed and together break one, and promises that cannot be checked
 * go to problems.
 */
covey_status covey_i_judge(covey_judged *out, const covey_opened *opened, const covey_opened_views *views,
                           const covey_quasi_codes *codes, covey_problems *problems, const covey_run *run,
                           covey_arena *arena, covey_error *err);

/* --- the same in steps, for classes that come window by window --- */

typedef struct covey_judging {
    const covey_opened *opened;
    const covey_opened_views *views;
    const covey_quasi_codes *codes;
    covey_judged *judged; /* [n_promises] bound */
    size_t n_promises;
    bool *used; /* [views->n] does a promise look at this view? */
} covey_judging;

/* Binds the promises; opened->groups.n says whether there will be any. */
covey_status covey_i_judge_begin(covey_judging *j, covey_judged *out, const covey_opened *opened,
                                 const covey_opened_views *views, const covey_quasi_codes *codes,
                                 covey_problems *problems, covey_arena *arena, covey_error *err);
/* Judges opened->groups, but for those of them that were seen before. */
covey_status covey_i_judge_groups(const covey_judging *j, covey_problems *problems, const covey_run *run,
                                  covey_error *err);
/* Behind the last: judges the suppressed rows. */
covey_status covey_i_judge_end(const covey_judging *j, covey_problems *problems, covey_arena *arena, covey_error *err);

/* Compares threshold, achieved and holds with the manifest's, and says what it says. */
void covey_i_judge_compare(covey_problems *problems, const covey_judged *judged, const covey_stated *release);
void covey_i_judge_describe(covey_promise_verdict *out, const covey_judged *judged);

#endif
