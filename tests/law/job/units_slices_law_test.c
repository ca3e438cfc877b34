/* Buckets of units (slicing), in releases of random tables of persons with one sensitive value each, or several: every
 * unit is whole, and units of a bucket have as many rows, of which as many agree beside the sensitive value.  Over all
 * worlds that an adversary who knows all rows of everybody but their values takes for possible, nobody has a value with
 * a chance above 1/l, whatever is known of how the values of one person go together: that all are the same, that all
 * differ, or any weight for each list of values.  COUNT(DISTINCT entity) is within its bounds, and what was tampered
 * with is found. */
#include "test.h"

#include <covey/covey.h>
#include <covey/query.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/job/persons.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 100, QUERIES = 12, N_ZIPS = 2, N_ILLNESSES = PERSONS_MOST_ILLNESSES, MOST_IN_WORLD = 9 };

/* How a release is made. */
struct wish {
    const char *role, *limit, *columns;
    int l, l_den;       /* l / l_den */
    bool zip_is_beside; /* the sensitive value, in columns */
    uint64_t seed;
};

static uint32_t below(uint64_t *state, uint32_t n)
{
    return maker_below(state, n);
}

static covey_status anonymize(const void *wish, covey_error *err)
{
    const struct wish *w = wish;
    char text[1024];

    snprintf(text, sizeof text,
             "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: person, role: %s}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier, type: text}\n"
             "  - {name: illness, role: sensitive}\nsuppression: {limit: %s}\nmethod: {name: slicing, columns: %s}\n"
             "privacy: [{model: sliced-l-diversity, l: %d/%d}]\n",
             w->role, w->limit, w->columns, w->l, w->l_den);
    return persons_anonymize(text, strcmp(w->role, "entity") == 0, w->seed, err);
}

static void make_wish(struct wish *w, uint64_t *state, int round)
{
    static const int l[][2] = {{2, 1}, {3, 1}, {3, 2}, {5, 4}, {5, 2}};
    static const char *const limits[] = {"0", "0.3", "0.9"};
    static const char *const columns[] = {"[[age, zip], [illness]]", "[[age], [zip, illness]]",
                                          "[[age, zip], [zip, illness]]", "found"};
    const size_t which = below(state, 4), of_l = below(state, 5);

    *w = (struct wish){.role = "entity",
                       .limit = limits[below(state, 3)],
                       .columns = columns[which],
                       .zip_is_beside = which == 1 || which == 2,
                       .l = l[of_l][0],
                       .l_den = l[of_l][1],
                       .seed = (uint64_t)round};
}

/* --- what a bucket is --- */

/* Rows of a bucket: whose they are, which agree beside the sensitive value, and the true value. */
struct bucket {
    int n, n_units, unit[PERSONS_MOST_ROWS], beside[PERSONS_MOST_ROWS], value[PERSONS_MOST_ROWS];
};

static void find_bucket(struct bucket *b, const persons *t, const int *class_of, int class, bool zip_is_beside)
{
    int person[PERSONS_MOST_ROWS];

    *b = (struct bucket){0};
    for (int i = 0; i < t->n; i++) {
        int u = 0;

        if (class_of[i] != class)
            continue;
        while (u < b->n_units && person[u] != t->person[i])
            u++;
        if (u == b->n_units)
            person[b->n_units++] = t->person[i];
        b->unit[b->n] = u;
        b->beside[b->n] = zip_is_beside ? t->value[i][1] : 0;
        b->value[b->n++] = t->value[i][2];
    }
}

static int count_rows(const struct bucket *b, int unit, int beside)
{
    int n = 0;

    for (int i = 0; i < b->n; i++)
        n += b->unit[i] == unit && b->beside[i] == beside;
    return n;
}

static void check_kind(const struct bucket *b)
{
    for (int u = 0; u < b->n_units; u++)
        for (int beside = 0; beside < 2; beside++)
            assert_int_equal(count_rows(b, u, beside), count_rows(b, 0, beside));
}

/* --- worlds --- */

