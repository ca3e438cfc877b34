/* Units as the codes that their rows reach, and those of a class that reach the same as one item. */
#include <string.h>

#include "base/error.h"
#include "base/sort/keys.h"
#include "method/units/classes.h"

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

static covey_column *new_codes(covey_units_run *r, const covey_column *column, int byte)
{
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc(&r->arena, r->n_units, (size_t)column->width);

    if (!copy || !codes)
        return NULL;
    memset(codes, byte, (size_t)r->n_units * (size_t)column->width);
    *copy = *column;
    copy->n_rows = r->n_units;
    copy->codes = codes;
    return copy;
}

/* The ends of all units, in the table's order: what is known of units on an axis is small. */
static covey_status find_ends(covey_unit_axis *out, covey_units_run *r, const covey_column *column, covey_error *err)
{
    const uint32_t *of_row = r->units->whole.of_row, n_rows = r->problem->n_rows;
    covey_column *low_ends = new_codes(r, column, 0xff);
    const covey_arena_mark mark = covey_arena_save(&r->arena);
    covey_column *high_ends = new_codes(r, column, 0);

    if (!low_ends || !high_ends)
        return covey_i_no_memory(err);
    COVEY_CODES_TYPED(column->width, {
        covey_code *low = (covey_code *)low_ends->codes, *high = (covey_code *)high_ends->codes;
        const covey_code *codes = column->codes;

        for (uint32_t row = 0; row < n_rows; row++) {
            const uint32_t u = of_row[row];
            const covey_code code = codes[row];

            low[u] = code < low[u] ? code : low[u];
            high[u] = code > high[u] ? code : high[u];
        }
    });
    *out = (covey_unit_axis){low_ends, high_ends};
    if (memcmp(low_ends->codes, high_ends->codes, (size_t)r->n_units * (size_t)column->width) == 0) {
        covey_arena_rewind(&r->arena, mark);
        out->high = low_ends;
    }
    return COVEY_OK;
}

/* Is all that is promised k units, told by numbers of rows and units alone? */
static bool sizes_suffice(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];

        if (promise->view >= 0 || promise->units == COVEY_UNITS_ROWS || covey_i_units_least_rows(promise) == 0 ||
            (covey_i_promise_traits(promise) & COVEY_MODEL_RANGES))
            return false;
    }
    return true;
}

covey_status covey_i_units_measure(covey_units_run *r, covey_error *err)
{
    const uint32_t *of_row = r->units->whole.of_row, n_rows = r->problem->n_rows;

    r->n_units = r->units->whole.n;
    r->sizes_suffice = sizes_suffice(&r->problem->promises);
    r->n_rows = covey_arena_array_zero(&r->arena, uint32_t, r->n_units);
    r->axis = covey_arena_array(&r->arena, covey_unit_axis, r->problem->n_axes);
    if (!r->n_rows || !r->axis)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        r->n_rows[of_row[row]]++;
    for (size_t a = 0; a < r->problem->n_axes; a++)
        COVEY_TRY(find_ends(&r->axis[a], r, r->problem->axis[a].column, err));
    return r->sizes_suffice ? COVEY_OK : sort_rows(r, err);
}

/* --- hulls --- */

/* What hulls are told apart by. */
static covey_status list_keys(covey_sort_key **out, size_t *n, covey_units_run *r, const uint32_t *class_of_unit,
                              uint32_t n_classes, covey_error *err)
{
    const size_t d = r->problem->n_axes;
    covey_sort_key *key = covey_arena_array(&r->arena, covey_sort_key, 2 * d + 1);

    if (!key)
        return covey_i_no_memory(err);
    key[0] = (covey_sort_key){.codes = class_of_unit, .width = sizeof *class_of_unit, .n_values = n_classes};
    *n = 1;
    for (size_t a = 0; a < d; a++) {
        const covey_column *ends[] = {r->axis[a].low, r->axis[a].high};

        for (int e = 0; e < 1 + (ends[0] != ends[1]); e++)
            key[(*n)++] = (covey_sort_key){
                .codes = ends[e]->codes, .width = ends[e]->width, .n_values = r->problem->axis[a].n_values};
    }
    *out = key;
    return COVEY_OK;
}

/* is_new[i]: the i-th unit differs from the one before. */
static void mark_new(uint8_t *is_new, const covey_units_run *r, const covey_sort_key *key, size_t n_keys)
{
    for (size_t k = 0; k < n_keys; k++)
        COVEY_CODES_TYPED(key[k].width, {
            const covey_code *codes = key[k].codes;
            covey_code before = codes[r->unit[0]];

            for (uint32_t i = 0; i < r->n_units; i++) {
                const covey_code code = codes[r->unit[i]];

                is_new[i] |= code != before;
                before = code;
            }
        });
}

covey_status covey_i_units_make_hulls(covey_units_run *r, const uint32_t *class_of_unit, uint32_t n_classes,
                                      covey_error *err)
{
    covey_sort_key *key = NULL;
    size_t n_keys = 0;
    uint8_t *is_new;

    r->unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    r->first = covey_arena_array(&r->arena, uint32_t, (size_t)r->n_units + 1);
    if (!r->unit || !r->first)
        return covey_i_no_memory(err);
    r->n_hulls = 0;
    if (!r->sizes_suffice) {
        for (; r->n_hulls < r->n_units; r->n_hulls++)
            r->unit[r->n_hulls] = r->first[r->n_hulls] = r->n_hulls;
    } else {
        COVEY_TRY(list_keys(&key, &n_keys, r, class_of_unit, n_classes, err));
        COVEY_TRY(covey_i_keys_sort_rows(r->unit, NULL, r->n_units, key, n_keys, r->run, err));
        if (!(is_new = covey_arena_array_zero(&r->arena, uint8_t, r->n_units)))
            return covey_i_no_memory(err);
        is_new[0] = 1;
        mark_new(is_new, r, key, n_keys);
        for (uint32_t i = 0; i < r->n_units; i++)
            if (is_new[i])
                r->first[r->n_hulls++] = i;
    }
    r->first[r->n_hulls] = r->n_units;
    return COVEY_OK;
}
