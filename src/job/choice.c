/* A method with the parameters that it gets, and what it needs to run. */
#include "job/choice.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "method/units/units.h"
#include "policy/blame.h"

covey_status covey_i_choice_make(covey_choice *choice, const covey_method *method, const covey_wish_method *wish,
                                 covey_arena *arena, covey_error *err)
{
    char owner[80];

    *choice = (covey_choice){.method = method};
    choice->params = covey_arena_alloc_zero(arena, 1, method->params_size);
    choice->param_name = covey_arena_array(arena, const char *, method->n_params);
    choice->param_text = covey_arena_array(arena, const char *, method->n_params);
    if (!choice->params || !choice->param_name || !choice->param_text)
        return covey_i_no_memory(err);
    snprintf(owner, sizeof owner, "method %s", method->name);
    COVEY_TRY(covey_param_defaults(choice->params, method->params, method->n_params, err));
    for (size_t i = 0; i < method->n_params; i++) {
        const char *text = method->params[i].fallback;

        for (size_t w = 0; w < wish->n_params; w++)
            if (strcmp(wish->param_names[w], method->params[i].name) == 0)
                text = wish->param_texts[w];
        if (!text)
            continue;
        COVEY_TRY(covey_param_set(choice->params, method->params, method->n_params, owner, method->params[i].name, text,
                                  err));
        choice->param_name[choice->n_params] = method->params[i].name;
        choice->param_text[choice->n_params++] = text;
    }
    /* A method that stands in for the policy's may lack a parameter of that one. */
    for (size_t w = 0; w < wish->n_params; w++) {
        bool known = false;

        for (size_t i = 0; i < method->n_params; i++)
            known |= strcmp(wish->param_names[w], method->params[i].name) == 0;
        if (!known)
            return covey_fail(err, COVEY_EINVAL, "method %s has no parameter \"%s\": see covey methods", method->name,
                              wish->param_names[w]);
    }
    return COVEY_OK;
}

/* Is that what a parameter is where nobody says anything? */
static bool is_default(const covey_method *method, const covey_wish_method *wish, size_t w)
{
    const covey_wish_place own = covey_i_policy_method_place(wish), place = wish->param_places[w];

    if (place.line != own.line || place.column != own.column || !place.flag != !own.flag)
        return false;
    for (size_t i = 0; i < method->n_params; i++)
        if (strcmp(method->params[i].name, wish->param_names[w]) == 0)
            return method->params[i].fallback && strcmp(method->params[i].fallback, wish->param_texts[w]) == 0;
    return false;
}

covey_status covey_i_choice_fit_units(covey_choice *choice, const covey_problem *problem, const covey_wish_method *wish,
                                      covey_error *err)
{
    static const char boxes[] = "publish-boxes";
    const covey_method *method = choice->method;

    if (!problem->units)
        return COVEY_OK;
    if (!method->keeps_units)
        return covey_fail(err, COVEY_EINVAL, "it does not keep the rows of a unit (role entity) together");
    if (method->keeps_units == COVEY_UNITS_ALIKE && problem->units->torn_line > 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "%s %" PRId64 " is dropped for a missing value, and others of its unit are not: "
            "among units with as many rows left it is not hidden from who knows that it has more; say "
            "missing-sensitive: value (missing-quasi: value), or take its other rows out of the table, too",
            problem->units->torn_word, problem->units->torn_line);
    for (size_t w = 0; w < wish->n_params; w++)
        if (strcmp(wish->param_names[w], boxes) == 0 && strcmp(wish->param_texts[w], "tight") != 0 &&
            !is_default(method, wish, w))
            return covey_i_error_about(
                covey_fail(err, COVEY_EINVAL,
                           "publish-boxes: %s cannot be had with an entity: the rows of a unit may lie in several of "
                           "the regions that are cut; say tight",
                           wish->param_texts[w]),
                boxes, err);
    for (size_t i = 0; i < choice->n_params; i++)
        if (strcmp(choice->param_name[i], boxes) == 0) {
            choice->param_text[i] = "tight";
            return covey_param_set(choice->params, method->params, method->n_params, method->name, boxes, "tight", err);
        }
    return COVEY_OK;
}

void covey_i_choice_apply(covey_problem *problem, const covey_choice *choice)
{
    problem->promises.min_size = 1;
    for (size_t i = 0; i < choice->method->n_params; i++)
        if (strcmp(choice->method->params[i].name, "min-size") == 0) {
            int64_t wish = *(const int64_t *)((const char *)choice->params + choice->method->params[i].offset);

            if (wish > 1)
                problem->promises.min_size = wish;
        }
}

static bool accepts_by_default(const covey_method *method, const covey_problem *problem, covey_arena *arena)
{
    void *params = covey_arena_alloc_zero(arena, 1, method->params_size);
    const covey_promises *promises = &problem->promises;

    if (problem->units && !method->keeps_units)
        return false;
    return params && covey_param_defaults(params, method->params, method->n_params, NULL) == COVEY_OK &&
           method->accepts(promises, params, NULL) == COVEY_OK;
}

/* Names of the methods that accept the promises, for the message that refuses one. */
static void name_methods(char *out, size_t size, const covey_problem *problem, covey_arena *arena)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);

        if (!accepts_by_default(method, problem, arena))
            continue;
        used += (size_t)snprintf(out + used, used < size ? size - used : 0, "%s%s", used ? ", " : "", method->name);
        if (used >= size)
            used = size - 1;
    }
}

/* A parameter stands in the way of promises that the method keeps without it. */
static covey_status refuse_param(const covey_method *method, const covey_error *reason, covey_error *err)
{
    if (err) {
        *err = *reason;
        covey_i_error_put_in_front(err, "method %s: ", method->name);
    }
    return reason->status;
}

covey_status covey_i_choice_run(covey_release **out, covey_choice *choice, const covey_wish_method *wish,
                                covey_prepared *prepared, const covey_run *run, covey_error *err)
{
    covey_problem *problem = &prepared->problem;
    covey_error reason = {.status = COVEY_OK};
    covey_status status = covey_i_choice_fit_units(choice, problem, wish, &reason);

    if (status == COVEY_OK)
        status = choice->method->accepts(&problem->promises, choice->params, &reason);
    if (status != COVEY_OK) {
        char names[256];

        if (accepts_by_default(choice->method, problem, &prepared->arena))
            return refuse_param(choice->method, &reason, err);
        name_methods(names, sizeof names, problem, &prepared->arena);
        return covey_fail(err, status, "method %s cannot keep this policy: %s; methods that can keep it: %s",
                          choice->method->name, reason.message, *names ? names : "none that is built");
    }
    covey_i_choice_apply(problem, choice);
    COVEY_TRY(covey_i_run_goes_on(run, choice->method->name, 0, 0, err));
    return covey_i_units_run_method(out, problem, choice->method, choice->params, run, err);
}

covey_status covey_i_job_run_wish(covey_release **out, covey_problem *problem, const covey_wish_method *wish,
                                  covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_method *method = wish->method;
    covey_choice choice;

    COVEY_TRY(covey_i_choice_make(&choice, method, wish, arena, err));
    COVEY_TRY(method->accepts(&problem->promises, choice.params, err));
    covey_i_choice_apply(problem, &choice);
    return method->run(out, problem, choice.params, run, err);
}
