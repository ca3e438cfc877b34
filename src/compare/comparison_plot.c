/* Comparisons of policies that differ in something, as a chart. */
#include <covey/compare.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file/newfile.h"
#include "plot/plot.h"

/* One chart, while it is drawn. */
struct drawing {
    const covey_variations *variations;
    const covey_comparison *const *comparison;
    covey_compare_objective objective;
    covey_plot plot;
    size_t n_rest; /* combinations of what is varied beside the first */
    covey_arena arena;
};

#define TITLE "Comparison: "

static const covey_beginning beginnings[] = {{"<svg ", "<title>" TITLE}};
static const covey_product product = {.noun = "plot of a comparison", COVEY_BEGINNINGS(beginnings)};

struct covey_comparison_plot {
    covey_newfile *file;
};

static const char *const objective_words[] = {"information loss",      "median relative error of queries",
                                              "width of bounds",       "share of rows an attack is right about",
                                              "seconds of the method", "discernibility"};

static double figure_of(const struct drawing *d, size_t combination, const char *method)
{
    const covey_comparison *c = d->comparison[combination];

    for (size_t i = 0; c && i < c->n_methods && c->method[i].feasible; i++)
        if (!method || strcmp(c->method[i].method, method) == 0)
            return covey_compared_figure(&c->method[i], d->objective);
    return NAN;
}

static covey_status add_curve(struct drawing *d, const char *name, size_t rest, const char *method, covey_error *err)
{
    covey_plot *plot = &d->plot;
    double *y;

    if (!(y = covey_arena_array(&d->arena, double, plot->n_points)))
        return covey_i_no_memory(err);
    for (size_t p = 0; p < plot->n_points; p++)
        y[p] = figure_of(d, p * d->n_rest + rest, method);
    plot->name[plot->n_curves] = name;
    plot->y[plot->n_curves++] = y;
    return COVEY_OK;
}

/* With one variation: every method that keeps some of the policies. */
static covey_status add_methods(struct drawing *d, covey_error *err)
{
    for (size_t m = 0; m < covey_method_count() && d->plot.n_curves < COVEY_PLOT_CURVES_MOST; m++) {
        const char *name = covey_method_name(covey_method_at(m));
        bool any = false;

        for (size_t p = 0; p < d->plot.n_points; p++)
            any |= isfinite(figure_of(d, p, name));
        if (any)
            COVEY_TRY(add_curve(d, name, 0, name, err));
    }
    return COVEY_OK;
}

/* A text that lives as long as the drawing. */
static covey_status keep(struct drawing *d, const char **out, covey_text *text, covey_error *err)
{
    *out = covey_i_text_keep(text, &d->arena);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}

/* With more: the best method for each combination of the others. */
static covey_status add_rest(struct drawing *d, covey_error *err)
{
    for (size_t rest = 0; rest < d->n_rest; rest++) {
        covey_text name = COVEY_TEXT_INIT;
        const char *kept;

        for (size_t i = 1; i < d->variations->n; i++)
            covey_i_text_add_format(&name, "%s%s = %s", i > 1 ? ", " : "", d->variations->variation[i].name,
                                    covey_variations_value(d->variations, rest, i));
        COVEY_TRY(keep(d, &kept, &name, err));
        COVEY_TRY(add_curve(d, kept, rest, NULL, err));
    }
    return COVEY_OK;
}

static covey_status number_values(struct drawing *d, const covey_variation *first, covey_error *err)
{
    const char **label = covey_arena_array(&d->arena, const char *, first->n_values);
    const char **note = covey_arena_array(&d->arena, const char *, first->n_values);

    if (!label || !note)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < first->n_values; i++) {
        covey_text number = COVEY_TEXT_INIT, line = COVEY_TEXT_INIT;

        covey_i_text_add_format(&number, "%zu", i + 1);
        covey_i_text_add_format(&line, "%zu: %s", i + 1, first->value[i]);
        COVEY_TRY(keep(d, &label[i], &number, err));
        COVEY_TRY(keep(d, &note[i], &line, err));
    }
    d->plot.x_label = label;
    d->plot.note = note;
    d->plot.n_notes = first->n_values;
    return COVEY_OK;
}

enum { MOST_LETTERS = 90 }; /* below the chart */

/* The values stand side by side, whatever lies between them: they were chosen.  Where names are long, numbers stand for
 * them, and the names are notes. */
static covey_status set_places(struct drawing *d, covey_error *err)
{
    const covey_variation *first = &d->variations->variation[0];
    double *x = covey_arena_array(&d->arena, double, first->n_values);
    bool are_long = false;

    if (!x)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < first->n_values; i++) {
        x[i] = (double)i;
        are_long |= strlen(first->value[i]) * first->n_values > MOST_LETTERS;
    }
    d->plot.x = x;
    d->plot.x_label = first->value;
    return are_long ? number_values(d, first, err) : COVEY_OK;
}

static covey_status draw(struct drawing *d, covey_text *out, covey_error *err)
{
    const covey_variation *first = &d->variations->variation[0];
    char title[160];

    snprintf(title, sizeof title, TITLE "%s by %.60s%s", objective_words[d->objective], first->name,
             d->variations->n > 1 ? ", of the best method" : "");
    d->plot = (covey_plot){.title = title,
                           .x_title = first->name,
                           .y_title = objective_words[d->objective],
                           .y_from_zero = true,
                           .n_points = first->n_values};
    d->n_rest = d->variations->n_combinations / first->n_values;
    COVEY_TRY(covey_comparison_plot_check(d->variations, err));
    COVEY_TRY(set_places(d, err));
    COVEY_TRY(d->variations->n > 1 ? add_rest(d, err) : add_methods(d, err));
    covey_i_plot_svg(out, &d->plot);
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_comparison_plot_begin(covey_comparison_plot **out, const char *path, bool force, covey_error *err)
{
    covey_comparison_plot *plot = covey_i_array_zero(1, sizeof *plot);
    covey_status status;

    if (!plot)
        return covey_i_no_memory(err);
    if ((status = covey_i_newfile_begin(&plot->file, path, force ? &product : NULL, err)) == COVEY_OK)
        *out = plot;
    else
        covey_i_free(plot);
    return status;
}

covey_status covey_comparison_plot_check(const covey_variations *variations, covey_error *err)
{
    const covey_variation *first = variations->variation;

    if (variations->n < 2 || variations->n_combinations / first->n_values <= COVEY_PLOT_CURVES_MOST)
        return COVEY_OK;
    return covey_fail(
        err, COVEY_EINVAL,
        "a plot has at most %d curves, one for each combination of what is varied beside %s: vary less, or "
        "plot less at a time",
        (int)COVEY_PLOT_CURVES_MOST, first->name);
}

covey_status covey_comparison_plot_end(covey_comparison_plot *plot, const covey_variations *variations,
                                       const covey_comparison *const *comparison, covey_compare_objective objective,
                                       covey_error *err)
{
    struct drawing d = {
        .variations = variations, .comparison = comparison, .objective = objective, .arena = COVEY_ARENA_INIT};
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = draw(&d, &text, err);

    if (status == COVEY_OK) {
        covey_i_outfile_write(covey_i_newfile_stream(plot->file), text.bytes, text.size);
        status = covey_i_newfile_commit(plot->file, err);
        plot->file = NULL;
    }
    covey_i_text_free(&text);
    covey_arena_free(&d.arena);
    covey_comparison_plot_discard(plot);
    return status;
}

void covey_comparison_plot_discard(covey_comparison_plot *plot)
{
    if (!plot)
        return;
    covey_i_newfile_abort(plot->file);
    covey_i_free(plot);
}
