/* Allocations of opening a release, of answering queries and of rewriting them fail one by one: the calls
 * say so, and leak nothing (the sanitizers watch). */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/failing.h"
#include "support/release/bucket_release.h"
#include "support/release/small_release.h"
#include "base/alloc.h"
#include "base/file/folder.h"

static const char policy_text[] =
    "version: 1\ninput: {path: x.csv}\nattributes:\n  - {name: city, role: quasi-identifier}\n"
    "  - {name: age, role: quasi-identifier}\n  - {name: w, role: weight, publish: value, unique: allowed}\n"
    "  - {name: kids, role: insensitive, type: integer, unique: allowed}\n  - {name: pay, role: sensitive}\n";

static covey_status open_and_ask(const release_folder *r, const char *const *sql, covey_error *err)
{
    covey_run run = {.n_threads = 1};
    covey_query_release *release = NULL;
    covey_status status = covey_query_open(&release, r->path, &run, err);

    for (; *sql && status == COVEY_OK; sql++) {
        covey_query_result *result = NULL;
        char *rewritten = NULL;

        status = covey_query_run(&result, release, *sql, &run, err);
        covey_query_result_free(result);
        if (status == COVEY_OK &&
            (status = covey_query_sql(&rewritten, release, *sql, COVEY_DIALECT_POSTGRESQL, err)) == COVEY_EINVAL)
            status = COVEY_OK; /* not every form and query is rewritten */
        covey_query_sql_free(rewritten);
    }
    covey_query_close(release);
    return status;
}

static void fail_each(const release_folder *r, const char *const *sql)
{
    failing f = {.least = 100};

    while (failing_next(&f))
        failing_ends(&f, open_and_ask(r, sql, &f.err));
}

static void test_query__generalized_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*) WHERE disease = 'flu' AND (age < 30 OR edu IN ('college', 'HS') AND NOT city = 'A')",
        "SELECT COUNT(*), AVG(note), MAX(note) WHERE age BETWEEN 22 AND 50 OR edu IS NULL GROUP BY city, edu",
        NULL,
    };
    release_folder r;

    small_release(&r);
    release_put(&r, "table.csv",
                "class,age,edu,city,disease,note\n1,\"[20, 25]\",college,A,cold,1.5\n1,\"[20, 25]\",college,A,flu,2\n"
                "2,\"[30, 39]\",*,\"{B, C}\",flu,-7\n2,\"[30, 39]\",*,\"{B, C}\",gout,3\n");
    release_set(&r, "published_rows", "4");
    release_set(&r, "suppressed_rows", "4");
    release_set(&r, "classes", "2");
    release_set(&r, "columns.4.type", "'decimal'");
    release_write(&r);
    fail_each(&r, sql);
    release_end(&r);
}

static void test_query__counting_persons_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*), COUNT(DISTINCT entity), COUNT(DISTINCT household) WHERE disease = 'flu' AND age < 31",
        "SELECT COUNT(DISTINCT entity) WHERE age < 35 GROUP BY city",
        NULL,
    };
    release_folder r;

    small_release(&r);
    release_put(&r, "units.csv", "class,units,largest,persons\n1,1,2,2\n2,1,2,1\n3,2,3,4\n");
    release_set(&r, "entity", "{'households': true, 'units': 4}");
    release_set(&r, "promises", "[]");
    release_write(&r);
    fail_each(&r, sql);
    release_end(&r);
}

static void test_query__perturbed_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*) WHERE pay > 4 AND city = 'a' AND age < 3",
        "SELECT COUNT(*) WHERE pay = 4 OR city = 'a'",
        "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(age) WHERE age <> 3 OR city = 'b' GROUP BY city, age",
        NULL,
    };
    release_folder r;

    release_begin(&r);
    release_put(&r, "table.csv", "city,age,pay\na,1,5\na,2,5\nb,2,7\nb,3,5\n");
    release_put(&r, "perturbation.csv",
                "value,prior,cap,gamma,alpha\n2,0.25,1,1,0.5\n5,0.5,1,1,0.25\n7,0.25,1,1,0.5\n");
    release_state(
        &r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'perturbed',"
            " 'method': {'name': 'perturbation', 'parameters': {}}, 'rows': 4, 'published_rows': 4, 'suppressed_rows': "
            "0, 'dropped_rows': 0,"
            " 'classes': 0, 'missing': [''], 'promises': [], 'columns': ["
            "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
            "'has_missing': false},"
            "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/2', "
            "'has_missing': false},"
            "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}],"
            " 'prior': {'pay': {'2': 1, '5': 2, '7': 1}}, 'objective': null,"
            " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': null, 'largest_risk': "
            "null, 'mean_risk': null}}");
    release_write(&r);
    fail_each(&r, sql);
    release_put(&r, "table.csv", "city,age,pay\na,1,5\na,1,5\na,1,5\nb,3,5\n"); /* equal rows are joined */
    release_write(&r);
    fail_each(&r, sql);
    release_end(&r);
}

