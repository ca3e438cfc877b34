/* GROUP BY columns that stand row by row.  Cells that compare equal (1 and 1.0) are one value. */
#include "query/generalized/row_keys.h"

#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

/* place: [n_values] of each code among the values that rows have, UINT32_MAX: no row has it.  cell: [n_values] one of
 * the cells of each place. */
static covey_status find_places(uint32_t *n_out, uint32_t *place, uint32_t *cell, const covey_query_column *column,
                                uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    const uint32_t n_values = column->text->n_values;
    uint32_t *of_rank = covey_arena_array(arena, uint32_t, n_values), n = 0;

    if (!of_rank)
        return covey_i_no_memory(err);
    memset(of_rank, 0xff, n_values * sizeof *of_rank);
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint32_t code = covey_i_code_at(column->text, row);

        of_rank[covey_i_opened_rank(column->opened, code)] = code;
    }
    for (uint32_t rank = 0; rank < n_values; rank++)
        if (of_rank[rank] != UINT32_MAX) {
            cell[n] = of_rank[rank];
            of_rank[rank] = n++;
        }
    for (uint32_t code = 0; code < n_values; code++)
        place[code] = of_rank[covey_i_opened_rank(column->opened, code)];
    *n_out = n;
    return COVEY_OK;
}

covey_status covey_i_row_key_values(uint32_t *n, covey_query_value **out, const covey_query_column *column,
                                    uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    uint32_t *place = covey_arena_array(arena, uint32_t, column->text->n_values);
    uint32_t *code = covey_arena_array(arena, uint32_t, column->text->n_values);
    covey_query_value *value;

    if (!place || !code)
        return covey_i_no_memory(err);
    COVEY_TRY(find_places(n, place, code, column, n_rows, arena, err));
    if (!(value = covey_arena_array(arena, covey_query_value, *n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < *n; i++) {
        const covey_query_cell *cell = &column->cell[code[i]];

        value[i] =
            (covey_query_value){.is_null = covey_i_query_cell_is_null(cell), .item = cell->first, .number = cell->low};
    }
    *out = value;
    return COVEY_OK;
}

/* Adds a key's places to the groups of rows. */
static covey_status add_places(uint32_t *group, const covey_query_column *column, uint32_t stride, uint32_t n_rows,
                               covey_arena *arena, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(arena);
    uint32_t *place = covey_arena_array(arena, uint32_t, column->text->n_values);
    uint32_t *cell = covey_arena_array(arena, uint32_t, column->text->n_values), n;

    if (!place || !cell)
        return covey_i_no_memory(err);
    COVEY_TRY(find_places(&n, place, cell, column, n_rows, arena, err));
    for (uint32_t row = 0; row < n_rows; row++)
        group[row] += stride * place[covey_i_code_at(column->text, row)];
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

covey_status covey_i_row_keys_make(covey_row_keys *out, const covey_query_release *release,
                                   const covey_bound_query *query, const uint32_t *n, covey_arena *arena,
                                   covey_error *err)
{
    const uint32_t n_rows = release->opened->n_rows;
    uint32_t *group = covey_arena_array_zero(arena, uint32_t, n_rows), n_groups = 1;

    *out = (covey_row_keys){.stride = covey_arena_array_zero(arena, uint32_t, query->n_keys),
                            .row = covey_arena_array(arena, uint32_t, n_rows)};
    if (!group || !out->stride || !out->row)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < query->n_keys; k++) {
        if (!covey_i_key_is_of_rows(query, release, k))
            continue;
        out->stride[k] = n_groups;
        COVEY_TRY(add_places(group, &release->column[query->key[k]], n_groups, n_rows, arena, err));
        n_groups *= n[k];
        out->n_groups = n_groups;
    }
    if (!(out->start = covey_arena_array_zero(arena, uint32_t, (size_t)n_groups + 2)))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        out->start[group[row] + 2]++;
    for (uint32_t g = 0; g < n_groups; g++)
        out->start[g + 2] += out->start[g + 1];
    for (uint32_t row = 0; row < n_rows; row++)
        out->row[out->start[group[row] + 1]++] = row;
    return COVEY_OK;
}
