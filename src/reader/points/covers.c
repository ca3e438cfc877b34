/* Which original values a published cell covers. */
#include "reader/points/covers.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "hierarchy/hierarchy_impl.h"
#include "reader/cells/cells.h"
#include "reader/names.h"
#include "table/table_impl.h"

static const covey_cover NOTHING = {1, 0, 0, NULL};

/* --- numbers --- */

/* value * 10^shift for shift >= 0 without overflow: beyond the numbers of a column it does not matter by how much. */
static int64_t scale_up(int64_t value, int shift)
{
    for (; shift > 0; shift--)
        if (__builtin_mul_overflow(value, 10, &value))
            return value < 0 ? INT64_MIN : INT64_MAX;
    return value;
}

uint32_t covey_i_covers_first(const covey_column *column, int64_t wanted, int scale, bool above)
{
    int up = scale - column->scale; /* > 0: the column's numbers have fewer digits */
    uint32_t low = column->has_null ? 1 : 0, high = column->n_values;

    if (up < 0)
        wanted = scale_up(wanted, -up);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int64_t number = scale_up(column->number[middle], up > 0 ? up : 0);

        if (above ? number <= wanted : number < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cell that says nothing holds what the domain does, and missing values. */
static covey_status cover_domain(covey_cover *out, const covey_opened_column *column, const covey_column *original,
                                 covey_arena *arena, covey_error *err)
{
    const uint32_t first = covey_i_covers_first(original, column->domain_low, column->scale, false);
    const uint32_t end = covey_i_covers_first(original, column->domain_high, column->scale, true);
    uint32_t *code, n = 0;

    *out = (covey_cover){0, original->n_values - 1, 0, NULL};
    if (first <= original->has_null && end == original->n_values)
        return COVEY_OK;
    if (!(code = covey_arena_array(arena, uint32_t, original->n_values)))
        return covey_i_no_memory(err);
    if (original->has_null)
        code[n++] = 0;
    for (uint32_t v = first; v < end; v++)
        code[n++] = v;
    *out = n > 0 ? (covey_cover){code[0], code[n - 1], n, code[n - 1] - code[0] + 1 == n ? NULL : code} : NOTHING;
    return COVEY_OK;
}

static covey_status cover_ranges(covey_cover *cover, const covey_opened_column *column, const covey_column *original,
                                 covey_arena *arena, covey_error *err)
{
    covey_cover domain = NOTHING;

    if (original->n_values > 0)
        COVEY_TRY(cover_domain(&domain, column, original, arena, err));
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const covey_cell *cell = &column->cell[i];
        uint32_t end;

        cover[i] = NOTHING;
        if (original->n_values == 0)
            continue;
        if (cell->kind == COVEY_CELL_ANY)
            cover[i] = domain;
        if (cell->kind == COVEY_CELL_MISSING && original->has_null)
            cover[i] = (covey_cover){0, 0, 0, NULL};
        if (cell->kind != COVEY_CELL_VALUES)
            continue;
        cover[i].low = covey_i_covers_first(original, cell->low, column->scale, false);
        end = covey_i_covers_first(original, cell->high, column->scale, true);
        if (end > cover[i].low)
            cover[i].high = end - 1;
        else
            cover[i] = NOTHING;
    }
    return COVEY_OK;
}

/* --- labels --- */

/* first..last, as nodes of balanced hierarchies are called: of a release without some of the rows by the values that
 * are left.  UINT32_MAX: it is no such label. */
static void find_ends(uint32_t *first, uint32_t *last, const covey_hierarchy *tree, const char *text,
                      covey_text *scratch)
{
    const covey_node *nodes = covey_hierarchy_nodes(tree);

    for (const char *dots = strstr(text, ".."); dots && covey_hierarchy_get_kind(tree) == COVEY_HIERARCHY_BALANCED;
         dots = strstr(dots + 1, "..")) {
        uint32_t low, high;

        covey_i_text_clear(scratch);
        covey_i_text_add(scratch, text, (size_t)(dots - text));
        if (scratch->broken)
            return;
        low = covey_hierarchy_find(tree, scratch->bytes);
        high = covey_hierarchy_find(tree, dots + 2);
        if (low == UINT32_MAX || high == UINT32_MAX || nodes[low].n_children > 0 || nodes[high].n_children > 0 ||
            nodes[low].leaf >= nodes[high].leaf)
            continue;
        *first = low;
        *last = high;
        return;
    }
}

static int64_t count_rows(const covey_column *original, uint32_t code)
{
    int64_t n = 0;

    for (int64_t row = 0; row < original->n_rows; row++)
        n += covey_i_code_at(original, row) == code;
    return n;
}

/* A value that only suppressed rows have may be spelled like a label: the release's own hierarchy did not have it.  The
 * cell then holds what either reading does. */
static void add_namesakes(covey_cell *cell, const covey_opened_column *column, const covey_column *original,
                          const covey_hierarchy *tree, const char *text, covey_text *scratch)
{
    const covey_node *nodes = covey_hierarchy_nodes(tree);
    uint32_t first = UINT32_MAX, last = UINT32_MAX;

    if (cell->low != cell->high || (!strchr(text, '*') && !strstr(text, "..")) ||
        count_rows(original, (uint32_t)cell->low) > column->n_suppressed)
        return;
    find_ends(&first, &last, tree, text, scratch);
    for (uint32_t node = 1; node < covey_hierarchy_n_nodes(tree) && first == UINT32_MAX; node++)
        if (nodes[node].n_children > 0 && strcmp(covey_hierarchy_label(tree, node), text) == 0)
            first = last = node;
    if (first == UINT32_MAX)
        return;
    if (nodes[first].first_leaf < cell->low)
        cell->low = nodes[first].first_leaf;
    if ((int64_t)nodes[last].first_leaf + nodes[last].n_leaves - 1 > cell->high)
        cell->high = (int64_t)nodes[last].first_leaf + nodes[last].n_leaves - 1;
}

/* A label of a hierarchy that was built again: now its leaves are known. */
static void understand(covey_cell *cell, const covey_opened_column *column, const covey_hierarchy *tree,
                       const char *text, const char *const *leaf, uint32_t n_leaves, covey_text *scratch)
{
    uint32_t first = leaf ? covey_hierarchy_find(tree, leaf[0]) : covey_i_hierarchy_find_cell(tree, text);
    uint32_t last = leaf ? covey_hierarchy_find(tree, leaf[n_leaves - 1]) : first;
    const covey_node *nodes = covey_hierarchy_nodes(tree);

    if (!leaf && first == UINT32_MAX && column->n_suppressed > 0)
        find_ends(&first, &last, tree, text, scratch);
    if (first == UINT32_MAX || last == UINT32_MAX) {
        cell->fault = "the label is not one of the hierarchy that the original gives";
        return;
    }
    cell->low = nodes[first].first_leaf;
    cell->high = (int64_t)nodes[last].first_leaf + nodes[last].n_leaves - 1;
    if (leaf && (cell->low > cell->high || cell->high - cell->low + 1 < n_leaves ||
                 cell->high - cell->low + 1 > n_leaves + column->n_suppressed))
        cell->fault = "the set is not one of neighbouring leaves of the hierarchy that the original gives";
    else
        cell->kind = COVEY_CELL_VALUES;
}

static covey_status understand_labels(covey_opened_column *column, const covey_column *original,
                                      covey_problems *problems, covey_arena *arena, covey_error *err)
{
    const covey_hierarchy *tree = column->rebuilt ? column->rebuilt : column->like;
    covey_text scratch = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    bool reported = false;

    for (uint32_t i = 0; i < column->text->n_values && status == COVEY_OK; i++) {
        const char *text = covey_column_label(column->text, i), **leaf = NULL;
        bool is_set = false;
        uint32_t n = 0;

        if (column->cell[i].kind != COVEY_CELL_NAME)
            continue;
        if (covey_hierarchy_find(tree, text) == UINT32_MAX && covey_i_cell_is_set(text))
            status = covey_i_cell_split_set(&leaf, &n, &is_set, text, arena, err);
        if (status != COVEY_OK)
            break;
        understand(&column->cell[i], column, tree, text, is_set ? leaf : NULL, n, &scratch);
        if (column->cell[i].kind == COVEY_CELL_VALUES && !is_set && column->n_suppressed > 0)
            add_namesakes(&column->cell[i], column, original, tree, text, &scratch);
        if (column->cell[i].fault && !reported) {
            covey_i_problem(problems, "column \"%s\": %s", column->stated->name, column->cell[i].fault);
            reported = true;
        }
    }
    if (scratch.broken)
        status = covey_i_no_memory(err);
    covey_i_text_free(&scratch);
    return status;
}

static void cover_leaves(covey_cover *cover, const covey_opened_column *column)
{
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const covey_cell *cell = &column->cell[i];

        cover[i] = cell->kind == COVEY_CELL_VALUES ? (covey_cover){(uint32_t)cell->low, (uint32_t)cell->high, 0, NULL}
                                                   : NOTHING;
    }
}

