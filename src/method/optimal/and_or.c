/* The search on blocks, put together: one thread looks for good partitionings (beam, neighbourhood search), the other
 * raises the proven bound (budgets from below) and helps where that leads nowhere; both share what is known of blocks.
 * A single thread takes turns.  See docs/design/optimal-partition.md. */
#include "method/optimal/count.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"

/* HEAVY_PART: where more than that part of the rows stand in cells that are classes of their own, these decide what a
 * partitioning costs, not the number of classes. */
enum { MOST_LEVEL = 32, FIRST_TURN = 2000, MOST_WORKERS = 8, HEAVY_PART = 10 };

#define MOST_CACHE ((size_t)1 << 30) /* bytes, where no limit says otherwise */

/* A turn of work on the bound that closes less than GAIN of the gap was of little use; a gap of less than CLOSE is
 * nearly a proof. */
static const double GAIN = 0.05, CLOSE = 0.01;

/* Where the work on the bound stands. */
struct raising {
    covey_optimal_units bound, step;
    int64_t most_nodes; /* of a try */
    bool done;
    bool is_slow;      /* the last turn gained little */
    int64_t n_classes; /* that many are not refuted yet; 0: nothing to be had from numbers of classes */
};

static bool is_solved(const covey_optimal_hunt *hunt)
{
    return atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE || atomic_load(&hunt->stop);
}

static void found_optimum(covey_optimal_hunt *hunt, covey_optimal_units value)
{
    atomic_store(&hunt->optimum, value);
    covey_i_optimal_stop(hunt, COVEY_OPT_PROVEN);
}

/* A search may go on that only its own limit has ended. */
static void resume(covey_optimal_worker *w)
{
    if (w->ran_out && !w->is_full && !atomic_load(&w->hunt->stop))
        w->stopped = w->ran_out = false;
}

/* One try: the optimum, or a larger bound.  False if it took too many nodes. */
static bool try_budget(struct raising *r, covey_optimal_worker *w, const covey_optimal_block *root, int64_t nodes)
{
    covey_optimal_hunt *hunt = w->hunt;
    const covey_optimal_units best = atomic_load(&hunt->best);
    covey_optimal_units budget = r->bound + 1 + r->step, v;

    budget = budget < best ? budget : best;
    w->node_end = w->n_nodes + nodes;
    v = covey_i_optimal_solve(w, root, budget);
    w->node_end = 0;
    if (w->stopped) {
        resume(w);
        return false;
    }
    r->done = v < budget || v >= best; /* nothing below the best: it is the optimum */
    if (r->done && (v < budget || best < COVEY_OPT_INFINITE))
        found_optimum(hunt, v < budget ? v : best);
    else
        covey_i_optimal_raise(hunt, v);
    r->bound = v;
    return true;
}

/* One budget after the other, from the root's bound up, until the optimum is below one of them.  Steps grow as long as
 * they are cheap and shrink where they are not: what a try leaves in the cache makes the next one shorter. */
static void raise_bound(struct raising *r, covey_optimal_worker *w, const covey_optimal_block *root, int64_t nodes)
{
    const int64_t end = nodes > 0 ? w->n_nodes + nodes : INT64_MAX;

    while (!r->done && !w->stopped && !is_solved(w->hunt) && w->n_nodes < end) {
        const covey_optimal_units best = atomic_load(&w->hunt->best);
        const covey_optimal_units least = (best < COVEY_OPT_INFINITE ? best - r->bound : r->bound) / 500 + 1;
        const int64_t before = w->n_nodes, left = end - before;

        if (try_budget(r, w, root, r->most_nodes < left ? r->most_nodes : left)) {
            if (w->n_nodes - before < r->most_nodes / 4)
                r->step *= 2;
        } else if (left > r->most_nodes) {
            if (r->step <= least)
                r->most_nodes *= 4;
            r->step /= 4;
        }
        r->step = r->step > least ? r->step : least;
    }
}

