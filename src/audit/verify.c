/* Re-proves a release from its files: what the manifest states is read, then found again in the table, and compared. */
#include <covey/audit.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/contents.h"
#include "audit/faithful.h"
#include "audit/judge.h"
#include "audit/losses.h"
#include "base/alloc.h"
#include "base/threads.h"

struct verifying {
    const char *folder;
    const covey_verify_options *options;
    const covey_run *run;
    covey_stated *stated;
    covey_opened *opened;
    bool *present;            /* [n_files] */
    covey_judged *judged;     /* [n_promises] */
    covey_release_figures figures;
    covey_problems problems, of_hashes, of_original;
    covey_arena arena;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory to verify a release");
}

static covey_status report_progress(const covey_run *run, const char *phase, covey_error *err)
{
    if (run && run->progress && !run->progress(run->context, phase, 0, 0))
        return covey_fail(err, COVEY_ECANCELLED, "cancelled");
    return COVEY_OK;
}

/* --- the table --- */

static bool all_usable(const covey_opened *opened)
{
    for (size_t i = 0; i < opened->n_columns; i++)
        if (!opened->column[i].usable)
            return false;
    return opened->usable;
}

/* Ranges are only made for models that judge them. */
static bool wants_ranges(const covey_stated *stated)
{
    for (size_t p = 0; p < stated->n_promises; p++) {
        const covey_model *model = covey_model_find(stated->promise[p].model);

        if (model && (model->traits & COVEY_MODEL_RANGES))
            return true;
    }
    return false;
}

static bool wants_joint(const covey_stated *stated)
{
    for (size_t p = 0; p < stated->n_promises; p++)
        if (stated->promise[p].joint)
            return true;
    return false;
}

/* Compares with what is stated, and cuts the ties to the views, which are about to go. */
static covey_status finish_promises(struct verifying *v, covey_error *err)
{
    for (size_t p = 0; p < v->stated->n_promises; p++) {
        covey_judged *judged = &v->judged[p];

        covey_i_judge_compare(&v->problems, judged);
        if (judged->view && !(judged->attribute = covey_arena_strdup(&v->arena, judged->view->name)))
            return no_memory(err);
        judged->view = NULL;
        judged->state = judged->params = NULL;
    }
    return COVEY_OK;
}

static covey_status judge(struct verifying *v, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_audit_views views = {0};
    covey_quasi_codes codes = {0};
    covey_status status;

    if ((status = covey_i_views_make(&views, v->opened, wants_joint(v->stated), &v->problems, &arena, err)) != COVEY_OK)
        goto done;
    if (wants_ranges(v->stated) && all_usable(v->opened) &&
        (status = covey_i_quasi_codes_make(&codes, v->opened, &arena, err)) != COVEY_OK)
        goto done;
    if ((status = covey_i_judge(v->judged, v->opened, &views, &codes, &v->problems, v->run, &arena, err)) != COVEY_OK)
        goto done;
    status = finish_promises(v, err);
done:
    covey_i_quasi_codes_clear(&codes);
    covey_i_views_clear(&views);
    covey_arena_free(&arena);
    return status;
}

/* --- the original --- */

static covey_status compare_with_original(struct verifying *v, covey_error *err)
{
    covey_original *original = NULL;
    covey_status status;

    if (!v->options || !v->options->original)
        return COVEY_OK;
    COVEY_TRY(report_progress(v->run, "compare with the original", err));
    if (!all_usable(v->opened)) {
        covey_i_problem(&v->of_original, "the table is not in order: it cannot be compared with the original");
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_original_read(&original, v->opened, v->options->original, &v->of_original, v->run, err));
    status = COVEY_OK;
    if (original->usable) {
        status = covey_i_faithful_prior(&v->of_original, v->opened, original, err);
        if (status == COVEY_OK)
            status = covey_i_faithful_check(&v->of_original, v->opened, original, v->run, err);
    }
    covey_i_original_free(original);
    return status;
}

