/* Cutting classes of units.  Units are told apart by the middles of their boxes, and one with the same middle is never
 * parted from another, so that nothing depends on the order of the input.  Many are cut as by [LeFevre06], along the
 * axis that loses most, at the boundary next to the median of rows; few at whichever boundary costs least. */
#include "method/units/classes.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"

enum {
    MANY = 256,     /* units that are cut without asking, and asked of what came of it */
    FEW = 32,       /* units among which every boundary is looked at */
    MOST_TRIES = 8, /* boundaries that are judged among few, */
    AXIS_TRIES = 3  /* and on each axis among many */
};

/* What units with a middle up to this have, and what parting them from the others costs. */
struct boundary {
    size_t axis;
    uint64_t middle;
    double cost;
};

/* A unit on the axis that is looked at. */
struct mark {
    uint64_t middle;
    uint32_t at;
};

/* What some units are as a class, but for their values. */
struct sizes {
    uint32_t n;
    int64_t rows, most; /* most: of one unit */
};

struct cutting {
    covey_unit_classes *p;
    const covey_units_run *r;
    size_t d;
    int64_t least_rows, least_units, share_k; /* of a class */
    bool sizes_suffice;                       /* nothing is promised about values */
    bool asks_later;                          /* halves are not judged now */
    /* Units, which move along with what they are looked at for. */
    uint32_t *unit, *n_rows; /* [n_units] */
    uint32_t *box_at;        /* [n_units][2 * d] */
    uint32_t n_done;
    covey_span *open; /* spans of units that are to be cut */
    uint32_t n_open;
    uint32_t *box, *half;    /* [2 * d] scratch */
    double *weight;          /* [d] of the axis, per unit of its losses */
    double *loss;            /* [d] */
    uint64_t *key, *key_two; /* [n_units] */
    uint64_t *rows_of;       /* [most middles] all 0 between uses */
    struct boundary few[FEW * FEW];
};

static uint64_t middle_at(const struct cutting *c, uint32_t at, size_t axis)
{
    const uint32_t *box = c->box_at + (size_t)at * 2 * c->d;

    return (uint64_t)box[axis] + box[c->d + axis];
}

static void empty_box(struct cutting *c, uint32_t *box)
{
    for (size_t a = 0; a < c->d; a++) {
        box[a] = UINT32_MAX;
        box[c->d + a] = 0;
    }
}

/* True: the box has become wider. */
static bool widen(struct cutting *c, uint32_t *box, uint32_t at)
{
    const uint32_t *of = c->box_at + (size_t)at * 2 * c->d;
    bool is_wider = false;

    for (size_t a = 0; a < c->d; a++) {
        is_wider |= of[a] < box[a] || of[c->d + a] > box[c->d + a];
        box[a] = of[a] < box[a] ? of[a] : box[a];
        box[c->d + a] = of[c->d + a] > box[c->d + a] ? of[c->d + a] : box[c->d + a];
    }
    return is_wider;
}

static double loss_on(const struct cutting *c, const uint32_t *box, size_t axis)
{
    return c->weight[axis] * (double)covey_i_axis_loss(&c->r->problem->axis[axis], box[axis], box[c->d + axis]);
}

static double loss_of(const struct cutting *c, const uint32_t *box)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += loss_on(c, box, a);
    return loss;
}

/* --- may it be a class? --- */

static void add_size(struct sizes *s, uint32_t n_rows)
{
    s->n++;
    s->rows += n_rows;
    s->most = n_rows > s->most ? n_rows : s->most;
}

/* What is told by numbers alone, which is quick. */
static bool is_large_enough(const struct cutting *c, const struct sizes *s)
{
    return s->n >= c->least_units && s->rows >= c->least_rows && (c->share_k == 0 || s->most <= s->rows / c->share_k);
}

static void swap_units(struct cutting *c, uint32_t i, uint32_t j)
{
    const uint32_t unit = c->unit[i], n_rows = c->n_rows[i];
    uint32_t *box_i = c->box_at + (size_t)i * 2 * c->d, *box_j = c->box_at + (size_t)j * 2 * c->d;

    c->unit[i] = c->unit[j];
    c->unit[j] = unit;
    c->n_rows[i] = c->n_rows[j];
    c->n_rows[j] = n_rows;
    for (size_t a = 0; a < 2 * c->d; a++) {
        const uint32_t code = box_i[a];

        box_i[a] = box_j[a];
        box_j[a] = code;
    }
}

/* Puts the units of a span with a middle up to the boundary's in front of the others. */
static void part(struct sizes side[2], struct cutting *c, covey_span span, const struct boundary *at)
{
    uint32_t i = span.start, end = span.start + span.n;

    side[0] = side[1] = (struct sizes){0};
    while (i < end) {
        if (middle_at(c, i, at->axis) <= at->middle) {
            add_size(&side[0], c->n_rows[i++]);
            continue;
        }
        add_size(&side[1], c->n_rows[i]);
        swap_units(c, i, --end);
    }
}

