/* Optimal hierarchical partitioning: the cheapest way to cut the table into boxes, again and again, so that every class
 * keeps every promise; or the best that was found and a proven bound on what could be found. Source: [Hore07];
 * docs/design/optimal-partition.md. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "method/optimal/optimal.h"
#include "table/table_impl.h"

static const char owner[] = "method optimal-partition";

struct opt_params {
    covey_class_params common; /* first */
    int cost, search, priority;
    covey_ratio approximation;
    const char *time_limit, *memory_limit;
    int64_t node_limit, split_budget;
    const char *splits, *min_length, *label;
};

/* One table and what is wished for. */
struct job {
    const covey_problem *problem;
    const struct opt_params *params;
    const covey_run *run;
    covey_optimal_options options;
    covey_arena arena;
    const covey_axis_splits *splits;
    const covey_fraction *min_length; /* [n_axes], NULL: no wish */
    double start;
};

/* What a search gave, in terms of rows. */
struct found {
    uint32_t *class_of_row; /* [n_rows], owned */
    covey_regions regions;  /* owned */
    uint32_t n_classes;
    int64_t n_suppressed;
    double value, bound; /* as the cost itself, all rows of the table counted */
    bool optimal;
    covey_optimal_stop stop;
    covey_optimal_search search;
};

static covey_status read_time(double *seconds, const char *text, covey_error *err)
{
    covey_ratio value;

    *seconds = -1;
    if (!text || strcmp(text, "none") == 0)
        return COVEY_OK;
    if (covey_i_text_is_long_whole(text) && *text != '-')
        return covey_fail(err, COVEY_EINVAL, "time-limit must be at most " COVEY_MOST_WHOLE " seconds, not %.60s",
                          text);
    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || value.num < 0)
        return covey_fail(err, COVEY_EINVAL, "time-limit must be none or seconds of at least 0, such as 60, not \"%s\"",
                          text);
    *seconds = covey_ratio_value(value);
    return COVEY_OK;
}

/* "512", "2GiB": MiB where no unit stands. */
static covey_status read_memory(size_t *bytes, const char *text, covey_error *err)
{
    static const struct {
        const char *name;
        double bytes;
    } unit[] = {
        {"B", 1},        {"k", 1e3}, {"kB", 1e3}, {"KiB", 0x1p10}, {"M", 1e6},   {"MB", 1e6},
        {"MiB", 0x1p20}, {"G", 1e9}, {"GB", 1e9}, {"GiB", 0x1p30}, {"", 0x1p20},
    };
    char number[32];
    size_t digits;
    covey_ratio value;

    *bytes = 0;
    if (!text || strcmp(text, "none") == 0)
        return COVEY_OK;
    digits = strspn(text, "0123456789./");
    if (digits > 0 && digits < sizeof number) {
        const char *name = text + digits + strspn(text + digits, " ");

        memcpy(number, text, digits);
        number[digits] = '\0';
        for (size_t i = 0; covey_ratio_parse(&value, number, NULL) == COVEY_OK && i < sizeof unit / sizeof *unit; i++)
            if (strcmp(name, unit[i].name) == 0 && value.num > 0 && covey_ratio_value(value) * unit[i].bytes < 0x1p50) {
                *bytes = (size_t)(covey_ratio_value(value) * unit[i].bytes) + 1;
                return COVEY_OK;
            }
    }
    return covey_fail(err, COVEY_EINVAL, "memory-limit must be none, MiB, or a size such as 2GiB, not \"%s\"", text);
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const struct opt_params *own = params;
    double seconds;
    size_t bytes;

    COVEY_TRY(covey_i_error_about(read_time(&seconds, own->time_limit, err), "time-limit", err));
    COVEY_TRY(covey_i_error_about(read_memory(&bytes, own->memory_limit, err), "memory-limit", err));
    return covey_i_method_accepts_every_model(promises, params, err);
}

static covey_status read_lengths(struct job *job, covey_error *err)
{
    COVEY_TRY(covey_i_splits_lengths(&job->min_length, job->problem, job->params->min_length, owner, &job->arena, err));
    return covey_i_splits_check_lengths(job->min_length, job->problem, owner, err);
}

