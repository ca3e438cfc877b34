/* Hierarchies from texts, and as texts. */
#include "test.h"

#include "support/folder.h"
#include "support/trees.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "base/text.h"
#include "hierarchy/hierarchy_impl.h"

enum { N_PATHS = 64 };
static char paths[N_PATHS][256];
static unsigned n_paths;

/* Sorts and drops repetitions; the empty text comes first by itself. */
static uint32_t make_dictionary(covey_label *labels, char **cell, size_t n)
{
    char **sorted = malloc((n + 1) * sizeof *sorted);
    uint32_t n_values = 0;

    memcpy(sorted, cell, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, covey_i_compare_strings);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0) {
            const bool missing = sorted[i][0] == '\0';

            labels[n_values++] = (covey_label){missing ? "null" : sorted[i], missing ? 4 : strlen(sorted[i])};
        }
    free(sorted);
    return n_values;
}

static uint32_t code_of(const covey_label *labels, uint32_t n, const char *cell)
{
    const char *label = *cell ? cell : "null";

    for (uint32_t v = 0; v < n; v++)
        if (strlen(label) == labels[v].size && memcmp(labels[v].text, label, labels[v].size) == 0)
            return v;
    return 0;
}

covey_column *trees_column(covey_type type, const char *cells)
{
    char *copy = strdup(cells), *cell[4096];
    covey_label labels[4096];
    size_t n = 0;
    bool has_null = false;
    covey_column *raw, *column;
    covey_error err = {0};
    uint32_t n_values;
    void *codes;

    for (char *c = copy; *cells; c++) {
        char *bar = strchr(c, '|');

        if (bar)
            *bar = '\0';
        has_null |= *c == '\0';
        cell[n++] = c;
        if (!bar)
            break;
        c = bar;
    }
    n_values = make_dictionary(labels, cell, n);
    codes = covey_i_array(n, (size_t)covey_i_table_code_width(n_values));
    for (size_t i = 0; i < n; i++)
        if (covey_i_table_code_width(n_values) == 1)
            ((uint8_t *)codes)[i] = (uint8_t)code_of(labels, n_values, cell[i]);
        else
            ((uint16_t *)codes)[i] = (uint16_t)code_of(labels, n_values, cell[i]);
    assert_int_equal(
        covey_i_column_new(&raw, "x", COVEY_TYPE_TEXT, (int64_t)n, n_values, has_null, 0, labels, NULL, codes, &err),
        COVEY_OK);
    free(copy);
    if (covey_i_typing_column_type(&column, raw, type, NULL, 0, "data.csv", &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_i_column_free(raw);
    return column;
}

const char *trees_path(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = paths[n_paths % N_PATHS];

    snprintf(path, sizeof paths[0], "%s/covey-trees-%ld-%u.csv", folder ? folder : "/tmp", (long)getpid(),
             n_paths++ % N_PATHS);
    remove(path);
    return path;
}

const char *trees_file(const char *content)
{
    const char *path = trees_path();

    file_put(path, content);
    return path;
}

const char *trees_content(const char *path)
{
    static char content[1 << 16];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    return content;
}

void trees_remove(void)
{
    for (unsigned i = 0; i < N_PATHS && i < n_paths; i++)
        remove(paths[i]);
}

covey_hierarchy *trees_build(const covey_hierarchy_spec *spec, const covey_column *column)
{
    covey_hierarchy *h = NULL;
    covey_error err = {0};

    if (covey_hierarchy_build(&h, spec, column, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    trees_assert_sound(h);
    return h;
}

const char *trees_build_refusal(const covey_hierarchy_spec *spec, const covey_column *column)
{
    static covey_error err;
    covey_hierarchy *h = NULL;
    covey_status status = covey_hierarchy_build(&h, spec, column, NULL, &err);
    const size_t n = spec->path ? strlen(spec->path) : 0;

    if (status == COVEY_OK)
        fail_msg("accepted: %s", trees_text(h));
    assert_null(h);
    assert_int_equal(err.status, status);
    if (n > 0 && strncmp(err.message, spec->path, n) == 0 && err.message[n] == ':')
        return err.message + n + 1;
    return err.message;
}

covey_hierarchy *trees_read(const char *content, const covey_column *column)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = trees_file(content)};

    return trees_build(&spec, column);
}

const char *trees_refusal(const char *content, const covey_column *column)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = trees_file(content)};

    return trees_build_refusal(&spec, column);
}

const char *trees_text(const covey_hierarchy *h)
{
    static covey_text text;
    const covey_node *node = covey_hierarchy_nodes(h);
    int32_t depth = 0;

    covey_i_text_clear(&text);
    for (uint32_t v = 0; v < covey_hierarchy_n_nodes(h); v++) {
        for (; depth > node[v].depth; depth--)
            covey_i_text_add_char(&text, ')');
        if (v > 0 && v != node[v].parent + 1)
            covey_i_text_add_char(&text, ' ');
        covey_i_text_add_string(&text, covey_hierarchy_label(h, v));
        if (node[v].n_children > 0) {
            covey_i_text_add_char(&text, '(');
            depth = node[v].depth + 1;
        }
    }
    for (; depth > 0; depth--)
        covey_i_text_add_char(&text, ')');
    return text.bytes;
}

const char *trees_line(const covey_hierarchy *h, uint32_t leaf)
{
    static covey_text text;

    covey_i_text_clear(&text);
    for (int level = 0; level < covey_hierarchy_n_levels(h); level++) {
        if (level > 0)
            covey_i_text_add_char(&text, ';');
        covey_i_text_add_string(&text, covey_hierarchy_label(h, covey_hierarchy_ancestor(h, leaf, level)));
    }
    return text.bytes;
}

