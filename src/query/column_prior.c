/* Values of stated priors in the columns of a release: those that no cell shows, and what is left of them. */
#include "query/column.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "reader/cells/cells.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* Cells that are published as numbers, sorted by their lower ends; of equal ones the first that is shown goes first. */
struct by_number {
    uint32_t *cell;
    uint64_t *key; /* of each cell */
    uint32_t n;
};

static uint64_t key_of_number(int64_t number)
{
    return (uint64_t)number ^ (uint64_t)1 << 63;
}

static covey_status sort_by_number(struct by_number *out, const covey_query_column *c, covey_arena *arena,
                                   covey_error *err)
{
    const uint32_t n = c->text->n_values;
    uint32_t *scratch = covey_arena_array(arena, uint32_t, n);

    *out = (struct by_number){covey_arena_array(arena, uint32_t, n), covey_arena_array(arena, uint64_t, n), 0};
    if (!scratch || !out->cell || !out->key)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        out->key[i] = key_of_number(c->cell[i].low);
        if (c->cell[i].has_range)
            out->cell[out->n++] = i;
    }
    covey_i_sort_rows_u64(out->cell, scratch, out->n, out->key);
    return COVEY_OK;
}

/* Finds the cell of a value of the prior: by text, or, where a number may be written in several ways, by number. */
static uint32_t find_value(const struct by_number *numbers, const covey_names *names, const char *value, int64_t number,
                           bool has_number)
{
    const uint64_t key = key_of_number(number);
    uint32_t found = covey_i_names_find(names, value), low = 0, high = numbers->n;

    if (found != UINT32_MAX || !has_number)
        return found;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (numbers->key[numbers->cell[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < numbers->n && numbers->key[numbers->cell[low]] == key ? numbers->cell[low] : UINT32_MAX;
}

static covey_query_cell cell_of_value(const covey_query_column *c, const char *value, int64_t number, bool has_number)
{
    uint32_t node = c->tree ? covey_hierarchy_find(c->tree, value) : UINT32_MAX;

    if (covey_i_query_column_is_null_label(c->opened->stated, value))
        return (covey_query_cell){.has_null = true};
    if (has_number)
        return (covey_query_cell){.has_range = true, .low = number, .high = number};
    if (node != UINT32_MAX)
        return (covey_query_cell){.first = covey_hierarchy_nodes(c->tree)[node].first_leaf,
                                  .n_items = covey_hierarchy_nodes(c->tree)[node].n_leaves};
    return (covey_query_cell){.has_other = true};
}

/* Room for the values that only the prior has: cells behind the published ones, and items of their own where items are
 * texts. */
static covey_status make_room(covey_query_column *c, size_t more, covey_arena *arena, covey_error *err)
{
    covey_query_cell *cell = covey_arena_array_zero(arena, covey_query_cell, c->n_cells + more);
    covey_query_item *item = covey_arena_array_zero(arena, covey_query_item, c->n_items + more);

    if (!cell || !item)
        return covey_i_no_memory(err);
    memcpy(cell, c->cell, c->n_cells * sizeof *cell);
    if (c->n_items > 0)
        memcpy(item, c->item, c->n_items * sizeof *item);
    c->cell = cell;
    c->item = item;
    return COVEY_OK;
}

/* A suppressed number may have more digits than all that are published. */
static covey_status widen_scale(covey_query_column *c, const covey_stated_prior *prior, covey_error *err)
{
    int scale = c->scale, digits;
    int64_t number;

    for (size_t i = 0; i < prior->n; i++)
        if (covey_i_cell_number(&number, &digits, c->type, prior->value[i]) && digits > scale)
            scale = digits;
    for (uint32_t i = 0; i < c->n_cells && scale > c->scale; i++)
        if (c->cell[i].has_range && (!covey_i_cell_rescale(&c->cell[i].low, c->scale, scale) ||
                                     !covey_i_cell_rescale(&c->cell[i].high, c->scale, scale)))
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\": the prior in manifest.json has numbers that are too long", c->name);
    c->scale = scale;
    return COVEY_OK;
}

covey_status covey_i_query_column_extend(uint32_t *out, covey_query_column *c, const covey_stated_prior *prior,
                                         covey_arena *arena, covey_error *err)
{
    const covey_stated_column *stated = c->opened->stated;
    bool texts = c->n_items > 0 && !c->tree;
    struct by_number numbers = {.n = 0};
    covey_names names;
    uint32_t place;

    COVEY_TRY(make_room(c, prior->n, arena, err));
    if (c->is_number && c->n_items == 0) {
        COVEY_TRY(widen_scale(c, prior, err));
        COVEY_TRY(sort_by_number(&numbers, c, arena, err));
    }
    COVEY_TRY(covey_i_names_init(&names, c->text->n_values, arena, err));
    for (uint32_t i = 0; i < c->text->n_values; i++)
        COVEY_TRY(covey_i_names_add(
            &place, &names,
            *covey_column_label(c->text, i) || !stated->has_missing ? covey_column_label(c->text, i) : "null", err));
    for (size_t i = 0; i < prior->n; i++) {
        int digits = 0;
        int64_t number = 0;
        bool has_number = c->is_number && c->n_items == 0 &&
                          covey_i_cell_number(&number, &digits, stated->type, prior->value[i]) &&
                          covey_i_cell_rescale(&number, digits, c->scale);
        uint32_t found = find_value(&numbers, &names, prior->value[i], number, has_number);

        if (found == UINT32_MAX) {
            found = c->n_cells++;
            c->cell[found] = cell_of_value(c, prior->value[i], number, has_number);
            if (texts && !c->cell[found].has_null) {
                c->item[c->n_items] = (covey_query_item){.label = prior->value[i]};
                c->cell[found] = (covey_query_cell){.first = c->n_items++, .n_items = 1};
            }
        }
        out[i] = found;
    }
    return texts ? covey_i_query_column_settle_items(c, stated, arena, err) : COVEY_OK;
}

covey_status covey_i_query_column_subtract(covey_query_column *c, const covey_stated_prior *prior, covey_arena *arena,
                                           covey_error *err)
{
    uint32_t *cell = covey_arena_array(arena, uint32_t, prior->n);

    if (!cell)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_query_column_extend(cell, c, prior, arena, err));
    if (!(c->n_suppressed = covey_arena_array_zero(arena, int64_t, c->n_cells)))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < c->text->n_rows; row++)
        c->n_suppressed[covey_i_code_at(c->text, row)]--;
    for (size_t i = 0; i < prior->n; i++)
        c->n_suppressed[cell[i]] += prior->count[i];
    for (uint32_t i = 0; i < c->n_cells; i++)
        if (c->n_suppressed[i] < 0)
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\": the prior in manifest.json has fewer rows of a value than are published "
                              "(covey verify says more)",
                              c->name);
    return COVEY_OK;
}
