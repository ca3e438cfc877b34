/* The dictionary of one sensitive attribute.  With a prior its values are the prior's, otherwise those of the table;
 * they stand in the attribute's order: leaves of its hierarchy, numbers by value, a declared order, bytes.  Missing
 * comes first. */
#include "reader/views/views.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/cells/cells.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* A value on its way into the dictionary. */
struct value {
    int64_t key; /* number, or place in the declared order */
    const char *text;
    bool is_missing;
};

/* What is known while a dictionary is made. */
struct making {
    covey_opened_view *view;
    const covey_opened_column *column;
    const covey_stated *stated;
    const covey_stated_prior *prior; /* NULL: none */
    covey_problems *problems;
    covey_arena *arena;
    covey_error *err;
    int scale;
    uint32_t n;
    struct value *value; /* [n] */
    covey_names names;   /* texts */
    uint32_t n_ordered;  /* the first of names: the declared order */
};

/* Is this the missing value?  In priors and dictionaries it is called "null", in the table its cell is empty. */
static bool is_missing_key(const struct making *m, const char *text)
{
    return m->column->stated->has_missing && strcmp(text, "null") == 0;
}

static const char *cell_text(const struct making *m, uint32_t code)
{
    const char *text = covey_column_label(m->column->text, code);

    return *text == '\0' && m->column->stated->has_missing ? "null" : text;
}

static void widen_scale(struct making *m, const char *text)
{
    int64_t number;
    int scale;

    if (covey_i_cell_number(&number, &scale, m->column->stated->type, text) && scale > m->scale)
        m->scale = scale;
}

/* The largest scale of the table's cells, the prior's keys and the hierarchy's leaves. */
static void find_scale(struct making *m)
{
    const covey_hierarchy *tree = m->column->tree;

    m->scale = m->column->scale;
    for (size_t i = 0; m->prior && i < m->prior->n; i++)
        widen_scale(m, m->prior->value[i]);
    for (uint32_t leaf = 0; tree && leaf < covey_hierarchy_n_leaves(tree); leaf++)
        widen_scale(m, covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf)));
}

static bool read_number(const struct making *m, int64_t *out, const char *text)
{
    int scale;

    return covey_i_cell_number(out, &scale, m->column->stated->type, text) &&
           covey_i_cell_rescale(out, scale, m->scale);
}

static void complain(struct making *m, const char *what)
{
    covey_i_problem(m->problems, "manifest.json: prior of \"%s\": %s", m->view->name, what);
    m->view->usable = false;
}

/* --- leaves of a hierarchy --- */

static covey_status use_leaves(struct making *m)
{
    const covey_hierarchy *tree = m->column->tree;
    uint32_t n = covey_hierarchy_n_leaves(tree);

    if (!(m->value = covey_arena_array_zero(m->arena, struct value, n)))
        return covey_i_no_memory(m->err);
    m->view->tree = tree;
    m->n = n;
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        struct value *value = &m->value[leaf];

        value->text = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf));
        value->is_missing = leaf == 0 && is_missing_key(m, value->text);
        if (m->column->stated->type != COVEY_TYPE_TEXT && !value->is_missing &&
            !read_number(m, &value->key, value->text)) {
            covey_i_problem(m->problems, "%s: a leaf is not a value of the type of column \"%s\"",
                            m->column->stated->hierarchy, m->view->name);
            m->view->usable = false;
            break;
        }
    }
    return COVEY_OK;
}

static uint32_t find_leaf(const covey_hierarchy *tree, const char *text)
{
    uint32_t node = covey_hierarchy_find(tree, text);

    return node == UINT32_MAX ? UINT32_MAX : covey_hierarchy_nodes(tree)[node].leaf;
}

/* --- values of prior, table, declared order and parameters --- */

static covey_status add_text(struct making *m, const char *text)
{
    uint32_t number;

    return covey_i_names_add(&number, &m->names, text, m->err);
}

