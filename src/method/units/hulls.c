/* Units as the codes that their rows reach. */
#include "method/units/hulls.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

enum { AHEAD = 32 }; /* rows that what is known of a unit is asked for before it is looked at */

/* Rows unit by unit, and person by person within. */
static covey_status sort_rows(covey_units_run *r, covey_error *err)
{
    const covey_unit_set *sets[] = {&r->units->person, &r->units->whole};
    const uint32_t n = r->problem->n_rows;
    uint32_t *from = covey_arena_array(&r->arena, uint32_t, n), *to = covey_arena_array(&r->arena, uint32_t, n);

    if (!from || !to)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        from[i] = i;
    for (int s = 0; s < 2; s++) {
        uint32_t *start = covey_arena_array_zero(&r->arena, uint32_t, (size_t)sets[s]->n + 2), *swap = from;

        if (!start)
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < n; i++)
            start[sets[s]->of_row[i] + 2]++;
        for (uint32_t u = 0; u < sets[s]->n; u++)
            start[u + 2] += start[u + 1];
        for (uint32_t i = 0; i < n; i++)
            to[start[sets[s]->of_row[from[i]] + 1]++] = from[i];
        from = to;
        to = swap;
        r->start = start;
    }
    r->row = from;
    return COVEY_OK;
}

/* A code for each unit, which find_axis fills. */
static covey_column *new_codes(covey_units_run *r, const covey_column *column)
{
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc(&r->arena, r->n_units, (size_t)column->width);

    if (!copy || !codes)
        return NULL;
    *copy = *column;
    copy->n_rows = r->n_units;
    copy->codes = codes;
    return copy;
}

struct ends {
    covey_units_run *r;
    bool *differ; /* [n_axes] some unit's rows do; else its high ends are not written */
};

/* The ends of all units on an axis, in the table's order: what is known of units on an axis is small, and smaller still
 * where both ends of one lie together until all rows were seen. */
static covey_status find_axis(void *context, size_t a, covey_error *err)
{
    struct ends *ends_of = context;
    const covey_units_run *r = ends_of->r;
    const covey_column *column = r->problem->axis[a].column;
    const uint32_t *of_row = r->units->whole.of_row, n_rows = r->problem->n_rows;
    void *ends = covey_i_array_full(r->n_units, 2 * (size_t)column->width);

    if (!ends)
        return covey_i_no_memory(err);
    memset(ends, 0xff, 2 * (size_t)r->n_units * (size_t)column->width);
    COVEY_CODES_TYPED(column->width, {
        covey_code *low = (covey_code *)r->axis[a].low->codes, *high = (covey_code *)r->axis[a].high->codes,
                   *both = ends;
        const covey_code *codes = column->codes;

        for (uint32_t row = 0; row < n_rows; row++) {
            covey_code *own = both + 2 * (size_t)of_row[row];
            const covey_code code = codes[row], behind = (covey_code)~code;

            if (row + AHEAD < n_rows)
                __builtin_prefetch(both + 2 * (size_t)of_row[row + AHEAD], 1);
            own[0] = code < own[0] ? code : own[0];
            own[1] = behind < own[1] ? behind : own[1];
        }
        covey_code differ = 0;

        for (uint32_t u = 0; u < r->n_units; u++) {
            low[u] = both[2 * (size_t)u];
            differ |= (covey_code)(low[u] ^ (covey_code)~both[2 * (size_t)u + 1]);
        }
        for (uint32_t u = 0; differ && u < r->n_units; u++)
            high[u] = (covey_code)~both[2 * (size_t)u + 1];
        ends_of->differ[a] = differ != 0;
    });
    covey_i_free(ends);
    return COVEY_OK;
}

/* Where no unit's rows differ on any axis, high ends take no memory of their own. */
static covey_status find_ends(covey_units_run *r, covey_error *err)
{
    const size_t d = r->problem->n_axes;
    struct ends ends = {r, covey_arena_array(&r->arena, bool, d)};
    covey_arena_mark mark;
    bool any = false;

    if (!ends.differ)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++)
        if (!(r->axis[a].low = new_codes(r, r->problem->axis[a].column)))
            return covey_i_no_memory(err);
    mark = covey_arena_save(&r->arena);
    for (size_t a = 0; a < d; a++)
        if (!(r->axis[a].high = new_codes(r, r->problem->axis[a].column)))
            return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(r->run), d, find_axis, &ends, err));
    for (size_t a = 0; a < d; a++) {
        if (!ends.differ[a])
            r->axis[a].high = r->axis[a].low;
        any |= ends.differ[a];
    }
    if (!any)
        covey_arena_rewind(&r->arena, mark);
    return COVEY_OK;
}

bool covey_i_units_sizes_suffice(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];

        if (promise->view >= 0 || promise->units == COVEY_UNITS_ROWS || covey_i_units_least_rows(promise) == 0 ||
            (covey_i_promise_traits(promise) & COVEY_MODEL_RANGES))
            return false;
    }
    return true;
}

int covey_i_unit_sizes_broken(const covey_promises *promises, const covey_unit_sizes *s)
{
    for (size_t i = 0; i < promises->n; i++) {
        const int64_t k = covey_i_units_least_rows(&promises->promise[i]);

        if (s->n_units < k || (promises->promise[i].units == COVEY_UNITS_SHARE && s->most > s->n_rows / k))
            return (int)i;
    }
    return s->n_rows < promises->min_size || s->n_rows == 0 ? (int)promises->n : -1;
}

covey_status covey_i_units_measure(covey_units_run *r, bool looks_at_rows, covey_error *err)
{
    r->n_units = r->units->whole.n;
    r->n_rows = r->units->n_rows;
    if (!(r->axis = covey_arena_array(&r->arena, covey_unit_axis, r->problem->n_axes)))
        return covey_i_no_memory(err);
    COVEY_TRY(find_ends(r, err));
    return looks_at_rows ? sort_rows(r, err) : COVEY_OK;
}
