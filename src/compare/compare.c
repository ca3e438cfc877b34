/* The table is prepared once, then every method has its turn. */
#include <covey/compare.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/threads.h"
#include "compare/compare_impl.h"
#include "job/bounded.h"
#include "job/warnings.h"

enum { USUAL_QUERIES = 200, BYTES_PER_ROW = 400, BYTES_PER_CELL = 40 };

/* How many methods run at once: one per thread, as long as twice what they are likely to need is free. */
static int n_at_once(const covey_problem *problem, int n_threads)
{
    const int64_t each =
        (int64_t)problem->n_rows * (BYTES_PER_ROW + BYTES_PER_CELL * (int64_t)problem->n_fields) + (64 << 20);
    const int64_t fit = covey_i_free_memory() / (2 * each);

    return fit < 1 ? 1 : fit < n_threads ? (int)fit : n_threads;
}

static covey_status run_contest(void *context, size_t task, covey_error *err)
{
    covey_comparing *all = context;

    return covey_i_contest_run(&all->contest[task], task, err);
}

static covey_status run_all(covey_comparing *all, covey_error *err)
{
    const int n_threads = covey_run_threads(all->run), n = n_at_once(&all->prepared.problem, n_threads);

    all->n = covey_method_count();
    if (!(all->contest = covey_arena_array_zero(&all->arena, covey_contest, all->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < all->n; i++) {
        all->contest[i].all = all;
        all->contest[i].method = covey_method_at(i);
    }
    all->n_threads = n_threads / n;
    return covey_i_parallel(n, all->n, run_contest, all, err);
}

/* What no method that generalizes does better; it is the same for all of them. */
static covey_status bound(covey_comparing *all, covey_error *err)
{
    const double time = all->options->method_time;

    return covey_i_job_bound(&all->bounded, &all->prepared.problem, "generalized",
                             time > 0 ? time : COVEY_COMPARE_USUAL_TIME, all->run, err);
}

static covey_status prepare(covey_comparing *all, covey_error *err)
{
    const int64_t wish = all->options->n_queries;

    COVEY_TRY(covey_i_prepare(&all->prepared, all->policy, all->run, err));
    COVEY_TRY(covey_i_job_warn_of_data(&all->prepared, all->policy, all->run, err));
    return covey_i_compare_queries_draw(&all->workload, &all->prepared.problem,
                                        wish < 0   ? 0
                                        : wish > 0 ? (size_t)wish
                                                   : USUAL_QUERIES,
                                        &all->arena, all->run, err);
}

/* The contests' texts move into the result. */
static covey_status collect(covey_comparison **out, const covey_comparing *all, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT, *kept;
    covey_comparison *result = covey_arena_array_zero(&arena, covey_comparison, 1);
    covey_compared_method *method = covey_arena_array(&arena, covey_compared_method, all->n);

    kept = covey_arena_array(&arena, covey_arena, 1);
    if (!result || !method || !kept)
        goto no_memory;
    for (size_t i = 0; i < all->n; i++) {
        method[i] = all->contest[i].figures;
        if (!(method[i].reason = covey_arena_strdup(&arena, all->contest[i].reason)))
            goto no_memory;
    }
    covey_i_compare_rank(method, all->n, all->options->objective);
    *result = (covey_comparison){.n_rows = all->prepared.problem.n_rows,
                                 .n_units = all->prepared.problem.units ? all->prepared.problem.units->whole.n : 0,
                                 .n_persons = all->prepared.problem.units ? all->prepared.problem.units->person.n : 0,
                                 .n_queries = all->workload.n,
                                 .n_methods = all->n,
                                 .method = method,
                                 .memory = kept};
    *kept = arena;
    *out = result;
    return COVEY_OK;
no_memory:
    covey_arena_free(&arena);
    return covey_i_no_memory(err);
}

static covey_status check_options(const covey_compare_options *options, covey_error *err)
{
    const covey_compare_objective objective = options->objective;

    if (objective == COVEY_COMPARE_ATTACK && options->no_attacks)
        return covey_fail(err, COVEY_EINVAL, "--objective attack ranks by what attacks reach: leave out --no-attacks");
    if ((objective == COVEY_COMPARE_QUERY_ERROR || objective == COVEY_COMPARE_WIDTH) && options->n_queries < 0)
        return covey_fail(err, COVEY_EINVAL, "--objective %s ranks by answers to queries: leave out --queries 0",
                          covey_compare_objective_name((size_t)objective));
    return COVEY_OK;
}

covey_status covey_compare(covey_comparison **out, const covey_policy *policy, const covey_compare_options *options,
                           const covey_run *run, covey_error *err)
{
    static const covey_compare_options usual = {0};
    covey_comparing all = {.policy = policy,
                           .options = options ? options : &usual,
                           .run = run,
                           .arena = COVEY_ARENA_INIT,
                           .lock = PTHREAD_MUTEX_INITIALIZER};
    covey_folder *folder = NULL;
    covey_status status;

    COVEY_TRY(check_options(all.options, err));
    for (size_t i = 0; run && run->warn && i < policy->n_warnings; i++)
        run->warn(run->context, policy->warning[i]);
    if ((status = covey_i_folder_begin_temporary(&folder, "compare", err)) != COVEY_OK)
        return status;
    all.folder = covey_i_folder_path(folder);
    covey_i_threads_crew_begin();
    if ((status = prepare(&all, err)) == COVEY_OK && (status = bound(&all, err)) == COVEY_OK &&
        (status = run_all(&all, err)) == COVEY_OK)
        status = collect(out, &all, err);
    covey_i_folder_abort(folder);
    covey_i_prepared_clear(&all.prepared);
    covey_arena_free(&all.arena);
    covey_i_threads_crew_end();
    pthread_mutex_destroy(&all.lock);
    return status;
}

void covey_comparison_free(covey_comparison *comparison)
{
    covey_arena arena;

    if (!comparison)
        return;
    arena = *(covey_arena *)comparison->memory; /* it lies in its own memory */
    covey_arena_free(&arena);
}
