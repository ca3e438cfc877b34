/* Columns of a release as queries see them. */
#include "query/column.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "query/label.h"
#include "reader/cells/cells.h"
#include "reader/names.h"
#include "release/manifest/hierarchy_json.h"
#include "table/table_impl.h"

/* --- items --- */

/* Brings the numbers of the items to one scale, which is not below the column's.  A label that is no number of the
 * column's type leaves its item open: "90+" may be any number. */
static void number_items(covey_query_column *c, const covey_stated_column *stated)
{
    int scale = 0, digits;
    int64_t number;

    for (uint32_t i = 0; i < c->n_items; i++)
        if (!c->item[i].is_null && covey_i_cell_number(&number, &digits, stated->type, c->item[i].label) &&
            digits > scale)
            scale = digits;
    c->scale = scale;
    for (uint32_t i = 0; i < c->n_items; i++) {
        covey_query_item *item = &c->item[i];

        item->has_number = !item->is_null && covey_i_cell_number(&item->number, &digits, stated->type, item->label) &&
                           covey_i_cell_rescale(&item->number, digits, scale);
        item->is_open = !item->is_null && !item->has_number;
    }
}

static covey_status place_items(covey_query_column *c, const covey_stated_column *stated, covey_arena *arena,
                                covey_error *err)
{
    covey_names order;

    COVEY_TRY(covey_i_names_init(&order, (uint32_t)stated->n_order, arena, err));
    for (size_t i = 0; i < stated->n_order; i++) {
        uint32_t place;

        COVEY_TRY(covey_i_names_add(&place, &order, stated->order[i], err));
    }
    c->has_order = true;
    for (uint32_t i = 0; i < c->n_items; i++) {
        uint32_t place = c->item[i].is_null ? UINT32_MAX : covey_i_names_find(&order, c->item[i].label);

        c->item[i].has_number = place != UINT32_MAX;
        c->item[i].number = place;
        c->item[i].is_open = !c->item[i].has_number && !c->item[i].is_null;
    }
    return COVEY_OK;
}

covey_status covey_i_query_column_settle_items(covey_query_column *c, const covey_stated_column *stated,
                                               covey_arena *arena, covey_error *err)
{
    if (stated->type != COVEY_TYPE_TEXT) {
        c->is_number = true;
        c->is_dense = stated->type == COVEY_TYPE_DECIMAL;
        number_items(c, stated);
        return COVEY_OK;
    }
    return stated->n_order > 0 ? place_items(c, stated, arena, err) : COVEY_OK;
}

bool covey_i_query_column_is_null_label(const covey_stated_column *stated, const char *label)
{
    return stated->has_missing && strcmp(label, "null") == 0;
}

/* What an item stands for that is no single value; of a column that is published as it is, only areas are none. */
static covey_status open_item(covey_query_item *item, const covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const bool is_exact =
        c->opened->stated->publish == COVEY_PUBLISH_VALUE && c->rule.kind != COVEY_RULE_AREAS && !item->is_open;
    covey_value_run *run;
    uint32_t n;
    bool is_either;

    if (item->is_null || item->has_number || is_exact || c->rule.kind == COVEY_RULE_NONE)
        return COVEY_OK;
    COVEY_TRY(covey_i_label_runs(&n, &run, &is_either, &c->rule, c->type, item->label, arena, err));
    if (n == 0 && c->is_number && covey_i_query_label(&run->number, c->type, item->label))
        n = 1;
    item->is_open |= n > 0 || c->rule.kind == COVEY_RULE_UNKNOWN;
    item->n_runs = n;
    item->run = run;
    return COVEY_OK;
}

