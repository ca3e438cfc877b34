/* Rewriting the values of a column.  Everything works on the dictionary. */
#include "table/recoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_cell.h"
#include "base/error.h"
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

/* --- columns --- */

/* What becomes of the values of a dictionary. */
struct rewriting {
    covey_label *label; /* [n_values] text NULL: not so written */
    bool any_misfit, any_change;
};

static bool rewrite_value(char *out, const char *text, const covey_recoding *recoding, bool as_date)
{
    return as_date ? rewrite_date(out, text, recoding->date_format) : rewrite_number(out, text, recoding->decimal);
}

/* "00345" is a code, not a number, as far as a guess goes. */
static bool is_code(const char *text)
{
    return text[0] == '0' && is_digit(text[1]);
}

static covey_status rewrite(struct rewriting *w, const covey_column *raw, const covey_recoding *recoding, bool as_date,
                            bool is_guess, covey_arena *arena, covey_error *err)
{
    *w = (struct rewriting){.label = covey_arena_array_zero(arena, covey_label, raw->n_values)};
    if (!w->label)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < raw->n_values; v++) {
        const char *text = covey_column_label(raw, v);
        char written[LONGEST + ISO_SIZE];

        if (raw->has_null && v == 0) {
            w->label[v] = (covey_label){text, strlen(text)};
            continue;
        }
        if (!rewrite_value(written, text, recoding, as_date) || (is_guess && !as_date && is_code(text))) {
            w->any_misfit = true;
            continue;
        }
        w->any_change |= strcmp(written, text) != 0;
        w->label[v].text = covey_arena_strdup(arena, written);
        w->label[v].size = strlen(written);
        if (!w->label[v].text)
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

/* The first row whose value could not be read in the way that is expected; n_rows: there is none. */
static int64_t first_unread(const struct rewriting *w, const covey_column *raw)
{
    int64_t row = 0;

    while (row < raw->n_rows && w->label[covey_column_code(raw, row)].text)
        row++;
    return row;
}

static covey_status complain(const struct rewriting *w, const covey_column *raw, const covey_recoding *recoding,
                             bool as_date, const char *file, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN], expected[LONGEST + 32];
    const int64_t row = first_unread(w, raw);
    uint32_t v;

    if (row == raw->n_rows)
        return COVEY_OK; /* nobody has such a value */
    v = covey_column_code(raw, row);
    if (as_date)
        snprintf(expected, sizeof expected, "a date %s", recoding->date_format);
    else
        snprintf(expected, sizeof expected, "a number with a decimal %s", recoding->decimal == ',' ? "comma" : "point");
    return covey_fail_at(
        err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
        "column \"%s\": \"%s\" is not %s; correct the cell, add it to input.null, or declare `type: text`", raw->name,
        covey_i_csv_shown(shown, covey_column_label(raw, v), covey_column_label_size(raw, v)), expected);
}

struct entry {
    covey_label label;
    uint32_t value;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = strcmp(x->label.text, y->label.text);

    return order ? order : (x->value > y->value) - (x->value < y->value);
}

static covey_status make_column(covey_column **out, const covey_column *raw, const struct rewriting *w,
                                covey_arena *arena, covey_error *err)
{
    struct entry *entry = covey_arena_array_zero(arena, struct entry, raw->n_values);
    covey_label *label = covey_arena_array(arena, covey_label, raw->n_values);
    uint32_t *map = covey_arena_array_zero(arena, uint32_t, raw->n_values), n = 0, n_entries = 0;

    if (!entry || !label || !map)
        return covey_i_no_memory(err);
    if (raw->has_null)
        label[n++] = w->label[0];
    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (w->label[v].text)
            entry[n_entries++] = (struct entry){w->label[v], v};
    qsort(entry, n_entries, sizeof *entry, compare_entries);
    for (uint32_t i = 0; i < n_entries; i++) {
        if (i == 0 || strcmp(entry[i].label.text, entry[i - 1].label.text) != 0)
            label[n++] = entry[i].label;
        map[entry[i].value] = n - 1;
    }
    return covey_i_column_recode(out, raw, COVEY_TYPE_TEXT, map, n, raw->has_null, 0, label, NULL, err);
}

