/* Understands the cells of one column, and puts them in order. */
#include "reader/cells/cells.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "reader/presets.h"
#include "table/table_impl.h"

static uint64_t sortable(int64_t value)
{
    return (uint64_t)value ^ (UINT64_C(1) << 63);
}

/* Places of the cells by (first, second); equal pairs share a place. */
static covey_status rank_pairs(uint32_t *rank, const uint64_t *first, const uint64_t *second, uint32_t n,
                               covey_arena *arena, covey_error *err)
{
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n),
             place = 0;

    if (!sorted || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = i;
    covey_i_sort_rows_u64(sorted, scratch, n, second);
    covey_i_sort_rows_u64(sorted, scratch, n, first);
    for (uint32_t i = 0; i < n; i++) {
        place += i > 0 && (first[sorted[i]] != first[sorted[i - 1]] || second[sorted[i]] != second[sorted[i - 1]]);
        rank[sorted[i]] = place;
    }
    return COVEY_OK;
}

/* Where codes are in the column's order already, nothing has to be looked up. */
static covey_status rank_codes(covey_opened_column *column, const uint64_t *first, const uint64_t *second,
                               covey_error *err)
{
    const uint32_t n = column->text->n_values;
    uint32_t *rank = covey_arena_array(&column->arena, uint32_t, n);

    if (!rank)
        return covey_i_no_memory(err);
    COVEY_TRY(rank_pairs(rank, first, second, n, &column->arena, err));
    column->rank = NULL; /* which another window may have left */
    for (uint32_t code = 0; code < n && !column->rank; code++)
        if (rank[code] != code)
            column->rank = rank;
    return COVEY_OK;
}

/* A cell that stands for values is compared by the lowest and the highest of them: missing comes first, * is the whole
 * attribute. */
static void key_of(uint64_t *low, uint64_t *high, const covey_cell *cell, uint32_t code)
{
    switch (cell->kind) {
    case COVEY_CELL_VALUES:
        *low = sortable(cell->low);
        *high = sortable(cell->high);
        return;
    case COVEY_CELL_ANY:
        *low = 0;
        *high = UINT64_MAX;
        return;
    case COVEY_CELL_NAME: /* distinct cells are in byte order already */
        *low = code;
        *high = 0;
        return;
    case COVEY_CELL_MISSING:
    case COVEY_CELL_WRONG:
        break;
    }
    *low = *high = 0;
}

static covey_status rank_cells(covey_opened_column *column, covey_error *err)
{
    uint32_t n = column->text->n_values;
    uint64_t *low = covey_arena_array(&column->arena, uint64_t, n),
             *high = covey_arena_array(&column->arena, uint64_t, n);

    if (!low || !high)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        key_of(&low[i], &high[i], &column->cell[i], i);
    return rank_codes(column, low, high, err);
}

/* Values that are published as they are: numbers by value, else by their place, which the reader has put into number.
 */
static covey_status rank_values(covey_opened_column *column, covey_error *err)
{
    uint32_t n = column->text->n_values;
    uint64_t *key = covey_arena_array(&column->arena, uint64_t, n),
             *nothing = covey_arena_array_zero(&column->arena, uint64_t, n);

    if (!key || !nothing)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        key[i] = sortable(column->number[i]);
    return rank_codes(column, key, nothing, err);
}

covey_status covey_i_cells_read(covey_opened_column *column, covey_problems *problems, covey_error *err)
{
    uint32_t n = column->text->n_values;

    if (column->stated->publish == COVEY_PUBLISH_VALUE) {
        COVEY_TRY(covey_i_cells_read_values(column, err));
        COVEY_TRY(covey_i_presets_check_cells(column, err));
        return column->number ? rank_values(column, err) : COVEY_OK;
    }
    if (!(column->cell = covey_arena_array_zero(&column->arena, covey_cell, n)))
        return covey_i_no_memory(err);
    if (column->stated->publish == COVEY_PUBLISH_RANGE)
        COVEY_TRY(covey_i_cells_read_ranges(column, problems, err));
    else if (column->stated->publish == COVEY_PUBLISH_LABEL)
        COVEY_TRY(covey_i_cells_read_labels(column, err));
    else
        COVEY_TRY(covey_i_cells_read_sets(column, err));
    COVEY_TRY(covey_i_presets_check_cells(column, err));
    return rank_cells(column, err);
}
