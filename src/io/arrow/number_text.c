/* Formatting numbers, dates and times of Arrow columns. */
#include "io/arrow/number_text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_impl.h"

enum { MOST_WORDS = 4, MOST_PLACES = 18, LONGEST_PIECE = 64 };

static const int64_t seconds_per_day = 86400;

/* Writes a short piece; its size. */
static size_t put(char *out, const char *fmt, ...) COVEY_PRINTF(2, 3);
static size_t put(char *out, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(out, LONGEST_PIECE, fmt, args);
    va_end(args);
    return n < 0 ? 0 : (size_t)n;
}

/* ---- floats ---- */

/* The IEEE 754 binary16 next to a positive value that is no larger than the largest. */
static double nearest_half(double value)
{
    double step;
    int exponent;

    frexp(value, &exponent);
    step = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
    return rint(value / step) * step;
}

static bool reads_back(const char *text, double value, int width)
{
    if (width == 2)
        return nearest_half(strtod(text, NULL)) == value;
    return width == 8 ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value;
}

/* The fewest digits that give the value back, and its exponent: value = 0.DIGITS * 10^*exponent. */
static int shortest_digits(char digits[32], int *exponent, double value, int width)
{
    /* As many digits always survive in a normal number: no text is shorter but for zeros at its end. */
    const double least = width == 8 ? DBL_MIN : FLT_MIN;
    const int survive = value < least || width == 2 ? 1 : width == 8 ? DBL_DIG : FLT_DIG;
    char text[64], *e;
    int n = 0;

    for (int precision = survive; precision <= DBL_DECIMAL_DIG; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, value);
        if (reads_back(text, value, width))
            break;
    }
    e = strchr(text, 'e');
    *exponent = (int)strtol(e + 1, NULL, 10) + 1;
    for (const char *c = text; c < e; c++)
        if (*c >= '0' && *c <= '9') /* whatever point the locale has */
            digits[n++] = *c;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    return n;
}

/* Without an exponent as long as a number of covey can be written so: 18 digits. */
static size_t float_text(char *out, double value, int width)
{
    char digits[32], *to = out;
    int exponent, n;

    if (isinf(value))
        return put(out, value < 0 ? "-inf" : "inf");
    if (signbit(value))
        *to++ = '-';
    if (value == 0)
        return (size_t)(to - out) + put(to, "0.0");
    n = shortest_digits(digits, &exponent, fabs(value), width);
    if (exponent > MOST_PLACES - 1 || n - exponent > MOST_PLACES) {
        *to++ = digits[0];
        if (n > 1)
            to += put(to, ".%.*s", n - 1, digits + 1);
        return (size_t)(to - out) + put(to, "e%+03d", exponent - 1);
    }
    if (exponent <= 0)
        *to++ = '0';
    for (int i = 0; i < exponent; i++)
        *to++ = i < n ? digits[i] : '0';
    *to++ = '.';
    for (int i = exponent; i < 0; i++)
        *to++ = '0';
    for (int i = exponent > 0 ? exponent : 0; i < n; i++)
        *to++ = digits[i];
    if (n <= exponent)
        *to++ = '0';
    return (size_t)(to - out);
}

/* IEEE 754 binary16 is exact in a double. */
static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double magnitude = exponent == 0    ? ldexp(fraction, -24)
                             : exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                                              : ldexp(1024 + fraction, exponent - 25);

    return bits & 0x8000 ? -magnitude : magnitude;
}

