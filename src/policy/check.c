/* Completes a policy and checks what depends on several of its keys. */
#include "policy/policy_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/model_impl.h"
#include "policy/invariance.h"
#include "policy/preset/preset_impl.h"
#include "table/table_impl.h"

void covey_i_policy_reopen(covey_policy *policy)
{
    policy->is_checked = false;
    policy->n_promises = policy->own->n_own_promises;
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->own->facts[i].lost_to)
            policy->attribute[i].role = COVEY_ROLE_UNSET;
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].hierarchy_preset) {
            policy->attribute[i].hierarchy = (covey_hierarchy_spec)COVEY_HIERARCHY_SPEC_INIT;
            policy->attribute[i].hierarchy_preset = NULL;
        }
    policy->n_warnings = 0;
}

/* Fails at a place of the policy file, or without one if a flag is to blame. */
static covey_status fail_at(const covey_policy *policy, int64_t line, int64_t column, covey_error *err, const char *fmt,
                            ...) COVEY_PRINTF(5, 6);
static covey_status fail_at(const covey_policy *policy, int64_t line, int64_t column, covey_error *err, const char *fmt,
                            ...)
{
    char message[900];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (policy->path && line > 0)
        return covey_fail_at(err, COVEY_EINVAL, policy->path, line, NULL, column, "%s", message);
    return covey_fail(err, COVEY_EINVAL, "%s", message);
}

/* Of a flag's attribute the column is known by its name alone. */
#define FAIL_ATTRIBUTE(a, ...)                                                                                         \
    covey_i_error_names(fail_at(policy, (a)->line, (a)->column, err, __VA_ARGS__), NULL, (a)->line ? NULL : (a)->name, \
                        err)

static bool is_numeric(covey_type type)
{
    return type == COVEY_TYPE_INTEGER || type == COVEY_TYPE_DECIMAL || type == COVEY_TYPE_DATE;
}

/* Do the ends of a domain belong to a declared type?  Integers may have one with places behind the point. */
static bool fits_domain(covey_type type, const char *text)
{
    const bool is_date = covey_i_typing_parse_date(&(int64_t){0}, text, strlen(text));

    return type == COVEY_TYPE_GUESS || is_date == (type == COVEY_TYPE_DATE);
}

/* Numbers and dates that are written in another way. */
static covey_status check_recoding(const covey_policy *policy, const covey_wish_attribute *a, covey_error *err)
{
    const bool is_text = a->type == COVEY_TYPE_TEXT || a->n_order;

    if (a->recoding.decimal && (is_text || a->type == COVEY_TYPE_DATE))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s: `decimal` is for numbers", a->name,
                              is_text ? "text" : "date");
    if (a->recoding.date_format && (is_text || (a->type != COVEY_TYPE_GUESS && a->type != COVEY_TYPE_DATE)))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s: `date-format` is for dates", a->name,
                              is_text ? "text" : covey_type_name(a->type));
    if (a->recoding.decimal && a->recoding.date_format)
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is said to be a number, by `decimal`, and a date, by `date-format`",
                              a->name);
    return COVEY_OK;
}

static covey_status check_type(const covey_policy *policy, const covey_wish_attribute *a, covey_error *err)
{
    const covey_hierarchy_kind kind = a->hierarchy.kind;

    if (a->n_order && is_numeric(a->type))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s: `order` is for text, numbers and dates have their own",
                              a->name, covey_type_name(a->type));
    if (a->has_domain && (a->type == COVEY_TYPE_TEXT || a->n_order))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is text: `domain` is for numbers and dates", a->name);
    if (a->has_domain && (!fits_domain(a->type, a->domain_low) || !fits_domain(a->type, a->domain_high)))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s, but its domain is [%s, %s]", a->name,
                              covey_type_name(a->type), a->domain_low, a->domain_high);
    if (a->publish_range && (a->type == COVEY_TYPE_TEXT || a->n_order))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is text: it has no ranges to publish", a->name);
    if (kind == COVEY_HIERARCHY_INTERVAL && (a->type == COVEY_TYPE_TEXT || a->type == COVEY_TYPE_DATE || a->n_order))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s: intervals are for numbers", a->name,
                              a->n_order ? "text" : covey_type_name(a->type));
    if (kind == COVEY_HIERARCHY_CUTS && (a->type == COVEY_TYPE_TEXT || a->n_order))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is text: cuts are for numbers and dates", a->name);
    if (kind == COVEY_HIERARCHY_DATE && ((a->type != COVEY_TYPE_GUESS && a->type != COVEY_TYPE_DATE) || a->n_order))
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is %s: date hierarchies are for dates", a->name,
                              a->n_order ? "text" : covey_type_name(a->type));
    return COVEY_OK;
}

