/* Writing the manifest. */
#include "release/manifest/manifest.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/file/outfile.h"
#include "table/recoding.h"
#include "table/table_impl.h"

enum { FORMAT_VERSION = 1 };

/* jansson's setters return -1 when they got NULL, so that one failure anywhere shows at the end. */
struct json {
    json_t *root;
    bool broken;
};

static void put(struct json *j, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        j->broken = true;
}

static void append(struct json *j, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        j->broken = true;
}

/* A parameter without the publisher's folders: of {file: /home/x/target.csv} only the name is anybody's business. */
static json_t *public_text(const char *text)
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
    out = public_text(copy + (file - text)); /* further ones */
    if (out) {
        json_t *rest = out;

        copy[file - text] = '\0';
        out = json_sprintf("%s%s", copy, json_string_value(rest));
        json_decref(rest);
    }
    covey_i_free(copy);
    return out;
}

static json_t *pairs_object(struct json *j, const covey_pairs *pairs)
{
    json_t *object = json_object();

    for (size_t i = 0; i < pairs->n; i++)
        put(j, object, pairs->name[i], public_text(pairs->text[i]));
    return object;
}

/* A parameter as JSON: whole numbers as integers, decimals as reals, fractions as text. */
static json_t *number_or_text(const char *text)
{
    covey_ratio ratio;

    if (covey_ratio_parse(&ratio, text, NULL) != COVEY_OK || strchr(text, '/'))
        return public_text(text);
    return ratio.den == 1 ? json_integer(ratio.num) : json_real(covey_ratio_value(ratio));
}

static json_t *threshold(struct json *j, const covey_model *model, const covey_pairs *params)
{
    json_t *object;

    for (size_t i = 0; model->threshold && i < params->n; i++)
        if (strcmp(params->name[i], model->threshold) == 0)
            return number_or_text(params->text[i]);
    object = json_object();
    for (size_t i = 0; i < params->n; i++)
        put(j, object, params->name[i], number_or_text(params->text[i]));
    return object;
}

static void put_achieved(struct json *j, json_t *promise, const covey_figure *figure)
{
    char text[96];

    switch (figure->infinite ? COVEY_FIGURE_FRACTION : figure->kind) {
    case COVEY_FIGURE_INTEGER:
        put(j, promise, "achieved", json_integer(figure->integer));
        break;
    case COVEY_FIGURE_REAL:
        put(j, promise, "achieved",
            isnan(figure->real) ? json_null() : json_real(figure->real)); /* NaN: must not be said */
        break;
    case COVEY_FIGURE_KE: {
        json_t *both = json_object();

        covey_i_fraction_text(text, sizeof text, figure->fraction);
        put(j, both, "k", json_integer(figure->integer));
        put(j, both, "e", json_string(text));
        put(j, promise, "achieved", both);
        break;
    }
    case COVEY_FIGURE_FRACTION:
        covey_i_figure_text(text, sizeof text, figure);
        put(j, promise, "achieved", json_string(text));
        break;
    }
    put(j, promise, "achieved_value",
        isfinite(figure->real) && !figure->infinite ? json_real(figure->real) : json_null());
}

static json_t *promises(struct json *j, const covey_manifest *m)
{
    const covey_promises *all = &m->problem->promises;
    json_t *array = json_array();

    for (size_t p = 0; p < all->n; p++) {
        const covey_promise *promise = &all->promise[p];
        json_t *object = json_object();

        put(j, object, "model", json_string(promise->model->name));
        if (promise->joint)
            put(j, object, "joint", json_true());
        else if (promise->view >= 0)
            put(j, object, "attribute", json_string(all->view[promise->view].name));
        else if (promise->attribute)
            put(j, object, "attribute", json_string(promise->attribute));
        put(j, object, "parameters", pairs_object(j, &m->promise_params[p]));
        if (m->problem->units)
            put(j, object, "units", json_string(covey_over_units_name(promise->units)));
        put(j, object, "threshold", threshold(j, promise->model, &m->promise_params[p]));
        put_achieved(j, object, &m->achieved[p]);
        put(j, object, "holds", json_true()); /* covey_i_release_achieved has checked it */
        append(j, array, object);
    }
    return array;
}

