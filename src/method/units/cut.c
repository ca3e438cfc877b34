/* Cutting classes of units.  Units are told apart by the middles of their boxes, and one with the same middle is never
 * parted from another, so that nothing depends on the order of the input.  Many are cut as by [LeFevre06], along the
 * axis that loses most, at the boundary next to the median of rows; few at whichever boundary costs least. */
#include "method/units/items.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"

enum {
    MANY = 256,     /* hulls that are cut without asking, and asked of what came of it */
    FEW = 32,       /* hulls among which every boundary is looked at */
    COUNTED = 8,    /* middles that there may be for each hull if they are counted */
    MOST_TRIES = 8, /* boundaries that are judged among few, */
    AXIS_TRIES = 3  /* and on each axis among many */
};

/* What units with a middle up to this have, and what parting them from the others costs. */
struct boundary {
    size_t axis;
    uint32_t middle;
    double cost;
};

/* A hull on the axis that is looked at. */
struct mark {
    uint32_t middle, at;
};

struct cutting {
    covey_unit_classes *p;
    const covey_units_run *r;
    size_t d;
    covey_unit_items items;
    int64_t least_rows, least_units, share_k; /* of a class */
    bool asks_later;                          /* halves are not judged now */
    uint32_t *hull;                           /* [n_hulls] scratch */
    uint32_t n_done;
    covey_span *open; /* spans of items that are to be cut */
    uint32_t n_open;
    covey_unit_end *box, *half; /* [2 * d] scratch */
    double *weight;             /* [d] of the axis, per unit of its losses */
    double *loss;               /* [d] */
    uint64_t *key;              /* [n_hulls] */
    uint64_t *rows_of;          /* [middles] all 0 between uses */
    struct boundary few[FEW * FEW];
};

static double loss_on(const struct cutting *c, const covey_unit_end *box, size_t axis)
{
    return c->weight[axis] * (double)covey_i_axis_loss(&c->r->problem->axis[axis],
                                                       covey_i_unit_box_low(&c->items, box, axis),
                                                       covey_i_unit_box_high(&c->items, box, axis));
}

static double loss_of(const struct cutting *c, const covey_unit_end *box)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += loss_on(c, box, a);
    return loss;
}

/* --- may it be a class? --- */

/* What is told by numbers alone, which is quick. */
static bool is_large_enough(const struct cutting *c, const covey_unit_sizes *s)
{
    return s->n_units >= c->least_units && s->n_rows >= c->least_rows &&
           (c->share_k == 0 || s->most <= s->n_rows / c->share_k);
}

static covey_status judge(int *broken, struct cutting *c, covey_span span, covey_error *err)
{
    for (uint32_t i = 0; i < span.n; i++)
        c->hull[i] = covey_i_unit_item_at(&c->items, span.start + i)->hull;
    return covey_i_unit_classes_judge_hulls(broken, c->p, c->hull, span.n, err);
}

static covey_status try_boundary(uint32_t *n_left, struct cutting *c, covey_span span, const struct boundary *at,
                                 covey_error *err)
{
    const bool asks = !c->r->sizes_suffice && !c->asks_later;
    covey_unit_sizes side[2];
    const uint32_t n = covey_i_unit_items_part(side, &c->items, span, at->axis, at->middle);
    int broken = -1;

    *n_left = 0;
    if (!is_large_enough(c, &side[0]) || !is_large_enough(c, &side[1]))
        return COVEY_OK;
    if (asks)
        COVEY_TRY(judge(&broken, c, (covey_span){span.start, n}, err));
    if (asks && broken < 0)
        COVEY_TRY(judge(&broken, c, (covey_span){span.start + n, span.n - n}, err));
    if (broken < 0)
        *n_left = n;
    return COVEY_OK;
}

/* --- few units: whichever boundary costs least --- */

static int compare_costs(const void *a, const void *b)
{
    const struct boundary *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->axis != y->axis)
        return x->axis < y->axis ? -1 : 1;
    return (x->middle > y->middle) - (x->middle < y->middle);
}

