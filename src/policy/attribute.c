/* Attributes of a policy and their keys. */
#include "policy/policy_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "policy/entity.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

int covey_i_policy_find_attribute(const covey_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (strcmp(policy->attribute[i].name, name) == 0)
            return (int)i;
    return -1;
}

static const covey_wish_attribute *first_of_role(const covey_policy *policy, covey_role role)
{
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].role == role)
            return &policy->attribute[i];
    return NULL;
}

const covey_wish_attribute *covey_i_policy_entity(const covey_policy *policy)
{
    return first_of_role(policy, COVEY_ROLE_ENTITY);
}

const covey_wish_attribute *covey_i_policy_weight(const covey_policy *policy)
{
    return first_of_role(policy, COVEY_ROLE_WEIGHT);
}

const char *covey_policy_unpublished(char digits[12], const covey_policy *policy, const char *name)
{
    for (size_t i = 0; name && i < policy->n_names; i++)
        if (strcmp(policy->names[i], name) == 0) {
            snprintf(digits, 12, "%u", (unsigned)i + 1);
            return digits;
        }
    return name;
}

covey_status covey_i_policy_attribute(const covey_policy_reader *r, covey_attribute_target *out, const char *name,
                                      const covey_yaml *node)
{
    covey_policy *policy = r->policy;
    size_t n = policy->n_attributes;
    int found = covey_i_policy_find_attribute(policy, name);

    if (found < 0) {
        covey_wish_attribute *attribute;
        covey_attribute_facts *facts;

        if (n >= COVEY_POLICY_MAX_ATTRIBUTES)
            return covey_i_policy_complain(r, node, COVEY_EINVAL, "more than 10,000 attributes");
        attribute = covey_i_policy_grow(policy, policy->attribute, n, sizeof *attribute);
        facts = covey_i_policy_grow(policy, policy->own->facts, n, sizeof *facts);
        if (!attribute || !facts || !(name = covey_arena_strdup(&policy->own->arena, name)))
            return covey_i_no_memory(r->err);
        policy->attribute = attribute;
        policy->own->facts = facts;
        attribute[n] = (covey_wish_attribute){.name = name, .weight = {1, 1}};
        facts[n] = (covey_attribute_facts){0};
        if (r->file && node) {
            attribute[n].line = node->line;
            attribute[n].column = node->column;
        }
        found = (int)n;
        policy->n_attributes++;
    }
    out->attribute = &policy->attribute[found];
    out->facts = &policy->own->facts[found];
    return COVEY_OK;
}

static covey_status skip(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return COVEY_OK; /* the name, which was read first */
}

covey_status covey_i_policy_set_role(const covey_policy_reader *r, covey_attribute_target *target, covey_role role,
                                     const covey_yaml *node)
{
    const char *flag = target->facts->role_flag;

    if (r->flag && flag && target->attribute->role != role)
        return covey_i_policy_complain(r, node, COVEY_EINVAL,
                                       "attribute \"%s\" has another role by --%s: one attribute has one role",
                                       target->attribute->name, flag);
    target->attribute->role = role;
    target->facts->lost_to = NULL;
    if (r->flag)
        target->facts->role_flag = r->flag;
    return COVEY_OK;
}

void covey_i_policy_take_role(const covey_policy_reader *r, covey_role role)
{
    for (size_t i = 0; i < r->policy->n_attributes; i++)
        if (r->policy->attribute[i].role == role && !r->policy->own->facts[i].role_flag) {
            r->policy->attribute[i].role = COVEY_ROLE_UNSET;
            r->policy->own->facts[i].lost_to = r->flag;
        }
}

static covey_status read_role(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"identifier", "quasi-identifier", "sensitive", "insensitive",
                                          "entity",     "weight",           NULL};
    static const covey_role roles[] = {COVEY_ROLE_IDENTIFIER,  COVEY_ROLE_QUASI,  COVEY_ROLE_SENSITIVE,
                                       COVEY_ROLE_INSENSITIVE, COVEY_ROLE_ENTITY, COVEY_ROLE_WEIGHT};
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "role", choices));
    return covey_i_policy_set_role(r, object, roles[choice], node);
}

