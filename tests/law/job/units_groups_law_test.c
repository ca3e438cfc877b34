/* Groups of units in two tables (anatomy), in releases of random tables: every unit is whole, units of a group have as
 * many rows and different values; over all worlds that an adversary who knows all rows of everybody but their values
 * takes for possible, nobody has a value with a chance above 1/l; COUNT(DISTINCT entity) is within its bounds, which
 * are those of all worlds; and what was tampered with is found. */
#include "test.h"

#include <covey/covey.h>
#include <covey/query.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/persons.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 60, QUERIES = 12, MOST_ROWS = 40, N_ZIPS = 3, N_ILLNESSES = 5, MOST_UNITS = 8 };

static uint32_t below(uint64_t *state, uint32_t n)
{
    return maker_below(state, n);
}

static covey_status anonymize_as(covey_error *err, const char *role, int l, const char *limit, bool is_aware,
                                 uint64_t seed)
{
    char text[1024];

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: person, role: %s}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier, type: text}\n"
             "  - {name: illness, role: sensitive}\nsuppression: {limit: %s}\nmethod: {name: anatomy, qi-aware: %s}\n"
             "privacy: [{model: %s, l: %d}]\n",
             role, limit, is_aware ? "true" : "false", seed % 2 ? "probabilistic-l-diversity" : "distinct-l-diversity",
             l);
    return persons_anonymize(text, strcmp(role, "entity") == 0, seed, err);
}

static covey_status anonymize(covey_error *err, int l, const char *limit, bool is_aware, uint64_t seed)
{
    return anonymize_as(err, "entity", l, limit, is_aware, seed);
}

/* --- what a group is --- */

/* Persons of a group, their rows and values. */
struct group {
    int n, person[MOST_ROWS], rows[MOST_ROWS], value[MOST_ROWS];
};

static void find_group(struct group *g, const persons *t, const int *class_of, int class)
{
    g->n = 0;
    for (int i = 0; i < t->n; i++) {
        int at = 0;

        if (class_of[i] != class)
            continue;
        while (at < g->n && g->person[at] != t->person[i])
            at++;
        if (at == g->n) {
            g->person[g->n] = t->person[i];
            g->rows[g->n++] = 0;
        }
        g->rows[at]++;
        g->value[at] = t->value[i][2];
    }
}

static void check_group(const struct group *g, int l)
{
    assert_true(g->n >= l);
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < i; j++) {
            assert_int_equal(g->rows[i], g->rows[j]);
            assert_int_not_equal(g->value[i], g->value[j]);
        }
}

/* --- worlds --- */

struct worlds {
    const struct group *g;
    int left[N_ILLNESSES]; /* rows of each value that are still to be given to somebody */
    int given[MOST_ROWS];
    int64_t n, with[MOST_ROWS][N_ILLNESSES];
};

/* All ways to give each person one value so that the group counts as many rows of each as it does. */
static void go_through(struct worlds *w, int at)
{
    if (at == w->g->n) {
        w->n++;
        for (int i = 0; i < at; i++)
            w->with[i][w->given[i]]++;
        return;
    }
    for (int v = 0; v < N_ILLNESSES; v++) {
        if (w->left[v] < w->g->rows[at])
            continue;
        w->left[v] -= w->g->rows[at];
        w->given[at] = v;
        go_through(w, at + 1);
        w->left[v] += w->g->rows[at];
    }
}

/* The greatest chance, as a fraction, that somebody has a value. */
static void greatest_chance(int64_t *num, int64_t *den, const struct group *g)
{
    struct worlds w = {.g = g};

    for (int i = 0; i < g->n; i++)
        w.left[g->value[i]] += g->rows[i];
    go_through(&w, 0);
    *num = 0;
    *den = w.n;
    for (int i = 0; i < g->n; i++)
        for (int v = 0; v < N_ILLNESSES; v++)
            *num = w.with[i][v] > *num ? w.with[i][v] : *num;
}

/* --- can it be done? --- */

