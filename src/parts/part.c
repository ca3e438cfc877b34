/* See part.h.  What the method sees is a table like any other, but that its domains, hierarchies, dictionaries and priors are those of the
 * whole; so whatever it returns keeps the promises as a piece of the whole's release. */
#include "parts/part.h"

#include <string.h>

#include "job/publish.h"
#include "release/class_order.h"

static covey_status make_release(covey_release **out, covey_problem *problem, const covey_plan *plan, covey_arena *arena, const covey_run *run,
                                 covey_error *err)
{
    covey_publication publication = {.policy = plan->policy, .run = run, .problem = problem, .choice = &plan->choice, .arena = arena};
    covey_status status;

    COVEY_TRY(plan->choice.method->run(out, problem, plan->choice.params, run, err));
    publication.release = *out;
    if (strcmp((*out)->objective.name, "ail") == 0)
        status = covey_i_publish_check(&publication, err);
    else
        status = covey_fail(err, COVEY_EINTERNAL, "the objective %s of method %s cannot be added up over parts", (*out)->objective.name,
                            plan->choice.method->name);
    if (status == COVEY_OK)
        return COVEY_OK;
    covey_release_free(*out);
    *out = NULL;
    return status;
}

static covey_status find_keys(uint32_t **key, const covey_release *release, const covey_problem *problem, covey_arena *arena, covey_error *err)
{
    const covey_class_list list = {.problem = problem, .has_regions = release->has_regions, .n = release->n_classes, .low = release->low,
                                   .high = release->high, .start = release->class_start, .rows = release->row_order};

    return covey_i_class_keys(key, &list, arena, err);
}

covey_status covey_i_part_make(covey_outfile *out, const covey_plan *plan, uint32_t first, uint32_t last, const covey_part_rows *rows,
                               const covey_run *run, covey_error *err)
{
    covey_part_facts facts = {.first = first, .last = last, .n_rows = rows->n};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = NULL;
    covey_problem problem;
    uint32_t *key = NULL;
    covey_status status;

    if ((status = covey_i_part_problem(&problem, plan, rows, &arena, err)) != COVEY_OK)
        goto done;
    problem.max_suppressed = covey_i_plan_budget(plan, first, last);
    if (rows->n > 0) {
        if ((status = make_release(&release, &problem, plan, &arena, run, err)) != COVEY_OK ||
            (status = find_keys(&key, release, &problem, &arena, err)) != COVEY_OK)
            goto done;
        facts.n_published = release->n_published;
        facts.n_classes = release->n_classes;
        facts.has_regions = release->has_regions;
    }
    status = covey_i_part_file_write(out, plan, &facts, &problem, release, key, err);
done:
    covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}
