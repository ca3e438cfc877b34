/* Queries over the form "bucketized": loading, and which of the steps of query_buckets.h an answer takes.
 *
 * A condition on quasi-identifiers and insensitive columns is exact: the rows that it hits are counted per group, and everything else follows from
 * these counts and the group's values.  Where the condition speaks of the sensitive column, rows and values are matched. */
#include <math.h>
#include <string.h>

#include "audit/buckets.h"
#include "base/sort.h"
#include "base/sort_keys.h"
#include "query/bucketized_sql.h"
#include "query/query_buckets.h"

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a bucketized release");
}

/* --- loading --- */

/* Entries in ascending order of their values within groups. */
static covey_status sort_entries(covey_query_buckets *b, covey_arena *arena, covey_error *err)
{
    const uint32_t *slot_of_cell = b->numbers[b->sensitive].slot_of_cell;
    uint32_t n = b->entry_start[b->n_groups], *cell = covey_arena_array(arena, uint32_t, n), *slot = covey_arena_array(arena, uint32_t, n);
    uint32_t *order = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n);
    uint32_t *next = covey_arena_array(arena, uint32_t, b->n_groups);
    int64_t *count = covey_arena_array(arena, int64_t, n);

    b->slot = covey_arena_array(arena, uint32_t, n);
    b->group_of = covey_arena_array(arena, uint32_t, n);
    b->by_value = order;
    if (!cell || !slot || !order || !scratch || !next || !count || !b->slot || !b->group_of)
        return no_memory(err);
    for (uint32_t g = 0; g < b->n_groups; g++)
        for (uint32_t e = next[g] = b->entry_start[g]; e < b->entry_start[g + 1]; e++)
            b->group_of[e] = g;
    for (uint32_t e = 0; e < n; e++) {
        order[e] = e;
        slot[e] = slot_of_cell[b->cell[e]];
    }
    covey_i_sort_rows_u32(order, scratch, n, slot);
    for (uint32_t i = 0; i < n; i++) { /* groups keep their places, so group_of stays right */
        uint32_t from = order[i], to = next[b->group_of[from]]++;

        cell[to] = b->cell[from];
        count[to] = b->count[from];
        b->slot[to] = slot[from];
        order[i] = to;
    }
    b->cell = cell;
    b->count = count;
    return COVEY_OK;
}

/* What sums over the least and greatest values of a group are read off from. */
static covey_status add_up(covey_query_buckets *b, covey_arena *arena, covey_error *err)
{
    uint32_t n = b->entry_start[b->n_groups];
    const int64_t *number = b->numbers[b->sensitive].number;

    b->rows_below = covey_arena_array(arena, int64_t, n);
    b->sum_below = covey_arena_array(arena, covey_i128, n);
    b->total = covey_arena_array(arena, covey_i128, b->n_groups);
    b->mean = covey_arena_array(arena, double, b->n_groups);
    b->variance = covey_arena_array(arena, double, b->n_groups);
    if (!b->rows_below || !b->sum_below || !b->total || !b->mean || !b->variance)
        return no_memory(err);
    for (uint32_t g = 0; g < b->n_groups; g++) {
        int64_t rows = 0;
        double away = 0;

        b->total[g] = 0;
        for (uint32_t e = b->entry_start[g]; e < b->entry_start[g + 1]; e++) {
            b->rows_below[e] = rows;
            b->sum_below[e] = b->total[g];
            rows += b->count[e];
            b->total[g] += (covey_i128)number[b->slot[e]] * b->count[e];
        }
        b->mean[g] = (double)((long double)b->total[g] / (long double)rows);
        for (uint32_t e = b->entry_start[g]; e < b->entry_start[g + 1]; e++)
            away += (double)b->count[e] * pow((double)number[b->slot[e]] - b->mean[g], 2);
        b->variance[g] = away / (double)rows;
    }
    return COVEY_OK;
}

static covey_status number_columns(covey_query_buckets *b, covey_query_release *release, covey_error *err)
{
    bool any_missing = false;

    if (!(b->numbers = covey_arena_array_zero(&release->arena, covey_query_numbers, release->n_columns)))
        return no_memory(err);
    for (size_t i = 0; i < release->n_columns; i++)
        if (release->column[i].is_number && covey_i_query_are_numbers(&release->column[i]))
            COVEY_TRY(covey_i_query_numbers(&b->numbers[i], &release->column[i], &release->arena, err));
    if (b->numbers[b->sensitive].n == 0)
        return COVEY_OK;
    for (uint32_t e = 0; e < b->entry_start[b->n_groups]; e++)
        any_missing |= b->numbers[b->sensitive].slot_of_cell[b->cell[e]] == UINT32_MAX;
    if (any_missing)
        return COVEY_OK;
    COVEY_TRY(sort_entries(b, &release->arena, err));
    return add_up(b, &release->arena, err);
}

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    const covey_opened *opened = release->opened;
    const covey_opened_buckets *buckets = opened->form_data;
    covey_query_buckets *b = covey_arena_array_zero(&release->arena, covey_query_buckets, 1);
    uint32_t n = opened->groups.start[opened->groups.n];

    if (!b)
        return no_memory(err);
    b->n_groups = opened->n_classes;
    b->n_rows = opened->n_rows;
    b->row_start = opened->class_start;
    b->entry_start = opened->groups.start;
    b->sensitive = (uint32_t)(buckets->sensitive - opened->column);
    b->count = (int64_t *)opened->groups.count;
    if (!(b->cell = covey_arena_array(&release->arena, uint32_t, n)))
        return no_memory(err);
    for (uint32_t e = 0; e < n; e++)
        b->cell[e] = covey_i_code_at(release->column[b->sensitive].text, e);
    COVEY_TRY(number_columns(b, release, err));
    release->state = b;
    return COVEY_OK;
}

