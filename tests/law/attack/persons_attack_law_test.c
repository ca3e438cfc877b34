/* Attacks over persons, on releases of random tiny tables, against worlds: every way in which the values of a class
 * can belong to its rows, and what its persons have to its persons, is tried.  And with one row for each person they
 * say what the same attacks say of rows. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/publish.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 40, MOST_ROWS = 9, MOST_VALUES = 3 };

static const char *const value_name[MOST_VALUES] = {"flu", "cold", "gout"};

struct table {
    int n, n_persons;
    int person[MOST_ROWS], age[MOST_ROWS], value[MOST_ROWS], class[MOST_ROWS]; /* class 0: suppressed */
    int number[MOST_ROWS];   /* of a person among all that there are in the world */
    int class_of[MOST_ROWS]; /* of persons */
    unsigned has[MOST_ROWS]; /* of persons: a bit for each value */
    bool tells_suppressed;   /* a prior tells their values: they are a class, too */
};

static uint32_t below(uint64_t *state, uint32_t n)
{
    return maker_below(state, n);
}

static void make_table(struct table *t, bool is_single, uint64_t *state)
{
    const int n = 4 + (int)below(state, MOST_ROWS - 3);

    *t = (struct table){.n_persons = 0};
    while (t->n < n) {
        const int rows = is_single ? 1 : 1 + (int)below(state, 3), age = 20 + (int)below(state, 12);

        for (int i = 0; i < rows && t->n < n; i++, t->n++) {
            t->person[t->n] = t->n_persons;
            t->age[t->n] = age + (int)below(state, 2);
            t->value[t->n] = (int)below(state, MOST_VALUES);
        }
        t->number[t->n_persons] = t->n_persons;
        t->n_persons++;
    }
}

static void write_table(const struct table *t, const char *name)
{
    covey_text out = COVEY_TEXT_INIT;

    covey_i_text_add_string(&out, "person,age,illness\n");
    for (int i = 0; i < t->n; i++)
        covey_i_text_add_format(&out, "p%d,%d,%s\n", t->number[t->person[i]], t->age[i], value_name[t->value[i]]);
    csv_put_file(csv_path(name), out.bytes, out.size);
    covey_i_text_free(&out);
}

/* A release with its links; false: there is none that keeps the policy. */
static bool publish(struct table *t, const char *table, const char *name, bool has_prior, uint64_t *state)
{
    static const char *const methods[] = {"mondrian", "peel", "elastic"};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 3};
    char list[1100], text[1024];
    covey_anonymize_options options = {.force = true, .links = list};

    snprintf(list, sizeof list, "%s.links", csv_path(name));
    snprintf(text, sizeof text,
             "version: 1\ninput: {path: %s}\nattributes:\n  - {name: person, role: entity}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: illness, role: sensitive}\n"
             "suppression: {limit: 0.4}\nmethod: %s\nprivacy:\n  - {model: k-anonymity, k: 2%s}\n%s",
             table, methods[below(state, 3)], below(state, 2) ? ", units: count" : "",
             has_prior ? "  - {model: basic-beta-likeness, beta: 4}\n" : "");
    t->tells_suppressed = has_prior;
    return publish_policy("persons", text, name, &options, &run);
}

static void read_links(struct table *t, const char *name)
{
    char list[64];
    size_t size;
    char *text, *line;

    snprintf(list, sizeof list, "%s.links", name);
    line = text = csv_get_file(&size, csv_path(list));
    assert_non_null(text);
    for (int i = 0; i < t->n; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(strtol(line, &line, 10), i + 1);
        t->class[i] = line[1] == '\n' ? 0 : (int)strtol(line + 1, NULL, 10);
        t->class_of[t->person[i]] = t->class[i];
    }
    memset(t->has, 0, sizeof t->has);
    for (int i = 0; i < t->n; i++)
        t->has[t->person[i]] |= 1u << t->value[i];
    free(text);
}

