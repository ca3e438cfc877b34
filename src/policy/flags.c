/* Flags: every key of a policy can be set from the command line, in any order; a flag wins over the file. */
#include "policy/policy_impl.h"

#include <string.h>

#include "base/error.h"
#include "method/method_impl.h"

/* Text -> node for flags whose nested values are YAML and whose plain ones are taken as they are. */
static covey_status plain_or_yaml(const covey_policy_reader *r, const covey_yaml **out, const char *text)
{
    if (text[0] == '{' || text[0] == '[' || text[0] == '"' || text[0] == '\'')
        return covey_i_policy_flag_yaml(r, out, text);
    *out = covey_i_policy_scalar(r->policy, text);
    return *out ? COVEY_OK : covey_i_no_memory(r->err);
}

/* A list of texts: YAML, or separated by commas. */
static covey_status read_names(const covey_policy_reader *r, const char *const **out, size_t *n, const char *text,
                               bool trim)
{
    const char **names;
    const covey_yaml *node;
    size_t most = 1;

    if (text[0] == '[') {
        COVEY_TRY(covey_i_policy_flag_yaml(r, &node, text));
        return covey_i_policy_texts(r, out, n, node, "the value");
    }
    for (const char *p = text; *p; p++)
        most += *p == ',';
    if (most > COVEY_POLICY_MAX_LIST)
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "more than 10,000 entries");
    if (!(names = covey_arena_array(&r->policy->own->arena, const char *, most)))
        return covey_i_no_memory(r->err);
    *n = 0;
    for (const char *p = text;;) {
        size_t size = strcspn(p, ","), skip = trim ? strspn(p, " ") : 0, keep = size > skip ? size - skip : 0;

        if (skip > size)
            skip = size;
        while (trim && keep > 0 && p[skip + keep - 1] == ' ')
            keep--;
        if (!(names[*n] = covey_arena_strndup(&r->policy->own->arena, p + skip, keep)))
            return covey_i_no_memory(r->err);
        ++*n;
        if (!p[size])
            break;
        p += size + 1;
    }
    *out = names;
    return COVEY_OK;
}

/* --quasi a,b,c and its kin: the first names all attributes of the role, what the file says of others is void; further
 * ones are added. */
static covey_status set_roles(const covey_policy_reader *r, const char *value, covey_role role)
{
    covey_attribute_target target;
    const char *const *names;
    size_t n;

    COVEY_TRY(read_names(r, &names, &n, value, true));
    covey_i_policy_take_role(r, role);
    for (size_t i = 0; i < n; i++) {
        if (names[i][0] == '\0')
            return covey_i_policy_complain(r, NULL, COVEY_EINVAL,
                                           "names are expected, separated by commas, not \"%.120s\"", value);
        COVEY_TRY(covey_i_policy_attribute(r, &target, names[i], NULL));
        COVEY_TRY(covey_i_policy_set_role(r, &target, role, NULL));
    }
    return COVEY_OK;
}

static covey_status set_quasi(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_QUASI);
}

static covey_status set_sensitive(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_SENSITIVE);
}

static covey_status set_insensitive(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_INSENSITIVE);
}

static covey_status set_entity(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_ENTITY);
}

static covey_status set_sampling_weight(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_WEIGHT);
}

static covey_status set_identifier(const covey_policy_reader *r, const char *value)
{
    return set_roles(r, value, COVEY_ROLE_IDENTIFIER);
}

