/* The threads of elastic cuts: as long as there are large parts, all threads cut one part together; what is left, the
 * pieces, is handed to them one by one.  A part's classes depend on its rows alone, so the number of threads does not
 * show. */
#include "method/elastic/elastic.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"

enum { LARGE_PART = 1 << 15, PARTS_PER_THREAD = 8 };

/* Parts, growing, with their ranges, and behind them their regions if those are published (the same numbers again). */
struct parts {
    size_t n, capacity, n_ranges; /* n_ranges: numbers per part, 0: none are kept */
    covey_elastic_part *part;
    uint32_t *ranges; /* [capacity][n_ranges] */
};

static covey_status add_part(struct parts *parts, covey_elastic_part part, const uint32_t *ranges, covey_error *err)
{
    if (parts->n == parts->capacity) {
        const size_t capacity = parts->capacity ? parts->capacity * 2 : 64;
        covey_elastic_part *more = covey_i_realloc(parts->part, capacity, sizeof *more);
        uint32_t *more_ranges;

        if (!more)
            return covey_i_no_memory(err);
        parts->part = more;
        if (parts->n_ranges > 0) {
            if (!(more_ranges = covey_i_realloc(parts->ranges, capacity, parts->n_ranges * sizeof *more_ranges)))
                return covey_i_no_memory(err);
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

/* The classes of a piece.  Where records are rows they stay where they are; runs are listed, since others take their
 * place. */
struct classes {
    struct parts parts; /* start: of a class's records, or of its spans */
    covey_span *span;
    uint32_t *content; /* of each span */
    size_t n_spans, capacity;
};

static covey_status add_spans(struct classes *classes, const covey_elastic_worker *worker,
                              const covey_elastic_part *part, covey_error *err)
{
    const covey_records *records = worker->records;
    const uint32_t *first = covey_i_records_rows(records, part->side) + part->start;
    covey_span *span;

    if (part->n > classes->capacity - classes->n_spans) {
        const size_t capacity = (classes->n_spans + part->n) * 2;
        covey_span *more = covey_i_realloc(classes->span, capacity, sizeof *more);
        uint32_t *contents;

        if (!more)
            return covey_i_no_memory(err);
        classes->span = more;
        if (!(contents = covey_i_realloc(classes->content, capacity, sizeof *contents)))
            return covey_i_no_memory(err);
        classes->content = contents;
        classes->capacity = capacity;
    }
    span = classes->span + classes->n_spans;
    for (uint32_t at = 0, n; at < part->n; at += n) {
        uint32_t size[COVEY_RECORD_BLOCK];

        n = part->n - at < COVEY_RECORD_BLOCK ? part->n - at : COVEY_RECORD_BLOCK;
        covey_i_records_sizes(size, records, part->side, part->start + at, n);
        for (uint32_t i = 0; i < n; i++)
            span[at + i] = (covey_span){first[at + i], size[i]};
    }
    covey_i_records_unpack(classes->content + classes->n_spans, &records->column[worker->elastic->problem->n_axes],
                           part->side, part->start, part->n);
    classes->n_spans += part->n;
    return COVEY_OK;
}

static void classes_clear(struct classes *classes)
{
    parts_clear(&classes->parts);
    covey_i_free(classes->span);
    covey_i_free(classes->content);
}

struct cutting {
    const covey_elastic *elastic;
    struct parts pieces;          /* what all threads together left */
    struct classes *classes;      /* [pieces.n] of each piece */
    covey_elastic_worker *worker; /* [n_workers] */
    size_t n_workers;
    size_t *by_size; /* [pieces.n] the largest first, so that no thread is left alone with one for long */
    _Atomic size_t next_piece;
    const covey_run *run;
    covey_run_poll poll; /* rows of finished classes */
    covey_elastic_classes *out;
    uint32_t *first_class; /* [pieces.n] number of the piece's first class */
    uint32_t *first_span;  /* [pieces.n] the same of spans */
};

/* Finds the cut of a part; numbers of both children: ranges, then regions if they are kept. */
static covey_status find_cut(bool *is_cut, uint32_t n_records[2], uint32_t *child, size_t n_ranges,
                             covey_elastic_worker *worker, const covey_elastic_part *part, const uint32_t *own,
                             covey_error *err)
{
    const size_t d = worker->elastic->problem->n_axes;
    uint32_t *left, *right;

    COVEY_TRY(covey_i_elastic_find_cut(is_cut, n_records, child, worker, part, own, err));
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

/* Cuts the last part of the records that are in use: the right child takes its place, the left one, which is next, the
 * place behind it.  So there is always room for the few runs more that cuts make. */
static covey_status cut_last(covey_elastic_part children[2], const uint32_t n_records[2], covey_elastic_worker *worker,
                             const covey_elastic_part *part, covey_error *err)
{
    const uint32_t start[2] = {part->start + n_records[1], part->start}, end = start[0] + n_records[0];

    if (worker->records == &worker->own && end > worker->own.room)
        COVEY_TRY(covey_i_records_reserve(&worker->own, worker->records, end + end / 4, err));
    return covey_i_elastic_make_cut(children, worker, part, start, err);
}

/* Runs are cut in the worker's own memory, where their number can grow. */
static covey_status take_piece(covey_elastic_part *piece, covey_elastic_worker *worker, covey_error *err)
{
    const covey_records *all = &worker->elastic->records;

    if (!all->are_runs)
        return COVEY_OK;
    COVEY_TRY(covey_i_records_reserve(&worker->own, all, piece->n + piece->n / 4, err));
    covey_i_records_copy(&worker->own, all, piece->side, piece->start, piece->n);
    worker->records = &worker->own;
    piece->start = 0;
    piece->side = 0;
    return COVEY_OK;
}

static covey_status add_class(struct classes *classes, const covey_elastic_worker *worker, covey_elastic_part part,
                              const uint32_t *ranges, covey_error *err)
{
    const size_t first_span = classes->n_spans;

    if (worker->records->are_runs) {
        COVEY_TRY(add_spans(classes, worker, &part, err));
        part.start = (uint32_t)first_span;
    }
    return add_part(&classes->parts, part, ranges, err);
}

/* Cuts a piece to classes, left to right.  With a stack of its own: a chain of one-row cuts may be as deep as the table
 * is long. */
static covey_status cut_piece(struct cutting *c, struct classes *classes, covey_elastic_worker *worker,
                              covey_elastic_part piece, const uint32_t *ranges, covey_error *err)
{
    const size_t n_ranges = c->pieces.n_ranges;
    struct parts stack = {.n_ranges = n_ranges};
    uint32_t *own = covey_i_array(3 * n_ranges, sizeof *own), *child; /* ranges of the part and of its two children */
    covey_status status;

    if (!own)
        return covey_i_no_memory(err);
    child = own + n_ranges;
    classes->parts.n_ranges = c->elastic->stays_natural || c->elastic->records.are_runs ? n_ranges : 0;
    if ((status = take_piece(&piece, worker, err)) != COVEY_OK ||
        (status = add_part(&stack, piece, ranges, err)) != COVEY_OK)
        goto done;
    while (stack.n > 0) {
        const covey_elastic_part part = stack.part[--stack.n];
        covey_elastic_part children[2];
        uint32_t n_records[2];
        bool is_cut;

        memcpy(own, stack.ranges + stack.n * n_ranges, n_ranges * sizeof *own);
        if ((status = find_cut(&is_cut, n_records, child, n_ranges, worker, &part, own, err)) != COVEY_OK)
            goto done;
        if (!is_cut && (status = covey_i_run_poll_add(&c->poll, part.size, err)) == COVEY_OK)
            status = add_class(classes, worker, part, own, err);
        else if (is_cut && (status = cut_last(children, n_records, worker, &part, err)) == COVEY_OK &&
                 (status = add_part(&stack, children[1], child + n_ranges, err)) == COVEY_OK)
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
    size_t next;

    while ((next = atomic_fetch_add(&c->next_piece, 1)) < c->pieces.n) {
        const size_t piece = c->by_size[next];

        COVEY_TRY(cut_piece(c, &c->classes[piece], &c->worker[thread], c->pieces.part[piece],
                            c->pieces.ranges + piece * c->pieces.n_ranges, err));
    }
    return COVEY_OK;
}

/* Pieces are few: an insertion sort. */
static void sort_by_size(struct cutting *c)
{
    for (size_t i = 0; i < c->pieces.n; i++) {
        size_t at = i;

        for (; at > 0 && c->pieces.part[c->by_size[at - 1]].n < c->pieces.part[i].n; at--)
            c->by_size[at] = c->by_size[at - 1];
        c->by_size[at] = i;
    }
}

/* Puts the second child behind the first, which takes the parent's place: pieces stay in the order of their rows. */
static covey_status replace_piece(struct parts *pieces, size_t i, const covey_elastic_part children[2],
                                  const uint32_t *child_ranges, covey_error *err)
{
    const size_t n = pieces->n_ranges;

    COVEY_TRY(add_part(pieces, children[1], child_ranges + n, err));
    pieces->part[i] = children[0];
    memcpy(pieces->ranges + i * n, child_ranges, n * sizeof *child_ranges);
    memmove(pieces->part + i + 2, pieces->part + i + 1, (pieces->n - i - 2) * sizeof *pieces->part);
    memmove(pieces->ranges + (i + 2) * n, pieces->ranges + (i + 1) * n,
            (pieces->n - i - 2) * n * sizeof *pieces->ranges);
    pieces->part[i + 1] = children[1];
    memcpy(pieces->ranges + (i + 1) * n, child_ranges + n, n * sizeof *child_ranges);
    return COVEY_OK;
}

/* Cuts a part among others.  The children share its room; where it has none for runs that are divided, the piece stays
 * as it is for now. */
static covey_status cut_within(bool *is_cut, covey_elastic_part children[2], const uint32_t n_records[2],
                               covey_elastic_worker *worker, const covey_elastic_part *part, covey_error *err)
{
    const uint64_t needed = (uint64_t)n_records[0] + n_records[1];
    uint32_t room, start[2];

    *is_cut = needed <= part->room;
    if (!*is_cut)
        return COVEY_OK;
    room = n_records[0] + (uint32_t)((part->room - needed) * n_records[0] / needed);
    start[0] = part->start;
    start[1] = part->start + room;
    COVEY_TRY(covey_i_elastic_make_cut(children, worker, part, start, err));
    children[0].room = room;
    children[1].room = part->room - room;
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
        return covey_i_no_memory(err);
    c->worker[0].n_threads = n_threads;
    for (size_t i = 0; i < c->pieces.n && status == COVEY_OK;) {
        const covey_elastic_part part = c->pieces.part[i];
        covey_elastic_part children[2];
        uint32_t n_records[2];
        bool is_cut = false;

        if (part.n > large && (status = covey_i_run_poll_add(&c->poll, 0, err)) == COVEY_OK)
            status = find_cut(&is_cut, n_records, child_ranges, c->pieces.n_ranges, &c->worker[0], &part,
                              c->pieces.ranges + i * c->pieces.n_ranges, err);
        if (is_cut && status == COVEY_OK)
            status = cut_within(&is_cut, children, n_records, &c->worker[0], &part, err);
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
static covey_status number_rows(void *context, size_t piece, covey_error *err)
{
    const struct cutting *c = context;
    const struct classes *classes = &c->classes[piece];

    for (size_t i = 0; i < classes->parts.n; i++) {
        const covey_elastic_part part = classes->parts.part[i];
        const uint32_t *rows = covey_i_records_rows(&c->elastic->records, part.side) + part.start;

        for (uint32_t r = 0; r < part.n; r++)
            c->out->class_of_row[rows[r]] = c->first_class[piece] + (uint32_t)i;
    }
    return COVEY_OK;
}

/* Copies a piece's spans and classes to where all are. */
static covey_status join_spans(void *context, size_t piece, covey_error *err)
{
    const struct cutting *c = context;
    const struct classes *classes = &c->classes[piece];

    memcpy(c->out->span + c->first_span[piece], classes->span, classes->n_spans * sizeof *classes->span);
    memcpy(c->out->content + c->first_span[piece], classes->content, classes->n_spans * sizeof *classes->content);
    for (size_t i = 0; i < classes->parts.n; i++)
        c->out->class[c->first_class[piece] + i] =
            (covey_span){c->first_span[piece] + classes->parts.part[i].start, classes->parts.part[i].n};
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

/* The ranges or regions of all classes, in the order of their numbers. */
static covey_status gather_ranges(const struct cutting *c, covey_error *err)
{
    const size_t d = c->elastic->problem->n_axes, n = c->out->n, first = c->elastic->stays_natural ? 2 * d : 0;
    covey_regions *out = &c->out->ranges;
    size_t at = 0;

    *out = (covey_regions){covey_i_array(n * d, sizeof *out->low), covey_i_array(n * d, sizeof *out->high), NULL};
    if (!out->low || !out->high)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < c->pieces.n; p++)
        for (size_t i = 0; i < c->classes[p].parts.n; i++, at += d) {
            const uint32_t *range = c->classes[p].parts.ranges + i * c->classes[p].parts.n_ranges + first;

            memcpy(out->low + at, range, d * sizeof *range);
            memcpy(out->high + at, range + d, d * sizeof *range);
        }
    return COVEY_OK;
}

/* All pieces' classes together. */
static covey_status join_pieces(struct cutting *c, covey_error *err)
{
    const uint32_t n_rows = c->elastic->problem->n_rows;
    covey_elastic_classes *out = c->out;
    uint32_t n_spans = 0;

    for (size_t p = 0; p < c->pieces.n; p++) {
        c->first_class[p] = out->n;
        c->first_span[p] = n_spans;
        out->n += (uint32_t)c->classes[p].parts.n;
        n_spans += (uint32_t)c->classes[p].n_spans;
    }
    if (c->elastic->records.are_runs) {
        out->class = covey_i_array(out->n, sizeof *out->class);
        out->span = covey_i_array(n_spans, sizeof *out->span);
        out->content = covey_i_array(n_spans, sizeof *out->content);
        if (!out->class || !out->span || !out->content)
            return covey_i_no_memory(err);
        COVEY_TRY(covey_i_parallel(covey_run_threads(c->run), c->pieces.n, join_spans, c, err));
    } else {
        if (!(out->class_of_row = covey_i_array(n_rows, sizeof *out->class_of_row)))
            return covey_i_no_memory(err);
        memset(out->class_of_row, 0xff, n_rows * sizeof *out->class_of_row);
        COVEY_TRY(covey_i_parallel(covey_run_threads(c->run), c->pieces.n, number_rows, c, err));
    }
    return c->elastic->records.are_runs || c->elastic->stays_natural ? gather_ranges(c, err) : COVEY_OK;
}

covey_status covey_i_elastic_cut_all(covey_elastic_classes *classes, const covey_elastic *elastic,
                                     const uint32_t *ranges, const covey_run *run, covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    struct cutting c = {.elastic = elastic,
                        .pieces = {.n_ranges = (elastic->stays_natural ? 4 : 2) * elastic->problem->n_axes},
                        .run = run,
                        .out = classes};
    const covey_elastic_part all = {.n = elastic->records.n, .size = elastic->n_rows, .room = elastic->records.room};
    covey_status status;

    if (!(c.worker = covey_i_array_zero((size_t)n_threads, sizeof *c.worker)))
        return covey_i_no_memory(err);
    covey_i_run_poll_begin(&c.poll, run, "elastic", elastic->n_rows);
    if (all.n == 0) {
        status = join_pieces(&c, err);
        goto done;
    }
    if ((status = add_workers(&c, 1, err)) != COVEY_OK ||
        (status = add_part(&c.pieces, all, ranges, err)) != COVEY_OK ||
        (status = cut_together(&c, n_threads, err)) != COVEY_OK ||
        (status = add_workers(&c, c.pieces.n < (size_t)n_threads ? c.pieces.n : (size_t)n_threads, err)) != COVEY_OK)
        goto done;
    c.classes = covey_i_array_zero(c.pieces.n, sizeof *c.classes);
    c.first_class = covey_i_array_zero(c.pieces.n, sizeof *c.first_class);
    c.first_span = covey_i_array_zero(c.pieces.n, sizeof *c.first_span);
    c.by_size = covey_i_array(c.pieces.n, sizeof *c.by_size);
    if (!c.classes || !c.first_class || !c.first_span || !c.by_size) {
        status = covey_i_no_memory(err);
        goto done;
    }
    sort_by_size(&c);
    if ((status = covey_i_parallel(n_threads, c.n_workers, cut_pieces, &c, err)) == COVEY_OK)
        status = join_pieces(&c, err);
done:
    for (size_t p = 0; c.classes && p < c.pieces.n; p++)
        classes_clear(&c.classes[p]);
    covey_i_free(c.classes);
    covey_i_free(c.first_class);
    covey_i_free(c.first_span);
    covey_i_free(c.by_size);
    parts_clear(&c.pieces);
    for (size_t i = 0; i < c.n_workers; i++)
        covey_i_elastic_worker_clear(&c.worker[i]);
    covey_i_free(c.worker);
    return status;
}

void covey_i_elastic_classes_clear(covey_elastic_classes *classes)
{
    covey_i_free(classes->class_of_row);
    covey_i_free(classes->class);
    covey_i_free(classes->span);
    covey_i_free(classes->content);
    covey_i_free(classes->ranges.low);
    covey_i_free(classes->ranges.high);
    *classes = (covey_elastic_classes){0};
}
