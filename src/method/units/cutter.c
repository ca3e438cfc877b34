/* Where a span of units is cut.
 *
 * Units are told apart by the ends of their hulls, and one with the same end is never parted from another, so that
 * nothing depends on the order of the input.  A class is about as wide as its units are, and as their low ends and
 * their high ends lie apart.  So many are cut as by [LeFevre06] on an axis for the low ends and one for the high ends:
 * next to the median of rows of the ends that lose most.  Of few that boundary is taken which leaves least to lose. */
#include "method/units/cutter.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"

enum {
    LANES = 8,        /* ends that are compared at once */
    FEW = 32,         /* hulls among which every boundary is looked at, */
    COMPARED = 128,   /* and those at medians on all axes */
    MOST_SIZES = 128, /* rows of a unit up to which it is counted how many have so many */
    COUNTED = 8,      /* ends that there may be for each hull if they are counted */
    MOST_TRIES = 8,   /* boundaries that are judged among few, */
    END_TRIES = 3     /* and for each kind of ends among many */
};

typedef covey_unit_boundary boundary;

typedef covey_unit_end lanes __attribute__((vector_size(LANES * sizeof(covey_unit_end))));
typedef int32_t wide_lanes __attribute__((vector_size(sizeof(lanes))));
typedef uint32_t row_lanes __attribute__((vector_size(sizeof(lanes))));

/* Each becomes one instruction, which masks do not. */
static lanes least(lanes a, lanes b)
{
    lanes out;

    for (int l = 0; l < LANES; l++)
        out[l] = a[l] < b[l] ? a[l] : b[l];
    return out;
}

static lanes most(lanes a, lanes b)
{
    lanes out;

    for (int l = 0; l < LANES; l++)
        out[l] = a[l] > b[l] ? a[l] : b[l];
    return out;
}

/* Few hulls, in the order of an end. */
struct covey_unit_few {
    covey_span span;
    const covey_unit_item *item[FEW];
    int64_t rows[FEW];            /* of items 0 .. i */
    covey_unit_end *left, *right; /* [FEW][n_lanes] boxes of items 0 .. i, and of items i .. n - 1 */
};

static double loss_of(const covey_unit_cutting *c, const covey_unit_end *box)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += c->weight[a] * (double)covey_i_unit_box_loss(&c->items, box, a);
    return loss;
}

/* --- what a span is --- */

/* LANES axes at a time, up to axis `last`.  Where there are not as many, other lanes are filled with what stands beside
 * the ends, and not looked at. */
static void look_at(covey_unit_cutter *w, covey_span span, size_t last)
{
    const size_t d = w->c->d, size = w->c->items.size, first = last < LANES ? 0 : last - (LANES - 1),
                 first_at = offsetof(covey_unit_item, end) + first * sizeof(covey_unit_end),
                 behind = offsetof(covey_unit_item, end) + (last + 1) * sizeof(covey_unit_end),
                 low_at = behind > sizeof(lanes) ? behind - sizeof(lanes) : 0,
                 high_at = low_at + d * sizeof(covey_unit_end);
    const char *at = w->c->items.item + span.start * size;
    const lanes none = (lanes){0} + COVEY_LAST_END;
    lanes box[] = {none, none}, inner[] = {~none, ~none};
    row_lanes flat_rows[2] = {{0}, {0}}; /* of every other lane */

    for (uint32_t i = 0; i < span.n; i++, at += size) {
        const covey_unit_item *item = (const covey_unit_item *)(const void *)at;
        wide_lanes is_flat;
        lanes low, high;

        memcpy(&low, at + low_at, sizeof low);
        memcpy(&high, at + high_at, sizeof high);
        is_flat = (wide_lanes)(low == ~high); /* then both are the same code */
        box[0] = least(box[0], low);
        box[1] = least(box[1], high);
        inner[0] = most(inner[0], low);
        inner[1] = most(inner[1], high);
        flat_rows[0] += (row_lanes)(is_flat << COVEY_END_BITS >> COVEY_END_BITS) & item->n_rows;
        flat_rows[1] += (row_lanes)(is_flat >> COVEY_END_BITS) & item->n_rows;
    }
    for (size_t a = first, l = (first_at - low_at) / sizeof(covey_unit_end); a <= last; a++, l++) {
        w->box[a] = box[0][l];
        w->box[d + a] = box[1][l];
        w->inner[a] = inner[0][l];
        w->inner[d + a] = inner[1][l];
        w->flat_rows[a] = flat_rows[l % 2][l / 2];
    }
}

