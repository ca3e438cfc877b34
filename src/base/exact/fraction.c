/* Arithmetic and comparison of fractions. */
#include "base/exact/fraction.h"

#include <stdio.h>
#include <string.h>

#include "base/exact/divisor.h"

covey_fraction covey_i_fraction(covey_i128 num, covey_i128 den)
{
    covey_fraction f;
    covey_u128 g;

    if (den < 0) {
        num = -num;
        den = -den;
    }
    if (num >= 0 && num <= INT64_MAX &&
        den <= INT64_MAX) { /* nearly all are; divisions of 128 bits take five times as long */
        const uint64_t divisor = covey_i_common_divisor((uint64_t)num, (uint64_t)den);

        return (covey_fraction){(int64_t)((uint64_t)num / divisor), (int64_t)((uint64_t)den / divisor)};
    }
    g = covey_i_common_divisor_128(num < 0 ? -(covey_u128)num : (covey_u128)num, (covey_u128)den);
    f.num = num / (covey_i128)g;
    f.den = den / (covey_i128)g;
    return f;
}

covey_fraction covey_i_fraction_of_ratio(covey_ratio r)
{
    return covey_i_fraction(r.num, r.den);
}

/* a/b against c/d for non-negative numbers, by their continued fractions: no product is ever formed. */
static int compare_positive(covey_u128 a, covey_u128 b, covey_u128 c, covey_u128 d)
{
    int sign = 1;

    for (;;) {
        covey_u128 p = a / b, q = c / d;
        covey_u128 t;

        if (p != q)
            return p < q ? -sign : sign;
        a -= p * b;
        c -= q * d;
        if (!a || !c)
            return a ? sign : c ? -sign : 0;
        /* a/b < c/d iff b/a > d/c */
        t = a, a = b, b = t;
        t = c, c = d, d = t;
        sign = -sign;
    }
}

int covey_i_fraction_compare(covey_fraction a, covey_fraction b)
{
    if (a.num >= 0 && b.num >= 0 && a.num <= INT64_MAX && a.den <= INT64_MAX && b.num <= INT64_MAX &&
        b.den <= INT64_MAX) {
        const covey_u128 left = (covey_u128)a.num * (covey_u128)b.den, right = (covey_u128)b.num * (covey_u128)a.den;

        return left < right ? -1 : left > right;
    }
    if ((a.num < 0) != (b.num < 0))
        return a.num < 0 ? -1 : 1;
    if (a.num < 0)
        return compare_positive(-(covey_u128)b.num, (covey_u128)b.den, -(covey_u128)a.num, (covey_u128)a.den);
    return compare_positive((covey_u128)a.num, (covey_u128)a.den, (covey_u128)b.num, (covey_u128)b.den);
}

/* By the magnitude: a negative number of 128 bits becomes a long double as a difference of two large ones, which only
 * works out where a long double has 64 bits at least. */
long double covey_i_i128_quotient(covey_i128 num, covey_i128 den)
{
    if (num >= 0 && num <= INT64_MAX && den > 0 && den <= INT64_MAX) /* the same, without calls that convert 128 bits */
        return (long double)(int64_t)num / (long double)(int64_t)den;

    const long double magnitude =
        (long double)(num < 0 ? -(covey_u128)num : (covey_u128)num) / (long double)(covey_u128)den;

    return num < 0 ? -magnitude : magnitude;
}

double covey_i_fraction_value(covey_fraction f)
{
    return (double)covey_i_i128_quotient(f.num, f.den);
}

size_t covey_i_i128_text(char *out, size_t size, covey_i128 value)
{
    char digits[48];
    size_t n = sizeof digits, length;
    covey_u128 rest = value < 0 ? -(covey_u128)value : (covey_u128)value;

    do {
        digits[--n] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[--n] = '-';
    length = sizeof digits - n;
    if (length + 1 > size)
        return 0;
    memcpy(out, digits + n, length);
    out[length] = '\0';
    return length;
}

size_t covey_i_fraction_text(char *out, size_t size, covey_fraction f)
{
    size_t n = covey_i_i128_text(out, size, f.num);

    if (!n || f.den == 1 || n + 2 > size)
        return n;
    out[n++] = '/';
    return n + covey_i_i128_text(out + n, size - n, f.den);
}

static bool parse_i128(covey_i128 *out, const char *text, const char *end)
{
    bool negative = text < end && *text == '-';
    covey_i128 value = 0;

    if (negative)
        text++;
    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, (covey_i128)10, &value) ||
            __builtin_add_overflow(value, (covey_i128)(*text - '0'), &value))
            return false;
    }
    *out = negative ? -value : value;
    return true;
}

bool covey_i_fraction_parse(covey_fraction *out, const char *text)
{
    const char *slash = strchr(text, '/'), *end = text + strlen(text);
    covey_i128 num, den = 1;

    if (!parse_i128(&num, text, slash ? slash : end) || (slash && !parse_i128(&den, slash + 1, end)) || den <= 0)
        return false;
    *out = covey_i_fraction(num, den);
    return true;
}

/* 256 bits from 128 times 128. */
static void multiply(covey_u128 *high, covey_u128 *low, covey_u128 a, covey_u128 b)
{
    const covey_u128 mask = UINT64_MAX, al = a & mask, ah = a >> 64, bl = b & mask, bh = b >> 64;
    const covey_u128 ll = al * bl, lh = al * bh, hl = ah * bl, middle = (ll >> 64) + (lh & mask) + (hl & mask);

    *low = (middle << 64) | (ll & mask);
    *high = ah * bh + (lh >> 64) + (hl >> 64) + (middle >> 64);
}

int covey_i_fraction_compare_products(covey_u128 a, covey_u128 b, covey_u128 c, covey_u128 d)
{
    covey_u128 left[2], right[2];

    multiply(&left[1], &left[0], a, b);
    multiply(&right[1], &right[0], c, d);
    if (left[1] != right[1])
        return left[1] < right[1] ? -1 : 1;
    return left[0] < right[0] ? -1 : left[0] > right[0];
}
