/* Queries over the form "bucketized": loading, and which of the steps of groups.h an answer takes.
 *
 * A condition on quasi-identifiers and insensitive columns is exact: the rows that it hits are counted per group, and
 * everything else follows from these counts and the group's values.  Where the condition speaks of the sensitive
 * column, rows and values are matched. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/bucketized/groups.h"
#include "query/bucketized/sql.h"
#include "query/class_units.h"
#include "query/exchange.h"
#include "reader/bucketized/bucketized.h"
#include "reader/units.h"

/* --- loading --- */

/* Entries in ascending order of their values within groups, missing ones last. */
static covey_status sort_entries(covey_query_groups *b, covey_arena *arena, covey_error *err)
{
    const uint32_t *slot_of_cell = b->numbers[b->sensitive].slot_of_cell;
    const int64_t *number = b->numbers[b->sensitive].number;
    uint32_t n = b->entry_start[b->n_groups], *cell = covey_arena_array(arena, uint32_t, n),
             *slot = covey_arena_array(arena, uint32_t, n);
    uint32_t *order = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n);
    uint32_t *next = covey_arena_array(arena, uint32_t, b->n_groups);
    int64_t *count = covey_arena_array(arena, int64_t, n);

    b->slot = covey_arena_array(arena, uint32_t, n);
    b->number = covey_arena_array(arena, int64_t, n);
    b->group_of = covey_arena_array(arena, uint32_t, n);
    b->by_value = order;
    if (!cell || !slot || !order || !scratch || !next || !count || !b->slot || !b->number || !b->group_of)
        return covey_i_no_memory(err);
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
        b->number[to] = slot[from] == UINT32_MAX ? 0 : number[slot[from]];
        b->has_missing |= slot[from] == UINT32_MAX;
        order[i] = to;
    }
    b->cell = cell;
    b->count = count;
    return COVEY_OK;
}

/* What sums over the least and greatest values of a group are read off from. */
static covey_status add_up(covey_query_groups *b, covey_arena *arena, covey_error *err)
{
    uint32_t n = b->entry_start[b->n_groups];

    b->rows_below = covey_arena_array(arena, int64_t, n);
    b->sum_below = covey_arena_array(arena, covey_i128, n);
    b->total = covey_arena_array(arena, covey_i128, b->n_groups);
    b->mean = covey_arena_array(arena, double, b->n_groups);
    b->variance = covey_arena_array(arena, double, b->n_groups);
    if (!b->rows_below || !b->sum_below || !b->total || !b->mean || !b->variance)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < b->n_groups; g++) {
        int64_t rows = 0;
        double away = 0;

        b->total[g] = 0;
        for (uint32_t e = b->entry_start[g]; e < b->entry_start[g + 1]; e++) {
            b->rows_below[e] = rows;
            b->sum_below[e] = b->total[g];
            rows += b->count[e];
            b->total[g] += (covey_i128)b->number[e] * b->count[e];
        }
        b->mean[g] = (double)((long double)b->total[g] / (long double)rows);
        for (uint32_t e = b->entry_start[g]; e < b->entry_start[g + 1]; e++)
            away += (double)b->count[e] * pow((double)b->number[e] - b->mean[g], 2);
        b->variance[g] = away / (double)rows;
    }
    return COVEY_OK;
}

static covey_status number_columns(covey_query_groups *b, covey_query_release *release, covey_error *err)
{
    COVEY_TRY(covey_i_query_all_numbers(&b->numbers, release, err));
    if (b->numbers[b->sensitive].n == 0)
        return COVEY_OK;
    COVEY_TRY(sort_entries(b, &release->arena, err));
    return b->has_missing ? COVEY_OK : add_up(b, &release->arena, err);
}

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    const covey_opened *opened = release->opened;
    const covey_opened_bucketized *bucketized = opened->form_data;
    covey_query_groups *b = covey_arena_array_zero(&release->arena, covey_query_groups, 1);
    uint32_t n = opened->groups.start[release->n_own_classes];

    if (!b)
        return covey_i_no_memory(err);
    b->n_groups = release->n_own_classes;
    b->n_rows = release->n_own_rows;
    b->row_start = opened->class_start;
    b->entry_start = opened->groups.start;
    b->sensitive = (uint32_t)(bucketized->sensitive - opened->column);
    b->units = opened->units;
    b->count = covey_arena_array(&release->arena, int64_t, n);
    b->cell = covey_arena_array(&release->arena, uint32_t, n);
    if (!b->count || !b->cell)
        return covey_i_no_memory(err);
    for (uint32_t e = 0; e < n; e++) {
        b->count[e] = covey_i_rows_of_entry(&opened->groups, e);
        b->cell[e] = covey_i_code_at(release->column[b->sensitive].text, e);
    }
    COVEY_TRY(number_columns(b, release, err));
    release->state = b;
    return COVEY_OK;
}

