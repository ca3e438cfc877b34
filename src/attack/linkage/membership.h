/* Membership in a sliced release; a part of the attack "membership". */
#ifndef COVEY_ATTACK_LINKAGE_MEMBERSHIP_H
#define COVEY_ATTACK_LINKAGE_MEMBERSHIP_H

#include "attack/attack_impl.h"

covey_status covey_i_attack_sliced_membership(covey_attack_maker *out, covey_attacked *release, covey_arena *arena,
                                              covey_error *err);

#endif
