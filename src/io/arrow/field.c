/* Reading Arrow's format strings.  The format strings are those of "The Arrow C data interface", section "Data type
 * description". */
#include "io/arrow/field.h"

#include <stdlib.h>
#include <string.h>

/* What is not a column of a table, by how its format begins. */
static const char *name_of_type(const char *format)
{
    static const struct {
        const char *begins, *name;
    } names[] = {{"+s", "struct"}, {"+m", "map"},      {"+u", "union"},   {"+r", "run-end encoded"},
                 {"+", "list"},    {"w:", "binary"},   {"z", "binary"},   {"Z", "binary"},
                 {"vz", "binary"}, {"tD", "duration"}, {"ti", "interval"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(format, names[i].begins, strlen(names[i].begins)) == 0)
            return names[i].name;
    return "unknown";
}

static bool is_integer(covey_arrow_field *out, char letter)
{
    static const char letters[] = "cCsSiIlL";
    const char *at = letter ? strchr(letters, letter) : NULL;

    if (!at)
        return false;
    out->width = 1 << (at - letters) / 2;
    out->is_unsigned = (at - letters) % 2 != 0;
    out->kind = out->is_unsigned ? COVEY_ARROW_UNSIGNED : COVEY_ARROW_INTEGER;
    return true;
}

/* "d:precision,scale[,bits]" */
static bool is_decimal(covey_arrow_field *out, const char *format)
{
    char *end;
    long bits = 128, scale;

    if (strncmp(format, "d:", 2) != 0)
        return false;
    strtol(format + 2, &end, 10);
    if (*end != ',')
        return false;
    scale = strtol(end + 1, &end, 10);
    if (*end == ',')
        bits = strtol(end + 1, &end, 10);
    if (*end || scale < -100 || scale > 100 || (bits != 32 && bits != 64 && bits != 128 && bits != 256))
        return false;
    out->kind = COVEY_ARROW_DECIMAL;
    out->scale = (int)scale;
    out->width = (int)bits / 8;
    return true;
}

/* Digits of a second: s, m(illi), u (micro), n(ano). */
static bool read_unit(covey_arrow_field *out, char letter)
{
    static const char units[] = "smun";
    const char *at = letter ? strchr(units, letter) : NULL;

    out->scale = at ? 3 * (int)(at - units) : 0;
    return at != NULL;
}

static bool is_temporal(covey_arrow_field *out, const char *format)
{
    if (strcmp(format, "tdD") == 0 || strcmp(format, "tdm") == 0) {
        out->kind = COVEY_ARROW_DATE;
        out->width = format[2] == 'D' ? 4 : 8;
        return true;
    }
    if (strncmp(format, "tt", 2) == 0) {
        out->kind = COVEY_ARROW_TIME;
        out->width = format[2] == 's' || format[2] == 'm' ? 4 : 8;
        return read_unit(out, format[2]);
    }
    if (strncmp(format, "ts", 2) == 0 && format[2] && format[3] == ':') {
        out->kind = COVEY_ARROW_TIMESTAMP;
        out->width = 8;
        out->has_zone = format[4] != '\0';
        return read_unit(out, format[2]);
    }
    return false;
}

static bool is_simple(covey_arrow_field *out, const char *format)
{
    static const struct {
        const char *format;
        covey_arrow_kind kind;
        int width;
    } simple[] = {{"n", COVEY_ARROW_NULL, 0},  {"b", COVEY_ARROW_BOOL, 0},  {"e", COVEY_ARROW_FLOAT, 2},
                  {"f", COVEY_ARROW_FLOAT, 4}, {"g", COVEY_ARROW_FLOAT, 8}, {"u", COVEY_ARROW_TEXT, 4},
                  {"U", COVEY_ARROW_TEXT, 8},  {"vu", COVEY_ARROW_VIEW, 16}};

    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (strcmp(format, simple[i].format) == 0) {
            out->kind = simple[i].kind;
            out->width = simple[i].width;
            return true;
        }
    return strlen(format) == 1 && is_integer(out, format[0]);
}

bool covey_i_arrow_field(covey_arrow_field *out, const char **what, const struct ArrowSchema *schema)
{
    covey_arrow_field inner;

    *out = (covey_arrow_field){0};
    if (schema->dictionary) {
        *what = "dictionary";
        if (!covey_i_arrow_field(&inner, what, schema->dictionary) || schema->dictionary->dictionary ||
            strlen(schema->format) != 1 || !is_integer(out, schema->format[0]))
            return false;
        out->kind = COVEY_ARROW_DICTIONARY;
        out->values = schema->dictionary;
        return true;
    }
    *what = name_of_type(schema->format);
    if (strcmp(schema->format, "+r") == 0 && schema->n_children == 2) {
        const char *ends = schema->children[0]->format;

        out->values = schema->children[1];
        if (out->values->dictionary || !covey_i_arrow_field(&inner, what, out->values) ||
            inner.kind == COVEY_ARROW_RUNS || strlen(ends) != 1 || !is_integer(out, *ends) || out->is_unsigned)
            return false;
        out->kind = COVEY_ARROW_RUNS;
        return true;
    }
    return is_simple(out, schema->format) || is_decimal(out, schema->format) || is_temporal(out, schema->format);
}

bool covey_i_arrow_field_is_typed(const covey_arrow_field *field)
{
    covey_arrow_field inner;
    const char *what;

    if (field->values)
        return covey_i_arrow_field(&inner, &what, field->values) && covey_i_arrow_field_is_typed(&inner);
    return field->kind != COVEY_ARROW_TEXT && field->kind != COVEY_ARROW_VIEW;
}