static double float_value(int64_t bits, int width)
{
    double wide;
    float narrow;

    if (width == 2)
        return half_value((uint16_t)bits);
    if (width == 4) {
        const uint32_t low = (uint32_t)bits;

        memcpy(&narrow, &low, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

/* ---- decimals ---- */

/* Digits of a magnitude, least first; the words are used up. */
static int decimal_digits(char *digits, uint64_t *words, int n)
{
    int n_digits = 0;
    bool any = true;

    while (any) {
        uint64_t rest = 0;

        any = false;
        for (int i = n - 1; i >= 0; i--) {
            const unsigned __int128 value = (unsigned __int128)rest << 64 | words[i];

            words[i] = (uint64_t)(value / 10);
            rest = (uint64_t)(value % 10);
            any |= words[i] != 0;
        }
        digits[n_digits++] = (char)('0' + rest);
    }
    return n_digits;
}

size_t covey_i_arrow_decimal_text(char out[COVEY_ARROW_TEXT_SIZE], const uint64_t *words, int n, int scale)
{
    const bool negative = words[n - 1] >> 63;
    uint64_t magnitude[MOST_WORDS];
    char digits[80], *to = out;
    int n_digits;

    for (int i = 0, carry = negative; i < n; i++) {
        magnitude[i] = negative ? ~words[i] + (uint64_t)carry : words[i];
        carry = carry && magnitude[i] == 0;
    }
    n_digits = decimal_digits(digits, magnitude, n);
    if (negative)
        *to++ = '-';
    for (int i = n_digits > scale ? n_digits : scale + 1; i-- > 0;) {
        *to++ = i < n_digits ? digits[i] : '0';
        if (i == scale && i > 0)
            *to++ = '.';
    }
    for (int i = scale; i < 0 && (n_digits > 1 || digits[0] != '0'); i++)
        *to++ = '0';
    return (size_t)(to - out);
}

/* ---- days and times ---- */

static int64_t power_of_ten(int n)
{
    int64_t power = 1;

    while (n-- > 0)
        power *= 10;
    return power;
}

/* Quotient rounded down; *rest is what is left, not negative. */
static int64_t divide(int64_t *rest, int64_t value, int64_t by)
{
    const int64_t quotient = value / by - (value % by < 0);

    *rest = value - quotient * by;
    return quotient;
}

static size_t date_text(char *out, int64_t days)
{
    static const int64_t first = -719162, last = 2932896; /* 0001-01-01, 9999-12-31 */

    if (days < first || days > last) /* no date that anybody writes; it stays different from all others */
        return put(out, "day %" PRId64, days);
    return covey_i_typing_format_number(out, COVEY_ARROW_TEXT_SIZE, COVEY_TYPE_DATE, days, 0);
}

/* HH:MM:SS of a day, then that many digits of the second. */
static size_t time_text(char *out, int64_t seconds, int64_t fraction, int scale, int digits)
{
    size_t n = put(out, "%02d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));

    if (digits > 0)
        n += put(out + n, ".%0*" PRId64, digits, fraction / power_of_ten(scale - digits));
    return n;
}

static size_t timestamp_text(char *out, const covey_arrow_field *field, const covey_arrow_clock *clock, int64_t value)
{
    int64_t fraction, seconds;
    const int64_t days = divide(&seconds, divide(&fraction, value, power_of_ten(field->scale)), seconds_per_day);
    size_t n = date_text(out, days);

    if (clock->dates_only)
        return n;
    out[n++] = ' ';
    n += time_text(out + n, seconds, fraction, field->scale, clock->digits);
    if (field->has_zone)
        n += put(out + n, "+00:00");
    return n;
}

void covey_i_arrow_clock_widen(covey_arrow_clock *clock, const covey_arrow_field *field, int64_t value)
{
    int64_t fraction, seconds;

    divide(&seconds, divide(&fraction, value, power_of_ten(field->scale)), seconds_per_day);
    if (field->has_zone || seconds || fraction)
        clock->dates_only = false;
    while (clock->digits < field->scale && fraction % power_of_ten(field->scale - clock->digits) != 0)
        clock->digits += 3;
}

/* The digits of one time of day, which has no column to follow. */
static size_t single_time_text(char *out, const covey_arrow_field *field, int64_t value)
{
    covey_arrow_clock clock = {0};
    int64_t fraction;
    const int64_t seconds = divide(&fraction, value, power_of_ten(field->scale));

    covey_i_arrow_clock_widen(&clock, field, value);
    return time_text(out, seconds % seconds_per_day, fraction, field->scale, clock.digits);
}

size_t covey_i_arrow_number_text(char out[COVEY_ARROW_TEXT_SIZE], const covey_arrow_field *field,
                                 const covey_arrow_clock *clock, int64_t value)
{
    const uint64_t word = (uint64_t)value;
    int64_t rest;

    switch (field->kind) {
    case COVEY_ARROW_BOOL:
        return put(out, value ? "true" : "false");
    case COVEY_ARROW_INTEGER:
        return put(out, "%" PRId64, value);
    case COVEY_ARROW_UNSIGNED:
        return put(out, "%" PRIu64, word);
    case COVEY_ARROW_FLOAT:
        return float_text(out, float_value(value, field->width), field->width);
    case COVEY_ARROW_DECIMAL:
        return covey_i_arrow_decimal_text(out, &word, 1, field->scale);
    case COVEY_ARROW_DATE:
        return date_text(out, field->width == 8 ? divide(&rest, value, seconds_per_day * 1000) : value);
    case COVEY_ARROW_TIME:
        return single_time_text(out, field, value);
    case COVEY_ARROW_TIMESTAMP:
        return timestamp_text(out, field, clock, value);
    default:
        return 0;
    }
}
