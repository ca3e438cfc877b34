/* Comparison of a small release with the table it was made from. */
#include "test.h"

#include <string.h>

#include "support/release/small_release.h"

static void replace_original(release_folder *r, const char *from, const char *to)
{
    char name[300], beside[320], *slash;

    snprintf(name, sizeof name, "%s", r->original);
    slash = strrchr(name, '/');
    snprintf(beside, sizeof beside, "../%s", slash + 1); /* release_replace starts in the folder of the release */
    release_replace(r, beside, from, to);
}

/* The release is as it was, the original differs in one place. */
static void assert_unfaithful(const char *from, const char *to, const char *problem)
{
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    replace_original(&r, from, to);
    release_assert_refused(&r, true, problem);
    verdict = release_verify(&r, true);
    assert_int_equal(verdict->faithful, 0);
    covey_verdict_free(verdict);
    release_assert_holds(&r, false);
    release_end(&r);
}

static void test_faithful__a_row_outside_its_cell_names_class_and_column(void **state)
{
    assert_unfaithful("p,20,BA,A,flu,x", "p,26,BA,A,flu,x",
                      "class 1, column \"age\": the cell fits no row of the original that 1 of the class's rows");
    assert_unfaithful("p,20,BA,A,flu,x", "p,20,HS,A,flu,x",
                      "class 1, column \"edu\": the cell fits no row of the original");
    assert_unfaithful("r,30,BA,B,flu,y", "r,30,BA,C,flu,y",
                      "class 2, column \"city\": the cell fits no row of the original");
    assert_unfaithful("w,60,PhD,D,gout,z", "w,60,PhD,E,gout,z",
                      "class 3, column \"city\": the cell fits no row of the original");
}

static void test_faithful__values_that_are_published_as_they_are_are_equal(void **state)
{
    assert_unfaithful("p,20,BA,A,flu,x", "p,20,BA,A,flu,y", "class 1, column \"age\": the cell fits no row");
    assert_unfaithful("w,60,PhD,D,gout,z", "w,60,PhD,D,gout,q",
                      "class 3: 1 of its rows show sensitive and insensitive values that no row of the original has");
    assert_unfaithful("p,20,BA,A,flu,x", "p,20,BA,A,cold,x",
                      "the prior of \"disease\" does not count the rows of the original");
}

static void test_faithful__every_row_is_needed_once(void **state)
{
    assert_unfaithful("p,20,BA,A,flu,x\n", "", "the original has 7 rows, but the release was made from 8");
    assert_unfaithful("p,20,BA,A,flu,x\n", "p,20,BA,A,flu,x\np,20,BA,A,flu,x\n",
                      "the original has 9 rows, but the release was made from 8");
    assert_unfaithful("v,50,PhD,C,cold,y", "v,50,PhD,C,cold,x",
                      "class 3: 1 of its rows show sensitive and insensitive values");
}

static void test_faithful__columns_and_domains_are_the_originals(void **state)
{
    assert_unfaithful("name,age", "name,years", "the original has no column \"age\"");
    assert_unfaithful("p,20,BA", "p,19,BA", "column \"age\": the original has values outside the domain");
    assert_unfaithful(
        "p,20,BA", "p,NA,BA",
        "the original's column \"age\" has values that do not fit integer; only texts that \"missing\" of "
        "manifest.json lists mean missing cells");
    assert_unfaithful("p,20,BA", "p,20,Abitur",
                      "the original's column \"edu\" has values that do not fit its hierarchy");
}

static void test_faithful__problems_show_no_value_of_the_original(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    replace_original(&r, "p,20,BA,A,flu,x", "SecretName,SecretAge,SecretSchool,SecretCity,SecretDisease,SecretNote");
    verdict = release_verify(&r, true);
    assert_int_equal(verdict->faithful, 0);
    assert_true(verdict->n_problems > 0);
    for (size_t i = 0; i < verdict->n_problems; i++)
        assert_null(strstr(verdict->problem[i], "Secret"));
    covey_verdict_free(verdict);
    release_end(&r);
}

