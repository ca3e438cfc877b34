/* Binds a stated promise to its model, its parameters and the attribute that it is about. */
#include "audit/judge.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reader/form_impl.h"

static void complain(covey_judged *judged, covey_problems *problems, const char *why)
{
    judged->checkable = false;
    covey_i_problem(problems, "the promise %s%s%s%s cannot be checked: %s", judged->stated->model,
                    judged->stated->attribute ? " of \"" : "",
                    judged->stated->attribute ? judged->stated->attribute : "", judged->stated->attribute ? "\"" : "",
                    why);
}

/* COVEY_EINVAL becomes a problem. */
static covey_status or_complain(covey_judged *judged, covey_problems *problems, covey_status status,
                                const covey_error *why, covey_error *err)
{
    if (status == COVEY_EINVAL) {
        complain(judged, problems, why->message);
        return COVEY_OK;
    }
    if (status != COVEY_OK && err)
        *err = *why;
    return status;
}

static covey_status read_params(covey_judged *judged, covey_error *why, covey_arena *arena)
{
    const covey_model *model = judged->model;

    if (!(judged->params = covey_arena_alloc_zero(arena, 1, model->params_size ? model->params_size : 1)))
        return covey_i_no_memory(why);
    COVEY_TRY(covey_param_defaults(judged->params, model->params, model->n_params, why));
    for (size_t i = 0; i < judged->stated->n_params; i++)
        COVEY_TRY(covey_param_set(judged->params, model->params, model->n_params, model->name,
                                  judged->stated->param_name[i], judged->stated->param_text[i], why));
    for (size_t i = 0; i < model->n_params; i++) {
        bool given = !model->params[i].required;

        for (size_t j = 0; j < judged->stated->n_params && !given; j++)
            given = strcmp(judged->stated->param_name[j], model->params[i].name) == 0;
        if (!given)
            return covey_fail(why, COVEY_EINVAL, "parameter %s is missing", model->params[i].name);
    }
    return COVEY_OK;
}

/* The view of one attribute or of all; NULL if there is none of that name. */
static const covey_audit_view *find_view(const covey_judged *judged, const covey_audit_views *views)
{
    if (judged->stated->joint && views->n_sensitive > 1)
        return &views->view[views->n_sensitive];
    if (views->n_sensitive == 1 && !judged->stated->attribute)
        return &views->view[0];
    for (size_t v = 0; v < views->n_sensitive; v++)
        if (judged->stated->attribute && strcmp(views->view[v].name, judged->stated->attribute) == 0)
            return &views->view[v];
    return NULL;
}

static void bind_view(covey_judged *judged, const covey_opened *opened, const covey_audit_views *views,
                      covey_problems *problems)
{
    unsigned traits = judged->model->traits;

    if (opened->stated->published_as->is_exact && (traits & COVEY_MODEL_ALIKE)) {
        complain(judged, problems,
                 "the quasi-identifiers are published as they are, so that no two rows need look alike");
        return;
    }
    if ((traits & COVEY_MODEL_SLICED) && strcmp(opened->stated->form, "sliced") != 0) {
        complain(judged, problems, "it is about the columns of a sliced release");
        return;
    }
    if ((traits & COVEY_MODEL_TARGET) && strcmp(opened->stated->form, "transformed") != 0) {
        complain(judged, problems, "it is about the intervals of a transformed release");
        return;
    }
    if (!(traits & COVEY_MODEL_SENSITIVE))
        return;
    judged->view = find_view(judged, views);
    if (!judged->view)
        complain(judged, problems, "it names no sensitive column");
    else if (!judged->view->usable)
        complain(judged, problems, "the column or its prior is not in order");
    else if ((traits & COVEY_MODEL_PRIOR) && !judged->view->has_prior && !opened->stated->published_as->hides_prior)
        complain(judged, problems, "it compares with the whole table, but manifest.json gives no prior");
    else if ((traits & COVEY_MODEL_NUMBER) && !covey_column_is_number(judged->view->dictionary))
        complain(judged, problems, "it needs numbers");
}

static covey_status prepare(covey_judged *judged, const covey_quasi_codes *codes, covey_error *why, covey_arena *arena)
{
    covey_model_input input = {
        .quasi = (const covey_column *const *)codes->dictionary,
        .n_quasi = codes->n,
        .attribute = judged->stated->attribute,
        .lacks_values = true,
    };

    if (judged->view) {
        input.prior = &judged->view->prior;
        input.sensitive = judged->view->dictionary;
        input.tree = judged->view->tree;
        input.has_order = judged->view->has_order;
    }
    return judged->model->prepare(&judged->state, &input, judged->params, arena, why);
}

covey_status covey_i_judge_bind(covey_judged *judged, const covey_opened *opened, const covey_audit_views *views,
                                const covey_quasi_codes *codes, covey_problems *problems, covey_arena *arena,
                                covey_error *err)
{
    covey_error why;

    judged->checkable = true;
    if (!(judged->model = covey_model_find(judged->stated->model))) {
        complain(judged, problems, "this version of covey does not know the model");
        return COVEY_OK;
    }
    COVEY_TRY(or_complain(judged, problems, read_params(judged, &why, arena), &why, err));
    if (judged->checkable)
        bind_view(judged, opened, views, problems);
    if (judged->checkable && opened->groups.n > 0)
        COVEY_TRY(or_complain(judged, problems, prepare(judged, codes, &why, arena), &why, err));
    return COVEY_OK;
}
