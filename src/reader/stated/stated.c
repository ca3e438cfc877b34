/* Reading the manifest.  Every key is looked up by one of the functions below, which name the place of what they do not
 * find.
 */
#include "reader/stated/stated.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/stated/keys.h"
#include "table/recoding.h"
#include "base/alloc.h"

enum { FORMAT_VERSION = 1 };
static const size_t MOST_BYTES = (size_t)256 << 20;

/* --- columns --- */

/* The ends of a domain: integers in JSON are as good as texts, but the texts are what is parsed, by the column's type.
 */
static covey_status get_domain(covey_stated_column *column, covey_manifest_reader *r, const json_t *object)
{
    const json_t *domain = json_object_get(object, "domain");
    const char *text[2];

    if (json_array_size(domain) != 2)
        return covey_i_key_wrong(r, "domain", "a list of two numbers (texts for decimals and dates)");
    for (size_t i = 0; i < 2; i++) {
        const json_t *end = json_array_get(domain, i);
        char digits[32];

        snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(end));
        if (!json_is_integer(end) && !json_is_string(end))
            return covey_i_key_wrong(r, "domain", "a list of two numbers (texts for decimals and dates)");
        if (!(text[i] = json_is_string(end) ? json_string_value(end) : covey_arena_strdup(&r->s->arena, digits)))
            return covey_i_no_memory(r->err);
    }
    column->domain_low = text[0];
    column->domain_high = text[1];
    return COVEY_OK;
}

static covey_status get_weight(covey_stated_column *column, covey_manifest_reader *r, const json_t *object)
{
    const char *text;

    COVEY_TRY(covey_i_key_text(&text, r, object, "weight", true));
    if (covey_ratio_parse(&column->weight, text, NULL) != COVEY_OK || column->weight.num < 0)
        return covey_i_key_wrong(r, "weight", "a fraction such as \"1/7\", not negative");
    return COVEY_OK;
}

static covey_status check_combination(const covey_stated_column *c, covey_manifest_reader *r)
{
    bool generalized = c->role == COVEY_ROLE_QUASI && !r->s->published_as->is_exact;

    if (c->role == COVEY_ROLE_QUASI && r->s->published_as->may_recode)
        generalized = c->publish != COVEY_PUBLISH_VALUE;
    if (generalized == (c->publish == COVEY_PUBLISH_VALUE) && r->s->published_as->is_exact)
        return covey_i_key_wrong(r, "publish", "\"value\": this form publishes every column as it is");
    if (generalized == (c->publish == COVEY_PUBLISH_VALUE))
        return covey_i_key_wrong(r, "publish",
                                 "\"value\" for sensitive and insensitive columns, and another for quasi-identifiers");
    if (c->publish == COVEY_PUBLISH_RANGE && c->type == COVEY_TYPE_TEXT)
        return covey_i_key_wrong(r, "publish", "\"label\" or \"set\" for texts");
    if (c->publish == COVEY_PUBLISH_LABEL && !c->hierarchy)
        return covey_i_key_wrong(r, "hierarchy", "the name of a file, because labels are published");
    return COVEY_OK;
}

static covey_status read_recoding(covey_stated_column *c, covey_manifest_reader *r, const json_t *object)
{
    const json_t *recoding = json_object_get(object, "recoding");
    const char *decimal = NULL;

    if (!recoding)
        return COVEY_OK;
    COVEY_TRY(covey_i_key_text(&decimal, r, recoding, "decimal", false));
    COVEY_TRY(covey_i_key_text(&c->recoding.date_format, r, recoding, "date-format", false));
    if (decimal && strcmp(decimal, ",") != 0 && strcmp(decimal, ".") != 0)
        return covey_i_key_wrong(r, "decimal", "a comma or a point");
    if (c->recoding.date_format && !covey_i_recoding_is_date_format(c->recoding.date_format))
        return covey_i_key_wrong(r, "date-format", "a way to write dates such as DD.MM.YYYY");
    c->recoding.decimal = decimal ? decimal[0] : '\0';
    COVEY_TRY(covey_i_key_text(&c->recoding.age_at, r, recoding, "age-at", false));
    COVEY_TRY(covey_i_key_text(&c->recoding.bottom, r, recoding, "bottom", false));
    COVEY_TRY(covey_i_key_text(&c->recoding.top, r, recoding, "top", false));
    COVEY_TRY(covey_i_key_text(&c->recoding.round, r, recoding, "round", false));
    if (json_object_get(recoding, "first"))
        COVEY_TRY(covey_i_key_count(&c->recoding.first, r, recoding, "first"));
    if (json_object_get(recoding, "rare"))
        COVEY_TRY(covey_i_key_count(&c->recoding.rare, r, recoding, "rare"));
    if (covey_i_recoding_fault(&c->recoding))
        return covey_i_key_wrong(r, "recoding", "a recoding that can be done");
    return COVEY_OK;
}

