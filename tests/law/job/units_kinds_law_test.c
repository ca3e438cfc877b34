/* Buckets of households, and of units with two sensitive attributes (slicing), in releases of random tables: every
 * household is whole, and those of a bucket have as many persons with as many rows each, of which as many agree beside
 * the sensitive values of every column.  Over all worlds that an adversary takes for possible who knows all rows of
 * everybody but their sensitive values, and whose they are, no household has a value of either attribute with a chance
 * above its 1/l, and so nobody in it, whatever is known of how the values of one household go together: that each
 * person's are the same, that they differ, that one attribute follows from the other, or any weight for each way. */
#include "test.h"

#include <covey/covey.h>
#include <covey/query.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/persons.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 250, QUERIES = 8, N_ZIPS = 2, N_ILLNESSES = 4, N_WARDS = 3, MOST_IN_WORLD = 8, MOST_WITH_TWO = 6 };

/* Columns with sensitive attributes. */
struct columns {
    const char *text;
    int n_holding;         /* the first has the illness, the last the ward */
    bool zip_is_beside[2]; /* in each */
};

static const struct columns with_one[] = {
    {"[[age, zip], [illness]]", 1, {false}}, {"[[age], [zip, illness]]", 1, {true}}, {"found", 1, {false}}};
static const struct columns with_two[] = {{"[[age, zip], [illness], [ward]]", 2, {false, false}},
                                          {"[[age], [zip, illness], [ward]]", 2, {true, false}},
                                          {"[[age], [zip, illness], [zip, ward]]", 2, {true, true}},
                                          {"[[age], [zip, illness, ward]]", 1, {true}},
                                          {"[[age, zip], [illness, ward]]", 1, {false}},
                                          {"found", 2, {false, false}}};

struct wish {
    bool has_homes, has_wards;
    const struct columns *columns;
    const char *limit, *anatomize;
    int l[2], l_den[2]; /* of illness and ward */
    uint64_t seed;
};

static uint32_t below(uint64_t *state, uint32_t n)
{
    return maker_below(state, n);
}

static void make_wish(struct wish *w, uint64_t *state, int round)
{
    static const int l[][2] = {{2, 1}, {3, 2}, {5, 4}, {5, 2}};
    static const char *const limits[] = {"0", "0.4", "0.9"};

    *w = (struct wish){.has_homes = round % 3 > 0,
                       .has_wards = round % 3 != 1,
                       .limit = limits[below(state, 3)],
                       .anatomize = below(state, 2) ? "true" : "false",
                       .seed = (uint64_t)round};
    w->columns = w->has_wards ? &with_two[below(state, 6)] : &with_one[below(state, 3)];
    for (int i = 0; i < 2; i++) {
        const size_t which = below(state, i == 0 ? 4 : 3);

        w->l[i] = l[which][0];
        w->l_den[i] = l[which][1];
    }
}

static void make_table(persons *t, const struct wish *w, uint64_t *state)
{
    const bool vary = below(state, 2);

    *t = (persons){.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
    persons_make(t, 30 + (int)below(state, PERSONS_MOST_ROWS - 30), 2, vary, state);
    if (w->has_homes)
        persons_give_homes(t, state);
    if (w->has_wards)
        persons_give_wards(t, N_WARDS, vary && below(state, 2), state);
    if (w->has_homes && !vary) /* then one value at home, mostly */
        for (int i = 1; i < t->n; i++)
            if (t->home[i] == t->home[i - 1] && below(state, 8)) {
                t->value[i][2] = t->value[i - 1][2];
                t->ward[i] = t->ward[i - 1];
            }
    persons_shuffle(t, state);
}

static covey_status anonymize(const void *wish, covey_error *err)
{
    const struct wish *w = wish;
    char text[1500], ward[200] = "";

    if (w->has_wards)
        snprintf(ward, sizeof ward, "  - {model: sliced-l-diversity, l: %d/%d, attribute: ward}\n", w->l[1],
                 w->l_den[1]);
    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: person, role: entity%s}\n%s"
             "  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier, type: text}\n"
             "  - {name: illness, role: sensitive}\n%ssuppression: {limit: %s}\n"
             "method: {name: slicing, columns: %s, anatomize: %s}\n"
             "privacy:\n  - {model: sliced-l-diversity, l: %d/%d, attribute: illness}\n%s",
             w->has_homes ? ", within: home" : "", w->has_homes ? "  - {name: home, role: identifier}\n" : "",
             w->has_wards ? "  - {name: ward, role: sensitive}\n" : "", w->limit, w->columns->text, w->anatomize,
             w->l[0], w->l_den[0], ward);
    return persons_anonymize(text, true, w->seed, err);
}

