/* Walking hierarchies: numbering, collapsed chains, levels, missing cells, the meaning of labels. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

static const covey_node *node_of(const covey_hierarchy *h, const char *label)
{
    const uint32_t v = covey_hierarchy_find(h, label);

    if (v == UINT32_MAX)
        fail_msg("nothing is called %s", label);
    return &covey_hierarchy_nodes(h)[v];
}

/* root(nervous(3), circulatory(3)), H = 2. */
static void nodes_are_numbered_in_pre_order(void **state)
{
    covey_hierarchy *h = trees_read("headache;nervous;*\nepilepsy;nervous;*\nbrain tumours;nervous;*\n"
                                    "anemia;circulatory;*\nangina;circulatory;*\nheart murmur;circulatory;*\n",
                                    NULL);
    const covey_node *node = covey_hierarchy_nodes(h);

    assert_int_equal(covey_hierarchy_n_nodes(h), 9);
    assert_int_equal(covey_hierarchy_n_leaves(h), 6);
    assert_int_equal(covey_hierarchy_n_levels(h), 3);
    assert_string_equal(covey_hierarchy_label(h, 0), "*");
    assert_string_equal(covey_hierarchy_label(h, 1), "nervous");
    assert_string_equal(covey_hierarchy_label(h, 5), "circulatory");
    assert_int_equal(node[0].n_children, 2);
    assert_int_equal(node[0].height, 2);
    assert_int_equal(node[5].first_leaf, 3);
    assert_int_equal(node[5].n_leaves, 3);
    assert_int_equal(node[5].height, 1);
    assert_int_equal(node[6].leaf, 3);
    assert_int_equal(covey_hierarchy_leaf_node(h, 3), 6);
    assert_int_equal(covey_hierarchy_lca(h, 0, 2), 1);
    assert_int_equal(covey_hierarchy_lca(h, 2, 3), 0);
    assert_int_equal(covey_hierarchy_lca(h, 4, 4), 7);
    covey_hierarchy_free(h);
}

/* census1980 work.csv: "0" stands alone on every level. */
static void a_chain_is_one_node_and_keeps_the_lowest_label(void **state)
{
    covey_hierarchy *h = trees_read("0;none;idle;*\n1;1-4;1+;*\n2;1-4;1+;*\n5;5-9;1+;*\n6;5-9;1+;*\n", NULL);

    assert_string_equal(trees_text(h), "*(0 1+(1-4(1 2) 5-9(5 6)))");
    assert_int_equal(node_of(h, "0")->height, 0);
    assert_int_equal(node_of(h, "0")->depth, 1);
    assert_int_equal(covey_hierarchy_nodes(h)[0].height, 3); /* chain nodes are counted */
    assert_string_equal(trees_line(h, 0), "0;0;0;*");
    assert_int_equal(covey_hierarchy_find(h, "none"), covey_hierarchy_find(h, "0"));
    assert_int_equal(covey_hierarchy_find(h, "idle"), covey_hierarchy_find(h, "0"));
    covey_hierarchy_free(h);
}

static void a_chain_above_branches_has_the_height_of_its_lowest_node(void **state)
{
    covey_hierarchy *h = trees_read("a;x;xx;xxx;*\nb;x;xx;xxx;*\nc;y;z;z;*\nd;yy;z;z;*\n", NULL);

    assert_string_equal(trees_text(h), "*(x(a b) z(c d))");
    assert_int_equal(node_of(h, "x")->height, 1);
    assert_int_equal(node_of(h, "xxx")->height, 1); /* the same node */
    assert_int_equal(node_of(h, "z")->height, 2);
    assert_int_equal(covey_hierarchy_nodes(h)[0].height, 4);
    assert_string_equal(trees_line(h, 0), "a;x;x;x;*");
    assert_string_equal(trees_line(h, 2), "c;c;z;z;*");
    covey_hierarchy_free(h);
}