/* --- sets --- */

static covey_status index_texts(covey_names *names, const covey_column *column, covey_arena *arena, covey_error *err)
{
    uint32_t number;

    COVEY_TRY(covey_i_names_init(names, column->n_values, arena, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        COVEY_TRY(covey_i_names_add(&number, names, covey_column_label(column, v), err));
    return COVEY_OK;
}

static void sort_codes(uint32_t *code, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) /* at most 64, and nearly in order */
        for (uint32_t j = i; j > 0 && code[j] < code[j - 1]; j--) {
            uint32_t swap = code[j];

            code[j] = code[j - 1];
            code[j - 1] = swap;
        }
}

/* Names are numbered as codes are, because all texts of a dictionary are different.  Elements that the original lacks
 * cover nothing. */
static covey_status cover_sets(covey_cover *cover, const covey_opened_column *column, const covey_column *original,
                               covey_arena *arena, covey_error *err)
{
    covey_names names;

    COVEY_TRY(index_texts(&names, original, arena, err));
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const covey_cell *cell = &column->cell[i];
        uint32_t *code = covey_arena_array(arena, uint32_t, cell->n_elements), n = 0;

        if (!code)
            return covey_i_no_memory(err);
        cover[i] = NOTHING;
        if (cell->kind == COVEY_CELL_ANY && original->n_values > 0)
            cover[i] = (covey_cover){0, original->n_values - 1, 0, NULL};
        if (cell->kind != COVEY_CELL_VALUES)
            continue;
        for (uint32_t e = 0; e < cell->n_elements; e++) {
            uint32_t found = covey_i_names_find(&names, column->element[cell->element[e]]);

            if (found != UINT32_MAX)
                code[n++] = found;
        }
        sort_codes(code, n);
        if (n > 0)
            cover[i] = (covey_cover){code[0], code[n - 1], n, code[n - 1] - code[0] + 1 == n ? NULL : code};
    }
    return COVEY_OK;
}

