/* The chance to find a person's row, on average over the published rows: classes / rows.
 * Source: [ElEmam08] table 1. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.mean_risk;
    return COVEY_OK;
}

const covey_metric covey_metric_mean_risk = {
    .name = "mean_risk",
    .summary = "the same on average",
    .source = "ElEmam08, table 1",
    .compute = compute,
};
