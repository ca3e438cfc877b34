/* Elastic cuts: top-down partitioning in which a cut that would give a class too many or too few rows of some sensitive value is
 * saved by moving the rows nearest to it, instead of being given up.
 *
 * This file is the method and its threads: as long as there are large parts, all threads cut one part together; what is left is
 * handed to them part by part.  A part's classes depend on its rows alone, so the number of threads does not show.
 * Source: docs/design/elastic.md, after [CaoKarras12]. */
#include "method/elastic_impl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum { LARGE_PART = 1 << 16, PARTS_PER_THREAD = 8, REPORT_ROWS = 1 << 13 };

struct elastic_params {
    covey_class_params common; /* first */
    int dims;                  /* 0 extent, 1 score */
    int64_t cuts;
};

/* Parts, growing, with their ranges, and behind them their regions if those are published (the same numbers again). */
struct parts {
    size_t n, capacity, n_ranges; /* n_ranges: numbers per part, 0: none are kept */
    covey_elastic_part *part;
    uint32_t *ranges;             /* [capacity][n_ranges] */
};

static covey_status add_part(struct parts *parts, covey_elastic_part part, const uint32_t *ranges, covey_error *err)
{
    if (parts->n == parts->capacity) {
        const size_t capacity = parts->capacity ? parts->capacity * 2 : 64;
        covey_elastic_part *more = covey_i_realloc(parts->part, capacity, sizeof *more);
        uint32_t *more_ranges;

        if (!more)
            return covey_fail(err, COVEY_ENOMEM, "%zu classes", capacity);
        parts->part = more;
        if (parts->n_ranges > 0) {
            if (!(more_ranges = covey_i_realloc(parts->ranges, capacity, parts->n_ranges * sizeof *more_ranges)))
                return covey_fail(err, COVEY_ENOMEM, "%zu classes", capacity);
            parts->ranges = more_ranges;
        }
        parts->capacity = capacity;
    }
    if (parts->n_ranges > 0)
        memcpy(parts->ranges + parts->n * parts->n_ranges, ranges, parts->n_ranges * sizeof *ranges);
    parts->part[parts->n++] = part;
    return COVEY_OK;
}

static void parts_clear(struct parts *parts)
{
    covey_i_free(parts->part);
    covey_i_free(parts->ranges);
    *parts = (struct parts){0};
}

struct cutting {
    const covey_elastic *elastic;
    struct parts pieces;           /* what all threads together left */
    struct parts *classes;         /* [pieces.n] of each piece */
    covey_elastic_worker *worker;  /* [n_workers] */
    size_t n_workers;
    _Atomic size_t next_piece;
    const covey_run *run;
    pthread_t caller;              /* only its thread reports progress */
    _Atomic uint32_t n_done;       /* rows of finished classes */
    atomic_bool is_cancelled;
    uint32_t *class_of_row;
    uint32_t *first_class;         /* [pieces.n] number of the piece's first class */
};

/* Counts n more rows as done and says so now and then. */
static covey_status report(struct cutting *c, uint32_t n, covey_error *err)
{
    const uint32_t before = atomic_fetch_add_explicit(&c->n_done, n, memory_order_relaxed);

    if (before / REPORT_ROWS == (before + n) / REPORT_ROWS && n > 0)
        return COVEY_OK;
    if (c->run && c->run->progress && pthread_equal(pthread_self(), c->caller) &&
        !c->run->progress(c->run->context, "elastic", before + n, c->elastic->records.n))
        atomic_store(&c->is_cancelled, true);
    return atomic_load(&c->is_cancelled) ? covey_fail(err, COVEY_ECANCELLED, "cancelled") : COVEY_OK;
}

