/* Where a method on classes starts: which rows it may use, in which order; and what it says when it cannot. */
#include "method/method_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/plural.h"
#include "model/nearest.h"
#include "table/histogram.h"
#include "table/table_impl.h"

const char *const covey_i_publish_boxes[] = {"tight", "cut", NULL};

covey_status covey_i_method_accepts_every_model(const covey_promises *promises, const void *params, covey_error *err)
{
    (void)params;
    for (size_t i = 0; i < promises->n; i++)
        if (!(promises->promise[i].model->traits & COVEY_MODEL_UNION_CLOSED))
            return covey_fail(err, COVEY_EINVAL, "model %s is not a model on classes",
                              promises->promise[i].model->name);
    return COVEY_OK;
}

/* All rows of the table, counted column by column: row by row would cost more than some methods. */
static covey_status tally_everything(covey_tally *whole, const covey_problem *problem, covey_arena *arena,
                                     covey_error *err)
{
    const uint32_t n = problem->n_rows;

    COVEY_TRY(covey_i_tally_new(whole, &problem->promises, arena, err));
    whole->size = n;
    whole->has_ranges = true;
    for (size_t v = 0; v < whole->n_views; v++)
        COVEY_TRY(covey_i_histogram_of(&whole->counts[v], problem->promises.view[v].column, arena, err));
    for (size_t i = 0; n > 0 && i < whole->n_quasi; i++) {
        const covey_column *column = problem->promises.quasi[i];

        covey_i_codes_range(&whole->low[i], &whole->high[i], column->codes, column->width, n);
    }
    return COVEY_OK;
}

/* Collects what the rows as one class reach of every promise that they break; false: that of one of them is not known.
 */
static bool find_changes(covey_changes *changes, const covey_problem *problem, const covey_tally *rows)
{
    const covey_promises *promises = &problem->promises;

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const covey_group group = covey_i_promise_group(promises, promise, rows);
        covey_nearest nearest = {.n = 0};

        if (promise->model->admits(promise->state, &group))
            continue;
        if (promise->model->hopeless)
            promise->model->hopeless(&nearest, promise->state, &group);
        covey_i_changes_promise(changes, promise, &nearest);
    }
    if (rows->size < promises->min_size)
        covey_i_changes_method(changes, "min-size", "%" PRId64, rows->size);
    return !changes->is_lost;
}

covey_status covey_i_method_name_nearest_with(covey_changes *changes, const covey_problem *problem, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_tally whole;
    covey_status status = tally_everything(&whole, problem, &arena, NULL);

    if (status == COVEY_OK && find_changes(changes, problem, &whole))
        covey_i_changes_give(err, changes);
    covey_arena_free(&arena);
    return COVEY_EINFEASIBLE;
}

covey_status covey_i_method_name_nearest(const covey_problem *problem, covey_error *err)
{
    covey_changes changes = {.is_lost = false};

    return covey_i_method_name_nearest_with(&changes, problem, err);
}

/* Says what else the whole table breaks as one class, from promise number first on. */
static void add_others(char *message, size_t size, const covey_problem *problem, const covey_tally *whole, size_t first)
{
    size_t used = strlen(message);

    for (size_t i = first; i < problem->promises.n && used < size; i++) {
        const covey_promise *promise = &problem->promises.promise[i];
        const covey_group group = covey_i_promise_group(&problem->promises, promise, whole);
        covey_nearest nearest = {.n = 0};

        if (!promise->model->admits(promise->state, &group) && promise->model->hopeless &&
            promise->model->hopeless(&nearest, promise->state, &group))
            used += (size_t)snprintf(message + used, size - used, "; nor %s: %s", promise->model->name, nearest.why);
    }
}

/* Why the whole table breaks promise number broken and maybe others, with what could be kept. */
static covey_status whole_fails(const covey_problem *problem, const covey_tally *whole, int broken, covey_error *err)
{
    const covey_promise *promise = &problem->promises.promise[broken];
    const covey_group group = covey_i_promise_group(&problem->promises, promise, whole);
    covey_nearest nearest = {.n = 0};
    covey_figure figure;
    char reached[128], others[640] = "";

    add_others(others, sizeof others, problem, whole, (size_t)broken + 1);
    if (promise->model->hopeless && promise->model->hopeless(&nearest, promise->state, &group))
        return covey_fail(err, COVEY_EINFEASIBLE, "no release can keep %s: %s%s", promise->model->name, nearest.why,
                          others);
    promise->model->figure(&figure, promise->state, &group);
    covey_i_figure_words(reached, sizeof reached, &figure);
    return covey_fail(err, COVEY_EINFEASIBLE,
                      "no release can keep %s: the whole table as one class reaches only %s; relax it to that, or "
                      "allow rows to be suppressed "
                      "(suppression limit, now at most %" PRId64 " row%s)%s",
                      promise->model->name, reached, problem->max_suppressed, covey_i_plural(problem->max_suppressed),
                      others);
}

