/* Searches with suppression and without.  The search itself knows rows that go as blocks, at a price; whether they may
 * go is judged here, of all together. */
#include "method/optimal/suppress.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "table/table_impl.h"

/* Seconds that are left of the limit. */
static double seconds_left(const covey_optimal_job *job)
{
    const double left = job->options.time_limit - (covey_i_seconds() - job->start);

    return job->options.time_limit < 0 ? -1 : left > 0 ? left : 0;
}

/* Searches among these rows; the others, if any, are suppressed already. */
static covey_status search(covey_optimal_found *out, covey_optimal_job *job, const covey_optimal_options *wish,
                           const uint32_t *rows, uint32_t n_rows, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    covey_optimal_options options = *wish;
    covey_optimal_result result = {0};
    covey_optimal_worker w = {0};
    covey_shown_codes shown = {0};
    covey_optimal_grid g;
    covey_optimal_units outside;
    covey_optimal_applied applied;
    covey_status status;

    options.time_limit = seconds_left(job);
    if (options.judges_regions && n_rows < job->problem->n_rows &&
        (status = covey_i_shown_codes_new(&shown, job->problem, rows, n_rows, err)) != COVEY_OK)
        goto done;
    options.shown = &shown;
    if ((status = covey_i_optimal_grid_new(&g, job->problem, job->splits, job->min_length, rows, n_rows, &options,
                                           &job->arena, err)) != COVEY_OK ||
        (status = covey_i_optimal_search(&result, &g, job->run, err)) != COVEY_OK ||
        (status = covey_i_optimal_worker_new(&w, &g, err)) != COVEY_OK)
        goto done;
    out->class_of_row = covey_i_array(job->problem->n_rows, sizeof *out->class_of_row);
    if (!out->class_of_row) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_optimal_apply(&applied, out->class_of_row, &out->regions, &w, &result.tree, err)) != COVEY_OK)
        goto done;
    outside = job->problem->n_rows - n_rows;
    out->n_classes = applied.n_classes;
    out->n_suppressed = applied.n_suppressed + outside;
    if (options.cost ==
        COVEY_OPT_DISCERNIBILITY) /* whatever was suppressed beforehand costs what suppressed rows cost */
        outside *= job->problem->n_rows;
    else
        outside *= g.suppressed - options.suppress_extra;
    out->value = covey_i_optimal_value(&g, applied.cost + outside - out->n_suppressed * options.suppress_extra);
    out->bound = covey_i_optimal_value(&g, result.bound + outside);
    out->optimal = result.stop == COVEY_OPT_PROVEN;
    out->stop = result.stop;
    out->search = result.search;
done:
    covey_i_shown_codes_clear(&shown);
    covey_i_optimal_worker_clear(&w);
    covey_i_optimal_tree_clear(&result.tree);
    covey_arena_rewind(&job->arena, mark);
    return status;
}

/* May these rows go?  Within the limit; not all; and where their sensitive values follow from the prior, only as a
 * class that would do. */
static covey_status may_go(bool *yes, covey_optimal_job *job, const covey_optimal_found *f, covey_error *err)
{
    const covey_promises *promises = &job->problem->promises;
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    covey_tally gone;

    *yes = f->n_suppressed <= job->problem->max_suppressed && f->n_suppressed < job->problem->n_rows;
    if (!*yes || f->n_suppressed == 0 || !(covey_i_promises_any_traits(promises) & COVEY_MODEL_PRIOR))
        return COVEY_OK;
    COVEY_TRY(covey_i_tally_new(&gone, promises, &job->arena, err));
    for (uint32_t row = 0; row < job->problem->n_rows; row++)
        if (f->class_of_row[row] == COVEY_CLASS_SUPPRESSED)
            covey_i_tally_add(&gone, promises, row);
    *yes = covey_i_promises_admit(promises, &gone);
    covey_arena_rewind(&job->arena, mark);
    return COVEY_OK;
}

void covey_i_optimal_found_clear(covey_optimal_found *f)
{
    covey_i_free(f->class_of_row);
    covey_i_free(f->regions.low);
    covey_i_free(f->regions.high);
    memset(f, 0, sizeof *f);
}

static void take(covey_optimal_found *best, covey_optimal_found *other)
{
    covey_i_optimal_found_clear(best);
    *best = *other;
    memset(other, 0, sizeof *other);
}

/* Do the regions keep the promises about ranges without the values that only suppressed rows have?  Those are not
 * published. */