/* Rows of persons with as many rows of whom too few, or too many with one value, are there. */
static int rows_without_groups(const persons *t, int l)
{
    int rows[MOST_ROWS] = {0}, value[MOST_ROWS], n_without = 0;

    for (int i = 0; i < t->n; i++) {
        rows[t->person[i]]++;
        value[t->person[i]] = t->value[i][2];
    }
    for (int size = 1; size <= t->n; size++) {
        int n = 0, most = 0;

        for (int v = 0; v < N_ILLNESSES; v++) {
            int n_value = 0;

            for (int p = 0; p < t->n_persons; p++)
                n_value += rows[p] == size && value[p] == v;
            n += n_value;
            most = n_value > most ? n_value : most;
        }
        n_without += most * l > n ? n * size : 0;
    }
    return n_without;
}

static void every_group_hides_its_units(void **unused)
{
    int n_made = 0, n_suppressed = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 7919 + 5;
        const int l = 2 + (int)below(&state, 2);
        int class_of[MOST_ROWS], n_classes, n_without;
        const bool limited = below(&state, 2), is_aware = below(&state, 2);
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        covey_error err;
        covey_status status;

        persons_make(&t, 12 + (int)below(&state, MOST_ROWS - 12), 1 + (int)below(&state, 3), false, &state);
        persons_shuffle(&t, &state);
        csv_folder();
        persons_write(&t);
        status = anonymize(&err, l, limited ? "0.3" : "0", is_aware, (uint64_t)round);
        n_without = rows_without_groups(&t, l);
        if (n_without * 10 > (limited ? 3 * t.n : 0) || n_without == t.n) {
            assert_int_equal(status, COVEY_EINFEASIBLE);
        } else {
            if (status != COVEY_OK)
                fail_msg("round %d: %s", round, err.message);
            persons_read_links(class_of, &n_classes, t.n);
            for (int i = 0; i < t.n; i++) {
                n_without -= class_of[i] == 0;
                for (int j = 0; j < i; j++)
                    assert_true(t.person[i] != t.person[j] || class_of[i] == class_of[j]);
            }
            assert_int_equal(n_without, 0);
            for (int c = 1; c <= n_classes; c++) {
                struct group g;
                int64_t num, den;

                find_group(&g, &t, class_of, c);
                check_group(&g, l);
                greatest_chance(&num, &den, &g);
                if (num * l > den)
                    fail_msg("round %d, group %d: a chance of %d in %d", round, c, (int)num, (int)den);
            }
            assert_true(persons_are_proven());
            n_made++;
            n_suppressed += n_classes > 0 && rows_without_groups(&t, l) > 0;
        }
        csv_folder_remove();
    }
    assert_true(n_made > ROUNDS / 4);
    assert_true(n_suppressed > ROUNDS / 50);
}

/* Groups of units with different values alone would not do: somebody of more rows than the others is found. */
static void units_of_other_sizes_would_be_found(void **unused)
{
    const struct group mixed = {.n = 4, .rows = {3, 1, 1, 1}, .value = {0, 1, 2, 3}},
                       bundled = {.n = 4, .rows = {3, 1, 1, 1}, .value = {0, 1, 1, 1}};
    int64_t num, den;

    greatest_chance(&num, &den, &mixed);
    assert_int_equal(num, den);
    greatest_chance(&num, &den, &bundled); /* values of as many rows: as likely as each other */
    assert_int_equal(2 * num, den);
}

/* Values that have as many rows as each other are as likely as each other, whoever has them. */
static void values_of_as_many_rows_are_as_likely(void **unused)
{
    uint64_t state = 77;

    for (int round = 0; round < 2000; round++) {
        struct group g = {.n = 2 + (int)below(&state, 5)};
        struct worlds w = {.g = &g};
        int rows[N_ILLNESSES] = {0};

        for (int i = 0; i < g.n; i++) {
            g.rows[i] = 1 + (int)below(&state, 3);
            g.value[i] = (int)below(&state, N_ILLNESSES);
            rows[g.value[i]] += g.rows[i];
        }
        memcpy(w.left, rows, sizeof rows);
        go_through(&w, 0);
        for (int v = 0; v < N_ILLNESSES; v++)
            for (int other = 0; other < v; other++)
                for (int i = 0; i < g.n && rows[v] == rows[other]; i++)
                    assert_int_equal(w.with[i][v], w.with[i][other]);
    }
}

/* --- with one row each --- */

