/* Which nodes of the lattice are good, and the best of them.
 *
 * The exact search goes through the lattice layer by layer from the bottom; each node's classes are rolled up from the
 * smallest of the nodes right below, so that a node costs what its classes are, not what the table is.  A node above a
 * good one is good itself if all promises pass on to supersets, or if all pass on to unions and no row may be
 * suppressed: only then are nodes passed over, never otherwise. */
#include "method/full_domain/full_domain.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"

enum { CHUNK = 16, CHUNKS_PER_STEP = 16 };

static void levels_of(uint8_t *level, const covey_lattice *lattice, uint32_t node)
{
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];

        level[a] = (uint8_t)(node / attribute->stride % (uint32_t)attribute->n_levels);
    }
}

static int height_of(const covey_lattice *lattice, const uint8_t *level)
{
    int height = 0;

    for (size_t a = 0; a < lattice->n_attributes; a++)
        height += level[a];
    return height;
}

/* Is a better than b?  By cost, then height, then lexicographically. */
static bool is_better(const covey_lattice *lattice, double cost_a, const uint8_t *a, double cost_b, const uint8_t *b)
{
    const int height_a = height_of(lattice, a), height_b = height_of(lattice, b);

    if (cost_a != cost_b)
        return cost_a < cost_b;
    if (height_a != height_b)
        return height_a < height_b;
    return memcmp(a, b, lattice->n_attributes) < 0;
}

covey_status covey_i_full_domain_offer(covey_lattice_found *found, const covey_lattice *lattice,
                                       const covey_lattice_verdict *verdict, const uint8_t *level, covey_arena *arena,
                                       covey_error *err)
{
    if (!verdict->is_good ||
        (found->found && !is_better(lattice, verdict->cost, level, found->verdict.cost, found->level)))
        return COVEY_OK;
    if (!found->level && !(found->level = covey_arena_array(arena, uint8_t, lattice->n_attributes + 1)))
        return covey_i_no_memory(err);
    found->found = true;
    found->verdict = *verdict;
    memcpy(found->level, level, lattice->n_attributes);
    return COVEY_OK;
}

static covey_status report_progress(const covey_run *run, int64_t done, int64_t to_do, covey_error *err)
{
    return covey_i_run_goes_on(run, "search the lattice", done, to_do, err);
}

/* Judges one node, starting from the bottom. */
static covey_status judge_node(covey_lattice_verdict *out, covey_lattice_worker *worker,
                               const covey_lattice_groups *base, const uint8_t *level, covey_lattice_metric metric,
                               covey_error *err)
{
    covey_lattice_groups groups = {0};
    uint8_t *bottom = covey_i_array_zero(worker->lattice->n_attributes + 1, 1);
    covey_status status;

    if (!bottom)
        return covey_i_no_memory(err);
    if ((status = covey_i_full_domain_groups_roll_up(&groups, NULL, worker, base, bottom, level, err)) == COVEY_OK)
        covey_i_full_domain_judge(out, NULL, worker, &groups, level, metric);
    covey_i_full_domain_groups_clear(&groups);
    covey_i_free(bottom);
    return status;
}

/* --- all of the lattice --- */

enum { GOOD = 1, ABOVE_GOOD = 2 };

struct sweep {
    const covey_lattice *lattice;
    const covey_lattice_groups *base;
    covey_lattice_metric metric;
    covey_lattice_found *found;
    covey_lattice_groups *groups;   /* [n_nodes] of this layer and the one before; n 0: not kept */
    covey_lattice_verdict *verdict; /* [nodes of this layer] */
    uint8_t *state;                 /* [n_nodes] */
    uint32_t *node;                 /* [n_nodes] by height, then number */
    uint32_t *layer;                /* [height + 2] first of each height in node */
    uint32_t first, n;              /* of the nodes that are being judged */
    uint32_t layer_first;
    _Atomic size_t bytes;
    covey_lattice_worker *worker; /* [CHUNKS_PER_STEP] one per task */
};

static uint32_t node_below(const struct sweep *s, uint32_t node, const uint8_t *level, size_t a)
{
    return level[a] > 0 ? node - s->lattice->attribute[a].stride : UINT32_MAX;
}

