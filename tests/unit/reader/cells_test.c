/* Published cells: numbers, dates, labels, sets, missing ones; and the order they stand in. */
#include "test.h"

#include <string.h>

#include "support/release/release_folder.h"
#include "audit/generalized/order.h"
#include "reader/cells/cells.h"
#include "reader/contents.h"

/* --- sets --- */

static void assert_set(const char *text, uint32_t n, ...)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const char **element = NULL;
    uint32_t n_found = 0;
    bool ok = false;
    va_list args;

    assert_true(covey_i_cell_is_set(text));
    assert_int_equal(covey_i_cell_split_set(&element, &n_found, &ok, text, &arena, NULL), COVEY_OK);
    assert_true(ok);
    assert_int_equal(n_found, n);
    va_start(args, n);
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(element[i], va_arg(args, const char *));
    va_end(args);
    covey_arena_free(&arena);
}

static void assert_no_set(const char *text)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const char **element;
    uint32_t n;
    bool ok = false;

    if (covey_i_cell_is_set(text)) {
        assert_int_equal(covey_i_cell_split_set(&element, &n, &ok, text, &arena, NULL), COVEY_OK);
        if (ok)
            fail_msg("%s was taken for a set", text);
    }
    covey_arena_free(&arena);
}

static void test_cells__sets_are_taken_apart(void **state)
{
    assert_set("{a, b}", 2, "a", "b");
    assert_set("{a}", 1, "a");
    assert_set("{*}", 1, "*");
    assert_set("{New York, null}", 2, "New York", "null");
    assert_set("{\"a, b\", \" c\", \"{d}\", \"say \"\"e\"\"\"}", 4, "a, b", " c", "{d}", "say \"e\"");
    assert_set("{\"\", a}", 2, "", "a");
    assert_set("{\"\"\"\"}", 1, "\"");
    assert_no_set("{a,b}");
    assert_no_set("{a, b");
    assert_no_set("a, b}");
    assert_no_set("{a,  b}");
    assert_no_set("{a , b}");
    assert_no_set("{\"a}");
    assert_no_set("{\"a\"b}");
    assert_no_set("{a\"b}");
    assert_no_set("{a{b}");
    assert_no_set("{");
}

/* --- whole columns --- */

/* A release of one quasi-identifier "q" and a sensitive column "s" of that type; quoted cells are given as they stand
 * in the file. */
static void put_release(release_folder *r, const char *q, const char *s, const char *rows)
{
    char table[4096], manifest[4096];

    release_begin(r);
    snprintf(table, sizeof table, "class,q,s\n%s", rows);
    release_put(r, "table.csv", table);
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'form': 'generalized', 'method': {'name': 'm', 'parameters': {}}, 'rows': 0, "
             "'published_rows': 0,"
             " 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': 0, 'promises': [],"
             " 'columns': [{'name': 'q', 'role': 'quasi-identifier', 'weight': '1', %s}, {'name': 's', 'role': "
             "'sensitive', 'publish': 'value', %s}],"
             " 'utility': {'ail': null, 'ncp': null, 'discernibility': 0, 'average_class_size': 0, 'largest_risk': 0, "
             "'mean_risk': 0}}",
             q, s);
    release_state(r, manifest);
}