/* Cuts a part; numbers of both children: ranges, then regions if they are kept. */
static covey_status cut_part(bool *is_cut, covey_elastic_part children[2], uint32_t *child, size_t n_ranges, covey_elastic_worker *worker,
                             const covey_elastic_part *part, const uint32_t *own, covey_error *err)
{
    const size_t d = worker->elastic->problem->n_axes;
    uint32_t *left, *right;

    COVEY_TRY(covey_i_elastic_cut(is_cut, children, child, worker, part, own, err));
    if (!*is_cut || n_ranges == 2 * d)
        return COVEY_OK;
    left = child;
    right = child + n_ranges;
    memcpy(right, child + 2 * d, 2 * d * sizeof *right);
    memcpy(left + 2 * d, own + 2 * d, 2 * d * sizeof *left);
    memcpy(right + 2 * d, own + 2 * d, 2 * d * sizeof *right);
    left[3 * d + worker->cut_axis] = worker->cut_threshold;
    right[2 * d + worker->cut_axis] = worker->cut_threshold + 1;
    return COVEY_OK;
}

/* Cuts a piece to classes, left to right.  With a stack of its own: a chain of one-row cuts may be as deep as the table is long. */
static covey_status cut_piece(struct cutting *c, struct parts *classes, covey_elastic_worker *worker, covey_elastic_part piece,
                              const uint32_t *ranges, covey_error *err)
{
    const size_t n_ranges = c->pieces.n_ranges;
    struct parts stack = {.n_ranges = n_ranges};
    uint32_t *own = covey_i_array(3 * n_ranges, sizeof *own), *child; /* ranges of the part and of its two children */
    covey_status status;

    if (!own)
        return covey_fail(err, COVEY_ENOMEM, "ranges of a class");
    child = own + n_ranges;
    classes->n_ranges = c->elastic->stays_natural ? n_ranges : 0;
    if ((status = add_part(&stack, piece, ranges, err)) != COVEY_OK)
        goto done;
    while (stack.n > 0) {
        const covey_elastic_part part = stack.part[--stack.n];
        covey_elastic_part children[2];
        bool is_cut;

        memcpy(own, stack.ranges + stack.n * n_ranges, n_ranges * sizeof *own);
        if ((status = cut_part(&is_cut, children, child, n_ranges, worker, &part, own, err)) != COVEY_OK)
            goto done;
        if (!is_cut && (status = report(c, part.n, err)) == COVEY_OK)
            status = add_part(classes, part, own, err);
        else if (is_cut && (status = add_part(&stack, children[1], child + n_ranges, err)) == COVEY_OK)
            status = add_part(&stack, children[0], child, err);
        if (status != COVEY_OK)
            goto done;
    }
done:
    parts_clear(&stack);
    covey_i_free(own);
    return status;
}

/* One thread's work: pieces, until there are no more. */
static covey_status cut_pieces(void *context, size_t thread, covey_error *err)
{
    struct cutting *c = context;
    size_t piece;

    while ((piece = atomic_fetch_add(&c->next_piece, 1)) < c->pieces.n)
        COVEY_TRY(cut_piece(c, &c->classes[piece], &c->worker[thread], c->pieces.part[piece],
                            c->pieces.ranges + piece * c->pieces.n_ranges, err));
    return COVEY_OK;
}

/* Puts the second child behind the first, which takes the parent's place: pieces stay in the order of their rows. */
static covey_status replace_piece(struct parts *pieces, size_t i, const covey_elastic_part children[2], const uint32_t *child_ranges,
                                  covey_error *err)
{
    const size_t n = pieces->n_ranges;

    COVEY_TRY(add_part(pieces, children[1], child_ranges + n, err));
    pieces->part[i] = children[0];
    memcpy(pieces->ranges + i * n, child_ranges, n * sizeof *child_ranges);
    memmove(pieces->part + i + 2, pieces->part + i + 1, (pieces->n - i - 2) * sizeof *pieces->part);
    memmove(pieces->ranges + (i + 2) * n, pieces->ranges + (i + 1) * n, (pieces->n - i - 2) * n * sizeof *pieces->ranges);
    pieces->part[i + 1] = children[1];
    memcpy(pieces->ranges + (i + 1) * n, child_ranges + n, n * sizeof *child_ranges);
    return COVEY_OK;
}

