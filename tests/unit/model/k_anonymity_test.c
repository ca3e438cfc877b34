#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"

static const int64_t seven[] = {4, 2, 1};

static void a_class_of_k_rows_is_admitted_and_one_fewer_is_not(void **unused)
{
    judge j;

    judge_init(&j, "k-anonymity", "k=3", seven, 3, NULL);
    assert_true(judge_admits(&j, (int64_t[]){3, 0, 0}));
    assert_true(judge_admits(&j, (int64_t[]){1, 1, 1}));
    assert_false(judge_admits(&j, (int64_t[]){2, 0, 0}));
    assert_int_equal(judge_figure(&j, (int64_t[]){4, 1, 0}).integer, 5);
    assert_int_equal(j.model->min_size(j.state), 3);
    judge_clear(&j);
}

static void it_needs_no_sensitive_attribute(void **unused)
{
    const covey_model *model = covey_model_find("k-anonymity");

    assert_int_equal(model->traits & COVEY_MODEL_SENSITIVE, 0);
}

static void more_rows_than_the_table_has_are_hopeless_and_the_message_says_what_is_possible(void **unused)
{
    covey_nearest nearest = {.n = 0};
    covey_group whole;
    judge j;

    judge_init(&j, "k-anonymity", "k=8", seven, 3, NULL);
    whole = (covey_group){.size = 7, .counts = &j.prior};
    assert_true(j.model->hopeless(&nearest, j.state, &whole));
    assert_string_equal(nearest.why, "there are only 7 rows: k can be 7 at most");
    judge_clear(&j);
}

static void k_is_a_positive_whole_number(void **unused)
{
    covey_error err;
    judge j;

    assert_int_equal(judge_new(&j, "k-anonymity", "k=0", seven, 3, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "k must be at least 1"));
    judge_clear(&j);
    assert_int_equal(judge_new(&j, "k-anonymity", "k=2.5", seven, 3, NULL, &err), COVEY_EINVAL);
    judge_clear(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_of_k_rows_is_admitted_and_one_fewer_is_not),
        cmocka_unit_test(it_needs_no_sensitive_attribute),
        cmocka_unit_test(more_rows_than_the_table_has_are_hopeless_and_the_message_says_what_is_possible),
        cmocka_unit_test(k_is_a_positive_whole_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
