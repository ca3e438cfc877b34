/* The error of AVG against the range of ages: both schemes, without and with made-up values, on three tables.
 * Source: [Koudas09] section 6, figure 5. */
#include <stdio.h>

#include "reproduce/distribution/groups.h"

/* With the source as target nothing is generalized by sa-only if its shares are kept exactly; groups by age need ratios
 * that they can have.  What the one costs with approximate shares, and the others with exact ones, stands behind. */
static const covey_distribution_curve curve[] = {
    {"SA-only", {.scheme = "sa-only", .resolution = "exact"}},
    {"QI-SA", {.scheme = "qi-sa"}},
    {"QI-SA, 5 % made up", {.scheme = "qi-sa", .fakes = "5%"}},
    {"QI-SA, 10 % made up", {.scheme = "qi-sa", .fakes = "10%"}},
    {"QI-SA, 20 % made up", {.scheme = "qi-sa", .fakes = "20%"}},
    {"SA-only, resolution 12", {.scheme = "sa-only"}},
    {"QI-SA, exact", {.scheme = "qi-sa", .resolution = "exact"}},
};
enum { SA, QI, QI_5, QI_10, QI_20, SA_APPROXIMATE, QI_EXACT, CURVES };

enum { LAST = COVEY_DIST_SPANS - 1 };

/* What is the same for all three tables: SA-only drops steeply, and QI-SA hardly changes. */
static bool is_as_always(const double *sa, const double *qi)
{
    const double steep = sa[LAST] / sa[0], flat = qi[LAST] / qi[0];

    return steep < 0.5 && flat > 0.6 && flat < 1.67;
}

/* The turning point: the first range from which on SA-only is better than QI-SA; 0: there is none. */
static double first_range_of_sa(const double *sa, const double *qi)
{
    size_t first = COVEY_DIST_SPANS;

    while (first > 0 && sa[first - 1] < qi[first - 1])
        first--;
    return first < COVEY_DIST_SPANS ? covey_i_distribution_spans[first] : 0;
}

typedef struct first_range {
    char words[48];
} first_range;

static first_range say_first_range(const double *sa, const double *qi)
{
    const double first = first_range_of_sa(sa, qi);
    first_range out;

    if (first > 0)
        snprintf(out.words, sizeof out.words, "better from ranges of %.0f on", first);
    else
        snprintf(out.words, sizeof out.words, "not better for the longest range");
    return out;
}

static void take_means(double *mean, const covey_curves *c)
{
    for (size_t i = 0; i < c->n_curves; i++)
        mean[i] = covey_i_distribution_mean(c->y[i]);
}

static bool few_help_many_hurt(const double *mean)
{
    return mean[QI_5] < mean[QI] && (mean[QI_20] > mean[QI_10] || mean[QI_20] > mean[QI_5]);
}

static void find(covey_experiment_context *context, const covey_distribution_groups *groups, const char *table)
{
    double *const *y = context->curves->y;
    double mean[CURVES];

    take_means(mean, context->curves);
    snprintf(
        context->finding, 768,
        "%s, %u rows; from 1 to 60 years SA-only, which keeps the target exactly, %.3f to %.3f, QI-SA with "
        "resolution 12 %.3f to %.3f; SA-only is %s; kept with resolution 12 by both, SA-only "
        "has %.3f to %.3f and is %s; kept exactly by both, QI-SA has %.3f to %.3f; QI-SA on "
        "average %.3f, with 5 %% made up %.3f, 10 %% %.3f, 20 %% %.3f (%u groups, intervals %.0f wide, weights off "
        "by %.3f)",
        table, groups[SA].n_rows, y[SA][0], y[SA][LAST], y[QI][0], y[QI][LAST], say_first_range(y[SA], y[QI]).words,
        y[SA_APPROXIMATE][0], y[SA_APPROXIMATE][LAST], say_first_range(y[SA_APPROXIMATE], y[QI]).words, y[QI_EXACT][0],
        y[QI_EXACT][LAST], mean[QI], mean[QI_5], mean[QI_10], mean[QI_20], groups[QI].n_groups, groups[QI].width,
        groups[QI].distance);
}

