/* Objectives that count values of the original: kl, ncp where regions are published, and the entropy of levels.
 *
 * Which row of the original stands in which class is known where every class's cells hold just as many rows as it has:
 * then no row lies in two of them.  That is so where nothing is suppressed and boxes do not overlap. */
#include "audit/generalized/objective.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "reader/points/points.h"
#include "reader/points/tree.h"

/* What the rows of a class have. */
struct rows {
    const covey_points *points;
    const covey_point_tree *tree;
    int64_t n;
    double own;           /* sum of w ln w over its combinations, each of w rows */
    uint32_t *low, *high; /* [n_quasi] codes */
};

static void see_point(struct rows *rows, uint32_t point)
{
    const double w = rows->points->n_rows[point];

    rows->n += rows->points->n_rows[point];
    rows->own += w * log(w);
    for (size_t q = 0; q < rows->points->n_dims; q++) {
        const uint32_t code = rows->points->coordinate[point * rows->points->n_dims + q];

        rows->low[q] = code < rows->low[q] ? code : rows->low[q];
        rows->high[q] = code > rows->high[q] ? code : rows->high[q];
    }
}

static void see(void *context, uint32_t node, uint32_t point)
{
    struct rows *rows = context;

    if (point != UINT32_MAX) {
        see_point(rows, point);
        return;
    }
    for (uint32_t i = rows->tree->node[node].begin; i < rows->tree->node[node].end; i++)
        see_point(rows, rows->tree->point[i]);
}

/* [CaoKarras12] section 2, of the smallest and the largest code of a class.  NaN: codes are no numbers. */
static double loss_of(const covey_opened_column *column, const covey_column *from, uint32_t low, uint32_t high)
{
    const covey_hierarchy *tree = column->rebuilt ? column->rebuilt : column->tree;

    if (low == high)
        return 0;
    if (column->stated->publish == COVEY_PUBLISH_LABEL) {
        const uint32_t n = covey_hierarchy_nodes(tree)[covey_hierarchy_lca(tree, low, high)].n_leaves;

        return n == 1 ? 0 : (double)n / covey_hierarchy_n_leaves(tree);
    }
    if (column->stated->publish == COVEY_PUBLISH_SET || (low == 0 && from->has_null))
        return 1;
    if (column->stated->hierarchy || !from->number)
        return NAN;
    return (double)(from->number[high] - from->number[low]) /
           (double)(column->domain_high > column->domain_low ? column->domain_high - column->domain_low : 1) *
           pow(10, column->scale - from->scale);
}

struct boxes {
    double ncp, kl; /* so far */
};

static void add_class(struct boxes *sums, const struct rows *rows, const covey_opened *opened,
                      const covey_original *original)
{
    const double n = (double)rows->n, d = (double)opened->n_quasi;
    double volume = 0;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];

        volume += log((double)rows->high[q] - rows->low[q] + 1);
        sums->ncp += n * d * covey_ratio_value(column->stated->weight) *
                     loss_of(column, original->column[opened->quasi[q]].column, rows->low[q], rows->high[q]);
    }
    sums->kl += rows->own + n * (volume - log(n)); /* [KiferGehrke06] section 3 */
}

/* is_known: each row of the original is in one class. */
static covey_status find_boxes(struct boxes *sums, bool *is_known, const covey_opened *opened,
                               const covey_original *original, covey_arena *arena, covey_error *err)
{
    const size_t d = opened->n_quasi;
    const covey_column **column = covey_arena_array(arena, const covey_column *, d);
    const covey_cover **box = covey_arena_array(arena, const covey_cover *, d);
    covey_points points;
    covey_point_tree tree;
    struct rows rows = {
        &points, &tree, 0, 0, covey_arena_array(arena, uint32_t, d), covey_arena_array(arena, uint32_t, d)};

    if (!column || !box || !rows.low || !rows.high)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < d; q++)
        column[q] = original->column[opened->quasi[q]].column;
    COVEY_TRY(covey_i_points_make(&points, column, d, original->n_rows, arena, err));
    COVEY_TRY(covey_i_point_tree_build(&tree, points.coordinate, points.n, d, arena, err));
    *is_known = true;
    for (uint32_t c = 0; c < opened->n_classes && *is_known; c++) {
        rows.n = 0;
        rows.own = 0;
        memset(rows.low, 0xff, d * sizeof *rows.low);
        memset(rows.high, 0, d * sizeof *rows.high);
        for (size_t q = 0; q < d; q++)
            box[q] = &original->column[opened->quasi[q]].cover[opened->column[opened->quasi[q]].class_cell[c]];
        covey_i_point_tree_visit(&tree, box, see, &rows);
        *is_known = rows.n == (int64_t)opened->class_start[c + 1] - opened->class_start[c];
        if (*is_known)
            add_class(sums, &rows, opened, original);
    }
    return COVEY_OK;
}

/* Cells of the grid are values, unless the method was told where to cut, or an order may list more than values. */
static bool cells_are_values(const covey_stated *stated)
{
    const json_t *parameters = json_object_get(json_object_get(stated->root, "method"), "parameters");
    const char *budget = json_string_value(json_object_get(parameters, "split-budget"));

    for (size_t i = 0; i < stated->n_columns; i++)
        if (stated->column[i].role == COVEY_ROLE_QUASI && stated->column[i].n_order > 0)
            return false;
    return !json_object_get(parameters, "splits") && budget && strcmp(budget, "0") == 0;
}

