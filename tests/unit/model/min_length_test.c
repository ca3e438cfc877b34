#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"

enum { N = 5 };

struct fixture {
    covey_arena arena;
    const covey_column *quasi[2];
    covey_model_input input;
    judge j;
};

/* zip (text) and age: null, 20, 22.5, 30, 60 */
static void set_up(struct fixture *f, const char *attribute)
{
    covey_column *age;

    *f = (struct fixture){.arena = COVEY_ARENA_INIT};
    age = judge_numbers("age", (int64_t[]){0, 200, 225, 300, 600}, 1, N, &f->arena);
    age->has_null = true;
    f->quasi[0] = judge_texts("zip", (const char *[]){"476", "479"}, 2, &f->arena);
    f->quasi[1] = age;
    f->input = (covey_model_input){.quasi = f->quasi, .n_quasi = 2, .attribute = attribute};
}

static void tear_down(struct fixture *f)
{
    judge_clear(&f->j);
    covey_arena_free(&f->arena);
}

static bool admits(struct fixture *f, uint32_t low, uint32_t high)
{
    const uint32_t lows[] = {0, low}, highs[] = {1, high};
    const covey_group group = {.size = 5, .low = lows, .high = highs};

    return f->j.model->admits(f->j.state, &group);
}

static void ranges_must_be_as_long_as_promised(void **unused)
{
    struct fixture f;

    set_up(&f, "age");
    judge_init(&f.j, "min-length", "length=7.5", (int64_t[]){1}, 1, &f.input);
    assert_true(admits(&f, 2, 3)); /* 22.5 .. 30 */
    assert_false(admits(&f, 1, 2));
    assert_false(admits(&f, 4, 4));
    assert_int_equal(f.j.model->min_size(f.j.state), 2);
    tear_down(&f);
}

static void missing_cells_beside_numbers_publish_no_range(void **unused)
{
    struct fixture f;

    set_up(&f, "age");
    judge_init(&f.j, "min-length", "length=40", (int64_t[]){1}, 1, &f.input);
    assert_true(admits(&f, 0, 1));
    assert_false(admits(&f, 0, 0));
    tear_down(&f);
}

static void without_ranges_there_is_nothing_to_judge(void **unused)
{
    const covey_group group = {.size = 5};
    covey_figure figure;
    struct fixture f;

    set_up(&f, "age");
    judge_init(&f.j, "min-length", "length=40", (int64_t[]){1}, 1, &f.input);
    assert_true(f.j.model->admits(f.j.state, &group));
    f.j.model->figure(&figure, f.j.state, &group);
    assert_true(figure.infinite);
    tear_down(&f);
}

static void the_figure_is_the_width_in_the_attributes_unit(void **unused)
{
    const uint32_t low[] = {0, 1}, high[] = {1, 2};
    const covey_group group = {.size = 5, .low = low, .high = high};
    covey_figure figure;
    char text[96];
    struct fixture f;

    set_up(&f, "age");
    judge_init(&f.j, "min-length", "length=1", (int64_t[]){1}, 1, &f.input);
    f.j.model->figure(&figure, f.j.state, &group);
    covey_i_figure_text(text, sizeof text, &figure);
    assert_string_equal(text, "5/2");
    tear_down(&f);
}

static void a_domain_that_is_too_short_is_hopeless(void **unused)
{
    const uint32_t low[] = {0, 1}, high[] = {1, 4};
    const covey_group whole = {.size = 5, .low = low, .high = high};
    covey_nearest nearest = {.n = 0};
    struct fixture f;

    set_up(&f, "age");
    judge_init(&f.j, "min-length", "length=41", (int64_t[]){1}, 1, &f.input);
    assert_true(f.j.model->hopeless(&nearest, f.j.state, &whole));
    assert_string_equal(nearest.why, "the values of \"age\" span 40: length can be 40 at most");
    tear_down(&f);
}

static void only_a_numeric_quasi_identifier_in_order_has_lengths(void **unused)
{
    static const char *const attributes[] = {NULL, "salary", "zip"};
    static const char *const messages[] = {"no attribute is given", "\"salary\" is not a quasi-identifier",
                                           "column \"zip\" is text"};
    covey_error err = {0};
    struct fixture f;

    for (int i = 0; i < 3; i++) {
        set_up(&f, attributes[i]);
        assert_int_equal(judge_new(&f.j, "min-length", "length=1", (int64_t[]){1}, 1, &f.input, &err), COVEY_EINVAL);
        assert_non_null(strstr(err.message, messages[i]));
        tear_down(&f);
    }
    set_up(&f, "age");
    f.quasi[1] = judge_numbers("age", (int64_t[]){30, 20, 40}, 0, 3, &f.arena);
    assert_int_equal(judge_new(&f.j, "min-length", "length=1", (int64_t[]){1}, 1, &f.input, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "does not keep its numbers in order"));
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_must_be_as_long_as_promised),
        cmocka_unit_test(missing_cells_beside_numbers_publish_no_range),
        cmocka_unit_test(without_ranges_there_is_nothing_to_judge),
        cmocka_unit_test(the_figure_is_the_width_in_the_attributes_unit),
        cmocka_unit_test(a_domain_that_is_too_short_is_hopeless),
        cmocka_unit_test(only_a_numeric_quasi_identifier_in_order_has_lengths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
