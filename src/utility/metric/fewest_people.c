/* The k of a k-map, estimated: for how many people of the population the rows of the smallest set that looks alike
 * stand, as published sampling weights sum up. Source: [BenedettiFranconi98]. */
#include "utility/metric/metric_impl.h"

#include "reader/sampled.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    covey_sampled_risks risks;

    COVEY_TRY(covey_i_sampled_risks_read(&risks, release->opened, arena, err));
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