/* Why the rows together break promise number broken, with what could be kept.  n_gone: rows that were taken out of them
 * already, of the values that are too frequent; others might have done better. */
static covey_status infeasible(const covey_problem *problem, const covey_tally *rest, int broken, int64_t n_gone,
                               covey_error *err)
{
    const covey_promise *promise;
    covey_nearest nearest = {.n = 0};
    covey_figure figure;
    char reached[128], others[640] = "";
    covey_group group;

    if ((size_t)broken >= problem->promises.n && n_gone > 0) {
        covey_fail(err, COVEY_EINFEASIBLE,
                   "no release was found that keeps the policy: with %" PRId64
                   " row%s of too frequent sensitive values taken out, %" PRId64 " are left, and a class needs %" PRId64
                   "; relax it; taking out other rows was not tried",
                   n_gone, covey_i_plural(n_gone), rest->size, problem->promises.min_size);
    } else if ((size_t)broken >= problem->promises.n) {
        add_others(others, sizeof others, problem, rest, 0);
        covey_fail(err, COVEY_EINFEASIBLE,
                   "min-size asks for classes of %" PRId64 " rows, but the table has %" PRId64 "%s",
                   problem->promises.min_size, rest->size, others);
    } else if (n_gone == 0) {
        whole_fails(problem, rest, broken, err);
    } else {
        promise = &problem->promises.promise[broken];
        group = covey_i_promise_group(&problem->promises, promise, rest);
        promise->model->figure(&figure, promise->state, &group);
        covey_i_figure_words(reached, sizeof reached, &figure);
        if (figure.infinite && promise->model->hopeless && promise->model->hopeless(&nearest, promise->state, &group))
            covey_fail(err, COVEY_EINFEASIBLE,
                       "no release was found that keeps %s: with %" PRId64
                       " row%s of too frequent sensitive values taken out, %s; taking out other rows was not tried",
                       promise->model->name, n_gone, covey_i_plural(n_gone), nearest.why);
        else
            covey_fail(err, COVEY_EINFEASIBLE,
                       "no release was found that keeps %s: with %" PRId64
                       " row%s of too frequent sensitive values taken out, the others as one class "
                       "reach %s; relax it, or allow more rows to be suppressed (suppression limit, now at most "
                       "%" PRId64 " row%s); taking out other rows was not tried",
                       promise->model->name, n_gone, covey_i_plural(n_gone), reached, problem->max_suppressed,
                       covey_i_plural(problem->max_suppressed));
    }
    return covey_i_method_name_nearest(problem, err);
}

/* Room for the bounds of every value of a view. */
struct excess {
    int64_t *cap, *need;
};

/* The value whose rows the rest has to lose: the one that is furthest above what the promises allow of it; where none
 * is (entropy and recursive l bound no value by itself), the most frequent one. */
static uint32_t value_to_drop(const struct excess *x, const covey_promises *promises, const covey_tally *rest, int view)
{
    const covey_histogram *counts = &rest->counts[view];
    uint32_t most = counts->present[0], above = most;
    int64_t excess = 0;

    for (uint32_t p = 0; p < counts->n_present; p++) {
        x->cap[p] = rest->size;
        x->need[p] = 0;
    }
    covey_i_promises_bounds_of(promises, view, rest->size, counts->present, counts->n_present, x->cap, x->need);
    for (uint32_t p = 0; p < counts->n_present; p++) {
        const uint32_t v = counts->present[p];
        const int64_t count = counts->count[v], over = count - x->cap[p];

        if (count > counts->count[most] || (count == counts->count[most] && v < most))
            most = v;
        if (over > excess || (over == excess && over > 0 && v < above)) {
            excess = over;
            above = v;
        }
    }
    return excess > 0 ? above : most;
}

/* Values are missing then, and no row that is taken out brings one back. */
static bool is_infinite(const covey_promises *promises, const covey_promise *promise, const covey_tally *rest)
{
    const covey_group group = covey_i_promise_group(promises, promise, rest);
    covey_figure figure;

    promise->model->figure(&figure, promise->state, &group);
    return figure.infinite;
}

/* Drops rows until the rest keeps the promise that is broken.  Right for the models a whole table can break although
 * its parts need not: probabilistic, entropy and recursive l, alpha-k all fail by a value that is too frequent. */