/* Row q could be in class 1 or 2, row p only in 1: whoever deals q to class 1 first must take it back. */
static void test_faithful__rows_that_fit_several_classes_are_dealt_out(void **state)
{
    static const char table[] =
        "class,age,edu,city,disease,note\n1,\"[20, 30]\",BA,A,flu,x\n1,\"[20, 30]\",BA,A,flu,x\n"
        "2,\"[20, 40]\",BA,A,flu,x\n2,\"[20, 40]\",BA,A,flu,x\n3,\"[25, 40]\",BA,A,flu,x\n3,\"[25, 40]\",BA,A,flu,x\n";
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    release_put(&r, "table.csv", table);
    release_set(&r, "prior.disease", "{'flu': 6}");
    release_set(&r, "promises.1.achieved", "'0'");
    release_set(&r, "promises.1.achieved_value", "0.0");
    release_set(&r, "rows", "6");
    release_set(&r, "published_rows", "6");
    release_set(&r, "utility",
                "{'ail': 0.125, 'ncp': 0.125, 'discernibility': 12, 'average_class_size': 2, 'largest_risk': 0.5, "
                "'mean_risk': 0.5}");
    release_set(&r, "objective", "null");
    release_write(&r);
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\nx,flu,A,BA,25\nx,flu,A,BA,30\nx,flu,A,BA,30\nx,flu,"
                         "A,BA,40\nx,flu,A,BA,40\n");
    release_assert_holds(&r, true);
    /* 40, 40, 40 fit classes 2 and 3 only, and 20 fits 1 and 2: still possible.  Four times 40 leave one row of
     * class 1. */
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\nx,flu,A,BA,25\nx,flu,A,BA,40\nx,flu,A,BA,40\nx,flu,"
                         "A,BA,40\nx,flu,A,BA,40\n");
    release_assert_holds(&r, true);
    release_original(&r, "note,disease,city,edu,age\nx,flu,A,BA,20\nx,flu,A,BA,40\nx,flu,A,BA,40\nx,flu,A,BA,40\nx,flu,"
                         "A,BA,40\nx,flu,A,BA,40\n");
    verdict = release_verify(&r, true);
    assert_int_equal(verdict->faithful, 0);
    assert_int_equal(verdict->n_problems, 1);
    assert_string_equal(verdict->problem[0], "class 1: for 1 of its rows there is no row of the original left");
    covey_verdict_free(verdict);
    release_end(&r);
}

static void test_faithful__suppressed_rows_may_be_left_over(void **state)
{
    release_folder r;

    small_release(&r);
    release_put(&r, "table.csv",
                "class,age,edu,city,disease,note\n1,\"[20, 25]\",college,A,cold,x\n1,\"[20, 25]\",college,A,flu,x\n");
    release_set(&r, "promises.1", NULL);
    release_set(&r, "prior", NULL);
    release_set(&r, "published_rows", "2");
    release_set(&r, "suppressed_rows", "6");
    release_set(&r, "classes", "1");
    /* age (10/40 + 6)/8, edu (6/5 + 6)/8, city 6/8; ncp of edu (1 + 6)/8 */
    release_set(
        &r, "utility",
        "{'ail': 0.81041666666666667, 'ncp': 0.80208333333333333, 'discernibility': 52, 'average_class_size': 2,"
        " 'largest_risk': 0.5, 'mean_risk': 0.5}");
    release_set(&r, "objective", "null");
    release_write(&r);
    release_assert_holds(&r, true);
    release_end(&r);
}

/* --- missing cells, types, built hierarchies --- */

static const char *const typed_manifest =
    "{'format_version': 1, 'form': 'generalized', 'method': {'name': 'mondrian', 'parameters': {}},"
    " 'rows': 6, 'published_rows': 6, 'suppressed_rows': 0, 'dropped_rows': 1, 'classes': 3, 'missing': ['', '?'], "
    "'trim': true,"
    " 'promises': [{'model': 'k-anonymity', 'parameters': {'k': '2'}, 'threshold': 2, 'achieved': 2, 'achieved_value': "
    "2.0, 'holds': true},"
    "  {'model': 't-closeness', 'attribute': 'pay', 'parameters': {'t': '1', 'distance': 'ordered'}, 'threshold': 1, "
    "'achieved': '11/24',"
    "   'achieved_value': 0.45833333333333333, 'holds': true}],"
    " 'columns': ["
    "  {'name': 'born', 'role': 'quasi-identifier', 'type': 'date', 'publish': 'range', 'weight': '1/2',"
    "   'domain': ['1990-01-01', '1990-01-11']},"
    "  {'name': 'zip', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'label', 'weight': '1/2', 'hierarchy': "
    "'hierarchies/zip.csv',"
    "   'hierarchy_complete': false, 'hierarchy_spec': {'mask': 2}},"
    "  {'name': 'pay', 'role': 'sensitive', 'type': 'decimal', 'publish': 'value'}],"
    " 'prior': {'pay': {'1.5': 2, '2': 1, '2.25': 1, '10': 1, '11': 1}},"
    " 'utility': {'ail': null, 'ncp': null, 'discernibility': 12, 'average_class_size': 2, 'largest_risk': 0.5, "
    "'mean_risk': 0.5}}";

