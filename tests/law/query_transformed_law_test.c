/* Queries over tiny transformed releases against all tables they could have come from: every way to give the entries of a group to its rows, the rest made
 * up, and every value of each entry's node.  Bounds must be the least and the greatest answer, estimates the mean by the target's probabilities. */
#include "../test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "base/folder.h"

#include "../support/forged_sheet.h"
#include "../support/problem_maker.h"

enum { N_RELEASES = 120, MOST_ROWS = 6, MOST_ENTRIES = 16, MOST_LEAVES = 8, N_FIGURES = 5 };

struct entry {
    double low, high;
    int group;
    bool is_used;
};

/* A release, read without the library. */
struct world {
    int n_rows, n_entries, n_leaves;
    int group[MOST_ROWS];
    double age[MOST_ROWS];
    struct entry entry[MOST_ENTRIES];
    double leaf[MOST_LEAVES], probability[MOST_LEAVES];

    /* the query, and what is found */
    double least_age, least_pay;
    double value[MOST_ROWS];
    double least[N_FIGURES], most[N_FIGURES], mean[N_FIGURES], weight;
};

/* COUNT with a condition on pay; SUM, AVG, MIN, MAX without. */
static void answer(double *out, const struct world *w)
{
    int n = 0;

    out[0] = out[1] = 0;
    out[3] = INFINITY;
    out[4] = -INFINITY;
    for (int r = 0; r < w->n_rows; r++)
        if (w->age[r] >= w->least_age) {
            n++;
            out[0] += w->value[r] >= w->least_pay;
            out[1] += w->value[r];
            out[3] = fmin(out[3], w->value[r]);
            out[4] = fmax(out[4], w->value[r]);
        }
    out[2] = n > 0 ? out[1] / n : NAN;
}

static void try_worlds(struct world *w, int row, double weight)
{
    double figure[N_FIGURES];

    if (row == w->n_rows) {
        answer(figure, w);
        for (int i = 0; i < N_FIGURES; i++) {
            w->least[i] = fmin(w->least[i], figure[i]);
            w->most[i] = fmax(w->most[i], figure[i]);
            w->mean[i] += weight * figure[i];
        }
        w->weight += weight;
        return;
    }
    for (int e = 0; e < w->n_entries; e++) {
        struct entry *entry = &w->entry[e];
        double all = 0;

        if (entry->is_used || entry->group != w->group[row])
            continue;
        for (int l = 0; l < w->n_leaves; l++)
            all += w->leaf[l] >= entry->low && w->leaf[l] <= entry->high ? w->probability[l] : 0;
        entry->is_used = true;
        for (int l = 0; l < w->n_leaves; l++)
            if (w->leaf[l] >= entry->low && w->leaf[l] <= entry->high) {
                w->value[row] = w->leaf[l];
                try_worlds(w, row + 1, weight * w->probability[l] / all);
            }
        entry->is_used = false;
    }
}

static double number_at(const sheet *s, size_t row, size_t column)
{
    return strtod(*sheet_at(s, row, column), NULL);
}

static void read_world(struct world *w, const release_folder *r)
{
    sheet quasi, entries, targets;

    memset(w, 0, sizeof *w);
    sheet_read(&quasi, r, "quasi.csv");
    sheet_read(&entries, r, "sensitive.csv");
    sheet_read(&targets, r, "target.csv");
    for (size_t i = 0; i < quasi.n_rows; i++) {
        w->group[w->n_rows] = (int)number_at(&quasi, i, 0);
        w->age[w->n_rows++] = number_at(&quasi, i, 1);
    }
    for (size_t i = 0; i < entries.n_rows; i++)
        for (int c = 0; c < (int)number_at(&entries, i, 4); c++)
            w->entry[w->n_entries++] = (struct entry){number_at(&entries, i, 1), number_at(&entries, i, 2), (int)number_at(&entries, i, 0), false};
    for (size_t i = 0; i < targets.n_rows; i++)
        if (strcmp(*sheet_at(&targets, i, 1), *sheet_at(&targets, i, 2)) == 0) {
            w->leaf[w->n_leaves] = number_at(&targets, i, 1);
            w->probability[w->n_leaves++] = number_at(&targets, i, 5);
        }
    sheet_free(&quasi);
    sheet_free(&entries);
    sheet_free(&targets);
}

