/* Splits the values of each attribute into atoms. */
#include "query/language/condition_atoms.h"

#include <string.h>

#include "base/error.h"

static const uint64_t MOST_STEPS = UINT64_C(1) << 32; /* of finding out which values pass which tests */

/* --- which values pass which parts --- */

/* One value: missing, or an item (an unnamed text; COVEY_CONDITION_NONE: none that has a name) at a position among the
 * constants. */
struct point {
    bool is_null;
    uint32_t item, position;
};

static bool passes_test(const covey_condition_node *test, const struct point *point)
{
    bool passes = false;

    if (test->test == COVEY_TEST_NULL)
        return point->is_null != test->is_negated;
    if (point->is_null)
        return false;
    if (test->test == COVEY_TEST_RANGE)
        passes = point->position >= test->low && point->position <= test->high;
    else if (test->test == COVEY_TEST_ITEMS)
        passes = point->item != COVEY_CONDITION_NONE && point->item >= test->low && point->item <= test->high;
    return passes != test->is_negated;
}

static bool passes(const covey_condition_node *node, const struct point *point)
{
    if (node->kind == COVEY_NODE_TEST)
        return passes_test(node, point);
    for (const covey_condition_node *child = node->child; child; child = child->next)
        if (passes(child, point) == (node->kind == COVEY_NODE_OR))
            return node->kind == COVEY_NODE_OR;
    return node->kind == COVEY_NODE_AND;
}

/* The atom of a value, made if it is the first of its kind. */
static covey_status atom_of(uint32_t *out, covey_condition_attribute *a, const struct point *point, covey_error *err)
{
    uint64_t passed = 0;

    for (int p = 0; p < a->n_parts; p++)
        passed |= (uint64_t)passes(a->part[p], point) << p;
    for (*out = 0; *out < a->n_atoms; ++*out)
        if (a->passes[*out] == passed)
            return COVEY_OK;
    if (a->n_atoms == COVEY_CONDITION_MOST_ATOMS)
        return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of values of \"%s\" apart",
                          COVEY_CONDITION_MOST_ATOMS, a->column->name);
    a->passes[a->n_atoms++] = passed;
    return COVEY_OK;
}

/* --- items --- */

/* Can a value of the run stand at the position? */
static bool reaches(const covey_condition_attribute *a, const covey_value_run *run, uint32_t position)
{
    const covey_constant *at = position / 2 < a->n_constants ? &a->constant[position / 2] : NULL;
    const covey_number_label *label = &run->number;

    if (run->is_text)
        return covey_i_label_run_reaches(run,
                                         position % 2    ? at->text
                                         : position >= 2 ? a->constant[position / 2 - 1].text
                                                         : NULL,
                                         at ? at->text : NULL);
    return covey_i_condition_reaches(a, position, label);
}

/* Is it the value of an item, which no other then has? */
static bool is_taken(const covey_condition_attribute *a, const covey_query_item *item, uint32_t position)
{
    const covey_query_column *c = a->column;
    const char *text = position % 2 ? a->constant[position / 2].text : NULL;
    uint32_t node = text && c->tree ? covey_hierarchy_find(c->tree, text) : COVEY_CONDITION_NONE, leaf;

    if (node == COVEY_CONDITION_NONE || (item && strcmp(item->label, text) == 0))
        return false;
    leaf = covey_hierarchy_nodes(c->tree)[node].leaf;
    return leaf != UINT32_MAX && !c->item[leaf].is_open;
}

/* Can the item, or a value without a name, stand at the position? */
static bool is_possible(const covey_condition_attribute *a, const covey_query_item *item, uint32_t position)
{
    const bool is_unlisted = !item && a->column->order_is_cut;
    bool reached = !item || item->n_runs == 0;

    if (is_unlisted ? position % 2 : is_taken(a, item, position)) /* constants are places of listed values */
        return false;
    for (uint32_t i = 0; item && i < item->n_runs && !reached; i++)
        reached = reaches(a, &item->run[i], position);
    return reached;
}

