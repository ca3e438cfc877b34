/* Basic beta-likeness: a class may raise the share of a sensitive value over its share in the whole table by a factor
 * of 1 + beta. Source: [CaoKarras12] Definition 2. */
#include "model/beta_caps.h"

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    static const covey_beta_kind kind = {"basic-beta-likeness", covey_i_cap_basic, covey_i_need_basic};

    return covey_i_beta_prepare(state, input, params, &kind, arena, err);
}

const covey_model covey_model_basic_beta_likeness = {
    .name = "basic-beta-likeness",
    .summary = "no sensitive value gains more than beta, relative to its share in the whole table",
    .not_against = "A value with a share of at least 1/(1 + beta) in the table may fill a class, and values that mean "
                   "nearly the same"
                   " may gain together.",
    .source = "CaoKarras12, Definition 2",
    .prepare = prepare,
    COVEY_BETA_MODEL,
};
