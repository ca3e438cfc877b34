/* Targets that are not what the rows follow: normal ones for uniform numbers, and Zipf ones for numbers with another
 * exponent.  And hierarchies of two arities.  Ranges are 50 years long, but for the arities. Source: [Koudas09] section
 * 6, figures 7 to 10. */
#include <stdio.h>

#include "reproduce/distribution/groups.h"

enum { SPAN = 50, SA = 0, QI = 1 };

/* Curves of one table. */
typedef struct targeted {
    covey_distribution_table table;
    const covey_distribution_curve *curve; /* their targets are left open */
    size_t n;
} targeted;

static const covey_distribution_curve both[] = {{"SA-only", {.scheme = "sa-only"}}, {"QI-SA", {.scheme = "qi-sa"}}};

/* One release for each curve and target, from the curve `first` on; x is what the targets are made of. */
static covey_status fill(covey_experiment_context *context, const targeted *of, size_t first, const char (*target)[64],
                         covey_error *err)
{
    const covey_curves *c = context->curves;
    char *policy, *table;

    COVEY_TRY(covey_i_distribution_generated_table(&table, context, of->table, err));
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    for (size_t p = 0; p < c->n_points; p++)
        for (size_t i = 0; i < of->n; i++) {
            covey_distribution_setup setup = of->curve[i].setup;
            covey_distribution_groups groups;

            setup.target = target[p];
            COVEY_TRY(covey_i_experiment_goes_on(context, first * c->n_points + of->n * p + i,
                                                 c->n_curves * c->n_points, err));
            COVEY_TRY(covey_i_distribution_groups_make(&groups, context, policy, &setup, context->arena, err));
            COVEY_TRY(covey_i_distribution_range(&c->y[first + i][p], &groups, SPAN, 1, context->arena, err));
        }
    return COVEY_OK;
}

static covey_status vary(covey_experiment_context *context, const targeted *of, size_t n, const double *x,
                         const char (*target)[64], size_t n_points, covey_error *err)
{
    const char *name[COVEY_CURVES_MOST];
    size_t n_curves = 0;

    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < of[t].n; i++)
            name[n_curves++] = of[t].curve[i].name;
    COVEY_TRY(covey_i_curves_new(context->curves, name, n_curves, x, n_points, context->arena, err));
    n_curves = 0;
    for (size_t t = 0; t < n; n_curves += of[t++].n)
        COVEY_TRY(fill(context, &of[t], n_curves, target, err));
    return COVEY_OK;
}

static bool rises(const double *y, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (y[i] < y[i - 1])
            return false;
    return true;
}

static covey_status run_normal(covey_experiment_context *context, covey_error *err)
{
    static const double r[] = {1, 2, 4, 8, 16, 32};
    enum { POINTS = sizeof r / sizeof *r };
    const targeted of = {{"uniform", "0", NULL}, both, 2};
    const covey_curves *c = context->curves;
    char target[POINTS][64];

    for (size_t p = 0; p < POINTS; p++)
        snprintf(target[p], sizeof target[p], "{normal: {mean: 2048, sd: %.0f}}", 2048 / r[p]);
    COVEY_TRY(vary(context, &of, 1, r, (const char(*)[64])target, POINTS, err));
    context->holds = rises(c->y[SA], POINTS) && rises(c->y[QI], POINTS);
    snprintf(context->finding, 768,
             "sd = 2048/r, resolution 12; from r = 1 to 32 SA-only goes from %.3f to %.3f, QI-SA from %.3f to %.3f",
             c->y[SA][0], c->y[SA][POINTS - 1], c->y[QI][0], c->y[QI][POINTS - 1]);
    return COVEY_OK;
}

static const double exponent[] = {0, 0.1, 0.2, 0.4, 0.7, 1, 1.5};
enum { EXPONENTS = sizeof exponent / sizeof *exponent, AGREE = 1 };

