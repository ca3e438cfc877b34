/* The search on blocks, put together: one thread looks for good partitionings (beam, neighbourhood search), the other raises the proven
 * bound (budgets from below); both share what is known of blocks.  A single thread takes turns.  See docs/design/optimal-partition.md. */
#include "method/opt_impl.h"

#include <string.h>

#include "base/threads.h"

enum { MOST_WIDTH = 64, FIRST_TURN = 2000, MOST_WORKERS = 8 };

#define MOST_CACHE ((size_t)1 << 30) /* bytes, where no limit says otherwise */

/* Where the work on the bound stands. */
struct raising {
    covey_opt_units bound, step;
    int64_t most_nodes; /* of a try */
    bool done;
};

static bool is_solved(const covey_opt_hunt *hunt)
{
    return atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE || atomic_load(&hunt->stop);
}

static void found_optimum(covey_opt_hunt *hunt, covey_opt_units value)
{
    atomic_store(&hunt->optimum, value);
    covey_i_opt_stop(hunt, COVEY_OPT_PROVEN);
}

/* One try: the optimum, or a larger bound.  False if it took too many nodes. */
static bool try_budget(struct raising *r, covey_opt_worker *w, const covey_opt_block *root, int64_t nodes)
{
    covey_opt_hunt *hunt = w->hunt;
    const covey_opt_units best = atomic_load(&hunt->best);
    covey_opt_units budget = r->bound + 1 + r->step, v;

    budget = budget < best ? budget : best;
    w->node_end = w->n_nodes + nodes;
    v = covey_i_opt_solve(w, root, budget);
    w->node_end = 0;
    if (w->stopped) {
        if (w->ran_out && !w->is_full && !atomic_load(&hunt->stop))
            w->stopped = w->ran_out = false;
        return false;
    }
    r->done = v < budget || v >= best; /* nothing below the best: it is the optimum */
    if (r->done && (v < budget || best < COVEY_OPT_INFINITE))
        found_optimum(hunt, v < budget ? v : best);
    else
        covey_i_opt_raise(hunt, v);
    r->bound = v;
    return true;
}

/* One budget after the other, from the root's bound up, until the optimum is below one of them.  Steps grow as long as they are cheap and
 * shrink where they are not: what a try leaves in the cache makes the next one shorter. */
