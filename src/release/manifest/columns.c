/* What a manifest says of columns: role, type, how values are published, and how they came to be. */
#include "base/alloc.h"
#include "release/manifest/json.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

static json_t *domain_end(const covey_axis *axis, int64_t number)
{
    char text[64];

    if (axis->column->type == COVEY_TYPE_INTEGER)
        return json_integer(number);
    covey_i_typing_format_number(text, sizeof text, axis->column->type, number, axis->column->scale);
    return json_string(text);
}

/* A hierarchy of a quasi-identifier gives the order itself, and its labels are there to hide values. */
bool covey_i_manifest_field_lists_values(const covey_field *field)
{
    return field->has_order && !(field->axis >= 0 && field->tree);
}

/* The order that the policy declared, of those values only that the release shows anyway. */
static json_t *published_labels(covey_json *j, const covey_manifest *m, const covey_field *field)
{
    const covey_column *column = field->column;
    const size_t f = (size_t)(field - m->problem->field);
    bool all = field->role == COVEY_ROLE_SENSITIVE && !m->release->form->hides_prior &&
               covey_i_promises_publish_prior(&m->problem->promises, column);
    bool *found = m->release->sums ? NULL : covey_i_array_zero(column->n_values, sizeof *found);
    const bool *shown = m->release->sums ? m->release->sums->shown[f] : found;
    json_t *array = json_array();

    if (!shown || (found && covey_i_release_mark_shown(found, m->release, m->problem, field, NULL) != COVEY_OK)) {
        j->broken = true;
        goto done;
    }
    for (uint32_t v = column->has_null ? 1 : 0; v < column->n_values; v++)
        if (all || shown[v])
            covey_i_json_append(j, array, json_string(covey_column_label(column, v)));
done:
    covey_i_free(found);
    return array;
}

static void put_text(covey_json *j, json_t *object, const char *key, const char *text)
{
    if (text)
        covey_i_json_put(j, object, key, json_string(text));
}

/* How the original's values are written, and were made coarser; for whoever compares the release with it. */
static json_t *recoding(covey_json *j, const covey_recoding *r)
{
    json_t *object = json_object();

    if (r->decimal)
        covey_i_json_put(j, object, "decimal", json_string((const char[]){r->decimal, '\0'}));
    if (r->date_format)
        covey_i_json_put(j, object, "date-format", json_string(r->date_format));
    put_text(j, object, "age-at", r->age_at);
    put_text(j, object, "bottom", r->bottom);
    put_text(j, object, "top", r->top);
    put_text(j, object, "round", r->round);
    if (r->first)
        covey_i_json_put(j, object, "first", json_integer(r->first));
    if (r->rare)
        covey_i_json_put(j, object, "rare", json_integer(r->rare));
    return object;
}

/* An insensitive column is published and sorted letter by letter, as text, unless the policy gives its type.  What are
 * numbers or days in all rows that are published, readers may take for such; no other rows count. */
static covey_type read_as(covey_json *j, const covey_field *field)
{
    const bool is_cut = field->recoding && (field->recoding->first || field->recoding->rare);
    covey_type type = COVEY_TYPE_TEXT;

    if (field->role == COVEY_ROLE_INSENSITIVE && field->type_is_guessed && !field->has_order && !is_cut &&
        field->column->type == COVEY_TYPE_TEXT && covey_i_typing_of_values(&type, field->column, NULL) != COVEY_OK)
        j->broken = true;
    return type;
}

json_t *covey_i_manifest_column(covey_json *j, const covey_manifest *m, const covey_field *field, const char *hierarchy)
{
    const bool is_exact = m->release->form->is_exact && !covey_i_release_recoded(m->release, field);
    static const char *const publish[] = {
        [COVEY_AXIS_RANGE] = "range", [COVEY_AXIS_TREE] = "label", [COVEY_AXIS_FLAT] = "set"};
    const covey_type values = read_as(j, field);
    json_t *object = json_object();

    covey_i_json_put(j, object, "name", json_string(field->column->name));
    covey_i_json_put(j, object, "role", json_string(covey_role_name(field->role)));
    covey_i_json_put(j, object, "type", json_string(covey_type_name(field->column->type)));
    if (values != COVEY_TYPE_TEXT)
        covey_i_json_put(j, object, "read_as", json_string(covey_type_name(values)));
    if (field->is_weight)
        covey_i_json_put(j, object, "sampling_weight", json_true());
    if (field->axis >= 0) {
        const covey_axis *axis = &m->problem->axis[field->axis];
        char weight[64];

        covey_i_fraction_text(weight, sizeof weight, covey_i_fraction_of_ratio(axis->weight));
        covey_i_json_put(j, object, "publish", json_string(is_exact ? "value" : publish[axis->kind]));
        covey_i_json_put(j, object, "weight", json_string(weight));
        covey_i_json_put(j, object, "ail",
                         json_real(covey_i_release_axis_ail(m->release, m->problem, (size_t)field->axis)));
        if (axis->kind == COVEY_AXIS_RANGE && !is_exact)
            covey_i_json_put(
                j, object, "domain",
                json_pack("[o,o]", domain_end(axis, axis->domain_low), domain_end(axis, axis->domain_high)));
    } else {
        covey_i_json_put(j, object, "publish", json_string("value"));
    }
    if (covey_i_manifest_field_lists_values(field))
        covey_i_json_put(j, object, "order", published_labels(j, m, field));
    if (field->recoding && !covey_i_recoding_is_nothing(field->recoding))
        covey_i_json_put(j, object, "recoding", recoding(j, field->recoding));
    covey_i_json_put(j, object, "has_missing", json_boolean(field->column->has_null));
    if (hierarchy) {
        covey_i_json_put(j, object, "hierarchy", json_string(hierarchy));
        covey_i_json_put(j, object, "hierarchy_complete",
                         json_boolean(covey_i_release_field_publishes_all_labels(field)));
        if (field->tree_spec)
            covey_i_json_put(j, object, "hierarchy_spec", json_loads(field->tree_spec, 0, NULL));
    }
    return object;
}
