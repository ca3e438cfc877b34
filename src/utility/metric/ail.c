/* Average information loss: the weighted mean of what the quasi-identifiers lose; a range its width relative to the
 * domain, a label its share of all leaves, a suppressed row 1. Source: [CaoKarras12] section 2. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.ail;
    return COVEY_OK;
}

const covey_metric covey_metric_ail = {
    .name = "ail",
    .summary = "information lost: 0 is the original, 1 says nothing",
    .source = "CaoKarras12, section 2",
    .compute = compute,
};