/* How far the ends of a kind lie apart, as a loss.  Of hulls that have one code on an axis both ends lie in one place,
 * and what parts the ones parts the others. */
static void find_spreads(covey_unit_cutter *w)
{
    const covey_unit_items *items = &w->c->items;
    const size_t d = w->c->d;

    for (size_t a = 0; a < d; a++) {
        const bool is_flat = w->flat_rows[a] == w->sizes.n_rows;
        const double weight = w->c->weight[a] * (1 + (double)w->flat_rows[a] / (double)w->sizes.n_rows) / 2;

        w->spread[a] = weight * (double)covey_i_unit_ends_loss(items, a, w->box[a] - COVEY_FIRST_END,
                                                               w->inner[a] - COVEY_FIRST_END);
        w->spread[d + a] = is_flat ? 0
                                   : weight * (double)covey_i_unit_ends_loss(items, a, COVEY_LAST_END - w->inner[d + a],
                                                                             COVEY_LAST_END - w->box[d + a]);
    }
}

covey_unit_sizes covey_i_unit_cutter_add_up(const covey_unit_cutter *w, covey_span span)
{
    covey_unit_sizes sizes = {0};

    for (uint32_t i = 0; i < span.n; i++)
        covey_i_unit_item_add(&sizes, covey_i_unit_item_at(&w->c->items, span.start + i));
    return sizes;
}

static void measure(covey_unit_cutter *w, covey_span span)
{
    const size_t d = w->c->d;

    for (size_t end = d; end > 0; end = end > 2 * LANES ? end - LANES : end > LANES ? LANES : 0)
        look_at(w, span, end - 1);
    find_spreads(w);
}

/* --- may it be a class? --- */

static uint32_t units_of(const covey_unit_cutting *c, covey_span span)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < span.n; i++)
        n += c->n_units[covey_i_unit_item_at(&c->items, span.start + i)->hull];
    return n;
}

/* What is told by numbers alone, which is quick. */
static bool is_large_enough(const covey_unit_cutting *c, const covey_unit_sizes *s)
{
    return s->n_units >= c->least_units && s->n_rows >= c->least_rows &&
           (uint64_t)s->most * (uint64_t)c->share_k <= (uint64_t)s->n_rows;
}

/* Can it be two classes at all, whatever parts it?  The half that has the unit with most rows has k times as many, and
 * the other one can have no unit with more than 1/k of what is there in units that are no larger.  Most spans that are
 * not cut any more are told so, without looking at their ends. */
static bool may_be_two(const covey_unit_cutter *w, covey_span span)
{
    const covey_unit_cutting *c = w->c;
    const int64_t k = c->share_k, rows = w->sizes.n_rows, most = w->sizes.most;
    int64_t below = 0, size = 1;
    uint32_t of_size[MOST_SIZES];

    if (rows < 2 * c->least_rows || rows < k * (1 + most) || span.n < 2)
        return false;
    if (k == 0 || span.n > COMPARED || most >= MOST_SIZES)
        return true;
    memset(of_size, 0, ((size_t)most + 1) * sizeof *of_size);
    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, span.start + i);

        of_size[item->most] += item->n_rows;
    }
    for (; size < most && (below += of_size[size]) < k * size; size++)
        ;
    return rows >= k * (size + most);
}

covey_status covey_i_unit_cutter_judge(int *broken, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    covey_unit_sizes sizes = {0};

    covey_i_unit_verdict_begin(&w->verdict);
    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&w->c->items, span.start + i);

        covey_i_unit_item_add(&sizes, item);
        covey_i_unit_verdict_add(&w->verdict, item->hull);
    }
    return covey_i_unit_verdict_end(broken, &w->verdict, &sizes, err);
}

static covey_status try_boundary(uint32_t *n_left, covey_unit_cutter *w, covey_span span, const boundary *at,
                                 covey_error *err)
{
    covey_unit_cutting *c = w->c;
    covey_unit_sizes side[2];
    const uint32_t n = covey_i_unit_items_part(side, &c->items, span, at->end, at->last);
    const covey_span half[] = {{span.start, n}, {span.start + n, span.n - n}};
    int broken = -1;

    *n_left = 0;
    for (int h = 0; h < 2; h++) {
        if (c->least_units > 0)
            side[h].n_units = units_of(c, half[h]);
        if (!is_large_enough(c, &side[h]))
            return COVEY_OK;
    }
    for (int h = 0; h < 2 && broken < 0 && w->asks; h++)
        COVEY_TRY(covey_i_unit_cutter_judge(&broken, w, half[h], err));
    if (broken < 0) {
        *n_left = n;
        w->cut = *at;
        memcpy(w->side, side, sizeof side);
    }
    return COVEY_OK;
}

