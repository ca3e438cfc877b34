/* Where a span of units is cut.
 *
 * Units are told apart by the ends of their hulls, and one with the same end is never parted from another, so that
 * nothing depends on the order of the input.  A class is about as wide as its units are, and as their low ends and
 * their high ends lie apart.  So many are cut as by [LeFevre06] on an axis for the low ends and one for the high ends:
 * next to the median of rows of the ends that lose most.  Of few that boundary is taken which leaves least to lose. */
#include "method/units/cutter.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"

enum {
    FEW = 32,         /* hulls among which every boundary is looked at, */
    COMPARED = 128,   /* and those at medians on all axes */
    MOST_SIZES = 128, /* rows of a unit up to which it is counted how many have so many */
    COUNTED = 8,      /* ends that there may be for each hull if they are counted */
    MOST_TRIES = 8,   /* boundaries that are judged among few, */
    END_TRIES = 3     /* and for each kind of ends among many */
};

/* What units with end number `end` up to this have, and what parting them from the others leaves to lose. */
typedef struct covey_unit_boundary {
    size_t end;
    covey_unit_end last;
    double cost;
} boundary;

/* A hull by the end that is looked at. */
struct mark {
    covey_unit_end end;
    uint32_t at;
};

static double loss_of(const covey_unit_cutting *c, const covey_unit_end *box)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += c->weight[a] * (double)covey_i_unit_box_loss(&c->items, box, a);
    return loss;
}

/* --- what a span is --- */

/* What is counted stays in registers where the number of axes is known. */
static inline __attribute__((always_inline)) void look_at(covey_unit_cutter *w, covey_span span, size_t d,
                                                          covey_unit_end *restrict box, covey_unit_end *restrict inner,
                                                          int64_t *restrict flat_rows)
{
    covey_unit_sizes sizes = {0};

    covey_i_unit_box_clear(box, d);
    for (size_t e = 0; e < 2 * d; e++)
        inner[e] = COVEY_FIRST_END;
    memset(flat_rows, 0, d * sizeof *flat_rows);
    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&w->c->items, span.start + i);

        covey_i_unit_item_add(&sizes, item);
        for (size_t e = 0; e < 2 * d; e++) {
            box[e] = item->end[e] < box[e] ? item->end[e] : box[e];
            inner[e] = item->end[e] > inner[e] ? item->end[e] : inner[e];
        }
        for (size_t a = 0; a < d; a++)
            flat_rows[a] += item->end[a] + item->end[d + a] == COVEY_FIRST_END + COVEY_LAST_END ? item->n_rows : 0;
    }
    w->sizes = sizes;
}

#define LOOK_AT(D)                                                                                                     \
    case D: {                                                                                                          \
        covey_unit_end box[2 * D], inner[2 * D];                                                                       \
        int64_t flat_rows[D];                                                                                          \
        look_at(w, span, D, box, inner, flat_rows);                                                                    \
        memcpy(w->box, box, sizeof box);                                                                               \
        memcpy(w->inner, inner, sizeof inner);                                                                         \
        memcpy(w->flat_rows, flat_rows, sizeof flat_rows);                                                             \
        break;                                                                                                         \
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

static void measure(covey_unit_cutter *w, covey_span span)
{
    const size_t d = w->c->d;

    switch (d) {
        LOOK_AT(2)
        LOOK_AT(3)
        LOOK_AT(4)
        LOOK_AT(5)
        LOOK_AT(6)
    default:
        look_at(w, span, d, w->box, w->inner, w->flat_rows);
    }
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
           (c->share_k == 0 || s->most <= s->n_rows / c->share_k);
}

/* Can it be two classes at all, whatever parts it?  The half that has the unit with most rows has k times as many, and
 * the other one can have no unit with more than 1/k of what is there in units that are no larger.  Most spans that are
 * not cut any more are told so, without looking at their ends. */
static bool may_be_two(const covey_unit_cutter *w, covey_span span)
{
    const covey_unit_cutting *c = w->c;
    const int64_t k = c->share_k, rows = w->sizes.n_rows, most = w->sizes.most;
    int64_t of_size[MOST_SIZES] = {0}, below = 0, size = 1;

    if (rows < 2 * c->least_rows || span.n < 2)
        return false;
    if (k == 0 || span.n > COMPARED || most >= MOST_SIZES)
        return true;
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
    for (uint32_t i = 0; i < span.n; i++)
        w->c->hull[i] = covey_i_unit_item_at(&w->c->items, span.start + i)->hull;
    return covey_i_unit_classes_judge_hulls(broken, w->c->p, w->c->hull, span.n, err);
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
    if (broken < 0)
        *n_left = n;
    return COVEY_OK;
}

/* --- few units: whichever boundary costs least --- */

static bool is_before(const boundary *x, const boundary *y)
{
    if (x->cost != y->cost)
        return x->cost < y->cost;
    return x->end != y->end ? x->end < y->end : x->last < y->last;
}

/* cost[i] receives what the first i + 1 hulls lose as one class; INFINITY: they cannot be one. */
static void add_up(double *cost, covey_unit_cutter *w, const struct mark *mark, uint32_t n, int step)
{
    const covey_unit_cutting *c = w->c;
    covey_unit_sizes sizes = {0};
    bool is_wider = false;
    double loss = 0;

    covey_i_unit_box_clear(w->half[0], c->d);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = mark[(ptrdiff_t)i * step].at;
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, at);

        covey_i_unit_item_add(&sizes, item);
        if (c->least_units > 0)
            sizes.n_units += units_of(c, (covey_span){at, 1});
        is_wider |= covey_i_unit_box_add(w->half[0], item, c->d);
        cost[i] = INFINITY;
        if (!is_large_enough(c, &sizes))
            continue;
        if (is_wider)
            loss = loss_of(c, w->half[0]);
        is_wider = false;
        cost[i] = loss * (double)sizes.n_rows;
    }
}

