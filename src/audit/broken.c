/* Running the checks of promises alone, on a release that is open already. */
#include "audit/broken.h"

#include "audit/form_impl.h"
#include "base/error.h"

covey_status covey_i_audit_broken(bool *broken, covey_problems *of_original, covey_opened *opened, const bool *present,
                                  const char *original, covey_ledger *ledger, size_t number, const covey_run *run,
                                  covey_error *err)
{
    const covey_stated *stated = opened->stated;
    covey_audit check = {.folder = opened->folder,
                         .original = original,
                         .ledger = ledger,
                         .release_number = number,
                         .entity = ledger ? ledger->entity : NULL,
                         .run = run,
                         .stated = stated,
                         .present = present,
                         .opened = opened,
                         .n_published = opened->n_rows,
                         .n_classes = opened->n_classes};
    covey_status status;

    if (!(check.judged = covey_arena_array_zero(&check.arena, covey_judged, stated->n_promises)))
        return covey_i_no_memory(err);
    for (size_t p = 0; p < stated->n_promises; p++)
        check.judged[p].promise.stated = &stated->promise[p];
    status = covey_i_audit_form_of(stated->published_as)->check(&check, err);
    if (status == COVEY_OK && (check.problems.broken || check.of_original.broken))
        status = covey_i_no_memory(err);
    for (size_t p = 0; p < stated->n_promises; p++)
        broken[p] = check.judged[p].broken || !check.judged[p].promise.checkable;
    covey_i_problems_move(of_original, &check.of_original);
    covey_i_problems_clear(&check.problems);
    covey_i_problems_clear(&check.of_original);
    covey_arena_free(&check.arena);
    return status;
}
