/* Published cells of the quasi-identifiers as ranges of codes. */
#include "reader/quasi_codes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "reader/cells/cells.h"
#include "table/table_impl.h"

/* The dictionary of one attribute and what its cells mean in it. */
struct codes {
    covey_column *dictionary;
    uint32_t *low, *high; /* [text->n_values] per distinct cell */
};

static uint32_t place_of(const int64_t *number, uint32_t n, int64_t wanted)
{
    const int64_t *found = bsearch(&wanted, number, n, sizeof *number, covey_i_compare_i64);

    return (uint32_t)(found - number);
}

/* All ends of ranges, ascending and different, behind the missing value if there is one; the domain's ends are among
 * them. */
static covey_status collect_ends(int64_t **out, uint32_t *n_out, const covey_opened_column *column, bool *has_null,
                                 covey_arena *arena, covey_error *err)
{
    uint32_t n_cells = column->text->n_values, n = 0, kept = 0;
    int64_t *end = covey_arena_array(arena, int64_t, 2 * (size_t)n_cells + 2);

    if (!end)
        return covey_i_no_memory(err);
    *has_null = false;
    end[n++] = column->domain_low;
    end[n++] = column->domain_high;
    for (uint32_t i = 0; i < n_cells; i++) {
        const covey_cell *cell = &column->cell[i];

        *has_null |= cell->kind == COVEY_CELL_MISSING || cell->kind == COVEY_CELL_ANY;
        if (cell->kind != COVEY_CELL_VALUES)
            continue;
        end[n++] = cell->low;
        end[n++] = cell->high;
    }
    qsort(end, n, sizeof *end, covey_i_compare_i64);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || end[kept - 1] != end[i])
            end[kept++] = end[i];
    *out = end;
    *n_out = kept;
    return COVEY_OK;
}

static covey_status code_ranges(struct codes *codes, const covey_opened_column *column, covey_arena *arena,
                                covey_error *err)
{
    int64_t *end = NULL, *number;
    uint32_t n = 0;
    bool has_null = false;
    covey_label *label;

    COVEY_TRY(collect_ends(&end, &n, column, &has_null, arena, err));
    number = covey_arena_array_zero(arena, int64_t, (size_t)n + 1);
    label = covey_arena_array_zero(arena, covey_label, (size_t)n + 1);
    if (!number || !label)
        return covey_i_no_memory(err);
    memcpy(number + has_null, end, n * sizeof *end);
    for (uint32_t i = 0; i < n + has_null; i++)
        label[i] = (covey_label){"", 0}; /* models read the numbers */
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        const covey_cell *cell = &column->cell[i];
        bool is_values = cell->kind == COVEY_CELL_VALUES;

        codes->low[i] = is_values ? has_null + place_of(end, n, cell->low) : 0;
        codes->high[i] = is_values                      ? has_null + place_of(end, n, cell->high)
                         : cell->kind == COVEY_CELL_ANY ? has_null + n - 1
                                                        : 0;
    }
    return covey_i_column_new(&codes->dictionary, column->stated->name, column->stated->type, 0, n + has_null, has_null,
                              column->scale, label, number, NULL, err);
}

/* Leaves, as numbers if the column is one. */
static covey_status code_labels(struct codes *codes, const covey_opened_column *column, covey_arena *arena,
                                covey_error *err)
{
    uint32_t n = covey_hierarchy_n_leaves(column->tree);
    covey_label *label = covey_arena_array(arena, covey_label, n);
    int64_t *number = covey_arena_array_zero(arena, int64_t, n);
    uint8_t *scale = covey_arena_array_zero(arena, uint8_t, n);
    bool is_number = column->stated->type != COVEY_TYPE_TEXT, has_null = false;
    int largest = 0;

    if (!label || !number || !scale)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const char *text = covey_hierarchy_label(column->tree, covey_hierarchy_leaf_node(column->tree, i));
        int digits = 0;

        label[i] = (covey_label){text, strlen(text)};
        if (i == 0 && column->stated->has_missing && strcmp(text, "null") == 0)
            has_null = true;
        else
            is_number = is_number && covey_i_cell_number(&number[i], &digits, column->stated->type, text);
        scale[i] = (uint8_t)digits;
        largest = digits > largest ? digits : largest;
    }
    for (uint32_t i = 0; i < n; i++)
        is_number = is_number && covey_i_cell_rescale(&number[i], scale[i], largest);
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        codes->low[i] = (uint32_t)column->cell[i].low;
        codes->high[i] = (uint32_t)column->cell[i].high;
    }
    return covey_i_column_new(&codes->dictionary, column->stated->name,
                              is_number ? column->stated->type : COVEY_TYPE_TEXT, 0, n, has_null,
                              is_number ? largest : 0, label, is_number ? number : NULL, NULL, err);
}