static covey_status prepare(struct job *job, covey_error *err)
{
    const struct opt_params *p = job->params;
    covey_axis_splits *splits;

    job->options = (covey_optimal_options){
        .cost = (covey_optimal_cost)p->cost,
        .search = (covey_optimal_search)p->search,
        .priority = (covey_optimal_priority)p->priority,
        .approximation = p->approximation,
        .node_limit = p->node_limit,
        .label = p->label,
        .judges_regions =
            p->common.publish_boxes == 1 && (covey_i_promises_any_traits(&job->problem->promises) & COVEY_MODEL_RANGES),
    };
    COVEY_TRY(covey_i_error_about(read_time(&job->options.time_limit, p->time_limit, err), "time-limit", err));
    COVEY_TRY(covey_i_error_about(read_memory(&job->options.memory_limit, p->memory_limit, err), "memory-limit", err));
    COVEY_TRY(covey_i_error_about(
        covey_i_splits_read(&splits, job->problem, p->splits, p->split_budget, owner, &job->arena, job->run, err),
        "splits", err));
    job->splits = splits;
    return covey_i_error_about(read_lengths(job, err), "min-length", err);
}

/* Seconds that are left of the limit. */
static double seconds_left(const struct job *job)
{
    const double left = job->options.time_limit - (covey_i_seconds() - job->start);

    return job->options.time_limit < 0 ? -1 : left > 0 ? left : 0;
}

/* Searches among these rows; the others, if any, are suppressed already. */
static covey_status search(struct found *out, struct job *job, const covey_optimal_options *wish, const uint32_t *rows,
                           uint32_t n_rows, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    covey_optimal_options options = *wish;
    covey_optimal_result result = {0};
    covey_optimal_worker w = {0};
    covey_shown_codes shown = {0};
    covey_optimal_grid g;
    covey_optimal_units outside;
    covey_optimal_applied applied;
    covey_status status;

    options.time_limit = seconds_left(job);
    if (options.judges_regions && n_rows < job->problem->n_rows &&
        (status = covey_i_shown_codes_new(&shown, job->problem, rows, n_rows, err)) != COVEY_OK)
        goto done;
    options.shown = &shown;
    if ((status = covey_i_optimal_grid_new(&g, job->problem, job->splits, job->min_length, rows, n_rows, &options,
                                           &job->arena, err)) != COVEY_OK ||
        (status = covey_i_optimal_search(&result, &g, job->run, err)) != COVEY_OK ||
        (status = covey_i_optimal_worker_new(&w, &g, err)) != COVEY_OK)
        goto done;
    out->class_of_row = covey_i_array(job->problem->n_rows, sizeof *out->class_of_row);
    if (!out->class_of_row) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_optimal_apply(&applied, out->class_of_row, &out->regions, &w, &result.tree, err)) != COVEY_OK)
        goto done;
    outside = job->problem->n_rows - n_rows;
    out->n_classes = applied.n_classes;
    out->n_suppressed = applied.n_suppressed + outside;
    if (options.cost ==
        COVEY_OPT_DISCERNIBILITY) /* whatever was suppressed beforehand costs what suppressed rows cost */
        outside *= job->problem->n_rows;
    else
        outside *= g.suppressed - options.suppress_extra;
    out->value = covey_i_optimal_value(&g, applied.cost + outside - out->n_suppressed * options.suppress_extra);
    out->bound = covey_i_optimal_value(&g, result.bound + outside);
    out->optimal = result.stop == COVEY_OPT_PROVEN;
    out->stop = result.stop;
    out->search = result.search;
done:
    covey_i_shown_codes_clear(&shown);
    covey_i_optimal_worker_clear(&w);
    covey_i_optimal_tree_clear(&result.tree);
    covey_arena_rewind(&job->arena, mark);
    return status;
}

/* May these rows go?  Within the limit; not all; and where their sensitive values follow from the prior, only as a
 * class that would do. */