static void a_chain_at_the_root_is_the_root(void **state)
{
    covey_hierarchy *h = trees_read("a;all;*\nb;all;*\n", NULL);

    assert_string_equal(trees_text(h), "all(a b)");
    assert_int_equal(covey_hierarchy_nodes(h)[0].height, 1);
    assert_int_equal(covey_hierarchy_find(h, "*"), 0);
    assert_int_equal(covey_hierarchy_find(h, "all"), 0);
    assert_int_equal(covey_hierarchy_n_levels(h), 3);
    covey_hierarchy_free(h);
}

static void one_leaf_is_the_whole_tree(void **state)
{
    covey_hierarchy *h = trees_read("a;x;*\n", NULL);

    assert_int_equal(covey_hierarchy_n_nodes(h), 1);
    assert_string_equal(trees_text(h), "a");
    assert_string_equal(trees_line(h, 0), "a;a;a");
    assert_int_equal(covey_hierarchy_nodes(h)[0].height, 0);
    assert_int_equal(covey_hierarchy_nodes(h)[0].leaf, 0);
    assert_int_equal(covey_hierarchy_find(h, "*"), 0);
    covey_hierarchy_free(h);
}

static void a_level_that_repeats_the_root_is_the_root(void **state)
{
    covey_hierarchy *h = trees_read("a;*;*\nb;x;*\n?;*;*\nc;x;*\n", NULL);

    assert_string_equal(trees_text(h), "*(a x(b c) ?)");
    assert_string_equal(trees_line(h, 0), "a;*;*");
    assert_string_equal(trees_line(h, 3), "?;*;*");
    assert_int_equal(covey_hierarchy_find(h, "*"), 0);
    covey_hierarchy_free(h);
    /* but a star further down under another name is a node like any other */
    h = trees_read("a;*;x;*\nb;*;x;*\nc;y;z;*\nd;y;z;*\ne;u;x;*\n", NULL);
    assert_string_equal(trees_text(h), "*(x(*(a b) e) y(c d))");
    covey_hierarchy_free(h);
    /* a star cannot be both: levels are not nested */
    assert_non_null(strstr(trees_refusal("a;*;x;*\nb;*;*;*\n", NULL), "levels are not nested"));
}

static void a_value_that_is_called_like_the_root_is_a_leaf(void **state)
{
    covey_hierarchy *h = trees_read("*;x;*\na;x;*\nb;y;*\n", NULL);

    assert_string_equal(trees_text(h), "*(x(* a) b)");
    assert_int_equal(covey_hierarchy_find(h, "*"), 2); /* the lowest */
    covey_hierarchy_free(h);
}

static void a_label_means_the_lowest_node_of_that_name(void **state)
{
    covey_hierarchy *h = trees_read("Private;Private;*\nOwn;Private;*\nState;Public;*\nTown;Public;*\n", NULL);

    assert_int_equal(node_of(h, "Private")->leaf, 0);
    assert_int_equal(node_of(h, "Public")->n_leaves, 2);
    assert_int_equal(covey_hierarchy_find(h, "nobody"), UINT32_MAX);
    assert_int_equal(covey_hierarchy_find(h, ""), UINT32_MAX);
    covey_hierarchy_free(h);
}

static void a_label_of_its_own_goes_before_a_collapsed_one(void **state)
{
    /* "X" is a collapsed level over q, and a node over a and b */
    covey_hierarchy *h = trees_read("q;X;*\nr;Y;*\na;a;*\n", NULL);

    assert_int_equal(node_of(h, "X")->leaf, 0);
    covey_hierarchy_free(h);
    h = trees_read("q;X;U;*\na;V;X;*\nb;W;X;*\n", NULL);
    assert_string_equal(trees_text(h), "*(q X(a b))");
    assert_int_equal(node_of(h, "X")->n_leaves, 2);
    covey_hierarchy_free(h);
}

