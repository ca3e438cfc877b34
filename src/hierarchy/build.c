/* From a specification to a hierarchy: reads or makes the lines, adds what the data have beyond them, orders and folds.
 */
#include <covey/hierarchy.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"

/* How each kind is made; FILE is read. */
static const covey_hierarchy_maker makers[] = {
    [COVEY_HIERARCHY_BALANCED] = covey_i_hierarchy_make_balanced,
    [COVEY_HIERARCHY_INTERVAL] = covey_i_hierarchy_make_interval,
    [COVEY_HIERARCHY_CUTS] = covey_i_hierarchy_make_cuts,
    [COVEY_HIERARCHY_MASK] = covey_i_hierarchy_make_mask,
    [COVEY_HIERARCHY_DATE] = covey_i_hierarchy_make_date,
    [COVEY_HIERARCHY_SUPPRESSION] = covey_i_hierarchy_make_suppression,
    [COVEY_HIERARCHY_ZIP3] = covey_i_hierarchy_make_zip3,
    [COVEY_HIERARCHY_TOP] = covey_i_hierarchy_make_top,
};

/* A hierarchy in the making. */
typedef struct job {
    const covey_hierarchy_spec *spec;
    const covey_column *column; /* NULL: only the file is wanted */
    covey_raw_tree tree;
    covey_coarsening coarsening;
    bool added; /* the file did not list all values of the data */
    bool added_null;
    uint32_t added_namesake; /* see hierarchy_impl.h */
} job;

static covey_status make_lines(job *j, covey_error *err)
{
    const covey_hierarchy_spec *spec = j->spec;
    const size_t kind = (size_t)spec->kind;

    if (spec->kind == COVEY_HIERARCHY_FILE) {
        if (!spec->path && !spec->text)
            return covey_fail(err, COVEY_EINVAL, "a hierarchy from a file needs the file's path");
        return covey_i_hierarchy_read(&j->tree, spec, err);
    }
    if (kind >= sizeof makers / sizeof *makers || !makers[kind])
        return covey_fail(err, COVEY_EINVAL, "no kind of hierarchy is chosen");
    if (!j->column)
        return covey_fail(err, COVEY_EINVAL, "a hierarchy of this kind is built from data: it needs a column");
    if (j->column->n_values == 0)
        return covey_fail_at(err, COVEY_EINVAL, NULL, 0, j->column->name, 0,
                             "column \"%s\" has no values to build a hierarchy from", j->column->name);
    return makers[kind](&j->tree, spec, j->column, &j->coarsening, err);
}

/* The leaf for missing cells; a file may have its own. */
static covey_status add_null(job *j, covey_error *err)
{
    if (!j->column || !j->column->has_null || covey_i_raw_find(&j->tree, 0, "null", 4) != COVEY_NO_NODE)
        return COVEY_OK;
    j->added_null = true;
    return covey_i_raw_add_under_root(&j->tree, "null", 4, err);
}

/* The raw tree's leaves in order of appearance; (*node_out)[i] is the i-th one's node. */
static covey_status list_leaves(covey_leaves *leaves, uint32_t **node_out, const job *j, covey_error *err)
{
    const covey_raw_tree *tree = &j->tree;
    const char **label = covey_i_array(tree->n_leaves, sizeof *label);
    uint32_t *node = covey_i_array(tree->n_leaves, sizeof *node), n = 0;
    covey_status status;

    if (!label || !node) {
        covey_i_free(label);
        covey_i_free(node);
        return covey_i_no_memory(err);
    }
    for (uint32_t raw = 0; raw < tree->n; raw++)
        if (tree->level[raw] == 0) {
            label[n] = covey_i_raw_label(tree, raw);
            node[n++] = raw;
        }
    assert(n == tree->n_leaves);
    if ((status = covey_i_leaves_init(leaves, label, n, j->column, &j->coarsening, err)) != COVEY_OK)
        covey_i_free(node);
    else
        *node_out = node;
    return status;
}

static covey_status same_number(const job *j, const covey_leaves *leaves, const uint32_t leaf[2], const uint32_t *node,
                                covey_error *err)
{
    char one[COVEY_CSV_SHOWN], other[COVEY_CSV_SHOWN];

    covey_i_csv_shown(one, leaves->label[leaf[0]], strlen(leaves->label[leaf[0]]));
    covey_i_csv_shown(other, leaves->label[leaf[1]], strlen(leaves->label[leaf[1]]));
    return covey_fail_at(err, COVEY_EPARSE, j->tree.file, j->tree.line[node[leaf[1]]], j->column->name, 0,
                         "\"%s\" is the same number as \"%s\" in line %" PRId64
                         "; column \"%s\" is of type %s, each number needs one line",
                         other, one, j->tree.line[node[leaf[0]]], j->column->name, covey_type_name(j->column->type));
}

static covey_status add_missing(job *j, const uint32_t *leaf_of_code, covey_error *err)
{
    for (uint32_t code = 0; code < j->column->n_values; code++) {
        const char *label = covey_column_label(j->column, code);
        const size_t size = covey_column_label_size(j->column, code);

        if (leaf_of_code[code] != COVEY_NO_NODE || covey_i_raw_find(&j->tree, 0, label, size) != COVEY_NO_NODE)
            continue;
        for (int level = 1; level < j->tree.n_levels; level++)
            if (covey_i_raw_find(&j->tree, level, label, size) != COVEY_NO_NODE)
                j->added_namesake = j->tree.n;
        COVEY_TRY(covey_i_raw_add_under_root(&j->tree, label, size, err));
        j->added = true;
    }
    return COVEY_OK;
}

