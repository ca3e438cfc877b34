/* The best node without a look at all of them.
 *
 * What a node costs at least is known from its levels alone, so nodes are visited from the cheapest on, until what is
 * left cannot be better than the best one found.  From a node a chain leads upwards through nodes that could still be
 * the best; its upper end is judged first.  If that breaks the policy for good, so does everything below it, and a
 * single look settles them all; else the chain is bisected [Kohlmayer12].  "For good" is a broken promise where a node
 * above a good one is good, and otherwise only that more rows than may be suppressed stand in classes that are too
 * small, which holds for everything below whatever the promises are. */
#include "method/full_domain/full_domain.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"

enum { N_KEPT = 64 }; /* 512 are not better */

enum {
    HOPELESS = 1, /* it breaks the policy, and so does everything below */
    JUDGED = 2,
    HOPEFUL = 4, /* it is not hopeless, nor is anything above */
    USELESS = 8, /* it cannot be the best one, nor can anything above */
    BEATEN = 16  /* nor can it beat what is to be beaten, but what it is like settles nodes below */
};

/* The groups of a node from which those of nodes above are rolled up. */
struct kept {
    covey_lattice_groups groups;
    uint8_t level[256];
};

struct chains {
    const covey_lattice *lattice;
    const covey_lattice_groups *base;
    covey_lattice_metric metric;
    covey_lattice_found *found;
    uint32_t best; /* node of found */
    covey_lattice_worker worker;
    uint8_t *state;  /* [n_nodes] */
    double *least;   /* [n_nodes] what a node costs at least */
    uint8_t *height; /* [n_nodes] */
    uint32_t *stack; /* [n_nodes] of what is marked */
    uint32_t n_judged;
    struct kept *kept; /* [N_KEPT] */
    size_t oldest;     /* of kept: the next to be replaced */
    size_t bytes;      /* of kept */
    covey_arena *arena;
};

static int level_at(const struct chains *c, uint32_t node, size_t a)
{
    const covey_lattice_attribute *attribute = &c->lattice->attribute[a];

    return (int)(node / attribute->stride % (uint32_t)attribute->n_levels);
}

/* Nodes are numbered lexicographically. */
static bool may_be_best(const struct chains *c, uint32_t node)
{
    if (c->state[node] & USELESS)
        return false;
    if (!c->found->found || c->least[node] != c->found->verdict.cost)
        return !c->found->found || c->least[node] < c->found->verdict.cost;
    if (c->height[node] != c->height[c->best])
        return c->height[node] < c->height[c->best];
    return node < c->best;
}

/* Marks the node and everything above or below it; what bears the mark has all on that side marked. */
static void mark(struct chains *c, uint32_t node, uint8_t bit, bool above)
{
    size_t n = 0;

    if (c->state[node] & bit)
        return;
    c->state[node] |= bit;
    c->stack[n++] = node;
    while (n > 0) {
        const uint32_t from = c->stack[--n];

        for (size_t a = 0; a < c->lattice->n_attributes; a++) {
            const covey_lattice_attribute *attribute = &c->lattice->attribute[a];
            const uint32_t next = above ? from + attribute->stride : from - attribute->stride;

            if (level_at(c, from, a) == (above ? attribute->n_levels - 1 : 0) || (c->state[next] & bit))
                continue;
            c->state[next] |= bit;
            c->stack[n++] = next;
        }
    }
}

static bool is_below(const uint8_t *below, const uint8_t *level, size_t n)
{
    for (size_t a = 0; a < n; a++)
        if (below[a] > level[a])
            return false;
    return true;
}

/* Of the nodes below whose groups are kept, that with the fewest. */
static struct kept *find_kept(const struct chains *c, const uint8_t *level)
{
    struct kept *best = NULL;

    for (size_t i = 0; i < N_KEPT; i++)
        if (c->kept[i].groups.n > 0 && (!best || c->kept[i].groups.n < best->groups.n) &&
            is_below(c->kept[i].level, level, c->lattice->n_attributes))
            best = &c->kept[i];
    return best;
}

static void drop_kept(struct chains *c, struct kept *kept)
{
    c->bytes -= covey_i_full_domain_groups_bytes(&kept->groups, c->lattice);
    covey_i_full_domain_groups_clear(&kept->groups);
}

