/* What is said of a node where rows are suppressed: levels and cost as of a table that never had these rows.  The
 * search looks at all rows; but widths of numbers double up to the table's span, labels reach as far as its values, and
 * so the figures would tell of rows that are not published. See docs/design/suppressed-rows.md. */
#include "method/full_domain/full_domain.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/settled.h"
#include "table/table_impl.h"

/* One attribute, the published rows alone. */
struct view {
    covey_axis axis;    /* its domain, unless that is declared */
    uint32_t *count;    /* [n_codes] */
    uint32_t n_present; /* codes of theirs */
    int64_t n;
    covey_settled_field settled;
    const covey_column *column;  /* as it is published */
    const covey_hierarchy *tree; /* and its hierarchy; NULL: none */
    covey_hierarchy *anew;       /* a balanced one as these values alone would have had it; NULL: no other */
};

static void clear_view(struct view *v)
{
    covey_i_settled_field_clear(&v->settled);
    covey_hierarchy_free(v->anew);
}

static covey_status count_rows(struct view *v, const covey_lattice *lattice, const uint32_t *class_of_row,
                               covey_arena *arena, covey_error *err)
{
    if (!(v->count = covey_arena_array_zero(arena, uint32_t, v->axis.n_values)))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < lattice->problem->n_rows; row++)
        if (class_of_row[row] != COVEY_CLASS_SUPPRESSED) {
            const uint32_t code = covey_i_code(v->axis.column, row);

            v->n_present += v->count[code]++ == 0;
            v->n++;
        }
    return COVEY_OK;
}

/* The column and the hierarchy that are published, and the one that balanced levels are counted in. */
static covey_status settle(struct view *v, const covey_field *field, covey_arena *arena, covey_error *err)
{
    bool *keep = covey_arena_array(arena, bool, v->axis.n_values);

    v->column = field->column;
    v->tree = v->axis.kind == COVEY_AXIS_TREE ? field->tree : NULL;
    if (!keep)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < v->axis.n_values; c++)
        keep[c] = v->count[c] > 0;
    COVEY_TRY(covey_i_release_settle_field(&v->settled, field, &v->axis, keep, arena, err));
    if (!v->settled.column)
        return COVEY_OK;
    v->column = v->settled.column;
    if (!v->settled.tree)
        return COVEY_OK;
    v->tree = v->settled.tree;
    if (field->tree_how && field->tree_how->kind == COVEY_HIERARCHY_BALANCED)
        return covey_hierarchy_build(&v->anew, field->tree_how, v->settled.column, NULL, err);
    return COVEY_OK;
}

/* Clear it afterwards, also when this fails. */
static covey_status look_at(struct view *v, const covey_lattice *lattice, size_t a, const uint32_t *class_of_row,
                            covey_arena *arena, covey_error *err)
{
    const covey_axis *axis = lattice->attribute[a].axis;
    uint32_t low = UINT32_MAX, high = 0;

    *v = (struct view){.axis = *axis};
    COVEY_TRY(count_rows(v, lattice, class_of_row, arena, err));
    for (uint32_t c = axis->column->has_null ? 1 : 0; c < axis->n_values; c++) {
        if (v->count[c] == 0)
            continue;
        low = c < low ? c : low;
        high = c;
    }
    if (axis->kind == COVEY_AXIS_RANGE && !axis->is_declared) {
        v->axis.domain_low = low <= high ? axis->column->number[low] : 0;
        v->axis.domain_high = low <= high ? axis->column->number[high] : 0;
        v->axis.loss_den = v->axis.domain_high > v->axis.domain_low ? v->axis.domain_high - v->axis.domain_low : 1;
    }
    return settle(v, covey_i_problem_field_of(lattice->problem, a), arena, err);
}

/* A code of what is published. */
static uint32_t code_of(const struct view *v, uint32_t code)
{
    return v->settled.map ? v->settled.map[code] : code;
}

/* --- levels --- */

/* The levels that an attribute would have had. */
struct levels {
    int n;
    int64_t width;               /* of a number's ladder: the first rung's */
    const covey_hierarchy *tree; /* NULL: a ladder, or a category with its values and * */
    bool has_labels;             /* of a tree: what is published are its labels at the level */
};

static struct levels levels_of(const covey_lattice_attribute *attribute, const struct view *v, bool has_labels)
{
    struct levels levels = {
        .n = attribute->n_levels, .tree = v->anew ? v->anew : v->tree, .has_labels = has_labels && !v->anew};
    covey_axis axis = v->axis;

    if (levels.tree)
        levels.n = covey_hierarchy_n_levels(levels.tree);
    if (!attribute->is_ladder)
        return levels;
    axis.column = v->column;
    levels.width = covey_i_full_domain_first_width(&levels.n, &axis, v->column->has_null ? 1 : 0, v->column->n_values);
    levels.n += 2;
    return levels;
}

