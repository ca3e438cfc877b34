/* The problem that a method sees where units are kept whole: it guides, and no promise rests on it. */
#include <string.h>

#include "base/error.h"
#include "method/units/classes.h"

/* Where a unit stands on an axis. */
enum place { LOWEST, MIDDLE, HIGHEST };

/* The middle of each unit's ends. */
static covey_status find_middles(const covey_column **out, covey_units_run *r, const covey_unit_axis *axis,
                                 covey_error *err)
{
    const int width = axis->low->width;
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc(&r->arena, r->n_units, (size_t)width);

    if (!copy || !codes)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        const uint32_t low = covey_i_code(axis->low, u), high = covey_i_code(axis->high, u);

        covey_i_codes_put(codes, width, u, low + (high - low) / 2);
    }
    *copy = *axis->low;
    copy->codes = codes;
    *out = copy;
    return COVEY_OK;
}

/* The code of its unit in each row that the method sees. */
static covey_status spread(const covey_column **out, covey_units_run *r, const covey_column *of_unit, covey_error *err)
{
    const uint32_t n = r->n_seen, *unit = r->unit_of_seen;
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc(&r->arena, n, (size_t)of_unit->width);

    if (!copy || !codes)
        return covey_i_no_memory(err);
    COVEY_CODES_TYPED(of_unit->width, {
        covey_code *to = codes;

        for (uint32_t i = 0; i < n; i++)
            to[i] = ((const covey_code *)of_unit->codes)[unit[i]];
    });
    *copy = *of_unit;
    copy->n_rows = n;
    copy->codes = codes;
    *out = copy;
    return COVEY_OK;
}

static covey_status make_column(const covey_column **out, covey_units_run *r, size_t a, enum place place,
                                covey_error *err)
{
    const covey_unit_axis *axis = &r->axis[a];
    const covey_column *of_unit = place == LOWEST ? axis->low : axis->high;

    if (place == MIDDLE && axis->low != axis->high)
        COVEY_TRY(find_middles(&of_unit, r, axis, err));
    if (r->sizes_suffice || axis->low != axis->high)
        return spread(out, r, of_unit, err);
    *out = r->problem->axis[a].column;
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
    size_t n = d, n_fields = 0;

    if (!axis || !field || !quasi || !width)
        return covey_i_no_memory(err);
    memcpy(axis, problem->axis, d * sizeof *axis);
    memcpy(width, problem->promises.quasi_width, d * sizeof *width);
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].axis >= 0 || !r->sizes_suffice) /* the others are not those of a unit */
            field[n_fields++] = problem->field[f];
    for (size_t a = 0; a < d; a++) {
        const bool is_two = sees_spread && r->axis[a].low != r->axis[a].high && axis[a].weight.den <= INT64_MAX / 2;

        COVEY_TRY(make_column(&axis[a].column, r, a, is_two ? LOWEST : MIDDLE, err));
        quasi[a] = axis[a].column;
        if (!is_two)
            continue;
        axis[a].weight.den *= 2;
        axis[n] = axis[a];
        COVEY_TRY(make_column(&axis[n].column, r, a, HIGHEST, err));
        quasi[n] = axis[n].column;
        width[n] = width[a];
        field[n_fields++] = (covey_field){.role = COVEY_ROLE_QUASI, .axis = (int)n, .tree = axis[n].tree};
        n++;
    }
    for (size_t f = 0; f < n_fields; f++)
        if (field[f].axis >= 0)
            field[f].column = axis[field[f].axis].column;
    seen->axis = axis;
    seen->n_axes = n;
    seen->field = field;
    seen->n_fields = n_fields;
    seen->promises.quasi = quasi;
    seen->promises.quasi_width = width;
    seen->promises.n_quasi = n;
    seen->promises.shown_context = axis;
    return COVEY_OK;
}

/* Half of the rows, or more, are of units of so many at most. */
static covey_status usual_size(int64_t *out, const covey_units_run *r, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t *rows, n_below = 0, size = 0;
    uint32_t most = 0;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = r->n_rows[u] > most ? r->n_rows[u] : most;
    if (!(rows = covey_arena_array_zero(&arena, int64_t, (size_t)most + 1)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++)
        rows[r->n_rows[u]] += r->n_rows[u];
    while (2 * n_below < r->problem->n_rows)
        n_below += rows[++size];
    covey_arena_free(&arena);
    *out = size;
    return COVEY_OK;
}

/* How many rows of the usual size a unit is, rounded; one at least. */
static uint32_t usual_rows(const covey_units_run *r, uint32_t unit, int64_t usual)
{
    const int64_t n = (2 * (int64_t)r->n_rows[unit] + usual) / (2 * usual);

    return n > 0 ? (uint32_t)n : 1;
}

/* A row for each time that a unit has as many rows as is usual. */
static covey_status list_units(covey_units_run *r, int64_t usual, covey_error *err)
{
    uint32_t *unit;

    r->n_seen = 0;
    for (uint32_t u = 0; u < r->n_units; u++)
        r->n_seen += usual_rows(r, u, usual);
    r->unit_of_seen = unit = covey_arena_array(&r->arena, uint32_t, r->n_seen);
    if (!unit)
        return covey_i_no_memory(err);
    for (uint32_t u = 0, at = 0; u < r->n_units; u++)
        for (uint32_t n = usual_rows(r, u, usual); n > 0; n--)
            unit[at++] = u;
    return COVEY_OK;
}

/* A class has so many rows that nobody has more than 1/k of them, if he has no more than is usual: larger classes could
 * not be kept apart, smaller ones would be joined.  The bound itself, on each unit as on a sensitive value, told rows
 * apart that are alike: methods took 6 to 50 times as long for classes that lose no less. */
static covey_status see_rows(covey_problem *seen, covey_units_run *r, covey_error *err)
{
    const int64_t n = r->problem->n_rows, k = covey_i_units_largest_k(&r->problem->promises);
    int64_t usual = 1, least;

    COVEY_TRY(usual_size(&usual, r, err));
    least = k < n / usual ? k * usual : n;
    if (least > seen->promises.min_size)
        seen->promises.min_size = least;
    r->n_seen = r->problem->n_rows;
    r->unit_of_seen = r->units->whole.of_row;
    if (!r->sizes_suffice)
        return COVEY_OK;
    COVEY_TRY(list_units(r, usual, err));
    seen->n_rows = r->n_seen;
    seen->max_suppressed = (int64_t)((covey_i128)seen->max_suppressed * r->n_seen / n);
    seen->promises.min_size = (seen->promises.min_size * r->n_seen + n - 1) / n;
    for (size_t i = 0; i < seen->promises.n; i++) {
        least = covey_i_units_least_rows(&seen->promises.promise[i]);
        seen->promises.min_size = least > seen->promises.min_size ? least : seen->promises.min_size;
    }
    seen->promises.n = seen->promises.n_views = 0; /* that is all they ask for */
    return COVEY_OK;
}

covey_status covey_i_units_see(covey_problem *seen, covey_units_run *r, const covey_method *method, covey_error *err)
{
    *seen = *r->problem;
    seen->units = NULL;
    seen->is_guide = true;
    seen->loss_to_beat = 0; /* losses of points are not those of their units */
    COVEY_TRY(see_rows(seen, r, err));
    return see_axes(seen, r, method->sees_spread, err);
}