/* All threads together cut every large part. */
static covey_status cut_together(struct cutting *c, int n_threads, covey_error *err)
{
    const uint32_t fair_share = c->elastic->records.n / (uint32_t)(n_threads * PARTS_PER_THREAD);
    const uint32_t large = fair_share > LARGE_PART ? fair_share : LARGE_PART;
    uint32_t *child_ranges = covey_i_array(2 * c->pieces.n_ranges, sizeof *child_ranges);
    covey_status status = COVEY_OK;

    if (!child_ranges)
        return covey_fail(err, COVEY_ENOMEM, "ranges of a class");
    c->worker[0].n_threads = n_threads;
    for (size_t i = 0; i < c->pieces.n && status == COVEY_OK;) {
        covey_elastic_part children[2];
        bool is_cut = false;

        if (c->pieces.part[i].n > large && (status = report(c, 0, err)) == COVEY_OK)
            status = cut_part(&is_cut, children, child_ranges, c->pieces.n_ranges, &c->worker[0], &c->pieces.part[i],
                              c->pieces.ranges + i * c->pieces.n_ranges, err);
        if (is_cut && status == COVEY_OK)
            status = replace_piece(&c->pieces, i, children, child_ranges, err);
        else
            i++;
    }
    c->worker[0].n_threads = 1;
    covey_i_free(child_ranges);
    return status;
}

/* Writes the numbers of a piece's classes to their rows. */
static covey_status number_classes(void *context, size_t piece, covey_error *err)
{
    const struct cutting *c = context;
    const struct parts *classes = &c->classes[piece];

    for (size_t i = 0; i < classes->n; i++) {
        const covey_elastic_part part = classes->part[i];
        const uint32_t *rows = covey_i_records_rows(&c->elastic->records, part.side) + part.start;

        for (uint32_t r = 0; r < part.n; r++)
            c->class_of_row[rows[r]] = c->first_class[piece] + (uint32_t)i;
    }
    return COVEY_OK;
}

/* Makes workers until there are n. */
static covey_status add_workers(struct cutting *c, size_t n, covey_error *err)
{
    covey_status status = COVEY_OK;

    for (; c->n_workers < n && status == COVEY_OK; c->n_workers++) /* a failed one counts: it has memory to give back */
        status = covey_i_elastic_worker_new(&c->worker[c->n_workers], c->elastic, err);
    return status;
}

/* The regions of all classes, in the order of their numbers. */
static covey_status gather_regions(covey_regions *out, const struct cutting *c, uint32_t n_classes, covey_error *err)
{
    const size_t d = c->elastic->problem->n_axes;
    size_t at = 0;

    *out = (covey_regions){covey_i_array(n_classes * d, sizeof *out->low), covey_i_array(n_classes * d, sizeof *out->high)};
    if (!out->low || !out->high)
        return covey_fail(err, COVEY_ENOMEM, "regions of %u classes", n_classes);
    for (size_t p = 0; p < c->pieces.n; p++)
        for (size_t i = 0; i < c->classes[p].n; i++, at += d) {
            const uint32_t *region = c->classes[p].ranges + i * c->classes[p].n_ranges + 2 * d;

            memcpy(out->low + at, region, d * sizeof *region);
            memcpy(out->high + at, region + d, d * sizeof *region);
        }
    return COVEY_OK;
}

/* Cuts all records; ranges: [4 * n_axes] of them, and their region.  regions: what they are cut to, NULL: not wanted. */
static covey_status cut_all(uint32_t *class_of_row, uint32_t *n_classes, covey_regions *regions, const covey_elastic *elastic,
                            const uint32_t *ranges, const covey_run *run, covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    struct cutting c = {.elastic = elastic, .pieces = {.n_ranges = (regions ? 4 : 2) * elastic->problem->n_axes}, .class_of_row = class_of_row,
                        .run = run, .caller = pthread_self()};
    covey_status status;

    if (!(c.worker = covey_i_array_zero((size_t)n_threads, sizeof *c.worker)))
        return covey_fail(err, COVEY_ENOMEM, "%d threads", n_threads);
    if ((status = add_workers(&c, 1, err)) != COVEY_OK ||
        (status = add_part(&c.pieces, (covey_elastic_part){0, elastic->records.n, 0}, ranges, err)) != COVEY_OK ||
        (status = cut_together(&c, n_threads, err)) != COVEY_OK ||
        (status = add_workers(&c, c.pieces.n < (size_t)n_threads ? c.pieces.n : (size_t)n_threads, err)) != COVEY_OK)
        goto done;
    c.classes = covey_i_array_zero(c.pieces.n, sizeof *c.classes);
    c.first_class = covey_i_array_zero(c.pieces.n, sizeof *c.first_class);
    if (!c.classes || !c.first_class) {
        status = covey_fail(err, COVEY_ENOMEM, "%zu parts", c.pieces.n);
        goto done;
    }
    if ((status = covey_i_parallel(n_threads, c.n_workers, cut_pieces, &c, err)) != COVEY_OK)
        goto done;
    *n_classes = 0;
    for (size_t p = 0; p < c.pieces.n; p++) {
        c.first_class[p] = *n_classes;
        *n_classes += (uint32_t)c.classes[p].n;
    }
    if ((status = covey_i_parallel(n_threads, c.pieces.n, number_classes, &c, err)) == COVEY_OK && regions)
        status = gather_regions(regions, &c, *n_classes, err);
done:
    for (size_t p = 0; c.classes && p < c.pieces.n; p++)
        parts_clear(&c.classes[p]);
    covey_i_free(c.classes);
    covey_i_free(c.first_class);
    parts_clear(&c.pieces);
    for (size_t i = 0; i < c.n_workers; i++)
        covey_i_elastic_worker_clear(&c.worker[i]);
    covey_i_free(c.worker);
    return status;
}

