/* Bounds where every row's value is known, but not always whether it is selected.
 *
 * Rows are independent: any subset of the possibly selected ones may be selected.  AVG over an uncertain selection is a
 * fractional programme: Dinkelbach's method ends, because it takes all values below the
 * quotient, with the surely selected rows and a prefix of the others in ascending order: the one at which the next
 * value would no longer lower the quotient.  So one pass finds it.
 *
 * Estimates: row i is selected with probability p_i, independently of the others; E[SUM] = sum p_i s_i, Var[SUM] = sum
 * p_i (1 - p_i) s_i^2. For AVG the quotient of expectations, with the error of its linearization, sum p_i (1 - p_i)
 * (s_i - AVG)^2 / E[COUNT]^2. */
#include "query/query_impl.h"

#include <math.h>

#include "base/error.h"
#include "base/sort/sort.h"

static covey_query_exact exact(covey_i128 num, int64_t den)
{
    return (covey_query_exact){true, num, den};
}

void covey_i_query_open_bounds(covey_query_figures *out, covey_sql_function function, int64_t n_sure, int64_t n_unknown)
{
    if (n_unknown == 0)
        return;
    if (function == COVEY_SQL_COUNT) {
        out->upper.num += n_unknown;
        return;
    }
    if (function != COVEY_SQL_MAX || n_sure == 0)
        out->lower.exists = false;
    if (function != COVEY_SQL_MIN || n_sure == 0)
        out->upper.exists = false;
}

void covey_i_query_open_aggregate(covey_query_figures *out, const covey_bound_aggregate *aggregate, int64_t n_sure,
                                  int64_t n_unknown)
{
    const covey_query_exact lower = out->lower;

    covey_i_query_open_bounds(out, covey_i_sql_counts(aggregate->function) ? COVEY_SQL_COUNT : aggregate->function,
                              n_sure, n_unknown);
    if (aggregate->is_weight && aggregate->function == COVEY_SQL_SUM && n_unknown > 0)
        out->lower = lower.exists ? lower : exact(0, 1);
}

void covey_i_query_suppressed_signs(bool *lowers, bool *raises, const covey_query_column *column, bool is_positive)
{
    *lowers = !column->n_suppressed && !is_positive;
    *raises = !column->n_suppressed;
    for (uint32_t cell = 0; column->n_suppressed && cell < column->n_cells; cell++) {
        int64_t number;

        if (column->n_suppressed[cell] == 0 || !covey_i_query_cell_number(&number, column, cell))
            continue;
        *lowers |= number < 0;
        *raises |= number > 0;
    }
}

void covey_i_query_open_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                 const covey_query_column *column, int64_t n)
{
    const bool is_sum = aggregate->function == COVEY_SQL_SUM;
    bool lowers, raises;

    if (n == 0)
        return;
    covey_i_query_suppressed_signs(&lowers, &raises, column, aggregate->is_weight);
    out->lower = !is_sum || lowers ? (covey_query_exact){.den = 1} : out->lower.exists ? out->lower : exact(0, 1);
    out->upper = !is_sum || raises ? (covey_query_exact){.den = 1} : out->upper.exists ? out->upper : exact(0, 1);
}

void covey_i_selected_count(covey_query_figures *out, const covey_selected_rows *rows)
{
    *out = (covey_query_figures){
        exact(rows->n_sure, 1), exact(rows->n_sure + rows->n_maybe, 1), rows->expected, sqrt(rows->spread), {0}};
    covey_i_query_open_bounds(out, COVEY_SQL_COUNT, rows->n_sure, rows->n_unknown);
}

void covey_i_query_sure_join(covey_sure_values *into, const covey_sure_values *more)
{
    if (more->n == 0)
        return;
    into->least = into->n == 0 || more->least < into->least ? more->least : into->least;
    into->greatest = into->n == 0 || more->greatest > into->greatest ? more->greatest : into->greatest;
    into->sum += more->sum;
    into->n += more->n;
}

covey_status covey_i_selected_new(covey_selected_values *v, covey_arena *arena, covey_error *err)
{
    v->maybe = covey_arena_array_zero(arena, covey_maybe_value, v->numbers->n);
    v->slot = covey_arena_array(arena, uint64_t, v->numbers->n);
    v->scratch = covey_arena_array(arena, uint64_t, v->numbers->n);
    return v->maybe && v->slot && v->scratch ? COVEY_OK : covey_i_no_memory(err);
}

void covey_i_selected_clear(covey_selected_values *v)
{
    while (v->n_slots > 0)
        v->maybe[v->slot[--v->n_slots]] = (covey_maybe_value){0};
}

void covey_i_selected_sort(covey_selected_values *v)
{
    covey_i_sort_u64(v->slot, v->scratch, v->n_slots, 32);
}

