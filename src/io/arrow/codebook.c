/* Reading the codebook in a schema's metadata.  The Python package writes these keys (python/covey/_files/labels.py).
 * Of a column: covey.label, covey.format and covey.measure are texts, covey.value_labels and covey.missing JSON; of the
 * table: covey.source and covey.file_label. */
#include "io/arrow/codebook.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static const char prefix[] = "covey.";

/* A key or value of metadata: its bytes, and where the next one begins. */
static const char *take(const char **text, size_t *size, const char *at)
{
    int32_t n;

    memcpy(&n, at, sizeof n); /* the interface writes numbers as the machine has them, unaligned */
    if (n < 0)
        return NULL;
    *text = at + sizeof n;
    *size = (size_t)n;
    return *text + n;
}

/* A value of the kind that its key has; NULL for what is none, as metadata may come from anywhere. */
static json_t *value_of(const char *key, size_t n_key, const char *value, size_t n_value)
{
    static const struct {
        const char *key;
        json_type type;
    } known[] = {{"label", JSON_STRING},        {"format", JSON_STRING}, {"measure", JSON_STRING},
                 {"value_labels", JSON_OBJECT}, {"missing", JSON_ARRAY}, {"source", JSON_STRING},
                 {"file_label", JSON_STRING}};
    json_t *json;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].key) != n_key || memcmp(known[i].key, key, n_key) != 0)
            continue;
        if (known[i].type == JSON_STRING)
            return n_value > 0 ? json_stringn(value, n_value) : NULL;
        json = json_loadb(value, n_value, 0, NULL);
        if (json && json_typeof(json) == known[i].type)
            return json;
        json_decref(json);
    }
    return NULL;
}

/* Adds what metadata say to an object. */
static bool add_metadata(json_t *object, const char *metadata)
{
    const size_t n_prefix = sizeof prefix - 1;
    const char *at = metadata, *key, *value;
    size_t n_key, n_value;
    int32_t n;

    if (!metadata)
        return true;
    memcpy(&n, at, sizeof n);
    at += sizeof n;
    for (int32_t i = 0; i < n; i++) {
        json_t *json;

        if (!(at = take(&key, &n_key, at)) || !(at = take(&value, &n_value, at)))
            return true;
        if (n_key <= n_prefix || memcmp(key, prefix, n_prefix) != 0)
            continue;
        if ((json = value_of(key + n_prefix, n_key - n_prefix, value, n_value)) &&
            json_object_setn_new(object, key + n_prefix, n_key - n_prefix, json) != 0)
            return false;
    }
    return true;
}

static bool fill(json_t *root, const struct ArrowSchema *schema)
{
    json_t *columns = json_object();
    bool done = columns && add_metadata(root, schema->metadata);

    for (int64_t c = 0; done && c < schema->n_children; c++) {
        json_t *column = json_object();

        done = column && add_metadata(column, schema->children[c]->metadata) &&
               (json_object_size(column) == 0 || json_object_set(columns, schema->children[c]->name, column) == 0);
        json_decref(column);
    }
    if (!done || json_object_size(columns) == 0) {
        json_decref(columns);
        return done;
    }
    return json_object_set_new(root, "columns", columns) == 0;
}

covey_status covey_i_arrow_codebook(char **out, const struct ArrowSchema *schema, covey_error *err)
{
    json_t *root = json_object();
    char *text = NULL;
    covey_status status = COVEY_OK;

    if (!root || !fill(root, schema) ||
        (json_object_get(root, "columns") &&
         (!(text = json_dumps(root, JSON_COMPACT)) || !(*out = covey_i_strdup(text)))))
        status = covey_i_no_memory(err);
    free(text);
    json_decref(root);
    return status;
}
