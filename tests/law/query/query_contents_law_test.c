/* Equal rows of a perturbed release that stand together are counted as one: whatever is asked, the answers are those of
 * the same rows in any other order, of which none stand together, bit for bit. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "support/query/perturbed_world.h"
#include "support/release/random_release.h"
#include "query/perturbed/perturbed.h"

enum { N_ROUNDS = 60, N_QUERIES = 12 };

/* Fewer kinds of rows. */
static void coarsen(perturbed_world *w)
{
    for (int i = 0; i < w->n_rows; i++) {
        w->value[i][AGE] = w->value[i][AGE] == CONDITION_NULL ? CONDITION_NULL : w->value[i][AGE] / 3;
        w->value[i][CITY] = w->value[i][CITY] > 1;
        w->value[i][NOTE] = w->value[i][NOTE] == 1;
    }
}

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(int) * N_ATTRIBUTES);
}

/* What a row shows takes the place of its true pay, which queries do not see, and moves with it. */
static void sort_rows(perturbed_world *w)
{
    for (int i = 0; i < w->n_rows; i++)
        w->value[i][PAY] = w->shown[i];
    qsort(w->value, (size_t)w->n_rows, sizeof *w->value, compare_rows);
    for (int i = 0; i < w->n_rows; i++)
        w->shown[i] = w->value[i][PAY];
}

/* From sorted rows: those that stood together lie far from each other. */
static void scatter_rows(perturbed_world *w)
{
    perturbed_world old = *w;
    int at = 0;

    for (int first = 0; first < 11; first++)
        for (int i = first; i < w->n_rows; i += 11, at++) {
            memcpy(w->value[at], old.value[i], sizeof *w->value);
            w->shown[at] = old.shown[i];
        }
}

static bool is_joined(const covey_query_release *release)
{
    const covey_query_perturbed *p = release->state;

    return p->rows.weight != NULL;
}

static void assert_same_bits(const char *sql, double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%s: %.17g together, %.17g apart", sql, a, b);
}

static void assert_same_answer(const char *sql, const covey_query_answer *a, const covey_query_answer *b)
{
    assert_int_equal(a->lower.exists, b->lower.exists);
    assert_int_equal(a->upper.exists, b->upper.exists);
    assert_string_equal(a->lower.text, b->lower.text);
    assert_string_equal(a->upper.text, b->upper.text);
    assert_same_bits(sql, a->estimate, b->estimate);
    assert_same_bits(sql, a->standard_error, b->standard_error);
    assert_int_equal(a->interval.exists, b->interval.exists);
    assert_int_equal(a->interval.is_of_few, b->interval.is_of_few);
    if (a->interval.exists)
        assert_same_bits(sql, a->interval.clipped_low, b->interval.clipped_low);
}

static void compare_answers(const covey_query_release *together, const covey_query_release *apart, const char *sql,
                            bool shrink)
{
    const covey_query_options options = {.shrink = shrink};
    covey_query_result *a = NULL, *b = NULL;
    covey_error err;

    if (covey_query_run_with(&a, together, sql, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    assert_int_equal(covey_query_run_with(&b, apart, sql, &options, NULL, &err), COVEY_OK);
    assert_int_equal(a->n_groups, b->n_groups);
    for (size_t g = 0; g < a->n_groups; g++) {
        for (size_t k = 0; k < a->n_keys; k++)
            assert_true(a->group[g].key[k] && b->group[g].key[k] ? strcmp(a->group[g].key[k], b->group[g].key[k]) == 0
                                                                 : a->group[g].key[k] == b->group[g].key[k]);
        assert_int_equal(a->group[g].hits_lower, b->group[g].hits_lower);
        assert_int_equal(a->group[g].hits_upper, b->group[g].hits_upper);
        for (size_t i = 0; i < a->n_answers; i++)
            assert_same_answer(sql, &a->group[g].answer[i], &b->group[g].answer[i]);
    }
    covey_query_result_free(a);
    covey_query_result_free(b);
}

static void ask_both(const covey_query_release *together, const covey_query_release *apart, uint64_t *state)
{
    static const struct {
        const char *asked, *grouped;
    } of_all[] =
        {
            {"COUNT(*)", ""},
            {"COUNT(*)", " GROUP BY age"},
            {"COUNT(*)", " GROUP BY age, city"},
        },
      of_known[] = {
          {"COUNT(*), SUM(age), AVG(age), MIN(age), MAX(age)", ""},
          {"SUM(pay), AVG(pay), MIN(pay), MAX(pay)", ""},
          {"SUM(age), AVG(pay), MAX(age)", " GROUP BY city"},
      };

    for (int i = 0; i < N_QUERIES; i++) {
        const bool known = i % 2;
        const unsigned which = random_below(state, 3);
        random_condition condition;
        char sql[5000];

        condition_make(&condition, perturbed_attributes, known ? PAY : N_ATTRIBUTES, i % 4, state);
        snprintf(sql, sizeof sql, "SELECT %s WHERE %s%s", (known ? of_known : of_all)[which].asked, condition.sql,
                 (known ? of_known : of_all)[which].grouped);
        compare_answers(together, apart, sql, i % 3 == 0);
    }
    compare_answers(together, apart, "SELECT COUNT(*)", false);
}

static void test_query__equal_rows_are_counted_as_one(void **state)
{
    uint64_t seed = test_seed(3);

    for (int round = 0; round < N_ROUNDS; round++) {
        covey_query_release *together, *apart;
        perturbed_world w;
        release_folder r, s;

        perturbed_make(&w, 100 + (int)random_below(&seed, PERTURBED_MOST_ROWS - 100 + 1), &seed);
        coarsen(&w);
        perturbed_randomize(&w, &seed);
        sort_rows(&w);
        together = perturbed_open(&r, &w);
        scatter_rows(&w);
        apart = perturbed_open(&s, &w);
        assert_true(is_joined(together) && !is_joined(apart));
        ask_both(together, apart, &seed);
        covey_query_close(together);
        covey_query_close(apart);
        release_end(&r);
        release_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__equal_rows_are_counted_as_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
