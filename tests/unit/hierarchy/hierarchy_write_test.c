/* Writing hierarchies: all of one, and the part that a release publishes. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

static const char *write_text(const covey_hierarchy *h, const bool *used)
{
    const char *path = trees_path();
    covey_error err = {0};

    if (covey_hierarchy_write(h, path, used, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return trees_content(path);
}

/* Writes the part of a file that has the given labels and compares. */
static void assert_part(const char *content, const char *const *labels, size_t n, const char *expected)
{
    covey_hierarchy *h = trees_read(content, NULL), *again;
    bool used[100] = {false};
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .partial = true};
    const char *path = trees_path();

    for (size_t i = 0; i < n; i++)
        used[covey_hierarchy_find(h, labels[i])] = true;
    assert_int_equal(covey_hierarchy_write(h, path, used, NULL), COVEY_OK);
    assert_string_equal(trees_content(path), expected);
    spec.path = path;
    again = trees_build(&spec, NULL); /* and each label is found again */
    for (size_t i = 0; i < n; i++) {
        const uint32_t node = covey_hierarchy_find(again, labels[i]);

        assert_int_not_equal(node, UINT32_MAX);
        assert_string_equal(covey_hierarchy_label(again, node), labels[i]);
    }
    covey_hierarchy_free(again);
    covey_hierarchy_free(h);
}

static const char education[] =
    "1st;Primary;No diploma;*\n2nd;Primary;No diploma;*\n9th;High;No diploma;*\n10th;High;No diploma;*\n"
    "Bachelors;College;Diploma;*\nMasters;College;Diploma;*\nDoctorate;Top;Diploma;*\n";

static void a_hierarchy_is_written_as_it_was_read(void **state)
{
    covey_hierarchy *h = trees_read(education, NULL);

    assert_string_equal(write_text(h, NULL), education);
    covey_hierarchy_free(h);
    h = trees_read("a;*\r\nb;*", NULL);
    assert_string_equal(write_text(h, NULL), "a;*\nb;*\n");
    covey_hierarchy_free(h);
}

static void labels_are_quoted_where_they_must_be(void **state)
{
    const char *content = "\"a;b\";\"x \"\"y\"\"\";*\n\"c\nd\";\"x \"\"y\"\"\";*\ne,f;z;*\n";
    covey_hierarchy *h = trees_read(content, NULL);

    assert_string_equal(write_text(h, NULL), content);
    covey_hierarchy_free(h);
}

static void a_label_that_looks_like_an_archive_is_quoted_at_the_start(void **state)
{
    const char *content = "\"PK\x03\x04\";*\nPK\x03\x04x;*\n";
    covey_hierarchy *h = trees_read(content, NULL);

    assert_string_equal(write_text(h, NULL), content);
    covey_hierarchy_free(h);
}

static void missing_cells_go_straight_to_the_root_and_come_back(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "a||q");
    covey_hierarchy_spec spec = {
        .kind = COVEY_HIERARCHY_FILE, .path = trees_file("a;x;y;*\nb;x;y;*\nc;z;y;*\n"), .missing_leaf_root = true};
    covey_hierarchy *h = trees_build(&spec, column), *again;
    const char *content = write_text(h, NULL);

    assert_string_equal(content, "null;*;*;*\na;x;y;*\nb;x;y;*\nc;z;y;*\nq;*;*;*\n");
    again = trees_read(content, NULL);
    trees_assert_same(h, again);
    covey_hierarchy_free(again);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void an_existing_file_is_left_alone(void **state)
{
    covey_hierarchy *h = trees_read("a;*\nb;*\n", NULL);
    const char *path = trees_file("precious");
    covey_error err;

    assert_int_equal(covey_hierarchy_write(h, path, NULL, &err), COVEY_EEXIST);
    assert_string_equal(trees_content(path), "precious");
    covey_hierarchy_free(h);
}

static void saving_writes_everything_and_replaces_on_demand(void **state)
{
    covey_hierarchy *h = trees_read(education, NULL);
    const char *path = trees_path();
    covey_error err;

    assert_int_equal(covey_hierarchy_save(h, path, false, &err), COVEY_OK);
    assert_string_equal(trees_content(path), education);
    assert_int_equal(covey_hierarchy_save(h, path, false, &err), COVEY_EEXIST);
    covey_hierarchy_free(h);
    h = trees_read("a;*\nb;*\n", NULL);
    assert_int_equal(covey_hierarchy_save(h, path, true, &err), COVEY_OK);
    assert_string_equal(trees_content(path), "a;*\nb;*\n");
    covey_hierarchy_free(h);
}