static bool is_same_label(const struct levels *levels, const struct view *v, uint32_t x, uint32_t y, int level)
{
    if (levels->tree)
        return covey_hierarchy_ancestor(levels->tree, code_of(v, x), level) ==
               covey_hierarchy_ancestor(levels->tree, code_of(v, y), level);
    if (level == 0 || level == levels->n - 1)
        return level > 0;
    if (x == 0 && v->axis.column->has_null)
        return false;
    return covey_i_full_domain_rung(v->column->number[code_of(v, x)], levels->width << (level - 1)) ==
           covey_i_full_domain_rung(v->column->number[code_of(v, y)], levels->width << (level - 1));
}

/* Is the label of a value on a level the one that is published? */
static bool is_shown_label(const struct levels *levels, const struct view *v, uint32_t code, int level, int found)
{
    const uint32_t leaf = code_of(v, code), node = covey_hierarchy_ancestor(levels->tree, leaf, level),
                   shown = covey_hierarchy_ancestor(levels->tree, leaf, found);

    return strcmp(covey_i_hierarchy_label_at(levels->tree, node, level),
                  covey_i_hierarchy_label_at(levels->tree, shown, found)) == 0;
}

static bool is_everything(const struct levels *levels, const struct view *v, uint32_t code, int level)
{
    return levels->tree && covey_hierarchy_ancestor(levels->tree, code_of(v, code), level) == 0;
}

/* Do the published rows fall into the same groups, whose labels are those that are published?  Values of a group are
 * neighbours, but for those whose lines end early and repeat the root. */
static bool groups_alike(const struct levels *levels, const struct view *v, const covey_lattice_level *found, int level,
                         int found_level)
{
    uint32_t last = UINT32_MAX, root = UINT32_MAX;

    for (uint32_t c = 0; c < v->axis.n_values; c++) {
        if (v->count[c] == 0)
            continue;
        if (is_everything(levels, v, c, found_level)) {
            if (root != UINT32_MAX && !is_same_label(levels, v, root, c, level))
                return false;
            root = c;
        }
        if (last != UINT32_MAX && (found->label[last] == found->label[c]) != is_same_label(levels, v, last, c, level))
            return false;
        if (levels->tree && levels->has_labels && !is_shown_label(levels, v, c, level, found_level))
            return false;
        last = c;
    }
    return true;
}

/* The lowest level that the published rows alone would have had and that groups them as the one that was found. */
static int restate(const struct levels *levels, const covey_lattice_attribute *attribute, const struct view *v,
                   int found)
{
    for (int l = 0; l < levels->n; l++)
        if (groups_alike(levels, v, &attribute->level[found], l, found))
            return l;
    return levels->n - 1; /* widths, or halves, that these rows would not have had */
}

/* --- the ladder of the published rows --- */

/* Which codes the rows of each class have. */
static covey_status find_ends(uint32_t **low_out, uint32_t **high_out, const covey_lattice *lattice, size_t a,
                              const uint32_t *class_of_row, uint32_t n_classes, covey_arena *arena, covey_error *err)
{
    const covey_column *column = lattice->attribute[a].axis->column;
    uint32_t *low = covey_arena_array(arena, uint32_t, n_classes),
             *high = covey_arena_array_zero(arena, uint32_t, n_classes);

    if (!low || !high)
        return covey_i_no_memory(err);
    memset(low, 0xff, n_classes * sizeof *low);
    for (uint32_t row = 0; row < lattice->problem->n_rows; row++) {
        const uint32_t c = class_of_row[row], code = covey_i_code(column, row);

        if (c == COVEY_CLASS_SUPPRESSED)
            continue;
        low[c] = code < low[c] ? code : low[c];
        high[c] = code > high[c] ? code : high[c];
    }
    *low_out = low;
    *high_out = high;
    return COVEY_OK;
}

static bool is_one_label_each(const struct levels *levels, const struct view *v, const uint32_t *low,
                              const uint32_t *high, uint32_t n_classes, int level)
{
    for (uint32_t c = 0; c < n_classes; c++)
        if (low[c] < high[c] && !is_same_label(levels, v, low[c], high[c], level))
            return false;
    return true;
}

