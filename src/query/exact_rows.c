/* Rows whose cells are exact: known values of selected rows, and GROUP BY. */
#include <string.h>

#include "base/error.h"
#include "base/sort/keys.h"
#include "query/exchange.h"
#include "query/rows.h"

/* --- known values --- */

covey_status covey_i_query_all_numbers(covey_query_numbers **out, covey_query_release *release, covey_error *err)
{
    covey_query_numbers *numbers = covey_arena_array_zero(&release->arena, covey_query_numbers, release->n_columns);

    if (!numbers)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < release->n_columns; i++)
        if (release->column[i].is_number && covey_i_query_are_numbers(&release->column[i]))
            COVEY_TRY(covey_i_query_numbers(&numbers[i], &release->column[i], &release->arena, err));
    *out = numbers;
    return COVEY_OK;
}

covey_status covey_i_rows_known_figures(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                        const covey_query_numbers *numbers, const covey_column *text,
                                        const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                        covey_error *err)
{
    covey_selected_values v = {.numbers = numbers};
    covey_selected_rows none = {0};
    uint64_t accepts[COVEY_SCAN_BLOCK];

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = rows->row ? rows->row[at + i] : at + i;
            const uint32_t slot = accepts[i] ? numbers->slot_of_cell[covey_i_code_at(text, row)] : UINT32_MAX;

            if (slot != UINT32_MAX)
                covey_i_sure_add_many(&v.sure, numbers, slot,
                                      (scan->weight ? scan->weight[row] : 1) *
                                          covey_i_query_row_weight(aggregate, row));
        }
    }
    if (scan->exchange)
        COVEY_TRY(covey_i_exchange_sure(scan->exchange, &v.sure, err));
    covey_i_selected_figures(out, aggregate->function, &none, &v, aggregate->scale);
    return COVEY_OK;
}

/* --- suppressed rows --- */

covey_status covey_i_query_suppressed(int64_t *out, const covey_query_release *release, const covey_bound_query *query,
                                      covey_arena *arena, covey_error *err)
{
    const covey_condition *condition = &query->condition;
    covey_atom_list *list = covey_arena_array(arena, covey_atom_list, condition->n_attributes);
    covey_outcome outcome;

    if (!list)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        list[i] = (covey_atom_list){condition->attribute[i].any, condition->attribute[i].n_any};
    covey_i_condition_outcome(&outcome, condition, list);
    *out = outcome.can_be_true ? release->stated->n_suppressed : 0;
    return COVEY_OK;
}

/* --- GROUP BY --- */

struct keyed {
    const covey_query_release *release;
    const covey_bound_query *query;
    const covey_row_scan *scan;
    uint32_t n_rows;
    const covey_run *run;
    covey_arena *arena;
};

/* Rows in the order of their keys, then as they stand. */
static covey_status sort_by_keys(uint32_t *row, uint32_t n, const struct keyed *a, covey_error *err)
{
    const covey_bound_query *query = a->query;
    covey_sort_key *key = covey_arena_array(a->arena, covey_sort_key, query->n_keys);

    if (!key)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[query->key[k]];
        uint32_t *place = covey_arena_array(a->arena, uint32_t, a->n_rows);

        if (!place)
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < n; i++)
            place[row[i]] = covey_i_opened_rank(column->opened, covey_i_code_at(column->text, row[i]));
        key[k] = (covey_sort_key){.codes = place, .width = 4, .n_values = column->text->n_values};
    }
    return covey_i_sort_rows_by_keys(row, n, key, query->n_keys, a->run, err);
}

static void read_cell(covey_query_value *key, const covey_query_cell *cell)
{
    *key = (covey_query_value){.is_null = covey_i_query_cell_is_null(cell), .item = cell->first, .number = cell->low};
}

static void read_key(covey_query_value *key, const struct keyed *a, uint32_t row)
{
    for (size_t k = 0; k < a->query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[a->query->key[k]];

        read_cell(&key[k], &column->cell[covey_i_code_at(column->text, row)]);
    }
}

static bool same_key(const struct keyed *a, uint32_t x, uint32_t y)
{
    for (size_t k = 0; k < a->query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[a->query->key[k]];
        uint32_t p = covey_i_code_at(column->text, x), q = covey_i_code_at(column->text, y);

        if (covey_i_opened_rank(column->opened, p) != covey_i_opened_rank(column->opened, q))
            return false;
    }
    return true;
}

/* Rows that may be selected. */
static covey_status pick_rows(uint32_t **out, uint32_t *n_out, const struct keyed *a, covey_error *err)
{
    uint32_t *row = covey_arena_array(a->arena, uint32_t, a->n_rows);
    uint64_t accepts[COVEY_SCAN_BLOCK];

    if (!row)
        return covey_i_no_memory(err);
    *n_out = 0;
    for (uint32_t at = 0; at < a->n_rows; at += COVEY_SCAN_BLOCK) {
        uint32_t n = a->n_rows - at < COVEY_SCAN_BLOCK ? a->n_rows - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, a->scan, NULL, at, n);
        for (uint32_t i = 0; i < n; i++)
            if (accepts[i])
                row[(*n_out)++] = at + i;
    }
    *out = row;
    return COVEY_OK;
}

/* --- GROUP BY over pieces: every combination of values is asked for, so that all pieces have the same groups --- */

struct combinations {
    uint32_t n;
    uint32_t *n_values; /* [n_keys] */
    uint32_t **code;    /* [n_keys][n_values] ascending */
    uint32_t **of_code; /* [n_keys] which of them a code is */
};