static void missing_cells_are_the_first_leaf_under_the_root(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "b||a"), *aligned = NULL;
    covey_hierarchy *h = trees_read("b;x;y;*\na;x;y;*\nc;z;y;*\nd;u;v;*\n", column);

    assert_string_equal(trees_text(h), "*(null y(x(b a) c) d)");
    assert_string_equal(trees_line(h, 0), "null;*;*;*");
    assert_int_equal(covey_hierarchy_nodes(h)[0].n_leaves, 5);
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_true(aligned->has_null);
    assert_int_equal(aligned->n_values, 5);
    assert_int_equal(covey_column_code(aligned, 0), 1);
    assert_int_equal(covey_column_code(aligned, 1), 0);
    assert_int_equal(covey_column_code(aligned, 2), 2);
    assert_string_equal(covey_column_label(aligned, 4), "d");
    assert_false(covey_hierarchy_is_from_data(h));
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void a_file_may_list_missing_cells_itself(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "b||a"), *aligned = NULL;
    covey_hierarchy *h = trees_read("b;x;*\na;x;*\nc;y;*\n;y;*\n", column);

    assert_string_equal(trees_text(h), "*(y(null c) x(b a))"); /* first all the same: code 0 is the missing value */
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_true(aligned->has_null);
    assert_int_equal(covey_column_code(aligned, 1), 0);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    h = trees_read("b;x;*\na;x;*\nnull;y;*\n", column);
    assert_string_equal(trees_text(h), "*(null x(b a))");
    covey_hierarchy_free(h);
    h = trees_read("b;x;*\na;x;*\nnull;y;*\n", NULL); /* without data it is a value like any other */
    assert_string_equal(trees_text(h), "*(x(b a) null)");
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void missing_numbers_have_number_0_and_come_first(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "-5||3"), *aligned = NULL;
    covey_hierarchy *h = trees_read("3;pos;*\n4;pos;*\n-5;neg;*\n-7;neg;*\n", column);

    assert_string_equal(trees_text(h), "*(null neg(-7 -5) pos(3 4))");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->type, COVEY_TYPE_INTEGER);
    assert_true(aligned->has_null);
    assert_int_equal(aligned->number[0], 0);
    assert_int_equal(aligned->number[1], -7);
    assert_int_equal(covey_column_code(aligned, 0), 2);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void aligning_another_column_complains_of_its_values(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "a|b|nobody|nobody|"), *aligned = NULL;
    covey_hierarchy *h = trees_read("a;*\nb;*\n", NULL);
    covey_error err;

    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, &err), COVEY_EINVAL);
    assert_string_equal(err.message, "column \"x\": 3 rows hold 2 values that the hierarchy does not list: \"null\", "
                                     "\"nobody\"; add a line for each");
    assert_int_equal(err.row, 4);
    assert_string_equal(err.column, "x");
    assert_null(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void a_column_without_rows_is_fine(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, ""), *aligned = NULL;
    covey_hierarchy *h = trees_read("a;*\nb;*\n", column);

    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->n_rows, 0);
    assert_int_equal(aligned->n_values, 2);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static int remove_files(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_numbered_in_pre_order),
        cmocka_unit_test(a_chain_is_one_node_and_keeps_the_lowest_label),
        cmocka_unit_test(a_chain_above_branches_has_the_height_of_its_lowest_node),
        cmocka_unit_test(a_chain_at_the_root_is_the_root),
        cmocka_unit_test(one_leaf_is_the_whole_tree),
        cmocka_unit_test(a_level_that_repeats_the_root_is_the_root),
        cmocka_unit_test(a_value_that_is_called_like_the_root_is_a_leaf),
        cmocka_unit_test(a_label_means_the_lowest_node_of_that_name),
        cmocka_unit_test(a_label_of_its_own_goes_before_a_collapsed_one),
        cmocka_unit_test(missing_cells_are_the_first_leaf_under_the_root),
        cmocka_unit_test(a_file_may_list_missing_cells_itself),
        cmocka_unit_test(missing_numbers_have_number_0_and_come_first),
        cmocka_unit_test(aligning_another_column_complains_of_its_values),
        cmocka_unit_test(a_column_without_rows_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