static covey_status choose_rung(covey_lattice_shown *out, const covey_lattice *lattice, size_t a,
                                const uint32_t *class_of_row, uint32_t n_classes, covey_arena *arena, covey_error *err)
{
    const covey_lattice_attribute *attribute = &lattice->attribute[a];
    uint32_t *low = NULL, *high = NULL, *label = covey_arena_array_zero(arena, uint32_t, attribute->n_codes),
             last = UINT32_MAX;
    struct levels levels;
    struct view v;
    int rung = 0;
    covey_status status;

    if ((status = look_at(&v, lattice, a, class_of_row, arena, err)) != COVEY_OK ||
        (status = find_ends(&low, &high, lattice, a, class_of_row, n_classes, arena, err)) != COVEY_OK)
        goto done;
    if (!label) {
        status = covey_i_no_memory(err);
        goto done;
    }
    levels = levels_of(attribute, &v, false);
    while (rung < levels.n - 1 && !is_one_label_each(&levels, &v, low, high, n_classes, rung))
        rung++;
    out->n_labels[a] = 0;
    for (uint32_t c = 0; c < attribute->n_codes; c++) {
        if (v.count[c] > 0) {
            out->n_labels[a] += last == UINT32_MAX || !is_same_label(&levels, &v, last, c, rung);
            last = c;
        }
        label[c] = out->n_labels[a] - (out->n_labels[a] > 0);
    }
    out->label[a] = label;
    out->rung[a] = rung;
done:
    clear_view(&v);
    return status;
}

/* Are the labels of the level that was found those of all rows, and nowhere published? */
static bool goes_by_classes(const covey_lattice *lattice, size_t a)
{
    const covey_axis *axis = lattice->attribute[a].axis;

    if (lattice->attribute[a].is_ladder)
        return !(lattice->shows_levels && lattice->has_ranges); /* else ranges were judged */
    return axis->kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(axis->tree) && !lattice->shows_levels;
}

covey_status covey_i_full_domain_shown(covey_lattice_shown *out, const covey_lattice *lattice, const uint8_t *found,
                                       const uint32_t *class_of_row, uint32_t n_classes, covey_arena *arena,
                                       covey_error *err)
{
    bool suppresses = false;

    *out = (covey_lattice_shown){covey_arena_array(arena, uint32_t *, lattice->n_attributes),
                                 covey_arena_array(arena, uint32_t, lattice->n_attributes),
                                 covey_arena_array(arena, int, lattice->n_attributes)};
    if (!out->label || !out->n_labels || !out->rung)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < lattice->problem->n_rows && !suppresses; row++)
        suppresses = class_of_row[row] == COVEY_CLASS_SUPPRESSED;
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_level *level = &lattice->attribute[a].level[found[a]];

        out->label[a] = level->label;
        out->n_labels[a] = level->n_labels;
        out->rung[a] = -1;
        if (suppresses && goes_by_classes(lattice, a))
            COVEY_TRY(choose_rung(out, lattice, a, class_of_row, n_classes, arena, err));
    }
    return COVEY_OK;
}

/* --- costs --- */

/* n_own: codes under the label that published rows have. */
static double label_loss(const struct view *v, uint32_t low, uint32_t high, uint32_t n_own, int level)
{
    const covey_node *node;
    uint32_t all = v->n_present;

    if (v->axis.kind != COVEY_AXIS_TREE)
        return low == high ? 0 : (double)covey_i_axis_loss(&v->axis, low, high) / (double)v->axis.loss_den;
    if (!covey_hierarchy_is_from_data(v->tree)) {
        node = covey_hierarchy_nodes(v->tree);
        all = node[0].n_leaves;
        n_own = node[covey_hierarchy_ancestor(v->tree, code_of(v, low), level)].n_leaves;
    }
    return all > 1 ? (double)(n_own - 1) / (all - 1) : 0;
}

struct labels {
    const uint32_t *of_code;
    uint32_t n;
    const double *loss; /* [n] what the search thought that they lose; NULL: nobody asks */
};

/* What labels lose, which hierarchies measure at a level; is_same stays true if all lose what the search thought. */
static covey_status add_labels(double *loss, double *entropy, bool *is_same, const struct view *v,
                               const struct labels *labels, int measured, covey_arena *arena, covey_error *err)
{
    uint32_t *low = covey_arena_array(arena, uint32_t, labels->n),
             *high = covey_arena_array(arena, uint32_t, labels->n);
    uint32_t *n_codes = covey_arena_array_zero(arena, uint32_t, labels->n);
    int64_t *rows = covey_arena_array_zero(arena, int64_t, labels->n);

    if (!low || !high || !rows || !n_codes)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < v->axis.n_values; c++)
        if (v->count[c] > 0) {
            const uint32_t label = labels->of_code[c];

            low[label] = rows[label] == 0 ? c : low[label];
            high[label] = c;
            n_codes[label]++;
            rows[label] += v->count[c];
        }
    for (uint32_t l = 0; l < labels->n; l++)
        if (rows[l] > 0) {
            const double own = label_loss(v, low[l], high[l], n_codes[l], measured);

            *is_same &= !labels->loss || own == labels->loss[l];
            *loss += own * (double)rows[l];
        }
    for (uint32_t c = 0; c < v->axis.n_values; c++)
        if (v->count[c] > 0)
            *entropy += v->count[c] * log2((double)rows[labels->of_code[c]] / v->count[c]);
    return COVEY_OK;
}

