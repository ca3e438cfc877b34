/* The enumeration of partitionings itself: how close each priority comes in a given time, and what more splits cost;
 * against the search on blocks. Source: [Hore07] sections 4 and 5; docs/design/optimal-partition.md. */
#include "reproduce/optimal/runs.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

static const double paper_ratio = 1.35; /* at k = 1000, after at most 5 hours */

/* ---- Adult, k = 1000: ratio against time ---- */

enum { PRIORITIES = 3, TIMES = 25 };

struct follower {
    const double *seconds; /* [TIMES] */
    double *ratio;         /* [TIMES] what is known then */
    double reached;        /* seconds until the paper's ratio; NaN: not yet */
};

static void follow(void *context, const covey_improvement *now)
{
    struct follower *f = context;

    if (isnan(f->reached) && now->ratio > 0 && now->ratio <= paper_ratio)
        f->reached = now->seconds;
    for (size_t p = 0; p < TIMES; p++)
        if (f->seconds[p] >= now->seconds && now->ratio > 0)
            f->ratio[p] = now->ratio;
}

/* "1.188 (1.35 after 0.4 s)" */
static void describe(char *out, size_t size, const covey_optimal_outcome *o, double reached)
{
    if (isnan(reached))
        snprintf(out, size, "%.3f (%.2f is not reached)", o->best / o->bound, paper_ratio);
    else
        snprintf(out, size, "%.3f (%.2f after %.2f s%s)", o->best / o->bound, paper_ratio, reached,
                 o->is_proven ? ", proven" : "");
}

static covey_status run_priorities(covey_experiment_context *context, covey_error *err)
{
    static const char *const priority[PRIORITIES] = {"lb", "cost", "ratio"};
    static const char *const name[PRIORITIES + 2] = {"pet, least bound first", "pet, least cost first",
                                                     "pet, most room first", "and-or", "the paper"};
    const double seconds = covey_i_optimal_seconds(context, 6);
    const char *policy = covey_i_optimal_adult_policy(context, false, true);
    double x[TIMES], least = INFINITY;
    covey_curves *c = context->curves;
    covey_optimal_outcome o[PRIORITIES + 1];
    char said[PRIORITIES + 1][64];

    if (!policy)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < TIMES; p++)
        x[p] = seconds * pow(2, -(double)(TIMES - 1 - p) / 3);
    COVEY_TRY(covey_i_curves_new(c, name, PRIORITIES + 2, x, TIMES, context->arena, err));
    for (size_t i = 0; i <= PRIORITIES; i++) {
        const covey_setting settings[] = {{"model", "k-anonymity:k=1000"},
                                          {"search", i < PRIORITIES ? "pet" : "and-or"},
                                          {"priority", priority[i % PRIORITIES]},
                                          {NULL, NULL}};
        struct follower follower = {x, c->y[i], NAN};
        const covey_optimal_watch watch = {follow, &follower};

        COVEY_TRY(covey_i_experiment_goes_on(context, i, PRIORITIES + 1, err));
        COVEY_TRY(covey_i_optimal_run(&o[i], context, policy, settings, seconds, &watch, err));
        c->y[i][TIMES - 1] = o[i].best / o[i].bound;
        describe(said[i], sizeof said[i], &o[i], follower.reached);
        if (i < PRIORITIES && o[i].best / o[i].bound < least)
            least = o[i].best / o[i].bound;
    }
    for (size_t p = 0; p < TIMES; p++)
        c->y[PRIORITIES + 1][p] = paper_ratio;
    context->holds = least <= paper_ratio;
    snprintf(context->finding, 768,
             "best / bound after %g s, where the paper has %.2f: with the least bound first %s; least cost first %s; "
             "most room between "
             "both first %s. The search on blocks: %s. All start from Mondrian's %.0f; the best of the enumerations is "
             "%.0f, that of the search on blocks %.0f",
             seconds, paper_ratio, said[0], said[1], said[2], said[3], o[0].mondrian,
             fmin(o[0].best, fmin(o[1].best, o[2].best)), o[3].best);
    return COVEY_OK;
}

