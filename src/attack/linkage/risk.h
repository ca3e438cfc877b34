/* Risks of re-identification that need more than the release: sampling weights, entities. */
#ifndef COVEY_ATTACK_LINKAGE_RISK_H
#define COVEY_ATTACK_LINKAGE_RISK_H

#include "attack/attack_impl.h"

/* Adds what the original's weights and entities say, where there are any. */
covey_status covey_i_attack_sampling_risks(covey_attack_maker *out, covey_attacked *release, covey_arena *arena,
                                           covey_error *err);

/**
 * The expected 1/F where f > 0 rows of a sample look alike and stand for people of a population of F >= f in
 * expectation: F - f is negative binomial, F = f/share.
 *
 * @param share  f over the estimated F, in (0, 1]
 *
 * Source: [BenedettiFranconi98]; as a hypergeometric series by Euler's transformation.
 */
double covey_i_attack_individual_risk(int64_t f, double share);

#endif
