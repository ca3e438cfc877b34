/* Drawing regions in where only suppressed rows reached. */
#include "release/regions.h"

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_impl.h"

covey_status covey_i_shown_codes_new(covey_shown_codes *out, const covey_problem *problem, const uint32_t *rows,
                                     uint32_t n, covey_error *err)
{
    *out = (covey_shown_codes){problem->n_axes, covey_i_array_zero(problem->n_axes, sizeof *out->code)};
    if (!out->code)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];

        if (axis->kind == COVEY_AXIS_TREE)
            continue;
        if (!(out->code[a] = covey_i_array_zero(axis->n_values, sizeof *out->code[a])))
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < n; i++)
            out->code[a][covey_i_code(axis->column, rows[i])] = true;
    }
    return COVEY_OK;
}

void covey_i_shown_codes_clear(covey_shown_codes *shown)
{
    for (size_t a = 0; shown->code && a < shown->n_axes; a++)
        covey_i_free(shown->code[a]);
    covey_i_free(shown->code);
    *shown = (covey_shown_codes){0};
}

void covey_i_shown_codes_shrink_all(uint32_t *low, uint32_t *high, uint32_t n, const covey_shown_codes *shown)
{
    for (size_t c = 0; c < n; c++)
        for (size_t a = 0; a < shown->n_axes; a++)
            covey_i_shown_codes_shrink(&low[c * shown->n_axes + a], &high[c * shown->n_axes + a], shown, a);
}

uint32_t covey_i_shown_codes_count(const covey_shown_codes *shown, size_t axis, uint32_t low, uint32_t high)
{
    uint32_t n = 0;

    if (!shown->code)
        return high - low + 1;
    for (uint32_t v = low; v <= high; v++)
        n += covey_i_code_may_show(shown, axis, v);
    return n;
}