static covey_status run_adult(covey_experiment_context *context, covey_error *err)
{
    double *const *y = context->curves->y;
    covey_distribution_groups groups[CURVES];
    double mean[CURVES];
    char *table, *policy;
    bool is_real;

    COVEY_TRY(covey_i_distribution_adult_table(&table, &is_real, context, err));
    context->stands_in = !is_real;
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_distribution_range_curves(groups, context, policy, curve, CURVES, err));
    take_means(mean, context->curves);
    context->holds = is_as_always(y[SA], y[QI]) && first_range_of_sa(y[SA], y[QI]) > 1 && few_help_many_hurt(mean);
    find(context, groups, is_real ? "Adult" : "Generated in place of Adult");
    return COVEY_OK;
}

static covey_status run_independent(covey_experiment_context *context, covey_error *err)
{
    double *const *y = context->curves->y;
    covey_distribution_groups groups[CURVES];
    double mean[CURVES];
    char *table, *policy;

    COVEY_TRY(
        covey_i_distribution_generated_table(&table, context, (covey_distribution_table){"normal", "0", NULL}, err));
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_distribution_range_curves(groups, context, policy, curve, CURVES, err));
    take_means(mean, context->curves);
    context->holds = is_as_always(y[SA], y[QI]) && first_range_of_sa(y[SA], y[QI]) >= 30 && few_help_many_hurt(mean);
    find(context, groups, "Independent");
    return COVEY_OK;
}

/* --- numbers that rise with the age, and stray from its mean more or less --- */

static const char *const noise[] = {"50", "100", "300"};
enum { DEVIATIONS = sizeof noise / sizeof *noise, SCHEMES = 2, MADE_UP = 3 };

/* The schemes are in the plot, made-up values in the table alone. */
static const covey_distribution_curve correlated[DEVIATIONS][SCHEMES + MADE_UP] = {
#define CORRELATED(deviation)                                                                                          \
    {                                                                                                                  \
        {"SA-only, deviation " deviation, {.scheme = "sa-only", .resolution = "exact"}},                               \
            {"QI-SA, deviation " deviation, {.scheme = "qi-sa"}},                                                      \
            {"QI-SA, deviation " deviation ", 5 % made up", {.scheme = "qi-sa", .fakes = "5%"}},                       \
            {"QI-SA, deviation " deviation ", 10 % made up", {.scheme = "qi-sa", .fakes = "10%"}},                     \
            {"QI-SA, deviation " deviation ", 20 % made up", {.scheme = "qi-sa", .fakes = "20%"}},                     \
    }
    CORRELATED("50"), CORRELATED("100"), CORRELATED("300")};

static size_t curve_of(size_t deviation, size_t i)
{
    return i < SCHEMES ? deviation * SCHEMES + i : DEVIATIONS * SCHEMES + deviation * MADE_UP + i - SCHEMES;
}

static covey_status draw_correlated(covey_experiment_context *context, size_t d, covey_error *err)
{
    const covey_distribution_table wanted = {"normal", "1", noise[d]};
    char *table, *policy;

    COVEY_TRY(covey_i_distribution_generated_table(&table, context, wanted, err));
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_distribution_fill_curves(NULL, context, policy, correlated[d], SCHEMES, curve_of(d, 0), err));
    return covey_i_distribution_fill_curves(NULL, context, policy, correlated[d] + SCHEMES, MADE_UP,
                                            curve_of(d, SCHEMES), err);
}