static void test_query__sliced_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(age) WHERE age <> 3 AND city = 'b'",
        "SELECT COUNT(*) WHERE pay = 4 OR city = 'a'",
        "SELECT COUNT(*) WHERE age < 3 AND (pay = 5 OR city = 'a') GROUP BY city",
        NULL,
    };
    release_folder r;

    release_begin(&r);
    release_put(&r, "column-1.csv", "bucket,city,age\n1,a,1\n1,a,2\n2,b,2\n2,b,3\n");
    release_put(&r, "column-2.csv", "bucket,age\n1,1\n1,2\n2,2\n2,3\n");
    release_put(&r, "column-3.csv", "bucket,city,pay\n1,a,5\n1,a,7\n2,b,2\n2,b,5\n");
    release_state(&r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced',"
                      " 'method': {'name': 'slicing', 'parameters': {}}, 'rows': 4, 'published_rows': 4, "
                      "'suppressed_rows': 0, 'dropped_rows': 0,"
                      " 'classes': 2, 'missing': [''], 'promises': [], 'slices': [['city', 'age'], ['age'], ['city', "
                      "'pay']], 'columns': ["
                      "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': "
                      "'1/2', 'has_missing': false},"
                      "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': "
                      "'1/2', 'has_missing': false},"
                      "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': "
                      "false}], 'objective': null,"
                      " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 2.0, "
                      "'largest_risk': null, 'mean_risk': null}}");
    release_write(&r);
    fail_each(&r, sql);
    release_end(&r);
}

/* Of generalized cells, conditions that fall on columns, that link them, and that ask two for one attribute. */
static void test_query__sliced_cells_survive_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay) WHERE age <> 3 AND city = 'b'",
        "SELECT COUNT(*) WHERE pay = 4 OR city = 'a'",
        "SELECT COUNT(*) WHERE (age < 3 OR city = 'b') AND (age = 1 OR pay = 5)",
        NULL,
    };
    release_folder r;

    release_begin(&r);
    release_put(&r, "column-1.csv",
                "bucket,age,city\n1,\"[1, 2]\",\"{a, b}\"\n1,\"[1, 2]\",c\n2,\"[3, 4]\",\"{a, b}\"\n2,\"[3, 4]\",c\n");
    release_put(&r, "column-2.csv", "bucket,age,pay\n1,\"[1, 2]\",5\n1,\"[1, 2]\",7\n2,\"[3, 4]\",2\n2,\"[3, 4]\",5\n");
    release_state(
        &r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced',"
            " 'method': {'name': 'slicing', 'parameters': {}}, 'rows': 4, 'published_rows': 4, 'suppressed_rows': 0, "
            "'dropped_rows': 0,"
            " 'classes': 2, 'missing': [''], 'promises': [], 'slices': [['age', 'city'], ['age', 'pay']], 'columns': ["
            "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'set', 'weight': '1/2', "
            "'has_missing': false},"
            "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'range', 'domain': [1, 4], "
            "'weight': '1/2'},"
            "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}], "
            "'objective': null,"
            " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 2.0, 'largest_risk': null, "
            "'mean_risk': null}}");
    release_write(&r);
    fail_each(&r, sql);
    release_end(&r);
}

