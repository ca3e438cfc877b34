/* Hierarchical distance: height of the lowest common ancestor / height of the tree; leaves have height 0.
 * Source: [Li07], hierarchical distance: EMD = sum over inner nodes of height/H * min(pos, neg), with the surpluses of
 * the children that have one (pos) and the deficits of the others (neg).
 *
 * [derived] 2 min(pos, neg) is the sum of the children's |p - q| less the node's own, so that
 *   EMD = sum over all nodes v but the root of (height(parent) - height(v)) / (2 H) * |p(v) - q(v)|.
 * Where the class has nothing below v, |p(v) - q(v)| = p(v); over all nodes these make height(root)/(2 H), because each
 * leaf's steps to the root add up to its height.  So only ancestors of the class's values are visited: O(present *
 * depth). */
#include "model/distance/distance.h"

#include "base/error.h"
#include "model/counts.h"

enum { MOST_DEPTH = 255 };

struct state {
    const covey_histogram *prior;
    const covey_hierarchy *tree;
    const covey_node *node; /* [n_nodes] */
    const int64_t *rows;    /* [n_nodes] rows of the table below a node */
    int32_t height;         /* of the root; H is that of the file, chains above the root counted */
};

static covey_status check(const covey_model_input *input, covey_error *err)
{
    const covey_hierarchy *tree = input->tree;

    if (!tree)
        return covey_fail(
            err, COVEY_EINVAL,
            "t-closeness: distance hierarchical needs a hierarchy of column \"%s\": give the attribute one, as"
            " in hierarchy: {file: %s.csv}, or choose distance equal",
            input->sensitive->name, input->sensitive->name);
    if (covey_hierarchy_n_leaves(tree) != input->prior->n_values)
        return covey_fail(
            err, COVEY_EINVAL,
            "t-closeness: the hierarchy of column \"%s\" has %u leaves for %u values: it must have one for each",
            input->sensitive->name, covey_hierarchy_n_leaves(tree), input->prior->n_values);
    if (covey_hierarchy_n_levels(tree) > MOST_DEPTH)
        return covey_fail(
            err, COVEY_EINVAL,
            "t-closeness: the hierarchy of column \"%s\" has %d levels: distance hierarchical takes %d at most",
            input->sensitive->name, covey_hierarchy_n_levels(tree), MOST_DEPTH);
    return COVEY_OK;
}

static covey_status prepare(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err)
{
    struct state *s;
    int64_t *rows;
    uint32_t n_nodes;

    COVEY_TRY(check(input, err));
    n_nodes = covey_hierarchy_n_nodes(input->tree);
    s = covey_arena_array(arena, struct state, 1);
    rows = covey_arena_array_zero(arena, int64_t, n_nodes);
    if (!s || !rows)
        return covey_i_no_memory(err);
    *s = (struct state){
        .prior = input->prior, .tree = input->tree, .node = covey_hierarchy_nodes(input->tree), .rows = rows};
    s->height = s->node[0].height;
    for (uint32_t v = n_nodes; v-- > 0;) { /* pre-order backwards: children before their parents */
        if (s->node[v].n_children == 0)
            rows[v] += input->prior->count[s->node[v].leaf];
        if (v > 0)
            rows[s->node[v].parent] += rows[v];
    }
    *den = covey_hierarchy_n_levels(input->tree) > 1 ? (covey_u128)covey_hierarchy_n_levels(input->tree) - 1 : 1;
    *state = s;
    return COVEY_OK;
}

/* What node v with `here` rows of the class adds, less what was assumed for it; times 2 n_table n_class. */
static covey_i128 surplus(const struct state *s, uint32_t v, int64_t here, int64_t size)
{
    const covey_i128 p = (covey_i128)s->rows[v] * size, q = (covey_i128)here * s->prior->total;

    return (s->node[s->node[v].parent].height - s->node[v].height) * ((p > q ? p - q : q - p) - p);
}

static covey_i128 scaled(const void *state, const covey_histogram *group)
{
    const struct state *s = state;
    int64_t open[MOST_DEPTH + 1] = {0}; /* rows of the class found so far below the open node of each depth */
    covey_i128 twice = (covey_i128)s->height * s->prior->total * group->total;
    covey_ascending values;
    uint32_t leaf, next;
    bool more;

    covey_i_ascending_init(&values, group);
    for (more = covey_i_ascending_next(&values, &leaf); more; leaf = next) {
        uint32_t v = covey_hierarchy_leaf_node(s->tree, leaf);

        open[s->node[v].depth] = group->count[leaf];
        more = covey_i_ascending_next(&values, &next);
        /* Upwards through every node that is complete: that does not hold the next value, too. */
        while (v != 0 && !(more && next < s->node[v].first_leaf + s->node[v].n_leaves)) {
            const int32_t depth = s->node[v].depth;

            twice += surplus(s, v, open[depth], group->total);
            open[depth - 1] += open[depth];
            open[depth] = 0;
            v = s->node[v].parent;
        }
    }
    return twice / 2;
}

static void ground(covey_closeness *out, const void *state)
{
    out->ground = COVEY_GROUND_TREE;
    out->tree = ((const struct state *)state)->tree;
}

const covey_distance covey_distance_hierarchical = {
    .name = "hierarchical", .prepare = prepare, .scaled = scaled, .ground = ground};
