/* Methods on rows made to keep units whole (model/units.h).
 *
 * The method sees each unit as a crowd: all its rows stand at one point, made of the lowest and the highest of their
 * codes (or the lower medians), and a class has as many rows as k units mostly have.  What it makes of that guides the
 * rest, and no promise rests on it: the rows of a unit go where most of them are, every class is judged with its own
 * rows over rows and over units, and one that fails is joined with the neighbour that costs least, which ends since
 * what is promised is kept by unions.  What is kept is cut again as long as both halves keep every promise.  All units
 * as one class are cut in the same way, and of the two that is published which loses less.  Source:
 * docs/design/units.md. */
#include "method/units/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/sort/compare.h"
#include "base/threads.h"
#include "method/units/classes.h"
#include "method/units/leaves.h"
#include "model/nearest.h"

enum {
    MOST_UNITS_GUIDED = 1 << 20,
    ROWS = 1 << 16 /* that a thread gives their classes at a time */
};

/* --- from the method's classes to units' --- */

/* The class that has most of the rows row[0 .. n-1] of a unit, the first of several; COVEY_NO_CLASS: all of them were
 * suppressed.  row: NULL: they are the first ones. */
static uint32_t most_rows(const uint32_t *class_of_row, const uint32_t *row, uint32_t n)
{
    uint32_t best = COVEY_NO_CLASS, most = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = class_of_row[row ? row[i] : i];
        uint32_t n_own = 0;

        if (c == COVEY_NO_CLASS || c == best)
            continue;
        for (uint32_t j = i; j < n; j++)
            n_own += class_of_row[row ? row[j] : j] == c;
        if (n_own > most || (n_own == most && c < best)) {
            most = n_own;
            best = c;
        }
    }
    return best;
}

static bool are_alike(const covey_problem *seen, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < seen->n_axes; i++)
        if (covey_i_code(seen->axis[i].column, a) != covey_i_code(seen->axis[i].column, b))
            return false;
    for (size_t f = 0; f < seen->n_fields; f++)
        if (seen->field[f].axis < 0 && covey_i_code(seen->field[f].column, a) != covey_i_code(seen->field[f].column, b))
            return false;
    return true;
}

struct place {
    uint32_t unit, row;
};