static covey_status read_column(covey_stated_column *c, covey_manifest_reader *r, const json_t *object)
{
    static const char *const roles[] = {"quasi-identifier", "sensitive", "insensitive"};
    static const covey_role role_of[] = {COVEY_ROLE_QUASI, COVEY_ROLE_SENSITIVE, COVEY_ROLE_INSENSITIVE};
    static const char *const types[] = {"text", "integer", "decimal", "date"};
    static const covey_type type_of[] = {COVEY_TYPE_TEXT, COVEY_TYPE_INTEGER, COVEY_TYPE_DECIMAL, COVEY_TYPE_DATE};
    static const char *const forms[] = {"range", "label", "set", "value"};
    int word;

    COVEY_TRY(covey_i_key_text(&c->name, r, object, "name", true));
    COVEY_TRY(covey_i_key_word(&word, r, object, "role", roles, 3));
    c->role = role_of[word];
    COVEY_TRY(covey_i_key_word(&word, r, object, "type", types, 4));
    c->type = type_of[word];
    COVEY_TRY(covey_i_key_word(&word, r, object, "publish", forms, 4));
    c->publish = (covey_publish)word;
    COVEY_TRY(covey_i_key_text(&c->hierarchy, r, object, "hierarchy", false));
    COVEY_TRY(covey_i_key_bool(&c->hierarchy_complete, r, object, "hierarchy_complete", true));
    COVEY_TRY(covey_i_key_bool(&c->has_missing, r, object, "has_missing", true));
    COVEY_TRY(covey_i_key_texts(&c->n_order, &c->order, r, object, "order"));
    COVEY_TRY(read_recoding(c, r, object));
    c->hierarchy_spec = json_object_get(object, "hierarchy_spec");
    if (c->role == COVEY_ROLE_QUASI)
        COVEY_TRY(get_weight(c, r, object));
    if (c->role == COVEY_ROLE_QUASI && json_object_get(object, "ail"))
        COVEY_TRY(covey_i_key_figure(&c->ail, r, object, "ail"));
    if (c->publish == COVEY_PUBLISH_RANGE)
        COVEY_TRY(get_domain(c, r, object));
    return check_combination(c, r);
}

/* The codebook of the input, which only describes: columns that it does not know, and keys that we do not, are let be.
 */
