/* The engine of top-down cutting.  The first cuts are made one after another, until parts are small or enough are open
 * for all threads; these are pieces, which threads take one by one, the largest first. */
#include "method/rows/bisect.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

covey_status covey_i_parts_add(covey_parts *parts, covey_span part, const uint32_t *notes, covey_error *err)
{
    if (parts->n == parts->capacity) {
        const size_t capacity = parts->capacity ? parts->capacity * 2 : 64;
        covey_span *more = covey_i_realloc(parts->part, capacity, sizeof *more);
        uint32_t *more_notes;

        if (!more)
            return covey_i_no_memory(err);
        parts->part = more;
        if (parts->n_notes > 0) {
            if (!(more_notes = covey_i_realloc(parts->notes, capacity, parts->n_notes * sizeof *more_notes)))
                return covey_i_no_memory(err);
            parts->notes = more_notes;
        }
        parts->capacity = capacity;
    }
    if (parts->n_notes > 0)
        memcpy(parts->notes + parts->n * parts->n_notes, notes, parts->n_notes * sizeof *notes);
    parts->part[parts->n++] = part;
    return COVEY_OK;
}

void covey_i_parts_clear(covey_parts *parts)
{
    covey_i_free(parts->part);
    covey_i_free(parts->notes);
    *parts = (covey_parts){0};
}

struct cutting {
    const covey_bisector *rule;
    const void *context;
    int n_threads;
    covey_parts pieces;
    bool *is_done; /* [pieces.capacity] of a piece: it is not to be cut; before there are threads: not yet */
    size_t n_is_done;
    size_t *by_size; /* [pieces.n] the largest first, so that no thread is left alone with one for long */
    _Atomic size_t next_piece;
    struct thread {
        void *worker;
        covey_arena arena;
        uint32_t *notes; /* [3][n_notes] of a part and its halves */
    } * thread;          /* [n_threads] */
    size_t n_started;
    covey_bisection *out;
};

static uint32_t *notes_of(const covey_parts *parts, size_t i)
{
    return parts->n_notes > 0 ? parts->notes + i * parts->n_notes : NULL;
}

static void set_part(covey_parts *parts, size_t i, covey_span part, const uint32_t *notes)
{
    parts->part[i] = part;
    if (parts->n_notes > 0)
        memcpy(parts->notes + i * parts->n_notes, notes, parts->n_notes * sizeof *notes);
}

/* Result i, which there may not be yet. */
static covey_status result_at(void **out, covey_bisection *bisection, size_t i, size_t size, covey_error *err)
{
    if (i >= bisection->n) {
        char *more = covey_i_realloc(bisection->result, i + 1, size);

        if (!more)
            return covey_i_no_memory(err);
        memset(more + bisection->n * size, 0, (i + 1 - bisection->n) * size);
        bisection->result = more;
        bisection->n = i + 1;
    }
    *out = (char *)bisection->result + i * size;
    return COVEY_OK;
}

static covey_status close_part(struct cutting *c, struct thread *thread, size_t result, covey_span part,
                               const uint32_t *notes, covey_error *err)
{
    void *at = NULL;

    COVEY_TRY(result_at(&at, c->out, result, c->rule->result_size, err));
    return c->rule->close(at, thread->worker, part, notes, err);
}

static covey_status add_piece(struct cutting *c, covey_span part, const uint32_t *notes, covey_error *err)
{
    COVEY_TRY(covey_i_parts_add(&c->pieces, part, notes, err));
    if (c->n_is_done < c->pieces.capacity) {
        bool *more = covey_i_realloc(c->is_done, c->pieces.capacity, sizeof *more);

        if (!more)
            return covey_i_no_memory(err);
        c->is_done = more;
        c->n_is_done = c->pieces.capacity;
    }
    c->is_done[c->pieces.n - 1] = false;
    return COVEY_OK;
}

/* --- before there are pieces --- */

/* Cuts the largest part until there are enough of them or all are small. */
static covey_status cut_by_size(struct cutting *c, covey_error *err)
{
    const covey_bisector *rule = c->rule;
    struct thread *thread = &c->thread[0];
    uint32_t *half_notes = thread->notes + rule->n_notes;
    covey_parts *pieces = &c->pieces;

    while (pieces->n < rule->most_open) {
        size_t largest = SIZE_MAX;
        covey_bisected bisected;
        covey_span half[2];

        for (size_t i = 0; i < pieces->n; i++)
            if (!c->is_done[i] && pieces->part[i].n > rule->small &&
                (largest == SIZE_MAX || pieces->part[i].n > pieces->part[largest].n))
                largest = i;
        if (largest == SIZE_MAX)
            break;
        COVEY_TRY(rule->cut(&bisected, half, half_notes, thread->worker, c->n_threads, pieces->part[largest],
                            notes_of(pieces, largest), err));
        if (bisected == COVEY_BISECTED_CUT) {
            set_part(pieces, largest, half[0], half_notes);
            COVEY_TRY(add_piece(c, half[1], half_notes + rule->n_notes, err));
            continue;
        }
        c->is_done[largest] = true;
        if (bisected == COVEY_BISECTED_CLOSED) {
            COVEY_TRY(close_part(c, thread, 1 + largest, pieces->part[largest], notes_of(pieces, largest), err));
            pieces->part[largest].n = 0;
        }
    }
    for (size_t i = 0; i < pieces->n; i++)
        c->is_done[i] = pieces->part[i].n == 0;
    return COVEY_OK;
}