/* The problems that the reader finds in cells and order, in one text; counts are not looked at. */
static void read_problems(char *out, size_t size, release_folder *r)
{
    covey_problems problems = COVEY_PROBLEMS_INIT;
    covey_stated *stated = NULL;
    covey_opened *opened = NULL;
    bool present[8];
    covey_run run = {.n_threads = 1};
    covey_error err;
    size_t n = 0;

    release_write(r);
    if (covey_i_stated_read(&stated, r->path, &err) != COVEY_OK ||
        covey_i_contents_check(present, &problems, r->path, stated, &err) != COVEY_OK ||
        covey_i_opened_read(&opened, r->path, stated, present, &problems, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    if (covey_i_order_check(&problems, opened, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    out[0] = '\0';
    for (size_t i = 0; i < problems.n; i++)
        if (strncmp(problems.line[i], "rows is", 7) && strncmp(problems.line[i], "published_rows is", 17) &&
            strncmp(problems.line[i], "classes is", 10))
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "; " : "", problems.line[i]);
    covey_i_problems_clear(&problems);
    covey_i_opened_free(opened);
    covey_i_stated_free(stated);
}

static void assert_cells(const char *q, const char *s, const char *rows, const char *problem)
{
    release_folder r;
    char found[4096];

    put_release(&r, q, s, rows);
    read_problems(found, sizeof found, &r);
    if (*problem ? !strstr(found, problem) : *found != '\0')
        fail_msg("%s: found \"%s\", not \"%s\"", rows, found, problem);
    release_end(&r);
}

static const char text[] = "'type': 'text'";

static void test_cells__numbers_compare_by_value_at_any_scale(void **state)
{
    static const char q[] = "'type': 'decimal', 'publish': 'range', 'domain': ['-1.5', '1000']";

    assert_cells(q, text,
                 "1,null,x\n2,*,x\n3,-1.50,x\n4,\"[-1, 2.25]\",x\n4,\"[-1, 2.25]\",x\n5,9,x\n6,\"[9, 10]\",x\n6,\"[9, "
                 "10]\",x\n7,9.5,x\n8,1000,x\n",
                 "");
    assert_cells(q, text, "1,9,x\n2,10,x\n", "");
    assert_cells(q, text, "1,10,x\n2,9,x\n", "class 2 stands behind class 1");
    assert_cells(q, text, "1,*,x\n2,null,x\n", "class 2 stands behind class 1");
    assert_cells(q, text, "1,9,x\n2,null,x\n", "class 2 stands behind class 1");
    assert_cells(q, text, "1,-1.51,x\n", "leaves the domain");
    assert_cells(q, text, "1,1e3,x\n", "neither a value nor a range");
    assert_cells(q, text, "1,\"[2.0, 2]\",x\n", "the range's first number is not below its second");
    assert_cells("'type': 'decimal', 'publish': 'range', 'domain': ['0', '1.5'], 'has_missing': false", text,
                 "1,null,x\n", "neither a value nor a range");
    assert_cells("'type': 'integer', 'publish': 'range', 'domain': [0, 9]", text, "1,1.5,x\n",
                 "neither a value nor a range");
    assert_cells("'type': 'integer', 'publish': 'range', 'domain': [9, 0]", text, "1,5,x\n",
                 "the domain is not a range");
    assert_cells("'type': 'integer', 'publish': 'range', 'domain': ['low', 'high']", text, "1,5,x\n",
                 "the domain is not a range of its type");
    assert_cells("'type': 'decimal', 'publish': 'range', 'domain': ['0', '999999999999999999']", text,
                 "1,0.000000000000000001,x\n", "the domain is not a range");
}

static void test_cells__dates_are_numbers(void **state)
{
    static const char q[] = "'type': 'date', 'publish': 'range', 'domain': ['1999-12-31', '2024-02-29']";

    assert_cells(q, text, "1,1999-12-31,x\n2,\"[2000-01-01, 2024-02-29]\",x\n2,\"[2000-01-01, 2024-02-29]\",x\n", "");
    assert_cells(q, text, "1,2023-02-29,x\n", "neither a value nor a range");
    assert_cells(q, text, "1,2024-03-01,x\n", "leaves the domain");
}

static void test_cells__sets_stand_in_the_attributes_order(void **state)
{
    static const char q[] = "'type': 'text', 'publish': 'set'";
    static const char ordered[] = "'type': 'text', 'publish': 'set', 'order': ['low', 'mid', 'high']";

    assert_cells(
        q, text,
        "1,*,x\n2,null,x\n3,\"{null, a}\",x\n3,\"{null, a}\",x\n4,a,x\n5,\"{a, b}\",x\n5,\"{a, b}\",x\n6,b,x\n", "");
    assert_cells(q, text, "1,,x\n2,{*},x\n3,\"{\"\"a, b\"\", c}\",x\n3,\"{\"\"a, b\"\", c}\",x\n", "");
    assert_cells(q, text, "1,\"{a, null}\",x\n1,\"{a, null}\",x\n", "not in the attribute's order");
    assert_cells("'type': 'text', 'publish': 'set', 'has_missing': false", text,
                 "1,\"{a, null}\",x\n1,\"{a, null}\",x\n", "");
    assert_cells(ordered, text, "1,low,x\n2,\"{mid, high}\",x\n2,\"{mid, high}\",x\n3,high,x\n", "");
    assert_cells(ordered, text, "1,high,x\n2,low,x\n", "class 2 stands behind class 1");
    assert_cells(ordered, text, "1,\"{high, mid}\",x\n1,\"{high, mid}\",x\n", "not in the attribute's order");
    assert_cells(q, text, "1,\"{a, a}\",x\n1,\"{a, a}\",x\n", "not all different");
    assert_cells(q, text, "1,\"{a, b}\",x\n", "more values than the class has rows");
}

static void test_cells__sets_of_more_than_64_values_are_a_star(void **state)
{
    char rows[4096] = "", set[2048] = "";
    release_folder r;
    char found[4096];

    for (int i = 0; i < 65; i++)
        snprintf(set + strlen(set), sizeof set - strlen(set), "%sv%02d", i ? ", " : "", i);
    put_release(&r, "'type': 'text', 'publish': 'set'", text, "");
    snprintf(rows, sizeof rows, "class,q,s\n1,\"{%s}\",x\n", set);
    release_put(&r, "table.csv", rows);
    read_problems(found, sizeof found, &r);
    assert_non_null(strstr(found, "the set has more than 64 values and should be *"));
    release_end(&r);
}

/* Labels: BA and MA below college, college and HS below *; "school" is both an inner node and a leaf below it. */
static void assert_labels(const char *tree, const char *rows, const char *problem)
{
    release_folder r;
    char found[4096];

    put_release(&r, "'type': 'text', 'publish': 'label', 'hierarchy': 'hierarchies/q.csv'", text, rows);
    release_put(&r, "hierarchies/q.csv", tree);
    read_problems(found, sizeof found, &r);
    if (*problem ? !strstr(found, problem) : *found != '\0')
        fail_msg("%s: found \"%s\", not \"%s\"", rows, found, problem);
    release_end(&r);
}

static void test_cells__labels_stand_for_their_leaves(void **state)
{
    static const char tree[] = "null;*;*\nBA;college;*\nMA;college;*\nHS;school;*\nschool;school;*\n";

    assert_labels(tree, "1,null,x\n2,*,x\n3,BA,x\n4,college,x\n5,MA,x\n6,HS,x\n7,\"{HS, school}\",x\n8,school,x\n", "");
    assert_labels(tree, "1,college,x\n2,BA,x\n", "class 2 stands behind class 1");
    assert_labels(tree, "1,BA,x\n2,*,x\n", "class 2 stands behind class 1");
    assert_labels(tree, "1,\"{school, HS}\",x\n", "the cell is not a label of the column's hierarchy");
    assert_labels(tree, "1,\"{MA, HS}\",x\n", "the cell is not a label of the column's hierarchy");
    assert_labels(tree, "1,PhD,x\n", "the cell is not a label of the column's hierarchy");
    assert_labels("BA;college;*\nBA;college;*\n", "1,BA,x\n", "hierarchies/q.csv is not a hierarchy");
    assert_labels("", "1,BA,x\n", "hierarchies/q.csv is not a hierarchy");
}

static void test_cells__a_leaf_may_be_called_star(void **state)
{
    assert_labels("*;other;*\nBA;college;*\nMA;college;*\n", "1,{*},x\n2,*,x\n3,college,x\n", "");
}

static void test_cells__values_stand_in_their_columns_order(void **state)
{
    static const char q[] = "'type': 'text', 'publish': 'set'";

    assert_cells(q, "'type': 'integer'", "1,a,\n1,a,9\n1,a,10\n", "");
    assert_cells(q, "'type': 'integer'", "1,a,10\n1,a,9\n", "class 1: its rows are not sorted by their content");
    assert_cells(q, "'type': 'integer'", "1,a,9\n1,a,\n", "class 1: its rows are not sorted by their content");
    assert_cells(q, "'type': 'integer'", "1,a,9\n1,a,nine\n",
                 "class 1, column \"s\": the cell is not a value of the column's type");
    assert_cells(q, "'type': 'integer', 'has_missing': false", "1,a,\n1,a,9\n",
                 "class 1, column \"s\": the cell is not a value of the column's type");
    assert_cells(q, text, "1,a,10\n1,a,9\n", "");
    assert_cells(q, "'type': 'text', 'order': ['z', 'b']", "1,a,\n1,a,z\n1,a,b\n", "");
    assert_cells(q, "'type': 'text', 'order': ['z', 'b']", "1,a,b\n1,a,z\n",
                 "class 1: its rows are not sorted by their content");
    assert_cells(q, "'type': 'text', 'order': ['z', 'b']", "1,a,y\n",
                 "the value is not in the order that manifest.json declares");
}

static void test_cells__a_table_may_be_empty(void **state)
{
    assert_cells("'type': 'text', 'publish': 'set'", text, "", "");
    assert_cells("'type': 'integer', 'publish': 'range', 'domain': [0, 0]", text, "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells__sets_are_taken_apart),
        cmocka_unit_test(test_cells__numbers_compare_by_value_at_any_scale),
        cmocka_unit_test(test_cells__dates_are_numbers),
        cmocka_unit_test(test_cells__sets_stand_in_the_attributes_order),
        cmocka_unit_test(test_cells__sets_of_more_than_64_values_are_a_star),
        cmocka_unit_test(test_cells__labels_stand_for_their_leaves),
        cmocka_unit_test(test_cells__a_leaf_may_be_called_star),
        cmocka_unit_test(test_cells__values_stand_in_their_columns_order),
        cmocka_unit_test(test_cells__a_table_may_be_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
