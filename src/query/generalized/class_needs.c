/* What a query needs of a scan by class: which kinds of rows it tells apart within classes, which classes may have rows
 * that it selects, and of which columns it adds numbers up. */
#include "query/generalized/class_scan.h"

#include "base/error.h"
#include "query/generalized/row_keys.h"

enum { MOST_ROW_KINDS = 1 << 16 };

/* Every attribute of the condition may be anything, but what the keys say. */
static void open_lists(covey_class_scan *a)
{
    const covey_condition *condition = &a->query->condition;

    for (uint32_t i = 0; i < condition->n_attributes; i++)
        a->list[i] = a->key_list[i].n ? a->key_list[i]
                                      : (covey_atom_list){condition->attribute[i].any, condition->attribute[i].n_any};
}

/* Columns that differ within a class show single values, so a cell is of one atom. */
static covey_status prepare_rows(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const covey_condition *condition = &a->query->condition;
    uint64_t n_kinds = 1;

    if (!(a->offset = covey_arena_array_zero(arena, uint32_t *, condition->n_attributes)))
        return covey_i_no_memory(err);
    for (size_t k = 0; k < a->query->n_keys; k++)
        a->by_row |= covey_i_key_is_of_rows(a->query, a->release, k);
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        const covey_condition_attribute *attribute = &condition->attribute[i];

        if (attribute->column->role == COVEY_ROLE_QUASI)
            continue;
        a->by_row = true;
        if (!(a->offset[i] = covey_arena_array(arena, uint32_t, attribute->column->text->n_values)))
            return covey_i_no_memory(err);
        for (uint32_t cell = 0; cell < attribute->column->text->n_values; cell++)
            a->offset[i][cell] = attribute->share[attribute->start[cell]].atom * (uint32_t)n_kinds;
        if ((n_kinds *= attribute->n_atoms) > MOST_ROW_KINDS)
            return covey_fail(
                err, COVEY_EINVAL,
                "query: the condition tells more than %d kinds of rows apart by sensitive and insensitive columns",
                MOST_ROW_KINDS);
    }
    a->n_kinds = (uint32_t)n_kinds;
    a->of_kind = covey_arena_array(arena, covey_outcome, n_kinds);
    a->kind_known = covey_arena_array_zero(arena, uint32_t, n_kinds);
    return a->of_kind && a->kind_known ? COVEY_OK : covey_i_no_memory(err);
}

/* Do the cells of every live kind follow each other? */
static void find_runs(covey_class_scan *a)
{
    const covey_condition_attribute *counted = &a->query->condition.attribute[a->counted];
    const covey_class_counts *counts = &a->g->counts[counted->index];

    a->has_runs = counts->before != NULL;
    for (uint32_t i = 0; i < a->n_live && a->has_runs; i++) {
        uint32_t first = UINT32_MAX, last = 0, n = 0;

        for (uint32_t cell = 0; cell < counted->column->text->n_values; cell++) {
            const uint32_t place = counts->place ? counts->place[cell] : cell;

            if (a->offset[a->counted][cell] != a->live[i].kind)
                continue;
            first = place < first ? place : first;
            last = place > last ? place : last;
            n++;
        }
        a->live[i].first = first;
        a->live[i].last = last;
        a->has_runs = last - first + 1 == n;
    }
}

static bool asks_for_counts_alone(const covey_bound_query *query)
{
    for (size_t i = 0; i < query->n_aggregates; i++)
        if (!covey_i_sql_counts(query->aggregate[i].function))
            return false;
    return true;
}

/* Kinds of rows that may be selected in some class. */
static void find_live(covey_class_scan *a)
{
    const covey_condition *condition = &a->query->condition;
    const covey_condition_attribute *counted = &condition->attribute[a->counted];
    bool seen[COVEY_SCAN_MOST_COUNTED_KINDS] = {false};
    covey_outcome outcome;

    open_lists(a);
    for (uint32_t cell = 0; cell < counted->column->text->n_values; cell++) {
        const uint32_t kind = a->offset[a->counted][cell];

        if (seen[kind])
            continue;
        seen[kind] = true;
        a->list[a->counted] = covey_i_condition_list(counted, cell);
        covey_i_condition_outcome(&outcome, condition, a->list);
        if (outcome.can_be_true) {
            a->live[a->n_live].kind = kind;
            a->live[a->n_live++].cell = cell;
        }
    }
}

