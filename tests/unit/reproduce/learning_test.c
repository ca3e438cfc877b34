#include "test.h"

#include "reproduce/slicing/learning.h"

enum { ROWS = 60 };

/* Rows 0, 1, 2, ...: a category of three, a number of ten, and what is to be guessed: 1 where the number is above 3 and
 * the category is not 2. */
static void make(covey_lesson *l, uint32_t code[3][ROWS])
{
    *l = (covey_lesson){.n = ROWS,
                        .n_attributes = 3,
                        .code = {code[0], code[1], code[2]},
                        .n_codes = {3, 10, 2},
                        .is_ordered = {false, true, false}};
    for (uint32_t i = 0; i < ROWS; i++) {
        code[0][i] = i % 3;
        code[1][i] = i / 6;
        code[2][i] = code[1][i] > 3 && code[0][i] != 2;
    }
}

static void a_tree_finds_thresholds_and_branches(void **state)
{
    uint32_t code[3][ROWS];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_lesson lesson;
    double share;

    make(&lesson, code);
    assert_int_equal(covey_i_learn_tree(&share, &lesson, &lesson, 2, &arena, NULL), COVEY_OK);
    assert_true(share == 1);
    lesson.code[2] = (uint32_t[ROWS]){0}; /* one value: a leaf */
    assert_int_equal(covey_i_learn_tree(&share, &lesson, &lesson, 2, &arena, NULL), COVEY_OK);
    assert_true(share == 1);
    covey_arena_free(&arena);
}

static void a_tree_that_has_learned_noise_is_a_leaf(void **state)
{
    static uint32_t noise[600], class[600];
    covey_lesson lesson = {.n = 600, .n_attributes = 2, .code = {noise, class}, .n_codes = {2, 2}};
    covey_arena arena = COVEY_ARENA_INIT;
    double share;

    for (uint32_t i = 0; i < 600; i++) { /* a third is 1, whatever the attribute says */
        noise[i] = i / 3 % 2;
        class[i] = i % 3 == 0;
    }
    assert_int_equal(covey_i_learn_tree(&share, &lesson, &lesson, 1, &arena, NULL), COVEY_OK);
    assert_true(share == 400.0 / 600);
    covey_arena_free(&arena);
}

static void naive_bayes_multiplies_what_counts_say(void **state)
{
    uint32_t code[3][ROWS];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_lesson_counts counts;
    covey_lesson lesson;
    double share;

    make(&lesson, code);
    assert_int_equal(covey_i_lesson_count(&counts, &lesson, 2, &arena, NULL), COVEY_OK);
    assert_true(counts.rows[0] == 36 && counts.rows[1] == 24);
    assert_true(counts.pair[0][2 * 2 + 0] == 20 && counts.pair[0][2 * 2 + 1] == 0);
    assert_true(counts.pair[1][3 * 2 + 0] == 6 && counts.pair[1][4 * 2 + 0] == 2 && counts.pair[1][4 * 2 + 1] == 4);
    assert_null(counts.pair[2]);
    /* Number above 3, category 0: 36 * 2/36 * 8/36 < 24 * 4/24 * 12/24; all rows are guessed. */
    assert_int_equal(covey_i_learn_bayes(&share, &counts, &lesson, &arena, NULL), COVEY_OK);
    assert_true(share == 1);
    counts.pair[0][2 * 2 + 1] =
        1000; /* now category 2 speaks for 1 where the number allows it: 6 numbers, 2 rows each */
    assert_int_equal(covey_i_learn_bayes(&share, &counts, &lesson, &arena, NULL), COVEY_OK);
    assert_true(share == (ROWS - 12.0) / ROWS);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_finds_thresholds_and_branches),
        cmocka_unit_test(a_tree_that_has_learned_noise_is_a_leaf),
        cmocka_unit_test(naive_bayes_multiplies_what_counts_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