/* The distance from bound to best. */
static double gap(const covey_optimal_hunt *hunt)
{
    const covey_optimal_units best = atomic_load(&hunt->best), bound = atomic_load(&hunt->bound);

    return best < COVEY_OPT_INFINITE && bound > -COVEY_OPT_INFINITE ? (double)best - (double)bound : INFINITY;
}

/* Refutes one number of classes after the other; what is left costs at least what fewer classes do. */
static void count_classes(struct raising *r, covey_optimal_worker *w, const covey_optimal_block *root, int64_t nodes)
{
    covey_optimal_answer answer = COVEY_OPT_NO;

    w->node_end = w->n_nodes + nodes;
    while (answer == COVEY_OPT_NO && r->n_classes > 1) {
        const covey_optimal_units floor = covey_i_optimal_floor(w->g, root->n, r->n_classes - 1);

        if (floor > r->bound) {
            if (floor > atomic_load(&w->hunt->best)) { /* the best has as many */
                answer = COVEY_OPT_YES;
                break;
            }
            if ((answer = covey_i_optimal_can_have(w->counter, w, root, r->n_classes)) != COVEY_OPT_NO)
                break;
            r->bound = floor;
            covey_i_optimal_raise(w->hunt, floor);
        }
        r->n_classes--;
    }
    w->node_end = 0;
    resume(w);
    if (answer == COVEY_OPT_YES)
        r->n_classes = 0;
}

/* A turn of work on the bound: with budgets as long as they lead anywhere, else by numbers of classes. */
static void raise_turn(struct raising *r, covey_optimal_worker *w, const covey_optimal_block *root, int64_t nodes)
{
    const covey_optimal_units bound = r->bound;
    const bool counts = r->is_slow && r->n_classes > 1;

    if (counts)
        count_classes(r, w, root, nodes);
    else
        raise_bound(r, w, root, nodes);
    r->is_slow = (double)r->bound - (double)bound < GAIN * gap(w->hunt);
}

static struct raising raising_begin(const covey_optimal_worker *w, const covey_optimal_block *root)
{
    return (struct raising){.bound = covey_i_optimal_block_bound(w->g, root),
                            .most_nodes = FIRST_TURN,
                            .n_classes = w->counter ? root->n / w->g->k : 0};
}

/* Where the work on good partitionings stands. */
struct lowering {
    uint32_t level;
    bool guesses;
};

static covey_optimal_effort effort_of(const struct lowering *l, const covey_optimal_worker *w)
{
    const int64_t k = w->g->k, small = (14 + 2 * l->level) * k;
    covey_optimal_effort effort = {
        .level = (uint16_t)l->level,
        .small = small,
        .nodes = (int64_t)(800 * pow(1.3, l->level)),
        .guessed = l->guesses ? 3 * small : 0,
        .narrow = 2 * small,
        .width = 1 + l->level / 3,
        .others = 3 * l->level,
    };

    if (w->counter) {
        effort.counted = (20 + 4 * l->level) * k;
        effort.count_nodes = (int64_t)(3000 * pow(1.3, l->level));
        effort.guessed = l->guesses ? INT64_MAX : 0;
        effort.others = 6 + 2 * l->level;
    }
    return effort;
}

/* Rounds of work on good partitionings, each with more effort than the one before it; `nodes` 0: one round. */
static covey_status lower_cost(struct lowering *l, covey_optimal_worker *w, const covey_optimal_block *root,
                               int64_t nodes, covey_error *err)
{
    const int64_t end = w->n_nodes + nodes;
    covey_status status = COVEY_OK;

    do {
        const covey_optimal_effort effort = effort_of(l, w);

        w->node_end = nodes > 0 ? end : 0;
        if (covey_i_optimal_beam(w, root, &effort) < atomic_load(&w->hunt->best) && !w->stopped)
            status = covey_i_optimal_offer_found(w, err);
        if (!w->stopped && status == COVEY_OK)
            covey_i_optimal_improve(w, root, &effort);
        w->node_end = 0;
        if (w->ran_out)
            resume(w);
        else
            l->level++;
        if (status == COVEY_OK && !w->is_full)
            status =
                covey_i_optimal_offer_found(w, err); /* parts may have become better that the root does not know of */
    } while (status == COVEY_OK && w->n_nodes < end && l->level <= MOST_LEVEL && !w->stopped && !is_solved(w->hunt));
    return w->is_full ? covey_i_no_memory(err) : status;
}

