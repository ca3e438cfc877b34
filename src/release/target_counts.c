/* Probabilities of a target over a common denominator, so that models judge it as if it were a class. */
#include "release/transformed.h"

#include "base/alloc.h"

enum { MOST_TOTAL_BITS = 32 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* part[i] / whole[i] is the probability of node i, in lowest terms. */
struct shares {
    uint64_t *part, *whole;
};

/* Of the children by their parent's; false if a denominator is too large. */
static bool divide(struct shares *s, const covey_target_tree *tree, uint32_t i)
{
    const covey_target_node *node = tree->node;

    for (uint32_t c = i + 1; c < node[i].end; c = node[c].end) {
        covey_u128 part = (covey_u128)s->part[i] * node[c].weight, whole = (covey_u128)s->whole[i] * node[i].sum;
        covey_u128 a = whole, b = part;

        while (b) {
            const covey_u128 rest = a % b;

            a = b;
            b = rest;
        }
        part /= a;
        whole /= a;
        if (whole >> MOST_TOTAL_BITS)
            return false;
        s->part[c] = (uint64_t)part;
        s->whole[c] = (uint64_t)whole;
    }
    return true;
}

static bool find_counts(int64_t *count, int64_t *total, struct shares *s, const covey_target_tree *tree)
{
    uint64_t all = 1;

    s->part[0] = s->whole[0] = 1;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end > i + 1 && !divide(s, tree, i))
            return false;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end == i + 1) {
            all = all / common_divisor(all, s->whole[i]) * s->whole[i];
            if (all >> MOST_TOTAL_BITS)
                return false;
        }
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end == i + 1)
            count[tree->node[i].first_leaf] = (int64_t)(all / s->whole[i] * s->part[i]);
    *total = (int64_t)all;
    return true;
}

bool covey_i_target_counts(int64_t *count, int64_t *total, const covey_target_tree *tree)
{
    struct shares s = {covey_i_array(tree->n_nodes, sizeof *s.part), covey_i_array(tree->n_nodes, sizeof *s.whole)};
    const bool fits = s.part && s.whole && find_counts(count, total, &s, tree);

    covey_i_free(s.part);
    covey_i_free(s.whole);
    return fits;
}
