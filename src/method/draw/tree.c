/* ECTree: from buckets to classes.  The whole table is halved, bucket by bucket, as long as both halves keep the
 * promises whichever of a bucket's values their rows bear. Source: [CaoKarras12] section 4.4 (biSplit).  Halves are
 * rounded down on the left, as in its Example 2 and unlike its text. */
#include "method/draw/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

static uint64_t hash_of(const covey_draw_tree *tree, const uint32_t *rows)
{
    return covey_i_hash_bytes((const char *)rows, tree->n_buckets * sizeof *rows);
}

/* The slot where a node with these rows is or would be. */
static size_t find_slot(const covey_draw_tree *tree, const uint32_t *rows)
{
    size_t slot = hash_of(tree, rows) & (tree->n_slots - 1);

    while (tree->slots[slot] != UINT32_MAX &&
           memcmp(tree->node[tree->slots[slot]].rows, rows, tree->n_buckets * sizeof *rows) != 0)
        slot = (slot + 1) & (tree->n_slots - 1);
    return slot;
}

static covey_status grow(covey_draw_tree *tree, covey_error *err)
{
    const size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
    covey_draw_node *node = covey_i_realloc(tree->node, capacity, sizeof *node);
    uint32_t *slots;

    if (!node)
        return covey_i_no_memory(err);
    tree->node = node;
    if (!(slots = covey_i_realloc(tree->slots, capacity * 2, sizeof *slots)))
        return covey_i_no_memory(err);
    tree->slots = slots;
    tree->n_slots = capacity * 2;
    tree->capacity = capacity;
    memset(slots, 0xff, tree->n_slots * sizeof *slots);
    for (size_t i = 0; i < tree->n_nodes; i++)
        slots[find_slot(tree, node[i].rows)] = (uint32_t)i;
    return COVEY_OK;
}

/* The node with these rows, made if it is not there yet. */
static covey_status find_node(uint32_t *out, covey_draw_tree *tree, const uint32_t *rows, covey_error *err)
{
    covey_draw_node *node;
    size_t slot;

    if (tree->n_nodes == tree->capacity)
        COVEY_TRY(grow(tree, err));
    slot = find_slot(tree, rows);
    if (tree->slots[slot] == UINT32_MAX) {
        node = &tree->node[tree->n_nodes];
        *node = (covey_draw_node){.rows = covey_arena_array(&tree->arena, uint32_t, tree->n_buckets)};
        if (!node->rows)
            return covey_i_no_memory(err);
        memcpy(node->rows, rows, tree->n_buckets * sizeof *rows);
        for (size_t j = 0; j < tree->n_buckets; j++)
            node->total += rows[j];
        tree->slots[slot] = (uint32_t)tree->n_nodes++;
    }
    *out = tree->slots[slot];
    return COVEY_OK;
}

/* One half may be a class. */
static bool is_eligible(const uint32_t *rows, size_t n_buckets, int64_t min_size, covey_draw_fits fits, void *context)
{
    int64_t size = 0;

    for (size_t j = 0; j < n_buckets; j++)
        size += rows[j];
    return size >= min_size && size > 0 && fits(context, rows, size);
}

/* Leaves below a node; node 0 cannot be a child. */
static uint32_t count_leaves(covey_draw_tree *tree, uint32_t i)
{
    covey_draw_node *node = &tree->node[i];

    if (node->n_leaves == 0)
        node->n_leaves = node->left ? count_leaves(tree, node->left) + count_leaves(tree, node->right) : 1;
    return node->n_leaves;
}

covey_status covey_i_draw_tree_new(covey_draw_tree *tree, const uint32_t *size, size_t n_buckets, int64_t min_size,
                                   covey_draw_fits fits, void *context, covey_error *err)
{
    covey_draw_tree made = {.n_buckets = n_buckets, .arena = COVEY_ARENA_INIT};
    uint32_t *left = covey_arena_array(&made.arena, uint32_t, n_buckets),
             *right = covey_arena_array(&made.arena, uint32_t, n_buckets), root;
    covey_status status = COVEY_OK;

    if (!left || !right)
        status = covey_i_no_memory(err);
    if (status != COVEY_OK || (status = find_node(&root, &made, size, err)) != COVEY_OK)
        goto failed;
    for (uint32_t i = 0; i < made.n_nodes; i++) {
        uint32_t a, b;

        for (size_t j = 0; j < n_buckets; j++) {
            left[j] = made.node[i].rows[j] / 2;
            right[j] = made.node[i].rows[j] - left[j];
        }
        if (!is_eligible(left, n_buckets, min_size, fits, context) ||
            !is_eligible(right, n_buckets, min_size, fits, context))
            continue;
        if ((status = find_node(&a, &made, left, err)) != COVEY_OK ||
            (status = find_node(&b, &made, right, err)) != COVEY_OK)
            goto failed;
        made.node[i].left = a;
        made.node[i].right = b;
    }
    count_leaves(&made, 0);
    *tree = made;
    return COVEY_OK;
failed:
    covey_i_draw_tree_clear(&made);
    return status;
}

void covey_i_draw_tree_clear(covey_draw_tree *tree)
{
    covey_i_free(tree->node);
    covey_i_free(tree->slots);
    covey_arena_free(&tree->arena);
    *tree = (covey_draw_tree){0};
}

static uint32_t *add_leaves(uint32_t *leaf, const covey_draw_tree *tree, uint32_t i)
{
    const covey_draw_node *node = &tree->node[i];

    if (!node->left) {
        *leaf = i;
        return leaf + 1;
    }
    return add_leaves(add_leaves(leaf, tree, node->left), tree, node->right);
}

void covey_i_draw_leaves(uint32_t *leaf, const covey_draw_tree *tree)
{
    add_leaves(leaf, tree, 0);
}
