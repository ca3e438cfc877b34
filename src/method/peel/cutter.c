/* The place where a class is cut: on each axis its items are sorted, and of all boundaries between codes the one is
 * taken that leaves least to lose.  Hulls of what lies before and behind a boundary take most of the time: codes of the
 * axes on which items differ lie together, as narrow as they can be, so that many are compared at a time. */
#include "method/peel/cutter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum {
    LANES = 16, /* codes that are compared at a time */
    FEW = 24,   /* items that are sorted by insertion; many by digits */
    MANY = 512,
    SPARE_COUNTS = 64,     /* more codes than items that are counted rather than sorted */
    LOOK_UP = 1 << 18,     /* items that are sorted or judged before the caller is asked */
    MOST_JUDGED = 1 << 28, /* items of halves: two seconds; then ... */
    MOST_PARTS = 16,       /* of a class, whose spare width is looked at */
    FEW_CUTS = 64          /* ... only so many places on an axis are judged, evenly spread */
};

covey_status covey_i_peel_cutter_new(covey_peel_cutter *k, covey_peel *p, uint32_t most, covey_error *err)
{
    const size_t most_stride = (p->t->n_axes + LANES - 1) / LANES * LANES;

    *k = (covey_peel_cutter){.p = p};
    k->open = covey_i_array(p->t->n_axes, sizeof *k->open);
    k->codes = covey_i_array(most, most_stride * sizeof(uint32_t));
    k->hull = covey_i_array(2 * most_stride, sizeof(uint32_t));
    k->order = covey_i_array(most, sizeof *k->order);
    k->begin = covey_i_array((size_t)most + 1, sizeof *k->begin);
    k->behind = covey_i_array(most, sizeof *k->behind);
    k->spare = covey_i_array(most, sizeof *k->spare);
    k->count = covey_i_array((size_t)most + SPARE_COUNTS, sizeof *k->count);
    k->keys = covey_i_array(most, sizeof *k->keys);
    k->scratch = covey_i_array(most, sizeof *k->scratch);
    k->half = covey_i_array(most, sizeof *k->half);
    return k->open && k->codes && k->hull && k->order && k->begin && k->behind && k->spare && k->count && k->keys &&
                   k->scratch && k->half
               ? COVEY_OK
               : covey_i_no_memory(err);
}

void covey_i_peel_cutter_clear(covey_peel_cutter *k)
{
    covey_i_free(k->open);
    covey_i_free(k->codes);
    covey_i_free(k->hull);
    covey_i_free(k->order);
    covey_i_free(k->begin);
    covey_i_free(k->behind);
    covey_i_free(k->spare);
    covey_i_free(k->count);
    covey_i_free(k->keys);
    covey_i_free(k->scratch);
    covey_i_free(k->half);
}

void covey_i_peel_sort_items(uint32_t *item, uint32_t n)
{
    qsort(item, n, sizeof *item, covey_i_compare_u32);
}

uint32_t covey_i_peel_item_size(const covey_peel_cutter *k, uint32_t i)
{
    return k->size ? k->size[k->lots[i]] : covey_i_peel_size(k->p->t, k->lots[i]);
}

/* --- items on the axes on which they differ --- */

static uint32_t range_of(const covey_peel_cutter *k, size_t axis)
{
    return k->box[k->p->t->width + axis] - k->box[axis];
}

static void open_axes(covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;
    uint32_t widest = 0;

    k->n_open = 0;
    k->closed_loss = 0;
    for (size_t a = 0; a < t->n_axes; a++) {
        const uint32_t range = range_of(k, a);

        if (range == 0)
            k->closed_loss += covey_i_peel_loss(&t->axis[a], k->box[a], k->box[a]);
        else
            k->open[k->n_open++] = (uint32_t)a;
        widest = range > widest ? range : widest;
    }
    k->stride = (k->n_open + LANES - 1) / LANES * LANES;
    k->width = widest <= UINT8_MAX ? 1 : widest <= UINT16_MAX ? 2 : 4;
}

static void collect_codes(covey_peel_cutter *k)
{
    COVEY_CODES_TYPED(k->width, {
        covey_code *to = k->codes;

        for (uint32_t i = 0; i < k->n; i++, to += k->stride) {
            const uint32_t *codes = covey_i_peel_codes(k->p->t, k->lots[i]);

            for (size_t x = 0; x < k->n_open; x++)
                to[x] = (covey_code)(codes[k->open[x]] - k->box[k->open[x]]);
            for (size_t x = k->n_open; x < k->stride; x++)
                to[x] = 0;
        }
    });
}

static uint32_t code_of(const covey_peel_cutter *k, uint32_t i, size_t x)
{
    return covey_i_codes_get(k->codes, k->width, i * k->stride + x);
}

