/* Laws of hierarchies on random trees: nodes cover ranges, the lowest common ancestor is the smallest cover, writing
 * and reading give the same tree, the published part keeps what lies below what. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "base/rng.h"
#include "base/text.h"
#include "hierarchy/hierarchy_impl.h"

enum { N_TREES = 200, MOST_LEAVES = 60, MOST_LEVELS = 6 };

static covey_rng rng;

static uint32_t below(uint32_t n)
{
    return (uint32_t)covey_i_rng_below(&rng, n);
}

/* Labels repeat on several levels, some are called like the root, some need quotes. */
static void make_label(char out[32], int level, uint32_t number, uint32_t range)
{
    static const char *const odd[] = {"*", "null", "a;b", "\"", "x\ny", "{a, b}", " "};

    if (below(12) == 0 && level > 0)
        snprintf(out, 32, "*");
    else if (below(range) == 0)
        snprintf(out, 32, "%s%u", odd[below(7)], number % 3);
    else
        snprintf(out, 32, "%c%u", below(3) ? 'a' + level : 'z', number);
}

/* A nested file: the parent of each label is drawn once.  Lines in random order. */
static void make_file(covey_text *out)
{
    const uint32_t n = 1 + below(MOST_LEAVES);
    const int n_levels = 2 + (int)below(MOST_LEVELS - 1);
    static char label[MOST_LEVELS + 1][MOST_LEAVES][32];
    uint32_t parent[MOST_LEVELS + 1][MOST_LEAVES];
    uint32_t size = n;

    covey_i_text_clear(out);
    for (int level = 0; level < n_levels; level++) {
        const uint32_t above = level == n_levels - 2 ? 1 : 1 + below(size);

        for (uint32_t v = 0; v < size; v++) {
            do {
                bool again = false;

                make_label(label[level][v], level, v, 10);
                if (level == n_levels - 1)
                    snprintf(label[level][v], 32, "*");
                for (uint32_t other = 0; other < v; other++)
                    again |= strcmp(label[level][v], label[level][other]) == 0;
                if (!again)
                    break;
            } while (true);
            parent[level][v] = below(above);
        }
        size = above;
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        uint32_t v = leaf;

        for (int level = 0; level < n_levels; level++) {
            covey_i_text_add_char(out, '"');
            for (const char *c = label[level][v]; *c; c++) {
                if (*c == '"')
                    covey_i_text_add_char(out, '"');
                covey_i_text_add_char(out, *c);
            }
            covey_i_text_add_string(out, level < n_levels - 1 ? "\";" : "\"\n");
            v = parent[level][v];
        }
    }
}

/* Reading refuses what is not nested, such as a star that is the root for one line and not for another. */
static covey_hierarchy *random_hierarchy(covey_text *text)
{
    for (;;) {
        covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE};
        covey_hierarchy *h = NULL;
        covey_status status;

        make_file(text);
        spec.path = trees_file(text->bytes);
        status = covey_hierarchy_build(&h, &spec, NULL, NULL, NULL);
        if (status == COVEY_OK)
            return h;
        assert_int_equal(status, COVEY_EPARSE);
    }
}

static void every_node_covers_a_range_and_lca_is_the_smallest_cover(void **state)
{
    covey_text text = COVEY_TEXT_INIT;

    for (int i = 0; i < N_TREES; i++) {
        covey_hierarchy *h = random_hierarchy(&text);

        trees_assert_sound(h);
        covey_hierarchy_free(h);
    }
    covey_i_text_free(&text);
}

static void writing_and_reading_gives_the_same(void **state)
{
    covey_text text = COVEY_TEXT_INIT;

    for (int i = 0; i < N_TREES; i++) {
        covey_hierarchy *h = random_hierarchy(&text), *again;
        covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = trees_path()};

        assert_int_equal(covey_hierarchy_write(h, spec.path, NULL, NULL), COVEY_OK);
        again = trees_build(&spec, NULL);
        trees_assert_same(h, again);
        covey_hierarchy_free(again);
        covey_hierarchy_free(h);
    }
    covey_i_text_free(&text);
}

/* Does node a lie below node b, or is it b? */
static bool lies_below(const covey_hierarchy *h, uint32_t a, uint32_t b)
{
    const covey_node *node = covey_hierarchy_nodes(h);

    return node[b].first_leaf <= node[a].first_leaf &&
           node[a].first_leaf + node[a].n_leaves <= node[b].first_leaf + node[b].n_leaves;
}

static void assert_part_agrees(const covey_hierarchy *h, const covey_hierarchy *part, const bool *used)
{
    const uint32_t n = covey_hierarchy_n_nodes(h);

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            uint32_t there_a, there_b;

            if (!used[a] || !used[b])
                continue;
            there_a = covey_hierarchy_find(part, covey_hierarchy_label(h, a));
            there_b = covey_hierarchy_find(part, covey_hierarchy_label(h, b));
            assert_int_not_equal(there_a, UINT32_MAX);
            assert_int_not_equal(there_b, UINT32_MAX);
            assert_int_equal(a == b, there_a == there_b);
            assert_int_equal(lies_below(h, a, b), lies_below(part, there_a, there_b));
        }
}

