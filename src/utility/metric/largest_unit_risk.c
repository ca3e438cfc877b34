/* The largest share of a class's rows that one unit may have: so likely is a given row of its class that unit's, for
 * whoever knows that it is there and the quasi-identifiers of all its rows.  From the files it is known as a bound, k's
 * or the largest unit's own rows.  Source: docs/design/units.md. */
#include "utility/metric/metric_impl.h"

#include <math.h>

#include "reader/form_impl.h"
#include "reader/units.h"

static covey_status compute(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;

    *out = opened->stated->published_as->is_exact ? NAN : 0; /* rows show whose they are */
    for (uint32_t c = 0; c < opened->n_classes; c++) {
        const double share = (double)opened->units->largest[c] / (opened->class_start[c + 1] - opened->class_start[c]);

        *out = share > *out ? share : *out; /* NaN stays */
    }
    return COVEY_OK;
}

const covey_metric covey_metric_largest_unit_risk = {
    .name = "largest_unit_risk",
    .summary = "chance that a row of a known class is a known person's or household's, at most",
    .source = "docs/design/units.md",
    .needs_units = true,
    .compute = compute,
};
