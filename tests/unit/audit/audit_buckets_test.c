/* What can be wrong with a release in two tables; the tables are those of tests/support/release/two_tables.h. */
#include "test.h"

#include <string.h>

#include "support/release/two_tables.h"

static void the_release_holds(void **state)
{
    release_folder r;

    two_tables(&r);
    release_write(&r);
    release_assert_holds(&r, false);
    release_assert_holds(&r, true);
    release_end(&r);
}

/* One change of a file; with_original: the files alone do not give it away. */
static void refuse_file(const char *file, const char *from, const char *to, bool with_original, const char *problem)
{
    release_folder r;

    two_tables(&r);
    if (from)
        release_replace(&r, file, from, to);
    else
        release_put(&r, file, to);
    release_write(&r);
    if (with_original)
        release_assert_holds(&r, false);
    release_assert_refused(&r, with_original, problem);
    release_end(&r);
}

static void refuse_state(const char *path, const char *json, const char *problem)
{
    release_folder r;

    two_tables(&r);
    release_set(&r, path, json);
    release_write(&r);
    release_assert_refused(&r, false, problem);
    release_end(&r);
}

static void tables_that_do_not_fit_are_refused(void **state)
{
    refuse_file("quasi.csv", NULL, NULL, false, "manifest.json does not list quasi.csv");
    refuse_file("sensitive.csv", NULL, NULL, false, "manifest.json does not list sensitive.csv");
    refuse_file("help.csv", NULL, NULL, false, "manifest.json does not list help.csv");
    refuse_file("table.csv", NULL, "class,age\n1,2\n", false, "lists a file that no release has: \"table.csv\"");
    refuse_file("quasi.csv", "group,age", "group,Age", false, "quasi.csv: column 2 is called \"Age\", not \"age\"");
    refuse_file("quasi.csv", "group,age,city,note", "group,city,age,note", false,
                "quasi.csv: column 2 is called \"city\", not \"age\"");
    refuse_file("sensitive.csv", "pay,count", "count,pay", false,
                "sensitive.csv: column 2 is called \"count\", not \"pay\"");
    refuse_file("help.csv", "hits,sum_lower", "rows,sum_lower", false,
                "help.csv: column 2 is called \"rows\", not \"hits\"");
    refuse_file("quasi.csv", "\n2,30", "\n3,30", false, "quasi.csv:4: group 3 follows group 1");
    refuse_file("sensitive.csv", "\n1,10,1", "\n1,10,0", false,
                "a cell of column \"count\" is not a whole number from 1");
    refuse_file("sensitive.csv", "\n1,10,1", "\n1,10,01", false,
                "a cell of column \"count\" is not a whole number from 1");
    refuse_file("sensitive.csv", "\n1,10,1", "\n1,10,2", false,
                "group 1 has 2 rows in quasi.csv, but 3 in sensitive.csv");
    refuse_file("sensitive.csv", "\n2,10,1\n2,20.5,1\n2,30,1", "", false, "quasi.csv has 2 groups, sensitive.csv 1");
    refuse_file("sensitive.csv", "\n1,10,1", "\n1,ten,1", false,
                "group 1, column \"pay\": the cell is not a value of the column's type");
    refuse_file("quasi.csv", "\n1,20,", "\n1,young,", false,
                "group 1, column \"age\": the cell is not a value of the column's type");
}

static void orders_that_say_something_are_refused(void **state)
{
    refuse_file("quasi.csv", "2,30,B,x\n2,30,B,y", "2,30,B,y\n2,30,B,x", false,
                "group 2: its rows in quasi.csv are not sorted");
    refuse_file("sensitive.csv", "1,10,1\n1,20.5,1", "1,20.5,1\n1,10,1", false,
                "group 1: its values in sensitive.csv do not stand in their order");
    refuse_file("sensitive.csv", "1,10,1\n1,20.5,1", "1,10,1\n1,10.0,1", false,
                "group 1: sensitive.csv counts a value twice");
    refuse_file("quasi.csv", "1,20,A,x\n1,25,A,x", "1,30,B,x\n1,30,C,x", false,
                "group 2 stands behind group 1, but by its rows and values it comes first");
    refuse_state("group_order", "'chance'", "\"group_order\" must be \"content\" or \"values\"");
}

static void help_is_recomputed(void **state)
{
    refuse_file("help.csv", "2,2,30.5", "2,2,30.4", false,
                "help.csv: sum_lower of group 2, line 2 of the group, does not follow");
    refuse_file("help.csv", "30.5,50.5,10.0,20.5", "30.5,50.5,10.0,20.4", false,
                "help.csv: min_upper of group 2, line 2");
    refuse_file("help.csv", "\n2,3,60.5,60.5,10.0,10.0,30.0,30.0", "", false,
                "help.csv has 2 lines of group 2, which has 3 rows");
    refuse_file("help.csv", "1,1,10.0", "1,1,ten", false, "help.csv: sum_lower of group 1");
    refuse_file("help.csv", "1,1,10.0", "1,2,10.0", false, "help.csv: hits of group 1");
    refuse_file("help.csv", "1,1,10.0", "1,1,10000000000000000000000000000000000000000000000000", false,
                "help.csv: sum_lower of group 1");
}

