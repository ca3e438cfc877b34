/* Giving complaints the place in the policy that they are about. */
#include "policy/blame.h"

#include <string.h>

#include "base/error.h"
#include "policy/policy_impl.h"

covey_wish_place covey_i_policy_method_place(const covey_wish_method *wish)
{
    return (covey_wish_place){.flag = wish->line > 0 ? NULL : "method", .line = wish->line, .column = wish->column};
}

static covey_wish_place promise_place(const covey_wish_promise *wish)
{
    return (covey_wish_place){.flag = wish->line > 0 ? NULL
                                      : wish->preset ? "preset"
                                                     : "model",
                              .line = wish->line,
                              .column = wish->column};
}

static covey_status blame(const covey_policy *policy, const covey_wish_place *place, covey_status status,
                          covey_error *err)
{
    if (!err || (status != COVEY_EINVAL && status != COVEY_EPARSE && status != COVEY_ENOTFOUND))
        return status;
    covey_i_error_place_line(err, policy->input_path);
    if (*err->file)
        return status;
    if (place->flag)
        covey_i_error_put_in_front(err, "--%s: ", place->flag);
    else if (policy->path && place->line > 0)
        covey_i_error_place(err, policy->path, place->line, place->column);
    return status;
}

static covey_status blame_param(const covey_policy *policy, covey_wish_place own, const char *const *names,
                                const covey_wish_place *places, size_t n, covey_status status, covey_error *err)
{
    for (size_t i = 0; i < n && err && places; i++)
        if (strcmp(names[i], err->parameter) == 0)
            own = places[i];
    if (err && !*err->parameter) /* the message names the method or model, which a flag's name says no better */
        own.flag = NULL;
    return blame(policy, &own, status, err);
}

static bool has_param(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

covey_status covey_i_policy_blame_method(const covey_policy *policy, const covey_wish_method *wish, covey_status status,
                                         covey_error *err)
{
    if (status == COVEY_OK || !err)
        return status;
    /* What the method was not told it may have read in a promise, as it does a target. */
    for (size_t i = 0;
         i < policy->n_promises && *err->parameter && !has_param(wish->param_names, wish->n_params, err->parameter);
         i++)
        if (has_param(policy->promise[i].param_names, policy->promise[i].n_params, err->parameter))
            return covey_i_policy_blame_promise(policy, &policy->promise[i], status, err);
    return blame_param(policy, covey_i_policy_method_place(wish), wish->param_names, wish->param_places, wish->n_params,
                       status, err);
}

covey_status covey_i_policy_blame_promise(const covey_policy *policy, const covey_wish_promise *wish,
                                          covey_status status, covey_error *err)
{
    if (status == COVEY_OK)
        return status;
    return blame_param(policy, promise_place(wish), wish->param_names, wish->param_places, wish->n_params, status, err);
}

covey_status covey_i_policy_blame_hierarchy(const covey_policy *policy, const covey_wish_attribute *wish,
                                            covey_status status, covey_error *err)
{
    return status == COVEY_OK ? status : blame(policy, &wish->hierarchy_place, status, err);
}

covey_status covey_i_policy_blame_input(const covey_policy *policy, covey_status status, covey_error *err)
{
    const covey_wish_place *place = &policy->own->input_place;

    if (status == COVEY_ENOTFOUND && err && policy->path && !place->flag && place->line > 0) {
        err->file[0] = '\0';
        covey_i_error_place(err, policy->path, place->line, place->column);
    }
    return status;
}
