#include "test.h"

#include "support/problem/dist_maker.h"

#include <string.h>

#include "support/problem/problem_maker.h"

static void set_ranges(dist_tree *t)
{
    for (uint32_t i = 0; i < t->tree.n_nodes; i++) {
        covey_target_node *node = &t->node[i];

        node->range = t->value[node->first_leaf + node->n_leaves - 1] - t->value[node->first_leaf];
    }
    t->tree.node = t->node;
}

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    return b ? divisor_of(b, a % b) : a;
}

void dist_reduce(dist_tree *t)
{
    for (uint32_t i = 0; i < t->tree.n_nodes; i++) {
        covey_target_node *node = &t->node[i];
        uint64_t divisor = 0;

        node->sum = 0;
        for (uint32_t c = i + 1; c < node->end; c = t->node[c].end)
            divisor = divisor_of(divisor, t->node[c].weight);
        for (uint32_t c = i + 1; c < node->end; c = t->node[c].end)
            node->sum += t->node[c].weight = divisor > 0 ? t->node[c].weight / divisor : 1; /* all 0: equal ones */
    }
}

/* Runs of `width` leaves below a node of `above` of them. */
static void add_balanced(dist_tree *t, uint32_t first, uint32_t n, uint64_t width, uint32_t arity)
{
    const uint32_t at = t->tree.n_nodes++;

    t->node[at] = (covey_target_node){.first_leaf = first, .n_leaves = n, .weight = 1};
    while (width > 1 && width >= n)
        width /= arity;
    for (uint32_t i = 0; n > 1 && i < n; i += (uint32_t)width)
        add_balanced(t, first + i, n - i < width ? n - i : (uint32_t)width, width, arity);
    t->node[at].end = t->tree.n_nodes;
}

void dist_make_balanced(dist_tree *t, const int64_t *value, uint32_t n, uint32_t arity)
{
    uint64_t width = 1;

    assert_true(n <= DIST_MOST_LEAVES);
    t->tree = (covey_target_tree){.n_leaves = n};
    memcpy(t->value, value, n * sizeof *value);
    while (width < n)
        width *= arity;
    add_balanced(t, 0, n, width, arity);
    set_ranges(t);
    dist_reduce(t);
}

static void add_random(dist_tree *t, uint32_t first, uint32_t n, uint64_t *random)
{
    const uint32_t at = t->tree.n_nodes++;
    uint32_t parts = n > 1 ? 2 + maker_below(random, n < 4 ? n - 1 : 3) : 0, left = n;

    t->node[at] = (covey_target_node){.first_leaf = first, .n_leaves = n};
    t->node[at].weight = maker_below(random, 8) == 0 ? 0 : 1 + maker_below(random, maker_below(random, 2) ? 1 : 4);
    for (; parts > 0; parts--) {
        const uint32_t size = parts == 1 ? left : 1 + maker_below(random, left - parts + 1);

        add_random(t, first + n - left, size, random);
        left -= size;
    }
    t->node[at].end = t->tree.n_nodes;
}

void dist_make_random(dist_tree *t, uint32_t n_leaves, uint64_t *random)
{
    int64_t value = (int64_t)maker_below(random, 20) - 10;

    t->tree = (covey_target_tree){.n_leaves = n_leaves};
    for (uint32_t i = 0; i < n_leaves; i++)
        t->value[i] = value += 1 + maker_below(random, 5);
    add_random(t, 0, n_leaves, random);
    t->node[0].weight = 1;
    set_ranges(t);
    dist_reduce(t);
}

covey_distribution_values dist_values(uint32_t *leaf, const dist_tree *t, const int64_t *value, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = 0, j = i;

        while (at < t->tree.n_leaves && t->value[at] != value[i])
            at++;
        assert_true(at < t->tree.n_leaves);
        for (; j > 0 && leaf[j - 1] > at; j--)
            leaf[j] = leaf[j - 1];
        leaf[j] = at;
    }
    return (covey_distribution_values){n, leaf};
}

/* Probability of every leaf for who draws below a node, as doubles: domains are tiny. */
static void spread(double *out, const dist_tree *t, uint32_t at, double mass)
{
    const covey_target_node *node = &t->node[at];

    if (node->end == at + 1)
        out[node->first_leaf] += mass;
    for (uint32_t c = at + 1; c < node->end; c = t->node[c].end)
        spread(out, t, c, mass * (double)t->node[c].weight / (double)node->sum);
}

bool dist_is_private(const dist_tree *t, const uint32_t *copies)
{
    double mixture[DIST_MOST_LEAVES] = {0}, target[DIST_MOST_LEAVES] = {0};
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->tree.n_nodes; i++) {
        n += copies[i];
        spread(mixture, t, i, copies[i]);
    }
    spread(target, t, 0, n);
    for (uint32_t l = 0; l < t->tree.n_leaves; l++)
        if (mixture[l] - target[l] > 1e-9 || target[l] - mixture[l] > 1e-9)
            return false;
    return true;
}

/* Augmenting paths: value `v` finds a member, if need be by moving others. */
static bool find_member(uint32_t v, const uint32_t *leaf, const uint32_t *first, const uint32_t *n_leaves, uint32_t n,
                        int *owner, bool *seen)
{
    for (uint32_t m = 0; m < n; m++) {
        if (seen[m] || leaf[v] < first[m] || leaf[v] >= first[m] + n_leaves[m])
            continue;
        seen[m] = true;
        if (owner[m] < 0 || find_member((uint32_t)owner[m], leaf, first, n_leaves, n, owner, seen)) {
            owner[m] = (int)v;
            return true;
        }
    }
    return false;
}

bool dist_generalizes(const dist_tree *t, const uint32_t *copies, const uint32_t *leaf, uint32_t n)
{
    uint32_t first[64], n_leaves[64], n_members = 0;
    int owner[64];

    for (uint32_t i = 0; i < t->tree.n_nodes; i++)
        for (uint32_t c = 0; c < copies[i]; c++) {
            if (n_members == 64)
                return false;
            owner[n_members] = -1;
            first[n_members] = t->node[i].first_leaf;
            n_leaves[n_members++] = t->node[i].n_leaves;
        }
    if (n_members != n)
        return false;
    for (uint32_t v = 0; v < n; v++) {
        bool seen[64] = {false};

        if (!find_member(v, leaf, first, n_leaves, n, owner, seen))
            return false;
    }
    return true;
}

struct looking {
    const dist_tree *t;
    const uint32_t *leaf;
    uint32_t n, copies[DIST_MOST_NODES];
    int64_t best;
};

static void look(struct looking *l, uint32_t node, uint32_t left, int64_t cost)
{
    if (node == l->t->tree.n_nodes) {
        if (left == 0 && (l->best < 0 || cost < l->best) && dist_is_private(l->t, l->copies) &&
            dist_generalizes(l->t, l->copies, l->leaf, l->n))
            l->best = cost;
        return;
    }
    for (uint32_t c = 0; c <= left; c++) {
        l->copies[node] = c;
        look(l, node + 1, left - c, cost + c * l->t->node[node].range);
    }
    l->copies[node] = 0;
}

int64_t dist_least_of_all(const dist_tree *t, const uint32_t *leaf, uint32_t n)
{
    struct looking l = {.t = t, .leaf = leaf, .n = n, .best = -1};

    look(&l, 0, n, 0);
    return l.best;
}
