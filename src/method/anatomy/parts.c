/* Parts of similar rows of which groups can be made: as small as Mondrian's cuts allow. */
#include "method/anatomy/anatomy.h"

#include "method/mondrian/mondrian.h"
#include "model/counts.h"
#include "table/histogram.h"

/* What a part must keep so that groups can be made of it; judged like a promise. */
static bool is_eligible(const void *state, const covey_group *group)
{
    return covey_i_counts_largest(group->counts, NULL) <= group->size / *(const int64_t *)state;
}

static int64_t least_rows(const void *state)
{
    return *(const int64_t *)state;
}

static const covey_model eligibility = {
    .name = "eligibility",
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE,
    .figure_high_is_safe = true,
    .admits = is_eligible,
    .min_size = least_rows,
};

/* The same table with nothing to keep but eligibility of the sensitive attribute. */
covey_status covey_i_anatomy_cut(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n,
                                 const covey_anatomy_task *task, covey_error *err)
{
    int64_t l = task->l;
    covey_histogram prior;
    covey_view view = {.name = task->sensitive->name, .column = task->sensitive, .prior = &prior};
    covey_promise promise = {.model = &eligibility, .view = 0, .state = &l};
    covey_problem problem = *task->problem;

    COVEY_TRY(covey_i_histogram_of(&prior, task->sensitive, task->arena, err));
    problem.promises.n = 1;
    problem.promises.promise = &promise;
    problem.promises.n_views = 1;
    problem.promises.view = &view;
    problem.promises.min_size = 1;
    return covey_i_mondrian_parts(part_of_row, n_parts, rows, n, &problem, task->run, err);
}
