/* What the input's file said of its columns: labels of columns and values, codes of missing values, formats.  A release
 * has it again, but for the labels of values that it does not show: where a program has made codes of texts, as Stata's
 * encode does, the labels are the data. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/manifest/manifest.h"
#include "table/table_impl.h"

/* --- which values the cells of a field name --- */

static void mark_ends(bool *shown, const covey_manifest *m, const covey_field *field, const covey_recoded *recoded)
{
    const size_t n_axes = m->problem->n_axes, a = (size_t)field->axis;

    for (uint32_t g = 0; recoded && g < recoded->column->n_values; g++)
        if (recoded->low[g] <= recoded->high[g])
            shown[recoded->low[g]] = shown[recoded->high[g]] = true;
    for (uint32_t c = 0; !recoded && c < m->release->n_classes; c++) {
        shown[m->release->low[c * n_axes + a]] = true;
        shown[m->release->high[c * n_axes + a]] = true;
    }
}

static covey_status mark_leaves(bool *shown, const covey_manifest *m, const covey_field *field, covey_error *err)
{
    bool *used = covey_i_array_zero(covey_hierarchy_n_nodes(field->tree), sizeof *used);
    covey_status status =
        used ? covey_i_release_mark_labels(used, m->release, m->problem, field, err) : covey_i_no_memory(err);

    for (uint32_t v = 0; status == COVEY_OK && v < field->column->n_values; v++)
        shown[v] = used[covey_hierarchy_leaf_node(field->tree, v)];
    covey_i_free(used);
    return status;
}

static covey_status mark_named(bool *shown, const covey_manifest *m, const covey_field *field, covey_error *err)
{
    const covey_recoded *recoded = covey_i_release_recoded(m->release, field);
    const covey_axis *axis = field->axis >= 0 ? &m->problem->axis[field->axis] : NULL;

    /* Without rows and classes nobody knows, and of values that are published as nodes of a target none are. */
    if (m->release->sums || (m->release->form->hides_prior && field->role == COVEY_ROLE_SENSITIVE))
        return COVEY_OK;
    if (axis && (recoded || !m->release->form->is_exact)) {
        if (axis->kind == COVEY_AXIS_TREE)
            return mark_leaves(shown, m, field, err);
        if (axis->kind == COVEY_AXIS_RANGE) {
            mark_ends(shown, m, field, recoded);
            return COVEY_OK;
        }
    }
    return covey_i_release_mark_shown(shown, m->release, m->problem, field, err);
}

/* --- their labels --- */

/* 1.50 and 1.5 are one value of a decimal column: the shortest text of a number. */
static void shortest(char *out, size_t size, const char *text, bool is_decimal)
{
    size_t n = strlen(text);

    if (n >= size || !is_decimal || !strchr(text, '.')) {
        n = n < size ? n : size - 1;
    } else {
        while (text[n - 1] == '0')
            n--;
        n -= text[n - 1] == '.';
    }
    memcpy(out, text, n);
    out[n] = '\0';
}

enum { LONGEST_VALUE = 1024 };

/* Cells by the shortest text of their value. */
static json_t *cells_of(const bool *shown, const covey_column *column)
{
    json_t *cells = json_object();
    char key[LONGEST_VALUE];

    for (uint32_t v = column->has_null ? 1 : 0; cells && v < column->n_values; v++) {
        if (!shown[v] || covey_column_label_size(column, v) >= sizeof key)
            continue;
        shortest(key, sizeof key, covey_column_label(column, v), column->type == COVEY_TYPE_DECIMAL);
        if (json_object_set_new(cells, key, json_string(covey_column_label(column, v))) != 0) {
            json_decref(cells);
            cells = NULL;
        }
    }
    return cells;
}

static bool is_number(double *out, const char *text)
{
    char *end;

    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out);
}

/* Does the value stand for a missing one? missing: values, and {"lo", "hi"}. */
static bool is_missing(const char *value, const json_t *missing)
{
    const json_t *item;
    double number, low, high;
    size_t i;

    json_array_foreach(missing, i, item)
    {
        if (json_is_string(item) && strcmp(json_string_value(item), value) == 0)
            return true;
        low = json_number_value(json_is_object(item) ? json_object_get(item, "lo") : item);
        high = json_number_value(json_is_object(item) ? json_object_get(item, "hi") : item);
        if ((json_is_object(item) || json_is_number(item)) && is_number(&number, value) && low <= number &&
            number <= high)
            return true;
    }
    return false;
}

