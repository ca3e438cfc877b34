/* How a search went: a line per improvement, and a plot of best and bound against time. */
#include <covey/reproduce.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/newfile.h"
#include "plot/plot.h"

struct covey_trace {
    covey_newfile *lines, *plot; /* begun early: a place that cannot be written to is known before the search */
    double *seconds, *best, *bound;
    size_t n, capacity;
    bool is_broken; /* no memory for all of it */
};

/* FILE.csv has its plot in FILE.svg, any other FILE in FILE.svg behind it. */
static char *plot_path(const char *path)
{
    const size_t n = strlen(path), stem = n > 4 && strcmp(path + n - 4, ".csv") == 0 ? n - 4 : n;
    char *out = covey_i_array(stem + 5, 1);

    if (out)
        snprintf(out, stem + 5, "%.*s.svg", (int)stem, path);
    return out;
}

static const char HEAD[] = "seconds,best,bound,ratio,nodes\n";

static const covey_beginning line_beginnings[] = {{HEAD, NULL}},
                             plot_beginnings[] = {{"<svg ", "<title>Best and bound</title>"}};

static const covey_product line_product = {.noun = "trace", COVEY_BEGINNINGS(line_beginnings)},
                           plot_product = {.noun = "plot of a trace", COVEY_BEGINNINGS(plot_beginnings)};

covey_status covey_trace_begin(covey_trace **out, const char *path, bool force, covey_error *err)
{
    covey_trace *trace = covey_i_array_zero(1, sizeof *trace);
    char *plot = plot_path(path);
    covey_status status;

    if (!trace || !plot)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_newfile_begin(&trace->lines, path, force ? &line_product : NULL, err)) == COVEY_OK &&
             (status = covey_i_newfile_begin(&trace->plot, plot, force ? &plot_product : NULL, err)) == COVEY_OK)
        covey_i_outfile_string(covey_i_newfile_stream(trace->lines), HEAD);
    covey_i_free(plot);
    if (status == COVEY_OK)
        *out = trace;
    else
        covey_trace_discard(trace);
    return status;
}

static bool grow(double **array, size_t capacity)
{
    double *grown = covey_i_realloc(*array, capacity, sizeof *grown);

    if (grown)
        *array = grown;
    return grown != NULL;
}

void covey_trace_add(covey_trace *trace, const covey_improvement *now)
{
    char line[160];

    if (trace->n == trace->capacity) {
        const size_t capacity = trace->capacity ? trace->capacity * 2 : 64;

        if (!grow(&trace->seconds, capacity) || !grow(&trace->best, capacity) || !grow(&trace->bound, capacity)) {
            trace->is_broken = true;
            return;
        }
        trace->capacity = capacity;
    }
    trace->seconds[trace->n] = now->seconds;
    trace->best[trace->n] = now->best;
    trace->bound[trace->n++] = now->bound;
    snprintf(line, sizeof line, "%.6f,%.17g,%.17g,%.9g,%lld\n", now->seconds, now->best, now->bound, now->ratio,
             (long long)now->nodes);
    covey_i_outfile_string(covey_i_newfile_stream(trace->lines), line);
}

covey_status covey_trace_end(covey_trace *trace, covey_error *err)
{
    const covey_plot plot = {
        .title = "Best and bound",
        .description = "Cost of the best partitioning and proven bound against time",
        .x_title = "seconds",
        .y_title = "cost",
        .n_curves = 2,
        .name = {"best", "bound"},
        .n_points = trace->n,
        .x = trace->seconds,
        .y = {trace->best, trace->bound},
        .steps = true,
    };
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    covey_i_plot_svg(&text, &plot);
    if (text.broken || trace->is_broken)
        status = covey_i_no_memory(err);
    else
        covey_i_outfile_write(covey_i_newfile_stream(trace->plot), text.bytes, text.size);
    covey_i_text_free(&text);
    if (status == COVEY_OK) {
        status = covey_i_newfile_commit_all((covey_newfile *[]){trace->lines, trace->plot}, 2, err);
        trace->lines = trace->plot = NULL;
    }
    covey_trace_discard(trace);
    return status;
}

void covey_trace_discard(covey_trace *trace)
{
    if (!trace)
        return;
    covey_i_newfile_abort(trace->lines);
    covey_i_newfile_abort(trace->plot);
    covey_i_free(trace->seconds);
    covey_i_free(trace->best);
    covey_i_free(trace->bound);
    covey_i_free(trace);
}
