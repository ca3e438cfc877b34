/* m-invariance proven over all releases of a table that changes, from the publisher's ledger.  Shares no code with what
 * makes the releases, or writes the ledger. */
#ifndef COVEY_AUDIT_LEDGER_LEDGER_H
#define COVEY_AUDIT_LEDGER_LEDGER_H

#include "audit/form_impl.h"
#include "audit/ledger/classes.h"
#include "reader/original.h"

/* Reads options->ledger into audit->ledger and finds the release's number in it.  A release that it does not know is a
 * problem.  Nothing without a ledger. */
covey_status covey_i_audit_ledger_open(covey_audit *audit, const covey_verify_options *options, covey_error *err);

/* Verifies a release by itself; what is wrong goes to problems. */
typedef covey_status (*covey_audit_alone)(covey_problems *problems, const char *folder, const covey_run *run,
                                          covey_error *err);

/**
 * Once the release itself has been checked: are the releases of the ledger the given ones, do they hold, and does
 * everybody stand in classes of his signature in all of them?  What is wrong goes to audit->problems.
 *
 * @return COVEY_OK; what covey_verify returns for a release that cannot be read
 */
covey_status covey_i_audit_ledger(covey_audit *audit, const covey_verify_options *options, covey_audit_alone judge,
                                  covey_error *err);

/* original.c: the table's rows are those of the ledger's units, and lie in the cells of the classes that it puts them
 * into.  In the place of covey_i_faithful_check, where rows are made up. */
covey_status covey_i_audit_ledger_original(covey_problems *problems, const covey_audit *audit,
                                           const covey_original *original, covey_error *err);

#endif
