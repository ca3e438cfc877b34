/* Regions of classes that were not cut from regions: publish-boxes: cut of methods that have a grid of their own.  See
 * docs/design/minimality.md. */
#include "method/widen.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

struct widening {
    const covey_problem *problem;
    const uint32_t *class_of_row;
    uint32_t n_classes;
    covey_widen widen;
    const void *grid;
    covey_regions regions;
};

void covey_i_widen_range(uint32_t *low, uint32_t *high, const covey_column *column, covey_widen widen, const void *grid,
                         size_t axis)
{
    const bool has_null = column->has_null && *low == 0;

    widen(low, high, grid, axis);
    *low += column->has_null && !has_null && *low == 0;
}

/* All classes on one axis. */
static covey_status widen_axis(void *context, size_t axis, covey_error *err)
{
    const struct widening *w = context;
    const covey_column *column = w->problem->axis[axis].column;
    const size_t d = w->problem->n_axes;
    uint32_t *const low = w->regions.low + axis, *const high = w->regions.high + axis;

    (void)err;
    for (size_t c = 0; c < w->n_classes; c++) {
        low[c * d] = UINT32_MAX;
        high[c * d] = 0;
    }
    for (uint32_t row = 0; row < w->problem->n_rows; row++) {
        const uint32_t code = covey_column_code(column, row);
        const size_t c = w->class_of_row[row];

        if (c == COVEY_CLASS_SUPPRESSED)
            continue;
        low[c * d] = code < low[c * d] ? code : low[c * d];
        high[c * d] = code > high[c * d] ? code : high[c * d];
    }
    for (size_t c = 0; c < w->n_classes; c++)
        if (low[c * d] <= high[c * d]) /* a class without rows is none */
            covey_i_widen_range(&low[c * d], &high[c * d], column, w->widen, w->grid, axis);
    return COVEY_OK;
}

covey_status covey_i_widen_release(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                   uint32_t n_classes, covey_widen widen, const void *grid, const int32_t *label_level,
                                   const covey_run *run, covey_error *err)
{
    const size_t n = (size_t)n_classes * problem->n_axes;
    struct widening w = {problem, class_of_row, n_classes, widen, grid, {.label_level = label_level}};
    covey_status status;

    w.regions.low = covey_i_array(n, sizeof *w.regions.low);
    w.regions.high = covey_i_array(n, sizeof *w.regions.high);
    if (n > 0 && (!w.regions.low || !w.regions.high))
        status = covey_i_no_memory(err);
    else if ((status = covey_i_parallel(covey_run_threads(run), problem->n_axes, widen_axis, &w, err)) == COVEY_OK)
        status = covey_i_release_of_regions(out, problem, class_of_row, n_classes, &w.regions, run, err);
    covey_i_free(w.regions.low);
    covey_i_free(w.regions.high);
    return status;
}

void covey_i_widen_to_labels(uint32_t *low, uint32_t *high, const uint32_t *label, uint32_t n_codes, int shift)
{
    const uint32_t own_low = label[*low] >> shift, own_high = label[*high] >> shift;
    uint32_t first = 0, last = n_codes - 1;

    while (first < *low) {
        const uint32_t middle = first + (*low - first) / 2;

        if (label[middle] >> shift < own_low)
            first = middle + 1;
        else
            *low = middle;
    }
    while (*high < last) {
        const uint32_t middle = last - (last - *high) / 2;

        if (label[middle] >> shift > own_high)
            last = middle - 1;
        else
            *high = middle;
    }
}
