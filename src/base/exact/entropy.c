/* Comparing entropies with logarithms.  All of it works on the stack: models judge classes without allocating. */
#include "base/exact/entropy.h"

#include <assert.h>

#include "base/exact/divisor.h"
#include "base/exact/log.h"

enum { MOST_PRIMES = 64 }; /* a number below 2^32 has at most 9, one below 2^63 at most 15 */

struct primes {
    int n;
    uint64_t p[MOST_PRIMES];
};

/* How often p divides *x; *x loses it. */
static int strip(uint64_t *x, uint64_t p)
{
    int n = 0;

    for (; *x % p == 0; n++)
        *x /= p;
    return n;
}

static uint64_t strip_all(uint64_t x, const struct primes *primes)
{
    for (int i = 0; i < primes->n && x > 1; i++)
        strip(&x, primes->p[i]);
    return x;
}

/* Finds all primes of x up to 2^16; returns what is left: 1, or a product of larger ones. */
static uint64_t collect_small(struct primes *primes, uint64_t x)
{
    for (uint64_t p = 2; p <= 1 << 16 && p * p <= x; p++) {
        if (x % p)
            continue;
        strip(&x, p);
        primes->p[primes->n++] = p;
    }
    if (x > 1 && x < (uint64_t)1 << 32) { /* no divisor up to its root is left: a prime */
        primes->p[primes->n++] = x;
        return 1;
    }
    return x;
}

/* m^m b^m = a^m * product n^n: every prime of m or b must have the same exponent on both sides, and there must be no
 * other. */
static bool is_equal(const int64_t *count, const uint32_t *value, uint32_t n_values, int64_t total, covey_ratio l)
{
    struct primes primes = {0};
    uint64_t rest;

    collect_small(&primes, (uint64_t)total);
    rest = collect_small(&primes, strip_all((uint64_t)l.den, &primes));
    for (uint32_t i = 0; i < n_values && rest > 1; i++) {
        /* Primes of b divide some n, because they do not divide a; n < 2^32 has no two beyond 2^16, so the divisor is a
         * prime. */
        const uint64_t p = covey_i_common_divisor(rest, (uint64_t)count[value[i]]);

        if (count[value[i]] > 0 && p > 1) {
            strip(&rest, p);
            primes.p[primes.n++] = p;
        }
    }
    if (rest > 1 || strip_all((uint64_t)l.num, &primes) > 1)
        return false;
    for (uint32_t i = 0; i < n_values; i++)
        if (count[value[i]] > 0 && strip_all((uint64_t)count[value[i]], &primes) > 1)
            return false;
    for (int i = 0; i < primes.n; i++) {
        uint64_t m = (uint64_t)total, a = (uint64_t)l.num, b = (uint64_t)l.den;
        int64_t balance = total * (strip(&m, primes.p[i]) + strip(&b, primes.p[i]) - strip(&a, primes.p[i]));

        for (uint32_t v = 0; v < n_values; v++) {
            uint64_t n = (uint64_t)count[value[v]];

            if (n > 1)
                balance -= count[value[v]] * strip(&n, primes.p[i]);
        }
        if (balance != 0)
            return false;
    }
    return true;
}

bool covey_i_entropy_reaches(const int64_t *count, const uint32_t *value, uint32_t n_values, int64_t total,
                             covey_ratio l)
{
    assert(total > 0 && total <= UINT32_MAX && l.num >= l.den && l.den > 0);
    if (is_equal(count, value, n_values, total, l))
        return true;
    for (int n = 2; n <= COVEY_LOG_SUM_LIMBS; n *= 2) {
        covey_log_sum sum;
        int sign;

        covey_i_log_sum_init(&sum, n);
        covey_i_log_sum_add(&sum, total, (uint64_t)total);
        covey_i_log_sum_add(&sum, total, (uint64_t)l.den);
        covey_i_log_sum_add(&sum, -total, (uint64_t)l.num);
        for (uint32_t i = 0; i < n_values; i++)
            if (count[value[i]] > 1)
                covey_i_log_sum_add(&sum, -count[value[i]], (uint64_t)count[value[i]]);
        if ((sign = covey_i_log_sum_sign(&sum)))
            return sign > 0;
    }
    return false;
}
