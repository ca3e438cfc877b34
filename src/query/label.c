/* Labels that say which numbers they stand for, read back. */
#include "query/label.h"

#include <stdio.h>
#include <string.h>

#include "reader/cells/cells.h"
#include "table/table_impl.h"

enum { MOST_BYTES = 120 };

/* One end, text[0 .. n-1]. */
static bool read_number(int64_t *number, int *scale, covey_type type, const char *text, size_t n)
{
    char copy[MOST_BYTES];

    while (n > 0 && *text == ' ')
        text++, n--;
    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return covey_i_cell_number(number, scale, type, copy);
}

/* Both ends, brought to one scale. */
static bool read_ends(covey_number_label *out, covey_type type, const char *low, size_t n_low, const char *high,
                      size_t n_high)
{
    int scale[2];

    if (!read_number(&out->low, &scale[0], type, low, n_low) || !read_number(&out->high, &scale[1], type, high, n_high))
        return false;
    out->scale = scale[0] > scale[1] ? scale[0] : scale[1];
    out->has_low = out->has_high = true;
    return covey_i_cell_rescale(&out->low, scale[0], out->scale) &&
           covey_i_cell_rescale(&out->high, scale[1], out->scale) && out->low <= out->high;
}

static bool read_brackets(covey_number_label *out, covey_type type, const char *text, size_t n)
{
    const char *comma = strchr(text, ',');

    if (n < 5 || text[0] != '[' || (text[n - 1] != ']' && text[n - 1] != ')') || !comma)
        return false;
    out->high_open = text[n - 1] == ')';
    return read_ends(out, type, text + 1, (size_t)(comma - text - 1), comma + 1, (size_t)(text + n - 1 - (comma + 1)));
}

static bool read_run(covey_number_label *out, covey_type type, const char *text, size_t n)
{
    const char *dots = strstr(text, ".."), *hyphen = type == COVEY_TYPE_INTEGER && *text ? strchr(text + 1, '-') : NULL;

    if (dots)
        return read_ends(out, type, text, (size_t)(dots - text), dots + 2, (size_t)(text + n - (dots + 2)));
    return hyphen && read_ends(out, type, text, (size_t)(hyphen - text), hyphen + 1, (size_t)(text + n - (hyphen + 1)));
}

static bool read_open_end(covey_number_label *out, covey_type type, const char *text, size_t n)
{
    if (text[0] == '<') {
        out->has_high = out->high_open = true;
        return read_number(&out->high, &out->scale, type, text + 1, n - 1);
    }
    out->has_low = true;
    if (text[0] == '>' && text[1] == '=')
        return read_number(&out->low, &out->scale, type, text + 2, n - 2);
    return n > 1 && text[n - 1] == '+' && read_number(&out->low, &out->scale, type, text, n - 1);
}

/* The day that begins the month, 1 .. 12 or behind the year's last. */
static bool first_day(int64_t *day, int year, int month)
{
    char text[32];

    snprintf(text, sizeof text, "%04d-%02d-01", year + (month - 1) / 12, (month - 1) % 12 + 1);
    return covey_i_typing_parse_date(day, text, strlen(text));
}

static bool read_digits(int *out, const char *text, int n)
{
    for (*out = 0; n > 0; n--, text++) {
        if (*text < '0' || *text > '9')
            return false;
        *out = 10 * *out + (*text - '0');
    }
    return true;
}

static bool read_span(covey_number_label *out, covey_type type, const char *text, size_t n)
{
    int year, month = 1, quarter, months;

    if (type != COVEY_TYPE_DATE || n < 4 || !read_digits(&year, text, 4) || year == 0)
        return false;
    if (n == 4) {
        months = 12;
    } else if (n == 5 && text[3] == '0' && text[4] == 's') {
        months = 120;
    } else if (n == 7 && text[4] == '-' && text[5] == 'Q' && read_digits(&quarter, text + 6, 1) && quarter >= 1 &&
               quarter <= 4) {
        months = 3;
        month = 3 * quarter - 2;
    } else if (n == 7 && text[4] == '-' && read_digits(&month, text + 5, 2) && month >= 1 && month <= 12) {
        months = 1;
    } else {
        return false;
    }
    out->has_low = out->has_high = out->high_open = true;
    return first_day(&out->low, year, month) && first_day(&out->high, year, month + months);
}

typedef bool reader(covey_number_label *out, covey_type type, const char *text, size_t n);

static bool read_single(covey_number_label *out, covey_type type, const char *text, size_t n)
{
    out->has_low = out->has_high = read_number(&out->low, &out->scale, type, text, n);
    out->high = out->low;
    return out->has_low;
}

bool covey_i_query_label(covey_number_label *out, covey_type type, const char *text)
{
    static reader *const readers[] = {read_single, read_brackets, read_run, read_span, read_open_end};
    const size_t n = strlen(text);
    covey_number_label label;
    bool found = false;

    if (type == COVEY_TYPE_TEXT || n == 0 || n > MOST_BYTES)
        return false;
    for (size_t i = 0; i < sizeof readers / sizeof *readers && !found; i++) {
        label = (covey_number_label){.scale = 0};
        found = readers[i](&label, type, text, n);
    }
    if (!found)
        return false;
    if (label.high_open && type != COVEY_TYPE_DECIMAL &&
        label.scale == 0) { /* whole numbers, days: up to the one before */
        label.high_open = false;
        label.high--;
    }
    if (label.has_low && label.has_high && (label.low > label.high || (label.high_open && label.low == label.high)))
        return false;
    *out = label;
    return true;
}