static void what_is_stated_is_found_again(void **state)
{
    refuse_state("promises.0.achieved", "'5/2'",
                 "what probabilistic-l-diversity of pay has achieved is not what it says, but 2 (group 1)");
    refuse_state("promises.0.parameters.l", "'5/2'",
                 "group 1 breaks probabilistic-l-diversity of pay: it reaches only 2");
    refuse_state("promises.0",
                 "{'model': 'k-anonymity', 'parameters': {'k': '2'}, 'threshold': 2, 'achieved': 2, 'achieved_value': "
                 "2.0, 'holds': true}",
                 "the promise k-anonymity cannot be checked: the quasi-identifiers are published as they are");
    refuse_state("utility.discernibility", "12", "discernibility is 12");
    refuse_state("utility.largest_risk", "0.5", "largest_risk and mean_risk are not null");
    refuse_state("utility.ail", "0.1", "ail is 0.1");
    refuse_state("classes", "3", "classes is 3 in manifest.json, but quasi.csv has 2");
    refuse_state("columns.2.role", "'sensitive'", "a bucketized release has one sensitive column, not 2");
    refuse_state("prior", "{'pay': {'10': 2, '20.5': 2, '30': 2}}", "the prior of \"pay\" counts 6 rows");
    refuse_state("prior", "{'pay': {'10': 1, '20.5': 2, '30': 2}}", "counts a value less often than it is published");
}

static void what_is_not_the_original_s_is_refused(void **state)
{
    refuse_file("quasi.csv", "1,20,A,x", "1,21,A,x", true,
                "group 1 has a row in quasi.csv that the original does not have");
    refuse_file("quasi.csv", "2,30,B,x", "2,30,B,w", true,
                "group 2 has a row in quasi.csv that the original does not have");
    refuse_file("quasi.csv", "1,20,A,x\n1,25,A,x", "1,20,A,x\n1,20,A,x", true,
                "group 1 has a row in quasi.csv that the original does not have, or not as often");
}

/* Group 2 has a row with 40 and may have it; but 40 earns 30, and group 1, which would count it, has no such row. */
static void rows_and_values_that_do_not_go_together_are_refused(void **state)
{
    release_folder r;

    two_tables(&r);
    release_put(&r, "sensitive.csv", "group,pay,count\n1,10,1\n1,30,1\n2,10,1\n2,20.5,2\n");
    release_put(&r, "help.csv",
                "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n"
                "1,1,10,30,10,30,10,30\n1,2,40,40,10,10,30,30\n"
                "2,1,10,20.5,10,20.5,10,20.5\n2,2,30.5,41,10,20.5,20.5,20.5\n2,3,51,51,10,10,20.5,20.5\n");
    release_set(&r, "promises.0.achieved", "'3/2'");
    release_set(&r, "promises.0.achieved_value", "1.5");
    release_set(&r, "promises.0.threshold", "'3/2'");
    release_set(&r, "promises.0.parameters.l", "'3/2'");
    release_write(&r);
    release_assert_holds(&r, false);
    release_assert_refused(&r, true, "a row of the original fits into no group");
    release_end(&r);
}

/* The row of 40 was suppressed; the values that are left follow from the prior. */
static void suppressed_rows_are_a_group_too(void **state)
{
    release_folder r;

    two_tables(&r);
    release_replace(&r, "quasi.csv", "2,40,,x\n", "");
    release_replace(&r, "sensitive.csv", "2,30,1\n", "");
    release_put(&r, "help.csv",
                "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n"
                "1,1,10,20.5,10,20.5,10,20.5\n1,2,30.5,30.5,10,10,20.5,20.5\n"
                "2,1,10,20.5,10,20.5,10,20.5\n2,2,30.5,30.5,10,10,20.5,20.5\n");
    release_set(&r, "published_rows", "4");
    release_set(&r, "suppressed_rows", "1");
    release_set(&r, "columns.0.ail", "0.2");
    release_set(&r, "columns.1.ail", "0.2");
    release_set(&r, "utility.ail", "0.2");
    release_set(&r, "utility.ncp", "0.2");
    release_set(&r, "objective.value", "0.2");
    release_set(&r, "utility.discernibility", "13"); /* 4 + 4 + 5 * 1 */
    release_set(&r, "utility.average_class_size", "2.0");
    release_write(&r);
    release_assert_holds(&r, false);
    release_assert_holds(&r, true);
    release_set(&r, "prior", "{'pay': {'10': 2, '20.5': 2, '30': 1}}");
    release_write(&r);
    release_assert_refused(
        &r, true,
        "the 1 suppressed rows, whose sensitive values follow from the prior, break probabilistic-l-diversity");
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_release_holds),
        cmocka_unit_test(tables_that_do_not_fit_are_refused),
        cmocka_unit_test(orders_that_say_something_are_refused),
        cmocka_unit_test(help_is_recomputed),
        cmocka_unit_test(what_is_stated_is_found_again),
        cmocka_unit_test(what_is_not_the_original_s_is_refused),
        cmocka_unit_test(rows_and_values_that_do_not_go_together_are_refused),
        cmocka_unit_test(suppressed_rows_are_a_group_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
