/* Can whole units make the classes, asked without the publisher's list: on tiny tables every way of putting units into
 * classes is tried here.  Tables are as they were, with rows given to other persons, or with other numbers of units
 * stated; that there is no way is found if and only if there is none, and what is said of promises is true of a way, or
 * of all.  What is left open by sums is whole_search_law_test.c's. */
#include "test.h"

#include <covey/covey.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 100, MOST_ROWS = 16, MOST_UNITS = 8, MOST_CLASSES = 8, N_VALUES = 3 };

static const char *const methods[] = {"mondrian", "peel", "elastic", "anatomy"};
static const char *const value_name[N_VALUES] = {"acne", "cold", "flu"};

struct table {
    int n, n_units;
    int person[MOST_ROWS], home[MOST_ROWS], age[MOST_ROWS], value[MOST_ROWS];
    bool has_homes;
};

struct class
{
    int n, age[MOST_ROWS], low, high; /* groups: exact ages */
    int values[N_VALUES], n_units, largest, n_persons;
};

struct wish {
    const char *method;
    int k, l;
    bool is_anatomy, is_counted; /* k of units, however many rows they have */
    char what[64];
};

static int below(uint64_t *state, uint32_t n)
{
    return (int)maker_below(state, n);
}

static void make_table(struct table *t, const struct wish *w, uint64_t *state)
{
    const int n = 6 + below(state, MOST_ROWS - 5), most = 1 + below(state, 3), spread = 1 + below(state, 12);

    *t = (struct table){.has_homes = !w->is_anatomy && below(state, 3) == 0};
    for (int person = 0; t->n < n && t->n_units < MOST_UNITS; person++) {
        const int rows = 1 + below(state, (uint32_t)most), age = 20 + below(state, 12), value = below(state, N_VALUES);

        for (int i = 0; i < rows && t->n < n; i++, t->n++) {
            t->person[t->n] = person;
            t->home[t->n] = person / 2;
            t->age[t->n] = age + below(state, (uint32_t)spread);
            t->value[t->n] = w->is_anatomy || below(state, 2) ? value : below(state, N_VALUES);
        }
        t->n_units = t->has_homes ? person / 2 + 1 : person + 1;
    }
}

static void write_table(const struct table *t)
{
    covey_text out = COVEY_TEXT_INIT;

    covey_i_text_add_string(&out, "home,person,age,illness\n");
    for (int i = 0; i < t->n; i++)
        covey_i_text_add_format(&out, "h%d,p%d,%d,%s\n", t->home[i], t->person[i], t->age[i], value_name[t->value[i]]);
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

static bool anonymize(const struct table *t, const struct wish *w, bool suppresses)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    const covey_anonymize_options options = {.force = true};
    char text[1024];

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nothers: drop\nattributes:\n"
             "  - {name: person, role: entity%s}\n  - {name: age, role: quasi-identifier}\n"
             "  - {name: illness, role: sensitive}\nsuppression: {limit: %s}\nmethod: {name: %s}\nprivacy:\n",
             t->has_homes ? ", within: home" : "", suppresses ? "0.5" : "0", w->method);
    if (!w->is_anatomy)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  - {model: k-anonymity, k: %d, units: %s}\n", w->k,
                 w->is_counted ? "count" : "share");
    snprintf(text + strlen(text), sizeof text - strlen(text), "  - {model: distinct-l-diversity, l: %d}\n", w->l);
    return publish_policy(w->what, text, "release", &options, &run);
}

/* --- what the files say --- */

static int read_value(const char *text)
{
    for (int v = 0; v < N_VALUES; v++)
        if (strncmp(text, value_name[v], strlen(value_name[v])) == 0)
            return v;
    fail_msg("a value in \"%s\" is expected", text);
    return 0;
}

/* Lines `class,"[20, 25]",flu`, `class,20,flu`, `group,20` or `group,flu,2`; classes in their order. */
static void read_lines(struct class *c, const char *file)
{
    size_t size;
    char *text = csv_get_file(&size, csv_path(file)), *line;

    assert_non_null(text);
    for (line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        struct class *at = &c[strtol(line, &line, 10)];
        char *cell = line + 1;

        if (strcmp(file, "release/sensitive.csv") == 0) {
            at->values[read_value(cell)] += strchr(cell, ',') && strchr(cell, ',') < strchr(cell, '\n')
                                                ? (int)strtol(strchr(cell, ',') + 1, NULL, 10)
                                                : 1;
            continue;
        }
        at->low = at->high = at->age[at->n++] = (int)strtol(*cell == '"' ? cell + 2 : cell, &cell, 10);
        if (*cell == ',' && cell[1] == ' ')
            at->high = (int)strtol(cell + 2, NULL, 10);
        if (strcmp(file, "release/table.csv") == 0)
            at->values[read_value(strchr(cell, '\n') - (strncmp(strchr(cell, '\n') - 3, "flu", 3) == 0 ? 3 : 4))]++;
    }
    free(text);
}