/* Bytes for what is known of numbers of classes. */
static size_t counter_bytes(const covey_optimal_grid *g)
{
    return g->options->memory_limit ? g->options->memory_limit / 16 : MOST_CACHE / 8;
}

/* What the threads share. */
struct shared {
    covey_optimal_hunt *hunt;
};

static covey_status begin(covey_optimal_worker *w, covey_optimal_block *root, covey_optimal_hunt *hunt, bool is_first,
                          covey_error *err)
{
    COVEY_TRY(covey_i_optimal_worker_new(w, hunt->g, err));
    w->hunt = hunt;
    w->is_first = is_first;
    w->whole = root;
    COVEY_TRY(covey_i_optimal_root(root, w, err));
    if (!hunt->g->by_size || root->heavy > root->n / HEAVY_PART ||
        covey_i_optimal_whole_bytes(hunt->g, root->n_items) > counter_bytes(hunt->g))
        return COVEY_OK;
    return covey_i_optimal_counter_new(&w->counter, hunt->g, counter_bytes(hunt->g), err);
}

static void end(covey_optimal_worker *w)
{
    covey_i_optimal_counter_free(w->counter);
    covey_i_optimal_worker_clear(w);
}

/* Raises the bound as long as that leads anywhere; turns that do not are followed by turns of work on good
 * partitionings. */
static covey_status raise_and_help(covey_optimal_worker *w, const covey_optimal_block *root, covey_error *err)
{
    covey_optimal_hunt *hunt = w->hunt;
    struct raising r = raising_begin(w, root);
    struct lowering l = {.level = 1};
    covey_status status = COVEY_OK;
    int64_t turn = FIRST_TURN;

    while (status == COVEY_OK && !r.done && !w->stopped && !is_solved(hunt)) {
        raise_turn(&r, w, root, turn);
        if (!r.done && !w->stopped && l.level <= MOST_LEVEL && gap(hunt) > CLOSE * fabs((double)r.bound) && r.is_slow)
            status = lower_cost(&l, w, root, turn, err);
        turn *= 2;
    }
    return status;
}

static covey_status work(void *context, size_t task, covey_error *err)
{
    covey_optimal_hunt *hunt = ((struct shared *)context)->hunt;
    covey_optimal_worker w = {0};
    covey_optimal_block root;
    struct lowering l = {.level = 1, .guesses = true};
    covey_status status = begin(&w, &root, hunt, task == 0, err);

    if (task == 0)
        while (status == COVEY_OK && l.level <= MOST_LEVEL && !w.stopped && !is_solved(hunt))
            status = lower_cost(&l, &w, &root, 0, err);
    if (status == COVEY_OK)
        status = raise_and_help(&w, &root, err);
    if (status == COVEY_OK && w.is_full)
        status = covey_i_no_memory(err);
    if (status != COVEY_OK)
        covey_i_optimal_stop(hunt, COVEY_OPT_MEMORY_LIMIT);
    atomic_fetch_add(&hunt->n_nodes, w.n_nodes % 64);
    end(&w);
    return status;
}

/* The same by turns, which grow. */
static covey_status work_alone(covey_optimal_hunt *hunt, covey_error *err)
{
    covey_optimal_worker w = {0};
    covey_optimal_block root;
    covey_status status = begin(&w, &root, hunt, true, err);
    struct raising r = {0};
    struct lowering l = {.level = 1, .guesses = true};
    int64_t turn = FIRST_TURN;

    if (status == COVEY_OK)
        r = raising_begin(&w, &root);
    for (; status == COVEY_OK && !w.stopped && !is_solved(hunt); turn *= 2) {
        const int64_t before = w.n_nodes;

        raise_turn(&r, &w, &root, turn);
        if (r.done || w.stopped || is_solved(hunt))
            break;
        if (l.level <= MOST_LEVEL)
            status = lower_cost(&l, &w, &root, 0, err);
        turn = w.n_nodes - before > turn ? w.n_nodes - before : turn;
    }
    if (status == COVEY_OK && w.is_full)
        status = covey_i_no_memory(err);
    atomic_fetch_add(&hunt->n_nodes, w.n_nodes % 64);
    end(&w);
    return status;
}

