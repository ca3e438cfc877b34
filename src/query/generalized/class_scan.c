/* Scanning a generalized release class by class. */
#include "query/generalized/class_scan.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "query/generalized/row_keys.h"
#include "reader/generalized/counterfeits.h"
#include "reader/units.h"
#include "table/table_impl.h"

enum { MOST_ROW_KINDS = 1 << 16 };

/* --- rows of a class --- */

static void add_maybe(covey_selected_values *v, const covey_bound_aggregate *aggregate, const covey_column *text,
                      uint32_t lo, uint32_t hi, double p)
{
    for (uint32_t row = lo; row < hi; row++) {
        const uint32_t slot = v->numbers->slot_of_cell[covey_i_code_at(text, row)];
        const int64_t weight = covey_i_query_row_weight(aggregate, row);

        if (slot == UINT32_MAX)
            continue;
        v->maybe[slot].n += weight;
        v->maybe[slot].expected += p * (double)weight;
        v->maybe[slot].spread += p * (1 - p) * (double)weight * (double)weight;
    }
}

static void add_sure(covey_selected_values *v, const covey_bound_aggregate *aggregate, const covey_column *text,
                     uint32_t lo, uint32_t hi)
{
    for (uint32_t row = lo; row < hi; row++) {
        const uint32_t slot = v->numbers->slot_of_cell[covey_i_code_at(text, row)];

        if (slot != UINT32_MAX)
            covey_i_sure_add_many(&v->sure, v->numbers, slot, covey_i_query_row_weight(aggregate, row));
    }
}

/* Of rows in a class with made-up ones none is surely somebody's, but not all are made up. */
static covey_outcome lessened(covey_class_scan *a, uint32_t class, int64_t n, const covey_outcome *outcome)
{
    const uint32_t *start = a->release->opened->class_start;
    const double size = start[class + 1] - start[class];
    covey_outcome less = *outcome;

    *(outcome->can_be_false ? &a->unsure.n_maybe : &a->unsure.n_sure) += n;
    less.can_be_false = true;
    less.p *= 1 - covey_i_counterfeits_of(a->release->opened, class) / size;
    return less;
}

/* Rows that are selected if they are somebody's: the made-up ones may be among them, or among the others. */
static void count_unsure(covey_class_scan *a, uint32_t class)
{
    const uint32_t *start = a->release->opened->class_start;
    const int64_t n_made_up = covey_i_counterfeits_of(a->release->opened, class);
    const int64_t n_real = (int64_t)(start[class + 1] - start[class]) - n_made_up;
    const int64_t n_sure = a->unsure.n_sure > n_made_up ? a->unsure.n_sure - n_made_up : 0;
    int64_t most = a->unsure.n_sure + a->unsure.n_maybe;

    most = most < n_real ? most : n_real;
    a->rows.n_sure += n_sure;
    a->rows.n_maybe += most - n_sure;
}

/* Rows lo .. hi-1 of a class, all of it or, by row, a single one, are selected with that outcome.  Where rows are only
 * counted, which they are does not matter. */
static void add_rows(covey_class_scan *a, uint32_t class, uint32_t lo, uint32_t hi, const covey_outcome *outcome)
{
    const int64_t n = hi - lo;
    covey_outcome less;
    double p;

    if (!outcome->can_be_true)
        return;
    if (covey_i_counterfeits_of(a->release->opened, class) > 0) {
        less = lessened(a, class, n, outcome);
        outcome = &less;
    } else {
        *(outcome->can_be_false ? &a->rows.n_maybe : &a->rows.n_sure) += n;
    }
    p = outcome->p;
    a->rows.expected += (double)n * p;
    a->rows.spread += (double)n * p * (1 - p);
    *(outcome->can_be_false ? &a->of_class.n_maybe : &a->of_class.n_sure) += n;
    a->of_class.expected += (double)n * p;
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        covey_selected_values *v = &a->values[i];
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];
        const covey_column *text = a->release->column[aggregate->column].text;

        if (!v->numbers)
            continue;
        if (outcome->can_be_false)
            add_maybe(v, aggregate, text, lo, hi, p);
        else if (!a->by_row && !aggregate->weight)
            covey_i_query_sure_join(&v->sure, &a->g->class_values[aggregate->column][class]);
        else
            add_sure(v, aggregate, text, lo, hi);
    }
}

