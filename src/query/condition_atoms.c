/* Splits the values of each attribute into atoms, and says which of them each published cell holds.  See condition.h. */
#include "query/query_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATOMS = 4096 };
static const uint64_t MOST_STEPS = UINT64_C(1) << 32; /* of finding out which values pass which tests */
static const uint32_t NONE = UINT32_MAX;

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a condition");
}

static __int128 power_of_ten(int exponent)
{
    __int128 power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* --- constants in order --- */

static int compare_constants(const void *x, const void *y)
{
    const covey_constant *a = x, *b = y;

    if (a->text)
        return strcmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

static uint32_t place_of(const covey_condition_attribute *a, const covey_constant *wanted)
{
    const covey_constant *found = bsearch(wanted, a->constant, a->n_constants, sizeof *wanted, compare_constants);

    return (uint32_t)(found - a->constant);
}

/* Turns the ends of ranges into positions. */
static void place_tests(covey_condition_node *node, const covey_condition_attribute *a, const covey_constant *collected)
{
    for (covey_condition_node *child = node->child; child; child = child->next)
        place_tests(child, a, collected);
    if (node->kind != COVEY_NODE_TEST || node->test != COVEY_TEST_RANGE)
        return;
    node->low = node->low_constant < 0 ? 0 : 2 * place_of(a, &collected[node->low_constant]) + (node->low_open ? 2 : 1);
    node->high = node->high_constant < 0 ? 2 * a->n_constants : 2 * place_of(a, &collected[node->high_constant]) + (node->high_open ? 0 : 1);
}

static covey_status sort_constants(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    covey_constant *collected = covey_arena_array(arena, covey_constant, a->n_constants);
    uint32_t n = 0;

    if (!collected)
        return no_memory(err);
    if (a->n_constants > 0) {
        memcpy(collected, a->constant, a->n_constants * sizeof *collected);
        qsort(a->constant, a->n_constants, sizeof *a->constant, compare_constants);
    }
    for (uint32_t i = 0; i < a->n_constants; i++)
        if (n == 0 || compare_constants(&a->constant[n - 1], &a->constant[i]) != 0)
            a->constant[n++] = a->constant[i];
    a->n_constants = n;
    for (int p = 0; p < a->n_parts; p++)
        place_tests(a->part[p], a, collected);
    return COVEY_OK;
}

/* --- which values pass which parts --- */

/* One value: missing, or an item (NONE: none that has a name) at a position among the constants. */
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
        passes = point->item != NONE && point->item >= test->low && point->item <= test->high;
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
    if (a->n_atoms == MOST_ATOMS)
        return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of values of \"%s\" apart", MOST_ATOMS, a->column->name);
    a->passes[a->n_atoms++] = passed;
    return COVEY_OK;
}

/* --- numbers --- */

/* Numbers of the column's scale within a position, cut to low .. high; *first and *last. */
static int64_t count_numbers(const covey_condition_attribute *a, uint32_t position, int64_t low, int64_t high)
{
    const __int128 unit = power_of_ten(a->scale - a->column->scale);
    __int128 first = low, last = high, end;

    if (position % 2) {
        end = a->constant[position / 2].number;
        return end % unit == 0 && end / unit >= low && end / unit <= high;
    }
    if (position > 0) { /* the first above the constant before */
        end = a->constant[position / 2 - 1].number;
        end = end / unit - (end % unit < 0) + 1;
        first = end > first ? end : first;
    }
    if (position < 2 * a->n_constants) { /* the last below the constant behind */
        end = a->constant[position / 2].number;
        end = end / unit + (end % unit > 0) - 1;
        last = end < last ? end : last;
    }
    return first > last ? 0 : last - first >= INT64_MAX ? INT64_MAX : (int64_t)(last - first + 1);
}

/* Numbers of the column are compared with constants as 64-bit numbers: number above constant i is number >= above[i], and equal to it is
 * number + 1 = above[i] where the constant is one of the column's numbers. */
static covey_status fill_above(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const __int128 unit = power_of_ten(a->scale - a->column->scale);

    a->above = covey_arena_array(arena, int64_t, a->n_constants);
    a->on_grid = covey_arena_array(arena, bool, a->n_constants);
    if (!a->above || !a->on_grid)
        return no_memory(err);
    for (uint32_t i = 0; i < a->n_constants; i++) {
        __int128 number = a->constant[i].number, above = number / unit - (number % unit < 0) + 1;

        a->above[i] = above > INT64_MAX ? INT64_MAX : above < INT64_MIN ? INT64_MIN : (int64_t)above;
        a->on_grid[i] = number % unit == 0;
    }
    return COVEY_OK;
}

