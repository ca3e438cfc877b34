/* COUNT(DISTINCT entity), judged by brute force: over all ways in which the rows of a class may be its units', and over
 * releases of random tables whose persons and households are counted here from the originals. */
#include "test.h"

#include <covey/covey.h>
#include <covey/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "query/class_units.h"
#include "support/csvs.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"
#include "support/query/random_condition.h"

/* --- one class --- */

enum { MOST_ROWS = 6 };

/* What all worlds say. */
struct worlds {
    int64_t least, most;
    double sum, n_even; /* over those in which units have as many rows as each other, but for one */
};

static int64_t units_hit(const int *unit, uint32_t selected)
{
    uint32_t hit = 0;

    for (int i = 0; i < MOST_ROWS; i++)
        hit |= selected >> i & 1 ? 1U << unit[i] : 0;
    return __builtin_popcount(hit);
}

/* A world of units: the first rows are surely selected, the next ones with probability p. */
static void judge_world(struct worlds *w, const covey_class_of_units *c, const int *unit, double p)
{
    int64_t size[MOST_ROWS] = {0};
    bool is_even = true;

    for (int i = 0; i < c->n_rows; i++)
        size[unit[i]]++;
    for (int u = 0; u < c->n_units; u++) {
        if (size[u] > c->largest)
            return;
        is_even &= size[u] >= c->n_rows / c->n_units && size[u] <= (c->n_rows + c->n_units - 1) / c->n_units;
    }
    w->n_even += is_even;
    for (uint32_t maybe = 0; maybe < 1U << c->n_maybe; maybe++) {
        const uint32_t selected = (1U << c->n_sure) - 1 + (maybe << c->n_sure);
        const int64_t n = units_hit(unit, selected), n_of_maybe = __builtin_popcount(maybe);

        w->least = n < w->least ? n : w->least;
        w->most = n > w->most ? n : w->most;
        if (is_even)
            w->sum += (double)n * pow(p, (double)n_of_maybe) * pow(1 - p, (double)(c->n_maybe - n_of_maybe));
    }
}

/* All ways to part the rows into units, each once. */
static void go_through(struct worlds *w, const covey_class_of_units *c, int *unit, int row, int n_units, double p)
{
    if (row == c->n_rows) {
        if (n_units == c->n_units)
            judge_world(w, c, unit, p);
        return;
    }
    for (int u = 0; u <= n_units && u < c->n_units; u++) {
        unit[row] = u;
        go_through(w, c, unit, row + 1, n_units + (u == n_units), p);
    }
}

static void check_class(covey_class_of_units *c, double p)
{
    struct worlds w = {.least = INT64_MAX, .most = -1};
    covey_selected_units units = {0};
    int unit[MOST_ROWS] = {0};

    c->expected = (double)c->n_sure + p * (double)c->n_maybe;
    go_through(&w, c, unit, 0, 0, p);
    covey_i_selected_units_add(&units, c);
    if (units.lower != w.least || units.upper != w.most || fabs(units.expected - w.sum / w.n_even) > 1e-12)
        fail_msg("%d rows, %d units of at most %d, %d selected and %d with %g: %d to %d and %.17g expected, not %d to "
                 "%d and %.17g",
                 (int)c->n_rows, (int)c->n_units, (int)c->largest, (int)c->n_sure, (int)c->n_maybe, p, (int)w.least,
                 (int)w.most, w.sum / w.n_even, (int)units.lower, (int)units.upper, units.expected);
}

static void bounds_are_those_of_all_worlds_of_a_class(void **unused)
{
    static const double chance[] = {0, 0.25, 0.7, 1};
    covey_class_of_units c;

    for (c.n_rows = 1; c.n_rows <= MOST_ROWS; c.n_rows++)
        for (c.n_units = 1; c.n_units <= c.n_rows; c.n_units++)
            for (c.largest = (c.n_rows + c.n_units - 1) / c.n_units; c.largest <= c.n_rows; c.largest++)
                for (c.n_sure = 0; c.n_sure <= c.n_rows; c.n_sure++)
                    for (c.n_maybe = 0; c.n_maybe <= c.n_rows - c.n_sure; c.n_maybe++)
                        for (size_t i = 0; i < sizeof chance / sizeof *chance; i++)
                            check_class(&c, chance[i]);
}

/* With one row for each unit it is COUNT(*), and what is not known stays unknown. */
static void units_of_one_row_are_rows(void **unused)
{
    covey_class_of_units c = {
        .n_rows = 1000000, .n_units = 1000000, .largest = 1, .n_sure = 17, .n_maybe = 400, .expected = 117};
    covey_selected_units units = {0};

    covey_i_selected_units_add(&units, &c);
    assert_int_equal(units.lower, 17);
    assert_int_equal(units.upper, 417);
    assert_true(fabs(units.expected - 117) < 1e-6);
    c.expected = NAN;
    covey_i_selected_units_add(&units, &c);
    assert_true(isnan(units.expected));
}

/* --- releases --- */

enum { ROUNDS = 120, QUERIES = 25, MOST_TABLE_ROWS = 40, N_ATTRIBUTES = 3, N_VALUES = 4 };

static const char *const zips[] = {"1000", "1001", "1002", "1003", "1004"};
static const char *const values[N_VALUES] = {"flu", "cold", "gout", "acne"};
static const condition_attribute attributes[N_ATTRIBUTES] = {
    {.name = "age", .low = 18, .high = 55},
    {.name = "zip", .n_labels = 5, .label = zips},
    {.name = "illness", .n_labels = N_VALUES, .label = values},
};

