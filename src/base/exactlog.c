/* See exactlog.h.  Fixed-point numbers: limb[0 .. n-1] are the fraction, least significant first, limb[n] is the whole part.
 *
 * ln(num/den) = k ln 2 + 2 artanh(z) with 2^k <= num/den < 2^(k+1) and z = (num - den 2^k) / (num + den 2^k) < 1/3, and
 * artanh(z) = z + z^3/3 + z^5/5 + ...: num and den fit a limb, so that each step is a multiplication and a division by one limb. */
#include "base/exactlog.h"

#include <assert.h>
#include <string.h>

enum { MOST_LIMBS = COVEY_LOG_SUM_LIMBS + 1 };

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

covey_u128 covey_i_ln_floor(uint64_t num, uint64_t den)
{
    uint64_t rest[3], two[3], slack;
    const int k = split(rest, &slack, 2, num, den);

    series(two, 2, 1, 3);
    multiply(two, 2, (uint64_t)k);
    add(rest, two, 2);
    return (covey_u128)rest[2] << 64 | rest[1];
}

/* e^x = 1 + x + x^2/2! + ...; two whole limbs, because a term is multiplied by the numerator before it is divided. */
covey_u128 covey_i_exp_floor(covey_ratio x)
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
