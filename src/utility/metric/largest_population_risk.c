/* The largest chance to find a row's person for whoever does not know who is in the table and looks among all people of
 * the population who look alike: the expected 1/F, estimated from published sampling weights.
 * Source: [BenedettiFranconi98]. */
#include "utility/metric/metric_impl.h"

#include "reader/sampled.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    covey_sampled_risks risks;

    COVEY_TRY(covey_i_sampled_risks_read(&risks, release->opened, arena, err));
    *out = risks.largest;
    return COVEY_OK;
}

const covey_metric covey_metric_largest_population_risk = {
    .name = "largest_population_risk",
    .summary = "chance to find a row's person among these, at most (an estimate)",
    .source = "BenedettiFranconi98",
    .needs_weight = true,
    .needs_rows = true,
    .compute = compute,
};