/* --- one answer --- */

struct asking {
    const covey_query_release *release;
    const covey_query_buckets *buckets;
    const covey_bound_query *query;
    const covey_run *run;
    covey_row_scan scan;
    covey_query_figures *figures; /* [n_aggregates] */
    int64_t n_unknown;            /* suppressed rows that may be selected */
    covey_arena *arena;
};

/* Columns of quasi.csv: their values are known row by row. */
static covey_status known_figures(covey_query_figures *out, const struct asking *a, const covey_bound_aggregate *aggregate,
                                  const covey_query_rows *rows, covey_error *err)
{
    const covey_query_numbers *numbers = &a->buckets->numbers[aggregate->column];
    const covey_column *text = a->release->column[aggregate->column].text;
    covey_selected_values v = {numbers, {0}, covey_arena_array_zero(a->arena, covey_maybe_value, numbers->n)};
    covey_selected_rows none = {0};
    uint64_t accepts[COVEY_SCAN_BLOCK];

    if (!v.maybe)
        return no_memory(err);
    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, &a->scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t slot = accepts[i] ? numbers->slot_of_cell[covey_i_code_at(text, rows->row ? rows->row[at + i] : at + i)] : UINT32_MAX;

            if (slot != UINT32_MAX)
                covey_i_sure_add(&v.sure, numbers, slot);
        }
    }
    covey_i_selected_figures(out, aggregate->function, &none, &v, aggregate->scale);
    return COVEY_OK;
}

static covey_status find_figures(struct asking *a, const covey_query_rows *rows, const covey_query_hits *hits, covey_error *err)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];

        if (aggregate->function == COVEY_SQL_COUNT)
            a->figures[i] = (covey_query_figures){{true, hits->total, 1}, {true, hits->total, 1}, (double)hits->total, 0};
        else if (aggregate->column == a->buckets->sensitive)
            COVEY_TRY(covey_i_bucket_figures(&a->figures[i], aggregate->function, a->buckets, hits, aggregate->scale, a->arena, err));
        else
            COVEY_TRY(known_figures(&a->figures[i], a, aggregate, rows, err));
        covey_i_open_bounds(&a->figures[i], aggregate->function, a->figures[i].lower.exists ? hits->total : 0, a->n_unknown);
    }
    return COVEY_OK;
}

/* Answers for some rows.  Those of a group of GROUP BY need not be there: *any says whether one may be selected. */
static covey_status answer_rows(covey_query_sink *sink, struct asking *a, const covey_query_rows *rows, const covey_query_value *key, covey_error *err)
{
    covey_query_hits hits = {0};
    covey_query_figures count;

    if (a->scan.sensitive < 0) {
        COVEY_TRY(covey_i_query_hits(&hits, a->buckets, &a->scan, rows, a->run, a->arena, err));
        COVEY_TRY(find_figures(a, rows, &hits, err));
        return key && hits.total == 0 ? COVEY_OK : covey_i_query_emit(sink, key, hits.total, hits.total + a->n_unknown, a->figures, err);
    }
    COVEY_TRY(covey_i_linked_count(&count, a->buckets, &a->scan, rows, a->arena, err));
    if (key && count.upper.num == 0)
        return COVEY_OK;
    covey_i_open_bounds(&count, COVEY_SQL_COUNT, 0, a->n_unknown);
    for (size_t i = 0; i < a->query->n_aggregates; i++) /* all are COUNT */
        a->figures[i] = count;
    return covey_i_query_emit(sink, key, (int64_t)count.lower.num, (int64_t)count.upper.num, a->figures, err);
}

/* --- GROUP BY --- */

/* Rows in the order of their keys, then as they stand. */
static covey_status sort_by_keys(uint32_t *row, uint32_t n, const struct asking *a, covey_error *err)
{
    const covey_bound_query *query = a->query;
    covey_sort_key *key = covey_arena_array(a->arena, covey_sort_key, query->n_keys);

    if (!key)
        return no_memory(err);
    for (size_t k = 0; k < query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[query->key[k]];
        uint32_t *place = covey_arena_array(a->arena, uint32_t, a->buckets->n_rows);

        if (!place)
            return no_memory(err);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t code = covey_i_code_at(column->text, row[i]);

            place[row[i]] = column->opened->rank ? column->opened->rank[code] : code;
        }
        key[k] = (covey_sort_key){place, 4, column->text->n_values};
    }
    return covey_i_sort_rows_by_keys(row, n, key, query->n_keys, a->run, err);
}

