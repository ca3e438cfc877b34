/* Cells of numbers: 17, [20, 39], null, *. */
#include "reader/cells/cells.h"

#include <string.h>

#include "base/error.h"

/* A cell before all cells have been brought to one scale. */
struct ends {
    int64_t value[2];
    int scale[2];
    bool is_range; /* written as [low, high] */
};

static const char NOT_A_RANGE[] = "the cell is neither a value nor a range [low, high] of the column's type";

/* "[20, 39]": text[1 .. end] and what follows ", ". */
static bool split_range(char low[64], char high[64], const char *text)
{
    size_t n = strlen(text);
    const char *comma = strstr(text, ", ");
    size_t n_low, n_high;

    if (n < 6 || text[0] != '[' || text[n - 1] != ']' || !comma)
        return false;
    n_low = (size_t)(comma - text) - 1;
    n_high = (size_t)(text + n - 1 - (comma + 2));
    if (comma + 2 > text + n - 1 || n_low == 0 || n_high == 0 || n_low > 63 || n_high > 63)
        return false;
    memcpy(low, text + 1, n_low);
    low[n_low] = '\0';
    memcpy(high, comma + 2, n_high);
    high[n_high] = '\0';
    return true;
}

static void read_one(covey_cell *cell, struct ends *ends, const covey_stated_column *stated, const char *text)
{
    char low[64], high[64];

    if (strcmp(text, "*") == 0 && stated->has_missing) {
        cell->kind = COVEY_CELL_ANY;
    } else if (strcmp(text, "null") == 0 && stated->has_missing) {
        cell->kind = COVEY_CELL_MISSING;
    } else if (covey_i_cell_number(&ends->value[0], &ends->scale[0], stated->type, text)) {
        cell->kind = COVEY_CELL_VALUES;
        ends->value[1] = ends->value[0];
        ends->scale[1] = ends->scale[0];
    } else if (split_range(low, high, text) &&
               covey_i_cell_number(&ends->value[0], &ends->scale[0], stated->type, low) &&
               covey_i_cell_number(&ends->value[1], &ends->scale[1], stated->type, high)) {
        cell->kind = COVEY_CELL_VALUES;
        ends->is_range = true;
    } else {
        cell->fault = NOT_A_RANGE;
    }
}

static void finish_one(covey_cell *cell, struct ends *ends, const covey_opened_column *column)
{
    if (cell->kind != COVEY_CELL_VALUES)
        return;
    if (!covey_i_cell_rescale(&ends->value[0], ends->scale[0], column->scale) ||
        !covey_i_cell_rescale(&ends->value[1], ends->scale[1], column->scale))
        cell->fault = "the cell's number is too large";
    else if (ends->is_range && ends->value[0] >= ends->value[1])
        cell->fault = "the range's first number is not below its second";
    else if (ends->value[0] < column->domain_low || ends->value[1] > column->domain_high)
        cell->fault = "the cell leaves the domain that manifest.json gives";
    cell->low = ends->value[0];
    cell->high = ends->value[1];
    if (cell->fault)
        cell->kind = COVEY_CELL_WRONG;
}

/* Both ends at the column's scale, which is the largest that occurs anywhere. */
static void set_domain(covey_opened_column *column, struct ends *domain, covey_problems *problems)
{
    if (!covey_i_cell_rescale(&domain->value[0], domain->scale[0], column->scale) ||
        !covey_i_cell_rescale(&domain->value[1], domain->scale[1], column->scale) ||
        domain->value[0] > domain->value[1] ||
        __builtin_sub_overflow(domain->value[1], domain->value[0], &column->domain_high)) {
        covey_i_problem(problems, "manifest.json: column \"%s\": the domain is not a range", column->stated->name);
        domain->value[0] = domain->value[1] = 0;
        column->usable = false;
    }
    column->domain_low = domain->value[0];
    column->domain_high = domain->value[1];
}

covey_status covey_i_cells_read_ranges(covey_opened_column *column, covey_problems *problems, covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    uint32_t n = column->text->n_values;
    struct ends *ends = covey_arena_array_zero(&column->arena, struct ends, n), domain = {.is_range = true};

    if (!ends)
        return covey_i_no_memory(err);
    if (!covey_i_cell_number(&domain.value[0], &domain.scale[0], stated->type, stated->domain_low) ||
        !covey_i_cell_number(&domain.value[1], &domain.scale[1], stated->type, stated->domain_high)) {
        covey_i_problem(problems, "manifest.json: column \"%s\": the domain is not a range of its type", stated->name);
        domain = (struct ends){.is_range = true};
        column->usable = false;
    }
    column->scale = domain.scale[0] > domain.scale[1] ? domain.scale[0] : domain.scale[1];
    column->scale = column->least_scale > column->scale ? column->least_scale : column->scale;
    for (uint32_t i = 0; i < n; i++) {
        read_one(&column->cell[i], &ends[i], stated, covey_column_label(column->text, i));
        for (int end = 0; end < 2 && column->cell[i].kind == COVEY_CELL_VALUES; end++)
            if (ends[i].scale[end] > column->scale)
                column->scale = ends[i].scale[end];
    }
    set_domain(column, &domain, problems);
    for (uint32_t i = 0; i < n; i++)
        finish_one(&column->cell[i], &ends[i], column);
    return COVEY_OK;
}
