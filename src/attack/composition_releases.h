/* What two releases of a table that changes say together of the people who are in both. */
#ifndef COVEY_ATTACK_COMPOSITION_RELEASES_H
#define COVEY_ATTACK_COMPOSITION_RELEASES_H

#include "attack/attack_impl.h"

/**
 * Composition by the publisher's ledger (options->releases_ledger), which says who is in which class.
 *
 * The second release is one of the ledger, too, or of a table of which with_links says who is in which class; people
 * are the same who are called alike.
 *
 * @return COVEY_EINVAL for a release that the ledger does not know, or that is not as the ledger says; what reading the
 * ledger returns
 */
covey_status covey_i_composition_releases(covey_attack_maker *out, covey_attacked *r, const covey_attack_target *t,
                                          const covey_attack_target *other, covey_arena *arena, covey_error *err);

#endif