/* Leaves of the hierarchy. */
static covey_status take_leaves(covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const covey_stated_column *stated = c->opened->stated;

    c->n_items = covey_hierarchy_n_leaves(c->tree);
    if (!(c->item = covey_arena_array_zero(arena, covey_query_item, c->n_items)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < c->n_items; i++) {
        c->item[i].label = covey_hierarchy_label(c->tree, covey_hierarchy_leaf_node(c->tree, i));
        c->item[i].is_null = covey_i_query_column_is_null_label(stated, c->item[i].label);
        if (!c->item[i].is_null)
            covey_i_label_rule_learn(&c->rule, c->item[i].label);
    }
    COVEY_TRY(covey_i_query_column_settle_items(c, stated, arena, err));
    for (uint32_t i = 0; i < c->n_items; i++)
        COVEY_TRY(open_item(&c->item[i], c, arena, err));
    return COVEY_OK;
}

/* --- files to which values were added --- */

/* The leaves of the published part that the file does not have: values that the data added under the root. */
static covey_status find_added(covey_label **out, uint32_t *n, const covey_hierarchy *published,
                               const covey_hierarchy *file, covey_arena *arena, covey_error *err)
{
    const uint32_t n_leaves = covey_hierarchy_n_leaves(published);

    *n = 0;
    if (!(*out = covey_arena_array(arena, covey_label, n_leaves)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_leaves; i++) {
        const char *label = covey_hierarchy_label(published, covey_hierarchy_leaf_node(published, i));

        if (covey_hierarchy_find(file, label) == UINT32_MAX)
            (*out)[(*n)++] = (covey_label){label, strlen(label)};
    }
    return COVEY_OK;
}

/* The manifest has the file as a whole, hierarchies/ only what is published of it. */
static covey_status rebuild_file(covey_query_column *c, covey_arena *arena, covey_error *err)
{
    covey_hierarchy_spec spec;
    covey_hierarchy *file = NULL;
    covey_column *values = NULL;
    covey_label *added;
    covey_status status;
    uint32_t n;

    COVEY_TRY(covey_i_hierarchy_spec_read(&spec, c->opened->stated->hierarchy_spec, arena, err));
    COVEY_TRY(covey_hierarchy_build(&file, &spec, NULL, NULL, err));
    if ((status = find_added(&added, &n, c->opened->tree, file, arena, err)) != COVEY_OK || n == 0)
        goto done;
    if ((status = covey_i_column_new(&values, c->name, COVEY_TYPE_TEXT, 0, n, false, 0, added, NULL, NULL, err)) !=
        COVEY_OK)
        goto done;
    covey_hierarchy_free(file);
    file = NULL;
    status = covey_hierarchy_build(&file, &spec, values, NULL, err);
    covey_i_column_free(values);
done:
    if (status == COVEY_OK)
        c->tree = c->own_tree = file;
    else
        covey_hierarchy_free(file);
    return status;
}

bool covey_i_query_column_is_root(const covey_query_column *c, uint32_t node, const char *label)
{
    return node == 0 && (!c->own_tree || strcmp(label, covey_i_raw_label(&c->own_tree->raw, 0)) == 0);
}

/* What the manifest says of a hierarchy that is not published as a whole. */
static covey_status settle_tree(covey_query_column *c, bool has_empty, covey_arena *arena, covey_error *err)
{
    const covey_stated_column *stated = c->opened->stated;

    c->tree = stated->publish == COVEY_PUBLISH_SET ? NULL : c->opened->tree;
    if (!c->tree || stated->hierarchy_complete)
        return COVEY_OK;
    COVEY_TRY(covey_i_label_rule(&c->rule, stated->hierarchy_spec, arena, err));
    c->rule.no_empty = !has_empty;
    return c->rule.kind == COVEY_RULE_NONE ? rebuild_file(c, arena, err) : COVEY_OK;
}

/* --- cells --- */

/* The missing value is a leaf under the root, which only the root's label hides; a file to which values were added may
 * have it elsewhere, or empty. */
static bool may_hide_null(const covey_query_column *c, bool is_root)
{
    const covey_stated_column *stated = c->opened->stated;
    const char *text = json_string_value(json_object_get(json_object_get(stated->hierarchy_spec, "lines"), "text"));

    if (!stated->has_missing)
        return false;
    return is_root || !stated->hierarchy_spec ||
           (text && (strncmp(text, "null", 4) == 0 || *text == ';' || strstr(text, "\nnull") || strstr(text, "\n;")));
}

/* A label of a hierarchy that is built from the data: the published labels below it, or a set of such labels. */
static covey_status name_cell(covey_query_cell *out, const covey_query_column *c, const char *text, covey_arena *arena,
                              covey_error *err)
{
    const covey_hierarchy *tree = c->tree;
    const char *whole[1] = {text}, **label = whole;
    uint32_t n = 1, node, *item;
    bool is_set = false, is_root;

    node = covey_i_hierarchy_find_cell(tree, text);
    if (node == UINT32_MAX && covey_i_cell_is_set(text))
        COVEY_TRY(covey_i_cell_split_set(&label, &n, &is_set, text, arena, err));
    if (!is_set) {
        if (node == UINT32_MAX)
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\": a cell is not a label of its hierarchy (covey verify says more)",
                              c->name);
        out->first = covey_hierarchy_nodes(tree)[node].first_leaf;
        out->n_items = covey_hierarchy_nodes(tree)[node].n_leaves;
        is_root = covey_i_query_column_is_root(c, node, text);
        out->has_null = may_hide_null(c, is_root);
        out->has_other = is_root && c->own_tree; /* values that the data added, and no cell shows */
        return COVEY_OK;
    }
    if (!(item = covey_arena_array(arena, uint32_t, c->n_items)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const covey_node *facts;

        if ((node = covey_hierarchy_find(tree, label[i])) == UINT32_MAX)
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\": a cell is not a label of its hierarchy (covey verify says more)",
                              c->name);
        facts = &covey_hierarchy_nodes(tree)[node];
        for (uint32_t j = 0; j < facts->n_leaves && out->n_items < c->n_items; j++)
            item[out->n_items++] = facts->first_leaf + j;
    }
    out->item = item;
    return COVEY_OK;
}

/* Hierarchies that were built over numbers have labels that say which. */
static bool is_built_over_numbers(const covey_stated_column *stated)
{
    static const char *const kinds[] = {"interval", "balanced", "cuts", "date", "top"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (stated->type != COVEY_TYPE_TEXT && !stated->hierarchy_complete && stated->hierarchy_spec &&
            json_object_get(stated->hierarchy_spec, kinds[i]))
            return true;
    return false;
}

/* Decimals are counted in thousandths of the labels' last digit where a row is spread evenly over a range. */
enum { FINER_DIGITS = 3, MOST_DIGITS = 18 };

static bool set_range(covey_query_cell *cell, const covey_number_label *label, int scale)
{
    cell->has_range = true;
    cell->low = label->has_low ? label->low : COVEY_NO_LOW;
    cell->high = label->has_high ? label->high : COVEY_NO_HIGH;
    cell->high_open = label->high_open;
    return (!label->has_low || covey_i_cell_rescale(&cell->low, label->scale, scale)) &&
           (!label->has_high || covey_i_cell_rescale(&cell->high, label->scale, scale));
}

/* All cells at one scale; false if a number has too many digits for it. */
static bool set_ranges(covey_query_column *c, const covey_number_label *label, int scale)
{
    const covey_stated_column *stated = c->opened->stated;

    for (uint32_t i = 0; i < c->text->n_values; i++) {
        const char *text = covey_column_label(c->text, i);

        c->cell[i] = (covey_query_cell){.has_null = covey_i_query_column_is_null_label(stated, text) ||
                                                    (strcmp(text, "*") == 0 && stated->has_missing)};
        if (!covey_i_query_column_is_null_label(stated, text) && !set_range(&c->cell[i], &label[i], scale))
            return false;
    }
    c->scale = scale;
    return true;
}

/* Cells as ranges of numbers; *done false: not all can be read so. */
static covey_status built_cells(bool *done, covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const covey_stated_column *stated = c->opened->stated;
    uint32_t n = c->text->n_values;
    covey_number_label *label = covey_arena_array_zero(arena, covey_number_label, n);
    int scale = 0;

    *done = false;
    if (!label)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const char *text = covey_column_label(c->text, i);

        if (strcmp(text, "*") != 0 && !covey_i_query_column_is_null_label(stated, text) &&
            !covey_i_query_label(&label[i], c->type, text))
            return COVEY_OK;
        scale = label[i].scale > scale ? label[i].scale : scale;
    }
    if (c->type == COVEY_TYPE_DECIMAL)
        *done = set_ranges(c, label, scale + FINER_DIGITS < MOST_DIGITS ? scale + FINER_DIGITS : MOST_DIGITS);
    if (!*done && !(*done = set_ranges(c, label, scale)))
        return COVEY_OK;
    c->is_number = true;
    c->is_dense = c->type == COVEY_TYPE_DECIMAL;
    return COVEY_OK;
}

static covey_status label_cells(covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const covey_opened_column *opened = c->opened;
    bool done = false;

    if (is_built_over_numbers(opened->stated))
        COVEY_TRY(built_cells(&done, c, arena, err));
    if (done)
        return COVEY_OK;
    memset(c->cell, 0, c->text->n_values * sizeof *c->cell);
    COVEY_TRY(take_leaves(c, arena, err));
    for (uint32_t i = 0; i < c->text->n_values; i++) {
        const covey_cell *cell = &opened->cell[i];

        if (cell->kind == COVEY_CELL_NAME)
            COVEY_TRY(name_cell(&c->cell[i], c, covey_column_label(c->text, i), arena, err));
        else
            c->cell[i] =
                (covey_query_cell){.first = (uint32_t)cell->low, .n_items = (uint32_t)(cell->high - cell->low + 1)};
    }
    return COVEY_OK;
}

static bool ends_with_zero(const covey_query_cell *cell)
{
    return !cell->has_range || (cell->low % 10 == 0 && cell->high % 10 == 0);
}

/* Data frames write integers beside missing cells as 1.0: where neither the domain nor an end of a range shows a digit,
 * no value is taken to have one, as estimates would count the tenths between 1.0 and 2.0. */
static void drop_zeros(covey_query_column *c)
{
    int64_t low = c->opened->domain_low, high = c->opened->domain_high;

    for (; c->scale > 0 && low % 10 == 0 && high % 10 == 0; c->scale--, low /= 10, high /= 10) {
        for (uint32_t i = 0; i < c->text->n_values; i++)
            if (!ends_with_zero(&c->cell[i]))
                return;
        for (uint32_t i = 0; i < c->text->n_values; i++) {
            c->cell[i].low /= 10;
            c->cell[i].high /= 10;
        }
    }
}

static void range_cells(covey_query_column *c)
{
    const covey_opened_column *opened = c->opened;

    c->is_number = true;
    c->is_dense = c->type == COVEY_TYPE_DECIMAL;
    c->scale = opened->scale;
    for (uint32_t i = 0; i < c->text->n_values; i++) {
        const covey_cell *cell = &opened->cell[i];

        c->cell[i].has_null = cell->kind == COVEY_CELL_MISSING || cell->kind == COVEY_CELL_ANY;
        c->cell[i].has_range = cell->kind != COVEY_CELL_MISSING;
        c->cell[i].low = cell->kind == COVEY_CELL_ANY ? opened->domain_low : cell->low;
        c->cell[i].high = cell->kind == COVEY_CELL_ANY ? opened->domain_high : cell->high;
    }
    drop_zeros(c);
}

/* Values of the declared order that no cell shows: suppressed rows may have them. */
static covey_status add_order(covey_query_column *c, const covey_stated_column *stated, covey_arena *arena,
                              covey_error *err)
{
    covey_names names;
    uint32_t place;

    COVEY_TRY(covey_i_names_init(&names, (uint32_t)(c->n_items + stated->n_order), arena, err));
    for (uint32_t i = 0; i < c->n_items; i++)
        COVEY_TRY(covey_i_names_add(&place, &names, c->item[i].label, err));
    for (size_t i = 0; i < stated->n_order; i++)
        if (covey_i_names_find(&names, stated->order[i]) == UINT32_MAX)
            c->item[c->n_items++] = (covey_query_item){.label = stated->order[i]};
    return COVEY_OK;
}

/* Elements, and behind them values of the declared order that no set holds: then * is any of the items, otherwise also
 * something else. */
static covey_status set_cells(covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const covey_opened_column *opened = c->opened;
    const covey_stated_column *stated = opened->stated;

    if (!(c->item = covey_arena_array_zero(arena, covey_query_item, opened->n_elements + stated->n_order)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < opened->n_elements; i++)
        c->item[c->n_items++] = (covey_query_item){
            .label = opened->element[i], .is_null = covey_i_query_column_is_null_label(stated, opened->element[i])};
    COVEY_TRY(add_order(c, stated, arena, err));
    COVEY_TRY(covey_i_query_column_settle_items(c, stated, arena, err));
    for (uint32_t i = 0; i < c->text->n_values; i++) {
        const covey_cell *cell = &opened->cell[i];

        if (cell->kind == COVEY_CELL_ANY)
            c->cell[i] = (covey_query_cell){
                .n_items = c->n_items, .has_other = stated->n_order == 0, .has_null = stated->has_missing};
        else
            c->cell[i] = (covey_query_cell){.n_items = cell->n_elements, .item = cell->element};
    }
    return COVEY_OK;
}

/* The audit has found each to be a leaf of the published hierarchy, all of which the column's own has. */
static uint32_t leaf_of_value(const covey_query_column *c, uint32_t value)
{
    const char *label = covey_column_label(c->text, value);

    if (!c->own_tree)
        return (uint32_t)c->opened->number[value];
    return covey_hierarchy_nodes(
               c->tree)[covey_hierarchy_find(c->tree, *label || !c->opened->stated->has_missing ? label : "null")]
        .first_leaf;
}

static covey_status value_cells(covey_query_column *c, covey_arena *arena, covey_error *err)
{
    const covey_opened_column *opened = c->opened;
    const covey_stated_column *stated = opened->stated;
    uint32_t n = c->text->n_values;

    if (c->tree) {
        COVEY_TRY(take_leaves(c, arena, err));
        for (uint32_t i = 0; i < n; i++)
            c->cell[i] = (covey_query_cell){.first = leaf_of_value(c, i), .n_items = 1};
        return COVEY_OK;
    }
    if (stated->type != COVEY_TYPE_TEXT) {
        c->is_number = true;
        c->is_dense = stated->type == COVEY_TYPE_DECIMAL;
        c->scale = opened->scale;
        for (uint32_t i = 0; i < n; i++) {
            bool is_null = opened->number[i] == INT64_MIN;

            c->cell[i] = (covey_query_cell){
                .has_null = is_null, .has_range = !is_null, .low = opened->number[i], .high = opened->number[i]};
        }
        return COVEY_OK;
    }
    c->n_items = n;
    if (!(c->item = covey_arena_array_zero(arena, covey_query_item, n + stated->n_order)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const char *label = covey_column_label(c->text, i);

        c->item[i] = (covey_query_item){.label = label, .is_null = stated->has_missing && !*label};
        c->cell[i] = (covey_query_cell){.first = i, .n_items = 1};
    }
    COVEY_TRY(add_order(c, stated, arena, err));
    return covey_i_query_column_settle_items(c, stated, arena, err);
}

/* An item that is the missing value becomes the missing value of its cell. */
static void split_nulls(covey_query_column *c)
{
    for (uint32_t i = 0; i < c->text->n_values; i++) {
        covey_query_cell *cell = &c->cell[i];

        if (cell->n_items == 1 && c->item[cell->item ? cell->item[0] : cell->first].is_null) {
            cell->n_items = 0;
            cell->has_null = true;
        }
    }
}

covey_status covey_i_query_column_make(covey_query_column *c, const covey_opened_column *opened, bool has_empty,
                                       covey_arena *arena, covey_error *err)
{
    *c = (covey_query_column){.name = opened->stated->name,
                              .role = opened->stated->role,
                              .type = opened->stated->type,
                              .opened = opened,
                              .text = opened->text,
                              .n_cells = opened->text->n_values};
    if (!(c->cell = covey_arena_array_zero(arena, covey_query_cell, c->n_cells)))
        return covey_i_no_memory(err);
    COVEY_TRY(settle_tree(c, has_empty, arena, err));
    switch (opened->stated->publish) {
    case COVEY_PUBLISH_RANGE:
        range_cells(c);
        break;
    case COVEY_PUBLISH_LABEL:
        COVEY_TRY(label_cells(c, arena, err));
        break;
    case COVEY_PUBLISH_SET:
        COVEY_TRY(set_cells(c, arena, err));
        break;
    case COVEY_PUBLISH_VALUE:
        COVEY_TRY(value_cells(c, arena, err));
        break;
    }
    c->is_open = c->tree && c->n_items > 0 ? !opened->stated->hierarchy_complete : !c->is_number && !c->has_order;
    if (c->n_items > 0)
        split_nulls(c);
    return COVEY_OK;
}

void covey_i_query_column_clear(covey_query_column *column)
{
    covey_hierarchy_free(column->own_tree);
}
