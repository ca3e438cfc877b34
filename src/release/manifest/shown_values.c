/* Which values of an attribute a release shows: of these alone a manifest may say in which order they come. */
#include "release/manifest/manifest.h"

#include "base/alloc.h"
#include "base/error.h"

/* Marks the values that cells of a category without a hierarchy list: all of a class, unless they are too many for a
 * cell. */
static void mark_listed(bool *shown, uint32_t *seen_in, const covey_release *release, const covey_column *column)
{
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t begin = release->class_start[c], end = release->class_start[c + 1];
        uint32_t n = 0;

        for (uint32_t i = begin; i < end; i++) {
            const uint32_t v = covey_column_code(column, release->row_order[i]);

            n += seen_in[v] != c + 1;
            seen_in[v] = c + 1;
        }
        for (uint32_t i = begin; n <= COVEY_AXIS_MOST_ELEMENTS && i < end; i++)
            shown[covey_column_code(column, release->row_order[i])] = true;
    }
}

/* The same of regions: all their values. */
static void mark_regions(bool *shown, const covey_release *release, size_t n_axes, size_t a)
{
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t low = release->low[c * n_axes + a], high = release->high[c * n_axes + a];

        if (covey_i_shown_codes_count(&release->shown, a, low, high) > COVEY_AXIS_MOST_ELEMENTS)
            continue;
        for (uint32_t v = low; v <= high; v++)
            shown[v] |= covey_i_code_may_show(&release->shown, a, v);
    }
}

/* Groups of values: those that list them.  Every group is a class here. */
static void mark_recoded(bool *shown, const covey_recoded *recoded, const covey_column *column)
{
    for (uint32_t g = 0; g < recoded->column->n_values; g++) {
        uint32_t n = 0;

        for (uint32_t v = 0; v < column->n_values; v++)
            n += recoded->group_of_code[v] == g;
        for (uint32_t v = 0; n <= COVEY_AXIS_MOST_ELEMENTS && v < column->n_values; v++)
            shown[v] |= recoded->group_of_code[v] == g;
    }
}

covey_status covey_i_release_mark_shown(bool *shown, const covey_release *release, const covey_problem *problem,
                                        const covey_field *field, covey_error *err)
{
    const covey_column *column = field->column;
    uint32_t *seen_in;

    if (covey_i_release_recoded(release, field)) {
        mark_recoded(shown, covey_i_release_recoded(release, field), column);
        return COVEY_OK;
    }
    if (field->axis < 0 || release->form->is_exact) {
        covey_i_release_mark_codes(shown, release, problem, field);
        return COVEY_OK;
    }
    if (release->has_regions) {
        mark_regions(shown, release, problem->n_axes, (size_t)field->axis);
        return COVEY_OK;
    }
    if (!(seen_in = covey_i_array_zero(column->n_values, sizeof *seen_in))) /* the last class with the value, from 1 */
        return covey_i_no_memory(err);
    mark_listed(shown, seen_in, release, column);
    covey_i_free(seen_in);
    return COVEY_OK;
}