/* Appends the atoms of an item at any position that it may have. */
static covey_status open_atoms(uint32_t *n, uint32_t *atoms, covey_condition_attribute *a, uint32_t item,
                               covey_error *err)
{
    uint32_t begin = *n;

    for (uint32_t position = 0; position <= 2 * a->n_constants; position++) {
        struct point point = {.item = item, .position = position};
        uint32_t atom;
        bool known = false;

        if (a->n_constants > 0 &&
            !is_possible(a, item >= COVEY_CONDITION_UNNAMED ? NULL : &a->column->item[item], position))
            continue;
        COVEY_TRY(atom_of(&atom, a, &point, err));
        for (uint32_t i = begin; i < *n && !known; i++)
            known = atoms[i] == atom;
        if (!known)
            atoms[(*n)++] = atom;
    }
    return COVEY_OK;
}

/* Items from one mark to the next are told apart by their positions only: a test for items takes all of them or none.
 */
static void mark_items(bool *marks, const covey_condition_node *node, uint32_t n_items)
{
    for (const covey_condition_node *child = node->child; child; child = child->next)
        mark_items(marks, child, n_items);
    if (node->kind == COVEY_NODE_TEST && node->test == COVEY_TEST_ITEMS && node->high < n_items) {
        marks[node->low] = true;
        marks[node->high + 1] = true;
    }
}

static void forget_positions(covey_condition_attribute *a)
{
    memset(a->position_atom, 0xff, (2 * (size_t)a->n_constants + 1) * sizeof *a->position_atom);
}

/* Each position is looked at once. */
static covey_status atom_at(uint32_t *out, covey_condition_attribute *a, uint32_t item, uint32_t *hint,
                            covey_error *err)
{
    const covey_query_item *facts = &a->column->item[item];
    struct point point = {.item = item};

    if (facts->has_number)
        point.position = covey_i_condition_place_of_number(a, facts->number);
    else if (a->n_constants > 0)
        point.position = *hint = covey_i_condition_place_of_text(a, facts->label, *hint);
    if (a->position_atom[point.position] == COVEY_CONDITION_NONE)
        COVEY_TRY(atom_of(&a->position_atom[point.position], a, &point, err));
    *out = a->position_atom[point.position];
    return COVEY_OK;
}

static covey_status find_item_atoms(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    uint32_t n = 0, room = 0, hint = 0;
    bool *marks;

    for (uint32_t i = 0; i < c->n_items; i++)
        room += c->item[i].is_open ? (2 * a->n_constants + 1 < COVEY_CONDITION_MOST_ATOMS ? 2 * a->n_constants + 1
                                                                                          : COVEY_CONDITION_MOST_ATOMS)
                                   : 1;
    marks = covey_arena_array_zero(arena, bool, (size_t)c->n_items + 1);
    a->item_start = covey_arena_array(arena, uint32_t, c->n_items + 1);
    a->item_atom = covey_arena_array(arena, uint32_t, room);
    if (!marks || !a->item_start || !a->item_atom)
        return covey_i_no_memory(err);
    for (int p = 0; p < a->n_parts; p++)
        mark_items(marks, a->part[p], c->n_items);
    for (uint32_t i = 0; i < c->n_items; i++) {
        if (marks[i])
            forget_positions(a);
        a->item_start[i] = n;
        if (c->item[i].is_null)
            a->item_atom[n++] = a->null_atom;
        else if (c->item[i].is_open)
            COVEY_TRY(open_atoms(&n, a->item_atom, a, i, err));
        else
            COVEY_TRY(atom_at(&a->item_atom[n++], a, i, &hint, err));
    }
    a->item_start[c->n_items] = n;
    return COVEY_OK;
}

/* --- one attribute --- */