static covey_status may_go(bool *yes, struct job *job, const struct found *f, covey_error *err)
{
    const covey_promises *promises = &job->problem->promises;
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    covey_tally gone;

    *yes = f->n_suppressed <= job->problem->max_suppressed && f->n_suppressed < job->problem->n_rows;
    if (!*yes || f->n_suppressed == 0 || !(covey_i_promises_any_traits(promises) & COVEY_MODEL_PRIOR))
        return COVEY_OK;
    COVEY_TRY(covey_i_tally_new(&gone, promises, &job->arena, err));
    for (uint32_t row = 0; row < job->problem->n_rows; row++)
        if (f->class_of_row[row] == COVEY_CLASS_SUPPRESSED)
            covey_i_tally_add(&gone, promises, row);
    *yes = covey_i_promises_admit(promises, &gone);
    covey_arena_rewind(&job->arena, mark);
    return COVEY_OK;
}

static void clear(struct found *f)
{
    covey_i_free(f->class_of_row);
    covey_i_free(f->regions.low);
    covey_i_free(f->regions.high);
    memset(f, 0, sizeof *f);
}

static void take(struct found *best, struct found *other)
{
    clear(best);
    *best = *other;
    memset(other, 0, sizeof *other);
}

/* Do the regions keep the promises about ranges without the values that only suppressed rows have?  Those are not
 * published. */
static covey_status regions_hold(bool *yes, struct job *job, const struct found *f, covey_error *err)
{
    const covey_problem *problem = job->problem;
    const size_t d = problem->n_axes;
    uint32_t *rows = covey_arena_array(&job->arena, uint32_t, problem->n_rows), n = 0;
    covey_shown_codes shown = {0};
    covey_tally tally;
    covey_status status;

    *yes = true;
    if (!job->options.judges_regions || f->n_suppressed == 0)
        return COVEY_OK;
    if (!rows)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (f->class_of_row[row] != COVEY_CLASS_SUPPRESSED)
            rows[n++] = row;
    if ((status = covey_i_shown_codes_new(&shown, problem, rows, n, err)) == COVEY_OK &&
        (status = covey_i_tally_new(&tally, &problem->promises, &job->arena, err)) == COVEY_OK) {
        covey_i_shown_codes_shrink_all(f->regions.low, f->regions.high, f->n_classes, &shown);
        tally.size = 1;
        for (uint32_t c = 0; c < f->n_classes; c++) {
            tally.low = f->regions.low + c * d;
            tally.high = f->regions.high + c * d;
            for (size_t i = 0; i < problem->promises.n; i++) {
                const covey_promise *promise = &problem->promises.promise[i];
                const covey_group group = covey_i_promise_group(&problem->promises, promise, &tally);

                *yes = *yes && (promise->quasi < 0 || promise->model->admits(promise->state, &group));
            }
        }
    }
    covey_i_shown_codes_clear(&shown);
    return status;
}

/* Prices on top of the cost of suppressed rows, doubled until the limit is kept: a heuristic for what lies between no
 * suppression and free suppression. */
static covey_status try_prices(struct found *best, struct job *job, const uint32_t *rows, double bound,
                               covey_error *err)
{
    covey_optimal_options options = job->options;

    options.suppress = true;
    options.judges_regions =
        false; /* which values show is only known in the end; the rows' own ranges do in any case */
    options.suppress_extra = options.cost == COVEY_OPT_CLASSES ? 1 : job->problem->n_rows / 4 + 1;
    for (int i = 0; i < 4 && !(job->options.time_limit >= 0 && seconds_left(job) <= 0);
         i++, options.suppress_extra *= 4) {
        struct found f = {0};
        bool yes = false;
        covey_status status = search(&f, job, &options, rows, job->problem->n_rows, err);

        if (status == COVEY_OK)
            status = may_go(&yes, job, &f, err);
        if (status == COVEY_OK && yes && f.value < best->value) {
            f.bound = bound;
            f.stop = best->stop;
            f.optimal = false;
            take(best, &f);
        }
        clear(&f);
        if (status != COVEY_OK || yes)
            return status;
    }
    return COVEY_OK;
}

