/* What elastic's cuts are for the engine that bisects: as long as there are large parts, all threads cut one part
 * together; what is left, the pieces, is handed to them one by one. */
#include "method/elastic/elastic.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "method/rows/bisect.h"

enum { LARGE_PART = 1 << 15, PARTS_PER_THREAD = 8 };

/* What is noted beside a part; then come its ranges, and its region, if those are published: the same numbers again. */
enum { SIDE, SIZE, ROOM, RANGES };

/* The classes of a piece.  Where records are rows they stay where they are; runs are listed, since others take their
 * place. */
struct classes {
    covey_parts parts; /* start: of a class's records, or of its spans; notes: as of parts, or SIDE alone */
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
    covey_i_parts_clear(&classes->parts);
    covey_i_free(classes->span);
    covey_i_free(classes->content);
}

struct cutting {
    const covey_elastic *elastic;
    size_t n_ranges;      /* numbers */
    covey_run_poll *poll; /* rows of finished classes */
    const covey_run *run;
    covey_bisection bisection;
    struct classes *classes; /* [bisection.n] its results */
    covey_elastic_classes *out;
    uint32_t *first_class; /* [bisection.n] number of the piece's first class */
    uint32_t *first_span;  /* [bisection.n] the same of spans */
};

struct worker {
    const struct cutting *c;
    covey_elastic_worker own;
    bool is_alone; /* others cut other pieces */
};

static covey_elastic_part to_part(covey_span span, const uint32_t *notes)
{
    return (covey_elastic_part){span.start, span.n, (int)notes[SIDE], notes[SIZE], notes[ROOM]};
}

static covey_span from_part(uint32_t *notes, const covey_elastic_part *part)
{
    notes[SIDE] = (uint32_t)part->side;
    notes[SIZE] = part->size;
    notes[ROOM] = part->room;
    return (covey_span){part->start, part->n};
}

