/* From the words of a condition to tests on columns.  See condition.h. */
#include "query/language/condition.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "reader/cells/cells.h"
#include "query/label.h"

enum { MOST_TESTS = 20000 };

struct binder {
    covey_condition *condition;
    const covey_sql_query *query;
    const covey_query_column *columns;
    size_t n_columns;
    uint32_t n_tests;
    covey_arena *arena;
    covey_error *err;
};

/* What a value of the query means in a column. */
struct meaning {
    enum { NUMBER, TEXT, RUNS, ITEMS, NOTHING } kind;
    int64_t number;
    int scale;                  /* NUMBER */
    uint32_t n;                 /* RUNS, ITEMS */
    uint32_t first;             /* ITEMS */
    const covey_value_run *run; /* RUNS: any of them */
};

/* --- names --- */

static covey_status unknown_column(const covey_sql_query *query, const covey_sql_name *name,
                                   const covey_query_column *columns, size_t n_columns, covey_error *err)
{
    const char *names[256], *nearest;
    size_t n = n_columns < 256 ? n_columns : 256;

    for (size_t i = 0; i < n; i++)
        names[i] = columns[i].name;
    if ((nearest = covey_nearest_name(name->text, names, n)))
        return covey_i_sql_complain(err, query->text, name->at,
                                    "the release has no column \"%.100s\"; did you mean \"%.100s\"?", name->text,
                                    nearest);
    return covey_i_sql_complain(err, query->text, name->at, "the release has no column \"%.100s\"", name->text);
}

covey_status covey_i_query_find(uint32_t *out, const covey_sql_query *query, const covey_sql_name *name,
                                const covey_query_column *columns, size_t n_columns, covey_error *err)
{
    int found = -1;

    for (size_t i = 0; i < n_columns; i++)
        if (strcmp(columns[i].name, name->text) == 0) {
            *out = (uint32_t)i;
            return COVEY_OK;
        }
    for (size_t i = 0; i < n_columns && !name->is_quoted; i++)
        if (strcasecmp(columns[i].name, name->text) == 0) {
            if (found >= 0)
                return covey_i_sql_complain(err, query->text, name->at,
                                            "\"%.100s\" may be \"%.100s\" or \"%.100s\": write one of these in \"...\"",
                                            name->text, columns[found].name, columns[i].name);
            found = (int)i;
        }
    if (found < 0)
        return unknown_column(query, name, columns, n_columns, err);
    *out = (uint32_t)found;
    return COVEY_OK;
}

static covey_status take_attribute(int *out, struct binder *b, const covey_sql_name *name)
{
    covey_condition *condition = b->condition;
    uint32_t index;

    COVEY_TRY(covey_i_query_find(&index, b->query, name, b->columns, b->n_columns, b->err));
    for (uint32_t a = 0; a < condition->n_attributes; a++)
        if (condition->attribute[a].index == index) {
            *out = (int)a;
            return COVEY_OK;
        }
    condition->attribute[condition->n_attributes] = (covey_condition_attribute){
        .column = &b->columns[index], .index = index, .at = name->at, .scale = b->columns[index].scale};
    *out = (int)condition->n_attributes++;
    return COVEY_OK;
}

/* --- values --- */

static bool parse_number(int64_t *number, int *scale, covey_type type, const char *text)
{
    if (type == COVEY_TYPE_DATE)
        return covey_i_cell_number(number, scale, type, text);
    return covey_i_cell_number(number, scale, COVEY_TYPE_DECIMAL, text + (*text == '+'));
}

static covey_status take_runs(struct meaning *out, struct binder *b, const covey_value_run *run, uint32_t n)
{
    covey_value_run *copy = covey_arena_array(b->arena, covey_value_run, n);

    if (!copy)
        return covey_i_no_memory(b->err);
    memcpy(copy, run, n * sizeof *copy);
    *out = (struct meaning){.kind = RUNS, .run = copy, .n = n};
    return COVEY_OK;
}

/* A label that the rule of the column's hierarchy makes.  *out stays NOTHING where it makes none. */
static covey_status rule_meaning(struct meaning *out, struct binder *b, const covey_query_column *c,
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
        *out = (struct meaning){.kind = RUNS, .run = run, .n = n};
    return COVEY_OK;
}

/* Every value of the column. */
static void take_all(struct meaning *out)
{
    static const covey_value_run all = {.is_text = false};

    *out = (struct meaning){.kind = RUNS, .run = &all, .n = 1};
}