static int compare_units(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Which of the rows that it sees alike the method puts where goes by the order of the input: the first units get the
 * first of their classes instead. */
static covey_status deal_alike(uint32_t *class_of_seen, const covey_units_run *r, const covey_problem *seen,
                               covey_error *err)
{
    const uint32_t n = r->n_seen;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *row = covey_arena_array(&arena, uint32_t, n), *class = covey_arena_array(&arena, uint32_t, n);
    struct place *place = covey_arena_array(&arena, struct place, n);
    covey_status status =
        row && class && place ? covey_i_problem_sort_rows(row, seen, r->run, err) : covey_i_no_memory(err);

    for (uint32_t first = 0, end; status == COVEY_OK && first < n; first = end) {
        bool is_parted = false;

        for (end = first; end < n && (end == first || are_alike(seen, row[first], row[end])); end++) {
            class[end] = class_of_seen[row[end]];
            place[end] = (struct place){.unit = r->unit_of_seen[row[end]], .row = row[end]};
            is_parted |= class[end] != class[first];
        }
        if (!is_parted)
            continue;
        qsort(place + first, end - first, sizeof *place, compare_units);
        qsort(class + first, end - first, sizeof *class, covey_i_compare_u32);
        for (uint32_t i = first; i < end; i++)
            class_of_seen[place[i].row] = class[i];
    }
    covey_arena_free(&arena);
    return status;
}

/* Suppressed units, and those that are too large, are one class behind the others, which is judged where a prior tells
 * of it. */
static covey_status take_over(covey_unit_classes *p, covey_units_run *r, const covey_release *guide,
                              const covey_problem *seen, covey_error *err)
{
    uint32_t *class_of_seen = covey_arena_array(&r->arena, uint32_t, r->n_seen);
    uint32_t *class_of_unit = covey_arena_array(&r->arena, uint32_t, r->n_units);

    if (!class_of_seen || !class_of_unit)
        return covey_i_no_memory(err);
    memset(class_of_seen, 0xff, r->n_seen * sizeof *class_of_seen);
    for (uint32_t c = 0; c < guide->n_classes; c++)
        for (uint32_t i = guide->class_start[c]; i < guide->class_start[c + 1]; i++)
            class_of_seen[guide->row_order[i]] = c;
    if (!r->sizes_suffice) /* else units stand in their order */
        COVEY_TRY(deal_alike(class_of_seen, r, seen, err));
    for (uint32_t u = 0, at = 0; u < r->n_units; u++) {
        uint32_t n = 0, c;

        while (r->sizes_suffice && at + n < r->n_seen && r->unit_of_seen[at + n] == u)
            n++;
        c = r->sizes_suffice ? most_rows(class_of_seen + at, NULL, n)
                             : most_rows(class_of_seen, r->row + r->start[u], r->n_rows[u]);
        at += n;
        class_of_unit[u] = c == COVEY_NO_CLASS || r->n_rows[u] > r->most_rows ? guide->n_classes : c;
    }
    return covey_i_unit_classes_new(p, r, class_of_unit, guide->n_classes + 1, err);
}

/* Takes the suppressed units out, if they may be: their values follow where a prior is published. */
static covey_status suppress(covey_unit_classes *p, covey_error *err)
{
    const uint32_t c = p->n_classes - 1;
    int broken = -1;

    if (p->class[c].is_gone || p->class[c].sizes.n_rows > p->r->problem->max_suppressed)
        return COVEY_OK;
    if (covey_i_promises_any_traits(&p->r->problem->promises) & COVEY_MODEL_PRIOR)
        COVEY_TRY(covey_i_unit_classes_judge(&broken, p, c, err));
    if (broken < 0)
        covey_i_unit_classes_unlink(p, c);
    return COVEY_OK;
}

/* loss is told where asks_loss. */
static covey_status cut_classes(covey_unit_outcome *out, bool asks_loss, covey_unit_classes *p, covey_error *err)
{
    const covey_units_run *r = p->r;
    uint32_t *class_of_hull = covey_arena_array(&p->r->arena, uint32_t, p->items.n);
    int64_t n_gone = 0;

    if (!class_of_hull)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_classes_cut(class_of_hull, &out->n_classes, asks_loss ? &out->loss : NULL, p, err));
    for (uint32_t unit = 0; unit < r->n_units; unit++) {
        const uint32_t c = class_of_hull[p->items.of_unit[unit]];

        n_gone += c == COVEY_NO_CLASS ? r->n_rows[unit] : 0;
        out->class_of_unit[unit] = c == COVEY_NO_CLASS ? COVEY_CLASS_SUPPRESSED : c;
    }
    out->loss += (double)n_gone; /* weights sum to 1 */
    return COVEY_OK;
}

/* What the units of each class reach: there are fewer than rows. */
static covey_status find_ranges(covey_regions *ranges, covey_units_run *r, const covey_unit_outcome *outcome,
                                covey_error *err)
{
    const size_t d = r->problem->n_axes;
    const uint32_t *class = outcome->class_of_unit, n = r->n_units;

    *ranges = (covey_regions){.low = covey_arena_array(&r->arena, uint32_t, outcome->n_classes * d),
                              .high = covey_arena_array_zero(&r->arena, uint32_t, outcome->n_classes * d),
                              .are_ranges = true};
    if (!ranges->low || !ranges->high)
        return covey_i_no_memory(err);
    memset(ranges->low, 0xff, outcome->n_classes * d * sizeof *ranges->low);
    for (size_t a = 0; a < d; a++)
        COVEY_CODES_TYPED(r->axis[a].low->width, {
            const covey_code *low = r->axis[a].low->codes, *high = r->axis[a].high->codes;

            for (uint32_t u = 0; u < n; u++) {
                uint32_t *to_low;
                uint32_t *to_high;

                if (class[u] == COVEY_CLASS_SUPPRESSED)
                    continue;
                to_low = ranges->low + class[u] * d + a;
                to_high = ranges->high + class[u] * d + a;
                *to_low = low[u] < *to_low ? low[u] : *to_low;
                *to_high = high[u] > *to_high ? high[u] : *to_high;
            }
        });
    return COVEY_OK;
}