static int64_t count_maybe(const covey_selected_values *v)
{
    int64_t n = 0;

    for (uint32_t j = 0; j < v->n_slots; j++)
        n += v->maybe[v->slot[j]].n;
    return n;
}

static void bound_sum(covey_query_figures *out, const covey_selected_values *v)
{
    covey_i128 low = v->sure.sum, high = v->sure.sum;

    for (uint32_t j = 0; j < v->n_slots; j++) {
        const covey_i128 number = v->numbers->number[v->slot[j]];

        *(number < 0 ? &low : &high) += number * v->maybe[v->slot[j]].n;
    }
    out->lower = exact(low, 1);
    out->upper = exact(high, 1);
}

/* Surely selected rows, and of the others those that bring the quotient further down (sign 1) or up (sign -1). */
static covey_query_exact extreme_average(const covey_selected_values *v, int sign)
{
    covey_i128 sum = v->sure.sum;
    int64_t n = v->sure.n;

    for (uint32_t j = 0; j < v->n_slots; j++) {
        const uint64_t i = v->slot[sign > 0 ? j : v->n_slots - 1 - j];
        const covey_i128 number = v->numbers->number[i];

        if (n == 0) /* nothing is sure: the furthest value alone */
            return exact(number, 1);
        if (sign > 0 ? number * n >= sum : number * n <= sum)
            break;
        sum += number * v->maybe[i].n;
        n += v->maybe[i].n;
    }
    return exact(sum, n);
}

static void bound_extreme(covey_query_figures *out, const covey_selected_values *v, bool is_min)
{
    uint64_t outer = UINT64_MAX, inner = UINT64_MAX;

    /* Outer: as far as any row allows.  Inner: the surely selected rows alone; without any, the last of the others. */
    if (v->n_slots > 0) {
        outer = v->slot[is_min ? 0 : v->n_slots - 1];
        inner = v->slot[is_min ? v->n_slots - 1 : 0];
    }
    if (v->sure.n > 0) {
        inner = is_min ? v->sure.least : v->sure.greatest;
        outer = outer == UINT64_MAX || (is_min ? inner < outer : inner > outer) ? inner : outer;
    }
    out->lower = exact(v->numbers->number[is_min ? outer : inner], 1);
    out->upper = exact(v->numbers->number[is_min ? inner : outer], 1);
}

static void estimate_sum(covey_query_figures *out, const covey_selected_values *v, double unit)
{
    double sum = (double)v->sure.sum / unit, spread = 0;

    for (uint32_t j = 0; j < v->n_slots; j++) {
        const covey_maybe_value *maybe = &v->maybe[v->slot[j]];
        const double number = (double)v->numbers->number[v->slot[j]] / unit;

        sum += maybe->expected * number;
        spread += maybe->spread * number * number;
    }
    out->estimate = sum;
    out->standard_error = sqrt(spread);
}

/* Numbers are taken from the least one, or large ones that differ little would leave no digits for the error. */
static void estimate_average(covey_query_figures *out, const covey_selected_values *v, double unit)
{
    const covey_i128 base = v->numbers->number[0];
    double sum = (double)(v->sure.sum - base * v->sure.n) / unit, n = (double)v->sure.n, spread = 0, average;

    for (uint32_t j = 0; j < v->n_slots; j++) {
        sum += v->maybe[v->slot[j]].expected * ((double)(v->numbers->number[v->slot[j]] - base) / unit);
        n += v->maybe[v->slot[j]].expected;
    }
    if (!(n > 0))
        return;
    average = sum / n;
    for (uint32_t j = 0; j < v->n_slots; j++) {
        const double away = (double)(v->numbers->number[v->slot[j]] - base) / unit - average;

        spread += v->maybe[v->slot[j]].spread * away * away;
    }
    out->estimate = (double)base / unit + average;
    out->standard_error = sqrt(spread) / n;
}

void covey_i_selected_figures(covey_query_figures *out, covey_sql_function function, const covey_selected_rows *rows,
                              covey_selected_values *v, int scale)
{
    double unit = covey_i_query_unit(scale);

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    covey_i_selected_sort(v);
    if (v->sure.n + count_maybe(v) > 0) {
        switch (function) {
        case COVEY_SQL_SUM:
            bound_sum(out, v);
            estimate_sum(out, v, unit);
            break;
        case COVEY_SQL_AVG:
            out->lower = extreme_average(v, 1);
            out->upper = extreme_average(v, -1);
            estimate_average(out, v, unit);
            break;
        default:
            bound_extreme(out, v, function == COVEY_SQL_MIN);
            break;
        }
    }
    covey_i_query_open_bounds(out, function, v->sure.n, rows->n_unknown);
}
