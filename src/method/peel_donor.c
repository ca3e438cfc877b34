/* Donors: rows that their classes can spare.  Grouped by their codes like classes in the index, with the most that a class of the
 * group would gain by giving its row away, so that most groups are ruled out at a glance. */
#include "method/peel_impl.h"

#include <stdlib.h>
#include <string.h>

struct donor {
    uint32_t row;
    int64_t relief; /* when the list was made */
};

struct donor_group {
    uint32_t begin, end;
    int64_t most; /* relief */
};

struct covey_peel_donors {
    struct donor *donor;
    struct donor_group *outer, *inner;
    uint32_t n, n_outer, n_inner;
};

/* The code for which a row's code stands in the index. */
static uint32_t place_of(const covey_peel *p, uint32_t row, size_t stage)
{
    const uint32_t a = p->t->index_axis[stage], code = covey_i_peel_codes(p->t, row)[a];

    return p->t->axis[a].bin ? p->t->axis[a].bin[2 * (size_t)code] : code;
}

static int compare_places(const covey_peel *p, uint32_t x, uint32_t y, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const uint32_t a = place_of(p, x, i), b = place_of(p, y, i);

        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

static int compare_donors(const void *a, const void *b, void *context)
{
    const covey_peel *p = context;
    const uint32_t x = ((const struct donor *)a)->row, y = ((const struct donor *)b)->row;
    const int order = compare_places(p, x, y, 0, p->t->n_near + p->t->n_middle);

    return order != 0 ? order : x < y ? -1 : x > y;
}

/* One of the rows that are alike and in the same class is enough. */
static void list_donors(covey_peel *p)
{
    const covey_peel_table *t = p->t;
    struct covey_peel_donors *d = p->donors;

    d->n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const uint32_t c = p->class_of[r];

        if (c == COVEY_PEEL_NONE || p->class[c].n <= t->min_size || (r > 0 && p->class_of[r - 1] == c && t->alike[r] == t->alike[r - 1]) ||
            !covey_i_peel_can_lose(p, r))
            continue;
        d->donor[d->n++] = (struct donor){r, covey_i_peel_relief(p, r)};
    }
}

covey_status covey_i_peel_donors_build(covey_peel *p, covey_error *err)
{
    const covey_peel_table *t = p->t;
    struct covey_peel_donors *d = p->donors;

    if (!d) {
        d = covey_arena_array_zero(&p->arena, struct covey_peel_donors, 1);
        if (!d || !(d->donor = covey_arena_array(&p->arena, struct donor, t->n_rows)) ||
            !(d->outer = covey_arena_array(&p->arena, struct donor_group, t->n_rows)) ||
            !(d->inner = covey_arena_array(&p->arena, struct donor_group, t->n_rows)))
            return covey_fail(err, COVEY_ENOMEM, "%u rows that may move", t->n_rows);
        p->donors = d;
    }
    list_donors(p);
    qsort_r(d->donor, d->n, sizeof *d->donor, compare_donors, p);
    d->n_outer = d->n_inner = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        const uint32_t row = d->donor[i].row, last = i > 0 ? d->donor[i - 1].row : row;
        const bool new_outer = i == 0 || compare_places(p, row, last, 0, t->n_near) != 0;

        if (new_outer || compare_places(p, row, last, t->n_near, t->n_near + t->n_middle) != 0)
            d->inner[d->n_inner++] = (struct donor_group){i, 0, 0};
        if (new_outer)
            d->outer[d->n_outer++] = (struct donor_group){d->n_inner - 1, 0, 0};
        d->outer[d->n_outer - 1].end = d->n_inner;
        d->inner[d->n_inner - 1].end = i + 1;
        if (d->donor[i].relief > d->inner[d->n_inner - 1].most)
            d->inner[d->n_inner - 1].most = d->donor[i].relief;
        if (d->donor[i].relief > d->outer[d->n_outer - 1].most)
            d->outer[d->n_outer - 1].most = d->donor[i].relief;
    }
    return COVEY_OK;
}

