/* The tree as a file has it, line by line.  Nodes are identified by (level, label); a line is a path from a leaf to the
 * root. All checks that concern more than one line are here, so that hierarchies from files and from data obey the same
 * rules. */
#include "hierarchy/hierarchy_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/hash.h"

enum { FIRST_CAPACITY = 64 };

covey_status covey_i_raw_init(covey_raw_tree *tree, int n_levels, const char *file, covey_error *err)
{
    *tree = (covey_raw_tree){.file = file, .n_levels = n_levels};
    tree->n_slots = 2 * FIRST_CAPACITY;
    if (!(tree->slots = covey_i_array(tree->n_slots, sizeof *tree->slots)))
        return covey_i_no_memory(err);
    memset(tree->slots, 0xFF, tree->n_slots * sizeof *tree->slots);
    return COVEY_OK;
}

void covey_i_raw_clear(covey_raw_tree *tree)
{
    covey_i_free(tree->label);
    covey_i_free(tree->parent);
    covey_i_free(tree->level);
    covey_i_free(tree->line);
    covey_i_free(tree->slots);
    covey_i_text_free(&tree->text);
    *tree = (covey_raw_tree){0};
}

static size_t slot_of(const covey_raw_tree *tree, int level, const char *label, size_t size)
{
    uint64_t hash = covey_i_mix(covey_i_hash_bytes(label, size), (uint64_t)level);
    size_t slot = hash & (tree->n_slots - 1);

    while (tree->slots[slot] != COVEY_NO_NODE) {
        uint32_t node = tree->slots[slot];
        const char *other = covey_i_raw_label(tree, node);

        if (tree->level[node] == level && strncmp(other, label, size) == 0 && other[size] == '\0')
            break;
        slot = (slot + 1) & (tree->n_slots - 1);
    }
    return slot;
}

uint32_t covey_i_raw_find(const covey_raw_tree *tree, int level, const char *label, size_t size)
{
    return tree->slots[slot_of(tree, level, label, size)];
}

#define GROW(array, capacity)                                                                                          \
    do {                                                                                                               \
        void *bigger_ = covey_i_realloc((array), (capacity), sizeof *(array));                                         \
        if (!bigger_)                                                                                                  \
            return false;                                                                                              \
        (array) = bigger_;                                                                                             \
    } while (0)

static bool grow(covey_raw_tree *tree)
{
    size_t capacity = tree->capacity ? 2 * (size_t)tree->capacity : FIRST_CAPACITY;

    GROW(tree->label, capacity);
    GROW(tree->parent, capacity);
    GROW(tree->level, capacity);
    GROW(tree->line, capacity);
    tree->capacity = (uint32_t)capacity;
    return true;
}

/* Doubles the hash table before it is more than half full. */
static bool rehash(covey_raw_tree *tree)
{
    size_t n_slots = 2 * tree->n_slots;
    uint32_t *slots = covey_i_array(n_slots, sizeof *slots);

    if (!slots)
        return false;
    memset(slots, 0xFF, n_slots * sizeof *slots);
    covey_i_free(tree->slots);
    tree->slots = slots;
    tree->n_slots = n_slots;
    for (uint32_t node = 0; node < tree->n; node++) {
        const char *label = covey_i_raw_label(tree, node);

        tree->slots[slot_of(tree, tree->level[node], label, strlen(label))] = node;
    }
    return true;
}

static covey_status add_node(covey_raw_tree *tree, int level, const char *label, size_t size, uint32_t parent,
                             int64_t line, covey_error *err)
{
    const uint64_t start = tree->text.size;
    const uint32_t node = tree->n;

    if (tree->n >= UINT32_MAX / 4)
        return covey_fail_at(err, COVEY_EINVAL, tree->file, line, NULL, 0, "the hierarchy has too many nodes");
    if (tree->n == tree->capacity && !grow(tree))
        return covey_i_no_memory(err);
    if (2 * ((size_t)tree->n + 1) > tree->n_slots && !rehash(tree))
        return covey_i_no_memory(err);
    covey_i_text_add(&tree->text, label, size);
    covey_i_text_add_char(&tree->text, '\0');
    if (tree->text.broken)
        return covey_i_no_memory(err);
    /* Nothing refers to the node before this: a failed request leaves the tree as it was. */
    tree->slots[slot_of(tree, level, label, size)] = node;
    tree->label[node] = start;
    tree->parent[node] = parent;
    tree->level[node] = (uint8_t)level;
    tree->line[node] = line;
    tree->n++;
    tree->n_leaves += level == 0;
    return COVEY_OK;
}

static covey_status complain(const covey_raw_tree *tree, int64_t line, covey_error *err, const char *what)
{
    return covey_fail_at(err, tree->file ? COVEY_EPARSE : COVEY_EINVAL, tree->file, line, NULL, 0, "%s", what);
}

