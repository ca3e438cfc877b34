/* How long slicing takes for more and more rows: strict and relaxed cuts. With strict cuts it is O(n log n). */
#include <covey/generate.h>

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "reproduce/experiment_job.h"

enum { POINTS = 5, CUTS = 2 };

static const char *const cuts[CUTS] = {"strict", "relaxed"};

static covey_status measure(double *seconds, const covey_experiment_context *context, const char *rows, const char *cut,
                            covey_error *err)
{
    covey_experiment_made made;
    covey_text policy = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&policy,
                            "version: 1\ninput: {path: \"%s\"}\nprivacy: [{model: sliced-l-diversity, l: 5}]\nmethod: "
                            "{name: slicing, cut: %s}\n"
                            "attributes:\n",
                            rows, cut);
    covey_i_text_add_string(
        &policy, "  - {name: age, role: quasi-identifier}\n  - {name: gender, role: quasi-identifier}\n  - {name: "
                 "education, role: quasi-identifier}\n"
                 "  - {name: marital, role: quasi-identifier}\n  - {name: workclass, role: quasi-identifier}\n"
                 "  - {name: salary, role: sensitive}\n");
    status =
        policy.broken ? covey_i_no_memory(err) : covey_i_experiment_make(&made, context, policy.bytes, NULL, NULL, err);
    covey_i_text_free(&policy);
    if (status != COVEY_OK)
        return status;
    *seconds = made.seconds;
    covey_i_experiment_made_clear(&made);
    return COVEY_OK;
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[CUTS] = {"strict cuts", "relaxed cuts"};
    const double most = context->options->rows ? (double)context->options->rows : 160000;
    char *path = covey_i_experiment_scratch(context, "rows.csv");
    covey_curves *c = context->curves;
    double rows[POINTS], power[CUTS];

    if (!path)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < POINTS; p++)
        rows[p] = floor(most / (1 << (POINTS - 1 - p)));
    COVEY_TRY(covey_i_curves_new(c, name, CUTS, rows, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++) {
        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_generate("census", (int64_t)rows[p], 1, path, true, NULL, err));
        for (size_t i = 0; i < CUTS; i++)
            COVEY_TRY(measure(&c->y[i][p], context, path, cuts[i], err));
    }
    for (size_t i = 0; i < CUTS; i++) /* time grows as rows to the power of ... */
        power[i] = log(c->y[i][POINTS - 1] / c->y[i][0]) / log(rows[POINTS - 1] / rows[0]);
    context->holds = fmin(power[0], power[1]) > 1.8 && fmax(power[0], power[1]) < 2.3; /* n^2 log n, no less either */
    snprintf(context->finding, 768,
             "%.0f rows of census take %.3f s with strict and %.3f s with relaxed cuts; from %.0f rows on the time "
             "grows as the number of rows to the "
             "power of %.2f and %.2f, because sets inside buckets are judged and not signatures against all buckets",
             rows[POINTS - 1], c->y[0][POINTS - 1], c->y[1][POINTS - 1], rows[0], power[0], power[1]);
    return COVEY_OK;
}

const covey_experiment covey_experiment_slicing_time = {
    .name = "slicing-time",
    .figures = "OverlappingSlicing Section 2.1, time",
    .title = "Time of slicing against rows",
    .source = "OverlappingSlicing, section 2.1",
    .statement = "The time complexity of the tuple-partition algorithm is O(n^2 log n).",
    .x_title = "rows",
    .y_title = "seconds",
    .x_log = true,
    .y_log = true,
    .because = COVEY_DIFFERENCE_CHOICE,
    .why = "sets of rows inside buckets are judged here, and not every signature against all buckets as in the paper's "
           "listing, so that the power is below 2",
    .run = run,
};
