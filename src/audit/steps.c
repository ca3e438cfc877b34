/* Steps that every form's check takes: contents, stated files, figures. */
#include "audit/steps.h"

#include <string.h>

#include "audit/losses_compare.h"
#include "base/error.h"
#include "base/run.h"

void covey_i_audit_opened(covey_audit *audit)
{
    audit->n_published = audit->opened->n_rows;
    audit->n_classes = audit->opened->n_classes;
    if (audit->stated->n_promises == 0)
        covey_i_problem(&audit->problems, "manifest.json promises nothing");
}

/* --- promises --- */

/* Ranges are only made for models that judge them, and where the form has them. */
bool covey_i_audit_wants_ranges(const covey_stated *stated)
{
    for (size_t p = 0; p < stated->n_promises; p++) {
        const covey_model *model = covey_model_find(stated->promise[p].model);

        if (model && (model->traits & COVEY_MODEL_RANGES) && !stated->published_as->is_exact)
            return true;
    }
    return false;
}

bool covey_i_audit_wants_joint(const covey_stated *stated)
{
    for (size_t p = 0; p < stated->n_promises; p++)
        if (stated->promise[p].joint)
            return true;
    return false;
}

/* Compares with what is stated, and cuts the ties to the views, which are about to go. */
covey_status covey_i_audit_finish_promises(covey_audit *audit, covey_error *err)
{
    for (size_t p = 0; p < audit->stated->n_promises; p++) {
        covey_judged *judged = &audit->judged[p];

        covey_i_judge_compare(&audit->problems, judged, audit->stated);
        if (judged->promise.view &&
            !(judged->attribute = covey_arena_strdup(&audit->arena, judged->promise.view->name)))
            return covey_i_no_memory(err);
        judged->promise.view = NULL;
        judged->promise.state = judged->promise.params = NULL;
    }
    return COVEY_OK;
}

covey_status covey_i_audit_sides_make(covey_audit_sides *sides, covey_audit *audit, covey_problems *problems,
                                      covey_error *err)
{
    const covey_stated *stated = audit->stated;

    COVEY_TRY(covey_i_views_make(&sides->views, audit->opened, covey_i_audit_wants_joint(stated), problems,
                                 &sides->arena, err));
    if (covey_i_audit_wants_ranges(stated) && covey_i_opened_all_usable(audit->opened))
        return covey_i_quasi_codes_make(&sides->codes, audit->opened, &sides->arena, err);
    return COVEY_OK;
}

void covey_i_audit_sides_clear(covey_audit_sides *sides)
{
    covey_i_quasi_codes_clear(&sides->codes);
    covey_i_views_clear(&sides->views);
    covey_arena_free(&sides->arena);
}

covey_status covey_i_audit_judge_by(covey_audit *audit, covey_audit_judge judge, const void *context, covey_error *err)
{
    covey_audit_sides sides = {.arena = COVEY_ARENA_INIT};
    covey_status status;

    if ((status = covey_i_audit_sides_make(&sides, audit, &audit->problems, err)) == COVEY_OK &&
        (status = covey_i_quasi_codes_of_classes(&sides.codes, audit->opened, &sides.arena, err)) == COVEY_OK &&
        (status = judge(audit, context, &sides.views, &sides.codes, &sides.arena, err)) == COVEY_OK)
        status = covey_i_audit_finish_promises(audit, err);
    covey_i_audit_sides_clear(&sides);
    return status;
}

static covey_status judge_groups(covey_audit *audit, const void *context, const covey_opened_views *views,
                                 const covey_quasi_codes *codes, covey_arena *arena, covey_error *err)
{
    (void)context;
    return covey_i_judge(audit->judged, audit->opened, views, codes, &audit->problems, audit->run, arena, err);
}

covey_status covey_i_audit_judge(covey_audit *audit, covey_error *err)
{
    return covey_i_audit_judge_by(audit, judge_groups, NULL, err);
}

/* --- figures --- */

covey_status covey_i_audit_figures(covey_audit *audit, covey_error *err)
{
    covey_attribute_losses *losses = covey_arena_array(&audit->arena, covey_attribute_losses, audit->opened->n_quasi);

    if (!losses)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_losses(&audit->figures, losses, audit->opened, err));
    covey_i_losses_compare(&audit->problems, &audit->figures, losses, audit->opened);
    return COVEY_OK;
}

/* --- the original --- */

covey_status covey_i_audit_original(covey_original **out, covey_audit *audit, covey_error *err)
{
    const char *more[2] = {NULL, NULL};
    covey_original_options options = {.more = more};
    covey_original *original = NULL;
    covey_status status = COVEY_OK;

    *out = NULL;
    if (!audit->original)
        return COVEY_OK;
    COVEY_TRY(covey_i_run_goes_on(audit->run, "compare with the original", 0, 0, err));
    if (!covey_i_opened_all_usable(audit->opened)) {
        covey_i_problem(&audit->of_original, "the table is not in order: it cannot be compared with the original");
        return COVEY_OK;
    }
    if (audit->entity)
        more[options.n_more++] = audit->entity;
    if (audit->within)
        more[options.n_more++] = audit->within;
    if (!audit->links && !audit->ledger)
        options.n_named = options.n_more;
    COVEY_TRY(covey_i_original_read_with(&original, audit->opened, audit->original, &options, &audit->of_original,
                                         audit->run, err));
    if (original->usable)
        status = covey_i_faithful_prior(&audit->of_original, audit->opened, original, err);
    if (original->usable && status == COVEY_OK)
        *out = original;
    else
        covey_i_original_free(original);
    return status;
}
