/* Normalized certainty penalty: the unweighted mean loss of the quasi-identifiers, where a label with n of N leaves
 * loses (n - 1)/(N - 1). Source: [Xu06] section 3. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.ncp;
    return COVEY_OK;
}

const covey_metric covey_metric_ncp = {
    .name = "ncp",
    .summary = "the same, all attributes alike, labels (n-1)/(N-1)",
    .source = "Xu06, section 3",
    .compute = compute,
};