/* Classes of `node`, from the smallest below or from the bottom. */
static covey_status roll_up(covey_lattice_groups *out, struct sweep *s, covey_lattice_worker *worker, uint32_t node,
                            const uint8_t *level, uint8_t *from, covey_error *err)
{
    const covey_lattice_groups *source = s->base;
    size_t which = SIZE_MAX;

    for (size_t a = 0; a < s->lattice->n_attributes; a++) {
        const uint32_t below = node_below(s, node, level, a);

        if (below != UINT32_MAX && s->groups[below].n > 0 && (which == SIZE_MAX || s->groups[below].n < source->n)) {
            source = &s->groups[below];
            which = a;
        }
    }
    memset(from, 0, s->lattice->n_attributes);
    if (which != SIZE_MAX) {
        memcpy(from, level, s->lattice->n_attributes);
        from[which]--;
    }
    return covey_i_full_domain_groups_roll_up(out, NULL, worker, source, from, level, err);
}

/* Is there a good node anywhere below?  Nodes below were asked already. */
static bool is_above_good(const struct sweep *s, uint32_t node, const uint8_t *level)
{
    for (size_t a = 0; a < s->lattice->n_attributes; a++) {
        const uint32_t below = node_below(s, node, level, a);

        if (below != UINT32_MAX && (s->state[below] & (GOOD | ABOVE_GOOD)))
            return true;
    }
    return false;
}

/* A node that is known to be good and cannot be the best one. */
static bool can_pass_over(const struct sweep *s, const uint8_t *level)
{
    if (covey_i_full_domain_cost_is_monotone(s->lattice, s->metric))
        return true;
    return s->found->found && covey_i_full_domain_least_cost(s->lattice, level, s->metric) > s->found->verdict.cost;
}

static covey_status judge_one(struct sweep *s, covey_lattice_worker *worker, uint32_t i, uint8_t *level, uint8_t *from,
                              covey_error *err)
{
    const uint32_t node = s->node[i];
    covey_lattice_groups groups = {0};
    covey_lattice_verdict *verdict = &s->verdict[i - s->layer_first];
    size_t bytes;

    levels_of(level, s->lattice, node);
    *verdict = (covey_lattice_verdict){0};
    if (s->lattice->is_closed && is_above_good(s, node, level)) {
        s->state[node] = GOOD;
        if (can_pass_over(s, level))
            return COVEY_OK;
    }
    COVEY_TRY(roll_up(&groups, s, worker, node, level, from, err));
    covey_i_full_domain_judge(verdict, NULL, worker, &groups, level, s->metric);
    if (verdict->is_good)
        s->state[node] |= GOOD;
    bytes = covey_i_full_domain_groups_bytes(&groups, s->lattice);
    if (atomic_load(&s->bytes) + bytes > COVEY_LATTICE_MOST_BYTES) {
        covey_i_full_domain_groups_clear(&groups);
        return COVEY_OK;
    }
    atomic_fetch_add(&s->bytes, bytes);
    s->groups[node] = groups;
    return COVEY_OK;
}

static covey_status judge_chunk(void *context, size_t task, covey_error *err)
{
    struct sweep *s = context;
    const uint32_t first = s->first + (uint32_t)task * CHUNK, end = s->first + s->n;
    uint8_t level[256], from[256];
    covey_status status = COVEY_OK;

    for (uint32_t i = first; i < end && i < first + CHUNK && status == COVEY_OK; i++)
        status = judge_one(s, &s->worker[task], i, level, from, err);
    return status;
}

static void forget_layer(struct sweep *s, int height)
{
    if (height < 0)
        return;
    for (uint32_t i = s->layer[height]; i < s->layer[height + 1]; i++) {
        covey_lattice_groups *groups = &s->groups[s->node[i]];

        if (groups->n > 0)
            atomic_fetch_sub(&s->bytes, covey_i_full_domain_groups_bytes(groups, s->lattice));
        covey_i_full_domain_groups_clear(groups);
    }
}

static covey_status sweep_layer(struct sweep *s, int height, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const uint32_t end = s->layer[height + 1];
    uint8_t level[256];

    s->layer_first = s->layer[height];
    for (s->first = s->layer_first; s->first < end; s->first += s->n) {
        if ((s->found->was_stopped = run && run->enough && run->enough(run->context)))
            break;
        s->n = end - s->first < CHUNK * CHUNKS_PER_STEP ? end - s->first : CHUNK * CHUNKS_PER_STEP;
        COVEY_TRY(report_progress(run, s->first, (int64_t)s->lattice->n_nodes, err));
        COVEY_TRY(covey_i_parallel(covey_run_threads(run), (s->n + CHUNK - 1) / CHUNK, judge_chunk, s, err));
    }
    for (uint32_t i = s->layer_first; i < s->first; i++) {
        levels_of(level, s->lattice, s->node[i]);
        COVEY_TRY(covey_i_full_domain_offer(s->found, s->lattice, &s->verdict[i - s->layer_first], level, arena, err));
    }
    return COVEY_OK;
}

