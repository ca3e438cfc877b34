/* From the words of a condition to tests on columns.  See condition.h. */
#include "query/condition.h"

#include <string.h>
#include <strings.h>

#include "audit/cells.h"
#include "query/query_label.h"

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
    enum { NUMBER, TEXT, RANGE, ITEMS, NOTHING } kind;
    __int128 low, high; /* NUMBER: low; RANGE: both belong to it, unless high_open, if they are there */
    int scale;
    bool has_low, has_high, high_open;
    uint32_t first, n;  /* ITEMS */
};

static covey_status no_memory(const struct binder *b)
{
    return covey_fail(b->err, COVEY_ENOMEM, "no memory for a condition");
}

/* --- names --- */

static covey_status unknown_column(const covey_sql_query *query, const covey_sql_name *name, const covey_query_column *columns, size_t n_columns,
                                   covey_error *err)
{
    const char *names[256], *nearest;
    size_t n = n_columns < 256 ? n_columns : 256;

    for (size_t i = 0; i < n; i++)
        names[i] = columns[i].name;
    if ((nearest = covey_nearest_name(name->text, names, n)))
        return covey_i_sql_complain(err, query->text, name->at, "the release has no column \"%.100s\"; did you mean \"%.100s\"?", name->text, nearest);
    return covey_i_sql_complain(err, query->text, name->at, "the release has no column \"%.100s\"", name->text);
}

covey_status covey_i_query_find(uint32_t *out, const covey_sql_query *query, const covey_sql_name *name, const covey_query_column *columns,
                                size_t n_columns, covey_error *err)
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
                return covey_i_sql_complain(err, query->text, name->at, "\"%.100s\" may be \"%.100s\" or \"%.100s\": write one of these in \"...\"",
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
    condition->attribute[condition->n_attributes] =
        (covey_condition_attribute){.column = &b->columns[index], .index = index, .at = name->at, .scale = b->columns[index].scale};
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

/* "[20, 39]" and "[20, 40)" stand for the numbers between, whether or not a hierarchy has such a label. */
static bool parse_range(struct meaning *out, covey_type type, const char *text)
{
    covey_number_label label;

    if (!covey_i_query_label(&label, type, text))
        return false;
    *out = (struct meaning){.kind = RANGE, .low = label.low, .high = label.high, .scale = label.scale, .has_low = label.has_low,
                            .has_high = label.has_high, .high_open = label.high_open};
    return true;
}

/* A label of the hierarchy of a number that is published by ranges: all numbers between its leaves. */
static bool span_of_label(struct meaning *out, const covey_query_column *c, const char *label)
{
    const covey_hierarchy *tree = c->opened->tree;
    uint32_t node = covey_hierarchy_find(tree, label);
    bool any = false;

    if (node == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < covey_hierarchy_nodes(tree)[node].n_leaves; i++) {
        const char *leaf = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, covey_hierarchy_nodes(tree)[node].first_leaf + i));
        int64_t number;
        int scale;

        if (!covey_i_cell_number(&number, &scale, c->type, leaf) || scale > c->scale || !covey_i_cell_rescale(&number, scale, c->scale))
            continue;
        if (!any)
            *out = (struct meaning){.kind = RANGE, .low = number, .high = number, .scale = c->scale, .has_low = true, .has_high = true};
        any = true;
        out->low = number < out->low ? number : out->low;
        out->high = number > out->high ? number : out->high;
    }
    return any;
}

static bool find_items(struct meaning *out, const covey_query_column *c, const char *label)
{
    uint32_t node = c->opened->tree && c->n_items > 0 ? covey_hierarchy_find(c->opened->tree, label) : UINT32_MAX;
    const covey_node *facts;

    if (node == UINT32_MAX)
        return false;
    facts = &covey_hierarchy_nodes(c->opened->tree)[node];
    *out = (struct meaning){.kind = ITEMS, .first = facts->first_leaf, .n = facts->n_leaves};
    return true;
}

static covey_status number_meaning(struct meaning *out, struct binder *b, const covey_query_column *c, const covey_sql_value *value)
{
    int64_t number;
    int scale;

    if (parse_number(&number, &scale, c->type, value->text)) {
        *out = (struct meaning){.kind = NUMBER, .low = number, .scale = scale};
        return COVEY_OK;
    }
    if (value->is_text && (find_items(out, c, value->text) || parse_range(out, c->type, value->text) ||
                           (c->opened->tree && c->n_items == 0 && span_of_label(out, c, value->text))))
        return COVEY_OK;
    return covey_i_sql_complain(b->err, b->query->text, value->at, "\"%.60s\" is not a value of the column \"%.100s\": %s", value->text, c->name,
                                c->type == COVEY_TYPE_DATE ? "dates are written '2024-02-29'" : "numbers are plain decimals of at most 18 digits");
}

static void text_meaning(struct meaning *out, const covey_query_column *c, const char *text)
{
    const covey_stated_column *stated = c->opened->stated;

    if (find_items(out, c, text))
        return;
    *out = (struct meaning){.kind = c->has_order ? NOTHING : TEXT};
    for (size_t i = 0; i < stated->n_order && c->has_order; i++)
        if (strcmp(stated->order[i], text) == 0)
            *out = (struct meaning){.kind = NUMBER, .low = (int64_t)i};
}

