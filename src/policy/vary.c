/* Policies that differ in one thing: what `covey compare --vary` goes through. */
#include "policy/policy_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/model_impl.h"

static covey_status read_value(const covey_policy_reader *r, const covey_yaml **out, const char *text)
{
    if (text[0] == '{' || text[0] == '[')
        return covey_i_policy_flag_yaml(r, out, text);
    *out = covey_i_policy_scalar(r->policy, text);
    return *out ? COVEY_OK : covey_i_no_memory(r->err);
}

/* --- parameters of promises --- */

static bool has_param(const covey_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_params; i++)
        if (strcmp(model->params[i].name, name) == 0)
            return true;
    return false;
}

/* "k", or "k-anonymity.k": the model's name ends at the point. */
static bool is_meant(const covey_model *model, const char *key)
{
    const size_t n = strlen(model->name);

    return has_param(model, key) ||
           (strncmp(key, model->name, n) == 0 && key[n] == '.' && has_param(model, key + n + 1));
}

/* A mapping with the value of one key put in, or added. */
static const covey_yaml *with_pair(covey_policy *policy, const covey_yaml *map, const char *name,
                                   const covey_yaml *value)
{
    covey_arena *arena = &policy->own->arena;
    covey_yaml *copy = covey_arena_array(arena, covey_yaml, 1);
    const covey_yaml **key = covey_arena_array(arena, const covey_yaml *, map->n + 1);
    const covey_yaml **item = covey_arena_array(arena, const covey_yaml *, map->n + 1);
    size_t at = 0;

    if (!copy || !key || !item)
        return NULL;
    *copy = *map;
    memcpy(key, map->key, map->n * sizeof *key);
    memcpy(item, map->item, map->n * sizeof *item);
    while (at < map->n && strcmp(key[at]->text, name) != 0)
        at++;
    if (at == map->n) {
        if (!(key[at] = covey_i_policy_scalar(policy, name)))
            return NULL;
        copy->n++;
    }
    item[at] = value;
    copy->key = key;
    copy->item = item;
    return copy;
}

/* The promise is read again as it was written, but for the value. */
static covey_status vary_promise(const covey_policy_reader *r, size_t index, const char *name, const covey_yaml *value)
{
    covey_policy *policy = r->policy;
    const int64_t line = policy->promise[index].line, column = policy->promise[index].column;
    covey_text text = COVEY_TEXT_INIT;
    const covey_yaml *map = NULL;
    covey_status status = COVEY_OK;

    covey_i_policy_print_promise(&text, &policy->promise[index]);
    status = text.broken ? covey_i_no_memory(r->err) : covey_i_policy_flag_yaml(r, &map, text.bytes);
    covey_i_text_free(&text);
    if (status != COVEY_OK)
        return status;
    if (!(map = with_pair(policy, map, name, value)))
        return covey_i_no_memory(r->err);
    COVEY_TRY(covey_i_policy_read_promise(r, map, NULL));
    policy->promise[index] = policy->promise[--policy->n_promises];
    policy->promise[index].line = line;
    policy->promise[index].column = column;
    policy->own->n_own_promises = policy->n_promises;
    return COVEY_OK;
}

static covey_status unknown_key(const covey_policy_reader *r, const char *key)
{
    enum { MOST = 64 };
    const covey_policy *policy = r->policy;
    const char *names[MOST] = {"quasi", "suppression"}, *point = strchr(key, '.');
    size_t n = 2;

    if (point) {
        char model[80];

        snprintf(model, sizeof model, "%.*s", (int)(point - key), key);
        for (size_t i = 0; i < policy->n_promises; i++)
            if (strcmp(policy->promise[i].model->name, model) == 0)
                return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "the model %s has no parameter \"%.60s\"", model,
                                               point + 1);
        if (covey_model_find(model))
            return covey_i_policy_complain(r, NULL, COVEY_EINVAL,
                                           "the policy does not promise %s: add it with --model %s:%.60s=...", model,
                                           model, point + 1);
        return covey_i_policy_complain(r, NULL, COVEY_ENOTFOUND,
                                       "there is no model \"%.60s\"; `covey models` lists them", model);
    }
    for (size_t i = 0; i < policy->n_promises; i++)
        for (size_t j = 0; j < policy->promise[i].model->n_params && n < MOST; j++) {
            const char *name = policy->promise[i].model->params[j].name;
            bool listed = false;

            for (size_t k = 0; k < n; k++)
                listed |= strcmp(names[k], name) == 0;
            if (!listed)
                names[n++] = name;
        }
    for (size_t i = 0; i < covey_model_count(); i++)
        if (has_param(covey_model_at(i), key))
            return covey_i_policy_complain(r, NULL, COVEY_EINVAL,
                                           "no model that the policy promises has a parameter %s", key);
    return covey_i_policy_unknown(r, NULL, COVEY_EINVAL, "thing to vary:", key, names, n, NULL);
}

