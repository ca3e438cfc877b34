/* A pass over a part's records for several plans at once: which go left, what ranges both sides have; and the pass that moves them.  Large parts
 * are passed over in chunks by several threads, which do not change the result: what a chunk has to know of those before it is how many rows of divided
 * codes they have. */
#include "method/elastic_impl.h"

#include <assert.h>

#include "base/threads.h"
#include "table/histogram.h"

enum { SMALL_CHUNK = 1 << 15 };

/* Records that go left. */
struct covey_elastic_count {
    uint32_t n_left, n_divided;
};

/* Which records of a block go left. */
struct decision {
    uint8_t goes_left[COVEY_RECORD_BLOCK];
    uint32_t n_left;    /* with those that are divided */
    uint32_t n_divided;
    covey_record_divided divided[COVEY_RECORD_BLOCK];
};

static uint32_t chunk_start(const covey_elastic_pass *pass, size_t chunk)
{
    return (uint32_t)((uint64_t)pass->part->n * chunk / pass->n_chunks);
}

/* Runs one task per plan and chunk; alone, without the cost of threads. */
static covey_status run_tasks(covey_elastic_pass *pass, covey_task task, covey_error *err)
{
    const size_t n = pass->n_plans * pass->n_chunks;

    if (pass->n_chunks > 1)
        return covey_i_parallel(pass->worker->n_threads, n, task, pass, err);
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(task(pass, i, err));
    return COVEY_OK;
}

/* Codes of the axis and of the steering attribute. */
static void unpack_block(uint32_t *code, uint32_t *value, const covey_elastic_pass *pass, uint32_t at, uint32_t n)
{
    const covey_records *records = pass->worker->records;
    const uint32_t start = pass->part->start + at;

    covey_i_records_unpack(code, &records->column[pass->axis], pass->part->side, start, n);
    covey_i_records_unpack(value, &records->column[pass->worker->elastic->problem->n_axes], pass->part->side, start, n);
}

/* Counts the rows of divided codes in a chunk. */
static covey_status count_divided(void *context, size_t task, covey_error *err)
{
    const covey_elastic_pass *pass = context;
    const covey_elastic_plan *plan = &pass->plan[task / pass->n_chunks];
    const size_t chunk = task % pass->n_chunks;
    const uint32_t end = chunk_start(pass, chunk + 1);
    uint32_t *seen = pass->seen + task * pass->worker->elastic->n_values;

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    if (pass->n_chunks == 1 || plan->natural || plan->n_partial == 0)
        return COVEY_OK;
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;
        uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

        unpack_block(code, value, pass, at, n);
        for (uint32_t i = 0; i < n; i++)
            if (code[i] == plan->partial[value[i]])
                seen[value[i]] += covey_i_records_size(pass->worker->records, pass->part->side, pass->part->start + at + i);
    }
    return COVEY_OK;
}

/* From counts per chunk to counts in all chunks before. */
static void accumulate_divided(covey_elastic_pass *pass)
{
    const size_t n_values = pass->worker->elastic->n_values;

    for (size_t i = 0; i < pass->n_plans; i++)
        for (uint32_t p = 0; p < pass->plan[i].n_partial; p++) {
            uint32_t *seen = pass->seen + i * pass->n_chunks * n_values + pass->plan[i].partial_value[p], sum = 0;

            for (size_t chunk = 0; chunk < pass->n_chunks; chunk++) {
                const uint32_t count = seen[chunk * n_values];

                seen[chunk * n_values] = sum;
                sum += count;
            }
        }
}

/* A record of a divided code: how many of its rows go left. */
static void decide_divided(struct decision *d, const covey_elastic_pass *pass, uint32_t rest, uint32_t *seen, uint32_t at, uint32_t i)
{
    const uint32_t size = covey_i_records_size(pass->worker->records, pass->part->side, pass->part->start + at + i);
    const uint32_t wanted = *seen < rest ? rest - *seen : 0;

    *seen += size;
    if (wanted == 0)
        return;
    d->goes_left[i] = 255;
    d->n_left++;
    if (size > wanted)
        d->divided[d->n_divided++] = (covey_record_divided){i, wanted};
}

static void decide(struct decision *d, const covey_elastic_pass *pass, const covey_elastic_plan *plan, uint32_t at, uint32_t n, uint32_t *seen)
{
    uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

    d->n_left = 0;
    d->n_divided = 0;
    if (plan->natural) {
        d->n_left = covey_i_records_compare(d->goes_left, &pass->worker->records->column[pass->axis], pass->part->side, pass->part->start + at, n,
                                            plan->threshold);
        return;
    }
    unpack_block(code, value, pass, at, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t is_left = code[i] < plan->below[value[i]];

        d->goes_left[i] = (uint8_t)-is_left;
        d->n_left += is_left;
    }
    for (uint32_t i = 0; plan->n_partial > 0 && i < n; i++)
        if (code[i] == plan->partial[value[i]])
            decide_divided(d, pass, plan->rest[value[i]], &seen[value[i]], at, i);
}

