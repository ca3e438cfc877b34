/* The hierarchies that need nothing but the values' order: suppression, and balanced trees of a given arity. */
#include "hierarchy/hierarchy_impl.h"

#include <inttypes.h>
#include <string.h>

#include "hierarchy/values.h"

covey_status covey_i_hierarchy_make_suppression(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                                const covey_column *column, covey_coarsening *coarsening,
                                                covey_error *err)
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
        status = covey_i_hierarchy_path_add(tree, &path, err);
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

/* Neighbouring values first .. first + n - 1. */
struct run {
    uint32_t first, n;
};

/* The part that a value lies in when its run is divided by arity: sizes differ by one at most, larger parts stand
 * first. */
static struct run part_of(struct run run, uint32_t value, uint32_t arity)
{
    const uint32_t n_parts = run.n < arity ? run.n : arity, size = run.n / n_parts, n_larger = run.n % n_parts;
    const uint32_t place = value - run.first, of_larger = n_larger * (size + 1);

    if (place < of_larger)
        return (struct run){run.first + place / (size + 1) * (size + 1), size + 1};
    return (struct run){run.first + of_larger + (place - of_larger) / size * size, size};
}

static void add_run(covey_path *path, const covey_column *column, struct run run)
{
    const uint32_t last = run.first + run.n - 1;

    covey_i_text_add(&path->text, covey_column_label(column, run.first), covey_column_label_size(column, run.first));
    if (run.n > 1) {
        covey_i_text_add_string(&path->text, "..");
        covey_i_text_add(&path->text, covey_column_label(column, last), covey_column_label_size(column, last));
    }
    covey_i_hierarchy_path_close(path);
}

covey_status covey_i_hierarchy_make_balanced(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                             const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    const uint32_t first = column->has_null, n = column->n_values - first,
                   arity = spec->n > UINT32_MAX ? UINT32_MAX : (uint32_t)spec->n;
    struct run run[COVEY_MAX_LEVELS]; /* of one value, from the root down */
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status = COVEY_OK;
    int height;

    if (spec->n < 2)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": balanced needs at least 2 children per node, not %" PRId64,
                          column->name, spec->n);
    height = height_of(n, arity);
    COVEY_TRY(covey_i_raw_init(tree, height + 1, NULL, err));
    run[0] = (struct run){first, n};
    for (uint32_t value = first; value < first + n && status == COVEY_OK; value++) {
        if (covey_i_names_null(column, value))
            continue;
        for (int depth = 1; depth < height; depth++)
            run[depth] = part_of(run[depth - 1], value, arity);
        covey_i_path_value(&path, column, value);
        for (int depth = height - 1; depth > 0; depth--)
            add_run(&path, column, run[depth]);
        covey_i_path_label(&path, "*");
        status = covey_i_hierarchy_path_add(tree, &path, err);
    }
    covey_i_text_free(&path.text);
    return status;
}