/* The class's cells; false: it has no row of the key's group.  *share: of the key's values among those of the cells. */
static bool enter_class(covey_class_scan *a, uint32_t class, double *share, bool *only)
{
    const covey_condition *condition = &a->query->condition;

    *share = 1;
    *only = true;
    for (size_t k = 0; k < a->query->n_keys; k++) {
        double in_cell;

        if (!a->key_share[k])
            continue;
        in_cell = a->key_share[k][a->release->column[a->query->key[k]].opened->class_cell[class]];

        if (in_cell == 0)
            return false;
        *only &= in_cell < 0;
        *share *= fabs(in_cell);
    }
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        const covey_condition_attribute *attribute = &condition->attribute[i];

        if (a->key_list[i].n > 0)
            a->list[i] = a->key_list[i];
        else if (attribute->column->role == COVEY_ROLE_QUASI)
            a->list[i] = covey_i_condition_list(attribute, attribute->column->opened->class_cell[class]);
    }
    return true;
}

static void find_outcome(covey_outcome *out, const covey_class_scan *a, double share, bool only)
{
    covey_i_condition_outcome(out, &a->query->condition, a->list);
    out->can_be_false |= !only;
    out->p *= share;
}

/* The outcome for a row of the class, found once per kind of rows. */
static const covey_outcome *outcome_of_row(covey_class_scan *a, uint32_t class, uint32_t row, double share, bool only)
{
    const covey_condition *condition = &a->query->condition;
    uint32_t kind = 0;

    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if (a->offset[i])
            kind += a->offset[i][covey_i_code_at(condition->attribute[i].column->text, row)];
    if (a->kind_known[kind] == class + 1)
        return &a->of_kind[kind];
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if (a->offset[i])
            a->list[i] = covey_i_condition_list(&condition->attribute[i],
                                                covey_i_code_at(condition->attribute[i].column->text, row));
    find_outcome(&a->of_kind[kind], a, share, only);
    a->kind_known[kind] = class + 1;
    return &a->of_kind[kind];
}

/* n[k] receives how many rows of a class are of kind k, if that may be selected. */
static void count_kinds(uint32_t *n, const covey_class_scan *a, const covey_opened *opened, uint32_t class)
{
    const covey_condition_attribute *attribute = &a->query->condition.attribute[a->counted];
    const covey_class_counts *counts = &a->g->counts[attribute->index];
    const uint32_t *kind = a->offset[a->counted];

    if (a->has_runs) {
        for (uint32_t i = 0; i < a->n_live; i++)
            n[a->live[i].kind] = covey_i_class_counts_between(counts, class, a->live[i].first, a->live[i].last);
        return;
    }
    memset(n, 0, a->n_kinds * sizeof *n);
    if (counts->start) {
        for (uint32_t e = counts->start[class]; e < counts->start[class + 1]; e++)
            n[kind[counts->entry[e].cell]] += counts->entry[e].n;
        return;
    }
    for (uint32_t row = opened->class_start[class]; row < opened->class_start[class + 1]; row++)
        n[kind[covey_i_code_at(attribute->column->text, row)]]++;
}

/* Rows of a class, counted by their values of the one attribute in which they differ. */
static void add_counted(covey_class_scan *a, uint32_t class, double share, bool only)
{
    const covey_condition_attribute *attribute = &a->query->condition.attribute[a->counted];
    covey_outcome outcome[COVEY_SCAN_MOST_COUNTED_KINDS];
    uint32_t n[COVEY_SCAN_MOST_COUNTED_KINDS];
    bool can_be_true = false;

    for (uint32_t i = 0; i < a->n_live; i++) {
        a->list[a->counted] = covey_i_condition_list(attribute, a->live[i].cell);
        find_outcome(&outcome[i], a, share, only);
        can_be_true |= outcome[i].can_be_true;
    }
    if (!can_be_true)
        return;
    count_kinds(n, a, a->release->opened, class);
    for (uint32_t i = 0; i < a->n_live; i++)
        if (n[a->live[i].kind] > 0)
            add_rows(a, class, 0, n[a->live[i].kind], &outcome[i]);
}

static void begin_class(covey_class_scan *a, uint32_t class)
{
    const uint32_t *start = a->release->opened->class_start;

    a->of_class = (covey_class_of_units){.n_rows = start[class + 1] - start[class]};
    a->unsure = (covey_selected_rows){0};
}

