/* Composition over the people who are in two releases of a table that changes, or in three, against worlds: every way
 * of giving the rows of each class to its people, read from the published files, is tried. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"

enum { MOST_PEOPLE = 9, N_VALUES = 4, MOST_CLASSES = 20, MOST_RELEASES = 3 };

static const char *const release_name[MOST_RELEASES] = {"first", "second", "third"};
static const char *const value_name[N_VALUES] = {"asthma", "cold", "flu", "gout"};

struct release {
    bool has[MOST_PEOPLE];
    int class_of[MOST_PEOPLE]; /* from 1; 0: in none */
    int rows[MOST_CLASSES][N_VALUES];
};

struct table {
    int n, n_releases, age[MOST_PEOPLE], value[MOST_PEOPLE];
    struct release of[MOST_RELEASES];
    uint64_t worlds, has[MOST_PEOPLE]; /* of the true value */
};

/* --- releases --- */

static void write_table(const struct table *t, int r)
{
    covey_text out = COVEY_TEXT_INIT;
    char file[32];

    snprintf(file, sizeof file, "%s.csv", release_name[r]);
    covey_i_text_add_string(&out, "person,age,illness\n");
    for (int i = 0; i < t->n; i++)
        if (t->of[r].has[i])
            covey_i_text_add_format(&out, "p%d,%d,%s\n", i, t->age[i], value_name[t->value[i]]);
    csv_put_file(csv_path(file), out.bytes, out.size);
    covey_i_text_free(&out);
}

static int n_of(const struct table *t, int r)
{
    int n = 0;

    for (int i = 0; i < t->n; i++)
        n += t->of[r].has[i];
    return n;
}

/* m: 0: k-anonymous, with a list of who is in which class.  false: there is none that keeps the policy. */
static bool publish(int r, int m, uint64_t seed)
{
    const char *const name = release_name[r];
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = seed};
    char text[1024], links[1100], ledger[1024], previous[MOST_RELEASES][1024];
    const char *const before[MOST_RELEASES] = {previous[0], previous[1], previous[2]};
    covey_anonymize_options options = {.force = true};

    snprintf(links, sizeof links, "%s", csv_path("links"));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    for (int i = 0; i < r; i++)
        snprintf(previous[i], sizeof previous[i], "%s", csv_path(release_name[i]));
    options.ledger = m > 0 ? ledger : NULL;
    options.links = m > 0 ? NULL : links;
    options.n_previous = m > 0 ? (size_t)r : 0;
    options.previous = before;
    snprintf(text, sizeof text,
             "version: 1\ninput: {path: %s.csv}\nattributes:\n  - {name: person, role: entity}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: illness, role: sensitive}\n"
             "suppression: {limit: 0.4}\nmethod: %s\nprivacy:\n  - {model: %s: %d}\n",
             name, m > 0 ? "m-invariance" : "mondrian", m > 0 ? "m-invariance, m" : "k-anonymity, k", m > 0 ? m : 2);
    return publish_policy("waves", text, name, &options, &run);
}

/* What the classes show, and who is in them: from the ledger's column, or from the list. */
static void read_release(struct table *t, int r, bool by_list)
{
    struct release *out = &t->of[r];
    covey_table *table, *people = csv_read_file(by_list ? "links" : "ledger.csv");
    int person = -1;
    char file[32];

    snprintf(file, sizeof file, "%s/table.csv", release_name[r]);
    table = csv_read_file(file);
    memset(out->rows, 0, sizeof out->rows);
    memset(out->class_of, 0, sizeof out->class_of);
    for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
        const int class = (int)strtol(csv_cell(table, 0, row), NULL, 10);

        assert_in_range(class, 1, MOST_CLASSES - 1);
        for (int v = 0; v < N_VALUES; v++)
            out->rows[class][v] += strcmp(csv_cell(table, 2, row), value_name[v]) == 0;
    }
    for (int64_t row = 0; row < covey_table_n_rows(people); row++) {
        const char *class = csv_cell(people, by_list ? 1 : 3 + (size_t)r, row);

        if (by_list)
            do
                person++;
            while (!out->has[person]);
        else if (csv_cell(people, 0, row) && csv_cell(people, 0, row)[0] == 'p')
            person = (int)strtol(csv_cell(people, 0, row) + 1, NULL, 10);
        else
            continue;
        out->class_of[person] = class ? (int)strtol(class, NULL, 10) : 0;
    }
    covey_table_free(table);
    covey_table_free(people);
}

/* --- worlds --- */

static bool is_in_any(const struct table *t, int i)
{
    bool is_there = false;

    for (int r = 0; r < t->n_releases; r++)
        is_there |= t->of[r].class_of[i] > 0;
    return is_there;
}

/* Gives person i a row in each class; who is in one release alone, too.  ways: rows of equal values. */
static void give_rows(struct table *t, int i, uint64_t ways, const int value[MOST_PEOPLE])
{
    int given[MOST_PEOPLE];

    if (i == t->n) {
        t->worlds += ways;
        for (int p = 0; p < t->n; p++)
            t->has[p] += value[p] == t->value[p] ? ways : 0;
        return;
    }
    memcpy(given, value, sizeof given);
    if (!is_in_any(t, i)) {
        given[i] = -1;
        give_rows(t, i + 1, ways, given);
        return;
    }
    for (int v = 0; v < N_VALUES; v++) {
        uint64_t here = 1;

        given[i] = v;
        for (int r = 0; r < t->n_releases; r++)
            if (t->of[r].class_of[i] > 0)
                here *= (uint64_t)t->of[r].rows[t->of[r].class_of[i]][v]--;
        if (here > 0 && here < 1000)
            give_rows(t, i + 1, ways * here, given);
        for (int r = 0; r < t->n_releases; r++)
            if (t->of[r].class_of[i] > 0)
                t->of[r].rows[t->of[r].class_of[i]][v]++;
    }
}

