/* The k of a k-map, estimated: for how many people of the population the rows of the smallest set that looks alike
 * stand, as published sampling weights sum up. Source: [BenedettiFranconi98]. */
#include "utility/metric/metric_impl.h"

#include <math.h>

#include "reader/sampled.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    covey_sampled_risks risks;
    covey_sampled sampled;

    COVEY_TRY(covey_i_sampled_read(&sampled, release->opened, arena, err));
    *out = NAN;
    if (sampled.n == 0)
        return COVEY_OK;
    covey_i_sampled_risks_find(&risks, &sampled);
    *out = risks.fewest;
    return COVEY_OK;
}

const covey_metric covey_metric_fewest_people = {
    .name = "fewest_people",
    .summary = "people whom the rows that look alike stand for, at least (by weights)",
    .source = "BenedettiFranconi98",
    .needs_weight = true,
    .needs_rows = true,
    .compute = compute,
};
