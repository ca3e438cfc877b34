/* What column-k promises, from the files: every piece of a column stands there so often; and the cells of an attribute
 * that is published in groups do not overlap, so that whoever has a value knows its cell, and signatures of cells are
 * signatures of people.
 *
 * See docs/design/slicing.md, "Column generalization". */
#include "audit/sliced/sliced.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/cells/cells.h"

/* --- cells --- */

static int compare_cells(const void *a, const void *b, void *context)
{
    const covey_opened_column *column = context;
    const covey_cell *x = &column->cell[*(const uint32_t *)a], *y = &column->cell[*(const uint32_t *)b];

    return (x->low > y->low) - (x->low < y->low);
}

/* Ranges of numbers, or of leaves: one after another. */
static covey_status ranges_overlap(bool *overlap, const covey_opened_column *column, covey_arena *arena,
                                   covey_error *err)
{
    uint32_t *cell = covey_arena_array(arena, uint32_t, column->text->n_values), n = 0;

    if (!cell)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->text->n_values; i++)
        if (column->cell[i].kind == COVEY_CELL_VALUES)
            cell[n++] = i;
    qsort_r(cell, n, sizeof *cell, compare_cells, (void *)column);
    for (uint32_t i = 1; i < n; i++)
        *overlap = *overlap || column->cell[cell[i]].low <= column->cell[cell[i - 1]].high;
    return COVEY_OK;
}

static covey_status sets_overlap(bool *overlap, const covey_opened_column *column, covey_arena *arena, covey_error *err)
{
    bool *taken = covey_arena_array_zero(arena, bool, column->n_elements);

    if (!taken)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->text->n_values; i++)
        for (uint32_t e = 0; e < column->cell[i].n_elements; e++) {
            *overlap = *overlap || taken[column->cell[i].element[e]];
            taken[column->cell[i].element[e]] = true;
        }
    return COVEY_OK;
}

/* Takes the leaves under a label; *known false: it is none. */
static void take_label(bool *taken, bool *overlap, bool *known, const covey_hierarchy *tree, const char *label,
                       bool is_cell)
{
    /* a cell that is called like the root is the root, wherever else the label stands */
    const uint32_t node =
        is_cell && strcmp(label, covey_hierarchy_label(tree, 0)) == 0 ? 0 : covey_hierarchy_find(tree, label);

    *known = *known && node != UINT32_MAX;
    for (uint32_t leaf = 0; *known && leaf < covey_hierarchy_nodes(tree)[node].n_leaves; leaf++) {
        bool *one = &taken[covey_hierarchy_nodes(tree)[node].first_leaf + leaf];

        *overlap = *overlap || *one;
        *one = true;
    }
}

/* Labels, or sets of labels, of a hierarchy that names no more than what is published: a node's values are none of
 * another's, unless one is above the other. */
static covey_status names_overlap(bool *overlap, bool *known, const covey_opened_column *column, covey_arena *arena,
                                  covey_error *err)
{
    const covey_hierarchy *tree = column->tree;
    bool *taken = covey_arena_array_zero(arena, bool, covey_hierarchy_n_leaves(tree));

    if (!taken)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const char *label = covey_column_label(column->text, i), **element = NULL;
        uint32_t n = 0;
        bool is_set = false;

        if (covey_hierarchy_find(tree, label) == UINT32_MAX && covey_i_cell_is_set(label))
            COVEY_TRY(covey_i_cell_split_set(&element, &n, &is_set, label, arena, err));
        if (!is_set)
            take_label(taken, overlap, known, tree, label, true);
        for (uint32_t e = 0; is_set && e < n; e++)
            take_label(taken, overlap, known, tree, element[e], false);
    }
    return COVEY_OK;
}

