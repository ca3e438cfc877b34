/* Bounds as decimals: exact where they end, else rounded away from what they bound. */
#include "query/query_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_impl.h"

enum { MOST_PLACES = 20, KEPT_DIGITS = 17 };

double covey_i_query_unit(int scale)
{
    double unit = 1;

    while (scale-- > 0)
        unit *= 10;
    return unit;
}

/* Digits behind the point until the remainder is used up, at most so many; *rest says whether something is left. */
static size_t add_places(char *out, size_t n, covey_u128 rest, covey_u128 den, int most, covey_u128 *left)
{
    for (int i = 0; i < most && rest > 0; i++) {
        rest *= 10; /* den < 2^103 */
        out[n++] = (char)('0' + (int)(rest / den));
        rest %= den;
    }
    *left = rest;
    return n;
}

/* The next decimal with the same number of places; digits[0] is a spare 0. */
static void step_up(char *digits)
{
    for (size_t i = strlen(digits); i-- > 0;) {
        if (digits[i] == '.')
            continue;
        if (digits[i] != '9') {
            digits[i]++;
            return;
        }
        digits[i] = '0';
    }
}

static int significant_places(covey_u128 whole, covey_u128 rest, covey_u128 den)
{
    int places = KEPT_DIGITS;

    for (; whole > 0 && places > 1; whole /= 10)
        places--;
    if (places == KEPT_DIGITS)
        for (; rest > 0 && rest * 10 < den && places < MOST_PLACES; rest *= 10)
            places++;
    return places;
}

/* Moves a decimal that, read as a double, would lie on the wrong side of the fraction. */
static void guard_double(char *text, size_t size, bool is_upper, long double exact)
{
    double value = strtod(text, NULL);

    if (is_upper ? (long double)value >= exact : (long double)value <= exact)
        return;
    snprintf(text, size, "%.17g", nextafter(value, is_upper ? INFINITY : -INFINITY));
}

static void write_decimal(char *out, size_t size, covey_i128 num, covey_i128 den, bool is_upper)
{
    const bool is_negative = num < 0;
    const covey_u128 magnitude = is_negative ? -(covey_u128)num : (covey_u128)num, whole = magnitude / (covey_u128)den,
                     rest = magnitude % (covey_u128)den;
    char digits[62] = "0", *begin = digits; /* 39 digits, the point, and at most 20 more */
    covey_u128 left;
    size_t n = 1 + covey_i_i128_text(digits + 1, 40, (covey_i128)whole), point = n;

    digits[n++] = '.';
    n = add_places(digits, n, rest, (covey_u128)den, MOST_PLACES, &left);
    digits[n] = '\0';
    if (left > 0) {
        n = add_places(digits, point + 1, rest, (covey_u128)den, significant_places(whole, rest, (covey_u128)den),
                       &left);
        digits[n] = '\0';
        if (left > 0 && is_upper != is_negative)
            step_up(digits);
    }
    if (digits[n - 1] == '.')
        digits[n - 1] = '\0';
    if (begin[0] == '0' && begin[1] != '.' && begin[1] != '\0')
        begin++;
    snprintf(out, size, "%s%s", is_negative ? "-" : "", begin);
    if (left > 0)
        guard_double(out, size, is_upper, covey_i_i128_quotient(num, den));
}

void covey_i_query_bound(covey_query_bound *out, const covey_query_exact *exact, int scale, bool is_date, bool is_upper)
{
    covey_i128 den = exact->den;

    memset(out, 0, sizeof *out);
    if (!exact->exists)
        return;
    out->exists = true;
    if (is_date) {
        covey_i_typing_format_number(out->text, sizeof out->text, COVEY_TYPE_DATE, (int64_t)exact->num, 0);
        out->value = (double)exact->num;
        return;
    }
    while (scale-- > 0)
        den *= 10; /* < 2^41 * 10^18 */
    out->value = (double)covey_i_i128_quotient(exact->num, den);
    write_decimal(out->text, sizeof out->text, exact->num, den, is_upper);
}
