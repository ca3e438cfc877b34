/* The four ways of partitioning that the experiments compare; permutation everywhere. */
#ifndef COVEY_REPRODUCE_KE_STRATEGIES_H
#define COVEY_REPRODUCE_KE_STRATEGIES_H

#include "reproduce/ke/groups.h"

enum { COVEY_KE_STRATEGIES = 4, COVEY_KE_L = 0, COVEY_KE_SCAN, COVEY_KE_TOUCH, COVEY_KE_SUM };

extern const char *const covey_i_ke_strategy_names[COVEY_KE_STRATEGIES];

/* l = k = 5; model: "ke-anonymity:k=5,e=100" for those that need one. */
covey_status covey_i_ke_partition(covey_ke_groups *out, const covey_experiment_context *context, const char *policy,
                                  size_t strategy, covey_arena *arena, covey_error *err);

#endif
