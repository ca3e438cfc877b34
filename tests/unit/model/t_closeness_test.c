#include "test.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "support/problem/class_judge.h"
#include "support/trees.h"

enum { N = 6 };

/* The diseases of the beta-likeness paper and their tree: three of the nervous system, three of the circulation. */
static const int64_t diseases[] = {2, 3, 3, 3, 4, 4};
static const char disease_tree[] = "headache;nervous;*\nepilepsy;nervous;*\ntumor;nervous;*\n"
                                   "anemia;circulatory;*\nangina;circulatory;*\nmurmur;circulatory;*\n";

static const covey_model_input ordered = {.has_order = true};

static void the_diseases_have_the_published_distances(void **unused)
{
    static const struct {
        int64_t count[N];
        const char *equal, *ordered, *hierarchical;
    } rows[] = {
        {{2, 1, 1, 0, 0, 0}, "11/19", "159/380", "11/19"},
        {{1, 1, 0, 1, 1, 0}, "7/19", "16/95", "17/76"},
        {{0, 0, 0, 1, 1, 2}, "8/19", "107/380", "8/19"},
        {{1, 1, 1, 1, 1, 1}, "5/57", "13/190", "1/12"},
    };
    covey_hierarchy *tree = trees_read(disease_tree, NULL);
    const covey_model_input with_tree = {.tree = tree};
    judge equal, order, hierarchical;

    judge_init(&equal, "t-closeness", "t=0.1", diseases, N, NULL);
    judge_init(&order, "t-closeness", "t=0.1,distance=ordered", diseases, N, &ordered);
    judge_init(&hierarchical, "t-closeness", "t=0.1,distance=hierarchical", diseases, N, &with_tree);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(judge_figure_text(&equal, rows[i].count), rows[i].equal);
        assert_string_equal(judge_figure_text(&order, rows[i].count), rows[i].ordered);
        assert_string_equal(judge_figure_text(&hierarchical, rows[i].count), rows[i].hierarchical);
    }
    judge_clear(&equal);
    judge_clear(&order);
    judge_clear(&hierarchical);
    covey_hierarchy_free(tree);
    trees_remove();
}

static void a_tree_with_three_levels_has_the_published_distance(void **unused)
{
    /* r(a(b(0, 1), 2), c(3, 4)): the file's form repeats nodes that stand on several levels */
    covey_hierarchy *tree = trees_read("0;b;a;r\n1;b;a;r\n2;2;a;r\n3;c;c;r\n4;c;c;r\n", NULL);
    const int64_t uniform[] = {1, 1, 1, 1, 1};
    const covey_model_input with_tree = {.tree = tree};
    judge j;

    judge_init(&j, "t-closeness", "t=0.3,distance=hierarchical", uniform, 5, &with_tree);
    assert_string_equal(judge_figure_text(&j, (int64_t[]){1, 0, 0, 1, 0}), "3/10");
    judge_clear(&j);
    covey_hierarchy_free(tree);
    trees_remove();
}

static void a_class_exactly_at_t_is_admitted(void **unused)
{
    judge j;

    judge_init(&j, "t-closeness", "t=159/380,distance=ordered", diseases, N, &ordered);
    assert_true(judge_admits(&j, (int64_t[]){2, 1, 1, 0, 0, 0}));
    judge_clear(&j);
    judge_init(&j, "t-closeness", "t=0.418421052631578947,distance=ordered", diseases, N,
               &ordered); /* 159/380 cut off */
    assert_false(judge_admits(&j, (int64_t[]){2, 1, 1, 0, 0, 0}));
    judge_clear(&j);
}