struct rows {
    const covey_units_run *r;
    const uint32_t *class_of_unit;
    uint32_t *class_of_row;
};

static covey_status find_classes(void *context, size_t task, covey_error *err)
{
    const struct rows *x = context;
    const uint32_t *unit = x->r->units->whole.of_row, n_rows = x->r->problem->n_rows;
    const uint64_t end = (uint64_t)(task + 1) * ROWS;

    (void)err;
    for (uint64_t row = (uint64_t)task * ROWS; row < end && row < n_rows; row++)
        x->class_of_row[row] = x->class_of_unit[unit[row]];
    return COVEY_OK;
}

/* [n_classes] rows of each class: there are fewer units than rows. */
static covey_status count_rows(const uint32_t **out, covey_units_run *r, const covey_unit_outcome *outcome,
                               covey_error *err)
{
    uint32_t *n = covey_arena_array_zero(&r->arena, uint32_t, outcome->n_classes);

    if (!n)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++)
        if (outcome->class_of_unit[u] != COVEY_CLASS_SUPPRESSED)
            n[outcome->class_of_unit[u]] += r->n_rows[u];
    *out = n;
    return COVEY_OK;
}

static covey_status make_release(covey_release **out, covey_units_run *r, const covey_unit_outcome *outcome,
                                 covey_error *err)
{
    const uint32_t n_rows = r->problem->n_rows;
    struct rows rows = {r, outcome->class_of_unit, covey_arena_array(&r->arena, uint32_t, n_rows)};
    covey_regions ranges = outcome->ranges;

    if (!rows.class_of_row)
        return covey_i_no_memory(err);
    if (!ranges.low)
        COVEY_TRY(find_ranges(&ranges, r, outcome, err));
    COVEY_TRY(count_rows(&ranges.n_rows, r, outcome, err));
    COVEY_TRY(
        covey_i_parallel(covey_run_threads(r->run), ((size_t)n_rows + ROWS - 1) / ROWS, find_classes, &rows, err));
    return covey_i_release_of_regions(out, r->problem, rows.class_of_row, outcome->n_classes, &ranges, r->run, err);
}

/* --- what cannot be --- */

/* What rows alone break says so itself, with what could be kept. */
static covey_status infeasible(covey_units_run *r, int broken, covey_error *err)
{
    const covey_promises *promises = &r->problem->promises;
    const bool is_promise = broken >= 0 && (size_t)broken < promises->n;
    uint32_t *rows, n;

    COVEY_TRY(covey_i_start(&rows, &n, r->problem, &r->arena, r->run, err));
    return covey_fail(err, COVEY_EINFEASIBLE,
                      "no release was found that keeps %s over %ss: all rows together as one class do not keep it; "
                      "relax it, say units: rows to have it over rows alone, or leave units with most rows out before "
                      "publishing",
                      is_promise ? promises->promise[broken].model->name : "min-size",
                      r->units->within ? "household" : "unit");
}

static covey_status found_nothing(const covey_method *method, covey_error *err)
{
    return covey_fail(err, COVEY_EINFEASIBLE, "%s found nothing that loses less", method->name);
}

