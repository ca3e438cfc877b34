/* Queries over bucketized releases, judged by brute force: all ways to link the rows and values of each group. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/release/bucket_release.h"
#include "support/query/random_condition.h"
#include "support/release/random_release.h"

enum { N_ATTRIBUTES = 4, AGE = 0, CITY, NOTE, PAY, MOST_GROUPS = 3 };

static const char *const cities[] = {"Aa", "Bo", "Ca"};
static const char *const notes[] = {"x", "y"};
static const condition_attribute attributes[N_ATTRIBUTES] = {
    {.name = "age", .low = 0, .high = 5},
    {.name = "city", .n_labels = 3, .label = cities},
    {.name = "note", .n_labels = 2, .label = notes},
    {.name = "pay", .low = -3, .high = 3},
};

struct world {
    int n_groups;
    bucket_group group[MOST_GROUPS];
    int value[MOST_GROUPS][4][N_ATTRIBUTES];
    char cells[MOST_GROUPS][4][32];
};

/* missing: one of so many sensitive values; 0: none. */
static void make_world(struct world *w, unsigned missing, uint64_t *state)
{
    w->n_groups = 1 + (int)random_below(state, MOST_GROUPS);
    for (int g = 0; g < w->n_groups; g++) {
        bucket_group *group = &w->group[g];

        group->n_rows = 1 + (int)random_below(state, w->n_groups < 3 ? 4 : 3);
        for (int i = 0; i < group->n_rows; i++) {
            int *value = w->value[g][i];

            value[AGE] = random_below(state, 6) ? (int)random_below(state, 6) : CONDITION_NULL;
            value[CITY] = (int)random_below(state, 3);
            value[NOTE] = random_below(state, 4) ? (int)random_below(state, 2) : CONDITION_NULL;
            if (value[AGE] == CONDITION_NULL)
                snprintf(w->cells[g][i], sizeof w->cells[g][i], ",%s,%s", cities[value[CITY]],
                         value[NOTE] < 0 ? "" : notes[value[NOTE]]);
            else
                snprintf(w->cells[g][i], sizeof w->cells[g][i], "%d,%s,%s", value[AGE], cities[value[CITY]],
                         value[NOTE] < 0 ? "" : notes[value[NOTE]]);
            group->cells[i] = w->cells[g][i];
            group->pay[i] = (int)random_below(state, 7) - 3;
            if (missing && random_below(state, missing) == 0)
                group->pay[i] = BUCKET_MISSING;
        }
    }
}

struct extremes {
    int n, n_empty; /* worlds in which it exists, and does not */
    double low, high, sum, squares;
};

static void add(struct extremes *e, double value)
{
    e->low = e->n == 0 || value < e->low ? value : e->low;
    e->high = e->n == 0 || value > e->high ? value : e->high;
    e->n++;
    e->sum += value;
    e->squares += value * value;
}

/* The next order of n numbers, each of n! once. */
static bool next_order(int *order, int n)
{
    int i = n - 2, j = n - 1;

    while (i >= 0 && order[i] > order[i + 1])
        i--;
    for (int low = i + 1, high = n - 1; low < high; low++, high--) {
        int kept = order[low];

        order[low] = order[high];
        order[high] = kept;
    }
    if (i < 0)
        return false;
    for (j = i + 1; order[j] < order[i];)
        j++;
    n = order[i];
    order[i] = order[j];
    order[j] = n;
    return true;
}

/* COUNT, SUM, AVG, MIN, MAX in every world. */
static void try_worlds(struct extremes e[5], const struct world *w, const random_condition *condition)
{
    int order[MOST_GROUPS][4], g;

    for (g = 0; g < w->n_groups; g++)
        for (int i = 0; i < 4; i++)
            order[g][i] = i;
    do {
        int count = 0, numbers = 0, sum = 0, min = INT_MAX, max = INT_MIN;

        for (g = 0; g < w->n_groups; g++)
            for (int i = 0; i < w->group[g].n_rows; i++) {
                int value[N_ATTRIBUTES], pay = w->group[g].pay[order[g][i]];

                memcpy(value, w->value[g][i], sizeof value);
                value[PAY] = pay;
                if (condition && !condition_selects(condition, value))
                    continue;
                count++;
                if (pay == BUCKET_MISSING)
                    continue;
                numbers++;
                sum += pay;
                min = pay < min ? pay : min;
                max = pay > max ? pay : max;
            }
        add(&e[0], count);
        for (int i = 1; i < 5 && numbers == 0; i++)
            e[i].n_empty++;
        if (numbers > 0) {
            add(&e[1], sum);
            add(&e[2], (double)sum / numbers);
            add(&e[3], min);
            add(&e[4], max);
        }
        for (g = 0; g < w->n_groups && !next_order(order[g], w->group[g].n_rows);)
            g++;
    } while (g < w->n_groups);
}