/* FILE: every value of the data must have a leaf, or gets one. */
static covey_status match_data(job *j, covey_error *err)
{
    uint32_t *leaf_of_code, *node = NULL, twice[2];
    covey_leaves leaves = {0};
    covey_status status;

    if (!(leaf_of_code = covey_i_array(j->column->n_values, sizeof *leaf_of_code)))
        return covey_i_no_memory(err);
    if ((status = list_leaves(&leaves, &node, j, err)) != COVEY_OK)
        goto done;
    if ((status = covey_i_leaves_match(leaf_of_code, &leaves, j->column, &j->coarsening, twice, err)) == COVEY_EINVAL)
        status = same_number(j, &leaves, twice, node, err);
    if (status != COVEY_OK)
        goto done;
    if (j->spec->missing_leaf_root)
        status = add_missing(j, leaf_of_code, err);
    else
        status = covey_i_leaves_require(leaf_of_code, j->column, j->tree.file, err);
done:
    covey_i_leaves_clear(&leaves);
    covey_i_free(node);
    covey_i_free(leaf_of_code);
    return status;
}

/* Leaves that the column does not have stand behind the others. */
static covey_status keys_by_code(uint64_t **key_out, const job *j, covey_error *err)
{
    uint64_t *key = covey_i_array(j->tree.n, sizeof *key);

    if (!key)
        return covey_i_no_memory(err);
    memset(key, 0xFF, j->tree.n * sizeof *key);
    for (uint32_t code = j->column->has_null; code < j->column->n_values; code++) {
        const uint32_t leaf = covey_i_raw_find(&j->tree, 0, covey_column_label(j->column, code),
                                               covey_column_label_size(j->column, code));

        if (leaf != COVEY_NO_NODE)
            key[leaf] = code;
    }
    *key_out = key;
    return COVEY_OK;
}

/* Over numbers siblings go by value; *key stays NULL where the leaves are not all numbers. */
static covey_status make_keys(uint64_t **key_out, const job *j, covey_error *err)
{
    uint64_t *key = NULL;
    uint32_t *node = NULL;
    covey_leaves leaves = {0};
    covey_status status;

    if (!j->column || !covey_column_is_number(j->column))
        return j->column && j->spec->by_code ? keys_by_code(key_out, j, err) : COVEY_OK;
    if ((status = list_leaves(&leaves, &node, j, err)) != COVEY_OK)
        return status;
    if (!leaves.all_numbers)
        goto done;
    if (!(key = covey_i_array_zero(j->tree.n, sizeof *key))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (uint32_t i = 0; i < leaves.n; i++)
        key[node[i]] = i == leaves.null ? 0 : (uint64_t)leaves.number[i] ^ (uint64_t)1 << 63;
    *key_out = key;
done:
    covey_i_leaves_clear(&leaves);
    covey_i_free(node);
    return status;
}

static void make_note(char *note, const job *j)
{
    const char *root = covey_i_raw_label(&j->tree, 0);
    char shown[COVEY_CSV_SHOWN];

    if (note && strcmp(root, "*") != 0)
        snprintf(note, 256, "%.*s: the root is called \"%s\", not \"*\"", 80,
                 j->tree.file ? j->tree.file : "the lines of a hierarchy",
                 covey_i_csv_shown(shown, root, strlen(root)));
}

/* Would the hierarchy's leaves tell which values the data hold? */
static bool shows_data(const job *j)
{
    if (j->spec->kind == COVEY_HIERARCHY_FILE)
        return j->added;
    if (j->spec->is_declared)
        return false;
    return j->spec->kind != COVEY_HIERARCHY_INTERVAL || !covey_i_interval_lists_all(j->spec, j->column);
}

static covey_status finish(covey_hierarchy **out, job *j, char *note, covey_error *err)
{
    covey_hierarchy *h;
    uint64_t *key = NULL;
    uint32_t first = COVEY_NO_NODE;
    covey_status status;

    if ((status = make_keys(&key, j, err)) != COVEY_OK)
        return status;
    if (j->column && j->column->has_null) /* code 0 is the missing value, in every column */
        first = covey_i_raw_find(&j->tree, 0, "null", 4);
    make_note(note, j);
    if ((status = covey_i_hierarchy_fold(&h, &j->tree, key, first, j->spec->partial, err)) == COVEY_OK) {
        h->kind = j->spec->kind;
        h->from_data = shows_data(j);
        h->has_added_null = j->added_null;
        h->added_namesake = j->added_namesake;
        h->coarsening = j->coarsening;
        if (j->spec->kind == COVEY_HIERARCHY_FILE && j->spec->path && !(h->file = covey_i_strdup(j->spec->path))) {
            covey_hierarchy_free(h);
            status = covey_i_no_memory(err);
        } else {
            *out = h;
        }
    }
    covey_i_free(key);
    return status;
}

covey_status covey_hierarchy_build(covey_hierarchy **out, const covey_hierarchy_spec *spec, const covey_column *column,
                                   char *note, covey_error *err)
{
    job j = {.spec = spec, .column = column, .coarsening = {.kind = spec->kind}};
    covey_status status;

    if (note)
        note[0] = '\0';
    if ((status = make_lines(&j, err)) != COVEY_OK)
        goto done;
    if ((status = add_null(&j, err)) != COVEY_OK)
        goto done;
    if (column && spec->kind == COVEY_HIERARCHY_FILE && (status = match_data(&j, err)) != COVEY_OK)
        goto done;
    status = finish(out, &j, note, err);
done:
    covey_i_raw_clear(&j.tree);
    return status;
}