static covey_status compare_boxes(covey_problems *problems, const covey_opened *opened, const covey_original *original,
                                  covey_arena *arena, covey_error *err)
{
    const bool is_kl = strcmp(opened->stated->objective, "kl") == 0;
    const double n = opened->n_rows;
    struct boxes sums = {0};
    bool is_known = false;
    double cells = 0;

    COVEY_TRY(find_boxes(&sums, &is_known, opened, original, arena, err));
    for (size_t q = 0; q < opened->n_quasi; q++)
        cells += log(original->column[opened->quasi[q]].column->n_values + 1.0);
    if (is_known && is_kl)
        covey_i_objective_compare_value(problems, opened->stated, sums.kl, n * (cells + log(n + 1)));
    else if (is_known && !isnan(sums.ncp))
        covey_i_objective_compare_value(problems, opened->stated, sums.ncp, n * (double)opened->n_quasi);
    return COVEY_OK;
}

/* --- entropy --- */

/* The label of a level that a cell shows, or what a class without missing values shows of it.  Missing values stand
 * under the root, which is their label on each level.  UINT32_MAX: there is no such level. */
static uint32_t label_of(const covey_hierarchy *tree, const covey_cover *cell, int level)
{
    const uint32_t node = covey_hierarchy_ancestor(tree, cell->high, level);

    return node == UINT32_MAX || cell->low >= covey_hierarchy_nodes(tree)[node].first_leaf ? node : 0;
}

/* sum of n log2 n, less that of the values: how many rows have a value among those with its label.  is_known: the cells
 * are labels of the level. */
static covey_status add_entropy(double *sum, bool *is_known, const covey_opened *opened,
                                const covey_opened_column *column, const covey_original_column *original, int level,
                                covey_arena *arena, covey_error *err)
{
    const covey_column *from = original->column;
    const covey_hierarchy *own = column->rebuilt ? column->rebuilt : column->tree,
                          *tree = column->stated->publish == COVEY_PUBLISH_LABEL ? own : NULL;
    const uint32_t n_labels = tree ? covey_hierarchy_n_nodes(tree) : column->text->n_values;
    int64_t *of_label = covey_arena_array_zero(arena, int64_t, n_labels),
            *of_value = covey_arena_array_zero(arena, int64_t, from->n_values);

    if (!of_label || !of_value)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < opened->n_classes; c++) {
        const uint32_t cell = column->class_cell[c],
                       label = tree ? label_of(tree, &original->cover[cell], level) : cell;

        *is_known &= label < n_labels;
        if (label < n_labels)
            of_label[label] += (int64_t)opened->class_start[c + 1] - opened->class_start[c];
    }
    for (uint32_t row = 0; row < opened->n_rows; row++)
        of_value[covey_i_code_at(from, row)]++;
    for (uint32_t i = 0; i < n_labels; i++)
        *sum += of_label[i] > 0 ? (double)of_label[i] * log2((double)of_label[i]) : 0;
    for (uint32_t v = 0; v < from->n_values; v++)
        *sum -= of_value[v] > 0 ? (double)of_value[v] * log2((double)of_value[v]) : 0;
    return COVEY_OK;
}

/* [GionisTassa09].  Levels that cannot be have been told. */
static covey_status compare_entropy(covey_problems *problems, const covey_opened *opened,
                                    const covey_original *original, covey_arena *arena, covey_error *err)
{
    const json_t *levels = json_object_get(json_object_get(opened->stated->root, "objective"), "levels");
    const double n = opened->n_rows;
    double sum = 0;
    bool is_known = true;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];
        const json_t *level = json_object_get(levels, column->stated->name);

        if (!json_is_integer(level) || json_integer_value(level) < 0 || json_integer_value(level) > INT_MAX ||
            (column->stated->publish != COVEY_PUBLISH_LABEL && column->stated->has_missing))
            return COVEY_OK;
        COVEY_TRY(add_entropy(&sum, &is_known, opened, column, &original->column[opened->quasi[q]],
                              (int)json_integer_value(level), arena, err));
    }
    if (is_known)
        covey_i_objective_compare_value(problems, opened->stated, sum, n * log2(n + 1) * (double)opened->n_quasi);
    return COVEY_OK;
}

/* How many levels a hierarchy has that was built from the data is known once it is built again. */
static void check_levels(covey_problems *problems, const covey_opened *opened)
{
    const json_t *levels = json_object_get(json_object_get(opened->stated->root, "objective"), "levels");

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];
        const json_t *level = json_object_get(levels, column->stated->name);

        if (column->rebuilt && json_integer_value(level) >= covey_hierarchy_n_levels(column->rebuilt))
            covey_i_problem(problems, "manifest.json: column \"%s\" is not published on level %" JSON_INTEGER_FORMAT,
                            column->stated->name, json_integer_value(level));
    }
}

covey_status covey_i_objective_compare_original(covey_problems *problems, const covey_opened *opened,
                                                const covey_original *original, covey_error *err)
{
    const covey_stated *stated = opened->stated;
    const bool is_whole = opened->n_rows > 0 && original->n_rows == opened->n_rows && stated->n_suppressed == 0 &&
                          stated->n_counterfeits == 0 && !stated->is_piece;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    check_levels(problems, opened);
    if (!is_whole || !stated->objective || !stated->objective_value.present || !covey_i_opened_all_usable(opened))
        return COVEY_OK;
    if (strcmp(stated->objective, "entropy") == 0 && !stated->is_tight)
        status = compare_entropy(problems, opened, original, &arena, err);
    if ((strcmp(stated->objective, "ncp") == 0 && !stated->is_tight) ||
        (strcmp(stated->objective, "kl") == 0 && cells_are_values(stated)))
        status = compare_boxes(problems, opened, original, &arena, err);
    covey_arena_free(&arena);
    return status;
}