/* --- what a bucket is --- */

/* Rows of a bucket: of which unit, and which person in it; and what each column has of them. */
struct bucket {
    int n, n_units, n_columns, unit[PERSONS_MOST_ROWS], person[PERSONS_MOST_ROWS];
    int beside[2][PERSONS_MOST_ROWS], value[2][PERSONS_MOST_ROWS]; /* value: illness and ward */
    bool is_one_column, has_wards;
};

static int unit_of(const persons *t, int row)
{
    return t->has_homes ? t->home[row] : t->person[row];
}

static void find_bucket(struct bucket *b, const persons *t, const struct wish *w, const int *class_of, int class)
{
    int unit[PERSONS_MOST_ROWS];

    *b = (struct bucket){.n_columns = w->columns->n_holding,
                         .is_one_column = w->has_wards && w->columns->n_holding == 1,
                         .has_wards = w->has_wards};
    for (int i = 0; i < t->n; i++) {
        int u = 0;

        if (class_of[i] != class)
            continue;
        while (u < b->n_units && unit[u] != unit_of(t, i))
            u++;
        if (u == b->n_units)
            unit[b->n_units++] = unit_of(t, i);
        b->unit[b->n] = u;
        b->person[b->n] = t->person[i];
        for (int c = 0; c < b->n_columns; c++)
            b->beside[c][b->n] = w->columns->zip_is_beside[c] ? t->value[i][1] : 0;
        b->value[0][b->n] = t->value[i][2];
        b->value[1][b->n++] = w->has_wards ? t->ward[i] : 0;
    }
}

/* --- kinds --- */

struct kind {
    int n, person[PERSONS_MOST_ROWS]; /* what each is, sorted */
};

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Of a row's unit: how many rows of each zip every person of it has, where a zip is beside. */
static void find_kind(struct kind *k, const persons *t, const struct wish *w, int row)
{
    const bool beside = w->columns->zip_is_beside[0] || w->columns->zip_is_beside[1];
    bool seen[PERSONS_MOST_ROWS] = {false};

    *k = (struct kind){0};
    for (int i = 0; i < t->n; i++) {
        int code = 0;

        if (unit_of(t, i) != unit_of(t, row) || seen[t->person[i]])
            continue;
        seen[t->person[i]] = true;
        for (int j = 0; j < t->n; j++)
            if (t->person[j] == t->person[i])
                code += beside && t->value[j][1] ? 100 : 1;
        k->person[k->n++] = code;
    }
    qsort(k->person, (size_t)k->n, sizeof *k->person, compare_ints);
}

/* --- worlds --- */

/* ONE, SOME: what the manifest says of all units together; the others: of each person. */
enum { ONE, SOME, ANY, THE_SAME, DIFFERENT, FOLLOWS, RANDOM, N_KNOWN };

struct worlds {
    const struct bucket *b;
    int known;
    uint64_t salt;
    int left[2][2][N_ILLNESSES * N_WARDS]; /* pieces of each column that are still to be given to somebody */
    int given[2][PERSONS_MOST_ROWS];
    int64_t n, with[2][PERSONS_MOST_ROWS][N_ILLNESSES]; /* sums of weights */
};

static int piece_of(const struct bucket *b, int column, int row)
{
    return b->is_one_column ? b->value[0][row] * N_WARDS + b->value[1][row] : b->value[column][row];
}

/* The illness, or the ward, that a world gives a row. */
static int value_of(const struct worlds *w, int attribute, int row)
{
    if (w->b->is_one_column)
        return attribute == 0 ? w->given[0][row] / N_WARDS : w->given[0][row] % N_WARDS;
    return w->given[attribute][row];
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ (x >> 29);
}