static void assert_near(const char *sql, const char *what, double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%s: %s is %.17g, not %.17g", sql, what, value, expected);
}

static void assert_answer(const char *sql, const covey_query_answer *answer, const struct extremes *e, bool has_error)
{
    double mean = e->sum / e->n;

    if (e->n == 0) {
        if (answer->lower.exists || answer->upper.exists || !isnan(answer->estimate) || !isnan(answer->standard_error))
            fail_msg("%s: %s of nothing", sql, answer->aggregate);
        return;
    }
    assert_near(sql, answer->aggregate, answer->lower.value, e->low);
    assert_near(sql, answer->aggregate, answer->upper.value, e->high);
    assert_near(sql, answer->aggregate, answer->estimate, mean);
    if (!has_error)
        assert_true(isnan(answer->standard_error));
    else if (fabs(pow(answer->standard_error, 2) - (e->squares / e->n - mean * mean)) > 1e-9)
        fail_msg("%s: variance of %s is %.17g, not %.17g", sql, answer->aggregate, pow(answer->standard_error, 2),
                 e->squares / e->n - mean * mean);
}

static covey_query_result *ask(const covey_query_release *release, const char *sql)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    return result;
}

static covey_query_release *open_world(release_folder *r, const struct world *w)
{
    covey_query_release *release = NULL;
    covey_error err;

    bucket_release(
        r, "age,city,note",
        "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/2'},"
        "{'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
        "'has_missing': false},"
        "{'name': 'note', 'role': 'insensitive', 'type': 'text', 'publish': 'value'}",
        w->group, w->n_groups);
    if (covey_query_open(&release, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}

static bool has_missing(const struct world *w)
{
    for (int g = 0; g < w->n_groups; g++)
        for (int i = 0; i < w->group[g].n_rows; i++)
            if (w->group[g].pay[i] == BUCKET_MISSING)
                return true;
    return false;
}

/* How many numbers are selected in the mean. */
static double mean_numbers(const struct world *w, const random_condition *condition)
{
    double mean = 0;

    for (int g = 0; g < w->n_groups; g++) {
        int hits = 0, numbers = 0;

        for (int i = 0; i < w->group[g].n_rows; i++) {
            hits += !condition || condition_selects(condition, w->value[g][i]);
            numbers += w->group[g].pay[i] != BUCKET_MISSING;
        }
        mean += (double)hits * numbers / w->group[g].n_rows;
    }
    return mean;
}

/* Where numbers are missing, the sum of none counts as 0 beside other sums, and the mean is a quotient of means;
 * extremes have none. */
static void assert_answer_with_missing(const char *sql, const covey_query_answer *answer, int i, struct extremes *e,
                                       double mean_count)
{
    if (e[i].n > 0 && i == 1) {
        e[i].low = e[i].n_empty && e[i].low > 0 ? 0 : e[i].low;
        e[i].high = e[i].n_empty && e[i].high < 0 ? 0 : e[i].high;
    }
    if (e[i].n == 0) {
        assert_answer(sql, answer, &e[i], false);
        return;
    }
    assert_near(sql, answer->aggregate, answer->lower.value, e[i].low);
    assert_near(sql, answer->aggregate, answer->upper.value, e[i].high);
    if (i < 3)
        assert_near(sql, answer->aggregate, answer->estimate,
                    e[1].sum / (e[1].n + e[1].n_empty) / (i == 2 ? mean_count : 1));
    else
        assert_true(isnan(answer->estimate));
}

/* Conditions on what is known of rows: every aggregate. */
static void check_numbers(const covey_query_release *release, const struct world *w, const random_condition *condition)
{
    struct extremes e[5] = {{0}};
    char sql[5000];
    covey_query_result *result;

    snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay)%s%s", condition ? " WHERE " : "",
             condition ? condition->sql : "");
    try_worlds(e, w, condition);
    result = ask(release, sql);
    assert_answer(sql, result->group->answer, &e[0], true);
    for (int i = 1; i < 5; i++)
        if (has_missing(w))
            assert_answer_with_missing(sql, &result->group->answer[i], i, e, mean_numbers(w, condition));
        else
            assert_answer(sql, &result->group->answer[i], &e[i], i < 3);
    assert_int_equal(result->group->hits_lower, (int64_t)e[0].low);
    assert_int_equal(result->group->hits_upper, (int64_t)e[0].high);
    covey_query_result_free(result);
}

