#include "test.h"

#include "model/model_impl.h"

static const covey_model high_is_safe = {.figure_high_is_safe = true};
static const covey_model low_is_safe = {.figure_high_is_safe = false};

static void the_smallest_k_is_the_worst(void **unused)
{
    covey_figure worst = covey_i_figure_integer(5), other = covey_i_figure_integer(3);

    covey_i_figure_combine(&high_is_safe, &worst, &other);
    assert_int_equal(worst.integer, 3);
    other = covey_i_figure_integer(4);
    covey_i_figure_combine(&high_is_safe, &worst, &other);
    assert_int_equal(worst.integer, 3);
}

static void the_largest_gain_is_the_worst_even_if_doubles_cannot_tell(void **unused)
{
    const covey_i128 big = (covey_i128)1 << 100;
    covey_figure worst = covey_i_figure_fraction(big, big - 1), other = covey_i_figure_fraction(big - 1, big - 2);

    assert_true(worst.real == other.real);
    covey_i_figure_combine(&low_is_safe, &worst, &other);
    assert_true(worst.fraction.num == big - 1);
}

static void an_infinite_figure_is_the_largest(void **unused)
{
    covey_figure worst = covey_i_figure_real(1e300), other = covey_i_figure_infinite(COVEY_FIGURE_REAL);

    covey_i_figure_combine(&low_is_safe, &worst, &other);
    assert_true(worst.infinite);
    other = covey_i_figure_real(2);
    covey_i_figure_combine(&low_is_safe, &worst, &other);
    assert_true(worst.infinite);
    covey_i_figure_combine(&high_is_safe, &worst, &other);
    assert_false(worst.infinite);
}

static void figures_print_as_integers_fractions_and_decimals(void **unused)
{
    char text[96];
    covey_figure figure = covey_i_figure_integer(12);

    covey_i_figure_text(text, sizeof text, &figure);
    assert_string_equal(text, "12");
    figure = covey_i_figure_fraction(158, 40);
    covey_i_figure_text(text, sizeof text, &figure);
    assert_string_equal(text, "79/20");
    figure = covey_i_figure_real(1.889881574842);
    covey_i_figure_text(text, sizeof text, &figure);
    assert_string_equal(text, "1.88988");
    figure = covey_i_figure_infinite(COVEY_FIGURE_FRACTION);
    covey_i_figure_text(text, sizeof text, &figure);
    assert_string_equal(text, "inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_k_is_the_worst),
        cmocka_unit_test(the_largest_gain_is_the_worst_even_if_doubles_cannot_tell),
        cmocka_unit_test(an_infinite_figure_is_the_largest),
        cmocka_unit_test(figures_print_as_integers_fractions_and_decimals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
