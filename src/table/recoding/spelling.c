/* Numbers and dates as other programs write them, and as covey does. */
#include <stdio.h>
#include <string.h>

#include "table/recoding/value.h"
#include "table/table_impl.h"

enum {
    LONGEST = 64,  /* no number and no date is longer */
    PIVOT = 69,    /* two digits of a year: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068, as in POSIX */
    GROUP = 3,     /* digits between two marks of thousands */
    ISO_SIZE = 11, /* of YYYY-MM-DD */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* --- numbers --- */

/* The mark between thousands that stands at p: the other of . and ,; an apostrophe, a blank, or one that does not
 * break. */
static size_t group_mark(const char *p, char decimal)
{
    if ((*p == '.' || *p == ',') && *p != decimal)
        return 1;
    if (*p == '\'' || *p == ' ')
        return 1;
    if (strncmp(p, "\xC2\xA0", 2) == 0)
        return 2;
    return strncmp(p, "\xE2\x80\xAF", 3) == 0 || strncmp(p, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

static size_t count_digits(const char *p)
{
    size_t n = 0;

    while (is_digit(p[n]))
        n++;
    return n;
}

/* out [LONGEST + 1]: the number as covey writes it; false if text is none. */
static bool rewrite_number(char *out, const char *text, char decimal)
{
    const char *p = text;
    size_t n = 0, mark, digits;

    if (strlen(text) > LONGEST)
        return false;
    if (*p == '-')
        out[n++] = *p++;
    digits = count_digits(p);
    if (digits == 0)
        return false;
    memcpy(out + n, p, digits);
    n += digits;
    p += digits;
    if (digits <= GROUP && *(p - digits) != '0' && (mark = group_mark(p, decimal)) > 0) {
        const char *first = p;

        for (; *p && strncmp(p, first, mark) == 0; p += mark + GROUP) {
            if (count_digits(p + mark) != GROUP)
                return false;
            memcpy(out + n, p + mark, GROUP);
            n += GROUP;
        }
    }
    if (*p == decimal) {
        digits = count_digits(++p);
        if (digits == 0)
            return false;
        out[n++] = '.';
        memcpy(out + n, p, digits);
        n += digits;
        p += digits;
    }
    out[n] = '\0';
    return *p == '\0';
}

/* --- dates --- */

static size_t run_of(const char *p)
{
    size_t n = 1;

    while (p[n] == p[0])
        n++;
    return n;
}

bool covey_i_recoding_is_date_format(const char *format)
{
    int years = 0, months = 0, days = 0;

    for (const char *p = format; *p;) {
        const size_t n = run_of(p);

        if (*p == 'Y' && (n == 2 || n == 4))
            years++;
        else if (*p == 'M' && n <= 2)
            months++;
        else if (*p == 'D' && n <= 2)
            days++;
        else if ((*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z') || is_digit(*p) || *p == '%')
            return false;
        p += n;
    }
    return years == 1 && months == 1 && days == 1 && strlen(format) <= LONGEST;
}

/* The number at *p: of as many digits as the format has letters, or one where another character ends it. */
static int read_part(const char **p, size_t n_letters, bool is_open)
{
    const size_t n = count_digits(*p);
    int value = 0;

    if (is_open ? n < 1 || n > 2 : n < n_letters)
        return -1;
    for (size_t i = 0; i < (is_open ? n : n_letters); i++)
        value = value * 10 + *(*p)++ - '0';
    return value;
}

/* out [ISO_SIZE]: the day as YYYY-MM-DD; false if text is not written in that way, or there is no such day. */
static bool rewrite_date(char *out, const char *text, const char *format)
{
    int year = 0, month = 0, day = 0;
    int64_t days;

    for (const char *f = format, *p = text;;) {
        const size_t n = *f ? run_of(f) : 0;
        const char next = f[n];
        const bool is_open = next != 'Y' && next != 'M' && next != 'D' && (f == format || !strchr("YMD", f[-1]));

        if (!*f) {
            if (*p)
                return false;
            break;
        }
        if (*f == 'Y') {
            year = count_digits(p) == n || !is_open ? read_part(&p, n, false) : -1;
            if (year >= 0 && n == 2)
                year += year < PIVOT ? 2000 : 1900;
        } else if (*f == 'M') {
            month = read_part(&p, n, is_open);
        } else if (*f == 'D') {
            day = read_part(&p, n, is_open);
        } else {
            if (strncmp(p, f, n) != 0)
                return false;
            p += n;
        }
        if (year < 0 || month < 0 || day < 0)
            return false;
        f += n;
    }
    if (year > 9999 || month > 12 || day > 31)
        return false;
    snprintf(out, ISO_SIZE, "%04d-%02d-%02d", year, month, day);
    return covey_i_typing_parse_date(&days, out, strlen(out));
}

bool covey_i_recoding_respell(char *out, const char *text, const covey_recoding *recoding, bool as_date)
{
    return as_date ? rewrite_date(out, text, recoding->date_format) : rewrite_number(out, text, recoding->decimal);
}

/* --- what columns seem to be --- */

static bool all_are(const covey_column *raw, const covey_recoding *recoding, bool as_date)
{
    char written[COVEY_RECODING_SIZE];

    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (!covey_i_recoding_respell(written, covey_column_label(raw, v), recoding, as_date))
            return false;
    return raw->n_values > raw->has_null;
}

/* Does a number have a mark that covey does not write: a comma, or what stands between thousands? */
static bool has_mark(const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p == ',' || (*p == '.' ? strchr(p + 1, '.') != NULL : group_mark(p, ',') > 0))
            return true;
    return false;
}

static void guess_decimal(covey_recoding_guess *out, const covey_column *raw)
{
    bool any_mark = false, any_point = false, comma, point;

    for (uint32_t v = raw->has_null; v < raw->n_values; v++) {
        any_mark |= has_mark(covey_column_label(raw, v));
        any_point |= strpbrk(covey_column_label(raw, v), ".,") != NULL;
    }
    comma = any_mark && all_are(raw, &(covey_recoding){.decimal = ','}, false);
    point = any_mark && all_are(raw, &(covey_recoding){.decimal = '.'}, false);
    out->decimal = comma && (any_point || !point) ? ',' : point ? '.' : '\0';
    out->other_decimal = comma && point && any_point ? '.' : '\0';
}

void covey_i_recoding_guess(covey_recoding_guess *out, const covey_column *raw)
{
    static const char *const formats[] = {
        "D.M.YYYY", "D/M/YYYY", "M/D/YYYY", "D-M-YYYY", "M-D-YYYY", "YYYY/M/D",
        "YYYY.M.D", "D.M.YY",   "D/M/YY",   "M/D/YY",   "D-M-YY",   "M-D-YY",
    };

    *out = (covey_recoding_guess){0};
    if (raw->n_values == raw->has_null)
        return;
    guess_decimal(out, raw);
    if (out->decimal)
        return;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (all_are(raw, &(covey_recoding){.date_format = formats[i]}, true)) {
            if (out->date_format) {
                out->other = formats[i];
                return;
            }
            out->date_format = formats[i];
        }
}