/* --- in the order of an axis --- */

static void order_by_counts(covey_peel_cutter *k, size_t x, uint32_t n_codes)
{
    uint32_t at = 0;

    memset(k->count, 0, n_codes * sizeof *k->count);
    for (uint32_t i = 0; i < k->n; i++)
        k->count[code_of(k, i, x)]++;
    k->n_runs = 0;
    for (uint32_t code = 0; code < n_codes; code++) {
        const uint32_t n = k->count[code];

        k->count[code] = at;
        if (n > 0)
            k->begin[k->n_runs++] = at;
        at += n;
    }
    for (uint32_t i = 0; i < k->n; i++)
        k->order[k->count[code_of(k, i, x)]++] = i;
}

static void sort_few(uint64_t *key, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t own = key[i];
        uint32_t j = i;

        for (; j > 0 && key[j - 1] > own; j--)
            key[j] = key[j - 1];
        key[j] = own;
    }
}

static void order_by_keys(covey_peel_cutter *k, size_t x, uint32_t n_codes)
{
    for (uint32_t i = 0; i < k->n; i++)
        k->keys[i] = (uint64_t)code_of(k, i, x) << 32 | i;
    if (k->n > MANY)
        covey_i_sort_u64(k->keys, k->scratch, k->n, 32 + covey_i_key_bits(n_codes));
    else if (k->n > FEW)
        qsort(k->keys, k->n, sizeof *k->keys, covey_i_compare_u64);
    else
        sort_few(k->keys, k->n);
    k->n_runs = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        if (i == 0 || k->keys[i] >> 32 != k->keys[i - 1] >> 32)
            k->begin[k->n_runs++] = i;
        k->order[i] = (uint32_t)k->keys[i];
    }
}

void covey_i_peel_order_by(covey_peel_cutter *k, size_t x)
{
    const uint32_t n_codes = range_of(k, k->open[x]) + 1;

    if (n_codes <= k->n + SPARE_COUNTS)
        order_by_counts(k, x, n_codes);
    else
        order_by_keys(k, x, n_codes);
    k->begin[k->n_runs] = k->n;
}

/* --- hulls --- */

static void start_hull(covey_peel_cutter *k, uint32_t i)
{
    const size_t size = k->stride * (size_t)k->width;
    const char *codes = (const char *)k->codes + i * size;

    memcpy(k->hull, codes, size);
    memcpy((char *)k->hull + size, codes, size);
}

static void widen(covey_peel_cutter *k, const uint32_t *item, uint32_t n)
{
    const size_t stride = k->stride;

    COVEY_CODES_TYPED(k->width, {
        covey_code *restrict low = k->hull;
        covey_code *restrict high = low + stride;

        for (uint32_t i = 0; i < n; i++) {
            const covey_code *restrict codes = (const covey_code *)k->codes + item[i] * stride;

            for (size_t x = 0; x < stride; x++) {
                low[x] = codes[x] < low[x] ? codes[x] : low[x];
                high[x] = codes[x] > high[x] ? codes[x] : high[x];
            }
        }
    });
}

/* What a row of the hull loses. */
static int64_t hull_loss(const covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;
    int64_t sum = k->closed_loss;

    for (size_t x = 0; x < k->n_open; x++) {
        const uint32_t axis = k->open[x];

        sum += covey_i_peel_loss(&t->axis[axis], k->box[axis] + covey_i_codes_get(k->hull, k->width, x),
                                 k->box[axis] + covey_i_codes_get(k->hull, k->width, k->stride + x));
    }
    return sum;
}

/* Do the hull's ranges hold?  Those that a class has on one code only are the same for all parts of it. */
static bool hull_holds(const covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;

    for (size_t x = 0; x < k->n_open; x++)
        for (size_t i = 0; i < t->n_judged; i++) {
            const uint32_t first = k->box[k->open[x]];

            if (t->judged[i].axis == k->open[x] &&
                first + covey_i_codes_get(k->hull, k->width, k->stride + x) <
                    t->judged[i].reach[first + covey_i_codes_get(k->hull, k->width, x)])
                return false;
        }
    return true;
}

/* Ranges of a least width make parts of a class: what is left when as many as possible have been cut off is spare, and
 * all parts share it.  Of many parts that is little. */
