/* Hierarchies from explicit cut points per level.  A cut point belongs to the class above it. */
#include "hierarchy/hierarchy_impl.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "hierarchy/values.h"
#include "table/table_impl.h"

typedef struct cut_points {
    const covey_column *column;
    int scale;
    int n_levels;                   /* levels with cuts */
    int64_t *cut[COVEY_MAX_LEVELS]; /* ascending, scaled */
    size_t n_cuts[COVEY_MAX_LEVELS];
} cut_points;

/* Reads one level; the largest scale goes to c->scale, each cut's own stays in scale. */
static covey_status read_level(cut_points *c, uint8_t **scale_out, const covey_hierarchy_spec *spec, size_t level,
                               covey_arena *arena, covey_error *err)
{
    const size_t n = spec->n_cuts[level];
    const char *name = c->column->name;
    uint8_t *scale = covey_arena_array(arena, uint8_t, n);

    if (n == 0)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": cuts: level %zu has no cut points", name, level + 1);
    c->cut[level] = covey_arena_array(arena, int64_t, n);
    c->n_cuts[level] = n;
    if (!scale || !c->cut[level])
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const char *text = spec->cuts[level][i];
        int digits;

        if (!covey_i_typing_read_number(&c->cut[level][i], &digits, c->column->type, text, strlen(text)))
            return covey_fail(err, COVEY_EINVAL,
                              "column \"%s\": cuts: \"%s\" on level %zu is not of the column's type %s", name, text,
                              level + 1, covey_type_name(c->column->type));
        scale[i] = (uint8_t)digits;
        if (digits > c->scale)
            c->scale = digits;
    }
    *scale_out = scale;
    return COVEY_OK;
}

static covey_status align(cut_points *c, const covey_hierarchy_spec *spec, uint8_t *const *scale, covey_error *err)
{
    bool fits = true;

    for (int level = 0; level < c->n_levels; level++)
        for (size_t i = 0; i < c->n_cuts[level]; i++)
            fits = fits && covey_i_hierarchy_rescale(&c->cut[level][i], scale[level][i], c->scale);
    for (uint32_t code = 0; code < c->column->n_values; code++) {
        int64_t number = c->column->number[code];

        fits = fits && covey_i_hierarchy_rescale(&number, c->column->scale, c->scale);
    }
    if (!fits)
        return covey_fail(
            err, COVEY_EINVAL,
            "column \"%s\": the cuts from %s to %s and the column's values need more than 18 digits where all have"
            " %d places behind the point: give cuts with fewer digits, or round the column",
            c->column->name, spec->cuts[0][0], spec->cuts[0][spec->n_cuts[0] - 1], c->scale);
    return COVEY_OK;
}

static bool contains(const int64_t *cut, size_t n, int64_t number)
{
    for (size_t i = 0; i < n; i++)
        if (cut[i] == number)
            return true;
    return false;
}

static covey_status check_level(const cut_points *c, const covey_hierarchy_spec *spec, int level, covey_error *err)
{
    const int64_t *cut = c->cut[level];

    for (size_t i = 0; i < c->n_cuts[level]; i++) {
        if (i > 0 && cut[i] <= cut[i - 1])
            return covey_fail(err, COVEY_EINVAL,
                              "column \"%s\": cuts: level %d: %s does not come after %s; list them ascending",
                              c->column->name, level + 1, spec->cuts[level][i], spec->cuts[level][i - 1]);
        if (level > 0 && !contains(c->cut[level - 1], c->n_cuts[level - 1], cut[i]))
            return covey_fail(err, COVEY_EINVAL,
                              "column \"%s\": cuts: %s of level %d is not among the cut points of level %d, so that "
                              "levels would not be nested",
                              c->column->name, spec->cuts[level][i], level + 1, level);
    }
    return COVEY_OK;
}

static covey_status read_cuts(cut_points *c, const covey_hierarchy_spec *spec, const covey_column *column,
                              covey_arena *arena, covey_error *err)
{
    uint8_t *scale[COVEY_MAX_LEVELS];

    *c = (cut_points){.column = column, .scale = column->scale};
    if (!covey_column_is_number(column))
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": cuts need numbers or dates, but the column's type is text",
                          column->name);
    if (spec->n_levels == 0 || spec->n_levels > COVEY_MAX_LEVELS - 2)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": cuts need 1 to %d lists of cut points, not %zu",
                          column->name, COVEY_MAX_LEVELS - 2, spec->n_levels);
    c->n_levels = (int)spec->n_levels;
    for (size_t level = 0; level < spec->n_levels; level++)
        COVEY_TRY(read_level(c, &scale[level], spec, level, arena, err));
    COVEY_TRY(align(c, spec, scale, err));
    for (int level = 0; level < c->n_levels; level++)
        COVEY_TRY(check_level(c, spec, level, err));
    return COVEY_OK;
}

/* How many cut points lie at or below a number. */
static size_t count_below(const int64_t *cut, size_t n, int64_t number)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (cut[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_classes(covey_path *path, const cut_points *c, int64_t number)
{
    const covey_type type = c->column->type;

    for (int level = 0; level < c->n_levels; level++) {
        const int64_t *cut = c->cut[level];
        const size_t n = c->n_cuts[level], below = count_below(cut, n, number);

        if (below == 0)
            covey_i_hierarchy_path_end(path, "<", type, cut[0], c->scale);
        else if (below == n)
            covey_i_hierarchy_path_end(path, ">=", type, cut[n - 1], c->scale);
        else
            covey_i_hierarchy_path_range(path, type, cut[below - 1], cut[below], c->scale);
    }
    covey_i_path_label(path, "*");
}

covey_status covey_i_hierarchy_make_cuts(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    cut_points c;

    if ((status = read_cuts(&c, spec, column, &arena, err)) != COVEY_OK)
        goto done;
    if ((status = covey_i_raw_init(tree, c.n_levels + 2, NULL, err)) != COVEY_OK)
        goto done;
    for (uint32_t code = column->has_null; code < column->n_values && status == COVEY_OK; code++) {
        int64_t number = column->number[code];

        covey_i_hierarchy_rescale(&number, column->scale, c.scale); /* align() has seen that it fits */
        covey_i_path_value(&path, column, code);
        add_classes(&path, &c, number);
        status = covey_i_hierarchy_path_add(tree, &path, err);
    }
done:
    covey_i_text_free(&path.text);
    covey_arena_free(&arena);
    return status;
}