/* NAME=VALUE for the key of an attribute that is called like the flag. */
static covey_status set_attribute_key(const covey_policy_reader *r, const char *value)
{
    const char *equals = strchr(value, '=');
    covey_attribute_target target;
    const covey_yaml *node;
    char *name;
    bool known;

    if (!equals || equals == value)
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "NAME=VALUE is expected, such as %s=..., not \"%.120s\"",
                                       strcmp(r->flag, "within") == 0 ? "person" : "age", value);
    if (!(name = covey_arena_strndup(&r->policy->own->arena, value, (size_t)(equals - value))))
        return covey_i_no_memory(r->err);
    COVEY_TRY(plain_or_yaml(r, &node, equals + 1));
    if (strcmp(r->flag, "hierarchy") == 0 && node->kind == COVEY_YAML_SCALAR &&
        !(node = covey_i_policy_pair(r->policy, "file", node)))
        return covey_i_no_memory(r->err);
    COVEY_TRY(covey_i_policy_attribute(r, &target, name, NULL));
    return covey_i_policy_one(r, &target, r->flag, node, covey_i_policy_attribute_keys, covey_i_policy_n_attribute_keys,
                              &known);
}

static covey_status set_attribute(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;

    COVEY_TRY(covey_i_policy_flag_yaml(r, &node, value));
    return covey_i_policy_read_attribute(r, node);
}

/* TEXT for the whole table, or NAME=TEXT for one attribute. */
static covey_status set_written(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;
    bool known;

    if (strchr(value, '='))
        return set_attribute_key(r, value);
    if (!(node = covey_i_policy_scalar(r->policy, value)))
        return covey_i_no_memory(r->err);
    return covey_i_policy_one(r, r->policy, r->flag, node, covey_i_policy_input_keys, covey_i_policy_n_input_keys,
                              &known);
}

/* A key of `input`. */
static covey_status set_input_key(const covey_policy_reader *r, const char *value)
{
    const char *key = strcmp(r->flag, "input") == 0 ? "path" : r->flag;
    const covey_yaml *node = covey_i_policy_scalar(r->policy, value);
    bool known;

    if (!node)
        return covey_i_no_memory(r->err);
    return covey_i_policy_one(r, r->policy, key, node, covey_i_policy_input_keys, covey_i_policy_n_input_keys, &known);
}

