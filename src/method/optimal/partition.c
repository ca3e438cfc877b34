/* Optimal hierarchical partitioning: the cheapest way to cut the table into boxes, again and again, so that every class
 * keeps every promise; or the best that was found and a proven bound on what could be found. Source: [Hore07];
 * docs/design/optimal-partition.md. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "method/optimal/suppress.h"

static const char owner[] = "method optimal-partition";

struct opt_params {
    covey_class_params common; /* first */
    int cost, search, priority;
    covey_ratio approximation;
    const char *time_limit, *memory_limit;
    int64_t node_limit, split_budget;
    const char *splits, *min_length, *label;
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

static covey_status read_lengths(covey_optimal_job *job, const char *min_length, covey_error *err)
{
    COVEY_TRY(covey_i_splits_lengths(&job->min_length, job->problem, min_length, owner, &job->arena, err));
    return covey_i_splits_check_lengths(job->min_length, job->problem, owner, err);
}

static covey_status prepare(covey_optimal_job *job, const struct opt_params *p, covey_error *err)
{
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
    return covey_i_error_about(read_lengths(job, p->min_length, err), "min-length", err);
}

/* Why there is nothing better.  A search that ended may have an optimum that is not: of what the suppression limit
 * leaves. */
static const char *reason(const covey_optimal_found *f)
{
    return f->stop == COVEY_OPT_PROVEN && !f->optimal ? "suppression limit reached"
                                                      : covey_i_optimal_stop_words[f->stop];
}

static covey_status set_objective(covey_release *release, const covey_optimal_job *job, const covey_optimal_found *f,
                                  covey_error *err)
{
    static const char *const search_names[] = {"auto", "dynamic", "and-or", "pet"};
    const covey_optimal_cost cost = job->options.cost;
    covey_objective *o = &release->objective;
    const double sign = cost == COVEY_OPT_CLASSES ? -1 : 1;
    double slack = 0;
    bool is_same;

    o->value = f->value;
    COVEY_TRY(
        covey_i_optimal_published_cost(&o->value, &is_same, release, job->problem, &job->options, f->n_classes, err));
    o->name = covey_i_optimal_cost_names[cost];
    o->is_maximised = cost == COVEY_OPT_CLASSES;
    o->has_bound = isfinite(f->bound) && is_same && !isnan(o->value);
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
    covey_optimal_job job = {.problem = problem, .run = run, .arena = COVEY_ARENA_INIT, .start = covey_i_seconds()};
    const struct opt_params *p = params;
    covey_problem own = *problem;
    covey_optimal_found f = {0};
    covey_status status;

    own.promises.has_regions = p->common.publish_boxes == 1;
    job.problem = &own;
    if ((status = prepare(&job, p, err)) == COVEY_OK) {
        status = covey_i_optimal_find(&f, &job, err);
        if (status == COVEY_EINFEASIBLE && err && !*err->nearest)
            covey_i_method_name_nearest(problem, err);
    }
    if (status == COVEY_OK && p->common.publish_boxes == 1)
        status = covey_i_release_of_regions(out, problem, f.class_of_row, f.n_classes, &f.regions, run, err);
    else if (status == COVEY_OK)
        status = covey_i_release_of_classes(out, problem, f.class_of_row, f.n_classes, run, err);
    if (status == COVEY_OK && (status = set_objective(*out, &job, &f, err)) != COVEY_OK) {
        covey_release_free(*out);
        *out = NULL;
    }
    covey_i_optimal_found_clear(&f);
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

/* Where rows are few its search ends early, or finds in a tenth of a second what greedy steps miss. */
static const char *const auto_names[] = {"cost", "node-limit"}, *const auto_texts[] = {"ncp", "50000"};

const covey_method covey_method_optimal_partition = {
    .name = "optimal-partition",
    .summary = "finds the cheapest hierarchical partitioning, or the best in a given time with a proven bound",
    .keeps = "every model on classes",
    .source = "Hore07, sections 3 and 4",
    .form = "generalized",
    .looks_at_all = "proves what is best for all rows together, which parts do not add up to",
    .under_auto = {.most_rows = 256, .n_params = 2, .param_names = auto_names, .param_texts = auto_texts},
    .goes_last = true,
    .suppresses = COVEY_SUPPRESSES_TO_GAIN,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct opt_params),
    .accepts = accepts,
    .run = run,
};
