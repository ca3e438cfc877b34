/* Ladders in a policy: {age: [1, 5, 10, 20], zip: [0, 2]} -- widths of numbers (dates: days), levels of hierarchies. */
#include "method/peel/table.h"

#include <string.h>

#include "base/error.h"
#include "base/yaml_tree.h"

static int find_axis(const covey_problem *problem, const char *name)
{
    for (size_t a = 0; a < problem->n_axes; a++)
        if (strcmp(problem->axis[a].column->name, name) == 0)
            return (int)a;
    return -1;
}

static covey_status unknown(const covey_problem *problem, const char *name, covey_arena *arena, covey_error *err)
{
    const char **names = covey_arena_array(arena, const char *, problem->n_axes), *near;

    if (!names)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++)
        names[a] = problem->axis[a].column->name;
    if ((near = covey_nearest_name(name, names, problem->n_axes)))
        return covey_fail(err, COVEY_EINVAL,
                          "method peel: ladders: there is no quasi-identifier \"%s\"; did you mean \"%s\"?", name,
                          near);
    return covey_fail(err, COVEY_EINVAL,
                      "method peel: ladders: there is no quasi-identifier \"%s\"; the first is \"%s\"", name,
                      problem->n_axes > 0 ? names[0] : "");
}

/* One rung: a width or a level. */
static covey_status read_rung(int64_t *out, const covey_axis *axis, const char *text, covey_error *err)
{
    const char *name = axis->column->name;
    covey_ratio value;
    int64_t scaled;

    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK)
        return covey_fail(err, COVEY_EINVAL, "method peel: ladders: %s: \"%s\" is not a number", name, text);
    if (axis->kind == COVEY_AXIS_RANGE) {
        scaled = value.num;
        for (int i = 0; i < axis->column->scale; i++)
            if (__builtin_mul_overflow(scaled, 10, &scaled))
                return covey_fail(err, COVEY_EINVAL, "method peel: ladders: %s: a width of %s is too large", name,
                                  text);
        if (scaled <= 0 || scaled % value.den != 0)
            return covey_fail(err, COVEY_EINVAL,
                              "method peel: ladders: %s: a width must be positive and have at most %d decimals, not %s",
                              name, axis->column->scale, text);
        *out = scaled / value.den;
        return COVEY_OK;
    }
    if (axis->kind == COVEY_AXIS_FLAT)
        return covey_fail(
            err, COVEY_EINVAL,
            "method peel: ladders: %s is neither a number nor has it a hierarchy: it has no levels to choose from",
            name);
    if (value.den != 1 || value.num < 0 || value.num >= covey_hierarchy_n_levels(axis->tree))
        return covey_fail(err, COVEY_EINVAL,
                          "method peel: ladders: %s: a level of its hierarchy is a whole number from 0 to %d, not %s",
                          name, covey_hierarchy_n_levels(axis->tree) - 1, text);
    *out = value.num;
    return COVEY_OK;
}

static covey_status read_ladder(covey_peel_wish *wish, const covey_axis *axis, const covey_yaml *list,
                                covey_arena *arena, covey_error *err)
{
    if (list->kind != COVEY_YAML_LIST || list->n == 0)
        return covey_fail(err, COVEY_EINVAL, "method peel: ladders: %s must be a list such as [1, 5, 10, 20]",
                          axis->column->name);
    if (list->n > 64)
        return covey_fail(err, COVEY_EINVAL, "method peel: ladders: %s has %zu rungs; 64 are the most",
                          axis->column->name, list->n);
    if (!(wish->rung = covey_arena_array(arena, int64_t, list->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < list->n; i++) {
        if (list->item[i]->kind != COVEY_YAML_SCALAR)
            return covey_fail(err, COVEY_EINVAL,
                              "method peel: ladders: %s must be a list of numbers such as [1, 5, 10, 20]",
                              axis->column->name);
        COVEY_TRY(read_rung(&wish->rung[i], axis, list->item[i]->text, err));
        if (i > 0 && wish->rung[i] <= wish->rung[i - 1])
            return covey_fail(err, COVEY_EINVAL, "method peel: ladders: %s must ascend, but %s stands behind %s",
                              axis->column->name, list->item[i]->text, list->item[i - 1]->text);
    }
    wish->n = list->n;
    return COVEY_OK;
}

covey_status covey_i_peel_wishes_read(covey_peel_wish *wish, const covey_problem *problem, const char *text,
                                      covey_arena *arena, covey_error *err)
{
    const covey_yaml *root;

    COVEY_TRY(covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, err));
    if (!root || root->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL, "method peel: ladders must be a mapping such as {age: [1, 5, 10, 20]}");
    for (size_t i = 0; i < root->n; i++) {
        const int a = find_axis(problem, root->key[i]->text);

        if (a < 0)
            return unknown(problem, root->key[i]->text, arena, err);
        COVEY_TRY(read_ladder(&wish[a], &problem->axis[a], root->item[i], arena, err));
    }
    return COVEY_OK;
}
