/* Single values of columns: numbers to add up, keys of groups. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/query_impl.h"

static uint32_t item_at(const covey_query_cell *cell, uint32_t i)
{
    return cell->item ? cell->item[i] : cell->first + i;
}

/* --- numbers --- */

static bool is_single(const covey_query_column *column, const covey_query_cell *cell)
{
    if (covey_i_query_cell_is_null(cell))
        return true;
    if (cell->has_null || cell->has_other)
        return false;
    if (cell->has_range)
        return cell->n_items == 0 && cell->low == cell->high;
    return cell->n_items == 1 && column->item[item_at(cell, 0)].has_number && !column->has_order;
}

bool covey_i_query_are_numbers(const covey_query_column *column)
{
    for (uint32_t i = 0; i < column->n_cells; i++)
        if (!is_single(column, &column->cell[i]))
            return false;
    return true;
}

bool covey_i_query_cell_number(int64_t *out, const covey_query_column *column, uint32_t cell)
{
    const covey_query_cell *c = &column->cell[cell];

    if (covey_i_query_cell_is_null(c))
        return false;
    *out = c->has_range ? c->low : column->item[item_at(c, 0)].number;
    return true;
}

covey_status covey_i_query_numbers(covey_query_numbers *out, const covey_query_column *column, covey_arena *arena,
                                   covey_error *err)
{
    uint32_t n = column->n_cells, m = 0, *cell = covey_arena_array(arena, uint32_t, n),
             *scratch = covey_arena_array(arena, uint32_t, n);
    uint64_t *key = covey_arena_array(arena, uint64_t, n);

    *out = (covey_query_numbers){0, covey_arena_array(arena, int64_t, n), covey_arena_array(arena, uint32_t, n)};
    if (!cell || !scratch || !key || !out->number || !out->slot_of_cell)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        int64_t number;

        out->slot_of_cell[i] = UINT32_MAX;
        if (!covey_i_query_cell_number(&number, column, i))
            continue;
        key[i] = (uint64_t)number ^ (UINT64_C(1) << 63);
        cell[m++] = i;
    }
    covey_i_sort_rows_u64(cell, scratch, m, key);
    for (uint32_t i = 0; i < m; i++) {
        int64_t number = (int64_t)(key[cell[i]] ^ (UINT64_C(1) << 63));

        if (out->n == 0 || out->number[out->n - 1] != number)
            out->number[out->n++] = number;
        out->slot_of_cell[cell[i]] = out->n - 1;
    }
    return COVEY_OK;
}

/* --- cells and their values --- */

double covey_i_query_cell_size(const covey_query_cell *cell)
{
    double size = (cell->has_null ? 1 : 0) + (double)cell->n_items;

    return cell->has_range ? size + covey_i_query_range_size(cell) : size;
}

bool covey_i_query_cell_holds(const covey_query_column *column, const covey_query_cell *cell,
                              const covey_query_value *value)
{
    if (value->is_null) {
        for (uint32_t i = 0; i < cell->n_items; i++)
            if (column->item[item_at(cell, i)].is_null)
                return true;
        return cell->has_null;
    }
    if (cell->has_range)
        return value->number >= cell->low && value->number <= cell->high;
    if (!cell->item)
        return value->item >= cell->first && value->item - cell->first < cell->n_items;
    for (uint32_t i = 0; i < cell->n_items; i++)
        if (cell->item[i] == value->item)
            return true;
    return false;
}

static int compare_values(const void *x, const void *y)
{
    const covey_query_value *a = x, *b = y;

    if (a->is_null != b->is_null)
        return a->is_null ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static covey_status too_many(const covey_query_column *column, covey_error *err)
{
    return covey_fail(
        err, COVEY_EINVAL,
        "query: GROUP BY \"%s\" makes more than %d groups; narrow it down with WHERE, or group by another column",
        column->name, COVEY_QUERY_MOST_GROUPS);
}

struct listing {
    uint32_t n, room;
    covey_query_value *value;
};

static covey_status add_value(struct listing *l, covey_query_value value, covey_arena *arena, covey_error *err)
{
    if (l->n == l->room) {
        uint32_t room = l->room ? 2 * l->room : 256;
        covey_query_value *grown = covey_arena_array(arena, covey_query_value, room);

        if (!grown)
            return covey_i_no_memory(err);
        if (l->n)
            memcpy(grown, l->value, l->n * sizeof *grown);
        l->value = grown;
        l->room = room;
    }
    l->value[l->n++] = value;
    return COVEY_OK;
}

/* Sorted, each once. */
static void settle(struct listing *l)
{
    uint32_t n = 0;

    if (l->n)
        qsort(l->value, l->n, sizeof *l->value, compare_values);
    for (uint32_t i = 0; i < l->n; i++)
        if (n == 0 || compare_values(&l->value[n - 1], &l->value[i]) != 0)
            l->value[n++] = l->value[i];
    l->n = n;
}

static covey_status refuse_listing(const covey_query_column *column, const char *what, covey_error *err)
{
    return covey_fail(err, COVEY_EINVAL,
                      "query: GROUP BY \"%s\" cannot list the %s: ask for one range after the other with WHERE",
                      column->name, what);
}

static covey_status add_cell(struct listing *l, const covey_query_column *column, const covey_query_cell *cell,
                             covey_arena *arena, covey_error *err)
{
    if (cell->has_null)
        COVEY_TRY(add_value(l, (covey_query_value){.is_null = true}, arena, err));
    for (uint32_t i = 0; i < cell->n_items; i++) {
        uint32_t item = item_at(cell, i);

        COVEY_TRY(add_value(
            l, column->item[item].is_null ? (covey_query_value){.is_null = true} : (covey_query_value){.item = item},
            arena, err));
    }
    if (!cell->has_range)
        return COVEY_OK;
    if (cell->low == COVEY_NO_LOW || cell->high == COVEY_NO_HIGH)
        return refuse_listing(column, "values of a published cell that has no end", err);
    if (column->is_dense && cell->low < cell->high)
        return refuse_listing(column, "decimals of a published range", err);
    if ((uint64_t)cell->high - (uint64_t)cell->low >= COVEY_QUERY_MOST_GROUPS)
        return too_many(column, err);
    for (int64_t number = cell->low; number <= cell->high; number++)
        COVEY_TRY(add_value(l, (covey_query_value){.number = number}, arena, err));
    return COVEY_OK;
}

covey_status covey_i_query_values(uint32_t *n, covey_query_value **out, const covey_query_column *column,
                                  const bool *used, covey_arena *arena, covey_error *err)
{
    struct listing l = {0, 0, NULL};

    for (uint32_t i = 0; i < column->n_cells; i++) {
        if (!used[i])
            continue;
        COVEY_TRY(add_cell(&l, column, &column->cell[i], arena, err));
        if (l.n > 4 * COVEY_QUERY_MOST_GROUPS) { /* cells overlap: only different values are groups */
            settle(&l);
            if (l.n > 2 * COVEY_QUERY_MOST_GROUPS)
                return too_many(column, err);
        }
    }
    settle(&l);
    if (l.n > COVEY_QUERY_MOST_GROUPS)
        return too_many(column, err);
    *n = l.n;
    *out = l.value;
    return COVEY_OK;
}
