/* Looking keys of a manifest up, with their type and place. */
#include "reader/stated/keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

covey_status covey_i_key_wrong(covey_manifest_reader *r, const char *key, const char *expected)
{
    return covey_fail_at(r->err, COVEY_EPARSE, r->path, 0, NULL, 0, "%s\"%s\" must be %s", r->where, key, expected);
}

void covey_i_key_go_to(covey_manifest_reader *r, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(r->where, sizeof r->where, fmt, args);
    va_end(args);
}

covey_status covey_i_key_text(const char **out, covey_manifest_reader *r, const json_t *object, const char *key,
                              bool required)
{
    const json_t *value = json_object_get(object, key);

    *out = json_string_value(value);
    return *out || (!value && !required) ? COVEY_OK : covey_i_key_wrong(r, key, "a text");
}

covey_status covey_i_key_count(int64_t *out, covey_manifest_reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > COVEY_STATED_MOST_ROWS)
        return covey_i_key_wrong(r, key, "a count: a whole number from 0 to 4294967295");
    *out = json_integer_value(value);
    return COVEY_OK;
}

covey_status covey_i_key_size(int64_t *out, covey_manifest_reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return covey_i_key_wrong(r, key, "a size: a whole number from 0");
    *out = json_integer_value(value);
    return COVEY_OK;
}

covey_status covey_i_key_bool(bool *out, covey_manifest_reader *r, const json_t *object, const char *key, bool fallback)
{
    const json_t *value = json_object_get(object, key);

    if (value && !json_is_boolean(value))
        return covey_i_key_wrong(r, key, "true or false");
    *out = value ? json_is_true(value) : fallback;
    return COVEY_OK;
}

covey_status covey_i_key_figure(covey_stated_figure *out, covey_manifest_reader *r, const json_t *object,
                                const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value) && !json_is_null(value))
        return covey_i_key_wrong(r, key, "a number or null");
    out->present = json_is_number(value);
    out->value = json_number_value(value);
    return COVEY_OK;
}

covey_status covey_i_key_list(const json_t **out, covey_manifest_reader *r, const json_t *object, const char *key)
{
    *out = json_object_get(object, key);
    return json_is_array(*out) ? COVEY_OK : covey_i_key_wrong(r, key, "a list");
}

covey_status covey_i_key_short_list(const json_t **out, covey_manifest_reader *r, const json_t *object, const char *key)
{
    COVEY_TRY(covey_i_key_list(out, r, object, key));
    return json_array_size(*out) <= COVEY_STATED_MOST_ITEMS
               ? COVEY_OK
               : covey_i_key_wrong(r, key, "a list of at most 16384 items");
}

covey_status covey_i_key_texts(size_t *n_out, const char *const **out, covey_manifest_reader *r, const json_t *object,
                               const char *key)
{
    const json_t *list = json_object_get(object, key);
    size_t n = json_array_size(list);
    const char **texts;

    *n_out = 0;
    if (!list)
        return COVEY_OK;
    if (!json_is_array(list))
        return covey_i_key_wrong(r, key, "a list of texts");
    if (!(texts = covey_arena_array(&r->s->arena, const char *, n)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < n; i++)
        if (!(texts[i] = json_string_value(json_array_get(list, i))))
            return covey_i_key_wrong(r, key, "a list of texts");
    *n_out = n;
    *out = texts;
    return COVEY_OK;
}

covey_status covey_i_key_word(int *out, covey_manifest_reader *r, const json_t *object, const char *key,
                              const char *const *names, int n)
{
    const char *text = json_string_value(json_object_get(object, key));

    for (int i = 0; text && i < n; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = i;
            return COVEY_OK;
        }
    return covey_fail_at(r->err, COVEY_EPARSE, r->path, 0, NULL, 0, "%s\"%s\" must be one of %s, %s, %s%s%s", r->where,
                         key, names[0], names[1], names[2], n > 3 ? ", " : "", n > 3 ? names[3] : "");
}

covey_status covey_i_key_check_texts(covey_manifest_reader *r, const json_t *object, const char *key,
                                     const char *expected)
{
    bool all = json_is_object(object);
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)object, name, value) all &= json_is_string(value);
    return all ? COVEY_OK : covey_i_key_wrong(r, key, expected);
}
