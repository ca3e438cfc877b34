/* Walking a hierarchy, and the meaning of labels. */
#include <covey/hierarchy.h>

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "hierarchy/hierarchy_impl.h"

void covey_hierarchy_free(covey_hierarchy *h)
{
    if (!h)
        return;
    covey_i_free(h->node);
    covey_i_free(h->node_raw);
    covey_i_free(h->leaf_node);
    covey_i_free(h->raw_node);
    covey_i_free(h->slots);
    covey_i_raw_clear(&h->raw);
    covey_i_free(h->file);
    covey_i_free(h);
}

covey_hierarchy_kind covey_hierarchy_get_kind(const covey_hierarchy *h)
{
    return h->kind;
}

bool covey_hierarchy_is_from_data(const covey_hierarchy *h)
{
    return h->from_data;
}

uint32_t covey_hierarchy_n_leaves(const covey_hierarchy *h)
{
    return h->n_leaves;
}

uint32_t covey_hierarchy_n_nodes(const covey_hierarchy *h)
{
    return h->n_nodes;
}

int covey_hierarchy_n_levels(const covey_hierarchy *h)
{
    return h->raw.n_levels;
}

const covey_node *covey_hierarchy_nodes(const covey_hierarchy *h)
{
    return h->node;
}

const char *covey_hierarchy_label(const covey_hierarchy *h, uint32_t node)
{
    return node < h->n_nodes ? covey_i_raw_label(&h->raw, h->node_raw[node]) : NULL;
}

uint32_t covey_hierarchy_leaf_node(const covey_hierarchy *h, uint32_t leaf)
{
    return leaf < h->n_leaves ? h->leaf_node[leaf] : COVEY_NO_NODE;
}

uint32_t covey_hierarchy_ancestor(const covey_hierarchy *h, uint32_t leaf, int level)
{
    uint32_t raw;

    if (leaf >= h->n_leaves || level < 0 || level >= h->raw.n_levels)
        return COVEY_NO_NODE;
    raw = h->node_raw[h->leaf_node[leaf]];
    while (h->raw.level[raw] < level && raw != 0)
        raw = h->raw.parent[raw];
    return h->raw_node[raw];
}

uint32_t covey_hierarchy_lca(const covey_hierarchy *h, uint32_t low_leaf, uint32_t high_leaf)
{
    uint32_t node;

    if (low_leaf > high_leaf || high_leaf >= h->n_leaves)
        return COVEY_NO_NODE;
    node = h->leaf_node[low_leaf];
    while (h->node[node].first_leaf + h->node[node].n_leaves <= high_leaf)
        node = h->node[node].parent;
    return node;
}

static size_t label_slot(const covey_hierarchy *h, const char *label)
{
    size_t slot = covey_i_hash_bytes(label, strlen(label)) & (h->n_slots - 1);

    while (h->slots[slot] != COVEY_NO_NODE && strcmp(covey_i_raw_label(&h->raw, h->slots[slot]), label) != 0)
        slot = (slot + 1) & (h->n_slots - 1);
    return slot;
}

uint32_t covey_hierarchy_find(const covey_hierarchy *h, const char *label)
{
    const uint32_t raw = h->slots[label_slot(h, label)];

    return raw == COVEY_NO_NODE ? COVEY_NO_NODE : h->raw_node[raw];
}

uint32_t covey_i_hierarchy_find_cell(const covey_hierarchy *h, const char *cell)
{
    /* of a root with one child the lowest label is its own, and the topmost the file's */
    const bool is_root = strcmp(cell, "*") == 0 && (strcmp(covey_hierarchy_label(h, 0), "*") == 0 ||
                                                    strcmp(covey_i_raw_label(&h->raw, 0), "*") == 0);

    return is_root ? 0 : covey_hierarchy_find(h, cell);
}

bool covey_i_hierarchy_label_is_misleading(const char *label)
{
    size_t n = strlen(label);

    return strcmp(label, "*") == 0 || (n >= 2 && label[0] == '{' && label[n - 1] == '}');
}

const char *covey_i_hierarchy_label_at(const covey_hierarchy *h, uint32_t node, int level)
{
    const char *shown = covey_hierarchy_label(h, node);

    for (uint32_t raw = h->node_raw[node]; raw != 0;) {
        const char *label;

        raw = h->raw.parent[raw];
        if (h->raw_node[raw] != node || h->raw.level[raw] > level)
            break;
        label = covey_i_raw_label(&h->raw, raw);
        if (covey_hierarchy_find(h, label) == node &&
            (!covey_i_hierarchy_label_is_misleading(label) || (node == 0 && strcmp(label, "*") == 0)))
            shown = label;
    }
    return shown;
}

static bool is_alias(const covey_hierarchy *h, uint32_t raw)
{
    return h->node_raw[h->raw_node[raw]] != raw;
}

/* Does a label mean a rather than b?  A node's own label is what releases publish, so it goes before a collapsed one's.
 */
static bool is_meant(const covey_hierarchy *h, uint32_t a, uint32_t b)
{
    const int32_t height_a = h->node[h->raw_node[a]].height, height_b = h->node[h->raw_node[b]].height;

    if (is_alias(h, a) != is_alias(h, b))
        return is_alias(h, b);
    if (height_a != height_b)
        return height_a < height_b;
    return h->raw.level[a] < h->raw.level[b];
}

/* In what was written with `used`: a leaf of the same name as its parent, which stands for what is not published of it.
 */
static bool is_placeholder(const covey_hierarchy *h, uint32_t raw)
{
    const uint32_t node = h->raw_node[raw];

    return h->node[node].n_children == 0 && node != 0 && !is_alias(h, raw) &&
           strcmp(covey_hierarchy_label(h, h->node[node].parent), covey_i_raw_label(&h->raw, raw)) == 0;
}

covey_status covey_i_hierarchy_index(covey_hierarchy *h, bool partial, covey_error *err)
{
    h->n_slots = 16;
    while (h->n_slots < 2 * (size_t)h->raw.n)
        h->n_slots *= 2;
    if (!(h->slots = covey_i_array(h->n_slots, sizeof *h->slots)))
        return covey_i_no_memory(err);
    memset(h->slots, 0xFF, h->n_slots * sizeof *h->slots);
    for (uint32_t raw = 0; raw < h->raw.n; raw++) {
        uint32_t *slot;

        if (partial && is_placeholder(h, raw))
            continue;
        slot = &h->slots[label_slot(h, covey_i_raw_label(&h->raw, raw))];
        if (*slot == COVEY_NO_NODE || is_meant(h, raw, *slot))
            *slot = raw;
    }
    return COVEY_OK;
}
