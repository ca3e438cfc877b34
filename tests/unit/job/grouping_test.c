/* Fixed groups of a table: which rows are together, and what is said where that cannot be. */
#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "job/prepare.h"

static const char table[] = "region,zip,age,pay,note\n"
                            "north,11111,20,1,x\n"
                            "south,11112,30,2,x\n"
                            "north,11211,40,3,y\n"
                            "south,12111,,4,x\n"
                            "north,11111,30,5,y\n"
                            "south,21111,90,6,y\n";

static covey_status prepare(covey_prepared *out, const char *groups, covey_error *err)
{
    static const char *const keys[][2] = {
        {"attribute", "{name: region, role: quasi-identifier}"},
        {"attribute", "{name: zip, role: quasi-identifier, type: text, hierarchy: {mask: 5}}"},
        {"attribute", "{name: age, role: quasi-identifier}"},
        {"attribute", "{name: pay, role: sensitive}"},
        {"others", "insensitive"},
        {"model", "ke-anonymity:k=1,e=0"},
    };
    const char *path = csv_path("t.csv");
    covey_policy *policy;
    covey_status status;

    csv_put_file(path, table, sizeof table - 1);
    assert_int_equal(covey_policy_new(&policy, err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", path, err), COVEY_OK);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(covey_policy_set(policy, keys[i][0], keys[i][1], err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "groups", groups, err), COVEY_OK);
    if ((status = covey_policy_check(policy, err)) == COVEY_OK)
        status = covey_i_prepare(out, policy, NULL, err);
    covey_policy_free(policy);
    return status;
}

/* Groups row by row, as "0 1 0", and the first one's description. */
static void group(const char *groups, const char *expected, const char *description)
{
    covey_prepared prepared;
    char text[64] = "", first[128];
    uint32_t row = 0;
    covey_error err = {0};

    if (prepare(&prepared, groups, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (uint32_t i = 0; i < prepared.problem.n_rows; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i ? " %u" : "%u", prepared.problem.group_of_row[i]);
    assert_string_equal(text, expected);
    while (prepared.problem.group_of_row[row] != 0)
        row++;
    covey_i_problem_group_text(first, sizeof first, &prepared.problem, row);
    assert_string_equal(first, description);
    covey_i_prepared_clear(&prepared);
}

static void refuse(const char *groups, covey_status expected, const char *message)
{
    covey_prepared prepared;
    covey_error err = {0};

    assert_int_equal(prepare(&prepared, groups, &err), expected);
    assert_string_equal(err.message, message);
}

static void rows_with_equal_values_are_a_group(void **state)
{
    group("{by: [region]}", "0 1 0 1 0 1", "region = \"north\"");
    group("{by: [note]}", "0 0 1 0 1 1", "note = \"x\"");
    group("{by: [region, note]}", "0 2 1 2 1 3", "region = \"north\", note = \"x\"");
    group("{by: [note, region]}", "0 1 2 1 2 3", "note = \"x\", region = \"north\"");
    group("{by: [age]}", "1 2 3 0 2 4", "age = \"\"");
}

static void levels_go_up_the_hierarchy(void **state)
{
    group("{by: [{attribute: zip, level: 0}]}", "0 1 2 3 0 4", "zip = \"11111\"");
    group("{by: [{attribute: zip, level: 1}]}", "0 0 1 2 0 3", "zip = \"1111*\"");
    group("{by: [{attribute: zip, level: 4}]}", "0 0 0 0 0 1", "zip = \"1****\"");
    group("{by: [{attribute: zip, level: 5}]}", "0 0 0 0 0 0", "zip = \"*\"");
    refuse("{by: [{attribute: zip, level: 6}]}", COVEY_EINVAL,
           "--groups: groups by level 6 of \"zip\", whose hierarchy has levels 0 to 5");
}

/* Four ages below 90, one of them 30 twice: 0/5, 1/5, 1/5, 3/5, 4/5 of the rows are smaller. */
static void quantiles_have_about_as_many_rows(void **state)
{
    group("{by: [{attribute: age, quantiles: 2}]}", "1 1 2 0 1 2", "age = \"\"");
    group("{by: [{attribute: age, quantiles: 5}]}", "1 2 3 0 2 4", "age = \"\"");
    group("{by: [{attribute: age, quantiles: 1}]}", "1 1 1 0 1 1", "age = \"\"");
    group("{by: [{attribute: age, quantiles: 1000000000000}]}", "1 2 3 0 2 4", "age = \"\"");
    refuse("{by: [{attribute: region, quantiles: 2}]}", COVEY_EINVAL,
           "--groups: groups by quantiles of \"region\" need a number or a date, but it is text");
}

static void classes_of_a_method_are_groups(void **state)
{
    covey_prepared prepared;
    covey_error err = {0};

    assert_int_equal(prepare(&prepared, "{method: {name: mondrian}, k: 3}", &err), COVEY_OK);
    assert_int_equal(prepared.problem.n_groups, 2);
    for (uint32_t i = 0; i < 6; i++) /* the widest attribute is the first that has two halves: the region */
        assert_int_equal(prepared.problem.group_of_row[i] == prepared.problem.group_of_row[0], i % 2 == 0);
    assert_int_equal(prepared.problem.promises.n, 1);
    assert_string_equal(prepared.problem.promises.promise[0].model->name, "ke-anonymity");
    covey_i_prepared_clear(&prepared);
    refuse("{method: {name: mondrian}, k: 7}", COVEY_EINFEASIBLE,
           "--groups: no release can keep k-anonymity: there are only 6 rows: k can be 6 at most");
    refuse("{method: {name: burel}, k: 2}", COVEY_EINVAL,
           "--groups: burel needs a promise of beta-likeness: its classes follow from the bounds on sensitive values");
}

static void columns_that_are_not_there_are_refused(void **state)
{
    refuse("{by: [regio]}", COVEY_EINVAL, "--groups: groups by a column that the table lacks or that is dropped");
    refuse("{by: [pay]}", COVEY_EINVAL,
           "--groups: groups by \"pay\": it is sensitive, and groups show; group by quasi-identifiers and insensitive"
           " attributes");
}

static int start(void **state)
{
    csv_folder();
    return 0;
}

static int end(void **state)
{
    csv_folder_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_equal_values_are_a_group),     cmocka_unit_test(levels_go_up_the_hierarchy),
        cmocka_unit_test(quantiles_have_about_as_many_rows),      cmocka_unit_test(classes_of_a_method_are_groups),
        cmocka_unit_test(columns_that_are_not_there_are_refused),
    };

    return cmocka_run_group_tests_name("grouping", tests, start, end);
}
