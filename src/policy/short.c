/* The short form of models, methods and presets in flags: name:parameter=value,parameter=value. */
#include "policy/policy_impl.h"

#include <string.h>

#include "base/error.h"

static bool is_yaml(const char *text)
{
    return text[0] == '{' || text[0] == '[' || text[0] == '"' || text[0] == '\'';
}

covey_status covey_i_policy_flag_yaml(const covey_policy_reader *r, const covey_yaml **out, const char *text)
{
    covey_error inner;
    covey_status status = covey_i_yaml_parse(out, text, strlen(text), NULL, &r->policy->own->arena, &inner);

    if (status != COVEY_OK)
        return covey_i_policy_complain(r, NULL, status, "%s", inner.message);
    if (!*out && !(*out = covey_i_policy_scalar(r->policy, "")))
        return covey_i_no_memory(r->err);
    return COVEY_OK;
}

const char *covey_policy_value_end(const char *p)
{
    char quote = 0;
    int depth = 0;

    for (; *p && (quote || depth > 0 || *p != ','); p++) {
        if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        else if (*p == '[' || *p == '{')
            depth++;
        else if (*p == ']' || *p == '}')
            depth--;
    }
    return p;
}

/* One parameter=value at p .. end. */
static covey_status read_pair(const covey_policy_reader *r, covey_yaml *map, const char *p, const char *end)
{
    covey_arena *arena = &r->policy->own->arena;
    const char *equals = memchr(p, '=', (size_t)(end - p));
    char *name, *value;
    const covey_yaml *node;

    if (!equals || equals == p)
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "\"%.*s\" is not of the form parameter=value",
                                       (int)(end - p > 80 ? 80 : end - p), p);
    name = covey_arena_strndup(arena, p, (size_t)(equals - p));
    value = covey_arena_strndup(arena, equals + 1, (size_t)(end - equals - 1));
    if (!name || !value)
        return covey_i_no_memory(r->err);
    if (covey_i_yaml_get(map, name))
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "\"%.80s\" is given twice", name);
    if (is_yaml(value)) {
        COVEY_TRY(covey_i_policy_flag_yaml(r, &node, value));
    } else if (!(node = covey_i_policy_scalar(r->policy, value))) {
        return covey_i_no_memory(r->err);
    }
    if (!(map->key[map->n] = covey_i_policy_scalar(r->policy, name)))
        return covey_i_no_memory(r->err);
    map->item[map->n++] = node;
    return COVEY_OK;
}

covey_status covey_i_policy_short_form(const covey_policy_reader *r, const covey_yaml **out, const char *name_key,
                                       const char *text)
{
    covey_arena *arena = &r->policy->own->arena;
    const char *colon = strchr(text, ':'), *end;
    const covey_yaml **key, **item;
    size_t most = 2; /* pairs: the name, and one more than there are commas */
    covey_yaml *map;
    char *name;

    if (is_yaml(text))
        return covey_i_policy_flag_yaml(r, out, text);
    for (const char *p = text; *p; p++)
        most += *p == ',';
    if (most > COVEY_YAML_MAX_PAIRS)
        return covey_i_policy_complain(r, NULL, COVEY_EINVAL, "too many parameters");
    if (!(name = covey_arena_strndup(arena, text, colon ? (size_t)(colon - text) : strlen(text))) ||
        !(map = covey_i_policy_pair(r->policy, name_key, covey_i_policy_scalar(r->policy, name))))
        return covey_i_no_memory(r->err);
    *out = map;
    if (!colon)
        return COVEY_OK;
    key = covey_arena_array_zero(arena, const covey_yaml *, most);
    item = covey_arena_array_zero(arena, const covey_yaml *, most);
    if (!key || !item)
        return covey_i_no_memory(r->err);
    key[0] = map->key[0];
    item[0] = map->item[0];
    map->key = key;
    map->item = item;
    for (const char *p = colon + 1;; p = end + 1) {
        end = covey_policy_value_end(p);
        COVEY_TRY(read_pair(r, map, p, end));
        if (!*end)
            return COVEY_OK;
    }
}
