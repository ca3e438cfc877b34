/* The key `groups`: rows that a method may mix with each other only, by what they have in common or by the classes of
 * another method. */
#include "policy/policy_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "method/method_impl.h"

enum { MOST_KEYS = 64, MOST_LEVEL = 63 };

static covey_status read_attribute_name(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_text(r, &((covey_wish_grouping *)object)->attribute, node, "attribute");
}

static covey_status read_level(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    int64_t level;

    COVEY_TRY(covey_i_policy_integer(r, &level, node, "level", 0));
    if (level > MOST_LEVEL)
        return covey_i_policy_expected(r, node, "level", "a level of the attribute's hierarchy (0: its leaves)");
    ((covey_wish_grouping *)object)->level = (int)level;
    return COVEY_OK;
}

static covey_status read_quantiles(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_integer(r, &((covey_wish_grouping *)object)->quantiles, node, "quantiles", 1);
}

static covey_status read_grouping(const covey_policy_reader *r, covey_wish_grouping *out, const covey_yaml *node)
{
    static const covey_policy_key keys[] = {
        {"attribute", read_attribute_name}, {"level", read_level}, {"quantiles", read_quantiles}};

    *out = (covey_wish_grouping){.level = -1, .line = r->file ? node->line : 0, .column = r->file ? node->column : 0};
    if (node->kind == COVEY_YAML_SCALAR)
        return covey_i_policy_text(r, &out->attribute, node, "an attribute to group by");
    COVEY_TRY(covey_i_policy_map(r, out, node, "what groups are made by", keys, sizeof keys / sizeof *keys));
    if (!out->attribute)
        return covey_i_policy_complain(r, node, COVEY_EINVAL,
                                       "what groups are made by has no attribute: write {attribute: zip, level: 2}");
    if (out->level >= 0 && out->quantiles > 0)
        return covey_i_policy_complain(r, node, COVEY_EINVAL,
                                       "groups are made by a level of a hierarchy or by quantiles, not by both");
    return COVEY_OK;
}

static covey_status read_by(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_wish_groups *groups = object;
    const covey_yaml *const single[] = {node};
    const covey_yaml *const *item = node->kind == COVEY_YAML_LIST ? node->item : single;
    const size_t n = node->kind == COVEY_YAML_LIST ? node->n : 1;

    if (n == 0 || n > MOST_KEYS || covey_i_yaml_is_nothing(node))
        return covey_i_policy_expected(
            r, node, "by", "a list of 1 to 64 attributes such as [region, {attribute: age, quantiles: 10}]");
    if (!(groups->by = covey_arena_array_zero(&r->policy->own->arena, covey_wish_grouping, n)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(read_grouping(r, &groups->by[i], item[i]));
    groups->n = n;
    return COVEY_OK;
}

static covey_status read_groups_method(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_wish_groups *groups = object;

    COVEY_TRY(covey_i_policy_read_whole_method(r, &groups->method, node));
    if (strcmp(groups->method.method->form, "generalized") != 0)
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "the method %s makes no classes that could be groups: name one of the form generalized",
            groups->method.method->name);
    return COVEY_OK;
}

static covey_status read_k(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_integer(r, &((covey_wish_groups *)object)->k, node, "k", 1);
}

covey_status covey_i_policy_read_groups(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const covey_policy_key keys[] = {{"by", read_by}, {"method", read_groups_method}, {"k", read_k}};
    covey_policy *policy = object;
    covey_wish_groups groups = {
        .line = r->file ? node->line : 0, .column = r->file ? node->column : 0, .is_given = true};

    COVEY_TRY(covey_i_policy_map(r, &groups, node, "groups", keys, sizeof keys / sizeof *keys));
    if ((groups.n > 0) == (groups.method.method != NULL))
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "groups need one of `by` and `method`: write {by: [region]} or {method: {name: mondrian}, k: 5}");
    if (groups.method.method && groups.k == 0)
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "groups by a method need k, the fewest rows of a group: write {method: {name: %s}, k: 5}",
            groups.method.method->name);
    if (groups.n > 0 && groups.k > 0)
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "groups: k is for groups by a method; groups by attributes have the rows that they have");
    policy->groups = groups;
    return COVEY_OK;
}