static void with_one_row_for_each_nothing_is_different(void **unused)
{
    for (uint64_t round = 0; round < 20; round++) {
        uint64_t state = round * 31 + 1;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        covey_error err;
        char *with, *without;
        size_t n, m;

        persons_make(&t, 30, 1, false, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&err, 2, "0", false, round) == COVEY_OK) {
            with = csv_get_file(&n, csv_path("release/sensitive.csv"));
            assert_int_equal(anonymize_as(&err, "identifier", 2, "0", false, round), COVEY_OK);
            without = csv_get_file(&m, csv_path("release/sensitive.csv"));
            assert_int_equal(n, m);
            assert_memory_equal(with, without, n);
            free(with);
            free(without);
        }
        csv_folder_remove();
    }
}

/* --- queries --- */

static void the_truth_lies_within_the_bounds(void **unused)
{
    uint64_t state = 4711;
    int n_asked = 0;

    for (int round = 0; round < ROUNDS; round++) {
        covey_query_release *release = NULL;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        covey_error err;

        persons_make(&t, 12 + (int)below(&state, MOST_ROWS - 12), 3, false, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&err, 2, "0.5", false, (uint64_t)round) == COVEY_OK) {
            assert_int_equal(covey_query_open(&release, csv_path("release"), NULL, &err), COVEY_OK);
            for (int i = 0; i < QUERIES; i++)
                persons_ask(release, &t, i % 4 == 0, &state);
            covey_query_close(release);
            n_asked++;
        }
        csv_folder_remove();
    }
    assert_true(n_asked > ROUNDS / 4);
}

/* One group of a few persons, as its files leave it open: whose the rows are, and who has which value. */
struct open_group {
    const persons *t;
    int n_units, each, illness[MOST_UNITS]; /* of the units */
    int unit[MOST_ROWS], n_of[MOST_UNITS];
    const random_condition *condition;
    int least, most;
};

static void assign_rows(struct open_group *g, int row)
{
    uint32_t hit = 0;

    if (row < g->t->n) {
        for (int u = 0; u < g->n_units; u++)
            if (g->n_of[u] < g->each) {
                g->n_of[u]++;
                g->unit[row] = u;
                assign_rows(g, row + 1);
                g->n_of[u]--;
            }
        return;
    }
    for (int i = 0; i < row; i++) {
        const int value[PERSONS_ATTRIBUTES] = {g->t->value[i][0], g->t->value[i][1], g->illness[g->unit[i]]};

        hit |= condition_selects(g->condition, value) ? 1U << g->unit[i] : 0;
    }
    g->least = __builtin_popcount(hit) < g->least ? __builtin_popcount(hit) : g->least;
    g->most = __builtin_popcount(hit) > g->most ? __builtin_popcount(hit) : g->most;
}

static void bounds_are_those_of_all_worlds_of_a_group(void **unused)
{
    static const struct {
        int n_units, each;
    } shapes[] = {{2, 1}, {2, 2}, {2, 3}, {3, 2}, {4, 1}, {3, 1}, {4, 2}};
    uint64_t state = 99;
    int n_tight = 0, n = 0;

    for (size_t s = 0; s < 3 * sizeof shapes / sizeof *shapes; s++) {
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        struct open_group g = {.t = &t, .n_units = shapes[s / 3].n_units, .each = shapes[s / 3].each};
        condition_attribute attribute[PERSONS_ATTRIBUTES];
        covey_query_release *release = NULL;
        covey_error err;

        persons_attributes(attribute, &t);
        for (int u = 0; u < g.n_units; u++)
            for (int i = 0; i < g.each; i++, t.n++) {
                g.illness[u] = u;
                t.person[t.n] = u;
                t.value[t.n][0] = 20 + (int)below(&state, 10);
                t.value[t.n][1] = (int)below(&state, 3);
                t.value[t.n][2] = u;
            }
        csv_folder();
        persons_write(&t);
        assert_int_equal(anonymize(&err, g.n_units, "0", false, 1), COVEY_OK);
        assert_int_equal(covey_query_open(&release, csv_path("release"), NULL, &err), COVEY_OK);
        for (int i = 0; i < 20; i++) {
            covey_query_result *result = NULL;
            random_condition condition;
            char sql[5000];

            condition_make(&condition, attribute, i % 3 ? PERSONS_ATTRIBUTES : 2, 1 + (int)below(&state, 3), &state);
            snprintf(sql, sizeof sql, "SELECT COUNT(DISTINCT entity) WHERE %s", condition.sql);
            g.condition = &condition;
            g.least = MOST_UNITS;
            g.most = 0;
            assign_rows(&g, 0);
            assert_int_equal(covey_query_run(&result, release, sql, NULL, &err), COVEY_OK);
            if (result->group[0].answer[0].upper.value != g.most || result->group[0].answer[0].lower.value > g.least ||
                (i % 3 == 0 && result->group[0].answer[0].lower.value != g.least))
                fail_msg("%s: [%s, %s], but [%d, %d] in all worlds", sql, result->group[0].answer[0].lower.text,
                         result->group[0].answer[0].upper.text, g.least, g.most);
            n_tight += result->group[0].answer[0].lower.value == g.least;
            n++;
            covey_query_result_free(result);
        }
        covey_query_close(release);
        csv_folder_remove();
    }
    assert_true(10 * n_tight > 9 * n);
}

