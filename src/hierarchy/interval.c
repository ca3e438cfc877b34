/* Hierarchies that cut a number line: steps of given widths, and the top-coding that disclosure rules ask for ("90 and
 * over"). All bounds are exact: every number is scaled to integers once. */
#include "hierarchy/hierarchy_impl.h"

#include <inttypes.h>
#include <string.h>

#include "hierarchy/values.h"
#include "table/table_impl.h"

/* An interval of fewer integers is listed as a whole, so that the hierarchy does not depend on the data. */
enum { MOST_LISTED = 1 << 20 };

/* The parameters, scaled alike. */
typedef struct steps {
    const covey_column *column;
    int scale;
    int64_t from, to;
    int64_t width[COVEY_MAX_LEVELS];
    int n_widths;
    bool clamp;
} steps;

static covey_status read_parameter(int64_t *number, int *scale, const char *name, const char *text,
                                   const covey_column *column, covey_error *err)
{
    if (!text)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": interval needs `%s`", column->name, name);
    if (!covey_i_typing_read_number(number, scale, column->type, text, strlen(text)))
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": interval: %s \"%s\" is not %s of at most 18 digits",
                          column->name, name, text,
                          column->type == COVEY_TYPE_INTEGER ? "an integer" : "a decimal number");
    return COVEY_OK;
}

static covey_status need_number(const covey_column *column, const char *kind, covey_error *err)
{
    if (column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL)
        return COVEY_OK;
    return covey_fail(err, COVEY_EINVAL, "column \"%s\": %s needs numbers, but the column's type is %s%s", column->name,
                      kind, covey_type_name(column->type),
                      column->type == COVEY_TYPE_DATE ? "; use date: [month, year]" : "");
}

static covey_status read_widths(steps *s, int scale[COVEY_MAX_LEVELS], const covey_hierarchy_spec *spec,
                                covey_error *err)
{
    if (spec->n_widths > COVEY_MAX_LEVELS - 2)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": %zu widths; %d are the most", s->column->name,
                          spec->n_widths, COVEY_MAX_LEVELS - 2);
    s->n_widths = (int)spec->n_widths;
    for (int i = 0; i < s->n_widths; i++)
        COVEY_TRY(read_parameter(&s->width[i], &scale[i], "width", spec->widths[i], s->column, err));
    return COVEY_OK;
}

static covey_status check_widths(const steps *s, const covey_hierarchy_spec *spec, covey_error *err)
{
    for (int i = 0; i < s->n_widths; i++) {
        if (s->width[i] <= 0)
            return covey_fail(err, COVEY_EINVAL, "column \"%s\": the width %s is not positive", s->column->name,
                              spec->widths[i]);
        if (i > 0 && s->width[i] % s->width[i - 1] != 0)
            return covey_fail(
                err, COVEY_EINVAL,
                "column \"%s\": the width %s is no multiple of %s, the one before, so that levels would not be nested",
                s->column->name, spec->widths[i], spec->widths[i - 1]);
    }
    return COVEY_OK;
}

/* Brings everything to one scale. */
static covey_status align(steps *s, const covey_hierarchy_spec *spec, int from_scale, int to_scale,
                          const int *width_scale, covey_error *err)
{
    bool fits;

    s->scale = s->column->scale > from_scale ? s->column->scale : from_scale;
    s->scale = s->scale > to_scale ? s->scale : to_scale;
    for (int i = 0; i < s->n_widths; i++)
        s->scale = s->scale > width_scale[i] ? s->scale : width_scale[i];
    fits = covey_i_hierarchy_rescale(&s->from, from_scale, s->scale) &&
           covey_i_hierarchy_rescale(&s->to, to_scale, s->scale);
    for (int i = 0; i < s->n_widths; i++)
        fits = fits && covey_i_hierarchy_rescale(&s->width[i], width_scale[i], s->scale);
    for (uint32_t code = 0; code < s->column->n_values; code++) {
        int64_t number = s->column->number[code];

        fits = fits && covey_i_hierarchy_rescale(&number, s->column->scale, s->scale);
    }
    if (!fits)
        return covey_fail(
            err, COVEY_EINVAL,
            "column \"%s\": the interval from %s to %s, its widths and the column's values need more than 18 digits"
            " where all have %d places behind the point: give ends and widths with fewer digits, or round the column",
            s->column->name, spec->from ? spec->from : "0", spec->to ? spec->to : "the largest value", s->scale);
    return COVEY_OK;
}

