/* The objectives of bucketized releases that are sums and maxima of the ranges of sensitive values: of every group, the
 * difference between its largest and its smallest value.  Source: [Zhang07]. */
#include "audit/bucketized/bucketized.h"

#include <math.h>
#include <string.h>

#include "base/exact/fraction.h"

static const double TOLERANCE = 1e-9;

void covey_i_bucketized_errors_add(covey_bucket_errors *errors, const covey_opened *opened,
                                   const covey_opened_bucketized *bucketized, const int64_t *number)
{
    const covey_opened_groups *groups = &opened->groups;

    for (uint32_t g = opened->n_seen; g < groups->n; g++) {
        int64_t low = INT64_MAX, high = INT64_MIN;

        for (uint32_t e = groups->start[g]; e < groups->start[g + 1]; e++) {
            const int64_t value = number[covey_i_code_at(bucketized->sensitive->text, e)];

            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        errors->sum += (covey_i128)high - low;
        errors->max = (covey_i128)high - low > errors->max ? (covey_i128)high - low : errors->max;
    }
}

static bool is_sum(const covey_stated *stated)
{
    return stated->objective && strcmp(stated->objective, "sum-error") == 0;
}

bool covey_i_bucketized_has_errors(const covey_stated *stated)
{
    return is_sum(stated) || (stated->objective && strcmp(stated->objective, "max-error") == 0);
}

void covey_i_bucketized_errors_compare(covey_problems *problems, const covey_stated *stated,
                                       const covey_bucket_errors *errors, int scale)
{
    covey_i128 unit = 1;
    double found;

    while (scale-- > 0)
        unit *= 10;
    found = covey_i_fraction_value(covey_i_fraction(is_sum(stated) ? errors->sum : errors->max, unit));
    if (!stated->objective_value.present || !(fabs(stated->objective_value.value - found) <= TOLERANCE * fabs(found)))
        covey_i_problem(problems, "manifest.json: the objective %s is not %.17g, as the ranges of the groups say",
                        stated->objective, found);
}

static covey_status check_objective(covey_problems *problems, const covey_opened *opened,
                                    const covey_opened_bucketized *bucketized, covey_arena *arena, covey_error *err)
{
    covey_bucket_errors errors = {0};
    int64_t *number;
    int scale = 0;
    bool fine;

    if (!covey_i_bucketized_has_errors(opened->stated))
        return COVEY_OK;
    COVEY_TRY(covey_i_bucketized_numbers(&number, &scale, &fine, bucketized, arena, err));
    if (!fine) {
        covey_i_problem(problems,
                        "manifest.json: the objective is %s, but not every published sensitive value is a number",
                        opened->stated->objective);
        return COVEY_OK;
    }
    covey_i_bucketized_errors_add(&errors, opened, bucketized, number);
    covey_i_bucketized_errors_compare(problems, opened->stated, &errors, scale);
    return COVEY_OK;
}

covey_status covey_i_bucketized_check_objective(covey_problems *problems, const covey_opened *opened,
                                                const covey_opened_bucketized *bucketized, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_status status =
        opened->stated->is_piece ? COVEY_OK : check_objective(problems, opened, bucketized, &arena, err);

    covey_arena_free(&arena);
    return status;
}
