/* A table in 2 and in 10 parts by age, each with a target of its own: Adult with the source of each part, and numbers
 * that rise with the age with a uniform target on each part's own span. Source: [Koudas09] section 6, figures 11 and
 * 12. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "reproduce/distribution/groups.h"

enum { SA_2, SA_10, QI_2, QI_10, CURVES, QI_2_COARSE = CURVES, QI_10_COARSE, WITH_COARSE };

#define IN_2_PARTS "{by: [{attribute: age, quantiles: 2}]}"
#define IN_10_PARTS "{by: [{attribute: age, quantiles: 10}]}"
static const char *const by[] = {IN_2_PARTS, IN_10_PARTS};
static const char *const name[CURVES] = {"SAonly-2", "SAonly-10", "QISA-2", "QISA-10"};

static void judge(covey_experiment_context *context, const char *table, const char *how)
{
    const covey_curves *c = context->curves;
    double mean[WITH_COARSE];
    int at;

    for (size_t i = 0; i < c->n_curves; i++)
        mean[i] = covey_i_distribution_mean(c->y[i]);
    context->holds = mean[SA_10] < mean[SA_2] && mean[QI_10] < mean[QI_2];
    at = snprintf(context->finding, 768,
                  "%s; on average SA-only has %.3f with 2 parts and %.3f with 10, QI-SA %.3f and %.3f (%s)", table,
                  mean[SA_2], mean[SA_10], mean[QI_2], mean[QI_10], how);
    if (c->n_curves == WITH_COARSE)
        snprintf(context->finding + at, 768 - (size_t)at, "; QI-SA with resolution 8 has %.3f and %.3f",
                 mean[QI_2_COARSE], mean[QI_10_COARSE]);
}

static covey_status run_adult(covey_experiment_context *context, covey_error *err)
{
    static const char source[] = "[{target: source}]"; /* of each part */
    static const covey_distribution_curve curve[WITH_COARSE] = {
        {"SAonly-2", {.scheme = "sa-only", .resolution = "exact", .targets = source, .groups = IN_2_PARTS}},
        {"SAonly-10", {.scheme = "sa-only", .resolution = "exact", .targets = source, .groups = IN_10_PARTS}},
        {"QISA-2", {.scheme = "qi-sa", .targets = source, .groups = IN_2_PARTS}},
        {"QISA-10", {.scheme = "qi-sa", .targets = source, .groups = IN_10_PARTS}},
        {"QISA-2, resolution 8", {.scheme = "qi-sa", .resolution = "8", .targets = source, .groups = IN_2_PARTS}},
        {"QISA-10, resolution 8", {.scheme = "qi-sa", .resolution = "8", .targets = source, .groups = IN_10_PARTS}},
    };
    char *table, *policy;
    bool is_real;

    COVEY_TRY(covey_i_distribution_adult_table(&table, &is_real, context, err));
    context->stands_in = !is_real;
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_distribution_range_curves(NULL, context, policy, curve, WITH_COARSE, err));
    judge(context, is_real ? "Adult" : "Generated in place of Adult",
          "SA-only with exact shares, QI-SA with resolution 12");
    return COVEY_OK;
}

/* --- own spans --- */

struct span {
    double age; /* one of its ages */
    double low, high;
};

static covey_status write_span(covey_text *targets, const struct span *span, const covey_experiment_context *context,
                               uint32_t part, covey_error *err)
{
    const size_t n = (size_t)(span->high - span->low) + 1;
    const covey_arena_mark mark = covey_arena_save(context->arena);
    int64_t *value = covey_arena_array(context->arena, int64_t, n);
    char file[32], *path;

    snprintf(file, sizeof file, "span-%u.csv", part);
    path = covey_i_experiment_scratch(context, file);
    if (!value || !path)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        value[i] = (int64_t)span->low + (int64_t)i;
    COVEY_TRY(covey_i_distribution_write_tree(path, value, n, err));
    covey_i_text_add_format(targets, "%s{group: {age: %.0f}, target: uniform, hierarchy: {file: \"%s\"}}",
                            part > 0 ? ", " : "[", span->age, path);
    covey_arena_rewind(context->arena, mark);
    return COVEY_OK;
}

