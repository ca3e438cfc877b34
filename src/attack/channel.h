/* What a perturbed release says about values: of one row, exactly, and of many, by inversion. */
#ifndef COVEY_ATTACK_CHANNEL_H
#define COVEY_ATTACK_CHANNEL_H

#include "attack/attack_impl.h"

/* The chance that the i-th value of the channel shows as the v-th. */
static inline double covey_i_attack_shows(const covey_attack_channel *c, uint32_t i, uint32_t v)
{
    return (i == v ? c->alpha[i] : 0) + (1 - c->alpha[i]) / c->n;
}

/* The chance that a row which shows the v-th value has the i-th: out[i], [channel.n]. */
void covey_i_attack_posterior(double *out, const covey_attack_target *target, uint32_t v);

/* Rows of each value among those that are counted as they show; the least that clipping at 0 gives.
 *
 * @param out       [channel.n]
 * @param observed  [n_values] by the view's codes
 *
 * With n values, o_v = a_v N_v + S/n where S is the number of rows that were drawn anew: N_v = (o_v - S/n)/a_v, and S
 * follows from the sum of all. */
void covey_i_attack_reconstruct(double *out, const int64_t *observed, const covey_attack_target *target);

/* The least m such that, of rows that m or more share all quasi-identifiers with, reconstruction guesses more rightly
 * than always the most frequent value does; 0 if there is none.  Needs the original. */
covey_status covey_i_attack_rows_enough(int64_t *out, covey_attacked *release, const covey_attack_target *target,
                                        covey_arena *arena, covey_error *err);

#endif