static covey_status read_type(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"text", "integer", "decimal", "date", NULL};
    static const covey_type types[] = {COVEY_TYPE_TEXT, COVEY_TYPE_INTEGER, COVEY_TYPE_DECIMAL, COVEY_TYPE_DATE};
    const covey_attribute_target *target = object;
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "type", choices));
    target->attribute->type = types[choice];
    return COVEY_OK;
}

static covey_status read_weight(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;
    covey_ratio weight;

    COVEY_TRY(covey_i_policy_ratio(r, &weight, node, "weight"));
    if (weight.num <= 0)
        return covey_i_policy_expected(r, node, "weight", "greater than 0");
    target->attribute->weight = weight;
    target->attribute->has_weight = true;
    return COVEY_OK;
}

/* Is text a number (1) or a date (2)?  0: neither. */
static int measure(const char *text, int64_t *value, covey_ratio *number)
{
    int scale;

    if (covey_i_typing_parse_decimal(value, &scale, text, strlen(text)) &&
        covey_ratio_parse(number, text, NULL) == COVEY_OK)
        return 1;
    return covey_i_typing_parse_date(value, text, strlen(text)) ? 2 : 0;
}

static covey_status read_domain(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char expected[] = "[low, high], two numbers or two dates such as 2020-01-31";
    const covey_attribute_target *target = object;
    const char *const *bound;
    covey_ratio low, high;
    int64_t low_day, high_day;
    size_t n;
    int kind;

    if (node->kind != COVEY_YAML_LIST || node->n != 2)
        return covey_i_policy_expected(r, node, "domain", expected);
    COVEY_TRY(covey_i_policy_texts(r, &bound, &n, node, "domain"));
    kind = measure(bound[0], &low_day, &low);
    if (kind == 0)
        return covey_i_policy_expected_number(r, node->item[0], "domain", expected);
    if (measure(bound[1], &high_day, &high) != kind)
        return covey_i_policy_expected_number(r, node->item[1], "domain", expected);
    if (kind == 1 ? covey_ratio_compare(low, high) > 0 : low_day > high_day)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "domain [%s, %s] ends before it begins", bound[0],
                                       bound[1]);
    target->attribute->domain_low = bound[0];
    target->attribute->domain_high = bound[1];
    target->attribute->has_domain = true;
    return COVEY_OK;
}

static covey_status read_order(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;
    covey_arena *arena = &r->policy->own->arena;
    const char *const *order;
    const char **sorted;
    size_t n;

    if (node->kind != COVEY_YAML_LIST || node->n == 0)
        return covey_i_policy_expected(r, node, "order", "a list of all values such as [low, mid, high]");
    COVEY_TRY(covey_i_policy_texts(r, &order, &n, node, "order"));
    if (!(sorted = covey_arena_array(arena, const char *, n)))
        return covey_i_no_memory(r->err);
    memcpy(sorted, order, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, covey_i_compare_strings);
    for (size_t i = 1; i < n; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return covey_i_policy_complain(r, node, COVEY_EINVAL, "order lists \"%.80s\" twice", sorted[i]);
    target->attribute->order = order;
    target->attribute->n_order = n;
    return COVEY_OK;
}

static covey_status read_publish(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"range", "label", "value", NULL};
    const covey_attribute_target *target = object;
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "publish", choices));
    target->attribute->publish_range = choice == 0;
    target->attribute->publish_value = choice == 2;
    target->facts->publish_label = choice == 1;
    return COVEY_OK;
}

static covey_status read_unique(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"allowed", "refused", NULL};
    const covey_attribute_target *target = object;
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "unique", choices));
    target->attribute->may_be_unique = choice == 0;
    return COVEY_OK;
}