static covey_status try_boundary(uint32_t *n_left, struct cutting *c, covey_span span, const struct boundary *at,
                                 covey_error *err)
{
    const uint32_t *unit = c->unit + span.start;
    struct sizes side[2];
    int broken = -1;

    *n_left = 0;
    part(side, c, span, at);
    if (!is_large_enough(c, &side[0]) || !is_large_enough(c, &side[1]))
        return COVEY_OK;
    if (!c->sizes_suffice && !c->asks_later)
        COVEY_TRY(covey_i_unit_classes_judge_units(&broken, c->p, unit, side[0].n, err));
    if (!c->sizes_suffice && !c->asks_later && broken < 0)
        COVEY_TRY(covey_i_unit_classes_judge_units(&broken, c->p, unit + side[0].n, side[1].n, err));
    if (broken < 0)
        *n_left = side[0].n;
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

/* cost[i] receives what the first i + 1 units lose as one class; INFINITY: they cannot be one. */
static void add_up(double *cost, struct cutting *c, const struct mark *mark, uint32_t n, int step)
{
    struct sizes sizes = {0};
    double loss = 0;

    empty_box(c, c->half);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = mark[(ptrdiff_t)i * step].at;

        add_size(&sizes, c->n_rows[at]);
        if (widen(c, c->half, at))
            loss = loss_of(c, c->half);
        cost[i] = is_large_enough(c, &sizes) ? loss * (double)sizes.rows : INFINITY;
    }
}

static size_t list_boundaries(struct boundary *out, struct cutting *c, covey_span span, size_t axis)
{
    struct mark mark[FEW];
    double left[FEW], right[FEW];
    size_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const struct mark own = {middle_at(c, span.start + i, axis), span.start + i};
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

/* Middles of a span in ascending order, each as middle * 2^32 + rows; those of many units are counted, so that there is
 * one of each. */
static uint32_t list_middles(struct cutting *c, covey_span span, size_t axis)
{
    const uint64_t low = 2 * (uint64_t)c->box[axis], high = 2 * (uint64_t)c->box[c->d + axis];
    uint32_t n = 0;

    if (high - low < span.n) {
        for (uint32_t i = 0; i < span.n; i++) {
            const uint32_t at = span.start + i;

            c->rows_of[middle_at(c, at, axis) - low] += c->n_rows[at];
        }
        for (uint64_t m = 0; m <= high - low; m++) {
            if (c->rows_of[m] > 0)
                c->key[n++] = (m + low) << 32 | c->rows_of[m];
            c->rows_of[m] = 0;
        }
        return n;
    }
    for (uint32_t i = 0; i < span.n; i++) {
        const uint32_t at = span.start + i;

        c->key[i] = middle_at(c, at, axis) << 32 | c->n_rows[at];
    }
    covey_i_sort_u64(c->key, c->key_two, span.n, 64);
    for (uint32_t i = 0; i < span.n; i++)
        if (n > 0 && c->key[n - 1] >> 32 == c->key[i] >> 32)
            c->key[n - 1] += c->key[i] & UINT32_MAX;
        else
            c->key[n++] = c->key[i];
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
        out[n_out++] = (struct boundary){axis, c->key[right++] >> 32, 0};
    while (n_out < AXIS_TRIES && (left > 0 || right + 1 < n)) {
        if (left > 0)
            out[n_out++] = (struct boundary){axis, c->key[--left] >> 32, 0};
        if (n_out < AXIS_TRIES && right + 1 < n)
            out[n_out++] = (struct boundary){axis, c->key[right++] >> 32, 0};
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
    int64_t rows = 0;

    *n_left = 0;
    empty_box(c, c->box);
    for (uint32_t i = 0; i < span.n; i++) {
        widen(c, c->box, span.start + i);
        rows += c->n_rows[span.start + i];
    }
    if (span.n < 2 * c->least_units || rows < 2 * c->least_rows)
        return COVEY_OK;
    for (size_t a = 0; a < c->d; a++)
        c->loss[a] = loss_on(c, c->box, a);
    return span.n <= FEW ? cut_few(n_left, c, span, err) : cut_many(n_left, c, span, err);
}

static covey_status new_cutting(struct cutting *c, covey_unit_classes *p, covey_error *err)
{
    covey_units_run *r = p->r;
    const covey_promises *promises = &r->problem->promises;
    uint64_t most = 0;

    *c = (struct cutting){.p = p,
                          .r = r,
                          .d = r->problem->n_axes,
                          .least_rows = covey_i_promises_min_size(promises),
                          .least_units = 1,
                          .share_k = covey_i_units_largest_k(promises),
                          .sizes_suffice = true};
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const int64_t k = covey_i_units_least_rows(promise);

        if (promise->units != COVEY_UNITS_ROWS && k > c->least_units)
            c->least_units = k;
        c->sizes_suffice &= promise->view < 0 && k > 0 && !(covey_i_promise_traits(promise) & COVEY_MODEL_RANGES);
    }
    for (size_t a = 0; a < c->d; a++)
        most = r->problem->axis[a].n_values > most ? r->problem->axis[a].n_values : most;
    most = 2 * most < r->n_units ? 2 * most : r->n_units;
    c->unit = covey_arena_array(&r->arena, uint32_t, r->n_units);
    c->n_rows = covey_arena_array(&r->arena, uint32_t, r->n_units);
    c->box_at = covey_arena_array(&r->arena, uint32_t, r->n_units * 2 * c->d);
    c->open = covey_arena_array(&r->arena, covey_span, (size_t)r->n_units + 1);
    c->box = covey_arena_array(&r->arena, uint32_t, 2 * c->d);
    c->half = covey_arena_array(&r->arena, uint32_t, 2 * c->d);
    c->weight = covey_arena_array(&r->arena, double, c->d);
    c->loss = covey_arena_array(&r->arena, double, c->d);
    c->key = covey_arena_array(&r->arena, uint64_t, r->n_units);
    c->key_two = covey_arena_array(&r->arena, uint64_t, r->n_units);
    c->rows_of = covey_arena_array_zero(&r->arena, uint64_t, most + 1);
    if (!c->unit || !c->n_rows || !c->box_at || !c->open || !c->box || !c->half || !c->weight || !c->loss || !c->key ||
        !c->key_two || !c->rows_of)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < c->d; a++)
        c->weight[a] = covey_ratio_value(r->problem->axis[a].weight) / (double)r->problem->axis[a].loss_den;
    return COVEY_OK;
}