static void make(release_folder *r, uint64_t *random)
{
    static const char *const fakes[] = {"0", "1", "2"}, *const target[] = {"uniform", "source", "{zipf: {s: 1}}"};
    const covey_anonymize_options options = {.force = true};
    const bool has_groups = maker_below(random, 2);
    const uint32_t n = 2 + maker_below(random, has_groups ? 3 : 3);
    char text[512] = "age,sex,pay\n";
    covey_anonymize_report report;
    covey_policy *policy;
    covey_run run = {.n_threads = 1};
    covey_error err;

    for (uint32_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%c,%u.5\n", 20 + maker_below(random, 5), has_groups && i % 2 ? 'F' : 'M',
                 10 * maker_below(random, 4));
    release_original(r, text);
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", r->original, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "quasi", "age,sex", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "sensitive", "pay", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "model", "p-private", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "method", "distribution", &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "fakes", fakes[maker_below(random, 3)], &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "target", target[maker_below(random, 3)], &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "resolution", "3", &err), COVEY_OK);
    if (has_groups)
        assert_int_equal(covey_policy_set(policy, "groups", "{by: [sex]}", &err), COVEY_OK);
    if (covey_policy_check(policy, &err) != COVEY_OK || covey_anonymize(&report, policy, r->path, &options, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6 * (1 + fabs(b));
}

static void compare(const struct world *w, const covey_query_group *found, int figure, int answer_at, const char *sql)
{
    const covey_query_answer *a = &found->answer[answer_at];

    if (!a->lower.exists || !near(a->lower.value, w->least[figure]) || !near(a->upper.value, w->most[figure]))
        fail_msg("%s: %s from %s to %s, not %g to %g", sql, a->aggregate, a->lower.text, a->upper.text, w->least[figure], w->most[figure]);
    if (!near(a->estimate, w->mean[figure] / w->weight))
        fail_msg("%s: %s is expected to be %.12g, not %.12g", sql, a->aggregate, a->estimate, w->mean[figure] / w->weight);
}

static void ask(struct world *w, const covey_query_release *release)
{
    covey_query_result *result;
    covey_error err;
    char sql[160];
    int n = 0;

    for (int i = 0; i < N_FIGURES; i++) {
        w->least[i] = INFINITY;
        w->most[i] = -INFINITY;
        w->mean[i] = 0;
    }
    w->weight = 0;
    try_worlds(w, 0, 1);
    for (int r = 0; r < w->n_rows; r++)
        n += w->age[r] >= w->least_age;
    snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE age >= %g AND pay >= %g", w->least_age, w->least_pay);
    assert_int_equal(covey_query_run(&result, release, sql, NULL, &err), COVEY_OK);
    compare(w, result->group, 0, 0, sql);
    covey_query_result_free(result);
    snprintf(sql, sizeof sql, "SELECT SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE age >= %g", w->least_age);
    assert_int_equal(covey_query_run(&result, release, sql, NULL, &err), COVEY_OK);
    assert_true(result->group->hits_lower == n && result->group->hits_upper == n);
    for (int i = 1; i < N_FIGURES; i++)
        if (n > 0)
            compare(w, result->group, i, i - 1, sql);
        else
            assert_true(!result->group->answer[i - 1].lower.exists && isnan(result->group->answer[i - 1].estimate));
    covey_query_result_free(result);
}

static void answers_are_those_of_all_possible_tables(void **state)
{
    uint64_t random = 2009;
    int n_wide = 0, n_spare = 0;

    for (int i = 0; i < N_RELEASES; i++) {
        covey_query_release *release;
        release_folder r;
        struct world w;
        covey_error err;

        release_begin(&r);
        covey_i_folder_remove(r.path, NULL);
        make(&r, &random);
        read_world(&w, &r);
        if (covey_query_open(&release, r.path, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        for (int q = 0; q < 4; q++) {
            w.least_age = 20 + (double)maker_below(&random, 6);
            w.least_pay = 10 * (double)maker_below(&random, 4) + (maker_below(&random, 2) ? 0.5 : 0);
            ask(&w, release);
            n_wide += w.most[1] > w.least[1];
        }
        n_spare += w.n_entries > w.n_rows;
        covey_query_close(release);
        release_end(&r);
    }
    assert_true(n_wide > N_RELEASES && n_spare > N_RELEASES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_possible_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
