/* Units per class.
 * Source: docs/design/units.md. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;

    *out = opened->n_classes > 0 ? (double)release->n_units / opened->n_classes : 0;
    return COVEY_OK;
}

const covey_metric covey_metric_average_class_units = {
    .name = "average_class_units",
    .summary = "persons or households per class",
    .source = "docs/design/units.md",
    .needs_units = true,
    .compute = compute,
};