/* cost[i] receives what the first i + 1 hulls lose as one class; INFINITY: they cannot be one. */
static void add_up(double *cost, struct cutting *c, const struct mark *mark, uint32_t n, int step)
{
    covey_unit_sizes sizes = {0};
    double loss = 0;

    covey_i_unit_box_clear(c->half, c->d);
    for (uint32_t i = 0; i < n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, mark[(ptrdiff_t)i * step].at);

        covey_i_unit_item_add(&sizes, item);
        if (covey_i_unit_box_add(c->half, item, c->d))
            loss = loss_of(c, c->half);
        cost[i] = is_large_enough(c, &sizes) ? loss * (double)sizes.n_rows : INFINITY;
    }
}

static size_t list_boundaries(struct boundary *out, struct cutting *c, covey_span span, size_t axis)
{
    struct mark mark[FEW];
    double left[FEW], right[FEW];
    size_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const struct mark own = {covey_i_unit_item_middle(covey_i_unit_item_at(&c->items, span.start + i), c->d, axis),
                                 span.start + i};
        uint32_t to = i;

        for (; to > 0 && mark[to - 1].middle > own.middle; to--)
            mark[to] = mark[to - 1];
        mark[to] = own;
    }
    add_up(left, c, mark, span.n, 1);
    add_up(right, c, mark + span.n - 1, span.n, -1);
    for (uint32_t i = 0; i + 1 < span.n; i++) {
        const double cost = left[i] + right[span.n - 2 - i];

        if (mark[i].middle != mark[i + 1].middle && cost < INFINITY)
            out[n++] = (struct boundary){axis, mark[i].middle, cost};
    }
    return n;
}

static covey_status cut_few(uint32_t *n_left, struct cutting *c, covey_span span, covey_error *err)
{
    size_t n = 0;

    *n_left = 0;
    for (size_t a = 0; a < c->d && n + FEW <= sizeof c->few / sizeof *c->few; a++)
        if (c->loss[a] > 0)
            n += list_boundaries(c->few + n, c, span, a);
    for (size_t tries = 0; tries < MOST_TRIES && tries < n && *n_left == 0; tries++) {
        size_t best = tries;

        for (size_t i = tries + 1; i < n; i++)
            if (compare_costs(&c->few[i], &c->few[best]) < 0)
                best = i;
        const struct boundary cheapest = c->few[best];
        c->few[best] = c->few[tries];
        c->few[tries] = cheapest;
        COVEY_TRY(try_boundary(n_left, c, span, &cheapest, err));
    }
    return COVEY_OK;
}

/* --- many: next to the median --- */

/* Sorts numbers and takes out what is there twice; how many are left. */
static uint32_t sort_different(struct cutting *c, uint32_t n)
{
    uint32_t n_out = 0;

    covey_i_sort_u64(c->key, (uint64_t *)(void *)c->items.other, n, COVEY_END_BITS + 1);
    for (uint32_t i = 0; i < n; i++)
        if (n_out == 0 || c->key[n_out - 1] != c->key[i])
            c->key[n_out++] = c->key[i];
    return n_out;
}

/* Middles of a span in ascending order, each once, as middle * 2^32 + rows.  Those of few are sorted, of many counted.
 */
static uint32_t list_middles(struct cutting *c, covey_span span, size_t axis)
{
    const uint32_t low = (uint32_t)(2 * (c->box[axis] - COVEY_FIRST_END)),
                   high = (uint32_t)(2 * (COVEY_LAST_END - c->box[c->d + axis]));
    uint32_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, span.start + i);

        c->rows_of[covey_i_unit_item_middle(item, c->d, axis)] += item->n_rows;
    }
    if (high - low < COUNTED * span.n) {
        for (uint32_t m = low; m <= high; m++)
            if (c->rows_of[m] > 0)
                c->key[n++] = m;
    } else {
        for (uint32_t i = 0; i < span.n; i++)
            c->key[n++] = covey_i_unit_item_middle(covey_i_unit_item_at(&c->items, span.start + i), c->d, axis);
        n = sort_different(c, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t middle = c->key[i];

        c->key[i] = middle << 32 | c->rows_of[middle];
        c->rows_of[middle] = 0;
    }
    return n;
}

