/* How the form "sliced" is checked.
 *
 * What a person's sensitive value follows to be, given the other values, is a weighted mean over buckets of its share
 * among the bucket's pieces that agree with them: where no such share exceeds 1/l, no posterior does.  Where one does,
 * signatures decide; and always where the sensitive attribute stands at the end of other columns, too.  Of several
 * sensitive attributes, each in one column, every set must hold by itself. */
#include "audit/sliced/sliced.h"

#include <inttypes.h>

#include "audit/links/links.h"
#include "audit/units.h"
#include "base/error.h"
#include "base/run.h"

/* The sensitive attribute in several columns.  What is promised is reached or not: how far beyond, nothing says. */
static covey_status judge_joined(covey_judged *judged, const covey_opened_slices *s, const covey_opened *o,
                                 covey_problems *problems, covey_arena *arena, covey_error *err)
{
    const covey_ratio l = judged->promise.model->least_l(judged->promise.state);
    covey_slices_verdict verdict = {.holds = false};
    bool broken = false;

    judged->broken = true;
    if (!covey_i_slices_are_acyclic(s, arena, &broken)) /* which has been reported; nothing can be counted */
        return broken ? covey_i_no_memory(err) : COVEY_OK;
    COVEY_TRY(covey_i_slices_judge_joined(&verdict, o, s, judged->promise.view, l, err));
    if (verdict.is_long)
        covey_i_problem(problems,
                        "bucket %" PRIu32 ": the columns that hold the sensitive value have too many pieces to put "
                        "them together in every way: %s cannot be "
                        "checked",
                        verdict.bucket, judged->promise.model->name);
    else if (!verdict.holds)
        covey_i_problem(problems,
                        "bucket %" PRIu32 " breaks %s: pieces of the columns that hold the sensitive value, put "
                        "together where it agrees, leave too few values",
                        verdict.bucket, judged->promise.model->name);
    judged->broken = !verdict.holds;
    judged->any = verdict.holds;
    judged->figure = covey_i_figure_fraction(l.num, l.den);
    return COVEY_OK;
}

/* Single sets first; where one has too large a share, all signatures that match such sets. */
static covey_status judge_release(covey_judged *judged, const covey_opened_slices *s, const covey_opened *o,
                                  covey_problems *problems, const covey_run *run, covey_arena *arena, covey_error *err)
{
    covey_slices_verdict verdict;
    bool any_hot, broken = false;

    if (covey_i_slices_hold_twice(o, s))
        return judge_joined(judged, s, o, problems, arena, err);
    COVEY_TRY(covey_i_slices_judge_sets(&any_hot, judged, false, s, o, run, err));
    if (!any_hot)
        return COVEY_OK;
    if (covey_i_slices_have_several(o)) {
        judged->broken = true;
        COVEY_TRY(covey_i_slices_judge_sets(&any_hot, judged, true, s, o, run, err));
        covey_i_problem(problems,
                        "bucket %" PRIu32
                        " breaks %s of \"%s\": of pieces that agree beside sensitive values, too many "
                        "have the same",
                        judged->worst_class, judged->promise.model->name, judged->promise.view->name);
        return COVEY_OK;
    }
    if (!covey_i_slices_are_acyclic(s, arena, &broken)) { /* which has been reported; nothing can be counted */
        judged->broken = true;
        return broken ? covey_i_no_memory(err) : covey_i_slices_judge_sets(&any_hot, judged, true, s, o, run, err);
    }
    COVEY_TRY(covey_i_slices_judge_signatures(&verdict, o, s, judged->promise.view,
                                              judged->promise.model->least_l(judged->promise.state), err));
    judged->broken = !verdict.holds;
    if (verdict.is_long)
        covey_i_problem(problems,
                        "bucket %" PRIu32 ": too many of its pieces have the same sensitive value, and there are too "
                        "many signatures to find out whether "
                        "other buckets make up for it: %s cannot be checked",
                        verdict.bucket, judged->promise.model->name);
    else if (!verdict.holds)
        covey_i_problem(problems,
                        "bucket %" PRIu32 " breaks %s: of pieces that agree beside the sensitive value, too many have "
                        "the same, and for a signature that "
                        "they form no other bucket makes up for it",
                        verdict.bucket, judged->promise.model->name);
    return verdict.holds ? COVEY_OK : covey_i_slices_judge_sets(&any_hot, judged, true, s, o, run, err);
}

static covey_status judge(covey_audit *audit, const void *context, const covey_opened_views *views,
                          const covey_quasi_codes *codes, covey_arena *arena, covey_error *err)
{
    const covey_opened *o = audit->opened;
    covey_judged *out = audit->judged;

    (void)context;
    for (size_t i = 0; i < o->stated->n_promises; i++) {
        out[i] = (covey_judged){.promise.stated = &o->stated->promise[i]};
        COVEY_TRY(covey_i_bind_promise(&out[i].promise, o, views, codes, &audit->problems, arena, err));
        if (!out[i].promise.checkable || o->groups.n == 0)
            continue;
        if (!(out[i].promise.model->traits & COVEY_MODEL_SLICED)) {
            covey_i_problem(&audit->problems,
                            "the promise %s cannot be checked: it is not about the columns of a sliced release",
                            out[i].promise.model->name);
            out[i].promise.checkable = false;
            continue;
        }
        if (out[i].promise.view->joint) {
            covey_i_problem(&audit->problems,
                            "the promise %s cannot be checked: it is about all sensitive attributes together, whose "
                            "lines belong to different rows",
                            out[i].promise.model->name);
            out[i].promise.checkable = false;
            continue;
        }
        COVEY_TRY(judge_release(&out[i], o->form_data, o, &audit->problems, audit->run, arena, err));
        COVEY_TRY(covey_i_slices_judge_units(&out[i], o->form_data, o, &audit->problems, arena, err));
    }
    return COVEY_OK;
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    const covey_opened_slices *slices = opened->form_data;
    covey_original *original;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the buckets", 0, 0, err));
    if (covey_i_opened_all_usable(opened))
        COVEY_TRY(covey_i_slices_check(&audit->problems, opened, slices, audit->run, err));
    if (covey_i_opened_all_usable(opened))
        COVEY_TRY(covey_i_slices_check_cells(&audit->problems, opened, slices, err));
    if (audit->entity && !audit->links)
        return covey_fail(err, COVEY_EINVAL,
                          "whether whole units can make the buckets of a sliced release is not looked for: the "
                          "publisher's list (--links FILE) proves it; leave \"%s\" out",
                          audit->entity);
    COVEY_TRY(covey_i_audit_judge_by(audit, judge, NULL, err));
    COVEY_TRY(covey_i_audit_units(audit, err));
    COVEY_TRY(covey_i_audit_links_open(audit, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = covey_i_slices_check_faithful(&audit->of_original, opened, slices, original, err);
    if (original && status == COVEY_OK && audit->entity)
        status = covey_i_audit_links(audit, original, covey_i_slices_check_links, err);
    covey_i_original_free(original);
    if (status == COVEY_OK && covey_i_opened_all_usable(opened))
        status = covey_i_audit_figures(audit, err);
    return status;
}

const covey_audit_form covey_audit_form_sliced = {
    .form = &covey_reader_form_sliced,
    .check = check,
};
