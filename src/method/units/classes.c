/* Classes of units: judged with all their rows, and joined where they fail. */
#include "method/units/classes.h"

#include <math.h>

#include "base/error.h"
#include "base/run.h"
#include "table/table_impl.h"

enum {
    ALL_NEIGHBOURS = 2048, /* classes among which all are looked at */
    NEAR_NEIGHBOURS = 64   /* on each side, among more */
};

static void add_hulls(covey_unit_classes *p)
{
    for (uint32_t h = 0; h < p->items.n; h++) {
        covey_unit_class *class = &p->class[p->items.class[h]];

        p->next[h] = COVEY_NO_CLASS;
        if (class->n_hulls++ == 0)
            class->first = h;
        else
            p->next[class->last] = h;
        class->last = h;
    }
    for (uint32_t u = 0; u < p->r->n_units; u++) {
        const uint32_t n_rows = p->r->n_rows[u];

        covey_i_unit_sizes_add(&p->class[p->class_of_unit[u]].sizes, 1, n_rows, n_rows);
    }
}

/* Links the classes that have any. */
static void link_classes(covey_unit_classes *p)
{
    uint32_t last = COVEY_NO_CLASS;

    p->first = COVEY_NO_CLASS;
    p->n_left = 0;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        covey_unit_class *class = &p->class[c];

        if ((class->is_gone = class->n_hulls == 0))
            continue;
        class->previous = last;
        class->following = COVEY_NO_CLASS;
        if (last == COVEY_NO_CLASS)
            p->first = c;
        else
            p->class[last].following = c;
        last = c;
        p->n_left++;
    }
}

covey_status covey_i_unit_classes_new(covey_unit_classes *p, covey_units_run *r, const uint32_t *class_of_unit,
                                      uint32_t n_classes, covey_error *err)
{
    const covey_problem *problem = r->problem;
    covey_arena *arena = &r->arena;

    *p = (covey_unit_classes){.r = r, .class_of_unit = class_of_unit, .n_classes = n_classes};
    COVEY_TRY(covey_i_unit_items_new(&p->items, r, class_of_unit, n_classes, err));
    p->class = covey_arena_array_zero(arena, covey_unit_class, n_classes);
    p->box = covey_arena_array(arena, uint32_t, n_classes * 2 * problem->n_axes);
    p->next = covey_arena_array(arena, uint32_t, p->items.n);
    if (!p->class || !p->box || !p->next)
        return covey_i_no_memory(err);
    add_hulls(p);
    link_classes(p);
    if (r->sizes_suffice)
        return COVEY_OK;
    COVEY_TRY(covey_i_unit_values_new(&p->values, r, &p->items, err));
    return covey_i_unit_verdict_new(&p->verdict, &p->values, arena, err);
}

covey_status covey_i_unit_classes_judge(int *broken, covey_unit_classes *p, uint32_t c, covey_error *err)
{
    const covey_unit_class *class = &p->class[c];

    if (p->r->sizes_suffice) {
        *broken = covey_i_unit_sizes_broken(&p->r->problem->promises, &class->sizes);
        return COVEY_OK;
    }
    covey_i_unit_verdict_begin(&p->verdict);
    for (uint32_t h = class->first; class->n_hulls > 0 && h != COVEY_NO_CLASS; h = p->next[h])
        covey_i_unit_verdict_add(&p->verdict, h);
    return covey_i_unit_verdict_end(broken, &p->verdict, &class->sizes, err);
}

/* What it costs to publish two classes with one box. */
static double cost_of_joining(const covey_unit_classes *p, uint32_t a, uint32_t b)
{
    const covey_problem *problem = p->r->problem;
    const size_t d = problem->n_axes;
    const uint32_t *box_a = p->box + (size_t)a * 2 * d, *box_b = p->box + (size_t)b * 2 * d;
    const double n_a = (double)p->class[a].sizes.n_rows, n_b = (double)p->class[b].sizes.n_rows;
    double cost = 0;

    for (size_t i = 0; i < d; i++) {
        const covey_axis *axis = &problem->axis[i];
        const uint32_t low = box_a[i] < box_b[i] ? box_a[i] : box_b[i],
                       high = box_a[d + i] > box_b[d + i] ? box_a[d + i] : box_b[d + i];
        const double weight = covey_ratio_value(axis->weight) / (double)axis->loss_den;

        cost += weight * ((double)covey_i_axis_loss(axis, low, high) * (n_a + n_b) -
                          (double)covey_i_axis_loss(axis, box_a[i], box_a[d + i]) * n_a -
                          (double)covey_i_axis_loss(axis, box_b[i], box_b[d + i]) * n_b);
    }
    return cost;
}

