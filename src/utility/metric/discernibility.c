/* Discernibility: every row costs as many rows as it cannot be told from, a suppressed one the whole table.
 * Source: [BayardoAgrawal05] section 3. */
#include "utility/metric/metric_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    *out = release->figures.discernibility;
    return COVEY_OK;
}

const covey_metric covey_metric_discernibility = {
    .name = "discernibility",
    .summary = "sum of squared class sizes; suppressed: all rows",
    .source = "BayardoAgrawal05, section 3",
    .compute = compute,
};
