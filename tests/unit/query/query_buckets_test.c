/* Worked examples of queries over groups, by hand. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/release/bucket_release.h"

static const char hit_column[] = "{'name': 'hit', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', "
                                 "'weight': '1', 'has_missing': false}";

static covey_query_release *open_release(const char *path)
{
    covey_query_release *release = NULL;
    covey_error err;

    if (covey_query_open(&release, path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}

static covey_query_result *ask(const covey_query_release *release, const char *sql)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    return result;
}

static void assert_answer(const covey_query_answer *a, const char *aggregate, const char *lower, const char *upper,
                          double estimate, double variance)
{
    assert_string_equal(a->aggregate, aggregate);
    assert_string_equal(a->lower.text, lower);
    assert_string_equal(a->upper.text, upper);
    if (!(fabs(a->estimate - estimate) < 1e-10) && !(isnan(estimate) && isnan(a->estimate)))
        fail_msg("%s: estimate %.17g, not %.17g", aggregate, a->estimate, estimate);
    if (!(fabs(a->standard_error - sqrt(variance)) < 1e-9) && !(isnan(variance) && isnan(a->standard_error)))
        fail_msg("%s: standard error %.17g, not %.17g", aggregate, a->standard_error, sqrt(variance));
}

/* Thousands: {54,65,75}, {56,70,80}, {55,75,85}; a hits (1,3,2), b (2,1,0) of them. */
static covey_query_release *three_groups(release_folder *r)
{
    static const bucket_group groups[] = {
        {3, {"ab", "b", "-"}, {65, 54, 75}},
        {3, {"ab", "a", "a"}, {56, 80, 70}},
        {3, {"a", "a", "-"}, {85, 75, 55}},
    };

    bucket_release(r, "hit", hit_column, groups, 3);
    return open_release(r->path);
}