/* Classes are numbered in the order of what they publish, more or less, so that near ones are mostly near. */
static uint32_t find_partner(const covey_unit_classes *p, uint32_t c)
{
    const bool all = p->n_left <= ALL_NEIGHBOURS;
    uint32_t best = COVEY_NO_CLASS, left = p->class[c].previous, right = p->class[c].following;
    double least = INFINITY;

    for (uint32_t n = 0; (left != COVEY_NO_CLASS || right != COVEY_NO_CLASS) && (all || n < NEAR_NEIGHBOURS); n++) {
        const uint32_t sides[] = {left, right};

        for (int s = 0; s < 2; s++) {
            const double cost = sides[s] != COVEY_NO_CLASS ? cost_of_joining(p, c, sides[s]) : INFINITY;

            if (sides[s] != COVEY_NO_CLASS && (best == COVEY_NO_CLASS || cost < least)) {
                least = cost;
                best = sides[s];
            }
        }
        left = left != COVEY_NO_CLASS ? p->class[left].previous : COVEY_NO_CLASS;
        right = right != COVEY_NO_CLASS ? p->class[right].following : COVEY_NO_CLASS;
    }
    return best;
}

void covey_i_unit_classes_unlink(covey_unit_classes *p, uint32_t c)
{
    covey_unit_class *class = &p->class[c];

    if (class->previous != COVEY_NO_CLASS)
        p->class[class->previous].following = class->following;
    else
        p->first = class->following;
    if (class->following != COVEY_NO_CLASS)
        p->class[class->following].previous = class->previous;
    class->is_gone = true;
    p->n_left--;
}

/* Puts class b into class a. */
static void join(covey_unit_classes *p, uint32_t a, uint32_t b)
{
    const size_t d = p->r->problem->n_axes;
    uint32_t *box_a = p->box + (size_t)a * 2 * d, *box_b = p->box + (size_t)b * 2 * d;
    covey_unit_class *into = &p->class[a], *from = &p->class[b];

    if (into->n_hulls == 0)
        into->first = from->first;
    else if (from->n_hulls > 0)
        p->next[into->last] = from->first;
    if (from->n_hulls > 0)
        into->last = from->last;
    into->n_hulls += from->n_hulls;
    covey_i_unit_sizes_join(&into->sizes, &from->sizes);
    for (size_t i = 0; i < d; i++) {
        box_a[i] = box_b[i] < box_a[i] ? box_b[i] : box_a[i];
        box_a[d + i] = box_b[d + i] > box_a[d + i] ? box_b[d + i] : box_a[d + i];
    }
    covey_i_unit_classes_unlink(p, b);
}

/* The boxes of classes, once one is to be joined with another. */
static void find_boxes(covey_unit_classes *p)
{
    const covey_units_run *r = p->r;
    const size_t d = r->problem->n_axes;

    p->has_boxes = true;
    for (size_t i = 0; i < p->n_classes * 2 * d; i++)
        p->box[i] = i / d % 2 ? 0 : UINT32_MAX;
    for (size_t a = 0; a < d; a++)
        for (uint32_t u = 0; u < r->n_units; u++) {
            const uint32_t low = covey_i_code(r->axis[a].low, u), high = covey_i_code(r->axis[a].high, u);
            uint32_t *box = p->box + (size_t)p->class_of_unit[u] * 2 * d + a;

            box[0] = low < box[0] ? low : box[0];
            box[d] = high > box[d] ? high : box[d];
        }
}

covey_status covey_i_unit_classes_join(int *broken, covey_unit_classes *p, covey_error *err)
{
    int64_t done = 0;

    *broken = -1;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        uint32_t at = c;

        if ((c & 0xfff) == 0)
            COVEY_TRY(covey_i_run_goes_on(p->r->run, "join units", done, p->n_classes, err));
        done++;
        while (!p->class[at].is_gone && !p->class[at].is_kept) {
            uint32_t partner;

            COVEY_TRY(covey_i_unit_classes_judge(broken, p, at, err));
            if (*broken < 0) {
                p->class[at].is_kept = true;
                break;
            }
            if (!p->has_boxes)
                find_boxes(p);
            if ((partner = find_partner(p, at)) == COVEY_NO_CLASS)
                return COVEY_OK;
            /* The larger one takes the other in: it has a box that hardly changes. */
            join(p, partner, at);
            p->class[partner].is_kept = false;
            at = partner;
        }
    }
    *broken = -1;
    return COVEY_OK;
}