/* Do the labels of all levels lose what the search thought?  Else another node could be better by what is published. */
static covey_status compare_levels(bool *is_same, const struct view *v, const covey_lattice_attribute *attribute,
                                   covey_arena *arena, covey_error *err)
{
    double loss = 0, entropy = 0;

    for (int l = 0; l < attribute->n_levels && *is_same; l++) {
        const covey_lattice_level *level = &attribute->level[l];

        COVEY_TRY(add_labels(&loss, &entropy, is_same, v, &(struct labels){level->label, level->n_labels, level->loss},
                             l, arena, err));
    }
    return COVEY_OK;
}

/* Are the published rows' values grouped as the search has? */
static bool is_found(const struct labels *labels, const struct view *v, const covey_lattice_level *found)
{
    uint32_t last = UINT32_MAX;

    for (uint32_t c = 0; c < v->axis.n_values; c++) {
        if (v->count[c] == 0)
            continue;
        if (last != UINT32_MAX &&
            (found->label[last] == found->label[c]) != (labels->of_code[last] == labels->of_code[c]))
            return false;
        last = c;
    }
    return true;
}

/* Sums over the attributes. */
struct sums {
    double loss, entropy, height, paths;
    int64_t n_gone;
    bool has_same_losses, has_same_ladders;
};

static covey_status add_attribute(struct sums *sums, int32_t *level, const covey_lattice *lattice, size_t a, int found,
                                  const covey_lattice_shown *shown, const uint32_t *class_of_row, bool has_labels,
                                  covey_arena *arena, covey_error *err)
{
    const covey_lattice_attribute *attribute = &lattice->attribute[a];
    const struct labels labels = {shown->label[a], shown->n_labels[a], NULL};
    const double n = lattice->problem->n_rows;
    struct levels levels;
    struct view v;
    bool any = true, is_as_found;
    covey_status status;

    if ((status = look_at(&v, lattice, a, class_of_row, arena, err)) != COVEY_OK)
        goto done;
    levels = levels_of(attribute, &v, has_labels);
    *level = shown->rung[a] >= 0 ? shown->rung[a] : restate(&levels, attribute, &v, found);
    if ((status = add_labels(&sums->loss, &sums->entropy, &any, &v, &labels, levels.tree == v.tree ? *level : found,
                             arena, err)) != COVEY_OK ||
        (status = compare_levels(&sums->has_same_losses, &v, attribute, arena, err)) != COVEY_OK)
        goto done;
    is_as_found = is_found(&labels, &v, &attribute->level[found]);
    sums->has_same_losses &= is_as_found;
    sums->has_same_ladders &= is_as_found && *level == found && levels.n == attribute->n_levels;
    sums->n_gone = lattice->problem->n_rows - v.n;
    sums->height += *level;
    sums->paths += levels.n > 1 ? (double)v.n * *level / (levels.n - 1) + (n - (double)v.n) : 0;
done:
    clear_view(&v);
    return status;
}

covey_status covey_i_full_domain_published(double *cost, int32_t *level, bool *is_same, const covey_lattice *lattice,
                                           const uint8_t *found, const covey_lattice_shown *shown,
                                           const uint32_t *class_of_row, covey_lattice_metric metric, bool has_labels,
                                           covey_error *err)
{
    const double n = lattice->problem->n_rows, d = (double)lattice->n_attributes;
    struct sums sums = {.has_same_losses = true, .has_same_ladders = true};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (size_t a = 0; a < lattice->n_attributes && status == COVEY_OK; a++)
        status = add_attribute(&sums, &level[a], lattice, a, found[a], shown, class_of_row, has_labels, &arena, err);
    covey_arena_free(&arena);
    COVEY_TRY(status);
    *is_same = true;
    /* Also where they should be the same: the last digits tell in what order they were added up. */
    if (metric == COVEY_METRIC_LOSS) {
        *is_same = sums.has_same_losses;
        *cost = (sums.loss + (double)sums.n_gone * d) / (n * d);
    }
    if (metric == COVEY_METRIC_HEIGHT) {
        *is_same = sums.has_same_ladders;
        *cost = sums.height;
    }
    if (metric == COVEY_METRIC_PREC) {
        *is_same = sums.has_same_ladders;
        *cost = sums.paths / (n * d);
    }
    if (metric == COVEY_METRIC_ENTROPY && sums.n_gone > 0) {
        *is_same = false;
        *cost = sums.entropy +
                (double)sums.n_gone * d * log2(n); /* a suppressed row says nothing: as if nobody else had its values */
    }
    return COVEY_OK;
}
