/* Reading hierarchy files: the format and every check. */
#include "test.h"

#include <string.h>

#include "support/trees.h"
#include "hierarchy/hierarchy_impl.h"

static void assert_tree(const char *content, const char *expected)
{
    covey_hierarchy *h = trees_read(content, NULL);

    assert_string_equal(trees_text(h), expected);
    covey_hierarchy_free(h);
}

static void assert_refused(const char *content, const char *expected)
{
    assert_string_equal(trees_refusal(content, NULL), expected);
}

static void lines_become_a_tree(void **state)
{
    assert_tree("Private;Employee;*\nFederal;Government;*\nLocal;Government;*\nSelf;Employee;*\n",
                "*(Employee(Private Self) Government(Federal Local))");
    assert_tree("a;*\nb;*\nc;*\n", "*(a b c)");
    assert_tree("a;p;x;*\nb;q;x;*\nc;r;y;*\nd;r;y;*", "*(x(a b) r(c d))");
}

static void siblings_stand_in_file_order(void **state)
{
    assert_tree("z;Q;*\na;P;*\ny;Q;*\nb;P;*\n", "*(Q(z y) P(a b))");
}

static void a_comma_separates_too(void **state)
{
    assert_tree("a,x,*\nb,x,*\nc,y,*\n", "*(x(a b) c)");
}

static void the_delimiter_is_the_one_that_all_lines_have_equally_often(void **state)
{
    assert_tree("a,b;x;*\nc;x;*\nd,e,f;y;*\n", "*(x(a,b c) d,e,f)"); /* commas differ */
    assert_tree("a;b,x,*\nc,x,*\nd;e;f,y,*\n", "*(x(a;b c) d;e;f)"); /* semicolons differ */
    assert_tree("a,b;x,y\nc,d;x,y\n", "x,y(a,b c,d)");               /* both: ';' wins */
    assert_tree("\"a;b\",x,*\n\"c\",x,*\nd,y,*\n", "*(x(a;b c) d)"); /* quoted ones do not count */
}

static void a_given_delimiter_overrules_detection(void **state)
{
    const covey_hierarchy_spec spec = {
        .kind = COVEY_HIERARCHY_FILE, .path = trees_file("a,b;x,*\nc,d;x,*\n"), .delimiter = ','};
    covey_hierarchy *h = trees_build(&spec, NULL);

    assert_int_equal(covey_hierarchy_n_levels(h), 3);
    assert_string_equal(trees_text(h), "*(a c)");
    covey_hierarchy_free(h);
}

static void blank_lines_crlf_and_a_byte_order_mark_are_no_content(void **state)
{
    assert_tree("\xEF\xBB\xBF\n\na;x;*\r\n\r\nb;x;*\r\nc;y;*\r\n\n\n", "*(x(a b) c)");
}

static void quoted_labels_may_hold_anything(void **state)
{
    assert_tree("\"a;\"\"1\"\"\";x;*\n\"b\nb\";x;*\nc;\"y\";*\n", "*(x(a;\"1\" b\nb) c)");
}

static void blanks_belong_to_the_label(void **state)
{
    assert_tree("a ; x;*\na; x;*\nb;x;*\nc;x;*\n", "*( x(a  a) x(b c))");
}

static void unequal_field_counts_are_refused_with_the_line(void **state)
{
    assert_refused(
        "a;x;*\n\nb;*\n",
        "3: 2 fields, but line 1 has 3; every line needs the value, its ancestors level by level and the root");
    assert_refused(
        "a;x;*\nb;x;y;*\n",
        "2: 4 fields, but line 1 has 3; every line needs the value, its ancestors level by level and the root");
    assert_refused(
        "a,x,*\nb\n",
        "2: 1 field, but line 1 has 3; every line needs the value, its ancestors level by level and the root");
}

