/* Names that covey's documents use and this version does not have: "is not built yet" is another answer than "unknown".
 * The registry wins: a name that has come there since is built, whatever stands here. */
#include "policy/policy_impl.h"

#include <string.h>

static const char *const unbuilt_methods[] = {
    "peel", "perturbation", "slicing",
};

struct param_name {
    const char *owner, *name;
};

static const struct param_name unbuilt_method_params[] = {
    {"peel", "ladders"}, {"peel", "until"}, {"peel", "refine"}, {"peel", "min-size"}, {"peel", "publish-boxes"},
    {"mondrian", "refine"},
    {"slicing", "weight"}, {"slicing", "column-k"},
};

static bool lists(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool lists_param(const struct param_name *params, size_t n, const char *owner, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if ((!owner || strcmp(params[i].owner, owner) == 0) && strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

bool covey_i_is_unbuilt_method(const char *name)
{
    return !covey_method_find(name) && lists(unbuilt_methods, sizeof unbuilt_methods / sizeof *unbuilt_methods, name);
}

bool covey_i_is_unbuilt_method_param(const char *method, const char *name)
{
    return lists_param(unbuilt_method_params, sizeof unbuilt_method_params / sizeof *unbuilt_method_params, method, name);
}
