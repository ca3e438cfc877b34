/* Classes are cut in two where that costs least, as long as both halves keep the promises: the only way in which a
 * class that has become large by merging becomes small again. */
#include "method/peel/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum {
    FEW = 24, /* rows that are sorted by insertion; many by digits */
    MANY = 512,
    LOOK_UP = 1 << 18,     /* rows that are sorted before the caller is asked */
    MOST_JUDGED = 1 << 28, /* rows of halves: two seconds; then ... */
    FEW_CUTS = 64          /* ... only so many places on an axis are judged, evenly spread */
};

/* Scratch for the largest class.  Where every row is a lot and promises look at nothing but sizes, an item is all rows
 * of the class that are alike, by the first such row of the table; elsewhere it is a lot. */
struct cutter {
    covey_peel *p;
    uint32_t *lots;   /* [n] the items of the class, ascending */
    uint32_t *size;   /* [n_rows of the table] by item: its rows, 0 between uses; NULL: items are lots */
    uint64_t *sorted; /* [n] code << 32 | item */
    uint64_t *scratch;
    int64_t *behind;     /* [n] loss of the rows from here to the end, where a code begins */
    const uint32_t *box; /* of the class */
    uint32_t *open;      /* [n_open] axes on which a hull has not become the box yet */
    size_t n_open;
    uint32_t *half; /* [n] one half, to be judged */
    uint32_t n, n_rows;
    int64_t n_judged; /* rows of all halves */
    int64_t n_sorted; /* since the caller was asked last */
};

struct cut {
    int64_t cost;
    size_t axis;
    uint32_t threshold; /* codes up to it go left */
};