static void enter_unit(struct cutting *c, uint32_t at, uint32_t unit)
{
    c->unit[at] = unit;
    c->n_rows[at] = covey_i_unit_rows(c->r, unit);
    memcpy(c->box_at + (size_t)at * 2 * c->d, c->r->box + (size_t)unit * 2 * c->d, 2 * c->d * sizeof *c->box_at);
}

/* Cuts a class; each half is judged. */
static covey_status cut_class(uint32_t *class_of_unit, uint32_t *n_classes, struct cutting *c, covey_span span,
                              covey_error *err)
{
    c->open[0] = span;
    c->n_open = 1;
    while (c->n_open > 0) {
        uint32_t n_left;

        span = c->open[--c->n_open];
        if ((c->n_done++ & 0xff) == 0)
            COVEY_TRY(covey_i_run_goes_on(c->r->run, "cut units", span.start, c->r->n_units, err));
        COVEY_TRY(cut_span(&n_left, c, span, err));
        if (n_left > 0) {
            c->open[c->n_open++] = (covey_span){span.start + n_left, span.n - n_left};
            c->open[c->n_open++] = (covey_span){span.start, n_left};
            continue;
        }
        for (uint32_t i = 0; i < span.n; i++)
            class_of_unit[c->unit[span.start + i]] = *n_classes;
        ++*n_classes;
    }
    return COVEY_OK;
}

/* Cuts many units before they are judged: where all that comes of it can be classes, so could whatever was cut.  Where
 * it cannot, the cut is undone, and what is a class is cut anew.  *is_kept: these units are in classes. */
static covey_status cut_and_ask(bool *is_kept, uint32_t *class_of_unit, uint32_t *n_classes, struct cutting *c,
                                covey_span span, covey_error *err)
{
    const uint32_t n_before = *n_classes;
    uint32_t n_left = 0;
    int broken;

    if (span.n > MANY && !c->sizes_suffice) {
        c->asks_later = true;
        COVEY_TRY(cut_span(&n_left, c, span, err));
        c->asks_later = false;
    }
    if (n_left > 0) {
        const covey_span left = {span.start, n_left}, right = {span.start + n_left, span.n - n_left};

        COVEY_TRY(cut_and_ask(is_kept, class_of_unit, n_classes, c, left, err));
        if (*is_kept)
            COVEY_TRY(cut_and_ask(is_kept, class_of_unit, n_classes, c, right, err));
        if (*is_kept)
            return COVEY_OK;
        *n_classes = n_before;
    }
    COVEY_TRY(covey_i_unit_classes_judge_units(&broken, c->p, c->unit + span.start, span.n, err));
    *is_kept = broken < 0;
    return *is_kept ? cut_class(class_of_unit, n_classes, c, span, err) : COVEY_OK;
}

covey_status covey_i_unit_classes_cut(uint32_t *class_of_unit, uint32_t *n_classes, covey_unit_classes *p,
                                      covey_error *err)
{
    struct cutting *c = covey_arena_array(&p->r->arena, struct cutting, 1);
    uint32_t n_units = 0;
    bool is_kept;

    *n_classes = 0;
    if (!c)
        return covey_i_no_memory(err);
    COVEY_TRY(new_cutting(c, p, err));
    memset(class_of_unit, 0xff, p->r->n_units * sizeof *class_of_unit);
    for (uint32_t k = p->first; k != COVEY_NO_CLASS; k = p->class[k].following) {
        const covey_span span = {n_units, p->class[k].n_units};

        for (uint32_t u = p->class[k].first; u != COVEY_NO_CLASS; u = p->next[u])
            enter_unit(c, n_units++, u);
        if (span.n > MANY)
            COVEY_TRY(cut_and_ask(&is_kept, class_of_unit, n_classes, c, span, err));
        else
            COVEY_TRY(cut_class(class_of_unit, n_classes, c, span, err));
    }
    return COVEY_OK;
}