/* Keeps the groups, instead of the oldest ones and of as many as there is no memory for. */
static struct kept *keep(struct chains *c, const covey_lattice_groups *groups, const uint8_t *level)
{
    const size_t bytes = covey_i_full_domain_groups_bytes(groups, c->lattice);
    struct kept *kept = &c->kept[c->oldest];

    drop_kept(c, kept);
    c->oldest = (c->oldest + 1) % N_KEPT;
    for (size_t i = 0; i < N_KEPT && c->bytes + bytes > COVEY_LATTICE_MOST_BYTES; i++)
        drop_kept(c, &c->kept[(c->oldest + i) % N_KEPT]);
    c->bytes += bytes;
    kept->groups = *groups;
    memcpy(kept->level, level, c->lattice->n_attributes);
    return kept;
}

/* Groups to roll those of the node up from: of a node one level below everywhere, which serves its neighbours, too. */
static covey_status find_source(struct kept **out, struct chains *c, const uint8_t *level, covey_error *err)
{
    uint8_t below[256], bottom[256] = {0};
    covey_lattice_groups groups;

    if ((*out = find_kept(c, level)))
        return COVEY_OK;
    for (size_t a = 0; a < c->lattice->n_attributes; a++)
        below[a] = level[a] > 0 ? (uint8_t)(level[a] - 1) : 0;
    COVEY_TRY(covey_i_full_domain_groups_roll_up(&groups, NULL, &c->worker, c->base, bottom, below, err));
    *out = keep(c, &groups, below);
    return COVEY_OK;
}

static covey_status judge(struct chains *c, uint32_t node, const covey_run *run, covey_error *err)
{
    const covey_lattice *lattice = c->lattice;
    covey_lattice_groups groups = {0};
    covey_lattice_verdict verdict = {0};
    struct kept *source;
    uint8_t level[256];
    bool is_too_small;

    COVEY_TRY(covey_i_run_goes_on(run, "search the lattice", c->n_judged++, 0, err));
    for (size_t a = 0; a < lattice->n_attributes; a++)
        level[a] = (uint8_t)level_at(c, node, a);
    COVEY_TRY(find_source(&source, c, level, err));
    COVEY_TRY(covey_i_full_domain_groups_roll_up(&groups, &is_too_small, &c->worker, &source->groups, source->level,
                                                 level, err));
    if (!is_too_small)
        covey_i_full_domain_judge(&verdict, NULL, &c->worker, &groups, level, c->metric);
    covey_i_full_domain_groups_clear(&groups);
    c->state[node] |= JUDGED;
    if (is_too_small || (lattice->is_closed && !verdict.is_good))
        mark(c, node, HOPELESS, false);
    else
        mark(c, node, HOPEFUL, true);
    if (!verdict.is_good || (c->state[node] & BEATEN))
        return COVEY_OK;
    if (covey_i_full_domain_cost_is_monotone(lattice, c->metric))
        mark(c, node, USELESS, true);
    COVEY_TRY(covey_i_full_domain_offer(c->found, lattice, &verdict, level, c->arena, err));
    if (memcmp(c->found->level, level, lattice->n_attributes) == 0)
        c->best = node;
    return COVEY_OK;
}

/* The cheapest node right above that may be the best; UINT32_MAX: none. */
static uint32_t step_up(const struct chains *c, uint32_t node)
{
    uint32_t next = UINT32_MAX;

    for (size_t a = 0; a < c->lattice->n_attributes; a++) {
        const uint32_t above = node + c->lattice->attribute[a].stride;

        if (level_at(c, node, a) + 1 < c->lattice->attribute[a].n_levels && may_be_best(c, above) &&
            (next == UINT32_MAX || c->least[above] < c->least[next]))
            next = above;
    }
    return next;
}

/* Judges a chain's upper end, then by bisection where it turns from hopeless to hopeful.  Afterwards its lower end is
 * hopeless or judged. */
static covey_status settle_chain(struct chains *c, const uint32_t *chain, size_t n, const covey_run *run,
                                 covey_error *err)
{
    size_t low = 0, high = n - 1; /* hopeful from high on, perhaps; hopeless below low */

    if (!(c->state[chain[high]] & HOPEFUL))
        COVEY_TRY(judge(c, chain[high], run, err));
    if (c->state[chain[high]] & HOPELESS)
        return COVEY_OK;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        COVEY_TRY(judge(c, chain[middle], run, err));
        if (c->state[chain[middle]] & HOPELESS)
            low = middle + 1;
        else
            high = middle;
    }
    return COVEY_OK;
}

