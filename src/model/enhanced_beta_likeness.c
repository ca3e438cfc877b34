/* Enhanced beta-likeness: as the basic model, but a value with share p may gain at most min(beta, -ln p), so that even
 * a frequent value never fills a class. Source: [CaoKarras12] Definition 3, eq. (1). */
#include "model/beta_caps.h"

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    static const covey_beta_kind kind = {"enhanced-beta-likeness", covey_i_cap_enhanced, covey_i_need_enhanced};

    return covey_i_beta_prepare(state, input, params, &kind, arena, err);
}

const covey_model covey_model_enhanced_beta_likeness = {
    .name = "enhanced-beta-likeness",
    .summary = "no sensitive value with share p in the whole table gains more than the smaller of beta and -ln p",
    .not_against =
        "Values that mean nearly the same may gain together, and a value may become less likely by any factor.",
    .source = "CaoKarras12, Definition 3",
    .prepare = prepare,
    COVEY_BETA_MODEL,
};