static covey_status check_column(covey_problems *problems, const covey_opened_column *column, covey_arena *arena,
                                 covey_error *err)
{
    const uint32_t n = column->text->n_values;
    bool overlap = false, has_names = false, known = true;

    for (uint32_t i = 0; i < n; i++) {
        has_names = has_names || column->cell[i].kind == COVEY_CELL_NAME;
        overlap = overlap || (column->cell[i].kind == COVEY_CELL_ANY && n > 1);
    }
    if (has_names && column->tree)
        COVEY_TRY(names_overlap(&overlap, &known, column, arena, err));
    if (!known || (has_names && !column->tree)) {
        covey_i_problem(
            problems, "column \"%s\": whether its cells overlap cannot be checked: not all are labels of its hierarchy",
            column->stated->name);
        return COVEY_OK;
    }
    if (has_names)
        ; /* seen above */
    else if (column->stated->publish == COVEY_PUBLISH_SET)
        COVEY_TRY(sets_overlap(&overlap, column, arena, err));
    else
        COVEY_TRY(ranges_overlap(&overlap, column, arena, err));
    if (overlap)
        covey_i_problem(problems, "column \"%s\": some of its cells overlap, so that a value would have more than one",
                        column->stated->name);
    return COVEY_OK;
}

/* --- pieces --- */

struct lines {
    const covey_opened_slice *slice;
};

static int compare_lines(const void *a, const void *b, void *context)
{
    const struct lines *l = context;

    for (size_t i = 0; i < l->slice->n; i++) {
        const uint32_t x = covey_i_code_at(l->slice->column[i]->text, *(const uint32_t *)a);
        const uint32_t y = covey_i_code_at(l->slice->column[i]->text, *(const uint32_t *)b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* What the method's column-k is; 0: it says nothing. *usable false: it is no number, which has been reported. */
static int64_t stated_k(bool *usable, const covey_opened *o, covey_problems *problems)
{
    const json_t *value =
        json_object_get(json_object_get(json_object_get(o->stated->root, "method"), "parameters"), "column-k");
    const char *text = json_string_value(value);
    char *end = NULL;
    int64_t k;

    *usable = true;
    if (!value)
        return 0;
    k = text ? strtoll(text, &end, 10) : json_integer_value(value);
    if ((!text && !json_is_integer(value)) || (text && (end == text || *end != '\0')) || k < 0) {
        covey_i_problem(problems, "manifest.json: column-k must be a whole number");
        *usable = false;
    }
    return k;
}

static covey_status check_pieces(covey_problems *problems, const covey_opened_slice *slice, uint32_t n_lines, int64_t k,
                                 covey_arena *arena, covey_error *err)
{
    uint32_t *line = covey_arena_array(arena, uint32_t, n_lines), n_rare = 0;
    struct lines lines = {slice};

    if (!line)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_lines; i++)
        line[i] = i;
    qsort_r(line, n_lines, sizeof *line, compare_lines, &lines);
    for (uint32_t i = 0, end; i < n_lines; i = end) {
        for (end = i + 1; end < n_lines && compare_lines(&line[i], &line[end], &lines) == 0;)
            end++;
        n_rare += end - i < k;
    }
    if (n_rare > 0)
        covey_i_problem(problems,
                        "%s: %" PRIu32 " of its different pieces stand there less often than %" PRId64
                        " times, which column-k promises",
                        slice->table->file, n_rare, k);
    return COVEY_OK;
}

covey_status covey_i_slices_check_cells(covey_problems *problems, const covey_opened *o, const covey_opened_slices *s,
                                        covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;
    bool usable;
    const int64_t k = stated_k(&usable, o, problems);

    for (size_t c = 0; c < o->n_columns && status == COVEY_OK; c++)
        if (o->column[c].stated->publish != COVEY_PUBLISH_VALUE)
            status = check_column(problems, &o->column[c], &arena, err);
    for (size_t i = 0; i < s->n && status == COVEY_OK && usable && k > 1; i++)
        status = check_pieces(problems, &s->slice[i], o->n_rows, k, &arena, err);
    covey_arena_free(&arena);
    return status;
}