static int compare_items(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The items of a class. */
static void list_items(struct cutter *k, uint32_t c)
{
    const covey_peel *p = k->p;

    if (!k->size) {
        k->n = covey_i_peel_lots_of(k->lots, p, c);
        return;
    }
    k->n = 0;
    for (uint32_t row = p->class[c].first; row != COVEY_PEEL_NONE; row = p->next[row]) {
        const uint32_t item = p->t->alike[row];

        if (k->size[item]++ == 0)
            k->lots[k->n++] = item;
    }
    qsort(k->lots, k->n, sizeof *k->lots, compare_items);
}

static void forget_items(struct cutter *k)
{
    for (uint32_t i = 0; k->size && i < k->n; i++)
        k->size[k->lots[i]] = 0;
}

static uint32_t size_of_item(const struct cutter *k, uint32_t item)
{
    return k->size ? k->size[item] : covey_i_peel_size(k->p->t, item);
}

/* All of an item leaves class c. */
static void move_item(const struct cutter *k, uint32_t item, uint32_t c, uint32_t to)
{
    covey_peel *p = k->p;

    if (!k->size) {
        covey_i_peel_move(p, item, to);
        return;
    }
    for (uint32_t row = item; row < p->t->n_rows && p->t->alike[row] == item; row++)
        if (p->class_of[row] == c)
            covey_i_peel_move(p, row, to);
}

/* By code, then by item. */
static void sort_by(struct cutter *k, size_t axis)
{
    const covey_peel_table *t = k->p->t;

    for (uint32_t i = 0; i < k->n; i++)
        k->sorted[i] = (uint64_t)covey_i_peel_codes(t, k->lots[i])[axis] << 32 | k->lots[i];
    if (k->n > MANY) {
        covey_i_sort_u64(k->sorted, k->scratch, k->n, 32 + covey_i_key_bits(t->axis[axis].n_codes));
        return;
    }
    if (k->n > FEW) {
        qsort(k->sorted, k->n, sizeof *k->sorted, compare_keys);
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

static void start_hull(struct cutter *k, uint32_t *hull, uint32_t lot)
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
static void widen(struct cutter *k, uint32_t *hull, uint32_t lot)
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

static bool begins_code(const struct cutter *k, uint32_t i)
{
    return i == 0 || k->sorted[i - 1] >> 32 != k->sorted[i] >> 32;
}

/* A class with very many combinations of values, of which hardly a half keeps the promises, would be judged as often as
 * it has rows. */
static bool may_judge(const struct cutter *k, uint32_t i)
{
    return k->n_judged <= MOST_JUDGED || i % (k->n / FEW_CUTS + 1) == 0;
}

static bool both_admitted(struct cutter *k, uint32_t n_left)
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
static void try_axis(struct cut *best, struct cutter *k, size_t axis)
{
    const covey_peel_table *t = k->p->t;
    uint32_t *hull = k->p->hull, n_left = 0;

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
            *best = (struct cut){cost, axis, (uint32_t)(k->sorted[i] >> 32)};
    }
}

/* The best cut of a class on any axis, if it is better than *best. */
static covey_status find_cut(struct cut *best, struct cutter *k, uint32_t c, covey_error *err)
{
    covey_peel *p = k->p;
    const covey_peel_table *t = p->t;

    k->n_rows = p->class[c].n;
    k->box = covey_i_peel_box(p, c);
    p->work += k->n_rows * t->n_axes;
    for (size_t a = 0; a < t->n_axes; a++)
        if (k->box[a] < k->box[t->n_axes + a]) {
            try_axis(best, k, a);
            if ((k->n_sorted += k->n) < LOOK_UP)
                continue;
            k->n_sorted = 0;
            COVEY_TRY(covey_i_peel_report(p, 0, 1, err));
        }
    return COVEY_OK;
}

/* Cuts class c once: its right half becomes a new class.  *is_cut: was it possible? */
static covey_status cut_once(bool *is_cut, struct cutter *k, uint32_t c, covey_error *err)
{
    covey_peel *p = k->p;
    struct cut best = {covey_i_peel_cost(p, c), 0, 0};
    const int64_t whole = best.cost;
    covey_status status;
    uint32_t right;

    *is_cut = false;
    if (whole == 0 || p->class[c].n < 2 * p->t->min_size)
        return COVEY_OK;
    list_items(k, c);
    status = find_cut(&best, k, c, err);
    forget_items(k);
    if (status != COVEY_OK || best.cost >= whole)
        return status;
    if ((right = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < k->n; i++)
        if (covey_i_peel_codes(p->t, k->lots[i])[best.axis] > best.threshold)
            move_item(k, k->lots[i], c, right);
    *is_cut = true;
    return COVEY_OK;
}

covey_status covey_i_peel_cut(covey_peel *p, covey_error *err)
{
    struct cutter k = {.p = p};
    const bool has_items = p->t->size_only && !p->t->size;
    covey_status status = COVEY_OK;
    uint32_t most = 0;

    for (uint32_t c = 0; c < p->n_classes; c++)
        most = p->class[c].n > most ? p->class[c].n : most;
    most = most < p->t->n_lots ? most : p->t->n_lots;
    k.lots = covey_i_array(most, sizeof *k.lots);
    k.half = covey_i_array(most, sizeof *k.half);
    k.sorted = covey_i_array(most, sizeof *k.sorted);
    k.scratch = covey_i_array(most, sizeof *k.scratch);
    k.open = covey_i_array(p->t->n_axes, sizeof *k.open);
    k.behind = covey_i_array(most, sizeof *k.behind);
    if (has_items)
        k.size = covey_i_array_zero(p->t->n_rows, sizeof *k.size);
    if (!k.lots || !k.half || !k.sorted || !k.scratch || !k.behind || !k.open || (has_items && !k.size))
        status = covey_i_no_memory(err);
    for (uint32_t c = 0; status == COVEY_OK && c < p->n_classes; c++) /* the right halves come in their turn */
        for (bool again = true; status == COVEY_OK && again;)
            status = cut_once(&again, &k, c, err);
    covey_i_free(k.lots);
    covey_i_free(k.half);
    covey_i_free(k.sorted);
    covey_i_free(k.scratch);
    covey_i_free(k.open);
    covey_i_free(k.behind);
    covey_i_free(k.size);
    return status;
}
