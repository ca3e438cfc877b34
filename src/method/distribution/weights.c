/* From the leaves' shares to whole weights of brothers.  Ratios such as 713:714 would stop all but the largest groups
 * at the root, so weights are rounded at each node to a small sum; what is published and promised is the rounded
 * target: docs/design/distribution.md, "Weights". */
#include "method/distribution/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/exact/divisor.h"

/* The children of one node that have a share, while their weights are found. */
struct rounding {
    uint32_t n;
    const uint64_t *share;   /* [n] > 0 */
    uint64_t total;          /* their sum */
    uint32_t *weight, *best; /* [n] */
    covey_u128 *want;        /* [n] */
    struct rest *rest;       /* [n] */
};

struct rest {
    covey_u128 rest;
    uint32_t child;
};

static int compare_rests(const void *a, const void *b)
{
    const struct rest *x = a, *y = b;

    if (x->rest != y->rest)
        return x->rest > y->rest ? -1 : 1;
    return (x->child > y->child) - (x->child < y->child);
}

/* Weights that add up to sum: one for each child, the others by largest remainders of what the shares ask for beyond
 * it. */
static void deal(struct rounding *r, uint64_t sum)
{
    const uint64_t units = sum - r->n;
    covey_u128 wanted = 0;
    uint64_t dealt = 0;

    for (uint32_t i = 0; i < r->n; i++) {
        const covey_u128 due = (covey_u128)r->share[i] * sum;

        r->weight[i] = 1;
        r->want[i] = due > r->total ? due - r->total : 0;
        wanted += r->want[i];
    }
    if (units == 0)
        return;
    for (uint32_t i = 0; i < r->n; i++) {
        const uint64_t got = (uint64_t)(units * r->want[i] / wanted);

        r->rest[i] = (struct rest){units * r->want[i] % wanted, i};
        r->weight[i] += (uint32_t)got;
        dealt += got;
    }
    qsort(r->rest, r->n, sizeof *r->rest, compare_rests);
    for (uint32_t i = 0; dealt < units; i++, dealt++)
        r->weight[r->rest[i].child]++;
}

/* The largest difference between a weight's share and the wanted one, times sum * total. */
static covey_u128 error_of(const struct rounding *r, uint64_t sum)
{
    covey_u128 most = 0;

    for (uint32_t i = 0; i < r->n; i++) {
        const covey_u128 is = (covey_u128)r->weight[i] * r->total, due = (covey_u128)r->share[i] * sum;
        const covey_u128 off = is > due ? is - due : due - is;

        most = off > most ? off : most;
    }
    return most;
}

static void round_shares(struct rounding *r, uint32_t resolution)
{
    const uint64_t last = resolution > r->n ? resolution : r->n;
    covey_u128 least = 0;
    uint64_t least_sum = 0;

    for (uint64_t sum = r->n; sum <= last; sum++) {
        covey_u128 error;

        deal(r, sum);
        error = error_of(r, sum);
        if (least_sum == 0 || error * least_sum < least * sum) {
            least = error;
            least_sum = sum;
            memcpy(r->best, r->weight, r->n * sizeof *r->best);
        }
        if (error == 0)
            return;
    }
}

/* What the nodes have. */
struct masses {
    const uint64_t *before;     /* [n_leaves + 1] sums of the first leaves' shares */
    const long double *density; /* [n_nodes] > 0, which count instead; or NULL */
};

/* The shares of a node's children as whole numbers; returns their sum, below 2^63.  Densities are taken relative to the
 * largest child's: a share of all leaves would leave nothing of the ratio of two that are both far out. */
static uint64_t share_out(covey_target_node *node, uint32_t parent, const struct masses *m, uint32_t n)
{
    const long double unit = fminl(0x1p52L, (long double)((UINT64_C(1) << 62) / n));
    long double most = 0;
    uint64_t total = 0;

    for (uint32_t c = parent + 1; m->density && c < node[parent].end; c = node[c].end)
        most = fmaxl(most, m->density[c]);
    for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end) {
        const uint64_t scaled = m->density ? (uint64_t)nearbyintl(m->density[c] / most * unit) : 0;

        node[c].weight = !m->density  ? m->before[node[c].first_leaf + node[c].n_leaves] - m->before[node[c].first_leaf]
                         : scaled > 0 ? scaled
                                      : 1;
        total += node[c].weight;
    }
    for (uint32_t c = parent + 1; total == 0 && c < node[parent].end; c = node[c].end)
        node[c].weight = 1;
    return total;
}

