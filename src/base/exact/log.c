/* Logarithms and exponentials with bounds.  Fixed-point numbers: limb[0 .. n-1] are the fraction, least significant
 * first, limb[n] is the whole part.
 *
 * ln(num/den) = k ln 2 + 2 artanh(z) with 2^k <= num/den < 2^(k+1) and z = (num - den 2^k) / (num + den 2^k) < 1/3, and
 * artanh(z) = z + z^3/3 + z^5/5 + ...: num and den fit a limb, so that each step is a multiplication and a division by
 * one limb. */
#include "base/exact/log.h"

#include <assert.h>
#include <string.h>

enum { MOST_LIMBS = COVEY_LOG_SUM_LIMBS + 1, WHOLE_LIMBS = 5 /* of forms */, MOST_ATOMS = 384 };

static void multiply(uint64_t *x, int n, uint64_t by)
{
    uint64_t carry = 0;

    for (int i = 0; i <= n; i++) {
        const covey_u128 product = (covey_u128)x[i] * by + carry;

        x[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    assert(carry == 0);
}

static void divide(uint64_t *x, int n, uint64_t by)
{
    covey_u128 rest = 0;

    for (int i = n; i >= 0; i--) {
        rest = rest << 64 | x[i];
        x[i] = (uint64_t)(rest / by);
        rest %= by;
    }
}

static void add(uint64_t *x, const uint64_t *y, int n)
{
    unsigned char carry = 0;

    for (int i = 0; i <= n; i++) {
        const covey_u128 sum = (covey_u128)x[i] + y[i] + carry;

        x[i] = (uint64_t)sum;
        carry = (unsigned char)(sum >> 64);
    }
    assert(carry == 0);
}

static bool is_zero(const uint64_t *x, int n)
{
    for (int i = 0; i <= n; i++)
        if (x[i])
            return false;
    return true;
}

/* Lower bound of 2 artanh(a/b), a/b <= 1/3.  Returns by how many units of the last place it may be too small: with two
 * divisions each power is less than 2 too small, its share of the sum less than 3, the terms left out less than 1. */
static uint64_t series(uint64_t *out, int n, uint64_t a, uint64_t b)
{
    uint64_t power[MOST_LIMBS] = {0}, term[MOST_LIMBS];
    uint64_t n_terms = 0;

    memset(out, 0, ((size_t)n + 1) * sizeof *out);
    power[n] = a;
    divide(power, n, b);
    for (; !is_zero(power, n); n_terms++) {
        memcpy(term, power, ((size_t)n + 1) * sizeof *term);
        divide(term, n, 2 * n_terms + 1);
        add(out, term, n);
        multiply(power, n, a);
        divide(power, n, b);
        multiply(power, n, a);
        divide(power, n, b);
    }
    multiply(out, n, 2);
    return 2 * (3 * n_terms + 1);
}

/* ln(num/den) = k ln 2 + what goes into out; returns k. */
static int split(uint64_t *out, uint64_t *slack, int n, uint64_t num, uint64_t den)
{
    int k = 0;

    assert(num < (uint64_t)1 << 62 && num >= den && den > 0);
    while (num - den >= den) {
        den *= 2;
        k++;
    }
    *slack = series(out, n, num - den, num + den);
    return k;
}

covey_u128 covey_i_log_floor(uint64_t num, uint64_t den)
{
    uint64_t rest[3], two[3], slack;
    const int k = split(rest, &slack, 2, num, den);

    series(two, 2, 1, 3);
    multiply(two, 2, (uint64_t)k);
    add(rest, two, 2);
    return (covey_u128)rest[2] << 64 | rest[1];
}

/* e^x = 1 + x + x^2/2! + ...; two whole limbs, because a term is multiplied by the numerator before it is divided. */
covey_u128 covey_i_log_exp_floor(covey_ratio x)
{
    uint64_t sum[4] = {0, 0, 1, 0}, term[4] = {0, 0, 1, 0};

    assert(x.num >= 0 && x.num <= 23 * (covey_i128)x.den);
    for (uint64_t i = 1; !is_zero(term, 3); i++) {
        multiply(term, 3, (uint64_t)x.num);
        divide(term, 3, (uint64_t)x.den);
        divide(term, 3, i);
        add(sum, term, 3);
    }
    return (covey_u128)sum[2] << 90 | (covey_u128)sum[1] << 26 | sum[0] >> 38;
}

void covey_i_log_sum_init(covey_log_sum *sum, int n)
{
    assert(n > 0 && n <= COVEY_LOG_SUM_LIMBS);
    sum->n = n;
    sum->twos = 0;
    sum->slack = 1;
    memset(sum->positive, 0, sizeof sum->positive);
    memset(sum->negative, 0, sizeof sum->negative);
}

static void add_times(covey_log_sum *sum, uint64_t *logarithm, uint64_t slack, int64_t weight)
{
    const uint64_t times = weight < 0 ? (uint64_t)-weight : (uint64_t)weight;

    multiply(logarithm, sum->n, times);
    add(weight < 0 ? sum->negative : sum->positive, logarithm, sum->n);
    sum->slack += slack * times;
}

void covey_i_log_sum_add(covey_log_sum *sum, int64_t weight, uint64_t number)
{
    uint64_t logarithm[MOST_LIMBS], slack;
    const int k = split(logarithm, &slack, sum->n, number, 1);

    sum->twos += weight * k;
    add_times(sum, logarithm, slack, weight);
}

/* Is x > y, and remains so if y grows by slack units of the last place? */
static bool is_beyond(const uint64_t *x, const uint64_t *y, int n, uint64_t slack)
{
    uint64_t more[MOST_LIMBS] = {slack};

    add(more, y, n);
    for (int i = n; i >= 0; i--)
        if (x[i] != more[i])
            return x[i] > more[i];
    return false;
}

int covey_i_log_sum_sign(covey_log_sum *sum)
{
    uint64_t two[MOST_LIMBS];
    const uint64_t slack = series(two, sum->n, 1, 3);

    add_times(sum, two, slack, sum->twos);
    if (is_beyond(sum->positive, sum->negative, sum->n, sum->slack))
        return 1;
    return is_beyond(sum->negative, sum->positive, sum->n, sum->slack) ? -1 : 0;
}

/* --- forms --- */

static void copy(uint64_t *to, const uint64_t *from, int n)
{
    memcpy(to, from, ((size_t)n + 1) * sizeof *to);
}

static void multiply_wide(uint64_t *x, int n, covey_u128 by)
{
    uint64_t high[MOST_LIMBS + WHOLE_LIMBS];

    if (by >> 64) {
        copy(high, x, n);
        multiply(high, n, (uint64_t)(by >> 64));
        assert(high[n] == 0);
        memmove(high + 1, high, (size_t)n * sizeof *high);
        high[0] = 0;
    }
    multiply(x, n, (uint64_t)by);
    if (by >> 64)
        add(x, high, n);
}

/* Bit by bit: only quotients that are near 1 come here, whose series is short. */
static void divide_wide(uint64_t *x, int n, covey_u128 by)
{
    covey_u128 rest = 0;

    for (int i = n; i >= 0; i--)
        for (int bit = 63; bit >= 0; bit--) {
            const bool carry = rest >> 127;
            const uint64_t mask = (uint64_t)1 << bit;

            rest = rest << 1 | (x[i] >> bit & 1);
            if (carry || rest >= by) {
                rest -= by;
                x[i] |= mask;
            } else {
                x[i] &= ~mask;
            }
        }
}

/* As series() for a < 2^66 and a/b < 2^-60. */
static uint64_t series_wide(uint64_t *out, int n, covey_u128 a, covey_u128 b)
{
    uint64_t power[MOST_LIMBS + WHOLE_LIMBS] = {0}, term[MOST_LIMBS + WHOLE_LIMBS];
    uint64_t n_terms = 0;

    memset(out, 0, ((size_t)n + 1) * sizeof *out);
    power[n] = (uint64_t)a;
    power[n + 1] = (uint64_t)(a >> 64);
    divide_wide(power, n + 1, b);
    for (; !is_zero(power, n); n_terms++) {
        copy(term, power, n);
        divide(term, n, 2 * n_terms + 1);
        add(out, term, n);
        for (int i = 0; i < 2; i++) {
            multiply_wide(power, n + 2, a);
            divide_wide(power, n + 2, b);
        }
    }
    multiply(out, n, 2);
    return 2 * (3 * n_terms + 1);
}

/* Lower bound of ln(number), given one of ln 2; returns by how many units of the last place it may be too small. */
static uint64_t log_of(uint64_t *out, int n, covey_u128 number, const uint64_t *two, uint64_t two_slack)
{
    uint64_t more[MOST_LIMBS + WHOLE_LIMBS], slack;
    covey_u128 rest = 0;
    int shift = 0, k;

    while (number >> shift >= (covey_u128)1 << 61)
        shift++;
    k = split(out, &slack, n, (uint64_t)(number >> shift), 1);
    rest = number - (number >> shift << shift);
    if (rest > 0) { /* number = top (1 + rest / top) */
        slack += series_wide(more, n, rest, number + (number - rest));
        add(out, more, n);
    }
    copy(more, two, n);
    multiply(more, n, (uint64_t)(k + shift));
    add(out, more, n);
    return slack + two_slack * (uint64_t)(k + shift);
}

/* Both sides as lower bounds; neither is more than slack too small. */
struct sides {
    int n; /* limbs behind the point */
    uint64_t left[MOST_LIMBS + WHOLE_LIMBS], right[MOST_LIMBS + WHOLE_LIMBS], slack[MOST_LIMBS + WHOLE_LIMBS];
};

static void add_product(uint64_t *side, struct sides *s, uint64_t *logarithm, uint64_t slack, covey_u128 weight,
                        uint64_t factor)
{
    const int top = s->n + WHOLE_LIMBS - 1;
    uint64_t more[MOST_LIMBS + WHOLE_LIMBS] = {slack};

    multiply_wide(logarithm, top, weight);
    multiply(logarithm, top, factor);
    add(side, logarithm, top);
    multiply_wide(more, top, weight);
    multiply(more, top, factor);
    add(s->slack, more, top);
}

static int sign_of_form(const covey_log_form *form, int n)
{
    struct sides s = {.n = n};
    uint64_t two[MOST_LIMBS] = {0}, logarithm[MOST_LIMBS + WHOLE_LIMBS] = {0}, sum[MOST_LIMBS + WHOLE_LIMBS];
    const uint64_t two_slack = series(two, n, 1, 3);
    const int top = n + WHOLE_LIMBS - 1;

    if (form->natural)
        logarithm[n] = 1;
    else
        copy(logarithm, two, n);
    add_product(s.right, &s, logarithm, form->natural ? 0 : two_slack, form->whole, (uint64_t)form->t.num);
    for (uint64_t i = 0; i < form->n_terms; i++) {
        const covey_log_term term = form->term(form->context, i);
        uint64_t slack;

        if (term.weight == 0 || term.number == 1)
            continue;
        memset(logarithm, 0, sizeof logarithm);
        slack = log_of(logarithm, n, term.number, two, two_slack);
        add_product(term.is_negative ? s.right : s.left, &s, logarithm, slack, term.weight, (uint64_t)form->t.den);
    }
    copy(sum, s.left, top);
    add(sum, s.slack, top);
    for (int i = top; i >= 0; i--)
        if (sum[i] != s.right[i]) {
            if (sum[i] < s.right[i])
                return -1;
            break;
        }
    copy(sum, s.right, top);
    add(sum, s.slack, top);
    for (int i = top; i >= 0; i--)
        if (sum[i] != s.left[i])
            return sum[i] < s.left[i] ? 1 : 0;
    return 0;
}

/* What numbers are made of: primes below 2^16, and what is left of each number.  Exponents times weights are added up.
 */
struct atoms {
    int n;
    bool is_full;
    covey_u128 atom[MOST_ATOMS];
    covey_i128 exponent[MOST_ATOMS];
};

static void add_atom(struct atoms *atoms, covey_u128 atom, covey_i128 exponent)
{
    int i = 0;

    while (i < atoms->n && atoms->atom[i] != atom)
        i++;
    if (i == MOST_ATOMS) {
        atoms->is_full = true;
        return;
    }
    if (i == atoms->n) {
        atoms->atom[atoms->n] = atom;
        atoms->exponent[atoms->n++] = 0;
    }
    atoms->exponent[i] += exponent;
}

static void take_apart(struct atoms *atoms, covey_u128 number, covey_i128 weight)
{
    for (uint64_t p = 2; p < 1 << 16 && (covey_u128)p * p <= number; p += p == 2 ? 1 : 2)
        while (number >> 64 ? number % p == 0 : (uint64_t)number % p == 0) {
            add_atom(atoms, p, weight);
            number /= p;
        }
    if (number > 1)
        add_atom(atoms, number, weight);
}

/* Is it proven that both sides are equal?  Powers of e never equal products of whole numbers, but for the 0th. */
static bool is_form_equal(const covey_log_form *form)
{
    struct atoms atoms = {.n = 1, .atom = {2}};

    for (uint64_t i = 0; i < form->n_terms && !atoms.is_full; i++) {
        const covey_log_term term = form->term(form->context, i);

        if (term.weight > 0)
            take_apart(&atoms, term.number, term.is_negative ? -(covey_i128)term.weight : (covey_i128)term.weight);
    }
    for (int i = 1; i < atoms.n; i++)
        if (atoms.exponent[i] != 0)
            return false;
    if (atoms.is_full || atoms.exponent[0] < 0)
        return false;
    if (form->natural)
        return atoms.exponent[0] == 0 && form->t.num == 0;
    return covey_i_fraction_compare_products((covey_u128)atoms.exponent[0], (covey_u128)form->t.den, form->whole,
                                             (covey_u128)form->t.num) == 0;
}

bool covey_i_log_form_is_within(const covey_log_form *form)
{
    const int sign = sign_of_form(form, 3);

    if (sign == 0 && is_form_equal(form))
        return true;
    return (sign == 0 ? sign_of_form(form, 16) : sign) < 0;
}
