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

/* One end of a hull on an axis, as a number that is smaller the further out it lies. */
typedef int16_t end_code;
enum { FIRST_END = INT16_MIN, LAST_END = INT16_MAX, AXIS_BITS = 16 };

/* A hull, which moves along with what it is looked at for; its ends follow: [2 * d] the low ones, then the high ones.
 */
struct item {
    uint32_t hull, n_units, n_rows, most;
    end_code end[];
};

struct cutting {
    covey_unit_classes *p;
    const covey_units_run *r;
    size_t d, item_size;
    int64_t least_rows, least_units, share_k; /* of a class */
    bool asks_later;                          /* halves are not judged now */
    char *item;                               /* [n_hulls] items of item_size bytes */
    char *other;                              /* [n_hulls] room for halves */
    uint32_t *hull;                           /* [n_hulls] scratch */
    int *shift;                               /* [d] of codes of axes that are wider than ends */
    uint32_t n_done;
    covey_span *open; /* spans of items that are to be cut */
    uint32_t n_open;
    end_code *box, *half; /* [2 * d] scratch */
    double *weight;       /* [d] of the axis, per unit of its losses */
    double *loss;         /* [d] */
    uint64_t *key;        /* [n_hulls] */
    uint64_t *rows_of;    /* [2 << AXIS_BITS] all 0 between uses */
    struct boundary few[FEW * FEW];
};

static struct item *item_at(const struct cutting *c, uint32_t at)
{
    return (struct item *)(void *)(c->item + (size_t)at * c->item_size);
}

/* Twice the middle, of ends of AXIS_BITS. */
static uint32_t middle_of(const end_code *end, size_t d, size_t axis)
{
    return (uint32_t)(end[axis] - end[d + axis] + LAST_END - FIRST_END);
}

static uint32_t low_of(const struct cutting *c, const end_code *box, size_t axis)
{
    return (uint32_t)(box[axis] - FIRST_END) << c->shift[axis];
}

static uint32_t high_of(const struct cutting *c, const end_code *box, size_t axis)
{
    const uint32_t last = c->r->problem->axis[axis].n_values - 1,
                   high = (((uint32_t)(LAST_END - box[c->d + axis]) + 1) << c->shift[axis]) - 1;

    return high < last ? high : last;
}

static void empty_box(struct cutting *c, end_code *box)
{
    for (size_t e = 0; e < 2 * c->d; e++)
        box[e] = LAST_END;
}

static void widen(end_code *box, const end_code *end, size_t n_ends)
{
    for (size_t e = 0; e < n_ends; e++)
        box[e] = end[e] < box[e] ? end[e] : box[e];
}

static double loss_on(const struct cutting *c, const end_code *box, size_t axis)
{
    return c->weight[axis] *
           (double)covey_i_axis_loss(&c->r->problem->axis[axis], low_of(c, box, axis), high_of(c, box, axis));
}

static double loss_of(const struct cutting *c, const end_code *box)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += loss_on(c, box, a);
    return loss;
}

/* --- may it be a class? --- */

static void add_item(covey_unit_sizes *s, const struct item *item)
{
    covey_i_unit_sizes_add(s, item->n_units, item->n_rows, item->most);
}

/* What is told by numbers alone, which is quick. */
static bool is_large_enough(const struct cutting *c, const covey_unit_sizes *s)
{
    return s->n_units >= c->least_units && s->n_rows >= c->least_rows &&
           (c->share_k == 0 || s->most <= s->n_rows / c->share_k);
}

/* Puts the items of a span with a middle up to the boundary's in front of the others; how many they are.  Each is
 * written to both sides, for which of them it belongs to is not foretold. */
static uint32_t part(covey_unit_sizes side[2], struct cutting *c, covey_span span, const struct boundary *at)
{
    const size_t n_words = c->item_size / sizeof(uint64_t);
    const uint64_t *from = (const uint64_t *)(void *)item_at(c, span.start), *end = from + span.n * n_words;
    uint64_t *to[2] = {(uint64_t *)(void *)item_at(c, span.start), (uint64_t *)(void *)c->other};
    uint32_t n_right;

    side[0] = side[1] = (covey_unit_sizes){0};
    for (; from < end; from += n_words) {
        const struct item *item = (const struct item *)(const void *)from;
        const bool right = middle_of(item->end, c->d, at->axis) > at->middle;

        add_item(&side[right], item);
        for (size_t w = 0; w < n_words; w++) {
            const uint64_t word = from[w];

            to[0][w] = word;
            to[1][w] = word;
        }
        to[right] += n_words;
    }
    n_right = (uint32_t)((size_t)(to[1] - (uint64_t *)(void *)c->other) / n_words);
    memcpy(to[0], c->other, n_right * c->item_size);
    return span.n - n_right;
}

static covey_status judge(int *broken, struct cutting *c, covey_span span, covey_error *err)
{
    for (uint32_t i = 0; i < span.n; i++)
        c->hull[i] = item_at(c, span.start + i)->hull;
    return covey_i_unit_classes_judge_hulls(broken, c->p, c->hull, span.n, err);
}

static covey_status try_boundary(uint32_t *n_left, struct cutting *c, covey_span span, const struct boundary *at,
                                 covey_error *err)
{
    const bool asks = !c->r->sizes_suffice && !c->asks_later;
    covey_unit_sizes side[2];
    const uint32_t n = part(side, c, span, at);
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

    empty_box(c, c->half);
    for (uint32_t i = 0; i < n; i++) {
        const struct item *item = item_at(c, mark[(ptrdiff_t)i * step].at);

        add_item(&sizes, item);
        widen(c->half, item->end, 2 * c->d);
        cost[i] = is_large_enough(c, &sizes) ? loss_of(c, c->half) * (double)sizes.n_rows : INFINITY;
    }
}