/* Sets, and labels whose leaves are not known. */
static covey_status code_texts(struct codes *codes, const covey_opened_column *column, covey_arena *arena,
                               covey_error *err)
{
    static const char *const unknown[] = {"*"};
    bool is_set = column->stated->publish == COVEY_PUBLISH_SET && column->n_elements > 0;
    const char *const *element = is_set ? column->element : unknown;
    uint32_t n = is_set ? (uint32_t)column->n_elements : 1;
    covey_label *label = covey_arena_array(arena, covey_label, n);

    if (!label)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        label[i] = (covey_label){element[i], strlen(element[i])};
    for (uint32_t i = 0; i < column->text->n_values; i++) {
        bool is_values = is_set && column->cell[i].kind == COVEY_CELL_VALUES;

        codes->low[i] = is_values ? (uint32_t)column->cell[i].low : 0;
        codes->high[i] = is_values ? (uint32_t)column->cell[i].high : n - 1;
    }
    return covey_i_column_new(&codes->dictionary, column->stated->name, COVEY_TYPE_TEXT, 0, n, false, 0, label, NULL,
                              NULL, err);
}

static covey_status code_column(struct codes *codes, const covey_opened_column *column, covey_arena *arena,
                                covey_error *err)
{
    codes->low = covey_arena_array_zero(arena, uint32_t, column->text->n_values);
    codes->high = covey_arena_array_zero(arena, uint32_t, column->text->n_values);
    if (!codes->low || !codes->high)
        return covey_i_no_memory(err);
    if (column->stated->publish == COVEY_PUBLISH_RANGE)
        return code_ranges(codes, column, arena, err);
    if (column->stated->publish == COVEY_PUBLISH_LABEL && column->stated->hierarchy_complete)
        return code_labels(codes, column, arena, err);
    return code_texts(codes, column, arena, err);
}

covey_status covey_i_quasi_codes_make(covey_quasi_codes *out, const covey_opened *opened, covey_arena *arena,
                                      covey_error *err)
{
    size_t n = opened->n_quasi;

    *out = (covey_quasi_codes){
        .dictionary = covey_arena_array_zero(arena, covey_column *, n),
        .cell_low = covey_arena_array_zero(arena, uint32_t *, n),
        .cell_high = covey_arena_array_zero(arena, uint32_t *, n),
    };
    if (!out->dictionary || !out->cell_low || !out->cell_high)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < n; q++) {
        struct codes codes = {0};

        COVEY_TRY(code_column(&codes, &opened->column[opened->quasi[q]], arena, err));
        out->cell_low[q] = codes.low;
        out->cell_high[q] = codes.high;
        out->dictionary[out->n++] = codes.dictionary;
    }
    return COVEY_OK;
}

covey_status covey_i_quasi_codes_of_classes(covey_quasi_codes *codes, const covey_opened *opened, covey_arena *arena,
                                            covey_error *err)
{
    const size_t n = codes->n;

    if (n == 0)
        return COVEY_OK;
    codes->low = covey_arena_array(arena, uint32_t, opened->n_classes * n);
    codes->high = covey_arena_array(arena, uint32_t, opened->n_classes * n);
    if (!codes->low || !codes->high)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < n; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];

        for (uint32_t c = 0; c < opened->n_classes; c++) {
            codes->low[c * n + q] = codes->cell_low[q][column->class_cell[c]];
            codes->high[c * n + q] = codes->cell_high[q][column->class_cell[c]];
        }
    }
    return COVEY_OK;
}

void covey_i_quasi_codes_clear(covey_quasi_codes *codes)
{
    for (size_t q = 0; q < codes->n; q++)
        covey_i_column_free(codes->dictionary[q]);
    *codes = (covey_quasi_codes){0};
}