/* A label of a hierarchy whose leaves are the column's items. */
static bool find_items(struct meaning *out, const covey_query_column *c, const char *label)
{
    uint32_t node = c->tree && c->n_items > 0 ? covey_hierarchy_find(c->tree, label) : UINT32_MAX;
    const covey_node *facts;

    if (node == UINT32_MAX)
        return false;
    facts = &covey_hierarchy_nodes(c->tree)[node];
    if (node == 0 && c->own_tree) { /* also values that no cell shows */
        take_all(out);
        return true;
    }
    *out = (struct meaning){.kind = ITEMS, .first = facts->first_leaf, .n = facts->n_leaves};
    return true;
}

/* A key of GROUP BY. */
static bool find_key(struct meaning *out, const covey_query_column *c, const char *label)
{
    for (uint32_t i = 0; i < c->n_items; i++)
        if (!c->item[i].is_null && strcmp(c->item[i].label, label) == 0) {
            *out = (struct meaning){.kind = ITEMS, .first = i, .n = 1};
            return true;
        }
    return false;
}

/* --- numbers --- */

/* "[20, 39]" and "[20, 40)" stand for the numbers between, whether or not a hierarchy has such a label. */
static covey_status range_meaning(struct meaning *out, struct binder *b, const covey_query_column *c, const char *text)
{
    covey_value_run run = {.is_text = false};

    return covey_i_query_label(&run.number, c->type, text) ? take_runs(out, b, &run, 1) : COVEY_OK;
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
static covey_status spans_of_label(struct meaning *out, struct binder *b, const covey_query_column *c, uint32_t node)
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
    *out = (struct meaning){.kind = n_runs > 0 ? RUNS : NOTHING, .run = run, .n = n_runs};
    return COVEY_OK;
}

/* A label of a hierarchy that is known as a whole: it goes before a number that is written alike, unless it is that of
 * a leaf, which is the number. */
static covey_status tree_meaning(struct meaning *out, struct binder *b, const covey_query_column *c, const char *text)
{
    uint32_t node = c->tree && c->rule.kind == COVEY_RULE_NONE ? covey_hierarchy_find(c->tree, text) : UINT32_MAX;

    if (node == UINT32_MAX)
        return COVEY_OK;
    if (node == 0)
        take_all(out);
    else if (c->n_items == 0)
        return spans_of_label(out, b, c, node);
    else if (covey_hierarchy_nodes(c->tree)[node].leaf == UINT32_MAX)
        find_items(out, c, text);
    return COVEY_OK;
}

static covey_status label_of_numbers(struct meaning *out, struct binder *b, const covey_query_column *c,
                                     const covey_sql_value *value)
{
    COVEY_TRY(rule_meaning(out, b, c, value));
    if (out->kind == NOTHING && !find_items(out, c, value->text))
        COVEY_TRY(range_meaning(out, b, c, value->text));
    return COVEY_OK;
}

static covey_status number_meaning(struct meaning *out, struct binder *b, const covey_query_column *c,
                                   const covey_sql_value *value)
{
    int64_t number;
    int scale;

    *out = (struct meaning){.kind = NOTHING};
    if (value->is_key && find_key(out, c, value->text))
        return COVEY_OK;
    if (value->is_text)
        COVEY_TRY(tree_meaning(out, b, c, value->text));
    if (out->kind == NOTHING && parse_number(&number, &scale, c->type, value->text))
        *out = (struct meaning){.kind = NUMBER, .number = number, .scale = scale};
    if (out->kind == NOTHING && value->is_text)
        COVEY_TRY(label_of_numbers(out, b, c, value));
    if (out->kind != NOTHING)
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
static covey_status note_unknown(struct binder *b, const covey_query_column *c, const char *text)
{
    const char **name = covey_arena_array(b->arena, const char *, MOST_NAMES);
    covey_unknown_value *unknown = covey_arena_array(b->arena, covey_unknown_value, 1);
    size_t n;

    if (!name || !unknown)
        return covey_i_no_memory(b->err);
    n = list_names(name, c);
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], text) == 0)
            return COVEY_OK;
    for (const covey_unknown_value *u = b->condition->unknown; u; u = u->next)
        if (strcmp(u->column, c->name) == 0 && strcmp(u->text, text) == 0)
            return COVEY_OK;
    if (n == MOST_NAMES)
        return COVEY_OK;
    *unknown = (covey_unknown_value){c->name, text, covey_nearest_name(text, name, n), b->condition->unknown};
    b->condition->unknown = unknown;
    return COVEY_OK;
}