static covey_status sort_nodes(struct sweep *s, covey_error *err)
{
    const covey_lattice *lattice = s->lattice;
    const uint32_t n = (uint32_t)lattice->n_nodes;
    uint32_t most = 0;
    uint8_t level[256];

    s->node = covey_i_array(n, sizeof *s->node);
    s->layer = covey_i_array_zero((size_t)lattice->height + 3, sizeof *s->layer);
    s->state = covey_i_array_zero(n, 1);
    s->groups = covey_i_array_zero(n, sizeof *s->groups);
    if (!s->node || !s->layer || !s->state || !s->groups)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        levels_of(level, lattice, i);
        s->layer[height_of(lattice, level) + 2]++;
    }
    for (int h = 0; h <= lattice->height; h++) {
        most = s->layer[h + 2] > most ? s->layer[h + 2] : most;
        s->layer[h + 2] += s->layer[h + 1];
    }
    for (uint32_t i = 0; i < n; i++) {
        levels_of(level, lattice, i);
        s->node[s->layer[height_of(lattice, level) + 1]++] = i;
    }
    return (s->verdict = covey_i_array(most, sizeof *s->verdict)) ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status list_minimal(covey_lattice_found *found, const struct sweep *s, covey_arena *arena,
                                 covey_error *err)
{
    const covey_lattice *lattice = s->lattice;
    uint8_t level[256];
    uint32_t n = 0;

    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !(found->minimal = covey_arena_array(arena, uint8_t, (size_t)n * lattice->n_attributes + 1)))
            return covey_i_no_memory(err);
        n = 0;
        found->n_good = 0;
        for (uint32_t i = 0; i < lattice->n_nodes; i++) {
            const uint32_t node = s->node[i];

            found->n_good += s->state[node] & GOOD;
            levels_of(level, lattice, node);
            if (is_above_good(s, node, level))
                s->state[node] |= ABOVE_GOOD;
            if ((s->state[node] & (GOOD | ABOVE_GOOD)) != GOOD)
                continue;
            if (pass == 1)
                memcpy(found->minimal + (size_t)n * lattice->n_attributes, level, lattice->n_attributes);
            n++;
        }
    }
    found->n_minimal = n;
    return COVEY_OK;
}