/* The attribute whose counts steer the cuts: the first that is bounded, else the first. */
static void choose_view(covey_elastic *e)
{
    const covey_promises *promises = &e->problem->promises;

    e->view = promises->n_views > 0 ? 0 : -1;
    for (size_t v = 0; v < promises->n_views && !e->bounded; v++)
        if (covey_i_promises_have_bounds(promises, (int)v)) {
            e->view = (int)v;
            e->bounded = true;
        }
    e->n_values = e->view >= 0 ? promises->view[e->view].column->n_values : 1;
}

/* Is there a distance to repair?  Only the steering attribute is looked at while a cut is planned. */
static bool has_closeness(const covey_promises *promises, int view)
{
    covey_closeness closeness;

    if (promises->n_views != 1 || (covey_i_promises_any_traits(promises) & COVEY_MODEL_RANGES))
        return false;
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].view == view && covey_i_promise_closeness(&closeness, &promises->promise[i]))
            return true;
    return false;
}

/* Does a class of all n rows need rows of some value?  If not, no smaller one does. */
static covey_status find_needs(covey_elastic *e, uint32_t n, covey_arena *arena, covey_error *err)
{
    int64_t *cap = covey_arena_array(arena, int64_t, e->n_values), *need = covey_arena_array_zero(arena, int64_t, e->n_values);

    if (!cap || !need)
        return covey_fail(err, COVEY_ENOMEM, "bounds on %u sensitive values", e->n_values);
    for (uint32_t v = 0; v < e->n_values; v++)
        cap[v] = n;
    if (e->bounded)
        covey_i_promises_bounds(&e->problem->promises, e->view, n, cap, need);
    for (uint32_t v = 0; v < e->n_values; v++)
        e->has_needs = e->has_needs || need[v] > 0;
    return COVEY_OK;
}

