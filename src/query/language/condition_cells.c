/* Which atoms each published cell of an attribute holds, and how much of it is of each. */
#include "query/language/condition_atoms.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "query/query_impl.h"

/* What a cell holds while it is being counted. */
struct counting {
    double *n;      /* [COVEY_CONDITION_MOST_ATOMS] values of each atom */
    bool *is_vague; /* [COVEY_CONDITION_MOST_ATOMS] an item may be of it or not */
    uint32_t *present, n_present;
    const uint32_t *other;
    uint32_t n_other; /* atoms of values without a name */
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
    uint32_t first = covey_i_condition_place_of_number(a, cell->low),
             last = cell->low == cell->high ? first : covey_i_condition_place_of_number(a, cell->high);

    if (cell->high_open && last % 2 && last > first)
        last--;
    if (first == last) {
        count(k, a->position_atom[first], endless ? 1 : covey_i_query_range_size(cell), false);
        return;
    }
    for (uint32_t position = first; position <= last; position++) {
        int64_t n = covey_i_condition_count_numbers(a, position, cell->low, cell->high - cell->high_open);

        if (a->position_atom[position] != COVEY_CONDITION_NONE && (n > 0 || a->column->is_dense))
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
    for (uint32_t i = 0; i < k->n_present && cell->has_other && a->column->own_tree;
         i++) /* how many values the data added is not known */
        k->is_vague[k->present[i]] = true;
}

/* The atom of a cell that is a single value; COVEY_CONDITION_NONE: it may be several. */
static uint32_t single_atom(const covey_condition_attribute *a, const covey_query_cell *cell)
{
    if (cell->has_null || cell->has_other)
        return COVEY_CONDITION_NONE;
    if (cell->has_range)
        return cell->low == cell->high && cell->n_items == 0
                   ? a->position_atom[covey_i_condition_place_of_number(a, cell->low)]
                   : COVEY_CONDITION_NONE;
    if (cell->n_items != 1 || cell->item || a->item_start[cell->first + 1] - a->item_start[cell->first] != 1)
        return COVEY_CONDITION_NONE;
    return a->item_atom[a->item_start[cell->first]];
}

static covey_status list_cells(covey_condition_attribute *a, struct counting *k, covey_arena *arena, covey_error *err)
{
    const covey_query_column *c = a->column;
    size_t n = 0, room = (size_t)c->n_cells + 64;
    covey_atom_share *share = covey_arena_array(arena, covey_atom_share, room);

    if (!(a->start = covey_arena_array(arena, uint32_t, (size_t)c->n_cells + 1)) || !share)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < c->n_cells; i++) {
        uint32_t single = single_atom(a, &c->cell[i]);

        if (single != COVEY_CONDITION_NONE && n < room) {
            a->start[i] = (uint32_t)n;
            share[n++] = (covey_atom_share){single, 1};
            continue;
        }
        count_cell(k, a, &c->cell[i]);
        if (n + k->n_present > room) {
            covey_atom_share *grown = covey_arena_array(arena, covey_atom_share, 2 * room + k->n_present);

            if (!grown || 2 * room + k->n_present > UINT32_MAX)
                return covey_i_no_memory(err);
            memcpy(grown, share, n * sizeof *grown);
            share = grown;
            room = 2 * room + k->n_present;
        }
        a->start[i] = (uint32_t)n;
        for (uint32_t j = 0; j < k->n_present; j++) {
            uint32_t atom = k->present[j];

            share[n++] = (covey_atom_share){atom, k->n_present == 1   ? 1
                                                  : k->is_vague[atom] ? NAN
                                                                      : k->n[atom] / k->total};
        }
    }
    a->start[c->n_cells] = (uint32_t)n;
    a->share = share;
    return COVEY_OK;
}

covey_atom_list covey_i_condition_value(const covey_condition_attribute *a, const covey_query_value *value,
                                        covey_atom_share *room)
{
    covey_atom_list list = {room, 1};
    uint32_t begin;

    if (value->is_null) {
        room[0] = (covey_atom_share){a->null_atom, 1};
        return list;
    }
    if (a->column->n_items == 0) {
        room[0] = (covey_atom_share){a->position_atom[covey_i_condition_place_of_number(a, value->number)], 1};
        return list;
    }
    begin = a->item_start[value->item];
    list.n = a->item_start[value->item + 1] - begin;
    for (uint32_t i = 0; i < list.n; i++)
        room[i] = (covey_atom_share){a->item_atom[begin + i], list.n == 1 ? 1 : NAN};
    return list;
}

/* What a row without cells may have, a suppressed one: also numbers outside the domain, which may be that of the
 * published rows. */
static covey_status list_any(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    a->n_any = a->n_atoms;
    if (!(a->any = covey_arena_array(arena, covey_atom_share, a->n_any)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < a->n_any; i++)
        a->any[i] = (covey_atom_share){i, NAN};
    return COVEY_OK;
}

covey_status covey_i_condition_list_cells(covey_condition_attribute *a, const uint32_t *other, uint32_t n_other,
                                          covey_arena *arena, covey_error *err)
{
    struct counting k = {.other = other, .n_other = n_other};

    k.n = covey_arena_array(arena, double, COVEY_CONDITION_MOST_ATOMS);
    k.is_vague = covey_arena_array(arena, bool, COVEY_CONDITION_MOST_ATOMS);
    k.present = covey_arena_array(arena, uint32_t, COVEY_CONDITION_MOST_ATOMS);
    if (!k.n || !k.is_vague || !k.present)
        return covey_i_no_memory(err);
    COVEY_TRY(list_cells(a, &k, arena, err));
    return list_any(a, arena, err);
}