/* Nine salaries 3k ... 11k, one each. */
static void the_salaries_of_the_first_paper_have_their_distances(void **unused)
{
    const int64_t salaries[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {
        .sensitive =
            judge_numbers("salary", (int64_t[]){3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000}, 0, 9, &arena),
        .has_order = true,
    };
    static const char *const params[] = {"t=0.2,distance=ordered", "t=0.2,distance=numeric"};

    for (int i = 0; i < 2; i++) {
        judge j;

        judge_init(&j, "t-closeness", params[i], salaries, 9, &numbers);
        assert_string_equal(judge_figure_text(&j, (int64_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0}), "3/8");
        assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 0, 0, 1, 0, 1, 0, 0, 1}), "1/6");
        assert_string_equal(judge_figure_text(&j, (int64_t[]){1, 0, 1, 0, 1, 0, 0, 0, 0}), "1/4");
        judge_clear(&j);
    }
    covey_arena_free(&arena);
}

static void numeric_distance_takes_true_gaps_and_decimals(void **unused)
{
    const int64_t one_each[] = {1, 1, 1};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {.sensitive = judge_numbers("dose", (int64_t[]){-5, 0, 95}, 1, 3, &arena),
                                       .has_order = true};
    judge j;

    /* -0.5, 0, 9.5: all mass at 0 against a third each moves 1/3 * 5/100 + 1/3 * 95/100 */
    judge_init(&j, "t-closeness", "t=0.2,distance=numeric", one_each, 3, &numbers);
    assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 4, 0}), "1/3");
    /* all at -0.5: 5/100 * 2/3 + 95/100 * 1/3 */
    assert_string_equal(judge_figure_text(&j, (int64_t[]){4, 0, 0}), "7/20");
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void numbers_keep_their_order_whatever_the_order_of_their_codes(void **unused)
{
    /* codes are leaves of a tree here: 30, 10, 20 */
    const int64_t one_each[] = {1, 1, 1};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {.sensitive = judge_numbers("age", (int64_t[]){30, 10, 20}, 0, 3, &arena),
                                       .has_order = true};
    judge j;

    judge_init(&j, "t-closeness", "t=0.2,distance=ordered", one_each, 3, &numbers);
    assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 0, 1}), "1/3"); /* 20 is in the middle */
    assert_string_equal(judge_figure_text(&j, (int64_t[]){1, 0, 0}), "1/2");
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void values_that_do_not_occur_are_no_part_of_the_order(void **unused)
{
    const int64_t with_gap[] = {1, 0, 0, 1}, without[] = {1, 1};
    judge gap, plain;

    judge_init(&gap, "t-closeness", "t=0.2,distance=ordered", with_gap, 4, &ordered);
    judge_init(&plain, "t-closeness", "t=0.2,distance=ordered", without, 2, &ordered);
    assert_string_equal(judge_figure_text(&gap, (int64_t[]){1, 0, 0, 0}), "1/2");
    assert_string_equal(judge_figure_text(&plain, (int64_t[]){1, 0}), "1/2");
    assert_false(judge_admits(&gap, (int64_t[]){1, 1, 0, 1}));
    assert_string_equal(judge_figure_text(&gap, (int64_t[]){1, 1, 0, 1}), "inf");
    judge_clear(&gap);
    judge_clear(&plain);
}

static void one_value_is_at_distance_zero(void **unused)
{
    static const char *const params[] = {"t=0",
                                         "t=0,distance=ordered",
                                         "t=0,distance=numeric",
                                         "t=0,distance=kl",
                                         "t=0,distance=js",
                                         "t=0,distance=js-smoothed"};
    const int64_t count[] = {7};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {.sensitive = judge_numbers("age", (int64_t[]){30}, 0, 1, &arena),
                                       .has_order = true};

    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        judge j;

        judge_init(&j, "t-closeness", params[i], count, 1, &numbers);
        assert_true(judge_admits(&j, (int64_t[]){3}));
        assert_string_equal(judge_figure_text(&j, (int64_t[]){3}), "0");
        judge_clear(&j);
    }
    covey_arena_free(&arena);
}

