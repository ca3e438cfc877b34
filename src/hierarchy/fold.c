/* From the file's nodes to the tree that algorithms walk: levels that repeat the root become the root, chains become
 * one node, siblings are ordered, nodes and leaves are numbered in pre-order.  Nothing recurses: a file may hold a
 * chain of 64 levels, and releases are read from strangers. */
#include "hierarchy/hierarchy_impl.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort/sort.h"

/* Scratch, indexed by raw node.  A node is kept if it stays a node of its own: leaves, and nodes that branch. */
typedef struct fold {
    const covey_raw_tree *raw;
    bool *is_root;                /* repeats the root's label up to the root, or is the root */
    uint32_t *n_children;         /* counted without repetitions of the root */
    uint32_t *only;               /* the last child; the only one of a chain node */
    int32_t *height;              /* 1 + level of the highest child, 0 for leaves */
    uint32_t *above;              /* nearest kept node above, COVEY_NO_NODE if none */
    uint32_t *into;               /* the kept node that it becomes */
    uint32_t *first_child, *next; /* kept nodes */
    uint32_t root;                /* kept */
    uint32_t n_kept;
} fold;

static covey_status start(fold *f, const covey_raw_tree *raw, covey_arena *arena, covey_error *err)
{
    const size_t n = raw->n;

    *f = (fold){.raw = raw};
    f->is_root = covey_arena_array_zero(arena, bool, n);
    f->n_children = covey_arena_array_zero(arena, uint32_t, n);
    f->only = covey_arena_array(arena, uint32_t, n);
    f->height = covey_arena_array_zero(arena, int32_t, n);
    f->above = covey_arena_array(arena, uint32_t, n);
    f->into = covey_arena_array(arena, uint32_t, n);
    f->first_child = covey_arena_array(arena, uint32_t, n);
    f->next = covey_arena_array(arena, uint32_t, n);
    if (!f->is_root || !f->n_children || !f->only || !f->height || !f->above || !f->into || !f->first_child || !f->next)
        return covey_i_no_memory(err);
    memset(f->first_child, 0xFF, n * sizeof *f->first_child);
    return COVEY_OK;
}

static uint32_t parent_of(const fold *f, uint32_t node)
{
    const uint32_t parent = f->raw->parent[node];

    return f->is_root[parent] ? 0 : parent;
}

/* A branching node, a leaf, the root. */
static bool is_kept(const fold *f, uint32_t node)
{
    return f->n_children[node] != 1 && (node == 0 || !f->is_root[node]);
}

static void count_children(fold *f)
{
    const covey_raw_tree *raw = f->raw;
    const char *root_label = covey_i_raw_label(raw, 0);

    f->is_root[0] = true;
    for (uint32_t node = 1; node < raw->n; node++) {
        uint32_t parent;

        if (raw->level[node] > 0 && f->is_root[raw->parent[node]] &&
            strcmp(covey_i_raw_label(raw, node), root_label) == 0) {
            f->is_root[node] = true;
            continue;
        }
        parent = parent_of(f, node);
        f->n_children[parent]++;
        f->only[parent] = node;
        if (f->height[parent] < raw->level[node] + 1)
            f->height[parent] = raw->level[node] + 1;
    }
}

static void collapse_chains(fold *f)
{
    for (uint32_t node = 0; node < f->raw->n; node++) { /* parents come first */
        const uint32_t parent = parent_of(f, node);

        f->above[node] = node == 0 ? COVEY_NO_NODE : is_kept(f, parent) ? parent : f->above[parent];
        f->n_kept += is_kept(f, node);
    }
    for (uint32_t node = f->raw->n; node-- > 0;)
        if (!f->is_root[node] || node == 0)
            f->into[node] = is_kept(f, node) ? node : f->into[f->only[node]];
    f->root = f->into[0];
    for (uint32_t node = 1; node < f->raw->n; node++)
        if (f->is_root[node])
            f->into[node] = f->root;
}

/* Hands order back through *order: raw nodes as siblings are to stand. */
static covey_status order_nodes(uint32_t **order, const fold *f, const uint64_t *leaf_key, covey_arena *arena,
                                covey_error *err)
{
    const covey_raw_tree *raw = f->raw;
    uint32_t *rows = covey_arena_array(arena, uint32_t, raw->n), *scratch;
    uint64_t *key;

    if (!rows)
        return covey_i_no_memory(err);
    for (uint32_t node = 0; node < raw->n; node++)
        rows[node] = node;
    *order = rows;
    if (!leaf_key)
        return COVEY_OK;
    scratch = covey_arena_array(arena, uint32_t, raw->n);
    key = covey_arena_array(arena, uint64_t, raw->n);
    if (!scratch || !key)
        return covey_i_no_memory(err);
    for (uint32_t node = 0; node < raw->n; node++)
        key[node] = raw->level[node] == 0 ? leaf_key[node] : UINT64_MAX;
    for (uint32_t node = raw->n; node-- > 1;) {
        const uint32_t parent = parent_of(f, node);

        if (key[node] < key[parent])
            key[parent] = key[node];
    }
    covey_i_sort_rows_u64(rows, scratch, raw->n, key);
    return COVEY_OK;
}

