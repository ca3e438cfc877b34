/* Errors that get their place from who knows it. */
#include "test.h"

#include "base/error.h"

static void a_place_stands_in_front_and_stays(void **state)
{
    covey_error err;

    assert_int_equal(covey_fail(&err, COVEY_EINVAL, "wrong"), COVEY_EINVAL);
    covey_i_error_place(&err, "policy.yaml", 3, 7);
    assert_string_equal(err.message, "policy.yaml:3:7: wrong");
    assert_string_equal(err.file, "policy.yaml");
    assert_int_equal(err.row, 3);
    assert_int_equal(err.column_number, 7);
    covey_i_error_place(&err, "other.yaml", 1, 1);
    assert_string_equal(err.message, "policy.yaml:3:7: wrong");
    covey_i_error_place(NULL, "policy.yaml", 3, 7);
}

static void only_a_line_without_a_file_gets_one(void **state)
{
    covey_error err;

    covey_fail_at(&err, COVEY_EINVAL, NULL, 9, "pay", 0, "no leaf");
    assert_string_equal(err.message, "no leaf");
    covey_i_error_place_line(&err, "data.csv");
    assert_string_equal(err.message, "data.csv:9: no leaf");
    assert_string_equal(err.column, "pay");
    covey_fail(&err, COVEY_EINVAL, "no line");
    covey_i_error_place_line(&err, "data.csv");
    assert_string_equal(err.message, "no line");
    assert_string_equal(err.file, "");
}

static void the_first_to_name_a_parameter_is_right(void **state)
{
    covey_error err;

    assert_int_equal(covey_i_refuse_param(&err, "target", "%d is wrong", 5), COVEY_EINVAL);
    assert_int_equal(covey_i_error_about(COVEY_EINVAL, "targets", &err), COVEY_EINVAL);
    assert_string_equal(err.parameter, "target");
    assert_string_equal(err.message, "5 is wrong");
    covey_i_error_put_in_front(&err, "method %s: ", "distribution");
    assert_string_equal(err.message, "method distribution: 5 is wrong");
    assert_string_equal(err.parameter, "target");
    covey_fail(&err, COVEY_EIO, "disk");
    assert_string_equal(err.parameter, "");
    assert_int_equal(covey_i_error_about(COVEY_OK, "targets", &err), COVEY_OK);
    assert_string_equal(err.parameter, "");
    assert_int_equal(covey_i_refuse_param(NULL, "target", "nobody asks"), COVEY_EINVAL);
}

static void what_does_not_fit_is_cut_behind_a_character(void **state)
{
    char file[400] = "";
    covey_error err;

    memset(file, 'f', 255);
    covey_fail(&err, COVEY_EINVAL, "%0900d\xc3\xa4\xc3\xa4", 0);
    for (int i = 0; i < 60; i++)
        covey_i_error_put_in_front(&err, "x: ");
    assert_true(strlen(err.message) < sizeof err.message);
    covey_i_error_place(&err, file, 1, 0);
    assert_true(strlen(err.message) < sizeof err.message);
    assert_int_equal(strncmp(err.message, file, 255), 0);
    covey_fail(&err, COVEY_EINVAL, "two\nlines");
    covey_i_error_put_in_front(&err, "a\nb: ");
    assert_string_equal(err.message, "a b: two lines");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_stands_in_front_and_stays),
        cmocka_unit_test(only_a_line_without_a_file_gets_one),
        cmocka_unit_test(the_first_to_name_a_parameter_is_right),
        cmocka_unit_test(what_does_not_fit_is_cut_behind_a_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
