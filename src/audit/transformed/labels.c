/* The labels of a target's nodes.  They are those of the column's hierarchy; numbers without one lie in a tree that is
 * made from their values, whose nodes are called by their ends.
 *
 * A target may have a hierarchy of its own (targets: [{..., hierarchy: ...}] of the method), which is not published:
 * where there is one, only leaves are known. */
#include "audit/transformed/transformed.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "reader/cells/cells.h"

enum { LOW, HIGH, LABEL };

/* A column may be called so, too: then less is asked. */
static bool has_own_hierarchies(const covey_stated *stated)
{
    const json_t *parameters = json_object_get(json_object_get(stated->root, "method"), "parameters"),
                 *targets = json_object_get(parameters, "targets");

    return json_is_string(targets) && strstr(json_string_value(targets), "hierarchy");
}

static void complain(covey_problems *problems, const covey_opened_transformed *t, uint32_t line, const char *expected)
{
    covey_i_problem(problems,
                    "target.csv:%" PRIu32 ": the label \"%.100s\" is not that of the node, which is \"%.100s\"",
                    line + 2, covey_i_target_text(t, LABEL, line), expected);
}

/* Nodes of both stand in pre-order. */
static bool has_node(const covey_opened_transformed *t, uint32_t begin, uint32_t i, const covey_hierarchy *tree)
{
    const covey_node *node = &covey_hierarchy_nodes(tree)[i];
    const covey_target_line *line = &t->line[begin + i];
    const uint32_t last = node->first_leaf + node->n_leaves - 1;

    return line->first_leaf == node->first_leaf && line->n_leaves == node->n_leaves &&
           strcmp(covey_i_target_text(t, LOW, begin + i),
                  covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, node->first_leaf))) == 0 &&
           strcmp(covey_i_target_text(t, HIGH, begin + i),
                  covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, last))) == 0;
}

static void compare_with_tree(covey_problems *problems, const covey_opened_transformed *t, uint32_t target,
                              const covey_hierarchy *tree)
{
    const uint32_t begin = t->targets->class_start[target], n = t->targets->class_start[target + 1] - begin;
    bool is_same = n == covey_hierarchy_n_nodes(tree);

    for (uint32_t i = 0; i < n && is_same; i++)
        is_same = has_node(t, begin, i, tree);
    if (!is_same) {
        covey_i_problem(problems, "target.csv: the nodes of target %" PRIu32 " are not those of %s", target + 1,
                        t->sensitive->stated->hierarchy);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(covey_i_target_text(t, LABEL, begin + i), covey_hierarchy_label(tree, i)) != 0)
            complain(problems, t, begin + i, covey_hierarchy_label(tree, i));
}

/* As the original wrote it, perhaps with fewer digits. */
static bool is_leaf_label(const covey_opened_transformed *t, uint32_t line)
{
    const char *label = covey_i_target_text(t, LABEL, line);
    int64_t number;
    int scale;

    if (strcmp(label, covey_i_target_text(t, LOW, line)) == 0)
        return true;
    return t->low && covey_i_cell_number(&number, &scale, t->sensitive->stated->type, label) && scale <= t->scale &&
           covey_i_cell_rescale(&number, scale, t->scale) && number == t->low[line];
}

static void compare_leaves(covey_problems *problems, const covey_opened_transformed *t, uint32_t target)
{
    for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++)
        if (t->line[i].end == i + 1 && !is_leaf_label(t, i))
            complain(problems, t, i, covey_i_target_text(t, LOW, i));
}

/* "low..high", and "*" for the root. */
static covey_status compare_with_ends(covey_problems *problems, const covey_opened_transformed *t, uint32_t target,
                                      covey_error *err)
{
    const uint32_t begin = t->targets->class_start[target], end = t->targets->class_start[target + 1];
    covey_text expected = COVEY_TEXT_INIT;
    bool broken;

    for (uint32_t i = begin; i < end && !expected.broken; i++) {
        const uint32_t last = t->line[i].end - 1;
        uint32_t first = i;

        while (t->line[first].end > first + 1)
            first++;
        if (first == i)
            continue;
        covey_i_text_clear(&expected);
        if (i == begin)
            covey_i_text_add_char(&expected, '*');
        else
            covey_i_text_add_format(&expected, "%s..%s", covey_i_target_text(t, LABEL, first),
                                    covey_i_target_text(t, LABEL, last));
        if (!expected.broken && strcmp(covey_i_target_text(t, LABEL, i), expected.bytes) != 0)
            complain(problems, t, i, expected.bytes);
    }
    broken = expected.broken;
    covey_i_text_free(&expected);
    return broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_transformed_check_labels(covey_problems *problems, const covey_opened *o,
                                              const covey_opened_transformed *t, covey_error *err)
{
    const covey_opened_column *column = t->sensitive;
    const bool knows_tree = column->stated->hierarchy && column->stated->hierarchy_complete && column->tree;

    for (uint32_t target = 0; target < t->targets->n_classes; target++) {
        if (knows_tree && !has_own_hierarchies(o->stated)) {
            compare_with_tree(problems, t, target, column->tree);
            continue;
        }
        compare_leaves(problems, t, target);
        if (!column->stated->hierarchy && !has_own_hierarchies(o->stated))
            COVEY_TRY(compare_with_ends(problems, t, target, err));
    }
    return COVEY_OK;
}