/* With which k the largest unit leaves room for others; a model that has more thresholds than k may ask for more. */
static covey_status refuse_k(const covey_promises *promises, int64_t k, covey_error *err)
{
    covey_changes changes = {.is_lost = false};

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        covey_nearest nearest = {.n = 0};

        if (promise->units != COVEY_UNITS_SHARE || covey_i_units_least_rows(promise) <= k)
            continue;
        if (promise->model->threshold && strcmp(promise->model->threshold, "k") == 0)
            covey_i_nearest_change(&nearest, "k", "%" PRId64, k);
        covey_i_changes_promise(&changes, promise, &nearest);
    }
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* A unit with more than 1/k of all rows is in no class; suppression can take it out whole, and others that have too
 * many of those that are left. */
static covey_status check_largest(covey_units_run *r, covey_error *err)
{
    const int64_t k = covey_i_units_largest_k(&r->problem->promises), n = r->problem->n_rows;
    int64_t most = 0, n_gone = 0, n_before = -1;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = r->n_rows[u] > most ? r->n_rows[u] : most;
    r->most_rows = most;
    while (k > 0 && n_gone != n_before) {
        n_before = n_gone;
        r->most_rows = (n - n_gone) / k;
        n_gone = 0;
        for (uint32_t u = 0; u < r->n_units; u++)
            if (r->n_rows[u] > r->most_rows)
                n_gone += r->n_rows[u];
    }
    if (n_gone <= r->problem->max_suppressed)
        return COVEY_OK;
    covey_fail(err, COVEY_EINFEASIBLE,
               "no release can keep k-anonymity over units with k = %" PRId64 ": one unit has %" PRId64
               " of the %" PRId64 " rows, more than 1/k of them; k can be %" PRId64
               " at most, or say units: count to ask for k units however many rows each has, or allow rows to be "
               "suppressed (suppression limit, now at most %" PRId64 " row%s)",
               k, most, n, n / most, r->problem->max_suppressed, covey_i_plural(r->problem->max_suppressed));
    return refuse_k(&r->problem->promises, n / most, err);
}

/* --- the run --- */

/* Does each unit have one row?  Then nothing is different. */
static bool are_single(const covey_problem *problem)
{
    return problem->units->whole.n == problem->n_rows;
}

/* What the method finds where it sees units as crowds. */
static covey_status begin_with_guide(covey_unit_classes *p, covey_units_run *r, const covey_method *method,
                                     const void *params, covey_error *err)
{
    covey_problem seen;
    covey_release *guide = NULL;
    covey_status status;

    COVEY_TRY(covey_i_units_see(&seen, r, method, err));
    COVEY_TRY(method->run(&guide, &seen, params, r->run, err));
    status = take_over(p, r, guide, &seen, err);
    covey_release_free(guide);
    return status;
}

/* *broken >= 0: no classes were found that keep what is promised. */
static covey_status finish(covey_unit_outcome *out, int *broken, bool asks_loss, covey_unit_classes *p,
                           covey_error *err)
{
    COVEY_TRY(suppress(p, err));
    COVEY_TRY(covey_i_unit_classes_join(broken, p, err));
    return *broken >= 0 ? COVEY_OK : cut_classes(out, asks_loss, p, err);
}

/* All units are one class, beside one of those that are too large, or they are parted at once. */
static covey_status cut_all(covey_unit_outcome *out, int *broken, bool asks_loss, covey_units_run *r, covey_error *err)
{
    uint32_t *class_of_unit = out->class_of_unit; /* written last */
    covey_unit_leaves leaves;
    covey_unit_classes p;

    COVEY_TRY(covey_i_unit_leaves_new(&leaves, r, err));
    if (leaves.n > 0) {
        *broken = -1;
        return covey_i_unit_leaves_cut(out, &leaves, r, err);
    }
    for (uint32_t u = 0; u < r->n_units; u++)
        class_of_unit[u] = r->n_rows[u] > r->most_rows;
    COVEY_TRY(covey_i_unit_classes_new(&p, r, class_of_unit, 2, err));
    return finish(out, broken, asks_loss, &p, err);
}

