/* What a condition is over a box of atoms. */
#include "query/language/condition.h"

#include <math.h>

covey_status covey_i_condition_make(covey_condition *out, const covey_sql_query *query,
                                    const covey_query_column *columns, size_t n_columns, covey_arena *arena,
                                    covey_error *err)
{
    *out = (covey_condition){.is_read_once = true};
    if (!query->where)
        return COVEY_OK;
    COVEY_TRY(covey_i_condition_bind(out, query, columns, n_columns, arena, err));
    return covey_i_condition_settle(out, arena, err);
}

/* One part over the atoms of its attribute. */
static covey_outcome part_outcome(const covey_condition_node *node, const covey_condition *condition,
                                  const covey_atom_list *list)
{
    covey_outcome outcome = {.p = 0};

    for (uint32_t i = 0; i < list->n; i++) {
        bool passes = condition->attribute[node->attribute].passes[list->share[i].atom] >> node->part & 1;

        outcome.can_be_true |= passes;
        outcome.can_be_false |= !passes;
        outcome.p += passes ? list->share[i].share : 0;
    }
    if (outcome.can_be_true != outcome.can_be_false)
        outcome.p = outcome.can_be_true;
    return outcome;
}

/* Kleene's rules, and products of shares: exact where no attribute has two parts. */
static covey_outcome tree_outcome(const covey_condition_node *node, const covey_condition *condition,
                                  const covey_atom_list *list)
{
    const bool is_or = node->kind == COVEY_NODE_OR;
    covey_outcome outcome = {!is_or, is_or, 1};

    if (node->part >= 0)
        return part_outcome(node, condition, &list[node->attribute]);
    /* or: the same with true and false exchanged */
    for (const covey_condition_node *child = node->child; child; child = child->next) {
        covey_outcome one = tree_outcome(child, condition, list);

        if (one.can_be_true == is_or && one.can_be_false != is_or) /* whatever the others are */
            return (covey_outcome){is_or, !is_or, is_or};
        outcome.can_be_true = is_or ? outcome.can_be_true || one.can_be_true : outcome.can_be_true && one.can_be_true;
        outcome.can_be_false =
            is_or ? outcome.can_be_false && one.can_be_false : outcome.can_be_false || one.can_be_false;
        outcome.p *= is_or ? 1 - one.p : one.p;
    }
    if (is_or)
        outcome.p = 1 - outcome.p;
    if (outcome.can_be_true != outcome.can_be_false)
        outcome.p = outcome.can_be_true;
    return outcome;
}

/* All combinations of the box: attribute by attribute. */
static void add_combinations(covey_outcome *out, const covey_condition *condition, const covey_atom_list *list,
                             uint32_t attribute, uint32_t *atom, double share)
{
    if (attribute == condition->n_attributes) {
        bool is_true = covey_i_condition_holds(condition, atom);

        out->can_be_true |= is_true;
        out->can_be_false |= !is_true;
        out->p += is_true ? share : 0;
        return;
    }
    for (uint32_t i = 0; i < list[attribute].n; i++) {
        atom[attribute] = list[attribute].share[i].atom;
        add_combinations(out, condition, list, attribute + 1, atom, share * list[attribute].share[i].share);
    }
}

enum {
    MOST_ENUMERATED = 32
}; /* attributes; with two atoms each they are more than COVEY_CONDITION_MOST_COMBINATIONS */

static bool is_small(const covey_condition *condition, const covey_atom_list *list)
{
    size_t n = 1;

    if (condition->n_attributes > MOST_ENUMERATED)
        return false;
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if ((n *= list[i].n) > COVEY_CONDITION_MOST_COMBINATIONS)
            return false;
    return true;
}

static bool is_point(size_t *at, const covey_condition *condition, const covey_atom_list *list)
{
    *at = 0;
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        if (list[i].n != 1)
            return false;
        *at += list[i].share[0].atom * condition->attribute[i].stride;
    }
    return true;
}

void covey_i_condition_outcome(covey_outcome *out, const covey_condition *condition, const covey_atom_list *list)
{
    uint32_t atom[MOST_ENUMERATED] = {0};
    size_t at;

    if (!condition->root) {
        *out = (covey_outcome){true, false, 1};
    } else if (condition->truth && is_point(&at, condition, list)) {
        *out = (covey_outcome){condition->truth[at], !condition->truth[at], condition->truth[at]};
    } else if (condition->is_read_once) {
        *out = tree_outcome(condition->root, condition, list);
    } else if (is_small(condition, list)) {
        *out = (covey_outcome){.p = 0};
        add_combinations(out, condition, list, 0, atom, 1);
        if (out->can_be_true != out->can_be_false)
            out->p = out->can_be_true;
    } else {
        *out = tree_outcome(condition->root, condition, list);
        if (out->can_be_true && out->can_be_false)
            out->p = NAN;
    }
}

bool covey_i_condition_may_hold(const covey_condition *condition, const covey_atom_list *list)
{
    return !condition->root || tree_outcome(condition->root, condition, list).can_be_true;
}
