/* The publisher's ledger of m-invariant releases, for who attacks one of them: what it says of a release is proven
 * first, class by class. */
#ifndef COVEY_ATTACK_RELEASES_H
#define COVEY_ATTACK_RELEASES_H

#include "attack/attack_impl.h"
#include "reader/ledger/ledger.h"

/* The ledger that options->releases_ledger names; read when first asked for, and the release's. */
covey_status covey_i_attack_releases_read(covey_ledger **out, covey_attacked *release, covey_error *err);

/* The number of a release in the ledger, from 0; SIZE_MAX: it does not know the release.  COVEY_EINVAL: its classes are
 * not those of the release. */
covey_status covey_i_attack_releases_find(size_t *number, const covey_ledger *ledger, const covey_attacked *release,
                                          covey_error *err);

/* COVEY_EINVAL about a release that the ledger does not know. */
covey_status covey_i_attack_releases_unknown(const covey_ledger *ledger, const covey_attacked *release,
                                             covey_error *err);

/* Sets release->class_of_row from the ledger; unit: the original's column of names.  The audit has compared both. */
covey_status covey_i_attack_releases_rows(covey_attacked *release, const covey_ledger *ledger, size_t number,
                                          const covey_column *unit, covey_error *err);

#endif
