/* The l-diversities, (alpha, k)-anonymity and p-sensitive k-anonymity. */
#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"

/* Nine patients in three classes: five with a heart disease, three with cancer, one with flu. */
static const int64_t patients[] = {5, 3, 1};
static const int64_t class_1[] = {3, 0, 0}, class_2[] = {1, 1, 1}, class_3[] = {1, 2, 0};

static void the_worked_example_has_the_published_figures(void **unused)
{
    judge j;

    judge_init(&j, "k-anonymity", "k=3", patients, 3, NULL);
    assert_true(judge_admits(&j, class_1));
    judge_clear(&j);
    judge_init(&j, "distinct-l-diversity", "l=1", patients, 3, NULL);
    assert_string_equal(judge_figure_text(&j, class_1), "1");
    assert_string_equal(judge_figure_text(&j, class_2), "3");
    judge_clear(&j);
    judge_init(&j, "entropy-l-diversity", "l=1", patients, 3, NULL);
    assert_string_equal(judge_figure_text(&j, class_1), "1");
    assert_string_equal(judge_figure_text(&j, class_2), "3");
    assert_string_equal(judge_figure_text(&j, class_3), "1.88988");
    judge_clear(&j);
    judge_init(&j, "t-closeness", "t=4/9", patients, 3, NULL);
    assert_string_equal(judge_figure_text(&j, class_1), "4/9");
    assert_true(judge_admits(&j, class_1) && judge_admits(&j, class_2) && judge_admits(&j, class_3));
    judge_clear(&j);
    judge_init(&j, "basic-beta-likeness", "beta=2", patients, 3, NULL);
    assert_string_equal(judge_figure_text(&j, class_2), "2");
    assert_true(judge_admits(&j, class_1) && judge_admits(&j, class_2) && judge_admits(&j, class_3));
    judge_clear(&j);
}

static void distinct_l_counts_values(void **unused)
{
    judge j;

    judge_init(&j, "distinct-l-diversity", "l=2", patients, 3, NULL);
    assert_false(judge_admits(&j, class_1));
    assert_true(judge_admits(&j, class_3));
    assert_int_equal(j.model->min_size(j.state), 2);
    judge_clear(&j);
}

static void probabilistic_l_bounds_the_largest_share_exactly(void **unused)
{
    judge j;
    int64_t cap[] = {7, 7, 1}, need[] = {0, 0, 0};

    judge_init(&j, "probabilistic-l-diversity", "l=1.5", patients, 3, NULL);
    assert_true(judge_admits(&j, class_3)); /* 2 of 3 */
    assert_false(judge_admits(&j, (int64_t[]){5, 2, 0}));
    assert_string_equal(judge_figure_text(&j, class_3), "3/2");
    assert_int_equal(j.model->min_size(j.state), 2);
    j.model->bounds(j.state, 7, NULL, 3, cap, need);
    assert_int_equal(cap[0], 4);
    assert_int_equal(cap[2], 1);
    assert_int_equal(need[0], 0);
    judge_clear(&j);
}

static void l_equally_frequent_values_pass_entropy_l(void **unused)
{
    for (int64_t l = 1; l <= 40; l++) {
        int64_t count[40] = {0};
        char params[16];
        judge j;

        for (int64_t each = 1; each <= 100000; each *= 7) {
            for (int64_t v = 0; v < l; v++)
                count[v] = each;
            snprintf(params, sizeof params, "l=%d", (int)l);
            judge_init(&j, "entropy-l-diversity", params, count, 40, NULL);
            assert_true(judge_admits(&j, count));
            assert_int_equal(j.model->min_size(j.state), l);
            count[0]++;
            assert_int_equal(judge_admits(&j, count), l == 1);
            judge_clear(&j);
        }
    }
}

static void entropy_is_weaker_than_the_largest_share(void **unused)
{
    const int64_t skewed[] = {3, 1, 1, 1};
    judge j;

    judge_init(&j, "entropy-l-diversity", "l=3.46", skewed, 4, NULL);
    assert_true(judge_admits(&j, skewed));
    assert_string_equal(judge_figure_text(&j, skewed), "3.4641");
    judge_clear(&j);
    judge_init(&j, "entropy-l-diversity", "l=3.47", skewed, 4, NULL);
    assert_false(judge_admits(&j, skewed));
    judge_clear(&j);
    judge_init(&j, "probabilistic-l-diversity", "l=2", skewed, 4, NULL);
    assert_string_equal(judge_figure_text(&j, skewed), "2");
    judge_clear(&j);
}