static void a_leaf_that_is_listed_twice_is_refused_with_both_lines(void **state)
{
    assert_refused("a;x;*\nb;x;*\na;x;*\n",
                   "3: the value \"a\" is listed already in line 1; each value needs exactly one line");
    assert_refused("a;x;*\nb;y;*\na;y;*\n",
                   "3: the value \"a\" is listed already in line 1; each value needs exactly one line");
    assert_refused(";x;*\nnull;x;*\n",
                   "2: the value \"null\" is listed already in line 1; each value needs exactly one line");
}

static void levels_that_are_not_nested_are_refused_with_both_lines(void **state)
{
    assert_refused("47;40-49;40-59;*\n50;50-59;40-59;*\n51;50-59;50-99;*\n",
                   "3: levels are not nested: \"50-59\" (level 1) belongs to \"50-99\" here but to \"40-59\" in line "
                   "2; it can have only one parent "
                   "(widths must divide each other)");
}

static void a_second_root_is_refused_with_both_lines(void **state)
{
    assert_refused("a;x;*\nb;x;any\n",
                   "2: the root is \"any\" here but \"*\" in line 1; every line must end with the same root");
}

static void a_field_that_only_stops_is_refused(void **state)
{
    assert_refused("a;x;*;\nb;x;*;\n", "1: a label above the value is empty; is there a delimiter too many?");
    assert_refused("a;;*\nb;x;*\n", "1: a label above the value is empty; is there a delimiter too many?");
}

static void a_file_without_levels_is_refused(void **state)
{
    assert_refused("", " the file is empty; expected one line per value, such as Private;Employee;*");
    assert_refused("\n\n", " the file is empty; expected one line per value, such as Private;Employee;*");
    assert_refused(
        "a\nb\n",
        "1: one field only; a line holds the value, its ancestors level by level and the root, with ';' between them");
}

static void more_than_64_levels_are_refused(void **state)
{
    char line[300] = "a";

    for (int i = 0; i < 63; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), ";%d", i);
    assert_tree(line, "a");
    snprintf(line + strlen(line), sizeof line - strlen(line), ";x");
    assert_refused(line, "1: 65 levels; a hierarchy can have 64 at most");
}

static void faults_of_the_csv_name_their_line(void **state)
{
    assert_non_null(strstr(trees_refusal("a;x;*\n\"b;x;*\n", NULL), "2: "));
    assert_non_null(strstr(trees_refusal("a;x;*\nb\"b;x;*\n", NULL), "2: "));
    assert_non_null(strstr(trees_refusal("a;x;*\n\"b\"b;x;*\n", NULL), "2: "));
    assert_non_null(strstr(trees_refusal("a;x;*\nb\xFF;x;*\n", NULL), "2: "));
}

static void a_file_that_is_not_there_is_not_found(void **state)
{
    const covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = "/nowhere/edu.csv"};
    covey_hierarchy *h = NULL;
    covey_error err;

    assert_int_equal(covey_hierarchy_build(&h, &spec, NULL, NULL, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.file, "/nowhere/edu.csv");
}

static void a_root_of_another_name_is_accepted_with_a_note(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = trees_file("a;any\nb;any\n")};
    covey_hierarchy *h = NULL;
    char note[256];

    assert_int_equal(covey_hierarchy_build(&h, &spec, NULL, note, NULL), COVEY_OK);
    assert_non_null(strstr(note, ".csv: the root is called \"any\", not \"*\""));
    assert_string_equal(trees_text(h), "any(a b)");
    covey_hierarchy_free(h);
    spec.path = trees_file("a;*\nb;*\n");
    assert_int_equal(covey_hierarchy_build(&h, &spec, NULL, note, NULL), COVEY_OK);
    assert_string_equal(note, "");
    covey_hierarchy_free(h);
}

static void equal_labels_on_different_levels_are_different_nodes(void **state)
{
    covey_hierarchy *h = trees_read("Private;Private;*\nOwn;Private;*\nOther;*;*\n", NULL);

    assert_string_equal(trees_text(h), "*(Private(Private Own) Other)");
    covey_hierarchy_free(h);
}