/* By what the person's rows have and what is known of them: not by who it is. */
static int64_t weight_of_person(const struct worlds *w, int row, uint64_t *number)
{
    int n_rows = 0, n_with[2][N_ILLNESSES] = {{0}}, n_values[2] = {0}, most = 0;
    bool follows = true;

    *number = w->salt;
    for (int i = 0; i < w->b->n; i++) {
        if (w->b->person[i] != w->b->person[row])
            continue;
        n_rows++;
        for (int a = 0; a < 1 + w->b->has_wards; a++)
            n_values[a] += n_with[a][value_of(w, a, i)]++ == 0;
        if (w->b->has_wards)
            follows = follows && value_of(w, 1, i) == value_of(w, 0, i) % N_WARDS;
        *number += mix(w->salt + 1 +
                       (uint64_t)(value_of(w, 0, i) + 10 * (w->b->has_wards ? value_of(w, 1, i) : 0) +
                                  100 * w->b->beside[0][i] + 1000 * w->b->beside[1][i]));
    }
    for (int v = 0; v < N_ILLNESSES; v++)
        most = n_with[0][v] > most ? n_with[0][v] : most;
    return w->known == THE_SAME    ? n_values[0] == 1 && n_values[1] <= 1
           : w->known == DIFFERENT ? most == 1
           : w->known == FOLLOWS   ? follows
                                   : 1;
}

static int64_t weight_of(const struct worlds *w, int unit)
{
    bool seen[PERSONS_MOST_ROWS] = {false};
    uint64_t sum = 0, number;

    for (int i = 0; i < w->b->n; i++) {
        if (w->b->unit[i] != unit || seen[w->b->person[i]])
            continue;
        seen[w->b->person[i]] = true;
        if (weight_of_person(w, i, &number) == 0)
            return 0;
        sum += mix(number);
    }
    return w->known == RANDOM ? 1 + (int64_t)(mix(sum) % 4 * (mix(sum + 1) % 4)) : 1;
}

static bool are_single(const struct worlds *w)
{
    for (int a = 0; a < 1 + w->b->has_wards; a++)
        for (int i = 0; i < w->b->n; i++)
            for (int j = 0; j < i; j++)
                if (w->b->unit[i] == w->b->unit[j] && value_of(w, a, i) != value_of(w, a, j))
                    return false;
    return true;
}

static void add_world(struct worlds *w)
{
    int64_t weight = w->known == ONE ? are_single(w) : w->known == SOME ? !are_single(w) : 1;

    for (int u = 0; u < w->b->n_units && weight > 0; u++)
        weight *= weight_of(w, u);
    w->n += weight;
    for (int a = 0; a < 1 + w->b->has_wards && weight > 0; a++) {
        bool has[PERSONS_MOST_ROWS][N_ILLNESSES] = {{false}};

        for (int i = 0; i < w->b->n; i++)
            has[w->b->unit[i]][value_of(w, a, i)] = true;
        for (int u = 0; u < w->b->n_units; u++)
            for (int v = 0; v < N_ILLNESSES; v++)
                w->with[a][u][v] += has[u][v] ? weight : 0;
    }
}

/* All ways to give the rows their pieces, column by column. */
static void go_through(struct worlds *w, int column, int at)
{
    if (at == w->b->n) {
        if (column + 1 < w->b->n_columns)
            go_through(w, column + 1, 0);
        else
            add_world(w);
        return;
    }
    for (int piece = 0; piece < N_ILLNESSES * N_WARDS; piece++) {
        int *left = &w->left[column][w->b->beside[column][at]][piece];

        if (*left == 0)
            continue;
        --*left;
        w->given[column][at] = piece;
        go_through(w, column, at + 1);
        ++*left;
    }
}

/* The greatest chance, as a fraction, that a unit has a value of an attribute; 0 of 0: there is no such world. */
static void greatest_chances(int64_t num[2], int64_t *den, const struct bucket *b, int known, uint64_t salt)
{
    struct worlds w = {.b = b, .known = known, .salt = salt};

    for (int c = 0; c < b->n_columns; c++)
        for (int i = 0; i < b->n; i++)
            w.left[c][b->beside[c][i]][piece_of(b, c, i)]++;
    go_through(&w, 0, 0);
    *den = w.n;
    for (int a = 0; a < 2; a++) {
        num[a] = 0;
        for (int u = 0; u < b->n_units; u++)
            for (int v = 0; v < N_ILLNESSES; v++)
                num[a] = w.with[a][u][v] > num[a] ? w.with[a][u][v] : num[a];
    }
}

