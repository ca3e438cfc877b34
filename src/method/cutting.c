/* See cutting.h.  The first cuts are made one after another until there are enough pieces for all threads; then every piece is
 * a task of its own.  A piece's result depends on its rows alone, so the number of threads does not show. */
#include "method/cutting.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum { SERIAL_PIECES = 64, SMALL_PIECE = 4096 };

/* Ranges of rows, growing. */
struct ranges {
    size_t n, capacity;
    struct range { uint32_t start, n; bool final; } *range;
};

static covey_status add_range(struct ranges *ranges, uint32_t start, uint32_t n, bool final, covey_error *err)
{
    if (ranges->n == ranges->capacity) {
        size_t capacity = ranges->capacity ? ranges->capacity * 2 : 64;
        struct range *grown = covey_i_realloc(ranges->range, capacity, sizeof *grown);

        if (!grown)
            return covey_fail(err, COVEY_ENOMEM, "%zu classes", capacity);
        ranges->range = grown;
        ranges->capacity = capacity;
    }
    ranges->range[ranges->n++] = (struct range){start, n, final};
    return COVEY_OK;
}

struct cutting {
    uint32_t *rows;
    const covey_cutter *cutter;
    const void *context;
    struct ranges pieces;  /* what the serial part left */
    struct ranges *result; /* [pieces.n] classes of each piece */
};

/* One worker with its arena. */
static covey_status new_worker(void **worker, covey_arena *arena, const struct cutting *cutting, covey_error *err)
{
    if (!(*worker = covey_arena_alloc_zero(arena, 1, cutting->cutter->worker_size)))
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    return cutting->cutter->start(*worker, cutting->context, arena, err);
}

/* Depth-first with a stack of its own: a chain of one-row cuts may be as deep as the table is long. */
static covey_status cut_piece(struct ranges *classes, const struct cutting *cutting, void *worker, struct range piece, covey_error *err)
{
    covey_status status = COVEY_OK;
    struct ranges stack = {0, 0, NULL};

    if ((status = add_range(&stack, piece.start, piece.n, false, err)) != COVEY_OK)
        goto done;
    while (stack.n > 0) {
        struct range top = stack.range[--stack.n];
        uint32_t n_left = 0;

        if ((status = cutting->cutter->cut(&n_left, worker, cutting->rows + top.start, top.n, err)) != COVEY_OK)
            goto done;
        if (n_left == 0)
            status = add_range(classes, top.start, top.n, true, err);
        else if ((status = add_range(&stack, top.start + n_left, top.n - n_left, false, err)) == COVEY_OK)
            status = add_range(&stack, top.start, n_left, false, err);
        if (status != COVEY_OK)
            goto done;
    }
done:
    covey_i_free(stack.range);
    return status;
}

static covey_status cut_task(void *context, size_t task, covey_error *err)
{
    struct cutting *cutting = context;
    struct range piece = cutting->pieces.range[task];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    void *worker;

    if (piece.final)
        return add_range(&cutting->result[task], piece.start, piece.n, true, err);
    if ((status = new_worker(&worker, &arena, cutting, err)) == COVEY_OK)
        status = cut_piece(&cutting->result[task], cutting, worker, piece, err);
    covey_arena_free(&arena);
    return status;
}

/* Cuts the largest piece first until there are SERIAL_PIECES of them or all are small. */
static covey_status cut_serially(struct cutting *cutting, uint32_t n, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    void *worker;

    if ((status = add_range(&cutting->pieces, 0, n, false, err)) != COVEY_OK || (status = new_worker(&worker, &arena, cutting, err)) != COVEY_OK)
        goto done;
    while (cutting->pieces.n < SERIAL_PIECES) {
        size_t largest = SIZE_MAX;
        uint32_t n_left = 0;
        struct range piece;

        for (size_t i = 0; i < cutting->pieces.n; i++)
            if (!cutting->pieces.range[i].final && cutting->pieces.range[i].n > SMALL_PIECE &&
                (largest == SIZE_MAX || cutting->pieces.range[i].n > cutting->pieces.range[largest].n))
                largest = i;
        if (largest == SIZE_MAX)
            break;
        piece = cutting->pieces.range[largest];
        if ((status = cutting->cutter->cut(&n_left, worker, cutting->rows + piece.start, piece.n, err)) != COVEY_OK)
            goto done;
        if (n_left == 0) {
            cutting->pieces.range[largest].final = true;
            continue;
        }
        cutting->pieces.range[largest].n = n_left;
        if ((status = add_range(&cutting->pieces, piece.start + n_left, piece.n - n_left, false, err)) != COVEY_OK)
            goto done;
    }
done:
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_cut_all(uint32_t *class_of_row, uint32_t *n_classes, uint32_t *rows, uint32_t n, const covey_cutter *cutter,
                             const void *context, const covey_run *run, covey_error *err)
{
    struct cutting cutting = {rows, cutter, context, {0, 0, NULL}, NULL};
    covey_status status;

    if (n == 0)
        return COVEY_OK;
    if ((status = cut_serially(&cutting, n, err)) != COVEY_OK)
        goto done;
    if (!(cutting.result = covey_i_array_zero(cutting.pieces.n, sizeof *cutting.result))) {
        status = covey_fail(err, COVEY_ENOMEM, "%zu pieces", cutting.pieces.n);
        goto done;
    }
    if ((status = covey_i_parallel(covey_run_threads(run), cutting.pieces.n, cut_task, &cutting, err)) != COVEY_OK)
        goto done;
    for (size_t p = 0; p < cutting.pieces.n; p++)
        for (size_t c = 0; c < cutting.result[p].n; c++) {
            struct range class = cutting.result[p].range[c];

            for (uint32_t i = 0; i < class.n; i++)
                class_of_row[rows[class.start + i]] = *n_classes;
            (*n_classes)++;
        }
done:
    for (size_t p = 0; cutting.result && p < cutting.pieces.n; p++)
        covey_i_free(cutting.result[p].range);
    covey_i_free(cutting.result);
    covey_i_free(cutting.pieces.range);
    return status;
}
