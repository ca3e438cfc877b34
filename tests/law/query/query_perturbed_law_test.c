/* Queries over perturbed releases that are written here: counts by hand, estimates on average over re-randomizations,
 * whatever the condition. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/query/perturbed_world.h"
#include "support/release/random_release.h"

static covey_query_result *ask(const covey_query_release *release, const char *sql)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    return result;
}

/* --- single answers --- */

/* Which pays would select a row: bits. */
static unsigned accepted(const random_condition *condition, const int *value)
{
    unsigned set = 0;

    for (int pay = 0; pay < N_PAY; pay++) {
        int tried[N_ATTRIBUTES];

        memcpy(tried, value, sizeof tried);
        tried[PAY] = pay;
        set |= (unsigned)condition_selects(condition, tried) << pay;
    }
    return set;
}

/* Solves the system that weights are defined by, by elimination. */
static void solve(double weight[N_PAY], const perturbed_world *w, unsigned set)
{
    double row[N_PAY][N_PAY + 1];

    for (int j = 0; j < N_PAY; j++) {
        for (int i = 0; i < N_PAY; i++)
            row[j][i] = (i == j ? w->alpha[j] : 0) + (1 - w->alpha[j]) / N_PAY;
        row[j][N_PAY] = set >> j & 1;
    }
    for (int k = 0; k < N_PAY; k++) /* the diagonal is largest */
        for (int j = 0; j < N_PAY; j++) {
            double factor = row[j][k] / row[k][k];

            for (int i = k; i <= N_PAY && j != k; i++)
                row[j][i] -= factor * row[k][i];
        }
    for (int k = 0; k < N_PAY; k++)
        weight[k] = row[k][N_PAY] / row[k][k];
}

static void check_count(const covey_query_release *release, const perturbed_world *w, const random_condition *condition)
{
    int sure = 0, maybe = 0;
    double expected = 0, variance = 0;
    char sql[5000];
    covey_query_result *result;
    const covey_query_answer *answer;

    for (int i = 0; i < w->n_rows; i++) {
        unsigned set = accepted(condition, w->value[i]);
        double weight[N_PAY];

        solve(weight, w, set);
        sure += set == (1u << N_PAY) - 1;
        maybe += set != 0;
        expected += weight[w->shown[i]];
        variance += weight[w->shown[i]] * weight[w->shown[i]] - weight[w->shown[i]];
    }
    snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition->sql);
    result = ask(release, sql);
    answer = result->group->answer;
    if (answer->lower.value != sure || answer->upper.value != maybe || result->group->hits_lower != sure ||
        result->group->hits_upper != maybe)
        fail_msg("%s: [%s, %s], not [%d, %d]", sql, answer->lower.text, answer->upper.text, sure, maybe);
    if (fabs(answer->estimate - expected) > 1e-7 || fabs(answer->standard_error - sqrt(fmax(variance, 0))) > 1e-5)
        fail_msg("%s: %.17g with the error %.17g, not %.17g and %.17g", sql, answer->estimate, answer->standard_error,
                 expected, sqrt(fmax(variance, 0)));
    assert_int_equal(answer->interval.exists, sure < maybe);
    if (sure < maybe) {
        assert_true(fabs(answer->interval.high - answer->estimate - 2.170090377584560 * answer->standard_error) < 1e-6);
        assert_true(answer->interval.clipped_low >= sure && answer->interval.clipped_high <= maybe &&
                    answer->interval.clipped_low <= maybe);
        assert_int_equal(answer->interval.is_of_few, maybe < 30);
    }
    covey_query_result_free(result);
}