/* Widens ranges of both sides by a block. */
static void add_ranges(covey_record_ranges *range, const struct decision *d, const covey_elastic_pass *pass, uint32_t at, uint32_t n)
{
    static const uint8_t no_left[1] = {0};
    const uint32_t start = pass->part->start + at;

    for (size_t a = 0; a < pass->worker->elastic->problem->n_axes; a++) {
        const covey_record_column *column = &pass->worker->records->column[a];

        covey_i_records_ranges(&range[a], column, pass->part->side, start, n, d->goes_left);
        for (uint32_t i = 0; i < d->n_divided; i++) /* they are on the right, too */
            covey_i_records_ranges(&range[a], column, pass->part->side, start + d->divided[i].at, 1, no_left);
    }
}

/* Ranges of both sides of one plan in one chunk. */
static covey_status range_chunk(void *context, size_t task, covey_error *err)
{
    const covey_elastic_pass *pass = context;
    const covey_elastic *e = pass->worker->elastic;
    const size_t n_axes = e->problem->n_axes, chunk = task % pass->n_chunks;
    const uint32_t end = chunk_start(pass, chunk + 1);
    covey_record_ranges *range = pass->range + task * n_axes;
    struct decision d;

    pass->counts[task] = (struct covey_elastic_count){0, 0};
    for (size_t a = 0; a < n_axes; a++)
        range[a] = (covey_record_ranges)COVEY_RECORD_RANGES_INIT;
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        decide(&d, pass, &pass->plan[task / pass->n_chunks], at, n, pass->seen + task * e->n_values);
        pass->counts[task].n_left += d.n_left;
        pass->counts[task].n_divided += d.n_divided;
        add_ranges(range, &d, pass, at, n);
    }
    return COVEY_OK;
}

/* How many records of a chunk go left. */
static covey_status count_left(void *context, size_t chunk, covey_error *err)
{
    const covey_elastic_pass *pass = context;
    const uint32_t end = chunk_start(pass, chunk + 1);
    struct decision d;

    pass->counts[chunk] = (struct covey_elastic_count){0, 0};
    for (uint32_t at = chunk_start(pass, chunk); at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        decide(&d, pass, pass->plan, at, n, pass->seen + chunk * pass->worker->elastic->n_values);
        pass->counts[chunk].n_left += d.n_left;
        pass->counts[chunk].n_divided += d.n_divided;
    }
    return COVEY_OK;
}

struct splitting {
    covey_elastic_pass *pass;
    uint32_t left_start, right_start;
};

/* Moves a chunk's records to the other side; counts holds those of the chunks before. */
static covey_status split_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct splitting *s = context;
    const covey_elastic_pass *pass = s->pass;
    const struct covey_elastic_count before = pass->counts[chunk];
    const uint32_t first = chunk_start(pass, chunk), end = chunk_start(pass, chunk + 1);
    uint32_t left = s->left_start + before.n_left, right = s->right_start + (first - before.n_left) + before.n_divided;
    struct decision d;

    for (uint32_t at = first; at < end; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;

        decide(&d, pass, pass->plan, at, n, pass->seen + chunk * pass->worker->elastic->n_values);
        covey_i_records_split(pass->worker->records, pass->part->side, pass->part->start + at, n, d.goes_left, d.divided, d.n_divided, &left, &right);
    }
    return COVEY_OK;
}

covey_status covey_i_elastic_pass_new(covey_elastic_pass *pass, covey_elastic_worker *w, const covey_elastic_part *part, size_t axis,
                                      covey_elastic_plan *plan, size_t n_plans, covey_error *err)
{
    const covey_elastic *e = w->elastic;
    size_t n_tasks;

    *pass = (covey_elastic_pass){.worker = w, .part = part, .axis = axis, .plan = plan, .n_plans = n_plans, .n_chunks = 1};
    if (w->n_threads > 1 && part->n >= 2 * SMALL_CHUNK && e->n_values <= part->n / 16)
        pass->n_chunks = part->n / SMALL_CHUNK < (uint32_t)w->n_threads ? part->n / SMALL_CHUNK : (size_t)w->n_threads;
    n_tasks = n_plans * pass->n_chunks;
    COVEY_TRY(covey_i_elastic_reserve(&w->range, n_tasks * e->problem->n_axes, sizeof *pass->range, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->counts, n_tasks, sizeof *pass->counts, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->seen, n_tasks * e->n_values, sizeof *pass->seen, err));
    pass->range = w->range.bytes;
    pass->counts = w->counts.bytes;
    pass->seen = w->seen.bytes;
    COVEY_TRY(run_tasks(pass, count_divided, err));
    accumulate_divided(pass);
    return COVEY_OK;
}

