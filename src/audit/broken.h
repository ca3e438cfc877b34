/* Which promises of a release are broken, for who has opened it already. */
#ifndef COVEY_AUDIT_BROKEN_H
#define COVEY_AUDIT_BROKEN_H

#include "reader/ledger/ledger.h"
#include "reader/opened.h"

/**
 * Checks a release as covey_verify does.
 *
 * @param broken       [n_promises] which are broken, or cannot be checked
 * @param of_original  what is wrong with the comparison with the original
 * @param present      [n_files] which files may be opened
 * @param original     NULL, or the table that it was made from
 * @param ledger       NULL, or that of m-invariant releases, by which the original is compared then
 * @param number       of the release in it
 */
covey_status covey_i_audit_broken(bool *broken, covey_problems *of_original, covey_opened *opened, const bool *present,
                                  const char *original, covey_ledger *ledger, size_t number, const covey_run *run,
                                  covey_error *err);

#endif