/* --- one answer --- */

struct asking {
    const covey_query_release *release;
    const covey_query_groups *groups;
    const covey_bound_query *query;
    const covey_run *run;
    covey_row_scan scan;
    covey_query_figures *figures; /* [n_aggregates] */
    int64_t n_unknown;            /* suppressed rows that may be selected */
    bool counts_units;            /* COUNT(DISTINCT entity) is asked for */
    covey_arena *arena;
};

/* --- of pieces: what is found of groups adds up, see exchange.h --- */

static covey_status exchange_extremes(covey_query_exchange *x, covey_query_figures *f, bool is_least, covey_error *err)
{
    int64_t lower = (int64_t)f->lower.num, upper = (int64_t)f->upper.num;

    COVEY_TRY(covey_i_exchange_extreme(x, &f->lower.exists, &lower, is_least, err));
    COVEY_TRY(covey_i_exchange_extreme(x, &f->upper.exists, &upper, is_least, err));
    *f = (covey_query_figures){{f->lower.exists, lower, 1}, {f->upper.exists, upper, 1}, NAN, NAN, {0}};
    return COVEY_OK;
}

static covey_status exchange_sums(covey_query_exchange *x, covey_query_figures *f, covey_error *err)
{
    double variance = f->standard_error * f->standard_error;

    COVEY_TRY(covey_i_exchange_wide(x, &f->lower.num, err));
    COVEY_TRY(covey_i_exchange_wide(x, &f->upper.num, err));
    COVEY_TRY(covey_i_exchange_double(x, &f->estimate, err));
    COVEY_TRY(covey_i_exchange_double(x, &variance, err));
    f->standard_error = sqrt(variance);
    return COVEY_OK;
}

/* total: hit rows of all pieces. */
static covey_status sensitive_of_pieces(covey_query_figures *f, const covey_bound_aggregate *aggregate,
                                        const struct asking *a, const covey_query_hits *hits, int64_t total,
                                        covey_error *err)
{
    static const covey_query_figures none = {{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    const covey_sql_function function = aggregate->function == COVEY_SQL_AVG ? COVEY_SQL_SUM : aggregate->function;
    int64_t n_missing = a->groups->has_missing || !a->groups->slot, n_sure;

    *f = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, 0, 0, {0}};
    n_missing = hits->total > 0 && n_missing;
    if (hits->total > 0 && !n_missing)
        COVEY_TRY(covey_i_group_figures(f, &n_sure, function, a->groups, hits, aggregate->scale, a->arena, err));
    COVEY_TRY(covey_i_exchange_numbers(a->query->exchange, &n_missing, 1, err));
    if (n_missing > 0 && covey_i_exchange_answers(a->query))
        return covey_fail(err, COVEY_EINVAL,
                          "query: values of \"%s\" are missing, so that %s of all pieces does not follow from theirs",
                          a->release->column[aggregate->column].name, aggregate->text);
    if (function != COVEY_SQL_SUM)
        return exchange_extremes(a->query->exchange, f, function == COVEY_SQL_MIN, err);
    COVEY_TRY(exchange_sums(a->query->exchange, f, err));
    if (total == 0) {
        *f = none;
        return COVEY_OK;
    }
    f->lower.exists = f->upper.exists = true;
    f->lower.den = f->upper.den = 1;
    if (aggregate->function == COVEY_SQL_AVG) {
        f->lower.den = f->upper.den = total;
        f->estimate /= (double)total;
        f->standard_error /= (double)total;
    }
    return COVEY_OK;
}

/* --- figures --- */

static covey_query_figures count_units(const struct asking *a, const covey_query_hits *hits)
{
    const covey_opened_units *units = a->groups->units;
    covey_selected_units selected = {0};

    for (uint32_t i = 0; i < hits->n; i++) {
        const uint32_t g = hits->hit[i].group;
        const covey_class_of_units group = {.n_rows = a->groups->row_start[g + 1] - a->groups->row_start[g],
                                            .n_units = units->n_units[g],
                                            .largest = units->largest[g],
                                            .n_sure = hits->hit[i].n,
                                            .expected = (double)hits->hit[i].n};

        covey_i_selected_units_add(&selected, &group);
    }
    return (covey_query_figures){{true, selected.lower, 1}, {true, selected.upper, 1}, selected.expected, NAN, {0}};
}

static covey_status find_figures(struct asking *a, const covey_query_rows *rows, const covey_query_hits *hits,
                                 int64_t total, covey_error *err)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];
        int64_t n_sure = total;

        if (aggregate->n_units)
            a->figures[i] = count_units(a, hits);
        else if (aggregate->function == COVEY_SQL_COUNT)
            a->figures[i] = (covey_query_figures){{true, total, 1}, {true, total, 1}, (double)total, 0, {0}};
        else if (aggregate->weight && aggregate->column == a->groups->sensitive)
            COVEY_TRY(
                covey_i_group_weighted(&a->figures[i], aggregate, a->groups, hits, &a->scan, rows, a->arena, err));
        else if (a->query->exchange && aggregate->column == a->groups->sensitive)
            COVEY_TRY(sensitive_of_pieces(&a->figures[i], aggregate, a, hits, total, err));
        else if (aggregate->column == a->groups->sensitive)
            COVEY_TRY(covey_i_group_figures(&a->figures[i], &n_sure, aggregate->function, a->groups, hits,
                                            aggregate->scale, a->arena, err));
        else
            COVEY_TRY(covey_i_rows_known_figures(&a->figures[i], aggregate, &a->groups->numbers[aggregate->column],
                                                 a->release->column[aggregate->column].text, &a->scan, rows, a->arena,
                                                 err));
        covey_i_query_open_aggregate(&a->figures[i], aggregate, a->figures[i].lower.exists ? n_sure : 0, a->n_unknown);
    }
    return COVEY_OK;
}

