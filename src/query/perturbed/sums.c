/* What the shown values of rows tell of sums over their true ones: estimates without bias, their variance, shrinkage,
 * bounds.
 *
 * A sum of a[true value] over rows is estimated by the sum of weights of shown values (randomization.h).  A row's
 * weight w has the variance E[w^2] - a^2; the sum of w^2 over shown values estimates the first, and weights for a^2 the
 * second, both without bias. */
#include <math.h>

#include "query/perturbed/perturbed.h"

/* 97 % of a normal distribution lie within so many standard deviations: the error is estimated, too, and from few rows
 * it comes out small where the estimate is wrong; so the interval holds in at least 95 of 100 cases on real tables. */
static const double Z = 2.170090377584560;
enum { FEW_ROWS = 30 };

void covey_i_perturbed_add(covey_perturbed_sum *sum, const covey_query_perturbed *p, const covey_perturbed_kind *kind,
                           const double *a, double *room)
{
    double *weight = room, *square = room + p->n_values;

    for (uint32_t j = 0; j < p->n_values; j++) {
        square[j] = a[j] * a[j];
        sum->toward += (double)kind->n * p->share[j] * a[j];
        sum->guess += (double)kind->n * p->share[j] * fabs(a[j]);
        sum->largest = fmax(sum->largest, fabs(a[j]));
    }
    covey_i_randomization_weights(weight, &p->randomization, a);
    covey_i_randomization_weights(square, &p->randomization, square);
    for (uint32_t j = 0; j < p->n_values; j++) {
        sum->estimate += (double)kind->shown[j] * weight[j];
        sum->variance += (double)kind->shown[j] * (weight[j] * weight[j] - square[j]);
    }
}

void covey_i_perturbed_shrink(covey_perturbed_sum *sum)
{
    double own = fmax(sum->variance, 0), prior = pow(0.25 * sum->guess, 2) + pow(sum->largest, 2);

    if (own + prior <= 0)
        return;
    sum->estimate = (sum->estimate * prior + sum->toward * own) / (own + prior);
    sum->variance = own * prior / (own + prior);
}

void covey_i_perturbed_interval(covey_query_figures *out, double variance, int scale, int64_t n_rows)
{
    const double unit = covey_i_query_unit(scale);
    const double least = (double)out->lower.num / (double)out->lower.den / unit,
                 most = (double)out->upper.num / (double)out->upper.den / unit;
    covey_query_interval *interval = &out->interval;

    out->standard_error = sqrt(fmax(variance, 0));
    *interval = (covey_query_interval){.exists = true,
                                       .low = out->estimate - Z * out->standard_error,
                                       .high = out->estimate + Z * out->standard_error,
                                       .is_of_few = n_rows < FEW_ROWS};
    interval->clipped_low = fmin(fmax(interval->low, least), most);
    interval->clipped_high = fmax(fmin(interval->high, most), least);
}

/* --- bounds: the rows have some values of the prior, each at most as often as there --- */

struct bounding {
    const covey_query_numbers *numbers;
    const int64_t *count; /* [numbers->n] */
    int64_t n_missing;
};

/* The sum of the n least (or greatest) values; missing ones count 0. */
static covey_i128 extreme_sum(const struct bounding *b, int64_t n, bool is_least)
{
    covey_i128 sum = 0;
    int64_t missing = b->n_missing;

    for (uint32_t j = 0; j < b->numbers->n && n > 0; j++) {
        uint32_t slot = is_least ? j : b->numbers->n - 1 - j;
        covey_i128 number = b->numbers->number[slot];
        int64_t taken;

        if (is_least ? number >= 0 : number <= 0) {
            n -= missing < n ? missing : n;
            missing = 0;
        }
        taken = b->count[slot] < n ? b->count[slot] : n;
        sum += number * taken;
        n -= taken;
    }
    return sum;
}

static covey_i128 extreme_without_missing(const struct bounding *b, int64_t n, bool is_least)
{
    const struct bounding all = {b->numbers, b->count, 0};

    return extreme_sum(&all, n, is_least);
}

/* The n-th value from one end. */
static int64_t nth_value(const struct bounding *b, int64_t n, bool from_least)
{
    uint32_t slot = 0;

    for (uint32_t j = 0; j < b->numbers->n; j++) {
        slot = from_least ? j : b->numbers->n - 1 - j;
        if (b->count[slot] >= n)
            break;
        n -= b->count[slot];
    }
    return b->numbers->number[slot];
}

