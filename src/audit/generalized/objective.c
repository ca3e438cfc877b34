/* The objectives of searches for classes: the costs of optimal partitioning that are about a label, the metrics of
 * full-domain and the levels that it chose.
 *
 * What is counted in values of the original that are not published (kl, ncp-box, entropy, levels of a hierarchy that is
 * made from the data) can only be held between bounds (docs/design/verification.md), unless the original is there
 * (objective_original.c). */
#include "audit/generalized/objective.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/model_impl.h"

static const double TOLERANCE = 1e-9;

static bool is_called(const covey_stated *stated, const char *name)
{
    return stated->objective && strcmp(stated->objective, name) == 0;
}

static bool is_of_labels(const covey_stated *stated)
{
    return is_called(stated, "class-error") || is_called(stated, "class-entropy");
}

/* --- what the manifest says --- */

/* The attribute that the method was told, else the sensitive one. */
static const covey_opened_column *find_label(const covey_opened *opened)
{
    const json_t *parameters = json_object_get(json_object_get(opened->stated->root, "method"), "parameters");
    const char *wish = json_string_value(json_object_get(parameters, "label"));
    const covey_opened_column *found = NULL;

    for (size_t i = 0; i < opened->n_columns; i++) {
        const covey_stated_column *column = opened->column[i].stated;

        if (wish ? strcmp(column->name, wish) == 0 : column->role == COVEY_ROLE_SENSITIVE)
            found = &opened->column[i];
    }
    return found && found->stated->publish == COVEY_PUBLISH_VALUE ? found : NULL;
}

covey_status covey_i_objective_begin(covey_class_objective *out, const covey_opened *opened, covey_arena *arena,
                                     covey_error *err)
{
    const json_t *levels = json_object_get(json_object_get(opened->stated->root, "objective"), "levels");

    *out = (covey_class_objective){.label = is_of_labels(opened->stated) ? find_label(opened) : NULL,
                                   .knows_labels = true,
                                   .level = covey_arena_array(arena, int64_t, opened->n_quasi),
                                   .is_off = covey_arena_array_zero(arena, bool, opened->n_quasi),
                                   .shows_all = covey_arena_array_zero(arena, bool, opened->n_quasi),
                                   .loss = covey_arena_array_zero(arena, covey_level_loss, opened->n_quasi)};
    if (!out->level || !out->is_off || !out->shows_all || !out->loss)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < opened->n_quasi; q++) {
        const json_t *level = json_object_get(levels, opened->column[opened->quasi[q]].stated->name);

        out->level[q] = json_is_integer(level) ? json_integer_value(level) : -1;
    }
    return COVEY_OK;
}

/* --- classes --- */

/* How many levels a column has; 0: that follows from values that are not published. */
static int n_levels(const covey_opened_column *column)
{
    if (column->stated->publish == COVEY_PUBLISH_SET)
        return 2; /* the values, and everything */
    return column->stated->publish == COVEY_PUBLISH_LABEL && column->stated->hierarchy_complete && column->tree
               ? covey_hierarchy_n_levels(column->tree)
               : 0;
}

/* Is the missing value the first leaf of a node of several?  Regions of classes without missing cells leave it out. */
static bool begins_with_missing(const covey_opened_column *column, const covey_node *node)
{
    return column->stated->has_missing && node->n_leaves > 1 &&
           strcmp(covey_hierarchy_label(column->tree, covey_hierarchy_leaf_node(column->tree, node->first_leaf)),
                  "null") == 0;
}

/* Is anything of the level everything?  Lines may end early and repeat the root, and a value that the method's
 * hierarchy has right under the root, as missing ones are, is everything one level further up. */
static bool level_has_root(const covey_opened_column *column, int64_t level)
{
    const covey_node *nodes = covey_hierarchy_nodes(column->tree);

    for (uint32_t leaf = 0; leaf < nodes[0].n_leaves; leaf++) {
        const uint32_t node = covey_hierarchy_ancestor(column->tree, leaf, (int)level);

        if (node == 0 || (nodes[node].n_leaves == 1 && nodes[node].parent == 0))
            return true;
    }
    return false;
}

static bool is_everything(const covey_opened_column *column, const covey_cell *cell)
{
    return cell->low == 0 && cell->high == (int64_t)covey_hierarchy_n_leaves(column->tree) - 1;
}

/* The node of a level that a cell is, or is part of. */
static const covey_node *node_of_level(const covey_opened_column *column, const covey_cell *cell, int64_t level)
{
    return covey_hierarchy_nodes(column->tree) +
           (is_everything(column, cell) ? 0 : covey_hierarchy_ancestor(column->tree, (uint32_t)cell->low, (int)level));
}

