/* The index: classes by their labels in two stages of axes.  All classes of a group have the same label -- on binned axes, ends in the
 * same bins -- so a group bounds from below what joining any of its classes costs, and most groups need no second look.
 *
 * It is built once per pass and goes stale inside: what a class costs is always computed from the class itself, so a stale group can
 * only hide a candidate. */
#include "method/peel_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_signatures(const void *a, const void *b, void *context)
{
    const struct covey_peel_index *x = context;
    const size_t n = 2 * (x->n_near + x->n_middle);
    const uint32_t c = *(const uint32_t *)a, d = *(const uint32_t *)b;
    const uint32_t *sc = x->signature + c * n, *sd = x->signature + d * n;

    for (size_t i = 0; i < n; i++)
        if (sc[i] != sd[i])
            return sc[i] < sd[i] ? -1 : 1;
    return c < d ? -1 : c > d;
}

static void sign(uint32_t out[2], const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    covey_i_peel_span(out, axis, low, high);
    if (axis->bin) {
        out[0] = axis->bin[2 * (size_t)low];
        out[1] = axis->bin[2 * (size_t)high + 1];
    }
}

static covey_status reserve(covey_peel *p, covey_error *err)
{
    struct covey_peel_index *x = p->index;
    size_t n_axes;

    if (!x) {
        if (!(x = p->index = covey_arena_array_zero(&p->arena, struct covey_peel_index, 1)))
            return covey_fail(err, COVEY_ENOMEM, "index of classes");
        x->n_near = p->t->n_near;
        x->n_middle = p->t->n_middle;
        x->near_axis = p->t->index_axis;
        x->middle_axis = p->t->index_axis + x->n_near;
    }
    n_axes = x->n_near + x->n_middle;
    if (p->n_classes <= x->capacity)
        return COVEY_OK;
    x->capacity = p->n_classes + p->n_classes / 2 + 64; /* what was there stays in the arena: it grows a few times only */
    x->class = covey_arena_array(&p->arena, uint32_t, x->capacity);
    x->signature = covey_arena_array(&p->arena, uint32_t, x->capacity * 2 * n_axes);
    x->outer = covey_arena_array(&p->arena, struct covey_peel_group, x->capacity);
    x->inner = covey_arena_array(&p->arena, struct covey_peel_group, x->capacity);
    x->outer_edge = covey_arena_array(&p->arena, struct covey_peel_edge, x->capacity * x->n_near);
    x->inner_edge = covey_arena_array(&p->arena, struct covey_peel_edge, x->capacity * x->n_middle);
    if (!x->class || !x->signature || !x->outer || !x->inner || !x->outer_edge || !x->inner_edge) {
        x->capacity = 0;
        return covey_fail(err, COVEY_ENOMEM, "index of %u classes", p->n_classes);
    }
    return COVEY_OK;
}

/* Starts a group with the label of class c, or adds c to it. */
static void put_edges(const covey_peel *p, struct covey_peel_edge *edge, const uint32_t *axis, size_t n, const uint32_t *signature, uint32_t c, bool first)
{
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->n_axes;

    for (size_t q = 0; q < n; q++) {
        const covey_peel_axis *a = &p->t->axis[axis[q]];
        const int64_t own = covey_i_peel_loss(a, low[axis[q]], high[axis[q]]);

        if (first)
            edge[q] = (struct covey_peel_edge){signature[2 * q], signature[2 * q + 1], covey_i_peel_loss(a, signature[2 * q], signature[2 * q + 1]), own};
        else if (own < edge[q].inner)
            edge[q].inner = own;
    }
}

covey_status covey_i_peel_index_build(covey_peel *p, covey_error *err)
{
    struct covey_peel_index *x;
    size_t near, all;

    COVEY_TRY(reserve(p, err));
    x = p->index;
    near = 2 * x->n_near;
    all = near + 2 * x->n_middle;
    x->n_classes = x->n_outer = x->n_inner = 0;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->n_axes;

        if (p->class[c].n == 0)
            continue;
        x->class[x->n_classes++] = c;
        for (size_t q = 0; q < x->n_near + x->n_middle; q++) {
            const uint32_t a = p->t->index_axis[q];

            sign(x->signature + c * all + 2 * q, &p->t->axis[a], low[a], high[a]);
        }
    }
    qsort_r(x->class, x->n_classes, sizeof *x->class, compare_signatures, x);
    for (uint32_t i = 0; i < x->n_classes; i++) {
        const uint32_t c = x->class[i];
        const uint32_t *own = x->signature + c * all, *last = i > 0 ? x->signature + x->class[i - 1] * all : NULL;
        const bool new_outer = !last || memcmp(own, last, near * sizeof *own) != 0;
        const bool new_inner = new_outer || memcmp(own, last, all * sizeof *own) != 0;
        struct covey_peel_group *outer, *inner;

        if (new_inner)
            x->inner[x->n_inner++] = (struct covey_peel_group){i, 0, UINT32_MAX};
        if (new_outer)
            x->outer[x->n_outer++] = (struct covey_peel_group){x->n_inner - 1, 0, UINT32_MAX};
        outer = &x->outer[x->n_outer - 1];
        inner = &x->inner[x->n_inner - 1];
        outer->end = x->n_inner;
        inner->end = i + 1;
        outer->least = p->class[c].n < outer->least ? p->class[c].n : outer->least;
        inner->least = p->class[c].n < inner->least ? p->class[c].n : inner->least;
        put_edges(p, x->outer_edge + (x->n_outer - 1) * x->n_near, x->near_axis, x->n_near, own, c, new_outer);
        put_edges(p, x->inner_edge + (x->n_inner - 1) * x->n_middle, x->middle_axis, x->n_middle, own + near, c, new_inner);
    }
    return COVEY_OK;
}

