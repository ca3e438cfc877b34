/* Splits the values of each attribute into atoms.  See condition.h. */
#include "query/condition_atoms.h"

#include <string.h>

static const uint64_t MOST_STEPS = UINT64_C(1) << 32; /* of finding out which values pass which tests */

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a condition");
}

/* --- which values pass which parts --- */

/* One value: missing, or an item (COVEY_CONDITION_NONE: none that has a name) at a position among the constants. */
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
        return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of values of \"%s\" apart", COVEY_CONDITION_MOST_ATOMS, a->column->name);
    a->passes[a->n_atoms++] = passed;
    return COVEY_OK;
}

/* --- items --- */

/* Can a value like 123** stand at the position?  The root is * whatever the values' length. */
static bool mask_reaches(const covey_condition_attribute *a, const char *mask, uint32_t position)
{
    size_t prefix = strcspn(mask, "*");
    const char *before = position >= 2 ? a->constant[position / 2 - 1].text : NULL, *at = position / 2 < a->n_constants ? a->constant[position / 2].text : NULL;

    if (prefix == 0)
        return true;
    if (position % 2)
        return strlen(at) == strlen(mask) && strncmp(at, mask, prefix) == 0;
    return (!before || strncmp(before, mask, prefix) <= 0) && (!at || strncmp(at, mask, prefix) >= 0);
}

/* Texts that are no item's: only positions between constants, and those of constants that are no item -- but for the item's own label, which is its
 * value where it stands for one. */
static bool is_possible(const covey_condition_attribute *a, const covey_query_item *item, uint32_t position)
{
    const covey_query_column *c = a->column;

    if (position % 2 && a->constant[position / 2].text && c->opened->tree && covey_hierarchy_find(c->opened->tree, a->constant[position / 2].text) != COVEY_CONDITION_NONE)
        return item && strcmp(item->label, a->constant[position / 2].text) == 0;
    return !item || !c->is_mask || c->is_number || c->has_order || mask_reaches(a, item->label, position);
}

/* Appends the atoms of an item at any position that it may have. */
static covey_status open_atoms(uint32_t *n, uint32_t *atoms, covey_condition_attribute *a, uint32_t item, covey_error *err)
{
    uint32_t begin = *n;

    for (uint32_t position = 0; position <= 2 * a->n_constants; position++) {
        struct point point = {.item = item, .position = position};
        uint32_t atom;
        bool known = false;

        if (a->n_constants > 0 && !is_possible(a, item == COVEY_CONDITION_NONE ? NULL : &a->column->item[item], position))
            continue;
        COVEY_TRY(atom_of(&atom, a, &point, err));
        for (uint32_t i = begin; i < *n && !known; i++)
            known = atoms[i] == atom;
        if (!known)
            atoms[(*n)++] = atom;
    }
    return COVEY_OK;
}

/* Where items are told apart by their positions only, each position is looked at once. */
static covey_status atom_at(uint32_t *out, covey_condition_attribute *a, uint32_t item, uint32_t *hint, covey_error *err)
{
    const covey_query_item *facts = &a->column->item[item];
    struct point point = {.item = item};

    if (facts->has_number)
        point.position = covey_i_condition_place_of_number(a, facts->number);
    else if (a->n_constants > 0)
        point.position = *hint = covey_i_condition_place_of_text(a, facts->label, *hint);
    if (a->has_item_tests)
        return atom_of(out, a, &point, err);
    if (a->position_atom[point.position] == COVEY_CONDITION_NONE)
        COVEY_TRY(atom_of(&a->position_atom[point.position], a, &point, err));
    *out = a->position_atom[point.position];
    return COVEY_OK;
}

static covey_status find_item_atoms(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    uint32_t n = 0, room = 0, hint = 0;

    for (uint32_t i = 0; i < c->n_items; i++)
        room += c->item[i].is_open ? (2 * a->n_constants + 1 < COVEY_CONDITION_MOST_ATOMS ? 2 * a->n_constants + 1 : COVEY_CONDITION_MOST_ATOMS) : 1;
    a->item_start = covey_arena_array(arena, uint32_t, c->n_items + 1);
    a->item_atom = covey_arena_array(arena, uint32_t, room);
    if (!a->item_start || !a->item_atom)
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_items; i++) {
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
        return no_memory(err);
    a->null_atom = COVEY_CONDITION_NONE;
    if (c->opened->stated->has_missing)
        COVEY_TRY(atom_of(&a->null_atom, a, &null, err));
    for (uint32_t position = 0; position < n_positions; position++) {
        struct point point = {.item = COVEY_CONDITION_NONE, .position = position};

        a->position_atom[position] = COVEY_CONDITION_NONE;
        if (c->n_items == 0 && c->is_number && (c->is_dense || covey_i_condition_count_numbers(a, position, INT64_MIN, INT64_MAX) > 0))
            COVEY_TRY(atom_of(&a->position_atom[position], a, &point, err));
    }
    return c->n_items > 0 ? find_item_atoms(a, arena, err) : COVEY_OK;
}

static covey_status settle_attribute(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    uint32_t *other = covey_arena_array(arena, uint32_t, COVEY_CONDITION_MOST_ATOMS), n_other = 0;

    if (((uint64_t)2 * a->n_constants + 1 + (a->has_item_tests ? a->column->n_items : 0)) * a->n_tests > MOST_STEPS)
        return covey_fail(err, COVEY_EINVAL, "query: the condition has too many tests of \"%s\"", a->column->name);
    if (!other)
        return no_memory(err);
    COVEY_TRY(covey_i_condition_order_constants(a, arena, err));
    COVEY_TRY(find_atoms(a, arena, err));
    if (a->column->is_open) /* also for suppressed rows, which may have values that no cell shows */
        COVEY_TRY(open_atoms(&n_other, other, a, COVEY_CONDITION_NONE, err));
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
        return no_memory(err);
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