/* Can it be a cell of the level?  Where regions are published it is the whole node. */
static bool is_of_level(const covey_opened_column *column, const covey_cell *cell, int64_t level, bool has_root,
                        bool is_tight)
{
    const covey_node *node;

    if (level == 0)
        return cell->low == cell->high && cell->kind != COVEY_CELL_ANY;
    if (column->stated->publish != COVEY_PUBLISH_LABEL || n_levels(column) == 0)
        return true;
    if (is_everything(column, cell))
        return has_root;
    node = node_of_level(column, cell, level);
    if (is_tight)
        return cell->high < (int64_t)node->first_leaf + node->n_leaves;
    return (cell->low == node->first_leaf ||
            (cell->low == (int64_t)node->first_leaf + 1 && begins_with_missing(column, node))) &&
           cell->high == (int64_t)node->first_leaf + node->n_leaves - 1;
}

/* What a row of a class loses by its label.  A published range may be a part of what the label holds, and a hierarchy
 * that is made from the data has leaves that no file tells. */
static covey_level_loss label_loss(const covey_opened_column *column, const covey_cell *cell, int64_t level,
                                   bool is_tight)
{
    const double width = (double)(column->domain_high - column->domain_low);
    const covey_node *nodes, *node;
    double own, whole;

    if (level == 0)
        return (covey_level_loss){0, 0};
    if (column->stated->publish == COVEY_PUBLISH_SET)
        return (covey_level_loss){column->n_elements > 1 || cell->n_elements > 1, column->n_elements != 1};
    if (column->stated->publish == COVEY_PUBLISH_RANGE) {
        own = cell->kind == COVEY_CELL_VALUES && width > 0 ? (double)(cell->high - cell->low) / width : 0;
        return (covey_level_loss){own, is_tight || cell->kind != COVEY_CELL_VALUES ? 1 : own};
    }
    if (n_levels(column) == 0)
        return (covey_level_loss){0, 1};
    nodes = covey_hierarchy_nodes(column->tree);
    node = node_of_level(column, cell, level);
    own = nodes[0].n_leaves > 1 ? (double)(cell->high - cell->low) / (nodes[0].n_leaves - 1) : 0;
    if (is_tight && node->n_leaves == 1 && node->parent == 0) /* or everything, see is_of_level */
        return (covey_level_loss){own, nodes[0].n_leaves > 1};
    whole = nodes[0].n_leaves > 1 ? (double)(node->n_leaves - 1) / (nodes[0].n_leaves - 1) : 0;
    return (covey_level_loss){is_tight ? whole : own, is_tight || begins_with_missing(column, node) ? whole : own};
}

/* Only the last level of a column without hierarchy shows *, and there all rows lose everything. */
static void look_at_losses(covey_class_objective *objective, size_t q, const covey_opened *opened)
{
    const covey_opened_column *column = &opened->column[opened->quasi[q]];

    for (uint32_t c = opened->n_seen; c < opened->n_classes; c++) {
        const covey_cell *cell = &column->cell[column->class_cell[c]];
        const double size = opened->class_start[c + 1] - opened->class_start[c];
        const covey_level_loss loss = label_loss(column, cell, objective->level[q], opened->stated->is_tight);

        objective->loss[q].least += size * loss.least;
        objective->loss[q].most += size * loss.most;
        objective->shows_all[q] |=
            objective->level[q] > 0 && !column->stated->hierarchy && cell->kind == COVEY_CELL_ANY;
    }
}

static void look_at_levels(covey_class_objective *objective, const covey_opened *opened)
{
    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];
        const int64_t level = objective->level[q];
        bool has_root;

        if (level < 0 || !column->class_cell || (n_levels(column) > 0 && level >= n_levels(column)))
            continue;
        has_root =
            column->stated->publish == COVEY_PUBLISH_LABEL && n_levels(column) > 0 && level_has_root(column, level);
        look_at_losses(objective, q, opened);
        for (uint32_t c = opened->n_seen; c < opened->n_classes && !objective->is_off[q]; c++)
            objective->is_off[q] =
                !is_of_level(column, &column->cell[column->class_cell[c]], level, has_root, opened->stated->is_tight);
    }
}

static void count_labels(covey_class_objective *objective, int64_t *count, const covey_opened *opened)
{
    const covey_column *text = objective->label->text;

    for (uint32_t c = opened->n_seen; c < opened->n_classes; c++) {
        const uint32_t begin = opened->class_start[c], end = opened->class_start[c + 1];
        const long double n = end - begin;
        int64_t most = 0;

        for (uint32_t row = begin; row < end; row++) {
            int64_t *own = &count[covey_i_code_at(text, row)];

            most = ++*own > most ? *own : most;
        }
        objective->errors += (int64_t)(end - begin) - most;
        objective->entropy += n * logl(n);
        for (uint32_t row = begin; row < end; row++) {
            int64_t *own = &count[covey_i_code_at(text, row)];

            if (*own > 0)
                objective->entropy -= (long double)*own * logl((long double)*own);
            *own = 0;
        }
    }
}

