/* What a manifest promises: of rows, and of the units that these belong to. */
#include "base/error.h"
#include "reader/stated/keys.h"

static covey_status read_parameters(covey_stated_promise *p, covey_manifest_reader *r, const json_t *object)
{
    json_t *parameters = json_object_get(object, "parameters");
    size_t n = json_object_size(parameters);
    const char **name = covey_arena_array(&r->s->arena, const char *, n),
               **text = covey_arena_array(&r->s->arena, const char *, n);
    const char *key;
    json_t *value;

    COVEY_TRY(covey_i_key_check_texts(r, parameters, "parameters", "an object of texts"));
    if (!name || !text)
        return covey_i_no_memory(r->err);
    json_object_foreach(parameters, key, value)
    {
        name[p->n_params] = key;
        text[p->n_params++] = json_string_value(value);
    }
    p->param_name = name;
    p->param_text = text;
    return COVEY_OK;
}

static covey_status read_promise(covey_stated_promise *p, covey_manifest_reader *r, const json_t *object)
{
    COVEY_TRY(covey_i_key_text(&p->model, r, object, "model", true));
    COVEY_TRY(covey_i_key_text(&p->attribute, r, object, "attribute", false));
    COVEY_TRY(covey_i_key_bool(&p->joint, r, object, "joint", false));
    COVEY_TRY(read_parameters(p, r, object));
    if (!json_is_boolean(json_object_get(object, "holds")))
        return covey_i_key_wrong(r, "holds", "true or false");
    p->holds = json_is_true(json_object_get(object, "holds"));
    if (!(p->threshold = json_object_get(object, "threshold")))
        return covey_i_key_wrong(r, "threshold", "given");
    if (!(p->achieved = json_object_get(object, "achieved")))
        return covey_i_key_wrong(r, "achieved", "given");
    if (!(p->achieved_value = json_object_get(object, "achieved_value")))
        return covey_i_key_wrong(r, "achieved_value", "given");
    return COVEY_OK;
}

/* What a promise says of units, where rows have them. */
static covey_status read_over_units(covey_manifest_reader *r, const json_t *root)
{
    static const char *const names[] = {"share", "count", "rows"}; /* as covey_over_units */
    const json_t *list = json_object_get(root, "promises");

    for (size_t p = 0; p < r->s->n_promises; p++) {
        int units;

        covey_i_key_go_to(r, "\"promises\"[%zu]: ", p);
        COVEY_TRY(covey_i_key_word(&units, r, json_array_get(list, p), "units", names, 3));
        r->s->promise[p].units = (covey_over_units)units;
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

covey_status covey_i_stated_read_entity(covey_manifest_reader *r, const json_t *root)
{
    const json_t *entity = json_object_get(root, "entity");
    covey_stated *s = r->s;

    if (!entity)
        return COVEY_OK;
    covey_i_key_go_to(r, "\"entity\": ");
    if (!json_is_object(entity))
        return covey_i_key_wrong(r, "entity", "an object: how many units there are");
    s->has_units = true;
    COVEY_TRY(covey_i_key_bool(&s->has_households, r, entity, "households", false));
    COVEY_TRY(covey_i_key_count(&s->n_units, r, entity, "units"));
    covey_i_key_go_to(r, "%s", "");
    return read_over_units(r, root);
}

covey_status covey_i_stated_read_promises(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    const json_t *list;

    COVEY_TRY(covey_i_key_short_list(&list, r, root, "promises"));
    if (!(s->promise = covey_arena_array_zero(&s->arena, covey_stated_promise, json_array_size(list))))
        return covey_i_no_memory(r->err);
    for (; s->n_promises < json_array_size(list); s->n_promises++) {
        covey_i_key_go_to(r, "\"promises\"[%zu]: ", s->n_promises);
        COVEY_TRY(read_promise(&s->promise[s->n_promises], r, json_array_get(list, s->n_promises)));
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}
