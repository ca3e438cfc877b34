/* A bucket is cut into classes with one row for each value of its signature: in two again and again, as many rows of
 * every value on each side, along the axis that loses least.  [XiaoTao07] section 5.4.
 *
 * A value of which there are too few rows has rows that are made up.  These stand nowhere, so that they go to the side
 * where its other rows are not: the cut lies where it does for a value that has all of its rows. */
#include "method/m_invariance/m_invariance.h"

#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum {
    SMALL = 24,    /* classes: of so many or fewer, every axis is tried */
    FEW_TRIES = 2, /* axes, of more: those that lose most */
    PARTS = 32     /* the table is in so many pieces or more before they are cut apart from each other */
};

/* Classes that are still one: of each value of a signature rows at[] .. at[] + n[] - 1 of `pos`. */
struct part {
    uint32_t bucket, n_values;
    uint32_t n_classes, class; /* first of them */
    uint32_t first_made;       /* place of its made-up rows among all */
    uint32_t *at, *n;          /* [n_values] */
};

struct cutting {
    const covey_problem *problem;
    const covey_buckets *buckets;
    size_t d;
    uint32_t *row;  /* [rows in buckets] slot by slot */
    uint32_t *code; /* the same rows' [d] codes */
    uint32_t *pos;  /* a permutation of both, inside slots */
    uint64_t *key;  /* scratch for each place */
    uint32_t *class_of_row;
    covey_counterfeits *made;
    uint32_t n_parts;
    struct part *part;
    covey_run_poll poll;
};

static uint32_t rows_of(const struct part *p)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < p->n_values; v++)
        n += p->n[v];
    return n;
}

static uint32_t code_of(const struct cutting *c, uint32_t at, size_t axis)
{
    return c->code[(size_t)c->pos[at] * c->d + axis];
}

/* --- what a part loses --- */

static void find_box(uint32_t *low, uint32_t *high, const struct cutting *c, const struct part *p)
{
    memset(low, 0xff, c->d * sizeof *low);
    memset(high, 0, c->d * sizeof *high);
    for (uint32_t v = 0; v < p->n_values; v++)
        for (uint32_t i = p->at[v]; i < p->at[v] + p->n[v]; i++) {
            const uint32_t *code = c->code + (size_t)c->pos[i] * c->d;

            for (size_t a = 0; a < c->d; a++) {
                low[a] = code[a] < low[a] ? code[a] : low[a];
                high[a] = code[a] > high[a] ? code[a] : high[a];
            }
        }
}

static double axis_loss(const covey_axis *axis, uint32_t low, uint32_t high)
{
    return covey_ratio_value(axis->weight) * (double)covey_i_axis_loss(axis, low, high) / (double)axis->loss_den;
}

static double box_loss(const struct cutting *c, const uint32_t *low, const uint32_t *high)
{
    double loss = 0;

    for (size_t a = 0; a < c->d; a++)
        loss += axis_loss(&c->problem->axis[a], low[a], high[a]);
    return loss;
}

/* --- cutting --- */

