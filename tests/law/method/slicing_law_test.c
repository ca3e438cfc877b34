/* What every sliced release owes: nothing of a row is lost or added, nothing tells how pieces go together, and nobody's
 * sensitive value follows with a probability above 1/l, also where columns overlap. */
#include "test.h"

#include "support/release/sliced_check.h"
#include "support/release/sliced_table.h"

enum { ROUNDS = 400 };

static void no_value_follows_with_more_than_one_in_l(void **state)
{
    static const char *const ls[] = {"1", "1.5", "2", "5/2", "3"};
    static const double l_value[] = {1, 1.5, 2, 2.5, 3};
    static char one[1 << 16], two[1 << 16];
    uint64_t seed = test_seed(11);
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const char *params = sliced_options[round % SLICED_N_OPTIONS];
        const uint32_t which = maker_below(&seed, 5);
        uint32_t order[SLICED_MOST_ROWS];
        covey_release *release, *again;
        problem_maker m, shuffled;
        sliced_table t;

        sliced_random(&t, &seed);
        for (uint32_t i = 0; i < t.n; i++)
            order[i] = t.n - 1 - i;
        sliced_make(&m, &t, ls[which], NULL);
        sliced_make(&shuffled, &t, ls[which], order);
        if (sliced_solve(&release, &m, params, NULL, 1, 7) == COVEY_OK) {
            n_made++;
            sliced_check_structure(release, &m.problem);
            sliced_check_posteriors(release, &m.problem, t.n_dims, l_value[which]);
            assert_int_equal(sliced_solve(&again, &shuffled, params, NULL, 2, 7), COVEY_OK);
            sliced_print(one, sizeof one, release, &m.problem);
            sliced_print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two); /* neither order of rows nor threads show */
            covey_release_free(again);
        }
        covey_release_free(release);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    assert_true(test_is_enough(n_made > ROUNDS / 4));
}

static void overlapping_columns_are_joined_where_copies_agree(void **state)
{
    static const char *const columns[] = {"[[a, b], [b, s]]", "[[a, b], [b, c], [c, s]]", "[[a, b, c], [b, c, s]]"};
    uint64_t seed = test_seed(23);
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t which = round % 3;
        covey_release *release;
        problem_maker m;
        sliced_table t;

        do
            sliced_random(&t, &seed);
        while (t.n_dims != (which == 0 ? 2 : 3));
        if (round % 2) /* else hardly any is feasible */
            for (uint32_t r = 0; r < t.n; r++)
                t.code[1][r] = t.code[t.n_dims - 1][r] = 0;
        sliced_make(&m, &t, "1.5", NULL);
        if (sliced_solve(&release, &m, "", columns[which], 1, 7) == COVEY_OK) {
            n_made++;
            sliced_check_structure(release, &m.problem);
            sliced_check_posteriors(release, &m.problem, t.n_dims, 1.5);
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(test_is_enough(n_made > 20));
}

/* Pieces of several columns with the sensitive value join where it agrees, too. */
static void a_sensitive_value_in_several_columns_is_joined(void **state)
{
    static const char *const columns[] = {"[[a, s], [b, s]]", "[[a, s], [b, s], [c, s]]", "[[a, b, s], [b, c, s]]",
                                          "[[a, b], [b, s], [c, s]]"};
    static const char *const ways[] = {"", "cut=relaxed", "buckets=random,bucket-size=6", "anatomize=false"};
    static char one[1 << 16], two[1 << 16];
    unsigned n_made = 0, n_cut = 0;
    uint64_t seed = test_seed(29);

    for (int round = 0; round < 4 * ROUNDS; round++) {
        const uint32_t which = round % 4;
        covey_release *release, *again = NULL;
        problem_maker m, shuffled;
        uint32_t order[SLICED_MOST_ROWS];
        covey_status status;
        sliced_table t;

        do
            sliced_random(&t, &seed);
        while (t.n_dims != (which == 0 ? 2 : 3) || t.n < 8);
        for (uint32_t r = 0; r < t.n; r++) { /* else hardly any is feasible */
            order[r] = t.n - 1 - r;
            for (uint32_t d = 0; d < t.n_dims; d++)
                t.code[d][r] /= d == (uint32_t)round % 3 ? SLICED_MOST_VALUES : 2;
            t.code[t.n_dims][r] %= 2 + round % 2;
        }
        sliced_make(&m, &t, "1.25", NULL);
        sliced_make(&shuffled, &t, "1.25", order);
        status = sliced_solve(&release, &m, ways[round / 4 % 4], columns[which], 1, 7);
        assert_int_equal(sliced_solve(&again, &shuffled, ways[round / 4 % 4], columns[which], 2, 7), status);
        if (status == COVEY_OK) {
            n_made++;
            n_cut += release->n_classes > 1;
            sliced_check_structure(release, &m.problem);
            sliced_check_posteriors(release, &m.problem, t.n_dims, 1.25);
            sliced_print(one, sizeof one, release, &m.problem);
            sliced_print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two);
        } else {
            assert_int_equal(status, COVEY_EINFEASIBLE);
        }
        covey_release_free(release);
        covey_release_free(again);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    if (!test_is_enough(n_made >= 100 && n_cut >= 30))
        fail_msg("%u made, %u of them cut", n_made, n_cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_follows_with_more_than_one_in_l),
        cmocka_unit_test(overlapping_columns_are_joined_where_copies_agree),
        cmocka_unit_test(a_sensitive_value_in_several_columns_is_joined),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
