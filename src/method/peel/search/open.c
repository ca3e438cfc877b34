/* Opening: all rows in a box that would gain by being a class of their own leave their classes for it.  Classes that
 * become too small fall apart, and what is left of them joins others.  All boxes of labels that can pay are looked at:
 * a box only loses rows and gains loss as it is fixed on one axis after the other, so most are ruled out early. */
#include "method/peel/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_OPENED = 512, MOST_FALLEN = 64, FEW_LABELS = 16 /* sorted one by one */ };

/* What a class would do if the box were opened. */
struct offer {
    int64_t gain; /* of its rows inside going there */
    uint32_t class;
    uint32_t n_inside;
    uint32_t n_taken; /* of them */
    bool dissolves;
};

/* The cells under one label. */
struct group {
    uint32_t n, begin;  /* cells, where the next one goes */
    uint32_t low, high; /* codes */
    int64_t rows;
    int64_t most; /* largest loss of a class with rows of them that search looks after */
};

struct opener {
    covey_peel *p;
    covey_arena arena;
    uint32_t *start;       /* [n_cells + 1] its rows */
    int64_t *most;         /* [n_cells] largest loss of a class with rows of it */
    int64_t *most_focused; /* [n_cells] the same, 0 for cells that search does not look after */
    uint32_t n_looks;      /* times that losses have changed */
    int64_t *elsewhere;    /* [n_rows] cost of joining another class; -1: not known */
    uint32_t *cell;        /* [n_axes + 1][n_cells] of the box so far */
    struct group *group;   /* [n_axes][most_labels] all zeros between uses */
    uint32_t *label;       /* [n_axes][most_labels] those that occur */
    size_t most_labels;
    uint32_t *stamp;     /* [capacity] of classes */
    uint32_t *row_stamp; /* [n_rows] */
    uint32_t *offer_of;  /* [capacity] */
    struct offer *offer;
    uint32_t n_offers;
    uint32_t n_stamp, capacity;
    int64_t gain;
};

static int64_t elsewhere(struct opener *o, uint32_t row)
{
    covey_peel *p = o->p;
    int64_t increase;

    if (o->elsewhere[row] >= 0)
        return o->elsewhere[row];
    covey_i_peel_target(p, &increase, row, p->class_of[row], 8 * COVEY_PEEL_UNIT * (int64_t)p->t->min_size);
    return o->elsewhere[row] = increase;
}

static void look_at_cell(struct opener *o, uint32_t cell)
{
    const covey_peel *p = o->p;

    o->n_looks++;
    o->most[cell] = 0;
    for (uint32_t r = o->start[cell]; r < o->start[cell + 1]; r++) {
        const int64_t loss = p->class[p->class_of[r]].loss;

        o->most[cell] = loss > o->most[cell] ? loss : o->most[cell];
    }
    o->most_focused[cell] = covey_i_peel_is_focused(p, o->start[cell]) ? o->most[cell] : 0;
}

static covey_status set_up(struct opener *o, covey_error *err)
{
    const covey_peel_table *t = o->p->t;
    const uint32_t n = t->n_cells;

    for (size_t a = 0; a < t->n_axes; a++)
        for (size_t l = 0; l < t->ladder[a].n; l++)
            o->most_labels =
                t->ladder[a].level[l].n_labels > o->most_labels ? t->ladder[a].level[l].n_labels : o->most_labels;
    o->capacity = o->p->n_classes * 2 + 1024;
    o->start = covey_arena_array(&o->arena, uint32_t, (size_t)n + 1);
    o->most = covey_arena_array(&o->arena, int64_t, n);
    o->most_focused = covey_arena_array(&o->arena, int64_t, n);
    o->elsewhere = covey_arena_array(&o->arena, int64_t, t->n_rows);
    o->cell = covey_arena_array(&o->arena, uint32_t, (size_t)n * (t->n_axes + 1));
    o->group = covey_arena_array_zero(&o->arena, struct group, o->most_labels * t->n_axes);
    o->label = covey_arena_array(&o->arena, uint32_t, o->most_labels * t->n_axes);
    o->offer_of = covey_arena_array(&o->arena, uint32_t, o->capacity);
    o->stamp = covey_arena_array_zero(&o->arena, uint32_t, o->capacity);
    o->row_stamp = covey_arena_array_zero(&o->arena, uint32_t, t->n_rows);
    o->offer = covey_arena_array(&o->arena, struct offer, o->capacity);
    if (!o->start || !o->most || !o->most_focused || !o->elsewhere || !o->cell || !o->group || !o->label ||
        !o->offer_of || !o->stamp || !o->row_stamp || !o->offer)
        return covey_i_no_memory(err);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (r == 0 || t->cell[r] != t->cell[r - 1])
            o->start[t->cell[r]] = r;
        o->elsewhere[r] = -1;
    }
    o->start[n] = t->n_rows;
    for (uint32_t c = 0; c < n; c++)
        look_at_cell(o, c);
    return COVEY_OK;
}