static covey_status read_interval(steps *s, const covey_hierarchy_spec *spec, const covey_column *column,
                                  covey_error *err)
{
    int from_scale, to_scale, width_scale[COVEY_MAX_LEVELS];

    *s = (steps){.column = column, .clamp = spec->clamp};
    COVEY_TRY(need_number(column, "interval", err));
    COVEY_TRY(read_parameter(&s->from, &from_scale, "from", spec->from, column, err));
    COVEY_TRY(read_parameter(&s->to, &to_scale, "to", spec->to, column, err));
    if (spec->n_widths == 0)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": interval needs `widths`, such as [5, 10, 20]",
                          column->name);
    COVEY_TRY(read_widths(s, width_scale, spec, err));
    COVEY_TRY(align(s, spec, from_scale, to_scale, width_scale, err));
    COVEY_TRY(check_widths(s, spec, err));
    if (s->from >= s->to)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": interval: from %s is not below to %s", column->name,
                          spec->from, spec->to);
    return COVEY_OK;
}

static int64_t number_of(const steps *s, uint32_t code)
{
    int64_t number = s->column->number[code];

    covey_i_hierarchy_rescale(&number, s->column->scale, s->scale); /* align() has seen that it fits */
    return number;
}

/* With clamp, `to` itself is in the class ">=to". */
static bool is_inside(const steps *s, int64_t number)
{
    return number >= s->from && (s->clamp ? number < s->to : number <= s->to);
}

static covey_status check_values(const steps *s, const covey_hierarchy_spec *spec, covey_error *err)
{
    for (uint32_t code = s->column->has_null; code < s->column->n_values; code++) {
        const int64_t number = number_of(s, code);

        if (number < s->from || number > s->to)
            return covey_fail_at(err, COVEY_EINVAL, NULL, 0, s->column->name, 0,
                                 "column \"%s\": the value %s lies outside the interval from %s to %s; widen it, or "
                                 "say `clamp: true` for classes "
                                 "beyond its ends",
                                 s->column->name, covey_column_label(s->column, code), spec->from, spec->to);
    }
    return COVEY_OK;
}

/* The levels above a number inside: steps counted from `from`.  What begins below end must end there (no end:
 * INT64_MAX). */
static void add_steps(covey_path *path, const steps *s, int64_t number, int64_t end)
{
    for (int i = 0; i < s->n_widths; i++) {
        const int64_t low = s->from + (number - s->from) / s->width[i] * s->width[i];
        const int64_t high = low + s->width[i];

        covey_i_hierarchy_path_range(path, s->column->type, low, high < end ? high : end, s->scale);
    }
    covey_i_path_label(path, "*");
}

static void add_end(covey_path *path, const steps *s, int64_t number)
{
    const bool below = number < s->from;

    for (int i = 0; i < s->n_widths; i++)
        covey_i_hierarchy_path_end(path, below ? "<" : ">=", s->column->type, below ? s->from : s->to, s->scale);
    covey_i_path_label(path, "*");
}

static covey_status list_integers(covey_raw_tree *tree, covey_path *path, const steps *s, covey_error *err)
{
    for (int64_t number = s->from; is_inside(s, number); number++) {
        covey_i_hierarchy_add_number(&path->text, s->column->type, number, 0);
        covey_i_hierarchy_path_close(path);
        add_steps(path, s, number, s->clamp ? s->to : INT64_MAX);
        COVEY_TRY(covey_i_hierarchy_path_add(tree, path, err));
    }
    return COVEY_OK;
}

static covey_status list_values(covey_raw_tree *tree, covey_path *path, const steps *s, bool inside_too,
                                covey_error *err)
{
    for (uint32_t code = s->column->has_null; code < s->column->n_values; code++) {
        const int64_t number = number_of(s, code);
        const bool inside = is_inside(s, number);

        if (inside && !inside_too)
            continue;
        covey_i_path_value(path, s->column, code);
        if (inside)
            add_steps(path, s, number, s->clamp ? s->to : INT64_MAX);
        else
            add_end(path, s, number);
        COVEY_TRY(covey_i_hierarchy_path_add(tree, path, err));
    }
    return COVEY_OK;
}

