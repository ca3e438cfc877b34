/* Which class each row of the original went to: what attacks that know the original are judged by. */
#ifndef COVEY_ATTACK_LINKAGE_LINKS_H
#define COVEY_ATTACK_LINKAGE_LINKS_H

#include "attack/attack_impl.h"

/**
 * Fills target->class_of_row: which class each row of the original went to.
 *
 * The ledger of m-invariant releases knows it.  Else, where classes overlap, more than one assignment fits the release;
 * this is one of them, smallest classes first, as far as that goes. Needs an original and a form with classes.
 */
covey_status covey_i_attack_link(covey_attacked *release, covey_attack_target *target, covey_error *err);

#endif
