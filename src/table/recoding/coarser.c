/* Values made coarser: bounded, rounded, dates as ages, texts as their first characters. */
#include <stdio.h>
#include <string.h>

#include "table/recoding/value.h"
#include "table/table_impl.h"

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

/* out [COVEY_RECODING_SIZE]: text where nothing changed. */
static bool coarsen_number(char *out, const char *text, const covey_recoding *r)
{
    struct decimal value;
    bool changed = false;

    if (!read_decimal(&value, text) || !limit(&value, &changed, r->bottom, false) ||
        !limit(&value, &changed, r->top, true) || !round_off(&value, &changed, r->round))
        return false;
    if (!changed) {
        snprintf(out, COVEY_RECODING_SIZE, "%s", text);
        return true;
    }
    while (value.scale > 0 && value.number % 10 == 0) {
        value.number /= 10;
        value.scale--;
    }
    covey_i_typing_format_number(out, COVEY_RECODING_SIZE, COVEY_TYPE_DECIMAL, value.number, value.scale);
    return true;
}

static int year_of(const char *day)
{
    int year = 0;

    for (; *day >= '0' && *day <= '9'; day++)
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
    snprintf(out, COVEY_RECODING_SIZE, "%d", years - (strcmp(day + 4, born + 4) < 0));
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

const char *covey_i_recoding_coarsen(const char *text, const covey_recoding *r, covey_arena *arena, bool *broken)
{
    char made[COVEY_RECODING_SIZE];
    const char *out;

    if (r->age_at && !find_age(made, text, r->age_at))
        return NULL;
    if (covey_i_recoding_is_of_numbers(r)) {
        char number[COVEY_RECODING_SIZE];

        if (!coarsen_number(number, r->age_at ? made : text, r))
            return NULL;
        memcpy(made, number, sizeof made);
    }
    out = r->age_at || covey_i_recoding_is_of_numbers(r) ? made : text;
    out = covey_arena_strndup(arena, out, r->first ? first_characters(out, r->first) : strlen(out));
    *broken |= !out;
    return out;
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
