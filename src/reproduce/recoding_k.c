/* Information loss against k: full-domain recoding with and without suppression, multidimensional cuts, local recoding.
 */
#include "reproduce/experiment_job.h"

#include <stdio.h>

#include "base/error.h"

struct curve {
    const char *name, *method, *suppression;
};

static const struct curve curve[] = {
    {"full-domain", "full-domain", "0"},
    {"full-domain, 1 % suppressed", "full-domain", "0.01"},
    {"full-domain, 5 % suppressed", "full-domain", "0.05"},
    {"mondrian", "mondrian", "0"},
    {"peel", "peel", "0"},
};
enum { CURVES = sizeof curve / sizeof *curve };

static const double ks[] = {2, 5, 10, 25, 50, 100};
enum { POINTS = sizeof ks / sizeof *ks };

static covey_status measure(double *ail, const covey_experiment_context *context, const char *policy,
                            const struct curve *c, int k, covey_error *err)
{
    char model[32];
    const covey_setting settings[] = {
        {"model", model}, {"method", c->method}, {"suppression", c->suppression}, {NULL, NULL}};
    covey_anonymize_report report;

    snprintf(model, sizeof model, "k-anonymity:k=%d", k);
    COVEY_TRY(covey_i_experiment_anonymize(&report, context, policy, settings, err));
    *ail = report.figures.ail;
    covey_anonymize_report_clear(&report);
    return COVEY_OK;
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    const char *policy = covey_i_experiment_adult_policy(context), *name[CURVES];
    bool grows = true, ordered = true;

    if (!policy)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < CURVES; c++)
        name[c] = curve[c].name;
    COVEY_TRY(covey_i_curves_new(context->curves, name, CURVES, ks, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++)
        for (size_t c = 0; c < CURVES; c++) {
            double *ail = &context->curves->y[c][p];

            COVEY_TRY(covey_i_experiment_goes_on(context, p * CURVES + c, CURVES * POINTS, err));
            COVEY_TRY(measure(ail, context, policy, &curve[c], (int)ks[p], err));
            grows = grows && (p == 0 || ail[0] >= ail[-1]);
        }
    for (size_t p = 0; p < POINTS; p++)
        ordered = ordered && context->curves->y[0][p] >= context->curves->y[3][p] &&
                  context->curves->y[3][p] >= context->curves->y[4][p];
    context->holds = grows && ordered;
    snprintf(context->finding, 768,
             "at k = 5 full-domain loses %.3f, with 5 %% suppressed %.3f, mondrian %.3f, peel %.3f; loss %s with k; "
             "the order %s",
             context->curves->y[0][1], context->curves->y[2][1], context->curves->y[3][1], context->curves->y[4][1],
             grows ? "grows" : "does not always grow",
             ordered ? "is the expected one" : "is not everywhere the expected one");
    return COVEY_OK;
}

const covey_experiment covey_experiment_recoding_k = {
    .name = "recoding-k",
    .title = "Information loss of global, regional and local recoding",
    .source = "LeFevre06",
    .statement = "Loss grows with k and falls with suppression; full-domain recoding loses more than Mondrian, "
                 "Mondrian more than local recoding.",
    .x_title = "k",
    .y_title = "average information loss",
    .x_log = true,
    .needs = covey_i_adult_needs,
    .run = run,
};