static void test_query__nine_persons_in_three_groups(void **state)
{
    release_folder r;
    covey_query_release *release = three_groups(&r);
    covey_query_result *result =
        ask(release, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE hit IN ('a', 'ab')");
    const covey_query_answer *a = result->group->answer;

    assert_answer(&a[0], "COUNT(*)", "6", "6", 6, 0);
    assert_answer(&a[1], "SUM(pay)", "390", "441", 414, 2062 / 9.0);
    assert_answer(&a[2], "AVG(pay)", "65", "73.5", 69, 2062 / 9.0 / 36);
    assert_answer(&a[3], "MIN(pay)", "54", "56", 494 / 9.0, NAN);
    assert_answer(&a[4], "MAX(pay)", "80", "85", 250 / 3.0, NAN);
    covey_query_result_free(result);
    result = ask(release, "SELECT COUNT(*), SUM(pay), MIN(pay), MAX(pay), AVG(pay) WHERE hit = 'b' OR hit = 'ab'");
    a = result->group->answer;
    assert_answer(&a[0], "COUNT(*)", "3", "3", 3, 0);
    assert_string_equal(a[1].lower.text, "175");
    assert_string_equal(a[1].upper.text, "220");
    assert_true(fabs(a[1].estimate - 198) < 1e-10);
    assert_answer(&a[2], "MIN(pay)", "54", "65", 170 / 3.0, NAN);
    assert_answer(&a[3], "MAX(pay)", "65", "80", 75, NAN);
    /* Quotients that never end are rounded outwards. */
    assert_string_equal(a[4].lower.text, "58.333333333333329");
    assert_string_equal(a[4].upper.text, "73.333333333333343");
    covey_query_result_free(result);
    covey_query_close(release);
    release_end(&r);
}

static void test_query__nothing_hit_is_null(void **state)
{
    release_folder r;
    covey_query_release *release = three_groups(&r);
    covey_query_result *result =
        ask(release, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE hit = 'zz'");

    assert_answer(&result->group->answer[0], "COUNT(*)", "0", "0", 0, 0);
    for (int i = 1; i < 5; i++) {
        assert_false(result->group->answer[i].lower.exists || result->group->answer[i].upper.exists);
        assert_true(isnan(result->group->answer[i].estimate) && isnan(result->group->answer[i].standard_error));
    }
    covey_query_result_free(result);
    covey_query_close(release);
    release_end(&r);
}

static void test_query__a_condition_on_the_permuted_column_is_for_count(void **state)
{
    release_folder r;
    covey_query_release *release = three_groups(&r);
    covey_query_result *result = NULL;
    covey_error err;

    assert_int_equal(covey_query_run(&result, release, "SELECT SUM(pay) WHERE pay > 60", NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "\"pay\" goes with COUNT only, not with SUM(pay)"));
    /* Of {54,65,75}, {56,70,80}, {55,75,85} two values each lie above 60: hits (1,3,2) make [0 + 2 + 1, 1 + 2 + 2]. */
    result = ask(release, "SELECT COUNT(*) WHERE pay > 60 AND hit IN ('a', 'ab')");
    assert_answer(result->group->answer, "COUNT(*)", "3", "5", 2 / 3.0 + 2 + 4 / 3.0,
                  1 * 2 * 2 * 1 / 18.0 + 0 + 2 * 2 * 1 * 1 / 18.0);
    covey_query_result_free(result);
    /* On the permuted column alone it is exact. */
    result = ask(release, "SELECT COUNT(*) WHERE NOT pay BETWEEN 55 AND 75");
    assert_answer(result->group->answer, "COUNT(*)", "3", "3", 3, 0);
    covey_query_result_free(result);
    covey_query_close(release);
    release_end(&r);
}

/* It follows from the other tables, so that it is not read for answers; but it has to be there. */
static void test_query__the_help_table_is_not_read(void **state)
{
    release_folder r;
    covey_query_release *release = three_groups(&r);
    covey_query_result *result;
    covey_error err;

    covey_query_close(release);
    release_put(&r, "help.csv", "\"");
    release_write(&r);
    release = open_release(r.path);
    result = ask(release, "SELECT SUM(pay)");
    assert_answer(result->group->answer, "SUM(pay)", "615", "615", 615, 0);
    covey_query_result_free(result);
    covey_query_close(release);
    release_put(&r, "help.csv", NULL);
    assert_int_equal(covey_query_open(&release, r.path, NULL, &err), COVEY_EPARSE);
    assert_non_null(strstr(err.message, "help.csv: the file is missing"));
    release_write(&r);
    assert_int_equal(covey_query_open(&release, r.path, NULL, &err), COVEY_EPARSE);
    assert_non_null(strstr(err.message, "manifest.json does not list help.csv"));
    release_end(&r);
}

static void test_query__suppressed_rows_are_possibly_selected(void **state)
{
    static const bucket_group groups[] = {{3, {"a", "b", "-"}, {65, 54, 75}}};
    release_folder r;
    covey_query_release *release;
    covey_query_result *result;

    bucket_release(&r, "hit", hit_column, groups, 1);
    release_set(&r, "rows", "5");
    release_set(&r, "suppressed_rows", "2");
    release_write(&r);
    release = open_release(r.path);
    result = ask(release, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE hit <> '-'");
    assert_answer(&result->group->answer[0], "COUNT(*)", "2", "4", 2, 0);
    assert_int_equal(result->group->hits_upper, 4);
    assert_false(result->group->answer[1].lower.exists || result->group->answer[1].upper.exists);
    assert_false(result->group->answer[2].lower.exists || result->group->answer[2].upper.exists);
    assert_false(result->group->answer[3].lower.exists || result->group->answer[4].upper.exists);
    assert_string_equal(result->group->answer[3].upper.text, "65");
    assert_string_equal(result->group->answer[4].lower.text, "65");
    covey_query_result_free(result);
    result = ask(release, "SELECT COUNT(*) WHERE hit = 'a' AND pay > 60");
    assert_answer(&result->group->answer[0], "COUNT(*)", "0", "3", 2 / 3.0, 2 / 9.0);
    covey_query_result_free(result);
    result = ask(release, "SELECT COUNT(*) WHERE hit = 'a' AND hit = 'b'");
    assert_answer(&result->group->answer[0], "COUNT(*)", "0", "0", 0, 0);
    covey_query_result_free(result);
    covey_query_close(release);
    release_end(&r);
}

/* Table 1.4 in the groups {1,2,3}, {4,5,6}, {7,8,9}. */
static void test_query__counts_over_the_groups_of_anatomy(void **state)
{
    release_folder r;
    covey_query_release *release;
    covey_query_result *result;

    release_begin(&r);
    release_put(
        &r, "quasi.csv",
        "group,zip,age,sex\n1,47602,22,F\n1,47677,29,F\n1,47678,27,M\n2,47905,43,M\n2,47906,47,M\n2,47909,52,F\n"
        "3,47605,30,M\n3,47607,32,M\n3,47673,36,M\n");
    release_put(&r, "sensitive.csv",
                "group,disease,count\n1,ovarian cancer,2\n1,prostate cancer,1\n2,flu,1\n2,heart "
                "disease,2\n3,flu,2\n3,heart disease,1\n");
    release_state(
        &r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'bucketized',"
            " 'method': {'name': 'anatomy', 'parameters': {}}, 'rows': 9, 'published_rows': 9, 'suppressed_rows': 0, "
            "'dropped_rows': 0,"
            " 'classes': 3, 'missing': [''], 'promises': [], 'columns': ["
            "  {'name': 'zip', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/3'},"
            "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/3'},"
            "  {'name': 'sex', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/3'},"
            "  {'name': 'disease', 'role': 'sensitive', 'type': 'text', 'publish': 'value'}], 'objective': null,"
            " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 3.0, 'largest_risk': null, "
            "'mean_risk': null}}");
    release_write(&r);
    release = open_release(r.path);
    /* a = (0,3,1), b = (0,1,2), g = 3: [0 + 1 + 0, 0 + 1 + 1], 0 + 1 + 2/3 */
    result = ask(release, "SELECT COUNT(*) WHERE age > 35 AND disease = 'flu'");
    assert_answer(result->group->answer, "COUNT(*)", "1", "2", 1 + 2 / 3.0, 1 * 2 * 2 * 1 / 18.0);
    covey_query_result_free(result);
    result = ask(release, "SELECT COUNT(*) WHERE disease IN ('flu', 'heart disease')");
    assert_answer(result->group->answer, "COUNT(*)", "6", "6", 6, 0);
    covey_query_result_free(result);
    /* Men without prostate cancer and women with a heart disease: group 1 has one man and two values that fit him,
     * group 2 rows of both types. */
    result = ask(
        release,
        "SELECT COUNT(*) WHERE sex = 'M' AND disease <> 'prostate cancer' OR sex = 'F' AND disease = 'heart disease'");
    assert_answer(result->group->answer, "COUNT(*)", "5", "7", 2 / 3.0 + 2 + 2 / 3.0 + 3,
                  1 * 2 * 2 * 1 / 18.0 + 2 / 9.0);
    covey_query_result_free(result);
    covey_query_close(release);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__nine_persons_in_three_groups),
        cmocka_unit_test(test_query__nothing_hit_is_null),
        cmocka_unit_test(test_query__a_condition_on_the_permuted_column_is_for_count),
        cmocka_unit_test(test_query__the_help_table_is_not_read),
        cmocka_unit_test(test_query__suppressed_rows_are_possibly_selected),
        cmocka_unit_test(test_query__counts_over_the_groups_of_anatomy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