/* Collects the classes with rows in the box. */
static void collect_offers(struct opener *o, const uint32_t *cell, uint32_t n, int64_t loss)
{
    const covey_peel *p = o->p;

    o->n_offers = 0;
    o->n_stamp++;
    for (uint32_t i = 0; i < n; i++) {
        if (o->most[cell[i]] <= loss)
            continue;
        for (uint32_t r = o->start[cell[i]]; r < o->start[cell[i] + 1]; r++) {
            const uint32_t c = p->class_of[r];

            if (c >= o->capacity || p->class[c].loss <= loss)
                continue;
            o->row_stamp[r] = o->n_stamp;
            if (o->stamp[c] != o->n_stamp) {
                o->stamp[c] = o->n_stamp;
                o->offer_of[c] = o->n_offers;
                o->offer[o->n_offers++] = (struct offer){.class = c};
            }
            o->offer[o->offer_of[c]].n_inside++;
        }
    }
}

/* Those who would not gain by it but could do without a row. */
static void collect_donors(struct opener *o, const uint32_t *cell, uint32_t n, int64_t loss, int64_t missing)
{
    const covey_peel *p = o->p;
    const int64_t least = p->t->min_size;

    for (uint32_t i = 0; i < n && missing > 0; i++)
        for (uint32_t r = o->start[cell[i]]; r < o->start[cell[i] + 1]; r++) {
            const uint32_t c = p->class_of[r];
            struct offer *offer;

            if (c >= o->capacity || p->class[c].n <= least || p->class[c].loss > loss)
                continue;
            o->row_stamp[r] = o->n_stamp;
            if (o->stamp[c] != o->n_stamp) {
                o->stamp[c] = o->n_stamp;
                o->offer_of[c] = o->n_offers;
                o->offer[o->n_offers++] = (struct offer){.class = c};
            }
            offer = &o->offer[o->offer_of[c]];
            offer->n_inside++;
            if (offer->n_taken < p->class[c].n - least) {
                offer->n_taken++;
                offer->gain += p->class[c].loss - loss;
            }
        }
}

/* Prices an offer. */
static void price_offer(struct opener *o, struct offer *offer, int64_t loss)
{
    covey_peel *p = o->p;
    const covey_peel_table *t = p->t;
    const covey_peel_class *class = &p->class[offer->class];
    const int64_t spare = (int64_t) class->n - t->min_size;
    int64_t partly, wholly;

    offer->dissolves = offer->n_inside == class->n;
    offer->n_taken = offer->n_inside;
    if (offer->dissolves) {
        offer->gain = class->n * (class->loss - loss);
        return;
    }
    offer->n_taken = spare <= 0 ? 0 : spare < offer->n_inside ? (uint32_t)spare : offer->n_inside;
    offer->gain = partly = offer->n_taken * (class->loss - loss);
    if (spare >= offer->n_inside || class->n > MOST_FALLEN)
        return;
    wholly = covey_i_peel_cost(p, offer->class) - offer->n_inside * loss;
    for (uint32_t r = class->first; r != COVEY_PEEL_NONE && wholly > partly; r = p->next[r])
        if (o->row_stamp[r] != o->n_stamp)
            wholly -= elsewhere(o, r);
    if (wholly > partly) {
        offer->gain = wholly;
        offer->n_taken = offer->n_inside;
        offer->dissolves = true;
    }
}

/* Most per row first: every offer takes a row at least, and no two are of one class.  Gains have up to 62 bits,
 * rows 32. */
static int compare_offers(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    const covey_i128 gx = (covey_i128)x->gain * y->n_taken, gy = (covey_i128)y->gain * x->n_taken;

    if (gx != gy)
        return gx > gy ? -1 : 1;
    return x->class < y->class ? -1 : x->class > y->class;
}

struct journal {
    uint32_t row[MOST_OPENED], from[MOST_OPENED], n;
    int64_t cost;
};

static bool go(covey_peel *p, struct journal *j, uint32_t row, uint32_t to)
{
    const uint32_t from = p->class_of[row];

    if (j->n == MOST_OPENED)
        return false;
    j->cost -= covey_i_peel_cost(p, from) + covey_i_peel_cost(p, to);
    covey_i_peel_move(p, row, to);
    j->cost += covey_i_peel_cost(p, from) + covey_i_peel_cost(p, to);
    j->row[j->n] = row;
    j->from[j->n++] = from;
    return true;
}