/* Adds up the chunks' ranges in the first chunk's. */
static void join_chunks(covey_elastic_pass *pass)
{
    const size_t n_axes = pass->worker->elastic->problem->n_axes;

    for (size_t i = 0; i < pass->n_plans; i++) {
        covey_record_ranges *into = pass->range + i * pass->n_chunks * n_axes;
        struct covey_elastic_count *counts = pass->counts + i * pass->n_chunks;

        for (size_t chunk = 1; chunk < pass->n_chunks; chunk++) {
            counts[0].n_left += counts[chunk].n_left;
            counts[0].n_divided += counts[chunk].n_divided;
            for (size_t a = 0; a < n_axes; a++) {
                const covey_record_ranges *r = &into[chunk * n_axes + a];

                into[a].left_low = r->left_low < into[a].left_low ? r->left_low : into[a].left_low;
                into[a].left_high = r->left_high > into[a].left_high ? r->left_high : into[a].left_high;
                into[a].right_low = r->right_low < into[a].right_low ? r->right_low : into[a].right_low;
                into[a].right_high = r->right_high > into[a].right_high ? r->right_high : into[a].right_high;
            }
        }
        pass->plan[i].n_records_left = counts[0].n_left;
        pass->plan[i].n_divided = counts[0].n_divided;
        assert(pass->worker->records->are_runs || counts[0].n_left == pass->plan[i].n_left);
    }
}

covey_status covey_i_elastic_pass_ranges(covey_elastic_pass *pass, covey_error *err)
{
    COVEY_TRY(run_tasks(pass, range_chunk, err));
    join_chunks(pass);
    return COVEY_OK;
}

const covey_record_ranges *covey_i_elastic_pass_range(const covey_elastic_pass *pass, size_t plan)
{
    return pass->range + plan * pass->n_chunks * pass->worker->elastic->problem->n_axes;
}

/* Adds a block's rows of one attribute. */
static void tally_block(covey_elastic_worker *w, const struct decision *d, const covey_elastic_pass *pass, size_t view, uint32_t at, uint32_t n)
{
    uint32_t value[COVEY_RECORD_BLOCK];

    covey_i_records_unpack(value, &w->records->column[w->elastic->problem->n_axes + 1 + view], pass->part->side, pass->part->start + at, n);
    for (uint32_t i = 0, next = 0; i < n; i++) {
        const uint32_t size = covey_i_records_size(w->records, pass->part->side, pass->part->start + at + i);
        uint32_t n_left = d->goes_left[i] ? size : 0;

        if (next < d->n_divided && d->divided[next].at == i)
            n_left = d->divided[next++].n_left;
        if (n_left > 0)
            covey_i_histogram_add(&w->left.counts[view], value[i], n_left);
        if (n_left < size)
            covey_i_histogram_add(&w->right.counts[view], value[i], size - n_left);
    }
}

void covey_i_elastic_pass_views(covey_elastic_pass *pass, size_t plan_index)
{
    covey_elastic_worker *w = pass->worker;
    const covey_elastic_plan *plan = &pass->plan[plan_index];
    uint32_t *seen = pass->seen + plan_index * pass->n_chunks * w->elastic->n_values;
    struct decision d;

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    for (uint32_t at = 0; at < pass->part->n; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = pass->part->n - at < COVEY_RECORD_BLOCK ? pass->part->n - at : COVEY_RECORD_BLOCK;

        decide(&d, pass, plan, at, n, seen);
        for (size_t v = 0; v < w->left.n_views; v++)
            if ((int)v != w->elastic->view)
                tally_block(w, &d, pass, v, at, n);
    }
}

covey_status covey_i_elastic_pass_split(covey_elastic_pass *pass, uint32_t left_start, uint32_t right_start, covey_error *err)
{
    struct splitting splitting = {pass, left_start, right_start};
    struct covey_elastic_count before = {0, 0};

    if (pass->n_chunks == 1) {
        pass->counts[0] = before;
        return split_chunk(&splitting, 0, err);
    }
    COVEY_TRY(run_tasks(pass, count_left, err));
    COVEY_TRY(run_tasks(pass, count_divided, err));
    accumulate_divided(pass);
    for (size_t chunk = 0; chunk < pass->n_chunks; chunk++) {
        const struct covey_elastic_count count = pass->counts[chunk];

        pass->counts[chunk] = before;
        before.n_left += count.n_left;
        before.n_divided += count.n_divided;
    }
    return covey_i_parallel(pass->worker->n_threads, pass->n_chunks, split_chunk, &splitting, err);
}
