/* Making one part of a plan.  What the method sees is a table like any other, but that its domains, hierarchies,
 * dictionaries and priors are those of the whole; so whatever it returns keeps the promises as a piece of the whole's
 * release. */
#include "parts/part/part.h"

#include <sodium.h>
#include <string.h>

#include "base/hash.h"
#include "job/publish.h"
#include "parts/part/units.h"

static covey_status make_release(covey_release **out, covey_problem *problem, const covey_plan *plan,
                                 covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_publication publication = {
        .policy = plan->policy, .run = run, .problem = problem, .choice = &plan->choice, .arena = arena};
    covey_status status;

    COVEY_TRY(plan->choice.method->run(out, problem, plan->choice.params, run, err));
    publication.release = *out;
    if ((status = covey_i_publish_check(&publication, err)) == COVEY_OK)
        return COVEY_OK;
    covey_release_free(*out);
    *out = NULL;
    return status;
}

/* Parts with the same seed draw different random numbers.  What there is to warn of is said once. */
static covey_run run_of(const covey_run *run, uint32_t first, unsigned char secret[32])
{
    covey_run own = COVEY_RUN_INIT;

    if (run)
        own = *run;
    if (own.has_seed && first > 0)
        own.seed = covey_i_mix(own.seed, first);
    if (own.secret) {
        crypto_generichash(secret, 32, (const unsigned char *)&first, sizeof first, own.secret, 32);
        own.secret = secret;
    }
    if (first > 0)
        own.warn = NULL;
    return own;
}

covey_status covey_i_part_make(covey_outfile *out, const covey_plan *plan, uint32_t first, uint32_t last,
                               const covey_part_rows *rows, const covey_run *run, covey_error *err)
{
    unsigned char secret[32] = {0};
    const covey_run own = run_of(run, first, secret);
    covey_part_facts facts = {.first = first, .last = last, .n_rows = rows->n, .is_seeded = own.has_seed};
    covey_part_units units = {0};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = NULL;
    covey_problem problem;
    covey_status status;

    if ((status = covey_i_part_problem(&problem, plan, rows, &arena, err)) != COVEY_OK)
        goto done;
    problem.max_suppressed = covey_i_plan_budget(plan, first, last);
    if (rows->n > 0 &&
        ((status = make_release(&release, &problem, plan, &arena, &own, err)) != COVEY_OK ||
         (status = covey_i_part_units(&units, &facts, &problem, release, &arena, &own, err)) != COVEY_OK))
        goto done;
    status = covey_i_part_file_write(out, plan, &facts, &problem, &units, &own, err);
done:
    explicit_bzero(secret, sizeof secret);
    covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}