static covey_status text_meaning(struct meaning *out, struct binder *b, const covey_query_column *c,
                                 const covey_sql_value *value)
{
    const covey_stated_column *stated = c->opened->stated;

    *out = (struct meaning){.kind = NOTHING};
    if (value->is_key && find_key(out, c, value->text))
        return COVEY_OK;
    COVEY_TRY(rule_meaning(out, b, c, value));
    if (out->kind != NOTHING ||
        ((c->rule.kind == COVEY_RULE_NONE || c->rule.kind == COVEY_RULE_UNKNOWN) && find_items(out, c, value->text)))
        return COVEY_OK;
    if (c->rule.kind == COVEY_RULE_UNKNOWN && c->opened->stated->publish == COVEY_PUBLISH_LABEL)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" is none of the published labels of \"%.100s\", and the release does not "
                                    "say whether its hierarchy has it (hierarchy_spec)",
                                    value->text, c->name);
    *out = (struct meaning)
    {
        .kind = c->has_order ? NOTHING : TEXT
    };
    for (size_t i = 0; i < stated->n_order && c->has_order; i++)
        if (strcmp(stated->order[i], value->text) == 0)
            *out = (struct meaning){.kind = NUMBER, .number = (int64_t)i};
    return note_unknown(b, c, value->text);
}

static covey_status find_meaning(struct meaning *out, struct binder *b, const covey_query_column *c,
                                 const covey_sql_value *value)
{
    return c->is_number ? number_meaning(out, b, c, value) : text_meaning(out, b, c, value);
}

/* A value that is to be compared by order must be a single one. */
static covey_status find_single(struct meaning *out, struct binder *b, const covey_query_column *c,
                                const covey_sql_value *value)
{
    COVEY_TRY(find_meaning(out, b, c, value));
    if (out->kind == ITEMS && out->n == 1 && !c->is_number) {
        const covey_query_item *item = &c->item[out->first];

        if (c->has_order && item->has_number)
            *out = (struct meaning){.kind = NUMBER, .number = item->number};
        else if (!c->has_order)
            *out = (struct meaning)
            {
                .kind = TEXT
            };
    }
    if (out->kind == RUNS || out->kind == ITEMS)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" stands for several values: ask with =, <> or IN", value->text);
    if (out->kind == NOTHING)
        return covey_i_sql_complain(b->err, b->query->text, value->at,
                                    "\"%.60s\" is not in the order of the column \"%.100s\"", value->text, c->name);
    return COVEY_OK;
}

/* --- tests --- */

static covey_status add_constant(int64_t *out, struct binder *b, covey_condition_attribute *a, __int128 number,
                                 int scale, const char *text)
{
    if (a->n_constants == a->n_room) {
        uint32_t room = a->n_room ? 2 * a->n_room : 8;
        covey_constant *grown = covey_arena_array(b->arena, covey_constant, room);

        if (!grown)
            return covey_i_no_memory(b->err);
        if (a->n_constants)
            memcpy(grown, a->constant, a->n_constants * sizeof *grown);
        a->constant = grown;
        a->n_room = room;
    }
    for (; !text && a->scale < scale; a->scale++)
        for (uint32_t i = 0; i < a->n_constants; i++)
            a->constant[i].number *= 10;
    for (; !text && scale < a->scale; scale++)
        number *= 10; /* 18 digits and a scale of 18 at most: far from 2^127 */
    a->constant[a->n_constants] = (covey_constant){number, text};
    *out = a->n_constants++;
    return COVEY_OK;
}

static covey_status new_node(covey_condition_node **out, struct binder *b, covey_node_kind kind, int attribute)
{
    if (!(*out = covey_arena_array_zero(b->arena, covey_condition_node, 1)))
        return covey_i_no_memory(b->err);
    (*out)->kind = kind;
    (*out)->attribute = attribute;
    (*out)->part = -1;
    return COVEY_OK;
}

static covey_status new_test(covey_condition_node **out, struct binder *b, int attribute, covey_test_kind test,
                             bool negate, size_t at)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];

    if (++b->n_tests > MOST_TESTS)
        return covey_i_sql_complain(b->err, b->query->text, at, "the condition has more than %d tests", MOST_TESTS);
    COVEY_TRY(new_node(out, b, COVEY_NODE_TEST, attribute));
    (*out)->test = test;
    (*out)->is_negated = negate;
    (*out)->low_constant = (*out)->high_constant = -1;
    a->n_tests++;
    a->has_item_tests |= test == COVEY_TEST_ITEMS;
    return COVEY_OK;
}