/* All that is known of the values of n rows is that they are among those of the prior. */
static void check_numbers(const covey_query_release *release, const perturbed_world *w,
                          const random_condition *condition)
{
    int n = 0, sum = 0, least = INT_MAX, greatest = -1, low = 0, high = 0, sorted[PERTURBED_MOST_ROWS], total = 0;
    double expected = 0, weight[N_PAY][N_PAY];
    char sql[5000];
    covey_query_result *result;
    const covey_query_answer *answer;

    for (int j = 0; j < N_PAY; j++) {
        solve(weight[j], w, 1u << j);
        for (int k = 0; k < w->prior[j]; k++)
            sorted[total++] = j;
    }
    for (int i = 0; i < w->n_rows; i++) {
        if (!condition_selects(condition, w->value[i]))
            continue;
        low += sorted[n];
        high += sorted[total - 1 - n];
        n++;
        sum += w->value[i][PAY];
        least = w->value[i][PAY] < least ? w->value[i][PAY] : least;
        greatest = w->value[i][PAY] > greatest ? w->value[i][PAY] : greatest;
        for (int j = 0; j < N_PAY; j++)
            expected += j * weight[j][w->shown[i]];
    }
    snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE %s", condition->sql);
    result = ask(release, sql);
    answer = result->group->answer;
    assert_true(answer[0].lower.value == n && answer[0].upper.value == n && answer[0].estimate == n);
    if (n == 0) {
        for (int i = 1; i < 5; i++)
            assert_true(!answer[i].lower.exists && !answer[i].upper.exists && isnan(answer[i].estimate));
    } else {
        const double truth[] = {n, sum, (double)sum / n, least, greatest};

        assert_true(answer[1].lower.value == low && answer[1].upper.value == high);
        assert_true(answer[3].upper.value == sorted[total - n] && answer[4].lower.value == sorted[n - 1]);
        assert_true(fabs(answer[1].estimate - expected) < 1e-7 && fabs(answer[2].estimate - expected / n) < 1e-7);
        assert_true(fabs(answer[2].standard_error * n - answer[1].standard_error) < 1e-5 ||
                    answer[1].standard_error > 0);
        for (int i = 0; i < 5; i++)
            assert_true(answer[i].lower.value <= truth[i] + 1e-12 && answer[i].upper.value >= truth[i] - 1e-12);
    }
    covey_query_result_free(result);
}

static void test_query__perturbed_counts_are_weights_of_what_is_shown(void **state)
{
    uint64_t seed = test_seed(8);

    for (int round = 0; round < 40; round++) {
        covey_query_release *release;
        perturbed_world w;
        release_folder r;

        perturbed_make(&w, N_PAY + (int)random_below(&seed, 60), &seed);
        perturbed_randomize(&w, &seed);
        release = perturbed_open(&r, &w);
        for (int i = 0; i < 12; i++) {
            random_condition condition;

            condition_make(&condition, perturbed_attributes, N_ATTRIBUTES, i % 4, &seed);
            check_count(release, &w, &condition);
            condition_make(&condition, perturbed_attributes, PAY, i % 3, &seed);
            check_numbers(release, &w, &condition);
        }
        covey_query_close(release);
        release_end(&r);
    }
}

static void test_query__perturbed_groups_are_queries_of_their_own(void **state)
{
    uint64_t seed = 5;
    perturbed_world w;
    release_folder r;
    covey_query_release *release;
    covey_query_result *grouped;

    perturbed_make(&w, 80, &seed);
    perturbed_randomize(&w, &seed);
    release = perturbed_open(&r, &w);
    grouped = ask(release, "SELECT COUNT(*) WHERE pay >= 2 OR note = 'x' GROUP BY city");
    assert_int_equal(grouped->n_groups, 3);
    for (int g = 0; g < 3; g++) {
        char sql[200];
        covey_query_result *alone;

        assert_string_equal(grouped->group[g].key[0], perturbed_cities[g]);
        snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE (pay >= 2 OR note = 'x') AND city = '%s'",
                 perturbed_cities[g]);
        alone = ask(release, sql);
        assert_string_equal(alone->group->answer->lower.text, grouped->group[g].answer->lower.text);
        assert_string_equal(alone->group->answer->upper.text, grouped->group[g].answer->upper.text);
        assert_true(fabs(alone->group->answer->estimate - grouped->group[g].answer->estimate) < 1e-9);
        covey_query_result_free(alone);
    }
    covey_query_result_free(grouped);
    covey_query_close(release);
    release_end(&r);
}

/* --- many randomizations of one table --- */

struct trial {
    const char *sql;
    double truth;
    double sum, squares, stated;
    int n_covered;
};