/* Atoms of the missing value and of all positions. */
static covey_status find_atoms(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    struct point null = {.is_null = true, .item = COVEY_CONDITION_NONE};
    uint32_t n_positions = 2 * a->n_constants + 1;

    a->passes = covey_arena_array(arena, uint64_t, COVEY_CONDITION_MOST_ATOMS);
    a->position_atom = covey_arena_array(arena, uint32_t, n_positions);
    if (!a->passes || !a->position_atom)
        return covey_i_no_memory(err);
    forget_positions(a);
    a->null_atom = COVEY_CONDITION_NONE;
    if (c->may_be_missing)
        COVEY_TRY(atom_of(&a->null_atom, a, &null, err));
    for (uint32_t position = 0; position < n_positions; position++) {
        struct point point = {.item = COVEY_CONDITION_NONE, .position = position};

        if (c->n_items == 0 && c->is_number &&
            (c->is_dense || covey_i_condition_count_numbers(a, position, INT64_MIN, INT64_MAX) > 0))
            COVEY_TRY(atom_of(&a->position_atom[position], a, &point, err));
    }
    return c->n_items > 0 ? find_item_atoms(a, arena, err) : COVEY_OK;
}

static covey_status settle_attribute(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    uint32_t *other = covey_arena_array(arena, uint32_t, COVEY_CONDITION_MOST_ATOMS), n_other = 0;

    if ((((uint64_t)2 * a->n_constants + 1) * (a->n_unnamed + 1) + (a->has_item_tests ? a->column->n_items : 0)) *
            a->n_tests >
        MOST_STEPS)
        return covey_fail(err, COVEY_EINVAL, "query: the condition has too many tests of \"%s\"", a->column->name);
    if (!other)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_condition_order_constants(a, arena, err));
    COVEY_TRY(find_atoms(a, arena, err));
    if (a->column->is_open) /* also for suppressed rows, which may have values that no cell shows */
        COVEY_TRY(open_atoms(&n_other, other, a, COVEY_CONDITION_NONE, err));
    for (uint32_t i = 0; i < a->n_unnamed; i++)
        COVEY_TRY(open_atoms(&n_other, other, a, COVEY_CONDITION_UNNAMED + i, err));
    return covey_i_condition_list_cells(a, other, n_other, arena, err);
}

/* --- the truth of combinations --- */

static covey_status tabulate(covey_condition *condition, covey_arena *arena, covey_error *err)
{
    uint32_t *atom = covey_arena_array_zero(arena, uint32_t, condition->n_attributes);
    size_t n = 1;

    for (uint32_t i = condition->n_attributes; i-- > 0;) {
        condition->attribute[i].stride = n;
        n *= condition->attribute[i].n_atoms;
        if (n > COVEY_CONDITION_MOST_TRUTH)
            return COVEY_OK;
    }
    if (!atom || !(condition->truth = covey_arena_array(arena, uint8_t, n)))
        return covey_i_no_memory(err);
    for (size_t at = 0; at < n; at++) {
        condition->truth[at] = covey_i_condition_holds(condition, atom);
        for (uint32_t i = condition->n_attributes; i-- > 0 && ++atom[i] == condition->attribute[i].n_atoms;)
            atom[i] = 0;
    }
    return COVEY_OK;
}

covey_status covey_i_condition_settle(covey_condition *condition, covey_arena *arena, covey_error *err)
{
    condition->is_read_once = true;
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        COVEY_TRY(settle_attribute(&condition->attribute[i], arena, err));
        condition->is_read_once &= condition->attribute[i].n_parts == 1;
    }
    return tabulate(condition, arena, err);
}

bool covey_i_condition_node_holds(const covey_condition_node *node, const covey_condition *condition,
                                  const uint32_t *atom)
{
    if (node->part >= 0)
        return condition->attribute[node->attribute].passes[atom[node->attribute]] >> node->part & 1;
    for (const covey_condition_node *child = node->child; child; child = child->next)
        if (covey_i_condition_node_holds(child, condition, atom) == (node->kind == COVEY_NODE_OR))
            return node->kind == COVEY_NODE_OR;
    return node->kind == COVEY_NODE_AND;
}

bool covey_i_condition_holds(const covey_condition *condition, const uint32_t *atom)
{
    return !condition->root || covey_i_condition_node_holds(condition->root, condition, atom);
}
