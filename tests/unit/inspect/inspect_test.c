/* Inspecting a table: counts, suggested roles, a policy to start from. */
#include "test.h"

#include <string.h>

#include <covey/inspect.h>
#include <covey/policy.h>

#include "support/folder.h"
#include "base/file/folder.h"

static char folder[64];

static void path_of(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void write_table(const char *text)
{
    char path[128];

    path_of(path, "t.csv");
    file_put(path, text);
}

static covey_inspection *inspect_with(const char *text, const covey_inspect_options *options)
{
    covey_inspection *inspection = NULL;
    covey_error err;
    char path[128];

    write_table(text);
    path_of(path, "t.csv");
    if (covey_inspect(&inspection, path, options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return inspection;
}

static covey_inspection *inspect(const char *text)
{
    return inspect_with(text, NULL);
}

static const covey_inspected_column *column(const covey_inspection *inspection, const char *name)
{
    for (size_t i = 0; i < inspection->n_columns; i++)
        if (strcmp(inspection->column[i].name, name) == 0)
            return &inspection->column[i];
    fail_msg("no column %s", name);
    return NULL;
}

static void assert_role(const covey_inspection *inspection, const char *name, covey_role role, const char *reason)
{
    const covey_inspected_column *c = column(inspection, name);

    assert_string_equal(covey_role_name(c->role), covey_role_name(role));
    assert_string_equal(c->reason, reason);
}

/* Six rows: age 4 values of which 3 stand once, sex 2, disease 3 with one missing. */
static const char people[] = "age,sex,disease\n30,m,flu\n30,m,flu\n41,f,cold\n52,f,\n63,m,cancer\n30,f,flu\n";

static void values_missing_cells_and_unique_rows_are_counted(void **state)
{
    covey_inspection *in = inspect(people);
    const covey_inspected_column *age = column(in, "age"), *disease = column(in, "disease");

    assert_int_equal(in->n_rows, 6);
    assert_int_equal(age->n_distinct, 4);
    assert_int_equal(age->n_missing, 0);
    assert_int_equal(age->n_unique, 3);
    assert_true(age->uniqueness > 0.666 && age->uniqueness < 0.667);
    assert_int_equal(age->type, COVEY_TYPE_INTEGER);
    assert_int_equal(disease->n_distinct, 3);
    assert_int_equal(disease->n_missing, 1);
    assert_int_equal(disease->n_unique, 2);
    assert_true(disease->uniqueness > 0.599 && disease->uniqueness < 0.601);
    covey_inspection_free(in);
}

static void the_quasi_identifiers_together_single_rows_out(void **state)
{
    covey_inspection *in = inspect(people); /* 30 m twice; 41 f, 52 f, 63 m, 30 f once each */

    assert_int_equal(in->n_quasi, 2);
    assert_int_equal(in->n_combinations, 5);
    assert_int_equal(in->n_unique_rows, 4);
    covey_inspection_free(in);
}

static void names_suggest_roles(void **state)
{
    covey_inspection *in =
        inspect("e-mail,firstName,zip_code,birth_date,Diagnosis,yearly income,nationality,fnlwgt,stars\n"
                "a,b,1,2020-01-02,c,1,x,5,1\na,b,2,2020-01-02,d,2,y,6,2\n");

    assert_role(in, "e-mail", COVEY_ROLE_INSENSITIVE, "the same in every row");
    covey_inspection_free(in);
    in = inspect("e-mail,firstName,zip_code,birth_date,Diagnosis,yearly income,nationality,fnlwgt,stars\n"
                 "a,b,1,2020-01-02,c,1,x,5,1\nb,c,2,2020-01-03,d,2,y,6,2\n");
    assert_role(in, "e-mail", COVEY_ROLE_IDENTIFIER, "its name says \"email\"");
    assert_role(in, "firstName", COVEY_ROLE_IDENTIFIER, "its name says \"firstname\"");
    assert_role(in, "zip_code", COVEY_ROLE_QUASI, "its name says \"zip\"");
    assert_role(in, "birth_date", COVEY_ROLE_QUASI, "its name says \"birth\"");
    assert_role(in, "Diagnosis", COVEY_ROLE_SENSITIVE, "its name says \"diagnos\"");
    assert_role(in, "yearly income", COVEY_ROLE_SENSITIVE, "its name says \"income\"");
    assert_role(in, "nationality", COVEY_ROLE_QUASI, "its name says \"nation\"");
    assert_role(in, "fnlwgt", COVEY_ROLE_WEIGHT, "its name says \"fnlwgt\"");
    assert_role(in, "stars", COVEY_ROLE_QUASI, "others may know it");
    covey_inspection_free(in);
}

/* A policy has one weight, so that one with two could not be used; and a date is none. */
static void of_several_weights_the_first_is_the_sampling_weight(void **state)
{
    covey_inspection *in = inspect("wgtday,PWGTP,WGTP,PWGTP1,age\n2020-01-01,5,7,9,20\n2020-01-02,6,8,10,30\n");

    assert_role(in, "wgtday", COVEY_ROLE_QUASI, "a date: others may know when something happened");
    assert_role(in, "PWGTP", COVEY_ROLE_WEIGHT, "its name says \"pwgt\"");
    assert_role(in, "WGTP", COVEY_ROLE_IDENTIFIER, "its name says \"wgt\"");
    assert_role(in, "PWGTP1", COVEY_ROLE_IDENTIFIER, "its name says \"pwgt\"");
    covey_inspection_free(in);
}

/* 40 rows: id all different, visit_id 4 values, plan 2, day all different dates, note all different texts but one. */
static void counts_suggest_roles_where_names_do_not(void **state)
{
    char text[4000] = "serial,key_type,plan,day,remark,empty,x\n";
    size_t n = strlen(text);
    covey_inspection *in;

    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,%d,%c,2020-0%d-%02d,text no. %d,,%d\n", 1000 + i, i % 4,
                              "ab"[i % 2], 1 + i / 20, 1 + i % 20, i ? i : 1, 7 * i);
    in = inspect(text);
    assert_role(in, "serial", COVEY_ROLE_IDENTIFIER, "its name says \"serial\"");
    assert_role(in, "key_type", COVEY_ROLE_QUASI, "others may know it");
    assert_role(in, "plan", COVEY_ROLE_QUASI, "others may know it");
    assert_role(in, "day", COVEY_ROLE_QUASI, "a date: others may know when something happened");
    assert_role(in, "remark", COVEY_ROLE_IDENTIFIER, "hardly a value occurs twice");
    assert_role(in, "empty", COVEY_ROLE_IDENTIFIER, "nothing is in it");
    assert_role(in, "x", COVEY_ROLE_IDENTIFIER, "no value occurs twice");
    assert_string_equal(column(in, "day")->hierarchy, "{date: [month, year]}");
    assert_null(column(in, "plan")->hierarchy);
    covey_inspection_free(in);
}

static void codes_are_masked_and_numbers_left_to_ranges(void **state)
{
    char text[4000] = "zip,area_code,age,count\n";
    size_t n = strlen(text);
    covey_inspection *in;

    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,%c%02d,%d,%d\n", 47600 + i / 2, 'A' + i % 3, i / 2,
                              20 + i % 30, i % 20 - 3);
    in = inspect(text);
    assert_string_equal(column(in, "zip")->hierarchy, "{mask: 5}");
    assert_int_equal(column(in, "zip")->type, COVEY_TYPE_TEXT);
    assert_string_equal(column(in, "area_code")->hierarchy, "{mask: 3}");
    assert_null(column(in, "age")->hierarchy);
    assert_string_equal(column(in, "age")->alternative, "{interval: {from: 0, to: 120, widths: [5, 10, 20, 40]}}");
    assert_string_equal(column(in, "count")->alternative, "{balanced: 4}");
    covey_inspection_free(in);
}

static void texts_that_mean_missing_are_guessed_unless_given(void **state)
{
    static const char text[] = "a,b\n1,NA\n2,?\n?,x\n,x\n";
    static const char *const only[] = {"x"};
    const covey_inspect_options options = {.null = only, .n_null = 1};
    covey_inspection *in = inspect(text);

    assert_true(in->null_guessed);
    assert_int_equal(in->n_null, 3);
    assert_int_equal(column(in, "a")->n_missing, 2);
    assert_int_equal(column(in, "a")->type, COVEY_TYPE_INTEGER);
    assert_int_equal(column(in, "b")->n_missing, 2);
    covey_inspection_free(in);
    in = inspect_with(text, &options);
    assert_false(in->null_guessed);
    assert_int_equal(column(in, "a")->n_missing, 0);
    assert_int_equal(column(in, "a")->type, COVEY_TYPE_TEXT);
    assert_int_equal(column(in, "b")->n_missing, 2);
    covey_inspection_free(in);
}

static void empty_cells_beside_the_word_null_are_no_fault(void **state)
{
    covey_inspection *in = inspect("a,b\nnull,1\n,2\nx,3\n");

    assert_int_equal(column(in, "a")->n_missing, 2);
    assert_int_equal(column(in, "a")->n_distinct, 1);
    covey_inspection_free(in);
}

static void a_header_without_rows_and_a_single_row_are_tables_too(void **state)
{
    covey_inspection *in = inspect("age,name\n");

    assert_int_equal(in->n_rows, 0);
    assert_int_equal(column(in, "age")->n_distinct, 0);
    assert_true(column(in, "age")->uniqueness == 0);
    assert_int_equal(column(in, "name")->role, COVEY_ROLE_IDENTIFIER);
    assert_int_equal(in->n_combinations, 0);
    covey_inspection_free(in);
    in = inspect("age,name\n5,x\n");
    assert_int_equal(in->n_rows, 1);
    assert_int_equal(in->n_quasi, 0);
    covey_inspection_free(in);
}

static void bad_files_are_refused_as_when_reading(void **state)
{
    covey_inspection *in = NULL;
    covey_error err;
    char path[128];

    write_table("a,b\n1\n");
    path_of(path, "t.csv");
    assert_int_equal(covey_inspect(&in, path, NULL, NULL, &err), COVEY_EPARSE);
    assert_int_equal(err.row, 2);
    path_of(path, "none.csv");
    assert_int_equal(covey_inspect(&in, path, NULL, NULL, &err), COVEY_ENOTFOUND);
    assert_null(in);
}

static void read_file(char *out, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t n;

    assert_non_null(file);
    n = fread(out, 1, size - 1, file);
    out[n] = '\0';
    fclose(file);
}

static void the_policy_to_start_from_can_be_read_and_shows_no_cell(void **state)
{
    static const char table[] =
        "id,\"odd: name\n# "
        "two\",zip,sex,salary\n17,p,47601,m,?\n18,p,47602,f,90210\n19,r,47603,m,80310\n17,p,47601,f,90210\n";
    covey_inspection *in = inspect(table);
    covey_policy *policy = NULL;
    char path[128], text[4000];
    covey_error err;

    path_of(path, "p.yaml");
    assert_int_equal(covey_inspection_write_policy(in, path, false, &err), COVEY_OK);
    covey_inspection_free(in);
    read_file(text, sizeof text, path);
    assert_null(strstr(text, "47601"));
    assert_null(strstr(text, "90210"));
    if (covey_policy_read(&policy, path, &err) != COVEY_OK || covey_policy_check(policy, &err) != COVEY_OK)
        fail_msg("%s\n%s", err.message, text);
    assert_int_equal(policy->n_attributes, 5);
    assert_string_equal(policy->attribute[1].name, "odd: name\n# two");
    assert_int_equal(policy->attribute[4].role, COVEY_ROLE_SENSITIVE);
    assert_int_equal(policy->missing_sensitive, COVEY_MISSING_VALUE);
    assert_int_equal(policy->n_promises, 2);
    assert_int_equal(policy->n_warnings, 0);
    path_of(path, "t.csv");
    assert_string_equal(policy->input_path, path);
    covey_policy_free(policy);
}

static void a_file_that_is_there_is_replaced_by_force_only(void **state)
{
    covey_inspection *in = inspect(people);
    covey_error err;
    char path[128];

    path_of(path, "there.yaml");
    assert_int_equal(covey_inspection_write_policy(in, path, false, &err), COVEY_OK);
    assert_int_equal(covey_inspection_write_policy(in, path, false, &err), COVEY_EEXIST);
    assert_int_equal(covey_inspection_write_policy(in, path, true, &err), COVEY_OK);
    path_of(path, "nowhere/p.yaml");
    assert_int_equal(covey_inspection_write_policy(in, path, false, &err), COVEY_ENOTFOUND);
    covey_inspection_free(in);
}

static void the_adult_table_is_told_apart(void **state)
{
    covey_inspection *in = NULL;
    char path[4096];

    if (!test_data(path, sizeof path, "adult/adult-48842.csv.gz"))
        skip();
    assert_int_equal(covey_inspect(&in, path, NULL, NULL, NULL), COVEY_OK);
    assert_int_equal(in->n_rows, 48842);
    assert_int_equal(column(in, "workclass")->n_missing, 2799);
    assert_int_equal(column(in, "workclass")->n_distinct, 8);
    assert_int_equal(column(in, "income")->role, COVEY_ROLE_SENSITIVE);
    assert_int_equal(column(in, "fnlwgt")->role, COVEY_ROLE_WEIGHT);
    assert_int_equal(in->n_quasi, 11);
    assert_int_equal(in->n_unique_rows, 35252);
    covey_inspection_free(in);
}

static int make_folder(void **state)
{
    return test_folder(folder, sizeof folder, "inspect") ? 0 : -1;
}

static int remove_folder(void **state)
{
    return covey_i_folder_remove(folder, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_missing_cells_and_unique_rows_are_counted),
        cmocka_unit_test(the_quasi_identifiers_together_single_rows_out),
        cmocka_unit_test(names_suggest_roles),
        cmocka_unit_test(of_several_weights_the_first_is_the_sampling_weight),
        cmocka_unit_test(counts_suggest_roles_where_names_do_not),
        cmocka_unit_test(codes_are_masked_and_numbers_left_to_ranges),
        cmocka_unit_test(texts_that_mean_missing_are_guessed_unless_given),
        cmocka_unit_test(empty_cells_beside_the_word_null_are_no_fault),
        cmocka_unit_test(a_header_without_rows_and_a_single_row_are_tables_too),
        cmocka_unit_test(bad_files_are_refused_as_when_reading),
        cmocka_unit_test(the_policy_to_start_from_can_be_read_and_shows_no_cell),
        cmocka_unit_test(a_file_that_is_there_is_replaced_by_force_only),
        cmocka_unit_test(the_adult_table_is_told_apart),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
