/* Binds a stated promise to its model, its parameters and the attribute that it is about. */
#include "reader/bind.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reader/form_impl.h"

static void complain(covey_bound_promise *promise, covey_problems *problems, const char *why)
{
    promise->checkable = false;
    covey_i_problem(problems, "the promise %s%s%s%s cannot be checked: %s", promise->stated->model,
                    promise->stated->attribute ? " of \"" : "",
                    promise->stated->attribute ? promise->stated->attribute : "",
                    promise->stated->attribute ? "\"" : "", why);
}

/* COVEY_EINVAL becomes a problem. */
static covey_status or_complain(covey_bound_promise *promise, covey_problems *problems, covey_status status,
                                const covey_error *why, covey_error *err)
{
    if (status == COVEY_EINVAL) {
        complain(promise, problems, why->message);
        return COVEY_OK;
    }
    if (status != COVEY_OK && err)
        *err = *why;
    return status;
}

static covey_status read_params(covey_bound_promise *promise, covey_error *why, covey_arena *arena)
{
    const covey_model *model = promise->model;

    if (!(promise->params = covey_arena_alloc_zero(arena, 1, model->params_size ? model->params_size : 1)))
        return covey_i_no_memory(why);
    COVEY_TRY(covey_param_defaults(promise->params, model->params, model->n_params, why));
    for (size_t i = 0; i < promise->stated->n_params; i++)
        COVEY_TRY(covey_param_set(promise->params, model->params, model->n_params, model->name,
                                  promise->stated->param_name[i], promise->stated->param_text[i], why));
    for (size_t i = 0; i < model->n_params; i++) {
        bool given = !model->params[i].required;

        for (size_t j = 0; j < promise->stated->n_params && !given; j++)
            given = strcmp(promise->stated->param_name[j], model->params[i].name) == 0;
        if (!given)
            return covey_fail(why, COVEY_EINVAL, "parameter %s is missing", model->params[i].name);
    }
    return COVEY_OK;
}

/* The view of one attribute or of all; NULL if there is none of that name. */
static const covey_opened_view *find_view(const covey_bound_promise *promise, const covey_opened_views *views)
{
    if (promise->stated->joint && views->n_sensitive > 1)
        return &views->view[views->n_sensitive];
    if (views->n_sensitive == 1 && !promise->stated->attribute)
        return &views->view[0];
    for (size_t v = 0; v < views->n_sensitive; v++)
        if (promise->stated->attribute && strcmp(views->view[v].name, promise->stated->attribute) == 0)
            return &views->view[v];
    return NULL;
}

static void bind_view(covey_bound_promise *promise, const covey_opened *opened, const covey_opened_views *views,
                      covey_problems *problems)
{
    unsigned traits = promise->model->traits;

    if (opened->stated->published_as->is_exact && (traits & COVEY_MODEL_ALIKE)) {
        complain(promise, problems,
                 "the quasi-identifiers are published as they are, so that no two rows need look alike");
        return;
    }
    if ((traits & COVEY_MODEL_SLICED) && strcmp(opened->stated->form, "sliced") != 0) {
        complain(promise, problems, "it is about the columns of a sliced release");
        return;
    }
    if ((traits & COVEY_MODEL_INVARIANT) && !opened->stated->has_counterfeits) {
        complain(promise, problems, "manifest.json does not count the rows that are made up");
        return;
    }
    if ((traits & COVEY_MODEL_TARGET) && strcmp(opened->stated->form, "transformed") != 0) {
        complain(promise, problems, "it is about the intervals of a transformed release");
        return;
    }
    if (!(traits & COVEY_MODEL_SENSITIVE))
        return;
    promise->view = find_view(promise, views);
    if (!promise->view)
        complain(promise, problems, "it names no sensitive column");
    else if (!promise->view->usable)
        complain(promise, problems, "the column or its prior is not in order");
    else if ((traits & COVEY_MODEL_PRIOR) && !promise->view->has_prior && !opened->stated->published_as->hides_prior)
        complain(promise, problems, "it compares with the whole table, but manifest.json gives no prior");
    else if ((traits & COVEY_MODEL_NUMBER) && !covey_column_is_number(promise->view->dictionary))
        complain(promise, problems, "it needs numbers");
}

static covey_status prepare(covey_bound_promise *promise, const covey_quasi_codes *codes, covey_error *why,
                            covey_arena *arena)
{
    covey_model_input input = {
        .quasi = (const covey_column *const *)codes->dictionary,
        .n_quasi = codes->n,
        .attribute = promise->stated->attribute,
        .lacks_values = true,
    };

    if (promise->view) {
        input.prior = &promise->view->prior;
        input.sensitive = promise->view->dictionary;
        input.tree = promise->view->tree;
        input.has_order = promise->view->has_order;
    }
    return covey_i_model_prepare(&promise->state, promise->model, &input, promise->params, arena, why);
}

covey_status covey_i_bind_promise(covey_bound_promise *promise, const covey_opened *opened,
                                  const covey_opened_views *views, const covey_quasi_codes *codes,
                                  covey_problems *problems, covey_arena *arena, covey_error *err)
{
    covey_error why;

    promise->checkable = true;
    if (!(promise->model = covey_model_find(promise->stated->model))) {
        complain(promise, problems, "this version of covey does not know the model");
        return COVEY_OK;
    }
    COVEY_TRY(or_complain(promise, problems, read_params(promise, &why, arena), &why, err));
    if (promise->checkable)
        bind_view(promise, opened, views, problems);
    if (promise->checkable && opened->groups.n > 0)
        COVEY_TRY(or_complain(promise, problems, prepare(promise, codes, &why, arena), &why, err));
    return COVEY_OK;
}