/* born: missing and 01-03 | 01-01, 01-03 | 01-05, 01-11; zip: 12*, 12*, missing and 13 */
static void typed_release(release_folder *r)
{
    release_begin(r);
    release_original(
        r, "born;zip;pay\n ? ;121;1.5\n1990-01-03;122;2.0\n1990-01-01;122;2.25\n1990-01-03; 123 ;1.50\n1990-01-05;;10\n"
           "1990-01-11;131;11\n1990-01-11;131;?\n");
    release_put(r, "table.csv",
                "class,born,zip,pay\n1,*,12*,1.5\n1,*,12*,2\n2,\"[1990-01-01, 1990-01-03]\",12*,1.5\n"
                "2,\"[1990-01-01, 1990-01-03]\",12*,2.25\n3,\"[1990-01-05, 1990-01-11]\",*,10\n3,\"[1990-01-05, "
                "1990-01-11]\",*,11\n");
    release_put(r, "hierarchies/zip.csv", "*;*;*\n12*;12*;*\n");
    release_state(r, typed_manifest);
    release_write(r);
}

static void test_faithful__types_missing_cells_and_built_hierarchies_are_understood(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    typed_release(&r);
    /* born: (2*1 + 2*2/10 + 2*6/10)/6 = 0.6; zip with the leaves null, 121, 122, 123, 131: 12* is 3 of 5, * all: (4*3/5
     * + 2)/6 */
    verdict = release_verify(&r, true);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    assert_int_equal(verdict->faithful, 1);
    assert_true(verdict->figures.ail > 0.666666 && verdict->figures.ail < 0.666667); /* (0.6 + 4.4/6)/2 */
    covey_verdict_free(verdict);
    release_end(&r);
}

static void test_faithful__losses_of_built_hierarchies_are_compared_with_the_original_only(void **state)
{
    release_folder r;

    typed_release(&r);
    release_assert_holds(&r, false);
    release_assert_refused(&r, true, "ail is not given, but it is 0.666666667");
    release_set(&r, "utility.ail", "0.66666666666666667");
    release_set(&r, "utility.ncp", "0.63333333333333333"); /* zip (4*2/4 + 2)/6 = 2/3 */
    release_write(&r);
    release_assert_holds(&r, true);
    release_set(&r, "columns.1.hierarchy_spec", "{'mask': 3}"); /* also 1**, which changes no leaf */
    release_write(&r);
    release_assert_holds(&r, true);
    release_set(&r, "columns.1.hierarchy_spec", "{'suppression': true}");
    release_write(&r);
    release_assert_refused(&r, true, "column \"zip\": the label is not one of the hierarchy that the original gives");
    release_set(&r, "columns.1.hierarchy_spec", NULL);
    release_write(&r);
    release_assert_refused(&r, true, "the original's column \"zip\" has values that do not fit its hierarchy");
    release_end(&r);
}

static void test_faithful__dropped_rows_have_missing_values(void **state)
{
    release_folder r;

    typed_release(&r);
    release_set(&r, "dropped_rows",
                "4"); /* the sensitive value is missing once, a quasi-identifier twice, something three times */
    release_write(&r);
    release_assert_refused(&r, true, "the original has 7 rows, but the release was made from 10");
    release_assert_refused(
        &r, true,
        "dropped_rows is 4 in manifest.json, but the original does not have as many rows with missing values");
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faithful__a_row_outside_its_cell_names_class_and_column),
        cmocka_unit_test(test_faithful__values_that_are_published_as_they_are_are_equal),
        cmocka_unit_test(test_faithful__every_row_is_needed_once),
        cmocka_unit_test(test_faithful__columns_and_domains_are_the_originals),
        cmocka_unit_test(test_faithful__problems_show_no_value_of_the_original),
        cmocka_unit_test(test_faithful__rows_that_fit_several_classes_are_dealt_out),
        cmocka_unit_test(test_faithful__suppressed_rows_may_be_left_over),
        cmocka_unit_test(test_faithful__types_missing_cells_and_built_hierarchies_are_understood),
        cmocka_unit_test(test_faithful__losses_of_built_hierarchies_are_compared_with_the_original_only),
        cmocka_unit_test(test_faithful__dropped_rows_have_missing_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