/* Conditions that link rows and values: COUNT. */
static void check_count(const covey_query_release *release, const struct world *w, const random_condition *condition)
{
    struct extremes e[5] = {{0}};
    char sql[5000];
    covey_query_result *result;

    snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition->sql);
    try_worlds(e, w, condition);
    result = ask(release, sql);
    assert_answer(sql, result->group->answer, &e[0], true);
    assert_int_equal(result->group->hits_lower, (int64_t)e[0].low);
    assert_int_equal(result->group->hits_upper, (int64_t)e[0].high);
    covey_query_result_free(result);
}

static void test_query__bucketized_bounds_are_attained_and_estimates_are_means(void **state)
{
    uint64_t seed = test_seed(42);

    for (int round = 0; round < 150; round++) {
        covey_query_release *release;
        struct world w;
        release_folder r;

        make_world(&w, round % 3 ? 0 : 3, &seed);
        release = open_world(&r, &w);
        check_numbers(release, &w, NULL);
        for (int i = 0; i < 8; i++) {
            random_condition condition;

            condition_make(&condition, attributes, PAY, 1 + i % 3, &seed);
            check_numbers(release, &w, &condition);
            condition_make(&condition, attributes, N_ATTRIBUTES, 1 + i % 4, &seed);
            check_count(release, &w, &condition);
        }
        covey_query_close(release);
        release_end(&r);
    }
}

static void test_query__bucketized_groups_are_queries_of_their_own(void **state)
{
    uint64_t seed = test_seed(11);

    for (int round = 0; round < 60; round++) {
        covey_query_release *release;
        struct world w;
        release_folder r;
        random_condition condition;
        char sql[6000];
        int64_t in_groups = 0;
        covey_query_result *grouped, *all;

        make_world(&w, 0, &seed);
        release = open_world(&r, &w);
        condition_make(&condition, attributes, PAY, 2, &seed);
        snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(pay), MIN(pay), AVG(age) WHERE %s GROUP BY city, age",
                 condition.sql);
        grouped = ask(release, sql);
        for (size_t g = 0; g < grouped->n_groups; g++) {
            const covey_query_group *group = &grouped->group[g];
            char age[32];
            covey_query_result *alone;

            snprintf(age, sizeof age, group->key[1] ? "= %s" : "IS NULL", group->key[1]);
            snprintf(sql, sizeof sql,
                     "SELECT COUNT(*), SUM(pay), MIN(pay), AVG(age) WHERE (%s) AND age %s AND city = '%s'",
                     condition.sql, age, group->key[0]);
            alone = ask(release, sql);
            assert_true(group->hits_upper > 0);
            in_groups += group->hits_upper;
            for (int i = 0; i < 4; i++) {
                assert_string_equal(alone->group->answer[i].lower.text, group->answer[i].lower.text);
                assert_string_equal(alone->group->answer[i].upper.text, group->answer[i].upper.text);
                if (group->answer[i].lower.exists && i < 3)
                    assert_near(sql, "estimate", alone->group->answer[i].estimate, group->answer[i].estimate);
            }
            covey_query_result_free(alone);
        }
        snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition.sql);
        all = ask(release, sql);
        assert_int_equal(all->group->hits_upper, in_groups);
        covey_query_result_free(all);
        covey_query_result_free(grouped);
        covey_query_close(release);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__bucketized_bounds_are_attained_and_estimates_are_means),
        cmocka_unit_test(test_query__bucketized_groups_are_queries_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
