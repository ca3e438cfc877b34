/* Values of YAML nodes: texts, choices, exact numbers, lists, mappings by a table of keys. */
#include "policy/policy_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/recoding/recoding.h"

covey_status covey_i_policy_text(const covey_policy_reader *r, const char **out, const covey_yaml *node,
                                 const char *what)
{
    if (node->kind != COVEY_YAML_SCALAR || node->text[0] == '\0')
        return covey_i_policy_expected(r, node, what, "a text");
    *out = node->text;
    return COVEY_OK;
}

covey_status covey_i_policy_choice(const covey_policy_reader *r, int *out, const covey_yaml *node, const char *what,
                                   const char *const *choices)
{
    const char *text = NULL;
    int n = 0;

    COVEY_TRY(covey_i_policy_text(r, &text, node, what));
    for (; choices[n]; n++)
        if (strcmp(choices[n], text) == 0) {
            *out = n;
            return COVEY_OK;
        }
    return covey_i_policy_unknown(r, node, COVEY_EINVAL, what, text, choices, (size_t)n, NULL);
}

covey_status covey_i_policy_bool(const covey_policy_reader *r, bool *out, const covey_yaml *node, const char *what)
{
    static const char *const words[] = {"false", "no", "true", "yes"};

    for (int i = 0; i < 4 && node->kind == COVEY_YAML_SCALAR; i++)
        if (strcmp(words[i], node->text) == 0) {
            *out = i >= 2;
            return COVEY_OK;
        }
    return covey_i_policy_expected(r, node, what, "true or false");
}

covey_status covey_i_policy_ratio(const covey_policy_reader *r, covey_ratio *out, const covey_yaml *node,
                                  const char *what)
{
    if (node->kind != COVEY_YAML_SCALAR || covey_ratio_parse(out, node->text, NULL) != COVEY_OK)
        return covey_i_policy_expected_number(r, node, what, "a number such as 2, 0.25 or 5/3");
    return COVEY_OK;
}

covey_status covey_i_policy_integer(const covey_policy_reader *r, int64_t *out, const covey_yaml *node,
                                    const char *what, int64_t least)
{
    covey_ratio value;
    char expected[64];

    if (node->kind == COVEY_YAML_SCALAR && covey_i_text_is_long_whole(node->text) && node->text[0] != '-')
        snprintf(expected, sizeof expected, "a whole number of at most " COVEY_MOST_WHOLE);
    else
        snprintf(expected, sizeof expected, "a whole number of at least %lld", (long long)least);
    if (node->kind != COVEY_YAML_SCALAR || covey_ratio_parse(&value, node->text, NULL) != COVEY_OK || value.den != 1 ||
        value.num < least)
        return covey_i_policy_expected(r, node, what, expected);
    *out = value.num;
    return COVEY_OK;
}

covey_status covey_i_policy_texts(const covey_policy_reader *r, const char *const **out, size_t *n,
                                  const covey_yaml *node, const char *what)
{
    const covey_yaml *single[1] = {node};
    const covey_yaml *const *item = node->kind == COVEY_YAML_LIST ? node->item : single;
    size_t count = node->kind == COVEY_YAML_LIST ? node->n : 1;
    const char **texts;

    if (count > COVEY_POLICY_MAX_LIST)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s has more than 10,000 entries", what);
    if (!(texts = covey_arena_array(&r->policy->own->arena, const char *, count)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < count; i++) {
        if (item[i]->kind != COVEY_YAML_SCALAR || covey_i_yaml_is_nothing(item[i]))
            return covey_i_policy_expected(r, item[i], what, "a list of texts");
        texts[i] = item[i]->text;
    }
    *out = texts;
    *n = count;
    return COVEY_OK;
}

covey_status covey_i_policy_decimal(const covey_policy_reader *r, char *out, const covey_yaml *node)
{
    if (node->kind != COVEY_YAML_SCALAR || (strcmp(node->text, ",") != 0 && strcmp(node->text, ".") != 0))
        return covey_i_policy_expected(r, node, "decimal",
                                       "\",\" or \".\", in quotes: what stands in front of decimal places");
    *out = node->text[0];
    return COVEY_OK;
}

covey_status covey_i_policy_date_format(const covey_policy_reader *r, const char **out, const covey_yaml *node)
{
    if (node->kind != COVEY_YAML_SCALAR || !covey_i_recoding_is_date_format(node->text))
        return covey_i_policy_expected(r, node, "date-format",
                                       "made of YYYY or YY, MM or M, DD or D, and what stands between them, such as "
                                       "DD.MM.YYYY or M/D/YY");
    *out = node->text;
    return COVEY_OK;
}

static const covey_policy_key *find_key(const char *name, const covey_policy_key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

covey_status covey_i_policy_map(const covey_policy_reader *r, void *object, const covey_yaml *node, const char *what,
                                const covey_policy_key *keys, size_t n)
{
    enum { MOST = 24 };
    const char *names[MOST];
    char kind[64];

    if (node->kind != COVEY_YAML_MAP) {
        snprintf(kind, sizeof kind, "a mapping such as {%s: ...}", keys[0].name);
        return covey_i_policy_expected(r, node, what, kind);
    }
    for (size_t i = 0; i < node->n; i++) {
        const covey_policy_key *key = find_key(node->key[i]->text, keys, n);

        if (key) {
            COVEY_TRY(key->read(r, object, node->item[i]));
            continue;
        }
        for (size_t j = 0; j < n && j < MOST; j++)
            names[j] = keys[j].name;
        snprintf(kind, sizeof kind, "key in %s:", what);
        return covey_i_policy_unknown(r, node->key[i], COVEY_EINVAL, kind, node->key[i]->text, names,
                                      n < MOST ? n : MOST, NULL);
    }
    return COVEY_OK;
}

covey_status covey_i_policy_one(const covey_policy_reader *r, void *object, const char *name, const covey_yaml *value,
                                const covey_policy_key *keys, size_t n, bool *known)
{
    const covey_policy_key *key = find_key(name, keys, n);

    *known = key != NULL;
    return key ? key->read(r, object, value) : COVEY_OK;
}

covey_yaml *covey_i_policy_scalar(covey_policy *policy, const char *text)
{
    covey_yaml *node = covey_arena_array_zero(&policy->own->arena, covey_yaml, 1);

    if (!node || !(node->text = covey_arena_strdup(&policy->own->arena, text)))
        return NULL;
    node->kind = COVEY_YAML_SCALAR;
    return node;
}

covey_yaml *covey_i_policy_pair(covey_policy *policy, const char *key, const covey_yaml *value)
{
    covey_arena *arena = &policy->own->arena;
    covey_yaml *node = covey_arena_array_zero(arena, covey_yaml, 1);

    if (!value || !node || !(node->key = covey_arena_array_zero(arena, const covey_yaml *, 1)) ||
        !(node->item = covey_arena_array_zero(arena, const covey_yaml *, 1)) ||
        !(node->key[0] = covey_i_policy_scalar(policy, key)))
        return NULL;
    node->kind = COVEY_YAML_MAP;
    node->text = "";
    node->n = 1;
    node->item[0] = value;
    return node;
}

void *covey_i_policy_grow(covey_policy *policy, void *array, size_t n, size_t size)
{
    size_t capacity = n < 4 ? 4 : n * 2;
    char *more;

    /* Full exactly when n is 0 or a power of two from 4 on: no capacity to keep. */
    if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
        return array;
    if (!(more = covey_arena_alloc_zero(&policy->own->arena, capacity, size)))
        return NULL;
    if (n)
        memcpy(more, array, n * size);
    return more;
}
