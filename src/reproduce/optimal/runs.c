/* Tables and single searches of optimal partitioning.
 *
 * Mondrian is what a search finds first: it starts from it, on the same splits and with the same promises and lengths.
 */
#include "reproduce/optimal/runs.h"

#include <covey/generate.h>

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/run.h"
#include "base/text.h"

const char *const covey_i_optimal_adult_needs[] = {"adult/adult-30162-arx.csv.gz", NULL};
const char *const covey_i_optimal_coil_needs[] = {"coil2000/caravan-9822.csv.gz", NULL};

char *covey_i_optimal_normal_policy(const covey_experiment_context *context, int splits, covey_error *err)
{
    char *table = covey_i_experiment_scratch(context, "normal.csv");
    covey_text text = COVEY_TEXT_INIT;

    if (!table || covey_generate("normal2d", 5000, COVEY_GENERATE_SEED, table, true, NULL, err) != COVEY_OK)
        return NULL;
    covey_i_text_add_format(&text,
                            "version: 1\ninput: {path: \"%s\"}\nattributes:\n"
                            "  - {name: x, role: quasi-identifier, domain: [0, 100]}\n  - {name: y, role: "
                            "quasi-identifier, domain: [0, 100]}\n"
                            "method: {name: optimal-partition, splits: {x: \"width:%d\", y: \"width:%d\"}}\n",
                            table, splits, splits);
    return covey_i_text_keep(&text, context->arena);
}

/* 101 splits: age at 20, 25, ..., 90 (20 goes right); every boundary of the others, education in its own order, the
 * rest by the alphabet. */
char *covey_i_optimal_adult_policy(const covey_experiment_context *context, bool occupation_is_sensitive,
                                   bool has_splits)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "version: 1\ninput: {path: \"%s/adult/adult-30162-arx.csv.gz\"}\nattributes:\n",
                            context->options->data);
    covey_i_text_add_string(
        &text, "  - {name: age, role: quasi-identifier, domain: [14, 94]}\n"
               "  - {name: native-country, role: quasi-identifier}\n  - {name: sex, role: quasi-identifier}\n"
               "  - {name: race, role: quasi-identifier}\n  - {name: workclass, role: quasi-identifier}\n");
    covey_i_text_add_format(&text, "  - {name: occupation, role: %s}\n",
                            occupation_is_sensitive ? "sensitive" : "quasi-identifier");
    covey_i_text_add_string(
        &text, "  - {name: education, role: quasi-identifier, order: [Preschool, 1st-4th, 5th-6th, 7th-8th, 9th, 10th, "
               "11th, 12th, "
               "HS-grad, Some-college, Assoc-voc, Assoc-acdm, Bachelors, Masters, Prof-school, Doctorate]}\n"
               "  - {name: salary-class, role: quasi-identifier}\n  - {name: marital-status, role: quasi-identifier}\n"
               "method:\n  name: optimal-partition\n");
    if (has_splits)
        covey_i_text_add_string(&text,
                                "  splits: {age: [19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 69, 74, 79, 84, 89]}\n");
    return covey_i_text_keep(&text, context->arena);
}

/* 66 splits: between any two values.  Domains are such that a length of 1.75 is two cells, everywhere. */
char *covey_i_optimal_coil_policy(const covey_experiment_context *context)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "version: 1\ninput: {path: \"%s/coil2000/caravan-9822.csv.gz\"}\nattributes:\n",
                            context->options->data);
    covey_i_text_add_string(&text, "  - {name: MOSTYPE, role: quasi-identifier, domain: [0, 42]}\n"
                                   "  - {name: MAANTHUI, role: quasi-identifier, domain: [0, 10]}\n"
                                   "  - {name: MGEMOMV, role: quasi-identifier, domain: [0, 7]}\n"
                                   "  - {name: MGEMLEEF, role: quasi-identifier, domain: [0, 7]}\n"
                                   "  - {name: MOSHOOFD, role: quasi-identifier, domain: [0, 11]}\n"
                                   "others: drop\nmethod: {name: optimal-partition}\n");
    return covey_i_text_keep(&text, context->arena);
}

/* ---- one search ---- */

/* What the search's callbacks get. */
struct watching {
    const covey_run *outer;
    const covey_optimal_watch *next; /* NULL: nobody */
    double first;                    /* cost; NaN: none yet */
};

static void see(void *context, const covey_improvement *now)
{
    struct watching *w = context;

    if (isnan(w->first))
        w->first = now->best;
    if (w->next)
        w->next->improved(w->next->context, now);
}

static bool go_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    return covey_i_run_goes_on(((const struct watching *)context)->outer, phase, done, to_do, NULL) == COVEY_OK;
}

double covey_i_optimal_seconds(const covey_experiment_context *context, double usual)
{
    return context->options->seconds > 0 ? context->options->seconds : usual;
}

enum { MOST_SETTINGS = 8 };