covey_status covey_i_objective_add(covey_class_objective *objective, const covey_opened *opened, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t *count = NULL;

    look_at_levels(objective, opened);
    if (objective->label && !(count = covey_arena_array_zero(&arena, int64_t, objective->label->text->n_values)))
        return covey_i_no_memory(err);
    if (objective->label) {
        objective->n_labels = objective->label->text->n_values;
        count_labels(objective, count, opened);
    }
    covey_arena_free(&arena);
    return COVEY_OK;
}

/* --- comparing --- */

void covey_i_objective_compare_value(covey_problems *problems, const covey_stated *stated, double found, double most)
{
    const covey_stated_figure *value = &stated->objective_value;

    if (!value->present || !(fabs(value->value - found) <= TOLERANCE * fmax(most, fabs(found))))
        covey_i_problem(problems, "manifest.json: the objective %s is not %.9g, as the published table has it",
                        stated->objective, found);
}

static void compare_between(covey_problems *problems, const covey_stated *stated, double least, double most,
                            double scale)
{
    const covey_stated_figure *value = &stated->objective_value;
    const double error = TOLERANCE * fmax(scale, 1);

    if (value->present && value->value >= least - error && value->value <= most + error)
        return;
    if (most - least <= error)
        covey_i_objective_compare_value(problems, stated, least, scale);
    else if (value->present)
        covey_i_problem(problems, "manifest.json: the objective %s is %.9g; the published table makes it %.9g to %.9g",
                        stated->objective, value->value, least, most);
}

/* The k of promises on the size alone, by which average class sizes are divided. */
static int64_t promised_size(const covey_stated *stated)
{
    int64_t size = 1;

    for (size_t p = 0; p < stated->n_promises; p++) {
        const covey_stated_promise *promise = &stated->promise[p];
        const covey_model *model = covey_model_find(promise->model);

        if (model && !promise->attribute && !promise->joint && !(model->traits & COVEY_MODEL_RANGES) &&
            json_is_integer(promise->threshold) && json_integer_value(promise->threshold) > size)
            size = json_integer_value(promise->threshold);
    }
    return size;
}

static void compare_sizes(covey_problems *problems, const covey_opened *opened)
{
    const double mean = opened->n_classes ? (double)opened->n_rows / opened->n_classes : 0;

    if (opened->n_classes > 0 && !opened->stated->has_units)
        covey_i_objective_compare_value(problems, opened->stated, mean / (double)promised_size(opened->stated), 0);
}

static void compare_labels(covey_problems *problems, const covey_class_objective *objective, const covey_opened *opened)
{
    const covey_stated *stated = opened->stated;
    const double n = (double)opened->n_rows, gone = (double)stated->n_suppressed;

    if (is_called(stated, "class-error"))
        covey_i_objective_compare_value(problems, stated, (double)objective->errors + gone, 0);
    else if (objective->knows_labels || stated->n_suppressed == 0) /* a suppressed row may have any label */
        covey_i_objective_compare_value(problems, stated,
                                        (double)objective->entropy +
                                            gone * (objective->n_labels > 1 ? log(objective->n_labels) : 0),
                                        n * log(n + 1));
}

/* Steps up from the values, of as many as there are: of suppressed rows all.  false: how many is not known. */
static bool find_precision(double *out, const covey_class_objective *objective, const covey_opened *opened)
{
    const double n = (double)opened->n_rows, gone = (double)opened->stated->n_suppressed;
    double sum = 0;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const int n_steps = n_levels(&opened->column[opened->quasi[q]]) - 1;

        if (n_steps < 0 && (gone > 0 || objective->level[q] > 0))
            return false;
        if (n_steps > 0)
            sum += n * (double)objective->level[q] / n_steps + gone;
    }
    *out = 1 - sum / ((n + gone) * (double)opened->n_quasi);
    return n + gone > 0;
}

/* Of all rows together; suppressed ones lose everything. */
static covey_level_loss levels_loss(const covey_class_objective *objective, const covey_opened *opened)
{
    const double n = opened->n_rows, gone = (double)opened->stated->n_suppressed, d = (double)opened->n_quasi;
    covey_level_loss sum = {gone * d, gone * d};

    for (size_t q = 0; q < opened->n_quasi; q++) {
        sum.least += objective->shows_all[q] ? n : objective->loss[q].least;
        sum.most += objective->shows_all[q] ? n : objective->loss[q].most;
    }
    return (covey_level_loss){sum.least / ((n + gone) * d), sum.most / ((n + gone) * d)};
}

/* A suppressed row says nothing, and a value on level 0 everything; how many rows of a label have which value is not
 * published. */
