/* Numeric distance: |x - y| / (largest - smallest) of the numbers that occur; 0 if there is one only.
 * Source: [Li10], numerical attributes with their true gaps. */
#include "model/distance/distance.h"
#include "model/line.h"

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    static const covey_line_wish wish = {"t-closeness", "distance numeric", "choose distance equal or hierarchical",
                                         true};
    covey_line *line;

    COVEY_TRY(covey_i_line_new(&line, input, &wish, arena, err));
    *state = line;
    *den = line->position[line->n - 1] > 0 ? line->position[line->n - 1] : 1;
    return COVEY_OK;
}

static covey_i128 scaled(const void *state, const covey_histogram *group)
{
    return covey_i_line_distance(state, group);
}

const covey_distance covey_distance_numeric = {
    .name = "numeric", .prepare = prepare, .scaled = scaled, .ground = covey_i_line_ground};