/* --- values that are published as they are --- */

static uint32_t find_number(const covey_column *original, int64_t number, int scale)
{
    uint32_t found = covey_i_covers_first(original, number, scale, false);

    return covey_i_covers_first(original, number, scale, true) > found ? found : UINT32_MAX;
}

/* Numbers that are published as texts are read here. */
static uint32_t find_cell(const covey_column *original, const covey_opened_column *column, uint32_t cell)
{
    const char *text = covey_column_label(column->text, cell);
    const size_t size = covey_column_label_size(column->text, cell);
    int64_t number;
    int scale;

    if (column->stated->type != COVEY_TYPE_TEXT)
        return find_number(original, column->number[cell], column->scale);
    if (covey_i_typing_has_leading_zeros(text, size) || !covey_i_typing_parse_decimal(&number, &scale, text, size))
        return UINT32_MAX;
    return find_number(original, number, scale);
}

static covey_status find_values(covey_original_column *out, const covey_opened_column *column, covey_arena *arena,
                                covey_error *err)
{
    const covey_column *original = out->column;
    bool by_number = !column->stated->hierarchy && covey_column_is_number(original);
    covey_names names = {0};

    if (!(out->value_of_cell = covey_arena_array(arena, uint32_t, column->text->n_values)))
        return covey_i_no_memory(err);
    if (!by_number)
        COVEY_TRY(index_texts(&names, original, arena, err));
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const char *text = covey_column_label(column->text, i);
        bool is_missing = *text == '\0' && column->stated->has_missing;

        if (is_missing && !column->stated->hierarchy)
            out->value_of_cell[i] = original->has_null ? 0 : UINT32_MAX;
        else if (by_number)
            out->value_of_cell[i] = find_cell(original, column, i);
        else
            out->value_of_cell[i] = covey_i_names_find(&names, is_missing ? "null" : text);
    }
    return COVEY_OK;
}

/* The domain that losses refer to must hold the data, but for suppressed rows. */
static void check_domain(const covey_opened_column *column, const covey_column *original, covey_problems *problems)
{
    const uint32_t first = covey_i_covers_first(original, column->domain_low, column->scale, false);
    const uint32_t end = covey_i_covers_first(original, column->domain_high, column->scale, true);
    int64_t n_outside = 0;

    for (int64_t row = 0; row < original->n_rows; row++) {
        const uint32_t code = covey_i_code(original, row);

        n_outside += !(original->has_null && code == 0) && (code < first || code >= end);
    }
    if (n_outside > column->n_suppressed)
        covey_i_problem(problems, "column \"%s\": the original has values outside the domain that manifest.json gives",
                        column->stated->name);
}

covey_status covey_i_covers_make(covey_original_column *out, covey_opened_column *column, covey_problems *problems,
                                 covey_arena *arena, covey_error *err)
{
    if (column->stated->publish == COVEY_PUBLISH_VALUE)
        return find_values(out, column, arena, err);
    if (!(out->cover = covey_arena_array(arena, covey_cover, column->text->n_values)))
        return covey_i_no_memory(err);
    if (column->stated->publish == COVEY_PUBLISH_SET)
        return cover_sets(out->cover, column, out->column, arena, err);
    if (column->stated->publish == COVEY_PUBLISH_LABEL) {
        if (column->rebuilt || column->like)
            COVEY_TRY(understand_labels(column, out->column, problems, arena, err));
        cover_leaves(out->cover, column);
        return COVEY_OK;
    }
    check_domain(column, out->column, problems);
    return cover_ranges(out->cover, column, out->column, arena, err);
}