static void entropy_of_a_class_of_half_a_million_rows_near_the_bound_is_decided(void **unused)
{
    enum { N = 5000 };
    static int64_t count[N];
    judge j;

    for (int v = 0; v < N; v++)
        count[v] = 100;
    judge_init(&j, "entropy-l-diversity", "l=5000", count, N, NULL);
    assert_true(judge_admits(&j, count));
    count[0] = 101;
    count[1] = 99;
    assert_false(judge_admits(&j, count));
    judge_clear(&j);
}

static void recursive_cl_is_strict(void **unused)
{
    judge j;

    judge_init(&j, "recursive-cl-diversity", "c=3,l=2", patients, 3, NULL);
    assert_true(judge_admits(&j, (int64_t[]){5, 1, 1}));
    assert_false(judge_admits(&j, (int64_t[]){6, 1, 1})); /* 6 = 3 * 2 */
    assert_string_equal(judge_figure_text(&j, (int64_t[]){6, 1, 1}), "3");
    assert_false(judge_admits(&j, class_1));
    assert_string_equal(judge_figure_text(&j, class_1), "inf");
    judge_clear(&j);
}

static void recursive_cl_sums_from_rank_l_on_whatever_the_order(void **unused)
{
    const int64_t count[] = {2, 9, 1, 5, 5, 3, 0, 5};
    judge j;

    /* 9 5 5 5 3 2 1: from rank 3 on 16, from 4 on 11 */
    judge_init(&j, "recursive-cl-diversity", "c=1,l=3", count, 8, NULL);
    assert_string_equal(judge_figure_text(&j, count), "9/16");
    judge_clear(&j);
    judge_init(&j, "recursive-cl-diversity", "c=1,l=4", count, 8, NULL);
    assert_string_equal(judge_figure_text(&j, count), "9/11");
    judge_clear(&j);
    judge_init(&j, "recursive-cl-diversity", "c=1,l=7", count, 8, NULL);
    assert_string_equal(judge_figure_text(&j, count), "9");
    judge_clear(&j);
    judge_init(&j, "recursive-cl-diversity", "c=0.4,l=2", count, 8, NULL);
    assert_int_equal(j.model->min_size(j.state), 4); /* 1 < 0.4 * 3 */
    judge_clear(&j);
}