static void a_data_value_without_a_leaf_is_refused_with_rows_and_values(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "a|b|c|c|d|e|f|g|a|h");
    const char *refusal = trees_refusal("a;*\nb;*\nunused;*\n", column);

    assert_ptr_equal(strstr(refusal, "column \"x\": 7 rows hold 6 values that "), refusal);
    assert_non_null(strstr(refusal, ".csv does not list: \"c\", \"d\", \"e\", \"f\", \"g\", ...; add a line for each, "
                                    "or put them under the root with "
                                    "`missing-leaf: root`"));
    covey_i_column_free(column);
    column = trees_column(COVEY_TYPE_TEXT, "a|z");
    refusal = trees_refusal("a;*\nb;*\n", column);
    assert_ptr_equal(strstr(refusal, "column \"x\": 1 row holds 1 value that "), refusal);
    assert_non_null(strstr(
        refusal, ".csv does not list: \"z\"; add a line for it, or put it under the root with `missing-leaf: root`"));
    covey_i_column_free(column);
}

static void a_data_value_without_a_leaf_goes_under_the_root_on_demand(void **state)
{
    covey_hierarchy_spec spec = {
        .kind = COVEY_HIERARCHY_FILE, .path = trees_file("b;x;*\na;x;*\nc;y;*\nd;y;*\n"), .missing_leaf_root = true};
    covey_column *column = trees_column(COVEY_TYPE_TEXT, "a|q|b|p");
    covey_hierarchy *h = trees_build(&spec, column);

    assert_string_equal(trees_text(h), "*(x(b a) y(c d) p q)");
    assert_string_equal(trees_line(h, 4), "p;*;*");
    assert_true(covey_hierarchy_is_from_data(h)); /* that p and q occur must not be published by itself */
    covey_hierarchy_free(h);
    covey_i_column_free(column);
    column = trees_column(COVEY_TYPE_TEXT, "a|b");
    h = trees_build(&spec, column);
    assert_false(covey_hierarchy_is_from_data(h));
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void a_text_may_stand_for_the_file(void **state)
{
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .text = "a;x;*\nb;x;*\nc;y;*\n"};
    covey_hierarchy *h = trees_build(&spec, NULL);

    assert_string_equal(trees_text(h), "*(x(a b) c)");
    covey_hierarchy_free(h);
    spec.text = "a;x;*\nb;*\n";
    assert_string_equal(trees_build_refusal(&spec, NULL),
                        "2 fields, but line 1 has 3; every line needs the value, its ancestors "
                        "level by level and the root");
}

static void numbers_are_matched_by_value(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "7|8|10"), *aligned = NULL;
    covey_hierarchy *h = trees_read("10;low;*\n07;low;*\n8.0;high;*\n9;high;*\n", column);

    assert_string_equal(trees_text(h), "*(low(07 10) high(8.0 9))"); /* siblings by value, not by file */
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->type, COVEY_TYPE_INTEGER);
    assert_int_equal(covey_column_code(aligned, 0), 0);
    assert_int_equal(covey_column_code(aligned, 1), 2);
    assert_int_equal(covey_column_code(aligned, 2), 1);
    assert_int_equal(aligned->number[3], 9);
    assert_string_equal(covey_column_label(aligned, 2), "8.0");
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void a_number_that_is_listed_twice_is_refused_with_both_lines(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "7");

    assert_string_equal(
        trees_refusal("7;*\n\n07;*\n", column),
        "3: \"07\" is the same number as \"7\" in line 1; column \"x\" is of type integer, each number needs one line");
    covey_i_column_free(column);
    column = trees_column(COVEY_TYPE_TEXT, "7");
    covey_hierarchy_free(trees_read("7;*\n\n07;*\n", column));
    covey_i_column_free(column);
}