static void only_published_labels_are_written(void **state)
{
    assert_part(
        education, (const char *const[]){"Primary", "High", "College", "Doctorate"}, 4,
        "Primary;Primary;Primary;*\nHigh;High;High;*\nCollege;College;College;*\nDoctorate;Doctorate;Doctorate;*\n");
    assert_part(education, (const char *const[]){"1st"}, 1, "1st;1st;1st;*\n");
}

static void a_node_that_is_not_covered_gets_a_line_of_its_own(void **state)
{
    /* 2nd and High are not published, and No diploma means more than Primary */
    assert_part(education, (const char *const[]){"1st", "Primary", "No diploma", "Diploma"}, 4,
                "No diploma;No diploma;No diploma;*\nPrimary;Primary;No diploma;*\n1st;Primary;No "
                "diploma;*\nDiploma;Diploma;Diploma;*\n");
    /* both leaves of Primary are there: nothing else is left of it */
    assert_part(education, (const char *const[]){"1st", "2nd", "Primary"}, 3,
                "1st;Primary;Primary;*\n2nd;Primary;Primary;*\n");
}

static void the_root_is_published_like_any_node(void **state)
{
    assert_part(education, (const char *const[]){"Diploma", "*"}, 2, "*;*;*;*\nDiploma;Diploma;Diploma;*\n");
    assert_part(education, (const char *const[]){"Diploma", "No diploma", "*"}, 3,
                "No diploma;No diploma;No diploma;*\nDiploma;Diploma;Diploma;*\n");
    assert_part(education, NULL, 0, "*;*;*;*\n"); /* a file has at least one line */
}

static void a_label_that_means_a_lower_node_counts_as_its_leaves(void **state)
{
    covey_hierarchy *h = trees_read("Private;Private;*\nOwn;Private;*\nState;Public;*\nTown;Public;*\n", NULL);
    bool used[7] = {false, true}; /* the inner node */

    assert_string_equal(covey_hierarchy_label(h, 1), "Private");
    assert_int_equal(covey_hierarchy_nodes(h)[1].n_leaves, 2);
    assert_string_equal(write_text(h, used), "Private;Private;*\nOwn;Own;*\n");
    covey_hierarchy_free(h);
}

/* All values meet in "0", which is a value, too: the root has no label of its own. */
static void a_root_called_like_a_leaf_counts_as_its_leaves(void **state)
{
    covey_hierarchy *h = trees_read("a;0;0;*\n0;B;0;*\n", NULL);
    const bool used[] = {true, false, false};

    assert_int_equal(covey_hierarchy_n_nodes(h), 3);
    assert_string_equal(write_text(h, used), "a;a;a;*\n0;0;0;*\n");
    covey_hierarchy_free(h);
}

static void a_value_called_like_the_root_stands_for_the_root_too(void **state)
{
    covey_hierarchy *h = trees_read("*;x;*\na;x;*\nb;y;*\n", NULL);
    bool used[5] = {true, false, true, false, false};

    assert_string_equal(covey_hierarchy_label(h, 2), "*");
    assert_string_equal(write_text(h, used), "*;*;*\n");
    covey_hierarchy_free(h);
}

static int remove_files(void **state)
{
    trees_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hierarchy_is_written_as_it_was_read),
        cmocka_unit_test(labels_are_quoted_where_they_must_be),
        cmocka_unit_test(a_label_that_looks_like_an_archive_is_quoted_at_the_start),
        cmocka_unit_test(missing_cells_go_straight_to_the_root_and_come_back),
        cmocka_unit_test(an_existing_file_is_left_alone),
        cmocka_unit_test(saving_writes_everything_and_replaces_on_demand),
        cmocka_unit_test(only_published_labels_are_written),
        cmocka_unit_test(a_node_that_is_not_covered_gets_a_line_of_its_own),
        cmocka_unit_test(the_root_is_published_like_any_node),
        cmocka_unit_test(a_label_that_means_a_lower_node_counts_as_its_leaves),
        cmocka_unit_test(a_root_called_like_a_leaf_counts_as_its_leaves),
        cmocka_unit_test(a_value_called_like_the_root_stands_for_the_root_too),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
