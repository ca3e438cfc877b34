/* From the words of a condition to tests on columns. */
#include "query/language/condition_meaning.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "query/language/condition_atoms.h"

enum { MOST_TESTS = 20000 };

/* --- names --- */

static covey_status unknown_column(const covey_sql_query *query, const covey_sql_name *name,
                                   const covey_query_column *columns, size_t n_columns, covey_error *err)
{
    const char *names[256], *nearest;
    size_t n = n_columns < 256 ? n_columns : 256;

    for (size_t i = 0; i < n_columns && strcasecmp(name->text, "weight") == 0; i++)
        if (columns[i].opened->stated->is_weight)
            return covey_i_sql_complain(
                err, query->text, name->at,
                "the release has no column \"%.100s\": its sampling weight is called \"%.100s\"", name->text,
                columns[i].name);
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

static covey_status take_attribute(int *out, covey_condition_binder *b, const covey_sql_name *name)
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

/* --- tests --- */

static covey_status add_constant(int64_t *out, covey_condition_binder *b, covey_condition_attribute *a, __int128 number,
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

static covey_status new_node(covey_condition_node **out, covey_condition_binder *b, covey_node_kind kind, int attribute)
{
    if (!(*out = covey_arena_array_zero(b->arena, covey_condition_node, 1)))
        return covey_i_no_memory(b->err);
    (*out)->kind = kind;
    (*out)->attribute = attribute;
    (*out)->part = -1;
    return COVEY_OK;
}

static covey_status new_test(covey_condition_node **out, covey_condition_binder *b, int attribute, covey_test_kind test,
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
static covey_status bind_run(covey_condition_node **out, covey_condition_binder *b, int attribute,
                             const covey_value_run *run, bool negate, size_t at)
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
static covey_status bind_runs(covey_condition_node **out, covey_condition_binder *b, int attribute,
                              const covey_condition_meaning *m, bool negate, size_t at)
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

/* A text that the column's order does not list, as that is of published values only: a suppressed row may have it. */
static covey_status take_unnamed(uint32_t *out, covey_condition_binder *b, covey_condition_attribute *a,
                                 const char *text)
{
    for (*out = 0; *out < a->n_unnamed; ++*out)
        if (strcmp(a->unnamed[*out], text) == 0)
            return COVEY_OK;
    if (a->n_unnamed == a->unnamed_room) {
        uint32_t room = a->unnamed_room ? 2 * a->unnamed_room : 8;
        const char **grown = covey_arena_array(b->arena, const char *, room);

        if (!grown)
            return covey_i_no_memory(b->err);
        if (a->n_unnamed)
            memcpy(grown, a->unnamed, a->n_unnamed * sizeof *grown);
        a->unnamed = grown;
        a->unnamed_room = room;
    }
    a->unnamed[a->n_unnamed++] = text;
    return COVEY_OK;
}

static covey_status bind_equal(covey_condition_node **out, covey_condition_binder *b, int attribute,
                               const covey_sql_value *value, bool negate)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    covey_condition_meaning m;

    COVEY_TRY(covey_i_condition_meaning_find(&m, b, a->column, value));
    if (m.kind == COVEY_MEANS_RUNS)
        return bind_runs(out, b, attribute, &m, negate, value->at);
    if (m.kind == COVEY_MEANS_NOTHING && a->column->order_is_cut) {
        uint32_t unnamed;

        COVEY_TRY(take_unnamed(&unnamed, b, a, value->text));
        m = (covey_condition_meaning){.kind = COVEY_MEANS_ITEMS, .first = COVEY_CONDITION_UNNAMED + unnamed, .n = 1};
    }
    COVEY_TRY(new_test(out, b, attribute,
                       m.kind == COVEY_MEANS_ITEMS     ? COVEY_TEST_ITEMS
                       : m.kind == COVEY_MEANS_NOTHING ? COVEY_TEST_NEVER
                                                       : COVEY_TEST_RANGE,
                       negate, value->at));
    if (m.kind == COVEY_MEANS_ITEMS) {
        (*out)->low = m.first;
        (*out)->high = m.first + m.n - 1;
    } else if (m.kind != COVEY_MEANS_NOTHING) {
        COVEY_TRY(add_constant(&(*out)->low_constant, b, a, m.number, m.scale,
                               m.kind == COVEY_MEANS_TEXT ? value->text : NULL));
        (*out)->high_constant = (*out)->low_constant;
    }
    return COVEY_OK;
}

static covey_status bind_end(int64_t *out, covey_condition_binder *b, int attribute, const covey_sql_value *value)
{
    covey_condition_attribute *a = &b->condition->attribute[attribute];
    covey_condition_meaning m;

    COVEY_TRY(covey_i_condition_meaning_find_single(&m, b, a->column, value));
    return add_constant(out, b, a, m.number, m.scale, m.kind == COVEY_MEANS_TEXT ? value->text : NULL);
}

static covey_status bind_compare(covey_condition_node **out, covey_condition_binder *b, const covey_sql_condition *c,
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

static covey_status bind_in(covey_condition_node **out, covey_condition_binder *b, const covey_sql_condition *c,
                            int attribute, bool negate)
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

static covey_status bind_leaf(covey_condition_node **out, covey_condition_binder *b, const covey_sql_condition *c,
                              bool negate)
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
static covey_status group_children(covey_condition_node *node, covey_condition_binder *b)
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

static covey_status bind(covey_condition_node **out, covey_condition_binder *b, const covey_sql_condition *c,
                         bool negate)
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
static covey_status find_parts(covey_condition_node *node, covey_condition_binder *b)
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
    covey_condition_binder b = {out, query, columns, n_columns, 0, arena, err};

    *out = (covey_condition){.attribute = covey_arena_array_zero(arena, covey_condition_attribute, n_columns)};
    if (!out->attribute)
        return covey_i_no_memory(b.err);
    COVEY_TRY(bind(&out->root, &b, query->where, false));
    return find_parts(out->root, &b);
}
