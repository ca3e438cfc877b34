/* How long the method takes against the number of rows.
 * Source: [Koudas09] section 6, figure 13. */
#include <math.h>
#include <stdio.h>

#include "reproduce/distribution/groups.h"

static const double rows[] = {10000, 30000, 100000, 300000, 1000000};
enum { POINTS = sizeof rows / sizeof *rows, REPEATS = 2 };

static const char *const name[] = {"SA-only", "QI-SA"}, *const scheme[] = {"sa-only", "qi-sa"};

/* The fastest of some runs. */
static covey_status measure(double *out, const covey_experiment_context *context, const char *policy, const char *with,
                            covey_error *err)
{
    const covey_distribution_setup setup = {.scheme = with};

    *out = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        const covey_arena_mark mark = covey_arena_save(context->arena);
        covey_distribution_groups groups;

        COVEY_TRY(covey_i_distribution_groups_make(&groups, context, policy, &setup, context->arena, err));
        covey_arena_rewind(context->arena, mark);
        *out = fmin(*out, groups.seconds);
    }
    return COVEY_OK;
}

/* Least squares through the logarithms: 1 is linear. */
static double slope(const double *y)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;

    for (size_t p = 0; p < POINTS; p++) {
        const double u = log(rows[p]), v = log(y[p]);

        sum_x += u;
        sum_y += v;
        sum_xx += u * u;
        sum_xy += u * v;
    }
    return (POINTS * sum_xy - sum_x * sum_y) / (POINTS * sum_xx - sum_x * sum_x);
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    const covey_curves *c = context->curves;
    covey_reproduce_options options = *context->options;
    covey_experiment_context own = *context;
    double exponent[2];

    own.options = &options;
    COVEY_TRY(covey_i_curves_new(context->curves, name, 2, rows, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        char *table, *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        options.rows = (int64_t)rows[p];
        COVEY_TRY(
            covey_i_distribution_generated_table(&table, &own, (covey_distribution_table){"normal", "0", NULL}, err));
        COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
        for (size_t s = 0; s < 2; s++)
            COVEY_TRY(measure(&context->curves->y[s][p], context, policy, scheme[s], err));
    }
    for (size_t s = 0; s < 2; s++)
        exponent[s] = slope(c->y[s]);
    context->holds = exponent[0] < 1.15 && exponent[1] < 1.15;
    snprintf(context->finding, 768,
             "time grows as rows to the power of %.2f with SA-only and %.2f with QI-SA; %.0f rows take %.3f and %.3f "
             "seconds",
             exponent[0], exponent[1], rows[POINTS - 1], c->y[0][POINTS - 1], c->y[1][POINTS - 1]);
    return COVEY_OK;
}

const covey_experiment covey_experiment_dist_time = {
    .name = "dist-time",
    .figures = "Koudas09 Figure 13",
    .title = "Time of a distribution transformation",
    .source = "Koudas09, figure 13",
    .statement = "The time is linear in the number of rows.",
    .x_title = "rows",
    .y_title = "seconds",
    .x_log = true,
    .y_log = true,
    .run = run,
};
