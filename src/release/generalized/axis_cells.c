/* Formatting the cells of an axis once. */
#include "release/generalized/axis_cells.h"

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"

uint32_t covey_i_axis_cells_needed(const covey_axis *axis)
{
    return axis->kind == COVEY_AXIS_TREE ? covey_hierarchy_n_nodes(axis->tree) : axis->n_values;
}

static void print(covey_text *cell, const covey_axis *axis, uint32_t i)
{
    covey_i_text_clear(cell);
    if (axis->kind == COVEY_AXIS_TREE) {
        const covey_node *node = &covey_hierarchy_nodes(axis->tree)[i];

        covey_i_axis_print(cell, axis, node->first_leaf, node->first_leaf + node->n_leaves - 1, NULL, 0);
    } else {
        covey_i_axis_print(cell, axis, i, i, &i, 1);
    }
}

covey_status covey_i_axis_cells_make(covey_axis_cells *cells, const covey_axis *axis, covey_error *err)
{
    const uint32_t n = covey_i_axis_cells_needed(axis);
    covey_text cell = COVEY_TEXT_INIT;

    if (!(cells->start = covey_i_array((size_t)n + 1, sizeof *cells->start)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        print(&cell, axis, i);
        cells->start[i] = cells->bytes.size;
        covey_i_text_add_char(&cells->bytes, ',');
        covey_i_csv_add_cell(&cells->bytes, cell.bytes ? cell.bytes : "", cell.size, ',');
    }
    cells->start[n] = cells->bytes.size;
    cells->bytes.broken |= cell.broken;
    covey_i_text_free(&cell);
    return cells->bytes.broken ? covey_i_no_memory(err) : COVEY_OK;
}

void covey_i_axis_cells_free(covey_axis_cells *cells)
{
    covey_i_text_free(&cells->bytes);
    covey_i_free(cells->start);
    *cells = (covey_axis_cells){.bytes = COVEY_TEXT_INIT};
}

bool covey_i_axis_cells_add(covey_text *out, const covey_axis_cells *cells, const covey_axis *axis, uint32_t low,
                            uint32_t high)
{
    uint32_t i = low;

    if (!cells->start || (axis->kind != COVEY_AXIS_TREE && low < high))
        return false;
    if (axis->kind == COVEY_AXIS_TREE)
        i = covey_hierarchy_lca(axis->tree, low, high);
    covey_i_text_add(out, cells->bytes.bytes + cells->start[i], cells->start[i + 1] - cells->start[i]);
    return true;
}
