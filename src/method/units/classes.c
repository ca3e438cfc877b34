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

static void widen(covey_unit_classes *p, uint32_t c, uint32_t unit)
{
    const size_t d = p->r->problem->n_axes;
    const uint32_t *of = p->r->box + (size_t)unit * 2 * d;
    uint32_t *box = p->box + (size_t)c * 2 * d;

    for (size_t a = 0; a < d; a++) {
        box[a] = of[a] < box[a] ? of[a] : box[a];
        box[d + a] = of[d + a] > box[d + a] ? of[d + a] : box[d + a];
    }
}

void covey_i_unit_classes_add(covey_unit_classes *p, uint32_t c, uint32_t unit)
{
    covey_unit_class *class = &p->class[c];

    p->next[unit] = COVEY_NO_CLASS;
    if (class->n_units++ == 0)
        class->first = unit;
    else
        p->next[class->last] = unit;
    class->last = unit;
    class->n_rows += p->r->start[unit + 1] - p->r->start[unit];
    widen(p, c, unit);
}

covey_status covey_i_unit_classes_new(covey_unit_classes *p, covey_units_run *r, uint32_t n_classes, covey_error *err)
{
    const covey_problem *problem = r->problem;
    covey_arena *arena = &r->arena;
    const size_t d = problem->n_axes;

    *p = (covey_unit_classes){.r = r, .n_classes = n_classes};
    p->class = covey_arena_array_zero(arena, covey_unit_class, n_classes);
    p->box = covey_arena_array(arena, uint32_t, n_classes * 2 * d);
    p->next = covey_arena_array(arena, uint32_t, r->n_units);
    p->rows = covey_arena_array(arena, uint32_t, problem->n_rows);
    if (!p->class || !p->box || !p->next || !p->rows)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n_classes * 2 * d; i++)
        p->box[i] = i / d % 2 ? 0 : UINT32_MAX;
    COVEY_TRY(covey_i_tally_new(&p->tally, &problem->promises, arena, err));
    return covey_i_unit_judge_new(&p->judge, &problem->promises, r->units, arena, err);
}

/* The first n of p->rows as one class. */
static covey_status judge_rows(int *broken, covey_unit_classes *p, uint32_t n, covey_error *err)
{
    const covey_promises *promises = &p->r->problem->promises;
    covey_unit_facts facts;

    covey_i_tally_clear(&p->tally);
    for (uint32_t i = 0; i < n; i++)
        covey_i_tally_add(&p->tally, promises, p->rows[i]);
    if ((*broken = covey_i_promises_broken(promises, &p->tally)) >= 0)
        return COVEY_OK;
    return covey_i_unit_judge_class(&facts, broken, p->judge, p->rows, n, err);
}

static uint32_t copy_rows(covey_unit_classes *p, uint32_t n, uint32_t unit)
{
    const covey_units_run *r = p->r;

    for (uint32_t i = r->start[unit]; i < r->start[unit + 1]; i++)
        p->rows[n++] = r->row[i];
    return n;
}

covey_status covey_i_unit_classes_judge(int *broken, covey_unit_classes *p, uint32_t c, covey_error *err)
{
    uint32_t n = 0;

    for (uint32_t u = p->class[c].first; p->class[c].n_units > 0 && u != COVEY_NO_CLASS; u = p->next[u])
        n = copy_rows(p, n, u);
    return judge_rows(broken, p, n, err);
}

covey_status covey_i_unit_classes_judge_units(int *broken, covey_unit_classes *p, const uint32_t *unit, uint32_t n,
                                              covey_error *err)
{
    uint32_t n_rows = 0;

    for (uint32_t i = 0; i < n; i++)
        n_rows = copy_rows(p, n_rows, unit[i]);
    return judge_rows(broken, p, n_rows, err);
}

/* What it costs to publish two classes with one box. */
static double cost_of_joining(const covey_unit_classes *p, uint32_t a, uint32_t b)
{
    const covey_problem *problem = p->r->problem;
    const size_t d = problem->n_axes;
    const uint32_t *box_a = p->box + (size_t)a * 2 * d, *box_b = p->box + (size_t)b * 2 * d;
    const double n_a = (double)p->class[a].n_rows, n_b = (double)p->class[b].n_rows;
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

    if (into->n_units == 0)
        into->first = from->first;
    else if (from->n_units > 0)
        p->next[into->last] = from->first;
    if (from->n_units > 0)
        into->last = from->last;
    into->n_units += from->n_units;
    into->n_rows += from->n_rows;
    for (size_t i = 0; i < d; i++) {
        box_a[i] = box_b[i] < box_a[i] ? box_b[i] : box_a[i];
        box_a[d + i] = box_b[d + i] > box_a[d + i] ? box_b[d + i] : box_a[d + i];
    }
    covey_i_unit_classes_unlink(p, b);
}

void covey_i_unit_classes_link(covey_unit_classes *p)
{
    uint32_t last = COVEY_NO_CLASS;

    p->first = COVEY_NO_CLASS;
    p->n_left = 0;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        covey_unit_class *class = &p->class[c];

        if ((class->is_gone = class->n_units == 0))
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
