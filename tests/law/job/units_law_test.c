/* Promises over persons and households, in releases of random tables: every unit is whole, and every class keeps what
 * was promised, counted here from the table and the links alone; where no release was found the whole table as one
 * class breaks the policy; and with one row for each person the release is, byte by byte, that without the role.  With
 * other names for everybody, and in another order of rows, it is the same release.  auto finds the best method. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/persons.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 120, MOST_ROWS = 30, MOST_VALUES = 4 };

static const char *const methods[] = {"mondrian", "peel", "elastic", "full-domain"};
static const char *const value_name[MOST_VALUES] = {"flu", "cold", "gout", "acne"};

struct table {
    int n;
    int person[MOST_ROWS], home[MOST_ROWS], age[MOST_ROWS], zip[MOST_ROWS], value[MOST_ROWS];
    bool has_homes;
};

/* What is promised beside k. */
enum kind { NOTHING, PROBABILISTIC, DISTINCT, BETA, DELTA, ALPHA, CLOSE, N_KINDS };

struct wish {
    const char *method;
    int k;
    const char *units; /* of the k */
    enum kind kind;
    int num, den; /* l, beta or alpha */
    bool suppresses;
    int n_threads; /* 0: one */
    char text[2048], what[64];
};

static uint32_t below(uint64_t *state, uint32_t n)
{
    return maker_below(state, n);
}

/* Persons of a few rows each, most of them near each other, whose values are mostly one. */
static void make_table(struct table *t, bool is_single, uint64_t *state)
{
    const int most = is_single ? 1 : 1 + (int)below(state, 5), n = 6 + (int)below(state, MOST_ROWS - 6);
    const uint32_t n_ages = below(state, 3) ? 30 : 2, n_zips = n_ages == 2 ? 2 : 5; /* else many are alike */
    int person = 0;

    *t = (struct table){.has_homes = !is_single && below(state, 3) == 0};
    for (; t->n < n; person++) {
        const int rows = 1 + (int)below(state, (uint32_t)most), age = 20 + (int)below(state, n_ages),
                  zip = (int)below(state, n_zips), value = (int)below(state, MOST_VALUES);

        for (int i = 0; i < rows && t->n < n; i++, t->n++) {
            t->person[t->n] = person;
            t->home[t->n] = person / 2;
            t->age[t->n] = age + (int)below(state, n_ages == 2 ? 1 : 3);
            t->zip[t->n] = below(state, 4) ? zip : (int)below(state, n_zips);
            t->value[t->n] = below(state, 3) ? value : (int)below(state, MOST_VALUES);
        }
    }
}

/* Other names, in another order. */
static void rename_all(int *name, uint64_t *state)
{
    for (int i = 0; i < MOST_ROWS; i++)
        name[i] = i;
    for (int i = MOST_ROWS - 1; i > 0; i--) {
        const int j = (int)below(state, (uint32_t)i + 1), swap = name[i];

        name[i] = name[j];
        name[j] = swap;
    }
}