static covey_status list_codes(struct combinations *c, size_t k, const struct keyed *a, covey_error *err)
{
    const covey_query_column *column = &a->release->column[a->query->key[k]];
    const uint32_t n = column->text->n_values;
    uint32_t *at_rank = covey_arena_array(a->arena, uint32_t, n), *place = covey_arena_array(a->arena, uint32_t, n);

    c->code[k] = covey_arena_array(a->arena, uint32_t, n);
    c->of_code[k] = covey_arena_array(a->arena, uint32_t, n);
    if (!at_rank || !place || !c->code[k] || !c->of_code[k])
        return covey_i_no_memory(err);
    for (uint32_t rank = 0; rank < n; rank++)
        at_rank[rank] = UINT32_MAX;
    for (uint32_t code = 0; code < n; code++)
        at_rank[covey_i_opened_rank(column->opened, code)] = code;
    c->n_values[k] = 0;
    for (uint32_t rank = 0; rank < n; rank++)
        if (at_rank[rank] != UINT32_MAX) {
            place[rank] = c->n_values[k];
            c->code[k][c->n_values[k]++] = at_rank[rank];
        }
    for (uint32_t code = 0; code < n; code++)
        c->of_code[k][code] = place[covey_i_opened_rank(column->opened, code)];
    return COVEY_OK;
}

static covey_status list_combinations(struct combinations *c, const struct keyed *a, covey_error *err)
{
    double n = 1;

    c->n_values = covey_arena_array(a->arena, uint32_t, a->query->n_keys);
    c->code = covey_arena_array(a->arena, uint32_t *, a->query->n_keys);
    c->of_code = covey_arena_array(a->arena, uint32_t *, a->query->n_keys);
    if (!c->n_values || !c->code || !c->of_code)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < a->query->n_keys; k++) {
        COVEY_TRY(list_codes(c, k, a, err));
        n *= c->n_values[k];
    }
    if (n > COVEY_QUERY_MOST_GROUPS)
        return covey_fail(err, COVEY_EINVAL,
                          "query: GROUP BY makes up to %.0f groups, and over pieces at most %d are answered; group by "
                          "fewer columns",
                          n, COVEY_QUERY_MOST_GROUPS);
    c->n = (uint32_t)n;
    return COVEY_OK;
}

static uint32_t combination_of(const struct combinations *c, const struct keyed *a, uint32_t row)
{
    uint32_t number = 0;

    for (size_t k = 0; k < a->query->n_keys; k++)
        number =
            number * c->n_values[k] + c->of_code[k][covey_i_code_at(a->release->column[a->query->key[k]].text, row)];
    return number;
}

static void read_combination(covey_query_value *key, const struct combinations *c, const struct keyed *a, uint32_t i)
{
    for (size_t k = a->query->n_keys; k-- > 0; i /= c->n_values[k])
        read_cell(&key[k], &a->release->column[a->query->key[k]].cell[c->code[k][i % c->n_values[k]]]);
}

static covey_status answer_combinations(covey_query_sink *sink, const struct keyed *a, const uint32_t *row, uint32_t n,
                                        covey_query_rows_answer answer, void *context, covey_error *err)
{
    covey_query_value *key = covey_arena_array_zero(a->arena, covey_query_value, a->query->n_keys);
    uint32_t *begin, *sorted = covey_arena_array(a->arena, uint32_t, (size_t)n + 1);
    struct combinations c = {0};

    COVEY_TRY(list_combinations(&c, a, err));
    begin = covey_arena_array_zero(a->arena, uint32_t, (size_t)c.n + 2);
    if (!key || !sorted || !begin)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        begin[combination_of(&c, a, row[i]) + 2]++;
    for (uint32_t i = 0; i < c.n; i++)
        begin[i + 2] += begin[i + 1];
    for (uint32_t i = 0; i < n; i++)
        sorted[begin[combination_of(&c, a, row[i]) + 1]++] = row[i];
    for (uint32_t i = 0; i < c.n; i++) {
        const covey_query_rows rows = {sorted + begin[i], begin[i + 1] - begin[i]};
        covey_arena_mark mark = covey_arena_save(a->arena);

        read_combination(key, &c, a, i);
        COVEY_TRY(answer(sink, context, &rows, key, err));
        covey_arena_rewind(a->arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_query_by_keys(covey_query_sink *sink, const covey_query_release *release,
                                   const covey_bound_query *query, const covey_row_scan *scan, uint32_t n_rows,
                                   covey_query_rows_answer answer, void *context, const covey_run *run,
                                   covey_arena *arena, covey_error *err)
{
    const struct keyed a = {release, query, scan, n_rows, run, arena};
    covey_query_value *key = covey_arena_array_zero(arena, covey_query_value, query->n_keys);
    uint32_t *row, n, n_groups = 0;
    covey_status status = COVEY_OK;

    if (!key)
        return covey_i_no_memory(err);
    COVEY_TRY(pick_rows(&row, &n, &a, err));
    if (query->exchange)
        return answer_combinations(sink, &a, row, n, answer, context, err);
    COVEY_TRY(sort_by_keys(row, n, &a, err));
    for (uint32_t begin = 0, end; begin < n && status == COVEY_OK; begin = end) {
        covey_arena_mark mark = covey_arena_save(arena);
        covey_query_rows rows = {row + begin, 0};

        for (end = begin + 1; end < n && same_key(&a, row[begin], row[end]);)
            end++;
        rows.n = end - begin;
        if (++n_groups > COVEY_QUERY_MOST_GROUPS)
            return covey_fail(
                err, COVEY_EINVAL,
                "query: GROUP BY makes more than %d groups; narrow it down with WHERE, or group by fewer columns",
                COVEY_QUERY_MOST_GROUPS);
        read_key(key, &a, row[begin]);
        status = answer(sink, context, &rows, key, err);
        covey_arena_rewind(arena, mark);
    }
    return status;
}
