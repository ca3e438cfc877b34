/* When there is a bound on the loss of all releases, and what it is. */
#include "job/bounded.h"

#include <math.h>
#include <string.h>

#include "bound/bound.h"

covey_status covey_i_job_bound(covey_bounded_loss *out, const covey_problem *problem, const char *form, double seconds,
                               const covey_run *run, covey_error *err)
{
    covey_loss_bound found;

    *out = (covey_bounded_loss){.is_wanted = true, .bound = NAN};
    if (strcmp(form, "generalized") != 0)
        out->reason = "the form does not generalize quasi-identifiers";
    else if (problem->units)
        out->reason = "promises are about units, which a bound over rows does not know";
    else if (covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_INVARIANT)
        out->reason = "rows may be made up, which a bound over the table's rows does not know";
    if (out->reason)
        return COVEY_OK;
    COVEY_TRY(covey_i_bound_loss(&found, problem, seconds, run, err));
    out->bound = found.value;
    out->is_complete = found.is_complete;
    out->seconds = found.seconds;
    return COVEY_OK;
}

/* A hierarchy that is built without the values of suppressed rows has other leaves to count.  Domains of numbers only
 * get narrower, which makes losses larger. */
void covey_i_job_bound_settle(covey_bounded_loss *bounded, const covey_problem *problem, const covey_problem *settled)
{
    for (size_t a = 0; a < problem->n_axes && !bounded->reason; a++)
        if (settled->axis[a].tree != problem->axis[a].tree) {
            bounded->bound = NAN;
            bounded->reason = "a hierarchy that is built from the data lacks the values of suppressed rows, which "
                              "changes what labels lose";
        }
}