static covey_status find_meaning(struct meaning *out, struct binder *b, const covey_query_column *c, const covey_sql_value *value)
{
    if (c->is_number)
        return number_meaning(out, b, c, value);
    text_meaning(out, c, value->text);
    return COVEY_OK;
}

/* A value that is to be compared by order must be a single one. */
static covey_status find_single(struct meaning *out, struct binder *b, const covey_query_column *c, const covey_sql_value *value)
{
    COVEY_TRY(find_meaning(out, b, c, value));
    if (out->kind == ITEMS && out->n == 1 && !c->is_number) {
        const covey_query_item *item = &c->item[out->first];

        if (c->has_order && item->has_number)
            *out = (struct meaning){.kind = NUMBER, .low = item->number};
        else if (!c->has_order)
            *out = (struct meaning){.kind = TEXT};
    }
    if (out->kind == RANGE || out->kind == ITEMS)
        return covey_i_sql_complain(b->err, b->query->text, value->at, "\"%.60s\" stands for several values: ask with =, <> or IN", value->text);
    if (out->kind == NOTHING)
        return covey_i_sql_complain(b->err, b->query->text, value->at, "\"%.60s\" is not in the order of the column \"%.100s\"", value->text, c->name);
    return COVEY_OK;
}

/* --- tests --- */

static covey_status add_constant(int64_t *out, struct binder *b, covey_condition_attribute *a, __int128 number, int scale, const char *text)
{
    if (a->n_constants == a->n_room) {
        uint32_t room = a->n_room ? 2 * a->n_room : 8;
        covey_constant *grown = covey_arena_array(b->arena, covey_constant, room);

        if (!grown)
            return no_memory(b);
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
        return no_memory(b);
    (*out)->kind = kind;
    (*out)->attribute = attribute;
    (*out)->part = -1;
    return COVEY_OK;
}

static covey_status new_test(covey_condition_node **out, struct binder *b, int attribute, covey_test_kind test, bool negate, size_t at)
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

static covey_status bind_equal(covey_condition_node **out, struct binder *b, int attribute, const covey_sql_value *value, bool negate)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    struct meaning m;

    COVEY_TRY(find_meaning(&m, b, a->column, value));
    COVEY_TRY(new_test(out, b, attribute, m.kind == ITEMS ? COVEY_TEST_ITEMS : m.kind == NOTHING ? COVEY_TEST_NEVER : COVEY_TEST_RANGE, negate, value->at));
    if (m.kind == ITEMS) {
        (*out)->low = m.first;
        (*out)->high = m.first + m.n - 1;
    } else if (m.kind != NOTHING) {
        if (m.kind != RANGE || m.has_low)
            COVEY_TRY(add_constant(&(*out)->low_constant, b, a, m.low, m.scale, m.kind == TEXT ? value->text : NULL));
        if (m.kind != RANGE)
            (*out)->high_constant = (*out)->low_constant;
        else if (m.has_high)
            COVEY_TRY(add_constant(&(*out)->high_constant, b, a, m.high, m.scale, NULL));
        (*out)->high_open = m.kind == RANGE && m.high_open;
    }
    return COVEY_OK;
}

static covey_status bind_end(int64_t *out, struct binder *b, int attribute, const covey_sql_value *value)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    struct meaning m;

    COVEY_TRY(find_single(&m, b, a->column, value));
    return add_constant(out, b, a, m.low, m.scale, m.kind == TEXT ? value->text : NULL);
}

static covey_status bind_compare(covey_condition_node **out, struct binder *b, const covey_sql_condition *c, int attribute, bool negate)
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

static covey_status bind_in(covey_condition_node **out, struct binder *b, const covey_sql_condition *c, int attribute, bool negate)
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
        covey_condition_node *first = rest, *same = NULL, **same_end = &same, *others = NULL, **others_end = &others, *group;

        rest = rest->next;
        first->next = NULL;
        for (covey_condition_node *child = rest, *next; child; child = next) {
            covey_condition_node ***to = first->attribute >= 0 && child->attribute == first->attribute ? &same_end : &others_end;

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
            return covey_fail(b->err, COVEY_EINVAL, "query: the condition mixes tests of \"%s\" with those of other columns in more than %d places",
                              a->column->name, COVEY_CONDITION_MOST_PARTS);
        node->part = a->n_parts;
        a->part[a->n_parts++] = node;
        return COVEY_OK;
    }
    for (covey_condition_node *child = node->child; child; child = child->next)
        COVEY_TRY(find_parts(child, b));
    return COVEY_OK;
}

covey_status covey_i_condition_bind(covey_condition *out, const covey_sql_query *query, const covey_query_column *columns, size_t n_columns,
                                    covey_arena *arena, covey_error *err)
{
    struct binder b = {out, query, columns, n_columns, 0, arena, err};

    *out = (covey_condition){.attribute = covey_arena_array_zero(arena, covey_condition_attribute, n_columns)};
    if (!out->attribute)
        return no_memory(&b);
    COVEY_TRY(bind(&out->root, &b, query->where, false));
    return find_parts(out->root, &b);
}