static covey_status second_leaf(const covey_raw_tree *tree, uint32_t leaf, int64_t line, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN], what[400];
    const char *label = covey_i_raw_label(tree, leaf);

    covey_i_csv_shown(shown, label, strlen(label));
    snprintf(what, sizeof what,
             "the value \"%s\" is listed already in line %" PRId64 "; each value needs exactly one line", shown,
             tree->line[leaf]);
    return complain(tree, line, err, what);
}

static covey_status second_root(const covey_raw_tree *tree, const covey_label *label, int64_t line, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN], first[COVEY_CSV_SHOWN], what[600];
    const char *root = covey_i_raw_label(tree, 0);

    covey_i_csv_shown(shown, label->text, label->size);
    covey_i_csv_shown(first, root, strlen(root));
    snprintf(what, sizeof what,
             "the root is \"%s\" here but \"%s\" in line %" PRId64 "; every line must end with the same root", shown,
             first, tree->line[0]);
    return complain(tree, line, err, what);
}

static covey_status not_nested(const covey_raw_tree *tree, uint32_t node, const covey_label *parent, int64_t line,
                               covey_error *err)
{
    char shown[COVEY_CSV_SHOWN], here[COVEY_CSV_SHOWN], there[COVEY_CSV_SHOWN], what[800];
    const char *label = covey_i_raw_label(tree, node), *other = covey_i_raw_label(tree, tree->parent[node]);

    covey_i_csv_shown(shown, label, strlen(label));
    covey_i_csv_shown(here, parent->text, parent->size);
    covey_i_csv_shown(there, other, strlen(other));
    snprintf(what, sizeof what,
             "levels are not nested: \"%s\" (level %d) belongs to \"%s\" here but to \"%s\" in line %" PRId64
             "; it can have only one parent (widths must divide each other)",
             shown, tree->level[node], here, there, tree->line[node]);
    return complain(tree, line, err, what);
}

/* What can be said of a line before anything of it is added. */
static covey_status check_line(const covey_raw_tree *tree, const covey_label *path, int64_t line, covey_error *err)
{
    const int top = tree->n_levels - 1;
    uint32_t leaf;

    for (int level = 1; level <= top; level++)
        if (path[level].size == 0)
            return complain(tree, line, err, "a label above the value is empty; is there a delimiter too many?");
    if ((leaf = covey_i_raw_find(tree, 0, path[0].text, path[0].size)) != COVEY_NO_NODE)
        return second_leaf(tree, leaf, line, err);
    if (tree->n > 0 && covey_i_raw_find(tree, top, path[top].text, path[top].size) == COVEY_NO_NODE)
        return second_root(tree, &path[top], line, err);
    if (tree->n_leaves >= COVEY_MAX_LEAVES)
        return complain(tree, line, err, "a hierarchy can have 16,777,216 values at most");
    return COVEY_OK;
}

covey_status covey_i_raw_add(covey_raw_tree *tree, const covey_label *path, int64_t line, covey_error *err)
{
    covey_label named[COVEY_MAX_LEVELS];
    uint32_t parent = 0;

    memcpy(named, path, (size_t)tree->n_levels * sizeof *path);
    if (named[0].size == 0)
        named[0] = (covey_label){"null", 4};
    COVEY_TRY(check_line(tree, named, line, err));
    for (int level = tree->n_levels - 1; level >= 0; level--) {
        uint32_t node = covey_i_raw_find(tree, level, named[level].text, named[level].size);

        if (node == COVEY_NO_NODE) {
            node = tree->n;
            COVEY_TRY(add_node(tree, level, named[level].text, named[level].size, parent, line, err));
        } else if (tree->parent[node] != parent) {
            return not_nested(tree, node, &named[level + 1], line, err);
        }
        parent = node;
    }
    return COVEY_OK;
}

covey_status covey_i_raw_add_under_root(covey_raw_tree *tree, const char *label, size_t size, covey_error *err)
{
    if (tree->n == 0)
        COVEY_TRY(add_node(tree, tree->n_levels - 1, "*", 1, 0, 0, err));
    if (tree->n_leaves >= COVEY_MAX_LEAVES)
        return complain(tree, 0, err, "a hierarchy can have 16,777,216 values at most");
    return add_node(tree, 0, label, size, 0, 0, err);
}

void covey_i_hierarchy_path_close(covey_path *path)
{
    if (path->n < COVEY_MAX_LEVELS)
        path->end[path->n++] = path->text.size;
}

covey_status covey_i_hierarchy_path_add(covey_raw_tree *tree, covey_path *path, covey_error *err)
{
    covey_label label[COVEY_MAX_LEVELS];
    size_t start = 0;
    covey_status status;

    if (path->text.broken)
        return covey_i_no_memory(err);
    for (int level = 0; level < path->n; level++) {
        label[level] = (covey_label){path->text.bytes + start, path->end[level] - start};
        start = path->end[level];
    }
    status = covey_i_raw_add(tree, label, 0, err);
    covey_i_text_clear(&path->text);
    path->n = 0;
    return status;
}
