/* How the presets of a policy are applied, and what stops one. */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "model/preset_claims.h"
#include "policy/policy_impl.h"
#include "policy/preset/preset_impl.h"

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

/* The promise of a preset, read like one that the policy writes. */
static covey_status promise(const covey_preset_target *target, const char *k, covey_error *err)
{
    covey_policy *policy = target->policy;
    const covey_policy_reader r = {policy, target->line ? policy->path : NULL, NULL, err};
    const covey_yaml *key[2], *item[2];
    const covey_yaml node = {.kind = COVEY_YAML_MAP,
                             .text = "",
                             .n = 2,
                             .key = key,
                             .item = item,
                             .line = target->line,
                             .column = target->column};

    key[0] = covey_i_policy_scalar(policy, "model");
    key[1] = covey_i_policy_scalar(policy, "k");
    item[0] = covey_i_policy_scalar(policy, "k-anonymity");
    item[1] = covey_i_policy_scalar(policy, k);
    if (!key[0] || !key[1] || !item[0] || !item[1])
        return covey_i_no_memory(err);
    return covey_i_policy_read_promise(&r, &node, target->preset->name);
}

covey_status covey_i_presets_apply(covey_policy *policy, covey_error *err)
{
    for (size_t i = 0; i < policy->own->n_presets; i++) {
        const covey_chosen_preset *chosen = &policy->own->preset[i];
        const covey_preset_target target = {policy, chosen->preset, chosen->values, chosen->line, chosen->column};

        const covey_preset_claim *claim = covey_i_preset_claim(chosen->preset->name);

        if (claim && claim->k)
            COVEY_TRY(promise(&target, claim->k, err));
        if (chosen->preset->treat)
            COVEY_TRY(chosen->preset->treat(&target, err));
    }
    return COVEY_OK;
}
