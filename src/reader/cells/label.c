/* Cells of categories with a hierarchy: the label of a node, or the set of its leaves where the label would mean
 * another node. */
#include "reader/cells/cells.h"

#include <string.h>

#include "hierarchy/hierarchy_impl.h"

static const char NOT_A_LABEL[] = "the cell is not a label of the column's hierarchy";

static void cover_node(covey_cell *cell, const covey_hierarchy *tree, uint32_t node)
{
    const covey_node *facts = &covey_hierarchy_nodes(tree)[node];

    cell->kind = COVEY_CELL_VALUES;
    cell->low = facts->first_leaf;
    cell->high = (int64_t)facts->first_leaf + facts->n_leaves - 1;
}

/* {a, b}: exactly the leaves of one node, in their order. */
static bool cover_leaves(covey_cell *cell, const covey_hierarchy *tree, const char *const *leaf, uint32_t n)
{
    const covey_node *nodes = covey_hierarchy_nodes(tree);
    uint32_t first = 0, node;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t found = covey_hierarchy_find(tree, leaf[i]);

        if (found == UINT32_MAX || nodes[found].leaf == UINT32_MAX || (i > 0 && nodes[found].leaf != first + i))
            return false;
        if (i == 0)
            first = nodes[found].leaf;
    }
    node = covey_hierarchy_lca(tree, first, first + n - 1);
    if (nodes[node].first_leaf != first || nodes[node].n_leaves != n)
        return false;
    cover_node(cell, tree, node);
    return true;
}

static bool all_known(const covey_hierarchy *tree, const char *const *label, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (covey_hierarchy_find(tree, label[i]) == UINT32_MAX)
            return false;
    return true;
}

static covey_status read_one(covey_cell *cell, const covey_opened_column *column, const char *text, covey_arena *arena,
                             covey_error *err)
{
    bool complete = column->stated->hierarchy_complete, is_set = false;
    const char **element = NULL;
    uint32_t n = 0, node;

    if (covey_i_cell_is_set(text))
        COVEY_TRY(covey_i_cell_split_set(&element, &n, &is_set, text, arena, err));
    if (is_set && complete && cover_leaves(cell, column->tree, element, n))
        return COVEY_OK;
    if (is_set && !complete && all_known(column->tree, element, n)) {
        cell->kind = COVEY_CELL_NAME;
        return COVEY_OK;
    }
    node = covey_i_hierarchy_find_cell(column->tree, text);
    if (node == UINT32_MAX)
        cell->fault = NOT_A_LABEL;
    else if (complete)
        cover_node(cell, column->tree, node);
    else
        cell->kind = COVEY_CELL_NAME;
    return COVEY_OK;
}

covey_status covey_i_cells_read_labels(covey_opened_column *column, covey_error *err)
{
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        if (!column->tree)
            column->cell[i].fault = "the column's hierarchy cannot be read";
        else
            COVEY_TRY(read_one(&column->cell[i], column, covey_column_label(column->text, i), &column->arena, err));
    }
    return COVEY_OK;
}