static bool is_published(const covey_hierarchy *h, const bool *used, const char *label)
{
    for (uint32_t v = 0; v < covey_hierarchy_n_nodes(h); v++)
        if (used[v] && strcmp(covey_hierarchy_label(h, v), label) == 0)
            return true;
    return strcmp(label, "*") == 0;
}

static void the_published_part_keeps_what_lies_below_what(void **state)
{
    covey_text text = COVEY_TEXT_INIT;

    for (int i = 0; i < N_TREES; i++) {
        covey_hierarchy *h = random_hierarchy(&text), *part;
        covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = trees_path(), .partial = true};
        bool used[2 * MOST_LEAVES] = {false};

        for (uint32_t v = 0; v < covey_hierarchy_n_nodes(h); v++)
            used[v] = below(3) == 0 && covey_hierarchy_find(h, covey_hierarchy_label(h, v)) == v &&
                      (v == 0 || strcmp(covey_hierarchy_label(h, v), "*") != 0);
        assert_int_equal(covey_hierarchy_write(h, spec.path, used, NULL), COVEY_OK);
        part = trees_build(&spec, NULL);
        assert_part_agrees(h, part, used);
        for (uint32_t v = 0; v < covey_hierarchy_n_nodes(part); v++)
            assert_true(is_published(h, used, covey_hierarchy_label(part, v)));
        covey_hierarchy_free(part);
        covey_hierarchy_free(h);
    }
    covey_i_text_free(&text);
}

static int start(void **state)
{
    const covey_run run = {.has_seed = true, .seed = 7};
    unsigned char key[32];

    if (covey_i_rng_key(key, &run, NULL) != COVEY_OK)
        return 1;
    covey_i_rng_init(&rng, key, 0);
    return 0;
}

static int finish(void **state)
{
    trees_remove();
    return 0;
}

/* Integers 1 .. n, every one once. */
static covey_hierarchy *balanced_over(uint32_t n, int64_t arity)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_BALANCED, .n = arity};
    covey_text cells = COVEY_TEXT_INIT;
    covey_hierarchy *h;
    covey_column *column;

    for (uint32_t i = 0; i < n; i++)
        covey_i_text_add_format(&cells, "%s%u", i ? "|" : "", i + 1);
    column = trees_column(COVEY_TYPE_INTEGER, cells.bytes);
    h = trees_build(&spec, column);
    covey_i_column_free(column);
    covey_i_text_free(&cells);
    return h;
}

/* min(arity, leaves) children whose sizes differ by one at most, larger ones first. */
static void assert_divided_evenly(const covey_hierarchy *h, uint32_t parent, int64_t arity)
{
    const covey_node *node = covey_hierarchy_nodes(h);
    uint32_t n_children = 0, largest = 0, last = UINT32_MAX;

    for (uint32_t i = parent + 1; i < covey_hierarchy_n_nodes(h); i++)
        if (node[i].parent == parent) {
            assert_true(node[i].n_leaves <= last);
            last = node[i].n_leaves;
            largest = last > largest ? last : largest;
            n_children++;
        }
    if (node[parent].n_leaves == 1) {
        assert_int_equal(n_children, 0);
        return;
    }
    assert_int_equal(n_children, node[parent].n_leaves < arity ? node[parent].n_leaves : arity);
    assert_true(largest - last <= 1);
}

static void balanced_nodes_divide_their_values_evenly(void **state)
{
    for (int round = 0; round < N_TREES; round++) {
        const uint32_t n = 1 + below(150);
        const int64_t arity = 2 + below(below(4) ? 4 : 200);
        covey_hierarchy *h = balanced_over(n, arity);
        int height = 1;

        for (uint64_t reach = (uint64_t)arity; reach < n; reach *= (uint64_t)arity)
            height++;
        assert_int_equal(covey_hierarchy_n_levels(h), height + 1);
        for (uint32_t i = 0; i < covey_hierarchy_n_nodes(h); i++)
            assert_divided_evenly(h, i, arity);
        covey_hierarchy_free(h);
    }
}

/* Joining neighbours from the left would give 2048 and 1. */
static void one_value_more_than_a_power_does_not_stand_alone(void **state)
{
    covey_hierarchy *h = balanced_over(2049, 2);
    const uint32_t left = covey_hierarchy_find(h, "1..1025"), right = covey_hierarchy_find(h, "1026..2049");

    assert_int_equal(covey_hierarchy_n_levels(h), 13);
    assert_true(left != UINT32_MAX && right != UINT32_MAX);
    assert_int_equal(covey_hierarchy_nodes(h)[left].parent, 0);
    assert_int_equal(covey_hierarchy_nodes(h)[right].parent, 0);
    covey_hierarchy_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_covers_a_range_and_lca_is_the_smallest_cover),
        cmocka_unit_test(writing_and_reading_gives_the_same),
        cmocka_unit_test(the_published_part_keeps_what_lies_below_what),
        cmocka_unit_test(balanced_nodes_divide_their_values_evenly),
        cmocka_unit_test(one_value_more_than_a_power_does_not_stand_alone),
    };

    return cmocka_run_group_tests(tests, start, finish);
}
