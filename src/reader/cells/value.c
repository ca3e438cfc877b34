/* Cells that are published as they are.  An empty cell is a missing one. */
#include "reader/cells/cells.h"

#include <string.h>

#include "base/error.h"
#include "reader/names.h"
#include "table/table_impl.h"

static covey_status need_arrays(covey_opened_column *column, covey_error *err)
{
    uint32_t n = column->text->n_values;

    column->number = covey_arena_array(&column->arena, int64_t, n);
    column->fault = covey_arena_array_zero(&column->arena, const char *, n);
    return column->number && column->fault ? COVEY_OK : covey_i_no_memory(err);
}

static bool is_missing(const covey_opened_column *column, const char *text)
{
    return *text == '\0' && column->stated->has_missing;
}

/* Numbers of any scales, brought to the largest. */
static covey_status read_numbers(covey_opened_column *column, covey_error *err)
{
    uint32_t n = column->text->n_values;
    uint8_t *scale = covey_arena_array(&column->arena, uint8_t, n);

    COVEY_TRY(need_arrays(column, err));
    column->scale = column->least_scale;
    if (!scale)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const char *text = covey_column_label(column->text, i);
        int digits = 0;

        column->number[i] = INT64_MIN;
        if (!is_missing(column, text) && !covey_i_cell_number(&column->number[i], &digits, column->stated->type, text))
            column->fault[i] = "the cell is not a value of the column's type";
        else if (column->stated->is_weight && column->number[i] <= 0) /* a missing one is, too */
            column->fault[i] = "the cell is no sampling weight, which is a number greater than 0";
        scale[i] = (uint8_t)digits;
        if (!column->fault[i] && digits > column->scale)
            column->scale = digits;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!column->fault[i] && column->number[i] != INT64_MIN &&
            !covey_i_cell_rescale(&column->number[i], scale[i], column->scale))
            column->fault[i] = "the cell's number is too large";
    return COVEY_OK;
}

/* Categories in the order of their hierarchy's leaves; a hierarchy built from the data lists the published ones. */
static covey_status place_by_tree(covey_opened_column *column, covey_error *err)
{
    COVEY_TRY(need_arrays(column, err));
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const char *text = covey_column_label(column->text, i);
        uint32_t node = covey_hierarchy_find(column->tree, is_missing(column, text) ? "null" : text);
        uint32_t leaf = node == UINT32_MAX ? UINT32_MAX : covey_hierarchy_nodes(column->tree)[node].leaf;

        column->number[i] = leaf;
        if (leaf == UINT32_MAX)
            column->fault[i] = "the value is not a leaf of the column's hierarchy";
    }
    return COVEY_OK;
}

static covey_status place_by_order(covey_opened_column *column, covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    covey_names order;

    COVEY_TRY(need_arrays(column, err));
    COVEY_TRY(covey_i_names_init(&order, (uint32_t)stated->n_order, &column->arena, err));
    for (size_t i = 0; i < stated->n_order; i++) {
        uint32_t place;

        COVEY_TRY(covey_i_names_add(&place, &order, stated->order[i], err));
    }
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const char *text = covey_column_label(column->text, i);
        uint32_t place = covey_i_names_find(&order, text);

        column->number[i] = is_missing(column, text) ? -1 : (int64_t)place;
        if (place == UINT32_MAX && !is_missing(column, text))
            column->fault[i] = "the value is not in the order that manifest.json declares";
    }
    return COVEY_OK;
}

covey_status covey_i_cells_read_values(covey_opened_column *column, covey_error *err)
{
    if (column->tree)
        return place_by_tree(column, err);
    if (column->stated->type != COVEY_TYPE_TEXT)
        return read_numbers(column, err);
    if (column->stated->n_order)
        return place_by_order(column, err);
    return COVEY_OK; /* by bytes, as the dictionary is */
}

bool covey_i_cell_number(int64_t *value, int *scale, covey_type type, const char *text)
{
    *scale = 0;
    if (type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(value, text, strlen(text));
    return covey_i_typing_parse_decimal(value, scale, text, strlen(text)) &&
           (type == COVEY_TYPE_DECIMAL || *scale == 0);
}

bool covey_i_cell_rescale(int64_t *value, int from, int to)
{
    return covey_i_typing_rescale_number(value, from, to);
}