static int check_worlds(const struct bucket *b, const struct wish *w, bool several, int round, int class)
{
    int n_checked = 0;

    if (b->n > (b->n_columns > 1 ? MOST_WITH_TWO : MOST_IN_WORLD))
        return 0;
    for (int known = several ? SOME : ONE; known < (several ? N_KNOWN : ONE + 1); known++) {
        int64_t num[2], den;

        greatest_chances(num, &den, b, known, (uint64_t)round);
        n_checked += den > 0;
        for (int a = 0; a < 1 + w->has_wards; a++)
            if (num[a] * w->l[a] > den * w->l_den[a])
                fail_msg("round %d, bucket %d: a chance of %ld in %ld by what is known (%d)", round, class,
                         (long)num[a], (long)den, known);
    }
    return n_checked;
}

/* --- can it be done? --- */

static int value_at(const persons *t, int attribute, int row)
{
    return attribute == 0 ? t->value[row][2] : t->ward[row];
}

static bool vary(const persons *t, const struct wish *w)
{
    for (int a = 0; a < 1 + w->has_wards; a++)
        for (int i = 0; i < t->n; i++)
            for (int j = 0; j < i; j++)
                if (unit_of(t, i) == unit_of(t, j) && value_at(t, a, i) != value_at(t, a, j))
                    return true;
    return false;
}

/* Is the kind of a row's unit one that makes no bucket? */
static bool is_without(const persons *t, const struct wish *w, const struct kind *kind, int row, bool several)
{
    bool counted[PERSONS_MOST_ROWS] = {false}, fails = false;
    int n = 0, with[2][N_ILLNESSES] = {{0}};

    for (int i = 0; i < t->n; i++) {
        const bool is_first = !counted[unit_of(t, i)];

        if (memcmp(&kind[i], &kind[row], sizeof *kind) != 0)
            continue;
        counted[unit_of(t, i)] = true;
        n += is_first;
        for (int a = 0; a < 1 + w->has_wards; a++)
            with[a][value_at(t, a, i)] += is_first || several;
    }
    for (int a = 0; a < 1 + w->has_wards; a++)
        for (int v = 0; v < N_ILLNESSES; v++)
            fails = fails || (with[a][v] < n ? with[a][v] : n) * w->l[a] > n * w->l_den[a];
    return fails;
}

static int find_without(bool *without, const persons *t, const struct wish *w)
{
    static struct kind kind[PERSONS_MOST_ROWS];
    const bool several = vary(t, w);
    int n = 0;

    for (int i = 0; i < t->n; i++)
        find_kind(&kind[i], t, w, i);
    for (int i = 0; i < t->n; i++)
        n += without[i] = is_without(t, w, kind, i, several);
    return n;
}

/* --- the law --- */

static void check_release(const persons *t, const struct wish *w, const bool *without, int round, int *n_checked)
{
    int class_of[PERSONS_MOST_ROWS], n_classes;

    persons_read_links(class_of, &n_classes, t->n);
    for (int i = 0; i < t->n; i++) {
        struct kind own, other;

        assert_int_equal(class_of[i] == 0, without[i]);
        find_kind(&own, t, w, i);
        for (int j = 0; j < i; j++) {
            assert_true(unit_of(t, i) != unit_of(t, j) || class_of[i] == class_of[j]);
            find_kind(&other, t, w, j);
            assert_true(class_of[i] == 0 || class_of[i] != class_of[j] || memcmp(&own, &other, sizeof own) == 0);
        }
    }
    for (int c = 1; c <= n_classes; c++) {
        struct bucket b;

        find_bucket(&b, t, w, class_of, c);
        *n_checked += check_worlds(&b, w, vary(t, w), round, c);
    }
    assert_true(persons_are_stated());
    assert_true(persons_are_proven());
}

static void every_bucket_hides_its_units(void **unused)
{
    int n_made = 0, n_suppressed = 0, n_checked = 0, n_varying = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 7919 + 5;
        bool without[PERSONS_MOST_ROWS];
        covey_query_release *release = NULL;
        persons t;
        struct wish w;
        covey_error err;
        covey_status status;
        int n_without, limit;

        make_wish(&w, &state, round);
        make_table(&t, &w, &state);
        csv_folder();
        persons_write(&t);
        status = anonymize(&w, &err);
        n_without = find_without(without, &t, &w);
        limit = (int)(strtod(w.limit, NULL) * t.n + 1e-9);
        if (n_without > limit || n_without == t.n) {
            if (status != COVEY_EINFEASIBLE)
                fail_msg("round %d: %d of %d rows cannot be had, at most %d may go: %s", round, n_without, t.n, limit,
                         status == COVEY_OK ? "it was made" : err.message);
        } else {
            if (status != COVEY_OK)
                fail_msg("round %d: %s", round, err.message);
            check_release(&t, &w, without, round, &n_checked);
            assert_int_equal(covey_query_open(&release, csv_path("release"), NULL, &err), COVEY_OK);
            for (int i = 0; i < QUERIES; i++)
                persons_ask(release, &t, i % 4 == 0, &state);
            covey_query_close(release);
            n_made++;
            n_varying += vary(&t, &w);
            n_suppressed += n_without > 0;
        }
        csv_folder_remove();
    }
    print_message("%d made, %d varying, %d suppressed, %d checked\n", n_made, n_varying, n_suppressed, n_checked);
    assert_true(n_made > ROUNDS / 5);
    assert_true(n_varying > ROUNDS / 12);
    assert_true(n_suppressed > ROUNDS / 20);
    assert_true(n_checked > ROUNDS);
}

