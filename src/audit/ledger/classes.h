/* One release by the publisher's ledger, for who counts with it, too. */
#ifndef COVEY_AUDIT_LEDGER_CLASSES_H
#define COVEY_AUDIT_LEDGER_CLASSES_H

#include "reader/ledger/ledger.h"
#include "reader/opened.h"

/* Has each class the units that the ledger puts into it and the made-up rows that it states, with the values of the
 * signature of each of them?  What is wrong goes to problems.  number: of the release, from 0. */
covey_status covey_i_audit_ledger_classes(covey_problems *problems, const covey_ledger *ledger, size_t number,
                                          const covey_opened *opened, covey_error *err);

#endif
