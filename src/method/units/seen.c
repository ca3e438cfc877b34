/* The problem that a method sees where units are kept whole: it guides, and no promise rests on it. */
#include "method/units/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

/* --- the table --- */

static int compare_codes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Which of a unit's codes stands for all of them. */
enum pick { LOWEST, MEDIAN, HIGHEST };

/* A unit's lowest code on an axis, and its highest. */
static uint32_t end_of(const covey_units_run *r, uint32_t unit, size_t axis, bool highest)
{
    const size_t d = r->problem->n_axes;

    return r->box[(size_t)unit * 2 * d + (highest ? d : 0) + axis];
}

/* Do the rows of some unit differ? */
static bool is_spread(const covey_units_run *r, size_t axis)
{
    for (uint32_t u = 0; u < r->n_units; u++)
        if (end_of(r, u, axis, false) != end_of(r, u, axis, true))
            return true;
    return false;
}

/* The lower median of a unit's codes; scratch: [its rows]. */
static uint32_t median_of(const covey_units_run *r, uint32_t unit, const covey_column *column, uint32_t *scratch)
{
    const uint32_t n = covey_i_unit_rows(r, unit);

    for (uint32_t i = 0; i < n; i++)
        scratch[i] = covey_i_code(column, r->row[r->start[unit] + i]);
    qsort(scratch, n, sizeof *scratch, compare_codes);
    return scratch[(n - 1) / 2];
}

/* The column with one of a unit's codes in each of its rows.  A shallow copy: it lives in the arena. */
static covey_status make_column(const covey_column **out, covey_units_run *r, size_t axis, enum pick pick,
                                covey_error *err)
{
    const covey_column *column = r->problem->axis[axis].column;
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc_zero(&r->arena, r->problem->n_rows, (size_t)column->width);
    uint32_t most = 1, *scratch;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = covey_i_unit_rows(r, u) > most ? covey_i_unit_rows(r, u) : most;
    if (!copy || !codes || !(scratch = covey_arena_array(&r->arena, uint32_t, most)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        const uint32_t low = end_of(r, u, axis, false), high = end_of(r, u, axis, true);
        const uint32_t code = pick == LOWEST                   ? low
                              : pick == HIGHEST || low == high ? high
                                                               : median_of(r, u, column, scratch);

        for (uint32_t i = r->start[u]; i < r->start[u + 1]; i++)
            covey_i_codes_put(codes, column->width, r->row[i], code);
    }
    *copy = *column;
    copy->codes = codes;
    *out = copy;
    return COVEY_OK;
}

/* Where rows of units differ, an axis for the lowest and one for the highest code: then those are near each other whose
 * hulls are alike, and who has one row is not put among those who are spread. */
static covey_status see_axes(covey_problem *seen, covey_units_run *r, bool sees_spread, covey_error *err)
{
    const covey_problem *problem = r->problem;
    const size_t d = problem->n_axes;
    covey_axis *axis = covey_arena_array(&r->arena, covey_axis, 2 * d);
    covey_field *field = covey_arena_array(&r->arena, covey_field, problem->n_fields + d + 1);
    const covey_column **quasi = covey_arena_array(&r->arena, const covey_column *, 2 * d);
    int64_t *width = covey_arena_array(&r->arena, int64_t, 2 * d);
    size_t n = d;

    if (!axis || !field || !quasi || !width)
        return covey_i_no_memory(err);
    memcpy(axis, problem->axis, d * sizeof *axis);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    memcpy(width, problem->promises.quasi_width, d * sizeof *width);
    for (size_t a = 0; a < d; a++) {
        const bool is_two = sees_spread && is_spread(r, a) && axis[a].weight.den <= INT64_MAX / 2;

        COVEY_TRY(make_column(&axis[a].column, r, a, is_two ? LOWEST : MEDIAN, err));
        quasi[a] = axis[a].column;
        if (!is_two)
            continue;
        axis[a].weight.den *= 2;
        axis[n] = axis[a];
        COVEY_TRY(make_column(&axis[n].column, r, a, HIGHEST, err));
        quasi[n] = axis[n].column;
        width[n] = width[a];
        field[problem->n_fields + n - d] =
            (covey_field){.role = COVEY_ROLE_QUASI, .axis = (int)n, .column = axis[n].column, .tree = axis[n].tree};
        n++;
    }
    for (size_t f = 0; f < problem->n_fields; f++)
        if (field[f].axis >= 0)
            field[f].column = axis[field[f].axis].column;
    seen->axis = axis;
    seen->n_axes = n;
    seen->field = field;
    seen->n_fields = problem->n_fields + n - d;
    seen->promises.quasi = quasi;
    seen->promises.quasi_width = width;
    seen->promises.n_quasi = n;
    seen->promises.shown_context = axis;
    return COVEY_OK;
}

/* So many rows that nobody has more than 1/k of them, if he has no more than half of the rows are of units with: larger
 * classes could not be kept apart, smaller ones would be joined.  The bound itself, on each unit as on a sensitive
 * value, told rows apart that are alike: methods took 6 to 50 times as long for classes that lose no less. */
static covey_status see_size(covey_problem *seen, const covey_units_run *r, covey_error *err)
{
    const int64_t k = covey_i_units_largest_k(&r->problem->promises), n = r->problem->n_rows;
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t *rows, n_below = 0, size = 0;
    uint32_t most = 0;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = covey_i_unit_rows(r, u) > most ? covey_i_unit_rows(r, u) : most;
    if (!(rows = covey_arena_array_zero(&arena, int64_t, (size_t)most + 1)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++)
        rows[covey_i_unit_rows(r, u)] += covey_i_unit_rows(r, u);
    while (2 * n_below < n)
        n_below += rows[++size];
    covey_arena_free(&arena);
    size = k < n / size ? k * size : n;
    if (size > seen->promises.min_size)
        seen->promises.min_size = size;
    return COVEY_OK;
}

covey_status covey_i_units_see(covey_problem *seen, covey_units_run *r, const covey_method *method, covey_error *err)
{
    *seen = *r->problem;
    seen->units = NULL;
    seen->loss_to_beat = 0; /* losses of points are not those of their units */
    COVEY_TRY(see_axes(seen, r, method->sees_spread, err));
    return see_size(seen, r, err);
}