static covey_attack_report *attack(const char *name, const char *what, const char *with, bool other_table)
{
    char folder[1024], original[1024], links[1100], second[1024], with_links[1100], with_original[1024];
    covey_attack_options options = {.original = original, .links = links, .n_names = 1, .name = &what};
    covey_attack_report *report = NULL;
    covey_error err;

    snprintf(folder, sizeof folder, "%s", csv_path(name));
    snprintf(original, sizeof original, "%s", csv_path("table.csv"));
    snprintf(links, sizeof links, "%s.links", folder);
    snprintf(second, sizeof second, "%s", csv_path(with ? with : ""));
    snprintf(with_links, sizeof with_links, "%s.links", second);
    snprintf(with_original, sizeof with_original, "%s", csv_path("other.csv"));
    if (with) {
        options.with = second;
        options.with_links = with_links;
        options.with_original = other_table ? with_original : NULL;
    }
    if (covey_attack_release(&report, folder, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", what, err.message);
    assert_int_equal(report->n_results, 1);
    return report;
}

static const covey_attack_value *detail(const covey_attack_report *report, const char *name)
{
    for (size_t i = 0; i < report->result->n_details; i++)
        if (strcmp(report->result->detail[i].name, name) == 0)
            return &report->result->detail[i].value;
    fail_msg("there is no %s", name);
    return NULL;
}

static void expect(const covey_attack_report *report, const char *name, double expected)
{
    const covey_attack_value *value = detail(report, name);
    const double found = value->kind == COVEY_ATTACK_NUMBER ? value->number : (double)value->integer;

    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%s: %.17g, not %.17g", name, found, expected);
}

static double cell(const covey_attack_report *report, const char *table, size_t row, const char *column)
{
    for (size_t i = 0; i < report->result->n_tables; i++) {
        const covey_attack_table *t = &report->result->table[i];

        for (size_t c = 0; c < t->n_columns && strcmp(t->name, table) == 0; c++)
            if (strcmp(t->column[c], column) == 0)
                return t->value[row * t->n_columns + c].number;
    }
    fail_msg("there is no %s of %s", column, table);
    return NAN;
}

/* Persons of a class; -1: of the whole table. */
static int persons_of(int *out, const struct table *t, int class)
{
    int n = 0;

    for (int u = 0; u < t->n_persons; u++)
        if (class < 0 || t->class_of[u] == class)
            out[n++] = u;
    return n;
}

static int first_class(const struct table *t)
{
    return t->tells_suppressed ? 0 : 1;
}

/* --- all orders of a few things --- */

static bool next_order(int *order, int n)
{
    int i = n - 1, j = n - 1, swap;

    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (i <= 0)
        return false;
    while (order[j] <= order[i - 1])
        j--;
    swap = order[i - 1], order[i - 1] = order[j], order[j] = swap;
    for (int low = i, high = n - 1; low < high; low++, high--)
        swap = order[low], order[low] = order[high], order[high] = swap;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* --- homogeneity --- */

/* Does the person have one value in all orders in which the class's values can stand in its rows? */
static bool is_certain(const struct table *t, int person)
{
    int order[MOST_ROWS], owner[MOST_ROWS], n = 0;
    unsigned always = ~0u;

    for (int i = 0; i < t->n; i++)
        if (t->class[i] == t->class_of[person]) {
            owner[n] = t->person[i];
            order[n++] = t->value[i];
        }
    qsort(order, (size_t)n, sizeof *order, compare_ints);
    do {
        unsigned has = 0;

        for (int i = 0; i < n; i++)
            has |= owner[i] == person ? 1u << order[i] : 0;
        always &= has;
    } while (always != 0 && next_order(order, n));
    return always != 0;
}

static void check_homogeneity(const struct table *t)
{
    covey_attack_report *report = attack("release", "homogeneity", NULL, false);
    double most = 0;
    int alike = 0, certain = 0, of[MOST_ROWS];

    for (int class = first_class(t); class <= t->n; class ++) {
        const int n = persons_of(of, t, class);
        unsigned all = ~0u;

        for (int v = 0; v < MOST_VALUES; v++) {
            int with = 0;

            for (int i = 0; i < n; i++)
                with += t->has[of[i]] >> v & 1;
            most = n > 0 ? fmax(most, (double)with / n) : most;
        }
        for (int i = 0; i < n; i++)
            all &= t->has[of[i]];
        alike += n > 0 && all != 0 ? n : 0;
    }
    for (int u = 0; u < t->n_persons; u++)
        certain += t->class_of[u] > 0 && is_certain(t, u);
    expect(report, "person_max", most);
    expect(report, "alike_persons", alike);
    expect(report, "certain_persons", certain);
    covey_attack_report_free(report);
}

/* --- corruption --- */

struct corrupted {
    double sum, most, certain;
    int n;
};

/* Who knows what those of `known` have asks in which worlds -- orders of what the class's persons have -- each other
 * person has what they have. */
static void know(struct corrupted *of, const struct table *t, const int *person, int n, unsigned known)
{
    int order[MOST_ROWS], with[MOST_ROWS][MOST_VALUES] = {{0}}, n_worlds = 0;

    for (int i = 0; i < n; i++)
        order[i] = i;
    do {
        bool fits = true;

        for (int i = 0; i < n; i++)
            fits &= !(known >> i & 1) || t->has[person[order[i]]] == t->has[person[i]];
        n_worlds += fits;
        for (int i = 0; i < n && fits; i++)
            for (int v = 0; v < MOST_VALUES; v++)
                with[i][v] += t->has[person[order[i]]] >> v & 1;
    } while (next_order(order, n));
    for (int i = 0; i < n; i++)
        for (int v = 0; v < MOST_VALUES; v++)
            if (!(known >> i & 1) && t->has[person[i]] >> v & 1) {
                const double told = (double)with[i][v] / n_worlds;

                of->sum += told;
                of->most = fmax(of->most, told);
                of->certain += with[i][v] == n_worlds;
                of->n++;
            }
}

/* Means over persons, what they have and sets of the others: each set of a class's others is as likely. */
static void check_corruption(const struct table *t)
{
    covey_attack_report *report = attack("release", "corruption", NULL, false);

    for (int a = 0; a < 2; a++) {
        double sum = 0, certain = 0, most = 0;
        int pairs = 0, of[MOST_ROWS];

        for (int class = first_class(t); class <= t->n; class ++) {
            const int n = persons_of(of, t, class), c = a + 1 < n - 1 ? a + 1 : n - 1;
            struct corrupted found = {0};
            int own = 0;

            for (unsigned known = 0; n > 0 && known < 1u << n; known++)
                if (__builtin_popcount(known) == c)
                    know(&found, t, of, n, known);
            for (int i = 0; i < n; i++)
                own += __builtin_popcount(t->has[of[i]]);
            if (found.n == 0)
                continue;
            sum += found.sum / found.n * own;
            certain += found.certain / found.n * own;
            most = fmax(most, found.most);
            pairs += own;
        }
        assert_true(fabs(cell(report, "known_persons", (size_t)a, "mean") - sum / pairs) < 1e-9);
        assert_true(fabs(cell(report, "known_persons", (size_t)a, "max") - most) < 1e-12);
        assert_true(fabs(cell(report, "known_persons", (size_t)a, "certain_share") - certain / pairs) < 1e-9);
        if (a == 0)
            expect(report, "person_max", most);
    }
    covey_attack_report_free(report);
}

/* --- composition --- */

static double share(const struct table *t, int class, int value)
{
    int of[MOST_ROWS], n = persons_of(of, t, class), with = 0;

    for (int i = 0; i < n; i++)
        with += t->has[of[i]] >> value & 1;
    return (double)with / n;
}

static bool is_single(const struct table *t)
{
    for (int u = 0; u < t->n_persons; u++)
        if (__builtin_popcount(t->has[u]) > 1)
            return false;
    return true;
}

/* Bayes' rule with what the person has as the cause, and both classes as what follows from it. */
static double together(const struct table *a, const struct table *b, int u, int w, int value)
{
    double of[MOST_VALUES], sum = 0;

    for (int v = 0; v < MOST_VALUES; v++) {
        const double p = share(a, -1, v);

        of[v] = p > 0 ? p * (share(a, a->class_of[u], v) / p) * (share(b, b->class_of[w], v) / p) : 0;
        sum += of[v];
    }
    if (is_single(a) && is_single(b))
        return sum > 0 ? of[value] / sum : 0;
    {
        const double p = share(a, -1, value), qa = share(a, a->class_of[u], value),
                     qb = share(b, b->class_of[w], value),
                     not = p < 1 ? (1 - p) * ((1 - qa) / (1 - p)) * ((1 - qb) / (1 - p)) : 0;

        return of[value] > 0 ? of[value] / (of[value] + not ) : 0;
    }
}

static void check_composition(const struct table *a, const struct table *b, bool other_table)
{
    covey_attack_report *report = attack("release", "composition", "second", other_table);
    double sum = 0, most = 0, alone[2] = {0};
    int pairs = 0, persons = 0, fewest = 0, impossible = 0, single = 0;

    for (int u = 0; u < a->n_persons; u++)
        for (int w = 0; w < b->n_persons; w++) {
            int alike = 0, common = 0;

            if (a->number[u] != b->number[w] || a->class_of[u] == 0 || b->class_of[w] == 0)
                continue;
            persons++;
            for (int x = 0; x < a->n_persons; x++)
                for (int y = 0; y < b->n_persons; y++)
                    alike += a->number[x] == b->number[y] && a->class_of[x] == a->class_of[u] &&
                             b->class_of[y] == b->class_of[w];
            fewest = fewest == 0 || alike < fewest ? alike : fewest;
            for (int v = 0; v < MOST_VALUES; v++) {
                common += share(a, a->class_of[u], v) > 0 && share(b, b->class_of[w], v) > 0;
                if (!(a->has[u] >> v & 1))
                    continue;
                pairs++;
                sum += together(a, b, u, w, v);
                most = fmax(most, together(a, b, u, w, v));
                alone[0] += share(a, a->class_of[u], v);
                alone[1] += share(b, b->class_of[w], v);
                impossible += share(b, b->class_of[w], v) <= 0;
            }
            single += common == 1;
        }
    if (report->result->applies && persons > 0) {
        expect(report, "compared_persons", persons);
        expect(report, "person_mean", sum / pairs);
        expect(report, "person_max", most);
        expect(report, "person_first_alone", alone[0] / pairs);
        expect(report, "person_second_alone", alone[1] / pairs);
        expect(report, "person_single_share", (double)single / persons);
        expect(report, "fewest_persons_in_common", fewest);
        expect(report, "impossible_of_persons", impossible);
        if (other_table)
            assert_string_equal(report->result->over, "persons");
    } else if (other_table) {
        assert_int_equal(persons, 0);
    }
    covey_attack_report_free(report);
}

/* --- rounds --- */

/* Some of the persons again, with other rows, and others who are new. */
static void make_other(struct table *other, const struct table *t, uint64_t *state)
{
    make_table(other, below(state, 3) == 0, state);
    for (int u = 0; u < other->n_persons; u++)
        other->number[u] = u + (int)below(state, 2) * (u < t->n_persons ? 0 : 20);
}

static void attacks_over_persons_say_what_worlds_say(void **unused)
{
    int n_attacked = 0, n_composed = 0, n_others = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 6700417 + 5;
        struct table t, second, other;

        csv_folder();
        make_table(&t, round % 4 == 0, &state);
        write_table(&t, "table.csv");
        second = t;
        if (publish(&t, "table.csv", "release", below(&state, 2), &state)) {
            read_links(&t, "release");
            check_homogeneity(&t);
            check_corruption(&t);
            n_attacked++;
            if (publish(&second, "table.csv", "second", below(&state, 2), &state)) {
                read_links(&second, "second");
                check_composition(&t, &second, false);
                n_composed++;
            }
            make_other(&other, &t, &state);
            write_table(&other, "other.csv");
            if (publish(&other, "other.csv", "second", below(&state, 2), &state)) {
                read_links(&other, "second");
                check_composition(&t, &other, true);
                n_others++;
            }
        }
        csv_folder_remove();
    }
    assert_true(n_attacked > ROUNDS / 3 && n_composed > ROUNDS / 4 && n_others > ROUNDS / 5);
}

static void with_one_row_each_persons_are_rows(void **unused)
{
    int n_attacked = 0;

    for (int round = 0; round < ROUNDS / 2; round++) {
        uint64_t state = (uint64_t)round * 104651 + 9;
        struct table t, second;
        covey_attack_report *report;

        csv_folder();
        make_table(&t, true, &state);
        write_table(&t, "table.csv");
        second = t;
        if (publish(&t, "table.csv", "release", round % 2, &state) &&
            publish(&second, "table.csv", "second", round % 2, &state)) {
            report = attack("release", "homogeneity", NULL, false);
            expect(report, "person_max", report->result->figure);
            covey_attack_report_free(report);
            report = attack("release", "skewness", NULL, false);
            expect(report, "person_ratio", report->result->figure);
            covey_attack_report_free(report);
            report = attack("release", "corruption", NULL, false);
            for (size_t row = 0; row < 6; row++)
                assert_true(fabs(cell(report, "known_persons", row, "mean") - cell(report, "known_rows", row, "mean")) <
                            1e-12);
            expect(report, "person_max", report->result->figure);
            covey_attack_report_free(report);
            n_attacked++;
        }
        csv_folder_remove();
    }
    assert_true(n_attacked > ROUNDS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_over_persons_say_what_worlds_say),
        cmocka_unit_test(with_one_row_each_persons_are_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
