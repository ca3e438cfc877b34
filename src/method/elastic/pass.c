/* What the records of a part say of cuts: which records go left, and what ranges both sides have.
 *
 * On the axis of the cut the counts tell the ranges.  On others, once both sides' ranges are as wide as the part's they
 * are not looked at any more, and once all are, neither are the other records: of a large part mostly the first few
 * blocks are enough, and the last one, since rows come in the order of the first attribute. */
#include "method/elastic/elastic.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/histogram.h"

enum {
    SMALL_PASS = 1 << 15, /* records of all plans that are not worth a thread */
    LOOKED_AT = 256       /* at a time, before full ranges are left out */
};

/* Codes of the axis and of the steering attribute. */
static void unpack_block(uint32_t *code, uint32_t *value, const covey_elastic_pass *pass, uint32_t at, uint32_t n)
{
    const covey_records *records = pass->worker->records;
    const uint32_t start = pass->part->start + at;

    covey_i_records_unpack(code, &records->column[pass->axis], pass->part->side, start, n);
    covey_i_records_unpack(value, &records->column[pass->worker->elastic->problem->n_axes], pass->part->side, start, n);
}

void covey_i_elastic_count_divided(uint32_t *seen, const covey_elastic_pass *pass, const covey_elastic_plan *plan,
                                   uint32_t at, uint32_t end)
{
    for (uint32_t n; at < end; at += n) {
        uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

        n = end - at < COVEY_RECORD_BLOCK ? end - at : COVEY_RECORD_BLOCK;
        unpack_block(code, value, pass, at, n);
        for (uint32_t i = 0; i < n; i++)
            if (code[i] == plan->partial[value[i]])
                seen[value[i]] +=
                    covey_i_records_size(pass->worker->records, pass->part->side, pass->part->start + at + i);
    }
}

/* A record of a divided code: how many of its rows go left. */
static void decide_divided(covey_elastic_decision *d, const covey_elastic_pass *pass, uint32_t rest, uint32_t *seen,
                           uint32_t at, uint32_t i)
{
    const uint32_t size = covey_i_records_size(pass->worker->records, pass->part->side, pass->part->start + at + i);
    const uint32_t wanted = *seen < rest ? rest - *seen : 0;

    *seen += size;
    if (wanted == 0)
        return;
    d->left[i] = 255;
    d->n_left++;
    if (size > wanted)
        d->divided[d->n_divided++] = (covey_record_divided){i, wanted};
    else
        d->right[i] = 0;
}

/* Lists the records of divided codes; returns how many these are. */
static uint32_t list_divided(covey_elastic_decision *restrict d, uint16_t *restrict is_divided,
                             const uint32_t *restrict code, const uint32_t *restrict value,
                             const covey_elastic_plan *plan, uint32_t n)
{
    const uint32_t *restrict below = plan->below, *restrict partial = plan->partial;
    uint32_t n_left = 0, n_divided = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t is_left = code[i] < below[value[i]];

        d->left[i] = (uint8_t)-is_left;
        d->right[i] = (uint8_t)(is_left - 1);
        n_left += is_left;
        is_divided[n_divided] = (uint16_t)i;
        n_divided += code[i] == partial[value[i]];
    }
    d->n_left = n_left;
    return n_divided;
}

static void decide_moved(covey_elastic_decision *d, const covey_elastic_pass *pass, const covey_elastic_plan *plan,
                         uint32_t at, uint32_t n, uint32_t *seen)
{
    uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK], n_divided;
    uint16_t is_divided[COVEY_RECORD_BLOCK];

    unpack_block(code, value, pass, at, n);
    n_divided = list_divided(d, is_divided, code, value, plan, n);
    for (uint32_t k = 0; k < n_divided; k++)
        decide_divided(d, pass, plan->rest[value[is_divided[k]]], &seen[value[is_divided[k]]], at, is_divided[k]);
}

void covey_i_elastic_decide(covey_elastic_decision *d, const covey_elastic_pass *pass, const covey_elastic_plan *plan,
                            uint32_t at, uint32_t n, uint32_t *seen)
{
    d->n_left = 0;
    d->n_divided = 0;
    if (!plan->natural) {
        decide_moved(d, pass, plan, at, n, seen);
        return;
    }
    d->n_left = covey_i_records_compare(d->left, &pass->worker->records->column[pass->axis], pass->part->side,
                                        pass->part->start + at, n, plan->threshold);
    for (uint32_t i = 0; i < n; i++)
        d->right[i] = (uint8_t)~d->left[i];
}

/* The same of records whose place among those of divided codes is not known: these go nowhere. */
static void decide_some(covey_elastic_decision *d, const covey_elastic_pass *pass, const covey_elastic_plan *plan,
                        uint32_t at, uint32_t n)
{
    uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

    if (plan->natural) {
        covey_i_elastic_decide(d, pass, plan, at, n, NULL);
        return;
    }
    unpack_block(code, value, pass, at, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t below = plan->below[value[i]];

        d->left[i] = code[i] < below ? 255 : 0;
        d->right[i] = code[i] >= below && code[i] != plan->partial[value[i]] ? 255 : 0;
    }
}

