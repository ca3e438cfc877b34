/* Making the cut that was chosen: first it is decided of all records where they go, which says how many go there, then
 * they are moved.  Large parts are cut in chunks by several threads, which do not change the result: what a chunk has
 * to know of those before it is how many rows of divided codes and how many records that go left they have. */
#include "method/elastic/elastic.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"

enum { SMALL_CHUNK = 1 << 14 };

/* Records of a chunk that go left; in the end those of the chunks before it. */
struct covey_elastic_count {
    uint32_t n_left, n_divided;
};

/* What was decided of all records of a part, in the worker's memory. */
struct deciding {
    const covey_elastic_pass *pass; /* one plan */
    size_t n_chunks;
    uint32_t *seen;                     /* [n_chunks][n_values] rows of a value's divided code that came before */
    struct covey_elastic_count *counts; /* [n_chunks + 1] */
    uint8_t *goes_left;                 /* [part->n] 255 or 0 */
    covey_record_divided *divided;      /* [n_chunks][n_values] a chunk's, at most one of each value */
    uint32_t start[2];                  /* where the left and the right side's records go */
};

static struct deciding decisions_of(covey_elastic_worker *w)
{
    return (struct deciding){&w->chosen,         w->n_chunks,      w->seen.bytes, w->counts.bytes,
                             w->goes_left.bytes, w->divided.bytes, {0, 0}};
}

static uint32_t chunk_start(const struct deciding *s, size_t chunk)
{
    return (uint32_t)((uint64_t)s->pass->part->n * chunk / s->n_chunks);
}

static uint32_t *seen_of(const struct deciding *s, size_t chunk)
{
    return s->seen + chunk * s->pass->worker->elastic->n_values;
}

static covey_record_divided *divided_of(const struct deciding *s, size_t chunk)
{
    return s->divided + chunk * s->pass->worker->elastic->n_values;
}

/* Counts the rows of divided codes in a chunk. */
static covey_status count_divided(void *context, size_t chunk, covey_error *err)
{
    const struct deciding *s = context;
    const covey_elastic_plan *plan = s->pass->plan;

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen_of(s, chunk)[plan->partial_value[p]] = 0;
    if (s->n_chunks > 1 && plan->n_partial > 0)
        covey_i_elastic_count_divided(seen_of(s, chunk), s->pass, plan, chunk_start(s, chunk),
                                      chunk_start(s, chunk + 1));
    return COVEY_OK;
}

/* From counts per chunk to counts in all chunks before. */
static void accumulate_divided(const struct deciding *s)
{
    for (uint32_t p = 0; p < s->pass->plan->n_partial; p++) {
        const uint32_t value = s->pass->plan->partial_value[p];
        uint32_t sum = 0;

        for (size_t chunk = 0; chunk < s->n_chunks; chunk++) {
            const uint32_t count = seen_of(s, chunk)[value];

            seen_of(s, chunk)[value] = sum;
            sum += count;
        }
    }
}

static void accumulate_counts(const struct deciding *s)
{
    struct covey_elastic_count sum = {0, 0};

    for (size_t chunk = 0; chunk <= s->n_chunks; chunk++) {
        const struct covey_elastic_count count = s->counts[chunk];

        s->counts[chunk] = sum;
        sum.n_left += count.n_left;
        sum.n_divided += count.n_divided;
    }
}

static covey_status decide_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct deciding *s = context;
    const uint32_t first = chunk_start(s, chunk), end = chunk_start(s, chunk + 1);
    struct covey_elastic_count count = {0, 0};
    covey_elastic_decision d;

    for (uint32_t at = first, n; at < end; at += n) {
        n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;
        covey_i_elastic_decide(&d, s->pass, s->pass->plan, at, n, seen_of(s, chunk));
        memcpy(s->goes_left + at, d.left, n);
        for (uint32_t i = 0; i < d.n_divided; i++)
            divided_of(s, chunk)[count.n_divided++] =
                (covey_record_divided){at - first + d.divided[i].at, d.divided[i].n_left};
        count.n_left += d.n_left;
    }
    s->counts[chunk] = count;
    return COVEY_OK;
}