/* A power of ten above all codes: what a category that the release makes may begin to be counted from, without saying
 * which codes there are. */
static json_t *free_code(const json_t *labels, const json_t *missing)
{
    double largest = 0, number, power = 10;
    const char *value;
    const json_t *label, *item;
    size_t i;

    json_object_foreach((json_t *)labels, value, label) if (is_number(&number, value)) largest =
        fmax(largest, fabs(number));
    json_array_foreach(missing, i, item)
    {
        const json_t *high = json_is_object(item) ? json_object_get(item, "hi") : item;

        if (json_is_number(high) && fabs(json_number_value(high)) < 1e9)
            largest = fmax(largest, fabs(json_number_value(high)));
    }
    while (power <= largest && power < 1e15)
        power *= 10;
    return json_integer((json_int_t)power);
}

static covey_status shown_labels(json_t *out, const json_t *facts, const bool *shown, const covey_column *column,
                                 covey_error *err)
{
    const json_t *missing = json_object_get(facts, "missing");
    json_t *labels = json_object_get(facts, "value_labels"), *cells = cells_of(shown, column), *label;
    covey_status status = cells ? COVEY_OK : covey_i_no_memory(err);
    const char *value;

    if (cells)
        json_object_foreach(labels, value, label)
        {
            char key[LONGEST_VALUE];
            const char *cell;

            shortest(key, sizeof key, value, column->type == COVEY_TYPE_DECIMAL);
            cell = json_string_value(json_object_get(cells, key));
            if (!cell && is_missing(value, missing))
                cell = value;
            if (cell && json_is_string(label) && json_object_set(out, cell, label) != 0)
                status = covey_i_no_memory(err);
        }
    json_decref(cells);
    return status;
}

/* --- the codebook --- */

static const char *const plain_keys[] = {"label", "missing", "format", "measure"};

static covey_status add_labels(json_t *out, const json_t *facts, const covey_manifest *m, const covey_field *field,
                               covey_error *err)
{
    bool *shown = covey_i_array_zero(field->column->n_values, sizeof *shown);
    json_t *labels = json_object();
    covey_status status = shown && labels ? mark_named(shown, m, field, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = shown_labels(labels, facts, shown, field->column, err);
    if (status == COVEY_OK && json_object_size(labels) > 0 && json_object_set(out, "value_labels", labels) != 0)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK &&
        json_object_set_new(out, "free_code",
                            free_code(json_object_get(facts, "value_labels"), json_object_get(facts, "missing"))) != 0)
        status = covey_i_no_memory(err);
    json_decref(labels);
    covey_i_free(shown);
    return status;
}

static covey_status column_facts(json_t *columns, const json_t *facts, const covey_manifest *m,
                                 const covey_field *field, covey_error *err)
{
    json_t *out = json_object();
    covey_status status = out ? COVEY_OK : covey_i_no_memory(err);

    for (size_t i = 0; status == COVEY_OK && i < sizeof plain_keys / sizeof *plain_keys; i++) {
        json_t *value = json_object_get(facts, plain_keys[i]);

        if (value && json_object_set(out, plain_keys[i], value) != 0)
            status = covey_i_no_memory(err);
    }
    if (status == COVEY_OK && json_object_get(facts, "value_labels"))
        status = add_labels(out, facts, m, field, err);
    if (status == COVEY_OK && json_object_set(columns, field->column->name, out) != 0)
        status = covey_i_no_memory(err);
    json_decref(out);
    return status;
}

covey_status covey_i_release_codebook(json_t **out, const covey_manifest *m, covey_error *err)
{
    json_t *root = json_loads(m->codebook, 0, NULL), *columns = json_object();
    const json_t *given = json_object_get(root, "columns");
    covey_status status = root && columns ? COVEY_OK : covey_i_no_memory(err);

    for (size_t f = 0; status == COVEY_OK && f < m->problem->n_fields; f++) {
        const covey_field *field = &m->problem->field[f];
        const json_t *facts = json_object_get(given, field->column->name);

        if (facts)
            status = column_facts(columns, facts, m, field, err);
    }
    if (status == COVEY_OK && json_object_size(columns) > 0) {
        if (json_object_set(root, "columns", columns) == 0)
            *out = json_incref(root);
        else
            status = covey_i_no_memory(err);
    }
    json_decref(columns);
    json_decref(root);
    return status;
}