/* Shares 0.4, 0.6 / 0.5, 0.5 and so on; the paper's figures are in bits. */
static void the_divergences_of_the_beta_paper_come_out(void **unused)
{
    static const struct {
        int64_t table[2], class[2];
        const char *emd;
        double kl, js;
    } rows[] = {
        {{40, 60}, {50, 50}, "1/10", 0.029049, 0.007299},
        {{1, 99}, {11, 89}, "1/10", 0.117493, 0.037090},
        {{1, 99}, {3, 97}, "1/50", 0.013300, 0.003848},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        judge emd, kl, js, nat;

        judge_init(&emd, "t-closeness", "t=0.1", rows[i].table, 2, NULL);
        judge_init(&kl, "t-closeness", "t=0.1,distance=kl", rows[i].table, 2, NULL);
        judge_init(&js, "t-closeness", "t=0.1,distance=js", rows[i].table, 2, NULL);
        judge_init(&nat, "t-closeness", "t=0.1,distance=kl,log=nat", rows[i].table, 2, NULL);
        assert_string_equal(judge_figure_text(&emd, rows[i].class), rows[i].emd);
        assert_true(judge_figure(&kl, rows[i].class).real - rows[i].kl < 5e-7 &&
                    rows[i].kl - judge_figure(&kl, rows[i].class).real < 5e-7);
        assert_true(judge_figure(&js, rows[i].class).real - rows[i].js < 5e-7 &&
                    rows[i].js - judge_figure(&js, rows[i].class).real < 5e-7);
        assert_true(judge_figure(&nat, rows[i].class).real / judge_figure(&kl, rows[i].class).real - 0.693147180559945 <
                    1e-12);
        assert_int_equal(judge_admits(&kl, rows[i].class), rows[i].kl < 0.1);
        judge_clear(&emd);
        judge_clear(&kl);
        judge_clear(&js);
        judge_clear(&nat);
    }
}

static void kl_is_infinite_and_js_is_not_where_a_value_is_missing(void **unused)
{
    const int64_t table[] = {1, 1}, one[] = {1, 0};
    judge j;

    judge_init(&j, "t-closeness", "t=1000,distance=kl", table, 2, NULL);
    assert_string_equal(judge_figure_text(&j, one), "inf");
    assert_false(judge_admits(&j, one));
    judge_clear(&j);
    judge_init(&j, "t-closeness", "t=1,distance=js", table, 2, NULL);
    assert_string_equal(judge_figure_text(&j, one), "0.311278"); /* (1/2 log 2/3 + log 4/3 + 1/2 log 2)/2 */
    assert_true(judge_admits(&j, one));
    judge_clear(&j);
}

/* Three equidistant numbers, B = 1: K(0) = 1, K(1/2) = 3/4, K(1) = 0; kernels sum to 7/4, 5/2, 7/4.  A class of the
 * first value only is smoothed to 4/7, 3/7, 0; the table's thirds to (4/7 + 3/10)/3, (3/7 + 4/10 + 3/7)/3, (3/10 +
 * 4/7)/3. */
static void smoothing_spreads_each_value_over_its_neighbours(void **unused)
{
    const int64_t table[] = {1, 1, 1}, first[] = {1, 0, 0};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {.sensitive = judge_numbers("age", (int64_t[]){10, 20, 30}, 0, 3, &arena),
                                       .has_order = true};
    judge smoothed, plain;

    judge_init(&smoothed, "t-closeness", "t=1,distance=js-smoothed,smooth=1", table, 3, &numbers);
    assert_string_equal(judge_figure_text(&smoothed, first), "0.178919");
    judge_clear(&smoothed);
    /* a kernel that reaches no neighbour changes nothing */
    judge_init(&smoothed, "t-closeness", "t=1,distance=js-smoothed", table, 3, &numbers);
    judge_init(&plain, "t-closeness", "t=1,distance=js", table, 3, &numbers);
    assert_true(judge_figure(&smoothed, first).real == judge_figure(&plain, first).real);
    judge_clear(&smoothed);
    judge_clear(&plain);
    covey_arena_free(&arena);
}

enum { SMOOTHED = 300 };

