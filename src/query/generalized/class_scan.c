/* Scanning a generalized release class by class, once it is known what the query needs (class_needs.c). */
#include "query/generalized/class_scan.h"

#include <math.h>
#include <string.h>

#include "reader/generalized/counterfeits.h"
#include "reader/units.h"
#include "table/table_impl.h"

static void add_maybe(covey_selected_values *v, const covey_bound_aggregate *aggregate, const covey_column *text,
                      uint32_t lo, uint32_t hi, double p)
{
    for (uint32_t row = lo; row < hi; row++) {
        const uint32_t slot = v->numbers->slot_of_cell[covey_i_code_at(text, row)];
        const int64_t weight = covey_i_query_row_weight(aggregate, row);
        covey_maybe_value *maybe;

        if (slot == UINT32_MAX)
            continue;
        maybe = covey_i_selected_maybe(v, slot);
        maybe->n += weight;
        maybe->expected += p * (double)weight;
        maybe->spread += p * (1 - p) * (double)weight * (double)weight;
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
        covey_i_selected_clear(v);
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
