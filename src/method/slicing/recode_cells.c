/* The cells of generalized columns: groups of values as the labels of columns that take the place of the table's. */
#include "method/slicing/recode.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "table/table_impl.h"

static void find_ends(covey_recoded *out, const covey_slicing_grouping *g, const uint32_t *count, uint32_t n_values)
{
    for (uint32_t i = 0; i < g->n_groups; i++) {
        out->low[i] = 1;
        out->high[i] = 0;
    }
    memset(out->n_rows, 0, g->n_groups * sizeof *out->n_rows);
    for (uint32_t v = 0; v < n_values; v++) {
        const uint32_t i = g->group[v];

        out->n_rows[i] += count[v];
        out->group_of_code[v] = count[v] > 0 ? i : UINT32_MAX;
        if (count[v] == 0)
            continue;
        out->low[i] = out->low[i] > out->high[i] ? v : out->low[i];
        out->high[i] = v;
    }
}

/* Labels of a hierarchy that is made from the data have no other order than that of their bytes, because nobody is told
 * its leaves. */
static int compare_labels(const void *x, const void *y, void *context)
{
    const covey_label *a = &((const covey_label *)context)[*(const uint32_t *)x],
                      *b = &((const covey_label *)context)[*(const uint32_t *)y];
    const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);

    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Numbers groups by their labels; map: of values to groups. */
static covey_status sort_groups(covey_recoded *out, covey_label *label, uint32_t *map, uint32_t n_groups,
                                uint32_t n_values, covey_arena *arena, covey_error *err)
{
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n_groups),
             *place = covey_arena_array(arena, uint32_t, n_groups);
    uint32_t *low = covey_arena_array(arena, uint32_t, n_groups), *high = covey_arena_array(arena, uint32_t, n_groups);
    uint32_t *n_rows = covey_arena_array(arena, uint32_t, n_groups);
    covey_label *given = covey_arena_array(arena, covey_label, n_groups);

    if (!sorted || !place || !low || !high || !n_rows || !given)
        return covey_i_no_memory(err);
    memcpy(n_rows, out->n_rows, n_groups * sizeof *n_rows);
    memcpy(low, out->low, n_groups * sizeof *low);
    memcpy(high, out->high, n_groups * sizeof *high);
    memcpy(given, label, n_groups * sizeof *given);
    for (uint32_t i = 0; i < n_groups; i++)
        sorted[i] = i;
    qsort_r(sorted, n_groups, sizeof *sorted, compare_labels, given);
    for (uint32_t i = 0; i < n_groups; i++) {
        label[i] = given[sorted[i]];
        out->low[i] = low[sorted[i]];
        out->high[i] = high[sorted[i]];
        out->n_rows[i] = n_rows[sorted[i]];
        place[sorted[i]] = i;
    }
    for (uint32_t v = 0; v < n_values; v++) {
        map[v] = place[map[v]];
        out->group_of_code[v] = out->group_of_code[v] == UINT32_MAX ? UINT32_MAX : map[v];
    }
    return COVEY_OK;
}

/* The cells of all groups as the labels of a column; groups without published rows have none. */
static covey_status make_column(covey_recoded *out, const covey_slicing_grouping *g, const covey_axis *axis,
                                covey_arena *arena, covey_error *err)
{
    covey_label *label = covey_arena_array_zero(arena, covey_label, g->n_groups);
    uint32_t *present = covey_arena_array(arena, uint32_t, axis->n_values),
             *map = covey_arena_array(arena, uint32_t, axis->n_values);
    size_t *start = covey_arena_array(arena, size_t, (size_t)g->n_groups + 1);
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    if (!label || !present || !map || !start)
        return covey_i_no_memory(err);
    memcpy(map, g->group, axis->n_values * sizeof *map);
    for (uint32_t i = 0; i < g->n_groups; i++) {
        size_t n = 0;

        start[i] = text.size;
        for (uint32_t v = out->low[i]; v <= out->high[i]; v++)
            if (out->group_of_code[v] == i)
                present[n++] = v;
        if (n > 0)
            covey_i_axis_print(&text, axis, out->low[i], out->high[i], present, n);
    }
    start[g->n_groups] = text.size;
    for (uint32_t i = 0; i < g->n_groups && !text.broken; i++)
        label[i] = (covey_label){text.size ? text.bytes + start[i] : "", start[i + 1] - start[i]};
    if (text.broken)
        status = covey_i_no_memory(err);
    else if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(axis->tree))
        status = sort_groups(out, label, map, g->n_groups, axis->n_values, arena, err);
    if (status == COVEY_OK)
        status = covey_i_column_recode(&out->column, axis->column, COVEY_TYPE_TEXT, map, g->n_groups, false, 0, label,
                                       NULL, err);
    covey_i_text_free(&text);
    return status;
}

/* Attributes whose groups are more than their values. */
static covey_status make_recoded(covey_slicing_recoding *r, covey_error *err)
{
    covey_slicing *s = r->s;

    for (size_t a = 0; a < s->problem->n_axes; a++) {
        const covey_axis *axis = &s->problem->axis[a];
        const covey_slicing_grouping *g = &r->now[a];
        covey_recoded *out = &s->recoded[a];

        if (g->level == 0)
            continue;
        out->low = covey_i_array(g->n_groups, sizeof *out->low);
        out->high = covey_i_array(g->n_groups, sizeof *out->high);
        out->group_of_code = covey_i_array(axis->n_values, sizeof *out->group_of_code);
        out->n_rows = covey_i_array(g->n_groups, sizeof *out->n_rows);
        if (!out->low || !out->high || !out->group_of_code || !out->n_rows)
            return covey_i_no_memory(err);
        find_ends(out, g, r->count[a], axis->n_values);
        COVEY_TRY(make_column(out, g, axis, s->arena, err));
    }
    return COVEY_OK;
}

/* The problem with cells in the place of values. */
static covey_status replace_columns(covey_slicing *s, covey_error *err)
{
    const covey_problem *problem = s->problem;
    covey_field *field = covey_arena_array(s->arena, covey_field, problem->n_fields);

    if (!field)
        return covey_i_no_memory(err);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    for (size_t f = 0; f < problem->n_fields; f++)
        if (field[f].axis >= 0 && s->recoded[field[f].axis].column)
            field[f].column = s->recoded[field[f].axis].column;
    s->own = *problem;
    s->own.field = field;
    s->problem = &s->own;
    return COVEY_OK;
}

covey_status covey_i_slicing_make_cells(covey_slicing_recoding *r, covey_error *err)
{
    covey_slicing *s = r->s;

    covey_i_recoded_free(s->recoded, s->whole->n_axes);
    s->problem = s->whole;
    s->recoded = covey_i_array_zero(s->whole->n_axes, sizeof *s->recoded);
    if (!s->recoded)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slicing_count_values(r, err));
    COVEY_TRY(make_recoded(r, err));
    return replace_columns(s, err);
}
