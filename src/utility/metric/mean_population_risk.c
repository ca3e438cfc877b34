/* The chance to find a row's person among the people of the population who look alike, on average over rows (persons):
 * the expected 1/F, estimated from published sampling weights.
 * Source: [BenedettiFranconi98]. */
#include "utility/metric/metric_impl.h"

#include "reader/sampled.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    covey_sampled_risks risks;

    COVEY_TRY(covey_i_sampled_risks_read(&risks, release->opened, arena, err));
    *out = risks.mean;
    return COVEY_OK;
}

const covey_metric covey_metric_mean_population_risk = {
    .name = "mean_population_risk",
    .summary = "the same on average",
    .source = "BenedettiFranconi98",
    .needs_weight = true,
    .needs_rows = true,
    .compute = compute,
};