/* --- the attack --- */

static double detail(const covey_attack_report *report, const char *name)
{
    for (size_t i = 0; i < report->result->n_details; i++)
        if (strcmp(report->result->detail[i].name, name) == 0)
            return report->result->detail[i].value.kind == COVEY_ATTACK_NUMBER
                       ? report->result->detail[i].value.number
                       : (double)report->result->detail[i].value.integer;
    fail_msg("there is no %s", name);
    return NAN;
}

static covey_attack_report *attack(int n_releases, bool by_list)
{
    static const char *const what = "composition";
    char first[1024], second[1024], third[1024], ledger[1024], links[1024], original[1100];
    const char *const also = third;
    covey_attack_options options = {.with = second, .releases_ledger = ledger, .n_names = 1, .name = &what};
    covey_attack_report *report = NULL;
    covey_error err;

    snprintf(first, sizeof first, "%s", csv_path("first"));
    snprintf(second, sizeof second, "%s", csv_path("second"));
    snprintf(third, sizeof third, "%s", csv_path("third"));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    snprintf(links, sizeof links, "%s", csv_path("links"));
    options.also = &also;
    options.n_also = (size_t)n_releases - 2;
    snprintf(original, sizeof original, "%s.csv", second);
    if (by_list) {
        options.with_links = links;
        options.with_original = original;
    }
    if (covey_attack_release(&report, first, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_int_equal(report->n_results, 1);
    return report;
}

/* How many of the people who are in the first and in another one were compared; 0: none is. */
static int compare(struct table *t, int m, bool by_list, int *n_above)
{
    covey_attack_report *report = attack(t->n_releases, by_list);
    const covey_attack_result *result = report->result;
    const int nobody[MOST_PEOPLE] = {0};
    double most = 0, sum = 0;
    int n = 0, above = 0;

    t->worlds = 0;
    memset(t->has, 0, sizeof t->has);
    give_rows(t, 0, 1, nobody);
    assert_true(t->worlds > 0); /* the true one */
    for (int i = 0; i < t->n; i++) {
        const double chance = (double)t->has[i] / (double)t->worlds;

        if (t->of[0].class_of[i] == 0 ||
            (t->of[1].class_of[i] == 0 && (t->n_releases == 2 || t->of[2].class_of[i] == 0)))
            continue;
        n++;
        sum += chance;
        most = fmax(most, chance);
        above += t->has[i] * (uint64_t)m > t->worlds;
    }
    assert_int_equal(result->applies, n > 0);
    if (n > 0) {
        assert_string_equal(result->over, "persons");
        assert_int_equal(detail(report, "compared_persons"), n);
        assert_int_equal(detail(report, "counted_persons"), n);
        assert_true(fabs(result->figure - most) < 1e-12);
        assert_true(fabs(detail(report, "mean") - sum / n) < 1e-12);
        assert_true(fabs(detail(report, "above_share") - (double)above / n) < 1e-12);
        assert_int_equal(result->verdict, above > 0 ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE);
        *n_above += above > 0;
    }
    covey_attack_report_free(report);
    return n;
}

static void make_table(struct table *t, int n_releases, uint64_t *state)
{
    *t = (struct table){.n_releases = n_releases, .n = 5 + (int)maker_below(state, MOST_PEOPLE - 4)};
    for (int i = 0; i < t->n; i++) {
        const uint32_t where = maker_below(state, 5);

        t->age[i] = 20 + (int)maker_below(state, 12);
        t->value[i] = (int)maker_below(state, N_VALUES);
        t->of[0].has[i] = where != 0;
        t->of[1].has[i] = where != 1;
        t->of[2].has[i] = maker_below(state, 4) != 0;
    }
}

/* Tables of other sizes are other tables to the ledger. */
static bool publish_all(struct table *t, int m, bool by_list, uint64_t seed)
{
    for (int r = 0; r < t->n_releases; r++) {
        write_table(t, r);
        for (int i = 0; i < r; i++)
            if (n_of(t, i) == n_of(t, r))
                return false;
        if (!publish(r, by_list && r > 0 ? 0 : m, seed))
            return false;
    }
    for (int r = 0; r < t->n_releases; r++)
        read_release(t, r, by_list && r > 0);
    return true;
}

static void run_rounds(int n_releases, bool by_list)
{
    int n_compared = 0, n_above = 0, n_rounds = test_share(60);

    for (int round = 0; round < n_rounds; round++) {
        uint64_t state = 900 + (uint64_t)round;
        const int m = 2 + round % 2;
        struct table t;

        csv_folder();
        make_table(&t, n_releases, &state);
        if (publish_all(&t, m, by_list, state))
            n_compared += compare(&t, m, by_list, &n_above) > 0;
        csv_folder_remove();
    }
    if (!test_is_enough(n_compared > 12))
        fail_msg("only %d tables were compared", n_compared);
    if (by_list)
        assert_true(n_above > 2 || !test_is_enough(true));
    else
        assert_int_equal(n_above, 0);
}

static void releases_of_one_ledger_say_no_more_together(void **state)
{
    run_rounds(2, false);
}

static void three_releases_of_one_ledger_say_no_more_together(void **state)
{
    run_rounds(3, false);
}

static void another_release_says_what_the_worlds_say(void **state)
{
    run_rounds(2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_of_one_ledger_say_no_more_together),
        cmocka_unit_test(three_releases_of_one_ledger_say_no_more_together),
        cmocka_unit_test(another_release_says_what_the_worlds_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