/* What is known of persons: how likely each list of values is, whoever has it. */
enum { ANY, THE_SAME, DIFFERENT, RANDOM, N_KNOWN };

struct worlds {
    const struct bucket *b;
    int known;
    uint64_t salt;
    int left[2][N_ILLNESSES]; /* pieces that are still to be given to somebody */
    int given[PERSONS_MOST_ROWS];
    int64_t n, with[PERSONS_MOST_ROWS][N_ILLNESSES]; /* sums of weights */
};

/* By the values that a unit has and how often: not by who it is. */
static int64_t weight_of(const struct worlds *w, int unit)
{
    int n[2][N_ILLNESSES] = {0}, n_values = 0, most = 0;
    uint64_t state = w->salt;

    for (int i = 0; i < w->b->n; i++)
        if (w->b->unit[i] == unit)
            n[w->b->beside[i]][w->given[i]]++;
    for (int v = 0; v < N_ILLNESSES; v++) {
        const int both = n[0][v] + n[1][v];

        n_values += both > 0;
        most = both > most ? both : most;
        state = state * 31 + (uint64_t)(7 * n[0][v] + n[1][v]);
    }
    return w->known == ANY         ? 1
           : w->known == THE_SAME  ? n_values == 1
           : w->known == DIFFERENT ? most == 1
                                   : 1 + (int64_t)(below(&state, 4) * below(&state, 4));
}

static void add_world(struct worlds *w)
{
    bool has[PERSONS_MOST_ROWS][N_ILLNESSES] = {{false}};
    int64_t weight = 1;

    for (int u = 0; u < w->b->n_units; u++)
        weight *= weight_of(w, u);
    w->n += weight;
    for (int i = 0; i < w->b->n; i++)
        has[w->b->unit[i]][w->given[i]] = true;
    for (int u = 0; u < w->b->n_units; u++)
        for (int v = 0; v < N_ILLNESSES; v++)
            w->with[u][v] += has[u][v] ? weight : 0;
}

/* All ways to give the rows their pieces. */
static void go_through(struct worlds *w, int at)
{
    if (at == w->b->n) {
        add_world(w);
        return;
    }
    for (int v = 0; v < N_ILLNESSES; v++) {
        int *left = &w->left[w->b->beside[at]][v];

        if (*left == 0)
            continue;
        --*left;
        w->given[at] = v;
        go_through(w, at + 1);
        ++*left;
    }
}

/* The greatest chance, as a fraction, that somebody has a value; 0 of 0: there is no such world. */
static void greatest_chance(int64_t *num, int64_t *den, const struct bucket *b, int known, uint64_t salt)
{
    struct worlds w = {.b = b, .known = known, .salt = salt};

    for (int i = 0; i < b->n; i++)
        w.left[b->beside[i]][b->value[i]]++;
    go_through(&w, 0);
    *num = 0;
    *den = w.n;
    for (int u = 0; u < b->n_units; u++)
        for (int v = 0; v < N_ILLNESSES; v++)
            *num = w.with[u][v] > *num ? w.with[u][v] : *num;
}

/* --- can it be done? --- */

static bool vary(const persons *t)
{
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < i; j++)
            if (t->person[i] == t->person[j] && t->value[i][2] != t->value[j][2])
                return true;
    return false;
}

/* Of the persons of a kind: is it one that makes no bucket?  rows: [persons][2] with each zip, or all with the first.
 */
static bool is_without(const persons *t, const int (*rows)[2], int person, const struct wish *w, bool several)
{
    int n = 0, most = 0;

    for (int p = 0; p < t->n_persons; p++)
        n += memcmp(rows[p], rows[person], sizeof rows[p]) == 0;
    for (int v = 0; v < N_ILLNESSES; v++) {
        bool seen[PERSONS_MOST_ROWS] = {false};
        int n_with = 0;

        for (int i = 0; i < t->n; i++) {
            const int p = t->person[i];

            if (t->value[i][2] != v || memcmp(rows[p], rows[person], sizeof rows[p]) != 0 || (seen[p] && !several))
                continue;
            seen[p] = true;
            n_with++;
        }
        most = n_with > most ? n_with : most;
    }
    most = most > n ? n : most;
    return most * w->l > n * w->l_den;
}

