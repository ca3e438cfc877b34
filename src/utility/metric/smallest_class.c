/* The rows of the smallest class: the k that the release has reached.
 * Source: [Sweeney02] section 3. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = (double)release->figures.smallest_class;
    return COVEY_OK;
}

const covey_metric covey_metric_smallest_class = {
    .name = "smallest_class",
    .summary = "rows of it: the k that was reached",
    .source = "Sweeney02, section 3",
    .compute = compute,
};
