/* A hierarchy as it would be if some values had never been in the data: what a release may publish of one whose rows
 * were suppressed in part. */
#include "hierarchy/hierarchy_impl.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/values.h"

struct restricting {
    const covey_hierarchy *h;
    uint32_t *first, *last; /* [n_leaves] the next kept leaf from there on, and the last one up to there */
    covey_raw_tree tree;
    covey_path path;
};

static void find_neighbours(struct restricting *r, const bool *keep)
{
    const uint32_t n = r->h->n_leaves;

    for (uint32_t leaf = n, next = COVEY_NO_NODE; leaf-- > 0;)
        r->first[leaf] = next = keep[leaf] ? leaf : next;
    for (uint32_t leaf = 0, last = COVEY_NO_NODE; leaf < n; leaf++)
        r->last[leaf] = last = keep[leaf] ? leaf : last;
}

static const char *leaf_label(const covey_hierarchy *h, uint32_t leaf)
{
    return covey_hierarchy_label(h, h->leaf_node[leaf]);
}

/* Nodes of balanced hierarchies are called after their first and last value: those that are left. */
static void add_label(struct restricting *r, uint32_t raw)
{
    const covey_hierarchy *h = r->h;
    const covey_node *node = &h->node[h->raw_node[raw]];
    uint32_t first, last;

    if (h->kind != COVEY_HIERARCHY_BALANCED || raw == 0 || h->raw.level[raw] == 0) {
        covey_i_path_label(&r->path, covey_i_raw_label(&h->raw, raw));
        return;
    }
    first = r->first[node->first_leaf];
    last = r->last[node->first_leaf + node->n_leaves - 1];
    covey_i_text_add_string(&r->path.text, leaf_label(h, first));
    if (first != last) {
        covey_i_text_add_string(&r->path.text, "..");
        covey_i_text_add_string(&r->path.text, leaf_label(h, last));
    }
    covey_i_hierarchy_path_close(&r->path);
}

/* Does the leaf stand under the root alone, though there are levels between? */
static bool skips_levels(const covey_hierarchy *h, uint32_t leaf)
{
    return h->raw.n_levels > 2 && h->raw.parent[h->node_raw[h->leaf_node[leaf]]] == 0;
}

static covey_status add_line(struct restricting *r, uint32_t leaf, covey_error *err)
{
    const covey_raw_tree *raw = &r->h->raw;
    uint32_t node = r->h->node_raw[r->h->leaf_node[leaf]];

    assert(raw->level[node] == 0);
    for (int level = 0; level < raw->n_levels; level++) {
        add_label(r, node);
        if (raw->level[raw->parent[node]] ==
            level + 1) /* a leaf under the root alone repeats its own label up to there */
            node = raw->parent[node];
    }
    return covey_i_hierarchy_path_add(&r->tree, &r->path, err);
}

void covey_i_hierarchy_keep_namesakes(bool *keep, const covey_hierarchy *h)
{
    for (uint32_t raw = 1; raw < h->raw.n; raw++) {
        const uint32_t found = covey_hierarchy_find(h, covey_i_raw_label(&h->raw, raw));
        const covey_node *node = &h->node[found];

        if (found == h->raw_node[raw] || found == 0)
            continue;
        if (!skips_levels(h, node->first_leaf))
            keep[node->first_leaf] = true;
    }
}

/* Leaves under the root alone come behind the others, which make the root. */
static covey_status add_lines(struct restricting *r, const bool *keep, covey_error *err)
{
    const covey_hierarchy *h = r->h;

    for (int skipping = 0; skipping < 2; skipping++)
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
            if (!keep[leaf] || skips_levels(h, leaf) != (skipping == 1))
                continue;
            if (skipping && r->tree.n > 0)
                COVEY_TRY(covey_i_raw_add_under_root(&r->tree, leaf_label(h, leaf), strlen(leaf_label(h, leaf)), err));
            else
                COVEY_TRY(add_line(r, leaf, err));
        }
    return COVEY_OK;
}

/* The leaves keep their order. */
static covey_status fold(covey_hierarchy **out, struct restricting *r, const bool *keep, covey_error *err)
{
    const covey_hierarchy *h = r->h;
    uint64_t *key = covey_i_array_zero(r->tree.n, sizeof *key);
    covey_status status;

    if (!key)
        return covey_i_no_memory(err);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        if (keep[leaf])
            key[covey_i_raw_find(&r->tree, 0, leaf_label(h, leaf), strlen(leaf_label(h, leaf)))] = leaf;
    if ((status = covey_i_hierarchy_fold(out, &r->tree, key, COVEY_NO_NODE, false, err)) == COVEY_OK) {
        (*out)->kind = h->kind;
        (*out)->from_data = h->from_data;
        (*out)->has_added_null = h->has_added_null && keep[0];
        (*out)->coarsening = h->coarsening;
    }
    covey_i_free(key);
    return status;
}

covey_status covey_i_hierarchy_restrict(covey_hierarchy **out, const covey_hierarchy *h, const bool *keep,
                                        covey_error *err)
{
    struct restricting r = {.h = h,
                            .first = covey_i_array(h->n_leaves, sizeof *r.first),
                            .last = covey_i_array(h->n_leaves, sizeof *r.last),
                            .path = {.text = COVEY_TEXT_INIT}};
    covey_status status;

    if (!r.first || !r.last) {
        status = covey_i_no_memory(err);
        goto done;
    }
    find_neighbours(&r, keep);
    if ((status = covey_i_raw_init(&r.tree, h->raw.n_levels, NULL, err)) == COVEY_OK &&
        (status = add_lines(&r, keep, err)) == COVEY_OK)
        status = fold(out, &r, keep, err);
done:
    covey_i_raw_clear(&r.tree);
    covey_i_text_free(&r.path.text);
    covey_i_free(r.first);
    covey_i_free(r.last);
    return status;
}
