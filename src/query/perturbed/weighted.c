/* Weighted sums of sensitive values that were put at random: a row adds w a[true value], which its weight w times the
 * weight of the shown value estimates without bias, with w^2 times the variance of one row (sums.c).
 *
 * Bounds: the rows have some of the prior's values, each at most as often as there; the largest weight meets the least,
 * or the greatest. */
#include <math.h>

#include "base/error.h"
#include "query/perturbed/perturbed.h"
#include "query/weighted_rows.h"

/* n values of the prior from one end; missing ones add nothing. */
static void list_values(int64_t *value, const covey_query_perturbed *p, size_t n, bool is_least)
{
    const covey_query_numbers *numbers = &p->numbers[p->sensitive];
    int64_t missing = p->n_missing;
    size_t at = 0;

    for (uint32_t j = 0; j <= numbers->n && at < n; j++) {
        const uint32_t slot = j == numbers->n ? UINT32_MAX : is_least ? j : numbers->n - 1 - j;
        const int64_t number = slot == UINT32_MAX ? 0 : numbers->number[slot];

        for (; missing > 0 && at < n && (slot == UINT32_MAX || (is_least ? number >= 0 : number <= 0)); missing--)
            value[at++] = 0;
        for (int64_t i = 0; slot != UINT32_MAX && i < p->slot_count[slot] && at < n; i++)
            value[at++] = number;
    }
}

static covey_status bound(covey_query_figures *out, covey_weighted_moments *of, const covey_query_perturbed *p,
                          const covey_weighted_rows *rows, int64_t den, covey_arena *arena, covey_error *err)
{
    int64_t *value = covey_arena_array(arena, int64_t, rows->n);

    if (!value)
        return covey_i_no_memory(err);
    covey_i_weighted_rows_sort(of, rows->weight, rows->n);
    den = den ? den : (int64_t)of->sum;
    list_values(value, p, rows->n, true);
    out->lower = (covey_query_exact){true, covey_i_weighted_rows_pair(rows->weight, value, rows->n), den};
    list_values(value, p, rows->n, false);
    out->upper = (covey_query_exact){true, covey_i_weighted_rows_pair(rows->weight, value, rows->n), den};
    return COVEY_OK;
}

/* Weights of the rows that show each value, and their squares. */
static void add_shown(double *weights, double *squares, const covey_bound_aggregate *aggregate,
                      const covey_query_perturbed *p, const covey_row_scan *scan, const covey_query_rows *rows)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        const uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = rows->row ? rows->row[at + i] : at + i, copies = scan->weight ? scan->weight[row] : 1;
            const uint32_t j = p->value_of_code[covey_i_code_at(p->text, row)];
            const double weight = (double)covey_i_query_row_weight(aggregate, row);

            if (!accepts[i])
                continue;
            weights[j] += copies * weight;
            squares[j] += copies * weight * weight;
        }
    }
}

/* a: what a row with each value adds. */
static covey_perturbed_sum sum_of(const covey_query_perturbed *p, const double *a, const double *weights,
                                  const double *squares, double largest, double *room)
{
    double *weight = room, *square = room + p->n_values, total = 0;
    covey_perturbed_sum sum = {0};

    for (uint32_t j = 0; j < p->n_values; j++)
        total += weights[j];
    for (uint32_t j = 0; j < p->n_values; j++) {
        square[j] = a[j] * a[j];
        sum.toward += total * p->share[j] * a[j];
        sum.guess += total * p->share[j] * fabs(a[j]);
        sum.largest = fmax(sum.largest, largest * fabs(a[j]));
    }
    covey_i_randomization_weights(weight, &p->randomization, a);
    covey_i_randomization_weights(square, &p->randomization, square);
    for (uint32_t j = 0; j < p->n_values; j++) {
        sum.estimate += weights[j] * weight[j];
        sum.variance += squares[j] * (weight[j] * weight[j] - square[j]);
    }
    return sum;
}

/* Numbers are taken from one in the middle, or large ones that differ little would leave no digits for the error. */
static double fill(double *a, const covey_query_perturbed *p, bool from_zero, double unit)
{
    const covey_query_numbers *numbers = &p->numbers[p->sensitive];
    const double origin = from_zero || p->n_missing > 0 ? 0 : (double)numbers->number[numbers->n / 2] / unit;

    for (uint32_t j = 0; j < p->n_values; j++) {
        const uint32_t slot = numbers->slot_of_cell[p->cell[j]];

        a[j] = slot == UINT32_MAX ? 0 : (double)numbers->number[slot] / unit - origin;
    }
    return origin;
}

static covey_status estimate(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                             const covey_query_perturbed *p, const covey_row_scan *scan, const covey_query_rows *rows,
                             const covey_weighted_rows *found, bool shrink, covey_arena *arena, covey_error *err)
{
    const size_t n = p->n_values;
    double *room = covey_arena_array_zero(arena, double, 5 * n), *weights = room + 2 * n, *squares = room + 3 * n,
           *a = room + 4 * n, total = 0, origin;
    const bool is_mean = aggregate->function == COVEY_SQL_AVG;
    covey_perturbed_sum sum;

    if (!room)
        return covey_i_no_memory(err);
    add_shown(weights, squares, aggregate, p, scan, rows);
    for (size_t j = 0; j < n; j++)
        total += weights[j];
    origin = fill(a, p, shrink, covey_i_query_unit(aggregate->scale));
    sum = sum_of(p, a, weights, squares, (double)found->weight[0], room);
    if (shrink)
        covey_i_perturbed_shrink(&sum);
    out->estimate = is_mean ? origin + sum.estimate / total : sum.estimate + origin * total;
    covey_i_perturbed_interval(out, is_mean ? sum.variance / (total * total) : sum.variance, aggregate->scale,
                               (int64_t)found->n);
    return COVEY_OK;
}

covey_status covey_i_perturbed_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                        const covey_query_perturbed *p, const covey_row_scan *scan,
                                        const covey_query_rows *rows, bool shrink, covey_arena *arena, covey_error *err)
{
    covey_weighted_moments of;
    covey_weighted_rows found;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    if (scan->exchange)
        return covey_fail(err, COVEY_EINVAL,
                          "query: weighted sums of what was put at random are asked of a release as a whole, and not "
                          "file by file: ask with covey query");
    COVEY_TRY(covey_i_weighted_rows_find(&found, aggregate, scan, rows, arena, err));
    if (found.n == 0 || p->numbers[p->sensitive].n == 0)
        return COVEY_OK;
    COVEY_TRY(bound(out, &of, p, &found, aggregate->function == COVEY_SQL_AVG ? 0 : 1, arena, err));
    return estimate(out, aggregate, p, scan, rows, &found, shrink, arena, err);
}
