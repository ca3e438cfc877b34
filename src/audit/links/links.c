/* Promises over units, proven from a list of the class of each row.  Shares no code with what writes the list or makes
 * the classes; what a promise over units means is defined once (model/units.h). */
#include "audit/links/links.h"

#include "audit/links/proof.h"

static covey_status prove(covey_link_proof *p, covey_links_check *check, covey_error *err)
{
    bool all = false;

    COVEY_TRY(covey_i_links_read(p, err));
    if (!p->is_wrong)
        COVEY_TRY(covey_i_links_make_units(p, err));
    if (!p->is_wrong)
        COVEY_TRY(covey_i_links_bind(&all, p, err));
    if (p->is_wrong)
        return COVEY_OK;
    COVEY_TRY(covey_i_links_check_whole(p, err));
    COVEY_TRY(check(p, err));
    COVEY_TRY(covey_i_links_judge(p, err));
    if (all && p->problems->n_found == 0)
        p->audit->units_proven = 1;
    return COVEY_OK;
}

covey_status covey_i_audit_links(covey_audit *audit, const covey_original *original, covey_links_check *check,
                                 covey_error *err)
{
    covey_link_proof p = {
        .audit = audit, .original = original, .problems = &audit->of_original, .arena = COVEY_ARENA_INIT};
    covey_status status;

    status = prove(&p, check, err);
    covey_arena_free(&p.arena);
    return status;
}