/* A refusal may say which l would be possible for all that ask for more: then it is. */
static void what_a_refusal_names_is_had(void **unused)
{
    int n_named = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 104729 + 3;
        persons t;
        struct wish w;
        covey_error err;

        make_wish(&w, &state, round);
        make_table(&t, &w, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_EINFEASIBLE) {
            const char *at = strstr(err.message, "l can be ");

            assert_null(strstr(err.message, "p1")); /* no names of persons or homes */
            assert_null(strstr(err.message, "h1"));
            if (at) {
                char *end;
                const int l = (int)strtol(at + strlen("l can be "), &end, 10),
                          l_den = *end == '/' ? (int)strtol(end + 1, NULL, 10) : 1;

                for (int a = 0; a < 2; a++)
                    if (w.l[a] * l_den > l * w.l_den[a]) {
                        w.l[a] = l;
                        w.l_den[a] = l_den;
                    }
                if (anonymize(&w, &err) != COVEY_OK)
                    fail_msg("round %d: %d/%d: %s", round, l, l_den, err.message);
                n_named++;
            }
        }
        csv_folder_remove();
    }
    assert_true(n_named > ROUNDS / 12);
}

/* Of households with as many rows one has a person with two of them, three have two persons: if everybody has one
 * value, the only value of two rows is that of the first, although it could be one's of four. */
static void rows_of_households_alone_would_not_do(void **unused)
{
    const struct bucket b = {.n = 8,
                             .n_units = 4,
                             .n_columns = 1,
                             .unit = {0, 0, 1, 1, 2, 2, 3, 3},
                             .person = {0, 0, 1, 2, 3, 4, 5, 6},
                             .is_one_column = true,
                             .has_wards = true, /* twelve values, of which two go together */
                             .value = {{0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 0, 1, 0, 1, 0, 1}}};
    int64_t num[2], den;

    greatest_chances(num, &den, &b, THE_SAME, 0);
    assert_true(den > 0);
    assert_int_equal(num[0], den);
}

/* Neither names nor the order of the input show. */
static void names_and_order_change_nothing(void **unused)
{
    int n_made = 0;

    for (int round = 0; round < 60; round++) {
        uint64_t state = (uint64_t)round * 37 + 11;
        persons t, other;
        struct wish w;

        make_wish(&w, &state, round);
        make_table(&t, &w, &state);
        other = t;
        persons_shuffle(&other, &state);
        for (int i = 0; i < t.n; i++) {
            other.person[i] = 7 * (t.n_persons - other.person[i]) % 1000;
            other.home[i] = 11 * (t.n - other.home[i]) % 1000;
        }
        n_made += persons_slice_alike(&t, &other, anonymize, &w);
    }
    assert_true(n_made > 10);
}

static void tampering_is_found(void **unused)
{
    int n_made = 0;

    for (int round = 0; round < 30 && n_made < 4; round++) {
        uint64_t state = (uint64_t)round + 5;
        struct wish w;
        persons t;
        covey_error err;

        make_wish(&w, &state, round);
        w.limit = "0.9";
        make_table(&t, &w, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_OK && vary(&t, &w)) {
            assert_true(persons_are_proven());
            persons_try_numbers("release/units.csv");
            persons_try_numbers("links");
            assert_true(persons_are_proven());
            n_made++;
        }
        csv_folder_remove();
    }
    assert_int_equal(n_made, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bucket_hides_its_units),
        cmocka_unit_test(what_a_refusal_names_is_had),
        cmocka_unit_test(rows_of_households_alone_would_not_do),
        cmocka_unit_test(names_and_order_change_nothing),
        cmocka_unit_test(tampering_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
