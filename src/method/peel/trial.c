/* How a partition is started, and how a side of it is searched: passes that at first may also do what costs a little
 * (threshold accepting), later only what gains.  Shaking follows, in search/rounds.c.  Source: [DueckScheuer90]. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"

enum { OPEN_SHARE = 24 }; /* of a side's work goes into looking for boxes to open after the first pass, at most */

static int64_t until_of(double until)
{
    return until < 0 || until * COVEY_PEEL_UNIT > (double)COVEY_PEEL_FAR ? COVEY_PEEL_FAR
                                                                         : (int64_t)(until * COVEY_PEEL_UNIT);
}

covey_status covey_i_peel_begin(covey_peel *p, const covey_peel_plan *plan, covey_error *err)
{
    const covey_peel_take take = {.until = until_of(plan->until), .roughness = plan->roughness};

    if (plan->aside > 0)
        COVEY_TRY(covey_i_peel_set_aside(p, plan, err));
    else if (p->t->bounded_view >= 0)
        COVEY_TRY(covey_i_peel_serve(p, plan, err));
    COVEY_TRY(covey_i_peel_take(p, &take, err));
    COVEY_TRY(covey_i_peel_place_rest(p, err));
    return covey_i_peel_cut(p, COVEY_PEEL_PLANNED, err);
}

static covey_status pass(covey_peel *p, int64_t *gain, const covey_peel_plan *plan, covey_error *err)
{
    COVEY_TRY(covey_i_peel_pass_move(p, false, gain, err));
    COVEY_TRY(covey_i_peel_pass_dissolve(p, gain, err));
    COVEY_TRY(covey_i_peel_pass_move(p, true, gain, err));
    if (plan->n_near >= 0)
        COVEY_TRY(covey_i_peel_pass_explode(p, (uint32_t)plan->n_near, gain, err));
    covey_i_peel_drop_empty(p);
    return covey_i_peel_cut(p, COVEY_PEEL_PLANNED, err);
}

covey_status covey_i_peel_passes(covey_peel *p, const covey_peel_plan *plan, int64_t work_limit, covey_error *err)
{
    for (int i = 0; i < plan->n_warm + plan->n_passes && !covey_i_peel_is_enough(p); i++) {
        const int64_t tau =
            i < plan->n_warm ? (int64_t)(plan->tau * COVEY_PEEL_UNIT * (plan->n_warm - i) / plan->n_warm) : 0;
        int64_t gain = 0;

        p->tau = tau;
        p->work_limit = tau > 0 ? p->work + (work_limit - p->work) / 4 * 3
                                : work_limit; /* what was done at a loss must be made good */
        if (p->work >= p->work_limit)
            continue;
        if (i == plan->n_warm)
            covey_i_peel_forget_pools(p);
        COVEY_TRY(pass(p, &gain, plan, err));
        if (plan->opens && i == 0 && p->work < work_limit) {
            p->tau = 0;
            p->work_limit = p->work + plan->work_limit / OPEN_SHARE;
            COVEY_TRY(covey_i_peel_pass_open(p, &gain, err));
        }
        if (gain == 0 && tau == 0)
            break;
    }
    p->tau = 0;
    return COVEY_OK;
}
