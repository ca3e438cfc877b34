/* What the classes of BUREL with its further split, as the paper ran it, give away beside beta: closeness and
 * diversity, and what a Naive Bayes classifier learns from them. Source: [CaoKarras12] section 7, the table of t and l,
 * and the figure beside it. */
#include "reproduce/likeness/likeness.h"

#include <covey/attack.h>

#include "base/error.h"

static const double betas[] = {1, 2, 3, 4, 5};
enum { POINTS = sizeof betas / sizeof *betas, DEFAULT = 3 };

static covey_likeness_job job_of(const covey_likeness_table *table, double beta)
{
    return (covey_likeness_job){
        .table = table, .scheme = COVEY_LIKENESS_SPLIT, .n_quasi = COVEY_LIKENESS_QUASI, .threshold = beta};
}

static covey_status run_table(covey_experiment_context *context, covey_error *err)
{
    enum { T, MEAN_T, L, MEAN_L, PROBABILISTIC, CURVES };
    static const char *const name[CURVES] = {"t", "mean t", "l", "mean l", "1 / largest share"};
    static const covey_claim claims[] = {
        {.kind = COVEY_CLAIM_AT_LEAST, .curve = L, .factor = 6},
        {.kind = COVEY_CLAIM_FALLS, .curve = L},
        {.kind = COVEY_CLAIM_RISES, .curve = T},
    };
    covey_likeness_table table;

    COVEY_TRY(covey_i_curves_new(context->curves, name, CURVES, betas, POINTS, context->arena, err));
    COVEY_TRY(covey_i_likeness_table(&table, context, NULL, err));
    for (size_t p = 0; p < POINTS; p++) {
        const covey_likeness_job job = job_of(&table, betas[p]);
        covey_likeness_figures figures;

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_i_likeness_run(&figures, context, &job, err));
        context->curves->y[T][p] = figures.t;
        context->curves->y[MEAN_T][p] = figures.mean_t;
        context->curves->y[L][p] = figures.l;
        context->curves->y[MEAN_L][p] = figures.mean_l;
        context->curves->y[PROBABILISTIC][p] = 1 / figures.largest;
    }
    covey_i_likeness_judge(context, DEFAULT, "beta", claims, sizeof claims / sizeof *claims);
    return COVEY_OK;
}

/* How many rows the classifier guesses rightly, and how many one would that has learned from the table itself. */
static covey_status attack(double *success, double *ceiling, const covey_experiment_context *context,
                           const covey_likeness_table *table, covey_error *err)
{
    static const char *const name[] = {"naive-bayes"};
    const covey_attack_options options = {.original = table->path, .n_names = 1, .name = name};
    const char *release = covey_i_experiment_release(context);
    covey_attack_report *report;

    if (!release)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_attack_release(&report, release, &options, context->run, err));
    *success = report->result[0].figure;
    *ceiling = report->result[0].ceiling;
    covey_attack_report_free(report);
    return COVEY_OK;
}

static covey_status run_bayes(covey_experiment_context *context, covey_error *err)
{
    enum { SUCCESS, MOST_FREQUENT, CEILING, CURVES };
    static const char *const name[CURVES] = {"Naive Bayes", "the most frequent salary",
                                             "Naive Bayes that knows the table"};
    static const covey_claim claims[] = {
        {.kind = COVEY_CLAIM_BELOW, .curve = SUCCESS, .other = MOST_FREQUENT, .factor = 1.25}};
    covey_likeness_table table;

    COVEY_TRY(covey_i_curves_new(context->curves, name, CURVES, betas, POINTS, context->arena, err));
    COVEY_TRY(covey_i_likeness_table(&table, context, NULL, err));
    for (size_t p = 0; p < POINTS; p++) {
        const covey_likeness_job job = job_of(&table, betas[p]);

        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(covey_i_likeness_write(context, &job, err));
        COVEY_TRY(attack(&context->curves->y[SUCCESS][p], &context->curves->y[CEILING][p], context, &table, err));
        context->curves->y[MOST_FREQUENT][p] = table.largest_share;
    }
    covey_i_likeness_judge(context, DEFAULT, "beta", claims, 1);
    return COVEY_OK;
}

const covey_experiment covey_experiment_likeness_table = {
    .name = "likeness-table",
    .title = "Closeness and diversity of BUREL's classes",
    .source = "CaoKarras12, section 7, table of t and l",
    .figures = "CaoKarras12 Section 7, table",
    .statement = "t grows and l falls with beta, and for beta up to 5 every class has at least 6 different values.",
    .x_title = "beta",
    .y_title = "t (ordered distance), l (different values)",
    .y_log = true,
    .because = COVEY_DIFFERENCE_DATA,
    .why =
        "t is that of the farthest class, and larger classes are nearer: before the split they have 373 rows at beta "
        "3 and 2,347 at 4, since how often buckets can be halved depends on their rows; with 200,000, 300,000 or "
        "450,000 rows t rises at every step",
    .run = run_table,
};

const covey_experiment covey_experiment_likeness_bayes = {
    .name = "likeness-bayes",
    .title = "Naive Bayes on BUREL's classes",
    .source = "CaoKarras12, section 7, figure of success rates",
    .figures = "CaoKarras12 Section 7, Naive Bayes",
    .statement = "The classifier is right hardly more often than who always guesses the most frequent value.",
    .x_title = "beta",
    .y_title = "rows guessed rightly",
    .run = run_bayes,
};