/* Units are cut with nothing to guide the cuts, and with the method as a guide.  What loses less is taken, the former
 * where both lose as much.  A guide of very many would take longer than all the rest, for little. */
static covey_status run_units(covey_release **out, covey_units_run *r, const covey_method *method, const void *params,
                              covey_error *err)
{
    const bool is_guide = !(method->cuts_units && method->cuts_units(params));
    const bool may_guide = (is_guide && r->units->whole.n <= MOST_UNITS_GUIDED) || r->problem->max_suppressed > 0;
    /* Another method had them cut with nothing to guide the cuts, which a guide alone can better. */
    const bool was_cut = r->problem->loss_to_beat > 0 && r->problem->max_suppressed == 0;
    bool is_guided, has_guided = false;
    covey_unit_outcome own = {0}, guided = {0};
    covey_arena_mark mark;
    covey_unit_classes p;
    int broken = -1, guided_broken;
    covey_status status;

    if (was_cut && !may_guide)
        return found_nothing(method, err);
    r->sizes_suffice = covey_i_units_sizes_suffice(&r->problem->promises);
    r->counts_suffice = covey_i_units_counts_suffice(&r->problem->promises);
    if (may_guide) /* cuts alone do not part alike ones */
        COVEY_TRY(covey_i_units_order(r, err));
    COVEY_TRY(covey_i_units_measure(r, !r->sizes_suffice && (may_guide || !r->counts_suffice), err));
    COVEY_TRY(check_largest(r, err));
    own.class_of_unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    guided.class_of_unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    if (!own.class_of_unit || !guided.class_of_unit)
        return covey_i_no_memory(err);
    mark = covey_arena_save(&r->arena);
    if (was_cut)
        own.loss = INFINITY;
    else
        COVEY_TRY(cut_all(&own, &broken, is_guide, r, err));
    if (broken >= 0 && r->problem->max_suppressed == 0) /* whatever classes there were, their union would keep it */
        return infeasible(r, broken, err);
    is_guided = broken >= 0 || (is_guide && r->n_units <= MOST_UNITS_GUIDED);
    if (is_guided) {
        covey_arena_rewind(&r->arena, mark);
        if ((status = begin_with_guide(&p, r, method, params, err)) == COVEY_OK) {
            COVEY_TRY(finish(&guided, &guided_broken, is_guide, &p, err));
            has_guided = guided_broken < 0;
        } else if (status != COVEY_EINFEASIBLE) { /* that is said of what the method sees, which is not the table */
            return status;
        }
    }
    if (was_cut && !has_guided)
        return found_nothing(method, err);
    if (broken >= 0 && !has_guided)
        return infeasible(r, broken, err);
    covey_arena_rewind(&r->arena, mark); /* memory that was had before costs less */
    COVEY_TRY(make_release(out, r, has_guided && (broken >= 0 || guided.loss < own.loss) ? &guided : &own, err));
    if (is_guide && !is_guided) /* for who publishes */
        snprintf(
            (*out)->remark, sizeof(*out)->remark,
            "all units were cut alike, whatever the method: %s and its parameters guide the cuts of up to %d units",
            method->name, MOST_UNITS_GUIDED);
    return COVEY_OK;
}

covey_status covey_i_units_run_method(covey_release **out, const covey_problem *problem, const covey_method *method,
                                      const void *params, const covey_run *run, covey_error *err)
{
    covey_units_run r = {
        .problem = problem, .units = problem->units, .run = run, .arena = COVEY_ARENA_INIT, .kept = COVEY_ARENA_INIT};
    covey_status status;

    if (!problem->units || are_single(problem) || method->keeps_units == COVEY_UNITS_ALIKE)
        return method->run(out, problem, params, run, err);
    status = run_units(out, &r, method, params, err);
    covey_arena_free(&r.arena);
    covey_arena_free(&r.kept);
    return status;
}
