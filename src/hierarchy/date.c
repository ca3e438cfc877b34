/* Hierarchies of dates: day, month, quarter, year, decade, in any ascending selection. */
#include "hierarchy/hierarchy_impl.h"

#include <string.h>

#include "hierarchy/values.h"

enum { DAY, MONTH, QUARTER, YEAR, DECADE, N_UNITS };
static const char *const unit_names[N_UNITS] = {
    [DAY] = "day", [MONTH] = "month", [QUARTER] = "quarter", [YEAR] = "year", [DECADE] = "decade"};

static int find_unit(const char *name)
{
    for (int unit = 0; unit < N_UNITS; unit++)
        if (strcmp(unit_names[unit], name) == 0)
            return unit;
    return -1;
}

static covey_status read_units(int unit[N_UNITS], const covey_hierarchy_spec *spec, const covey_column *column,
                               covey_error *err)
{
    if (spec->n_units == 0)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": date needs units of day, month, quarter, year, decade",
                          column->name);
    for (size_t i = 0; i < spec->n_units; i++) {
        const char *near = covey_nearest_name(spec->units[i], unit_names, N_UNITS);
        const int found = find_unit(spec->units[i]);

        if (found < 0)
            return covey_fail(
                err, COVEY_EINVAL,
                "column \"%s\": date: there is no unit \"%s\"%s%s%s; units are day, month, quarter, year, decade",
                column->name, spec->units[i], near ? " (\"" : "", near ? near : "", near ? "\"?)" : "");
        if (i > 0 && found <= unit[i - 1])
            return covey_fail(
                err, COVEY_EINVAL,
                "column \"%s\": date: %s does not come after %s; list units from fine to coarse, each once",
                column->name, unit_names[found], unit_names[unit[i - 1]]);
        unit[i] = found; /* ascending, so there are N_UNITS at most */
    }
    return COVEY_OK;
}

/* Closes the label of a day, given as YYYY-MM-DD. */
static void add_unit(covey_path *path, int unit, const char *day)
{
    const int month = (day[5] - '0') * 10 + (day[6] - '0');

    switch (unit) {
    case DAY:
        covey_i_text_add(&path->text, day, 10);
        break;
    case MONTH:
        covey_i_text_add(&path->text, day, 7);
        break;
    case QUARTER:
        covey_i_text_add_format(&path->text, "%.4s-Q%d", day, (month - 1) / 3 + 1);
        break;
    case YEAR:
        covey_i_text_add(&path->text, day, 4);
        break;
    default:
        covey_i_text_add_format(&path->text, "%.3s0s", day);
        break;
    }
    covey_i_hierarchy_path_close(path);
}

covey_status covey_i_hierarchy_make_date(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status = COVEY_OK;
    int unit[N_UNITS];

    if (column->type != COVEY_TYPE_DATE)
        return covey_fail(err, COVEY_EINVAL,
                          "column \"%s\": date needs dates (YYYY-MM-DD), but the column's type is %s", column->name,
                          covey_type_name(column->type));
    COVEY_TRY(read_units(unit, spec, column, err));
    COVEY_TRY(covey_i_raw_init(tree, (int)spec->n_units + 2, NULL, err));
    for (uint32_t code = column->has_null; code < column->n_values && status == COVEY_OK; code++) {
        char day[32];

        covey_i_typing_format_number(day, sizeof day, COVEY_TYPE_DATE, column->number[code], 0);
        covey_i_path_value(&path, column, code);
        for (size_t i = 0; i < spec->n_units; i++)
            add_unit(&path, unit[i], day);
        covey_i_path_label(&path, "*");
        status = covey_i_hierarchy_path_add(tree, &path, err);
    }
    covey_i_text_free(&path.text);
    return status;
}