/* --- few units: whichever boundary costs least --- */

static bool is_before(const boundary *x, const boundary *y)
{
    if (x->cost != y->cost)
        return x->cost < y->cost;
    return x->end != y->end ? x->end < y->end : x->last < y->last;
}

/* How many hulls have a smaller end, which is added up at once, says where one goes.  Bit i: item i + 1 has another end
 * than item i. */
static uint32_t find_order(covey_unit_cutter *w, size_t end)
{
    struct covey_unit_few *few = w->few;
    const covey_span span = few->span;
    covey_unit_end key[FEW], n_before[FEW] = {0};
    uint8_t n_alike[FEW] = {0};
    uint32_t used = 0;

    for (uint32_t i = 0; i < span.n; i++)
        key[i] = covey_i_unit_item_at(&w->c->items, span.start + i)->end[end];
    for (uint32_t i = span.n; i < FEW; i++)
        key[i] = COVEY_LAST_END;
    for (uint32_t i = 0; i < span.n; i++)
        for (uint32_t j = 0; j < FEW; j++)
            n_before[j] = (covey_unit_end)(n_before[j] + (key[i] < key[j]));
    for (uint32_t i = 0; i < span.n; i++) {
        const uint32_t place = (uint32_t)n_before[i];

        few->item[place + n_alike[place]++] = covey_i_unit_item_at(&w->c->items, span.start + i);
        used |= (uint32_t)1 << place;
    }
    return used >> 1;
}

/* Bit i: items 0 .. i can be one class, and so can the others. */
static uint32_t find_cuts(struct covey_unit_few *few, const covey_unit_cutting *c)
{
    const uint32_t n = few->span.n;
    covey_unit_sizes left = {0}, right = {0};
    uint32_t cuts = 0, right_cuts = 0;

    for (uint32_t i = 0; i + 1 < n; i++) {
        covey_i_unit_item_add(&left, few->item[i]);
        left.n_units += c->n_units ? c->n_units[few->item[i]->hull] : 0;
        few->rows[i] = left.n_rows;
        cuts |= (uint32_t)is_large_enough(c, &left) << i;
    }
    if (cuts == 0)
        return 0;
    for (uint32_t i = n - 1; i > 0; i--) {
        covey_i_unit_item_add(&right, few->item[i]);
        right.n_units += c->n_units ? c->n_units[few->item[i]->hull] : 0;
        right_cuts |= (uint32_t)is_large_enough(c, &right) << (i - 1);
    }
    return cuts & right_cuts;
}

/* Boxes on both sides of all cuts, LANES ends at a time; what fills up the last lanes is not looked at. */
static void find_boxes(struct covey_unit_few *few, uint32_t cuts, size_t n_lanes)
{
    const uint32_t first = (uint32_t)__builtin_ctz(cuts), last = 31 - (uint32_t)__builtin_clz(cuts);

    for (size_t e = 0; e < n_lanes; e += LANES) {
        lanes box = (lanes){0} + COVEY_LAST_END, end;

        for (uint32_t i = 0; i <= last; i++) {
            memcpy(&end, few->item[i]->end + e, sizeof end);
            box = least(box, end);
            memcpy(few->left + i * n_lanes + e, &box, sizeof box);
        }
        box = (lanes){0} + COVEY_LAST_END;
        for (uint32_t i = few->span.n - 1; i > first; i--) {
            memcpy(&end, few->item[i]->end + e, sizeof end);
            box = least(box, end);
            memcpy(few->right + i * n_lanes + e, &box, sizeof box);
        }
    }
}

/* least_cost: of all boundaries so far; where nothing can fail those that cost more are not listed. */
static size_t list_boundaries(boundary *out, double *least_cost, covey_unit_cutter *w, size_t end)
{
    const covey_unit_cutting *c = w->c;
    struct covey_unit_few *few = w->few;
    uint32_t cuts = find_order(w, end);
    size_t n = 0;

    if (cuts == 0 || (cuts &= find_cuts(few, c)) == 0)
        return 0;
    find_boxes(few, cuts, w->n_lanes);
    for (; cuts != 0; cuts &= cuts - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(cuts);
        double cost = loss_of(c, few->left + i * w->n_lanes) * (double)few->rows[i];

        if (!w->asks && cost > *least_cost)
            continue;
        cost += loss_of(c, few->right + (i + 1) * w->n_lanes) * (double)(w->sizes.n_rows - few->rows[i]);
        *least_cost = cost < *least_cost ? cost : *least_cost;
        out[n++] = (boundary){end, few->item[i]->end[end], cost};
    }
    return n;
}