static size_t list_boundaries(boundary *out, covey_unit_cutter *w, covey_span span, size_t end)
{
    struct mark mark[FEW];
    double left[FEW], right[FEW];
    size_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const struct mark own = {covey_i_unit_item_at(&w->c->items, span.start + i)->end[end], span.start + i};
        uint32_t to = i;

        for (; to > 0 && mark[to - 1].end > own.end; to--)
            mark[to] = mark[to - 1];
        mark[to] = own;
    }
    add_up(left, w, mark, span.n, 1);
    add_up(right, w, mark + span.n - 1, span.n, -1);
    for (uint32_t i = 0; i + 1 < span.n; i++) {
        const double cost = left[i] + right[span.n - 2 - i];

        if (mark[i].end != mark[i + 1].end && cost < INFINITY)
            out[n++] = (boundary){end, mark[i].end, cost};
    }
    return n;
}

static covey_status cut_few(uint32_t *n_left, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    boundary *list = w->list;
    size_t n = 0;

    for (size_t e = 0; e < 2 * w->c->d; e++)
        if (w->spread[e] > 0)
            n += list_boundaries(list + n, w, span, e);
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
    int64_t rows[2] = {0};

    for (int h = 0; h < 2; h++)
        covey_i_unit_box_clear(w->half[h], c->d);
    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, span.start + i);
        const int h = item->end[at->end] > at->last;

        covey_i_unit_box_add(w->half[h], item, c->d);
        rows[h] += item->n_rows;
    }
    return loss_of(c, w->half[0]) * (double)rows[0] + loss_of(c, w->half[1]) * (double)rows[1];
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

covey_status covey_i_unit_cutter_cut(uint32_t *n_left, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    *n_left = 0;
    measure(w, span);
    if (!may_be_two(w, span))
        return COVEY_OK;
    return span.n <= FEW ? cut_few(n_left, w, span, err) : cut_many(n_left, w, span, err);
}

covey_status covey_i_unit_cutter_new(covey_unit_cutter *w, covey_unit_cutting *c, covey_error *err)
{
    const size_t d = c->d, n_few = 2 * d * FEW, n_many = 2 * d + END_TRIES;
    covey_arena *arena = &w->arena;

    *w = (covey_unit_cutter){.c = c, .arena = COVEY_ARENA_INIT};
    w->box = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->inner = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->half[0] = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->half[1] = covey_arena_array(arena, covey_unit_end, 2 * d);
    w->flat_rows = covey_arena_array(arena, int64_t, d);
    w->spread = covey_arena_array(arena, double, 2 * d);
    w->key = covey_arena_array(arena, uint64_t, c->n_places);
    w->spare = covey_arena_array(arena, uint64_t, c->n_places);
    w->rows_of = covey_arena_array_zero(arena, uint64_t, c->n_places);
    w->list = covey_arena_array(arena, boundary, n_few > n_many ? n_few : n_many);
    if (!w->box || !w->inner || !w->half[0] || !w->half[1] || !w->flat_rows || !w->spread || !w->key || !w->spare ||
        !w->rows_of || !w->list)
        return covey_i_no_memory(err);
    return COVEY_OK;
}