/* Names of the methods that use groups. */
static void name_takers(char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < covey_method_count() && used < size; i++)
        if (covey_method_at(i)->uses_groups)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     covey_method_name(covey_method_at(i)));
}

static covey_status check_grouping(const covey_policy_reader *r, const covey_wish_grouping *by)
{
    enum { MOST = 256 };
    const covey_policy *policy = r->policy;
    const covey_yaml place = {.line = by->line, .column = by->column};
    const covey_policy_reader here = {r->policy, by->line ? policy->path : NULL, by->line ? NULL : "groups", r->err};
    const int found = covey_i_policy_find_attribute(policy, by->attribute);
    const covey_wish_attribute *a = found >= 0 ? &policy->attribute[found] : NULL;

    if (!a && policy->others != COVEY_ROLE_INSENSITIVE) {
        const char *names[MOST];
        size_t n = 0;

        for (; n < policy->n_attributes && n < MOST; n++)
            names[n] = policy->attribute[n].name;
        return covey_i_policy_unknown(&here, &place, COVEY_EINVAL, "attribute in groups:", by->attribute, names, n,
                                      NULL);
    }
    if (a && a->role != COVEY_ROLE_QUASI && a->role != COVEY_ROLE_INSENSITIVE)
        return covey_i_policy_complain(&here, &place, COVEY_EINVAL,
                                       "groups by \"%s\": it is %s, and groups show; group by quasi-identifiers and"
                                       " insensitive attributes",
                                       a->name, a->role == COVEY_ROLE_SENSITIVE ? "sensitive" : "dropped");
    if (by->level >= 0 &&
        (!a || a->hierarchy.kind == COVEY_HIERARCHY_NONE || a->role != COVEY_ROLE_QUASI || a->publish_range))
        return covey_i_policy_complain(
            &here, &place, COVEY_EINVAL,
            "groups by a level of \"%s\" need a quasi-identifier that is published by the labels"
            " of a hierarchy",
            by->attribute);
    if (by->quantiles > 0 && a && (a->type == COVEY_TYPE_TEXT || a->n_order > 0))
        return covey_i_policy_complain(&here, &place, COVEY_EINVAL,
                                       "groups by quantiles of \"%s\" need a number or a date, but it is text",
                                       a->name);
    if (by->quantiles > 0 && (!a || a->role == COVEY_ROLE_INSENSITIVE) && (!a || a->type == COVEY_TYPE_GUESS))
        return covey_i_policy_complain(
            &here, &place, COVEY_EINVAL,
            "groups by quantiles of \"%s\": an insensitive attribute is text unless its type is"
            " given; add type: integer, decimal or date",
            by->attribute);
    return COVEY_OK;
}

covey_status covey_i_policy_check_groups(covey_policy *policy, covey_error *err)
{
    const covey_wish_groups *groups = &policy->groups;
    const covey_yaml place = {.line = groups->line, .column = groups->column};
    const covey_policy_reader r = {policy, groups->line ? policy->path : NULL, groups->line ? NULL : "groups", err};

    if (!groups->is_given)
        return COVEY_OK;
    if (policy->method.method && !policy->method.method->uses_groups) {
        char takers[300];

        name_takers(takers, sizeof takers);
        return covey_i_policy_complain(&r, &place, COVEY_EINVAL,
                                       "the method %s does not use groups; methods that do: %s",
                                       policy->method.method->name, *takers ? takers : "none that is built");
    }
    for (size_t i = 0; i < groups->n; i++)
        COVEY_TRY(check_grouping(&r, &groups->by[i]));
    return COVEY_OK;
}