static covey_status read_codebook(covey_manifest_reader *r, const json_t *root)
{
    const json_t *codebook = json_object_get(root, "codebook"), *columns = json_object_get(codebook, "columns");

    if (!codebook)
        return COVEY_OK;
    if (!json_is_object(columns))
        return covey_i_key_wrong(r, "codebook", "an object with \"columns\"");
    for (size_t c = 0; c < r->s->n_columns; c++) {
        covey_stated_column *column = &r->s->column[c];
        const json_t *facts = json_object_get(columns, column->name), *label;
        const char *value;

        covey_i_key_go_to(r, "\"codebook\": \"columns\": \"%s\": ", column->name);
        if (!facts)
            continue;
        COVEY_TRY(covey_i_key_text(&column->label, r, facts, "label", false));
        if (!(column->value_labels = json_object_get(facts, "value_labels")))
            continue;
        if (!json_is_object(column->value_labels))
            return covey_i_key_wrong(r, "value_labels", "an object with texts");
        json_object_foreach((json_t *)column->value_labels, value,
                            label) if (!json_is_string(label)) return covey_i_key_wrong(r, "value_labels",
                                                                                        "an object with texts");
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

static covey_status read_columns(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    const json_t *list;

    COVEY_TRY(covey_i_key_short_list(&list, r, root, "columns"));
    if (!(s->column = covey_arena_array_zero(&s->arena, covey_stated_column, json_array_size(list))))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        covey_i_key_go_to(r, "\"columns\"[%zu]: ", i);
        COVEY_TRY(read_column(&s->column[i], r, json_array_get(list, i)));
        if (covey_i_stated_column(s, s->column[i].name) >= 0)
            return covey_i_key_wrong(r, "name", "different from the names of all other columns");
        s->n_columns++;
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

/* --- promises --- */

static covey_status read_parameters(covey_stated_promise *p, covey_manifest_reader *r, const json_t *object)
{
    json_t *parameters = json_object_get(object, "parameters");
    size_t n = json_object_size(parameters);
    const char **name = covey_arena_array(&r->s->arena, const char *, n),
               **text = covey_arena_array(&r->s->arena, const char *, n);
    const char *key;
    json_t *value;

    if (!json_is_object(parameters))
        return covey_i_key_wrong(r, "parameters", "an object of texts");
    if (!name || !text)
        return covey_i_no_memory(r->err);
    json_object_foreach(parameters, key, value)
    {
        if (!json_is_string(value))
            return covey_i_key_wrong(r, "parameters", "an object of texts");
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

static covey_status read_entity(covey_manifest_reader *r, const json_t *root)
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

static covey_status read_promises(covey_manifest_reader *r, const json_t *root)
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

/* --- priors --- */

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

static covey_status read_priors(covey_manifest_reader *r, const json_t *root)
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

static covey_status read_joint(covey_manifest_reader *r, const json_t *root)
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

/* --- figures --- */

static covey_status read_utility(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    const json_t *utility = json_object_get(root, "utility"), *objective = json_object_get(root, "objective");

    if (!json_is_object(utility))
        return covey_i_key_wrong(r, "utility", "an object of figures");
    covey_i_key_go_to(r, "\"utility\": ");
    COVEY_TRY(covey_i_key_figure(&s->ail, r, utility, "ail"));
    COVEY_TRY(covey_i_key_figure(&s->ncp, r, utility, "ncp"));
    COVEY_TRY(covey_i_key_figure(&s->discernibility, r, utility, "discernibility"));
    COVEY_TRY(covey_i_key_figure(&s->average_class_size, r, utility, "average_class_size"));
    COVEY_TRY(covey_i_key_figure(&s->largest_risk, r, utility, "largest_risk"));
    COVEY_TRY(covey_i_key_figure(&s->mean_risk, r, utility, "mean_risk"));
    covey_i_key_go_to(r, "%s", "");
    if (!objective || json_is_null(objective))
        return COVEY_OK;
    covey_i_key_go_to(r, "\"objective\": ");
    COVEY_TRY(covey_i_key_text(&s->objective, r, objective, "name", true));
    COVEY_TRY(covey_i_key_figure(&s->objective_value, r, objective, "value"));
    if (json_object_get(objective, "lower_bound"))
        COVEY_TRY(covey_i_key_figure(&s->objective_lower_bound, r, objective, "lower_bound"));
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

/* {"hipaa-zip3": {"age": "years"}} */
static covey_status check_preset_parameters(covey_manifest_reader *r, const json_t *root)
{
    json_t *all = json_object_get(root, "preset_parameters"), *preset, *value;
    const char *name, *key;

    if (all && !json_is_object(all))
        return covey_i_key_wrong(r, "preset_parameters", "an object of objects of texts");
    json_object_foreach(all, name, preset)
    {
        if (!json_is_object(preset))
            return covey_i_key_wrong(r, "preset_parameters", "an object of objects of texts");
        json_object_foreach(preset, key, value)
        {
            if (!json_is_string(value))
                return covey_i_key_wrong(r, "preset_parameters", "an object of objects of texts");
        }
    }
    return COVEY_OK;
}

static covey_status read_method(covey_manifest_reader *r, const json_t *root)
{
    const json_t *method = json_object_get(root, "method");
    json_t *parameters = json_object_get(method, "parameters"), *value;
    size_t n_notes;
    const char *key, *boxes, *const *notes;

    covey_i_key_go_to(r, "\"method\": ");
    COVEY_TRY(covey_i_key_text(&r->s->method, r, method, "name", true));
    if (!json_is_object(parameters))
        return covey_i_key_wrong(r, "parameters", "an object of texts");
    json_object_foreach(parameters, key, value)
    {
        if (!json_is_string(value))
            return covey_i_key_wrong(r, "parameters", "an object of texts");
    }
    boxes = json_string_value(json_object_get(parameters, "publish-boxes"));
    r->s->is_tight = !boxes || strcmp(boxes, "tight") == 0;
    covey_i_key_go_to(r, "%s", "");
    COVEY_TRY(covey_i_key_texts(&n_notes, &notes, r, root, "notes"));
    COVEY_TRY(covey_i_key_texts(&r->s->n_presets, &r->s->preset, r, root, "presets"));
    return check_preset_parameters(r, root);
}

static covey_status read_form(covey_manifest_reader *r, const json_t *root)
{
    char expected[256] = "one of ";
    size_t used = strlen(expected);

    COVEY_TRY(covey_i_key_text(&r->s->form, r, root, "form", true));
    if ((r->s->published_as = covey_i_reader_form_find(r->s->form)))
        return COVEY_OK;
    for (size_t i = 0; i < covey_i_reader_form_count() && used < sizeof expected; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\"%s\"", i ? ", " : "",
                                 covey_i_reader_form_at(i)->name);
    return covey_i_key_wrong(r, "form", expected);
}

static covey_status read_all(covey_manifest_reader *r, const json_t *root)
{
    static const char *const nothing[] = {""};
    covey_stated *s = r->s;
    const json_t *version = json_object_get(root, "format_version");

    if (!json_is_object(root))
        return covey_fail_at(r->err, COVEY_EPARSE, r->path, 0, NULL, 0, "a manifest is a JSON object");
    if (!json_is_integer(version) || json_integer_value(version) != FORMAT_VERSION)
        return covey_i_key_wrong(r, "format_version", "1, the format that this version of covey reads");
    COVEY_TRY(read_form(r, root));
    COVEY_TRY(read_method(r, root));
    COVEY_TRY(covey_i_key_count(&s->n_rows, r, root, "rows"));
    COVEY_TRY(covey_i_key_count(&s->n_published, r, root, "published_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_suppressed, r, root, "suppressed_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_dropped, r, root, "dropped_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_classes, r, root, "classes"));
    COVEY_TRY(covey_i_key_texts(&s->n_missing, &s->missing, r, root, "missing"));
    if (!json_object_get(root, "missing")) {
        s->n_missing = 1;
        s->missing = nothing;
    }
    COVEY_TRY(covey_i_key_bool(&s->trim, r, root, "trim", false));
    COVEY_TRY(covey_i_key_texts(&s->n_names, &s->names, r, root, "names"));
    s->no_header = json_object_get(root, "names") != NULL;
    COVEY_TRY(read_promises(r, root));
    COVEY_TRY(read_entity(r, root));
    COVEY_TRY(read_columns(r, root));
    COVEY_TRY(read_codebook(r, root));
    COVEY_TRY(read_priors(r, root));
    COVEY_TRY(read_joint(r, root));
    COVEY_TRY(read_utility(r, root));
    return covey_i_stated_read_files(r, root);
}

/* jansson does not always say that it ran out of memory: it may say nothing, or call the token wrong that it had no
 * room for. */
static bool is_memory_left(size_t size)
{
    void *probe = covey_i_malloc(size);

    covey_i_free(probe);
    return probe != NULL;
}

/* What is wrong with a folder that should be a release. */
static covey_status check_folder(const char *folder, const char *path, covey_error *err)
{
    struct stat facts;

    if (stat(folder, &facts) != 0)
        return covey_fail_at(err, errno == ENOENT || errno == ENOTDIR ? COVEY_ENOTFOUND : COVEY_EIO, folder, 0, NULL, 0,
                             "%s", errno == ENOENT || errno == ENOTDIR ? "there is no such folder" : strerror(errno));
    if (!S_ISDIR(facts.st_mode))
        return covey_fail_at(err, COVEY_EINVAL, folder, 0, NULL, 0,
                             "this is a file, but a release is a folder with a manifest.json in it");
    if (stat(path, &facts) != 0 && errno == ENOENT)
        return covey_fail_at(err, COVEY_ENOTFOUND, folder, 0, NULL, 0,
                             "this folder is no release: there is no manifest.json in it");
    return COVEY_OK;
}

covey_status covey_i_stated_read(covey_stated **out, const char *folder, covey_error *err)
{
    covey_status status;
    covey_stated *s = covey_i_array_zero(1, sizeof *s);
    size_t size_path = strlen(folder) + sizeof "/manifest.json", size = 0;
    char *path = covey_i_malloc(size_path), *bytes = NULL;
    covey_manifest_reader r = {s, path, "", err};
    json_error_t fault = {0};

    if (!s || !path) {
        status = covey_i_no_memory(err);
        goto done;
    }
    snprintf(path, size_path, "%s/manifest.json", folder);
    if ((status = check_folder(folder, path, err)) != COVEY_OK)
        goto done;
    if ((status = covey_i_contents_read_file(&bytes, &size, path, MOST_BYTES, err)) != COVEY_OK)
        goto done;
    if (!(s->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault))) {
        if (json_error_code(&fault) == json_error_out_of_memory || !*fault.text || !is_memory_left(size))
            status = covey_i_no_memory(r.err);
        else
            status = covey_fail_at(err, COVEY_EPARSE, path, fault.line, NULL, fault.column, "%s", fault.text);
        goto done;
    }
    if ((status = read_all(&r, s->root)) == COVEY_OK) {
        *out = s;
        s = NULL;
    }
done:
    covey_i_stated_free(s);
    covey_i_free(path);
    covey_i_free(bytes);
    return status;
}

void covey_i_stated_free(covey_stated *stated)
{
    if (!stated)
        return;
    json_decref(stated->root);
    covey_arena_free(&stated->arena);
    covey_i_free(stated);
}