/* Both ends of a run, where it has them. */
static covey_status bind_run(covey_condition_node **out, struct binder *b, int attribute, const covey_value_run *run,
                             bool negate, size_t at)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    const covey_number_label *n = &run->number;

    COVEY_TRY(new_test(out, b, attribute, COVEY_TEST_RANGE, negate, at));
    if (run->is_text ? run->low != NULL : n->has_low)
        COVEY_TRY(add_constant(&(*out)->low_constant, b, a, n->low, n->scale, run->low));
    if (run->is_text ? run->high != NULL : n->has_high)
        COVEY_TRY(add_constant(&(*out)->high_constant, b, a, n->high, n->scale, run->high));
    (*out)->high_open = run->is_text ? run->high_open : n->high_open;
    return COVEY_OK;
}

/* In one of the runs, or (negate) in none. */
static covey_status bind_runs(covey_condition_node **out, struct binder *b, int attribute, const struct meaning *m,
                              bool negate, size_t at)
{
    covey_condition_node **end;

    if (m->n == 1)
        return bind_run(out, b, attribute, m->run, negate, at);
    COVEY_TRY(new_node(out, b, negate ? COVEY_NODE_AND : COVEY_NODE_OR, attribute));
    end = &(*out)->child;
    for (uint32_t i = 0; i < m->n; i++) {
        COVEY_TRY(bind_run(end, b, attribute, &m->run[i], negate, at));
        end = &(*end)->next;
    }
    return COVEY_OK;
}

static covey_status bind_equal(covey_condition_node **out, struct binder *b, int attribute,
                               const covey_sql_value *value, bool negate)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    struct meaning m;

    COVEY_TRY(find_meaning(&m, b, a->column, value));
    if (m.kind == RUNS)
        return bind_runs(out, b, attribute, &m, negate, value->at);
    COVEY_TRY(new_test(out, b, attribute,
                       m.kind == ITEMS     ? COVEY_TEST_ITEMS
                       : m.kind == NOTHING ? COVEY_TEST_NEVER
                                           : COVEY_TEST_RANGE,
                       negate, value->at));
    if (m.kind == ITEMS) {
        (*out)->low = m.first;
        (*out)->high = m.first + m.n - 1;
    } else if (m.kind != NOTHING) {
        COVEY_TRY(add_constant(&(*out)->low_constant, b, a, m.number, m.scale, m.kind == TEXT ? value->text : NULL));
        (*out)->high_constant = (*out)->low_constant;
    }
    return COVEY_OK;
}

static covey_status bind_end(int64_t *out, struct binder *b, int attribute, const covey_sql_value *value)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    struct meaning m;

    COVEY_TRY(find_single(&m, b, a->column, value));
    return add_constant(out, b, a, m.number, m.scale, m.kind == TEXT ? value->text : NULL);
}

static covey_status bind_compare(covey_condition_node **out, struct binder *b, const covey_sql_condition *c,
                                 int attribute, bool negate)
{
    covey_condition_node *node;

    if (c->op == COVEY_SQL_EQ || c->op == COVEY_SQL_NE)
        return bind_equal(out, b, attribute, c->value, negate != (c->op == COVEY_SQL_NE));
    COVEY_TRY(new_test(&node, b, attribute, COVEY_TEST_RANGE, negate, c->at));
    *out = node;
    if (c->op == COVEY_SQL_LT || c->op == COVEY_SQL_LE) {
        node->high_open = c->op == COVEY_SQL_LT;
        return bind_end(&node->high_constant, b, attribute, c->value);
    }
    node->low_open = c->op == COVEY_SQL_GT;
    return bind_end(&node->low_constant, b, attribute, c->value);
}

static covey_status bind_in(covey_condition_node **out, struct binder *b, const covey_sql_condition *c, int attribute,
                            bool negate)
{
    covey_condition_node **end;

    COVEY_TRY(new_node(out, b, negate ? COVEY_NODE_AND : COVEY_NODE_OR, attribute));
    end = &(*out)->child;
    for (const covey_sql_value *value = c->value; value; value = value->next) {
        COVEY_TRY(bind_equal(end, b, attribute, value, negate));
        end = &(*end)->next;
    }
    return COVEY_OK;
}