static void compare_entropy(covey_problems *problems, const covey_class_objective *objective,
                            const covey_opened *opened)
{
    const double n = opened->n_rows, gone = (double)opened->stated->n_suppressed;
    const double least = gone * (double)opened->n_quasi * log2(n + gone);
    double most = least;

    for (size_t q = 0; q < opened->n_quasi && n > 0; q++)
        most += objective->level[q] != 0 ? n * log2(n) : 0;
    compare_between(problems, opened->stated, least, most, most);
}

static void compare_levels(covey_problems *problems, const covey_class_objective *objective, const covey_opened *opened,
                           covey_level_loss loss)
{
    const covey_stated *stated = opened->stated;
    double height = 0, precision;
    bool any_off = false;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];
        const int n = n_levels(column);

        if (objective->level[q] < 0)
            covey_i_problem(problems, "manifest.json: the objective's levels do not name \"%s\"", column->stated->name);
        else if (objective->is_off[q] || (n > 0 && objective->level[q] >= n))
            covey_i_problem(problems, "manifest.json: column \"%s\" is not published on level %" PRId64,
                            column->stated->name, objective->level[q]);
        any_off |= objective->level[q] < 0 || objective->is_off[q] || (n > 0 && objective->level[q] >= n);
        height += (double)objective->level[q];
    }
    if (is_called(stated, "height"))
        covey_i_objective_compare_value(problems, stated, height, 0);
    if (is_called(stated, "prec") && find_precision(&precision, objective, opened))
        covey_i_objective_compare_value(problems, stated, precision, 1);
    if (is_called(stated, "loss") && !any_off)
        compare_between(problems, stated, loss.least, loss.most, 1);
    if (is_called(stated, "entropy"))
        compare_entropy(problems, objective, opened);
}

/* Over all rows, of numbers, and of what is suppressed. */
static double numbers_loss(const covey_opened *opened)
{
    const double gone = (double)opened->stated->n_suppressed, n = (double)opened->n_rows + gone;
    double sum = 0;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_stated_column *column = opened->column[opened->quasi[q]].stated;
        const bool is_measured = column->publish == COVEY_PUBLISH_RANGE && !column->has_missing && column->ail.present;

        sum += covey_ratio_value(column->weight) * (is_measured ? column->ail.value * n : gone);
    }
    return sum * (double)opened->n_quasi;
}

/* What the rows of boxes lose is less than the regions of these do, if they are published, and more than the ranges
 * that the rows attain; edges of boxes are those of numbers alone.  Of how rows lie inside a box nothing is told. */
static void compare_boxes(covey_problems *problems, const covey_opened *opened, double ail)
{
    const covey_stated *stated = opened->stated;
    const double d = (double)opened->n_quasi, gone = (double)stated->n_suppressed,
                 all = ((double)opened->n_rows + gone) * d;

    if (!stated->objective_value.present)
        return; /* of classes that were joined, or boxes that reach beyond what is published */
    if (is_called(stated, "kl"))
        compare_between(problems, stated, 0, INFINITY, 0);
    if (is_called(stated, "ncp") && (!stated->is_tight || isnan(ail)))
        compare_between(problems, stated, gone * d, isnan(ail) ? all : ail * all, all);
    if (is_called(stated, "ncp-box"))
        compare_between(problems, stated, numbers_loss(opened), all, all);
}

/* A ratio is that of value and bound. */
static void compare_ratio(covey_problems *problems, const covey_stated *stated)
{
    const json_t *ratio = json_object_get(json_object_get(stated->root, "objective"), "ratio");
    const bool is_maximised = stated->objective_upper_bound.present;
    const covey_stated_figure *value = &stated->objective_value,
                              *bound = is_maximised ? &stated->objective_upper_bound : &stated->objective_lower_bound;
    const double larger = is_maximised ? bound->value : value->value,
                 smaller = is_maximised ? value->value : bound->value;

    if (json_is_number(ratio) && (!value->present || !bound->present || !(smaller > 0) ||
                                  !(fabs(json_number_value(ratio) - larger / smaller) <= TOLERANCE * larger / smaller)))
        covey_i_problem(problems, "manifest.json: the objective's ratio is not that of its value and its bound");
}

void covey_i_objective_compare(covey_problems *problems, const covey_class_objective *objective,
                               const covey_opened *opened, const covey_release_figures *figures)
{
    const covey_stated *stated = opened->stated;

    if (stated->is_piece || !stated->objective)
        return;
    if (objective->label)
        compare_labels(problems, objective, opened);
    if (is_called(stated, "cavg"))
        compare_sizes(problems, opened);
    if (json_object_get(json_object_get(stated->root, "objective"), "levels"))
        compare_levels(problems, objective, opened, levels_loss(objective, opened));
    compare_boxes(problems, opened, figures->ail);
    compare_ratio(problems, stated);
}