/* Boundaries next to the median of rows, on both sides, the nearest first. */
static int list_medians(struct boundary out[AXIS_TRIES], struct cutting *c, covey_span span, size_t axis)
{
    const uint32_t n = list_middles(c, span, axis);
    uint64_t rows = 0, before = 0;
    uint32_t i = 0, left, right;
    int n_out = 0;

    for (uint32_t m = 0; m < n; m++)
        rows += c->key[m] & UINT32_MAX;
    for (; i + 1 < n && 2 * (before + (c->key[i] & UINT32_MAX)) < rows; i++)
        before += c->key[i] & UINT32_MAX;
    /* the boundary behind i has at least half of the rows on its left, that in front of it less */
    left = i;
    right = i;
    if (i + 1 < n && (i == 0 || 2 * (before + (c->key[i] & UINT32_MAX)) - rows <= rows - 2 * before))
        out[n_out++] = (struct boundary){axis, (uint32_t)(c->key[right++] >> 32), 0};
    while (n_out < AXIS_TRIES && (left > 0 || right + 1 < n)) {
        if (left > 0)
            out[n_out++] = (struct boundary){axis, (uint32_t)(c->key[--left] >> 32), 0};
        if (n_out < AXIS_TRIES && right + 1 < n)
            out[n_out++] = (struct boundary){axis, (uint32_t)(c->key[right++] >> 32), 0};
    }
    return n_out;
}

static covey_status cut_many(uint32_t *n_left, struct cutting *c, covey_span span, covey_error *err)
{
    struct boundary at[AXIS_TRIES];

    *n_left = 0;
    for (size_t tried = 0; tried < c->d && *n_left == 0; tried++) {
        size_t axis = 0;
        int n;

        for (size_t a = 1; a < c->d; a++)
            axis = c->loss[a] > c->loss[axis] ? a : axis;
        if (c->loss[axis] <= 0)
            return COVEY_OK;
        c->loss[axis] = 0;
        n = list_medians(at, c, span, axis);
        for (int i = 0; i < n && *n_left == 0; i++)
            COVEY_TRY(try_boundary(n_left, c, span, &at[i], err));
    }
    return COVEY_OK;
}

/* --- all classes --- */

static covey_status cut_span(uint32_t *n_left, struct cutting *c, covey_span span, covey_error *err)
{
    covey_unit_sizes sizes = {0};

    *n_left = 0;
    covey_i_unit_box_clear(c->box, c->d);
    for (uint32_t i = 0; i < span.n; i++) {
        const covey_unit_item *item = covey_i_unit_item_at(&c->items, span.start + i);

        covey_i_unit_box_add(c->box, item, c->d);
        covey_i_unit_item_add(&sizes, item);
    }
    if (sizes.n_units < 2 * c->least_units || sizes.n_rows < 2 * c->least_rows)
        return COVEY_OK;
    for (size_t a = 0; a < c->d; a++)
        c->loss[a] = loss_on(c, c->box, a);
    return span.n <= FEW ? cut_few(n_left, c, span, err) : cut_many(n_left, c, span, err);
}

static covey_status new_cutting(struct cutting *c, covey_unit_classes *p, covey_error *err)
{
    covey_units_run *r = p->r;
    const covey_promises *promises = &r->problem->promises;
    const size_t d = r->problem->n_axes;
    uint32_t most = 1;

    *c = (struct cutting){.p = p,
                          .r = r,
                          .d = d,
                          .least_rows = covey_i_promises_min_size(promises),
                          .least_units = 1,
                          .share_k = covey_i_units_largest_k(promises)};
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const int64_t k = covey_i_units_least_rows(promise);

        if (promise->units != COVEY_UNITS_ROWS && k > c->least_units)
            c->least_units = k;
    }
    COVEY_TRY(covey_i_unit_items_new(&c->items, r, err));
    c->hull = covey_arena_array(&r->arena, uint32_t, r->n_hulls);
    c->open = covey_arena_array(&r->arena, covey_span, (size_t)r->n_hulls + 1);
    c->box = covey_arena_array(&r->arena, covey_unit_end, 2 * d);
    c->half = covey_arena_array(&r->arena, covey_unit_end, 2 * d);
    c->weight = covey_arena_array(&r->arena, double, d);
    c->loss = covey_arena_array(&r->arena, double, d);
    c->key = covey_arena_array(&r->arena, uint64_t, r->n_hulls);
    if (!c->hull || !c->open || !c->box || !c->half || !c->weight || !c->loss || !c->key)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &r->problem->axis[a];

        most = axis->n_values > most ? axis->n_values : most;
        c->weight[a] = covey_ratio_value(axis->weight) / (double)axis->loss_den;
    }
    most = most < 1 << COVEY_END_BITS ? most : 1 << COVEY_END_BITS;
    c->rows_of = covey_arena_array_zero(&r->arena, uint64_t, 2 * (size_t)most + 1);
    return c->rows_of ? COVEY_OK : covey_i_no_memory(err);
}