/* without: [persons] */
static int find_without(bool *without, const persons *t, const struct wish *w)
{
    const bool several = vary(t);
    int rows[PERSONS_MOST_ROWS][2] = {{0}}, n = 0;

    for (int i = 0; i < t->n; i++)
        rows[t->person[i]][w->zip_is_beside ? t->value[i][1] : 0]++;
    for (int p = 0; p < t->n_persons; p++) {
        without[p] = is_without(t, (const int(*)[2])rows, p, w, several);
        n += without[p] ? rows[p][0] + rows[p][1] : 0;
    }
    return n;
}

/* --- the law --- */

static int check_worlds(const struct bucket *b, const struct wish *w, bool several, int round, int class)
{
    int n_checked = 0;

    if (b->n > MOST_IN_WORLD)
        return 0;
    for (int known = several ? ANY : THE_SAME; known < (several ? N_KNOWN : THE_SAME + 1); known++) {
        int64_t num, den;

        greatest_chance(&num, &den, b, known, (uint64_t)round);
        n_checked += den > 0;
        if (num * w->l > den * w->l_den)
            fail_msg("round %d, bucket %d: a chance of %ld in %ld by what is known (%d)", round, class, (long)num,
                     (long)den, known);
    }
    return n_checked;
}

static void check_release(const persons *t, const struct wish *w, const bool *without, int round, int *n_checked)
{
    int class_of[PERSONS_MOST_ROWS], n_classes;

    persons_read_links(class_of, &n_classes, t->n);
    for (int i = 0; i < t->n; i++) {
        assert_int_equal(class_of[i] == 0, without[t->person[i]]);
        for (int j = 0; j < i; j++)
            assert_true(t->person[i] != t->person[j] || class_of[i] == class_of[j]);
    }
    for (int c = 1; c <= n_classes; c++) {
        struct bucket b;

        find_bucket(&b, t, class_of, c, w->zip_is_beside);
        check_kind(&b);
        *n_checked += check_worlds(&b, w, vary(t), round, c);
    }
    assert_true(persons_are_stated());
    assert_true(persons_are_proven());
}

static bool has_several_rows(const persons *t)
{
    return t->n_persons < t->n;
}

static void every_bucket_hides_its_units(void **unused)
{
    int n_made = 0, n_suppressed = 0, n_checked = 0, n_varying = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 7919 + 5;
        bool without[PERSONS_MOST_ROWS];
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        struct wish w;
        covey_error err;
        covey_status status;
        int n_without, limit;

        make_wish(&w, &state, round);
        persons_make(&t, 12 + (int)below(&state, PERSONS_MOST_ROWS - 12), 2 + (int)below(&state, 2), below(&state, 2),
                     &state);
        if (!has_several_rows(&t))
            continue;
        persons_shuffle(&t, &state);
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
            n_made++;
            n_varying += vary(&t);
            n_suppressed += n_without > 0;
        }
        csv_folder_remove();
    }
    assert_true(n_made > ROUNDS / 4);
    assert_true(n_varying > ROUNDS / 12);
    assert_true(n_suppressed > ROUNDS / 20);
    assert_true(n_checked > 4 * ROUNDS);
}

/* A release may say which l would be possible: then it is. */
static void what_a_refusal_names_is_had(void **unused)
{
    int n_named = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 104729 + 3;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        struct wish w;
        covey_error err;

        make_wish(&w, &state, round);
        persons_make(&t, 12 + (int)below(&state, PERSONS_MOST_ROWS - 12), 3, below(&state, 2), &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_EINFEASIBLE) {
            const char *at = strstr(err.message, "l can be ");

            assert_null(strstr(err.message, "p1")); /* no names of persons */
            if (at) {
                char *end;

                w.l = (int)strtol(at + strlen("l can be "), &end, 10);
                w.l_den = *end == '/' ? (int)strtol(end + 1, NULL, 10) : 1;
                if (anonymize(&w, &err) != COVEY_OK)
                    fail_msg("round %d: %d/%d: %s", round, w.l, w.l_den, err.message);
                n_named++;
            }
        }
        csv_folder_remove();
    }
    assert_true(n_named > ROUNDS / 10);
}

