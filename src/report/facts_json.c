/* A report as one JSON object, and the parts of a manifest that are only handed on. */
#include <jansson.h>

#include <math.h>
#include <string.h>

#include <covey/model.h>

#include "base/error.h"
#include "report/facts.h"
#include "report/page.h"

/* Texts from data may hold bytes that are no UTF-8; control characters stay, because JSON has a writing for them. */
static json_t *text(const char *raw)
{
    covey_text clean = COVEY_TEXT_INIT;
    json_t *value;

    if (!raw)
        return json_null();
    if ((value = json_string(raw)))
        return value;
    while (*raw) {
        uint32_t code;

        raw += covey_i_page_next(&code, raw);
        covey_i_page_add_code(&clean, code);
    }
    value = clean.broken ? NULL : json_string(clean.bytes ? clean.bytes : "");
    covey_i_text_free(&clean);
    return value;
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void covey_i_facts_parameters(covey_page *page, const struct json_t *root)
{
    const json_t *tool = json_object_get(root, "tool"), *method = json_object_get(root, "method");
    const char *version = json_string_value(json_object_get(tool, "version")), *name;
    json_t *parameters = json_object_get(method, "parameters"), *value;

    covey_i_page_add(page, COVEY_BLOCK_ITEM, "Made by: covey %s", version ? version : "of an unknown version");
    json_object_foreach(parameters, name, value) if (json_is_string(value))
        covey_i_page_add(page, COVEY_BLOCK_ITEM, "Parameter %s: %s", name, json_string_value(value));
}

static json_t *promises(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->verdict->n_promises; i++) {
        const covey_promise_verdict *p = &f->verdict->promise[i];
        const covey_model *model = covey_model_find(p->model);

        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "model", text(p->model),
                                              "attribute", p->attribute[0] ? text(p->attribute) : json_null(),
                                              "threshold", text(p->threshold), "achieved", text(p->achieved),
                                              "achieved_value", real(p->achieved_value), "holds", p->holds,
                                              "not_against", text(model ? covey_model_not_against(model) : NULL)));
    }
    return list;
}

static json_t *columns(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t c = 0; c < f->stated->n_columns; c++) {
        const covey_stated_column *column = &f->stated->column[c];

        json_array_append_new(list, json_pack("{s:o, s:o, s:s, s:o}", "name", text(column->name), "label",
                                              text(column->label), "role", covey_role_name(column->role), "ail",
                                              real(covey_i_facts_loss(f, c))));
    }
    return list;
}

static json_t *sizes(const covey_fact_spread *spread)
{
    json_t *list = json_array();

    for (size_t i = 0; i < spread->n; i++) {
        const covey_fact_sizes *s = &spread->sizes[i];

        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:I, s:I}", "from", (json_int_t)s->from, "to", (json_int_t)s->to,
                                        "classes", (json_int_t)s->n_classes, "rows", (json_int_t)s->n_rows));
    }
    return list;
}

/* Of persons or households, where they are known. */
static json_t *units(const covey_facts *f)
{
    const covey_units_fit fit = f->verdict->units_fit;
    const covey_fact_who *who = &f->who;

    if (!who->is_unit)
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:I, s:I, s:o, s:b, s:o}", "of", who->many, "units", (json_int_t)who->n,
                     "smallest_class", (json_int_t)who->smallest, "largest_risk", real(who->largest_risk), "mean_risk",
                     real(who->mean_risk), "units_below_11", (json_int_t)f->units.n_below_11, "units_below_20",
                     (json_int_t)f->units.n_below_20, "class_sizes", sizes(&f->units), "proven",
                     f->verdict->units_proven == 1, "fit",
                     fit == COVEY_FIT_UNASKED ? json_null() : json_string(covey_units_fit_name(fit)));
}

/* Behind the rows, where sampling weights tell of them. */
static json_t *population(const covey_facts *f)
{
    const covey_fact_population *p = &f->population;

    if (!(p->fewest_people > 0))
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "fewest_people", real(p->fewest_people), "largest_risk", real(p->largest_risk),
                     "mean_risk", real(p->mean_risk));
}

/* Whose rows a release by rows does not keep together. */
static json_t *persons(const covey_facts *f)
{
    const covey_fact_persons *p = &f->persons;

    if (p->n == 0)
        return json_null();
    return json_pack("{s:I, s:o, s:o}", "persons", (json_int_t)p->n, "largest_risk", real(p->largest_risk), "mean_risk",
                     real(p->mean_risk));
}

static json_t *sensitive(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_distributions; i++) {
        const covey_fact_distribution *d = &f->distribution[i];
        json_t *values = json_array();

        for (size_t v = 0; v < d->n; v++)
            json_array_append_new(values, json_pack("{s:o, s:o, s:I}", "value", text(d->share[v].label), "before",
                                                    d->n_before ? json_integer(d->share[v].before) : json_null(),
                                                    "published", (json_int_t)d->share[v].after));
        json_array_append_new(list, json_pack("{s:o, s:o}", "attribute", text(d->attribute), "values", values));
    }
    return list;
}