static covey_status vary_zipf(covey_experiment_context *context, const targeted *of, size_t n, covey_error *err)
{
    char target[EXPONENTS][64];

    for (size_t p = 0; p < EXPONENTS; p++)
        snprintf(target[p], sizeof target[p], "{zipf: {s: %g}}", exponent[p]);
    return vary(context, of, n, exponent, (const char(*)[64])target, EXPONENTS, err);
}

static size_t least(const double *y, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        best = y[i] < y[best] ? i : best;
    return best;
}

static covey_status run_zipf(covey_experiment_context *context, covey_error *err)
{
    static const covey_distribution_curve curve[] = {{"SA-only", {.scheme = "sa-only"}},
                                                     {"QI-SA", {.scheme = "qi-sa"}},
                                                     {"QI-SA, resolution 8", {.scheme = "qi-sa", .resolution = "8"}}};
    const targeted of = {{"zipf:0.1", "0", NULL}, curve, sizeof curve / sizeof *curve};
    const covey_curves *c = context->curves;
    int at = 0;

    COVEY_TRY(vary_zipf(context, &of, 1, err));
    context->holds = least(c->y[SA], EXPONENTS) == AGREE && least(c->y[QI], EXPONENTS) == AGREE;
    for (size_t i = 0; i < of.n; i++)
        at += snprintf(context->finding + at, 768 - (size_t)at,
                       "%s%s is least at s = %g (%.3f at s = 0.1, %.3f at 0, %.3f at 0.2, %.3f at 1.5)", i ? "; " : "",
                       curve[i].name, exponent[least(c->y[i], EXPONENTS)], c->y[i][AGREE], c->y[i][0],
                       c->y[i][AGREE + 1], c->y[i][EXPONENTS - 1]);
    return COVEY_OK;
}

static covey_status run_zipf_correlated(covey_experiment_context *context, covey_error *err)
{
    static const covey_distribution_curve some[] = {{"SA-only", {.scheme = "sa-only"}}, {"QI-SA", {.scheme = "qi-sa"}}},
                                          all[] = {{"SA-only, correlation 1", {.scheme = "sa-only"}},
                                                   {"QI-SA, correlation 1", {.scheme = "qi-sa"}}};
    const targeted of[] = {{{"zipf:0.1", "0.8", NULL}, some, 2}, {{"zipf:0.1", "1", NULL}, all, 2}};
    int at = 0;

    COVEY_TRY(vary_zipf(context, of, 2, err));
    context->holds = true;
    for (size_t t = 0; t < 2; t++) {
        double *const *y = context->curves->y + 2 * t;
        size_t worse = 0;

        while (worse < EXPONENTS && y[SA][worse] < y[QI][worse])
            worse++;
        context->holds = context->holds && worse == EXPONENTS;
        at += snprintf(
            context->finding + at, 768 - (size_t)at,
            "%scorrelation %s, resolution 12: SA-only is least at s = %g (%.3f at s = 0.1, %.3f at 1.5), QI-SA "
            "has %.3f at s = 0.1 and %.3f at 1.5; SA-only is better ",
            t ? "; " : "", of[t].table.correlation, exponent[least(y[SA], EXPONENTS)], y[SA][AGREE],
            y[SA][EXPONENTS - 1], y[QI][AGREE], y[QI][EXPONENTS - 1]);
        if (worse == EXPONENTS)
            at += snprintf(context->finding + at, 768 - (size_t)at, "for every target");
        else
            at += snprintf(context->finding + at, 768 - (size_t)at, "for targets below s = %g", exponent[worse]);
    }
    return COVEY_OK;
}

/* --- hierarchies --- */

