/* Adding fractions of products up to know the sign.  Terms with the same denominator are added up first; then fractions
 * are added one by one, positive and negative ones apart, over a common denominator that is multiplied up factor by
 * factor. */
#include "base/exact/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"

enum { MOST_FACTORS = 24 }; /* of doubles: (2^-32)^24 is no underflow */

/* --- doubles --- */

static bool decide_by_doubles(int *sign, const covey_exact_sum *s)
{
    double sum = 0, size = 0;

    if (s->k > MOST_FACTORS)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        double term = (double)s->x[i];

        for (size_t f = 0; f < s->k; f++)
            term = term * s->num[i * s->k + f] / s->den[i * s->k + f];
        sum += term;
        size += fabs(term);
    }
    if (!isfinite(size) || fabs(sum) <= size * (double)(2 * s->k + s->n + 8) * 0x1p-51)
        return false;
    *sign = sum > 0 ? 1 : -1;
    return true;
}

/* --- integers of any length --- */

struct number {
    uint32_t *limb; /* lowest first */
    size_t n;       /* limb[n - 1] > 0 */
};

static covey_status new_number(struct number *out, size_t most, covey_arena *arena, covey_error *err)
{
    *out = (struct number){covey_arena_array_zero(arena, uint32_t, most), 0};
    return out->limb ? COVEY_OK : covey_i_no_memory(err);
}

static void set_u128(struct number *a, covey_u128 x)
{
    for (a->n = 0; x > 0; x >>= 32)
        a->limb[a->n++] = (uint32_t)x;
}

static void multiply_by(struct number *a, uint32_t factor)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        a->limb[a->n++] = (uint32_t)carry;
}

static void add(struct number *a, const struct number *b)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < b->n || carry; i++) {
        carry += (i < a->n ? a->limb[i] : 0) + (uint64_t)(i < b->n ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
        a->n = i + 1 > a->n ? i + 1 : a->n;
    }
}

/* a += b * c; b and c are others. */
static void add_product(struct number *a, const struct number *b, const struct number *c)
{
    const size_t longest = b->n + c->n + 1;

    for (; a->n < longest; a->n++)
        a->limb[a->n] = 0;
    for (size_t i = 0; i < b->n; i++) {
        uint64_t carry = 0;

        for (size_t j = 0; j < c->n || carry; j++) {
            carry += a->limb[i + j] + (uint64_t)b->limb[i] * (j < c->n ? c->limb[j] : 0);
            a->limb[i + j] = (uint32_t)carry;
            carry >>= 32;
            a->n = i + j + 1 > a->n ? i + j + 1 : a->n;
        }
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

static int compare(const struct number *a, const struct number *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* --- fractions --- */

struct terms {
    const covey_exact_sum *sum;
    uint32_t *den; /* [n * k] sorted in each term */
};

static int compare_dens(const void *a, const void *b, void *context)
{
    const struct terms *t = context;
    const uint32_t *x = t->den + *(const size_t *)a * t->sum->k, *y = t->den + *(const size_t *)b * t->sum->k;

    for (size_t f = 0; f < t->sum->k; f++)
        if (x[f] != y[f])
            return x[f] < y[f] ? -1 : 1;
    return 0;
}

static covey_status decide_by_integers(int *sign, const covey_exact_sum *s, covey_arena *arena, covey_error *err)
{
    struct terms t = {s, covey_arena_array(arena, uint32_t, s->n * s->k + 1)};
    size_t *order = covey_arena_array(arena, size_t, s->n + 1), n_dens = 0, most;
    struct number total[2], den, part[2], term; /* positive, negative */

    if (!t.den || !order)
        return covey_i_no_memory(err);
    if (s->n > 0)
        memcpy(t.den, s->den, s->n * s->k * sizeof *t.den);
    for (size_t i = 0; i < s->n; i++) {
        order[i] = i;
        qsort(t.den + i * s->k, s->k, sizeof *t.den, covey_i_compare_u32);
    }
    qsort_r(order, s->n, sizeof *order, compare_dens, &t);
    for (size_t i = 0; i < s->n; i++)
        n_dens += i == 0 || compare_dens(&order[i - 1], &order[i], &t) != 0;
    most = (n_dens + 1) * s->k + s->k + 12;
    COVEY_TRY(new_number(&den, most, arena, err));
    COVEY_TRY(new_number(&term, s->k + 8, arena, err));
    for (int side = 0; side < 2; side++) {
        COVEY_TRY(new_number(&total[side], most, arena, err));
        COVEY_TRY(new_number(&part[side], s->k + 8, arena, err));
    }
    set_u128(&den, 1);
    for (size_t i = 0, end; i < s->n; i = end) {
        part[0].n = part[1].n = 0;
        for (end = i; end < s->n && compare_dens(&order[i], &order[end], &t) == 0; end++) {
            const covey_i128 x = s->x[order[end]];

            set_u128(&term, x < 0 ? -(covey_u128)x : (covey_u128)x);
            for (size_t f = 0; f < s->k; f++)
                multiply_by(&term, s->num[order[end] * s->k + f]);
            add(&part[x < 0], &term);
        }
        for (int side = 0; side < 2; side++) {
            for (size_t f = 0; f < s->k; f++)
                multiply_by(&total[side], t.den[order[i] * s->k + f]);
            add_product(&total[side], &part[side], &den);
        }
        for (size_t f = 0; f < s->k; f++)
            multiply_by(&den, t.den[order[i] * s->k + f]);
    }
    *sign = compare(&total[0], &total[1]);
    return COVEY_OK;
}

covey_status covey_i_exact_sum_sign(int *sign, const covey_exact_sum *sum, covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    covey_status status;

    if (decide_by_doubles(sign, sum))
        return COVEY_OK;
    status = decide_by_integers(sign, sum, arena, err);
    covey_arena_rewind(arena, mark);
    return status;
}