/* Weights of the children by their shares; all 1 where there is none. */
static covey_status weigh_children(covey_target_tree *tree, uint32_t parent, const struct masses *m,
                                   uint32_t resolution, covey_arena *arena, covey_error *err)
{
    covey_target_node *node = tree->node;
    struct rounding r = {0};
    uint64_t divisor = 0, *share;
    uint32_t n = 0, i = 0;

    for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end)
        n++;
    r.share = share = covey_arena_array(arena, uint64_t, n);
    r.weight = covey_arena_array(arena, uint32_t, n);
    r.best = covey_arena_array(arena, uint32_t, n);
    r.want = covey_arena_array(arena, covey_u128, n);
    r.rest = covey_arena_array(arena, struct rest, n);
    if (!share || !r.weight || !r.best || !r.want || !r.rest)
        return covey_i_no_memory(err);
    r.total = share_out(node, parent, m, n);
    for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end)
        if (node[c].weight > 0)
            share[r.n++] = node[c].weight;
    if (r.total > 0 && resolution > 0) {
        round_shares(&r, resolution);
        for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end)
            if (node[c].weight > 0)
                node[c].weight = r.best[i++];
    }
    for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end)
        divisor = covey_i_common_divisor(divisor, node[c].weight);
    node[parent].sum = 0;
    for (uint32_t c = parent + 1; c < node[parent].end; c = node[c].end)
        node[parent].sum += node[c].weight /= divisor;
    return COVEY_OK;
}

/* Of leaves, added up; nodes are in pre-order. */
static void add_densities(long double *out, const covey_target_tree *tree, const long double *density)
{
    for (uint32_t i = tree->n_nodes; i-- > 0;) {
        out[i] = tree->node[i].end == i + 1 ? density[tree->node[i].first_leaf] : 0;
        for (uint32_t c = i + 1; c < tree->node[i].end; c = tree->node[c].end)
            out[i] += out[c];
    }
}

covey_status covey_i_distribution_set_weights(covey_target_tree *tree, const uint64_t *share,
                                              const long double *density, uint32_t resolution, covey_arena *arena,
                                              covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    uint64_t *before = covey_arena_array(arena, uint64_t, (size_t)tree->n_leaves + 1);
    long double *of_node = density ? covey_arena_array(arena, long double, tree->n_nodes) : NULL;
    const struct masses m = {before, of_node};
    covey_status status = COVEY_OK;

    if (!before || (density && !of_node))
        return covey_i_no_memory(err);
    if (density)
        add_densities(of_node, tree, density);
    before[0] = 0;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        before[leaf + 1] = before[leaf] + share[leaf];
    tree->node[0].weight = 1;
    for (uint32_t i = 0; i < tree->n_nodes && status == COVEY_OK; i++) {
        const covey_arena_mark inner = covey_arena_save(arena);

        tree->node[i].sum = 0;
        if (tree->node[i].end > i + 1)
            status = weigh_children(tree, i, &m, resolution, arena, err);
        covey_arena_rewind(arena, inner);
    }
    covey_arena_rewind(arena, mark);
    return status;
}

void covey_i_distribution_probabilities(long double *out, const covey_target_tree *tree)
{
    out[0] = 1;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        for (uint32_t c = i + 1; c < tree->node[i].end; c = tree->node[c].end)
            out[c] = tree->node[i].sum ? out[i] * tree->node[c].weight / tree->node[i].sum : 0;
}

double covey_i_distribution_distance(const covey_target_tree *tree, const uint64_t *share,
                                     const long double *probability)
{
    long double total = 0, sum = 0;

    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        total += share[leaf];
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end == i + 1)
            sum += fabsl(share[tree->node[i].first_leaf] / total - probability[i]);
    return (double)(sum / 2);
}

covey_distribution_lift covey_i_distribution_lift_of(const covey_target_tree *tree, const uint64_t *share,
                                                     const long double *probability)
{
    covey_distribution_lift most = {0};
    long double total = 0;

    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        total += share[leaf];
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const covey_target_node *node = &tree->node[i];
        long double wanted = 0;

        for (uint32_t leaf = node->first_leaf; leaf < node->first_leaf + node->n_leaves; leaf++)
            wanted += share[leaf] / total;
        if (probability[i] > wanted * 1.1L && (double)(probability[i] - wanted) > most.published - most.wanted)
            most = (covey_distribution_lift){i, (double)wanted, (double)probability[i]};
    }
    return most;
}
