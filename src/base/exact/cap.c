/* Caps of beta-likeness. */
#include "base/exact/cap.h"

#include <assert.h>

#include "base/exact/log.h"

covey_cap covey_i_cap_basic(int64_t count, int64_t total, covey_ratio beta)
{
    const covey_fraction share =
        covey_i_fraction(((covey_i128)beta.num + beta.den) * count, (covey_i128)beta.den * total);

    assert(count >= 0 && count <= total && total > 0 && total <= UINT32_MAX);
    return (covey_cap){.num = (covey_u128)share.num, .den = (covey_u128)share.den, .log_share = UINT64_MAX};
}

/* floor(p (1 - ln p) * 2^62), at most a unit too small.  Equality with a rational q is possible for p = 1 only (the
 * logarithm of any other rational is irrational), and there the bound is exact: a class may hold nothing else. */
static uint64_t log_share(int64_t count, int64_t total)
{
    const covey_u128 one_minus_ln_p = ((covey_u128)1 << 64) + covey_i_log_floor((uint64_t)total, (uint64_t)count);

    return (uint64_t)(one_minus_ln_p * (uint64_t)count / (uint64_t)total >> 2);
}

covey_cap covey_i_cap_enhanced(int64_t count, int64_t total, covey_ratio beta)
{
    covey_cap cap = covey_i_cap_basic(count, total, beta);

    cap.log_share = count > 0 ? log_share(count, total) : 0;
    return cap;
}

int64_t covey_i_cap_rows(const covey_cap *cap, int64_t size)
{
    const covey_u128 linear = (cap->num | cap->den | (covey_u128)size) >> 32 == 0 /* dividing 128 bits takes long */
                                  ? (uint64_t)size * (uint64_t)cap->num / (uint64_t)cap->den
                                  : (covey_u128)size * cap->num / cap->den;
    const covey_u128 logarithmic =
        cap->log_share == UINT64_MAX ? (covey_u128)size : (covey_u128)cap->log_share * (uint64_t)size >> 62;
    const covey_u128 rows = linear < logarithmic ? linear : logarithmic;

    return rows < (covey_u128)size ? (int64_t)rows : size;
}

int64_t covey_i_cap_least_size(const covey_cap *cap)
{
    covey_u128 size, logarithmic;

    if (cap->num == 0 || cap->log_share == 0)
        return INT64_MAX;
    size = (cap->den + cap->num - 1) / cap->num;
    if (cap->log_share != UINT64_MAX) {
        logarithmic = (((covey_u128)1 << 62) + cap->log_share - 1) / cap->log_share;
        if (logarithmic > size)
            size = logarithmic;
    }
    return size < INT64_MAX ? (int64_t)size : INT64_MAX;
}

static covey_need need_of(covey_i128 num, covey_i128 den)
{
    const covey_fraction share = covey_i_fraction(num, den);

    return (covey_need){.num = (covey_u128)share.num, .den = (covey_u128)share.den};
}

covey_need covey_i_need_basic(int64_t count, int64_t total, covey_ratio beta)
{
    return need_of((covey_i128)beta.den * count, ((covey_i128)beta.num + beta.den) * total);
}

/* ceil(p / (1 - ln p) * 2^62), at most a few units too large.  Equality with a rational is possible for p = 1 only, and
 * there it is exact. */
covey_need covey_i_need_enhanced(int64_t count, int64_t total, covey_ratio beta)
{
    covey_need need = covey_i_need_basic(count, total, beta);

    if (count > 0) {
        const covey_u128 one_minus_ln_p = ((covey_u128)1 << 64) + covey_i_log_floor((uint64_t)total, (uint64_t)count);
        const covey_u128 inverse = (((covey_u128)1 << 127) + one_minus_ln_p - 1) / one_minus_ln_p; /* of 2^63 */

        need.log_share =
            (uint64_t)(((inverse * (covey_u128)count + (covey_u128)total - 1) / (covey_u128)total + 1) >> 1);
    }
    return need;
}

covey_need covey_i_need_loss(int64_t count, int64_t total, covey_ratio loss)
{
    return need_of(((covey_i128)loss.den - loss.num) * count, (covey_i128)loss.den * total);
}

int64_t covey_i_need_rows(const covey_need *need, int64_t size)
{
    const covey_u128 linear = ((covey_u128)size * need->num + need->den - 1) / need->den;
    const covey_u128 logarithmic = ((covey_u128)need->log_share * (uint64_t)size + (((covey_u128)1 << 62) - 1)) >> 62;

    return (int64_t)(linear > logarithmic ? linear : logarithmic);
}
