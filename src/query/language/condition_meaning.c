/* What values of a query mean: numbers, keys of GROUP BY, and labels of files, of rules and of trees. */
#include "query/language/condition_meaning.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/cells/cells.h"

static bool parse_number(int64_t *number, int *scale, covey_type type, const char *text)
{
    if (type == COVEY_TYPE_DATE)
        return covey_i_cell_number(number, scale, type, text);
    return covey_i_cell_number(number, scale, COVEY_TYPE_DECIMAL, text + (*text == '+'));
}

/* A label that the rule of the column's hierarchy makes.  *out stays COVEY_MEANS_NOTHING where it makes none. */
static covey_status rule_meaning(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                 const covey_sql_value *value)
{
    covey_value_run *run;
    uint32_t n;
    bool is_either;

    COVEY_TRY(covey_i_label_runs(&n, &run, &is_either, &c->rule, c->type, value->text, b->arena, b->err));
    if (is_either)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" can be read as more than one label of the column \"%.100s\": ask with "
                                    "BETWEEN and its first and last value",
                                    value->text, c->name);
    if (n > 0)
        *out = (covey_condition_meaning){.kind = COVEY_MEANS_RUNS, .run = run, .n = n};
    return COVEY_OK;
}

/* Every value of the column. */
static void take_all(covey_condition_meaning *out)
{
    static const covey_value_run all = {.is_text = false};

    *out = (covey_condition_meaning){.kind = COVEY_MEANS_RUNS, .run = &all, .n = 1};
}

/* A label of a hierarchy whose leaves are the column's items. */
static bool find_items(covey_condition_meaning *out, const covey_query_column *c, const char *label)
{
    uint32_t node = c->tree && c->n_items > 0 ? covey_hierarchy_find(c->tree, label) : UINT32_MAX;
    const covey_node *facts;

    if (node == UINT32_MAX)
        return false;
    facts = &covey_hierarchy_nodes(c->tree)[node];
    if (c->own_tree && covey_i_query_column_is_root(c, node, label)) { /* also values that no cell shows */
        take_all(out);
        return true;
    }
    *out = (covey_condition_meaning){.kind = COVEY_MEANS_ITEMS, .first = facts->first_leaf, .n = facts->n_leaves};
    return true;
}

/* A key of GROUP BY. */
static bool find_key(covey_condition_meaning *out, const covey_query_column *c, const char *label)
{
    for (uint32_t i = 0; i < c->n_items; i++)
        if (!c->item[i].is_null && strcmp(c->item[i].label, label) == 0) {
            *out = (covey_condition_meaning){.kind = COVEY_MEANS_ITEMS, .first = i, .n = 1};
            return true;
        }
    return false;
}

/* --- numbers --- */

/* "[20, 39]" and "[20, 40)" stand for the numbers between, whether or not a hierarchy has such a label. */
static covey_status range_meaning(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                  const char *text)
{
    covey_value_run *run = covey_arena_array_zero(b->arena, covey_value_run, 1);

    if (!run)
        return covey_i_no_memory(b->err);
    if (covey_i_query_label(&run->number, c->type, text))
        *out = (covey_condition_meaning){.kind = COVEY_MEANS_RUNS, .run = run, .n = 1};
    return COVEY_OK;
}

struct leaf {
    int64_t number;
    bool is_below; /* the label's node */
};

static int compare_leaves(const void *x, const void *y)
{
    const struct leaf *a = x, *b = y;

    return (a->number > b->number) - (a->number < b->number);
}

/* The numbers of the hierarchy's leaves, in order, that fit the column's scale: the others are none of its numbers. */
static uint32_t list_leaves(struct leaf *leaf, const covey_query_column *c, const covey_node *node)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < covey_hierarchy_n_leaves(c->tree); i++) {
        const char *label = covey_hierarchy_label(c->tree, covey_hierarchy_leaf_node(c->tree, i));
        int scale;

        if (!covey_i_cell_number(&leaf[n].number, &scale, c->type, label) || scale > c->scale ||
            !covey_i_cell_rescale(&leaf[n].number, scale, c->scale))
            continue;
        leaf[n++].is_below = i >= node->first_leaf && i - node->first_leaf < node->n_leaves;
    }
    qsort(leaf, n, sizeof *leaf, compare_leaves);
    return n;
}

/* A label of a hierarchy of a number that is published by ranges: its leaves, and all numbers between those that follow
 * each other -- unless the data added values, which may lie between. */