static void assert_same_node(const covey_hierarchy *a, const covey_hierarchy *b, uint32_t v)
{
    const covey_node *one = &covey_hierarchy_nodes(a)[v], *other = &covey_hierarchy_nodes(b)[v];

    assert_int_equal(one->parent, other->parent);
    assert_int_equal(one->first_leaf, other->first_leaf);
    assert_int_equal(one->n_leaves, other->n_leaves);
    assert_int_equal(one->n_children, other->n_children);
    assert_int_equal(one->height, other->height);
    assert_int_equal(one->depth, other->depth);
    assert_int_equal(one->leaf, other->leaf);
    assert_string_equal(covey_hierarchy_label(a, v), covey_hierarchy_label(b, v));
}

static void assert_same_meaning(const covey_hierarchy *a, const covey_hierarchy *b)
{
    for (uint32_t raw = 0; raw < a->raw.n; raw++) {
        const char *label = covey_i_raw_label(&a->raw, raw);

        assert_int_equal(covey_hierarchy_find(a, label), covey_hierarchy_find(b, label));
    }
}

void trees_assert_same(const covey_hierarchy *a, const covey_hierarchy *b)
{
    assert_int_equal(covey_hierarchy_n_levels(a), covey_hierarchy_n_levels(b));
    assert_int_equal(covey_hierarchy_n_nodes(a), covey_hierarchy_n_nodes(b));
    assert_int_equal(covey_hierarchy_n_leaves(a), covey_hierarchy_n_leaves(b));
    for (uint32_t v = 0; v < covey_hierarchy_n_nodes(a); v++)
        assert_same_node(a, b, v);
    for (uint32_t leaf = 0; leaf < covey_hierarchy_n_leaves(a); leaf++)
        for (int level = 0; level < covey_hierarchy_n_levels(a); level++)
            assert_int_equal(covey_hierarchy_ancestor(a, leaf, level), covey_hierarchy_ancestor(b, leaf, level));
    assert_same_meaning(a, b);
    assert_same_meaning(b, a);
}

static void assert_sound_children(const covey_hierarchy *h, uint32_t v)
{
    const covey_node *node = covey_hierarchy_nodes(h);
    uint32_t child = v + 1, leaf = node[v].first_leaf;
    int32_t highest = -1;

    for (uint32_t i = 0; i < node[v].n_children; i++) { /* the next child stands behind all of this one's nodes */
        assert_true(child < covey_hierarchy_n_nodes(h));
        assert_int_equal(node[child].parent, v);
        assert_int_equal(node[child].depth, node[v].depth + 1);
        assert_int_equal(node[child].first_leaf, leaf);
        leaf += node[child].n_leaves;
        highest = node[child].height > highest ? node[child].height : highest;
        for (child++; child < covey_hierarchy_n_nodes(h) && node[child].depth > node[v].depth + 1; child++)
            ;
    }
    assert_int_equal(leaf, node[v].first_leaf + node[v].n_leaves);
    assert_true(node[v].height > highest);
    assert_true(node[v].height < covey_hierarchy_n_levels(h));
}

static void assert_sound_leaf(const covey_hierarchy *h, uint32_t v)
{
    const covey_node *node = &covey_hierarchy_nodes(h)[v];

    assert_int_equal(node->height, 0);
    assert_int_equal(node->n_leaves, 1);
    assert_int_equal(node->leaf, node->first_leaf);
    assert_int_equal(covey_hierarchy_leaf_node(h, node->leaf), v);
    assert_int_equal(covey_hierarchy_ancestor(h, node->leaf, 0), v);
    assert_int_equal(covey_hierarchy_ancestor(h, node->leaf, covey_hierarchy_n_levels(h) - 1), 0);
    for (int level = 1; level < covey_hierarchy_n_levels(h); level++) {
        const covey_node *low = &covey_hierarchy_nodes(h)[covey_hierarchy_ancestor(h, node->leaf, level - 1)];
        const covey_node *high = &covey_hierarchy_nodes(h)[covey_hierarchy_ancestor(h, node->leaf, level)];

        assert_true(high->first_leaf <= low->first_leaf &&
                    low->first_leaf + low->n_leaves <= high->first_leaf + high->n_leaves);
    }
}

/* [low, high] lies below the node but below none of its children. */
static void assert_lca(const covey_hierarchy *h, uint32_t low, uint32_t high)
{
    const uint32_t v = covey_hierarchy_lca(h, low, high);
    const covey_node *node = covey_hierarchy_nodes(h);

    assert_true(node[v].first_leaf <= low && high < node[v].first_leaf + node[v].n_leaves);
    for (uint32_t child = v + 1; child < covey_hierarchy_n_nodes(h) && node[child].depth > node[v].depth; child++)
        if (node[child].parent == v)
            assert_false(node[child].first_leaf <= low && high < node[child].first_leaf + node[child].n_leaves);
}

void trees_assert_sound(const covey_hierarchy *h)
{
    const uint32_t n = covey_hierarchy_n_leaves(h);
    const covey_node *root = covey_hierarchy_nodes(h);

    assert_true(n >= 1 && covey_hierarchy_n_levels(h) >= 2);
    assert_int_equal(root->parent, 0);
    assert_int_equal(root->depth, 0);
    assert_int_equal(root->n_leaves, n);
    for (uint32_t v = 0; v < covey_hierarchy_n_nodes(h); v++) {
        assert_int_not_equal(root[v].n_children, 1);
        if (root[v].n_children > 0) {
            assert_sound_children(h, v);
            assert_int_equal(root[v].leaf, UINT32_MAX);
        } else {
            assert_sound_leaf(h, v);
        }
    }
    for (uint32_t low = 0; low < n; low += 1 + n / 50)
        for (uint32_t high = low; high < n; high += 1 + n / 50)
            assert_lca(h, low, high);
}
