/* The policy's promises bound to the table: each to the view of the sensitive attribute that it is about, with the
 * prior where it is compared. */
#include "job/preparing.h"

#include <string.h>

#include "base/error.h"
#include "method/method_impl.h"
#include "policy/blame.h"
#include "table/histogram.h"

/* How often each value occurs in the whole table. */
static covey_status count_values(covey_histogram *prior, const covey_preparing *s, const covey_column *column,
                                 covey_arena *arena, covey_error *err)
{
    size_t c = 0;

    if (!s->count)
        return covey_i_histogram_of(prior, column, arena, err);
    while (s->p->column[c] != column)
        c++;
    COVEY_TRY(covey_i_histogram_new(prior, column->n_values, arena, err));
    for (int64_t i = 0; i < column->n_rows; i++)
        covey_i_histogram_add(prior, covey_i_code(column, i), s->count[c][i]);
    return COVEY_OK;
}

/* The view of one sensitive attribute, or of all together; made when the first promise needs it. */
static covey_status find_view(int *out, covey_preparing *s, const covey_field *field, bool joint, covey_error *err)
{
    covey_promises *promises = &s->p->problem.promises;
    covey_view *view;
    covey_histogram *prior;

    for (size_t v = 0; v < promises->n_views; v++)
        if (promises->view[v].joint == joint && (joint || promises->view[v].column == field->column)) {
            *out = (int)v;
            return COVEY_OK;
        }
    view = &promises->view[promises->n_views];
    if (!(prior = covey_arena_array_zero(&s->p->arena, covey_histogram, 1)))
        return covey_i_no_memory(err);
    if (joint) {
        const covey_column **column = covey_arena_array(&s->p->arena, const covey_column *, s->p->problem.n_fields);
        size_t n = 0;

        if (!column)
            return covey_i_no_memory(err);
        for (size_t f = 0; f < s->p->problem.n_fields; f++)
            if (s->p->problem.field[f].role == COVEY_ROLE_SENSITIVE)
                column[n++] = s->p->problem.field[f].column;
        COVEY_TRY(covey_i_job_join_columns(&s->p->joint, column, n, err));
        *view = (covey_view){.name = "joint", .column = s->p->joint, .joint = true};
    } else {
        *view = (covey_view){.name = field->column->name, .column = field->column, .tree = field->tree};
        view->has_order = field->has_order || covey_column_is_number(field->column);
    }
    COVEY_TRY(count_values(prior, s, view->column, &s->p->arena, err));
    view->prior = prior;
    *out = (int)promises->n_views++;
    return COVEY_OK;
}

static covey_status bind_promise(covey_preparing *s, covey_promise *promise, const covey_wish_promise *wish,
                                 covey_error *err)
{
    const covey_problem *problem = &s->p->problem;
    const char *file = wish->line ? s->policy->path : NULL;
    const covey_field *field = NULL;
    size_t n_sensitive = 0;

    *promise = (covey_promise){
        .model = wish->model, .params = wish->params, .attribute = wish->attribute, .joint = wish->joint, .view = -1};
    promise->units = wish->units;
    if ((wish->model->traits & COVEY_MODEL_RANGES) && wish->attribute &&
        (field = covey_i_problem_field(problem, wish->attribute)) && field->tree &&
        covey_hierarchy_is_from_data(field->tree))
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, wish->attribute, wish->column,
                             "model %s: \"%s\" is published by labels of a hierarchy that is built from the data, so "
                             "that nobody could check "
                             "how much they cover; give it a hierarchy file, or say publish: range",
                             wish->model->name, wish->attribute);
    field = NULL;
    if (!(wish->model->traits & COVEY_MODEL_SENSITIVE))
        return COVEY_OK;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE) {
            n_sensitive++;
            field = &problem->field[f];
        }
    if (n_sensitive == 0)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, NULL, wish->column,
                             "model %s needs a sensitive attribute: give a column the role sensitive",
                             wish->model->name);
    if (!wish->joint && wish->attribute)
        field = covey_i_problem_field(problem, wish->attribute);
    else if (!wish->joint && n_sensitive > 1)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, NULL, wish->column,
                             "model %s must name its attribute: there are %zu sensitive ones (or say joint: true)",
                             wish->model->name, n_sensitive);
    if (!field || field->role != COVEY_ROLE_SENSITIVE)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, wish->attribute, wish->column,
                             "model %s: \"%s\" is not a sensitive attribute of this policy", wish->model->name,
                             wish->attribute);
    return find_view(&promise->view, s, field, wish->joint && n_sensitive > 1, err);
}

covey_status covey_i_preparing_promises(covey_preparing *s, covey_error *err)
{
    covey_problem *problem = &s->p->problem;
    covey_promises *promises = &problem->promises;
    const covey_column **quasi = covey_arena_array(&s->p->arena, const covey_column *, problem->n_axes);
    int64_t *width = covey_arena_array(&s->p->arena, int64_t, problem->n_axes);
    const covey_policy *policy = s->policy;

    promises->promise = covey_arena_array_zero(&s->p->arena, covey_promise, policy->n_promises);
    promises->view = covey_arena_array_zero(&s->p->arena, covey_view, policy->n_promises);
    if (!quasi || !width || !promises->promise || !promises->view)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        quasi[a] = problem->axis[a].column;
        width[a] =
            problem->axis[a].kind == COVEY_AXIS_RANGE ? problem->axis[a].domain_high - problem->axis[a].domain_low : -1;
    }
    promises->quasi = quasi;
    promises->quasi_width = width;
    promises->n_quasi = problem->n_axes;
    promises->min_size = 1;
    promises->shown = covey_i_axis_show_all;
    promises->shown_context = problem->axis;
    for (size_t i = 0; i < policy->n_promises; i++) {
        COVEY_TRY(bind_promise(s, &promises->promise[i], &policy->promise[i], err));
        promises->n++;
    }
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const bool is_of_column = !policy->promise[i].line && promise->view >= 0; /* the file's line says more */

        COVEY_TRY(covey_i_error_names(
            covey_i_policy_blame_promise(policy, &policy->promise[i],
                                         covey_i_promise_prepare(&promises->promise[i], promises, &s->p->arena, err),
                                         err),
            NULL, is_of_column ? promises->view[promise->view].name : NULL, err));
    }
    return COVEY_OK;
}