/* That rows belong to units; what the columns are called that name them is nobody's business. */
static json_t *entity(struct json *j, const covey_manifest *m)
{
    const covey_units *units = m->problem->units;
    json_t *object = json_object();

    if (units->within)
        put(j, object, "households", json_true());
    put(j, object, "units", json_integer(m->n_units));
    return object;
}

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
static json_t *published_labels(struct json *j, const covey_manifest *m, const covey_field *field)
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
            append(j, array, json_string(covey_column_label(column, v)));
done:
    covey_i_free(found);
    return array;
}

static void put_text(struct json *j, json_t *object, const char *key, const char *text)
{
    if (text)
        put(j, object, key, json_string(text));
}

/* How the original's values are written, and were made coarser; for whoever compares the release with it. */
static json_t *recoding(struct json *j, const covey_recoding *r)
{
    json_t *object = json_object();

    if (r->decimal)
        put(j, object, "decimal", json_string((const char[]){r->decimal, '\0'}));
    if (r->date_format)
        put(j, object, "date-format", json_string(r->date_format));
    put_text(j, object, "age-at", r->age_at);
    put_text(j, object, "bottom", r->bottom);
    put_text(j, object, "top", r->top);
    put_text(j, object, "round", r->round);
    if (r->first)
        put(j, object, "first", json_integer(r->first));
    if (r->rare)
        put(j, object, "rare", json_integer(r->rare));
    return object;
}

static json_t *column(struct json *j, const covey_manifest *m, const covey_field *field, const char *hierarchy)
{
    const bool is_exact = m->release->form->is_exact && !covey_i_release_recoded(m->release, field);
    static const char *const publish[] = {
        [COVEY_AXIS_RANGE] = "range", [COVEY_AXIS_TREE] = "label", [COVEY_AXIS_FLAT] = "set"};
    json_t *object = json_object();

    put(j, object, "name", json_string(field->column->name));
    put(j, object, "role", json_string(covey_role_name(field->role)));
    put(j, object, "type", json_string(covey_type_name(field->column->type)));
    if (field->axis >= 0) {
        const covey_axis *axis = &m->problem->axis[field->axis];
        char weight[64];

        covey_i_fraction_text(weight, sizeof weight, covey_i_fraction_of_ratio(axis->weight));
        put(j, object, "publish", json_string(is_exact ? "value" : publish[axis->kind]));
        put(j, object, "weight", json_string(weight));
        put(j, object, "ail", json_real(covey_i_release_axis_ail(m->release, m->problem, (size_t)field->axis)));
        if (axis->kind == COVEY_AXIS_RANGE && !is_exact)
            put(j, object, "domain",
                json_pack("[o,o]", domain_end(axis, axis->domain_low), domain_end(axis, axis->domain_high)));
    } else {
        put(j, object, "publish", json_string("value"));
    }
    if (covey_i_manifest_field_lists_values(field))
        put(j, object, "order", published_labels(j, m, field));
    if (field->recoding && !covey_i_recoding_is_nothing(field->recoding))
        put(j, object, "recoding", recoding(j, field->recoding));
    put(j, object, "has_missing", json_boolean(field->column->has_null));
    if (hierarchy) {
        put(j, object, "hierarchy", json_string(hierarchy));
        put(j, object, "hierarchy_complete", json_boolean(covey_i_release_field_publishes_all_labels(field)));
        if (field->tree_spec)
            put(j, object, "hierarchy_spec", json_loads(field->tree_spec, 0, NULL));
    }
    return object;
}

/* Priors of the views that a model compares with the whole table; jansson keeps the order of insertion. */
static void put_priors(struct json *j, json_t *root, const covey_manifest *m)
{
    const covey_promises *all = &m->problem->promises;
    json_t *prior = NULL;

    for (size_t v = 0; v < all->n_views && !m->release->form->hides_prior; v++) {
        const covey_view *view = &all->view[v];
        bool compared = false;
        json_t *counts;

        for (size_t p = 0; p < all->n; p++)
            compared |= all->promise[p].view == (int)v && (all->promise[p].model->traits & COVEY_MODEL_PRIOR);
        if (!compared || view->joint)
            continue;
        if (!prior && !(prior = json_object())) {
            j->broken = true;
            return;
        }
        counts = json_object();
        for (uint32_t i = 0; i < view->column->n_values; i++)
            if (view->prior->count[i] > 0)
                put(j, counts, covey_column_label(view->column, i), json_integer(view->prior->count[i]));
        put(j, prior, view->name, counts);
    }
    if (prior)
        put(j, root, "prior", prior);
}