/* The rows from number `first` on, and then those before it. */
static void write_table(const struct table *t, int first)
{
    covey_text out = COVEY_TEXT_INIT;

    covey_i_text_add_string(&out, "home,person,age,zip,illness\n");
    for (int n = 0; n < t->n; n++) {
        const int i = (first + n) % t->n;

        covey_i_text_add_format(&out, "h%d,p%d,%d,%d,%s\n", t->home[i], t->person[i], t->age[i], 1000 + t->zip[i],
                                value_name[t->value[i]]);
    }
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

static void write_wish(struct wish *w, const struct table *t, bool has_entity)
{
    static const char *const model[N_KINDS] = {
        [PROBABILISTIC] = "probabilistic-l-diversity, l",
        [DISTINCT] = "distinct-l-diversity, l",
        [BETA] = "basic-beta-likeness, beta",
        [DELTA] = "delta-disclosure, delta",
        [ALPHA] = "alpha-k-anonymity, k: 2, alpha",
        [CLOSE] = "t-closeness, units: rows, distance: equal, t",
    };
    const size_t n = (size_t)snprintf(
        w->text, sizeof w->text,
        "version: 1\ninput: {path: table.csv}\nothers: drop\nattributes:\n%s%s"
        "  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier, type: text, hierarchy: "
        "{mask: 4}}\n"
        "  - {name: illness, role: sensitive}\nsuppression: {limit: %s}\nmethod: {name: %s%s}\nprivacy:\n  - {model: "
        "k-anonymity, k: %d%s%s}\n",
        has_entity ? "  - {name: person, role: entity" : "",
        !has_entity    ? ""
        : t->has_homes ? ", within: home}\n"
                       : "}\n",
        w->suppresses ? "0.3" : "0", w->method, strcmp(w->method, "full-domain") == 0 ? ", publish-boxes: tight" : "",
        w->k, has_entity ? ", units: " : "", has_entity ? w->units : "");

    if (w->kind != NOTHING)
        snprintf(w->text + n, sizeof w->text - n, "  - {model: %s: %d/%d}\n", model[w->kind], w->num, w->den);
}

static void make_wish(struct wish *w, const struct table *t, bool has_entity, uint64_t *state)
{
    w->method = methods[below(state, 4)];
    w->k = 2 + (int)below(state, 3);
    w->units = below(state, 3) ? "share" : "count";
    w->kind = (enum kind)below(state, N_KINDS);
    w->num = w->kind == DISTINCT        ? 3 + (int)below(state, 2)
             : w->kind == ALPHA         ? 1 + (int)below(state, 2)
             : w->kind == PROBABILISTIC ? 3 + (int)below(state, 3)
                                        : 2;
    w->den = w->kind == ALPHA ? 2 : w->kind == PROBABILISTIC ? 2 : 1;
    w->suppresses = below(state, 2);
    if (!has_entity && w->kind == CLOSE)
        w->kind = NOTHING;
    write_wish(w, t, has_entity);
}

/* --- counting --- */

static int unit_of(const struct table *t, int row)
{
    return t->has_homes ? t->home[row] : t->person[row];
}

/* Persons of a class (0: of the whole table) who have the value; -1: all persons. */
static int persons_with(const struct table *t, const int *class_of, int class, int value)
{
    bool seen[MOST_ROWS] = {false};
    int n = 0;

    for (int i = 0; i < t->n; i++)
        if ((class == 0 || class_of[i] == class) && (value < 0 || t->value[i] == value) && !seen[t->person[i]]) {
            seen[t->person[i]] = true;
            n++;
        }
    return n;
}

static int rows_with(const struct table *t, const int *class_of, int class, int value)
{
    int n = 0;

    for (int i = 0; i < t->n; i++)
        n += (class == 0 || class_of[i] == class) && (value < 0 || t->value[i] == value);
    return n;
}

/* Most values from `value` on of which each is another person's: tries everybody for each. */
static int most_different(const struct table *t, const int *class_of, int class, int value, bool *is_taken)
{
    int most;

    if (value == MOST_VALUES)
        return 0;
    most = most_different(t, class_of, class, value + 1, is_taken);
    for (int i = 0; i < t->n; i++) {
        int found;

        if (class_of[i] != class || t->value[i] != value || is_taken[t->person[i]])
            continue;
        is_taken[t->person[i]] = true;
        found = 1 + most_different(t, class_of, class, value + 1, is_taken);
        is_taken[t->person[i]] = false;
        most = found > most ? found : most;
    }
    return most;
}

static bool keeps_k(const struct table *t, const struct wish *w, const int *class_of, int class, int k, bool counts)
{
    int n_units = 0, size = rows_with(t, class_of, class, -1);

    for (int u = 0; u < MOST_ROWS; u++) {
        int m = 0;

        for (int i = 0; i < t->n; i++)
            m += class_of[i] == class && unit_of(t, i) == u;
        n_units += m > 0;
        if (!counts && m * k > size)
            return false;
    }
    return n_units >= k;
}

/* Of a share n/size of a value that has N/all of the table. */
static bool keeps_share(const struct wish *w, int n, int size, int whole, int all)
{
    switch (w->kind) {
    case PROBABILISTIC:
        return n * w->num <= size * w->den;
    case ALPHA:
        return n * w->den <= size * w->num;
    case BETA: /* q/p - 1 <= 2, where p > 0 */
        return n == 0 || n * all <= 3 * whole * size;
    case DELTA: { /* |ln(q/p)| < 2 for every value of the table */
        const double ratio = whole > 0 ? (double)n * all / ((double)size * whole) : 1;

        return whole == 0 || (n > 0 && ratio < 7.389056 && ratio > 0.135336);
    }
    default:
        return true;
    }
}

static bool keeps_all(const struct table *t, const struct wish *w, const int *class_of, int class)
{
    bool is_taken[MOST_ROWS] = {false};

    if (!keeps_k(t, w, class_of, class, w->k, strcmp(w->units, "count") == 0))
        return false;
    if (w->kind == ALPHA && !keeps_k(t, w, class_of, class, 2, false))
        return false;
    if (w->kind == DISTINCT && most_different(t, class_of, class, 0, is_taken) < w->num)
        return false;
    if (w->kind == CLOSE) /* t = 2 rules nothing out: the law is that it runs */
        return true;
    for (int v = 0; v < MOST_VALUES; v++)
        if (!keeps_share(w, rows_with(t, class_of, class, v), rows_with(t, class_of, class, -1),
                         rows_with(t, class_of, 0, v), t->n) ||
            !keeps_share(w, persons_with(t, class_of, class, v), persons_with(t, class_of, class, -1),
                         persons_with(t, class_of, 0, v), persons_with(t, class_of, 0, -1)))
            return false;
    return true;
}

/* --- releases --- */

static bool anonymize(const struct wish *w, const char *target, const char *links)
{
    const covey_run run = {.n_threads = w->n_threads ? w->n_threads : 1, .has_seed = true, .seed = 7};
    char list[1024];
    covey_anonymize_options options = {.force = true, .links = links ? list : NULL};

    snprintf(list, sizeof list, "%s", links ? csv_path(links) : "");
    return publish_policy(w->what, w->text, target, &options, &run);
}

static void expect_proven(const struct wish *w)
{
    char folder[1024], original[1024], links[1024];
    const covey_verify_options options = {.original = original, .links = links};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(folder, sizeof folder, "%s", csv_path("release"));
    snprintf(original, sizeof original, "%s", csv_path("table.csv"));
    snprintf(links, sizeof links, "%s", csv_path("links"));
    if (covey_verify(&verdict, folder, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", w->what, err.message);
    if (!verdict->holds || verdict->units_proven != 1)
        fail_msg("%s: %s\n%s", w->what, verdict->n_problems ? verdict->problem[0] : "not proven", w->text);
    covey_verdict_free(verdict);
}

/* Few enough; and where a prior tells of them they keep the policy as one class. */
static void check_suppressed(const struct table *t, const struct wish *w, const int *class_of)
{
    int gone[MOST_ROWS], n = 0;

    for (int i = 0; i < t->n; i++) {
        gone[i] = class_of[i] == 0 ? 1 : 2;
        n += class_of[i] == 0;
    }
    if (n * 10 > (w->suppresses ? 3 * t->n : 0))
        fail_msg("%s: %d rows are suppressed\n%s", w->what, n, w->text);
    if (n > 0 && (w->kind == BETA || w->kind == DELTA) && !keeps_all(t, w, gone, 1))
        fail_msg("%s: the suppressed rows break the policy\n%s", w->what, w->text);
}

static void expect_same_table(const struct wish *w, const char *one, const char *other)
{
    char path[64];
    size_t n, m;
    char *a, *b;

    snprintf(path, sizeof path, "%s/table.csv", one);
    a = csv_get_file(&n, csv_path(path));
    snprintf(path, sizeof path, "%s/table.csv", other);
    b = csv_get_file(&m, csv_path(path));
    assert_non_null(a);
    assert_non_null(b);
    if (n != m || memcmp(a, b, n) != 0)
        fail_msg("%s: the tables of %s and %s differ\n%s", w->what, one, other, w->text);
    free(a);
    free(b);
}

static void check_round(int round, int *n_made, int *n_cut)
{
    uint64_t state = (uint64_t)round * 7919 + 17;
    int class_of[MOST_ROWS], n_classes, name[MOST_ROWS], name_of_home[MOST_ROWS];
    struct table t;
    struct wish w;

    make_table(&t, false, &state);
    make_wish(&w, &t, true, &state);
    snprintf(w.what, sizeof w.what, "round %d", round);
    csv_folder();
    write_table(&t, 0);
    if (!anonymize(&w, "release", "links")) {
        for (int i = 0; i < t.n; i++)
            class_of[i] = 1;
        if (keeps_all(&t, &w, class_of, 1))
            fail_msg("%s: no release, but all rows as one class keep the policy\n%s", w.what, w.text);
        csv_folder_remove();
        return;
    }
    persons_read_links(class_of, &n_classes, t.n);
    check_suppressed(&t, &w, class_of);
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < i; j++)
            if (unit_of(&t, i) == unit_of(&t, j) && class_of[i] != class_of[j])
                fail_msg("%s: rows %d and %d are one unit's in two classes\n%s", w.what, j + 1, i + 1, w.text);
    for (int c = 1; c <= n_classes; c++)
        if (!keeps_all(&t, &w, class_of, c))
            fail_msg("%s: class %d breaks the policy\n%s", w.what, c, w.text);
    expect_proven(&w);
    write_table(&t, 1 + (int)below(&state, (uint32_t)t.n - 1));
    assert_true(anonymize(&w, "turned", NULL));
    expect_same_table(&w, "release", "turned");
    rename_all(name, &state);
    rename_all(name_of_home, &state);
    for (int i = 0; i < t.n; i++) {
        t.person[i] = name[t.person[i]];
        t.home[i] = name_of_home[t.home[i]];
    }
    write_table(&t, 0);
    assert_true(anonymize(&w, "renamed", NULL));
    expect_same_table(&w, "release", "renamed");
    csv_folder_remove();
    ++*n_made;
    *n_cut += n_classes > 1;
}

static void every_class_keeps_what_is_promised_over_units(void **unused)
{
    int n_made = 0, n_cut = 0;

    for (int round = 0; round < test_share(ROUNDS); round++)
        check_round(round, &n_made, &n_cut);
    assert_true(n_made > test_share(ROUNDS) / 3);
    assert_true(n_cut > test_share(ROUNDS) / 10);
}

static double loss_of(const char *target)
{
    static const char key[] = "\"ail\": ";
    char path[64];
    size_t n;
    char *text;
    const char *at = NULL;
    double loss;

    snprintf(path, sizeof path, "%s/manifest.json", target);
    text = csv_get_file(&n, csv_path(path));
    assert_non_null(text);
    for (const char *next = text; (next = strstr(next, key)); next++) /* the last one is that of all attributes */
        at = next;
    assert_non_null(at);
    loss = strtod(at + strlen(key), NULL);
    free(text);
    return loss;
}

/* It need not do again what is the same for all of them. */
static void auto_loses_as_little_as_the_best_method(void **unused)
{
    const int n = test_share(ROUNDS);
    int n_made = 0, n_unlike = 0;

    for (int round = 0; round < n; round++) {
        uint64_t state = (uint64_t)round * 15485863 + 5;
        double best = INFINITY, worst = 0;
        struct table t;
        struct wish w;

        make_table(&t, false, &state);
        make_wish(&w, &t, true, &state);
        w.suppresses = false; /* which changes what figures refer to */
        csv_folder();
        write_table(&t, 0);
        snprintf(w.what, sizeof w.what, "round %d", round);
        for (size_t m = 0; m < 4; m++) {
            w.method = methods[m];
            write_wish(&w, &t, true);
            if (anonymize(&w, methods[m], NULL)) {
                best = fmin(best, loss_of(methods[m]));
                worst = fmax(worst, loss_of(methods[m]));
            }
        }
        w.method = "auto";
        write_wish(&w, &t, true);
        if (anonymize(&w, "auto", NULL)) {
            if (loss_of("auto") > best)
                fail_msg("%s: auto loses %g, but a method %g\n%s", w.what, loss_of("auto"), best, w.text);
            n_made++;
            n_unlike += best < worst;
        } else if (best < INFINITY) {
            fail_msg("%s: auto makes no release, but a method does\n%s", w.what, w.text);
        }
        csv_folder_remove();
    }
    assert_true(n_made > n / 3);
    assert_true(n_unlike > n / 20);
}

static void with_one_row_for_each_nothing_is_different(void **unused)
{
    int n_made = 0;

    for (int round = 0; round < test_share(ROUNDS / 3); round++) {
        uint64_t state = (uint64_t)round * 104729 + 3, twin;
        struct table t;
        struct wish w;

        make_table(&t, true, &state);
        twin = state;
        make_wish(&w, &t, true, &state);
        if (w.kind == CLOSE)
            continue;
        csv_folder();
        write_table(&t, 0);
        snprintf(w.what, sizeof w.what, "round %d", round);
        if (anonymize(&w, "with", NULL)) {
            make_wish(&w, &t, false, &twin);
            assert_true(anonymize(&w, "without", NULL));
            expect_same_table(&w, "with", "without");
            n_made++;
        }
        csv_folder_remove();
    }
    assert_true(n_made > test_share(ROUNDS) / 10);
}

/* --- many codes --- */

enum { MANY_ROWS = 70000, MANY_PERSONS = 30000, MANY_K = 3 };

/* More codes on an axis than the ends of units have places for: nobody's promise is lost, and classes are small. */
static void more_codes_than_places_change_nothing(void **unused)
{
    static const struct wish wish = {
        .text = "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: person, role: entity}\n"
                "  - {name: number, role: quasi-identifier}\nmethod: {name: mondrian}\nprivacy:\n"
                "  - {model: k-anonymity, k: 3}\n",
        .what = "many codes"};
    static int person[MANY_ROWS], class_of[MANY_ROWS], of_person[MANY_PERSONS], n_of[MANY_PERSONS];
    static int low[MANY_ROWS + 1], high[MANY_ROWS + 1], rows[MANY_ROWS + 1], most[MANY_ROWS + 1];
    covey_text out = COVEY_TEXT_INIT;
    int n_classes = 0, widest = 0;
    size_t size;
    char *text, *line;

    csv_folder();
    covey_i_text_add_string(&out, "person,number\n");
    for (int i = 0; i < MANY_ROWS; i++) { /* persons of two or three rows next to each other, in a mixed order */
        const int number = (int)((int64_t)i * 30011 % MANY_ROWS);

        person[i] = (int)((int64_t)number * MANY_PERSONS / MANY_ROWS);
        covey_i_text_add_format(&out, "p%d,%d\n", person[i], number);
        n_of[person[i]]++;
    }
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
    assert_true(anonymize(&wish, "release", "links"));
    assert_non_null(text = csv_get_file(&size, csv_path("links")));
    line = text;
    for (int i = 0; i < MANY_ROWS; i++) {
        const int number = (int)((int64_t)i * 30011 % MANY_ROWS);
        int c;

        line = strchr(line, '\n') + 1;
        assert_int_equal(strtol(line, &line, 10), i + 1);
        c = class_of[i] = (int)strtol(line + 1, NULL, 10);
        assert_true(c > 0 && c <= MANY_ROWS);
        assert_true(of_person[person[i]] == 0 || of_person[person[i]] == c);
        of_person[person[i]] = c;
        low[c] = rows[c] == 0 || number < low[c] ? number : low[c];
        high[c] = number > high[c] ? number : high[c];
        most[c] = n_of[person[i]] > most[c] ? n_of[person[i]] : most[c];
        rows[c]++;
        n_classes = c > n_classes ? c : n_classes;
    }
    free(text);
    for (int c = 1; c <= n_classes; c++) {
        assert_true(rows[c] >= MANY_K * most[c]);
        widest = high[c] - low[c] > widest ? high[c] - low[c] : widest;
    }
    assert_true(n_classes > MANY_PERSONS / MANY_K / 3);
    assert_true(widest < 100);
    csv_folder_remove();
}

/* Of 20,000 rows next to each other everybody has the same value, so that cuts far up have to be undone: many at once,
 * on any number of threads. */
static void many_cuts_are_undone_where_values_ask_for_it(void **unused)
{
    static struct wish wish = {
        .text = "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: person, role: entity}\n"
                "  - {name: number, role: quasi-identifier}\n  - {name: illness, role: sensitive}\n"
                "method: {name: mondrian}\nprivacy:\n  - {model: k-anonymity, k: 3}\n"
                "  - {model: probabilistic-l-diversity, l: 5/4}\n",
        .what = "many undone cuts"};
    static int person[MANY_ROWS], value[MANY_ROWS], of_person[MANY_PERSONS], class_of[MANY_ROWS];
    static int rows[MANY_ROWS + 1], flu[MANY_ROWS + 1], n_persons[MANY_ROWS + 1], with_flu[MANY_ROWS + 1];
    static bool has_flu[MANY_PERSONS];
    enum { ALIKE = 20000 };
    covey_text out = COVEY_TEXT_INIT;
    int n_classes = 0;

    csv_folder();
    covey_i_text_add_string(&out, "person,number,illness\n");
    for (int i = 0; i < MANY_ROWS; i++) {
        const int number = (int)((int64_t)i * 30011 % MANY_ROWS);

        person[i] = (int)((int64_t)number * MANY_PERSONS / MANY_ROWS);
        value[i] = number < ALIKE ? 0 : 1 + (person[i] + number % 2) % 3;
        covey_i_text_add_format(&out, "p%d,%d,%s\n", person[i], number, value_name[value[i]]);
    }
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
    assert_true(anonymize(&wish, "release", "links"));
    persons_read_links(class_of, &n_classes, MANY_ROWS);
    for (int i = 0; i < MANY_ROWS; i++) {
        const int p = person[i], c = class_of[i];

        assert_true(c > 0 && (of_person[p] == 0 || of_person[p] == c));
        n_persons[c] += of_person[p] == 0;
        of_person[p] = c;
        rows[c]++;
        flu[c] += value[i] == 0;
        with_flu[c] += value[i] == 0 && !has_flu[p];
        has_flu[p] |= value[i] == 0;
    }
    for (int c = 1; c <= n_classes; c++)
        if (5 * flu[c] > 4 * rows[c] || 5 * with_flu[c] > 4 * n_persons[c])
            fail_msg("class %d: %d of %d rows, %d of %d persons", c, flu[c], rows[c], with_flu[c], n_persons[c]);
    assert_true(n_classes > 1000); /* of those who are not alike */
    wish.n_threads = 3;
    assert_true(anonymize(&wish, "threads", NULL));
    expect_same_table(&wish, "release", "threads");
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_codes_than_places_change_nothing),
        cmocka_unit_test(many_cuts_are_undone_where_values_ask_for_it),
        cmocka_unit_test(every_class_keeps_what_is_promised_over_units),
        cmocka_unit_test(auto_loses_as_little_as_the_best_method),
        cmocka_unit_test(with_one_row_for_each_nothing_is_different),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