/* The least loss of low .. high with any code that stands together with this one. */
static int64_t loss_with_place(const covey_peel_axis *axis, uint32_t low, uint32_t high, uint32_t code)
{
    if (axis->bin) {
        const uint32_t first = axis->bin[2 * (size_t)code], last = axis->bin[2 * (size_t)code + 1];

        code = first > high ? first : last < low ? last : low;
    }
    return covey_i_peel_loss_with(axis, low, high, code);
}

static int64_t stage_loss(const covey_peel *p, uint32_t row, const uint32_t *low, const uint32_t *high, size_t from, size_t to)
{
    const uint32_t *codes = covey_i_peel_codes(p->t, row);
    int64_t sum = 0;

    for (size_t i = from; i < to; i++) {
        const uint32_t a = p->t->index_axis[i];

        sum += loss_with_place(&p->t->axis[a], low[a], high[a], codes[a]);
    }
    return sum;
}

static int64_t own_loss(const covey_peel *p, const uint32_t *low, const uint32_t *high, size_t from, size_t to)
{
    int64_t sum = 0;

    for (size_t i = from; i < to; i++) {
        const uint32_t a = p->t->index_axis[i];

        sum += covey_i_peel_loss(&p->t->axis[a], low[a], high[a]);
    }
    return sum;
}

static int64_t loss_with_row(const covey_peel *p, uint32_t row, const uint32_t *low, const uint32_t *high)
{
    const uint32_t *codes = covey_i_peel_codes(p->t, row);
    int64_t sum = 0;

    for (size_t a = 0; a < p->t->n_axes; a++)
        sum += covey_i_peel_loss_with(&p->t->axis[a], low[a], high[a], codes[a]);
    return sum;
}

uint32_t covey_i_peel_best_donor(covey_peel *p, int64_t *cost, const uint32_t *low, const uint32_t *high, int64_t size, uint32_t except,
                                 int64_t bound, bool (*usable)(const void *context, uint32_t kind), const void *context)
{
    const covey_peel_table *t = p->t;
    const struct covey_peel_donors *d = p->donors;
    const size_t near = t->n_near, middle = near + t->n_middle;
    const int64_t others = own_loss(p, low, high, middle, t->n_axes), beyond = others + own_loss(p, low, high, near, middle);
    uint32_t found = COVEY_PEEL_NONE;

    p->work += d->n_outer;
    for (uint32_t o = 0; o < d->n_outer; o++) {
        const struct donor_group *outer = &d->outer[o];
        const int64_t outer_loss = stage_loss(p, d->donor[d->inner[outer->begin].begin].row, low, high, 0, near);

        if ((outer_loss + beyond) * (size + 1) - outer->most >= bound)
            continue;
        p->work += outer->end - outer->begin;
        for (uint32_t i = outer->begin; i < outer->end; i++) {
            const struct donor_group *inner = &d->inner[i];
            const int64_t inner_loss = outer_loss + stage_loss(p, d->donor[inner->begin].row, low, high, near, middle);

            if ((inner_loss + others) * (size + 1) - inner->most >= bound)
                continue;
            p->work += inner->end - inner->begin;
            for (uint32_t j = inner->begin; j < inner->end; j++) {
                const uint32_t row = d->donor[j].row, c = p->class_of[row];
                int64_t own;

                if (c == COVEY_PEEL_NONE || c == except)
                    continue;
                own = loss_with_row(p, row, low, high) * (size + 1);
                if (own - d->donor[j].relief >= bound || !covey_i_peel_can_lose(p, row) || (usable && !usable(context, t->kind[row])))
                    continue;
                own -= covey_i_peel_relief(p, row); /* as it is now */
                if (own < bound) {
                    bound = own;
                    found = row;
                }
            }
        }
    }
    *cost = bound;
    return found;
}