/* Finds the cut of a part; its halves' notes from RANGES on. */
static covey_status find_cut(bool *is_cut, uint32_t n_records[2], uint32_t *half_notes, const struct cutting *c,
                             covey_elastic_worker *worker, const covey_elastic_part *part, const uint32_t *own,
                             covey_error *err)
{
    const size_t d = c->elastic->problem->n_axes;
    uint32_t *left = half_notes + RANGES, *right = left + c->n_ranges + RANGES;

    COVEY_TRY(covey_i_elastic_find_cut(is_cut, n_records, left, worker, part, own, err));
    if (!*is_cut)
        return COVEY_OK;
    memmove(right, left + 2 * d, 2 * d * sizeof *right);
    if (c->n_ranges == 2 * d)
        return COVEY_OK;
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
static covey_status take(covey_span *piece, uint32_t *notes, void *worker, covey_error *err)
{
    struct worker *w = worker;
    covey_elastic_worker *own = &w->own;
    const covey_records *all = &own->elastic->records;

    w->is_alone = true;
    if (!all->are_runs)
        return COVEY_OK;
    COVEY_TRY(covey_i_records_reserve(&own->own, all, piece->n + piece->n / 4, err));
    covey_i_records_copy(&own->own, all, (int)notes[SIDE], piece->start, piece->n);
    own->records = &own->own;
    piece->start = 0;
    notes[SIDE] = 0;
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

static covey_status start(void *worker, const void *context, covey_arena *arena, covey_error *err)
{
    struct worker *w = worker;

    w->c = context;
    return covey_i_elastic_worker_new(&w->own, w->c->elastic, err);
}

static void stop(void *worker)
{
    covey_i_elastic_worker_clear(&((struct worker *)worker)->own);
}

static covey_status cut(covey_bisected *out, covey_span half[2], uint32_t *half_notes, void *worker, int n_threads,
                        covey_span span, const uint32_t *notes, covey_error *err)
{
    struct worker *w = worker;
    const struct cutting *c = w->c;
    const covey_elastic_part part = to_part(span, notes);
    covey_elastic_part children[2];
    uint32_t n_records[2];
    bool is_cut;

    if (!w->is_alone)
        COVEY_TRY(covey_i_run_poll_add(c->poll, 0, err));
    w->own.n_threads = n_threads;
    COVEY_TRY(find_cut(&is_cut, n_records, half_notes, c, &w->own, &part, notes + RANGES, err));
    if (is_cut && w->is_alone)
        COVEY_TRY(cut_last(children, n_records, &w->own, &part, err));
    else if (is_cut)
        COVEY_TRY(cut_within(&is_cut, children, n_records, &w->own, &part, err));
    *out = is_cut ? COVEY_BISECTED_CUT : w->is_alone ? COVEY_BISECTED_CLOSED : COVEY_BISECTED_LATER;
    for (size_t i = 0; i < 2 && is_cut; i++)
        half[i] = from_part(half_notes + i * (RANGES + c->n_ranges), &children[i]);
    return COVEY_OK;
}

static covey_status close(void *result, void *worker, covey_span span, const uint32_t *notes, covey_error *err)
{
    const struct worker *w = worker;
    const struct cutting *c = w->c;
    const covey_elastic_part part = to_part(span, notes);
    const bool with_ranges = c->elastic->stays_natural || c->elastic->records.are_runs;
    struct classes *classes = result;
    const size_t first_span = classes->n_spans;

    COVEY_TRY(covey_i_run_poll_add(c->poll, part.size, err));
    if (w->own.records->are_runs) {
        COVEY_TRY(add_spans(classes, &w->own, &part, err));
        span.start = (uint32_t)first_span;
    }
    classes->parts.n_notes = with_ranges ? RANGES + c->n_ranges : SIDE + 1;
    return covey_i_parts_add(&classes->parts, span, notes, err);
}

/* Writes the numbers of a piece's classes to their rows. */
static covey_status number_rows(void *context, size_t piece, covey_error *err)
{
    const struct cutting *c = context;
    const struct classes *classes = &c->classes[piece];

    for (size_t i = 0; i < classes->parts.n; i++) {
        const covey_span part = classes->parts.part[i];
        const int side = (int)classes->parts.notes[i * classes->parts.n_notes + SIDE];
        const uint32_t *rows = covey_i_records_rows(&c->elastic->records, side) + part.start;

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

    if (classes->n_spans > 0) { /* else it has no arrays */
        memcpy(c->out->span + c->first_span[piece], classes->span, classes->n_spans * sizeof *classes->span);
        memcpy(c->out->content + c->first_span[piece], classes->content, classes->n_spans * sizeof *classes->content);
    }
    for (size_t i = 0; i < classes->parts.n; i++)
        c->out->class[c->first_class[piece] + i] =
            (covey_span){c->first_span[piece] + classes->parts.part[i].start, classes->parts.part[i].n};
    return COVEY_OK;
}

/* The ranges or regions of all classes, in the order of their numbers. */
static covey_status gather_ranges(const struct cutting *c, covey_error *err)
{
    const size_t d = c->elastic->problem->n_axes, n = c->out->n, first = c->elastic->stays_natural ? 2 * d : 0;
    covey_regions *out = &c->out->ranges;
    size_t at = 0;

    *out =
        (covey_regions){.low = covey_i_array(n * d, sizeof *out->low), .high = covey_i_array(n * d, sizeof *out->high)};
    if (!out->low || !out->high)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < c->bisection.n; p++)
        for (size_t i = 0; i < c->classes[p].parts.n; i++, at += d) {
            const uint32_t *range = c->classes[p].parts.notes + i * c->classes[p].parts.n_notes + RANGES + first;

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

    for (size_t p = 0; p < c->bisection.n; p++) {
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
        COVEY_TRY(covey_i_parallel(covey_run_threads(c->run), c->bisection.n, join_spans, c, err));
    } else {
        if (!(out->class_of_row = covey_i_array(n_rows, sizeof *out->class_of_row)))
            return covey_i_no_memory(err);
        memset(out->class_of_row, 0xff, n_rows * sizeof *out->class_of_row);
        COVEY_TRY(covey_i_parallel(covey_run_threads(c->run), c->bisection.n, number_rows, c, err));
    }
    return c->elastic->records.are_runs || c->elastic->stays_natural ? gather_ranges(c, err) : COVEY_OK;
}

covey_status covey_i_elastic_cut_all(covey_elastic_classes *classes, const covey_elastic *elastic,
                                     const uint32_t *ranges, const covey_run *run, covey_error *err)
{
    const uint32_t fair_share = elastic->records.n / (uint32_t)(covey_run_threads(run) * PARTS_PER_THREAD);
    const covey_elastic_part all = {.n = elastic->records.n, .size = elastic->n_rows, .room = elastic->records.room};
    covey_run_poll poll;
    struct cutting c = {.elastic = elastic,
                        .n_ranges = (elastic->stays_natural ? 4 : 2) * elastic->problem->n_axes,
                        .poll = &poll,
                        .run = run,
                        .out = classes};
    const covey_bisector rule = {.worker_size = sizeof(struct worker),
                                 .result_size = sizeof *c.classes,
                                 .n_notes = RANGES + c.n_ranges,
                                 .small = fair_share > LARGE_PART ? fair_share : LARGE_PART,
                                 .most_open = SIZE_MAX,
                                 .start = start,
                                 .stop = stop,
                                 .take = take,
                                 .cut = cut,
                                 .close = close};
    uint32_t *notes = covey_i_array(rule.n_notes, sizeof *notes);
    covey_status status;

    if (!notes)
        return covey_i_no_memory(err);
    covey_i_run_poll_begin(&poll, run, "elastic", elastic->n_rows);
    memcpy(notes + RANGES, ranges, c.n_ranges * sizeof *notes);
    status = covey_i_bisect(&c.bisection, &rule, &c, from_part(notes, &all), notes, run, err);
    c.classes = c.bisection.result;
    if (status == COVEY_OK) {
        c.first_class = covey_i_array_zero(c.bisection.n, sizeof *c.first_class);
        c.first_span = covey_i_array_zero(c.bisection.n, sizeof *c.first_span);
        status = c.first_class && c.first_span ? join_pieces(&c, err) : covey_i_no_memory(err);
    }
    for (size_t p = 0; p < c.bisection.n; p++)
        classes_clear(&c.classes[p]);
    covey_i_free(c.bisection.result);
    covey_i_free(c.first_class);
    covey_i_free(c.first_span);
    covey_i_free(notes);
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