static covey_status spans_of_label(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                   uint32_t node)
{
    struct leaf *leaf = covey_arena_array(b->arena, struct leaf, covey_hierarchy_n_leaves(c->tree));
    const uint32_t n = leaf ? list_leaves(leaf, c, &covey_hierarchy_nodes(c->tree)[node]) : 0;
    covey_value_run *run = covey_arena_array(b->arena, covey_value_run, n);
    uint32_t n_runs = 0;

    if (!leaf || !run)
        return covey_i_no_memory(b->err);
    for (uint32_t i = 0; i < n; i++) {
        if (!leaf[i].is_below)
            continue;
        if (i == 0 || !leaf[i - 1].is_below || c->own_tree)
            run[n_runs++] = (covey_value_run){
                .number = {.has_low = true, .has_high = true, .low = leaf[i].number, .scale = c->scale}};
        run[n_runs - 1].number.high = leaf[i].number;
    }
    *out =
        (covey_condition_meaning){.kind = n_runs > 0 ? COVEY_MEANS_RUNS : COVEY_MEANS_NOTHING, .run = run, .n = n_runs};
    return COVEY_OK;
}

static bool is_leaf(const covey_hierarchy *tree, uint32_t node, const char *label)
{
    return covey_hierarchy_nodes(tree)[node].leaf != UINT32_MAX &&
           strcmp(covey_hierarchy_label(tree, node), label) == 0;
}

/* A label of a hierarchy that is known as a whole: it goes before a number that is written alike, unless it is that of
 * a leaf, which is the number. */
static covey_status tree_meaning(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                 const char *text)
{
    uint32_t node = c->tree && c->rule.kind == COVEY_RULE_NONE ? covey_hierarchy_find(c->tree, text) : UINT32_MAX;

    if (node == UINT32_MAX || (node == 0 && is_leaf(c->tree, node, text))) /* a leaf alone is its own root */
        return COVEY_OK;
    if (covey_i_query_column_is_root(c, node, text))
        take_all(out);
    else if (c->n_items == 0)
        return spans_of_label(out, b, c, node);
    else if (covey_hierarchy_nodes(c->tree)[node].leaf == UINT32_MAX)
        find_items(out, c, text);
    return COVEY_OK;
}

static covey_status label_of_numbers(covey_condition_meaning *out, covey_condition_binder *b,
                                     const covey_query_column *c, const covey_sql_value *value)
{
    COVEY_TRY(rule_meaning(out, b, c, value));
    if (out->kind == COVEY_MEANS_NOTHING && !find_items(out, c, value->text))
        COVEY_TRY(range_meaning(out, b, c, value->text));
    return COVEY_OK;
}

static covey_status number_meaning(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                   const covey_sql_value *value)
{
    int64_t number;
    int scale;

    *out = (covey_condition_meaning){.kind = COVEY_MEANS_NOTHING};
    if (value->is_key && find_key(out, c, value->text))
        return COVEY_OK;
    if (value->is_text)
        COVEY_TRY(tree_meaning(out, b, c, value->text));
    if (out->kind == COVEY_MEANS_NOTHING && parse_number(&number, &scale, c->type, value->text))
        *out = (covey_condition_meaning){.kind = COVEY_MEANS_NUMBER, .number = number, .scale = scale};
    if (out->kind == COVEY_MEANS_NOTHING && value->is_text)
        COVEY_TRY(label_of_numbers(out, b, c, value));
    if (out->kind != COVEY_MEANS_NOTHING)
        return COVEY_OK;
    if (c->type != COVEY_TYPE_DATE && covey_i_text_is_long_number(value->text))
        return covey_i_sql_complain(b->err, b->query->text, value->at, "\"%.60s\" has too many digits: write %s",
                                    value->text, COVEY_NUMBERS_TAKEN);
    return covey_i_sql_complain(b->err, b->query->text, value->at,
                                "\"%.60s\" is not a value of the column \"%.100s\": %s", value->text, c->name,
                                c->type == COVEY_TYPE_DATE ? "dates are written '2024-02-29'"
                                                           : "numbers are plain decimals of at most 18 digits");
}

/* --- texts --- */

enum { MOST_NAMES = 4096 };

