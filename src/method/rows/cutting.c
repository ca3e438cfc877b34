/* See cutting.h.  The first cuts are made one after another until there are enough pieces for all threads; then every
 * piece is a task of its own.  A piece's result depends on its rows alone, so the number of threads does not show. */
#include "method/rows/cutting.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"

enum { SERIAL_PIECES = 64, SMALL_PIECE = 4096 };

/* Ranges of rows, growing, with the regions they were cut from. */
struct ranges {
    size_t n, capacity, n_ends; /* n_ends: numbers per region, 0: none are kept */
    struct range {
        uint32_t start, n;
        bool final;
    } * range;
    uint32_t *region; /* [capacity][n_ends] lowest, then highest code of each axis; then the edges there */
};

static covey_status add_range(struct ranges *ranges, struct range range, const uint32_t *region, covey_error *err)
{
    if (ranges->n == ranges->capacity) {
        size_t capacity = ranges->capacity ? ranges->capacity * 2 : 64;
        struct range *grown = covey_i_realloc(ranges->range, capacity, sizeof *grown);
        uint32_t *regions;

        if (!grown)
            return covey_i_no_memory(err);
        ranges->range = grown;
        if (ranges->n_ends > 0) {
            if (!(regions = covey_i_realloc(ranges->region, capacity, ranges->n_ends * sizeof *regions)))
                return covey_i_no_memory(err);
            ranges->region = regions;
        }
        ranges->capacity = capacity;
    }
    if (ranges->n_ends > 0)
        memcpy(ranges->region + ranges->n * ranges->n_ends, region, ranges->n_ends * sizeof *region);
    ranges->range[ranges->n++] = range;
    return COVEY_OK;
}

static void ranges_clear(struct ranges *ranges)
{
    covey_i_free(ranges->range);
    covey_i_free(ranges->region);
    *ranges = (struct ranges){0};
}

struct cutting {
    uint32_t *rows;
    const covey_cutter *cutter;
    const void *context;
    covey_run_poll *poll;  /* rows looked at */
    size_t n_ends;         /* of a region; 0: none are wanted */
    struct ranges pieces;  /* what the serial part left */
    struct ranges *result; /* [pieces.n] classes of each piece */
};

/* The regions of both sides of the worker's last cut, from that of the whole. */
static void cut_region(uint32_t *left, uint32_t *right, const struct cutting *cutting, const void *worker,
                       const uint32_t *whole)
{
    const size_t n_axes = cutting->n_ends / 4;
    covey_cut_place place;

    if (n_axes == 0)
        return;
    place = cutting->cutter->place(worker);
    memcpy(left, whole, cutting->n_ends * sizeof *left);
    memcpy(right, whole, cutting->n_ends * sizeof *right);
    left[n_axes + place.axis] = place.left_high;
    right[place.axis] = place.right_low;
    left[3 * n_axes + place.axis] = right[2 * n_axes + place.axis] = place.edge;
}

static covey_status cut_set(uint32_t *n_left, const struct cutting *cutting, void *worker, struct range set,
                            const uint32_t *region, covey_error *err)
{
    const size_t d = cutting->n_ends / 4;
    const covey_cut_region own = {region, region + d, region + 2 * d, region + 3 * d};

    COVEY_TRY(covey_i_run_poll_add(cutting->poll, set.n, err));
    return cutting->cutter->cut(n_left, worker, cutting->rows + set.start, set.n, d > 0 ? &own : NULL, err);
}

/* One worker with its arena. */
static covey_status new_worker(void **worker, covey_arena *arena, const struct cutting *cutting, covey_error *err)
{
    if (!(*worker = covey_arena_alloc_zero(arena, 1, cutting->cutter->worker_size)))
        return covey_i_no_memory(err);
    return cutting->cutter->start(*worker, cutting->context, arena, err);
}