/* As blocks that cost what suppressed rows cost; *yes: these may go. */
static covey_status search_freely(bool *yes, struct found *out, struct job *job, const uint32_t *rows, covey_error *err)
{
    covey_optimal_options options = job->options;
    double bound;

    options.suppress = true;
    COVEY_TRY(search(out, job, &options, rows, job->problem->n_rows, err));
    COVEY_TRY(may_go(yes, job, out, err));
    if (!*yes)
        return COVEY_OK;
    COVEY_TRY(regions_hold(yes, job, out, err));
    if (*yes)
        return COVEY_OK;
    /* Regions with the values of suppressed rows are wider than what is published, so that was a bound; ranges of rows
     * are no wider. */
    bound = out->bound;
    clear(out);
    options.judges_regions = false;
    COVEY_TRY(search(out, job, &options, rows, job->problem->n_rows, err));
    out->bound = bound;
    out->optimal = out->value <= bound;
    return may_go(yes, job, out, err);
}

/* With suppression: free, as long as that keeps the limit; else the better of none and of dear suppression, against the
 * bound of free suppression.  Where the promises cannot hold for all rows, "none" means as few as possible, which go
 * one by one and not as blocks: of these the bound says nothing, and that they are the best choice is not proven
 * either. */
static covey_status search_suppressing(struct found *out, struct job *job, covey_error *err)
{
    uint32_t *rows = covey_arena_array(&job->arena, uint32_t, job->problem->n_rows), *kept, n_kept;
    struct found strict = {0};
    covey_status status;
    double bound;
    bool yes;

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(rows, job->problem, job->run, err));
    COVEY_TRY(search_freely(&yes, out, job, rows, err));
    if (yes)
        return COVEY_OK;
    COVEY_TRY(covey_i_start(&kept, &n_kept, job->problem, &job->arena, job->run, err));
    if ((status = search(&strict, job, &job->options, kept, n_kept, err)) == COVEY_OK) {
        bound = out->bound;
        strict.bound = n_kept == job->problem->n_rows ? bound : -INFINITY;
        strict.optimal = strict.value <= strict.bound;
        strict.stop = strict.optimal || strict.stop != COVEY_OPT_PROVEN ? strict.stop : out->stop;
        take(out, &strict);
        status = try_prices(out, job, rows, bound, err);
    }
    clear(&strict);
    return status;
}

static covey_status search_strictly(struct found *out, struct job *job, covey_error *err)
{
    uint32_t *rows, n_rows;

    COVEY_TRY(covey_i_start(&rows, &n_rows, job->problem, &job->arena, job->run, err));
    return search(out, job, &job->options, rows, n_rows, err);
}

/* Why there is nothing better.  A search that ended may have an optimum that is not: of what the suppression limit
 * leaves. */
static const char *reason(const struct found *f)
{
    return f->stop == COVEY_OPT_PROVEN && !f->optimal ? "suppression limit reached"
                                                      : covey_i_optimal_stop_words[f->stop];
}

static covey_status set_objective(covey_release *release, const struct job *job, const struct found *f,
                                  covey_error *err)
{
    static const char *const search_names[] = {"auto", "dynamic", "and-or", "pet"};
    const covey_optimal_cost cost = job->options.cost;
    covey_objective *o = &release->objective;
    const double sign = cost == COVEY_OPT_CLASSES ? -1 : 1;
    double slack = 0;
    bool is_same;

    o->value = f->value;
    COVEY_TRY(covey_i_optimal_published_cost(&o->value, &is_same, release, job->problem, &job->options, err));
    o->name = covey_i_optimal_cost_names[cost];
    o->is_maximised = cost == COVEY_OPT_CLASSES;
    o->has_bound = isfinite(f->bound) && is_same;
    o->bound = f->optimal ? sign * f->value : sign * f->bound;
    if (cost == COVEY_OPT_CLASS_ENTROPY) /* the search adds up units, see cost.c; classes that are joined cost more */
        slack = 1e-9 * f->value;
    o->optimal = is_same && f->optimal && sign * o->value <= f->value + slack;
    if (o->optimal && slack > 0)
        o->bound = o->value;
    o->stopped = is_same && f->optimal && !o->optimal ? covey_i_optimal_stop_words[COVEY_OPT_CLOSE] : reason(f);
    /* No times and no counts: they would differ from run to run. */
    snprintf(release->note, sizeof release->note, "search %s: %s", search_names[f->search], reason(f));
    if (f->optimal && !o->optimal)
        snprintf(release->note + strlen(release->note), sizeof release->note - strlen(release->note), "; %s",
                 is_same ? "classes whose cells are equal were published as one" : COVEY_RELEASE_NO_BOUND);
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    struct job job = {
        .problem = problem, .params = params, .run = run, .arena = COVEY_ARENA_INIT, .start = covey_i_seconds()};
    covey_problem own = *problem;
    struct found f = {0};
    covey_status status;

    own.promises.has_regions = job.params->common.publish_boxes == 1;
    job.problem = &own;
    if ((status = prepare(&job, err)) == COVEY_OK) {
        status = problem->max_suppressed > 0 ? search_suppressing(&f, &job, err) : search_strictly(&f, &job, err);
        if (status == COVEY_EINFEASIBLE && err && !*err->nearest)
            covey_i_method_name_nearest(problem, err);
    }
    if (status == COVEY_OK && job.params->common.publish_boxes == 1)
        status = covey_i_release_of_regions(out, problem, f.class_of_row, f.n_classes, &f.regions, run, err);
    else if (status == COVEY_OK)
        status = covey_i_release_of_classes(out, problem, f.class_of_row, f.n_classes, run, err);
    if (status == COVEY_OK && (status = set_objective(*out, &job, &f, err)) != COVEY_OK) {
        covey_release_free(*out);
        *out = NULL;
    }
    clear(&f);
    covey_arena_free(&job.arena);
    return status;
}