static void end_class(covey_class_scan *a, uint32_t class)
{
    if (covey_i_counterfeits_of(a->release->opened, class) > 0)
        count_unsure(a, class);
    for (size_t i = 0; a->units && i < a->query->n_aggregates; i++) {
        if (!a->query->aggregate[i].n_units)
            continue;
        a->of_class.n_units = a->query->aggregate[i].n_units[class];
        a->of_class.largest = a->release->opened->units->largest[class];
        covey_i_selected_units_add(&a->units[i], &a->of_class);
    }
}

static void add_class(covey_class_scan *a, uint32_t class)
{
    uint32_t begin = a->release->opened->class_start[class], end = a->release->opened->class_start[class + 1];
    covey_outcome outcome;
    double share;
    bool only;

    if (!enter_class(a, class, &share, &only))
        return;
    if (a->counted >= 0) {
        add_counted(a, class, share, only);
        return;
    }
    if (!a->by_row) {
        find_outcome(&outcome, a, share, only);
        add_rows(a, class, begin, end, &outcome);
        return;
    }
    for (uint32_t row = begin; row < end; row++)
        add_rows(a, class, row, row + 1, outcome_of_row(a, class, row, share, only));
}

static void begin(covey_class_scan *a)
{
    a->rows = (covey_selected_rows){0};
    memset(a->kind_known, 0, a->n_kinds * sizeof *a->kind_known); /* the last group had other keys */
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        covey_selected_values *v = &a->values[i];

        v->sure = (covey_sure_values){0};
        if (a->units)
            a->units[i] = (covey_selected_units){0};
        if (v->numbers && v->numbers->n > 0)
            memset(v->maybe, 0, v->numbers->n * sizeof *v->maybe);
    }
}

/* Rows of the group, class by class. */
static void add_key_rows(covey_class_scan *a)
{
    const uint32_t *class_start = a->release->opened->class_start;
    uint32_t i = 0;

    for (uint32_t k = 0; k < a->n_open && i < a->n_key_rows; k++) {
        const uint32_t class = a->open[k];
        double share;
        bool only;

        while (i < a->n_key_rows && a->key_row[i] < class_start[class])
            i++;
        if (i == a->n_key_rows || a->key_row[i] >= class_start[class + 1] || !enter_class(a, class, &share, &only))
            continue;
        begin_class(a, class);
        for (; i < a->n_key_rows && a->key_row[i] < class_start[class + 1]; i++)
            add_rows(a, class, a->key_row[i], a->key_row[i] + 1, outcome_of_row(a, class, a->key_row[i], share, only));
        end_class(a, class);
    }
}

void covey_i_class_scan_run(covey_class_scan *a)
{
    begin(a);
    if (a->key_row) {
        add_key_rows(a);
        return;
    }
    for (uint32_t i = 0; i < a->n_open; i++) {
        begin_class(a, a->open[i]);
        add_class(a, a->open[i]);
        end_class(a, a->open[i]);
    }
}

/* --- what a query needs --- */

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

/* Of pieces only the rows are exchanged. */
static covey_status begin_units(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    if (a->query->exchange)
        return covey_fail(err, COVEY_EINVAL,
                          "query: units are counted in a release as a whole, and not file by file: ask for "
                          "COUNT(DISTINCT entity) with covey query");
    COVEY_TRY(covey_i_opened_units_check(a->release->opened, err));
    a->units = covey_arena_array_zero(arena, covey_selected_units, a->query->n_aggregates);
    return a->units ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_class_scan_begin(covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const covey_bound_query *query = a->query;

    if (!(a->values = covey_arena_array_zero(arena, covey_selected_values, query->n_aggregates)))
        return covey_i_no_memory(err);
    COVEY_TRY(prepare(a, arena, err));
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_query_numbers *numbers = &a->g->numbers[query->aggregate[i].column];
        covey_selected_values *v = &a->values[i];

        if (query->aggregate[i].n_units && !a->units)
            COVEY_TRY(begin_units(a, arena, err));
        if (covey_i_sql_counts(query->aggregate[i].function))
            continue;
        v->numbers = numbers;
        if (!a->g->class_values[query->aggregate[i].column])
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              a->release->column[query->aggregate[i].column].name, query->aggregate[i].text);
        if (!(v->maybe = covey_arena_array(arena, covey_maybe_value, numbers->n)))
            return covey_i_no_memory(err);
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
