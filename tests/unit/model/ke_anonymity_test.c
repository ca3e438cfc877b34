#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"

/* Salaries in thousands with one digit: null, 0.5, 20, 30.5, 80 */
enum { N = 5 };
static const int64_t tenths[] = {0, 5, 200, 305, 800}, table[] = {0, 2, 2, 2, 2};

static covey_model_input salaries(covey_arena *arena)
{
    covey_column *column = judge_numbers("salary", tenths, 1, N, arena);

    column->has_null = true;
    return (covey_model_input){.sensitive = column, .has_order = true};
}

static void a_class_needs_k_values_that_span_e(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input input = salaries(&arena);
    judge j;

    judge_init(&j, "ke-anonymity", "k=2,e=10.5", table, N, &input);
    assert_true(judge_admits(&j, (int64_t[]){0, 0, 1, 1, 0})); /* 30.5 - 20 */
    assert_false(judge_admits(&j, (int64_t[]){0, 0, 5, 0, 0}));
    judge_clear(&j);
    judge_init(&j, "ke-anonymity", "k=2,e=10.500000000000001", table, N, &input);
    assert_false(judge_admits(&j, (int64_t[]){0, 0, 1, 1, 0}));
    judge_clear(&j);
    judge_init(&j, "ke-anonymity", "k=3,e=0", table, N, &input);
    assert_false(judge_admits(&j, (int64_t[]){0, 3, 0, 0, 3}));
    assert_true(judge_admits(&j, (int64_t[]){0, 1, 1, 1, 0}));
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void a_missing_value_is_no_number(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input input = salaries(&arena);
    judge j;

    judge_init(&j, "ke-anonymity", "k=2,e=0", table, N, &input);
    assert_false(judge_admits(&j, (int64_t[]){7, 0, 1, 0, 0}));
    assert_true(judge_admits(&j, (int64_t[]){7, 0, 1, 1, 0}));
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void the_figure_is_both_smallest(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input input = salaries(&arena);
    covey_figure worst, other;
    char text[96];
    judge j;

    judge_init(&j, "ke-anonymity", "k=1,e=0", table, N, &input);
    worst = judge_figure(&j, (int64_t[]){0, 1, 0, 0, 1}); /* 2, 79.5 */
    other = judge_figure(&j, (int64_t[]){0, 1, 1, 1, 0}); /* 3, 30 */
    assert_int_equal(worst.kind, COVEY_FIGURE_KE);
    covey_i_figure_combine(j.model, &worst, &other);
    assert_int_equal(worst.integer, 2);
    assert_true(worst.real == 2);
    covey_i_fraction_text(text, sizeof text, worst.fraction);
    assert_string_equal(text, "30");
    covey_i_figure_text(text, sizeof text, &worst);
    assert_string_equal(text, "2");
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void what_the_table_cannot_keep_is_said(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input input = salaries(&arena);
    covey_group whole = {.size = 8};
    covey_nearest nearest = {.n = 0};
    judge j;

    judge_init(&j, "ke-anonymity", "k=5,e=0", table, N, &input);
    whole.counts = &j.prior;
    assert_true(j.model->hopeless(&nearest, j.state, &whole));
    assert_string_equal(nearest.why, "only 4 different numbers occur: k can be 4 at most");
    judge_clear(&j);
    judge_init(&j, "ke-anonymity", "k=2,e=80", table, N, &input);
    whole.counts = &j.prior;
    nearest = (covey_nearest){.n = 0};
    assert_true(j.model->hopeless(&nearest, j.state, &whole));
    assert_string_equal(nearest.why, "the numbers of the whole table span 159/2: e can be 159/2 at most");
    judge_clear(&j);
    judge_init(&j, "ke-anonymity", "k=2,e=79.5", table, N, &input);
    whole.counts = &j.prior;
    assert_false(j.model->hopeless(&nearest, j.state, &whole));
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void text_has_no_range(void **unused)
{
    covey_error err = {0};
    judge j;

    assert_int_equal(judge_new(&j, "ke-anonymity", "k=2,e=1", table, N, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "must be a number"));
    judge_clear(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_needs_k_values_that_span_e),
        cmocka_unit_test(a_missing_value_is_no_number),
        cmocka_unit_test(the_figure_is_both_smallest),
        cmocka_unit_test(what_the_table_cannot_keep_is_said),
        cmocka_unit_test(text_has_no_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
