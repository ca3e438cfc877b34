/* Promises about ranges.  A range that is wider than one that keeps them keeps them, too, so that one number for each
 * low code says all; what else promises ask of a class is judged without its ranges. */
#include "method/peel/table.h"

#include "base/error.h"

static bool admits(const covey_promises *promises, size_t axis, covey_tally *tally, uint32_t low, uint32_t high)
{
    tally->low[axis] = low;
    tally->high[axis] = high;
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        covey_group group;

        if (promise->quasi != (int)axis)
            continue;
        group = covey_i_promise_group(promises, promise, tally);
        if (!promise->model->admits(promise->state, &group))
            return false;
    }
    return true;
}

static bool is_judged(const covey_promises *promises, size_t axis)
{
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].quasi == (int)axis)
            return true;
    return false;
}

covey_status covey_i_peel_find_reach(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    const covey_promises *promises = &t->problem->promises;
    covey_tally tally;

    t->n_judged = 0;
    if (!t->has_ranges)
        return COVEY_OK;
    COVEY_TRY(covey_i_tally_new(&tally, promises, arena, err));
    t->judged = covey_arena_array(arena, covey_peel_judged, t->n_axes);
    if (!t->judged)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes; a++) {
        const uint32_t n_codes = t->axis[a].n_codes;
        uint32_t *reach, high = 0;

        if (!is_judged(promises, a))
            continue;
        if (!(reach = covey_arena_array(arena, uint32_t, n_codes)))
            return covey_i_no_memory(err);
        for (uint32_t low = 0; low < n_codes; low++) {
            high = high > low ? high : low;
            while (high < n_codes && !admits(promises, a, &tally, low, high))
                high++;
            reach[low] = high;
        }
        t->judged[t->n_judged++] = (covey_peel_judged){a, reach};
    }
    return COVEY_OK;
}