/* Keys that do nothing for an attribute of this role. */
static covey_status warn_unused(covey_policy *policy, const covey_wish_attribute *a, covey_error *err)
{
    const bool is_quasi = a->role == COVEY_ROLE_QUASI, is_sensitive = a->role == COVEY_ROLE_SENSITIVE,
               is_published_weight = a->role == COVEY_ROLE_WEIGHT && a->publish_value;
    const struct {
        const char *key;
        bool given, used;
    } keys[] = {
        {"hierarchy", a->hierarchy.kind != COVEY_HIERARCHY_NONE, is_quasi || is_sensitive},
        {"weight", a->has_weight, is_quasi},
        {"domain", a->has_domain, is_quasi},
        {"order", a->n_order > 0, is_quasi || is_sensitive},
        {"publish", a->publish_range, is_quasi},
        {"publish", a->publish_value, a->role == COVEY_ROLE_WEIGHT},
        {"unique", a->may_be_unique, a->role == COVEY_ROLE_INSENSITIVE || is_published_weight},
        {"missing-entity", a->missing_is_own, a->role == COVEY_ROLE_ENTITY},
    };

    if (is_quasi && a->has_domain && a->hierarchy.kind != COVEY_HIERARCHY_NONE && !a->publish_range)
        COVEY_TRY(covey_i_policy_warn(policy, err,
                                      "attribute \"%.120s\": `domain` has no effect beside a hierarchy, whose labels "
                                      "losses refer to",
                                      a->name));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].given && !keys[i].used)
            COVEY_TRY(covey_i_policy_warn(
                policy, err, "attribute \"%.120s\": `%s` has no effect on a column that is %s", a->name, keys[i].key,
                is_published_weight               ? "a sampling weight"
                : covey_role_is_dropped(a->role)  ? "dropped"
                : a->role == COVEY_ROLE_SENSITIVE ? "sensitive"
                : is_quasi                        ? "a quasi-identifier"
                                                  : "published as it is"));
    return COVEY_OK;
}

static covey_status check_names(const covey_policy *policy, covey_error *err)
{
    if (policy->n_names && !policy->no_header)
        return covey_fail(err, COVEY_EINVAL,
                          "names are given, but the table's first line names its columns: say `header: false` under "
                          "input if it does not");
    return COVEY_OK;
}

static covey_status check_attribute(covey_policy *policy, size_t index, covey_error *err)
{
    const covey_wish_attribute *a = &policy->attribute[index];

    COVEY_TRY(check_type(policy, a, err));
    COVEY_TRY(check_recoding(policy, a, err));
    if (a->publish_value && a->role == COVEY_ROLE_QUASI)
        return FAIL_ATTRIBUTE(
            a,
            "attribute \"%s\" is a quasi-identifier and cannot be published as it is: `publish: value` "
            "is for sampling weights (role weight)",
            a->name);
    if (policy->own->facts[index].publish_label && a->role == COVEY_ROLE_QUASI &&
        a->hierarchy.kind == COVEY_HIERARCHY_NONE)
        return FAIL_ATTRIBUTE(a, "attribute \"%s\" is to be published by labels, but has no hierarchy", a->name);
    if (a->within && a->role != COVEY_ROLE_ENTITY) /* the wish that no household is told apart would be ignored */
        return FAIL_ATTRIBUTE(a,
                              "attribute \"%s\" is within \"%s\", but names nobody: give it the role entity, or leave "
                              "`within` out",
                              a->name, a->within);
    return warn_unused(policy, a, err);
}

/* What becomes of an attribute of the file that a flag has taken the role from?  The file's `others: insensitive` was
 * not meant for it: nothing is published in the clear that way. */
static covey_status settle_lost_role(const covey_policy *policy, size_t index, covey_error *err)
{
    covey_wish_attribute *a = &policy->attribute[index];
    const char *flag = policy->own->facts[index].lost_to;

    if (!flag)
        return COVEY_OK;
    if (policy->others != COVEY_ROLE_IDENTIFIER && !policy->own->others_by_flag)
        return fail_at(
            policy, 0, 0, err,
            "--%s names all attributes of that role, and not \"%s\", which has it in %s: name it there too, in another"
            " role, or say with --others drop or --others insensitive what becomes of it",
            flag, a->name, policy->path ? policy->path : "the policy");
    a->role = (covey_role)policy->others;
    return COVEY_OK;
}