static json_t *risk(const covey_facts *f)
{
    const covey_release_figures *v = &f->verdict->figures;
    const int64_t k = v->smallest_class;

    if (f->is_unread || f->is_exact || k <= 0)
        return json_null();
    return json_pack("{s:I, s:o, s:o, s:b, s:b, s:b, s:I, s:I}", "smallest_class", (json_int_t)k, "largest_risk",
                     real(v->largest_risk), "mean_risk", real(v->mean_risk), "k_11", k >= 11, "risk_0.09", k >= 12,
                     "risk_0.05", k >= 20, "rows_below_11", (json_int_t)f->rows.n_below_11, "rows_below_20",
                     (json_int_t)f->rows.n_below_20);
}

static json_t *attacks(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++) {
        const covey_attack_result *r = &f->attacks->result[i];

        json_array_append_new(
            list, json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:s, s:o}", "name", covey_attack_name(r->attack),
                            "attribute", r->attribute[0] ? text(r->attribute) : json_null(), "applies", r->applies,
                            "why_not", r->applies ? json_null() : text(r->why_not), "figure", real(r->figure), "bound",
                            real(r->bound), "verdict", covey_attack_verdict_name(r->verdict), "words", text(r->words)));
    }
    return list;
}

/* {"10": ..., "25": ..., ...}: the errors that so many percent of the queries do not exceed. */
static json_t *quantiles(const double value[COVEY_SPREAD_QUANTILES])
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "10", real(value[0]), "25", real(value[1]), "50", real(value[2]),
                     "75", real(value[3]), "90", real(value[4]));
}

static json_t *queries(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_queries; i++) {
        const covey_workload_spread *q = &f->queries[i];

        json_array_append_new(list, json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "selectivity",
                                              real(q->selectivity), "queries", (json_int_t)f->n_asked, "counted",
                                              (json_int_t)q->n_counted, "median_relative_error", real(q->error[2]),
                                              "median_relative_width", real(q->width[2]), "error_quantiles",
                                              quantiles(q->error), "width_quantiles", quantiles(q->width)));
    }
    return list;
}

static json_t *problems(const covey_facts *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->verdict->n_problems; i++)
        json_array_append_new(list, text(f->verdict->problem[i]));
    return list;
}

static json_t *reproduction(const covey_facts *f)
{
    const json_t *root = f->stated->root;

    return json_pack("{s:O?, s:O?, s:s, s:O?}", "tool", json_object_get(root, "tool"), "method",
                     json_object_get(root, "method"), "manifest_sha256", f->manifest_hash, "files",
                     json_object_get(root, "files"));
}

covey_status covey_i_facts_json(covey_text *out, const covey_facts *f, covey_error *err)
{
    const covey_release_figures *v = &f->verdict->figures;
    json_t *object = json_pack(
        "{s:b, s:b, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:s, "
        "s:o}",
        "internal", f->is_internal, "holds", f->verdict->holds, "faithful",
        f->verdict->faithful < 0 ? json_null() : json_boolean(f->verdict->faithful), "problems", problems(f), "form",
        f->stated->form, "rows", (json_int_t)f->stated->n_rows, "published_rows", (json_int_t)f->stated->n_published,
        "suppressed_rows", (json_int_t)f->stated->n_suppressed, "classes", (json_int_t)f->stated->n_classes, "promises",
        promises(f), "columns", columns(f), "ail", real(f->is_unread ? NAN : v->ail), "lower_bound",
        real(f->least_loss), "class_sizes", sizes(&f->rows), "sensitive", sensitive(f), "risk", risk(f), "units",
        units(f), "population", population(f), "persons", persons(f), "attacks", attacks(f), "queries", queries(f),
        "form_limit", covey_i_facts_limit(f->stated->form), "reproduction", reproduction(f));
    char *dump = object ? json_dumps(object, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15)) : NULL;
    json_free_t release;

    json_get_alloc_funcs(NULL, &release);
    json_decref(object);
    if (!dump)
        return covey_i_no_memory(err);
    covey_i_text_add_string(out, dump);
    covey_i_text_add_char(out, '\n');
    release(dump);
    return COVEY_OK;
}

bool covey_i_facts_slices(covey_text *out, const struct json_t *root)
{
    const json_t *slices = json_object_get(root, "slices");
    const json_t *slice, *name;
    size_t i, j;

    json_array_foreach(slices, i, slice)
    {
        covey_i_text_add_string(out, i ? "; " : "");
        json_array_foreach(slice, j, name)
        {
            covey_i_text_add_string(out, j ? ", " : "");
            covey_i_text_add_string(out, json_string_value(name) ? json_string_value(name) : "");
        }
    }
    return json_array_size(slices) > 0;
}