/* Everything that all workers share; rows[0 .. n-1] are cut. */
static covey_status elastic_init(covey_elastic *e, uint32_t *ranges, const covey_problem *problem, const struct elastic_params *params,
                                 const uint32_t *rows, uint32_t n, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    const size_t n_columns = problem->n_axes + 1 + promises->n_views;
    const covey_column **column = covey_arena_array(arena, const covey_column *, n_columns);
    const int64_t promised = covey_i_promises_min_size(promises);

    *e = (covey_elastic){.problem = problem, .all_axes = params->dims == 1, .stays_natural = params->common.publish_boxes == 1,
                         .n_cuts = (uint32_t)params->cuts,
                         .min_size = params->common.min_size > promised ? params->common.min_size : promised,
                         .most_cells = COVEY_ELASTIC_MOST_CELLS, .weight = covey_arena_array(arena, double, problem->n_axes)};
    if (!column || !e->weight)
        return covey_fail(err, COVEY_ENOMEM, "%zu columns", n_columns);
    choose_view(e);
    e->comes_close = has_closeness(promises, e->view);
    COVEY_TRY(find_needs(e, n, arena, err));
    for (size_t a = 0; a < problem->n_axes; a++) {
        column[a] = problem->axis[a].column;
        e->weight[a] = covey_ratio_value(problem->axis[a].weight) / (double)problem->axis[a].loss_den;
    }
    column[problem->n_axes] = e->view >= 0 ? promises->view[e->view].column : NULL;
    for (size_t v = 0; v < promises->n_views; v++)
        column[problem->n_axes + 1 + v] = promises->n_views > 1 ? promises->view[v].column : NULL;
    COVEY_TRY(covey_i_records_new(&e->records, column, promises->n_views > 1 ? n_columns : problem->n_axes + 1, rows, n, run, err));
    for (size_t a = 0; a < problem->n_axes; a++) {
        ranges[2 * problem->n_axes + a] = 0;
        ranges[3 * problem->n_axes + a] = problem->axis[a].n_values - 1;
    }
    for (size_t a = 0; n > 0 && a < problem->n_axes; a++)
        covey_i_records_range(&ranges[a], &ranges[problem->n_axes + a], &e->records.column[a], 0, 0, n);
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_elastic elastic = {0};
    uint32_t *rows, *class_of_row = NULL, n, n_classes = 0;
    uint32_t *ranges = covey_arena_array(&arena, uint32_t, 4 * problem->n_axes);
    covey_regions regions = {0}, *wanted = ((const struct elastic_params *)params)->common.publish_boxes == 1 ? &regions : NULL;
    covey_status status;

    if (!ranges) {
        status = covey_fail(err, COVEY_ENOMEM, "ranges of %zu columns", problem->n_axes);
        goto done;
    }
    if ((status = covey_i_start(&rows, &n, problem, &arena, run, err)) != COVEY_OK ||
        (status = elastic_init(&elastic, ranges, problem, params, rows, n, &arena, run, err)) != COVEY_OK)
        goto done;
    if (!(class_of_row = covey_i_array(problem->n_rows, sizeof *class_of_row))) {
        status = covey_fail(err, COVEY_ENOMEM, "classes of %u rows", problem->n_rows);
        goto done;
    }
    memset(class_of_row, 0xff, problem->n_rows * sizeof *class_of_row);
    if (n > 0 && (status = cut_all(class_of_row, &n_classes, wanted, &elastic, ranges, run, err)) != COVEY_OK)
        goto done;
    covey_i_records_clear(&elastic.records); /* most of the memory that is in use now, and sorting needs much */
    covey_arena_free(&arena);
    if ((status = covey_i_release_of_regions(out, problem, class_of_row, n_classes, wanted, run, err)) == COVEY_OK && n_classes == 1)
        snprintf((*out)->note, sizeof (*out)->note, "single class: no cut keeps the promises");
done:
    covey_i_records_clear(&elastic.records);
    covey_i_free(regions.low);
    covey_i_free(regions.high);
    covey_i_free(class_of_row);
    covey_arena_free(&arena);
    return status;
}

static const char *const dims_choices[] = {"extent", "score", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "dims", .type = COVEY_PARAM_CHOICE, .offset = offsetof(struct elastic_params, dims), .fallback = "extent", .choices = dims_choices,
     .help = "extent: cut the widest attribute that can be cut; score: the one that leaves the least loss"},
    {.name = "cuts", .type = COVEY_PARAM_INTEGER, .offset = offsetof(struct elastic_params, cuts), .fallback = "3", .minimum = "1",
     .maximum = "15", .help = "thresholds tried along an attribute, at equal shares of the rows; 1: the median only"},
};

const covey_method covey_method_elastic = {
    .name = "elastic",
    .summary = "cuts like mondrian, but moves rows across a cut where a class would get too many of one sensitive value",
    .keeps = "every model on classes; made for bounds on single values (beta, delta, probabilistic l, alpha-k) and t-closeness",
    .source = "CaoKarras12, for the bounds; the cuts as in docs/design/elastic.md",
    .form = "generalized",
    .in_parts = true,
    .params = param_list, .n_params = sizeof param_list / sizeof *param_list, .params_size = sizeof(struct elastic_params),
    .accepts = covey_i_accepts_with_regions,
    .run = run,
};
