/* From hierarchies to targets: a target's nodes, how they are published, and which of the column's values its leaves
 * are.  Weights come later. */
#include "method/distribution/entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "table/table_impl.h"

/* How a leaf is published: as the attribute's hierarchy has it, where one is published beside; numbers without one all
 * with the same digits. */
static covey_status leaf_text(const char **out, const covey_target *target, const struct distributing *d,
                              const covey_hierarchy *tree, const covey_column *leaves, uint32_t leaf,
                              covey_arena *arena, covey_error *err)
{
    const covey_hierarchy *published = d->problem->field[d->field].tree;
    const char *label = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf));
    char text[64];

    if (published && tree != published) {
        if (target->code[leaf] == UINT32_MAX)
            return covey_fail(err, COVEY_EINVAL,
                              "targets: the hierarchy of a group has the value \"%.60s\", which that of \"%s\" has not",
                              label, d->column->name);
        label = covey_hierarchy_label(published, covey_hierarchy_leaf_node(published, target->code[leaf]));
    }
    if (!published && leaves->number) {
        covey_i_typing_format_number(text, sizeof text, leaves->type, leaves->number[leaf], leaves->scale);
        label = text;
    }
    return (*out = covey_arena_strdup(arena, label)) ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_distribution_check_order(const covey_hierarchy *tree, const covey_column *leaves, covey_error *err)
{
    if (leaves->has_null)
        return covey_fail(err, COVEY_EINVAL,
                          "distribution: a missing \"%s\" lies in no interval; say missing-sensitive: drop",
                          leaves->name);
    for (uint32_t i = 1; leaves->number && i < leaves->n_values; i++)
        if (leaves->number[i - 1] >= leaves->number[i])
            return covey_fail_at(err, COVEY_EINVAL, tree ? tree->file : NULL, 0, leaves->name, 0,
                                 "distribution: the hierarchy of \"%s\" does not keep its numbers in order (%s stands "
                                 "before %s): every node must "
                                 "hold neighbouring values",
                                 leaves->name, covey_column_label(leaves, i - 1), covey_column_label(leaves, i));
    return COVEY_OK;
}

