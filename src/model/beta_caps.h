/* What basic and enhanced beta-likeness share: a class against one cap per sensitive value. */
#ifndef COVEY_BETA_CAPS_H
#define COVEY_BETA_CAPS_H

#include "base/cap.h"
#include "model/model_impl.h"

struct covey_beta_params {
    covey_ratio beta;
};

extern const covey_param covey_i_beta_params[1];

typedef covey_cap (*covey_beta_cap)(int64_t count, int64_t total, covey_ratio beta);

/* State of either model: cap_of says how a cap is made. */
covey_status covey_i_beta_prepare(void **state, const covey_model_input *input, const void *params, covey_beta_cap cap_of,
                                  covey_arena *arena, covey_error *err);
bool covey_i_beta_admits(const void *state, const covey_group *group);
/* The largest basic gain (q - p)/p over the values with q > p, 0 if there is none. */
void covey_i_beta_figure(covey_figure *out, const void *state, const covey_group *group);
void covey_i_beta_bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need);
int64_t covey_i_beta_min_size(const void *state);

#endif