static covey_status cut_few(uint32_t *n_left, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    boundary *list = w->list;
    double least_cost = INFINITY;
    size_t n = 0;

    w->few->span = span;
    for (size_t e = 0; e < 2 * w->c->d; e++)
        if (w->spread[e] > 0)
            n += list_boundaries(list + n, &least_cost, w, e);
    for (size_t tries = 0; tries < MOST_TRIES && tries < n && *n_left == 0; tries++) {
        size_t best = tries;

        for (size_t i = tries + 1; i < n; i++)
            if (is_before(&list[i], &list[best]))
                best = i;
        const boundary cheapest = list[best];
        list[best] = list[tries];
        list[tries] = cheapest;
        COVEY_TRY(try_boundary(n_left, w, span, &cheapest, err));
    }
    return COVEY_OK;
}

/* --- many: next to the median --- */

/* Sorts numbers and takes out what is there twice; how many are left. */
static uint32_t sort_different(covey_unit_cutter *w, uint32_t n)
{
    uint32_t n_out = 0;

    covey_i_sort_u64(w->key, w->spare, n, COVEY_END_BITS);
    for (uint32_t i = 0; i < n; i++)
        if (n_out == 0 || w->key[n_out - 1] != w->key[i])
            w->key[n_out++] = w->key[i];
    return n_out;
}

static uint32_t place_of(const covey_unit_cutter *w, uint32_t at, size_t end)
{
    return (uint32_t)(covey_i_unit_item_at(&w->c->items, at)->end[end] - w->box[end]);
}

/* Ends of a span in ascending order, each once, as its distance from the first * 2^32 + rows.  Those of few are sorted,
 * of many counted. */
