/* The place where a class is cut: on each axis its items are sorted, and of all boundaries between codes the one is
 * taken that leaves least to lose.  Hulls of what lies before and behind a boundary take most of the time. */
#include "method/peel/cutter.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"

enum {
    LOOK_UP = 1 << 18,     /* items that are sorted or judged before the caller is asked */
    MOST_JUDGED = 1 << 28, /* items of halves: two seconds; then ... */
    MOST_PARTS = 16,       /* of a class, whose spare width is looked at */
    FEW_CUTS = 64          /* ... only so many places on an axis are judged, evenly spread */
};

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

    for (size_t i = 0; i < t->n_judged; i++)
        for (size_t x = 0; x < k->n_open; x++) {
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

    for (size_t i = 0; i < t->n_judged; i++)
        for (size_t x = 0; x < k->n_open; x++) {
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
            *best = (covey_peel_cut_place){cost, rank, k->open[x],
                                           covey_i_peel_codes(k->p->t, k->lots[k->order[begin]])[k->open[x]]};
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
    covey_i_peel_open_axes(k);
    COVEY_TRY(covey_i_peel_slice(&is_sliced, best, k, err));
    for (size_t x = 0; x < k->n_open && !is_sliced && !covey_i_peel_is_enough(k->p); x++)
        COVEY_TRY(try_axis(best, k, x, err));
    return COVEY_OK;
}