/* Values of rows alone would not do: docs/design/units.md has the two. */
static void rows_alone_would_not_do(void **unused)
{
    const struct bucket two = {.n = 4, .n_units = 3, .unit = {0, 0, 1, 2}, .value = {0, 0, 1, 2}},
                        three = {.n = 4, .n_units = 2, .unit = {0, 0, 0, 1}, .value = {0, 1, 2, 3}};
    int64_t num, den;

    greatest_chance(&num, &den, &two, THE_SAME, 0); /* a, a, b and c: each row has a with 1/2 */
    assert_int_equal(num, den);
    greatest_chance(&num, &den, &three, ANY, 0);
    assert_int_equal(4 * num, 3 * den);
}

/* --- with one row each --- */

static void with_one_row_for_each_nothing_is_different(void **unused)
{
    static const char *const files[] = {"release/column-1.csv", "release/column-2.csv"};

    for (int round = 0; round < 40; round++) {
        uint64_t state = (uint64_t)round * 31 + 1;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        struct wish w;
        covey_error err;
        char *with[2];
        size_t n[2], m;

        make_wish(&w, &state, round);
        persons_make(&t, 30, 1, false, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_OK) {
            assert_true(persons_are_proven());
            for (int f = 0; f < 2; f++)
                with[f] = csv_get_file(&n[f], csv_path(files[f]));
            w.role = "identifier";
            assert_int_equal(anonymize(&w, &err), COVEY_OK);
            for (int f = 0; f < 2; f++) {
                char *without = csv_get_file(&m, csv_path(files[f]));

                assert_int_equal(n[f], m);
                assert_memory_equal(with[f], without, m);
                free(without);
                free(with[f]);
            }
        }
        csv_folder_remove();
    }
}

/* Neither names nor the order of the input show. */
static void names_and_order_change_nothing(void **unused)
{
    int n_made = 0;

    for (int round = 0; round < 40; round++) {
        uint64_t state = (uint64_t)round * 37 + 11;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES}, other;
        struct wish w;

        make_wish(&w, &state, round);
        persons_make(&t, 50, 3, below(&state, 2), &state);
        other = t;
        persons_shuffle(&other, &state);
        for (int i = 0; i < t.n; i++)
            other.person[i] = 7 * (t.n_persons - other.person[i]) % 1000;
        n_made += persons_slice_alike(&t, &other, anonymize, &w);
    }
    assert_true(n_made > 5);
}

/* --- queries --- */

static void the_truth_lies_within_the_bounds(void **unused)
{
    uint64_t state = 4711;
    int n_asked = 0;

    for (int round = 0; round < ROUNDS; round++) {
        covey_query_release *release = NULL;
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        struct wish w;
        covey_error err;

        make_wish(&w, &state, round);
        persons_make(&t, 12 + (int)below(&state, PERSONS_MOST_ROWS - 12), 3, below(&state, 2), &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_OK) {
            assert_int_equal(covey_query_open(&release, csv_path("release"), NULL, &err), COVEY_OK);
            for (int i = 0; i < QUERIES; i++)
                persons_ask(release, &t, i % 4 == 0, &state);
            covey_query_close(release);
            n_asked++;
        }
        csv_folder_remove();
    }
    assert_true(n_asked > ROUNDS / 5);
}

/* --- tampering --- */

/* Two rows of persons of different buckets change places in the list: it is no way to make the release, unless the rows
 * are alike. */