static void raise_bound(struct raising *r, covey_opt_worker *w, const covey_opt_block *root, int64_t nodes)
{
    const int64_t end = nodes > 0 ? w->n_nodes + nodes : INT64_MAX;

    while (!r->done && !w->stopped && !is_solved(w->hunt) && w->n_nodes < end) {
        const covey_opt_units best = atomic_load(&w->hunt->best);
        const covey_opt_units least = (best < COVEY_OPT_INFINITE ? best - r->bound : r->bound) / 500 + 1;
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

/* Publishes what the cache knows of the root. */
static covey_status offer(covey_opt_worker *w, const covey_opt_block *root, covey_opt_units value, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    covey_opt_tree tree = {0};
    covey_opt_units cost = 0;
    covey_status status = COVEY_OK;

    if (value < atomic_load(&w->hunt->best)) {
        if ((status = covey_i_opt_extract(&tree, &cost, w, root, err)) == COVEY_OK)
            status = covey_i_opt_offer(w->hunt, &tree, cost, err);
    }
    covey_arena_rewind(&w->arena, mark);
    covey_i_opt_tree_clear(&tree);
    return status;
}

/* One round of the work on good partitionings: a wider beam, then parts of what it found. */
static covey_status lower_cost(covey_opt_worker *w, const covey_opt_block *root, uint32_t width, covey_error *err)
{
    const int64_t k = w->g->k;
    covey_opt_units value = covey_i_opt_beam(w, root, width);

    if (w->is_full)
        return covey_fail(err, COVEY_ENOMEM, "scratch memory");
    if (!w->stopped)
        COVEY_TRY(offer(w, root, value, err));
    for (int64_t most = 15 * k; !w->stopped && most <= 60 * k && most < 2 * root->n; most *= 2) {
        value = covey_i_opt_improve(w, root, most, 1000 * (int64_t)width);
        if (w->is_full)
            return covey_fail(err, COVEY_ENOMEM, "scratch memory");
        if (!w->stopped)
            COVEY_TRY(offer(w, root, value, err));
    }
    return COVEY_OK;
}

/* What the threads share. */
struct shared {
    covey_opt_hunt *hunt;
    const covey_opt_tree *start;
};

static covey_status begin(covey_opt_worker *w, covey_opt_block *root, covey_opt_hunt *hunt, bool is_first, covey_error *err)
{
    COVEY_TRY(covey_i_opt_worker_new(w, hunt->g, err));
    w->hunt = hunt;
    w->is_first = is_first;
    return covey_i_opt_root(root, w, err);
}

static covey_status work(void *context, size_t task, covey_error *err)
{
    covey_opt_hunt *hunt = ((struct shared *)context)->hunt;
    covey_opt_worker w = {0};
    covey_opt_block root;
    covey_status status = begin(&w, &root, hunt, task == 0, err);

    if (status == COVEY_OK && task == 0) {
        for (uint32_t width = 1; width <= MOST_WIDTH && status == COVEY_OK && !w.stopped && !is_solved(hunt); width++)
            status = lower_cost(&w, &root, width, err);
    }
    if (status == COVEY_OK && !w.stopped && !is_solved(hunt)) {
        struct raising r = {.bound = covey_i_opt_block_bound(hunt->g, &root), .most_nodes = FIRST_TURN};

        raise_bound(&r, &w, &root, 0);
    }
    if (status == COVEY_OK && w.is_full)
        status = covey_fail(err, COVEY_ENOMEM, "scratch memory");
    if (status != COVEY_OK)
        covey_i_opt_stop(hunt, COVEY_OPT_MEMORY_LIMIT);
    atomic_fetch_add(&hunt->n_nodes, w.n_nodes % 64);
    covey_i_opt_worker_clear(&w);
    return status;
}

/* The same by turns, which grow. */
static covey_status work_alone(covey_opt_hunt *hunt, covey_error *err)
{
    covey_opt_worker w = {0};
    covey_opt_block root;
    covey_status status = begin(&w, &root, hunt, true, err);
    struct raising r = {.most_nodes = FIRST_TURN};
    int64_t turn = FIRST_TURN;

    if (status == COVEY_OK)
        r.bound = covey_i_opt_block_bound(hunt->g, &root);
    for (uint32_t width = 1; status == COVEY_OK && !w.stopped && !is_solved(hunt); width++, turn *= 2) {
        const int64_t before = w.n_nodes;

        raise_bound(&r, &w, &root, turn);
        if (r.done || w.stopped || is_solved(hunt))
            break;
        if (width <= MOST_WIDTH)
            status = lower_cost(&w, &root, width, err);
        turn = w.n_nodes - before > turn ? w.n_nodes - before : turn;
    }
    if (status == COVEY_OK && w.is_full)
        status = covey_fail(err, COVEY_ENOMEM, "scratch memory");
    atomic_fetch_add(&hunt->n_nodes, w.n_nodes % 64);
    covey_i_opt_worker_clear(&w);
    return status;
}

/* The tree of an optimum that is known, the same one for any number of threads. */
static covey_status write_optimum(covey_opt_hunt *hunt, covey_error *err)
{
    covey_opt_worker w = {0};
    covey_opt_block root;
    covey_opt_tree tree = {0};
    covey_opt_units cost = 0;
    covey_opt_applied applied = {0};
    covey_status status = begin(&w, &root, hunt, true, err);

    if (status == COVEY_OK)
        status = covey_i_opt_canonical(&tree, &w, &root, err);
    if (status == COVEY_OK && w.stopped) { /* a limit came first: the cost is known, any tree that has it will do */
        w.stopped = false;
        tree.n = 0;
        status = covey_i_opt_extract(&tree, &cost, &w, &root, err);
    }
    if (status == COVEY_OK)
        status = covey_i_opt_apply(&applied, NULL, NULL, &w, &tree, err);
    if (status == COVEY_OK && applied.cost < hunt->result->best)
        status = covey_i_opt_offer(hunt, &tree, applied.cost, err);
    else if (status == COVEY_OK && applied.cost == hunt->result->best) /* this one is wanted */
        status = covey_i_opt_tree_copy(&hunt->result->tree, &tree, err);
    covey_i_opt_tree_clear(&tree);
    covey_i_opt_worker_clear(&w);
    return status;
}

/* Bytes for what is known of blocks: no more than there are boxes. */
static size_t cache_bytes(const covey_opt_grid *g)
{
    const size_t entry = sizeof(covey_opt_known) + 8 * g->key_words, most = g->options->memory_limit ? g->options->memory_limit / 4 * 3 : MOST_CACHE;
    double boxes = 1;

    for (size_t a = 0; a < g->d; a++)
        boxes *= 0.5 * ((double)g->axis[a].n_cells + 1) * ((double)g->axis[a].n_cells + 2);
    return boxes * 4 * (double)entry < (double)most ? (size_t)(boxes * 4 * (double)entry) + (1 << 16) : most;
}

covey_status covey_i_opt_and_or(covey_opt_hunt *hunt, covey_error *err)
{
    const covey_opt_options *options = hunt->g->options;
    struct shared shared = {.hunt = hunt};
    /* A limit on nodes and an approximation stop a search half-way: the same place each time only if one thread walks. */
    const bool is_alone = options->node_limit > 0 || options->approximation.num > options->approximation.den || covey_run_threads(hunt->run) == 1;
    covey_status status;
    int why;

    COVEY_TRY(covey_i_opt_cache_new(&hunt->cache, hunt->g->key_words, cache_bytes(hunt->g), err));
    if (is_alone) {
        status = work_alone(hunt, err);
    } else {
        const int n = covey_run_threads(hunt->run) < MOST_WORKERS ? covey_run_threads(hunt->run) : MOST_WORKERS;

        status = covey_i_parallel(n < 2 ? 2 : n, 2, work, &shared, err);
    }
    why = atomic_load(&hunt->stop);
    if (status == COVEY_OK && (why == 1 + COVEY_OPT_PROVEN || atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE)) {
        const covey_opt_units optimum = atomic_load(&hunt->optimum) < COVEY_OPT_INFINITE ? atomic_load(&hunt->optimum) : hunt->result->best;

        atomic_store(&hunt->stop, 0);
        if ((status = write_optimum(hunt, err)) == COVEY_OK) {
            covey_i_opt_raise(hunt, optimum);
            if (hunt->result->best == optimum)
                atomic_store(&hunt->stop, 1 + COVEY_OPT_PROVEN);
        }
    }
    covey_i_opt_cache_free(hunt->cache);
    hunt->cache = NULL;
    return status;
}