/* Depth-first with a stack of its own: a chain of one-row cuts may be as deep as the table is long. */
static covey_status cut_piece(struct ranges *classes, const struct cutting *cutting, void *worker, struct range piece,
                              const uint32_t *region, covey_error *err)
{
    const size_t n_ends = cutting->n_ends;
    struct ranges stack = {.n_ends = n_ends};
    uint32_t *own = covey_i_array(3 * n_ends, sizeof *own); /* region of the set and of its two sides */
    covey_status status;

    if (!own)
        return covey_i_no_memory(err);
    classes->n_ends = n_ends;
    if ((status = add_range(&stack, piece, region, err)) != COVEY_OK)
        goto done;
    while (stack.n > 0) {
        struct range top = stack.range[--stack.n];
        uint32_t n_left = 0;

        if (n_ends > 0)
            memcpy(own, stack.region + stack.n * n_ends, n_ends * sizeof *own);
        if ((status = cut_set(&n_left, cutting, worker, top, own, err)) != COVEY_OK)
            goto done;
        if (n_left == 0) {
            status = add_range(classes, (struct range){top.start, top.n, true}, own, err);
        } else {
            cut_region(own + n_ends, own + 2 * n_ends, cutting, worker, own);
            if ((status = add_range(&stack, (struct range){top.start + n_left, top.n - n_left, false}, own + 2 * n_ends,
                                    err)) == COVEY_OK)
                status = add_range(&stack, (struct range){top.start, n_left, false}, own + n_ends, err);
        }
        if (status != COVEY_OK)
            goto done;
    }
done:
    ranges_clear(&stack);
    covey_i_free(own);
    return status;
}

static covey_status cut_task(void *context, size_t task, covey_error *err)
{
    struct cutting *cutting = context;
    const uint32_t *region = cutting->n_ends > 0 ? cutting->pieces.region + task * cutting->n_ends : NULL;
    struct range piece = cutting->pieces.range[task];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    void *worker;

    cutting->result[task].n_ends = cutting->n_ends;
    if (piece.final)
        return add_range(&cutting->result[task], piece, region, err);
    if ((status = new_worker(&worker, &arena, cutting, err)) == COVEY_OK)
        status = cut_piece(&cutting->result[task], cutting, worker, piece, region, err);
    covey_arena_free(&arena);
    return status;
}

/* Cuts the largest piece first until there are SERIAL_PIECES of them or all are small. */
static covey_status cut_serially(struct cutting *cutting, uint32_t n, const uint32_t *region, covey_error *err)
{
    const size_t n_ends = cutting->n_ends;
    struct ranges *pieces = &cutting->pieces;
    uint32_t *right = covey_i_array(n_ends, sizeof *right), *whole = covey_i_array(n_ends, sizeof *whole);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    void *worker;

    if (!right || !whole) {
        status = covey_i_no_memory(err);
        goto done;
    }
    pieces->n_ends = n_ends;
    if ((status = add_range(pieces, (struct range){0, n, false}, region, err)) != COVEY_OK ||
        (status = new_worker(&worker, &arena, cutting, err)) != COVEY_OK)
        goto done;
    while (pieces->n < SERIAL_PIECES) {
        size_t largest = SIZE_MAX;
        uint32_t n_left = 0;
        struct range piece;

        for (size_t i = 0; i < pieces->n; i++)
            if (!pieces->range[i].final && pieces->range[i].n > SMALL_PIECE &&
                (largest == SIZE_MAX || pieces->range[i].n > pieces->range[largest].n))
                largest = i;
        if (largest == SIZE_MAX)
            break;
        piece = pieces->range[largest];
        if ((status = cut_set(&n_left, cutting, worker, piece, n_ends > 0 ? pieces->region + largest * n_ends : region,
                              err)) != COVEY_OK)
            goto done;
        if (n_left == 0) {
            pieces->range[largest].final = true;
            continue;
        }
        pieces->range[largest].n = n_left;
        if (n_ends > 0) {
            memcpy(whole, pieces->region + largest * n_ends, n_ends * sizeof *whole);
            cut_region(pieces->region + largest * n_ends, right, cutting, worker, whole);
        }
        if ((status = add_range(pieces, (struct range){piece.start + n_left, piece.n - n_left, false}, right, err)) !=
            COVEY_OK)
            goto done;
    }
done:
    covey_i_free(right);
    covey_i_free(whole);
    covey_arena_free(&arena);
    return status;
}