/* The first takes the place of the file's; further ones add. */
static covey_status set_null(const covey_policy_reader *r, const char *value)
{
    const size_t n_before = r->policy->own->null_by_flag ? r->policy->n_null : 0;
    const char *const *before = r->policy->null, *const * texts;
    const char **all;
    size_t n;

    COVEY_TRY(read_names(r, &texts, &n, value, false));
    if (!(all = covey_arena_array(&r->policy->own->arena, const char *, n_before + n)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < n_before + n; i++)
        all[i] = i < n_before ? before[i] : texts[i - n_before];
    r->policy->null = all;
    r->policy->n_null = n_before + n;
    r->policy->own->null_by_flag = true;
    return COVEY_OK;
}

static covey_status set_names(const covey_policy_reader *r, const char *value)
{
    return read_names(r, &r->policy->names, &r->policy->n_names, value, true);
}

/* A key of the policy's top level. */
static covey_status set_top_key(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;
    bool known;

    COVEY_TRY(plain_or_yaml(r, &node, value));
    return covey_i_policy_one(r, r->policy, r->flag, node, covey_i_policy_keys, covey_i_policy_n_keys, &known);
}

/* Speaks of attributes that have lost their role to a flag, too. */
static covey_status set_others(const covey_policy_reader *r, const char *value)
{
    r->policy->own->others_by_flag = true;
    return set_top_key(r, value);
}

static covey_status set_model(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;

    COVEY_TRY(covey_i_policy_short_form(r, &node, "model", value));
    if (!r->policy->own->models_by_flag) {
        r->policy->n_promises = r->policy->own->n_own_promises = 0;
        r->policy->own->models_by_flag = true;
    }
    return covey_i_policy_read_promise(r, node, NULL);
}

static covey_status set_method(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;

    COVEY_TRY(covey_i_policy_short_form(r, &node, "name", value));
    return covey_i_policy_read_method(r, node);
}

/* The comma behind a preset of a list: one that no parameter=value of this preset follows. */
static const char *preset_end(const char *text)
{
    const char *end = covey_policy_value_end(text);

    while (*end && end[1 + strcspn(end + 1, ":=,")] == '=')
        end = covey_policy_value_end(end + 1);
    return end;
}

/* One preset, or several with commas between them; YAML is one mapping or a list. */
static covey_status set_preset(const covey_policy_reader *r, const char *value)
{
    const covey_yaml *node;

    if (value[0] == '[') {
        COVEY_TRY(covey_i_policy_flag_yaml(r, &node, value));
        for (size_t i = 0; i < node->n; i++)
            COVEY_TRY(covey_i_policy_read_preset(r, node->item[i]));
        return COVEY_OK;
    }
    for (;;) {
        const size_t size = value[0] == '{' ? strlen(value) : (size_t)(preset_end(value) - value);
        const char *one = covey_arena_strndup(&r->policy->own->arena, value, size);

        if (!one)
            return covey_i_no_memory(r->err);
        COVEY_TRY(covey_i_policy_short_form(r, &node, "name", one));
        COVEY_TRY(covey_i_policy_read_preset(r, node));
        if (!value[size])
            return COVEY_OK;
        value += size + 1;
    }
}

static const struct flag {
    covey_policy_flag shown;
    covey_status (*set)(const covey_policy_reader *r, const char *value);
} flags[] = {
    {{"input", "FILE", "table to read: CSV, also .gz and .zst"}, set_input_key},
    {{"delimiter", "CHARACTER", "between cells, or tab; guessed if not given"}, set_input_key},
    {{"null", "TEXT,...", "cells that mean \"missing\"; empty ones if not given"}, set_null},
    {{"missing-sensitive", "error|drop|value", "a row without a sensitive value; default error"}, set_input_key},
    {{"missing-quasi", "value|error|drop", "a missing quasi-identifier; default value"}, set_input_key},
    {{"trim", "true|false", "take blanks off both ends of cells, outside quotes"}, set_input_key},
    {{"decimal", "CHARACTER", "before decimal places: , or . (or NAME=CHARACTER)"}, set_written},
    {{"date-format", "FORMAT", "such as DD.MM.YYYY, or NAME=M/D/YY for one attribute"}, set_written},
    {{"header", "true|false", "does the first line name the columns?"}, set_input_key},
    {{"names", "NAME,...", "of columns without a header; 1, 2, ... if not given"}, set_names},
    {{"quasi", "NAME,...", "attributes that others may know: they are generalized"}, set_quasi},
    {{"sensitive", "NAME,...", "attributes that nobody may learn"}, set_sensitive},
    {{"insensitive", "NAME,...", "attributes that are published as they are"}, set_insensitive},
    {{"identifier", "NAME,...", "attributes that are dropped"}, set_identifier},
    {{"entity", "NAME", "the column that says whose rows they are, where persons have several: it is dropped"},
     set_entity},
    {{"sampling-weight", "NAME", "the column of sampling weights: it is dropped"}, set_sampling_weight},
    {{"others", "drop|insensitive", "what happens to other columns; default an error"}, set_others},
    {{"type", "NAME=TYPE", "text, integer, decimal or date; guessed if not given"}, set_attribute_key},
    {{"hierarchy", "NAME=FILE", "a file, or YAML such as '{mask: 5}'"}, set_attribute_key},
    {{"weight", "NAME=NUMBER", "how much its loss counts; 1 if not given"}, set_attribute_key},
    {{"domain", "NAME=[LOW, HIGH]", "the range that losses refer to; default the data's"}, set_attribute_key},
    {{"order", "NAME=[A, B, ...]", "order of the values of a text attribute"}, set_attribute_key},
    {{"within", "NAME=COLUMN", "what those persons are part of, such as households"}, set_attribute_key},
    {{"missing-entity", "NAME=error|own", "a row without a name; default error"}, set_attribute_key},
    {{"publish", "NAME=HOW", "a number: range or label; a weight: value, as it is"}, set_attribute_key},
    {{"unique", "NAME=allowed", "publish a column that tells rows apart as it is"}, set_attribute_key},
    {{"recode", "NAME={KEY: VALUE}", "{top: 90}, bottom, round, age-at, first, rare"}, set_attribute_key},
    {{"attribute", "YAML", "all keys of an attribute: '{name: age, role: quasi-identifier, ...}'"}, set_attribute},
    {{"model", "MODEL:KEY=VALUE,...",
      "a promise, such as k-anonymity:k=5; the first replaces those of the policy file"},
     set_model},
    {{"preset", "PRESET,...", "promises and treatments by name, such as cms11"}, set_preset},
    {{"method", "METHOD", "how to anonymize, also METHOD:KEY=VALUE,...; auto if not given"}, set_method},
    {{"suppression", "SHARE", "share of rows that may be dropped; 0 if not given"}, set_top_key},
    {{"groups", "YAML", "rows that may be mixed: '{by: [region]}'"}, set_top_key},
};
enum { N_FLAGS = sizeof flags / sizeof *flags };

size_t covey_policy_flag_count(void)
{
    return N_FLAGS;
}

const covey_policy_flag *covey_policy_flag_at(size_t index)
{
    return index < N_FLAGS ? &flags[index].shown : NULL;
}

static bool is_method_param(const char *name)
{
    for (size_t i = 0; i < covey_method_count(); i++)
        for (size_t j = 0; j < covey_method_at(i)->n_params; j++)
            if (strcmp(covey_method_at(i)->params[j].name, name) == 0)
                return true;
    return false;
}

/* A method's parameter: kept until the method is known. */
static covey_status wait(covey_policy_reader *r, const char *name, const char *value)
{
    struct covey_policy_own *own = r->policy->own;
    covey_pending *list, pending = {0};
    const covey_yaml *node;

    if (value[0] == '[' || value[0] == '{')
        COVEY_TRY(covey_i_policy_flag_yaml(r, &node, value)); /* a tree: its faults are better found here */
    if (!(pending.name = covey_arena_strdup(&own->arena, name)) ||
        !(pending.text = covey_arena_strdup(&own->arena, value)) ||
        !(list = covey_i_policy_grow(r->policy, own->pending, own->n_pending, sizeof *list)))
        return covey_i_no_memory(r->err);
    own->pending = list;
    own->pending[own->n_pending++] = pending;
    return COVEY_OK;
}

static covey_status unknown_flag(const covey_policy_reader *r, const char *name)
{
    enum { MOST = 128 };
    const covey_policy_reader nowhere = {r->policy, NULL, NULL, r->err};
    const char *names[MOST];
    size_t n = 0;

    for (size_t i = 0; i < N_FLAGS; i++)
        names[n++] = flags[i].shown.name;
    for (size_t i = 0; i < covey_method_count(); i++)
        for (size_t j = 0; j < covey_method_at(i)->n_params && n < MOST; j++)
            names[n++] = covey_method_at(i)->params[j].name;
    return covey_i_policy_unknown(&nowhere, NULL, COVEY_EINVAL, "flag", name, names, n,
                                  "it is no key of a policy and no parameter of a method");
}

covey_status covey_policy_set(covey_policy *policy, const char *key, const char *value, covey_error *err)
{
    covey_policy_reader r = {policy, NULL, key, err};
    size_t bad;

    covey_i_policy_reopen(policy);
    if (!covey_i_text_is_utf8(value, strlen(value), &bad))
        return covey_i_policy_complain(&r, NULL, COVEY_EINVAL, "the value is not UTF-8 text (byte %zu)", bad + 1);
    for (size_t i = 0; i < N_FLAGS; i++)
        if (strcmp(flags[i].shown.name, key) == 0) {
            if (flags[i].set == set_attribute_key && !strchr(value, '=') && is_method_param(key))
                return wait(&r, key, value); /* weight: of an attribute, age=2; of slicing, paper */
            r.flag = flags[i].shown.name;    /* ours lives as long as the policy */
            return flags[i].set(&r, value);
        }
    return is_method_param(key) ? wait(&r, key, value) : unknown_flag(&r, key);
}
