/* Numbers that follow the age more or less closely: ranges of ages, four ways of partitioning.
 * Source: [Zhang07] section 6. */
#include "reproduce/ke/strategies.h"

#include <stdio.h>

enum { QUERIES = 100, ROWS = 1427 };

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const double deviation[] = {0.5, 1, 2, 5, 20, 100, 400, 800};
    enum { POINTS = sizeof deviation / sizeof *deviation };
    double variance[POINTS], steady[2];
    covey_curves *c = context->curves;

    for (size_t p = 0; p < POINTS; p++)
        variance[p] = deviation[p] * deviation[p];
    COVEY_TRY(
        covey_i_curves_new(c, covey_i_ke_strategy_names, COVEY_KE_STRATEGIES, variance, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        char noise[32], *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        snprintf(noise, sizeof noise, "%.1f", deviation[p]);
        COVEY_TRY(covey_i_ke_generated_policy(&policy, context, "1", noise,
                                              context->options->rows ? context->options->rows : ROWS, err));
        for (size_t s = 0; s < COVEY_KE_STRATEGIES; s++) {
            covey_ke_groups groups;
            covey_ke_error error;

            COVEY_TRY(covey_i_ke_partition(&groups, context, policy, s, 5, 100, context->arena, err));
            COVEY_TRY(covey_i_ke_range(&error, &groups, 10, QUERIES, p + 1, context->arena, err));
            c->y[s][p] = error.permuted;
        }
    }
    for (size_t s = 0; s < 2; s++) { /* largest over smallest */
        const double *y = c->y[COVEY_KE_TOUCH + s];
        double least = y[0], most = y[0];

        for (size_t p = 1; p < POINTS; p++) {
            least = y[p] < least ? y[p] : least;
            most = y[p] > most ? y[p] : most;
        }
        steady[s] = most / least;
    }
    context->holds = steady[0] < 3 && steady[1] < 3 && c->y[COVEY_KE_SCAN][POINTS - 1] > c->y[COVEY_KE_SUM][POINTS - 1];
    snprintf(context->finding, 768,
             "from little noise to much: l-diversity partition %.3f to %.3f, scan %.3f to %.3f, min-max-touch %.3f to "
             "%.3f, min-sum "
             "%.3f to %.3f; the last two vary by a factor of %.2f and %.2f",
             c->y[0][0], c->y[0][POINTS - 1], c->y[1][0], c->y[1][POINTS - 1], c->y[2][0], c->y[2][POINTS - 1],
             c->y[3][0], c->y[3][POINTS - 1], steady[0], steady[1]);
    return COVEY_OK;
}

const covey_experiment covey_experiment_ke_correlation = {
    .name = "ke-correlation",
    .figures = "Zhang07 correlation",
    .title = "Numbers that follow the age: AVG over ten years",
    .source = "Zhang07, section 6",
    .statement = "With growing noise the l-diverse partition starts with a large error, which drops fast and climbs "
                 "again; the partitions that look at the "
                 "numbers stay steady; scanning is poor.",
    .x_title = "variance of the noise",
    .y_title = "relative error of the bounds",
    .x_log = true,
    .run = run,
};