static covey_status check_roles(const covey_policy *policy, covey_error *err)
{
    size_t n_quasi = 0;

    for (size_t i = 0; i < policy->n_attributes; i++) {
        covey_wish_attribute *a = &policy->attribute[i];

        COVEY_TRY(settle_lost_role(policy, i, err));
        if (a->role == COVEY_ROLE_UNSET && a->may_be_unique && policy->others == COVEY_ROLE_INSENSITIVE)
            a->role = COVEY_ROLE_INSENSITIVE; /* that it may be unique is said of what is published as it is */
        if (a->role == COVEY_ROLE_UNSET)
            return FAIL_ATTRIBUTE(a,
                                  "attribute \"%s\" has no role: identifier, quasi-identifier, sensitive or "
                                  "insensitive%s",
                                  a->name, policy->others ? "; `others` is for columns that are not named" : "");
        n_quasi += a->role == COVEY_ROLE_QUASI;
    }
    if (n_quasi == 0)
        return fail_at(policy, 0, 0, err,
                       "%s%sthe policy has no quasi-identifier: give the attributes that others may know the role"
                       " quasi-identifier, or name them with --quasi",
                       policy->path ? policy->path : "", policy->path ? ": " : "");
    return COVEY_OK;
}

/* Persons are named by one column, and what they are part of by another, which is not published either. */
static covey_status check_entity(const covey_policy *policy, covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(policy);
    int within;

    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].role == COVEY_ROLE_ENTITY && &policy->attribute[i] != entity)
            return FAIL_ATTRIBUTE(&policy->attribute[i],
                                  "attributes \"%s\" and \"%s\" are both the entity: rows belong to one; say `within` "
                                  "where one is part of the other",
                                  entity->name, policy->attribute[i].name);
    for (size_t i = 0; i < policy->n_promises; i++)
        if (policy->promise[i].has_units && !entity)
            return fail_at(
                policy, policy->promise[i].line, policy->promise[i].column, err,
                "model %s: `units` is for tables whose rows belong to persons or households: give the column "
                "that names them the role entity",
                policy->promise[i].model->name);
    if (!entity || !entity->within)
        return COVEY_OK;
    within = covey_i_policy_find_attribute(policy, entity->within);
    if (strcmp(entity->within, entity->name) == 0)
        return FAIL_ATTRIBUTE(entity, "attribute \"%s\" is within itself: name the column of what it is part of",
                              entity->name);
    if (within >= 0 ? policy->attribute[within].role != COVEY_ROLE_IDENTIFIER : policy->others != COVEY_ROLE_IDENTIFIER)
        return FAIL_ATTRIBUTE(entity,
                              "attribute \"%s\" is within \"%s\", which names a household or the like and must not be "
                              "published: give it the role identifier",
                              entity->name, entity->within);
    return COVEY_OK;
}

/* How many people a row stands for is one number, and positive: what is written otherwise is the data's fault. */
static covey_status check_weight(const covey_policy *policy, covey_error *err)
{
    const covey_wish_attribute *weight = covey_i_policy_weight(policy);

    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].role == COVEY_ROLE_WEIGHT && &policy->attribute[i] != weight)
            return FAIL_ATTRIBUTE(&policy->attribute[i],
                                  "attributes \"%s\" and \"%s\" are both the sampling weight: a row has one; give the "
                                  "other (such as a replicate weight) the role identifier, which drops it",
                                  weight->name, policy->attribute[i].name);
    if (weight && (weight->type == COVEY_TYPE_TEXT || weight->type == COVEY_TYPE_DATE))
        return FAIL_ATTRIBUTE(weight, "attribute \"%s\" is a sampling weight, which is a number, and not a %s",
                              weight->name, covey_type_name(weight->type));
    return COVEY_OK;
}

/* The names of the sensitive attributes, as a message shows them; returns their number. */
static size_t list_sensitive(char *out, size_t size, const covey_policy *policy)
{
    size_t n = 0, used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < policy->n_attributes; i++) {
        if (policy->attribute[i].role != COVEY_ROLE_SENSITIVE)
            continue;
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", n ? ", " : "", policy->attribute[i].name);
        n++;
    }
    return n;
}

/* A promise about an attribute: it must be there and have the role that the model is about. */
static covey_status check_named(const covey_policy *policy, const covey_wish_promise *p, covey_role role,
                                covey_error *err)
{
    enum { MOST = 256 };
    const char *names[MOST], *near;
    const int found = covey_i_policy_find_attribute(policy, p->attribute);
    size_t n = 0;

    if (found >= 0 && policy->attribute[found].role == role)
        return COVEY_OK;
    if (found >= 0)
        return fail_at(policy, p->line, p->column, err, "model %s is about a %s attribute, but \"%s\" is %s",
                       p->model->name, covey_role_name(role), p->attribute,
                       covey_role_name(policy->attribute[found].role));
    for (size_t i = 0; i < policy->n_attributes && n < MOST; i++)
        if (policy->attribute[i].role == role)
            names[n++] = policy->attribute[i].name;
    if ((near = covey_nearest_name(p->attribute, names, n)))
        return fail_at(policy, p->line, p->column, err, "model %s: there is no attribute \"%s\"; did you mean \"%s\"?",
                       p->model->name, p->attribute, near);
    return fail_at(policy, p->line, p->column, err, "model %s: there is no attribute \"%s\" in the policy",
                   p->model->name, p->attribute);
}

