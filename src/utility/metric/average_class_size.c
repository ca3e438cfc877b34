/* Average class size: published rows per class.
 * Source: [LeFevre06] section 2. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.average_class_size;
    return COVEY_OK;
}

const covey_metric covey_metric_average_class_size = {
    .name = "average_class_size",
    .summary = "published rows per class",
    .source = "LeFevre06, section 2",
    .compute = compute,
};