/* Answers for some rows, of all or of a group of GROUP BY. */
static covey_status answer_rows(covey_query_sink *sink, void *context, const covey_query_rows *rows,
                                const covey_query_value *key, covey_error *err)
{
    struct asking *a = context;
    covey_query_exchange *x = a->query->exchange;
    covey_query_hits hits = {0};
    covey_query_figures count, units;
    int64_t total;

    if (a->scan.sensitive < 0) {
        COVEY_TRY(covey_i_query_hits(&hits, a->groups, &a->scan, rows, a->run, a->arena, err));
        total = hits.total;
        if (x)
            COVEY_TRY(covey_i_exchange_numbers(x, &total, 1, err));
        COVEY_TRY(find_figures(a, rows, &hits, total, err));
        return (key && total == 0) || !covey_i_exchange_answers(a->query)
                   ? COVEY_OK
                   : covey_i_query_emit(sink, key, total, total + a->n_unknown, a->figures, err);
    }
    COVEY_TRY(covey_i_linked_count(&count, a->counts_units ? &units : NULL, a->groups, &a->scan, rows, a->arena, err));
    if (x)
        COVEY_TRY(exchange_sums(x, &count, err));
    if ((key && count.upper.num == 0) || !covey_i_exchange_answers(a->query))
        return COVEY_OK;
    covey_i_query_open_bounds(&count, COVEY_SQL_COUNT, 0, a->n_unknown);
    if (a->counts_units)
        covey_i_query_open_bounds(&units, COVEY_SQL_COUNT, 0, a->n_unknown);
    for (size_t i = 0; i < a->query->n_aggregates; i++) /* all are COUNT */
        a->figures[i] = a->query->aggregate[i].n_units ? units : count;
    return covey_i_query_emit(sink, key, (int64_t)count.lower.num, (int64_t)count.upper.num, a->figures, err);
}

/* --- queries --- */

static covey_status check_query(const struct asking *a, covey_error *err)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];

        if (!covey_i_sql_counts(aggregate->function) &&
            !covey_i_query_are_numbers(&a->release->column[aggregate->column]))
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              a->release->column[aggregate->column].name, aggregate->text);
    }
    return COVEY_OK;
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    struct asking a = {.release = release,
                       .groups = release->state,
                       .query = query,
                       .run = run,
                       .arena = arena,
                       .figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates)};
    covey_query_rows all = {NULL, a.groups->n_rows};

    if (!a.figures)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < query->n_aggregates; i++)
        a.counts_units |= query->aggregate[i].n_units != NULL;
    COVEY_TRY(check_query(&a, err));
    COVEY_TRY(covey_i_row_scan_make(&a.scan, query, arena, err));
    COVEY_TRY(covey_i_query_suppressed(&a.n_unknown, release, query, arena, err));
    if (query->n_keys > 0)
        return covey_i_query_by_keys(sink, release, query, &a.scan, a.groups->n_rows, answer_rows, &a, run, arena, err);
    return answer_rows(sink, &a, &all, NULL, err);
}

const covey_query_form covey_query_form_bucketized = {
    .name = "bucketized",
    .adds_up = true,
    .quasi_is_exact = true,
    .weighs = true,
    .weighs_sensitive = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_bucketized_rewrite,
};
