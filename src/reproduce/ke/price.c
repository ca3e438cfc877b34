/* What more privacy costs: k with e fixed, e with k fixed; and how far blocks are from the exact least maximum, and
 * what `refine` gives. Source: [Zhang07] section 6. */
#include "reproduce/ke/strategies.h"

#include <stdio.h>

#include "base/error.h"

enum { SELECTED = 50 };

static const double ks[] = {2, 5, 10, 20}, es[] = {0, 100, 500, 1000};
enum { POINTS = 4 };

static covey_status measure(double *error_out, const covey_experiment_context *context, const char *policy,
                            const char *method, int k, int e, covey_error *err)
{
    char model[64];
    const covey_setting settings[] = {{"model", model}, {"method", method}, {NULL, NULL}};
    covey_ke_groups groups;
    covey_ke_error error;

    snprintf(model, sizeof model, "ke-anonymity:k=%d,e=%d", k, e);
    COVEY_TRY(covey_i_ke_groups_make(&groups, context, policy, settings, context->arena, err));
    COVEY_TRY(covey_i_ke_arbitrary(&error, &groups, SELECTED, 1, context->arena, err));
    *error_out = error.permuted;
    return COVEY_OK;
}

/* task: of k? */
static covey_status price(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[] = {"min-sum", "min-max", "min-sum, refined", "min-max-touch"};
    static const char *const method[] = {"ke-permutation:criterion=min-sum", "ke-permutation:criterion=min-max",
                                         "ke-permutation:criterion=min-sum,refine=true",
                                         "ke-permutation:criterion=min-max-touch"};
    const bool of_k = *(const bool *)context->task;
    const char *policy = covey_i_ke_adult_policy(context, true);
    covey_curves *c = context->curves;

    if (!policy)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_new(c, name, 4, of_k ? ks : es, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++)
        for (size_t m = 0; m < 4; m++) {
            COVEY_TRY(covey_i_experiment_goes_on(context, p * 4 + m, POINTS * 4, err));
            COVEY_TRY(
                measure(&c->y[m][p], context, policy, method[m], of_k ? (int)ks[p] : 5, of_k ? 100 : (int)es[p], err));
        }
    context->holds = c->y[0][POINTS - 1] >= c->y[0][0] * 0.99 && c->y[1][POINTS - 1] >= c->y[1][0] * 0.99 &&
                     c->y[0][POINTS - 1] < 10 * c->y[0][0] && c->y[1][POINTS - 1] < 10 * c->y[1][0];
    snprintf(context->finding, 768,
             "%s; min-sum goes from %.3f to %.3f, min-max from %.3f to %.3f (blocks: %.3f to %.3f), min-sum with "
             "refine from %.3f to %.3f",
             of_k ? "e = 100" : "k = 5", c->y[0][0], c->y[0][POINTS - 1], c->y[1][0], c->y[1][POINTS - 1], c->y[3][0],
             c->y[3][POINTS - 1], c->y[2][0], c->y[2][POINTS - 1]);
    return COVEY_OK;
}

#define STATEMENT "The error grows slowly with the privacy that is asked for."

const covey_experiment covey_experiment_ke_price_k = {
    .name = "ke-price-k",
    .figures = "Zhang07 larger k",
    .title = "The price of k: AVG over 50 rows",
    COVEY_KE_ADULT,
    .statement = STATEMENT,
    .x_title = "k",
    .run = price,
    .task = &(const bool){true},
};

const covey_experiment covey_experiment_ke_price_e = {
    .name = "ke-price-e",
    .figures = "Zhang07 larger e",
    .title = "The price of e: AVG over 50 rows",
    COVEY_KE_ADULT,
    .statement = STATEMENT,
    .x_title = "e",
    .because = COVEY_DIFFERENCE_DATA,
    .why = "half of Adult's capital losses lie within 305 of each other (1672 to 1977) and 166 of 1,427 farther than "
           "500 from the middle one, so that for e = 1000 groups must be many times as large",
    .run = price,
    .task = &(const bool){false},
};
