/* The place where a class is cut: on each axis its items are sorted, and of all boundaries between codes the one is
 * taken that leaves least to lose. */
#include "method/peel/cutter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum {
    FEW = 24, /* rows that are sorted by insertion; many by digits */
    MANY = 512,
    LOOK_UP = 1 << 18,     /* rows that are sorted before the caller is asked */
    MOST_JUDGED = 1 << 28, /* rows of halves: two seconds; then ... */
    FEW_CUTS = 64          /* ... only so many places on an axis are judged, evenly spread */
};

covey_status covey_i_peel_cutter_new(covey_peel_cutter *k, covey_peel *p, uint32_t most, covey_error *err)
{
    *k = (covey_peel_cutter){.p = p};
    k->half = covey_i_array(most, sizeof *k->half);
    k->sorted = covey_i_array(most, sizeof *k->sorted);
    k->scratch = covey_i_array(most, sizeof *k->scratch);
    k->behind = covey_i_array(most, sizeof *k->behind);
    k->hull = covey_i_array(p->t->n_axes, 2 * sizeof *k->hull);
    k->open = covey_i_array(p->t->n_axes, sizeof *k->open);
    return k->half && k->sorted && k->scratch && k->behind && k->hull && k->open ? COVEY_OK : covey_i_no_memory(err);
}

void covey_i_peel_cutter_clear(covey_peel_cutter *k)
{
    covey_i_free(k->half);
    covey_i_free(k->sorted);
    covey_i_free(k->scratch);
    covey_i_free(k->behind);
    covey_i_free(k->hull);
    covey_i_free(k->open);
}

void covey_i_peel_sort_items(uint32_t *item, uint32_t n)
{
    qsort(item, n, sizeof *item, covey_i_compare_u32);
}

static uint32_t size_of_item(const covey_peel_cutter *k, uint32_t item)
{
    return k->size ? k->size[item] : covey_i_peel_size(k->p->t, item);
}

/* By code, then by item. */
static void sort_by(covey_peel_cutter *k, size_t axis)
{
    const covey_peel_table *t = k->p->t;

    for (uint32_t i = 0; i < k->n; i++)
        k->sorted[i] = (uint64_t)covey_i_peel_codes(t, k->lots[i])[axis] << 32 | k->lots[i];
    if (k->n > MANY) {
        covey_i_sort_u64(k->sorted, k->scratch, k->n, 32 + covey_i_key_bits(t->axis[axis].n_codes));
        return;
    }
    if (k->n > FEW) {
        qsort(k->sorted, k->n, sizeof *k->sorted, covey_i_compare_u64);
        return;
    }
    for (uint32_t i = 1; i < k->n; i++) {
        const uint64_t key = k->sorted[i];
        uint32_t j = i;

        for (; j > 0 && k->sorted[j - 1] > key; j--)
            k->sorted[j] = k->sorted[j - 1];
        k->sorted[j] = key;
    }
}

static void start_hull(covey_peel_cutter *k, uint32_t *hull, uint32_t lot)
{
    const size_t n_axes = k->p->t->n_axes;

    memcpy(hull, covey_i_peel_codes(k->p->t, lot), n_axes * sizeof *hull);
    memcpy(hull + n_axes, hull, n_axes * sizeof *hull);
    k->n_open = 0;
    for (size_t a = 0; a < n_axes; a++)
        if (k->box[a] < k->box[n_axes + a])
            k->open[k->n_open++] = (uint32_t)a;
}

/* Most hulls are the whole box after few rows, on all axes but one. */
static void widen(covey_peel_cutter *k, uint32_t *hull, uint32_t lot)
{
    const size_t n_axes = k->p->t->n_axes;
    const uint32_t *codes = covey_i_peel_codes(k->p->t, lot);
    uint32_t *low = hull, *high = hull + n_axes;

    for (size_t i = 0; i < k->n_open;) {
        const uint32_t a = k->open[i];

        low[a] = codes[a] < low[a] ? codes[a] : low[a];
        high[a] = codes[a] > high[a] ? codes[a] : high[a];
        if (low[a] == k->box[a] && high[a] == k->box[n_axes + a])
            k->open[i] = k->open[--k->n_open];
        else
            i++;
    }
}

static bool begins_code(const covey_peel_cutter *k, uint32_t i)
{
    return i == 0 || k->sorted[i - 1] >> 32 != k->sorted[i] >> 32;
}

/* A class with very many combinations of values, of which hardly a half keeps the promises, would be judged as often as
 * it has rows. */
static bool may_judge(const covey_peel_cutter *k, uint32_t i)
{
    return k->n_judged <= MOST_JUDGED || i % (k->n / FEW_CUTS + 1) == 0;
}

static bool both_admitted(covey_peel_cutter *k, uint32_t n_left)
{
    if (k->p->t->size_only)
        return true;
    k->n_judged += k->n;
    for (uint32_t i = 0; i < k->n; i++)
        k->half[i] = (uint32_t)k->sorted[i];
    return covey_i_peel_admits_lots(k->p, k->half, n_left) &&
           covey_i_peel_admits_lots(k->p, k->half + n_left, k->n - n_left);
}

/* The best threshold on an axis, if it is better than *best. */
static void try_axis(covey_peel_cut_place *best, covey_peel_cutter *k, size_t axis)
{
    const covey_peel_table *t = k->p->t;
    uint32_t *hull = k->hull, n_left = 0;

    sort_by(k, axis);
    start_hull(k, hull, (uint32_t)k->sorted[k->n - 1]);
    for (uint32_t i = k->n; i-- > 0;) {
        widen(k, hull, (uint32_t)k->sorted[i]);
        if (begins_code(k, i))
            k->behind[i] = covey_i_peel_box_loss(t, hull, hull + t->n_axes);
    }
    start_hull(k, hull, (uint32_t)k->sorted[0]);
    for (uint32_t i = 0; i + 1 < k->n; i++) {
        int64_t cost;

        widen(k, hull, (uint32_t)k->sorted[i]);
        n_left += size_of_item(k, (uint32_t)k->sorted[i]);
        if (!begins_code(k, i + 1) || n_left < t->min_size || k->n_rows - n_left < t->min_size)
            continue;
        cost = n_left * covey_i_peel_box_loss(t, hull, hull + t->n_axes) + (k->n_rows - n_left) * k->behind[i + 1];
        if (cost < best->cost && may_judge(k, i) && both_admitted(k, i + 1))
            *best = (covey_peel_cut_place){cost, axis, (uint32_t)(k->sorted[i] >> 32)};
    }
}

/* Threads that share a partition only hear what the caller says; its own tells it. */
static covey_status ask(const covey_peel_cutter *k, covey_error *err)
{
    const covey_peel_watch *w = k->p->watch;

    if (!k->is_shared || (w && pthread_equal(pthread_self(), w->caller)))
        return covey_i_peel_report(k->p, 0, 1, err);
    return w && w->is_cancelled ? covey_fail(err, COVEY_ECANCELLED, "cancelled") : COVEY_OK;
}

covey_status covey_i_peel_find_cut(covey_peel_cut_place *best, covey_peel_cutter *k, covey_error *err)
{
    const size_t d = k->p->t->n_axes;

    k->work += (int64_t)k->n_rows * (int64_t)d;
    for (size_t a = 0; a < d; a++)
        if (k->box[a] < k->box[d + a]) {
            try_axis(best, k, a);
            if ((k->n_sorted += k->n) < LOOK_UP)
                continue;
            k->n_sorted = 0;
            COVEY_TRY(ask(k, err));
        }
    return COVEY_OK;
}