struct table {
    int n, person[MOST_TABLE_ROWS], value[MOST_TABLE_ROWS][N_ATTRIBUTES];
    bool has_homes; /* of two persons each */
};

static void make_table(struct table *t, uint64_t *state)
{
    const int n = 8 + (int)maker_below(state, MOST_TABLE_ROWS - 8);
    covey_text out = COVEY_TEXT_INIT;

    *t = (struct table){.has_homes = maker_below(state, 3) == 0};
    covey_i_text_add_string(&out, "home,person,age,zip,illness\n");
    for (int person = 0; t->n < n; person++) {
        const int rows = 1 + (int)maker_below(state, 4), age = 20 + (int)maker_below(state, 30);

        for (int i = 0; i < rows && t->n < n; i++, t->n++) {
            int *value = t->value[t->n];

            t->person[t->n] = person;
            value[0] = age + (int)maker_below(state, 4);
            value[1] = (int)maker_below(state, 5);
            value[2] = (int)maker_below(state, N_VALUES);
            covey_i_text_add_format(&out, "h%d,p%d,%d,%s,%s\n", person / 2, person, value[0], zips[value[1]],
                                    values[value[2]]);
        }
    }
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

/* False: no release keeps the policy. */
static bool anonymize(const struct table *t, uint64_t *state)
{
    static const char *const methods[] = {"mondrian", "peel", "elastic", "full-domain, publish-boxes: tight"};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    char text[1024];

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nothers: drop\nattributes:\n  - {name: person, role: entity%s}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier, type: text, hierarchy: "
             "{mask: 4}}\n  - {name: illness, role: sensitive}\nsuppression: {limit: %s}\nmethod: {name: %s}\n"
             "privacy:\n  - {model: k-anonymity, k: %d, units: %s}\n%s",
             t->has_homes ? ", within: home" : "", maker_below(state, 2) ? "0.3" : "0", methods[maker_below(state, 4)],
             2 + (int)maker_below(state, 2), maker_below(state, 3) ? "share" : "count",
             maker_below(state, 2) ? "  - {model: basic-beta-likeness, beta: 4}\n" : "");
    return publish_policy("persons", text, "release", NULL, &run);
}

/* Persons, or homes of `of` persons each, with a selected row of that age (-1: any). */
static int count_truth(const struct table *t, const random_condition *condition, int age, int of)
{
    bool seen[MOST_TABLE_ROWS] = {false};
    int n = 0;

    for (int i = 0; i < t->n; i++)
        if ((age < 0 || t->value[i][0] == age) && condition_selects(condition, t->value[i]) &&
            !seen[t->person[i] / of]) {
            seen[t->person[i] / of] = true;
            n++;
        }
    return n;
}

static void expect_within(const char *sql, const covey_query_answer *answer, int truth)
{
    if (answer->lower.value > truth || answer->upper.value < truth)
        fail_msg("%s: %s is %d, not in [%s, %s]", sql, answer->aggregate, truth, answer->lower.text,
                 answer->upper.text);
    if (answer->estimate < answer->lower.value || answer->estimate > answer->upper.value)
        fail_msg("%s: the estimate %.17g is not in [%s, %s]", sql, answer->estimate, answer->lower.text,
                 answer->upper.text);
    assert_true(isnan(answer->standard_error));
}

static void ask(const covey_query_release *release, const struct table *t, bool is_grouped, uint64_t *state)
{
    random_condition condition;
    covey_query_result *result = NULL;
    covey_error err;
    char sql[5000];

    condition_make(&condition, attributes, N_ATTRIBUTES, 1 + (int)maker_below(state, 3), state);
    snprintf(sql, sizeof sql, "SELECT COUNT(*), COUNT(DISTINCT entity)%s WHERE %s%s",
             t->has_homes ? ", COUNT(DISTINCT household)" : "", condition.sql, is_grouped ? " GROUP BY age" : "");
    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    for (size_t g = 0; g < result->n_groups; g++) {
        const covey_query_answer *answer = result->group[g].answer;
        const int age = is_grouped ? (int)strtol(result->group[g].key[0], NULL, 10) : -1;

        expect_within(sql, &answer[1], count_truth(t, &condition, age, 1));
        if (t->has_homes)
            expect_within(sql, &answer[2], count_truth(t, &condition, age, 2));
        assert_true(answer[1].lower.value <= answer[0].lower.value);
        assert_true(answer[1].upper.value <= answer[0].upper.value);
    }
    covey_query_result_free(result);
}

static void the_truth_lies_within_the_bounds(void **unused)
{
    uint64_t state = 20261124;
    int n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        covey_query_release *release = NULL;
        struct table t;
        covey_error err;

        csv_folder();
        make_table(&t, &state);
        if (anonymize(&t, &state)) {
            if (covey_query_open(&release, csv_path("release"), NULL, &err) != COVEY_OK)
                fail_msg("%s", err.message);
            for (int i = 0; i < QUERIES; i++)
                ask(release, &t, i % 5 == 0, &state);
            covey_query_close(release);
            n_made++;
        }
        csv_folder_remove();
    }
    assert_true(n_made > ROUNDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_all_worlds_of_a_class),
        cmocka_unit_test(units_of_one_row_are_rows),
        cmocka_unit_test(the_truth_lies_within_the_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