static long double kernel_of(long double apart, long double bandwidth)
{
    return apart < bandwidth ? 1 - apart / bandwidth * (apart / bandwidth) : 0;
}

static void smooth_by_definition(long double *out, const int64_t *number, const int64_t *count, long double bandwidth)
{
    int64_t total = 0;

    for (int j = 0; j < SMOOTHED; j++)
        total += count[j];
    memset(out, 0, SMOOTHED * sizeof *out);
    for (int j = 0; j < SMOOTHED; j++) {
        long double sum = 0;

        for (int l = 0; l < SMOOTHED; l++)
            sum += kernel_of(fabsl((long double)(number[j] - number[l])), bandwidth);
        for (int i = 0; i < SMOOTHED; i++)
            out[i] += count[j] * kernel_of(fabsl((long double)(number[i] - number[j])), bandwidth) / sum / total;
    }
}

static double smoothed_by_definition(const int64_t *number, const int64_t *table, const int64_t *class,
                                     long double bandwidth)
{
    long double p[SMOOTHED], q[SMOOTHED], sum = 0;

    smooth_by_definition(p, number, table, bandwidth);
    smooth_by_definition(q, number, class, bandwidth);
    for (int i = 0; i < SMOOTHED; i++)
        sum += p[i] * log2l(2 * p[i] / (p[i] + q[i])) + (q[i] > 0 ? q[i] * log2l(2 * q[i] / (p[i] + q[i])) : 0);
    return (double)(sum / 2);
}

static double figure_of_shares(judge *j, const int64_t *count)
{
    covey_share share[SMOOTHED];
    covey_figure figure;
    int64_t total = 0;
    size_t n = 0;
    bool admits;

    for (int i = 0; i < SMOOTHED; i++)
        total += count[i];
    for (uint32_t i = SMOOTHED; i-- > 0;)
        if (count[i] > 0)
            share[n++] = (covey_share){i, (covey_u128)count[i], (covey_u128)total};
    assert_true(j->model->judge_shares(&admits, &figure, j->state, share, n));
    return figure.real;
}

/* Numbers in clumps and far apart, in classes of few and of many; bandwidths that reach few, many and all others. */
static void smoothing_is_by_its_definition(void **unused)
{
    static const struct {
        const char *params;
        double share;
    } wishes[] = {{"t=1,distance=js-smoothed,smooth=0.001", 0.001},
                  {"t=1,distance=js-smoothed", 0.2},
                  {"t=1,distance=js-smoothed,smooth=3", 3}};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_rng rng;

    covey_i_rng_init(&rng, (const unsigned char[32]){7}, 1);
    for (int round = 0; round < 30; round++) {
        int64_t number[SMOOTHED], table[SMOOTHED], class[SMOOTHED] = {0}, x = -5000000000;
        const uint64_t one_in = 1 + covey_i_rng_below(&rng, 50), far = round % 2 == 0 ? 1000 : 1000000000;

        for (int i = 0; i < SMOOTHED; i++) {
            number[i] = x += 1 + (int64_t)covey_i_rng_below(&rng, covey_i_rng_below(&rng, 20) == 0 ? far : 10);
            table[i] = 1 + (int64_t)covey_i_rng_below(&rng, 100);
            class[i] = covey_i_rng_below(&rng, one_in) == 0 ? (int64_t)covey_i_rng_below(&rng, 9) : 0;
        }
        class[covey_i_rng_below(&rng, SMOOTHED)]++;
        for (size_t k = 0; k < sizeof wishes / sizeof *wishes; k++) {
            const covey_model_input input = {.sensitive = judge_numbers("x", number, 0, SMOOTHED, &arena)};
            const long double width = (long double)(number[SMOOTHED - 1] - number[0]);
            const double expected = smoothed_by_definition(number, table, class, wishes[k].share * width);
            judge j;

            judge_init(&j, "t-closeness", wishes[k].params, table, SMOOTHED, &input);
            assert_true(fabs(judge_figure(&j, class).real - expected) < 1e-14);
            assert_true(fabs(figure_of_shares(&j, class) - expected) < 1e-14);
            judge_clear(&j);
        }
    }
    covey_arena_free(&arena);
}

