/* What would let somebody follow a person from release to release in spite of m-invariance, and what its method could
 * not make rows up for. */
#include "policy/invariance.h"

#include "model/model_impl.h"
#include "policy/entity.h"

const covey_wish_promise *covey_i_policy_invariance(const covey_policy *policy)
{
    for (size_t i = 0; i < policy->n_promises; i++)
        if (policy->promise[i].model->traits & COVEY_MODEL_INVARIANT)
            return &policy->promise[i];
    return NULL;
}

static covey_status fail(const covey_policy *policy, int64_t line, int64_t column, covey_error *err, const char *why)
{
    return covey_fail_at(err, COVEY_EINVAL, line > 0 ? policy->path : NULL, line, NULL, column,
                         "model m-invariance: %s", why);
}

static covey_status check_entity(const covey_policy *policy, const covey_wish_promise *p, covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(policy);

    if (!entity)
        return fail(
            policy, p->line, p->column, err,
            "it is about the same persons in several releases: give the column that names them the role entity");
    if (entity->within)
        return fail(policy, entity->line, entity->column, err,
                    "it is about persons, each with one row: take out `within`");
    if (entity->missing_is_own)
        return fail(policy, entity->line, entity->column, err,
                    "a row without a name could be that of somebody who was in an earlier release: take out "
                    "`missing-entity: own`, and leave such rows out");
    if (p->has_units)
        return fail(policy, p->line, p->column, err, "each person has one row, so that there is nothing for `units`");
    return COVEY_OK;
}

static covey_status check_roles(const covey_policy *policy, const covey_wish_promise *p, covey_error *err)
{
    size_t n_sensitive = 0;

    for (size_t i = 0; i < policy->n_attributes; i++) {
        const covey_wish_attribute *a = &policy->attribute[i];

        n_sensitive += a->role == COVEY_ROLE_SENSITIVE;
        if (a->role == COVEY_ROLE_INSENSITIVE || (a->role == COVEY_ROLE_WEIGHT && a->publish_value))
            return fail(policy, a->line, a->column, err,
                        "a column that is published as it is would tell which rows of two releases are one person's: "
                        "make it a quasi-identifier, or an identifier, which is dropped");
    }
    if (policy->others == COVEY_ROLE_INSENSITIVE)
        return fail(
            policy, 0, 0, err,
            "columns that are published as they are would tell which rows of two releases are one person's: say "
            "others: drop");
    if (n_sensitive > 1)
        return fail(
            policy, p->line, p->column, err,
            "it keeps one sensitive attribute, and the policy has several: make the others identifiers, which are "
            "dropped");
    return COVEY_OK;
}

covey_status covey_i_policy_check_invariance(const covey_policy *policy, covey_error *err)
{
    const covey_wish_promise *p = covey_i_policy_invariance(policy);

    if (!p)
        return COVEY_OK;
    COVEY_TRY(check_entity(policy, p, err));
    COVEY_TRY(check_roles(policy, p, err));
    if (policy->groups.is_given)
        return fail(policy, policy->groups.line, policy->groups.column, err, "its method knows no `groups`");
    if (policy->missing_sensitive == COVEY_MISSING_VALUE)
        return fail(policy, p->line, p->column, err,
                    "a missing value is nobody's value for ever: say missing-sensitive: drop under input");
    return COVEY_OK;
}