static int64_t hull_spare(const covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;
    int64_t sum = 0;

    for (size_t x = 0; x < k->n_open; x++)
        for (size_t i = 0; i < t->n_judged; i++) {
            const uint32_t *reach = t->judged[i].reach, first = k->box[k->open[x]],
                           high = first + covey_i_codes_get(k->hull, k->width, k->stride + x);
            uint32_t end, n = 0;

            if (t->judged[i].axis != k->open[x])
                continue;
            end = first + covey_i_codes_get(k->hull, k->width, x);
            for (uint32_t low = end; n < MOST_PARTS && low <= high && reach[low] <= high; low = end + 1, n++)
                end = reach[low];
            if (n > 0 && n < MOST_PARTS)
                sum += covey_i_peel_loss(&t->axis[k->open[x]], end, high) / n;
        }
    return sum;
}

/* --- cuts --- */

/* A class with very many combinations of values, of which hardly a half keeps the promises, would be judged as often as
 * it has items.  last: of the left half */
static bool may_judge(const covey_peel_cutter *k, uint32_t last)
{
    return (k->n_judged <= MOST_JUDGED || last % (k->n / FEW_CUTS + 1) == 0) && !covey_i_peel_is_enough(k->p);
}

static bool both_admitted(covey_peel_cutter *k, uint32_t n_left)
{
    if (k->p->t->size_only)
        return true;
    k->n_judged += k->n;
    for (uint32_t i = 0; i < k->n; i++)
        k->half[i] = k->lots[k->order[i]];
    return covey_i_peel_admits_lots(k->p, k->half, n_left) &&
           covey_i_peel_admits_lots(k->p, k->half + n_left, k->n - n_left);
}

/* Threads that share a partition only hear what the caller says; its own tells it. */
static covey_status ask(const covey_peel_cutter *k, covey_error *err)
{
    const covey_peel_watch *w = k->p->watch;

    if (!k->is_shared || (w && pthread_equal(pthread_self(), w->caller)))
        return covey_i_peel_report(k->p, 0, 1, err);
    return w && w->is_cancelled ? covey_fail(err, COVEY_ECANCELLED, "cancelled") : COVEY_OK;
}

/* Asks the caller now and then; n: items that were looked at. */
static covey_status look_up(covey_peel_cutter *k, uint32_t n, covey_error *err)
{
    if ((k->n_seen += n) < LOOK_UP)
        return COVEY_OK;
    k->n_seen = 0;
    return ask(k, err);
}

/* The best threshold on an axis, if it is better than *best. */
static covey_status try_axis(covey_peel_cut_place *best, covey_peel_cutter *k, size_t x, covey_error *err)
{
    const int64_t min_size = k->p->t->min_size;
    uint32_t n_left = 0;

    covey_i_peel_order_by(k, x);
    start_hull(k, k->order[k->n - 1]);
    for (uint32_t run = k->n_runs; run-- > 1;) {
        widen(k, k->order + k->begin[run], k->begin[run + 1] - k->begin[run]);
        k->behind[run] = hull_holds(k) ? hull_loss(k) : COVEY_PEEL_FAR;
        k->spare[run] = hull_spare(k);
    }
    start_hull(k, k->order[0]);
    for (uint32_t run = 0; run + 1 < k->n_runs; run++) {
        const uint32_t begin = k->begin[run], end = k->begin[run + 1];
        int64_t cost, rank;

        widen(k, k->order + begin, end - begin);
        for (uint32_t i = begin; i < end; i++)
            n_left += covey_i_peel_item_size(k, k->order[i]);
        if (n_left < min_size || k->n_rows - n_left < min_size || k->behind[run + 1] == COVEY_PEEL_FAR ||
            !hull_holds(k))
            continue;
        cost = n_left * hull_loss(k) + (k->n_rows - n_left) * k->behind[run + 1];
        rank = cost + n_left * hull_spare(k) + (k->n_rows - n_left) * k->spare[run + 1];
        if (cost >= k->whole || rank >= best->rank || !may_judge(k, end - 1))
            continue;
        if (both_admitted(k, end))
            *best = (covey_peel_cut_place){cost, rank, k->open[x], k->box[k->open[x]] + code_of(k, k->order[begin], x)};
        if (!k->p->t->size_only)
            COVEY_TRY(look_up(k, k->n, err));
    }
    return look_up(k, k->n, err);
}

covey_status covey_i_peel_find_cut(covey_peel_cut_place *best, covey_peel_cutter *k, covey_error *err)
{
    bool is_sliced;

    k->work += (int64_t)k->n_rows * (int64_t)k->p->t->n_axes;
    k->whole = best->cost;
    best->rank = INT64_MAX;
    open_axes(k);
    collect_codes(k);
    COVEY_TRY(covey_i_peel_slice(&is_sliced, best, k, err));
    for (size_t x = 0; x < k->n_open && !is_sliced && !covey_i_peel_is_enough(k->p); x++)
        COVEY_TRY(try_axis(best, k, x, err));
    return COVEY_OK;
}
