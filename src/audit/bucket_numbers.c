/* The sensitive values of a bucketized release as numbers, and the objectives that are sums and maxima of their ranges: of every group, the
 * difference between its largest and its smallest value.  Source: ke-permutation.md 2, [Zhang07]. */
#include "audit/buckets.h"

#include <math.h>
#include <string.h>

#include "audit/cells.h"
#include "base/fraction.h"

static const double TOLERANCE = 1e-9;

covey_status covey_i_buckets_numbers(int64_t **number_out, int *scale_out, bool *fine, const covey_opened_buckets *buckets, covey_arena *arena,
                                     covey_error *err)
{
    const covey_opened_column *column = buckets->sensitive;
    const uint32_t n = column->text->n_values;
    int *scale = covey_arena_array(arena, int, n), largest = 0;
    int64_t *number = covey_arena_array(arena, int64_t, n);

    if (!scale || !number)
        return covey_fail(err, COVEY_ENOMEM, "no memory for the numbers of a bucketized release");
    *fine = true;
    for (uint32_t i = 0; i < n; i++) {
        *fine &= covey_i_cell_number(&number[i], &scale[i], column->stated->type, covey_column_label(column->text, i));
        largest = *fine && scale[i] > largest ? scale[i] : largest;
    }
    for (uint32_t i = 0; i < n && *fine; i++)
        *fine = covey_i_cell_rescale(&number[i], scale[i], largest);
    *number_out = number;
    *scale_out = largest;
    return COVEY_OK;
}

static void find_errors(covey_i128 *sum, covey_i128 *max, const covey_opened *opened, const covey_opened_buckets *buckets, const int64_t *number)
{
    const covey_audit_groups *groups = &opened->groups;

    *sum = *max = 0;
    for (uint32_t g = 0; g < groups->n; g++) {
        int64_t low = INT64_MAX, high = INT64_MIN;

        for (uint32_t e = groups->start[g]; e < groups->start[g + 1]; e++) {
            const int64_t value = number[covey_i_code_at(buckets->sensitive->text, e)];

            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        *sum += (covey_i128)high - low;
        *max = (covey_i128)high - low > *max ? (covey_i128)high - low : *max;
    }
}

static covey_status check_objective(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets,
                                    covey_arena *arena, covey_error *err)
{
    const covey_stated *stated = opened->stated;
    const bool is_sum = stated->objective && strcmp(stated->objective, "sum-error") == 0;
    const bool is_max = stated->objective && strcmp(stated->objective, "max-error") == 0;
    covey_i128 sum, max, unit = 1;
    int64_t *number;
    int scale = 0;
    bool fine;
    double found;

    if (!is_sum && !is_max)
        return COVEY_OK;
    COVEY_TRY(covey_i_buckets_numbers(&number, &scale, &fine, buckets, arena, err));
    if (!fine) {
        covey_i_problem(problems, "manifest.json: the objective is %s, but not every published sensitive value is a number", stated->objective);
        return COVEY_OK;
    }
    find_errors(&sum, &max, opened, buckets, number);
    while (scale-- > 0)
        unit *= 10;
    found = covey_i_fraction_value(covey_i_fraction(is_sum ? sum : max, unit));
    if (!stated->objective_value.present || !(fabs(stated->objective_value.value - found) <= TOLERANCE * fabs(found)))
        covey_i_problem(problems, "manifest.json: the objective %s is not %.17g, as the ranges of the groups say", stated->objective, found);
    return COVEY_OK;
}

covey_status covey_i_buckets_check_objective(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets,
                                             covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_status status = check_objective(problems, opened, buckets, &arena, err);

    covey_arena_free(&arena);
    return status;
}
