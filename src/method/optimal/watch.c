/* What a search has found so far, and whether it goes on: best partitioning, proven bound, limits, the caller's wishes.
 * Threads of a search share it. */
#include "method/optimal/optimal.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/run.h"

enum { LONG_SEARCH = 60 }; /* seconds */

void covey_i_optimal_hunt_init(covey_optimal_hunt *hunt, const covey_optimal_grid *g, covey_optimal_result *result,
                               const covey_run *run, double start)
{
    *hunt = (covey_optimal_hunt){.g = g, .run = run, .result = result, .start = start};
    pthread_mutex_init(&hunt->lock, NULL);
    atomic_store(&hunt->best, COVEY_OPT_INFINITE);
    atomic_store(&hunt->optimum, COVEY_OPT_INFINITE);
    atomic_store(&hunt->bound, -COVEY_OPT_INFINITE);
    result->best = COVEY_OPT_INFINITE;
    result->bound = -COVEY_OPT_INFINITE;
}

void covey_i_optimal_hunt_clear(covey_optimal_hunt *hunt)
{
    pthread_mutex_destroy(&hunt->lock);
}

bool covey_i_optimal_is_close(const covey_optimal_grid *g, covey_optimal_units bound, covey_optimal_units best)
{
    const covey_ratio c = g->options->approximation;

    if (bound >= best)
        return true;
    if (c.num <= c.den || bound <= -COVEY_OPT_INFINITE)
        return false;
    if (best < 0) /* a maximum: c * best is the larger promise */
        return (covey_i128)bound * c.den >= (covey_i128)best * c.num;
    return (covey_i128)bound * c.num >= (covey_i128)best * c.den;
}

static double ratio_of(covey_optimal_units bound, covey_optimal_units best)
{
    if (best == bound)
        return 1;
    if (best < 0)
        return (double)bound / (double)best;
    return bound > 0 ? (double)best / (double)bound : 0;
}

/* Tells whoever wants to know; the lock is held. */
static void tell(covey_optimal_hunt *hunt)
{
    const covey_optimal_result *r = hunt->result;
    const bool is_maximum = hunt->g->options->cost == COVEY_OPT_CLASSES;
    const double sign = is_maximum ? -1 : 1;

    if (!hunt->run || !hunt->run->improved || r->best >= COVEY_OPT_INFINITE || r->bound <= -COVEY_OPT_INFINITE)
        return;
    hunt->run->improved(hunt->run->context, &(covey_improvement){
                                                .seconds = covey_i_seconds() - hunt->start,
                                                .best = sign * covey_i_optimal_value(hunt->g, r->best),
                                                .bound = sign * covey_i_optimal_value(hunt->g, r->bound),
                                                .ratio = ratio_of(r->bound, r->best),
                                                .nodes = atomic_load(&hunt->n_nodes),
                                            });
}

/* Anything left to find?  The lock is held. */
static void conclude(covey_optimal_hunt *hunt)
{
    const covey_optimal_result *r = hunt->result;

    if (r->best < COVEY_OPT_INFINITE && r->bound >= r->best)
        covey_i_optimal_stop(hunt, COVEY_OPT_PROVEN);
    else if (r->best < COVEY_OPT_INFINITE && covey_i_optimal_is_close(hunt->g, r->bound, r->best))
        covey_i_optimal_stop(hunt, COVEY_OPT_CLOSE);
}

covey_status covey_i_optimal_offer(covey_optimal_hunt *hunt, const covey_optimal_tree *tree, covey_optimal_units cost,
                                   covey_error *err)
{
    covey_status status = COVEY_OK;

    pthread_mutex_lock(&hunt->lock);
    if (cost < hunt->result->best && (status = covey_i_optimal_tree_copy(&hunt->result->tree, tree, err)) == COVEY_OK) {
        hunt->result->best = cost;
        atomic_store(&hunt->best, cost);
        tell(hunt);
        conclude(hunt);
    }
    pthread_mutex_unlock(&hunt->lock);
    return status;
}

void covey_i_optimal_raise(covey_optimal_hunt *hunt, covey_optimal_units bound)
{
    pthread_mutex_lock(&hunt->lock);
    if (bound > hunt->result->best)
        bound = hunt->result->best;
    if (bound > hunt->result->bound) {
        hunt->result->bound = bound;
        atomic_store(&hunt->bound, bound);
        tell(hunt);
        conclude(hunt);
    }
    pthread_mutex_unlock(&hunt->lock);
}

void covey_i_optimal_stop(covey_optimal_hunt *hunt, covey_optimal_stop why)
{
    int none = 0;

    atomic_compare_exchange_strong(&hunt->stop, &none, 1 + (int)why);
}

