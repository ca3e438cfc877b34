/* Ordered distance: |i - j|/(m - 1) for the i-th and the j-th of the m values that occur.
 * Source: [Li07], ordered distance. */
#include "model/distance/distance.h"
#include "model/line.h"

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    static const covey_line_wish wish = {"t-closeness", "distance ordered", "choose distance equal or hierarchical",
                                         false};
    covey_line *line;

    COVEY_TRY(covey_i_line_new(&line, input, &wish, arena, err));
    *state = line;
    *den = line->n > 1 ? line->n - 1 : 1;
    return COVEY_OK;
}

static covey_i128 scaled(const void *state, const covey_histogram *group)
{
    return covey_i_line_distance(state, group);
}

const covey_distance covey_distance_ordered = {
    .name = "ordered", .prepare = prepare, .scaled = scaled, .ground = covey_i_line_ground};
