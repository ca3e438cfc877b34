/* The units of the class with fewest: how many persons, households or firms stand together at least.
 * Source: docs/design/units.md. */
#include "utility/metric/metric_impl.h"

#include "reader/units.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;
    int64_t least = 0;

    for (uint32_t c = 0; c < opened->n_classes; c++)
        if (c == 0 || opened->units->n_units[c] < least)
            least = opened->units->n_units[c];
    *out = (double)least;
    return COVEY_OK;
}

const covey_metric covey_metric_smallest_class_units = {
    .name = "smallest_class_units",
    .summary = "persons or households of the class with fewest",
    .source = "docs/design/units.md",
    .needs_units = true,
    .compute = compute,
};
