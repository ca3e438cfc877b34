/* Sorting rows into points, and finding a point again. */
#include "reader/points/points.h"

#include "base/error.h"
#include "base/sort/sort.h"

static bool same_point(const covey_column *const *column, size_t n_dims, uint32_t a, uint32_t b)
{
    for (size_t q = 0; q < n_dims; q++)
        if (covey_i_code_at(column[q], a) != covey_i_code_at(column[q], b))
            return false;
    return true;
}

covey_status covey_i_points_make(covey_points *out, const covey_column *const *column, size_t n_dims, uint32_t n_rows,
                                 covey_arena *arena, covey_error *err)
{
    covey_points p = {.n_dims = n_dims};
    uint32_t *scratch = covey_arena_array(arena, uint32_t, n_rows);

    p.row = covey_arena_array(arena, uint32_t, n_rows);
    p.point_of_row = covey_arena_array(arena, uint32_t, n_rows);
    p.n_rows = covey_arena_array(arena, uint32_t, n_rows);
    p.start = covey_arena_array(arena, uint32_t, (size_t)n_rows + 1);
    p.coordinate = covey_arena_array(arena, uint32_t, n_rows * n_dims);
    if (!scratch || !p.row || !p.point_of_row || !p.n_rows || !p.start || !p.coordinate)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++)
        p.row[i] = i;
    for (size_t q = n_dims; q-- > 0;)
        covey_i_sort_rows_codes(p.row, scratch, n_rows, column[q]->codes, column[q]->width);
    for (uint32_t i = 0; i < n_rows; i++) {
        if (i == 0 || !same_point(column, n_dims, p.row[i - 1], p.row[i])) {
            for (size_t q = 0; q < n_dims; q++)
                p.coordinate[p.n * n_dims + q] = covey_i_code_at(column[q], p.row[i]);
            p.start[p.n] = i;
            p.n_rows[p.n++] = 0;
        }
        p.n_rows[p.n - 1]++;
        p.point_of_row[p.row[i]] = p.n - 1;
    }
    p.start[p.n] = n_rows;
    *out = p;
    return COVEY_OK;
}

uint32_t covey_i_points_find(const covey_points *points, const uint32_t *coordinate)
{
    uint32_t low = 0, high = points->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, *at = points->coordinate + (size_t)middle * points->n_dims;
        size_t q = 0;

        while (q < points->n_dims && at[q] == coordinate[q])
            q++;
        if (q == points->n_dims)
            return middle;
        if (at[q] < coordinate[q])
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}
