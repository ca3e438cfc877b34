/* All releases of a ledger, one after another. */
#include "audit/ledger/ledger.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "reader/contents.h"

static bool promises_invariance(const covey_stated *stated)
{
    for (size_t p = 0; p < stated->n_promises; p++) {
        const covey_model *model = covey_model_find(stated->promise[p].model);

        if (model && (model->traits & COVEY_MODEL_INVARIANT))
            return true;
    }
    return false;
}

covey_status covey_i_audit_ledger_open(covey_audit *audit, const covey_verify_options *options, covey_error *err)
{
    covey_ledger *ledger = NULL;

    audit->release_number = SIZE_MAX;
    if (!options || !options->ledger)
        return options && options->n_previous > 0
                   ? covey_fail(err, COVEY_EINVAL, "earlier releases are compared by the ledger: give that, too")
                   : COVEY_OK;
    COVEY_TRY(covey_i_ledger_read(&ledger, options->ledger, audit->run, err));
    audit->ledger = ledger;
    if (promises_invariance(audit->stated) && strcmp(audit->stated->form, "generalized") == 0)
        audit->entity = ledger->entity;
    COVEY_TRY(covey_i_ledger_find_release(&audit->release_number, ledger, audit->folder, err));
    if (audit->release_number == SIZE_MAX)
        covey_i_problem(
            &audit->problems,
            "the ledger does not know this release: one of the two was changed, or it is of another ledger");
    return COVEY_OK;
}

/* --- another release --- */

static covey_status open_classes(covey_audit *audit, size_t number, const char *folder, covey_error *err)
{
    covey_problems problems = COVEY_PROBLEMS_INIT; /* that were told already */
    covey_stated *stated = NULL;
    covey_opened *opened = NULL;
    bool *present = NULL;
    covey_status status = covey_i_stated_read(&stated, folder, err);

    if (status == COVEY_OK && !(present = covey_i_array_zero(stated->n_files, sizeof *present)))
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = covey_i_contents_check(present, &problems, folder, stated, err);
    if (status == COVEY_OK)
        status = covey_i_opened_read(&opened, folder, stated, present, &problems, audit->run, err);
    if (status == COVEY_OK && opened->usable)
        status = covey_i_audit_ledger_classes(&audit->problems, audit->ledger, number, opened, err);
    covey_i_opened_free(opened);
    covey_i_stated_free(stated);
    covey_i_free(present);
    covey_i_problems_clear(&problems);
    return status;
}

static covey_status check_previous(covey_audit *audit, bool *found, const char *folder, covey_audit_alone judge,
                                   covey_error *err)
{
    size_t number;

    COVEY_TRY(covey_i_ledger_find_release(&number, audit->ledger, folder, err));
    COVEY_TRY(judge(&audit->problems, folder, audit->run, err));
    if (number == SIZE_MAX) {
        covey_i_problem(&audit->problems, "the ledger does not know %s: one of the two was changed", folder);
        return COVEY_OK;
    }
    if (found[number])
        return COVEY_OK; /* given twice */
    found[number] = true;
    return open_classes(audit, number, folder, err);
}

/* --- all of them --- */

static covey_status check_all(covey_audit *audit, bool *found, const covey_verify_options *options,
                              covey_audit_alone judge, covey_error *err)
{
    if (audit->release_number != SIZE_MAX && audit->opened && audit->opened->usable) {
        found[audit->release_number] = true;
        COVEY_TRY(
            covey_i_audit_ledger_classes(&audit->problems, audit->ledger, audit->release_number, audit->opened, err));
    }
    for (size_t i = 0; i < options->n_previous; i++) {
        COVEY_TRY(covey_i_run_goes_on(audit->run, "compare releases", (int64_t)i, (int64_t)options->n_previous, err));
        COVEY_TRY(check_previous(audit, found, options->previous[i], judge, err));
    }
    for (size_t r = 0; r < audit->ledger->n_releases && !options->is_one_of_ledger; r++)
        if (!found[r])
            covey_i_problem(&audit->problems,
                            "release %zu of the ledger was not given, so that nothing is proven of it", r + 1);
    return COVEY_OK;
}

covey_status covey_i_audit_ledger(covey_audit *audit, const covey_verify_options *options, covey_audit_alone judge,
                                  covey_error *err)
{
    bool *found;
    covey_status status;

    audit->invariance_proven = promises_invariance(audit->stated) ? 0 : -1;
    if (!audit->ledger)
        return COVEY_OK;
    if (audit->invariance_proven < 0) {
        covey_i_problem(&audit->problems, "the release does not promise m-invariance: a ledger proves nothing of it");
        return COVEY_OK;
    }
    if (!(found = covey_i_array_zero(audit->ledger->n_releases, sizeof *found)))
        return covey_i_no_memory(err);
    status = check_all(audit, found, options, judge, err);
    covey_i_free(found);
    if (status == COVEY_OK && audit->problems.n_found == 0 && !options->is_one_of_ledger)
        audit->invariance_proven = 1;
    return status;
}
