/* Attacks on one m-invariant release with its table and the ledger, against worlds: every way of giving the rows of a
 * class to its people, so that what is left is nobody's, is tried.  And where nobody's row is published the ledger
 * changes nothing. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"

enum { MOST_PEOPLE = 12, MOST_CLASSES = 16, MOST_ROWS = 8, N_VALUES = 4 };

static const char *const value_name[N_VALUES] = {"asthma", "cold", "flu", "gout"};

struct class
{
    int n_rows, n_people;
    int value[MOST_ROWS], person[MOST_ROWS];
    double worlds, has[MOST_ROWS];            /* of the true value, by person */
    double knows[MOST_ROWS], both[MOST_ROWS]; /* worlds where the other has the true value, and both have */
    double present, has_present[MOST_ROWS];   /* of worlds where nobody has a value that the table does not have */
};

struct table {
    int n, age[MOST_PEOPLE], value[MOST_PEOPLE];
    bool is_in[2][MOST_PEOPLE], is_published[MOST_PEOPLE]; /* published: by the second release */
    int n_made_up;                                         /* in it */
    int n_with[N_VALUES];                                  /* people of the second table */
    struct class class[MOST_CLASSES];                      /* of the second release; from 1 */
};

/* --- releases --- */

/* False: both have as many people, so that there may be nothing new to publish. */
static bool make_tables(struct table *t, uint64_t *state)
{
    int n_people[2] = {0, 0};

    *t = (struct table){.n = 6 + (int)maker_below(state, MOST_PEOPLE - 5)};
    for (int i = 0; i < t->n; i++) {
        const uint32_t where = maker_below(state, 4);

        t->age[i] = 20 + (int)maker_below(state, 12);
        t->value[i] = (int)maker_below(state, N_VALUES);
        t->is_in[0][i] = where != 0;
        t->is_in[1][i] = where != 1;
        n_people[0] += where != 0;
        n_people[1] += where != 1;
    }
    for (int r = 0; r < 2; r++) {
        covey_text out = COVEY_TEXT_INIT;

        covey_i_text_add_string(&out, "person,age,illness\n");
        for (int i = 0; i < t->n; i++)
            if (t->is_in[r][i])
                covey_i_text_add_format(&out, "p%d,%d,%s\n", i, t->age[i], value_name[t->value[i]]);
        csv_put_file(csv_path(r ? "second.csv" : "first.csv"), out.bytes, out.size);
        covey_i_text_free(&out);
    }
    return n_people[0] != n_people[1];
}

/* false: there is none that keeps the policy. */
static bool publish(int r, int m, uint64_t seed)
{
    const char *const name = r ? "second" : "first";
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = seed};
    char text[1024], ledger[1024], previous[1024];
    const char *const before = previous;
    covey_anonymize_options options = {.ledger = ledger, .n_previous = (size_t)r, .previous = &before};

    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    snprintf(previous, sizeof previous, "%s", csv_path("first"));
    snprintf(text, sizeof text,
             "version: 1\ninput: {path: %s.csv}\nattributes:\n  - {name: person, role: entity}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: illness, role: sensitive}\n"
             "suppression: {limit: 0.4}\nprivacy:\n  - {model: m-invariance, m: %d}\n",
             name, m);
    return publish_policy("waves", text, name, &options, &run);
}

/* What the classes show, and who is in them by the ledger. */
static void read_second(struct table *t)
{
    covey_table *table = csv_read_file("second/table.csv"), *ledger = csv_read_file("ledger.csv");

    t->n_made_up = (int)covey_table_n_rows(table);
    for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
        struct class *c = &t->class[strtol(csv_cell(table, 0, row), NULL, 10)];

        for (int v = 0; v < N_VALUES; v++)
            if (strcmp(csv_cell(table, 2, row), value_name[v]) == 0)
                c->value[c->n_rows++] = v;
    }
    for (int64_t row = 0; row < covey_table_n_rows(ledger); row++) {
        const char *person = csv_cell(ledger, 0, row), *class = csv_cell(ledger, 4, row);
        struct class *c = &t->class[strtol(class, NULL, 10)];

        if (person[0] != 'p' || c == t->class) /* a signature, or not in this release */
            continue;
        c->person[c->n_people] = (int)strtol(person + 1, NULL, 10);
        t->is_published[c->person[c->n_people++]] = true;
        t->n_made_up--;
    }
    covey_table_free(table);
    covey_table_free(ledger);
}

/* --- worlds --- */

/* Gives the people from the i-th on a row each; given: what the others have.  known: the one whose value is known. */
static void give_rows(struct class *c, const struct table *t, int i, unsigned taken, const int given[MOST_ROWS])
{
    int next[MOST_ROWS];
    bool is_present = true;

    memcpy(next, given, sizeof next);
    for (int row = 0; row < c->n_rows && i < c->n_people; row++)
        if (!(taken & 1u << row)) {
            next[i] = c->value[row];
            give_rows(c, t, i + 1, taken | 1u << row, next);
        }
    if (i < c->n_people)
        return;
    c->worlds++;
    for (int p = 0; p < c->n_people; p++)
        is_present &= t->n_with[given[p]] > 0;
    c->present += is_present;
    for (int p = 0; p < c->n_people; p++) {
        const int other = p == 0 ? 1 : 0; /* another one of the class */

        c->has[p] += given[p] == t->value[c->person[p]];
        c->has_present[p] += is_present && given[p] == t->value[c->person[p]];
        if (c->n_people < 2 || given[other] != t->value[c->person[other]])
            continue;
        c->knows[p]++;
        c->both[p] += given[p] == t->value[c->person[p]];
    }
}