/* Within four standard errors: false alarms are one in 10,000, and the seed is fixed. */
static void test_query__perturbed_estimates_are_right_on_average_and_intervals_cover(void **state)
{
    enum { N_TRIALS = 4, N_ROUNDS = 400 };
    struct trial trials[N_TRIALS] = {{.sql = "SELECT COUNT(*) WHERE pay >= 2"},
                                     {.sql = "SELECT COUNT(*) WHERE age <= 3 AND pay IN (0, 3)"},
                                     {.sql = "SELECT SUM(pay) WHERE city <> 'Aa'"},
                                     {.sql = "SELECT COUNT(*) WHERE pay = 1 OR age = 2"}};
    uint64_t seed = 2;
    perturbed_world w;

    perturbed_make(&w, PERTURBED_MOST_ROWS, &seed);
    for (int i = 0; i < w.n_rows; i++) {
        const int *value = w.value[i];

        trials[0].truth += value[PAY] >= 2;
        trials[1].truth += value[AGE] != CONDITION_NULL && value[AGE] <= 3 && (value[PAY] == 0 || value[PAY] == 3);
        trials[2].truth += value[CITY] != 0 ? value[PAY] : 0;
        trials[3].truth += value[PAY] == 1 || value[AGE] == 2;
    }
    for (int round = 0; round < N_ROUNDS; round++) {
        covey_query_release *release;
        release_folder r;

        perturbed_randomize(&w, &seed);
        release = perturbed_open(&r, &w);
        for (int t = 0; t < N_TRIALS; t++) {
            covey_query_result *result = ask(release, trials[t].sql);
            const covey_query_answer *answer = result->group->answer;

            trials[t].sum += answer->estimate;
            trials[t].squares += pow(answer->estimate - trials[t].truth, 2);
            trials[t].stated += pow(answer->standard_error, 2);
            trials[t].n_covered += answer->interval.low <= trials[t].truth && trials[t].truth <= answer->interval.high;
            covey_query_result_free(result);
        }
        covey_query_close(release);
        release_end(&r);
    }
    for (int t = 0; t < N_TRIALS; t++) {
        const double mean = trials[t].sum / N_ROUNDS, variance = trials[t].squares / N_ROUNDS;

        if (fabs(mean - trials[t].truth) > 4 * sqrt(variance / N_ROUNDS))
            fail_msg("%s: on average %g, not %g", trials[t].sql, mean, trials[t].truth);
        if (fabs(trials[t].stated / N_ROUNDS / variance - 1) > 4 * sqrt(2.0 / N_ROUNDS))
            fail_msg("%s: variance %g, and stated %g", trials[t].sql, variance, trials[t].stated / N_ROUNDS);
        if (trials[t].n_covered < 0.91 * N_ROUNDS || trials[t].n_covered > 0.985 * N_ROUNDS)
            fail_msg("%s: %d of %d intervals cover the truth", trials[t].sql, trials[t].n_covered, N_ROUNDS);
    }
}

/* --- options and broken releases --- */

static void test_query__perturbed_estimates_shrink_on_request(void **state)
{
    uint64_t seed = 4;
    perturbed_world w;
    release_folder r;
    covey_query_release *release;
    covey_query_result *plain, *shrunk = NULL;
    const covey_query_options options = {.shrink = true};
    const char *sql = "SELECT COUNT(*) WHERE city = 'Bo' AND pay = 1";
    covey_error err;
    double prior, guess = 0;

    perturbed_make(&w, 60, &seed);
    perturbed_randomize(&w, &seed);
    release = perturbed_open(&r, &w);
    for (int i = 0; i < w.n_rows; i++)
        guess += w.value[i][CITY] == 1 ? (double)w.prior[1] / w.n_rows : 0;
    prior = pow(guess / 4, 2) + 1;
    plain = ask(release, sql);
    assert_int_equal(covey_query_run_with(&shrunk, release, sql, &options, NULL, &err), COVEY_OK);
    {
        const double variance = pow(plain->group->answer->standard_error, 2);

        assert_true(variance > 0);
        assert_true(fabs(shrunk->group->answer->estimate - (plain->group->answer->estimate / variance + guess / prior) /
                                                               (1 / variance + 1 / prior)) < 1e-9);
        assert_true(shrunk->group->answer->standard_error < plain->group->answer->standard_error);
    }
    covey_query_result_free(plain);
    covey_query_result_free(shrunk);
    covey_query_close(release);
    release_end(&r);
}

static void test_query__perturbed_releases_that_cannot_be_inverted_are_refused(void **state)
{
    uint64_t seed = 4;
    perturbed_world w;
    release_folder r;
    covey_query_release *release = NULL;
    covey_error err;

    perturbed_make(&w, 30, &seed);
    w.alpha[1] = 0;
    perturbed_randomize(&w, &seed);
    release = perturbed_open(&r, &w); /* one value that is never kept */
    covey_query_close(release);
    release_end(&r);
    w.alpha[2] = 0;
    perturbed_randomize(&w, &seed);
    w.alpha[2] = 0.5;
    release = perturbed_open(&r, &w);
    covey_query_close(release);
    release_replace(&r, "perturbation.csv", "0.5\n3,", "0\n3,");
    release_write(&r);
    assert_int_equal(covey_query_open(&release, r.path, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "never kept"));
    release_replace(&r, "perturbation.csv", "\n2,", "\n7,");
    release_write(&r);
    assert_int_equal(covey_query_open(&release, r.path, NULL, &err), COVEY_EPARSE);
    assert_non_null(strstr(err.message, "does not list the values of the prior"));
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__perturbed_counts_are_weights_of_what_is_shown),
        cmocka_unit_test(test_query__perturbed_groups_are_queries_of_their_own),
        cmocka_unit_test(test_query__perturbed_estimates_are_right_on_average_and_intervals_cover),
        cmocka_unit_test(test_query__perturbed_estimates_shrink_on_request),
        cmocka_unit_test(test_query__perturbed_releases_that_cannot_be_inverted_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
