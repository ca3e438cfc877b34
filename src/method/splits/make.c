/* Thresholds of one axis, by all ways but lists. */
#include "method/splits/make.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/plural.h"
#include "table/table_impl.h"

uint32_t covey_i_splits_first_value(const covey_axis *axis)
{
    return axis->column->has_null ? 1 : 0;
}

void covey_i_splits_domain(covey_fraction *low, covey_fraction *high, const covey_axis *axis)
{
    if (axis->kind == COVEY_AXIS_RANGE) {
        *low = (covey_fraction){axis->domain_low, 1};
        *high = (covey_fraction){axis->domain_high, 1};
        return;
    }
    *low = (covey_fraction){covey_i_splits_first_value(axis), 1};
    *high = (covey_fraction){axis->n_values > 0 ? axis->n_values - 1 : 0, 1};
}

covey_status covey_i_splits_reserve(covey_splits_maker *m, uint64_t most, covey_error *err)
{
    if (most > COVEY_SPLITS_MOST)
        return covey_fail(err, COVEY_EINVAL,
                          "%s: column \"%s\" would have %llu splits; %d are the most: use quantiles or wider steps",
                          m->owner, m->axis->column->name, (unsigned long long)most, COVEY_SPLITS_MOST);
    m->n = 0;
    return (m->threshold = covey_arena_array(m->arena, covey_fraction, most)) ? COVEY_OK : covey_i_no_memory(err);
}

void covey_i_splits_add(covey_splits_maker *m, covey_fraction t)
{
    m->threshold[m->n++] = t;
}

/* Between any two neighbouring values. */
covey_status covey_i_splits_distinct(covey_splits_maker *m, covey_error *err)
{
    const covey_axis *axis = m->axis;
    const uint32_t first = covey_i_splits_first_value(axis);

    COVEY_TRY(covey_i_splits_reserve(m, axis->n_values > first ? axis->n_values - first : 1, err));
    for (uint32_t v = first; v + 1 < axis->n_values; v++)
        if (axis->kind == COVEY_AXIS_RANGE)
            covey_i_splits_add(m,
                               covey_i_fraction((covey_i128)axis->column->number[v] + axis->column->number[v + 1], 2));
        else
            covey_i_splits_add(m, covey_i_fraction(2 * (covey_i128)v + 1, 2));
    return COVEY_OK;
}

/* Rows per code. */
covey_status covey_i_splits_count_codes(uint64_t **out, const covey_splits_maker *m, covey_error *err)
{
    uint64_t *count = covey_arena_array_zero(m->arena, uint64_t, m->axis->n_values);

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < m->problem->n_rows; row++)
        count[covey_i_code(m->axis->column, row)]++;
    *out = count;
    return COVEY_OK;
}

/* Quantiles of values that occur so often: of the sorted rows number ceil(i N / (parts + 1)). */
static void add_quantiles(covey_splits_maker *m, const uint64_t *count, int64_t parts)
{
    const covey_axis *axis = m->axis;
    uint64_t n_rows = 0, below = 0;
    uint32_t last = axis->n_values;
    int64_t i = 1;

    for (uint32_t v = covey_i_splits_first_value(axis); v < axis->n_values; v++) {
        n_rows += count[v];
        last = count[v] ? v : last;
    }
    for (uint32_t v = covey_i_splits_first_value(axis); v < last && i <= parts; v++) {
        const int64_t before = i;

        below += count[v];
        while (i <= parts && ((covey_u128)i * n_rows + (covey_u128)parts) / ((covey_u128)parts + 1) <= below)
            i++;
        if (i > before)
            covey_i_splits_add(m, axis->kind == COVEY_AXIS_RANGE ? (covey_fraction){axis->column->number[v], 1}
                                                                 : covey_i_fraction(2 * (covey_i128)v + 1, 2));
    }
}

covey_status covey_i_splits_quantiles(covey_splits_maker *m, const uint64_t *count, int64_t parts, covey_error *err)
{
    COVEY_TRY(covey_i_splits_reserve(m, parts > 0 ? (uint64_t)parts : 1, err));
    add_quantiles(m, count, parts);
    return COVEY_OK;
}

covey_status covey_i_splits_widths(covey_splits_maker *m, int64_t parts, covey_error *err)
{
    COVEY_TRY(covey_i_splits_reserve(m, (uint64_t)parts, err));
    for (int64_t i = 1; i <= parts; i++)
        covey_i_splits_add(m, covey_i_fraction(m->low.num * (parts + 1) + (m->high.num - m->low.num) * i, parts + 1));
    return COVEY_OK;
}

static covey_i128 floor_of(covey_i128 num, covey_i128 den)
{
    return num / den - (num % den < 0);
}

/* Multiples of a step in [low, high). */
covey_status covey_i_splits_steps(covey_splits_maker *m, covey_fraction step, covey_error *err)
{
    const covey_i128 first = -floor_of(-m->low.num * step.den, step.num),
                     end = -floor_of(-m->high.num * step.den, step.num);

    COVEY_TRY(covey_i_splits_reserve(
        m, end > first ? (end - first > COVEY_SPLITS_MOST ? COVEY_SPLITS_MOST + 1u : (uint64_t)(end - first)) : 1,
        err));
    for (covey_i128 i = first; i < end; i++)
        covey_i_splits_add(m, covey_i_fraction(i * step.num, step.den));
    return COVEY_OK;
}

static int compare(const void *a, const void *b)
{
    return covey_i_fraction_compare(*(const covey_fraction *)a, *(const covey_fraction *)b);
}

static void warn(const covey_splits_maker *m, const char *what, uint32_t n)
{
    char text[256];

    if (!n || !m->run || !m->run->warn)
        return;
    snprintf(text, sizeof text, "%s: splits: column \"%s\": %u split%s %s", m->owner, m->axis->column->name, n,
             covey_i_plural(n), what);
    m->run->warn(m->run->context, text);
}

/* Ascending, inside low <= t < high, each once. */
void covey_i_splits_tidy(covey_splits_maker *m)
{
    uint32_t n = 0, n_outside = 0, n_double = 0, n_late = 0;

    for (uint32_t i = 1; i < m->n; i++)
        n_late += compare(&m->threshold[i - 1], &m->threshold[i]) > 0;
    qsort(m->threshold, m->n, sizeof *m->threshold, compare);
    for (uint32_t i = 0; i < m->n; i++)
        if (covey_i_fraction_compare(m->threshold[i], m->low) < 0 ||
            covey_i_fraction_compare(m->threshold[i], m->high) >= 0)
            n_outside++;
        else if (n > 0 && covey_i_fraction_compare(m->threshold[n - 1], m->threshold[i]) == 0)
            n_double++;
        else
            m->threshold[n++] = m->threshold[i];
    m->n = n;
    if (m->is_list)
        warn(m,
             n_late == 1 ? "stands behind a larger one: they are sorted" : "stand behind larger ones: they are sorted",
             n_late);
    warn(m, n_outside == 1 ? "lies outside the domain and is left out" : "lie outside the domain and are left out",
         n_outside);
    warn(m, n_double == 1 ? "stands there twice" : "stand there twice", n_double);
}

/* How many codes go left of a threshold. */
uint32_t covey_i_splits_codes_up_to(const covey_axis *axis, covey_fraction t)
{
    uint32_t low = covey_i_splits_first_value(axis), high = axis->n_values;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const covey_i128 value = axis->kind == COVEY_AXIS_RANGE ? axis->column->number[middle] : (covey_i128)middle;

        if (covey_i_fraction_compare((covey_fraction){value, 1}, t) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
