/* What bounds cost: AVG over a range of ages with bounds from the help table, against AVG over the rows themselves.
 * Source: [Zhang07] section 6. */
#include "reproduce/ke/strategies.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"

enum { QUERIES = 200 };

/* Sums that a help table holds: of the first and the last hits of each group. */
static covey_status make_help(double **lower, double **upper, const covey_ke_groups *g, covey_arena *arena,
                              covey_error *err)
{
    *lower = covey_arena_array(arena, double, (size_t)g->n_rows + g->n_groups);
    *upper = covey_arena_array(arena, double, (size_t)g->n_rows + g->n_groups);
    if (!*lower || !*upper)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < g->n_groups; c++) {
        double *low = *lower + g->start[c] + c, *high = *upper + g->start[c] + c;
        const uint32_t size = g->start[c + 1] - g->start[c];

        low[0] = high[0] = 0;
        for (uint32_t i = 0; i < size; i++) {
            low[i + 1] = low[i] + g->sorted[g->start[c] + i];
            high[i + 1] = high[i] + g->sorted[g->start[c + 1] - 1 - i];
        }
    }
    return COVEY_OK;
}

/* Seconds a query, of the rewritten kind and of the plain one; sink keeps the compiler from leaving the work out. */
static covey_status measure(double *rewritten, double *plain, const covey_ke_groups *g, covey_arena *arena,
                            double *sink, covey_error *err)
{
    uint32_t *hits = covey_arena_array(arena, uint32_t, g->n_groups);
    double *lower, *upper, begin;

    if (!hits)
        return covey_i_no_memory(err);
    COVEY_TRY(make_help(&lower, &upper, g, arena, err));
    begin = covey_i_seconds();
    for (int i = 0; i < QUERIES; i++) {
        const double from = 17 + i % 40, to = from + 20;
        double low = 0, high = 0, n = 0;

        for (uint32_t c = 0; c < g->n_groups; c++)
            hits[c] = 0;
        for (uint32_t r = 0; r < g->n_rows; r++)
            hits[g->group[r]] += g->age[r] >= from && g->age[r] <= to;
        for (uint32_t c = 0; c < g->n_groups; c++) {
            low += lower[g->start[c] + c + hits[c]];
            high += upper[g->start[c] + c + hits[c]];
            n += hits[c];
        }
        *sink += (low + high) / n;
    }
    *rewritten = (covey_i_seconds() - begin) / QUERIES;
    begin = covey_i_seconds();
    for (int i = 0; i < QUERIES; i++) {
        const double from = 17 + i % 40, to = from + 20;
        double sum = 0, n = 0;

        for (uint32_t r = 0; r < g->n_rows; r++) {
            const bool selected = g->age[r] >= from && g->age[r] <= to;

            sum += selected ? g->value[r] : 0;
            n += selected;
        }
        *sink += sum / n;
    }
    *plain = (covey_i_seconds() - begin) / QUERIES;
    return COVEY_OK;
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[] = {"with bounds", "over the rows themselves"};
    static const double rows[] = {1000, 3000, 10000, 30000, 100000};
    enum { POINTS = sizeof rows / sizeof *rows };
    double sink = 0, most = 0;

    COVEY_TRY(covey_i_curves_new(context->curves, name, 2, rows, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        covey_ke_groups groups;
        double *y[2] = {&context->curves->y[0][p], &context->curves->y[1][p]};
        char *policy;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_i_ke_generated_policy(&policy, context, "0", "300", (int64_t)rows[p], err));
        COVEY_TRY(covey_i_ke_partition(&groups, context, policy, COVEY_KE_SUM, 5, 20, context->arena, err));
        COVEY_TRY(measure(y[0], y[1], &groups, context->arena, &sink, err));
        most = *y[0] / *y[1] > most ? *y[0] / *y[1] : most;
        *y[0] *= 1e6;
        *y[1] *= 1e6;
    }
    context->holds = most < 10 && sink != 0;
    snprintf(context->finding, 768, "bounds cost at most %.1f times the time of the plain query", most);
    return COVEY_OK;
}

const covey_experiment covey_experiment_ke_time = {
    .name = "ke-time",
    .figures = "Zhang07 query overhead",
    .title = "Time of a query with bounds",
    .source = "Zhang07, section 6",
    .statement = "The rewritten query takes a modest factor of the original one's time.",
    .x_title = "rows",
    .y_title = "microseconds a query",
    .x_log = true,
    .y_log = true,
    .run = run,
};
