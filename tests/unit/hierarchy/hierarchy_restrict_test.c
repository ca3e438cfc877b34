/* Hierarchies as if some values had never been in the data, and how little of them a file then says. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"
#include "table/table_impl.h"

/* keep: a letter for each leaf, '-' for those that go. */
static covey_hierarchy *restrict_to(const covey_hierarchy *h, const char *keep)
{
    covey_hierarchy *out = NULL;
    bool kept[64];
    covey_error err;

    assert_int_equal(strlen(keep), covey_hierarchy_n_leaves(h));
    for (size_t i = 0; keep[i]; i++)
        kept[i] = keep[i] != '-';
    if (covey_i_hierarchy_restrict(&out, h, kept, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    trees_assert_sound(out);
    return out;
}

static void assert_restricted(const char *cells, const covey_hierarchy_spec *spec, const char *keep,
                              const char *expected)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, cells);
    covey_hierarchy *h = trees_build(spec, column), *left = restrict_to(h, keep);

    assert_string_equal(trees_text(left), expected);
    assert_int_equal(covey_hierarchy_is_from_data(left), covey_hierarchy_is_from_data(h));
    covey_hierarchy_free(left);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void nodes_of_balanced_hierarchies_are_called_after_the_values_that_are_left(void **state)
{
    const covey_hierarchy_spec halves = {.kind = COVEY_HIERARCHY_BALANCED, .n = 2};

    assert_restricted("a|b|c|d", &halves, "abcd", "*(a..b(a b) c..d(c d))");
    assert_restricted("a|b|c|d|e|f|g|h", &halves, "abc-efgh", "*(a..c(a..b(a b) c) e..h(e..f(e f) g..h(g h)))");
    assert_restricted("a|b|c|d", &halves, "a-c-", "*(a c)");
}

static void nodes_without_a_value_that_is_left_are_gone(void **state)
{
    const covey_hierarchy_spec mask = {.kind = COVEY_HIERARCHY_MASK, .n = 2};

    assert_restricted("101|102|201", &mask, "ab-", "10*(101 102)");
    assert_restricted("101|102|201", &mask, "-bc", "*(102 201)");
}

static void a_missing_cell_keeps_its_place_under_the_root(void **state)
{
    const covey_hierarchy_spec halves = {.kind = COVEY_HIERARCHY_BALANCED, .n = 2};

    assert_restricted("a||b|c|d", &halves, "0ab--", "*(null a..b(a b))");
    assert_restricted("a||b|c|d", &halves, "-abcd", "*(a..b(a b) c..d(c d))");
}

/* Eight values have a level more than four; what is left of either makes the same file. */
static void a_terse_file_does_not_tell_how_many_values_there_were(void **state)
{
    const covey_hierarchy_spec halves = {.kind = COVEY_HIERARCHY_BALANCED, .n = 2};
    covey_column *column[2] = {trees_column(COVEY_TYPE_TEXT, "a|b|c|d"),
                               trees_column(COVEY_TYPE_TEXT, "a|b|c|d|e|f|g|h")};
    static const char *const keep[2] = {"ab--", "ab------"};
    char text[2][2][64];

    for (int i = 0; i < 2; i++) {
        covey_hierarchy *h = trees_build(&halves, column[i]), *left = restrict_to(h, keep[i]);
        bool used[8] = {false};

        used[covey_hierarchy_find(left, "a")] = used[covey_hierarchy_find(left, "b")] = true;
        for (int terse = 0; terse < 2; terse++) {
            const char *path = trees_path();

            assert_int_equal(covey_i_hierarchy_write_level(left, path, used, 0, terse, NULL), COVEY_OK);
            snprintf(text[terse][i], sizeof text[terse][i], "%s", trees_content(path));
        }
        covey_hierarchy_free(left);
        covey_hierarchy_free(h);
        covey_i_column_free(column[i]);
    }
    assert_string_equal(text[1][0], "a;*\nb;*\n");
    assert_string_equal(text[1][1], text[1][0]);
    assert_string_not_equal(text[0][1], text[0][0]);
}

static int tear_down(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_balanced_hierarchies_are_called_after_the_values_that_are_left),
        cmocka_unit_test(nodes_without_a_value_that_is_left_are_gone),
        cmocka_unit_test(a_missing_cell_keeps_its_place_under_the_root),
        cmocka_unit_test(a_terse_file_does_not_tell_how_many_values_there_were),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
