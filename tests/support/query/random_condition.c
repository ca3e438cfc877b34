/* Making conditions at random, and judging rows by them. */
#include "support/query/random_condition.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/release/random_release.h"

static const char *const operators[] = {"=", "<>", "<", "<=", ">", ">="};

static void put(random_condition *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(random_condition *c, const char *fmt, ...)
{
    size_t n = strlen(c->sql);
    va_list args;

    va_start(args, fmt);
    vsnprintf(c->sql + n, sizeof c->sql - n, fmt, args);
    va_end(args);
}

static int draw_value(const condition_attribute *a, uint64_t *state)
{
    if (a->n_labels)
        return (int)random_below(state, (unsigned)a->n_labels);
    return a->low - 1 + (int)random_below(state, (unsigned)(a->high - a->low + 3));
}

static void put_value(random_condition *c, const condition_attribute *a, int value)
{
    if (a->n_labels)
        put(c, "'%s'", a->label[value]);
    else
        put(c, value % 3 ? "%d" : "'%d'", value);
}

static void make_leaf(random_condition *c, condition_node *node, uint64_t *state)
{
    const condition_attribute *a;

    node->attribute = (int)random_below(state, (unsigned)c->n_attributes);
    a = &c->attribute[node->attribute];
    node->negated = random_below(state, 3) == 0;
    node->n_values = 1 + (int)random_below(state, CONDITION_MOST_VALUES);
    for (int i = 0; i < node->n_values; i++)
        node->value[i] = draw_value(a, state);
    switch (random_below(state, 6)) {
    case 0:
        node->kind = NODE_IS_NULL;
        put(c, "%s IS %sNULL", a->name, node->negated ? "NOT " : "");
        return;
    case 1:
        node->kind = NODE_IN;
        put(c, "%s %sIN (", a->name, node->negated ? "NOT " : "");
        for (int i = 0; i < node->n_values; i++) {
            put(c, "%s", i ? ", " : "");
            put_value(c, a, node->value[i]);
        }
        put(c, ")");
        return;
    case 2:
        node->kind = NODE_BETWEEN;
        node->value[1] = draw_value(a, state);
        put(c, "%s %sBETWEEN ", a->name, node->negated ? "NOT " : "");
        put_value(c, a, node->value[0]);
        put(c, " AND ");
        put_value(c, a, node->value[1]);
        return;
    case 3:
        if (a->n_inner) {
            node->kind = NODE_INNER;
            node->value[0] = (int)random_below(state, (unsigned)a->n_inner);
            put(c, "%s %s '%s'", a->name, node->negated ? "<>" : "=", a->inner[node->value[0]]);
            return;
        }
        /* fall through */
    default:
        node->kind = NODE_COMPARE;
        node->negated = false;
        node->op = (int)random_below(state, 6);
        put(c, "%s %s ", a->name, operators[node->op]);
        put_value(c, a, node->value[0]);
        return;
    }
}

static int make_node(random_condition *c, int depth, uint64_t *state)
{
    int at = c->n_nodes++;
    condition_node *node = &c->node[at];
    unsigned kind = depth > 0 && c->n_nodes < CONDITION_MOST_NODES - 8 ? random_below(state, 5) : 4;

    memset(node, 0, sizeof *node);
    if (kind >= 3) {
        make_leaf(c, node, state);
    } else if (kind == 2) {
        node->kind = NODE_NOT;
        put(c, "NOT (");
        node->child[0] = make_node(c, depth - 1, state);
        put(c, ")");
    } else {
        node->kind = kind ? NODE_OR : NODE_AND;
        put(c, "(");
        node->child[0] = make_node(c, depth - 1, state);
        put(c, kind ? " OR " : " and ");
        node->child[1] = make_node(c, depth - 1, state);
        put(c, ")");
    }
    return at;
}

void condition_make(random_condition *out, const condition_attribute *attribute, size_t n_attributes, int depth,
                    uint64_t *state)
{
    out->attribute = attribute;
    out->n_attributes = n_attributes;
    out->n_nodes = 0;
    out->sql[0] = '\0';
    make_node(out, depth, state);
}

static int compare(const condition_attribute *a, int x, int y)
{
    return a->n_labels ? strcmp(a->label[x], a->label[y]) : (x > y) - (x < y);
}

/* 0 false, 1 unknown, 2 true: SQL's logic, with NOT, AND, OR as 2 - x, min and max. */
static int truth(const random_condition *c, int at, const int *value)
{
    const condition_node *node = &c->node[at];
    const condition_attribute *a = &c->attribute[node->attribute];
    int v = value[node->attribute], x, y;
    bool result = false;

    if (node->kind == NODE_NOT)
        return 2 - truth(c, node->child[0], value);
    if (node->kind == NODE_AND || node->kind == NODE_OR) {
        x = truth(c, node->child[0], value);
        y = truth(c, node->child[1], value);
        return node->kind == NODE_AND ? (x < y ? x : y) : (x > y ? x : y);
    }
    if (node->kind == NODE_IS_NULL)
        return (v == CONDITION_NULL) != node->negated ? 2 : 0;
    if (v == CONDITION_NULL)
        return 1;
    if (node->kind == NODE_INNER)
        result = v >= a->inner_low[node->value[0]] && v <= a->inner_high[node->value[0]];
    else if (node->kind == NODE_BETWEEN)
        result = compare(a, v, node->value[0]) >= 0 && compare(a, v, node->value[1]) <= 0;
    else if (node->kind == NODE_IN)
        for (int i = 0; i < node->n_values; i++)
            result |= compare(a, v, node->value[i]) == 0;
    else {
        x = compare(a, v, node->value[0]);
        result = node->op == 0   ? x == 0
                 : node->op == 1 ? x != 0
                 : node->op == 2 ? x < 0
                 : node->op == 3 ? x <= 0
                 : node->op == 4 ? x > 0
                                 : x >= 0;
    }
    return result != node->negated ? 2 : 0;
}

bool condition_selects(const random_condition *condition, const int *value)
{
    return truth(condition, 0, value) == 2;
}
