/* Options win over the policy, which may name the columns of a file without a header. */
#include "original.h"

#include "policy_options.h"

covey_status cli_original_read(cli_original *out, const cli_call *call, covey_error *err)
{
    const covey_wish_attribute *entity, *weight;

    *out = (cli_original){.source = cli_value(call, "original"),
                          .entity = cli_value(call, "entity"),
                          .within = cli_value(call, "within"),
                          .weight = cli_value(call, "weight")};
    if (!cli_is_given(call, "policy"))
        return COVEY_OK;
    COVEY_TRY(covey_policy_read(&out->policy, cli_value(call, "policy"), err));
    if (!out->source)
        out->source = out->policy->input_source;
    if (!out->entity && (entity = cli_policy_find(out->policy, COVEY_ROLE_ENTITY)) != NULL) {
        out->entity = covey_policy_unpublished(out->digits[0], out->policy, entity->name);
        if (!out->within)
            out->within = covey_policy_unpublished(out->digits[1], out->policy, entity->within);
    }
    if (!out->weight && (weight = cli_policy_find(out->policy, COVEY_ROLE_WEIGHT)) != NULL)
        out->weight =
            weight->publish_value ? weight->name : covey_policy_unpublished(out->digits[2], out->policy, weight->name);
    return COVEY_OK;
}

void cli_original_clear(cli_original *original)
{
    covey_policy_free(original->policy);
    *original = (cli_original){0};
}
