/* Writing hierarchies as files: all of one, or the part of it that a release publishes. Of one that was built from the
 * data only labels that are published. */
#include <covey/hierarchy.h>

#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/newfile.h"
#include "hierarchy/hierarchy_impl.h"

/* A file in the making. */
typedef struct sheet {
    const covey_hierarchy *h;
    int level; /* of the labels */
    bool is_terse;
    int *rank;                    /* [nodes] of used ones: the level that they are written on; NULL: their own */
    bool shows[COVEY_MAX_LEVELS]; /* levels that are written; terse: some line has another label there than on the level
                                     before */
    covey_outfile *file;
    covey_text line;
} sheet;

static covey_status end_line(sheet *s, covey_error *err)
{
    covey_i_text_add_char(&s->line, '\n');
    if (s->line.broken)
        return covey_i_no_memory(err);
    covey_i_outfile_write(s->file, s->line.bytes, s->line.size);
    covey_i_text_clear(&s->line);
    return COVEY_OK;
}

/* Would a file that begins like this be taken for a compressed one?  (The other formats' first bytes are not text.) */
static bool looks_compressed(const char *label)
{
    return strncmp(label, "PK\x03\x04", 4) == 0 || strncmp(label, "BZh91AY&SY", 10) == 0;
}

static void add_field(sheet *s, int level, const char *label)
{
    const bool first = covey_i_outfile_size(s->file) == 0 && s->line.size == 0 && looks_compressed(label);

    if (level > 0)
        covey_i_text_add_char(&s->line, ';');
    if (first && !covey_i_csv_needs_quotes(label, strlen(label), ';'))
        covey_i_text_add_format(&s->line, "\"%s\"", label);
    else
        covey_i_csv_add_cell(&s->line, label, strlen(label), ';');
}

/* Is another inner node called like the root?  A line that repeats the root's label would then mean that one. */
static bool root_has_namesake(const covey_hierarchy *h)
{
    const covey_raw_tree *raw = &h->raw;

    for (uint32_t node = 1; node < raw->n; node++)
        if (raw->level[node] > 0 && strcmp(covey_i_raw_label(raw, node), covey_i_raw_label(raw, 0)) == 0 &&
            h->raw_node[node] != 0)
            return true;
    return false;
}

/* The line as it was read; a leaf directly under the root repeats the root's label, which reading takes for the root
 * again, or, where that is another node's too, its own. */
static covey_status write_leaf(sheet *s, uint32_t leaf, bool repeats_root, covey_error *err)
{
    const covey_raw_tree *raw = &s->h->raw;
    uint32_t node = s->h->node_raw[s->h->leaf_node[leaf]];
    const bool is_short = raw->parent[node] == 0 && !repeats_root;

    for (int level = 0; level < raw->n_levels; level++) {
        while (raw->level[node] < level && (!is_short || level == raw->n_levels - 1))
            node = raw->parent[node];
        add_field(s, level, covey_i_raw_label(raw, node));
    }
    return end_line(s, err);
}

static covey_status write_all(sheet *s, covey_error *err)
{
    const bool repeats_root = !root_has_namesake(s->h);

    for (uint32_t leaf = 0; leaf < s->h->n_leaves; leaf++)
        COVEY_TRY(write_leaf(s, leaf, repeats_root, err));
    return COVEY_OK;
}

/* --- the published part --- */

/* Does the label, read in a release, mean this node?  "*" is the root, whoever else is called so; but the root of a
 * tree in which all values soon meet can have the label of a leaf. */
static bool is_clear(const covey_hierarchy *h, uint32_t node, int level)
{
    const char *label = covey_i_hierarchy_label_at(h, node, level);

    if (h->node[node].n_children == 0 || (node == 0 && strcmp(label, "*") == 0))
        return true;
    if (node == 0)
        return covey_hierarchy_find(h, label) == 0;
    return covey_hierarchy_find(h, label) == node && strcmp(label, covey_i_raw_label(&h->raw, 0)) != 0;
}

/* A label that means another node is never published: releases name the node's leaves instead. */
static void settle_ambiguous(bool *settled, const covey_hierarchy *h, const bool *used, int level)
{
    for (uint32_t node = 0; node < h->n_nodes; node++) {
        const covey_node *n = &h->node[node];

        if (!used[node])
            continue;
        if (is_clear(h, node, level))
            settled[node] = true;
        else
            for (uint32_t leaf = n->first_leaf; leaf < n->first_leaf + n->n_leaves; leaf++)
                settled[h->leaf_node[leaf]] = true;
    }
}

/* Is a leaf published that is called like the root, so that its line stands for both? */
static bool root_has_a_line(const covey_hierarchy *h, const bool *settled)
{
    const uint32_t node = covey_hierarchy_find(h, covey_i_raw_label(&h->raw, 0));

    return node != 0 && settled[node];
}

/* On which level a balanced hierarchy has a node goes by how many values there are: one above the used nodes below it
 * does not. */
static covey_status rank_used(int **out, const covey_hierarchy *h, const bool *used, covey_error *err)
{
    int *rank = covey_i_array_zero(h->n_nodes, sizeof *rank);

    if (!(*out = rank))
        return covey_i_no_memory(err);
    for (uint32_t node = h->n_nodes; node-- > 1;) {
        const uint32_t parent = h->node[node].parent;

        rank[node] += used[node] && h->node[node].n_children > 0;
        rank[parent] = rank[node] > rank[parent] ? rank[node] : rank[parent];
    }
    rank[0] = h->raw.n_levels - 1;
    return COVEY_OK;
}

static int level_of(const sheet *s, uint32_t node)
{
    return s->rank ? s->rank[node] : s->h->raw.level[s->h->node_raw[node]];
}