static void decimals_are_matched_across_scales(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_DECIMAL, "0.5|1.25|3"), *aligned = NULL;
    covey_hierarchy *h = trees_read("3.000;b;*\n0.50;a;*\n1.25;a;*\n1.2345;b;*\n", column);

    assert_string_equal(trees_text(h), "*(a(0.50 1.25) b(1.2345 3.000))");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->scale, 4);
    assert_int_equal(aligned->number[0], 5000);
    assert_int_equal(aligned->number[3], 30000);
    assert_int_equal(covey_column_code(aligned, 2), 3);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void numbers_beside_words_keep_file_order_and_become_a_text(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_INTEGER, "1|2|3"), *aligned = NULL;
    covey_hierarchy *h = trees_read("3;many;*\n2;many;*\n1;one;*\n?;none;*\n", column);

    assert_string_equal(trees_text(h), "*(many(3 2) 1 ?)");
    assert_int_equal(covey_i_hierarchy_align(&aligned, column, h, NULL), COVEY_OK);
    assert_int_equal(aligned->type, COVEY_TYPE_TEXT);
    assert_null(aligned->number);
    assert_int_equal(covey_column_code(aligned, 0), 2);
    covey_i_column_free(aligned);
    covey_hierarchy_free(h);
    covey_i_column_free(column);
}

static void dates_are_matched_and_sorted(void **state)
{
    covey_column *column = trees_column(COVEY_TYPE_DATE, "2020-03-01|2019-12-31");
    covey_hierarchy *h = trees_read("2020-03-01;2020;*\n2020-01-01;2020;*\n2019-12-31;2019;*\n", column);

    assert_string_equal(trees_text(h), "*(2019-12-31 2020(2020-01-01 2020-03-01))");
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
        cmocka_unit_test(lines_become_a_tree),
        cmocka_unit_test(siblings_stand_in_file_order),
        cmocka_unit_test(a_comma_separates_too),
        cmocka_unit_test(the_delimiter_is_the_one_that_all_lines_have_equally_often),
        cmocka_unit_test(a_given_delimiter_overrules_detection),
        cmocka_unit_test(blank_lines_crlf_and_a_byte_order_mark_are_no_content),
        cmocka_unit_test(quoted_labels_may_hold_anything),
        cmocka_unit_test(blanks_belong_to_the_label),
        cmocka_unit_test(unequal_field_counts_are_refused_with_the_line),
        cmocka_unit_test(a_leaf_that_is_listed_twice_is_refused_with_both_lines),
        cmocka_unit_test(levels_that_are_not_nested_are_refused_with_both_lines),
        cmocka_unit_test(a_second_root_is_refused_with_both_lines),
        cmocka_unit_test(a_field_that_only_stops_is_refused),
        cmocka_unit_test(a_file_without_levels_is_refused),
        cmocka_unit_test(more_than_64_levels_are_refused),
        cmocka_unit_test(faults_of_the_csv_name_their_line),
        cmocka_unit_test(a_file_that_is_not_there_is_not_found),
        cmocka_unit_test(a_root_of_another_name_is_accepted_with_a_note),
        cmocka_unit_test(equal_labels_on_different_levels_are_different_nodes),
        cmocka_unit_test(a_data_value_without_a_leaf_is_refused_with_rows_and_values),
        cmocka_unit_test(a_data_value_without_a_leaf_goes_under_the_root_on_demand),
        cmocka_unit_test(a_text_may_stand_for_the_file),
        cmocka_unit_test(numbers_are_matched_by_value),
        cmocka_unit_test(a_number_that_is_listed_twice_is_refused_with_both_lines),
        cmocka_unit_test(decimals_are_matched_across_scales),
        cmocka_unit_test(numbers_beside_words_keep_file_order_and_become_a_text),
        cmocka_unit_test(dates_are_matched_and_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