struct expected {
    double most, present_most, ratio, known_most, known_mean, fewest_rows;
};

static struct expected look_at_worlds(struct table *t)
{
    struct expected e = {.fewest_rows = MOST_ROWS};
    int *n_with = t->n_with, n_all = 0, n_published = 0;

    for (int i = 0; i < t->n; i++) /* without made-up rows the published ones are the table, as for all releases */
        if (t->is_in[1][i] && (t->is_published[i] || t->n_made_up > 0)) {
            n_with[t->value[i]]++;
            n_all++;
        }
    for (int k = 1; k < MOST_CLASSES; k++) {
        struct class *c = &t->class[k];
        const int nobody[MOST_ROWS] = {0};

        if (c->n_rows == 0)
            continue;
        give_rows(c, t, 0, 0, nobody);
        e.fewest_rows = fmin(e.fewest_rows, c->n_rows);
        for (int p = 0; p < c->n_people; p++) {
            const double alone = c->has[p] / c->worlds, known = c->n_people > 1 ? c->both[p] / c->knows[p] : alone;

            n_published++;
            e.most = fmax(e.most, alone);
            e.present_most = fmax(e.present_most, c->has_present[p] / c->present);
            e.known_most = fmax(e.known_most, known);
            e.known_mean += known;
        }
        for (int row = 0; row < c->n_rows; row++) /* what one has as often as another: the values can be exchanged */
            if (n_with[c->value[row]] > 0)
                e.ratio = fmax(e.ratio, c->has[0] / c->worlds * n_all / n_with[c->value[row]]);
    }
    e.known_mean /= n_published;
    return e;
}

/* --- the attacks --- */

static covey_attack_report *attack(const char *release, const char *original, bool with_ledger)
{
    char folder[1024], table[1024], ledger[1024];
    covey_attack_options options = {.original = table, .releases_ledger = with_ledger ? ledger : NULL};
    covey_attack_report *report = NULL;
    covey_error err;

    snprintf(folder, sizeof folder, "%s", csv_path(release));
    snprintf(table, sizeof table, "%s", csv_path(original));
    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    if (covey_attack_release(&report, folder, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return report;
}

static const covey_attack_result *result_of(const covey_attack_report *report, const char *name)
{
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(covey_attack_name(report->result[i].attack), name) == 0)
            return &report->result[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static double detail_of(const covey_attack_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_details; i++)
        if (strcmp(result->detail[i].name, name) == 0)
            return result->detail[i].value.number;
    return NAN;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12 || (isnan(a) && isnan(b));
}

/* true: who knows which values the table has knows more than who does not. */
static bool compare_worlds(struct table *t, int m)
{
    covey_attack_report *report = attack("second", "second.csv", true);
    const struct expected e = look_at_worlds(t);
    const covey_attack_result *homogeneity = result_of(report, "homogeneity"), *known = result_of(report, "corruption");

    assert_true(is_near(homogeneity->figure, e.most));
    assert_int_equal(homogeneity->verdict, COVEY_ATTACK_SAFE);
    assert_true(is_near(homogeneity->bound, 1.0 / m));
    assert_true(is_near(detail_of(homogeneity, "present_max"), t->n_made_up > 0 ? e.present_most : NAN));
    assert_true(is_near(result_of(report, "skewness")->figure, e.ratio));
    assert_true(is_near(result_of(report, "re-identification")->figure, 1 / e.fewest_rows));
    assert_true(is_near(known->table[0].value[1].number, e.known_mean));
    assert_true(is_near(known->table[0].value[2].number, e.known_most));
    assert_true(result_of(report, "naive-bayes")->applies);
    assert_true(result_of(report, "definetti")->applies);
    covey_attack_report_free(report);
    return e.present_most > e.most;
}

/* deFinetti but for: without the ledger rows of classes that overlap are dealt out. */
static void compare_with_and_without(void)
{
    covey_attack_report *without = attack("first", "first.csv", false), *with = attack("first", "first.csv", true);

    assert_int_equal(without->n_results, with->n_results);
    for (size_t i = 0; i < with->n_results; i++) {
        const covey_attack_result *a = &without->result[i], *b = &with->result[i];

        if (strcmp(covey_attack_name(a->attack), "definetti") == 0)
            continue;
        assert_int_equal(a->applies, b->applies);
        assert_string_equal(a->words, b->words);
        assert_true(is_near(a->figure, b->figure) && is_near(a->bound, b->bound) && is_near(a->ceiling, b->ceiling));
        assert_int_equal(a->verdict, b->verdict);
    }
    covey_attack_report_free(without);
    covey_attack_report_free(with);
}

static void attacks_say_what_the_worlds_of_a_release_say(void **state)
{
    int n_made_up = 0, n_compared = 0, n_absent = 0;

    for (int round = 0, n = test_share(150); round < n; round++) {
        uint64_t seed = 4100 + (uint64_t)round;
        const int m = 2 + round % 2;
        struct table t;

        csv_folder();
        if (make_tables(&t, &seed) && publish(0, m, seed)) {
            compare_with_and_without();
            if (publish(1, m, seed)) {
                read_second(&t);
                n_made_up += t.n_made_up > 0;
                n_compared++;
                n_absent += compare_worlds(&t, m);
            }
        }
        csv_folder_remove();
    }
    if (!test_is_enough(n_compared > 30 && n_made_up > 20 && n_absent > 2))
        fail_msg("only %d releases were compared, %d with made-up rows, %d with a value that nobody has", n_compared,
                 n_made_up, n_absent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(attacks_say_what_the_worlds_of_a_release_say)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
