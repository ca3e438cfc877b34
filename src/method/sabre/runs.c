/* Buckets of values on a line, and of values that are all equally far apart: runs of points.
 * Source: [Cao11] section 4 for cutting where it saves most; the fewest runs are ours. */
#include "base/error.h"
#include "method/sabre/sabre.h"

#include <string.h>

/* A run and the best place to cut it. */
struct run {
    uint32_t low, high;
    uint32_t cut;    /* the second part begins here; 0: a single point */
    covey_i128 drop; /* what the cut saves */
};

static struct run make_run(const covey_sabre_ground *g, uint32_t low, uint32_t high)
{
    const covey_i128 whole = covey_i_sabre_run_cost(g, low, high);
    struct run run = {.low = low, .high = high, .drop = -1};

    for (uint32_t cut = low + 1; cut <= high; cut++) {
        const covey_i128 drop = whole - covey_i_sabre_run_cost(g, low, cut - 1) - covey_i_sabre_run_cost(g, cut, high);

        if (run.cut == 0 || drop > run.drop) {
            run.drop = drop;
            run.cut = cut;
        }
    }
    return run;
}

/* Runs from left to right; the best cut of all is made, the leftmost of equally good ones. */
static covey_status cut_greedily(uint32_t *first, size_t *n_out, const covey_sabre_ground *g, covey_arena *arena,
                                 covey_error *err)
{
    struct run *run = covey_arena_array(arena, struct run, g->n);
    covey_i128 cost = covey_i_sabre_run_cost(g, 0, g->n - 1);
    size_t n = 1;

    if (!run)
        return covey_i_no_memory(err);
    run[0] = make_run(g, 0, g->n - 1);
    while (cost > g->limit) {
        const struct run *best = NULL;
        struct run cut;
        size_t at;

        for (size_t i = 0; i < n; i++)
            if (run[i].cut > 0 && (!best || run[i].drop > best->drop))
                best = &run[i];
        cut = *best;
        at = (size_t)(best - run);
        memmove(run + at + 2, run + at + 1, (n - at - 1) * sizeof *run);
        run[at] = make_run(g, cut.low, cut.cut - 1);
        run[at + 1] = make_run(g, cut.cut, cut.high);
        cost -= cut.drop;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        first[i] = run[i].low;
    first[n] = g->n;
    *n_out = n;
    return COVEY_OK;
}

/* At equal distance a cut saves the rows of the point behind it, wherever other cuts are: the best are before the
 * largest points, and the greedy buckets are the fewest. */
static covey_status cut_before_largest(uint32_t *first, size_t *n_out, const covey_sabre_ground *g, covey_arena *arena,
                                       covey_error *err)
{
    bool *is_first = covey_arena_array_zero(arena, bool, g->n);
    covey_i128 cost = covey_i_sabre_run_cost(g, 0, g->n - 1);
    size_t n = 0;

    if (!is_first)
        return covey_i_no_memory(err);
    is_first[0] = true;
    for (uint32_t end = g->n, low; end > 0 && cost > g->limit;
         end = low) { /* equally large points low .. end-1, from the left */
        for (low = end; low > 0 && g->rows[low - 1] == g->rows[end - 1];)
            low--;
        for (uint32_t i = low > 0 ? low : 1; i < end && cost > g->limit; i++) {
            is_first[i] = true;
            cost -= g->rows[i];
        }
    }
    for (uint32_t i = 0; i < g->n; i++)
        if (is_first[i])
            first[n++] = i;
    first[n] = g->n;
    *n_out = n;
    return COVEY_OK;
}

enum { MOST_CELLS = 1 << 27 };

/* The least cost of the first e points in one run more than `before` has, and where its last run begins.  Runs that
 * cost more than all may are not looked at; equally good ones begin as far left as possible. */
static void add_run(covey_i128 *cost, uint32_t *start, const covey_i128 *before, const covey_sabre_ground *g)
{
    cost[0] = g->limit + 1;
    for (uint32_t e = 1; e <= g->n; e++) {
        covey_i128 best = g->limit + 1;

        start[e] = 0;
        for (uint32_t b = e; b > 0; b--) {
            const covey_i128 last = covey_i_sabre_run_cost(g, b - 1, e - 1);

            if (last > best || last > g->limit)
                break; /* the run only grows */
            if (before[b - 1] + last <= best) {
                best = before[b - 1] + last;
                start[e] = b - 1;
            }
        }
        cost[e] = best;
    }
}

/* [derived] The least cost in k runs, for k = 1, 2, ..., until it is within the limit. */
static covey_status find_fewest(uint32_t *first, size_t *n_out, const covey_sabre_ground *g, covey_arena *arena,
                                covey_error *err)
{
    const size_t n = (size_t)g->n + 1;
    covey_i128 *before = covey_arena_array(arena, covey_i128, n), *cost = covey_arena_array(arena, covey_i128, n);
    uint32_t **start = covey_arena_array(arena, uint32_t *, n); /* by the number of runs */
    size_t k = 0;

    if (!before || !cost || !start)
        return covey_i_no_memory(err);
    for (size_t e = 0; e < n; e++)
        cost[e] = e > 0 ? g->limit + 1 : 0;
    while (cost[g->n] > g->limit) {
        covey_i128 *swap = before;

        if (++k * n > MOST_CELLS)
            return covey_i_refuse_param(err, "buckets",
                                        "sabre: buckets: fewest takes too much memory for %u sensitive values in "
                                        "more than %zu buckets: choose greedy",
                                        g->n, k - 1);
        if (!(start[k] = covey_arena_array(arena, uint32_t, n)))
            return covey_i_no_memory(err);
        before = cost;
        cost = swap;
        add_run(cost, start[k], before, g);
    }
    *n_out = k;
    first[k] = g->n;
    for (; k > 0; k--)
        first[k - 1] = start[k][first[k]];
    return COVEY_OK;
}

covey_status covey_i_sabre_runs(uint32_t *first, size_t *n_out, const covey_sabre_ground *g, bool fewest,
                                covey_arena *arena, covey_error *err)
{
    if (!g->position)
        return cut_before_largest(first, n_out, g, arena, err);
    return fewest ? find_fewest(first, n_out, g, arena, err) : cut_greedily(first, n_out, g, arena, err);
}
