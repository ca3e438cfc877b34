/* Numbers and dates of one cell: exact decimals, days of the Gregorian calendar, and their texts. */
#include "table/table_impl.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_DIGITS = 18 }; /* 10^18 < 2^63 */

static const int64_t power_of_10[MOST_DIGITS + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits from text[*at], counting those behind the first that is not 0; false if value would need more than 18.
 */
static bool read_digits(int64_t *value, int *significant, const char *text, size_t size, size_t *at)
{
    for (; *at < size && is_digit(text[*at]); (*at)++) {
        if (*significant > 0 || text[*at] != '0')
            if (++*significant > MOST_DIGITS)
                return false;
        *value = *value * 10 + (text[*at] - '0');
    }
    return true;
}

bool covey_i_typing_parse_decimal(int64_t *value, int *scale, const char *text, size_t size)
{
    const bool negative = size > 0 && text[0] == '-';
    size_t at = negative, start = at, point;
    int64_t magnitude = 0;
    int significant = 0;

    if (!read_digits(&magnitude, &significant, text, size, &at) || at == start)
        return false;
    *scale = 0;
    if (at < size && text[at] == '.') {
        point = at++;
        if (!read_digits(&magnitude, &significant, text, size, &at) || at == point + 1 || at - point - 1 > MOST_DIGITS)
            return false;
        *scale = (int)(at - point - 1);
    }
    if (at != size)
        return false;
    *value = negative ? -magnitude : magnitude;
    return true;
}

bool covey_i_typing_is_long_number(const char *text, size_t size)
{
    const size_t start = size > 0 && text[0] == '-';
    int64_t number;
    int scale, n_points = 0;

    if (size == start || !is_digit(text[start]) || !is_digit(text[size - 1]))
        return false;
    for (size_t at = start; at < size; at++) {
        n_points += text[at] == '.';
        if (!is_digit(text[at]) && text[at] != '.')
            return false;
    }
    return n_points <= 1 && !covey_i_typing_parse_decimal(&number, &scale, text, size);
}

static bool is_leap_year(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap_year(year));
}

/* Days since 1970-01-01 in the Gregorian calendar, years from 1.  March is taken as the first month of a year, so that
 * the leap day is the last; 719468 is 1970-01-01 counted from 0000-03-01 (Hinnant, chrono-compatible low-level date
 * algorithms). */
static int64_t days_from_date(int year, int month, int day)
{
    const int y = month <= 2 ? year - 1 : year;
    const int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return (int64_t)y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
}

/* The reverse, for days of the years 1 to 9999. */
static void date_from_days(int *year, int *month, int *day, int64_t days)
{
    const int64_t z = days + 719468, era = z / 146097, day_of_era = z - era * 146097;
    const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t shifted_month = (5 * day_of_year + 2) / 153;

    *day = (int)(day_of_year - (153 * shifted_month + 2) / 5 + 1);
    *month = (int)(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    *year = (int)(year_of_era + era * 400 + (*month <= 2));
}

bool covey_i_typing_parse_date(int64_t *days, const char *text, size_t size)
{
    int year, month, day;

    if (size != 10 || text[4] != '-' || text[7] != '-')
        return false;
    for (int i = 0; i < 10; i++)
        if (i != 4 && i != 7 && !is_digit(text[i]))
            return false;
    year = (text[0] - '0') * 1000 + (text[1] - '0') * 100 + (text[2] - '0') * 10 + (text[3] - '0');
    month = (text[5] - '0') * 10 + (text[6] - '0');
    day = (text[8] - '0') * 10 + (text[9] - '0');
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    *days = days_from_date(year, month, day);
    return true;
}

bool covey_i_typing_read_number(int64_t *number, int *scale, covey_type type, const char *text, size_t size)
{
    *scale = 0;
    if (type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(number, text, size);
    if (!covey_i_typing_parse_decimal(number, scale, text, size))
        return false;
    for (; *scale > 0 && *number % 10 == 0; --*scale) /* so that 7.0 is an integer */
        *number /= 10;
    return type == COVEY_TYPE_DECIMAL || *scale == 0;
}

size_t covey_i_typing_format_number(char *out, size_t out_size, covey_type type, int64_t number, int scale)
{
    const uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int n;

    if (type == COVEY_TYPE_DATE) {
        int year, month, day;

        date_from_days(&year, &month, &day, number);
        n = snprintf(out, out_size, "%04d-%02d-%02d", year, month, day);
    } else if (scale > 0) {
        const uint64_t unit = (uint64_t)power_of_10[scale];

        n = snprintf(out, out_size, "%s%" PRIu64 ".%0*" PRIu64, number < 0 ? "-" : "", magnitude / unit, scale,
                     magnitude % unit);
    } else {
        n = snprintf(out, out_size, "%" PRId64, number);
    }
    return n < 0 ? 0 : (size_t)n;
}

bool covey_i_typing_rescale_number(int64_t *number, int from, int to)
{
    const int shift = to - from;

    if (shift < 0 || shift > MOST_DIGITS || *number >= power_of_10[MOST_DIGITS - shift] ||
        *number <= -power_of_10[MOST_DIGITS - shift])
        return false;
    *number *= power_of_10[shift];
    return true;
}
