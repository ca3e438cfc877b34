/* Warnings: what is wrong with a policy's wishes without stopping it. */
#include "policy/policy_impl.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

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