covey_status covey_i_optimal_run(covey_optimal_outcome *out, const covey_experiment_context *context,
                                 const char *policy, const covey_setting *settings, double seconds,
                                 const covey_optimal_watch *watch, covey_error *err)
{
    static const covey_anonymize_options options = {.force = true};
    struct watching watching = {context->run, watch, NAN};
    const covey_run run = {.n_threads = context->run ? context->run->n_threads : 0,
                           .has_seed = true,
                           .seed = 1,
                           .progress = go_on,
                           .improved = see,
                           .context = &watching};
    char *release = covey_i_experiment_release(context);
    covey_setting all[MOST_SETTINGS + 2] = {{NULL, NULL}};
    covey_anonymize_report report;
    covey_policy *read;
    covey_status status;
    char limit[32];
    size_t n = 0;

    for (; settings[n].key && n < MOST_SETTINGS; n++)
        all[n] = settings[n];
    snprintf(limit, sizeof limit, "%.3f", seconds);
    all[n] = (covey_setting){"time-limit", limit};
    if (!release)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_experiment_policy(&read, context, policy, all, err));
    status = covey_anonymize(&report, read, release, &options, &run, err);
    covey_policy_free(read);
    if (status != COVEY_OK)
        return status;
    *out = (covey_optimal_outcome){watching.first, report.objective_value, report.objective_bound,
                                   report.seconds_anonymize, report.optimal};
    covey_anonymize_report_clear(&report);
    return COVEY_OK;
}

/* ---- many searches ---- */

enum { RATIOS = 2, FIGURES = 4 };

static const char *curve_name(const char *what, const char *series, covey_arena *arena)
{
    const size_t size = 64;
    char *text = series ? covey_arena_array(arena, char, size) : NULL;

    if (!series)
        return what;
    if (text)
        snprintf(text, size, "%s, %s", what, series);
    return text;
}

static covey_status make_curves(covey_curves *curves, const covey_optimal_series *series, size_t n_series,
                                const double *x, size_t n_points, covey_arena *arena, covey_error *err)
{
    static const char *const ratio[] = {"Mondrian / best", "best / bound"}, *const figure[] = {"Mondrian", "best",
                                                                                               "bound", "seconds"};
    const char *name[COVEY_CURVES_MOST];
    const size_t n = n_series * (RATIOS + FIGURES);

    for (size_t s = 0; s < n_series && n <= COVEY_CURVES_MOST; s++) {
        for (size_t i = 0; i < RATIOS; i++)
            name[s * RATIOS + i] = curve_name(ratio[i], series[s].name, arena);
        for (size_t i = 0; i < FIGURES; i++)
            name[(n_series * RATIOS) + s * FIGURES + i] = curve_name(figure[i], series[s].name, arena);
    }
    for (size_t i = 0; i < n && n <= COVEY_CURVES_MOST; i++)
        if (!name[i])
            return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_new(curves, name, n, x, n_points, arena, err));
    curves->n_plotted = n_series * RATIOS;
    return COVEY_OK;
}

static void note(covey_curves *curves, covey_optimal_summary *summary, const covey_optimal_outcome *o, size_t s,
                 size_t n_series, size_t p)
{
    const double ratio = o->mondrian / o->best, gap = o->best / o->bound;
    const size_t figures = n_series * RATIOS + s * FIGURES;
    const double figure[FIGURES] = {o->mondrian, o->best, o->bound, o->seconds};

    curves->y[s * RATIOS][p] = ratio;
    curves->y[s * RATIOS + 1][p] = gap;
    for (size_t i = 0; i < FIGURES; i++)
        curves->y[figures + i][p] = figure[i];
    summary->least = summary->n == 0 || ratio < summary->least ? ratio : summary->least;
    summary->most = ratio > summary->most ? ratio : summary->most;
    summary->mean += (ratio - summary->mean) / (double)(summary->n + 1);
    summary->worst = gap > summary->worst ? gap : summary->worst;
    summary->slowest = o->seconds > summary->slowest ? o->seconds : summary->slowest;
    summary->n++;
    summary->n_proven += o->is_proven;
}

covey_status covey_i_optimal_series_run(covey_experiment_context *context, covey_optimal_summary *summary,
                                        covey_optimal_outcome *outcome, const covey_optimal_series *series,
                                        size_t n_series, const double *x, size_t n_points, double seconds,
                                        covey_error *err)
{
    COVEY_TRY(make_curves(context->curves, series, n_series, x, n_points, context->arena, err));
    for (size_t s = 0; s < n_series; s++) {
        summary[s] = (covey_optimal_summary){0};
        for (size_t p = 0; p < n_points; p++) {
            char model[128];
            const covey_setting settings[] = {{"model", model}, series[s].more, {NULL, NULL}};
            covey_optimal_outcome o = {NAN, NAN, NAN, NAN, false};
            covey_status status;

            COVEY_TRY(covey_i_experiment_goes_on(context, s * n_points + p, n_series * n_points, err));
            snprintf(model, sizeof model, "%s%d", series[s].model, (int)x[p]);
            status = covey_i_optimal_run(&o, context, series[s].policy, settings, seconds, NULL, err);
            if (status == COVEY_OK)
                note(context->curves, &summary[s], &o, s, n_series, p);
            else if (status != COVEY_EINFEASIBLE) /* without a release there is no point */
                return status;
            if (outcome)
                outcome[s * n_points + p] = o;
        }
    }
    return COVEY_OK;
}