/* A model may name a value that no published row has any more. */
static covey_status add_parameters(struct making *m)
{
    for (size_t p = 0; p < m->stated->n_promises; p++) {
        const covey_stated_promise *promise = &m->stated->promise[p];
        size_t n = 0;
        const covey_model *model = covey_model_find(promise->model);
        const covey_param *params = model ? covey_model_params(model, &n) : NULL;

        if (promise->joint || (promise->attribute && strcmp(promise->attribute, m->view->name) != 0))
            continue;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; params[i].type == COVEY_PARAM_TEXT && j < promise->n_params; j++)
                if (strcmp(params[i].name, promise->param_name[j]) == 0)
                    COVEY_TRY(add_text(m, promise->param_text[j]));
    }
    return COVEY_OK;
}

static covey_status collect_texts(struct making *m)
{
    const covey_stated_column *stated = m->column->stated;

    COVEY_TRY(
        covey_i_names_init(&m->names, m->prior ? (uint32_t)m->prior->n : m->column->text->n_values, m->arena, m->err));
    for (size_t i = 0; stated->type == COVEY_TYPE_TEXT && i < stated->n_order; i++)
        COVEY_TRY(add_text(m, stated->order[i]));
    m->n_ordered = m->names.n;
    for (size_t i = 0; m->prior && i < m->prior->n; i++)
        COVEY_TRY(add_text(m, m->prior->value[i]));
    for (uint32_t i = 0; !m->prior && i < m->column->text->n_values; i++)
        COVEY_TRY(add_text(m, cell_text(m, i)));
    return m->prior ? COVEY_OK : add_parameters(m);
}