/* Moves the k smallest of n different keys to the front (Hoare's selection). */
static void select_keys(uint64_t *key, uint32_t n, uint32_t k)
{
    uint32_t low = 0, high = n;

    while (high - low > 1 && k > low && k < high) {
        const uint64_t a = key[low], b = key[low + (high - low) / 2], z = key[high - 1];
        const uint64_t pivot = a < b ? (b < z ? b : a < z ? z : a) : (a < z ? a : b < z ? z : b);
        uint32_t i = low, j = high - 1;

        while (i <= j) {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i <= j) {
                const uint64_t other = key[i];

                key[i++] = key[j];
                key[j] = other;
                if (j == 0)
                    break;
                j--;
            }
        }
        if (k <= j)
            high = j + 1;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

/* The `left` smallest rows of a value on an axis come first. */
static void part_value(struct cutting *c, const struct part *p, uint32_t v, size_t axis, uint32_t left)
{
    uint64_t *key = c->key + p->at[v];

    for (uint32_t i = 0; i < p->n[v]; i++)
        key[i] = (uint64_t)code_of(c, p->at[v] + i, axis) << 32 | c->pos[p->at[v] + i];
    select_keys(key, p->n[v], left);
    for (uint32_t i = 0; i < p->n[v]; i++)
        c->pos[p->at[v] + i] = (uint32_t)key[i];
}

/* The largest code on the left of the values that have all of their rows: where the others are cut, too. */
static uint32_t cut_code(const struct cutting *c, const struct part *p, size_t axis, uint32_t n_left)
{
    uint32_t code = 0;

    for (uint32_t v = 0; v < p->n_values; v++)
        for (uint32_t i = 0; p->n[v] == p->n_classes && i < n_left; i++) {
            const uint32_t own = code_of(c, p->at[v] + i, axis);

            code = own > code ? own : code;
        }
    return code;
}

/* Cuts the part on the axis: left[v] receives how many rows of each value are on the left of n_left classes. */
static void cut(uint32_t *left, struct cutting *c, const struct part *p, size_t axis, uint32_t n_left)
{
    uint32_t code;

    for (uint32_t v = 0; v < p->n_values; v++)
        if (p->n[v] == p->n_classes)
            part_value(c, p, v, axis, left[v] = n_left);
    code = cut_code(c, p, axis, n_left);
    for (uint32_t v = 0; v < p->n_values; v++) {
        const uint32_t n_right = p->n_classes - n_left, least = p->n[v] > n_right ? p->n[v] - n_right : 0;
        uint32_t n = 0;

        if (p->n[v] == p->n_classes)
            continue;
        for (uint32_t i = p->at[v]; i < p->at[v] + p->n[v]; i++)
            n += code_of(c, i, axis) <= code;
        n = n < least ? least : n;
        part_value(c, p, v, axis, left[v] = n > n_left ? n_left : n);
    }
}

/* Both sides of a part that has been cut. */
static void make_sides(struct part side[2], const struct part *p, const uint32_t *left, uint32_t n_left)
{
    uint32_t n_rows = 0;

    side[0] = (struct part){p->bucket, p->n_values, n_left, p->class, p->first_made, side[0].at, side[0].n};
    side[1] = (struct part){p->bucket,  p->n_values, p->n_classes - n_left, p->class + n_left, p->first_made,
                            side[1].at, side[1].n};
    for (uint32_t v = 0; v < p->n_values; v++) {
        side[0].at[v] = p->at[v];
        side[0].n[v] = left[v];
        side[1].at[v] = p->at[v] + left[v];
        side[1].n[v] = p->n[v] - left[v];
        n_rows += left[v];
    }
    side[1].first_made += n_left * p->n_values - n_rows;
}

/* Axes to try, those that lose most first; returns how many. */
static size_t list_axes(size_t *axis, double *loss, const struct cutting *c, const struct part *p, uint32_t *low,
                        uint32_t *high)
{
    const size_t most = p->n_classes <= SMALL ? c->d : FEW_TRIES;
    size_t n = 0;

    find_box(low, high, c, p);
    for (size_t a = 0; a < c->d; a++) {
        const double own = axis_loss(&c->problem->axis[a], low[a], high[a]);
        size_t at = n;

        if (low[a] == high[a])
            continue;
        for (; at > 0 && loss[at - 1] < own; at--) {
            axis[at] = axis[at - 1];
            loss[at] = loss[at - 1];
        }
        axis[at] = a;
        loss[at] = own;
        n++;
    }
    return n < most ? n : most;
}

/* Scratch for one cut. */
struct scratch {
    uint32_t *low, *high; /* [d] */
    uint32_t *left;       /* [n_values] */
    double *loss;         /* [d] */
    size_t *axis;         /* [d] */
    struct part side[2];
};

static covey_status new_scratch(struct scratch *s, const struct cutting *c, const struct part *p, covey_arena *arena,
                                covey_error *err)
{
    uint32_t *room = covey_arena_array(arena, uint32_t, 2 * c->d + 5 * (size_t)p->n_values);

    s->loss = covey_arena_array(arena, double, c->d);
    s->axis = covey_arena_array(arena, size_t, c->d);
    if (!room || !s->loss || !s->axis)
        return covey_i_no_memory(err);
    s->low = room;
    s->high = room + c->d;
    s->left = s->high + c->d;
    for (int i = 0; i < 2; i++) {
        s->side[i].at = s->left + (1 + 2 * i) * (size_t)p->n_values;
        s->side[i].n = s->side[i].at + p->n_values;
    }
    return COVEY_OK;
}

/* Cuts a part of two classes or more where its sides lose least. */
static void cut_best(struct scratch *s, struct cutting *c, const struct part *p)
{
    const uint32_t n_left = p->n_classes / 2;
    const size_t n = list_axes(s->axis, s->loss, c, p, s->low, s->high);
    size_t best = n > 0 ? s->axis[0] : 0;
    double least = 0;

    for (size_t i = 0; i < n && n > 1; i++) {
        double loss = 0;

        cut(s->left, c, p, s->axis[i], n_left);
        make_sides(s->side, p, s->left, n_left);
        for (int k = 0; k < 2; k++) {
            find_box(s->low, s->high, c, &s->side[k]);
            loss += s->side[k].n_classes * box_loss(c, s->low, s->high);
        }
        if (i > 0 && loss >= least)
            continue;
        least = loss;
        best = s->axis[i];
    }
    cut(s->left, c, p, best, n_left);
    make_sides(s->side, p, s->left, n_left);
}

/* A single class: rows, and those that are made up. */
static void close_class(struct cutting *c, const struct part *p)
{
    uint32_t like = 0, n = p->first_made;

    for (uint32_t v = 0; v < p->n_values; v++)
        if (p->n[v] > 0)
            c->class_of_row[like = c->row[c->pos[p->at[v]]]] = p->class;
    for (uint32_t v = 0; v < p->n_values; v++) {
        if (p->n[v] > 0)
            continue;
        c->made->like[n] = like;
        c->made->value[n] = c->buckets->value[c->buckets->start[p->bucket] + v];
        c->made->class[n++] = p->class;
    }
}

static covey_status cut_all(struct cutting *c, const struct part *p, covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    struct scratch s;

    if (p->n_classes == 1) {
        close_class(c, p);
        return covey_i_run_poll_add(&c->poll, p->n_values, err);
    }
    COVEY_TRY(new_scratch(&s, c, p, arena, err));
    cut_best(&s, c, p);
    for (int i = 0; i < 2; i++)
        COVEY_TRY(cut_all(c, &s.side[i], arena, err));
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

/* --- all buckets --- */

static covey_status take_part(void *context, size_t task, covey_error *err)
{
    struct cutting *c = context;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    arena.keeps = true;
    status = cut_all(c, &c->part[task], &arena, err);
    covey_arena_free(&arena);
    return status;
}

/* The rows of the slots, and their codes. */
static void list_rows(struct cutting *c)
{
    const covey_buckets *b = c->buckets;
    uint32_t n = 0;

    for (uint32_t slot = 0; slot < b->start[b->n]; slot++)
        for (uint32_t row = b->head[slot]; row != UINT32_MAX; row = b->next[row])
            c->row[n++] = row;
    for (uint32_t i = 0; i < n; i++)
        c->pos[i] = i;
    for (size_t a = 0; a < c->d; a++)
        for (uint32_t i = 0; i < n; i++)
            c->code[i * c->d + a] = covey_i_code(c->problem->axis[a].column, c->row[i]);
}

/* A part for each bucket that has rows. */
static covey_status list_buckets(struct cutting *c, uint32_t *n_classes, uint32_t *n_made, covey_arena *arena,
                                 covey_error *err)
{
    const covey_buckets *b = c->buckets;
    uint32_t at = 0;

    if (!(c->part = covey_arena_array(arena, struct part, b->n + (size_t)2 * PARTS)))
        return covey_i_no_memory(err);
    *n_classes = *n_made = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t n_values = b->start[i + 1] - b->start[i], height = covey_i_buckets_height(b, i);
        struct part *p = &c->part[c->n_parts];

        if (height == 0)
            continue;
        *p = (struct part){i,
                           n_values,
                           height,
                           *n_classes,
                           *n_made,
                           covey_arena_array(arena, uint32_t, n_values),
                           b->count + b->start[i]};
        if (!p->at)
            return covey_i_no_memory(err);
        for (uint32_t v = 0; v < n_values; v++) {
            p->at[v] = at;
            at += p->n[v];
        }
        *n_classes += height;
        *n_made += height * n_values - rows_of(p);
        c->n_parts++;
    }
    return COVEY_OK;
}

/* Cuts large parts, so that threads have something to do apart from each other. */
static covey_status cut_large(struct cutting *c, uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    uint32_t n = c->n_parts;

    for (uint32_t i = 0; i < n && n < c->n_parts + PARTS;) {
        struct scratch s;

        if (c->part[i].n_classes < 2 || rows_of(&c->part[i]) <= n_rows / PARTS) {
            i++;
            continue;
        }
        COVEY_TRY(new_scratch(&s, c, &c->part[i], arena, err));
        cut_best(&s, c, &c->part[i]);
        c->part[i] = s.side[0];
        c->part[n++] = s.side[1];
    }
    c->n_parts = n;
    return COVEY_OK;
}

covey_status covey_i_m_cut(uint32_t *class_of_row, uint32_t *n_classes, covey_counterfeits *made,
                           const covey_buckets *b, const covey_problem *problem, covey_arena *arena,
                           const covey_run *run, covey_error *err)
{
    struct cutting c = {.problem = problem, .buckets = b, .d = problem->n_axes, .made = made};
    uint32_t n_rows = 0;

    for (uint32_t slot = 0; slot < b->start[b->n]; slot++)
        n_rows += b->count[slot];
    c.class_of_row = class_of_row;
    c.row = covey_arena_array(arena, uint32_t, n_rows);
    c.pos = covey_arena_array(arena, uint32_t, n_rows);
    c.key = covey_arena_array(arena, uint64_t, n_rows);
    c.code = covey_arena_array(arena, uint32_t, (size_t)n_rows * c.d);
    if (!c.row || !c.pos || !c.key || !c.code)
        return covey_i_no_memory(err);
    list_rows(&c);
    COVEY_TRY(list_buckets(&c, n_classes, &made->n, arena, err));
    made->like = covey_arena_array(arena, uint32_t, made->n);
    made->value = covey_arena_array(arena, uint32_t, made->n);
    made->class = covey_arena_array(arena, uint32_t, made->n);
    if (!made->like || !made->value || !made->class)
        return covey_i_no_memory(err);
    covey_i_run_poll_begin(&c.poll, run, "cut the buckets", n_rows + made->n);
    COVEY_TRY(cut_large(&c, n_rows, arena, err));
    return covey_i_parallel(covey_run_threads(run), c.n_parts, take_part, &c, err);
}