static size_t list_boundaries(struct boundary *out, struct cutting *c, covey_span span, size_t axis)
{
    struct mark mark[FEW];
    double left[FEW], right[FEW];
    size_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const struct mark own = {middle_of(item_at(c, span.start + i)->end, c->d, axis), span.start + i};
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

    covey_i_sort_u64(c->key, (uint64_t *)(void *)c->other, n, AXIS_BITS + 1);
    for (uint32_t i = 0; i < n; i++)
        if (n_out == 0 || c->key[n_out - 1] != c->key[i])
            c->key[n_out++] = c->key[i];
    return n_out;
}

/* Middles of a span in ascending order, each once, as middle * 2^32 + rows.  Those of few are sorted, of many counted.
 */
static uint32_t list_middles(struct cutting *c, covey_span span, size_t axis)
{
    const uint32_t low = (uint32_t)(2 * (c->box[axis] - FIRST_END)),
                   high = (uint32_t)(2 * (LAST_END - c->box[c->d + axis]));
    uint32_t n = 0;

    for (uint32_t i = 0; i < span.n; i++) {
        const struct item *item = item_at(c, span.start + i);

        c->rows_of[middle_of(item->end, c->d, axis)] += item->n_rows;
    }
    if (high - low < COUNTED * span.n) {
        for (uint32_t m = low; m <= high; m++)
            if (c->rows_of[m] > 0)
                c->key[n++] = m;
    } else {
        for (uint32_t i = 0; i < span.n; i++)
            c->key[n++] = middle_of(item_at(c, span.start + i)->end, c->d, axis);
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
    const size_t n_ends = 2 * c->d;
    covey_unit_sizes sizes = {0};

    *n_left = 0;
    empty_box(c, c->box);
    for (uint32_t i = 0; i < span.n; i++) {
        const struct item *item = item_at(c, span.start + i);

        widen(c->box, item->end, n_ends);
        add_item(&sizes, item);
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
                          .item_size = (sizeof(struct item) + 2 * d * sizeof(end_code) + 7) / 8 * 8,
                          .least_rows = covey_i_promises_min_size(promises),
                          .least_units = 1,
                          .share_k = covey_i_units_largest_k(promises)};
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const int64_t k = covey_i_units_least_rows(promise);

        if (promise->units != COVEY_UNITS_ROWS && k > c->least_units)
            c->least_units = k;
    }
    c->item = covey_arena_alloc(&r->arena, r->n_hulls, c->item_size);
    c->other = covey_arena_alloc(&r->arena, r->n_hulls, c->item_size);
    c->hull = covey_arena_array(&r->arena, uint32_t, r->n_hulls);
    c->shift = covey_arena_array_zero(&r->arena, int, d);
    c->open = covey_arena_array(&r->arena, covey_span, (size_t)r->n_hulls + 1);
    c->box = covey_arena_array(&r->arena, end_code, 2 * d);
    c->half = covey_arena_array(&r->arena, end_code, 2 * d);
    c->weight = covey_arena_array(&r->arena, double, d);
    c->loss = covey_arena_array(&r->arena, double, d);
    c->key = covey_arena_array(&r->arena, uint64_t, r->n_hulls);
    if (!c->item || !c->other || !c->hull || !c->shift || !c->open || !c->box || !c->half || !c->weight || !c->loss ||
        !c->key)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++) {
        const covey_axis *axis = &r->problem->axis[a];

        while (axis->n_values >> c->shift[a] > (uint32_t)1 << AXIS_BITS)
            c->shift[a]++;
        most = axis->n_values >> c->shift[a] > most ? axis->n_values >> c->shift[a] : most;
        c->weight[a] = covey_ratio_value(axis->weight) / (double)axis->loss_den;
    }
    c->rows_of = covey_arena_array_zero(&r->arena, uint64_t, 2 * (size_t)most + 1);
    return c->rows_of ? COVEY_OK : covey_i_no_memory(err);
}

static void enter_hull(struct cutting *c, uint32_t at, uint32_t hull)
{
    const covey_unit_sizes sizes = covey_i_hull_sizes(c->r, hull);
    const uint32_t unit = c->r->unit[c->r->first[hull]];
    struct item *item = item_at(c, at);

    *item = (struct item){hull, sizes.n_units, (uint32_t)sizes.n_rows, (uint32_t)sizes.most};
    for (size_t a = 0; a < c->d; a++) {
        item->end[a] = (end_code)(FIRST_END + (int)(covey_i_code(c->r->axis[a].low, unit) >> c->shift[a]));
        item->end[c->d + a] = (end_code)(LAST_END - (int)(covey_i_code(c->r->axis[a].high, unit) >> c->shift[a]));
    }
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
            class_of_hull[item_at(c, span.start + i)->hull] = *n_classes;
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

        for (uint32_t h = p->class[k].first; h != COVEY_NO_CLASS; h = p->next[h])
            enter_hull(c, n_hulls++, h);
        if (span.n > MANY && !p->r->sizes_suffice)
            COVEY_TRY(cut_and_ask(&is_kept, class_of_hull, n_classes, c, span, err));
        else
            COVEY_TRY(cut_class(class_of_hull, n_classes, c, span, err));
    }
    return COVEY_OK;
}