static void put_joint_prior(struct json *j, json_t *root, const covey_manifest *m)
{
    const covey_problem *problem = m->problem;
    const covey_promises *all = &problem->promises;
    json_t *attributes, *cells, *joint;
    int wanted = -1;

    for (size_t p = 0; p < all->n; p++)
        if (all->promise[p].joint && (all->promise[p].model->traits & COVEY_MODEL_PRIOR))
            wanted = all->promise[p].view;
    if (wanted < 0)
        return;
    attributes = json_array();
    cells = json_array();
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            append(j, attributes, json_string(problem->field[f].column->name));
    for (uint32_t i = 0; i < all->view[wanted].column->n_values; i++) {
        /* The joint dictionary's labels are JSON arrays of the values, see prepare.c in src/job. */
        json_t *values = json_loads(covey_column_label(all->view[wanted].column, i), 0, NULL);

        append(j, cells,
               json_pack("{s:o,s:I}", "values", values, "count", (json_int_t)all->view[wanted].prior->count[i]));
    }
    joint = json_object();
    put(j, joint, "attributes", attributes);
    put(j, joint, "cells", cells);
    put(j, root, "joint_prior", joint);
}

static json_t *strings(struct json *j, const char *const *text, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++)
        append(j, array, json_string(text[i]));
    return array;
}