static void an_attribute_without_what_the_distance_needs_is_refused(void **unused)
{
    static const struct {
        const char *params, *message;
    } rows[] = {
        {"t=0.1,distance=ordered", "no-order"},
        {"t=0.1,distance=ordered", "order: [low, mid, high]"},
        {"t=0.1,distance=js-smoothed", "no-order"},
        {"t=0.1,distance=numeric", "needs numbers"},
        {"t=0.1,distance=hierarchical", "needs a hierarchy of column \"disease\""},
        {"t=0.1,smooth=0.5", "smooth goes with distance js-smoothed only"},
        {"t=0.1,log=nat", "log goes with distance kl, js and js-smoothed only"},
        {"t=-1", "t must be at least 0"},
        {"t=0.1,distance=orderd", "must be one of equal, ordered"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        covey_error err = {0};
        judge j;

        assert_int_equal(judge_new(&j, "t-closeness", rows[i].params, diseases, N, NULL, &err), COVEY_EINVAL);
        if (!strstr(err.message, rows[i].message))
            fail_msg("%s", err.message);
        judge_clear(&j);
    }
}

static void missing_values_have_no_place_in_an_order(void **unused)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_column *column = judge_numbers("age", (int64_t[]){0, 20, 30}, 0, 3, &arena);
    const covey_model_input numbers = {.sensitive = column, .has_order = true};
    covey_error err = {0};
    judge j;

    column->has_null = true;
    assert_int_equal(judge_new(&j, "t-closeness", "t=0.1,distance=numeric", (int64_t[]){1, 1, 1}, 3, &numbers, &err),
                     COVEY_EINVAL);
    assert_non_null(strstr(err.message, "missing-sensitive: drop"));
    judge_clear(&j);
    judge_init(&j, "t-closeness", "t=0.1,distance=numeric", (int64_t[]){0, 1, 1}, 3, &numbers);
    assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 1, 0}), "1/2");
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void very_wide_numbers_and_long_thresholds_stay_exact(void **unused)
{
    const int64_t table[] = {1, 1, 1};
    covey_arena arena = COVEY_ARENA_INIT;
    const int64_t far = INT64_MAX;
    const covey_model_input numbers = {.sensitive = judge_numbers("x", (int64_t[]){-far, 0, far}, 0, 3, &arena),
                                       .has_order = true};
    const int64_t many[] = {1000000000, 1000000000, 1000000000};
    covey_error err = {0};
    judge j;

    judge_init(&j, "t-closeness", "t=0.333333333333333333,distance=numeric", table, 3, &numbers);
    assert_string_equal(judge_figure_text(&j, (int64_t[]){0, 1, 0}), "1/3");
    assert_false(judge_admits(&j, (int64_t[]){0, 1, 0}));
    judge_clear(&j);
    judge_init(&j, "t-closeness", "t=1/3,distance=numeric", table, 3, &numbers);
    assert_true(judge_admits(&j, (int64_t[]){0, 1, 0}));
    judge_clear(&j);
    assert_int_equal(judge_new(&j, "t-closeness", "t=1/3,distance=numeric", many, 3, &numbers, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "too wide"));
    judge_clear(&j);
    covey_arena_free(&arena);
}

static void assert_verdict(bool admits, const char *params, const int64_t *table, const int64_t *class, uint32_t n)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_model_input numbers = {.sensitive = judge_numbers("age", (int64_t[]){10, 20, 30, 40}, 0, n, &arena),
                                       .has_order = true};
    judge j;

    judge_init(&j, "t-closeness", params, table, n, &numbers);
    if (judge_admits(&j, class) != admits)
        fail_msg("%s: %s", params, admits ? "refused" : "admitted");
    judge_clear(&j);
    covey_arena_free(&arena);
}

