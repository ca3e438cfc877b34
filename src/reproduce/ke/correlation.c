/* Numbers that follow the age more or less closely: ranges of ages, four ways of partitioning.
 * Source: [Zhang07] section 6. */
#include "reproduce/ke/strategies.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 1427 };

/* Of the l-diverse partition: large at first, beside those that look at the numbers, then small, then larger again.
 * Scanning is worse than these throughout. */
static void judge(covey_experiment_context *context, size_t n)
{
    const double *l = context->curves->y[COVEY_KE_L], *scan = context->curves->y[COVEY_KE_SCAN],
                 *touch = context->curves->y[COVEY_KE_TOUCH], *sum = context->curves->y[COVEY_KE_SUM];
    size_t least = 0;
    bool scan_is_poor = true;

    for (size_t p = 0; p < n; p++) {
        least = l[p] < l[least] ? p : least;
        scan_is_poor = scan_is_poor && scan[p] > 2 * touch[p] && scan[p] > 2 * sum[p];
    }
    context->holds =
        l[0] > 2 * fmax(touch[0], sum[0]) && l[least] < l[0] / 2 && l[n - 1] > 2 * l[least] && scan_is_poor;
    snprintf(context->finding, 768,
             "l-diversity partition %.3f at first, where min-max-touch has %.3f and min-sum %.3f, least %.3f at "
             "variance %g, at last %.3f%s; scan %.3f to %.3f; min-max-touch at last %.3f, min-sum %.3f",
             l[0], touch[0], sum[0], l[least], context->curves->x[least], l[n - 1],
             l[n - 1] > 0 ? ""
                          : ": its groups are single ages by then, which ranges of ages hold as a whole or not at "
                            "all",
             scan[0], scan[n - 1], touch[n - 1], sum[n - 1]);
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const double deviation[] = {0.05, 0.1, 0.2, 0.5, 1, 5, 20, 100, 400, 800};
    enum { POINTS = sizeof deviation / sizeof *deviation };
    double variance[POINTS];
    covey_curves *c = context->curves;

    for (size_t p = 0; p < POINTS; p++)
        variance[p] = deviation[p] * deviation[p];
    COVEY_TRY(
        covey_i_curves_new(c, covey_i_ke_strategy_names, COVEY_KE_STRATEGIES, variance, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        char noise[32], *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        snprintf(noise, sizeof noise, "%.2f", deviation[p]);
        COVEY_TRY(covey_i_ke_generated_policy(&policy, context, "1", noise,
                                              context->options->rows ? context->options->rows : ROWS, err));
        for (size_t s = 0; s < COVEY_KE_STRATEGIES; s++) {
            covey_ke_groups groups;
            covey_ke_error error;

            COVEY_TRY(covey_i_ke_partition(&groups, context, policy, s, context->arena, err));
            COVEY_TRY(covey_i_ke_range(&error, &groups, 10, p + 1, context->arena, err));
            c->y[s][p] = error.permuted;
        }
    }
    judge(context, POINTS);
    return COVEY_OK;
}

const covey_experiment covey_experiment_ke_correlation = {
    .name = "ke-correlation",
    .figures = "Zhang07 correlation",
    .title = "Numbers that follow the age: AVG over ten years",
    .source = "Zhang07, section 6",
    .statement = "With growing noise the l-diverse partition starts with a large error, which drops fast and climbs "
                 "again; scanning is poor.",
    .x_title = "variance of the noise",
    .y_title = "relative error of the bounds",
    .x_log = true,
    .because = COVEY_DIFFERENCE_DATA,
    .why =
        "an age has some 23 of our 1,427 people, whose noisy numbers are different enough for groups of single ages; "
        "ranges of ages hold such groups as a whole or not at all, so that the error is exactly 0 and does not climb",
    .run = run,
};
