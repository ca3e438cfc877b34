/* A policy's YAML as JSON, for programs that have a reader for the one and none for the other. */
#include <jansson.h>

#include <stdlib.h>

#include "base/error.h"
#include "policy/policy_impl.h"

enum { MOST_VALUES = 1 << 20 }; /* aliases may stand for far more than was written */

static json_t *value_of(const covey_yaml *node, int64_t *left)
{
    json_t *json;

    if (--*left < 0)
        return NULL;
    if (node->kind == COVEY_YAML_SCALAR)
        return json_string(node->text);
    json = node->kind == COVEY_YAML_LIST ? json_array() : json_object();
    for (size_t i = 0; json && i < node->n; i++) {
        json_t *item = value_of(node->item[i], left);
        const bool done =
            item && (node->kind == COVEY_YAML_LIST ? json_array_append_new(json, item) == 0
                                                   : json_object_set_new(json, node->key[i]->text, item) == 0);

        if (!done) {
            json_decref(json);
            json = NULL;
        }
    }
    return json;
}

covey_status covey_policy_json(char **out, const char *text, size_t size, const char *path, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_yaml *root = NULL;
    int64_t left = MOST_VALUES;
    covey_status status = covey_i_yaml_parse(&root, text, size, path, &arena, err);
    json_t *json = status == COVEY_OK && root ? value_of(root, &left) : NULL;
    char *dumped = json ? json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    if (status == COVEY_OK && !root)
        status = covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0, "is empty: a policy begins with `version: 1`");
    else if (status == COVEY_OK && left < 0)
        status = covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0, "its aliases stand for more than %d values",
                               MOST_VALUES);
    else if (status == COVEY_OK && !dumped)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        *out = dumped;
    json_decref(json);
    covey_arena_free(&arena);
    return status;
}

void covey_policy_json_free(char *json)
{
    free(json);
}
