/* The problem that a method sees where units are kept whole: it guides, and no promise rests on it. */
#include "method/units/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { NOBODY = 0 }; /* units of one row share a code: nothing bounds them */

/* --- a bound on units, as a model --- */

struct share_state {
    int64_t k;
};

static bool share_admits(const void *state, const covey_group *group)
{
    const struct share_state *s = state;
    const int64_t cap = group->size / s->k;

    if (group->size < s->k)
        return false;
    for (uint32_t i = 0; i < group->counts->n_present; i++) {
        const uint32_t unit = group->counts->present[i];

        if (unit != NOBODY && group->counts->count[unit] > cap)
            return false;
    }
    return true;
}

static void share_figure(covey_figure *out, const void *state, const covey_group *group)
{
    int64_t most = 1;

    (void)state;
    for (uint32_t i = 0; i < group->counts->n_present; i++) {
        const uint32_t unit = group->counts->present[i];

        if (unit != NOBODY && group->counts->count[unit] > most)
            most = group->counts->count[unit];
    }
    *out = covey_i_figure_integer(group->size / most);
}

static void share_bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct share_state *s = state;

    (void)need;
    for (size_t i = 0; i < n; i++)
        if ((value ? value[i] : i) != NOBODY && cap[i] > size / s->k)
            cap[i] = size / s->k;
}

static int64_t share_min_size(const void *state)
{
    const struct share_state *s = state;

    return s->k;
}

static double share_largest(const void *state, uint32_t value)
{
    const struct share_state *s = state;

    return value == NOBODY ? 1 : 1 / (double)s->k;
}

static const covey_model share_model = {
    .name = "k-anonymity over units",
    .summary = "no unit has more than 1/k of a class's rows",
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_CAPS | COVEY_MODEL_ALIKE,
    .figure_high_is_safe = true,
    .admits = share_admits,
    .figure = share_figure,
    .bounds = share_bounds,
    .min_size = share_min_size,
    .largest_share = share_largest,
};

/* --- the table --- */

static int compare_codes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Which of a unit's codes stands for all of them. */
enum pick { LOWEST, MEDIAN, HIGHEST };

/* Do the rows of some unit differ? */
static bool is_spread(const covey_units_run *r, const covey_column *column)
{
    for (uint32_t u = 0; u < r->n_units; u++)
        for (uint32_t i = r->start[u] + 1; i < r->start[u + 1]; i++)
            if (covey_i_code(column, r->row[i]) != covey_i_code(column, r->row[i - 1]))
                return true;
    return false;
}

/* The column with one of a unit's codes in each of its rows.  A shallow copy: it lives in the arena. */
static covey_status make_column(const covey_column **out, covey_units_run *r, const covey_column *column,
                                enum pick pick, covey_error *err)
{
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc_zero(&r->arena, r->problem->n_rows, (size_t)column->width);
    uint32_t most = 1, *scratch;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = r->start[u + 1] - r->start[u] > most ? r->start[u + 1] - r->start[u] : most;
    if (!copy || !codes || !(scratch = covey_arena_array(&r->arena, uint32_t, most)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        const uint32_t n = r->start[u + 1] - r->start[u], *row = r->row + r->start[u];
        bool is_sorted = true;

        for (uint32_t i = 0; i < n; i++) {
            scratch[i] = covey_i_code(column, row[i]);
            is_sorted &= i == 0 || scratch[i - 1] <= scratch[i];
        }
        if (!is_sorted)
            qsort(scratch, n, sizeof *scratch, compare_codes);
        for (uint32_t i = 0; i < n; i++)
            covey_i_codes_put(codes, column->width, row[i],
                              scratch[pick == LOWEST   ? 0
                                      : pick == MEDIAN ? (n - 1) / 2
                                                       : n - 1]);
    }
    *copy = *column;
    copy->codes = codes;
    *out = copy;
    return COVEY_OK;
}

/* The unit of each row as a sensitive value; those of one row are nobody's. */
static covey_status make_view(covey_view *view, covey_units_run *r, covey_error *err)
{
    covey_column *column = covey_arena_array_zero(&r->arena, covey_column, 1);
    covey_histogram *prior = covey_arena_array_zero(&r->arena, covey_histogram, 1);
    uint32_t *codes = covey_arena_array_zero(&r->arena, uint32_t, r->problem->n_rows), n = 1;

    if (!column || !prior || !codes)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        if (r->start[u + 1] - r->start[u] < 2)
            continue;
        for (uint32_t i = r->start[u]; i < r->start[u + 1]; i++)
            codes[r->row[i]] = n;
        n++;
    }
    *column = (covey_column){.name = (char *)"unit",
                             .type = COVEY_TYPE_TEXT,
                             .n_rows = r->problem->n_rows,
                             .n_values = n,
                             .width = 4,
                             .codes = codes,
                             .references = 1};
    COVEY_TRY(covey_i_histogram_of(prior, column, &r->arena, err));
    *view = (covey_view){.name = "unit", .column = column, .prior = prior};
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
        const covey_column *column = problem->axis[a].column;
        const bool is_two = sees_spread && is_spread(r, column) && axis[a].weight.den <= INT64_MAX / 2;