static int compare_values(const void *a, const void *b)
{
    const struct value *x = a, *y = b;

    if (x->is_missing != y->is_missing)
        return x->is_missing ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Texts that are the same number are one value; parameters that are no numbers are left out, keys of a prior may not
 * be. */
static covey_status use_texts(struct making *m)
{
    bool is_number = m->column->stated->type != COVEY_TYPE_TEXT;
    uint32_t n = 0, kept = 0;

    COVEY_TRY(collect_texts(m));
    if (!(m->value = covey_arena_array_zero(m->arena, struct value, m->names.n)))
        return covey_i_no_memory(m->err);
    for (uint32_t i = 0; i < m->names.n; i++) {
        struct value value = {.text = m->names.text[i], .is_missing = is_missing_key(m, m->names.text[i])};

        if (m->n_ordered)
            value.key = i < m->n_ordered ? (int64_t)i : INT64_MAX;
        if (is_number && !value.is_missing && !read_number(m, &value.key, value.text)) {
            if (m->prior)
                complain(m, "a key is not a value of the column's type");
            continue;
        }
        m->value[n++] = value;
    }
    qsort(m->value, n, sizeof *m->value, compare_values);
    for (uint32_t i = 0; i < n; i++)
        if (!(is_number && kept > 0 && !m->value[i].is_missing && !m->value[kept - 1].is_missing &&
              m->value[kept - 1].key == m->value[i].key))
            m->value[kept++] = m->value[i];
    m->n = kept;
    return COVEY_OK;
}

/* --- the dictionary and what points into it --- */

static covey_status make_dictionary(struct making *m)
{
    bool is_number = m->column->stated->type != COVEY_TYPE_TEXT;
    covey_label *label = covey_arena_array(m->arena, covey_label, m->n);
    int64_t *number = covey_arena_array_zero(m->arena, int64_t, m->n);

    if (!label || !number)
        return covey_i_no_memory(m->err);
    for (uint32_t i = 0; i < m->n; i++) {
        label[i] = (covey_label){m->value[i].text, strlen(m->value[i].text)};
        number[i] = m->value[i].is_missing ? 0 : m->value[i].key;
    }
    return covey_i_column_new(&m->view->dictionary, m->view->name, m->column->stated->type, 0, m->n,
                              m->n > 0 && m->value[0].is_missing, is_number ? m->scale : 0, label,
                              is_number ? number : NULL, NULL, m->err);
}

static uint32_t find_number(const struct making *m, int64_t number)
{
    uint32_t low = m->n > 0 && m->value[0].is_missing, high = m->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (m->value[middle].key < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->n && m->value[low].key == number ? low : UINT32_MAX;
}

/* code_of[name]: places of the sorted values; texts only. */
static covey_status find_codes(const uint32_t **out, struct making *m)
{
    uint32_t *code_of = covey_arena_array(m->arena, uint32_t, m->names.n);

    if (!code_of)
        return covey_i_no_memory(m->err);
    for (uint32_t i = 0; i < m->n; i++)
        code_of[covey_i_names_find(&m->names, m->value[i].text)] = i;
    *out = code_of;
    return COVEY_OK;
}

/* The value that a text means; UINT32_MAX: none of the dictionary. */
static uint32_t find_value(const struct making *m, const uint32_t *code_of, const char *text)
{
    int64_t number;
    uint32_t name;

    if (m->view->tree)
        return find_leaf(m->view->tree, text);
    if (is_missing_key(m, text))
        return m->n > 0 && m->value[0].is_missing ? 0 : UINT32_MAX;
    if (m->column->stated->type != COVEY_TYPE_TEXT)
        return read_number(m, &number, text) ? find_number(m, number) : UINT32_MAX;
    name = covey_i_names_find(&m->names, text);
    return name == UINT32_MAX ? UINT32_MAX : code_of[name];
}

static covey_status map_cells(struct making *m, const uint32_t *code_of)
{
    uint32_t n = m->column->text->n_values;
    uint32_t *value_of_cell = covey_arena_array(m->arena, uint32_t, n);
    bool unknown = false;

    if (!value_of_cell)
        return covey_i_no_memory(m->err);
    for (uint32_t i = 0; i < n; i++) {
        value_of_cell[i] = find_value(m, code_of, cell_text(m, i));
        unknown |= value_of_cell[i] == UINT32_MAX;
    }
    if (unknown)
        complain(m, "a published value is not in it");
    m->view->value_of_cell = value_of_cell;
    return COVEY_OK;
}

static covey_status count_prior(struct making *m, const uint32_t *code_of)
{
    if (!m->prior)
        return COVEY_OK;
    COVEY_TRY(covey_i_histogram_new(&m->view->prior, m->n, m->arena, m->err));
    for (size_t i = 0; i < m->prior->n; i++) {
        uint32_t value = find_value(m, code_of, m->prior->value[i]);

        if (value == UINT32_MAX)
            complain(m, "a key is not a value that the column can have");
        else
            covey_i_histogram_add(&m->view->prior, value, m->prior->count[i]);
    }
    m->view->has_prior = true;
    return COVEY_OK;
}

covey_status covey_i_view_values(covey_opened_view *view, const covey_opened_column *column, const covey_stated *stated,
                                 const covey_stated_prior *prior, covey_problems *problems, covey_arena *arena,
                                 covey_error *err)
{
    struct making m = {.view = view,
                       .column = column,
                       .stated = stated,
                       .prior = prior,
                       .problems = problems,
                       .arena = arena,
                       .err = err};
    const uint32_t *code_of = NULL;

    view->text = column->text;
    view->count = column->count;
    view->has_order = column->stated->type != COVEY_TYPE_TEXT || column->stated->n_order > 0;
    find_scale(&m);
    if (column->tree)
        COVEY_TRY(use_leaves(&m));
    else
        COVEY_TRY(use_texts(&m));
    if (!view->usable)
        return COVEY_OK;
    COVEY_TRY(make_dictionary(&m));
    if (!view->tree && column->stated->type == COVEY_TYPE_TEXT)
        COVEY_TRY(find_codes(&code_of, &m));
    COVEY_TRY(map_cells(&m, code_of));
    return count_prior(&m, code_of);
}