static covey_status run_arity(covey_experiment_context *context, covey_error *err)
{
    static const covey_distribution_curve curve[] = {{"SA-only (2)", {.scheme = "sa-only", .target = "uniform"}},
                                                     {"QI-SA (2)", {.scheme = "qi-sa", .target = "uniform"}},
                                                     {"SA-only (3)", {.scheme = "sa-only", .target = "uniform"}},
                                                     {"QI-SA (3)", {.scheme = "qi-sa", .target = "uniform"}}};
    static const char *const tree[] = {"{balanced: 2}", "{balanced: 3}"};
    const char *names[4];
    double mean[4];
    char *table, *policy;

    for (size_t i = 0; i < 4; i++)
        names[i] = curve[i].name;
    COVEY_TRY(
        covey_i_distribution_generated_table(&table, context, (covey_distribution_table){"uniform", "0", NULL}, err));
    COVEY_TRY(covey_i_curves_new(context->curves, names, 4, covey_i_distribution_spans, COVEY_DIST_SPANS,
                                 context->arena, err));
    for (size_t i = 0; i < 4; i++) {
        covey_distribution_groups groups;

        COVEY_TRY(covey_i_experiment_goes_on(context, i, 4, err));
        COVEY_TRY(covey_i_distribution_policy(&policy, context, table, tree[i / 2], err));
        COVEY_TRY(covey_i_distribution_groups_make(&groups, context, policy, &curve[i].setup, context->arena, err));
        for (size_t p = 0; p < COVEY_DIST_SPANS; p++)
            COVEY_TRY(covey_i_distribution_range(&context->curves->y[i][p], &groups, covey_i_distribution_spans[p],
                                                 p + 1, context->arena, err));
        mean[i] = covey_i_distribution_mean(context->curves->y[i]);
    }
    context->holds = mean[0] < mean[2] && mean[1] < mean[3];
    snprintf(
        context->finding, 768,
        "on average SA-only %.4f with the binary tree and %.4f with the ternary one, QI-SA %.4f and %.4f (resolution "
        "12)",
        mean[0], mean[2], mean[1], mean[3]);
    return COVEY_OK;
}

#define TARGET_AXES .y_title = "relative error of the bounds"

const covey_experiment covey_experiment_dist_normal = {
    .name = "dist-normal",
    .figures = "Koudas09 Figure 7",
    .title = "Normal targets for uniform numbers",
    .source = "Koudas09, figure 7",
    .statement = "The smaller the deviation of the target is, the larger is the error of both schemes.",
    .x_title = "r: the deviation is 2048/r",
    .x_log = true,
    TARGET_AXES,
    .run = run_normal,
};

const covey_experiment covey_experiment_dist_zipf = {
    .name = "dist-zipf",
    .figures = "Koudas09 Figure 8",
    .title = "Zipf targets for numbers with exponent 0.1",
    .source = "Koudas09, figure 8",
    .statement = "The error is least for the target that the numbers follow, s = 0.1, and rises with s from there.",
    .x_title = "s of the target",
    TARGET_AXES,
    .because = COVEY_DIFFERENCE_CHOICE,
    .why = "weights of resolution 12 make 6:5 of the shares for s = 0.1, which the 160 rows of an age meet only in "
           "elevenths, and 4:3 of those for 0.2; with weights of resolution 8 QI-SA is least at 0.1, too",
    .run = run_zipf,
};

const covey_experiment covey_experiment_dist_zipf_correlated = {
    .name = "dist-zipf-correlated",
    .figures = "Koudas09 Figure 9",
    .title = "Zipf targets for numbers that rise with the age",
    .source = "Koudas09, figure 9",
    .statement = "SA-only is better than QI-SA, which is poor.",
    .x_title = "s of the target",
    TARGET_AXES,
    .because = COVEY_DIFFERENCE_DATA,
    .why =
        "how strongly the paper's numbers follow the age is not given: where all do (correlation 1), SA-only is better "
        "for every target, as there; where a fifth does not, that fifth lets QI-SA down for the farthest targets",
    .run = run_zipf_correlated,
};

const covey_experiment covey_experiment_dist_arity = {
    .name = "dist-arity",
    .figures = "Koudas09 Figure 10",
    .title = "Binary and ternary hierarchies",
    .source = "Koudas09, figure 10",
    .statement = "The binary hierarchy has the smaller error with both schemes, because it has more subdomains.",
    .x_title = "years",
    TARGET_AXES,
    .run = run_arity,
};