uint32_t covey_i_peel_target(covey_peel *p, int64_t *increase, uint32_t row, uint32_t except, int64_t bound)
{
    const struct covey_peel_index *x = p->index;
    const uint32_t *codes = covey_i_peel_codes(p->t, row);
    uint32_t found = COVEY_PEEL_NONE;

    p->work += x->n_outer;
    for (uint32_t o = 0; o < x->n_outer; o++) {
        const int64_t outer = covey_i_peel_bound(p, x->outer_edge + o * x->n_near, x->near_axis, x->n_near, x->outer[o].least, codes, codes, 1);

        if (outer >= bound)
            continue;
        p->work += x->outer[o].end - x->outer[o].begin;
        for (uint32_t i = x->outer[o].begin; i < x->outer[o].end; i++) {
            if (outer + covey_i_peel_bound(p, x->inner_edge + i * x->n_middle, x->middle_axis, x->n_middle, x->inner[i].least, codes, codes, 1) >= bound)
                continue;
            p->work += x->inner[i].end - x->inner[i].begin;
            for (uint32_t j = x->inner[i].begin; j < x->inner[i].end; j++) {
                const uint32_t c = x->class[j];
                const covey_peel_class *class = &p->class[c];
                int64_t cost;

                if (c == except || class->n == 0)
                    continue;
                cost = (class->n + 1) * covey_i_peel_class_loss_with(p, c, codes) - class->n * class->loss;
                if (cost < bound && covey_i_peel_admits(p, c, COVEY_PEEL_NONE, row)) {
                    bound = cost;
                    found = c;
                }
            }
        }
    }
    *increase = bound;
    return found;
}

/* Loss of the union of two classes. */
static int64_t union_loss(const covey_peel *p, uint32_t c, uint32_t d)
{
    const size_t n = p->t->n_axes;
    const uint32_t *x = covey_i_peel_box(p, c), *y = covey_i_peel_box(p, d);
    int64_t sum = 0;

    for (size_t a = 0; a < n; a++)
        sum += covey_i_peel_loss(&p->t->axis[a], x[a] < y[a] ? x[a] : y[a], x[n + a] > y[n + a] ? x[n + a] : y[n + a]);
    return sum;
}

/* Puts a class into the list of the nearest. */
static uint32_t insert_near(covey_peel_near *near, uint32_t n, uint32_t k, covey_peel_near entry)
{
    uint32_t i = n < k ? n++ : k - 1;

    for (; i > 0 && near[i - 1].cost > entry.cost; i--)
        near[i] = near[i - 1];
    near[i] = entry;
    return n;
}

uint32_t covey_i_peel_near_classes(covey_peel *p, covey_peel_near *near, uint32_t c, uint32_t k, uint32_t most, const uint8_t *grown)
{
    const struct covey_peel_index *x = p->index;
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->n_axes;
    const int64_t own = covey_i_peel_cost(p, c), n = p->class[c].n;
    int64_t bound = COVEY_PEEL_FAR;
    uint32_t n_near = 0;

    p->work += x->n_outer;
    for (uint32_t o = 0; o < x->n_outer; o++) {
        const int64_t outer = covey_i_peel_bound(p, x->outer_edge + o * x->n_near, x->near_axis, x->n_near, x->outer[o].least, low, high, n) - own;

        if (outer >= bound)
            continue;
        p->work += x->outer[o].end - x->outer[o].begin;
        for (uint32_t i = x->outer[o].begin; i < x->outer[o].end; i++) {
            if (outer + covey_i_peel_bound(p, x->inner_edge + i * x->n_middle, x->middle_axis, x->n_middle, x->inner[i].least, low, high, n) >= bound)
                continue;
            p->work += x->inner[i].end - x->inner[i].begin;
            for (uint32_t j = x->inner[i].begin; j < x->inner[i].end; j++) {
                const uint32_t d = x->class[j];
                const covey_peel_class *class = &p->class[d];
                int64_t cost;

                if (d == c || class->n == 0 || class->n + n > most)
                    continue;
                cost = (n + class->n) * union_loss(p, c, d) - covey_i_peel_cost(p, d) - own;
                if (cost >= bound || (grown && grown[d] && !covey_i_peel_admits_union(p, c, d)))
                    continue;
                n_near = insert_near(near, n_near, k, (covey_peel_near){cost, d});
                if (n_near == k)
                    bound = near[k - 1].cost;
            }
        }
    }
    return n_near;
}
