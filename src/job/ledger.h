/* The ledger of a release that is being made: what it must agree with, and what becomes of it. */
#ifndef COVEY_JOB_LEDGER_H
#define COVEY_JOB_LEDGER_H

#include <covey/job.h>

#include "base/file/newfile.h"
#include "base/text.h"
#include "job/prepare.h"
#include "reader/ledger/ledger.h"
#include "release/release_impl.h"

typedef struct covey_job_ledger {
    covey_ledger *before; /* of the releases so far; NULL: there are none */
    covey_newfile *file;  /* the next one; NULL: it stays as it is */
    covey_text text;      /* of it, but for the release's manifest and the seal */
    size_t manifest_at;   /* where its digits go */
} covey_job_ledger;

/**
 * Reads the ledger, if there is one, and compares it with the releases that are said to have come before.  All zeros
 * after a failure, and where no ledger is given.
 *
 * @return COVEY_EINVAL for a policy that needs a ledger or an entity and has none, for a place in the release's folder,
 * for a target that is a release of the ledger, and for releases that are not those of the ledger; what
 * covey_i_ledger_read returns
 */
covey_status covey_i_job_ledger_begin(covey_job_ledger *out, const covey_policy *policy,
                                      const covey_anonymize_options *options, const char *target, const covey_run *run,
                                      covey_error *err);
/* The lines of the ledger with this release, which problem and release describe as they are published. */
covey_status covey_i_job_ledger_compose(covey_job_ledger *ledger, const covey_release *release,
                                        const covey_problem *problem, const covey_prepared *prepared,
                                        const covey_policy *policy, covey_error *err);
/* Once the release is complete in its folder: writes them, to the last byte. */
covey_status covey_i_job_ledger_write(covey_job_ledger *ledger, const char *folder, covey_error *err);
/* Gives the file its name; what else there is stays, to be cleared. */
covey_status covey_i_job_ledger_commit(covey_job_ledger *ledger, covey_error *err);
void covey_i_job_ledger_clear(covey_job_ledger *ledger); /* all zeros allowed */

/**
 * ledger_values.c: the values of signatures as codes of a typed sensitive column.
 *
 * @param start   [n + 1], value: receive the codes of each signature that has a number, ascending
 * @param column  replaced by one that has the values which nobody in the table has
 * @param number  [ledger->n_signatures] UINT32_MAX: not asked for; else 0, 1, ... in order
 * @return COVEY_EINVAL for values that do not fit the column's type or order
 */
covey_status covey_i_ledger_values(uint32_t *start, uint32_t *value, covey_column **column, const covey_ledger *ledger,
                                   const uint32_t *number, const covey_wish_attribute *wish, covey_arena *arena,
                                   covey_error *err);

#endif