        COVEY_TRY(make_column(&axis[a].column, r, column, is_two ? LOWEST : MEDIAN, err));
        quasi[a] = axis[a].column;
        if (!is_two)
            continue;
        axis[a].weight.den *= 2;
        axis[n] = axis[a];
        COVEY_TRY(make_column(&axis[n].column, r, column, HIGHEST, err));
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

/* Adds the bound on units to the promises over rows. */
static covey_status see_promises(covey_problem *problem, covey_units_run *r, covey_error *err)
{
    const covey_promises *all = &r->problem->promises;
    covey_promises *seen = &problem->promises;
    struct share_state *share = covey_arena_array_zero(&r->arena, struct share_state, 1);

    if (!share)
        return covey_i_no_memory(err);
    share->k = covey_i_units_largest_k(all);
    if (share->k < 2)
        return COVEY_OK;
    seen->promise = covey_arena_array_zero(&r->arena, covey_promise, all->n + 1);
    seen->view = covey_arena_array_zero(&r->arena, covey_view, all->n_views + 1);
    if (!seen->promise || !seen->view)
        return covey_i_no_memory(err);
    memcpy(seen->promise, all->promise, all->n * sizeof *all->promise);
    if (all->n_views > 0)
        memcpy(seen->view, all->view, all->n_views * sizeof *all->view);
    COVEY_TRY(make_view(&seen->view[all->n_views], r, err));
    seen->promise[all->n] =
        (covey_promise){.model = &share_model, .view = (int)all->n_views, .state = share, .quasi = -1};
    problem->field[problem->n_fields++] =
        (covey_field){.role = COVEY_ROLE_SENSITIVE, .axis = -1, .column = seen->view[all->n_views].column};
    seen->n++;
    seen->n_views++;
    return COVEY_OK;
}

covey_status covey_i_units_see(covey_problem *seen, covey_units_run *r, const covey_method *method, const void *params,
                               covey_error *err)
{
    size_t n_fields;

    *seen = *r->problem;
    seen->units = NULL;
    seen->loss_to_beat = 0; /* losses of points are not those of their units */
    COVEY_TRY(see_axes(seen, r, method->sees_spread, err));
    n_fields = seen->n_fields;
    COVEY_TRY(see_promises(seen, r, err));
    if (method->accepts(&seen->promises, params, NULL) != COVEY_OK) { /* it has no room for the bound on units */
        seen->promises.n = r->problem->promises.n;
        seen->promises.n_views = r->problem->promises.n_views;
        seen->n_fields = n_fields;
    }
    return COVEY_OK;
}