static covey_status regions_hold(bool *yes, covey_optimal_job *job, const covey_optimal_found *f, covey_error *err)
{
    const covey_problem *problem = job->problem;
    const size_t d = problem->n_axes;
    uint32_t *rows = covey_arena_array(&job->arena, uint32_t, problem->n_rows), n = 0;
    covey_shown_codes shown = {0};
    covey_tally tally;
    covey_status status;

    *yes = true;
    if (!job->options.judges_regions || f->n_suppressed == 0)
        return COVEY_OK;
    if (!rows)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (f->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            rows[n++] = row;
    if ((status = covey_i_shown_codes_new(&shown, problem, rows, n, err)) == COVEY_OK &&
        (status = covey_i_tally_new(&tally, &problem->promises, &job->arena, err)) == COVEY_OK) {
        covey_i_shown_codes_shrink_all(f->regions.low, f->regions.high, f->n_classes, &shown);
        tally.size = 1;
        for (uint32_t c = 0; c < f->n_classes; c++) {
            tally.low = f->regions.low + c * d;
            tally.high = f->regions.high + c * d;
            for (size_t i = 0; i < problem->promises.n; i++) {
                const covey_promise *promise = &problem->promises.promise[i];
                const covey_group group = covey_i_promise_group(&problem->promises, promise, &tally);

                *yes = *yes && (promise->quasi < 0 || promise->model->admits(promise->state, &group));
            }
        }
    }
    covey_i_shown_codes_clear(&shown);
    return status;
}

/* Prices on top of the cost of suppressed rows, doubled until the limit is kept: a heuristic for what lies between no
 * suppression and free suppression. */
static covey_status try_prices(covey_optimal_found *best, covey_optimal_job *job, const uint32_t *rows, double bound,
                               covey_error *err)
{
    covey_optimal_options options = job->options;

    options.suppress = true;
    options.judges_regions =
        false; /* which values show is only known in the end; the rows' own ranges do in any case */
    options.suppress_extra = options.cost == COVEY_OPT_CLASSES ? 1 : job->problem->n_rows / 4 + 1;
    for (int i = 0; i < 4 && !(job->options.time_limit >= 0 && seconds_left(job) <= 0);
         i++, options.suppress_extra *= 4) {
        covey_optimal_found f = {0};
        bool yes = false;
        covey_status status = search(&f, job, &options, rows, job->problem->n_rows, err);

        if (status == COVEY_OK)
            status = may_go(&yes, job, &f, err);
        if (status == COVEY_OK && yes && f.value < best->value) {
            f.bound = bound;
            f.stop = best->stop;
            f.optimal = false;
            take(best, &f);
        }
        covey_i_optimal_found_clear(&f);
        if (status != COVEY_OK || yes)
            return status;
    }
    return COVEY_OK;
}

/* As blocks that cost what suppressed rows cost; *yes: these may go. */
static covey_status search_freely(bool *yes, covey_optimal_found *out, covey_optimal_job *job, const uint32_t *rows,
                                  covey_error *err)
{
    covey_optimal_options options = job->options;
    double bound;

    options.suppress = true;
    COVEY_TRY(search(out, job, &options, rows, job->problem->n_rows, err));
    COVEY_TRY(may_go(yes, job, out, err));
    if (!*yes)
        return COVEY_OK;
    COVEY_TRY(regions_hold(yes, job, out, err));
    if (*yes)
        return COVEY_OK;
    /* Regions with the values of suppressed rows are wider than what is published, so that was a bound; ranges of rows
     * are no wider. */
    bound = out->bound;
    covey_i_optimal_found_clear(out);
    options.judges_regions = false;
    COVEY_TRY(search(out, job, &options, rows, job->problem->n_rows, err));
    out->bound = bound;
    out->optimal = out->value <= bound;
    return may_go(yes, job, out, err);
}

/* With suppression: free, as long as that keeps the limit; else the better of none and of dear suppression, against the
 * bound of free suppression.  Where the promises cannot hold for all rows, "none" means as few as possible, which go
 * one by one and not as blocks: of these the bound says nothing, and that they are the best choice is not proven
 * either. */
static covey_status search_suppressing(covey_optimal_found *out, covey_optimal_job *job, covey_error *err)
{
    uint32_t *rows = covey_arena_array(&job->arena, uint32_t, job->problem->n_rows), *kept, n_kept;
    covey_optimal_found strict = {0};
    covey_status status;
    double bound;
    bool yes;

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(rows, job->problem, job->run, err));
    COVEY_TRY(search_freely(&yes, out, job, rows, err));
    if (yes)
        return COVEY_OK;
    COVEY_TRY(covey_i_start(&kept, &n_kept, job->problem, &job->arena, job->run, err));
    if ((status = search(&strict, job, &job->options, kept, n_kept, err)) == COVEY_OK) {
        bound = out->bound;
        strict.bound = n_kept == job->problem->n_rows ? bound : -INFINITY;
        strict.optimal = strict.value <= strict.bound;
        strict.stop = strict.optimal || strict.stop != COVEY_OPT_PROVEN ? strict.stop : out->stop;
        take(out, &strict);
        status = try_prices(out, job, rows, bound, err);
    }
    covey_i_optimal_found_clear(&strict);
    return status;
}

static covey_status search_strictly(covey_optimal_found *out, covey_optimal_job *job, covey_error *err)
{
    uint32_t *rows, n_rows;

    COVEY_TRY(covey_i_start(&rows, &n_rows, job->problem, &job->arena, job->run, err));
    return search(out, job, &job->options, rows, n_rows, err);
}

covey_status covey_i_optimal_find(covey_optimal_found *out, covey_optimal_job *job, covey_error *err)
{
    return job->problem->max_suppressed > 0 ? search_suppressing(out, job, err) : search_strictly(out, job, err);
}
