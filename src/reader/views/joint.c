/* The combination of all sensitive attributes as one attribute: its values are the combinations that the table or the
 * joint prior holds, ordered by their parts, and labelled with a JSON array of the parts. */
#include "reader/views/views.h"

#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* Rows of the table and, behind them, cells of the joint prior. */
struct joining {
    covey_opened_view *view;
    const covey_opened_view *single; /* [n_parts] */
    size_t n_parts;
    const covey_stated_joint *joint;
    covey_problems *problems;
    covey_arena *arena;
    covey_error *err;
    uint32_t n_rows, n; /* n: rows and cells */
    uint32_t *part;     /* [n_cells * n_parts] values of the prior's cells */
    uint32_t *value;    /* [n] combination */
    uint32_t n_values;
    uint32_t *example; /* [n_values] a row or cell that has it */
};

static void complain(struct joining *j, const char *what)
{
    covey_i_problem(j->problems, "manifest.json: joint_prior: %s", what);
    j->view->usable = false;
}

/* Values of the prior's cells, part by part. */
static covey_status find_parts(struct joining *j)
{
    const covey_stated_joint *joint = j->joint;

    if (!(j->part = covey_arena_array(j->arena, uint32_t, joint->n_cells * j->n_parts)))
        return covey_i_no_memory(j->err);
    for (size_t a = 0; a < j->n_parts; a++) {
        const covey_column *dictionary = j->single[a].dictionary;
        covey_names names;
        uint32_t number;

        COVEY_TRY(covey_i_names_init(&names, dictionary->n_values, j->arena, j->err));
        for (uint32_t v = 0; v < dictionary->n_values; v++)
            COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(dictionary, v), j->err));
        for (size_t i = 0; i < joint->n_cells; i++)
            if ((j->part[i * j->n_parts + a] = covey_i_names_find(&names, joint->value[i * j->n_parts + a])) ==
                UINT32_MAX) {
                complain(j, "a value is not one of its attribute");
                return COVEY_OK;
            }
    }
    return COVEY_OK;
}

static uint32_t part_of(const struct joining *j, uint32_t i, size_t a)
{
    return i < j->n_rows ? covey_i_view_value(&j->single[a], i) : j->part[(size_t)(i - j->n_rows) * j->n_parts + a];
}

/* Numbers the different keys in ascending order. */
static void number_keys(struct joining *j, uint32_t *sorted, uint32_t *scratch, const uint64_t *key)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < j->n; i++)
        sorted[i] = i;
    covey_i_sort_rows_u64(sorted, scratch, j->n, key);
    for (uint32_t i = 0; i < j->n; i++) {
        place += i > 0 && key[sorted[i]] != key[sorted[i - 1]];
        j->value[sorted[i]] = place;
        j->example[place] = sorted[i];
    }
    j->n_values = j->n ? place + 1 : 0;
}

/* Attribute by attribute: a pair of (combination so far, next value) fits 64 bits, however many attributes there are.
 */
static covey_status number_combinations(struct joining *j)
{
    uint64_t *key = covey_arena_array(j->arena, uint64_t, j->n);
    uint32_t *sorted = covey_arena_array(j->arena, uint32_t, j->n),
             *scratch = covey_arena_array(j->arena, uint32_t, j->n);

    j->value = covey_arena_array_zero(j->arena, uint32_t, j->n);
    j->example = covey_arena_array(j->arena, uint32_t, j->n);
    if (!key || !sorted || !scratch || !j->value || !j->example)
        return covey_i_no_memory(j->err);
    for (size_t a = 0; a < j->n_parts; a++) {
        for (uint32_t i = 0; i < j->n; i++)
            key[i] = ((uint64_t)j->value[i] << 32) | part_of(j, i, a);
        number_keys(j, sorted, scratch, key);
    }
    return COVEY_OK;
}

