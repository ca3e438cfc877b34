/* Reading rows whose quasi-identifiers are exact. */
#include "attack/published.h"

#include "base/error.h"

covey_status covey_i_attack_published_points(const uint32_t **out, covey_attacked *r, covey_error *err)
{
    const covey_points *points;
    const covey_opened *opened = r->opened;
    uint32_t *point, *coordinate;

    if (r->published_point) {
        *out = r->published_point;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    point = covey_arena_array(&r->arena, uint32_t, opened->n_rows);
    coordinate = covey_arena_array(&r->arena, uint32_t, points->n_dims);
    if (!point || !coordinate)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < opened->n_rows; row++) {
        for (size_t q = 0; q < points->n_dims; q++) {
            const uint32_t i = opened->quasi[q];

            coordinate[q] = r->original->column[i].value_of_cell[covey_i_code_at(opened->column[i].text, row)];
        }
        point[row] = covey_i_points_find(points, coordinate);
    }
    *out = r->published_point = point;
    return COVEY_OK;
}
