/* The chance to pick a unit out of those of its class, on average over the published units: classes / units.
 * Source: docs/design/units.md. */
#include "utility/metric/metric_impl.h"

#include <math.h>

#include "reader/form_impl.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    if (release->opened->stated->published_as->is_exact) /* rows show whose they are */
        *out = NAN;
    else
        *out = release->n_units > 0 ? (double)release->opened->n_classes / (double)release->n_units : 0;
    return COVEY_OK;
}

const covey_metric covey_metric_mean_unit_risk = {
    .name = "mean_unit_risk",
    .summary = "chance to pick a person or household out of those of its class, on average",
    .source = "docs/design/units.md",
    .needs_units = true,
    .compute = compute,
};