static void link_children(fold *f, const uint32_t *order)
{
    for (uint32_t i = f->raw->n; i-- > 0;) {
        const uint32_t node = order[i], above = f->above[node];

        if (!is_kept(f, node) || above == COVEY_NO_NODE)
            continue;
        f->next[node] = f->first_child[above];
        f->first_child[above] = node;
    }
    f->next[f->root] = COVEY_NO_NODE;
}

/* Puts a leaf and the branches it stands on before their siblings. */
static void move_to_front(fold *f, uint32_t leaf)
{
    for (uint32_t node = leaf; f->above[node] != COVEY_NO_NODE; node = f->above[node]) {
        uint32_t *link = &f->first_child[f->above[node]];

        while (*link != node)
            link = &f->next[*link];
        *link = f->next[node];
        f->next[node] = f->first_child[f->above[node]];
        f->first_child[f->above[node]] = node;
    }
}

static covey_status allocate(covey_hierarchy *h, const fold *f, covey_error *err)
{
    h->n_nodes = f->n_kept;
    h->n_leaves = f->raw->n_leaves;
    h->node = covey_i_array_zero(h->n_nodes, sizeof *h->node);
    h->node_raw = covey_i_array(h->n_nodes, sizeof *h->node_raw);
    h->leaf_node = covey_i_array(h->n_leaves, sizeof *h->leaf_node);
    h->raw_node = covey_i_array(f->raw->n, sizeof *h->raw_node);
    if (!h->node || !h->node_raw || !h->leaf_node || !h->raw_node)
        return covey_i_no_memory(err);
    return COVEY_OK;
}

/* The kept node after this one in pre-order, COVEY_NO_NODE at the end. */
static uint32_t step(const fold *f, uint32_t node)
{
    if (f->first_child[node] != COVEY_NO_NODE)
        return f->first_child[node];
    while (node != COVEY_NO_NODE && f->next[node] == COVEY_NO_NODE)
        node = f->above[node];
    return node == COVEY_NO_NODE ? node : f->next[node];
}

static void number_nodes(covey_hierarchy *h, const fold *f)
{
    uint32_t *number = h->raw_node; /* kept nodes first, the others below */
    uint32_t n = 0, n_leaves = 0;

    for (uint32_t raw = f->root; raw != COVEY_NO_NODE; raw = step(f, raw)) {
        const uint32_t parent = f->above[raw] == COVEY_NO_NODE ? n : number[f->above[raw]];
        covey_node *node = &h->node[n];

        *node = (covey_node){.parent = parent, .first_leaf = n_leaves, .height = f->height[raw], .leaf = COVEY_NO_NODE};
        if (n > 0) {
            node->depth = h->node[parent].depth + 1;
            h->node[parent].n_children++;
        }
        if (f->raw->level[raw] == 0) {
            h->leaf_node[n_leaves] = n;
            node->n_leaves = 1;
            node->leaf = n_leaves++;
        }
        h->node_raw[n] = raw;
        number[raw] = n++;
    }
    assert(n == h->n_nodes && n_leaves == h->n_leaves);
    for (uint32_t node = n; node-- > 1;)
        h->node[h->node[node].parent].n_leaves += h->node[node].n_leaves;
    for (uint32_t raw = 0; raw < f->raw->n; raw++)
        number[raw] = number[f->into[raw]];
}

covey_status covey_i_hierarchy_fold(covey_hierarchy **out, covey_raw_tree *tree, const uint64_t *key, uint32_t first,
                                    bool partial, covey_error *err)
{
    covey_status status;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_hierarchy *h = covey_i_array_zero(1, sizeof *h);
    uint32_t *order = NULL;
    fold f;

    assert(tree->n_leaves > 0);
    if (!h)
        return covey_i_no_memory(err);
    if ((status = start(&f, tree, &arena, err)) != COVEY_OK)
        goto done;
    count_children(&f);
    collapse_chains(&f);
    if ((status = order_nodes(&order, &f, key, &arena, err)) != COVEY_OK)
        goto done;
    link_children(&f, order);
    if (first != COVEY_NO_NODE)
        move_to_front(&f, first);
    if ((status = allocate(h, &f, err)) != COVEY_OK)
        goto done;
    number_nodes(h, &f);
    h->raw = *tree; /* lent until it is clear that nothing fails any more */
    if ((status = covey_i_hierarchy_index(h, partial, err)) != COVEY_OK) {
        h->raw = (covey_raw_tree){0};
        goto done;
    }
    covey_i_free(h->raw.slots);
    covey_i_free(h->raw.line);
    h->raw.slots = NULL;
    h->raw.line = NULL;
    h->raw.file = NULL;
    *tree = (covey_raw_tree){0};
    *out = h;
    h = NULL;
done:
    covey_hierarchy_free(h);
    covey_arena_free(&arena);
    return status;
}
