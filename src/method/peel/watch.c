/* Tells the caller how far a trial is, and hears whether to stop.  Only the caller's own thread speaks to it. */
#include "method/peel/peel.h"
#include "base/run.h"

#include <pthread.h>

covey_status covey_i_peel_report(covey_peel *p, int64_t done, int64_t to_do, covey_error *err)
{
    covey_peel_watch *w = p->watch;

    if (!w || !w->run)
        return COVEY_OK;
    if (pthread_equal(pthread_self(), w->caller)) {
        if (w->run->enough && w->run->enough(w->run->context))
            w->has_enough = true;
        if (covey_i_run_goes_on(w->run, "peel", done, to_do, NULL) != COVEY_OK)
            w->is_cancelled = true;
    }
    if (w->has_enough && p->work_limit > p->work)
        p->work_limit = p->work - 1;
    return w->is_cancelled ? covey_fail(err, COVEY_ECANCELLED, "cancelled") : COVEY_OK;
}

bool covey_i_peel_is_enough(const covey_peel *p)
{
    return p->watch && p->watch->has_enough;
}