/* Widens the ranges on all axes but that of the cut by a block, where they can be wider; false: they cannot be. */
static bool add_ranges(covey_record_ranges *range, const covey_elastic_decision *d, const covey_elastic_pass *pass,
                       uint32_t at, uint32_t n)
{
    const size_t n_axes = pass->worker->elastic->problem->n_axes;
    bool can_grow = false;

    for (size_t a = 0; a < n_axes; a++) {
        const uint32_t low = pass->ranges[a], high = pass->ranges[n_axes + a];
        covey_record_ranges *r = &range[a];

        if (a == pass->axis ||
            (r->left_low == low && r->left_high == high && r->right_low == low && r->right_high == high))
            continue;
        covey_i_records_ranges(r, &pass->worker->records->column[a], pass->part->side, pass->part->start + at, n,
                               d->left, d->right);
        can_grow = true;
    }
    return can_grow;
}

/* Ranges of both sides of one plan. */
static covey_status range_plan(void *context, size_t i, covey_error *err)
{
    const covey_elastic_pass *pass = context;
    const covey_elastic_plan *plan = &pass->plan[i];
    const size_t n_axes = pass->worker->elastic->problem->n_axes;
    const uint32_t end = pass->part->n;
    covey_record_ranges *range = pass->range + i * n_axes;
    uint32_t *seen = pass->seen + i * pass->worker->elastic->n_values;
    covey_elastic_decision d;

    for (size_t a = 0; a < n_axes; a++)
        range[a] = (covey_record_ranges)COVEY_RECORD_RANGES_INIT;
    range[pass->axis] = covey_i_elastic_plan_ranges(plan, &pass->worker->profile);
    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    if (end > 2 * LOOKED_AT) {
        decide_some(&d, pass, plan, end - LOOKED_AT, LOOKED_AT);
        add_ranges(range, &d, pass, end - LOOKED_AT, LOOKED_AT);
    }
    for (uint32_t at = 0, n; at < end; at += n) {
        n = end - at < LOOKED_AT ? end - at : LOOKED_AT;
        covey_i_elastic_decide(&d, pass, plan, at, n, seen);
        if (!add_ranges(range, &d, pass, at, n))
            break;
    }
    return COVEY_OK;
}

covey_status covey_i_elastic_pass_ranges(covey_elastic_pass *pass, covey_error *err)
{
    covey_elastic_worker *w = pass->worker;

    COVEY_TRY(
        covey_i_elastic_reserve(&w->range, pass->n_plans * w->elastic->problem->n_axes, sizeof *pass->range, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->seen, pass->n_plans * w->elastic->n_values, sizeof *pass->seen, err));
    pass->range = w->range.bytes;
    pass->seen = w->seen.bytes;
    if (w->n_threads > 1 && pass->part->n * (uint64_t)pass->n_plans >= SMALL_PASS)
        return covey_i_parallel(w->n_threads, pass->n_plans, range_plan, pass, err);
    for (size_t i = 0; i < pass->n_plans; i++)
        COVEY_TRY(range_plan(pass, i, err));
    return COVEY_OK;
}

const covey_record_ranges *covey_i_elastic_pass_range(const covey_elastic_pass *pass, size_t plan)
{
    return pass->range + plan * pass->worker->elastic->problem->n_axes;
}

/* Adds a block's rows of one attribute. */
static void tally_block(covey_elastic_worker *w, const covey_elastic_decision *d, const covey_elastic_pass *pass,
                        size_t view, uint32_t at, uint32_t n)
{
    uint32_t value[COVEY_RECORD_BLOCK];

    covey_i_records_unpack(value, &w->records->column[w->elastic->problem->n_axes + 1 + view], pass->part->side,
                           pass->part->start + at, n);
    for (uint32_t i = 0, next = 0; i < n; i++) {
        const uint32_t size = covey_i_records_size(w->records, pass->part->side, pass->part->start + at + i);
        uint32_t n_left = d->left[i] ? size : 0;

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
    uint32_t *seen = pass->seen + plan_index * w->elastic->n_values;
    covey_elastic_decision d;

    for (uint32_t p = 0; p < plan->n_partial; p++)
        seen[plan->partial_value[p]] = 0;
    for (uint32_t at = 0; at < pass->part->n; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = pass->part->n - at < COVEY_RECORD_BLOCK ? pass->part->n - at : COVEY_RECORD_BLOCK;

        covey_i_elastic_decide(&d, pass, plan, at, n, seen);
        for (size_t v = 0; v < w->left.n_views; v++)
            if ((int)v != w->elastic->view)
                tally_block(w, &d, pass, v, at, n);
    }
}

covey_status covey_i_elastic_reserve(covey_elastic_buffer *buffer, size_t n, size_t size, covey_error *err)
{
    size_t wanted;
    void *bytes;

    if (!__builtin_mul_overflow(n, size, &wanted) && wanted <= buffer->capacity)
        return COVEY_OK;
    if (!(bytes = covey_i_array(n + n / 4, size)))
        return covey_i_no_memory(err);
    covey_i_free(buffer->bytes);
    buffer->bytes = bytes;
    buffer->capacity = (n + n / 4) * size;
    return COVEY_OK;
}
