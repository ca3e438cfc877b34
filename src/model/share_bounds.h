/* What the models that bound every value's share by 1/l have in common: probabilistic and sliced l-diversity differ in
 * the sets of rows that they judge. */
#ifndef COVEY_MODEL_SHARE_BOUNDS_H
#define COVEY_MODEL_SHARE_BOUNDS_H

#include "model/model_impl.h"

/* Both the parameters and the state. */
typedef struct covey_shares {
    covey_ratio l;
} covey_shares;

/* Members of a covey_model. */
covey_status covey_i_shares_prepare(void **state, const covey_model_input *input, const void *params,
                                    covey_arena *arena, covey_error *err);
bool covey_i_shares_admit(const void *state, const covey_group *group);
bool covey_i_shares_judge(covey_figure *out, const void *state, const covey_group *group);
void covey_i_shares_figure(covey_figure *out, const void *state, const covey_group *group);
bool covey_i_shares_hopeless(covey_nearest *nearest, const void *state, const covey_group *whole);

#endif