/* The tree of an optimum that is known, the same one for any number of threads. */
static covey_status write_optimum(covey_optimal_hunt *hunt, covey_error *err)
{
    covey_optimal_worker w = {0};
    covey_optimal_block root;
    covey_optimal_tree tree = {0};
    covey_optimal_units cost = 0;
    covey_optimal_applied applied = {0};
    covey_status status = begin(&w, &root, hunt, true, err);

    if (status == COVEY_OK)
        status = covey_i_optimal_canonical(&tree, &w, &root, err);
    if (status == COVEY_OK && w.stopped) { /* a limit came first: the cost is known, any tree that has it will do */
        w.stopped = false;
        tree.n = 0;
        status = covey_i_optimal_extract(&tree, &cost, &w, &root, err);
    }
    if (status == COVEY_OK)
        status = covey_i_optimal_apply(&applied, NULL, NULL, &w, &tree, err);
    if (status == COVEY_OK && applied.cost < hunt->result->best)
        status = covey_i_optimal_offer(hunt, &tree, applied.cost, err);
    else if (status == COVEY_OK && applied.cost == hunt->result->best) /* this one is wanted */
        status = covey_i_optimal_tree_copy(&hunt->result->tree, &tree, err);
    covey_i_optimal_tree_clear(&tree);
    end(&w);
    return status;
}

/* Bytes for what is known of blocks: no more than there are boxes.  The rest of a limit is for tables that grow: both
 * the old and the new one are there for a moment. */
static size_t cache_bytes(const covey_optimal_grid *g)
{
    const size_t entry = sizeof(covey_optimal_known) + 8 * g->key_words,
                 most = g->options->memory_limit ? g->options->memory_limit / 8 * (g->by_size ? 5 : 6) : MOST_CACHE;
    double boxes = 1;

    for (size_t a = 0; a < g->d; a++)
        boxes *= 0.5 * ((double)g->axis[a].n_cells + 1) * ((double)g->axis[a].n_cells + 2);
    return boxes * 4 * (double)entry < (double)most ? (size_t)(boxes * 4 * (double)entry) + (1 << 16) : most;
}

covey_status covey_i_optimal_and_or(covey_optimal_hunt *hunt, covey_error *err)
{
    const covey_optimal_options *options = hunt->g->options;
    struct shared shared = {.hunt = hunt};
    /* A limit on nodes and an approximation stop a search half-way: the same place each time only if one thread walks.
     */
    const bool is_alone = options->node_limit > 0 || options->approximation.num > options->approximation.den ||
                          covey_run_threads(hunt->run) == 1;
    covey_status status;
    int why;

    COVEY_TRY(covey_i_optimal_cache_new(&hunt->cache, hunt->g->key_words, cache_bytes(hunt->g), err));
    if (is_alone) {
        status = work_alone(hunt, err);
    } else {
        const int n = covey_run_threads(hunt->run) < MOST_WORKERS ? covey_run_threads(hunt->run) : MOST_WORKERS;

        status = covey_i_parallel(n < 2 ? 2 : n, 2, work, &shared, err);
    }
    why = atomic_load(&hunt->stop);
    if (status == COVEY_OK && (why == 1 + COVEY_OPT_PROVEN || atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE)) {
        const covey_optimal_units optimum =
            atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE ? atomic_load(&hunt->optimum) : hunt->result->best;

        atomic_store(&hunt->stop, 0);
        if ((status = write_optimum(hunt, err)) == COVEY_OK) {
            covey_i_optimal_raise(hunt, optimum);
            if (hunt->result->best == optimum)
                atomic_store(&hunt->stop, 1 + COVEY_OPT_PROVEN);
        }
    }
    covey_i_optimal_cache_free(hunt->cache);
    hunt->cache = NULL;
    return status;
}
