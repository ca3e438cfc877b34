/* Where attributes may be cut: every way to say it, what is left out with a warning, and the budget. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "support/problem/problem_maker.h"
#include "method/splits/splits.h"

enum { ROWS = 10 };

/* Sorted: 1 1 1 2 3 5 8 8 9 9, in the domain 0 .. 10. */
static const uint32_t ages[ROWS] = {8, 1, 9, 1, 3, 1, 2, 9, 5, 8};

static void set_up_with(problem_maker *m, const uint32_t *codes, bool has_null)
{
    maker_init(m, ROWS);
    maker_add_range(m, "age", codes, 11, has_null, NULL);
    maker_add_tree(m, "job", (const uint32_t[ROWS]){0, 1, 2, 3, 4, 5, 6, 7, 0, 1}, 8, false, 2);
    maker_promise(m, "k-anonymity", "k=1", -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

static void set_up(problem_maker *m)
{
    set_up_with(m, ages, false);
}

struct heard {
    char text[512];
};

static void hear(void *context, const char *message)
{
    struct heard *heard = context;

    snprintf(heard->text + strlen(heard->text), sizeof heard->text - strlen(heard->text), "%s\n", message);
}

/* The thresholds of the first attribute, as text; warnings in heard. */
static void expect(const char *wish, const char *expected, const char *warnings)
{
    struct heard heard = {""};
    const covey_run run = {.warn = hear, .context = &heard};
    char text[512] = "", param[128];
    covey_axis_splits *splits;
    problem_maker m;
    covey_error err;

    set_up(&m);
    snprintf(param, sizeof param, "{age: %s}", wish);
    if (covey_i_splits_read(&splits, &m.problem, param, 0, "test", &m.arena, &run, &err) != COVEY_OK)
        snprintf(text, sizeof text, "%.500s", err.message);
    else
        for (uint32_t i = 0; i < splits[0].n; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", i ? " " : "",
                     covey_i_fraction_value(splits[0].threshold[i]));
    assert_string_equal(text, expected);
    assert_string_equal(heard.text, warnings);
    maker_clear(&m);
}

static void every_way_to_name_splits(void **state)
{
    expect("distinct", "0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5",
           "");                                /* of the dictionary, which here holds values that no row has */
    expect("quantile:1", "3", "");             /* row 5 of 10 */
    expect("\"quantile:3\"", "1 3 8", "");     /* rows 3, 5, 8 */
    expect("\"quantile:9\"", "1 2 3 5 8", ""); /* 1 1 1 2 3 5 8 8 9: each once, never the maximum */
    expect("\"width:4\"", "2 4 6 8", "");
    expect("\"width:2\"", "3.33333 6.66667", "");
    expect("\"step:3\"", "0 3 6 9", "");
    expect("\"step:2.5\"", "0 2.5 5 7.5", "");
    expect("\"step:20\"", "0", "");
    expect("[2, 4.5, 19/2]", "2 4.5 9.5", "");
    expect("\"list:2,4.5, 7\"", "2 4.5 7", "");
    expect("none", "", "");
    expect("[]", "", "");
}

static void what_is_wrong_with_a_list_is_mended_and_said(void **state)
{
    expect("[7, 2, 4]", "2 4 7", "test: splits: column \"age\": 1 split stands behind a larger one: they are sorted\n");
    expect("[2, 4, 2, 4, 4]", "2 4",
           "test: splits: column \"age\": 1 split stands behind a larger one: they are sorted\n"
           "test: splits: column \"age\": 3 splits stand there twice\n");
    expect("[-1, 0, 10, 11]", "0", "test: splits: column \"age\": 3 splits lie outside the domain and are left out\n");
}

static void what_cannot_be_understood_is_refused(void **state)
{
    expect("[soon]", "test: age: \"soon\" is not a number: write digits, such as 0.25, or a fraction, such as 1/3", "");
    expect("[nan]", "test: age: \"nan\" is not a number: write digits, such as 0.25, or a fraction, such as 1/3", "");
    expect("\"list:3,inf\"",
           "test: age: \"inf\" is not a number: write digits, such as 0.25, or a fraction, such as 1/3", "");
    expect("[[1]]", "test: splits: age must be a list of values such as [20, 25]", "");
    expect("\"quantile:0\"", "test: splits: age: \"quantile:0\" must name a number of splits from 1 to 30000", "");
    expect("\"width:1.5\"", "test: splits: age: \"width:1.5\" must name a number of splits from 1 to 30000", "");
    expect("\"step:0\"", "test: splits: age: a step must be positive, not \"0\"", "");
    expect("siblings", "test: splits: column \"age\" has no hierarchy, so it has no siblings; use \"distinct\"", "");
    expect("{a: 1}", "test: splits: age must be a list of values or a word such as \"quantile:9\"", "");
}

static void a_value_at_a_threshold_goes_left(void **state)
{
    covey_axis_splits *splits;
    problem_maker m;

    set_up(&m);
    assert_int_equal(covey_i_splits_read(&splits, &m.problem, "{age: [3, 4.5]}", 0, "test", &m.arena, NULL, NULL),
                     COVEY_OK);
    assert_int_equal(splits[0].n_left[0], 4); /* the values 0 to 3 */
    assert_int_equal(splits[0].n_left[1], 5);
    maker_clear(&m);
}

/* The leaves of a tree of pairs: between siblings only where the lowest node over all that is there is parted. */
static void sets_of_siblings(void **state)
{
    covey_axis_splits *splits;
    problem_maker m;

    set_up(&m);
    assert_int_equal(
        covey_i_splits_read(&splits, &m.problem, "{age: none, job: siblings}", 0, "test", &m.arena, NULL, NULL),
        COVEY_OK);
    assert_int_equal(splits[1].n, 7);
    for (uint32_t s = 0; s < 7; s++) {
        assert_int_equal(covey_i_splits_allow(&splits[1], 0, 7, s), s == 3);
        if (s < 3)
            assert_int_equal(covey_i_splits_allow(&splits[1], 0, 3, s), s == 1);
        if (s > 3)
            assert_int_equal(covey_i_splits_allow(&splits[1], 4, 7, s), s == 5);
    }
    assert_true(covey_i_splits_allow(&splits[1], 2, 3, 2));
    assert_true(covey_i_splits_allow(&splits[1], 1, 2, 1)); /* what is left of both sides */
    assert_int_equal(covey_i_splits_read(&splits, &m.problem, "{job: anywhere}", 0, "test", &m.arena, NULL, NULL),
                     COVEY_OK);
    for (uint32_t s = 0; s < 7; s++)
        assert_true(covey_i_splits_allow(&splits[1], 0, 7, s));
    assert_int_equal(covey_i_splits_read(&splits, &m.problem, NULL, 0, "test", &m.arena, NULL, NULL), COVEY_OK);
    assert_true(splits[1].siblings && !splits[0].siblings); /* the default */
    maker_clear(&m);
}

/* Missing cells stand before all values, apart from them. */
static void missing_cells_are_apart(void **state)
{
    static const uint32_t codes[ROWS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    covey_axis_splits *splits;
    problem_maker m;

    set_up_with(&m, codes, true);
    assert_int_equal(covey_i_splits_read(&splits, &m.problem, "{age: [5]}", 0, "test", &m.arena, NULL, NULL), COVEY_OK);
    assert_int_equal(splits[0].n, 2);
    assert_int_equal(splits[0].n_left[0], 1);
    maker_clear(&m);
}

/* Eight values of a, most rows at one of them; two of b; one of c. */
static void a_budget_goes_where_rows_can_be_parted(void **state)
{
    static const uint32_t a[ROWS] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, b[ROWS] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
                          c[ROWS] = {0};
    static const struct {
        int64_t budget;
        uint32_t n[3];
    } expected[] = {
        {1, {1, 1, 0}}, /* one each, where there is one, even if that is more */
        {2, {1, 1, 0}}, {3, {2, 1, 0}}, {5, {4, 1, 0}}, {100, {4, 1, 0}},
    };
    problem_maker m;

    maker_init(&m, ROWS);
    maker_add_range(&m, "a", a, 5, false, NULL);
    maker_add_range(&m, "b", b, 2, false, NULL);
    maker_add_range(&m, "c", c, 1, false, NULL);
    maker_promise(&m, "k-anonymity", "k=1", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        covey_axis_splits *splits;

        assert_int_equal(
            covey_i_splits_read(&splits, &m.problem, NULL, expected[i].budget, "test", &m.arena, NULL, NULL), COVEY_OK);
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(splits[axis].n, expected[i].n[axis]);
    }
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_name_splits),
        cmocka_unit_test(what_is_wrong_with_a_list_is_mended_and_said),
        cmocka_unit_test(what_cannot_be_understood_is_refused),
        cmocka_unit_test(a_value_at_a_threshold_goes_left),
        cmocka_unit_test(sets_of_siblings),
        cmocka_unit_test(missing_cells_are_apart),
        cmocka_unit_test(a_budget_goes_where_rows_can_be_parted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