/* Tries one of the two. */
static covey_status try_one(covey_column **out, struct rewriting *w, const covey_column *raw,
                            const covey_recoding *recoding, bool as_date, bool is_guess, bool is_asked,
                            const char *file, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(rewrite(w, raw, recoding, as_date, is_guess, arena, err));
    if (w->any_misfit && is_asked)
        COVEY_TRY(complain(w, raw, recoding, as_date, file, err));
    if ((w->any_misfit && !is_asked) || !w->any_change)
        return COVEY_OK;
    return make_column(out, raw, w, arena, err);
}

static covey_status rewrite_forms(covey_column **out, covey_recoding *done, const covey_column *raw,
                                  const covey_recoding *recoding, covey_type type, bool is_asked, const char *file,
                                  covey_error *err)
{
    const bool may_be_number = recoding->decimal && type != COVEY_TYPE_DATE && type != COVEY_TYPE_TEXT;
    const bool may_be_date =
        recoding->date_format && (type == COVEY_TYPE_DATE || type == COVEY_TYPE_GUESS) && !(is_asked && may_be_number);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_column *made = NULL;
    covey_recoding applied = {.decimal = recoding->decimal};
    covey_status status = COVEY_OK;
    struct rewriting w;

    if (may_be_number)
        status = try_one(&made, &w, raw, recoding, false, type == COVEY_TYPE_GUESS && !is_asked, is_asked, file, &arena,
                         err);
    if (status == COVEY_OK && !made && may_be_date) {
        applied = (covey_recoding){.date_format = recoding->date_format};
        status = try_one(&made, &w, raw, recoding, true, type == COVEY_TYPE_GUESS, is_asked, file, &arena, err);
    }
    covey_arena_free(&arena);
    if (status != COVEY_OK)
        return status;
    if (done)
        *done = made ? applied : (covey_recoding){0};
    *out = made ? made : covey_i_column_share((covey_column *)(uintptr_t)raw);
    return COVEY_OK;
}

/* --- coarser values --- */

/* number * 10^-scale; what has more digits than a column may have is none. */
struct decimal {
    int64_t number;
    int scale;
};

static bool read_decimal(struct decimal *out, const char *text)
{
    return covey_i_typing_parse_decimal(&out->number, &out->scale, text, strlen(text));
}

/* Brings both to one scale. */
static bool align(struct decimal *a, struct decimal *b)
{
    const int scale = a->scale > b->scale ? a->scale : b->scale;

    if (!covey_i_typing_rescale_number(&a->number, a->scale, scale) ||
        !covey_i_typing_rescale_number(&b->number, b->scale, scale))
        return false;
    a->scale = b->scale = scale;
    return true;
}

/* The bound in the value's place where that lies beyond it. */
static bool limit(struct decimal *value, bool *changed, const char *bound, bool is_top)
{
    struct decimal end;

    if (!bound)
        return true;
    if (!read_decimal(&end, bound) || !align(value, &end))
        return false;
    if (is_top ? value->number > end.number : value->number < end.number) {
        *value = end;
        *changed = true;
    }
    return true;
}

static bool round_off(struct decimal *value, bool *changed, const char *step_text)
{
    struct decimal step;
    int64_t rest;

    if (!step_text)
        return true;
    if (!read_decimal(&step, step_text) || !align(value, &step))
        return false;
    rest = value->number % step.number;
    *changed |= rest != 0;
    value->number -= rest;
    if (rest < 0 ? -rest >= step.number + rest : rest >= step.number - rest)
        value->number += rest < 0 ? -step.number : rest > 0 ? step.number : 0;
    return true;
}