static covey_status vary_param(const covey_policy_reader *r, const char *key, const char *text)
{
    const char *point = strrchr(key, '.'), *name = point ? point + 1 : key;
    const covey_yaml *value;
    bool any = false;

    COVEY_TRY(read_value(r, &value, text));
    for (size_t i = 0; i < r->policy->n_promises; i++)
        if (is_meant(r->policy->promise[i].model, key)) {
            COVEY_TRY(vary_promise(r, i, name, value));
            any = true;
        }
    return any ? COVEY_OK : unknown_key(r, key);
}

/* --- sets of quasi-identifiers --- */

/* Texts between plus signs as a YAML list. */
static covey_status read_set(const covey_policy_reader *r, const char *const **name, size_t *n, const char *text)
{
    covey_arena *arena = &r->policy->own->arena;
    const covey_yaml *node;
    const char **names;
    size_t most = 1;

    if (text[0] == '[') {
        COVEY_TRY(covey_i_policy_flag_yaml(r, &node, text));
        return covey_i_policy_texts(r, name, n, node, "a set of quasi-identifiers");
    }
    for (const char *p = text; *p; p++)
        most += *p == '+';
    if (!(names = covey_arena_array(arena, const char *, most)))
        return covey_i_no_memory(r->err);
    for (*n = 0; *n < most; text += strcspn(text, "+") + 1)
        if (!(names[(*n)++] = covey_arena_strndup(arena, text, strcspn(text, "+"))))
            return covey_i_no_memory(r->err);
    *name = names;
    return COVEY_OK;
}

/* Of the policy, whichever set was tried before. */
static bool is_quasi(const covey_wish_attribute *a)
{
    return a->role == COVEY_ROLE_QUASI || a->is_left_out;
}

static covey_status check_name(const covey_policy_reader *r, const char *name)
{
    const covey_policy *policy = r->policy;
    const int found = covey_i_policy_find_attribute(policy, name);
    const char **names;
    size_t n = 0;

    if (found >= 0 && is_quasi(&policy->attribute[found]))
        return COVEY_OK;
    if (found >= 0)
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL,
                                       "\"%.120s\" is no quasi-identifier of the policy: sets are made of those", name);
    if (!(names = covey_arena_array(&policy->own->arena, const char *, policy->n_attributes)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (is_quasi(&policy->attribute[i]))
            names[n++] = policy->attribute[i].name;
    return covey_i_policy_unknown(r, NULL, COVEY_ENOTFOUND, "quasi-identifier", name, names, n, NULL);
}

static covey_status vary_quasi(const covey_policy_reader *r, const char *text)
{
    const covey_policy *policy = r->policy;
    const covey_role left_out =
        policy->others == COVEY_ROLE_INSENSITIVE ? COVEY_ROLE_INSENSITIVE : COVEY_ROLE_IDENTIFIER;
    const char *const *name;
    size_t n;

    COVEY_TRY(read_set(r, &name, &n, text));
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(check_name(r, name[i]));
    for (size_t i = 0; i < policy->n_attributes; i++) {
        covey_wish_attribute *a = &policy->attribute[i];

        if (!is_quasi(a))
            continue;
        a->is_left_out = true;
        for (size_t j = 0; j < n; j++)
            a->is_left_out &= strcmp(a->name, name[j]) != 0;
        a->role = a->is_left_out ? left_out : COVEY_ROLE_QUASI;
    }
    return COVEY_OK;
}

covey_status covey_policy_vary(covey_policy *policy, const char *key, const char *value, covey_error *err)
{
    const covey_policy_reader r = {policy, NULL, "vary", err};
    const covey_yaml *node;
    size_t bad;
    bool known;

    covey_i_policy_reopen(policy);
    if (!covey_i_text_is_utf8(value, strlen(value), &bad) || !covey_i_text_is_utf8(key, strlen(key), &bad))
        return covey_i_policy_complain(&r, NULL, COVEY_EINVAL, "the value is not UTF-8 text (byte %zu)", bad + 1);
    if (strcmp(key, "quasi") == 0)
        return vary_quasi(&r, value);
    if (strcmp(key, "suppression") != 0)
        return vary_param(&r, key, value);
    COVEY_TRY(read_value(&r, &node, value));
    return covey_i_policy_one(&r, policy, key, node, covey_i_policy_keys, covey_i_policy_n_keys, &known);
}
