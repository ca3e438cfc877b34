/* Buckets of values in a tree: the values below a node.
 * Source: [Cao11] section 4 for replacing the node by its children that saves most; the fewest nodes are ours. */
#include "base/error.h"
#include "method/sabre/sabre.h"

#include <string.h>

/* Walks over the children of v that have rows: the first one from node `from` on, or the end. */
static uint32_t next_child(const covey_sabre_ground *g, uint32_t from, uint32_t end)
{
    while (from < end && g->node_rows[from] == 0)
        from = covey_i_sabre_node_end(g, from);
    return from;
}

#define for_each_child(c, g, v)                                                                                        \
    for (uint32_t end_of_##c = covey_i_sabre_node_end(g, v), c = next_child(g, (v) + 1, end_of_##c); c < end_of_##c;   \
         c = next_child(g, covey_i_sabre_node_end(g, c), end_of_##c))

static covey_i128 drop_of(const covey_sabre_ground *g, uint32_t v)
{
    covey_i128 drop = g->node_cost[v];

    for_each_child(c, g, v) drop -= g->node_cost[c];
    return drop;
}

/* A node that is a bucket. */
struct chosen {
    uint32_t node;
    covey_i128 drop; /* what its children save */
};

static covey_status split_greedily(uint32_t *node, size_t *n_out, const covey_sabre_ground *g, covey_arena *arena,
                                   covey_error *err)
{
    struct chosen *chosen = covey_arena_array(arena, struct chosen, g->n),
                  *child = covey_arena_array(arena, struct chosen, g->n);
    covey_i128 cost = g->node_cost[0];
    size_t n = 1;

    if (!chosen || !child)
        return covey_i_no_memory(err);
    chosen[0] = (struct chosen){0, drop_of(g, 0)};
    while (cost > g->limit) {
        size_t best = SIZE_MAX, n_children = 0;

        for (size_t i = 0; i < n; i++)
            if (g->node[chosen[i].node].n_children > 0 && (best == SIZE_MAX || chosen[i].drop > chosen[best].drop))
                best = i;
        cost -= chosen[best].drop;
        for_each_child(c, g, chosen[best].node) child[n_children++] = (struct chosen){c, drop_of(g, c)};
        memmove(chosen + best + n_children, chosen + best + 1, (n - best - 1) * sizeof *chosen);
        memcpy(chosen + best, child, n_children * sizeof *child);
        n += n_children - 1;
    }
    for (size_t i = 0; i < n; i++)
        node[i] = chosen[i].node;
    *n_out = n;
    return COVEY_OK;
}

enum { MOST_CELLS = 1 << 27 };

/* The least cost of buckets below each node, by their number. */
struct knapsack {
    const covey_sabre_ground *g;
    covey_arena *arena;
    covey_i128 **cost; /* [n_nodes][number of buckets], 1 .. points below; NULL without rows */
    uint32_t **share;  /* [n_nodes][buckets of this node and its siblings to the left] how many of them are this node's;
                          NULL: one */
    covey_i128 *sum, *scratch;          /* [n + 1] */
    uint32_t *left_sibling, *n_buckets; /* [n_nodes] */
    size_t n_cells;
    covey_i128 never;
};

static uint32_t points_below(const struct knapsack *k, uint32_t v)
{
    return covey_i_sabre_end_point(k->g, v) - covey_i_sabre_first_point(k->g, v);
}

static bool has_room(struct knapsack *k, size_t more)
{
    return (k->n_cells += more) <= MOST_CELLS;
}

/* Adds node c's buckets to those of its siblings to the left, which hold n_left points.  Of equally good numbers c gets
 * the fewest. */
static covey_status add_child(struct knapsack *k, uint32_t c, uint32_t n_left, covey_error *err)
{
    const uint32_t n_own = points_below(k, c), n = n_left + n_own;
    covey_i128 *swap;

    if (n_own > 1) {
        if (!has_room(k, n + 1))
            return covey_i_refuse_param(err, "buckets",
                                        "sabre: buckets: fewest takes too much memory for %u sensitive values: "
                                        "choose greedy",
                                        k->g->n);
        if (!(k->share[c] = covey_arena_array_zero(k->arena, uint32_t, (size_t)n + 1)))
            return covey_i_no_memory(err);
    }
    for (uint32_t all = 0; all <= n; all++) {
        covey_i128 best = k->never;

        for (uint32_t own = 1; own <= n_own && own <= all; own++) {
            if (all - own > n_left || k->sum[all - own] == k->never || k->cost[c][own] == k->never ||
                k->sum[all - own] + k->cost[c][own] >= best)
                continue;
            best = k->sum[all - own] + k->cost[c][own];
            if (k->share[c])
                k->share[c][all] = own;
        }
        k->scratch[all] = best;
    }
    swap = k->sum;
    k->sum = k->scratch;
    k->scratch = swap;
    return COVEY_OK;
}

static covey_status fill_node(struct knapsack *k, uint32_t v, covey_error *err)
{
    const uint32_t n = points_below(k, v);
    uint32_t n_left = 0;

    if (!has_room(k, (size_t)n + 1))
        return covey_i_refuse_param(err, "buckets",
                                    "sabre: buckets: fewest takes too much memory for %u sensitive values: choose "
                                    "greedy",
                                    k->g->n);
    if (!(k->cost[v] = covey_arena_array(k->arena, covey_i128, (size_t)n + 1)))
        return covey_i_no_memory(err);
    k->sum[0] = 0;
    for_each_child(c, k->g, v)
    {
        COVEY_TRY(add_child(k, c, n_left, err));
        n_left += points_below(k, c);
    }
    if (n_left > 0)
        memcpy(k->cost[v], k->sum, ((size_t)n + 1) * sizeof *k->sum);
    k->cost[v][0] = k->never;
    k->cost[v][1] = k->g->node_cost[v];
    return COVEY_OK;
}

/* How many buckets each child of v gets, if v has n_buckets: known from the right, as share says it. */
static void divide(struct knapsack *k, uint32_t v, uint32_t n_buckets)
{
    uint32_t last = 0;

    for_each_child(c, k->g, v)
    {
        k->left_sibling[c] = last;
        last = c;
    }
    for (uint32_t c = last; c != 0; c = k->left_sibling[c]) {
        k->n_buckets[c] = k->share[c] ? k->share[c][n_buckets] : 1;
        n_buckets -= k->n_buckets[c];
    }
}

/* Appends the buckets below v, from left to right; no hierarchy is deeper than some dozens of levels. */
static uint32_t *take(uint32_t *node, struct knapsack *k, uint32_t v, uint32_t n_buckets)
{
    if (n_buckets == 1) {
        *node = v;
        return node + 1;
    }
    divide(k, v, n_buckets);
    for_each_child(c, k->g, v) node = take(node, k, c, k->n_buckets[c]);
    return node;
}

/* [derived] A knapsack over the tree: the least cost in k buckets for every k, then the smallest k within the limit. */
static covey_status find_fewest(uint32_t *node, size_t *n_out, const covey_sabre_ground *g, covey_arena *arena,
                                covey_error *err)
{
    struct knapsack k = {.g = g,
                         .arena = arena,
                         .cost = covey_arena_array_zero(arena, covey_i128 *, g->n_nodes),
                         .share = covey_arena_array_zero(arena, uint32_t *, g->n_nodes),
                         .left_sibling = covey_arena_array(arena, uint32_t, g->n_nodes),
                         .n_buckets = covey_arena_array(arena, uint32_t, g->n_nodes),
                         .sum = covey_arena_array(arena, covey_i128, (size_t)g->n + 1),
                         .scratch = covey_arena_array(arena, covey_i128, (size_t)g->n + 1),
                         .never = (covey_i128)1 << 126};
    uint32_t n = 1;

    if (!k.cost || !k.share || !k.left_sibling || !k.n_buckets || !k.sum || !k.scratch)
        return covey_i_no_memory(err);
    for (uint32_t v = g->n_nodes; v-- > 0;)
        if (g->node_rows[v] > 0)
            COVEY_TRY(fill_node(&k, v, err));
    while (k.cost[0][n] > g->limit)
        n++;
    take(node, &k, 0, n);
    *n_out = n;
    return COVEY_OK;
}

covey_status covey_i_sabre_trees(uint32_t *first, uint32_t *node, size_t *n_out, const covey_sabre_ground *g,
                                 bool fewest, covey_arena *arena, covey_error *err)
{
    COVEY_TRY((fewest ? find_fewest : split_greedily)(node, n_out, g, arena, err));
    for (size_t j = 0; j < *n_out; j++)
        first[j] = covey_i_sabre_first_point(g, node[j]);
    first[*n_out] = g->n;
    return COVEY_OK;
}