/* --- one after another --- */

/* Cuts a part until no part is open, or enough are, which become pieces.  With a list of its own: a chain of one-row
 * cuts may be as deep as the table is long. */
static covey_status cut_part(struct cutting *c, struct thread *thread, size_t result, covey_span whole,
                             const uint32_t *whole_notes, size_t most_open, covey_error *err)
{
    const covey_bisector *rule = c->rule;
    uint32_t *notes = thread->notes, *half_notes = notes + rule->n_notes;
    covey_parts open = {.n_notes = rule->n_notes};
    size_t n_seen = 0; /* by breadth: at the beginning of open */
    covey_status status = covey_i_parts_add(&open, whole, whole_notes, err);

    while (status == COVEY_OK && open.n > n_seen && open.n - n_seen < most_open) {
        const size_t next = rule->by_breadth ? n_seen++ : --open.n;
        const covey_span part = open.part[next];
        covey_bisected bisected;
        covey_span half[2];

        if (rule->n_notes > 0)
            memcpy(notes, notes_of(&open, next), rule->n_notes * sizeof *notes);
        status = rule->cut(&bisected, half, half_notes, thread->worker, 1, part, notes, err);
        if (status == COVEY_OK && bisected != COVEY_BISECTED_CUT)
            status = close_part(c, thread, result, part, notes, err);
        for (size_t i = 0; i < 2 && status == COVEY_OK && bisected == COVEY_BISECTED_CUT; i++) {
            const size_t h = rule->by_breadth ? i : 1 - i;

            status = covey_i_parts_add(&open, half[h], half_notes + h * rule->n_notes, err);
        }
    }
    for (size_t i = n_seen; i < open.n && status == COVEY_OK; i++)
        status = add_piece(c, open.part[i], notes_of(&open, i), err);
    covey_i_parts_clear(&open);
    return status;
}

static covey_status start_worker(struct cutting *c, covey_error *err)
{
    struct thread *thread = &c->thread[c->n_started];

    if (!(thread->worker = covey_arena_alloc_zero(&thread->arena, 1, c->rule->worker_size)) ||
        !(thread->notes = covey_arena_array(&thread->arena, uint32_t, 3 * c->rule->n_notes)))
        return covey_i_no_memory(err);
    c->n_started++; /* one that fails counts: it may have memory to give back */
    return c->rule->start(thread->worker, c->context, &thread->arena, err);
}

static covey_status cut_pieces(void *context, size_t number, covey_error *err)
{
    struct cutting *c = context;
    struct thread *thread = &c->thread[number];
    size_t next;

    while ((next = atomic_fetch_add(&c->next_piece, 1)) < c->pieces.n) {
        const size_t i = c->by_size[next];
        covey_span piece = c->pieces.part[i];

        if (c->is_done[i])
            continue;
        if (c->rule->take)
            COVEY_TRY(c->rule->take(&piece, notes_of(&c->pieces, i), thread->worker, err));
        COVEY_TRY(cut_part(c, thread, 1 + i, piece, notes_of(&c->pieces, i), SIZE_MAX, err));
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

static covey_status share_pieces(struct cutting *c, covey_error *err)
{
    const size_t n_workers = c->pieces.n < (size_t)c->n_threads ? c->pieces.n : (size_t)c->n_threads;
    void *last = NULL;

    if (c->pieces.n == 0)
        return COVEY_OK;
    if (!(c->by_size = covey_i_array(c->pieces.n, sizeof *c->by_size)))
        return covey_i_no_memory(err);
    COVEY_TRY(result_at(&last, c->out, c->pieces.n, c->rule->result_size, err));
    sort_by_size(c);
    while (c->n_started < n_workers)
        COVEY_TRY(start_worker(c, err));
    return covey_i_parallel(c->n_threads, n_workers, cut_pieces, c, err);
}

covey_status covey_i_bisect(covey_bisection *out, const covey_bisector *rule, const void *context, covey_span whole,
                            const uint32_t *notes, const covey_run *run, covey_error *err)
{
    struct cutting c = {.rule = rule,
                        .context = context,
                        .n_threads = covey_run_threads(run),
                        .pieces = {.n_notes = rule->n_notes},
                        .out = out};
    covey_status status;

    if (whole.n == 0)
        return COVEY_OK;
    if (!(c.thread = covey_i_array_zero((size_t)c.n_threads, sizeof *c.thread)))
        return covey_i_no_memory(err);
    if ((status = start_worker(&c, err)) == COVEY_OK) {
        if (rule->by_breadth)
            status = cut_part(&c, &c.thread[0], 0, whole, notes, rule->most_open, err);
        else if ((status = add_piece(&c, whole, notes, err)) == COVEY_OK)
            status = cut_by_size(&c, err);
    }
    if (status == COVEY_OK)
        status = share_pieces(&c, err);
    for (size_t i = 0; i < c.n_started && rule->stop; i++)
        rule->stop(c.thread[i].worker);
    for (int i = 0; i < c.n_threads; i++)
        covey_arena_free(&c.thread[i].arena);
    covey_i_free(c.thread);
    covey_i_free(c.by_size);
    covey_i_free(c.is_done);
    covey_i_parts_clear(&c.pieces);
    return status;
}
