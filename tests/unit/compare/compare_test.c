/* Ranking of methods: by one figure and by none alone. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "compare/compare_impl.h"

static covey_compared_method method(const char *name, double ail, double error, double width, double attack)
{
    return (covey_compared_method){.method = name,
                                   .feasible = true,
                                   .query_error = error,
                                   .width = width,
                                   .attack = attack,
                                   .figures = {.ail = ail, .discernibility = 100 - ail},
                                   .seconds = error};
}

static void assert_order(const covey_compared_method *m, size_t n, const char *order)
{
    for (size_t i = 0; i < n; i++)
        if (m[i].method[0] != order[i])
            fail_msg("place %zu is %s's, not %c's", i, m[i].method, order[i]);
}

static void test_rank__puts_the_best_first_and_those_that_cannot_last(void **state)
{
    covey_compared_method m[] = {method("a", 0.5, 0.1, 3, 0.2), method("b", 0.2, 0.3, NAN, 0.2),
                                 method("c", 0.1, NAN, NAN, NAN), method("d", 0.2, 0.2, 2, 0.2)};

    (void)state;
    m[2].feasible = false;
    covey_i_compare_rank(m, 4, COVEY_COMPARE_AIL);
    assert_order(m, 4, "dbac"); /* equal losses: the smaller error */
    covey_i_compare_rank(m, 4, COVEY_COMPARE_QUERY_ERROR);
    assert_order(m, 4, "adbc");
    covey_i_compare_rank(m, 4, COVEY_COMPARE_WIDTH);
    assert_order(m, 4, "dabc"); /* no width is worse than any */
    covey_i_compare_rank(m, 4, COVEY_COMPARE_DISCERNIBILITY);
    assert_order(m, 4, "adbc");
    covey_i_compare_rank(m, 4, COVEY_COMPARE_ATTACK);
    assert_order(m, 4, "dbac"); /* equal: by loss, then by error */
}

static void test_rank__marks_what_no_other_one_beats(void **state)
{
    covey_compared_method m[] = {method("a", 0.1, 0.5, 3, 0.5), method("b", 0.2, 0.4, 3, 0.5),
                                 method("c", 0.2, 0.5, 3, 0.5), method("d", 0.9, 0.9, NAN, 0.1),
                                 method("e", 0.0, 0.0, 0, 0.0)};

    (void)state;
    m[4].feasible = false; /* it would beat them all */
    covey_i_compare_rank(m, 5, COVEY_COMPARE_AIL);
    assert_order(m, 5, "abcde");
    assert_true(m[0].pareto);
    assert_true(m[1].pareto);
    assert_false(m[2].pareto); /* a is better in one and nowhere worse */
    assert_true(m[3].pareto);  /* nobody does better against attacks */
    assert_false(m[4].pareto);
}

static void test_rank__lets_equals_stand_side_by_side(void **state)
{
    covey_compared_method m[] = {method("a", 0.1, 0.5, 3, 0.5), method("b", 0.1, 0.5, 3, 0.5)};

    (void)state;
    m[1].seconds = 0; /* time does not count */
    covey_i_compare_rank(m, 2, COVEY_COMPARE_AIL);
    assert_order(m, 2, "ab");
    assert_true(m[0].pareto && m[1].pareto);
}

static void test_variations__let_the_last_value_change_first(void **state)
{
    static const char *const text[] = {"k=3,5", "quasi=[a, b],c", "t=0.1,0.2,1/4"};
    covey_variations *v = NULL;

    (void)state;
    assert_int_equal(covey_variations_read(&v, text, 3, NULL), COVEY_OK);
    assert_int_equal(v->n_combinations, 12);
    assert_string_equal(covey_variations_value(v, 0, 1), "[a, b]");
    assert_string_equal(covey_variations_value(v, 7, 0), "5");
    assert_string_equal(covey_variations_value(v, 7, 1), "[a, b]");
    assert_string_equal(covey_variations_value(v, 7, 2), "0.2");
    assert_string_equal(covey_variations_value(v, 11, 2), "1/4");
    covey_variations_free(v);
    covey_variations_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank__puts_the_best_first_and_those_that_cannot_last),
        cmocka_unit_test(test_rank__marks_what_no_other_one_beats),
        cmocka_unit_test(test_rank__lets_equals_stand_side_by_side),
        cmocka_unit_test(test_variations__let_the_last_value_change_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
