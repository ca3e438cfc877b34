/* Published rows of a form whose quasi-identifiers are exact, in the original's terms. */
#ifndef COVEY_ATTACK_PUBLISHED_H
#define COVEY_ATTACK_PUBLISHED_H

#include "attack/attack_impl.h"

/* The point (covey_i_attack_points_of) of each published row; UINT32_MAX: no row of the original has it.  Made once. */
covey_status covey_i_attack_published_points(const uint32_t **out, covey_attacked *release, covey_error *err);

#endif
