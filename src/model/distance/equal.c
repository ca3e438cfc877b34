/* Equal distance: any two values are at distance 1, and the earth mover's distance is half the sum of |p - q|.
 * Source: [Li07], equal distance.  The part where q > p is the other half, and touches only values of the class. */
#include "model/distance/distance.h"

#include "base/error.h"

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    const covey_histogram **prior = covey_arena_array(arena, const covey_histogram *, 1);

    if (!prior)
        return covey_i_no_memory(err);
    *prior = input->prior;
    *state = prior;
    *den = 1;
    return COVEY_OK;
}

static covey_i128 scaled(const void *state, const covey_histogram *group)
{
    const covey_histogram *prior = *(const covey_histogram *const *)state;
    covey_i128 sum = 0;

    for (uint32_t i = 0; i < group->n_present; i++) {
        const uint32_t v = group->present[i];
        const covey_i128 more = (covey_i128)group->count[v] * prior->total - (covey_i128)prior->count[v] * group->total;

        if (more > 0)
            sum += more;
    }
    return sum;
}

static void ground(covey_closeness *out, const void *state)
{
    out->ground = COVEY_GROUND_EQUAL;
}

const covey_distance covey_distance_equal = {.name = "equal", .prepare = prepare, .scaled = scaled, .ground = ground};
