/* What a release whose values are exact, but not put together, teaches about which of them go together: the number of
 * rows that are to be expected to have both a value of a quasi-identifier and a sensitive one. */
#ifndef COVEY_ATTACK_BAYES_EXPECTED_H
#define COVEY_ATTACK_BAYES_EXPECTED_H

#include "attack/bayes/bayes.h"

/* Learns from a transformed release (groups whose rows all have the chances of their target) or a sliced one (in a
 * bucket every piece of a column goes with each of another with the same chance; attributes beside the sensitive one
 * are known exactly). */
covey_status covey_i_bayes_learn_expected(covey_bayes *bayes, const covey_attacked *release,
                                          const covey_attack_target *target, covey_arena *arena, covey_error *err);

#endif
