/* Queries over tiny transformed releases against all tables they could have come from: every way to give the entries of
 * a group to its rows, the rest made up, and every value of each entry's node.  Bounds must be the least and the
 * greatest answer, estimates the mean by the target's probabilities: also of COUNT with conditions that mix the
 * sensitive column with others in any way. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "base/file/folder.h"

#include "support/release/forged_sheet.h"
#include "support/problem/problem_maker.h"

enum { N_RELEASES = 120, N_CONDITIONS = 8, MOST_ROWS = 6, MOST_ENTRIES = 16, MOST_LEAVES = 8, N_FIGURES = 5 };

struct entry {
    double low, high;
    int group;
    bool is_used;
};

/* A condition: an OR of boxes over age and pay, [NOT] (age BETWEEN ... AND pay BETWEEN ...), or with OR within. */
struct mixture {
    int n;
    struct {
        int age[2], pay[2];
        bool is_or, is_negated;
    } box[3];
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
    const struct mixture *mixture; /* condition of COUNT; NULL: age and pay are not below these */
    double value[MOST_ROWS];
    double least[N_FIGURES], most[N_FIGURES], mean[N_FIGURES], weight;
};

static bool selects(const struct mixture *m, int age, int pay)
{
    for (int i = 0; i < m->n; i++) {
        const bool ages = age >= m->box[i].age[0] && age <= m->box[i].age[1],
                   pays = pay >= m->box[i].pay[0] && pay <= m->box[i].pay[1];

        if ((m->box[i].is_or ? ages || pays : ages && pays) != m->box[i].is_negated)
            return true;
    }
    return false;
}

/* COUNT with a condition on pay; SUM, AVG, MIN, MAX without. */
static void answer(double *out, const struct world *w)
{
    int n = 0;

    out[0] = out[1] = 0;
    for (int r = 0; r < w->n_rows && w->mixture; r++)
        out[0] += selects(w->mixture, (int)w->age[r], (int)w->value[r]);
    out[3] = INFINITY;
    out[4] = -INFINITY;
    for (int r = 0; r < w->n_rows; r++)
        if (w->age[r] >= w->least_age) {
            n++;
            out[0] += !w->mixture && w->value[r] >= w->least_pay;
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
            w->entry[w->n_entries++] = (struct entry){number_at(&entries, i, 1), number_at(&entries, i, 2),
                                                      (int)number_at(&entries, i, 0), false};
    for (size_t i = 0; i < targets.n_rows; i++)
        if (strcmp(*sheet_at(&targets, i, 1), *sheet_at(&targets, i, 2)) == 0) {
            w->leaf[w->n_leaves] = number_at(&targets, i, 1);
            w->probability[w->n_leaves++] = number_at(&targets, i, 5);
        }
    sheet_free(&quasi);
    sheet_free(&entries);
    sheet_free(&targets);
}

/* half: what stands behind the whole numbers of pay. */
static void make(release_folder *r, const char *half, int unit, uint64_t *random)
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
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%c,%u%s\n", 20 + maker_below(random, 5),
                 (has_groups ? i : maker_below(random, 2)) % 2 ? 'F' : 'M', (unsigned)unit * maker_below(random, 4),
                 half);
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
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, r->path, &options, &run, &err) != COVEY_OK)
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
        fail_msg("%s: %s from %s to %s, not %g to %g", sql, a->aggregate, a->lower.text, a->upper.text,
                 w->least[figure], w->most[figure]);
    if (!near(a->estimate, w->mean[figure] / w->weight))
        fail_msg("%s: %s is expected to be %.12g, not %.12g", sql, a->aggregate, a->estimate,
                 w->mean[figure] / w->weight);
}

static void forget(struct world *w)
{
    for (int i = 0; i < N_FIGURES; i++) {
        w->least[i] = INFINITY;
        w->most[i] = -INFINITY;
        w->mean[i] = 0;
    }
    w->weight = 0;
}

static void ask(struct world *w, const covey_query_release *release)
{
    covey_query_result *result;
    covey_error err;
    char sql[160];
    int n = 0;

    forget(w);
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

static void open_release(covey_query_release **out, struct world *w, release_folder *r, const char *half, int unit,
                         uint64_t *random)
{
    covey_error err;

    release_begin(r);
    covey_i_folder_remove(r->path, NULL);
    make(r, half, unit, random);
    read_world(w, r);
    if (covey_query_open(out, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
}

static void answers_are_those_of_all_possible_tables(void **state)
{
    uint64_t random = test_seed(2009);
    int n_wide = 0, n_spare = 0;

    for (int i = 0; i < N_RELEASES; i++) {
        covey_query_release *release;
        release_folder r;
        struct world w;

        open_release(&release, &w, &r, ".5", 10, &random);
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
    assert_true(test_is_enough(n_wide > N_RELEASES && n_spare > N_RELEASES / 10));
}

static void draw_span(int span[2], int low, uint32_t n, uint64_t *random)
{
    span[0] = low + (int)maker_below(random, n);
    span[1] = span[0] + (int)maker_below(random, n);
}

static void draw_mixture(char *sql, size_t room, struct mixture *m, uint64_t *random)
{
    m->n = 2 + (int)maker_below(random, 2);
    snprintf(sql, room, "SELECT COUNT(*) WHERE ");
    for (int i = 0; i < m->n; i++) {
        draw_span(m->box[i].age, 20, 4, random);
        draw_span(m->box[i].pay, 0, 3, random);
        m->box[i].is_or = maker_below(random, 4) == 0;
        m->box[i].is_negated = maker_below(random, 4) == 0;
        snprintf(sql + strlen(sql), room - strlen(sql), "%s%s(age BETWEEN %d AND %d %s pay BETWEEN %d AND %d)",
                 i ? " OR " : "", m->box[i].is_negated ? "NOT " : "", m->box[i].age[0], m->box[i].age[1],
                 m->box[i].is_or ? "OR" : "AND", m->box[i].pay[0], m->box[i].pay[1]);
    }
}

static void counts_with_mixed_conditions_are_those_of_all_possible_tables(void **state)
{
    uint64_t random = test_seed(451);
    int n_open = 0, n_tight = 0;

    for (int i = 0; i < N_RELEASES; i++) {
        covey_query_release *release;
        release_folder r;
        struct world w;

        open_release(&release, &w, &r, "", 1, &random);
        for (int q = 0; q < N_CONDITIONS; q++) {
            struct mixture mixture;
            covey_query_result *result;
            covey_error err;
            char sql[512];

            draw_mixture(sql, sizeof sql, &mixture, &random);
            w.mixture = &mixture;
            forget(&w);
            try_worlds(&w, 0, 1);
            if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
                fail_msg("%s: %s", sql, err.message);
            compare(&w, result->group, 0, 0, sql);
            covey_query_result_free(result);
            n_open += w.least[0] < w.most[0];
            n_tight += w.least[0] > 0 && w.most[0] < w.n_rows && w.least[0] < w.most[0];
        }
        covey_query_close(release);
        release_end(&r);
    }
    assert_true(test_is_enough(n_open > N_RELEASES && n_tight > N_RELEASES / 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_possible_tables),
        cmocka_unit_test(counts_with_mixed_conditions_are_those_of_all_possible_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