/* --- tampering --- */

static void tampering_is_found(void **unused)
{
    static const char *const files[] = {"release/units.csv", "release/sensitive.csv", "links"};
    uint64_t state = 5;
    persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
    covey_error err;

    persons_make(&t, MOST_ROWS, 3, false, &state);
    csv_folder();
    persons_write(&t);
    assert_int_equal(anonymize(&err, 2, "0.5", false, 1), COVEY_OK);
    assert_true(persons_are_proven());
    for (size_t f = 0; f < 3; f++)
        persons_try_numbers(files[f]);
    assert_true(persons_are_proven());
    csv_folder_remove();
}

/* Of persons with as many rows some are suppressed and others not: without the list it is found, too, by numbers. */
static void sizes_are_suppressed_as_a_whole(void **unused)
{
    int n_whole = 0, n_parts = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 71 + 3;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES}, others;
        int rows[MOST_ROWS] = {0};
        bool hidden[PERSONS_MOST_ROWS] = {false}, whole = true;
        covey_error err;

        persons_make(&t, MOST_ROWS, 3, false, &state);
        for (int i = 0; i < t.n; i++)
            rows[t.person[i]]++;
        for (int p = 0; p < t.n_persons; p++)
            hidden[p] = round % 2 ? p % 9 == 4 : rows[p] == 2;
        for (int p = 0; p < t.n_persons; p++)
            for (int other = 0; other < p; other++)
                whole = whole && (rows[p] != rows[other] || hidden[p] == hidden[other]);
        persons_without(&others, &t, hidden);
        csv_folder();
        persons_write(&others);
        if (anonymize(&err, 2, "0", false, (uint64_t)round) == COVEY_OK) {
            char folder[1024], original[1024];
            const covey_verify_options options = {.original = original, .entity = "person", .skip_hashes = true};
            covey_verdict *verdict = NULL;

            persons_suppress(&t, hidden);
            assert_true(persons_are_stated());
            assert_int_equal(persons_have_problem("published or suppressed together"), !whole);
            assert_int_equal(persons_are_proven(), whole);
            snprintf(folder, sizeof folder, "%s", csv_path("release"));
            snprintf(original, sizeof original, "%s", csv_path("table.csv"));
            assert_int_equal(covey_verify(&verdict, folder, &options, NULL, &err), COVEY_OK);
            assert_int_equal(verdict->holds, whole);
            assert_int_equal(verdict->units_fit == COVEY_FIT_NONE, !whole);
            covey_verdict_free(verdict);
            n_whole += whole;
            n_parts += !whole;
        }
        csv_folder_remove();
    }
    assert_true(n_whole >= 10);
    assert_true(n_parts >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_hides_its_units),
        cmocka_unit_test(units_of_other_sizes_would_be_found),
        cmocka_unit_test(values_of_as_many_rows_are_as_likely),
        cmocka_unit_test(with_one_row_for_each_nothing_is_different),
        cmocka_unit_test(the_truth_lies_within_the_bounds),
        cmocka_unit_test(bounds_are_those_of_all_worlds_of_a_group),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(sizes_are_suppressed_as_a_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