covey_status covey_i_distribution_label_nodes(covey_target *target, const struct distributing *d,
                                              const covey_hierarchy *tree, const covey_column *leaves,
                                              covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(tree);
    const uint32_t n = covey_hierarchy_n_nodes(tree), n_leaves = covey_hierarchy_n_leaves(tree);
    const char **text = covey_arena_array(arena, const char *, n_leaves);

    target->label = covey_arena_array(arena, const char *, n);
    target->low = covey_arena_array(arena, const char *, n);
    target->high = covey_arena_array(arena, const char *, n);
    if (!text || !target->label || !target->low || !target->high)
        return covey_i_no_memory(err);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        COVEY_TRY(leaf_text(&text[leaf], target, d, tree, leaves, leaf, arena, err));
    for (uint32_t i = 0; i < n; i++) {
        target->low[i] = text[node[i].first_leaf];
        target->high[i] = text[node[i].first_leaf + node[i].n_leaves - 1];
        if (!(target->label[i] = covey_arena_strdup(arena, covey_hierarchy_label(tree, i))))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

covey_status covey_i_distribution_shape(covey_target *target, const covey_hierarchy *tree, const covey_column *leaves,
                                        covey_arena *arena, covey_error *err)
{
    const covey_node *node = covey_hierarchy_nodes(tree);
    const uint32_t n = covey_hierarchy_n_nodes(tree), n_leaves = covey_hierarchy_n_leaves(tree);
    covey_target_node *made = covey_arena_array_zero(arena, covey_target_node, n);

    COVEY_TRY(covey_i_distribution_check_order(tree, leaves, err));
    *target = (covey_target){.tree = {n, n_leaves, made},
                             .code = covey_arena_array(arena, uint32_t, n_leaves),
                             .probability = covey_arena_array(arena, long double, n),
                             .number = leaves->number ? covey_arena_array(arena, int64_t, n_leaves) : NULL};
    if (!made || !target->code || !target->probability || (leaves->number && !target->number))
        return covey_i_no_memory(err);
    if (leaves->number)
        memcpy(target->number, leaves->number, n_leaves * sizeof *target->number);
    for (uint32_t i = n; i-- > 0;) {
        made[i].first_leaf = node[i].first_leaf;
        made[i].n_leaves = node[i].n_leaves;
        made[i].end = made[i].end > i + 1 ? made[i].end : i + 1;
        if (i > 0 && made[node[i].parent].end < made[i].end)
            made[node[i].parent].end = made[i].end;
        made[i].range =
            leaves->number
                ? leaves->number[node[i].first_leaf + node[i].n_leaves - 1] - leaves->number[node[i].first_leaf]
                : (int64_t)node[i].n_leaves; /* of categories their number [Koudas09, footnote 3] */
    }
    return COVEY_OK;
}

covey_status covey_i_distribution_own(struct distributing *d, void *hierarchy, void *column, covey_error *err)
{
    void **larger = covey_i_realloc(d->owned, d->n_owned + 2, sizeof *larger);

    if (!larger) {
        covey_hierarchy_free(hierarchy);
        covey_i_column_free(column);
        return covey_i_no_memory(err);
    }
    d->owned = larger;
    d->owned[d->n_owned++] = hierarchy;
    d->owned[d->n_owned++] = column;
    return COVEY_OK;
}

covey_status covey_i_distribution_build_tree(const covey_hierarchy **tree_out, const covey_column **leaves_out,
                                             covey_distribution_making *m, const covey_hierarchy_spec *spec,
                                             uint32_t first, uint32_t n, covey_error *err)
{
    int64_t *rows = covey_arena_array(&m->d->arena, int64_t, n);
    covey_column *picked = NULL, *leaves = NULL;
    covey_hierarchy *tree = NULL;
    covey_status status;

    if (!rows)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = m->row[first + i];
    if ((status = covey_i_column_pick(&picked, m->d->column, rows, n, err)) == COVEY_OK &&
        (status = covey_hierarchy_build(&tree, spec, picked, NULL, err)) == COVEY_OK)
        status = covey_i_hierarchy_align(&leaves, picked, tree, err);
    covey_i_column_free(picked);
    if (status != COVEY_OK) {
        covey_hierarchy_free(tree);
        return status;
    }
    COVEY_TRY(covey_i_distribution_own(m->d, tree, leaves, err));
    if (covey_column_is_number(m->d->column) && (!leaves->number || leaves->scale != m->d->scale))
        return covey_fail(err, COVEY_EINVAL,
                          "targets: the leaves of a hierarchy for \"%s\" must be numbers with the digits of the column",
                          m->d->column->name);
    *tree_out = tree;
    *leaves_out = leaves;
    return COVEY_OK;
}

static int compare_codes(const void *a, const void *b, void *context)
{
    const covey_column *column = context;

    return strcmp(covey_column_label(column, *(const uint32_t *)a), covey_column_label(column, *(const uint32_t *)b));
}

covey_status covey_i_distribution_find_codes(covey_target *target, const struct distributing *d,
                                             const covey_column *leaves, covey_arena *scratch, covey_error *err)
{
    const covey_column *column = d->column;
    uint32_t *by_label = covey_arena_array(scratch, uint32_t, column->n_values);

    if (!by_label)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->n_values; i++)
        by_label[i] = i;
    if (!leaves->number)
        qsort_r(by_label, column->n_values, sizeof *by_label, compare_codes, (void *)column);
    for (uint32_t leaf = 0; leaf < target->tree.n_leaves; leaf++) {
        uint32_t low = 0, high = column->n_values;

        target->code[leaf] = UINT32_MAX;
        while (low < high && target->code[leaf] == UINT32_MAX) {
            const uint32_t middle = low + (high - low) / 2, code = by_label[middle];
            const int order =
                leaves->number
                    ? (column->number[code] > leaves->number[leaf]) - (column->number[code] < leaves->number[leaf])
                    : strcmp(covey_column_label(column, code), covey_column_label(leaves, leaf));

            if (order == 0)
                target->code[leaf] = code;
            else if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
    }
    return COVEY_OK;
}