/* out [LONGEST + ISO_SIZE]: text where nothing changed. */
static bool coarsen_number(char *out, const char *text, const covey_recoding *r)
{
    struct decimal value;
    bool changed = false;

    if (!read_decimal(&value, text) || !limit(&value, &changed, r->bottom, false) ||
        !limit(&value, &changed, r->top, true) || !round_off(&value, &changed, r->round))
        return false;
    if (!changed) {
        snprintf(out, LONGEST + ISO_SIZE, "%s", text);
        return true;
    }
    while (value.scale > 0 && value.number % 10 == 0) {
        value.number /= 10;
        value.scale--;
    }
    covey_i_typing_format_number(out, LONGEST + ISO_SIZE, COVEY_TYPE_DECIMAL, value.number, value.scale);
    return true;
}

static int year_of(const char *day)
{
    int year = 0;

    for (; is_digit(*day); day++)
        year = year * 10 + *day - '0';
    return year;
}

/* Whole years between two days that are written YYYY-MM-DD. */
static bool find_age(char *out, const char *born, const char *day)
{
    int64_t days;
    int years;

    if (!covey_i_typing_parse_date(&days, born, strlen(born)) || strcmp(born, day) > 0)
        return false;
    years = year_of(day) - year_of(born);
    snprintf(out, LONGEST + ISO_SIZE, "%d", years - (strcmp(day + 4, born + 4) < 0));
    return true;
}

/* Bytes of the first n characters. */
static size_t first_characters(const char *text, int64_t n)
{
    const char *p = text;

    for (; *p; p++)
        if (((unsigned char)*p & 0xC0) != 0x80 && n-- == 0)
            break;
    return (size_t)(p - text);
}

/* The value made coarser; NULL: it cannot be, or there is no memory (*broken). */
static const char *coarsen(const char *text, const covey_recoding *r, covey_arena *arena, bool *broken)
{
    char made[LONGEST + ISO_SIZE];
    const char *out;

    if (r->age_at && !find_age(made, text, r->age_at))
        return NULL;
    if (covey_i_recoding_is_of_numbers(r)) {
        char number[LONGEST + ISO_SIZE];

        if (!coarsen_number(number, r->age_at ? made : text, r))
            return NULL;
        memcpy(made, number, sizeof made);
    }
    out = r->age_at || covey_i_recoding_is_of_numbers(r) ? made : text;
    out = covey_arena_strndup(arena, out, r->first ? first_characters(out, r->first) : strlen(out));
    *broken |= !out;
    return out;
}

static covey_status complain_of_value(const struct rewriting *w, const covey_column *raw, const covey_recoding *r,
                                      const char *file, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN];
    const int64_t row = first_unread(w, raw);
    uint32_t v;

    if (row == raw->n_rows)
        return COVEY_OK; /* nobody has such a value */
    v = covey_column_code(raw, row);
    return covey_fail_at(
        err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
        "column \"%s\": \"%s\" is not %s, as its `recode` expects; correct the cell or add it to "
        "input.null",
        raw->name, covey_i_csv_shown(shown, covey_column_label(raw, v), covey_column_label_size(raw, v)),
        r->age_at ? "a date (YYYY-MM-DD, or as date-format says) up to the reference day" : "a number");
}

/* Counts rows per value of a column that came of raw row by row. */
static int64_t *count_rows(const covey_column *column, const int64_t *count, covey_arena *arena)
{
    int64_t *rows = covey_arena_array_zero(arena, int64_t, column->n_values);

    for (int64_t row = 0; rows && row < column->n_rows; row++)
        rows[covey_column_code(column, row)] += count ? count[row] : 1;
    return rows;
}

static covey_status join_rare(covey_column **out, const covey_column *column, const int64_t *count, int64_t least,
                              covey_arena *arena, covey_error *err)
{
    struct rewriting w = {.label = covey_arena_array(arena, covey_label, column->n_values)};
    const int64_t *rows = count_rows(column, count, arena);

    if (!w.label || !rows)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        const bool is_rare = rows[v] < least && !(column->has_null && v == 0);

        w.label[v] = is_rare ? (covey_label){"other", 5}
                             : (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
    }
    return make_column(out, column, &w, arena, err);
}

