/* How often a manifest says that sensitive values, or combinations of them, are in the whole table. */
#include "base/error.h"
#include "reader/stated/keys.h"

static covey_status read_prior(covey_stated_prior *prior, covey_manifest_reader *r, const char *attribute,
                               json_t *counts)
{
    size_t n = json_object_size(counts);
    const char **value = covey_arena_array(&r->s->arena, const char *, n), *key;
    int64_t *count = covey_arena_array(&r->s->arena, int64_t, n);
    int64_t left = COVEY_STATED_MOST_ROWS;
    json_t *item;

    if (!value || !count)
        return covey_i_no_memory(r->err);
    json_object_foreach(counts, key, item)
    {
        if (!json_is_integer(item) || json_integer_value(item) < 0 || json_integer_value(item) > left)
            return covey_i_key_wrong(r, attribute, "an object of counts, of at most 4294967295 rows together");
        left -= json_integer_value(item);
        value[prior->n] = key;
        count[prior->n++] = json_integer_value(item);
    }
    if (!json_is_object(counts))
        return covey_i_key_wrong(r, attribute, "an object of counts, of at most 4294967295 rows together");
    prior->attribute = attribute;
    prior->value = value;
    prior->count = count;
    return COVEY_OK;
}

covey_status covey_i_stated_read_priors(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    json_t *priors = json_object_get(root, "prior"), *counts;
    const char *attribute;

    if (!priors)
        return COVEY_OK;
    if (!json_is_object(priors))
        return covey_i_key_wrong(r, "prior", "an object: counts of the sensitive values per attribute");
    if (!(s->prior = covey_arena_array_zero(&s->arena, covey_stated_prior, json_object_size(priors))))
        return covey_i_no_memory(r->err);
    covey_i_key_go_to(r, "\"prior\": ");
    json_object_foreach(priors, attribute, counts)
    {
        COVEY_TRY(read_prior(&s->prior[s->n_priors], r, attribute, counts));
        s->n_priors++;
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

static covey_status read_joint_cells(covey_stated_joint *joint, covey_manifest_reader *r, const json_t *cells)
{
    size_t n = json_array_size(cells), width = joint->n_attributes;
    const char **value;
    int64_t *count = covey_arena_array(&r->s->arena, int64_t, n), left = COVEY_STATED_MOST_ROWS;
    size_t n_values;

    if (__builtin_mul_overflow(n, width, &n_values) ||
        !(value = covey_arena_array(&r->s->arena, const char *, n_values)) || !count)
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < n; i++) {
        const json_t *cell = json_array_get(cells, i), *values = json_object_get(cell, "values");

        covey_i_key_go_to(r, "\"joint_prior\": \"cells\"[%zu]: ", i);
        if (json_array_size(values) != width)
            return covey_i_key_wrong(r, "values", "a list with a text for every attribute");
        for (size_t a = 0; a < width; a++)
            if (!(value[i * width + a] = json_string_value(json_array_get(values, a))))
                return covey_i_key_wrong(r, "values", "a list with a text for every attribute");
        COVEY_TRY(covey_i_key_count(&count[i], r, cell, "count"));
        if (count[i] > left)
            return covey_i_key_wrong(r, "count", "one of counts of at most 4294967295 rows together");
        left -= count[i];
    }
    joint->n_cells = n;
    joint->value = value;
    joint->count = count;
    return COVEY_OK;
}

covey_status covey_i_stated_read_joint(covey_manifest_reader *r, const json_t *root)
{
    covey_stated_joint *joint = &r->s->joint;
    const json_t *object = json_object_get(root, "joint_prior"), *cells;

    if (!object)
        return COVEY_OK;
    covey_i_key_go_to(r, "\"joint_prior\": ");
    COVEY_TRY(covey_i_key_texts(&joint->n_attributes, &joint->attribute, r, object, "attributes"));
    if (joint->n_attributes < 2)
        return covey_i_key_wrong(r, "attributes", "a list of at least two attributes");
    COVEY_TRY(covey_i_key_list(&cells, r, object, "cells"));
    COVEY_TRY(read_joint_cells(joint, r, cells));
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}