static void choose_counted(covey_class_scan *a)
{
    const covey_condition *condition = &a->query->condition;
    bool has_row_keys = false;
    uint32_t n = 0;

    for (size_t k = 0; k < a->query->n_keys; k++)
        has_row_keys |= covey_i_key_is_of_rows(a->query, a->release, k);
    a->counted = -1;
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if (a->offset[i]) {
            a->counted = (int)i;
            n++;
        }
    if (n != 1 || has_row_keys || a->n_kinds > COVEY_SCAN_MOST_COUNTED_KINDS || !asks_for_counts_alone(a->query))
        a->counted = -1;
    if (a->counted < 0)
        return;
    find_live(a);
    find_runs(a);
}

/* Keeps the open classes whose cell of attribute i does not rule the condition out, whatever the other attributes are.
 */
static covey_status keep_open(covey_class_scan *a, uint32_t i, covey_arena *arena, covey_error *err)
{
    const covey_condition_attribute *attribute = &a->query->condition.attribute[i];
    const uint32_t *class_cell = attribute->column->opened->class_cell;
    bool *may_hold = covey_arena_array(arena, bool, attribute->column->n_cells);
    uint32_t n = 0;

    if (!may_hold)
        return covey_i_no_memory(err);
    open_lists(a);
    for (uint32_t cell = 0; cell < attribute->column->n_cells; cell++) {
        a->list[i] = covey_i_condition_list(attribute, cell);
        may_hold[cell] = covey_i_condition_may_hold(&a->query->condition, a->list);
    }
    for (uint32_t k = 0; k < a->n_open; k++) {
        const uint32_t class = a->open[k];

        a->open[n] = class;
        n += may_hold[class_cell[class]];
    }
    a->n_open = n;
    return COVEY_OK;
}

static covey_status find_open(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const covey_condition *condition = &a->query->condition;
    const uint32_t n_classes = a->release->n_own_classes;

    if (!(a->open = covey_arena_array(arena, uint32_t, n_classes)))
        return covey_i_no_memory(err);
    for (uint32_t class = 0; class < n_classes; class ++)
        a->open[class] = class;
    a->n_open = n_classes;
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if (condition->attribute[i].column->role == COVEY_ROLE_QUASI)
            COVEY_TRY(keep_open(a, i, arena, err));
    return COVEY_OK;
}

/* All but the values that the query's aggregates are about. */
static covey_status prepare(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const uint32_t n_attributes = a->query->condition.n_attributes;

    a->list = covey_arena_array_zero(arena, covey_atom_list, n_attributes);
    a->key_list = covey_arena_array_zero(arena, covey_atom_list, n_attributes);
    if (!a->list || !a->key_list)
        return covey_i_no_memory(err);
    COVEY_TRY(prepare_rows(a, arena, err));
    choose_counted(a);
    return find_open(a, arena, err);
}

covey_status covey_i_class_scan_begin(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const covey_bound_query *query = a->query;

    if (!(a->values = covey_arena_array_zero(arena, covey_selected_values, query->n_aggregates)))
        return covey_i_no_memory(err);
    COVEY_TRY(prepare(a, arena, err));
    for (size_t i = 0; i < query->n_aggregates; i++) {
        covey_selected_values *v = &a->values[i];

        if (query->aggregate[i].n_units && !a->units &&
            !(a->units = covey_arena_array_zero(arena, covey_selected_units, query->n_aggregates)))
            return covey_i_no_memory(err);
        if (covey_i_sql_counts(query->aggregate[i].function))
            continue;
        v->numbers = &a->g->numbers[query->aggregate[i].column];
        if (!a->g->class_values[query->aggregate[i].column])
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              a->release->column[query->aggregate[i].column].name, query->aggregate[i].text);
        COVEY_TRY(covey_i_selected_new(v, arena, err));
    }
    return COVEY_OK;
}

int64_t covey_i_class_scan_suppressed(covey_class_scan *a)
{
    const covey_condition *condition = &a->query->condition;
    int64_t most = a->release->stated->n_suppressed;
    covey_outcome outcome;

    if (most == 0)
        return 0;
    open_lists(a);
    covey_i_condition_outcome(&outcome, condition, a->list);
    if (!outcome.can_be_true)
        return 0;
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        const covey_condition_attribute *attribute = &condition->attribute[i];
        covey_atom_list kept = a->list[i];
        int64_t n = 0;

        if (!attribute->column->n_suppressed)
            continue;
        for (uint32_t cell = 0; cell < attribute->column->n_cells; cell++) {
            if (attribute->column->n_suppressed[cell] == 0)
                continue;
            a->list[i] = covey_i_condition_list(attribute, cell);
            covey_i_condition_outcome(&outcome, condition, a->list);
            n += outcome.can_be_true ? attribute->column->n_suppressed[cell] : 0;
        }
        a->list[i] = kept;
        most = n < most ? n : most;
    }
    return most;
}
