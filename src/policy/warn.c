/* What is wrong with a policy's wishes without stopping it, and what stops a preset. */
#include "policy/policy_impl.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "policy/preset/preset_impl.h"

covey_status covey_i_policy_warn(covey_policy *policy, covey_error *err, const char *fmt, ...)
{
    char message[900];
    const char **list = covey_i_policy_grow(policy, (void *)policy->warning, policy->n_warnings, sizeof *list);
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (!list || !(list[policy->n_warnings] = covey_arena_strdup(&policy->own->arena, message)))
        return covey_i_no_memory(err);
    policy->warning = list;
    policy->n_warnings++;
    return COVEY_OK;
}

covey_status covey_i_preset_complain(const covey_preset_target *target, covey_error *err, const char *fmt, ...)
{
    char message[900];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (target->line)
        return covey_fail_at(err, COVEY_EINVAL, target->policy->path, target->line, NULL, target->column,
                             "preset %s: %s", target->preset->name, message);
    return covey_fail(err, COVEY_EINVAL, "preset %s: %s", target->preset->name, message);
}