/* A target for each part: uniform on the whole numbers from its smallest to its largest one. */
static covey_status list_targets(char **out, const covey_experiment_context *context, const char *policy,
                                 const char *groups, covey_error *err)
{
    const covey_distribution_setup setup = {.resolution = "exact", .groups = groups};
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    covey_distribution_groups parts;
    struct span *span;

    COVEY_TRY(covey_i_distribution_groups_make(&parts, context, policy, &setup, context->arena, err));
    if (!(span = covey_arena_array(context->arena, struct span, parts.n_groups)))
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < parts.n_groups; g++)
        span[g] = (struct span){0, INFINITY, -INFINITY};
    for (uint32_t r = 0; r < parts.n_rows; r++) {
        struct span *s = &span[parts.group[r]];

        s->age = parts.age[r];
        s->low = fmin(s->low, parts.value[r]);
        s->high = fmax(s->high, parts.value[r]);
    }
    for (uint32_t g = 0; g < parts.n_groups && status == COVEY_OK; g++)
        status = write_span(&text, &span[g], context, g, err);
    covey_i_text_add_char(&text, ']');
    *out = covey_i_text_keep(&text, context->arena);
    return status != COVEY_OK || *out ? status : covey_i_no_memory(err);
}

static covey_status run_correlated(covey_experiment_context *context, covey_error *err)
{
    char *table, *policy, *targets = NULL;

    COVEY_TRY(
        covey_i_distribution_generated_table(&table, context, (covey_distribution_table){"normal", "1", NULL}, err));
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_curves_new(context->curves, name, CURVES, covey_i_distribution_spans, COVEY_DIST_SPANS,
                                 context->arena, err));
    for (size_t i = 0; i < 2; i++) {
        COVEY_TRY(list_targets(&targets, context, policy, by[i], err));
        for (size_t s = 0; s < 2; s++) {
            const covey_distribution_setup setup = {
                .scheme = s ? "qi-sa" : "sa-only", .targets = targets, .groups = by[i]};
            covey_distribution_groups groups;

            COVEY_TRY(covey_i_experiment_goes_on(context, 2 * i + s, CURVES, err));
            COVEY_TRY(covey_i_distribution_groups_make(&groups, context, policy, &setup, context->arena, err));
            for (size_t p = 0; p < COVEY_DIST_SPANS; p++)
                COVEY_TRY(covey_i_distribution_range(&context->curves->y[2 * s + i][p], &groups,
                                                     covey_i_distribution_spans[p], p + 1, context->arena, err));
        }
    }
    judge(context, "Correlated (1, deviation 300)",
          "hierarchies over the whole numbers of each part's span, resolution 12");
    return COVEY_OK;
}

const covey_experiment covey_experiment_dist_parts_adult = {
    .name = "dist-parts-adult",
    .figures = "Koudas09 Figure 11",
    .title = "Parts by age with their own sources as targets: Adult",
    .source = "Koudas09, figure 11",
    .statement = "With more parts both schemes have smaller errors.",
    .x_title = "years",
    .y_title = "relative error of the bounds",
    .because = COVEY_DIFFERENCE_CHOICE,
    .why = "weights of resolution 12 fit the ages of 10 parts worse than those of 2; with weights of resolution 8 "
           "QI-SA gains from more parts, too",
    .run = run_adult,
};

const covey_experiment covey_experiment_dist_parts_correlated = {
    .name = "dist-parts-correlated",
    .figures = "Koudas09 Figure 12",
    .title = "Parts by age with uniform targets on their own spans: numbers that rise with the age",
    .source = "Koudas09, figure 12",
    .statement = "With more parts both schemes have smaller errors.",
    .x_title = "years",
    .y_title = "relative error of the bounds",
    .run = run_correlated,
};