static void swap_links(const persons *t, uint64_t *state)
{
    int class_of[PERSONS_MOST_ROWS], n_classes;
    size_t size;
    char *text = csv_get_file(&size, csv_path("links"));

    persons_read_links(class_of, &n_classes, t->n);
    for (int try = 0; try < 100; try++) {
        const int a = (int)below(state, (uint32_t)t->n), b = (int)below(state, (uint32_t)t->n);
        covey_text out = COVEY_TEXT_INIT;

        if (class_of[a] == class_of[b])
            continue;
        covey_i_text_add_string(&out, "row,class\n");
        for (int i = 0; i < t->n; i++) {
            const int class = class_of[i == a ? b : i == b ? a : i];

            covey_i_text_add_format(&out, class > 0 ? "%d,%d\n" : "%d,\n", i + 1, class);
        }
        csv_put_file(csv_path("links"), out.bytes, out.size);
        covey_i_text_free(&out);
        if (persons_are_proven()) {
            int n_a = 0, n_b = 0;

            for (int i = 0; i < t->n; i++) {
                n_a += t->person[i] == t->person[a];
                n_b += t->person[i] == t->person[b];
            }
            if (n_a != 1 || n_b != 1 || memcmp(t->value[a], t->value[b], sizeof t->value[a]) != 0)
                fail_msg("rows %d and %d have changed places, and that is not found", a + 1, b + 1);
        }
    }
    csv_put_file(csv_path("links"), text, size);
    free(text);
}

static void tampering_is_found(void **unused)
{
    for (int round = 0; round < 4; round++) {
        uint64_t state = (uint64_t)round + 5;
        const struct wish w = {.role = "entity",
                               .limit = "0.9",
                               .columns = round % 2 ? "[[age], [zip, illness]]" : "[[age, zip], [illness]]",
                               .zip_is_beside = round % 2,
                               .l = 3,
                               .l_den = 2,
                               .seed = 1};
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        covey_error err;

        persons_make(&t, PERSONS_MOST_ROWS, 3, round / 2, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) != COVEY_OK)
            fail_msg("round %d: %s", round, err.message);
        assert_true(persons_are_proven());
        persons_try_numbers("release/units.csv");
        persons_try_numbers("links");
        swap_links(&t, &state);
        assert_true(persons_are_proven());
        csv_folder_remove();
    }
}

/* Of persons with one row each, too: the largest one cannot have two. */
static void numbers_of_single_rows_are_compared(void **unused)
{
    const struct wish w = {
        .role = "entity", .limit = "0.9", .columns = "[[age, zip], [illness]]", .l = 3, .l_den = 2, .seed = 1};
    uint64_t state = 3;
    persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
    covey_error err;

    persons_make(&t, PERSONS_MOST_ROWS, 1, false, &state);
    csv_folder();
    persons_write(&t);
    assert_int_equal(anonymize(&w, &err), COVEY_OK);
    assert_true(persons_are_proven());
    persons_try_numbers("release/units.csv");
    csv_folder_remove();
}

static bool original_contradicts(void)
{
    return persons_have_problem("which the original contradicts (\"unit_values\")");
}

/* What is said of the values of units is put into its opposite. */
static void what_is_said_of_values_cannot_be_changed(void **unused)
{
    int n_one = 0, n_several = 0;

    for (int round = 0; round < ROUNDS && (n_one < 10 || n_several < 10); round++) {
        uint64_t state = (uint64_t)round * 53 + 1;
        const struct wish w = {.role = "entity",
                               .limit = "0.9",
                               .columns = "[[age, zip], [illness]]",
                               .l = 2,
                               .l_den = 1,
                               .seed = (uint64_t)round};
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES};
        covey_error err;
        const bool several = below(&state, 2);

        persons_make(&t, PERSONS_MOST_ROWS, 2, several, &state);
        csv_folder();
        persons_write(&t);
        if (anonymize(&w, &err) == COVEY_OK && vary(&t) == several) {
            size_t size;
            char *units = csv_get_file(&size, csv_path("release/units.csv")),
                 *text = csv_get_file(&size, csv_path("release/manifest.json")),
                 *at = strstr(text, several ? "\"several\"" : "\"one\"");
            covey_text out = COVEY_TEXT_INIT;

            assert_non_null(at);
            assert_true(persons_are_stated());
            assert_false(original_contradicts());
            covey_i_text_add_format(&out, "%.*s%s%s", (int)(at - text), text, several ? "\"one\"" : "\"several\"",
                                    strchr(at + 1, '"') + 1);
            csv_put_file(csv_path("release/manifest.json"), out.bytes, out.size);
            covey_i_text_free(&out);
            assert_true(original_contradicts());
            if (strstr(units, ",2\n")) { /* units of two rows */
                assert_false(persons_are_stated());
                n_one += !several;
                n_several += several;
            }
            free(text);
            free(units);
        }
        csv_folder_remove();
    }
    assert_true(n_one >= 10);
    assert_true(n_several >= 10);
}