/* Cuts a class; each half is judged. */
static covey_status cut_class(uint32_t *class_of_hull, uint32_t *n_classes, struct cutting *c, covey_span span,
                              covey_error *err)
{
    c->open[0] = span;
    c->n_open = 1;
    while (c->n_open > 0) {
        uint32_t n_left;

        span = c->open[--c->n_open];
        if ((c->n_done++ & 0xff) == 0)
            COVEY_TRY(covey_i_run_goes_on(c->r->run, "cut units", span.start, c->r->n_hulls, err));
        COVEY_TRY(cut_span(&n_left, c, span, err));
        if (n_left > 0) {
            c->open[c->n_open++] = (covey_span){span.start + n_left, span.n - n_left};
            c->open[c->n_open++] = (covey_span){span.start, n_left};
            continue;
        }
        for (uint32_t i = 0; i < span.n; i++)
            class_of_hull[covey_i_unit_item_at(&c->items, span.start + i)->hull] = *n_classes;
        ++*n_classes;
    }
    return COVEY_OK;
}

/* Cuts many units before they are judged: where all that comes of it can be classes, so could whatever was cut.  Where
 * it cannot, the cut is undone, and what is a class is cut anew.  *is_kept: these units are in classes. */
static covey_status cut_and_ask(bool *is_kept, uint32_t *class_of_hull, uint32_t *n_classes, struct cutting *c,
                                covey_span span, covey_error *err)
{
    const uint32_t n_before = *n_classes;
    uint32_t n_left = 0;
    int broken;

    if (span.n > MANY) {
        c->asks_later = true;
        COVEY_TRY(cut_span(&n_left, c, span, err));
        c->asks_later = false;
    }
    if (n_left > 0) {
        const covey_span left = {span.start, n_left}, right = {span.start + n_left, span.n - n_left};

        COVEY_TRY(cut_and_ask(is_kept, class_of_hull, n_classes, c, left, err));
        if (*is_kept)
            COVEY_TRY(cut_and_ask(is_kept, class_of_hull, n_classes, c, right, err));
        if (*is_kept)
            return COVEY_OK;
        *n_classes = n_before;
    }
    COVEY_TRY(judge(&broken, c, span, err));
    *is_kept = broken < 0;
    return *is_kept ? cut_class(class_of_hull, n_classes, c, span, err) : COVEY_OK;
}

covey_status covey_i_unit_classes_cut(uint32_t *class_of_hull, uint32_t *n_classes, covey_unit_classes *p,
                                      covey_error *err)
{
    struct cutting *c = covey_arena_array(&p->r->arena, struct cutting, 1);
    uint32_t n_hulls = 0;
    bool is_kept;

    *n_classes = 0;
    if (!c)
        return covey_i_no_memory(err);
    COVEY_TRY(new_cutting(c, p, err));
    memset(class_of_hull, 0xff, p->r->n_hulls * sizeof *class_of_hull);
    for (uint32_t k = p->first; k != COVEY_NO_CLASS; k = p->class[k].following) {
        const covey_span span = {n_hulls, p->class[k].n_hulls};

        covey_i_unit_items_enter(&c->items, n_hulls, p, &p->class[k]);
        n_hulls += span.n;
        if (span.n > MANY && !p->r->sizes_suffice)
            COVEY_TRY(cut_and_ask(&is_kept, class_of_hull, n_classes, c, span, err));
        else
            COVEY_TRY(cut_class(class_of_hull, n_classes, c, span, err));
    }
    return COVEY_OK;
}