static void alpha_k_bounds_every_value_or_the_one_that_is_named(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_model_input input = {
        .sensitive = judge_texts("disease", (const char *[]){"heart disease", "cancer", "flu"}, 3, &arena)};
    covey_error err;
    judge j;

    judge_init(&j, "alpha-k-anonymity", "alpha=2/3,k=3", patients, 3, &input);
    assert_true(judge_admits(&j, class_3));
    assert_false(judge_admits(&j, class_1));
    assert_false(judge_admits(&j, (int64_t[]){1, 1, 0}));
    assert_string_equal(judge_figure_text(&j, class_3), "2/3");
    judge_clear(&j);
    judge_init(&j, "alpha-k-anonymity", "alpha=1/3,k=2,value=cancer", patients, 3, &input);
    assert_true(judge_admits(&j, class_1));
    assert_false(judge_admits(&j, class_3));
    assert_string_equal(judge_figure_text(&j, class_1), "0");
    assert_int_equal(j.model->min_size(j.state), 2);
    judge_clear(&j);
    judge_init(&j, "alpha-k-anonymity", "alpha=3/10,k=2", patients, 3, &input);
    assert_int_equal(j.model->min_size(j.state), 4); /* one row of any value is 3/10 of at least 10/3 */
    judge_clear(&j);
    assert_int_equal(judge_new(&j, "alpha-k-anonymity", "alpha=1/3,k=2,value=gout", patients, 3, &input, &err),
                     COVEY_EINVAL);
    assert_non_null(strstr(err.message, "column \"disease\" has no value \"gout\""));
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void p_sensitive_k_wants_size_and_values(void **unused)
{
    covey_error err;
    judge j;

    judge_init(&j, "p-sensitive-k-anonymity", "p=2,k=3", patients, 3, NULL);
    assert_true(judge_admits(&j, class_3));
    assert_false(judge_admits(&j, class_1));
    assert_false(judge_admits(&j, (int64_t[]){1, 1, 0}));
    assert_string_equal(judge_figure_text(&j, class_3), "2");
    judge_clear(&j);
    assert_int_equal(judge_new(&j, "p-sensitive-k-anonymity", "p=4,k=3", patients, 3, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "p = 4 is greater than k = 3"));
    judge_clear(&j);
}

static void why_the_whole_table_fails_is_said_with_what_it_can_keep(void **unused)
{
    static const struct {
        const char *model, *params, *why;
    } rows[] = {
        {"distinct-l-diversity", "l=4", "only 3 different sensitive values occur: l can be 3 at most"},
        {"probabilistic-l-diversity", "l=2",
         "in the whole table the most frequent value has a share of 5/9 (about 0.55556): l can be 9/5 (about 1.8) at "
         "most "
         "unless rows"
         " are suppressed"},
        {"entropy-l-diversity", "l=3",
         "the whole table reaches an entropy of log 2.5520 only: l can be 2.5520 at most unless rows are"
         " suppressed"},
        {"recursive-cl-diversity", "c=1,l=2",
         "in the whole table the most frequent value has 5/4 (about 1.25) times the rows of the values from rank 2 on:"
         " c must be greater than 5/4 (about 1.25) unless rows are suppressed"},
        {"recursive-cl-diversity", "c=9,l=4", "only 3 different sensitive values occur: l can be 3 at most"},
        {"alpha-k-anonymity", "alpha=0.5,k=2",
         "\"0\" has a share of 5/9 (about 0.55556) in the whole table: alpha must be at least 5/9 (about 0.55556) "
         "unless rows are suppressed"},
        {"alpha-k-anonymity", "alpha=1,k=10", "there are only 9 rows: k can be 9 at most"},
        {"p-sensitive-k-anonymity", "p=4,k=5", "only 3 different sensitive values occur: p can be 3 at most"},
        {"p-sensitive-k-anonymity", "p=2,k=50", "there are only 9 rows: k can be 9 at most"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        covey_group whole = {.size = 9};
        covey_nearest nearest = {.n = 0};
        judge j;

        judge_init(&j, rows[i].model, rows[i].params, patients, 3, NULL);
        whole.counts = &j.prior;
        assert_true(j.model->hopeless(&nearest, j.state, &whole));
        assert_string_equal(nearest.why, rows[i].why);
        judge_clear(&j);
    }
}

/* Any so many rows with different values satisfy it, one row less does not. */
static void assert_different_rows(const char *model, const char *params, int64_t expected)
{
    static const int64_t prior[] = {3, 1, 4, 1, 5, 9, 2, 6};
    const int64_t n_values = (int64_t)(sizeof prior / sizeof *prior);
    judge j;

    judge_init(&j, model, params, prior, (uint32_t)n_values, NULL);
    assert_int_equal(j.model->different_rows(j.state), expected);
    for (int64_t n = 1; n <= n_values; n++)
        for (int64_t first = 0; first + n <= n_values; first++) {
            int64_t count[8] = {0};

            for (int64_t v = first; v < first + n; v++)
                count[v] = 1;
            assert_int_equal(judge_admits(&j, count), n >= expected);
        }
    judge_clear(&j);
}

static void rows_with_different_values_suffice(void **state)
{
    assert_different_rows("probabilistic-l-diversity", "l=1", 1);
    assert_different_rows("probabilistic-l-diversity", "l=3", 3);
    assert_different_rows("probabilistic-l-diversity", "l=5/2", 3);
    assert_different_rows("distinct-l-diversity", "l=4", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_different_values_suffice),
        cmocka_unit_test(the_worked_example_has_the_published_figures),
        cmocka_unit_test(distinct_l_counts_values),
        cmocka_unit_test(probabilistic_l_bounds_the_largest_share_exactly),
        cmocka_unit_test(l_equally_frequent_values_pass_entropy_l),
        cmocka_unit_test(entropy_is_weaker_than_the_largest_share),
        cmocka_unit_test(entropy_of_a_class_of_half_a_million_rows_near_the_bound_is_decided),
        cmocka_unit_test(recursive_cl_is_strict),
        cmocka_unit_test(recursive_cl_sums_from_rank_l_on_whatever_the_order),
        cmocka_unit_test(alpha_k_bounds_every_value_or_the_one_that_is_named),
        cmocka_unit_test(p_sensitive_k_wants_size_and_values),
        cmocka_unit_test(why_the_whole_table_fails_is_said_with_what_it_can_keep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