static bool nobody_is_suppressed(const persons *t)
{
    int class_of[PERSONS_MOST_ROWS], n_classes;
    bool found = false;

    persons_read_links(class_of, &n_classes, t->n);
    for (int i = 0; i < t->n; i++)
        found = found || class_of[i] == 0;
    return !found;
}

/* Are persons with as many rows, of each zip where it is beside, hidden together? */
static bool hides_kinds(const persons *t, const bool *hidden, bool zip_is_beside)
{
    int rows[PERSONS_MOST_ROWS][2] = {{0}};

    for (int i = 0; i < t->n; i++)
        rows[t->person[i]][zip_is_beside ? t->value[i][1] : 0]++;
    for (int p = 0; p < t->n_persons; p++)
        for (int other = 0; other < p; other++)
            if (hidden[p] != hidden[other] && memcmp(rows[p], rows[other], sizeof rows[p]) == 0)
                return false;
    return true;
}

/* Nothing else is wrong with a release in which a few persons of a kind are suppressed; whole kinds may be. */
static void kinds_are_suppressed_as_a_whole(void **unused)
{
    int n_whole = 0, n_parts = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t state = (uint64_t)round * 71 + 3;
        const bool zip_is_beside = below(&state, 2);
        const struct wish w = {.role = "entity",
                               .limit = "0",
                               .columns = zip_is_beside ? "[[age], [zip, illness]]" : "[[age, zip], [illness]]",
                               .l = 3,
                               .l_den = 2,
                               .seed = (uint64_t)round};
        persons t = {.n_zips = N_ZIPS, .n_illnesses = N_ILLNESSES}, others;
        int rows[PERSONS_MOST_ROWS] = {0};
        bool hidden[PERSONS_MOST_ROWS] = {false};
        covey_error err;

        persons_make(&t, 50, 3, false, &state);
        for (int i = 0; i < t.n; i++)
            rows[t.person[i]]++;
        for (int p = 0; p < t.n_persons; p++)
            hidden[p] = round % 2 ? p % 9 == 4 : rows[p] == 2;
        persons_without(&others, &t, hidden);
        csv_folder();
        persons_write(&others);
        if (anonymize(&w, &err) == COVEY_OK && nobody_is_suppressed(&others)) {
            const bool whole = hides_kinds(&t, hidden, zip_is_beside);

            persons_suppress(&t, hidden);
            assert_true(persons_are_stated());
            assert_int_equal(persons_have_problem("published or suppressed together"), !whole);
            assert_int_equal(persons_are_proven(), whole);
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
        cmocka_unit_test(every_bucket_hides_its_units),
        cmocka_unit_test(what_a_refusal_names_is_had),
        cmocka_unit_test(rows_alone_would_not_do),
        cmocka_unit_test(with_one_row_for_each_nothing_is_different),
        cmocka_unit_test(names_and_order_change_nothing),
        cmocka_unit_test(the_truth_lies_within_the_bounds),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(numbers_of_single_rows_are_compared),
        cmocka_unit_test(what_is_said_of_values_cannot_be_changed),
        cmocka_unit_test(kinds_are_suppressed_as_a_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
