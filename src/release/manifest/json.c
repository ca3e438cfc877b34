/* JSON that is put together without asking after every step. */
#include "release/manifest/json.h"

#include <string.h>

#include "base/alloc.h"

void covey_i_json_put(covey_json *j, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        j->broken = true;
}

void covey_i_json_append(covey_json *j, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        j->broken = true;
}

json_t *covey_i_json_public_text(const char *text)
{
    const char *file = strstr(text, "{file: "), *end, *slash = NULL;
    char *copy;
    json_t *out;

    if (!file)
        return json_string(text);
    file += strlen("{file: ");
    file += *file == '"' || *file == '\'';
    end = file + strcspn(file, file[-1] == ' ' ? ",}" : "\"'");
    for (const char *p = file; p < end; p++)
        slash = *p == '/' ? p + 1 : slash;
    if (!slash)
        return json_string(text);
    if (!(copy = covey_i_strndup(text, strlen(text))))
        return NULL;
    memmove(copy + (file - text), slash, strlen(slash) + 1);
    out = covey_i_json_public_text(copy + (file - text)); /* further ones */
    if (out) {
        json_t *rest = out;

        copy[file - text] = '\0';
        out = json_sprintf("%s%s", copy, json_string_value(rest));
        json_decref(rest);
    }
    covey_i_free(copy);
    return out;
}

json_t *covey_i_json_pairs(covey_json *j, const covey_pairs *pairs)
{
    json_t *object = json_object();

    for (size_t i = 0; i < pairs->n; i++)
        covey_i_json_put(j, object, pairs->name[i], covey_i_json_public_text(pairs->text[i]));
    return object;
}