static bool carry_out_offer(struct opener *o, struct journal *j, const struct offer *offer, uint32_t c, uint32_t most)
{
    covey_peel *p = o->p;
    const covey_peel_table *t = p->t;
    uint32_t n_left = offer->dissolves ? offer->n_inside : offer->n_taken < most ? offer->n_taken : most, next;

    for (uint32_t r = p->class[offer->class].first; r != COVEY_PEEL_NONE && n_left > 0; r = next) {
        next = p->next[r];
        if (o->row_stamp[r] != o->n_stamp || (!offer->dissolves && !covey_i_peel_can_lose(p, r)))
            continue;
        if (!go(p, j, r, c))
            return false;
        n_left--;
    }
    if (!offer->dissolves)
        return true;
    while (p->class[offer->class].n > 0) {
        const uint32_t r = p->class[offer->class].first;
        int64_t increase, join = (p->class[c].n + 1) * covey_i_peel_class_loss_with(p, c, covey_i_peel_codes(t, r)) -
                                 covey_i_peel_cost(p, c);
        const uint32_t target = covey_i_peel_target(p, &increase, r, offer->class, join);

        o->elsewhere[r] = -1;
        if (!go(p, j, r, target == COVEY_PEEL_NONE ? c : target))
            return false;
    }
    return true;
}

/* Opens a box if that pays. */
static covey_status consider(struct opener *o, const uint32_t *cell, uint32_t n_cells, int64_t loss, covey_error *err)
{
    covey_peel *p = o->p;
    const covey_peel_table *t = p->t;
    struct journal j = {.n = 0};
    int64_t sum = 0, size = 0;
    uint32_t n = 0, n_classes = p->n_classes, c;
    bool ok = true;

    collect_offers(o, cell, n_cells, loss);
    p->work += n_cells + o->n_offers * 4;
    for (uint32_t i = 0; i < o->n_offers; i++) {
        price_offer(o, &o->offer[i], loss);
        if (o->offer[i].n_taken == 0 || o->offer[i].gain <= 0)
            continue;
        sum += o->offer[i].gain;
        size += o->offer[i].n_taken;
        o->offer[n++] = o->offer[i];
    }
    if (sum <= -p->tau || size > MOST_OPENED || p->n_classes >= o->capacity)
        return COVEY_OK;
    if (size < t->min_size) {
        if (sum - (t->min_size - size) * loss <= -p->tau && t->min_size - size > 3)
            return COVEY_OK;
        o->n_offers = n;
        collect_donors(o, cell, n_cells, loss, t->min_size - size);
        qsort(o->offer + n, o->n_offers - n, sizeof *o->offer, compare_offers);
        for (uint32_t i = n; i < o->n_offers && size < t->min_size; i++) {
            const int64_t take = o->offer[i].n_taken < t->min_size - size ? o->offer[i].n_taken : t->min_size - size;

            sum += o->offer[i].gain / o->offer[i].n_taken * take;
            size += take;
            n++;
        }
        if (size < t->min_size || sum <= -p->tau)
            return COVEY_OK;
    }
    if ((c = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n && ok; i++) {
        const int64_t missing = t->min_size - (int64_t)p->class[c].n;

        ok = carry_out_offer(o, &j, &o->offer[i], c,
                             o->offer[i].gain > 0 ? UINT32_MAX
                             : missing > 0        ? (uint32_t)missing
                                                  : 0);
    }
    if (ok && j.cost < p->tau && covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE)) {
        o->gain -= j.cost;
        for (uint32_t i = 0; i < j.n; i++) {
            look_at_cell(o, t->cell[j.row[i]]);
            o->elsewhere[j.row[i]] = -1;
        }
        return covey_i_peel_index_refresh(p, j.n, err);
    }
    for (uint32_t i = j.n; i-- > 0;)
        covey_i_peel_move(p, j.row[i], j.from[i]);
    p->n_classes = n_classes;
    return COVEY_OK;
}

/* What is known of the cells of a box, by their labels on an axis.  Returns how many labels there are, ascending in
 * label[]. */
static uint32_t sum_up(struct opener *o, struct group *group, uint32_t *label, const covey_peel_level *level,
                       uint32_t axis, const uint32_t *cell, uint32_t n)
{
    const size_t d = o->p->t->width;
    const uint32_t *codes = o->p->t->codes + axis;
    uint32_t n_labels = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = codes[(size_t)cell[i] * d];
        struct group *g = &group[level->label[code]];

        if (g->n++ == 0) {
            *g = (struct group){.n = 1, .low = code, .high = code};
            label[n_labels++] = level->label[code];
        }
        g->low = code < g->low ? code : g->low;
        g->high = code > g->high ? code : g->high;
        g->rows += o->start[cell[i] + 1] - o->start[cell[i]];
        g->most = o->most_focused[cell[i]] > g->most ? o->most_focused[cell[i]] : g->most;
    }
    if (n_labels > FEW_LABELS) {
        n_labels = 0;
        for (uint32_t i = 0; i < level->n_labels; i++)
            if (group[i].n > 0)
                label[n_labels++] = i;
        return n_labels;
    }
    for (uint32_t i = 1; i < n_labels; i++) {
        const uint32_t own = label[i];
        uint32_t j = i;

        for (; j > 0 && label[j - 1] > own; j--)
            label[j] = label[j - 1];
        label[j] = own;
    }
    return n_labels;
}