/* Not every figure is defined for every form. */
static json_t *real_or_null(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *utility(struct json *j, const covey_utility_figures *u)
{
    json_t *object = json_object();

    put(j, object, "ail", json_real(u->ail));
    put(j, object, "ncp", json_real(u->ncp));
    put(j, object, "discernibility",
        u->discernibility < 9e15 ? json_integer((json_int_t)u->discernibility) : real_or_null(u->discernibility));
    put(j, object, "average_class_size", real_or_null(u->average_class_size));
    put(j, object, "largest_risk", real_or_null(u->largest_risk));
    put(j, object, "mean_risk", real_or_null(u->mean_risk));
    return object;
}

/* A bound that is not reached is a figure of the whole input: where rows are suppressed it would tell of them. */
static bool shows_bound(const covey_release *release)
{
    return release->objective.has_bound && (release->objective.optimal || release->n_published == release->n_rows);
}

static json_t *objective(struct json *j, const covey_release *release, const covey_problem *problem)
{
    const covey_objective *o = &release->objective;
    json_t *object = json_object(), *levels;
    const bool has_bound = shows_bound(release), below = has_bound && !o->is_maximised;

    put(j, object, "name", json_string(o->name));
    put(j, object, "value", real_or_null(o->value));
    put(j, object, "lower_bound", below ? json_real(o->bound) : json_null());
    if (o->is_maximised)
        put(j, object, "upper_bound", has_bound ? json_real(o->bound) : json_null());
    put(j, object, "optimal", json_boolean(o->optimal));
    if (o->stopped) {
        const double larger = o->is_maximised ? o->bound : o->value, smaller = o->is_maximised ? o->value : o->bound;

        put(j, object, "ratio", has_bound && smaller > 0 ? json_real(larger / smaller) : json_null());
        put(j, object, "stopped", json_string(o->stopped));
    }
    if (o->has_fakes)
        put(j, object, "fakes", json_integer(o->fakes));
    if (o->level) {
        levels = json_object();
        for (size_t a = 0; a < problem->n_axes; a++)
            put(j, levels, problem->axis[a].column->name, json_integer(o->level[a]));
        put(j, object, "levels", levels);
    }
    return object;
}

static json_t *files(struct json *j, const covey_files *list)
{
    json_t *array = json_array();

    for (size_t i = 0; i < list->n; i++) {
        json_t *object = json_object();
        char hex[65];

        covey_i_hash_hex(hex, list->file[i].sha256);
        put(j, object, "name", json_string(list->file[i].name));
        put(j, object, "rows", json_integer(list->file[i].n_rows));
        if (list->file[i].is_part)
            put(j, object, "classes", json_integer(list->file[i].n_classes));
        put(j, object, "bytes", json_integer((json_int_t)list->file[i].size_bytes));
        put(j, object, "sha256", json_string(hex));
        append(j, array, object);
    }
    return array;
}

/* What the form has to say beside what all forms do. */
static void put_facts(struct json *j, json_t *root, const char *text)
{
    json_t *facts = json_loads(text, 0, NULL), *value;
    const char *key;

    if (!json_is_object(facts))
        j->broken = true;
    json_object_foreach(facts, key, value) put(j, root, key, json_incref(value));
    json_decref(facts);
}

/* Their names, and what the publisher said of them, such as which column is an age. */
static void put_presets(struct json *j, json_t *root, const covey_manifest *m)
{
    json_t *params = json_object();

    put(j, root, "presets", strings(j, m->preset, m->n_presets));
    for (size_t i = 0; i < m->n_presets; i++)
        if (m->preset_params[i].n > 0)
            put(j, params, m->preset[i], pairs_object(j, &m->preset_params[i]));
    if (json_object_size(params) > 0)
        put(j, root, "preset_parameters", params);
    else
        json_decref(params);
}

static void put_codebook(struct json *j, json_t *root, const covey_manifest *m)
{
    json_t *codebook = NULL;

    if (covey_i_release_codebook(&codebook, m, NULL) != COVEY_OK)
        j->broken = true;
    else if (codebook)
        put(j, root, "codebook", codebook);
}

static void fill(struct json *j, const covey_manifest *m, const char *const *hierarchy)
{
    const covey_release *release = m->release;
    json_t *columns = json_array(), *method = json_object(), *tool = json_object(), *root = j->root;

    put(j, root, "format_version", json_integer(FORMAT_VERSION));
    put(j, tool, "name", json_string("covey"));
    put(j, tool, "version", json_string(covey_version()));
    put(j, root, "tool", tool);
    put(j, root, "form", json_string(release->form->name));
    put(j, method, "name", json_string(m->method));
    put(j, method, "parameters", pairs_object(j, &m->method_params));
    put(j, root, "method", method);
    put(j, root, "rows", json_integer(release->n_rows));
    put(j, root, "published_rows", json_integer(release->n_published));
    put(j, root, "suppressed_rows", json_integer((json_int_t)release->n_rows - release->n_published));
    put(j, root, "dropped_rows", json_integer(m->n_dropped));
    put(j, root, "classes", json_integer(release->n_classes));
    if (m->seeded)
        put(j, root, "seeded", json_true());
    if (m->n_presets)
        put_presets(j, root, m);
    put(j, root, "missing", strings(j, m->missing, m->n_missing));
    if (m->trim)
        put(j, root, "trim", json_true());
    if (m->no_header)
        put(j, root, "names", strings(j, m->names, m->n_names));
    put(j, root, "promises", promises(j, m));
    if (m->problem->units)
        put(j, root, "entity", entity(j, m));
    for (size_t f = 0; f < m->problem->n_fields; f++)
        append(j, columns, column(j, m, &m->problem->field[f], hierarchy[f]));
    put(j, root, "columns", columns);
    if (m->codebook)
        put_codebook(j, root, m);
    put_priors(j, root, m);
    put_joint_prior(j, root, m);
    put(j, root, "objective", objective(j, release, m->problem));
    put(j, root, "utility", utility(j, m->utility));
    if (release->facts)
        put_facts(j, root, release->facts);
    put(j, root, "files", files(j, m->files));
    if (m->note && *m->note)
        put(j, root, "notes", strings(j, &m->note, 1));
}

covey_status covey_i_manifest_write(const covey_manifest *m, const char *const *hierarchy, const char *folder,
                                    covey_error *err)
{
    struct json j = {json_object(), false};
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status = COVEY_OK;
    char *text = NULL;

    if (!j.root) {
        status = covey_i_no_memory(err);
        goto done;
    }
    fill(&j, m, hierarchy);
    covey_i_text_add_format(&path, "%s/manifest.json", folder);
    if (j.broken || path.broken || !(text = json_dumps(j.root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_outfile_open(&out, path.bytes, err)) != COVEY_OK)
        goto done;
    covey_i_outfile_string(out, text);
    covey_i_outfile_string(out, "\n");
    status = covey_i_outfile_close(out, false, err);
done:
    json_decref(j.root);
    covey_i_free(path.bytes);
    free(text);
    return status;
}