static bool is_listed(const steps *s)
{
    return s->column->type == COVEY_TYPE_INTEGER && s->to - s->from < MOST_LISTED;
}

bool covey_i_interval_lists_all(const covey_hierarchy_spec *spec, const covey_column *column)
{
    steps s;

    if (read_interval(&s, spec, column, NULL) != COVEY_OK || !is_listed(&s))
        return false;
    for (uint32_t code = column->has_null; code < column->n_values; code++)
        if (!is_inside(&s, number_of(&s, code)))
            return false; /* clamped values are leaves of their own */
    return true;
}

covey_status covey_i_hierarchy_make_interval(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                             const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status = COVEY_OK;
    steps s;

    COVEY_TRY(read_interval(&s, spec, column, err));
    if (!s.clamp)
        COVEY_TRY(check_values(&s, spec, err));
    COVEY_TRY(covey_i_raw_init(tree, s.n_widths + 2, NULL, err));
    if (is_listed(&s))
        status = list_integers(tree, &path, &s, err);
    if (status == COVEY_OK)
        status = list_values(tree, &path, &s, !is_listed(&s), err);
    covey_i_text_free(&path.text);
    return status;
}

/* --- top-coding --- */

static covey_status read_top(steps *s, const covey_hierarchy_spec *spec, const covey_column *column, covey_error *err)
{
    int from_scale = 0, width_scale[COVEY_MAX_LEVELS];

    *s = (steps){.column = column, .to = spec->n};
    COVEY_TRY(need_number(column, "top", err));
    if (spec->from)
        COVEY_TRY(read_parameter(&s->from, &from_scale, "from", spec->from, column, err));
    COVEY_TRY(read_widths(s, width_scale, spec, err));
    COVEY_TRY(align(s, spec, from_scale, 0, width_scale, err));
    COVEY_TRY(check_widths(s, spec, err));
    if (s->n_widths > 0 && s->from >= s->to)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": top: from %s is not below %" PRId64, column->name,
                          spec->from ? spec->from : "0", spec->n);
    for (uint32_t code = column->has_null; s->n_widths > 0 && code < column->n_values; code++)
        if (number_of(s, code) < s->from)
            return covey_fail_at(
                err, COVEY_EINVAL, NULL, 0, column->name, 0,
                "column \"%s\": the value %s lies below %s, where the widths begin; give a lower `from`", column->name,
                covey_column_label(column, code), spec->from ? spec->from : "0");
    return COVEY_OK;
}

/* Leaves are the values below the top; *reached says whether there are others. */
static covey_status list_below(bool *reached, covey_raw_tree *tree, covey_path *path, const steps *s, covey_error *err)
{
    *reached = false;
    for (uint32_t code = s->column->has_null; code < s->column->n_values; code++) {
        if (number_of(s, code) >= s->to) {
            *reached = true;
            continue;
        }
        covey_i_path_value(path, s->column, code);
        add_steps(path, s, number_of(s, code), s->to);
        COVEY_TRY(covey_i_hierarchy_path_add(tree, path, err));
    }
    return COVEY_OK;
}

static covey_status add_top(covey_raw_tree *tree, covey_path *path, const steps *s, int64_t top, covey_error *err)
{
    for (int level = 0; level <= s->n_widths; level++) {
        covey_i_text_add_format(&path->text, "%" PRId64 "+", top);
        covey_i_hierarchy_path_close(path);
    }
    covey_i_path_label(path, "*");
    return covey_i_hierarchy_path_add(tree, path, err);
}

covey_status covey_i_hierarchy_make_top(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                        const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status;
    bool reached;
    steps s;

    COVEY_TRY(read_top(&s, spec, column, err));
    COVEY_TRY(covey_i_raw_init(tree, s.n_widths + 2, NULL, err));
    coarsening->top = spec->n;
    status = list_below(&reached, tree, &path, &s, err);
    if (status == COVEY_OK && reached)
        status = add_top(tree, &path, &s, spec->n, err);
    covey_i_text_free(&path.text);
    return status;
}