/* Sorts the cells by their labels, as they stand in label[]; group->begin is then where the next label's begin. */
static void sort_cells(const struct opener *o, uint32_t *sorted, struct group *group, const uint32_t *label,
                       uint32_t n_labels, const covey_peel_level *level, uint32_t axis, const uint32_t *cell,
                       uint32_t n)
{
    const size_t d = o->p->t->width;
    const uint32_t *codes = o->p->t->codes + axis;
    uint32_t begin = 0;

    for (uint32_t i = 0; i < n_labels; i++) {
        group[label[i]].begin = begin;
        begin += group[label[i]].n;
    }
    for (uint32_t i = 0; i < n; i++)
        sorted[group[level->label[codes[(size_t)cell[i] * d]]].begin++] = cell[i];
}

/* Would any row gain if there were nothing but this loss? */
static bool would_gain(const struct opener *o, const uint32_t *cell, uint32_t n, int64_t loss)
{
    for (uint32_t i = 0; i < n; i++)
        if (o->most_focused[cell[i]] > loss)
            return true;
    return false;
}

static covey_status search_boxes(struct opener *o, size_t step, const uint32_t *cell, uint32_t n, int64_t loss,
                                 covey_error *err);

/* The boxes whose next axis is fixed at one level.  As long as nothing has been opened, what was summed up holds. */
static covey_status search_level(struct opener *o, size_t step, size_t l, const uint32_t *cell, uint32_t n,
                                 int64_t loss, covey_error *err)
{
    const covey_peel_table *t = o->p->t;
    const uint32_t a = t->index_axis[step], n_looks = o->n_looks;
    const covey_peel_level *level = &t->ladder[a].level[l], *finer = l > 0 ? level - 1 : NULL;
    struct group *group = o->group + step * o->most_labels;
    uint32_t *label = o->label + step * o->most_labels, *sorted = o->cell + (step + 1) * t->n_cells;
    const uint32_t n_labels = sum_up(o, group, label, level, a, cell, n);
    bool is_sorted = false;
    covey_status status = COVEY_OK;

    for (uint32_t i = 0; i < n_labels && status == COVEY_OK; i++) {
        const struct group *g = &group[label[i]];
        int64_t now;

        if (g->rows < t->min_size || (finer && finer->label[g->low] == finer->label[g->high]))
            continue;
        now = loss + covey_i_peel_loss(&t->axis[a], g->low, g->high);
        if (o->n_looks == n_looks && g->most <= now)
            continue;
        if (!is_sorted)
            sort_cells(o, sorted, group, label, n_labels, level, a, cell, n);
        is_sorted = true;
        if (o->n_looks == n_looks || would_gain(o, sorted + g->begin - g->n, g->n, now))
            status = search_boxes(o, step + 1, sorted + g->begin - g->n, g->n, now, err);
    }
    for (uint32_t i = 0; i < n_labels; i++)
        group[label[i]].n = 0;
    return status;
}

/* The cells of a box that is fixed on the first axes, which loses that much on them. */
static covey_status search_boxes(struct opener *o, size_t step, const uint32_t *cell, uint32_t n, int64_t loss,
                                 covey_error *err)
{
    covey_peel *p = o->p;
    const covey_peel_table *t = p->t;

    if (step == t->n_axes)
        return consider(o, cell, n, loss, err);
    for (size_t l = 0; l < t->ladder[t->index_axis[step]].n && p->work <= p->work_limit; l++) {
        p->work += n;
        COVEY_TRY(search_level(o, step, l, cell, n, loss, err));
    }
    return COVEY_OK;
}

covey_status covey_i_peel_pass_open(covey_peel *p, int64_t *gain, covey_error *err)
{
    struct opener o = {.p = p, .arena = COVEY_ARENA_INIT};
    covey_status status = covey_i_peel_index_build(p, err);
    uint32_t n = 0;

    if (status == COVEY_OK)
        status = set_up(&o, err);
    for (uint32_t c = 0; status == COVEY_OK && c < p->t->n_cells; c++)
        o.cell[n++] = c;
    if (status == COVEY_OK)
        status = search_boxes(&o, 0, o.cell, n, 0, err);
    *gain += o.gain;
    covey_arena_free(&o.arena);
    return status;
}