/* The second step: *column gives way to a coarser one. */
static covey_status make_coarser(covey_column **column, const int64_t *count, const covey_recoding *r, const char *file,
                                 covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct rewriting w = {.label = covey_arena_array_zero(&arena, covey_label, (*column)->n_values)};
    covey_column *coarser = NULL, *joined = NULL;
    covey_status status = COVEY_OK;
    bool broken = !w.label;

    for (uint32_t v = 0; v < (*column)->n_values && !broken; v++) {
        const char *text = covey_column_label(*column, v);
        const char *made = (*column)->has_null && v == 0 ? text : coarsen(text, r, &arena, &broken);

        w.any_misfit |= !made;
        w.label[v] = (covey_label){made, made ? strlen(made) : 0};
    }
    if (broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && w.any_misfit)
        status = complain_of_value(&w, *column, r, file, err);
    if (status == COVEY_OK)
        status = make_column(&coarser, *column, &w, &arena, err);
    if (status == COVEY_OK && r->rare)
        status = join_rare(&joined, coarser, count, r->rare, &arena, err);
    if (status == COVEY_OK) {
        covey_i_column_free(*column);
        *column = joined ? joined : coarser;
        coarser = joined ? coarser : NULL;
    }
    covey_i_column_free(coarser);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_recoding_apply(covey_column **out, covey_recoding *done, const covey_column *raw,
                                    const int64_t *count, const covey_recoding *recoding, covey_type type,
                                    bool is_asked, const char *file, covey_error *err)
{
    covey_recoding written;
    covey_column *column = NULL;
    covey_status status;

    COVEY_TRY(rewrite_forms(&column, &written, raw, recoding, recoding->age_at ? COVEY_TYPE_DATE : type, is_asked, file,
                            err));
    status = covey_i_recoding_is_coarser(recoding) ? make_coarser(&column, count, recoding, file, err) : COVEY_OK;
    if (status != COVEY_OK) {
        covey_i_column_free(column);
        return status;
    }
    if (done) {
        *done = *recoding;
        done->decimal = written.decimal;
        done->date_format = written.date_format;
    }
    *out = column;
    return COVEY_OK;
}

const char *covey_i_recoding_fault(const covey_recoding *r)
{
    struct decimal bottom, top, step;
    int64_t day;

    if (r->bottom && !read_decimal(&bottom, r->bottom))
        return "bottom must be a number";
    if (r->top && !read_decimal(&top, r->top))
        return "top must be a number";
    if (r->bottom && r->top && (!align(&bottom, &top) || bottom.number >= top.number))
        return "bottom must be below top";
    if (r->round && (!read_decimal(&step, r->round) || step.number <= 0))
        return "round must be a number greater than 0";
    if (r->age_at && !covey_i_typing_parse_date(&day, r->age_at, strlen(r->age_at)))
        return "age-at must be a day such as 2024-12-31";
    if (r->first < 0 || r->first > COVEY_RECODING_MOST_CHARACTERS)
        return "first must be a number of characters, 60 at most";
    if (r->rare < 0 || r->rare == 1)
        return "rare must be a number of rows, 2 at least";
    return NULL;
}

/* --- what columns seem to be --- */

static bool all_are(const covey_column *raw, const covey_recoding *recoding, bool as_date)
{
    char written[LONGEST + ISO_SIZE];

    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (!rewrite_value(written, covey_column_label(raw, v), recoding, as_date))
            return false;
    return raw->n_values > raw->has_null;
}

static bool is_decimal_comma(const covey_column *raw)
{
    bool any = false;

    for (uint32_t v = raw->has_null; v < raw->n_values && !any; v++)
        any = strchr(covey_column_label(raw, v), ',') != NULL;
    return any && all_are(raw, &(covey_recoding){.decimal = ','}, false);
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
    if (is_decimal_comma(raw)) {
        out->decimal = ',';
        return;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (all_are(raw, &(covey_recoding){.date_format = formats[i]}, true)) {
            if (out->date_format) {
                out->other = formats[i];
                return;
            }
            out->date_format = formats[i];
        }
}