static char *label_of(const struct joining *j, uint32_t i)
{
    json_t *parts = json_array();
    char *text;

    for (size_t a = 0; a < j->n_parts; a++)
        if (json_array_append_new(parts, json_string(covey_column_label(j->single[a].dictionary, part_of(j, i, a)))) !=
            0) {
            json_decref(parts);
            return NULL;
        }
    text = json_dumps(parts, JSON_COMPACT);
    json_decref(parts);
    return text;
}

static covey_status make_dictionary(struct joining *j)
{
    covey_label *label = covey_arena_array(j->arena, covey_label, j->n_values);

    if (!label)
        return covey_i_no_memory(j->err);
    for (uint32_t v = 0; v < j->n_values; v++) {
        char *text = label_of(j, j->example[v]);
        const char *copy = text ? covey_arena_strdup(j->arena, text) : NULL;

        free(text);
        if (!copy)
            return covey_i_no_memory(j->err);
        label[v] = (covey_label){copy, strlen(copy)};
    }
    return covey_i_column_new(&j->view->dictionary, j->view->name, COVEY_TYPE_TEXT, 0, j->n_values, false, 0, label,
                              NULL, NULL, j->err);
}

static bool names_all_parts(const struct joining *j)
{
    if (j->joint->n_attributes != j->n_parts)
        return false;
    for (size_t a = 0; a < j->n_parts; a++)
        if (strcmp(j->joint->attribute[a], j->single[a].name) != 0)
            return false;
    return true;
}

/* The joint prior says how often each value of an attribute occurs; where the attribute has a prior of its own, both
 * must agree. */
static covey_status compare_marginals(struct joining *j)
{
    for (size_t a = 0; a < j->n_parts; a++) {
        const covey_opened_view *single = &j->single[a];
        int64_t *count = covey_arena_array_zero(j->arena, int64_t, single->dictionary->n_values);

        if (!count)
            return covey_i_no_memory(j->err);
        for (size_t i = 0; i < j->joint->n_cells; i++)
            count[j->part[i * j->n_parts + a]] += j->joint->count[i];
        for (uint32_t v = 0; single->has_prior && v < single->dictionary->n_values; v++)
            if (count[v] != single->prior.count[v]) {
                covey_i_problem(j->problems, "manifest.json: joint_prior and the prior of \"%s\" do not agree",
                                single->name);
                break;
            }
    }
    return COVEY_OK;
}

static covey_status count_prior(struct joining *j)
{
    COVEY_TRY(covey_i_histogram_new(&j->view->prior, j->n_values, j->arena, j->err));
    for (size_t i = 0; i < j->joint->n_cells; i++)
        covey_i_histogram_add(&j->view->prior, j->value[j->n_rows + i], j->joint->count[i]);
    j->view->has_prior = true;
    return COVEY_OK;
}

covey_status covey_i_view_join(covey_opened_view *view, const covey_opened_view *single, size_t n,
                               const covey_opened *opened, covey_problems *problems, covey_arena *arena,
                               covey_error *err)
{
    struct joining j = {.view = view,
                        .single = single,
                        .n_parts = n,
                        .joint = &opened->stated->joint,
                        .problems = problems,
                        .arena = arena,
                        .err = err,
                        .n_rows = opened->groups.start[opened->groups.n]};
    bool has_prior = j.joint->n_attributes > 0;

    if (has_prior && !names_all_parts(&j)) {
        complain(&j, "its attributes are not the sensitive columns in their order");
        return COVEY_OK;
    }
    if (has_prior)
        COVEY_TRY(find_parts(&j));
    if (j.joint->n_cells >= UINT32_MAX - j.n_rows)
        complain(&j, "too many combinations");
    if (!view->usable)
        return COVEY_OK;
    j.n = j.n_rows + (uint32_t)(has_prior ? j.joint->n_cells : 0);
    COVEY_TRY(number_combinations(&j));
    COVEY_TRY(make_dictionary(&j));
    view->value_of_row = j.value;
    if (!has_prior)
        return COVEY_OK;
    COVEY_TRY(compare_marginals(&j));
    return count_prior(&j);
}
