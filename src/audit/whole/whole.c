/* Can whole units make the classes?  The way that is found is then checked and judged as a publisher's list would be.
 */
#include "audit/whole/whole.h"

#include <inttypes.h>
#include <string.h>

#include "audit/whole/question.h"
#include "base/error.h"

covey_status covey_i_audit_whole_open(covey_audit *audit, const covey_verify_options *options, covey_error *err)
{
    const covey_stated *stated = audit->stated;

    if (!options || !options->entity)
        return COVEY_OK;
    if (audit->links || audit->ledger)
        return covey_fail(err, COVEY_EINVAL, "the %s says itself which column names units: leave \"%s\" out",
                          audit->links ? "list of links" : "ledger", options->entity);
    if (!stated->has_units)
        return covey_fail(err, COVEY_EINVAL,
                          "the rows of this release have no units: there is nothing to be found of \"%s\"",
                          options->entity);
    if (!options->within != !stated->has_households)
        return covey_fail(err, COVEY_EINVAL,
                          stated->has_households
                              ? "units of this release are households or the like: name their column (within), too"
                              : "units of this release are what \"%s\" names, and not part of anything (within)",
                          options->entity);
    if (covey_i_stated_column(stated, options->entity) >= 0)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" is published: what names units never is", options->entity);
    if (options->within &&
        (covey_i_stated_column(stated, options->within) >= 0 || strcmp(options->within, options->entity) == 0))
        return covey_fail(err, COVEY_EINVAL, "\"%s\" cannot be what \"%s\" are part of: it is %s", options->within,
                          options->entity,
                          strcmp(options->within, options->entity) == 0 ? "the same column" : "published");
    audit->entity = options->entity;
    audit->within = options->within;
    audit->missing_is_own = true; /* if it had not been, the original would have no such rows */
    return COVEY_OK;
}

static void report_none(const covey_whole_question *q)
{
    q->proof->audit->units_fit = COVEY_FIT_NONE;
    covey_i_problem(q->proof->problems, "whole units of the original cannot make every %s as it is, whichever go where",
                    q->proof->audit->stated->published_as->word);
}

/* Units that fit nowhere say more than sums would. */
static bool all_have_a_class(const covey_whole_question *q)
{
    int64_t n_nowhere = 0;

    for (uint32_t u = 0; u < q->n_units; u++)
        n_nowhere += q->choice_start[u] == q->choice_start[u + 1];
    if (n_nowhere == 0)
        return true;
    q->proof->audit->units_fit = COVEY_FIT_NONE;
    covey_i_problem(q->proof->problems, "units are not whole: %" PRId64 " of them fit%s no %s with all of %s rows",
                    n_nowhere, n_nowhere == 1 ? "s" : "", q->proof->audit->stated->published_as->word,
                    n_nowhere == 1 ? "its" : "their");
    return false;
}

/* What the classes of the way that was found keep of the promises over units. */
static covey_status judge(covey_link_proof *p, covey_links_check *check, bool is_only, bool all, covey_error *err)
{
    covey_problems *const of_release = p->problems, of_way = COVEY_PROBLEMS_INIT;
    covey_status status;

    p->problems = &of_way;
    covey_i_links_sort(p);
    if ((status = check(p, err)) == COVEY_OK)
        status = covey_i_links_judge(p, err);
    p->problems = of_release;
    if (status == COVEY_OK) {
        const bool keeps = of_way.n_found == 0;

        p->audit->units_fit = is_only ? COVEY_FIT_ONLY : keeps && all ? COVEY_FIT_KEPT : COVEY_FIT_WHOLE;
        if (is_only && keeps && all)
            p->audit->units_proven = 1;
        if (is_only)
            covey_i_problems_move(p->problems, &of_way);
    }
    covey_i_problems_clear(&of_way);
    return status;
}

static covey_status answer(covey_whole_question *q, covey_links_check *check, bool all, covey_error *err)
{
    covey_link_proof *p = q->proof;
    uint32_t *class_of_unit;
    covey_whole_answer found;

    p->audit->units_fit = COVEY_FIT_UNDECIDED;
    COVEY_TRY(covey_i_whole_candidates(q, err));
    if (q->gave_up || !all_have_a_class(q))
        return COVEY_OK;
    COVEY_TRY(covey_i_whole_types(q, err));
    if (!(class_of_unit = covey_arena_array(q->arena, uint32_t, q->n_units)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_whole_search(&found, class_of_unit, q, err));
    if (found == COVEY_WHOLE_NONE)
        report_none(q);
    if (found < COVEY_WHOLE_SOME)
        return COVEY_OK;
    for (uint32_t i = 0; i < p->original->n_rows; i++)
        p->class_of[q->row[i].row] = class_of_unit[q->row[i].unit];
    return judge(p, check, found == COVEY_WHOLE_ONLY, all, err);
}

static covey_status prove(covey_link_proof *p, covey_whole_ask *ask, covey_links_check *check, covey_error *err)
{
    covey_whole_question q = {.proof = p, .arena = &p->arena};
    bool all = false;

    if (!(p->class_of = covey_arena_array_zero(&p->arena, uint32_t, p->original->n_rows)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_links_make_units(p, err));
    COVEY_TRY(covey_i_links_bind(&all, p, err));
    if (p->is_wrong || !p->audit->opened->units)
        return COVEY_OK;
    COVEY_TRY(ask(&q, err));
    COVEY_TRY(covey_i_whole_question(&q, err));
    if (!q.is_wrong)
        return answer(&q, check, all, err);
    p->audit->units_fit = COVEY_FIT_NONE;
    return COVEY_OK;
}

covey_status covey_i_audit_whole(covey_audit *audit, const covey_original *original, covey_whole_ask *ask,
                                 covey_links_check *check, covey_error *err)
{
    covey_link_proof p = {
        .audit = audit, .original = original, .problems = &audit->of_original, .arena = COVEY_ARENA_INIT};
    covey_status status;

    status = prove(&p, ask, check, err);
    covey_arena_free(&p.arena);
    return status;
}