/* For every deviation: SA-only better for all ranges, and the more may be made up the better is QI-SA. */
static void judge_correlated(covey_experiment_context *context)
{
    int at = 0;

    context->holds = true;
    for (size_t d = 0; d < DEVIATIONS; d++) {
        const double *sa = context->curves->y[curve_of(d, SA)], *qi = context->curves->y[curve_of(d, QI)];
        double mean[SCHEMES + MADE_UP];

        for (size_t i = 0; i < SCHEMES + MADE_UP; i++)
            mean[i] = covey_i_distribution_mean(context->curves->y[curve_of(d, i)]);
        context->holds = context->holds && is_as_always(sa, qi) && first_range_of_sa(sa, qi) == 1 &&
                         mean[QI] > mean[QI_5] && mean[QI_5] > mean[QI_10] && mean[QI_10] > mean[QI_20];
        at += snprintf(context->finding + at, 768 - (size_t)at,
                       "%sdeviation %s: SA-only %.3f to %.3f, QI-SA %.3f to %.3f, SA-only is %s; "
                       "QI-SA on average %.3f, with 5 %% made up %.3f, 10 %% %.3f, 20 %% %.3f",
                       d ? "; " : "", noise[d], sa[0], sa[LAST], qi[0], qi[LAST], say_first_range(sa, qi).words,
                       mean[QI], mean[QI_5], mean[QI_10], mean[QI_20]);
    }
}

static covey_status run_correlated(covey_experiment_context *context, covey_error *err)
{
    const char *name[DEVIATIONS * (SCHEMES + MADE_UP)];

    for (size_t d = 0; d < DEVIATIONS; d++)
        for (size_t i = 0; i < SCHEMES + MADE_UP; i++)
            name[curve_of(d, i)] = correlated[d][i].name;
    COVEY_TRY(covey_i_curves_new(context->curves, name, sizeof name / sizeof *name, covey_i_distribution_spans,
                                 COVEY_DIST_SPANS, context->arena, err));
    context->curves->n_plotted = DEVIATIONS * SCHEMES;
    for (size_t d = 0; d < DEVIATIONS; d++)
        COVEY_TRY(draw_correlated(context, d, err));
    judge_correlated(context);
    return COVEY_OK;
}

#define AXES .x_title = "years", .y_title = "relative error of the bounds"

const covey_experiment covey_experiment_dist_range_adult = {
    .name = "dist-range-adult",
    .figures = "Koudas09 Figure 5, Adult",
    .title = "Distribution transformation, AVG over ranges of ages: Adult",
    .source = "Koudas09, figure 5",
    .statement = "SA-only drops steeply with the range, QI-SA hardly changes; QI-SA is better for small ranges, "
                 "SA-only for large ones; a few made-up values "
                 "help QI-SA, 20 % hurt.",
    AXES,
    .because = COVEY_DIFFERENCE_CHOICE,
    .why = "SA-only keeps the target exactly and QI-SA approximately; where both keep it with resolution 12, QI-SA is "
           "better for short ranges, as in the paper; 20 % made-up values hurt where as many are made up as may be, "
           "which the paper's recurrence prefers, as it leaves them out of its sum, and weights are finer",
    .run = run_adult,
};

const covey_experiment covey_experiment_dist_range_independent = {
    .name = "dist-range-independent",
    .figures = "Koudas09 Figure 5, uncorrelated",
    .title = "Distribution transformation, AVG over ranges of ages: numbers that do not depend on the age",
    .source = "Koudas09, figure 5",
    .statement = "QI-SA is good throughout, SA-only wins only near full coverage; 5 % made-up values help, more hurt.",
    AXES,
    .because = COVEY_DIFFERENCE_DATA,
    .why = "20 % of made-up values hurt no more than 10 % do, since some 160 rows of an age are far from the target by "
           "chance; with twice as many rows (--rows 20000) they do hurt, as in the paper",
    .run = run_independent,
};

const covey_experiment covey_experiment_dist_range_correlated = {
    .name = "dist-range-correlated",
    .figures = "Koudas09 Figure 5, correlated",
    .title = "Distribution transformation, AVG over ranges of ages: numbers that rise with the age",
    .source = "Koudas09, figure 5",
    .statement = "SA-only is better than QI-SA for all ranges; QI-SA gets better the more values may be made up.",
    AXES,
    .because = COVEY_DIFFERENCE_DATA,
    .why =
        "how far the paper's numbers stray from the mean of their age is not given: with a deviation of 50 SA-only is "
        "better for every range, as there, and the more they stray the more values of an age can be let down",
    .run = run_correlated,
};
