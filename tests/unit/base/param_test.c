/* Parameters by name, and names that look like a slip. */
#include "test.h"

#include <string.h>

#include <covey/base.h>

static const char *const names[] = {"input", "attributes", "privacy", "method", "enhanced-beta-likeness"};

static const char *nearest(const char *word)
{
    return covey_nearest_name(word, names, sizeof names / sizeof *names);
}

static void a_name_with_a_third_of_its_letters_wrong_is_a_slip(void **state)
{
    assert_string_equal(nearest("inpt"), "input");
    assert_string_equal(nearest("inputs"), "input");
    assert_string_equal(nearest("methud"), "method");
    assert_string_equal(nearest("enhanced-beta-likenes"), "enhanced-beta-likeness");
    assert_null(nearest("output"));
    assert_null(nearest(""));
}

static void neighbours_that_changed_places_are_one_letter_wrong(void **state)
{
    assert_string_equal(nearest("inptu"), "input");
    assert_string_equal(nearest("mehtod"), "method");
    assert_null(nearest("iptnu"));
}

static void the_beginning_of_a_name_is_enough(void **state)
{
    assert_string_equal(nearest("enhanced"), "enhanced-beta-likeness");
    assert_null(nearest("en"));
}

struct params {
    int64_t k;
    covey_ratio t;
    bool strict;
    int distance;
};

static const char *const distances[] = {"equal", "ordered", NULL};
static const covey_param list[] = {
    {.name = "k", .type = COVEY_PARAM_INTEGER, .offset = offsetof(struct params, k), .minimum = "1"},
    {.name = "t",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct params, t),
     .minimum = "0",
     .minimum_open = true,
     .maximum = "1"},
    {.name = "strict", .type = COVEY_PARAM_BOOL, .offset = offsetof(struct params, strict)},
    {.name = "distance",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct params, distance),
     .fallback = "ordered",
     .choices = distances},
};
enum { N = sizeof list / sizeof *list };

static void values_are_set_by_name(void **state)
{
    struct params p = {0};

    assert_int_equal(covey_param_defaults(&p, list, N, NULL), COVEY_OK);
    assert_int_equal(p.distance, 1);
    assert_int_equal(p.t.den, 1);
    assert_int_equal(covey_param_set(&p, list, N, "model m", "k", "5.0", NULL), COVEY_OK);
    assert_int_equal(covey_param_set(&p, list, N, "model m", "t", "2/6", NULL), COVEY_OK);
    assert_int_equal(covey_param_set(&p, list, N, "model m", "strict", "yes", NULL), COVEY_OK);
    assert_int_equal(covey_param_set(&p, list, N, "model m", "distance", "equal", NULL), COVEY_OK);
    assert_int_equal(p.k, 5);
    assert_int_equal(p.t.num, 1);
    assert_int_equal(p.t.den, 3);
    assert_true(p.strict);
    assert_int_equal(p.distance, 0);
}

static void refuse(const char *name, const char *text, const char *message)
{
    struct params p = {0};
    covey_error err;

    assert_int_equal(covey_param_set(&p, list, N, "model m", name, text, &err), COVEY_EINVAL);
    assert_string_equal(err.message, message);
}

static void what_is_wrong_with_a_value_is_said(void **state)
{
    refuse("k", "0", "model m: k must be at least 1, not 0");
    refuse("k", "1.5", "model m: k must be a whole number, not \"1.5\"");
    refuse("t", "0", "model m: t must be greater than 0, not 0");
    refuse("t", "1.01", "model m: t must be at most 1, not 1.01");
    refuse("t", "nan",
           "model m: t must be a decimal number or a fraction such as 0.2 or 5/3 of at most 18 digits, not \"nan\"");
    refuse("t", "9999999999999999999",
           "model m: t must be a decimal number or a fraction such as 0.2 or 5/3 of at most 18 digits, not "
           "\"9999999999999999999\"");
    refuse("strict", "maybe", "model m: strict must be true or false, not \"maybe\"");
    refuse("distance", "oredred",
           "model m: distance must be one of equal, ordered, not \"oredred\"; did you mean \"ordered\"?");
    refuse("distance", "kl", "model m: distance must be one of equal, ordered, not \"kl\"");
    refuse("distanse", "equal", "model m has no parameter \"distanse\"; did you mean \"distance\"?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_with_a_third_of_its_letters_wrong_is_a_slip),
        cmocka_unit_test(neighbours_that_changed_places_are_one_letter_wrong),
        cmocka_unit_test(the_beginning_of_a_name_is_enough),
        cmocka_unit_test(values_are_set_by_name),
        cmocka_unit_test(what_is_wrong_with_a_value_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