/* Shares 1/2, 1/4, 1/4 against 1/4, 1/2, 1/4: 1/2 - 1/4 bits.  1, 1, 3, 2 sevenths against 3, 2, 1, 1: the threes
 * cancel out, and 2/14 bits are left. Large counts have the same shares. */
static void divergences_have_no_tolerance(void **unused)
{
    const int64_t table[] = {2, 1, 1}, class[] = {1, 2, 1}, sevenths[] = {1, 1, 3, 2}, mirrored[] = {3, 2, 1, 1};
    const int64_t many[] = {2147483646, 1073741823, 1073741823}, large[] = {1000000007, 2000000014, 1000000007};
    const int64_t odd[] = {4294967291, 1}, most[] = {4294967290, 1};

    assert_verdict(true, "t=0.25,distance=kl", table, class, 3);
    assert_verdict(true, "t=0.25,distance=kl", many, large, 3);
    assert_verdict(false, "t=0.249999999999999999,distance=kl", table, class, 3);
    assert_verdict(false, "t=0.249999999999999999,distance=kl", many, large, 3);
    assert_verdict(true, "t=0.250000000000000001,distance=kl", table, class, 3);
    assert_verdict(true, "t=1/7,distance=js", sevenths, mirrored, 4);
    assert_verdict(true, "t=1/7,distance=js-smoothed,smooth=1/4", sevenths, mirrored, 4);
    assert_verdict(false, "t=0.142857142857142857,distance=js", sevenths, mirrored, 4);
    assert_verdict(false, "t=0.142857142857142857,distance=js-smoothed,smooth=1/4", sevenths, mirrored, 4);
    assert_verdict(true, "t=0.142857142857142858,distance=js", sevenths, mirrored, 4);
    /* ln(2)/4 = 0.17328679513998632735..., ln(2)/7 = 0.09902102579427790134... */
    assert_verdict(false, "t=0.173286795139986327,distance=kl,log=nat", table, class, 3);
    assert_verdict(true, "t=0.173286795139986328,distance=kl,log=nat", table, class, 3);
    assert_verdict(false, "t=0.099021025794277901,distance=js,log=nat", sevenths, mirrored, 4);
    assert_verdict(true, "t=0.099021025794277902,distance=js,log=nat", sevenths, mirrored, 4);
    assert_verdict(false, "t=0,distance=kl", odd, most, 2);
    assert_verdict(false, "t=0,distance=js", odd, most, 2);
    assert_verdict(true, "t=0,distance=js", odd, odd, 2);
    assert_verdict(true, "t=0,distance=js-smoothed,smooth=1", sevenths, sevenths, 4);
    assert_verdict(false, "t=0,distance=js-smoothed,smooth=1", sevenths, mirrored, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_diseases_have_the_published_distances),
        cmocka_unit_test(a_tree_with_three_levels_has_the_published_distance),
        cmocka_unit_test(a_class_exactly_at_t_is_admitted),
        cmocka_unit_test(the_salaries_of_the_first_paper_have_their_distances),
        cmocka_unit_test(numeric_distance_takes_true_gaps_and_decimals),
        cmocka_unit_test(numbers_keep_their_order_whatever_the_order_of_their_codes),
        cmocka_unit_test(values_that_do_not_occur_are_no_part_of_the_order),
        cmocka_unit_test(one_value_is_at_distance_zero),
        cmocka_unit_test(the_divergences_of_the_beta_paper_come_out),
        cmocka_unit_test(kl_is_infinite_and_js_is_not_where_a_value_is_missing),
        cmocka_unit_test(smoothing_spreads_each_value_over_its_neighbours),
        cmocka_unit_test(smoothing_is_by_its_definition),
        cmocka_unit_test(divergences_have_no_tolerance),
        cmocka_unit_test(an_attribute_without_what_the_distance_needs_is_refused),
        cmocka_unit_test(missing_values_have_no_place_in_an_order),
        cmocka_unit_test(very_wide_numbers_and_long_thresholds_stay_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