static void bound(covey_query_figures *out, covey_sql_function function, const struct bounding *b, int64_t n)
{
    const int64_t least_n = n > b->n_missing ? n - b->n_missing : 1; /* rows with a number, at least, if there is one */

    switch (function) {
    case COVEY_SQL_SUM:
        out->lower = (covey_query_exact){true, extreme_sum(b, n, true), 1};
        out->upper = (covey_query_exact){true, extreme_sum(b, n, false), 1};
        break;
    case COVEY_SQL_AVG:
        out->lower = (covey_query_exact){true, extreme_without_missing(b, least_n, true), least_n};
        out->upper = (covey_query_exact){true, extreme_without_missing(b, least_n, false), least_n};
        break;
    case COVEY_SQL_MIN:
        out->lower = (covey_query_exact){true, nth_value(b, 1, true), 1};
        out->upper = (covey_query_exact){true, nth_value(b, least_n, false), 1};
        break;
    default:
        out->lower = (covey_query_exact){true, nth_value(b, least_n, true), 1};
        out->upper = (covey_query_exact){true, nth_value(b, 1, false), 1};
        break;
    }
}

/* --- estimates --- */

/* a: what a row with each value adds: its number, 1, or its distance from an average; missing ones add nothing. */
static void fill(double *a, const covey_query_perturbed *p, double factor, double constant, double unit)
{
    const covey_query_numbers *numbers = &p->numbers[p->sensitive];

    for (uint32_t j = 0; j < p->n_values; j++) {
        uint32_t slot = numbers->slot_of_cell[p->cell[j]];

        a[j] = slot == UINT32_MAX ? 0 : factor * ((double)numbers->number[slot] / unit) + constant;
    }
}

static covey_perturbed_sum sum_of(const covey_query_perturbed *p, const covey_perturbed_kind *kind, const double *a,
                                  bool shrink, double *room)
{
    covey_perturbed_sum sum = {0};

    covey_i_perturbed_add(&sum, p, kind, a, room);
    if (shrink)
        covey_i_perturbed_shrink(&sum);
    return sum;
}

/* Where sums of numbers begin: with one in the middle, or large ones that differ little would leave no digits for the
 * error. */
static double find_origin(const covey_query_perturbed *p, double unit)
{
    const covey_query_numbers *numbers = &p->numbers[p->sensitive];

    return (double)numbers->number[numbers->n / 2] / unit;
}

/* A quotient of estimates, with the variance of its linearization. */
static void estimate_average(covey_query_figures *out, const covey_query_perturbed *p, const covey_perturbed_kind *kind,
                             bool shrink, double *room, int scale)
{
    const double unit = covey_i_query_unit(scale),
                 origin = shrink ? 0 : find_origin(p, unit); /* shrinking is about the sum itself */
    double *a = room + 2 * (size_t)p->n_values, n, total;

    fill(a, p, 0, 1, unit);
    n = p->n_missing > 0 ? sum_of(p, kind, a, shrink, room).estimate : (double)kind->n;
    fill(a, p, 1, -origin, unit);
    total = sum_of(p, kind, a, shrink, room).estimate;
    if (!(n > 0))
        return;
    out->estimate = origin + total / n;
    fill(a, p, 1, -out->estimate, unit);
    covey_i_perturbed_interval(out, sum_of(p, kind, a, shrink, room).variance / (n * n), scale, kind->n);
}

/* Where every row has a number, the origin adds nothing to the error. */
static covey_perturbed_sum sum_of_numbers(const covey_query_perturbed *p, const covey_perturbed_kind *kind, bool shrink,
                                          double *room, double unit)
{
    const double origin = find_origin(p, unit);
    double *a = room + 2 * (size_t)p->n_values;
    covey_perturbed_sum sum;

    fill(a, p, 1, 0, unit);
    sum = sum_of(p, kind, a, false, room);
    if (p->n_missing == 0) {
        covey_perturbed_sum away;

        fill(a, p, 1, -origin, unit);
        away = sum_of(p, kind, a, false, room);
        sum.estimate = away.estimate + origin * (double)kind->n;
        sum.variance = away.variance;
    }
    if (shrink)
        covey_i_perturbed_shrink(&sum);
    return sum;
}

void covey_i_perturbed_figures(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                               const covey_query_perturbed *p, const covey_perturbed_kind *kind, bool shrink,
                               double *room)
{
    const struct bounding b = {&p->numbers[p->sensitive], p->slot_count, p->n_missing};

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    if (kind->n == 0 || b.numbers->n == 0)
        return;
    bound(out, aggregate->function, &b, kind->n);
    if (aggregate->function == COVEY_SQL_AVG) {
        estimate_average(out, p, kind, shrink, room, aggregate->scale);
    } else if (aggregate->function == COVEY_SQL_SUM) {
        const covey_perturbed_sum sum = sum_of_numbers(p, kind, shrink, room, covey_i_query_unit(aggregate->scale));

        out->estimate = sum.estimate;
        covey_i_perturbed_interval(out, sum.variance, aggregate->scale, kind->n);
    }
}
