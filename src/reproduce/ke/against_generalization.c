/* Permuting against generalizing one and the same partition: AVG over arbitrary rows, and over ranges of ages.
 * Source: [Zhang07] section 6. */
#include "reproduce/ke/groups.h"

#include <stdio.h>

#include "base/error.h"

enum { MOST_POINTS = 10, PART = 1000 }; /* PART: with more rows nearly all are selected */

static const char *const name[] = {"generalization", "permutation"};
static const double selected[] = {5, 10, 20, 50, 100, 200, 400, 700, 1000, 1400},
                    spans[] = {1, 2, 5, 10, 20, 30, 40, 50, 60};

struct asking {
    bool age_alone, ranges;
};

/* An l-diverse partition by full-domain recoding, then queries against it. */
static covey_status compare(covey_experiment_context *context, covey_error *err)
{
    static const covey_setting settings[] = {
        {"model", "distinct-l-diversity:l=5"}, {"method", "full-domain"}, {NULL, NULL}};
    const bool ranges = ((const struct asking *)context->task)->ranges;
    const double *x = ranges ? spans : selected;
    const size_t n = ranges ? sizeof spans / sizeof *spans : sizeof selected / sizeof *selected;
    const char *policy = covey_i_ke_adult_policy(context, ((const struct asking *)context->task)->age_alone);
    covey_curves *curves = context->curves;
    covey_ke_groups groups;
    bool is_inside = true, is_as_said = true;

    if (!policy)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_new(curves, name, 2, x, n, context->arena, err));
    COVEY_TRY(covey_i_ke_groups_make(&groups, context, policy, settings, context->arena, err));
    for (size_t p = 0; p < n; p++) {
        covey_ke_error error;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, n, err));
        COVEY_TRY(ranges ? covey_i_ke_range(&error, &groups, x[p], p + 1, context->arena, err)
                         : covey_i_ke_arbitrary(&error, &groups, (uint32_t)x[p], p + 1, context->arena, err));
        curves->y[0][p] = error.generalized;
        curves->y[1][p] = error.permuted;
        is_inside = is_inside && error.is_inside;
        /* "Significantly higher than twice the actual results" is a relative error above 2. */
        is_as_said = is_as_said && (ranges ? error.generalized > error.permuted : x[p] > PART || error.generalized > 2);
    }
    context->holds = is_inside && is_as_said && curves->y[1][n - 1] < curves->y[1][0];
    snprintf(context->finding, 768,
             "%u groups; relative error of generalization %.3f to %.3f, of permutation %.3f to %.3f; every bound of "
             "permutation %s inside that of generalization; generalization's error is %s%s",
             groups.n_groups, curves->y[0][0], curves->y[0][n - 1], curves->y[1][0], curves->y[1][n - 1],
             is_inside ? "lies" : "does not lie", is_as_said ? "" : "not everywhere ",
             ranges ? "the larger one" : "above twice the result for up to 1,000 rows");
    return COVEY_OK;
}

#define STATEMENT_ARBITRARY                                                                                            \
    "The bounds of generalization are off by more than twice the actual result; those of permutation on the same "     \
    "partition are nearer, and their error drops sharply with the number of rows."
#define STATEMENT_RANGE                                                                                                \
    "Permutation has the smaller error at every span, and it drops as ranges grow; generalization suffers because "    \
    "ages are nearly fully generalized."

const covey_experiment covey_experiment_ke_arbitrary = {
    .name = "ke-arbitrary",
    .figures = "Zhang07 arbitrary queries",
    .title = "AVG over arbitrary rows: permutation and generalization",
    COVEY_KE_ADULT,
    .statement = STATEMENT_ARBITRARY,
    .x_title = "rows selected",
    .x_log = true,
    .run = compare,
    .task = &(const struct asking){false, false},
};

const covey_experiment covey_experiment_ke_range = {
    .name = "ke-range",
    .figures = "Zhang07 range queries",
    .title = "AVG over ranges of ages: permutation and generalization",
    COVEY_KE_ADULT,
    .statement = STATEMENT_RANGE,
    .x_title = "years",
    .run = compare,
    .task = &(const struct asking){false, true},
};

const covey_experiment covey_experiment_ke_arbitrary_age = {
    .name = "ke-arbitrary-age",
    .figures = "Zhang07 arbitrary queries, age alone",
    .title = "AVG over arbitrary rows, age the only quasi-identifier",
    COVEY_KE_ADULT,
    .statement = STATEMENT_ARBITRARY,
    .x_title = "rows selected",
    .x_log = true,
    .run = compare,
    .task = &(const struct asking){true, false},
};

const covey_experiment covey_experiment_ke_range_age = {
    .name = "ke-range-age",
    .figures = "Zhang07 range queries, age alone",
    .title = "AVG over ranges of ages, age the only quasi-identifier",
    COVEY_KE_ADULT,
    .statement = STATEMENT_RANGE,
    .x_title = "years",
    .run = compare,
    .task = &(const struct asking){true, true},
};
