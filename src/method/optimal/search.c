/* One table, one search: edge cases first, then the greedy start, then the search that was asked for. */
#include "method/optimal/optimal.h"

#include <assert.h>

#include "base/clock.h"
#include "base/error.h"

/* Minimum lengths that even the whole domain does not have. */
static covey_status check_lengths(const covey_optimal_grid *g, covey_error *err)
{
    for (size_t a = 0; a < g->d; a++)
        if (g->axis[a].reach && g->axis[a].reach[0] > g->axis[a].n_cells)
            return covey_fail(err, COVEY_EINFEASIBLE,
                              "no release can keep min-length: the domain of \"%s\" itself is shorter",
                              g->axis[a].axis->column->name);
    return COVEY_OK;
}

static covey_status start(covey_optimal_hunt *hunt, bool *is_hopeless, covey_error *err)
{
    covey_optimal_worker w = {0};
    covey_optimal_block root;
    covey_optimal_tree tree = {0};
    covey_optimal_units cost;
    covey_optimal_verdict verdict;
    covey_status status;

    if ((status = covey_i_optimal_worker_new(&w, hunt->g, err)) != COVEY_OK ||
        (status = covey_i_optimal_root(&root, &w, err)) != COVEY_OK)
        goto done;
    covey_i_optimal_leaf(&w.judge, &root, &verdict);
    *is_hopeless = !hunt->g->options->suppress && verdict != COVEY_OPT_ADMITTED && verdict != COVEY_OPT_FAILS;
    if (*is_hopeless)
        goto done;
    if ((status = covey_i_optimal_greedy(&tree, &cost, &w, &root, err)) == COVEY_OK && cost < COVEY_OPT_INFINITE)
        status = covey_i_optimal_offer(hunt, &tree, cost, err);
    covey_i_optimal_raise(hunt, covey_i_optimal_block_bound(hunt->g, &root));
done:
    covey_i_optimal_tree_clear(&tree);
    covey_i_optimal_worker_clear(&w);
    return status;
}

static covey_optimal_search choose(const covey_optimal_grid *g)
{
    if (g->options->search != COVEY_OPT_AUTO)
        return g->options->search;
    return covey_i_optimal_dynamic_fits(g) && g->options->node_limit == 0 ? COVEY_OPT_DYNAMIC : COVEY_OPT_AND_OR;
}

static covey_status run_search(covey_optimal_hunt *hunt, covey_error *err)
{
    covey_optimal_result *r = hunt->result;
    bool is_hopeless = false;

    COVEY_TRY(start(hunt, &is_hopeless, err));
    if (is_hopeless)
        return COVEY_OK;
    r->search = choose(hunt->g);
    if (r->search == COVEY_OPT_DYNAMIC && !covey_i_optimal_dynamic_fits(hunt->g))
        return covey_i_refuse_param(err, "search",
                                    "method optimal-partition: search dynamic is for up to three quasi-identifiers "
                                    "and for grids that fit into memory; use and-or");
    if (covey_i_optimal_is_over(hunt, true))
        return COVEY_OK;
    switch (r->search) {
    case COVEY_OPT_DYNAMIC:
        return covey_i_optimal_dynamic(hunt, err);
    case COVEY_OPT_PET:
        return covey_i_optimal_pet(hunt, err);
    default:
        return covey_i_optimal_and_or(hunt, err);
    }
}

covey_status covey_i_optimal_search(covey_optimal_result *result, const covey_optimal_grid *g, const covey_run *run,
                                    covey_error *err)
{
    covey_optimal_hunt hunt;
    covey_status status = check_lengths(g, err);
    int stop;

    *result = (covey_optimal_result){0};
    if (status != COVEY_OK)
        return status;
    covey_i_optimal_hunt_init(&hunt, g, result, run, covey_i_seconds());
    status = run_search(&hunt, err);
    stop = atomic_load(&hunt.stop);
    /* What nothing stops ends with a proof, or finds that there is no partitioning. */
    assert(status != COVEY_OK || stop || result->best >= COVEY_OPT_INFINITE || result->bound >= result->best);
    result->stop = stop && result->bound < result->best ? (covey_optimal_stop)(stop - 1) : COVEY_OPT_PROVEN;
    if (status == COVEY_OK && hunt.cancelled)
        status = covey_fail(err, COVEY_ECANCELLED, "cancelled");
    if (status == COVEY_OK && result->best >= COVEY_OPT_INFINITE)
        status = covey_fail(err, COVEY_EINFEASIBLE,
                            "no partitioning keeps the promises with the rows that may stay: relax them");
    if (status != COVEY_OK)
        covey_i_optimal_tree_clear(&result->tree);
    covey_i_optimal_hunt_clear(&hunt);
    return status;
}
