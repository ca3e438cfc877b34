/* Re-identification of units: persons or households whose rows all stand in one class. */
#ifndef COVEY_ATTACK_LINKAGE_UNITS_H
#define COVEY_ATTACK_LINKAGE_UNITS_H

#include "attack/attack_impl.h"

/* Puts the chances over units in the place of those over rows, where the release has units: their classes' from
 * units.csv.  k: what the caller calls safe; 0: what is promised of shares.  sentence: what else is to be said. */
covey_status covey_i_attack_units(covey_attack_maker *out, const covey_attacked *r, int64_t k, const char *sentence,
                                  covey_arena *arena, covey_error *err);

#endif