static void read_key(covey_query_value *key, const struct asking *a, uint32_t row)
{
    for (size_t k = 0; k < a->query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[a->query->key[k]];
        const covey_query_cell *cell = &column->cell[covey_i_code_at(column->text, row)];

        key[k] = (covey_query_value){.is_null = covey_i_query_cell_is_null(cell), .item = cell->first, .number = cell->low};
    }
}

static bool same_key(const struct asking *a, uint32_t x, uint32_t y)
{
    for (size_t k = 0; k < a->query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[a->query->key[k]];
        uint32_t p = covey_i_code_at(column->text, x), q = covey_i_code_at(column->text, y);

        if (column->opened->rank ? column->opened->rank[p] != column->opened->rank[q] : p != q)
            return false;
    }
    return true;
}

/* Rows that may be selected. */
static covey_status pick_rows(uint32_t **out, uint32_t *n_out, struct asking *a, covey_error *err)
{
    uint32_t *row = covey_arena_array(a->arena, uint32_t, a->buckets->n_rows);
    uint64_t accepts[COVEY_SCAN_BLOCK];

    if (!row)
        return no_memory(err);
    *n_out = 0;
    for (uint32_t at = 0; at < a->buckets->n_rows; at += COVEY_SCAN_BLOCK) {
        uint32_t n = a->buckets->n_rows - at < COVEY_SCAN_BLOCK ? a->buckets->n_rows - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, &a->scan, NULL, at, n);
        for (uint32_t i = 0; i < n; i++)
            if (accepts[i])
                row[(*n_out)++] = at + i;
    }
    *out = row;
    return COVEY_OK;
}

static covey_status answer_groups(covey_query_sink *sink, struct asking *a, covey_error *err)
{
    covey_query_value *key = covey_arena_array_zero(a->arena, covey_query_value, a->query->n_keys);
    uint32_t *row, n, n_groups = 0;
    covey_status status = COVEY_OK;

    if (!key)
        return no_memory(err);
    COVEY_TRY(pick_rows(&row, &n, a, err));
    COVEY_TRY(sort_by_keys(row, n, a, err));
    for (uint32_t begin = 0, end; begin < n && status == COVEY_OK; begin = end) {
        covey_arena_mark mark = covey_arena_save(a->arena);
        covey_query_rows rows = {row + begin, 0};

        for (end = begin + 1; end < n && same_key(a, row[begin], row[end]);)
            end++;
        rows.n = end - begin;
        if (++n_groups > COVEY_QUERY_MOST_GROUPS)
            return covey_fail(err, COVEY_EINVAL, "query: GROUP BY makes more than %d groups; narrow it down with WHERE, or group by fewer columns",
                              COVEY_QUERY_MOST_GROUPS);
        read_key(key, a, row[begin]);
        status = answer_rows(sink, a, &rows, key, err);
        covey_arena_rewind(a->arena, mark);
    }
    return status;
}

/* --- queries --- */

static covey_status check_query(const struct asking *a, covey_error *err)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];

        if (aggregate->function != COVEY_SQL_COUNT && !covey_i_query_are_numbers(&a->release->column[aggregate->column]))
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              a->release->column[aggregate->column].name, aggregate->text);
        if (aggregate->function != COVEY_SQL_COUNT && aggregate->column == a->buckets->sensitive && a->buckets->n_rows > 0 && !a->buckets->slot)
            return covey_fail(err, COVEY_EINVAL, "query: %s is not answered, because \"%s\" has missing values in groups", aggregate->text,
                              a->release->column[aggregate->column].name);
    }
    return COVEY_OK;
}

covey_status covey_i_bucketized_suppressed(int64_t *out, const covey_query_release *release, const covey_bound_query *query, covey_arena *arena,
                                           covey_error *err)
{
    const covey_condition *condition = &query->condition;
    covey_atom_list *list = covey_arena_array(arena, covey_atom_list, condition->n_attributes);
    covey_outcome outcome;

    if (!list)
        return no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        list[i] = (covey_atom_list){condition->attribute[i].any, condition->attribute[i].n_any};
    covey_i_condition_outcome(&outcome, condition, list);
    *out = outcome.can_be_true ? release->stated->n_suppressed : 0;
    return COVEY_OK;
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query, const covey_run *run,
                           covey_arena *arena, covey_error *err)
{
    struct asking a = {.release = release, .buckets = release->state, .query = query, .run = run, .arena = arena,
                       .figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates)};
    covey_query_rows all = {NULL, a.buckets->n_rows};

    if (!a.figures)
        return no_memory(err);
    COVEY_TRY(check_query(&a, err));
    COVEY_TRY(covey_i_row_scan_make(&a.scan, query, arena, err));
    COVEY_TRY(covey_i_bucketized_suppressed(&a.n_unknown, release, query, arena, err));
    return query->n_keys > 0 ? answer_groups(sink, &a, err) : answer_rows(sink, &a, &all, NULL, err);
}

const covey_query_form covey_query_form_bucketized = {
    .name = "bucketized",
    .quasi_is_exact = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_bucketized_rewrite,
};
