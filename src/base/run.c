/* Asking the caller of a run whether to go on.  It is steps that are counted, not time: so every run asks at the same
 * places, which tests can try one after another. */
#include "base/run.h"

enum { STEPS_PER_QUESTION = 4096 };

static covey_status cancel(covey_error *err)
{
    return covey_fail(err, COVEY_ECANCELLED, "cancelled");
}

covey_status covey_i_run_goes_on(const covey_run *run, const char *what, int64_t done, int64_t to_do, covey_error *err)
{
    if (run && run->progress && !run->progress(run->context, what, done, to_do))
        return cancel(err);
    return COVEY_OK;
}

void covey_i_run_poll_begin(covey_run_poll *poll, const covey_run *run, const char *what, int64_t to_do)
{
    poll->run = run;
    poll->what = what;
    poll->to_do = to_do;
    poll->caller = pthread_self();
    poll->asked = 0;
    atomic_init(&poll->done, 0);
    atomic_init(&poll->is_cancelled, false);
}

covey_status covey_i_run_poll_add(covey_run_poll *poll, int64_t n, covey_error *err)
{
    const int64_t done = atomic_fetch_add_explicit(&poll->done, n, memory_order_relaxed) + n;

    if (pthread_equal(pthread_self(), poll->caller) && (n == 0 || done - poll->asked >= STEPS_PER_QUESTION)) {
        poll->asked = done;
        if (covey_i_run_goes_on(poll->run, poll->what, done, poll->to_do, NULL) != COVEY_OK)
            atomic_store_explicit(&poll->is_cancelled, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&poll->is_cancelled, memory_order_relaxed) ? cancel(err) : COVEY_OK;
}