const covey_experiment covey_experiment_opt_priorities = {
    .name = "opt-priorities",
    .title = "Adult, 101 splits, k = 1000: best against bound over time",
    .source = "Hore07, section 4 and experiment 2",
    .statement =
        "The enumeration with a priority queue reaches 1.35 times the lower bound at k = 1000, after up to 5 hours.",
    .x_title = "seconds",
    .y_title = "best / bound",
    .x_log = true,
    .y_from_data = true,
    .needs = covey_i_optimal_adult_needs,
    .figures = "Hore07 Section 4, priorities",
    .run = run_priorities,
};

/* ---- Adult, k = 1000: ratio and time against the number of splits ---- */

static covey_status run_splits(covey_experiment_context *context, covey_error *err)
{
    static const double budget[] = {5, 9, 10, 12, 15, 20, 40, 70, 101};
    static const char *const name[] = {"pet: best / bound", "and-or: best / bound", "pet: seconds", "and-or: seconds"},
                             *const search[] = {"pet", "and-or"};
    /* With so many splits the paper proves the optimum, if in half an hour. */
    enum { POINTS = sizeof budget / sizeof *budget, SURE = 10, SURE_TIMES = 10 };
    const double seconds = covey_i_optimal_seconds(context, 3);
    const char *policy = covey_i_optimal_adult_policy(context, false, false);
    double proven[2] = {0, 0}, worst[2] = {0, 0};
    bool small_are_proven = true;
    covey_curves *c = context->curves;

    if (!policy)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_new(c, name, 4, budget, POINTS, context->arena, err));
    for (size_t p = 0; p < POINTS; p++)
        for (size_t s = 0; s < 2; s++) {
            char splits[16];
            const covey_setting settings[] = {
                {"model", "k-anonymity:k=1000"}, {"search", search[s]}, {"split-budget", splits}, {NULL, NULL}};
            covey_optimal_outcome o;

            snprintf(splits, sizeof splits, "%d", (int)budget[p]);
            COVEY_TRY(covey_i_experiment_goes_on(context, p * 2 + s, POINTS * 2, err));
            COVEY_TRY(covey_i_optimal_run(&o, context, policy, settings,
                                          budget[p] <= SURE ? SURE_TIMES * seconds : seconds, NULL, err));
            c->y[s][p] = o.best / o.bound;
            c->y[2 + s][p] = o.seconds;
            proven[s] = o.is_proven && (p == 0 || proven[s] == budget[p - 1]) ? budget[p] : proven[s];
            worst[s] = c->y[s][p] > worst[s] ? c->y[s][p] : worst[s];
            small_are_proven = small_are_proven && (s == 1 || budget[p] > SURE || o.is_proven);
        }
    context->holds = small_are_proven && worst[0] <= 3.5;
    snprintf(context->finding, 768,
             "%g s a search, %g with at most 10 splits: the enumeration (pet) proves optima of up to %.0f splits and "
             "is within %.3f of its bound "
             "above; the search on "
             "blocks (and-or) proves those of up to %.0f and is within %.3f",
             seconds, SURE_TIMES * seconds, proven[0], worst[0], proven[1], worst[1]);
    return COVEY_OK;
}

const covey_experiment covey_experiment_opt_splits = {
    .name = "opt-splits",
    .title = "Adult, k = 1000: ratio and time against the number of splits",
    .source = "Hore07, section 5, scalability",
    .statement = "With at most 10 splits the optimum is found in under 30 minutes; with more, the solution is within a "
                 "factor of 3.5 of the lower bound.",
    .x_title = "splits, given to the attributes where most rows stand together",
    .y_title = "ratio; seconds",
    .x_log = true,
    .y_log = true,
    .needs = covey_i_optimal_adult_needs,
    .figures = "Hore07 Section 5, scalability",
    .run = run_splits,
};