static uint32_t list_ends(covey_unit_cutter *w, covey_span span, size_t end)
{
    const uint32_t n_places = (uint32_t)(w->inner[end] - w->box[end]) + 1;
    uint32_t n = 0;

    for (uint32_t i = 0; i < span.n; i++)
        w->rows_of[place_of(w, span.start + i, end)] += covey_i_unit_item_at(&w->c->items, span.start + i)->n_rows;
    if (n_places / COUNTED <= span.n) {
        for (uint32_t p = 0; p < n_places; p++)
            if (w->rows_of[p] > 0)
                w->key[n++] = p;
    } else {
        for (uint32_t i = 0; i < span.n; i++)
            w->key[n++] = place_of(w, span.start + i, end);
        n = sort_different(w, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t place = w->key[i];

        w->key[i] = place << 32 | w->rows_of[place];
        w->rows_of[place] = 0;
    }
    return n;
}

static boundary boundary_at(const covey_unit_cutter *w, size_t end, uint32_t i)
{
    return (boundary){.end = end, .last = (covey_unit_end)(w->box[end] + (int)(w->key[i] >> 32))};
}

/* Boundaries next to the median of rows, on both sides, the nearest first. */
static int list_medians(boundary out[END_TRIES], covey_unit_cutter *w, covey_span span, size_t end)
{
    const uint32_t n = list_ends(w, span, end);
    const uint64_t rows = (uint64_t)w->sizes.n_rows;
    uint64_t before = 0;
    uint32_t i = 0, left, right;
    int n_out = 0;

    for (; i + 1 < n && 2 * (before + (w->key[i] & UINT32_MAX)) < rows; i++)
        before += w->key[i] & UINT32_MAX;
    /* the boundary behind i has at least half of the rows on its left, that in front of it less */
    left = i;
    right = i;
    if (i + 1 < n && (i == 0 || 2 * (before + (w->key[i] & UINT32_MAX)) - rows <= rows - 2 * before))
        out[n_out++] = boundary_at(w, end, right++);
    while (n_out < END_TRIES && (left > 0 || right + 1 < n)) {
        if (left > 0)
            out[n_out++] = boundary_at(w, end, --left);
        if (n_out < END_TRIES && right + 1 < n)
            out[n_out++] = boundary_at(w, end, right++);
    }
    return n_out;
}

static double cost_of_halves(covey_unit_cutter *w, covey_span span, const boundary *at)
{
    const covey_unit_cutting *c = w->c;
    const lanes none = (lanes){0} + COVEY_LAST_END;
    int64_t right_rows = 0;

    for (size_t e = 0; e < w->n_lanes; e += LANES) {
        lanes left = none, right = none;

        right_rows = 0;
        for (uint32_t i = 0; i < span.n; i++) {
            const covey_unit_item *item = covey_i_unit_item_at(&c->items, span.start + i);
            const covey_unit_end is_right = (covey_unit_end) - (item->end[at->end] > at->last);
            const lanes if_left = (lanes){0} + (covey_unit_end)(COVEY_FIRST_END ^ is_right); /* the last end: not it */
            lanes end;

            memcpy(&end, item->end + e, sizeof end);
            left = least(left, most(end, if_left));
            right = least(right, most(end, ~if_left));
            right_rows += item->n_rows & (uint32_t)(int32_t)is_right;
        }
        memcpy(w->half[0] + e, &left, sizeof left);
        memcpy(w->half[1] + e, &right, sizeof right);
    }
    return loss_of(c, w->half[0]) * (double)(w->sizes.n_rows - right_rows) +
           loss_of(c, w->half[1]) * (double)right_rows;
}

/* Boundaries of many units hardly change what a class reaches, but later ones do: so which are best is told by how far
 * ends lie apart, and compared only near the last cuts, or where each costs a verdict. */
static covey_status cut_many(uint32_t *n_left, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    const bool compares = span.n <= COMPARED || w->asks;
    const size_t n_ends = 2 * w->c->d;
    boundary *const first = w->list, *at = first + n_ends;

    for (size_t e = 0; e < n_ends; e++) {
        first[e] = (boundary){.end = e};
        if (compares && w->spread[e] > 0 && list_medians(at, w, span, e) > 0)
            first[e].cost = cost_of_halves(w, span, at);
    }
    for (size_t tried = 0; tried < n_ends && *n_left == 0; tried++) {
        size_t best = 0;
        int n;

        for (size_t e = 1; e < n_ends; e++)
            if (w->spread[e] > 0 && (w->spread[best] <= 0 || first[e].cost < first[best].cost ||
                                     (first[e].cost == first[best].cost && w->spread[e] > w->spread[best])))
                best = e;
        if (w->spread[best] <= 0)
            return COVEY_OK;
        w->spread[best] = 0;
        n = list_medians(at, w, span, best);
        for (int i = 0; i < n && *n_left == 0; i++)
            COVEY_TRY(try_boundary(n_left, w, span, &at[i], err));
    }
    return COVEY_OK;
}

/* --- the cutter --- */

covey_status covey_i_unit_cutter_cut(uint32_t *n_left, covey_unit_cutter *w, covey_span span,
                                     const covey_unit_sizes *sizes, covey_error *err)
{
    *n_left = 0;
    w->sizes = sizes ? *sizes : covey_i_unit_cutter_add_up(w, span);
    if (!may_be_two(w, span))
        return COVEY_OK;
    measure(w, span);
    return span.n <= FEW ? cut_few(n_left, w, span, err) : cut_many(n_left, w, span, err);
}

covey_status covey_i_unit_cutter_new(covey_unit_cutter *w, covey_unit_cutting *c, covey_error *err)
{
    const size_t d = c->d, n_few = 2 * d * FEW, n_many = 2 * d + END_TRIES,
                 n_lanes = (2 * d + LANES - 1) / LANES * LANES;
    covey_arena *arena = &w->arena;

    *w = (covey_unit_cutter){.c = c, .arena = COVEY_ARENA_INIT, .n_lanes = n_lanes};
    w->box = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->inner = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->half[0] = covey_arena_array(arena, covey_unit_end, n_lanes);
    w->half[1] = covey_arena_array(arena, covey_unit_end, n_lanes);
    w->flat_rows = covey_arena_array(arena, int64_t, d);
    w->spread = covey_arena_array(arena, double, 2 * d);
    w->key = covey_arena_array(arena, uint64_t, c->n_places);
    w->spare = covey_arena_array(arena, uint64_t, c->n_places);
    w->rows_of = covey_arena_array_zero(arena, uint64_t, c->n_places);
    w->few = covey_arena_array(arena, struct covey_unit_few, 1);
    w->list = covey_arena_array(arena, boundary, n_few > n_many ? n_few : n_many);
    if (!w->box || !w->inner || !w->half[0] || !w->half[1] || !w->flat_rows || !w->spread || !w->key || !w->spare ||
        !w->rows_of || !w->list || !w->few)
        return covey_i_no_memory(err);
    w->few->left = covey_arena_array(arena, covey_unit_end, FEW * n_lanes);
    w->few->right = covey_arena_array(arena, covey_unit_end, FEW * n_lanes);
    if (!w->few->left || !w->few->right)
        return covey_i_no_memory(err);
    return c->r->sizes_suffice ? COVEY_OK : covey_i_unit_verdict_new(&w->verdict, &c->p->values, arena, err);
}
