/* Exact parameters: decimals and fractions as a policy writes them. */
#include <covey/base.h>

#include <ctype.h>
#include <string.h>

#include "base/exact/divisor.h"
#include "base/exact/fraction.h"

/* Digits with at most one point; *den gets the power of ten.  Returns the first byte not read, NULL if there is no
 * digit or too many. */
static const char *read_decimal(const char *text, int64_t *num, int64_t *den)
{
    int n_digits = 0, n_significant = 0;
    bool point = false;

    *num = 0;
    *den = 1;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        n_digits++;
        n_significant += n_significant > 0 || *text != '0' || point;
        if (n_significant > 18)
            return NULL;
        *num = *num * 10 + (*text - '0');
        if (point)
            *den *= 10;
    }
    return n_digits ? text : NULL;
}

covey_status covey_ratio_parse(covey_ratio *out, const char *text, covey_error *err)
{
    const char *p = text;
    int64_t num, den, num2 = 1, den2 = 1, g;
    bool negative;

    while (*p == ' ')
        p++;
    negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    p = read_decimal(p, &num, &den);
    if (p && *p == '/')
        p = read_decimal(p + 1, &num2, &den2);
    while (p && *p == ' ')
        p++;
    if (!p || *p)
        return covey_fail(err, COVEY_EINVAL,
                          "\"%s\" is not a decimal number or a fraction such as 0.2 or 5/3 of at most 18 digits", text);
    if (num2 == 0)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" divides by zero", text);
    g = (int64_t)covey_i_common_divisor((uint64_t)num, (uint64_t)den);
    num /= g, den /= g;
    g = (int64_t)covey_i_common_divisor((uint64_t)num2, (uint64_t)den2);
    num2 /= g, den2 /= g;
    g = (int64_t)covey_i_common_divisor((uint64_t)num, (uint64_t)num2);
    num /= g, num2 /= g;
    g = (int64_t)covey_i_common_divisor((uint64_t)den2, (uint64_t)den);
    den /= g, den2 /= g;
    if (__builtin_mul_overflow(num, den2, &num) || __builtin_mul_overflow(den, num2, &den))
        return covey_fail(err, COVEY_EINVAL, "\"%s\" needs more than 18 digits", text);
    out->num = negative ? -num : num;
    out->den = den;
    return COVEY_OK;
}

double covey_ratio_value(covey_ratio r)
{
    return (double)r.num / (double)r.den;
}

int covey_ratio_compare(covey_ratio a, covey_ratio b)
{
    covey_i128 left = (covey_i128)a.num * b.den, right = (covey_i128)b.num * a.den;

    return (left > right) - (left < right);
}

int64_t covey_ratio_floor_of(covey_ratio r, int64_t n)
{
    covey_i128 whole = (covey_i128)r.num * n / r.den;

    return whole > INT64_MAX ? INT64_MAX : (int64_t)whole;
}