static covey_status bind_leaf(covey_condition_node **out, struct binder *b, const covey_sql_condition *c, bool negate)
{
    int attribute;

    COVEY_TRY(take_attribute(&attribute, b, &c->column));
    negate = negate != c->is_negated;
    switch (c->kind) {
    case COVEY_SQL_COMPARE:
        return bind_compare(out, b, c, attribute, negate);
    case COVEY_SQL_IN:
        return bind_in(out, b, c, attribute, negate);
    case COVEY_SQL_BETWEEN:
        COVEY_TRY(new_test(out, b, attribute, COVEY_TEST_RANGE, negate, c->at));
        COVEY_TRY(bind_end(&(*out)->low_constant, b, attribute, c->value));
        return bind_end(&(*out)->high_constant, b, attribute, c->value->next);
    default:
        return new_test(out, b, attribute, COVEY_TEST_NULL, negate, c->at);
    }
}

/* --- the tree --- */

/* Takes a child in: one of the same kind is opened, so that its children stand beside the others. */
static void append(covey_condition_node *node, covey_condition_node ***end, covey_condition_node *child)
{
    if (child->kind == node->kind)
        child = child->child;
    **end = child;
    while (**end)
        *end = &(**end)->next;
}

/* Puts children that speak of one and the same attribute into a node of their own, unless all do. */
static covey_status group_children(covey_condition_node *node, struct binder *b)
{
    covey_condition_node *rest = node->child, *done = NULL, **end = &done;

    node->attribute = rest->attribute;
    for (covey_condition_node *child = rest; child; child = child->next)
        if (child->attribute != node->attribute)
            node->attribute = -1;
    if (node->attribute >= 0)
        return COVEY_OK;
    while (rest) {
        covey_condition_node *first = rest, *same = NULL, **same_end = &same, *others = NULL, **others_end = &others,
                             *group;

        rest = rest->next;
        first->next = NULL;
        for (covey_condition_node *child = rest, *next; child; child = next) {
            covey_condition_node ***to =
                first->attribute >= 0 && child->attribute == first->attribute ? &same_end : &others_end;

            next = child->next;
            child->next = NULL;
            **to = child;
            *to = &child->next;
        }
        rest = others;
        if (same) {
            COVEY_TRY(new_node(&group, b, node->kind, first->attribute));
            group->child = first;
            if (first->kind == node->kind) { /* stays flat */
                group->child = first->child;
                for (first = first->child; first->next; first = first->next)
                    continue;
            }
            first->next = same;
            first = group;
        }
        *end = first;
        end = &first->next;
    }
    node->child = done;
    return COVEY_OK;
}

static covey_status bind(covey_condition_node **out, struct binder *b, const covey_sql_condition *c, bool negate)
{
    covey_condition_node **end, *child;

    while (c->kind == COVEY_SQL_NOT) {
        c = c->child;
        negate = !negate;
    }
    if (c->kind != COVEY_SQL_AND && c->kind != COVEY_SQL_OR)
        return bind_leaf(out, b, c, negate);
    COVEY_TRY(new_node(out, b, (c->kind == COVEY_SQL_AND) != negate ? COVEY_NODE_AND : COVEY_NODE_OR, -1));
    end = &(*out)->child;
    for (c = c->child; c; c = c->next) {
        COVEY_TRY(bind(&child, b, c, negate));
        append(*out, &end, child);
    }
    return group_children(*out, b);
}

/* Highest nodes that speak of one attribute are its parts. */
static covey_status find_parts(covey_condition_node *node, struct binder *b)
{
    if (node->attribute >= 0) {
        covey_condition_attribute *a = &b->condition->attribute[node->attribute];

        if (a->n_parts == COVEY_CONDITION_MOST_PARTS)
            return covey_fail(
                b->err, COVEY_EINVAL,
                "query: the condition mixes tests of \"%s\" with those of other columns in more than %d places",
                a->column->name, COVEY_CONDITION_MOST_PARTS);
        node->part = a->n_parts;
        a->part[a->n_parts++] = node;
        return COVEY_OK;
    }
    for (covey_condition_node *child = node->child; child; child = child->next)
        COVEY_TRY(find_parts(child, b));
    return COVEY_OK;
}

covey_status covey_i_condition_bind(covey_condition *out, const covey_sql_query *query,
                                    const covey_query_column *columns, size_t n_columns, covey_arena *arena,
                                    covey_error *err)
{
    struct binder b = {out, query, columns, n_columns, 0, arena, err};

    *out = (covey_condition){.attribute = covey_arena_array_zero(arena, covey_condition_attribute, n_columns)};
    if (!out->attribute)
        return covey_i_no_memory(b.err);
    COVEY_TRY(bind(&out->root, &b, query->where, false));
    return find_parts(out->root, &b);
}