static covey_status new_workers(covey_lattice_worker **out, const covey_lattice *lattice, covey_error *err)
{
    covey_status status = COVEY_OK;

    if (!(*out = covey_i_array_zero(CHUNKS_PER_STEP, sizeof **out)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < CHUNKS_PER_STEP && status == COVEY_OK; i++)
        status = covey_i_full_domain_worker_new(&(*out)[i], lattice, err);
    return status;
}

static void free_workers(covey_lattice_worker *worker)
{
    for (size_t i = 0; worker && i < CHUNKS_PER_STEP; i++)
        covey_i_full_domain_worker_clear(&worker[i]);
    covey_i_free(worker);
}

covey_status covey_i_full_domain_search(covey_lattice_found *out, const covey_lattice *lattice,
                                        const covey_lattice_groups *base, covey_lattice_metric metric,
                                        covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct sweep s = {.lattice = lattice, .base = base, .metric = metric, .found = out};
    covey_status status;
    int height = 0;

    if ((status = sort_nodes(&s, err)) == COVEY_OK && (status = new_workers(&s.worker, lattice, err)) == COVEY_OK)
        for (; height <= lattice->height && status == COVEY_OK && !out->was_stopped; height++) {
            status = sweep_layer(&s, height, arena, run, err);
            forget_layer(&s, height - 1);
        }
    if (out->was_stopped)
        out->n_judged = s.first;
    else if (status == COVEY_OK)
        status = list_minimal(out, &s, arena, err);
    out->is_optimal = out->found && !out->was_stopped;
    for (uint32_t i = 0; s.groups && i < lattice->n_nodes; i++)
        covey_i_full_domain_groups_clear(&s.groups[i]);
    free_workers(s.worker);
    covey_i_free(s.groups);
    covey_i_free(s.verdict);
    covey_i_free(s.state);
    covey_i_free(s.node);
    covey_i_free(s.layer);
    return status;
}

/* --- paths through it --- */

/* Calls judge for every node of one height; *n_good receives how many are good. */
static covey_status judge_height(covey_lattice_found *found, uint64_t *n_good, const covey_lattice *lattice,
                                 const covey_lattice_groups *base, int height, covey_lattice_metric metric,
                                 covey_lattice_worker *worker, covey_arena *arena, const covey_run *run,
                                 covey_error *err)
{
    uint8_t level[256];

    *n_good = 0;
    for (uint32_t node = 0; node < lattice->n_nodes; node++) {
        covey_lattice_verdict verdict;

        levels_of(level, lattice, node);
        if (height_of(lattice, level) != height)
            continue;
        COVEY_TRY(report_progress(run, node, (int64_t)lattice->n_nodes, err));
        COVEY_TRY(judge_node(&verdict, worker, base, level, metric, err));
        *n_good += verdict.is_good;
        COVEY_TRY(covey_i_full_domain_offer(found, lattice, &verdict, level, arena, err));
    }
    return COVEY_OK;
}

covey_status covey_i_full_domain_samarati(covey_lattice_found *out, const covey_lattice *lattice,
                                          const covey_lattice_groups *base, covey_lattice_metric metric,
                                          covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_lattice_worker worker = {0};
    covey_status status;
    int low = 0, high = lattice->height + 1; /* no good node below low; high: found, or beyond the top */

    if ((status = covey_i_full_domain_worker_new(&worker, lattice, err)) != COVEY_OK)
        goto done;
    while (low < high) {
        const int middle = lattice->is_closed ? low + (high - low) / 2
                                              : low; /* else goodness has gaps, and bisection would be wrong */
        covey_lattice_found here = {0};
        uint64_t n_good;

        if ((status = judge_height(&here, &n_good, lattice, base, middle, metric, &worker, arena, run, err)) !=
            COVEY_OK)
            goto done;
        if (n_good > 0) {
            *out = here;
            out->n_good = n_good;
            high = middle;
        } else {
            low = middle + 1;
        }
    }
done:
    covey_i_full_domain_worker_clear(&worker);
    return status;
}

covey_status covey_i_full_domain_datafly(covey_lattice_found *out, const covey_lattice *lattice,
                                         const covey_lattice_groups *base, covey_lattice_metric metric,
                                         covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_lattice_worker worker = {0};
    uint8_t level[256] = {0};
    covey_status status;

    if ((status = covey_i_full_domain_worker_new(&worker, lattice, err)) != COVEY_OK)
        goto done;
    for (int height = 0; height <= lattice->height; height++) {
        covey_lattice_verdict verdict;
        size_t widest = SIZE_MAX;
        uint32_t most = 0;

        if ((status = report_progress(run, height, lattice->height, err)) != COVEY_OK ||
            (status = judge_node(&verdict, &worker, base, level, metric, err)) != COVEY_OK ||
            (status = covey_i_full_domain_offer(out, lattice, &verdict, level, arena, err)) != COVEY_OK || out->found)
            goto done;
        for (size_t a = 0; a < lattice->n_attributes; a++) {
            const uint32_t n =
                level[a] + 1 < lattice->attribute[a].n_levels ? lattice->attribute[a].level[level[a]].n_occurring : 0;

            if (n > most) {
                most = n;
                widest = a;
            }
        }
        if (widest == SIZE_MAX)
            break;
        level[widest]++;
    }
done:
    covey_i_full_domain_worker_clear(&worker);
    return status;
}

covey_status covey_i_full_domain_descend(covey_lattice_found *out, const covey_lattice *lattice,
                                         const covey_lattice_groups *base, covey_lattice_metric metric,
                                         covey_arena *arena, const covey_run *run, covey_error *err)
{
    covey_lattice_worker worker = {0};
    covey_lattice_verdict verdict;
    uint8_t level[256] = {0};
    covey_status status;

    for (size_t a = 0; a < lattice->n_attributes; a++)
        level[a] = (uint8_t)(lattice->attribute[a].n_levels - 1);
    if ((status = covey_i_full_domain_worker_new(&worker, lattice, err)) != COVEY_OK ||
        (status = judge_node(&verdict, &worker, base, level, metric, err)) != COVEY_OK ||
        (status = covey_i_full_domain_offer(out, lattice, &verdict, level, arena, err)) != COVEY_OK)
        goto done;
    for (int height = lattice->height; out->found; height--) {
        covey_lattice_found better = {0};

        if ((status = report_progress(run, lattice->height - height, lattice->height, err)) != COVEY_OK)
            goto done;
        for (size_t a = 0; a < lattice->n_attributes; a++) {
            if (out->level[a] == 0)
                continue;
            memcpy(level, out->level, lattice->n_attributes);
            level[a]--;
            if ((status = judge_node(&verdict, &worker, base, level, metric, err)) != COVEY_OK ||
                (status = covey_i_full_domain_offer(&better, lattice, &verdict, level, arena, err)) != COVEY_OK)
                goto done;
        }
        if (!better.found || !is_better(lattice, better.verdict.cost, better.level, out->verdict.cost, out->level))
            break;
        *out = better;
    }
done:
    covey_i_full_domain_worker_clear(&worker);
    return status;
}
