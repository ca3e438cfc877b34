/* Where there is little time for each row, or values are capped and rare, cuts that move rows may lose less than what
 * search comes to.  They take a fraction of its time, so that they are made, too, and the better release is published:
 * peel never loses more than elastic. */
#include "method/peel/peel.h"

#include <stdio.h>

#include "base/error.h"

extern const covey_method covey_method_elastic; /* the registry, which finds it by name, knows peel */

/* Elastic with its defaults. */
static covey_status run_elastic(covey_release **out, const covey_problem *problem, int64_t min_size, covey_arena *arena,
                                const covey_run *run, covey_error *err)
{
    const covey_method *elastic = &covey_method_elastic;
    void *params = covey_arena_alloc_zero(arena, 1, elastic->params_size);

    if (!params)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_param_defaults(params, elastic->params, elastic->n_params, err));
    ((covey_class_params *)params)->min_size = min_size;
    return elastic->run(out, problem, params, run, err);
}

covey_status covey_i_peel_or_elastic(covey_release **release, const covey_problem *problem, int64_t min_size,
                                     const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *other = NULL;
    covey_status status = run_elastic(&other, problem, min_size, &arena, run, err);

    covey_arena_free(&arena);
    if (status == COVEY_EINFEASIBLE)
        return COVEY_OK;
    if (status != COVEY_OK) {
        covey_release_free(*release);
        *release = NULL;
        return status;
    }
    if (other->ail < (*release)->ail) {
        covey_release *worse = *release;

        snprintf(other->remark, sizeof other->remark,
                 "the classes are those of elastic, which lose less: %.4g, not %.4g", other->ail, worse->ail);
        *release = other;
        other = worse;
    }
    covey_release_free(other);
    return COVEY_OK;
}