/* Everything that a text column's values and labels are called, up to a number. */
static size_t list_names(const char **name, const covey_query_column *c)
{
    size_t n = 0;

    for (uint32_t i = 0; i < c->n_items && n < MOST_NAMES; i++)
        if (!c->item[i].is_null)
            name[n++] = c->item[i].label;
    for (uint32_t i = 0; c->n_items == 0 && i < c->text->n_values && n < MOST_NAMES; i++)
        name[n++] = covey_column_label(c->text, i);
    for (uint32_t i = 0; c->tree && i < covey_hierarchy_n_nodes(c->tree) && n < MOST_NAMES; i++)
        name[n++] = covey_hierarchy_label(c->tree, i);
    for (size_t i = 0; i < c->opened->stated->n_order && n < MOST_NAMES; i++)
        name[n++] = c->opened->stated->order[i];
    return n;
}

/* Remembers a text that the column has no name for; it is compared all the same. */
static covey_status note_unknown(covey_condition_binder *b, const covey_query_column *c, const char *text)
{
    const char **name = covey_arena_array(b->arena, const char *, MOST_NAMES);
    covey_unknown_value *unknown = covey_arena_array(b->arena, covey_unknown_value, 1);
    size_t n;

    if (!name || !unknown)
        return covey_i_no_memory(b->err);
    if ((n = list_names(name, c)) == MOST_NAMES)
        return COVEY_OK;
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], text) == 0)
            return COVEY_OK;
    for (const covey_unknown_value *u = b->condition->unknown; u; u = u->next)
        if (strcmp(u->column, c->name) == 0 && strcmp(u->text, text) == 0)
            return COVEY_OK;
    *unknown = (covey_unknown_value){c->name, text, covey_nearest_name(text, name, n), b->condition->unknown};
    b->condition->unknown = unknown;
    return COVEY_OK;
}

static covey_status text_meaning(covey_condition_meaning *out, covey_condition_binder *b, const covey_query_column *c,
                                 const covey_sql_value *value)
{
    const covey_stated_column *stated = c->opened->stated;

    *out = (covey_condition_meaning){.kind = COVEY_MEANS_NOTHING};
    if (value->is_key && find_key(out, c, value->text))
        return COVEY_OK;
    COVEY_TRY(rule_meaning(out, b, c, value));
    if (out->kind != COVEY_MEANS_NOTHING ||
        ((c->rule.kind == COVEY_RULE_NONE || c->rule.kind == COVEY_RULE_UNKNOWN) && find_items(out, c, value->text)))
        return COVEY_OK;
    if (c->rule.kind == COVEY_RULE_UNKNOWN && c->opened->stated->publish == COVEY_PUBLISH_LABEL)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" is none of the published labels of \"%.100s\", and the release does not "
                                    "say whether its hierarchy has it (hierarchy_spec)",
                                    value->text, c->name);
    *out = (covey_condition_meaning){.kind = c->has_order ? COVEY_MEANS_NOTHING : COVEY_MEANS_TEXT};
    for (size_t i = 0; i < stated->n_order && c->has_order; i++)
        if (strcmp(stated->order[i], value->text) == 0)
            *out = (covey_condition_meaning){.kind = COVEY_MEANS_NUMBER, .number = (int64_t)i};
    return note_unknown(b, c, value->text);
}

covey_status covey_i_condition_meaning_find(covey_condition_meaning *out, covey_condition_binder *b,
                                            const covey_query_column *c, const covey_sql_value *value)
{
    return c->is_number ? number_meaning(out, b, c, value) : text_meaning(out, b, c, value);
}

covey_status covey_i_condition_meaning_find_single(covey_condition_meaning *out, covey_condition_binder *b,
                                                   const covey_query_column *c, const covey_sql_value *value)
{
    COVEY_TRY(covey_i_condition_meaning_find(out, b, c, value));
    if (out->kind == COVEY_MEANS_ITEMS && out->n == 1 && !c->is_number) {
        const covey_query_item *item = &c->item[out->first];

        if (c->has_order && item->has_number)
            *out = (covey_condition_meaning){.kind = COVEY_MEANS_NUMBER, .number = item->number};
        else if (!c->has_order)
            *out = (covey_condition_meaning){.kind = COVEY_MEANS_TEXT};
    }
    if (out->kind == COVEY_MEANS_RUNS || out->kind == COVEY_MEANS_ITEMS)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" stands for several values: ask with =, <> or IN", value->text);
    if (out->kind == COVEY_MEANS_NOTHING)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" is not in the order of the column \"%.100s\"", value->text, c->name);
    return COVEY_OK;
}
