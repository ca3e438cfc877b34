/* How rows are put into groups: an l-diverse partition, scanning, and the two that look at the numbers.  Permutation
 * everywhere. Source: [Zhang07] section 6. */
#include "reproduce/ke/strategies.h"

#include <stdio.h>

#include "base/error.h"

const char *const covey_i_ke_strategy_names[COVEY_KE_STRATEGIES] = {"l-diversity partition", "scan", "min-max-touch",
                                                                    "min-sum"};

covey_status covey_i_ke_partition(covey_ke_groups *out, const covey_experiment_context *context, const char *policy,
                                  size_t strategy, covey_arena *arena, covey_error *err)
{
    static const char *const criterion[] = {NULL, "scan", "min-max-touch", "min-sum"};
    char model[64], method[64];
    const covey_setting settings[] = {{"model", model}, {"method", method}, {NULL, NULL}};

    if (strategy == COVEY_KE_L) {
        snprintf(model, sizeof model, "distinct-l-diversity:l=5");
        snprintf(method, sizeof method, "full-domain");
    } else {
        snprintf(model, sizeof model, "ke-anonymity:k=5,e=100");
        snprintf(method, sizeof method, "ke-permutation:criterion=%s", criterion[strategy]);
    }
    return covey_i_ke_groups_make(out, context, policy, settings, arena, err);
}

/* Are the two that look at the numbers well below the others, and is scanning better than the l-diverse partition? */
static void judge(covey_experiment_context *context, size_t n)
{
    const covey_curves *c = context->curves;
    double mean[COVEY_KE_STRATEGIES] = {0};

    for (size_t s = 0; s < COVEY_KE_STRATEGIES; s++)
        for (size_t p = 0; p < n; p++)
            mean[s] += c->y[s][p] / (double)n;
    context->holds = mean[COVEY_KE_TOUCH] < mean[COVEY_KE_SCAN] && mean[COVEY_KE_SUM] < mean[COVEY_KE_SCAN] &&
                     mean[COVEY_KE_SCAN] < mean[COVEY_KE_L];
    snprintf(context->finding, 768,
             "k = l = 5, e = 100; mean relative error: l-diversity partition %.3f, scan %.3f, min-max-touch %.3f, "
             "min-sum %.3f",
             mean[COVEY_KE_L], mean[COVEY_KE_SCAN], mean[COVEY_KE_TOUCH], mean[COVEY_KE_SUM]);
}

/* task: over ranges? */
static covey_status compare(covey_experiment_context *context, covey_error *err)
{
    static const double selected[] = {5, 10, 20, 50, 100, 200, 400, 700, 1000, 1400},
                        spans[] = {1, 2, 5, 10, 20, 30, 40, 50, 60};
    const bool ranges = *(const bool *)context->task;
    const double *x = ranges ? spans : selected;
    const size_t n = ranges ? sizeof spans / sizeof *spans : sizeof selected / sizeof *selected;
    const char *policy = covey_i_ke_adult_policy(context, false);

    if (!policy)
        return covey_i_no_memory(err);
    COVEY_TRY(
        covey_i_curves_new(context->curves, covey_i_ke_strategy_names, COVEY_KE_STRATEGIES, x, n, context->arena, err));
    for (size_t s = 0; s < COVEY_KE_STRATEGIES; s++) {
        covey_ke_groups groups;

        COVEY_TRY(covey_i_experiment_goes_on(context, s, COVEY_KE_STRATEGIES, err));
        COVEY_TRY(covey_i_ke_partition(&groups, context, policy, s, context->arena, err));
        for (size_t p = 0; p < n; p++) {
            covey_ke_error error;

            COVEY_TRY(ranges ? covey_i_ke_range(&error, &groups, x[p], p + 1, context->arena, err)
                             : covey_i_ke_arbitrary(&error, &groups, (uint32_t)x[p], p + 1, context->arena, err));
            context->curves->y[s][p] = error.permuted;
        }
    }
    judge(context, n);
    return COVEY_OK;
}

#define STATEMENT                                                                                                      \
    "Partitions that minimise the sum or the maximum of ranges have errors well below the others; the l-diverse "      \
    "partition is worse than scanning."

const covey_experiment covey_experiment_ke_strategies = {
    .name = "ke-strategies",
    .figures = "Zhang07 partitions, arbitrary queries",
    .title = "Ways of partitioning: AVG over arbitrary rows",
    COVEY_KE_ADULT,
    .statement = STATEMENT,
    .x_title = "rows selected",
    .x_log = true,
    .run = compare,
    .task = &(const bool){false},
};

const covey_experiment covey_experiment_ke_strategies_range = {
    .name = "ke-strategies-range",
    .figures = "Zhang07 partitions, range queries",
    .title = "Ways of partitioning: AVG over ranges of ages",
    COVEY_KE_ADULT,
    .statement = STATEMENT,
    .x_title = "years",
    .run = compare,
    .task = &(const bool){true},
};