static uint32_t position_of_number(const covey_condition_attribute *a, int64_t number)
{
    uint32_t low = 0, high = a->n_constants; /* how many constants are below */

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (a->above[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low + (low < a->n_constants && a->on_grid[low] && a->above[low] == number + 1);
}

/* hint: where the text before stood; dictionaries are sorted, so that it is most often the place. */
static uint32_t position_of_text(const covey_condition_attribute *a, const char *text, uint32_t hint)
{
    uint32_t low = 0, high = a->n_constants;

    if (hint % 2 == 0 && (hint == 0 || strcmp(a->constant[hint / 2 - 1].text, text) < 0) &&
        (hint / 2 == a->n_constants || strcmp(text, a->constant[hint / 2].text) < 0))
        return hint;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(a->constant[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low + (low < a->n_constants && strcmp(a->constant[low].text, text) == 0);
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

    if (position % 2 && a->constant[position / 2].text && c->opened->tree && covey_hierarchy_find(c->opened->tree, a->constant[position / 2].text) != NONE)
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

        if (a->n_constants > 0 && !is_possible(a, item == NONE ? NULL : &a->column->item[item], position))
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
        point.position = position_of_number(a, facts->number);
    else if (a->n_constants > 0)
        point.position = *hint = position_of_text(a, facts->label, *hint);
    if (a->has_item_tests)
        return atom_of(out, a, &point, err);
    if (a->position_atom[point.position] == NONE)
        COVEY_TRY(atom_of(&a->position_atom[point.position], a, &point, err));
    *out = a->position_atom[point.position];
    return COVEY_OK;
}

static covey_status find_item_atoms(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    uint32_t n = 0, room = 0, hint = 0;

    for (uint32_t i = 0; i < c->n_items; i++)
        room += c->item[i].is_open ? (2 * a->n_constants + 1 < MOST_ATOMS ? 2 * a->n_constants + 1 : MOST_ATOMS) : 1;
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

/* --- cells --- */

/* What a cell holds while it is being counted. */
struct counting {
    double *n;             /* [MOST_ATOMS] values of each atom */
    bool *is_vague;        /* [MOST_ATOMS] an item may be of it or not */
    uint32_t *present, n_present;
    uint32_t *other, n_other; /* atoms of values without a name */
    double total;
};

static void count(struct counting *k, uint32_t atom, double n, bool vague)
{
    bool is_new = true;

    for (uint32_t i = 0; i < k->n_present && is_new; i++)
        is_new = k->present[i] != atom;
    if (is_new) {
        k->present[k->n_present++] = atom;
        k->n[atom] = 0;
        k->is_vague[atom] = false;
    }
    k->n[atom] += n;
    k->is_vague[atom] |= vague;
    k->total += n;
}

static void count_range(struct counting *k, const covey_condition_attribute *a, const covey_query_cell *cell)
{
    const bool endless = cell->low == COVEY_NO_LOW || cell->high == COVEY_NO_HIGH;
    uint32_t first = position_of_number(a, cell->low), last = cell->low == cell->high ? first : position_of_number(a, cell->high);

    if (cell->high_open && last % 2 && last > first)
        last--;
    if (first == last) {
        count(k, a->position_atom[first], endless ? 1 : (double)cell->high - (double)cell->low + 1, false);
        return;
    }
    for (uint32_t position = first; position <= last; position++) {
        int64_t n = count_numbers(a, position, cell->low, cell->high - cell->high_open);

        if (a->position_atom[position] != NONE && (n > 0 || a->column->is_dense))
            count(k, a->position_atom[position], endless ? 1 : (double)n, endless);
    }
}

static void count_item(struct counting *k, const covey_condition_attribute *a, uint32_t item)
{
    uint32_t begin = a->item_start[item], end = a->item_start[item + 1];

    for (uint32_t i = begin; i < end; i++)
        count(k, a->item_atom[i], 1.0 / (end - begin), end - begin > 1);
}

static void count_cell(struct counting *k, const covey_condition_attribute *a, const covey_query_cell *cell)
{
    k->n_present = 0;
    k->total = 0;
    if (cell->has_null)
        count(k, a->null_atom, 1, false);
    if (cell->has_range)
        count_range(k, a, cell);
    for (uint32_t i = 0; i < cell->n_items; i++)
        count_item(k, a, cell->item ? cell->item[i] : cell->first + i);
    for (uint32_t i = 0; i < k->n_other && cell->has_other; i++)
        count(k, k->other[i], cell->n_items ? 0 : 1, k->n_other > 1 && !cell->n_items);
}

/* The atom of a cell that is a single value; NONE: it may be several. */
static uint32_t single_atom(const covey_condition_attribute *a, const covey_query_cell *cell)
{
    if (cell->has_null || cell->has_other)
        return NONE;
    if (cell->has_range)
        return cell->low == cell->high && cell->n_items == 0 ? a->position_atom[position_of_number(a, cell->low)] : NONE;
    if (cell->n_items != 1 || cell->item || a->item_start[cell->first + 1] - a->item_start[cell->first] != 1)
        return NONE;
    return a->item_atom[a->item_start[cell->first]];
}

static covey_status list_cells(covey_condition_attribute *a, struct counting *k, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    size_t n = 0, room = (size_t)c->n_cells + 64;
    covey_atom_share *share = covey_arena_array(arena, covey_atom_share, room);

    if (!(a->start = covey_arena_array(arena, uint32_t, (size_t)c->n_cells + 1)) || !share)
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_cells; i++) {
        uint32_t single = single_atom(a, &c->cell[i]);

        if (single != NONE && n < room) {
            a->start[i] = (uint32_t)n;
            share[n++] = (covey_atom_share){single, 1};
            continue;
        }
        count_cell(k, a, &c->cell[i]);
        if (n + k->n_present > room) {
            covey_atom_share *grown = covey_arena_array(arena, covey_atom_share, 2 * room + k->n_present);

            if (!grown || 2 * room + k->n_present > UINT32_MAX)
                return no_memory(err);
            memcpy(grown, share, n * sizeof *grown);
            share = grown;
            room = 2 * room + k->n_present;
        }
        a->start[i] = (uint32_t)n;
        for (uint32_t j = 0; j < k->n_present; j++) {
            uint32_t atom = k->present[j];

            share[n++] = (covey_atom_share){atom, k->n_present == 1 ? 1 : k->is_vague[atom] ? NAN : k->n[atom] / k->total};
        }
    }
    a->start[c->n_cells] = (uint32_t)n;
    a->share = share;
    return COVEY_OK;
}

covey_atom_list covey_i_condition_value(const covey_condition_attribute *a, const covey_query_value *value, covey_atom_share *room)
{
    covey_atom_list list = {room, 1};
    uint32_t begin;

    if (value->is_null) {
        room[0] = (covey_atom_share){a->null_atom, 1};
        return list;
    }
    if (a->column->n_items == 0) {
        room[0] = (covey_atom_share){a->position_atom[position_of_number(a, value->number)], 1};
        return list;
    }
    begin = a->item_start[value->item];
    list.n = a->item_start[value->item + 1] - begin;
    for (uint32_t i = 0; i < list.n; i++)
        room[i] = (covey_atom_share){a->item_atom[begin + i], list.n == 1 ? 1 : NAN};
    return list;
}

/* --- one attribute --- */

/* Atoms of the missing value and of all positions. */
static covey_status find_atoms(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    struct point null = {.is_null = true, .item = NONE};
    uint32_t n_positions = 2 * a->n_constants + 1;

    a->passes = covey_arena_array(arena, uint64_t, MOST_ATOMS);
    a->position_atom = covey_arena_array(arena, uint32_t, n_positions);
    if (!a->passes || !a->position_atom)
        return no_memory(err);
    a->null_atom = NONE;
    if (c->opened->stated->has_missing)
        COVEY_TRY(atom_of(&a->null_atom, a, &null, err));
    for (uint32_t position = 0; position < n_positions; position++) {
        struct point point = {.item = NONE, .position = position};

        a->position_atom[position] = NONE;
        if (c->n_items == 0 && c->is_number && (c->is_dense || count_numbers(a, position, INT64_MIN, INT64_MAX) > 0))
            COVEY_TRY(atom_of(&a->position_atom[position], a, &point, err));
    }
    return c->n_items > 0 ? find_item_atoms(a, arena, err) : COVEY_OK;
}

/* What a row without cells may have: a suppressed one. */
static covey_status list_any(covey_condition_attribute *a, struct counting *k, covey_arena *arena, covey_error *err)
{
    const covey_opened_column *opened = a->column->opened;
    const covey_query_cell domain = {.has_null = opened->stated->has_missing, .has_range = true, .low = opened->domain_low, .high = opened->domain_high};
    bool has_domain = opened->stated->publish == COVEY_PUBLISH_RANGE;

    if (has_domain)
        count_cell(k, a, &domain);
    a->n_any = has_domain ? k->n_present : a->n_atoms;
    if (!(a->any = covey_arena_array(arena, covey_atom_share, a->n_any)))
        return no_memory(err);
    for (uint32_t i = 0; i < a->n_any; i++)
        a->any[i] = (covey_atom_share){has_domain ? k->present[i] : i, NAN};
    return COVEY_OK;
}

static covey_status settle_attribute(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    struct counting k = {0};

    if (((uint64_t)2 * a->n_constants + 1 + (a->has_item_tests ? a->column->n_items : 0)) * a->n_tests > MOST_STEPS)
        return covey_fail(err, COVEY_EINVAL, "query: the condition has too many tests of \"%s\"", a->column->name);
    COVEY_TRY(sort_constants(a, arena, err));
    COVEY_TRY(fill_above(a, arena, err));
    COVEY_TRY(find_atoms(a, arena, err));
    k.n = covey_arena_array(arena, double, MOST_ATOMS);
    k.is_vague = covey_arena_array(arena, bool, MOST_ATOMS);
    k.present = covey_arena_array(arena, uint32_t, MOST_ATOMS);
    k.other = covey_arena_array(arena, uint32_t, MOST_ATOMS);
    if (!k.n || !k.is_vague || !k.present || !k.other)
        return no_memory(err);
    if (a->column->is_open) /* also for suppressed rows, which may have values that no cell shows */
        COVEY_TRY(open_atoms(&k.n_other, k.other, a, NONE, err));
    COVEY_TRY(list_cells(a, &k, arena, err));
    return list_any(a, &k, arena, err);
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