static covey_status find_figures(struct verifying *v, covey_error *err)
{
    covey_attribute_losses *losses = covey_arena_array(&v->arena, covey_attribute_losses, v->opened->n_quasi);

    if (!losses)
        return no_memory(err);
    covey_i_losses(&v->figures, losses, v->opened);
    covey_i_losses_compare(&v->problems, &v->figures, losses, v->opened);
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status check_table(struct verifying *v, covey_error *err)
{
    COVEY_TRY(covey_i_opened_read(&v->opened, v->folder, v->stated, v->present, &v->problems, v->run, err));
    if (v->stated->n_promises == 0)
        covey_i_problem(&v->problems, "manifest.json promises nothing");
    if (!v->opened->usable) {
        if (v->options && v->options->original)
            covey_i_problem(&v->of_original, "the table is not in order: it cannot be compared with the original");
        return COVEY_OK;
    }
    COVEY_TRY(report_progress(v->run, "judge the classes", err));
    covey_i_order_check(&v->problems, v->opened);
    COVEY_TRY(judge(v, err));
    COVEY_TRY(compare_with_original(v, err));
    return all_usable(v->opened) ? find_figures(v, err) : COVEY_OK;
}

/* Hashing reads the same files on another thread. */
static covey_status hash_or_check(void *context, size_t task, covey_error *err)
{
    struct verifying *v = context;

    if (task == 0)
        return check_table(v, err);
    return covey_i_contents_hash(&v->of_hashes, v->folder, v->stated, v->present, err);
}

static covey_status run_checks(struct verifying *v, covey_error *err)
{
    bool skip = v->options && v->options->skip_hashes;

    COVEY_TRY(report_progress(v->run, "read the release", err));
    COVEY_TRY(covey_i_stated_read(&v->stated, v->folder, err));
    v->present = covey_arena_array_zero(&v->arena, bool, v->stated->n_files);
    v->judged = covey_arena_array_zero(&v->arena, covey_judged, v->stated->n_promises);
    if (!v->present || !v->judged)
        return no_memory(err);
    for (size_t p = 0; p < v->stated->n_promises; p++)
        v->judged[p].stated = &v->stated->promise[p];
    COVEY_TRY(covey_i_contents_check(v->present, &v->problems, v->folder, v->stated, err));
    return covey_i_parallel(covey_run_threads(v->run), skip ? 1 : 2, hash_or_check, v, err);
}

/* --- the verdict --- */

static covey_status make_verdict(covey_verdict **out, struct verifying *v, covey_error *err)
{
    covey_verdict *verdict = covey_i_array_zero(1, sizeof *verdict);
    bool asked = v->options && v->options->original, unfaithful = v->of_original.n_found > 0;

    covey_i_problems_move(&v->of_hashes, &v->problems);
    covey_i_problems_move(&v->of_hashes, &v->of_original);
    covey_i_problems_close(&v->of_hashes);
    if (!verdict || v->of_hashes.broken || !(verdict->problem = covey_i_array_zero(COVEY_MOST_PROBLEMS + 1, sizeof *verdict->problem)) ||
        !(verdict->promise = covey_i_array_zero(v->stated->n_promises, sizeof *verdict->promise))) {
        covey_verdict_free(verdict);
        return no_memory(err);
    }
    verdict->faithful = asked ? !unfaithful : -1;
    verdict->n_problems = v->of_hashes.n;
    memcpy(verdict->problem, v->of_hashes.line, v->of_hashes.n * sizeof *verdict->problem);
    v->of_hashes.n = 0; /* the lines are the verdict's */
    verdict->holds = verdict->n_problems == 0;
    verdict->n_promises = v->stated->n_promises;
    for (size_t p = 0; p < verdict->n_promises; p++) {
        covey_i_judge_describe(&verdict->promise[p], &v->judged[p]);
        verdict->holds &= verdict->promise[p].holds;
    }
    verdict->n_rows = v->stated->n_rows;
    verdict->n_published = v->opened->n_rows;
    verdict->n_suppressed = v->stated->n_suppressed;
    verdict->n_classes = v->opened->n_classes;
    snprintf(verdict->form, sizeof verdict->form, "%s", v->stated->form);
    verdict->figures = v->figures;
    *out = verdict;
    return COVEY_OK;
}

covey_status covey_verify(covey_verdict **out, const char *folder, const covey_verify_options *options, const covey_run *run, covey_error *err)
{
    struct verifying v = {.folder = folder, .options = options, .run = run};
    covey_status status;

    v.figures = (covey_release_figures){NAN, NAN, NAN, NAN, NAN, NAN, 0};
    if ((status = run_checks(&v, err)) == COVEY_OK)
        status = make_verdict(out, &v, err);
    covey_i_problems_clear(&v.problems);
    covey_i_problems_clear(&v.of_hashes);
    covey_i_problems_clear(&v.of_original);
    covey_i_opened_free(v.opened);
    covey_i_stated_free(v.stated);
    covey_arena_free(&v.arena);
    return status;
}

void covey_verdict_free(covey_verdict *verdict)
{
    if (!verdict)
        return;
    for (size_t i = 0; i < verdict->n_problems; i++)
        covey_i_free(verdict->problem[i]);
    covey_i_free(verdict->problem);
    covey_i_free(verdict->promise);
    covey_i_free(verdict);
}