static covey_status visit(struct chains *c, uint32_t node, uint32_t *chain, const covey_run *run, covey_error *err)
{
    size_t n = 0;

    for (uint32_t at = node; at != UINT32_MAX; at = step_up(c, at)) {
        chain[n++] = at;
        if (c->state[at] & HOPEFUL)
            break;
    }
    COVEY_TRY(settle_chain(c, chain, n, run, err));
    return c->state[node] & (HOPELESS | JUDGED) ? COVEY_OK : judge(c, node, run, err);
}

static int by_least_cost(const void *a, const void *b, void *context)
{
    const struct chains *c = context;
    const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

    if (c->least[one] != c->least[two])
        return c->least[one] < c->least[two] ? -1 : 1;
    if (c->height[one] != c->height[two])
        return c->height[one] - c->height[two];
    return (one > two) - (one < two);
}

/* Average information loss of the node's labels, which suppressing rows never lowers. */
static double least_loss(const covey_lattice *lattice, const uint8_t *level)
{
    double sum = 0;

    for (size_t a = 0; a < lattice->n_attributes; a++)
        sum += covey_ratio_value(lattice->attribute[a].axis->weight) * lattice->attribute[a].level[level[a]].total_loss;
    return sum / lattice->problem->n_rows;
}

static void measure_nodes(struct chains *c)
{
    const double to_beat = c->lattice->shows_levels ? c->lattice->problem->loss_to_beat : 0;

    for (uint32_t node = 0; node < c->lattice->n_nodes; node++) {
        uint8_t level[256];
        int height = 0;

        for (size_t a = 0; a < c->lattice->n_attributes; a++) {
            level[a] = (uint8_t)level_at(c, node, a);
            height += level[a];
        }
        c->height[node] = (uint8_t)(height < UINT8_MAX ? height : UINT8_MAX);
        c->least[node] = covey_i_full_domain_least_cost(c->lattice, level, c->metric);
        if (to_beat > 0 && least_loss(c->lattice, level) >= to_beat)
            c->state[node] = BEATEN;
    }
}

covey_status covey_i_full_domain_chains(covey_lattice_found *out, const covey_lattice *lattice,
                                        const covey_lattice_groups *base, covey_lattice_metric metric,
                                        covey_arena *arena, const covey_run *run, covey_error *err)
{
    const uint32_t n = (uint32_t)lattice->n_nodes;
    struct chains c = {.lattice = lattice, .base = base, .metric = metric, .found = out, .arena = arena};
    uint32_t *order = covey_i_array(n, sizeof *order),
             *chain = covey_i_array((size_t)lattice->height + 1, sizeof *chain);
    covey_status status = COVEY_OK;
    bool was_stopped = false;

    c.state = covey_i_array_zero(n, sizeof *c.state);
    c.least = covey_i_array(n, sizeof *c.least);
    c.height = covey_i_array(n, sizeof *c.height);
    c.stack = covey_i_array(n, sizeof *c.stack);
    c.kept = covey_i_array_zero(N_KEPT, sizeof *c.kept);
    if (!order || !chain || !c.state || !c.least || !c.height || !c.stack || !c.kept) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_full_domain_worker_new(&c.worker, lattice, err)) != COVEY_OK)
        goto done;
    measure_nodes(&c);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_least_cost, &c);
    for (uint32_t i = 0; i < n && status == COVEY_OK; i++) {
        if ((c.state[order[i]] & (HOPELESS | JUDGED | BEATEN)) || !may_be_best(&c, order[i]))
            continue;
        if ((was_stopped =
                 (out->found || lattice->problem->loss_to_beat > 0) && run && run->enough && run->enough(run->context)))
            break;
        status = visit(&c, order[i], chain, run, err);
    }
    out->is_optimal = out->found && !was_stopped;
    out->n_judged += c.n_judged;
done:
    covey_i_full_domain_worker_clear(&c.worker);
    covey_i_free(order);
    covey_i_free(chain);
    covey_i_free(c.state);
    covey_i_free(c.least);
    covey_i_free(c.height);
    covey_i_free(c.stack);
    for (size_t i = 0; c.kept && i < N_KEPT; i++)
        covey_i_full_domain_groups_clear(&c.kept[i].groups);
    covey_i_free(c.kept);
    return status;
}
