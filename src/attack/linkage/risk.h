/* Risks of re-identification that need more than the release: sampling weights, entities. */
#ifndef COVEY_ATTACK_LINKAGE_RISK_H
#define COVEY_ATTACK_LINKAGE_RISK_H

#include "attack/attack_impl.h"

/* Adds what sampling weights say, the original's or published ones, and the original's entities, where there are any.
 */
covey_status covey_i_attack_sampling_risks(covey_attack_maker *out, covey_attacked *release, covey_arena *arena,
                                           covey_error *err);

#endif