static void test_query__bucketized_survives_every_failing_allocation(void **state)
{
    static const bucket_group groups[] = {{3, {"a,1", "b,2", "b,3"}, {5, 5, 9}}, {2, {"a,1", "c,4"}, {2, 7}}};
    static const char *const sql[] = {
        "SELECT COUNT(*) WHERE pay > 4 AND city = 'a' OR pay < 8 AND age >= 2",
        "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(age) WHERE age <> 3 OR city = 'b' GROUP BY city, age",
        "SELECT MIN(pay), MAX(pay)",
        NULL,
    };
    release_folder r;

    bucket_release(&r, "city,age",
                   "{'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
                   "'has_missing': false},"
                   "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': "
                   "'1/2', 'has_missing': false}",
                   groups, 2);
    fail_each(&r, sql);
    release_end(&r);
}

static void test_query__transformed_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay), MAX(age) WHERE age <> 3 OR city = 'b'",
        "SELECT MIN(pay), SUM(age) GROUP BY city",
        "SELECT COUNT(*) WHERE pay > 4 AND city = 'a' OR pay < 8 AND age >= 2",
        NULL,
    };
    const covey_anonymize_options options = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy;
    release_folder r;
    covey_error err;

    release_begin(&r);
    assert_int_equal(covey_i_folder_remove(r.path, NULL), COVEY_OK);
    release_original(&r, "city,age,pay\na,1,5\nb,2,5\nb,3,9\na,1,2\nc,4,7\n");
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", r.original, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "quasi", "city,age", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "sensitive", "pay", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "model", "p-private:target=uniform", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "method", "distribution:fakes=1", &err), COVEY_OK);
    assert_int_equal(covey_policy_check(policy, &err), COVEY_OK);
    assert_int_equal(covey_anonymize(&report, policy, r.path, &options, NULL, &err), COVEY_OK);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    fail_each(&r, sql);
    release_end(&r);
}

/* Weights of rows over all forms that know whose they are. */
static void test_query__weighted_survives_every_failing_allocation(void **state)
{
    static const char *const sql[] = {
        "SELECT SUM(w), SUM(w * pay), SUM(kids * w) WHERE age < 4 OR city = 'b'",
        "SELECT SUM(w * pay) / SUM(w), SUM(w * kids) GROUP BY city",
        NULL,
    };
    static const char *const how[][2] = {{"k-anonymity:k=2", "mondrian"},
                                         {"probabilistic-l-diversity:l=2", "anatomy"},
                                         {"p-private:target=uniform", "distribution:fakes=1"},
                                         {"basic-beta-likeness:beta=3", "perturbation"}};
    const covey_anonymize_options options = {.force = true};

    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        covey_anonymize_report report;
        covey_policy *policy;
        release_folder r;
        covey_error err;

        release_begin(&r);
        assert_int_equal(covey_i_folder_remove(r.path, NULL), COVEY_OK);
        release_original(&r, policy_text);
        assert_int_equal(covey_policy_read(&policy, r.original, &err), COVEY_OK);
        release_original(&r, "city,age,w,kids,pay\na,1,2.5,0,5\nb,2,1,1,6\nb,3,7,2,9\na,1,2.5,,2\nc,4,1,0,7\n");
        assert_int_equal(covey_policy_set(policy, "input", r.original, &err), COVEY_OK);
        assert_int_equal(covey_policy_set(policy, "model", how[i][0], &err), COVEY_OK);
        assert_int_equal(covey_policy_set(policy, "method", how[i][1], &err), COVEY_OK);
        assert_int_equal(covey_policy_check(policy, &err), COVEY_OK);
        if (covey_anonymize(&report, policy, r.path, &options, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        covey_anonymize_report_clear(&report);
        covey_policy_free(policy);
        fail_each(&r, sql);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__generalized_survives_every_failing_allocation),
        cmocka_unit_test(test_query__counting_persons_survives_every_failing_allocation),
        cmocka_unit_test(test_query__perturbed_survives_every_failing_allocation),
        cmocka_unit_test(test_query__sliced_survives_every_failing_allocation),
        cmocka_unit_test(test_query__sliced_cells_survive_every_failing_allocation),
        cmocka_unit_test(test_query__bucketized_survives_every_failing_allocation),
        cmocka_unit_test(test_query__transformed_survives_every_failing_allocation),
        cmocka_unit_test(test_query__weighted_survives_every_failing_allocation),
    };

    /* jansson asks us for memory too, so its failures are tested as well. */
    json_set_alloc_funcs(failing_json, covey_i_free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