static covey_status check_promise(const covey_policy *policy, const covey_wish_promise *p, covey_error *err)
{
    const char *model = p->model->name;
    char names[300];
    const size_t n_sensitive = list_sensitive(names, sizeof names, policy);

    if (!(p->model->traits & COVEY_MODEL_SENSITIVE)) {
        if (p->joint)
            return fail_at(policy, p->line, p->column, err,
                           "model %s is not about sensitive attributes: take out `joint`", model);
        if (p->model->traits & COVEY_MODEL_RANGES)
            return p->attribute ? check_named(policy, p, COVEY_ROLE_QUASI, err)
                                : fail_at(policy, p->line, p->column, err,
                                          "model %s needs `attribute`: the quasi-identifier that it is about", model);
        if (p->attribute)
            return fail_at(policy, p->line, p->column, err,
                           "model %s is not about a single attribute: take out `attribute`", model);
        return COVEY_OK;
    }
    if (n_sensitive == 0)
        return fail_at(policy, p->line, p->column, err,
                       "model %s needs a sensitive attribute, and the policy has none: give one the role sensitive,"
                       " or name it with --sensitive",
                       model);
    if (p->attribute)
        return check_named(policy, p, COVEY_ROLE_SENSITIVE, err);
    if (p->joint && n_sensitive < 2)
        return fail_at(policy, p->line, p->column, err,
                       "model %s: `joint` is for two or more sensitive attributes, the policy has one (%s)", model,
                       names);
    if (!p->joint && n_sensitive > 1)
        return fail_at(policy, p->line, p->column, err,
                       "model %s must say which sensitive attribute it is about (%s): add `attribute: NAME`, or"
                       " `joint: true` for their combination",
                       model, names);
    return COVEY_OK;
}

/* Is there a promise that limits what a class reveals of this attribute? */
static bool is_protected(const covey_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->n_promises; i++) {
        const covey_wish_promise *p = &policy->promise[i];

        if ((p->model->traits & COVEY_MODEL_SENSITIVE) && (!p->attribute || strcmp(p->attribute, name) == 0))
            return true;
    }
    return false;
}

static covey_status check_promises(covey_policy *policy, covey_error *err)
{
    if (policy->n_promises == 0)
        return covey_fail_at(
            err, COVEY_EINVAL, policy->path, 0, NULL, 0,
            "the policy promises nothing: add a model under privacy, such as {model: k-anonymity, k: 5}, or a preset");
    for (size_t i = 0; i < policy->n_promises; i++)
        COVEY_TRY(check_promise(policy, &policy->promise[i], err));
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].role == COVEY_ROLE_SENSITIVE && !is_protected(policy, policy->attribute[i].name))
            COVEY_TRY(covey_i_policy_warn(
                policy, err,
                "no promise is about the sensitive attribute \"%.120s\": all rows of a class may share one value"
                " of it, which tells it of everybody there",
                policy->attribute[i].name));
    return COVEY_OK;
}

covey_status covey_policy_check(covey_policy *policy, covey_error *err)
{
    covey_i_policy_reopen(policy);
    if (!policy->input_path)
        return fail_at(policy, 0, 0, err, "%s%sthe policy names no table: add `input: {path: FILE}`, or --input FILE",
                       policy->path ? policy->path : "", policy->path ? ": " : "");
    COVEY_TRY(check_names(policy, err));
    COVEY_TRY(check_roles(policy, err));
    COVEY_TRY(covey_i_presets_apply(policy, err));
    for (size_t i = 0; i < policy->n_attributes; i++)
        COVEY_TRY(check_attribute(policy, i, err));
    COVEY_TRY(check_entity(policy, err));
    COVEY_TRY(check_weight(policy, err));
    COVEY_TRY(check_promises(policy, err));
    COVEY_TRY(covey_i_policy_check_invariance(policy, err));
    COVEY_TRY(covey_i_policy_complete_method(policy, err));
    COVEY_TRY(covey_i_policy_check_groups(policy, err));
    policy->is_checked = true;
    return COVEY_OK;
}