static covey_status thin_out(bool *keep, covey_tally *rest, covey_tally *gone, const covey_problem *problem,
                             const uint32_t *rows, covey_arena *arena, covey_error *err)
{
    struct excess x = {NULL, NULL};
    uint32_t most_values = 1;
    int broken;

    for (size_t v = 0; v < problem->promises.n_views; v++)
        if (rest->counts[v].n_present > most_values)
            most_values = rest->counts[v].n_present;
    x.cap = covey_arena_array(arena, int64_t, most_values);
    x.need = covey_arena_array(arena, int64_t, most_values);
    if (!x.cap || !x.need)
        return covey_i_no_memory(err);
    while ((broken = covey_i_promises_broken(&problem->promises, rest)) >= 0) {
        const covey_promise *promise = &problem->promises.promise[(size_t)broken < problem->promises.n ? broken : 0];
        uint32_t drop, i = problem->n_rows;

        if ((size_t)broken >= problem->promises.n || promise->view < 0 ||
            (promise->model->traits & COVEY_MODEL_HEREDITARY) || gone->size >= problem->max_suppressed ||
            rest->size == 0 || is_infinite(&problem->promises, promise, rest))
            return infeasible(problem, rest, broken, gone->size, err);
        drop = value_to_drop(&x, &problem->promises, rest, promise->view);
        while (i > 0 && !(keep[rows[i - 1]] &&
                          covey_column_code(problem->promises.view[promise->view].column, rows[i - 1]) == drop))
            i--;
        if (i == 0)
            return infeasible(problem, rest, broken, gone->size, err);
        keep[rows[i - 1]] = false;
        covey_i_tally_remove(rest, &problem->promises, rows[i - 1]);
        covey_i_tally_add(gone, &problem->promises, rows[i - 1]);
    }
    if (gone->size > 0 && (covey_i_promises_any_traits(&problem->promises) & COVEY_MODEL_PRIOR) &&
        !covey_i_promises_admit(&problem->promises, gone)) {
        covey_fail(err, COVEY_EINFEASIBLE,
                   "no release was found that keeps the policy: %" PRId64
                   " row%s of too frequent sensitive values would have to be "
                   "suppressed, and their values, which follow from the published prior, break it; relax it, or drop "
                   "rows of your own choice "
                   "before publishing",
                   gone->size, covey_i_plural(gone->size));
        return covey_i_method_name_nearest(problem, err);
    }
    return COVEY_OK;
}

/* Takes the rows out that may not stay; scratch memory is the arena's. */
static covey_status keep_promises(covey_sorted_rows *sorted, const covey_problem *problem, covey_arena *arena,
                                  covey_error *err)
{
    covey_tally rest, gone;
    uint32_t n = 0;
    int broken;
    bool *keep;

    COVEY_TRY(tally_everything(&rest, problem, arena, err));
    if ((broken = covey_i_promises_broken(&problem->promises, &rest)) < 0)
        return COVEY_OK;
    if (problem->max_suppressed == 0)
        return infeasible(problem, &rest, broken, 0, err);
    if (!(keep = covey_arena_array(arena, bool, problem->n_rows)))
        return covey_i_no_memory(err);
    memset(keep, true, problem->n_rows * sizeof *keep);
    COVEY_TRY(covey_i_tally_new(&gone, &problem->promises, arena, err));
    COVEY_TRY(thin_out(keep, &rest, &gone, problem, sorted->rows, arena, err));
    for (uint32_t i = 0; i < sorted->n; i++)
        if (keep[sorted->rows[i]]) {
            sorted->rows[n] = sorted->rows[i];
            if (sorted->packed)
                sorted->packed[n] = sorted->packed[i];
            n++;
        }
    sorted->n = n;
    return COVEY_OK;
}

covey_status covey_i_start_sorted(covey_sorted_rows *sorted, const covey_problem *problem, const covey_run *run,
                                  covey_error *err)
{
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status;

    if ((status = covey_i_problem_order(sorted, problem, run, err)) == COVEY_OK)
        status = keep_promises(sorted, problem, &scratch, err);
    covey_arena_free(&scratch);
    return status;
}

covey_status covey_i_start(uint32_t **rows_out, uint32_t *n_out, const covey_problem *problem, covey_arena *arena,
                           const covey_run *run, covey_error *err)
{
    covey_sorted_rows sorted = {.n = problem->n_rows, .rows = covey_arena_array(arena, uint32_t, problem->n_rows)};

    if (!sorted.rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(sorted.rows, problem, run, err));
    COVEY_TRY(keep_promises(&sorted, problem, arena, err));
    *rows_out = sorted.rows;
    *n_out = sorted.n;
    return COVEY_OK;
}