static const char *const search_choices[] = {"auto", "dynamic", "and-or", "pet", NULL};
static const char *const priority_choices[] = {"lb", "cost", "ratio", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "cost",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct opt_params, cost),
     .fallback = "discernibility",
     .choices = covey_i_optimal_cost_names,
     .help = "what is minimised, a sum over the classes; classes: their number, maximised"},
    {.name = "search",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct opt_params, search),
     .fallback = "auto",
     .choices = search_choices,
     .help = "dynamic: all boxes of up to three dimensions; and-or: branch and bound on boxes; pet: enumeration of "
             "partitionings"},
    {.name = "priority",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct opt_params, priority),
     .fallback = "lb",
     .choices = priority_choices,
     .help = "pet: which partitioning is expanded next: least bound, least cost, or most room between both"},
    {.name = "approximation",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct opt_params, approximation),
     .fallback = "1",
     .minimum = "1",
     .help = "stop at a cost of at most so many times the proven bound"},
    {.name = "time-limit",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct opt_params, time_limit),
     .fallback = "none",
     .help = "seconds after which the best so far is published, or none"},
    {.name = "memory-limit",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct opt_params, memory_limit),
     .help = "memory for the search, in MiB or with a unit, such as 2GiB"},
    {.name = "node-limit",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct opt_params, node_limit),
     .fallback = "0",
     .minimum = "0",
     .help = "boxes or partitionings after which the best so far is published, the same on every machine; 0: none"},
    {.name = "splits",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct opt_params, splits),
     .help = "where attributes may be cut, as in {age: [20, 25], income: \"quantile:9\"}; also width:M, step:S, "
             "distinct, siblings, anywhere, none;"
             " default: between any two values, in a hierarchy between siblings"},
    {.name = "split-budget",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct opt_params, split_budget),
     .fallback = "0",
     .minimum = "0",
     .help = "so many splits in all, as quantiles where most rows stand together, for attributes without splits of "
             "their own; 0: no budget"},
    {.name = "min-length",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct opt_params, min_length),
     .help = "least widths of the boxes that are cut, as in {age: 10}"},
    {.name = "label",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct opt_params, label),
     .help = "the attribute that class-error and class-entropy are about; default: the sensitive one"},
};

const covey_method covey_method_optimal_partition = {
    .name = "optimal-partition",
    .summary = "finds the cheapest hierarchical partitioning, or the best in a given time with a proven bound",
    .keeps = "every model on classes",
    .source = "Hore07, sections 3 and 4",
    .form = "generalized",
    .looks_at_all = "proves what is best for all rows together, which parts do not add up to",
    .by_name_only = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct opt_params),
    .accepts = accepts,
    .run = run,
};
