/* What is suspicious about a policy and its data together. None of it is wrong: a sensitive attribute with one value or
 * with very many, or a t above 1. */
#include "job/warnings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "table/column_words.h"
#include "table/formulas.h"
#include "table/histogram.h"
#include "table/repeats.h"

enum { FEW_ROWS = 100, VALUES_IN_TEN = 10 };

/* Does every promise about the view say how far apart numbers must be? */
static bool are_measured(const covey_promises *promises, size_t view)
{
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        covey_spread spread = {0};

        if (promise->view != (int)view)
            continue;
        if (promise->model->spread)
            promise->model->spread(&spread, promise->state);
        if (spread.min_range.num == 0)
            return false;
    }
    return true;
}

static void warn_of_values(const covey_promises *promises, size_t index, const covey_run *run)
{
    const covey_view *view = &promises->view[index];
    char message[512];

    if (view->prior->n_distinct == 1)
        snprintf(message, sizeof message,
                 "the sensitive attribute \"%.120s\" has one value only: whatever is published, everybody has it",
                 view->name);
    else if (view->prior->total >= FEW_ROWS && (int64_t)view->prior->n_distinct * VALUES_IN_TEN > view->prior->total &&
             !view->joint && !are_measured(promises, index))
        snprintf(message, sizeof message,
                 "the sensitive attribute \"%.120s\" has %" PRIu32 " different values in %" PRId64
                 " rows: models that count values take neighbours, such "
                 "as 49,999 and 50,000, for different ones",
                 view->name, view->prior->n_distinct, view->prior->total);
    else
        return;
    run->warn(run->context, message);
}

/* Would every single row be a class that keeps the promise? */
static covey_status rules_nothing_out(bool *out, const covey_promises *promises, const covey_promise *promise,
                                      covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    const covey_view *view = promise->view >= 0 ? &promises->view[promise->view] : NULL;
    covey_histogram one;
    covey_group group = {.size = 1, .counts = view ? &one : NULL};

    *out = true;
    if (!view) {
        *out = promise->model->admits(promise->state, &group);
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_histogram_new(&one, view->prior->n_values, arena, err));
    for (uint32_t v = 0; v < view->prior->n_values && *out; v++) {
        if (view->prior->count[v] == 0)
            continue;
        covey_i_histogram_clear(&one);
        covey_i_histogram_add(&one, v, 1);
        *out = promise->model->admits(promise->state, &group);
    }
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status warn_of_promise(const covey_wish_promise *wish, const covey_run *run, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    bool broken;

    covey_i_text_add_format(&text, "%s rules nothing out with", wish->model->name);
    for (size_t i = 0; i < wish->n_params; i++)
        covey_i_text_add_format(&text, "%s %s = %s", i ? "," : "", wish->param_names[i], wish->param_texts[i]);
    covey_i_text_add_string(&text, ": every single row would keep it");
    if (!(broken = text.broken))
        run->warn(run->context, text.bytes);
    covey_i_text_free(&text);
    return broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* A column whose values are published as they are, or coarsened, can be a key, too. */
static covey_status warn_of_key(const covey_column *column, const covey_run *run, covey_error *err)
{
    covey_repeats repeats;

    if (!covey_i_column_key_word(column->name))
        return COVEY_OK;
    COVEY_TRY(covey_i_repeats_of_column(&repeats, column, err));
    if (covey_i_repeats_are_keys(&repeats, column->name, false))
        covey_i_repeats_warn(&repeats, column->name, run);
    return COVEY_OK;
}

covey_status covey_i_job_warn_of_data(covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                                      covey_error *err)
{
    const covey_promises *promises = &prepared->problem.promises;

    if (!run || !run->warn)
        return COVEY_OK;
    for (size_t v = 0; v < promises->n_views; v++)
        warn_of_values(promises, v, run);
    for (size_t f = 0; f < prepared->problem.n_fields; f++) {
        covey_i_formulas_warn(prepared->problem.field[f].column, "the release", run);
        if (!prepared->problem.units)
            COVEY_TRY(warn_of_key(prepared->problem.field[f].column, run, err));
    }
    for (size_t i = 0; i < promises->n; i++) {
        const covey_view *view = promises->promise[i].view >= 0 ? &promises->view[promises->promise[i].view] : NULL;
        bool idle = false;

        /* What a single row shows of ranges is not known here, and of one value only that there is nothing to rule out.
         */
        if (!(promises->promise[i].model->traits & (COVEY_MODEL_RANGES | COVEY_MODEL_TARGET)) &&
            !(view && view->prior->n_distinct == 1))
            COVEY_TRY(rules_nothing_out(&idle, promises, &promises->promise[i], &prepared->arena, err));
        if (idle)
            COVEY_TRY(warn_of_promise(&policy->promise[i], run, err));
    }
    return COVEY_OK;
}

void covey_i_job_warn_of_suppression(const covey_problem *problem, const covey_method *method, const covey_run *run)
{
    const bool has_prior = covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR;
    char message[320];

    if (!run || !run->warn || problem->max_suppressed == 0 || method->suppresses == COVEY_SUPPRESSES_TO_GAIN ||
        (method->suppresses == COVEY_SUPPRESSES_WITHOUT_PRIOR && !has_prior))
        return;
    snprintf(message, sizeof message,
             "no row was suppressed, though the limit allows it: %s suppresses rows only where %s", method->name,
             method->suppresses == COVEY_SUPPRESSES_AT_NEED
                 ? "the promises cannot be kept without"
                 : "the promises cannot be kept without, because a promise that compares with the whole table holds "
                   "for suppressed rows, too: publishing them as one class never loses more");
    run->warn(run->context, message);
}
