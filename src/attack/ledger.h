/* What was released before; see ledger.c. */
#ifndef COVEY_ATTACK_LEDGER_H
#define COVEY_ATTACK_LEDGER_H

#include "attack/attack_impl.h"

/* Enters the release into options->ledger, if there is one, and warns of others with the same values.  *matches: how
 * many these are; -1: it was not asked, or cannot be said. */
covey_status covey_i_attack_ledger(int64_t *matches, covey_attacked *release, covey_error *err);

#endif
