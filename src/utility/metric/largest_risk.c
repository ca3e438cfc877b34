/* The largest chance to find a person's row, for whoever knows that it is there and all quasi-identifiers
 * ("prosecutor"): 1 / smallest class. Source: [ElEmam08] table 1. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.largest_risk;
    return COVEY_OK;
}

const covey_metric covey_metric_largest_risk = {
    .name = "largest_risk",
    .summary = "chance to pick out a known row, at most",
    .source = "ElEmam08, table 1",
    .compute = compute,
};
