/* What a manifest says of the columns of a release, and how their values came to be. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reader/form_impl.h"
#include "reader/stated/keys.h"
#include "table/recoding/recoding.h"

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
    c->type = c->read_as = type_of[word];
    if (json_object_get(object, "read_as")) {
        COVEY_TRY(covey_i_key_word(&word, r, object, "read_as", types, 4));
        c->read_as = type_of[word];
        if (c->role != COVEY_ROLE_INSENSITIVE || c->type != COVEY_TYPE_TEXT)
            return covey_i_key_wrong(r, "read_as", "that of an insensitive text");
    }
    COVEY_TRY(covey_i_key_word(&word, r, object, "publish", forms, 4));
    c->publish = (covey_publish)word;
    COVEY_TRY(covey_i_key_text(&c->hierarchy, r, object, "hierarchy", false));
    COVEY_TRY(covey_i_key_bool(&c->hierarchy_complete, r, object, "hierarchy_complete", true));
    COVEY_TRY(covey_i_key_bool(&c->has_missing, r, object, "has_missing", true));
    COVEY_TRY(covey_i_key_bool(&c->is_weight, r, object, "sampling_weight", false));
    if (c->is_weight && (c->role != COVEY_ROLE_INSENSITIVE || c->type == COVEY_TYPE_TEXT || c->type == COVEY_TYPE_DATE))
        return covey_i_key_wrong(r, "sampling_weight", "that of an insensitive number");
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
covey_status covey_i_stated_read_codebook(covey_manifest_reader *r, const json_t *root)
{
    const json_t *codebook = json_object_get(root, "codebook"), *columns = json_object_get(codebook, "columns");

    if (!codebook)
        return COVEY_OK;
    if (!json_is_object(columns))
        return covey_i_key_wrong(r, "codebook", "an object with \"columns\"");
    for (size_t c = 0; c < r->s->n_columns; c++) {
        covey_stated_column *column = &r->s->column[c];
        const json_t *facts = json_object_get(columns, column->name);

        covey_i_key_go_to(r, "\"codebook\": \"columns\": \"%s\": ", column->name);
        if (!facts)
            continue;
        COVEY_TRY(covey_i_key_text(&column->label, r, facts, "label", false));
        if ((column->value_labels = json_object_get(facts, "value_labels")))
            COVEY_TRY(covey_i_key_check_texts(r, column->value_labels, "value_labels", "an object with texts"));
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

covey_status covey_i_stated_read_columns(covey_manifest_reader *r, const json_t *root)
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
