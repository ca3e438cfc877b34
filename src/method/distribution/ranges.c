/* The least sum of ranges: push as many values as possible down to the children, in the ratio of their weights, and so
 * on below.
 *
 * Pushing more is always better: the members that go down cost less there than here.  So there is nothing to search,
 * and the answer is unique. Source: [Koudas09] section 4, Algorithm 1. */
#include "method/distribution/core.h"

#include "base/error.h"
#include "base/sort/find.h"

uint32_t covey_i_distribution_count(const covey_distribution_values *values, uint32_t low, uint32_t high)
{
    const uint32_t begin = covey_i_find_from(values->leaf, 0, values->n, low);

    return covey_i_find_from(values->leaf, begin, values->n, high) - begin;
}

/* A node with the values in it, begin .. end - 1, of which m members lie at or below it. */
struct visit {
    uint32_t node, begin, end, m;
};

/* How often the children's weights fit: into m, and into the values of each. */
static uint64_t fit(const covey_target_tree *tree, const covey_distribution_values *values, const struct visit *v)
{
    const covey_target_node *node = &tree->node[v->node];
    uint64_t q = node->sum ? v->m / node->sum : 0;
    uint32_t begin = v->begin;

    for (uint32_t c = v->node + 1; c < node->end && q > 0; c = tree->node[c].end) {
        const covey_target_node *child = &tree->node[c];
        const uint32_t end = covey_i_find_from(values->leaf, begin, v->end, child->first_leaf + child->n_leaves);

        if (child->weight > 0 && (end - begin) / child->weight < q)
            q = (end - begin) / child->weight;
        begin = end;
    }
    return q;
}

static void add(covey_distribution_members *out, const covey_target_tree *tree, uint32_t node, uint32_t copies)
{
    if (copies == 0)
        return;
    out->member[out->n++] = (covey_distribution_member){node, copies};
    out->sum_of_ranges += (covey_i128)tree->node[node].range * copies;
}

/* Puts the children with members on the stack, in turn; then the stack's upper part is turned so that the first comes
 * first. */
static uint32_t push_children(struct visit *stack, uint32_t n, const covey_target_tree *tree,
                              const covey_distribution_values *values, const struct visit *v, uint64_t q)
{
    const covey_target_node *node = &tree->node[v->node];
    const uint32_t bottom = n;
    uint32_t begin = v->begin;

    for (uint32_t c = v->node + 1; c < node->end; c = tree->node[c].end) {
        const covey_target_node *child = &tree->node[c];
        const uint32_t end = covey_i_find_from(values->leaf, begin, v->end, child->first_leaf + child->n_leaves);

        if (child->weight > 0)
            stack[n++] = (struct visit){c, begin, end, (uint32_t)(q * child->weight)};
        begin = end;
    }
    for (uint32_t i = bottom, j = n; i + 1 < j; i++) {
        const struct visit other = stack[--j];

        stack[j] = stack[i];
        stack[i] = other;
    }
    return n;
}

covey_status covey_i_distribution_least_ranges(covey_distribution_members *out, const covey_target_tree *tree,
                                               const covey_distribution_values *values, covey_arena *arena,
                                               covey_error *err)
{
    covey_distribution_members members = {.member = covey_arena_array(arena, covey_distribution_member, values->n)};
    const covey_arena_mark mark = covey_arena_save(arena);
    struct visit *stack = covey_arena_array(arena, struct visit, values->n); /* their m's add up to n at most */
    uint32_t n = 0;

    if (!members.member || !stack)
        return covey_i_no_memory(err);
    stack[n++] = (struct visit){0, 0, values->n, values->n};
    while (n > 0) {
        const struct visit v = stack[--n];
        const uint64_t q = fit(tree, values, &v);

        add(&members, tree, v.node, (uint32_t)(v.m - q * tree->node[v.node].sum));
        if (q > 0)
            n = push_children(stack, n, tree, values, &v, q);
    }
    covey_arena_rewind(arena, mark);
    *out = members;
    return COVEY_OK;
}