/* One key of `recode`: a text that stands for a number or a day. */
static covey_status read_text_into(const covey_policy_reader *r, const char **out, const covey_yaml *node)
{
    if (node->kind != COVEY_YAML_SCALAR)
        return covey_i_policy_expected(r, node, "recode", "{top: 90, bottom: 18, round: 5, ...}");
    *out = node->text;
    return COVEY_OK;
}

static covey_status read_top(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_text_into(r, &((covey_recoding *)object)->top, node);
}

static covey_status read_bottom(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_text_into(r, &((covey_recoding *)object)->bottom, node);
}

static covey_status read_round(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_text_into(r, &((covey_recoding *)object)->round, node);
}

static covey_status read_age_at(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_text_into(r, &((covey_recoding *)object)->age_at, node);
}

static covey_status read_first(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_integer(r, &((covey_recoding *)object)->first, node, "first", 1);
}

static covey_status read_rare(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_integer(r, &((covey_recoding *)object)->rare, node, "rare", 2);
}

static covey_status read_recode(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const covey_policy_key keys[] = {{"top", read_top},       {"bottom", read_bottom}, {"round", read_round},
                                            {"age-at", read_age_at}, {"first", read_first},   {"rare", read_rare}};
    const covey_attribute_target *target = object;
    covey_recoding *recoding = &target->attribute->recoding;
    const char *fault;

    *recoding = (covey_recoding){.decimal = recoding->decimal, .date_format = recoding->date_format};
    COVEY_TRY(covey_i_policy_map(r, recoding, node, "recode", keys, sizeof keys / sizeof *keys));
    fault = covey_i_recoding_fault(recoding);
    return fault ? covey_i_policy_complain(r, node, COVEY_EINVAL, "recode: %s", fault) : COVEY_OK;
}

static covey_status read_decimal(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;

    return covey_i_policy_decimal(r, &target->attribute->recoding.decimal, node);
}

static covey_status read_date_format(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;

    return covey_i_policy_date_format(r, &target->attribute->recoding.date_format, node);
}

static covey_status read_within(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;

    return covey_i_policy_text(r, &target->attribute->within, node, "within");
}

static covey_status read_missing_entity(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"error", "own", NULL};
    const covey_attribute_target *target = object;
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "missing-entity", choices));
    target->attribute->missing_is_own = choice == 1;
    return COVEY_OK;
}

const covey_policy_key covey_i_policy_attribute_keys[] = {
    {"name", skip},
    {"role", read_role},
    {"type", read_type},
    {"hierarchy", covey_i_policy_read_hierarchy},
    {"weight", read_weight},
    {"domain", read_domain},
    {"order", read_order},
    {"publish", read_publish},
    {"unique", read_unique},
    {"recode", read_recode},
    {"decimal", read_decimal},
    {"date-format", read_date_format},
    {"within", read_within},
    {"missing-entity", read_missing_entity},
};
const size_t covey_i_policy_n_attribute_keys =
    sizeof covey_i_policy_attribute_keys / sizeof *covey_i_policy_attribute_keys;

covey_status covey_i_policy_read_attribute(const covey_policy_reader *r, const covey_yaml *node)
{
    const covey_yaml *name_node = covey_i_yaml_get(node, "name");
    covey_attribute_target target;
    const char *name;
    int twin;

    if (node->kind != COVEY_YAML_MAP)
        return covey_i_policy_expected(r, node, "an attribute",
                                       "a mapping such as {name: age, role: quasi-identifier}");
    if (!name_node)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "an attribute has no name: add `name: COLUMN`");
    COVEY_TRY(covey_i_policy_text(r, &name, name_node, "name"));
    twin = covey_i_policy_find_attribute(r->policy, name);
    if (r->file && twin >= 0)
        return covey_i_policy_complain(r, name_node, COVEY_EINVAL,
                                       "attribute \"%.120s\" stands here twice, first in line %lld", name,
                                       (long long)r->policy->attribute[twin].line);
    COVEY_TRY(covey_i_policy_attribute(r, &target, name, node));
    return covey_i_policy_map(r, &target, node, "an attribute", covey_i_policy_attribute_keys,
                              covey_i_policy_n_attribute_keys);
}
