/* The hierarchies that need nothing but the values' order: suppression, and balanced trees of a given arity.
 * Source: models-and-recoding section 2.2. */
#include "hierarchy/hierarchy_impl.h"

#include <inttypes.h>
#include <string.h>

#include "hierarchy/hierarchy_values.h"

covey_status covey_i_make_suppression(covey_raw_tree *tree, const covey_hierarchy_spec *spec, const covey_column *column,
                                      covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status;

    if ((status = covey_i_raw_init(tree, 2, NULL, err)) != COVEY_OK)
        return status;
    for (uint32_t code = column->has_null; code < column->n_values && status == COVEY_OK; code++) {
        if (covey_i_names_null(column, code))
            continue;
        covey_i_path_value(&path, column, code);
        covey_i_path_label(&path, "*");
        status = covey_i_path_add(tree, &path, err);
    }
    covey_i_text_free(&path.text);
    return status;
}

/* The smallest h with arity^h >= n, at least 1 so that there is a root to suppress to. */
static int height_of(uint64_t n, uint64_t arity)
{
    int height = 1;

    for (uint64_t reach = arity; reach < n; reach *= arity)
        height++;
    return height;
}

/* Runs of `width` values, counted from the first; values first .. first + n - 1 of the column. */
static void add_run(covey_path *path, const covey_column *column, uint32_t first, uint32_t n, uint64_t index, uint64_t width)
{
    const uint64_t low = index / width * width;
    const uint64_t high = low + width < n ? low + width - 1 : n - 1;
    const uint32_t a = first + (uint32_t)low, b = first + (uint32_t)high;

    covey_i_text_add(&path->text, covey_column_label(column, a), covey_column_label_size(column, a));
    if (a != b) {
        covey_i_text_add_string(&path->text, "..");
        covey_i_text_add(&path->text, covey_column_label(column, b), covey_column_label_size(column, b));
    }
    covey_i_path_close(path);
}

covey_status covey_i_make_balanced(covey_raw_tree *tree, const covey_hierarchy_spec *spec, const covey_column *column,
                                   covey_coarsening *coarsening, covey_error *err)
{
    const uint32_t first = column->has_null, n = column->n_values - first;
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status = COVEY_OK;
    int height;

    if (spec->n < 2)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": balanced needs at least 2 children per node, not %" PRId64, column->name, spec->n);
    height = height_of(n, spec->n > UINT32_MAX ? UINT32_MAX : (uint64_t)spec->n);
    COVEY_TRY(covey_i_raw_init(tree, height + 1, NULL, err));
    for (uint32_t index = 0; index < n && status == COVEY_OK; index++) {
        uint64_t width = 1;

        if (covey_i_names_null(column, first + index))
            continue;
        covey_i_path_value(&path, column, first + index);
        for (int level = 1; level < height; level++)
            add_run(&path, column, first, n, index, width *= (uint64_t)spec->n);
        covey_i_path_label(&path, "*");
        status = covey_i_path_add(tree, &path, err);
    }
    covey_i_text_free(&path.text);
    return status;
}
