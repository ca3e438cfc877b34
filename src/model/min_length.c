/* Minimum length: the range that a class publishes of one numeric quasi-identifier is at least `length` wide, so that
 * nobody is pinned down in it more closely than that. Source: [Hore07] section 3, constraint (3). */
#include "model/model_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/nearest.h"

struct length_params {
    covey_ratio length;
};

struct state {
    covey_ratio length;
    const covey_column *column;
    size_t quasi;
    covey_i128 unit;   /* 10^scale: numbers are multiples of 1/unit */
    covey_i128 domain; /* width of the attribute's domain, times unit */
};

static const covey_param length_param_list[] = {
    {.name = "length",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct length_params, length),
     .required = true,
     .minimum = "0",
     .help = "least width of the attribute's published ranges, in its unit (dates: days)"},
};

static covey_status find_quasi(size_t *out, const covey_model_input *input, covey_error *err)
{
    if (!input->attribute)
        return covey_fail(err, COVEY_EINVAL,
                          "min-length: no attribute is given: name the numeric quasi-identifier that it is for, as in"
                          " {model: min-length, attribute: age, length: 5}");
    for (size_t i = 0; i < input->n_quasi; i++)
        if (strcmp(input->quasi[i]->name, input->attribute) == 0) {
            *out = i;
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINVAL, "min-length: \"%s\" is not a quasi-identifier: name one that is a number",
                      input->attribute);
}

/* The codes of a hierarchy's leaves need not follow the numbers; then a range of codes is no range of numbers. */
static bool is_ascending(const covey_column *column)
{
    for (uint32_t v = column->has_null ? 2 : 1; v < column->n_values; v++)
        if (column->number[v] < column->number[v - 1])
            return false;
    return true;
}

static covey_status prepare(void **state, const covey_model_input *input, const void *params, covey_arena *arena,
                            covey_error *err)
{
    struct state *s = covey_arena_array_zero(arena, struct state, 1);
    uint32_t first;

    if (!s)
        return covey_i_no_memory(err);
    COVEY_TRY(find_quasi(&s->quasi, input, err));
    s->column = input->quasi[s->quasi];
    s->length = ((const struct length_params *)params)->length;
    if (!covey_column_is_number(s->column))
        return covey_fail(err, COVEY_EINVAL, "min-length: column \"%s\" is %s: it must be a number", s->column->name,
                          covey_type_name(s->column->type));
    if (!is_ascending(s->column))
        return covey_fail(err, COVEY_EINVAL,
                          "min-length: the hierarchy of column \"%s\" does not keep its numbers in order: give it one"
                          " that does, or none",
                          s->column->name);
    first = s->column->has_null ? 1 : 0;
    if (input->quasi_width && input->quasi_width[s->quasi] >= 0)
        s->domain = input->quasi_width[s->quasi];
    else if (first < s->column->n_values)
        s->domain = (covey_i128)s->column->number[s->column->n_values - 1] - s->column->number[first];
    s->unit = 1;
    for (int i = 0; i < s->column->scale; i++)
        s->unit *= 10;
    *state = s;
    return COVEY_OK;
}

/* Where missing cells (code 0) stand beside numbers nothing narrower than the domain is published; alone they are a
 * range of width 0. */
static covey_i128 width(const struct state *s, const covey_group *group)
{
    const uint32_t low = group->low[s->quasi], high = group->high[s->quasi];

    if (s->column->has_null && low == 0)
        return high > 0 ? s->domain : 0;
    return (covey_i128)s->column->number[high] - s->column->number[low];
}

static bool is_long(const struct state *s, covey_i128 wide)
{
    return covey_i_fraction_compare((covey_fraction){wide, s->unit}, (covey_fraction){s->length.num, s->length.den}) >=
           0;
}

static bool admits(const void *state, const covey_group *group)
{
    return !group->low || is_long(state, width(state, group));
}

static void figure(covey_figure *out, const void *state, const covey_group *group)
{
    const struct state *s = state;

    *out =
        group->low ? covey_i_figure_fraction(width(s, group), s->unit) : covey_i_figure_infinite(COVEY_FIGURE_FRACTION);
}

static int64_t min_size(const void *state)
{
    return ((const struct state *)state)->length.num > 0 ? 2 : 1;
}

static bool hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const struct state *s = state;
    char text[96];

    if (admits(state, whole))
        return false;
    covey_i_fraction_text(text, sizeof text, covey_i_fraction(width(s, whole), s->unit));
    snprintf(nearest->why, sizeof nearest->why, "the values of \"%s\" span %s: length can be %s at most",
             s->column->name, text, text);
    covey_i_nearest_change(nearest, "length", "%s", text);
    return true;
}

const covey_model covey_model_min_length = {
    .name = "min-length",
    .summary = "the published ranges of a numeric quasi-identifier are at least `length` wide",
    .not_against = "It hides where in a range somebody lies, not who is in a class nor the sensitive values there.",
    .source = "Hore07, section 3, constraint (3)",
    .threshold = "length",
    .params = length_param_list,
    .n_params = sizeof length_param_list / sizeof *length_param_list,
    .params_size = sizeof(struct length_params),
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY | COVEY_MODEL_RANGES | COVEY_MODEL_ALIKE,
    .figure_high_is_safe = true,
    .prepare = prepare,
    .admits = admits,
    .figure = figure,
    .min_size = min_size,
    .hopeless = hopeless,
};