/* Level by level the highest used node there is; below the first, itself; above the last, the root. */
static void list_used(uint32_t *shown, const sheet *s, uint32_t node, const bool *used)
{
    const covey_hierarchy *h = s->h;
    uint32_t above = node;

    for (int level = 0; level < h->raw.n_levels - 1; level++) {
        shown[level] = level > 0 ? shown[level - 1] : node;
        while (above != 0 && level_of(s, h->node[above].parent) <= level) {
            above = h->node[above].parent;
            if (used[above])
                shown[level] = above;
        }
    }
}

static covey_status write_used(sheet *s, uint32_t node, const bool *used, covey_error *err)
{
    const covey_hierarchy *h = s->h;
    uint32_t shown[COVEY_MAX_LEVELS];

    list_used(shown, s, node, used);
    for (int level = 0; level < h->raw.n_levels - 1; level++)
        if (s->shows[level])
            add_field(s, level, covey_i_hierarchy_label_at(h, shown[level], s->level));
    add_field(s, h->raw.n_levels - 1, covey_i_raw_label(&h->raw, 0));
    return end_line(s, err);
}

/* How many leaves of each node lie below used nodes, the node itself not counted. */
static void count_covered(uint32_t *covered, const covey_hierarchy *h, const bool *used)
{
    for (uint32_t node = h->n_nodes; node-- > 1;)
        covered[h->node[node].parent] += used[node] ? h->node[node].n_leaves : covered[node];
}

/* A file has at least one line. */
static covey_status write_nothing(sheet *s, covey_error *err)
{
    for (int level = 0; level < s->h->raw.n_levels; level++)
        if (s->shows[level])
            add_field(s, level, covey_i_raw_label(&s->h->raw, 0));
    return end_line(s, err);
}

/* Does a used node get a line of its own? */
static bool has_line(const covey_hierarchy *h, uint32_t node, const bool *settled, const uint32_t *covered)
{
    return settled[node] && covered[node] < h->node[node].n_leaves && (node > 0 || !root_has_a_line(h, settled));
}

/* How many levels a hierarchy has can tell how many values it was built from. */
static void leave_out_repetitions(sheet *s, const bool *settled, const uint32_t *covered)
{
    const covey_hierarchy *h = s->h;
    uint32_t shown[COVEY_MAX_LEVELS];

    memset(s->shows + 1, false, (size_t)(h->raw.n_levels - 2) * sizeof *s->shows);
    for (uint32_t node = 0; node < h->n_nodes; node++) {
        if (!has_line(h, node, settled, covered))
            continue;
        list_used(shown, s, node, settled);
        for (int level = 1; level < h->raw.n_levels - 1; level++)
            s->shows[level] |= shown[level] != shown[level - 1];
    }
}

static covey_status write_part(sheet *s, const bool *used, covey_error *err)
{
    const covey_hierarchy *h = s->h;
    bool *settled = covey_i_array_zero(h->n_nodes, sizeof *settled);
    uint32_t *covered = covey_i_array_zero(h->n_nodes, sizeof *covered);
    covey_status status = COVEY_OK;

    if (!settled || !covered) {
        status = covey_i_no_memory(err);
        goto done;
    }
    settle_ambiguous(settled, h, used, s->level);
    count_covered(covered, h, settled);
    if (s->is_terse && h->kind == COVEY_HIERARCHY_BALANCED &&
        (status = rank_used(&s->rank, h, settled, err)) != COVEY_OK)
        goto done;
    if (s->is_terse)
        leave_out_repetitions(s, settled, covered);
    if (!settled[0] && covered[0] == 0)
        status = write_nothing(s, err);
    for (uint32_t node = 0; node < h->n_nodes && status == COVEY_OK; node++)
        if (has_line(h, node, settled, covered))
            status = write_used(s, node, settled, err);
done:
    covey_i_free(settled);
    covey_i_free(covered);
    covey_i_free(s->rank);
    s->rank = NULL;
    return status;
}

static covey_status write_lines(const covey_hierarchy *h, covey_outfile *file, const bool *used, int level,
                                bool is_terse, covey_error *err)
{
    sheet s = {.h = h, .level = level, .is_terse = is_terse, .file = file, .line = COVEY_TEXT_INIT};
    covey_status status;

    memset(s.shows, true, sizeof s.shows);
    status = used ? write_part(&s, used, err) : write_all(&s, err);

    covey_i_text_free(&s.line);
    return status;
}

covey_status covey_hierarchy_write(const covey_hierarchy *h, const char *path, const bool *used, covey_error *err)
{
    return covey_i_hierarchy_write_level(h, path, used, 0, false, err);
}

covey_status covey_i_hierarchy_write_level(const covey_hierarchy *h, const char *path, const bool *used, int level,
                                           bool is_terse, covey_error *err)
{
    covey_outfile *file;
    covey_status status;

    COVEY_TRY(covey_i_outfile_open(&file, path, err));
    if ((status = write_lines(h, file, used, level, is_terse, err)) == COVEY_OK)
        return covey_i_outfile_close(file, err);
    covey_i_outfile_abort(file);
    return status;
}

covey_status covey_hierarchy_save(const covey_hierarchy *h, const char *path, bool force, covey_error *err)
{
    covey_newfile *file;
    covey_status status;

    COVEY_TRY(covey_i_newfile_begin(&file, path, force ? &covey_i_product_hierarchy : NULL, err));
    if ((status = write_lines(h, covey_i_newfile_stream(file), NULL, 0, false, err)) == COVEY_OK)
        return covey_i_newfile_commit(file, err);
    covey_i_newfile_abort(file);
    return status;
}