/* The progress line and the caller's two ways of ending this: give what there is, or nothing at all. */
static void ask_caller(covey_optimal_hunt *hunt)
{
    const covey_run *run = hunt->run;
    char phase[96] = "optimal-partition";

    if (run->enough && run->enough(run->context)) {
        covey_i_optimal_stop(hunt, COVEY_OPT_ASKED);
        return;
    }
    if (!run->progress)
        return;
    pthread_mutex_lock(&hunt->lock);
    if (hunt->result->best < COVEY_OPT_INFINITE) {
        const double sign = hunt->g->options->cost == COVEY_OPT_CLASSES ? -1 : 1;
        const covey_optimal_units best = hunt->result->best, bound = hunt->result->bound;

        snprintf(phase, sizeof phase, "optimal-partition: best %.10g, bound %.10g, ratio %.4f",
                 sign * covey_i_optimal_value(hunt->g, best),
                 bound > -COVEY_OPT_INFINITE ? sign * covey_i_optimal_value(hunt->g, bound) : 0, ratio_of(bound, best));
    }
    pthread_mutex_unlock(&hunt->lock);
    if (covey_i_run_goes_on(run, phase, atomic_load(&hunt->n_nodes), 0, NULL) == COVEY_OK)
        return;
    if (!run->enough || !run->enough(run->context)) /* the wish may have come between the two questions */
        hunt->cancelled = true;
    covey_i_optimal_stop(hunt, COVEY_OPT_ASKED);
}

/* Whoever asks for an optimum may not know that a small table can keep the search busy for days. */
static void warn_of_time(covey_optimal_hunt *hunt, double seconds)
{
    const covey_optimal_options *options = hunt->g->options;

    if (hunt->has_warned || seconds < LONG_SEARCH || options->time_limit >= 0 || options->node_limit > 0 ||
        !hunt->run->warn)
        return;
    hunt->has_warned = true;
    hunt->run->warn(
        hunt->run->context,
        "optimal-partition: no optimum is proven after a minute, and it may take very long; time-limit ends "
        "the search after so many seconds, with the best so far and a bound on what is possible");
}

bool covey_i_optimal_is_over(covey_optimal_hunt *hunt, bool is_first)
{
    const covey_optimal_options *options = hunt->g->options;
    const double now = covey_i_seconds();

    if (atomic_load(&hunt->stop))
        return true;
    if (options->time_limit >= 0 && now - hunt->start >= options->time_limit)
        covey_i_optimal_stop(hunt, COVEY_OPT_TIME_LIMIT);
    else if (options->time_limit < 0 && options->memory_limit && hunt->cache &&
             covey_i_optimal_cache_is_spent(hunt->cache)) /* with more time it would still be proven one day */
        covey_i_optimal_stop(hunt, COVEY_OPT_MEMORY_LIMIT);
    if (options->node_limit > 0 && atomic_load(&hunt->n_nodes) >= options->node_limit)
        covey_i_optimal_stop(hunt, COVEY_OPT_NODE_LIMIT);
    if (is_first && hunt->run && now - hunt->last_report >= 0.05) {
        hunt->last_report = now;
        warn_of_time(hunt, now - hunt->start);
        ask_caller(hunt);
    }
    return atomic_load(&hunt->stop) != 0;
}

/* MOST_DEPTH: a recursion deeper than this could leave the stack. */
enum { MOST_DEPTH = 8000, BATCH = 64 };

bool covey_i_optimal_goes_on(covey_optimal_worker *w)
{
    if (w->stopped)
        return false;
    w->n_nodes++;
    if (w->n_nodes % BATCH == 0) {
        atomic_fetch_add(&w->hunt->n_nodes, BATCH);
        w->stopped = covey_i_optimal_is_over(w->hunt, w->is_first);
    }
    if (w->node_end > 0 && w->n_nodes >= w->node_end)
        w->stopped = w->ran_out = true;
    if (w->depth > MOST_DEPTH) {
        covey_i_optimal_stop(w->hunt, COVEY_OPT_MEMORY_LIMIT);
        w->stopped = true;
    }
    return !w->stopped;
}

int64_t covey_i_optimal_give_nodes(covey_optimal_worker *w, int64_t nodes)
{
    const int64_t end = w->node_end;

    if (end == 0 || end > w->n_nodes + nodes)
        w->node_end = w->n_nodes + nodes;
    return end;
}

void covey_i_optimal_take_back(covey_optimal_worker *w, int64_t end)
{
    w->node_end = end;
    if (w->ran_out && !w->is_full && (end == 0 || w->n_nodes < end) && !atomic_load(&w->hunt->stop))
        w->stopped = w->ran_out = false;
}