/* The whole of all axes. */
static covey_status whole_region(uint32_t **out, const covey_problem *problem, covey_error *err)
{
    const size_t d = problem->n_axes;
    uint32_t *region = covey_i_array(4 * d, sizeof *region);

    if (!region)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        region[a] = region[2 * d + a] = 0;
        region[d + a] = problem->axis[a].n_values - 1;
        region[3 * d + a] = UINT32_MAX;
    }
    *out = region;
    return COVEY_OK;
}

/* Class by class what the pieces know of their regions. */
static covey_status gather_regions(covey_regions *out, const struct cutting *cutting, covey_error *err)
{
    const size_t d = cutting->n_ends / 4;
    size_t n = 0;

    for (size_t p = 0; p < cutting->pieces.n; p++)
        n += cutting->result[p].n;
    *out = (covey_regions){covey_i_array(n * d, sizeof *out->low), covey_i_array(n * d, sizeof *out->high), NULL};
    if (!out->low || !out->high)
        return covey_i_no_memory(err);
    n = 0;
    for (size_t p = 0; p < cutting->pieces.n; p++)
        for (size_t c = 0; c < cutting->result[p].n; c++, n++) {
            const uint32_t *region = cutting->result[p].region + c * cutting->n_ends;

            memcpy(out->low + n * d, region, d * sizeof *region);
            memcpy(out->high + n * d, region + d, d * sizeof *region);
        }
    return COVEY_OK;
}

/* Class by class the items of each. */
static covey_status gather_classes(covey_cut_classes *out, const struct cutting *cutting, covey_error *err)
{
    size_t n = 0;

    for (size_t p = 0; p < cutting->pieces.n; p++)
        n += cutting->result[p].n;
    if (!(out->items = covey_i_array(n, sizeof *out->items)))
        return covey_i_no_memory(err);
    out->n = (uint32_t)n;
    n = 0;
    for (size_t p = 0; p < cutting->pieces.n; p++)
        for (size_t c = 0; c < cutting->result[p].n; c++) {
            const struct range class = cutting->result[p].range[c];

            out->items[n++] = (covey_span){class.start, class.n};
        }
    return cutting->n_ends > 0 ? gather_regions(&out->regions, cutting, err) : COVEY_OK;
}

covey_status covey_i_cut_all(covey_cut_classes *classes, bool with_regions, const covey_problem *problem,
                             uint32_t *items, uint32_t n, const covey_cutter *cutter, const void *context,
                             const covey_run *run, covey_error *err)
{
    covey_run_poll poll;
    struct cutting cutting = {.rows = items,
                              .cutter = cutter,
                              .context = context,
                              .poll = &poll,
                              .n_ends = with_regions ? 4 * problem->n_axes : 0};
    uint32_t *region = NULL;
    covey_status status;

    *classes = (covey_cut_classes){0};
    if (n == 0)
        return COVEY_OK;
    covey_i_run_poll_begin(&poll, run, "cut", 0);
    if ((status = whole_region(&region, problem, err)) != COVEY_OK ||
        (status = cut_serially(&cutting, n, region, err)) != COVEY_OK)
        goto done;
    if (!(cutting.result = covey_i_array_zero(cutting.pieces.n, sizeof *cutting.result))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_parallel(covey_run_threads(run), cutting.pieces.n, cut_task, &cutting, err)) == COVEY_OK)
        status = gather_classes(classes, &cutting, err);
done:
    for (size_t p = 0; cutting.result && p < cutting.pieces.n; p++)
        ranges_clear(&cutting.result[p]);
    covey_i_free(cutting.result);
    ranges_clear(&cutting.pieces);
    covey_i_free(region);
    if (status != COVEY_OK)
        covey_i_cut_classes_clear(classes);
    return status;
}

void covey_i_cut_classes_clear(covey_cut_classes *classes)
{
    covey_i_free(classes->items);
    covey_i_free(classes->regions.low);
    covey_i_free(classes->regions.high);
    *classes = (covey_cut_classes){0};
}