static int read_units(struct class *c)
{
    size_t size;
    char *text = csv_get_file(&size, csv_path("release/units.csv")), *line;
    int n = 0;

    assert_non_null(text);
    for (line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        struct class *at = &c[strtol(line, &line, 10)];

        at->n_units = at->n_persons = (int)strtol(line + 1, &line, 10);
        at->largest = (int)strtol(line + 1, &line, 10);
        if (*line == ',')
            at->n_persons = (int)strtol(line + 1, &line, 10);
        n++;
    }
    free(text);
    return n;
}

static void write_units(const struct class *c, int n_classes, const struct wish *w, const struct table *t)
{
    covey_text out = COVEY_TEXT_INIT;

    covey_i_text_add_format(&out, "%s,units,largest%s\n", w->is_anatomy ? "group" : "class",
                            t->has_homes ? ",persons" : "");
    for (int i = 1; i <= n_classes; i++) {
        covey_i_text_add_format(&out, "%d,%d,%d", i, c[i].n_units, c[i].largest);
        if (t->has_homes)
            covey_i_text_add_format(&out, ",%d", c[i].n_persons);
        covey_i_text_add_string(&out, "\n");
    }
    csv_put_file(csv_path("release/units.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

/* --- every way --- */

static int unit_of(const struct table *t, int row)
{
    return t->has_homes ? t->home[row] : t->person[row];
}

/* Do the units with this class make it as it is?  Rows of persons in homes are told apart by both. */
static bool makes(const struct table *t, const struct wish *w, const int *class_of, int number, const struct class *c)
{
    int values[N_VALUES] = {0}, rows_of[MOST_ROWS] = {0}, n = 0, n_units = 0, n_persons = 0, ages = 0;
    bool seen[MOST_ROWS] = {false}, is_taken[MOST_ROWS] = {false};

    for (int i = 0; i < t->n; i++) {
        if (class_of[unit_of(t, i)] != number)
            continue;
        n++;
        values[t->value[i]]++;
        n_units += rows_of[unit_of(t, i)]++ == 0;
        n_persons += !seen[t->person[i]];
        for (int j = 0; j < i && w->is_anatomy; j++)
            if (t->person[j] == t->person[i] && t->value[j] != t->value[i])
                return false;
        seen[t->person[i]] = true;
        if (!w->is_anatomy && (t->age[i] < c->low || t->age[i] > c->high))
            return false;
        for (int j = 0; j < c->n && w->is_anatomy; j++)
            if (!is_taken[j] && c->age[j] == t->age[i]) {
                is_taken[j] = true;
                ages++;
                break;
            }
    }
    for (int u = 0; u < MOST_ROWS; u++)
        if (rows_of[u] > c->largest || (w->is_anatomy && rows_of[u] > 0 && rows_of[u] != c->largest))
            return false;
    return n == c->n && n_units == c->n_units && n_persons == c->n_persons &&
           memcmp(values, c->values, sizeof values) == 0 && (!w->is_anatomy || ages == n);
}

/* Is the subset of persons' values one of at least l different ones, a person each?  By trying all. */
static bool has_different(const bool has[][N_VALUES], int n, int l, int from, unsigned used)
{
    if (l == 0)
        return true;
    for (int p = from; p < n; p++)
        for (int v = 0; v < N_VALUES; v++)
            if (has[p][v] && !(used >> v & 1) && has_different(has, n, l - 1, p + 1, used | 1u << v))
                return true;
    return false;
}

static bool keeps(const struct table *t, const struct wish *w, const int *class_of, int number)
{
    bool has[MOST_ROWS][N_VALUES] = {{false}};
    int rows_of[MOST_ROWS] = {0}, n = 0, n_units = 0;

    for (int i = 0; i < t->n; i++)
        if (class_of[unit_of(t, i)] == number) {
            has[t->person[i]][t->value[i]] = true;
            rows_of[unit_of(t, i)]++;
            n++;
        }
    for (int u = 0; u < MOST_ROWS && !w->is_anatomy; u++) {
        n_units += rows_of[u] > 0;
        if (rows_of[u] * w->k > n && !w->is_counted)
            return false;
    }
    if (n_units < w->k && !w->is_anatomy)
        return false;
    return has_different((const bool(*)[N_VALUES])has, MOST_ROWS, w->l, 0, 0);
}

/* Persons of other homes are others. */
static void number_persons(struct table *t)
{
    int n = 0, number[MOST_ROWS];

    for (int i = 0; i < t->n; i++) {
        int j = 0;

        while (j < i && (t->person[j] != t->person[i] || (t->has_homes && t->home[j] != t->home[i])))
            j++;
        number[i] = j < i ? number[j] : n++;
    }
    memcpy(t->person, number, sizeof number);
}

static void count_ways(int *n_ways, int *n_keep, const struct table *t, const struct wish *w, const struct class *c,
                       int n_classes)
{
    int class_of[MOST_ROWS] = {0};

    *n_ways = *n_keep = 0;
    for (;;) {
        bool fits = true, keep = true;
        int u = 0;

        for (int i = 1; i <= n_classes && fits; i++)
            fits = makes(t, w, class_of, i, &c[i]);
        for (int i = 1; i <= n_classes && fits; i++)
            keep &= keeps(t, w, class_of, i);
        *n_ways += fits;
        *n_keep += fits && keep;
        while (u < t->n_units && ++class_of[u] > n_classes)
            class_of[u++] = 0;
        if (u == t->n_units)
            return;
    }
}

/* --- what is found --- */

static covey_verdict *verify(const struct table *t, const struct wish *w)
{
    char folder[1024], original[1024];
    const covey_verify_options options = {
        .original = original, .entity = "person", .within = t->has_homes ? "home" : NULL, .skip_hashes = true};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(folder, sizeof folder, "%s", csv_path("release"));
    snprintf(original, sizeof original, "%s", csv_path("table.csv"));
    if (covey_verify(&verdict, folder, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", w->what, err.message);
    return verdict;
}

static covey_units_fit expect_truth(struct table *t, const struct wish *w, const struct class *c, int n_classes)
{
    covey_verdict *verdict;
    covey_units_fit fit;
    int n_ways, n_keep;

    write_table(t);
    write_units(c, n_classes, w, t);
    verdict = verify(t, w);
    fit = verdict->units_fit;
    number_persons(t);
    count_ways(&n_ways, &n_keep, t, w, c, n_classes);
    if (fit == COVEY_FIT_UNASKED || fit == COVEY_FIT_UNDECIDED || (fit == COVEY_FIT_NONE) != (n_ways == 0) ||
        (fit == COVEY_FIT_KEPT && n_keep == 0) || (fit == COVEY_FIT_WHOLE && n_keep == n_ways) ||
        (fit == COVEY_FIT_ONLY && (n_keep != n_ways && n_keep != 0)) ||
        (verdict->units_proven == 1) != (fit == COVEY_FIT_ONLY && n_keep == n_ways) ||
        (fit == COVEY_FIT_NONE && verdict->holds))
        fail_msg("%s: fit %d (%d), of %d ways %d keep the promises; %s", w->what, fit, verdict->units_proven, n_ways,
                 n_keep, verdict->n_problems > 0 ? verdict->problem[0] : "");
    covey_verdict_free(verdict);
    return fit;
}

/* A row is another person's; in homes, of the same one or of another. */
static void move_row(struct table *t, uint64_t *state)
{
    const int a = below(state, (uint32_t)t->n), b = below(state, (uint32_t)t->n);

    t->person[a] = t->person[b];
    t->home[a] = t->home[b];
}

static void swap_rows(struct table *t, uint64_t *state)
{
    const int a = below(state, (uint32_t)t->n), b = below(state, (uint32_t)t->n), person = t->person[a],
              home = t->home[a];

    t->person[a] = t->person[b];
    t->home[a] = t->home[b];
    t->person[b] = person;
    t->home[b] = home;
}

static void check_round(int round, int *n_of)
{
    uint64_t state = (uint64_t)round * 7919 + 5;
    struct class c[MOST_ROWS + 1] = {{0}};
    struct wish w = {.method = methods[round % 4], .k = 2, .l = 1 + below(&state, 2), .is_anatomy = round % 4 == 3};
    struct table t;
    int n_classes;

    w.l += w.is_anatomy && w.l == 1;
    w.is_counted = below(&state, 2);
    snprintf(w.what, sizeof w.what, "round %d, %s", round, w.method);
    make_table(&t, &w, &state);
    csv_folder();
    write_table(&t);
    if (anonymize(&t, &w, below(&state, 2)) && (n_classes = read_units(c)) <= MOST_CLASSES) {
        struct table changed = t;
        struct class other[MOST_ROWS + 1];

        if (w.is_anatomy) {
            read_lines(c, "release/quasi.csv");
            read_lines(c, "release/sensitive.csv");
        } else {
            read_lines(c, "release/table.csv");
        }
        assert_int_not_equal(expect_truth(&t, &w, c, n_classes), COVEY_FIT_NONE);
        swap_rows(&changed, &state);
        n_of[expect_truth(&changed, &w, c, n_classes)]++;
        changed = t;
        move_row(&changed, &state);
        n_of[expect_truth(&changed, &w, c, n_classes)]++;
        memcpy(other, c, sizeof other);
        other[1 + below(&state, (uint32_t)n_classes)].n_units++;
        other[1 + below(&state, (uint32_t)n_classes)].n_units--;
        for (int i = 1; i <= n_classes; i++) {
            other[i].n_units += other[i].n_units == 0;
            if (!t.has_homes)
                other[i].n_persons = other[i].n_units;
        }
        n_of[expect_truth(&t, &w, other, n_classes)]++;
    }
    csv_folder_remove();
}

static void test_that_whole_units_make_the_classes_is_found_out(void **state)
{
    int n_of[COVEY_FIT_ONLY + 1] = {0};

    (void)state;
    for (int round = 0; round < test_share(ROUNDS); round++)
        check_round(round, n_of);
    assert_true(test_is_enough(n_of[COVEY_FIT_NONE] > ROUNDS / 4));
    assert_true(test_is_enough(n_of[COVEY_FIT_ONLY] > ROUNDS / 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_that_whole_units_make_the_classes_is_found_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