/* Moves a chunk's records to the other side. */
static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct deciding *s = context;
    const covey_elastic_part *part = s->pass->part;
    const struct covey_elastic_count before = s->counts[chunk], after = s->counts[chunk + 1];
    const uint32_t first = chunk_start(s, chunk), end = chunk_start(s, chunk + 1);
    covey_record_halves to = {s->start[0] + before.n_left, s->start[0] + after.n_left,
                              s->start[1] + first - before.n_left + before.n_divided,
                              s->start[1] + end - after.n_left + after.n_divided};

    covey_i_records_split(&to, s->pass->worker->records, part->side, part->start + first, end - first,
                          s->goes_left + first, divided_of(s, chunk), after.n_divided - before.n_divided);
    return COVEY_OK;
}

/* Runs a task for each chunk; alone, without the cost of threads. */
static covey_status run_tasks(struct deciding *s, covey_task task, covey_error *err)
{
    return s->n_chunks > 1 ? covey_i_parallel(s->pass->worker->n_threads, s->n_chunks, task, s, err) : task(s, 0, err);
}

covey_status covey_i_elastic_decide_all(uint32_t n_records[2], covey_elastic_worker *w, const covey_elastic_part *part,
                                        size_t axis, covey_elastic_plan *plan, covey_error *err)
{
    const size_t n_values = w->elastic->n_values;
    struct deciding s;

    w->chosen = (covey_elastic_pass){.worker = w, .part = part, .axis = axis, .plan = plan, .n_plans = 1};
    w->n_chunks = 1;
    if (w->n_threads > 1 && part->n >= 2 * SMALL_CHUNK && n_values <= part->n / 16)
        w->n_chunks = part->n / SMALL_CHUNK < (uint32_t)w->n_threads ? part->n / SMALL_CHUNK : (size_t)w->n_threads;
    COVEY_TRY(covey_i_elastic_reserve(&w->counts, w->n_chunks + 1, sizeof *s.counts, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->seen, w->n_chunks * n_values, sizeof *s.seen, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->divided, w->n_chunks * n_values, sizeof *s.divided, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->goes_left, part->n, sizeof *s.goes_left, err));
    s = decisions_of(w);
    s.counts[s.n_chunks] = (struct covey_elastic_count){0, 0};
    if (!plan->natural && plan->n_partial > 0) {
        COVEY_TRY(run_tasks(&s, count_divided, err));
        accumulate_divided(&s);
    }
    COVEY_TRY(run_tasks(&s, decide_chunk, err));
    accumulate_counts(&s);
    n_records[0] = s.counts[s.n_chunks].n_left;
    n_records[1] = part->n - n_records[0] + s.counts[s.n_chunks].n_divided;
    assert(w->records->are_runs || n_records[0] == plan->n_left);
    return COVEY_OK;
}

covey_status covey_i_elastic_make_cut(covey_elastic_part children[2], covey_elastic_worker *w,
                                      const covey_elastic_part *part, const uint32_t start[2], covey_error *err)
{
    struct deciding s = decisions_of(w);
    const struct covey_elastic_count count = s.counts[s.n_chunks];
    const uint32_t n_left = s.pass->plan->n_left;

    assert(s.pass->part == part);
    s.start[0] = start[0];
    s.start[1] = start[1];
    children[0] = (covey_elastic_part){.start = start[0], .n = count.n_left, .side = !part->side, .size = n_left};
    children[1] = (covey_elastic_part){.start = start[1],
                                       .n = part->n - count.n_left + count.n_divided,
                                       .side = !part->side,
                                       .size = part->size - n_left};
    return run_tasks(&s, move_chunk, err);
}
