/* Verdicts on sliced releases whose sensitive attribute stands in several columns, by trying every table that the
 * release may stand for: every way to put the pieces of a bucket together that lets copies agree is as likely as any
 * other.  Whoever made the release does not matter. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "support/release/release_folder.h"

enum {
    N_ATTRIBUTES = 4,
    SENSITIVE = 3,
    MOST_BUCKETS = 2,
    MOST_ROWS = 5,
    MOST_SLICES = 3,
    N_QUASI = 8,
    N_VALUES = 3,
    ROUNDS = 40
};

struct schema {
    const char *slices;
    int n_slices, attribute[MOST_SLICES][N_ATTRIBUTES + 1]; /* -1 behind the last */
};

static const char *const names[N_ATTRIBUTES] = {"a", "b", "c", "s"};
static const struct schema schemas[] = {
    {"[['a', 'b', 's'], ['c', 's']]", 2, {{0, 1, 3, -1}, {2, 3, -1}}},
    {"[['a', 's'], ['b', 's'], ['c', 's']]", 3, {{0, 3, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b', 's'], ['b', 'c', 's']]", 2, {{0, 1, 3, -1}, {1, 2, 3, -1}}},
    {"[['a', 'b'], ['b', 's'], ['c', 's']]", 3, {{0, 1, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['c'], ['a', 's'], ['b', 's']]", 3, {{2, -1}, {0, 3, -1}, {1, 3, -1}}},
    {"[['a', 'b', 'c', 's'], ['s']]", 2, {{0, 1, 2, 3, -1}, {3, -1}}},
    {"[['a', 'c'], ['b', 's'], ['b', 'c', 's']]", 3, {{0, 2, -1}, {1, 3, -1}, {1, 2, 3, -1}}},
};

struct world {
    const struct schema *schema;
    int n_buckets, n_rows[MOST_BUCKETS], value[MOST_BUCKETS][MOST_ROWS][N_ATTRIBUTES];
};

/* --- all tables --- */

struct seeking {
    const struct world *w;
    int bucket, row[MOST_ROWS][N_ATTRIBUTES];
    bool has[N_ATTRIBUTES];
    int64_t n, count[N_QUASI][N_VALUES]; /* tables; their rows with a signature and a value */
};

static void put_slice(struct seeking *k, int slice);

static void put_piece(struct seeking *k, int slice, int i, unsigned used)
{
    const int n = k->w->n_rows[k->bucket], *attribute = k->w->schema->attribute[slice];

    if (i == n || i == MOST_ROWS) {
        bool had[N_ATTRIBUTES];

        memcpy(had, k->has, sizeof had);
        for (const int *a = attribute; *a >= 0; a++)
            k->has[*a] = true;
        put_slice(k, slice + 1);
        memcpy(k->has, had, sizeof had);
        return;
    }
    for (int piece = 0; piece < n; piece++) {
        bool fits = !(used >> piece & 1);
        int kept[N_ATTRIBUTES];

        for (const int *a = attribute; *a >= 0 && fits; a++)
            fits = !k->has[*a] || k->row[i][*a] == k->w->value[k->bucket][piece][*a];
        if (!fits)
            continue;
        memcpy(kept, k->row[i], sizeof kept);
        for (const int *a = attribute; *a >= 0; a++)
            k->row[i][*a] = k->w->value[k->bucket][piece][*a];
        put_piece(k, slice, i + 1, used | 1u << piece);
        memcpy(k->row[i], kept, sizeof kept);
    }
}

static void put_slice(struct seeking *k, int slice)
{
    if (slice < k->w->schema->n_slices) {
        put_piece(k, slice, 0, 0);
        return;
    }
    k->n++;
    for (int i = 0; i < k->w->n_rows[k->bucket]; i++)
        k->count[k->row[i][0] + 2 * k->row[i][1] + 4 * k->row[i][2]][k->row[i][SENSITIVE]]++;
}

/* Does every value follow with num / den at most?  Exactly: counts of all pairs of tables.  *made_up: in one bucket
 * some value does not. */
static bool holds_in_all_tables(const struct world *w, int64_t num, int64_t den, bool *made_up)
{
    static const struct seeking none;
    struct seeking k[MOST_BUCKETS] = {none, none};
    bool holds = true;

    *made_up = false;
    k[1].n = 1;
    for (int b = 0; b < w->n_buckets; b++) {
        k[b].n = 0;
        k[b].w = w;
        k[b].bucket = b;
        put_slice(&k[b], 0);
    }
    for (int q = 0; q < N_QUASI; q++) {
        int64_t all = 0, of_value[N_VALUES];

        for (int s = 0; s < N_VALUES; s++)
            all += of_value[s] = k[0].count[q][s] * k[1].n + k[1].count[q][s] * k[0].n;
        for (int s = 0; s < N_VALUES; s++) {
            holds = holds && of_value[s] * den <= all * num;
            for (int b = 0; b < w->n_buckets; b++)
                *made_up |= k[b].count[q][s] * den > (k[b].count[q][0] + k[b].count[q][1] + k[b].count[q][2]) * num;
        }
    }
    *made_up = *made_up && holds;
    return holds;
}

/* --- the release --- */

static void write_world(release_folder *r, const struct world *w, const char *l)
{
    char manifest[4096];
    int n_rows = 0;

    release_begin(r);
    for (int b = 0; b < w->n_buckets; b++)
        n_rows += w->n_rows[b];
    for (int s = 0; s < w->schema->n_slices; s++) {
        char text[4096], name[40];
        size_t n = (size_t)snprintf(text, sizeof text, "bucket");

        for (const int *a = w->schema->attribute[s]; *a >= 0; a++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%s", names[*a]);
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        for (int b = 0; b < w->n_buckets; b++)
            for (int i = 0; i < w->n_rows[b]; i++) {
                const int row = (i + s) % w->n_rows[b]; /* another order in each */

                n += (size_t)snprintf(text + n, sizeof text - n, "%d", b + 1);
                for (const int *a = w->schema->attribute[s]; *a >= 0; a++)
                    n += (size_t)snprintf(text + n, sizeof text - n, ",%s%d", names[*a], w->value[b][row][*a]);
                n += (size_t)snprintf(text + n, sizeof text - n, "\n");
            }
        snprintf(name, sizeof name, "column-%d.csv", s + 1);
        release_put(r, name, text);
    }
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced', 'method': "
             "{'name': 'slicing', 'parameters': {}},"
             " 'rows': %d, 'published_rows': %d, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': %d, 'missing': "
             "[''], 'slices': %s,"
             " 'promises': [{'model': 'sliced-l-diversity', 'attribute': 's', 'parameters': {'l': '%s'}, 'threshold': "
             "'%s', 'achieved': '%s', 'achieved_value': 2,"
             "               'holds': true}],"
             " 'columns': [{'name': 'a', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': "
             "'1/3', 'has_missing': false},"
             "  {'name': 'b', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/3', "
             "'has_missing': false},"
             "  {'name': 'c', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/3', "
             "'has_missing': false},"
             "  {'name': 's', 'role': 'sensitive', 'type': 'text', 'publish': 'value', 'has_missing': false}], "
             "'objective': null,"
             " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 1.0, 'largest_risk': "
             "null, 'mean_risk': null}}",
             n_rows, n_rows, w->n_buckets, w->schema->slices, l, l, l);
    release_state(r, manifest);
    release_write(r);
}

/* Few values, and each round other ones are frequent, so that all verdicts occur. */
static void make_world(struct world *w, const struct schema *schema, uint64_t *seed)
{
    const uint32_t spread = 4 + 16 * maker_below(seed, 3), n_values = 2 + maker_below(seed, 2);

    *w = (struct world){.schema = schema, .n_buckets = 1 + (int)maker_below(seed, 2)};
    for (int b = 0; b < w->n_buckets; b++) {
        w->n_rows[b] = 2 + (int)maker_below(seed, schema->n_slices == 3 ? 3 : 4);
        for (int i = 0; i < w->n_rows[b]; i++) {
            for (int a = 0; a < SENSITIVE; a++)
                w->value[b][i][a] = maker_below(seed, spread) == 0;
            w->value[b][i][SENSITIVE] = (int)(((uint32_t)i + maker_below(seed, 3) / 2) % n_values);
        }
    }
}

static void verdicts_are_those_of_all_tables(void **state)
{
    static const struct {
        const char *text;
        int64_t num, den;
    } ls[] = {{"1", 1, 1}, {"8/7", 8, 7}, {"5/4", 5, 4}, {"3/2", 3, 2}, {"2", 2, 1}, {"3", 3, 1}};
    unsigned n_holding = 0, n_broken = 0, n_made_up = 0;
    uint64_t seed = test_seed(17);

    (void)state;
    for (int round = 0; round < ROUNDS * 7; round++) {
        const size_t which = maker_below(&seed, 6);
        struct world w;
        covey_verdict *verdict;
        release_folder r;
        bool holds, made_up;

        make_world(&w, &schemas[round % 7], &seed);
        holds = holds_in_all_tables(&w, ls[which].den, ls[which].num, &made_up);
        write_world(&r, &w, ls[which].text);
        verdict = release_verify(&r, false);
        assert_int_equal(verdict->n_promises, 1);
        if (verdict->promise[0].holds != holds)
            fail_msg("round %d, %s, l = %s: %s", round, w.schema->slices, ls[which].text,
                     holds ? "holds" : "is broken");
        n_holding += holds && which > 0;
        n_broken += !holds;
        n_made_up += made_up;
        covey_verdict_free(verdict);
        release_end(&r);
    }
    if (!test_is_enough(n_holding >= 60 && n_broken >= 60 && n_made_up >= 3))
        fail_msg("%u hold, %u are broken, %u hold by other buckets", n_holding, n_broken, n_made_up);
}

/* A copy that was changed lets the pieces stand for no table at all: that is a problem, whatever the promise. */
static void copies_must_agree(void **state)
{
    struct world w = {&schemas[0], 1, {2}, {{{0, 0, 0, 0}, {0, 0, 0, 1}}}};
    release_folder r;

    (void)state;
    write_world(&r, &w, "2");
    release_replace(&r, "column-1.csv", "s1", "s2");
    release_write(&r);
    release_assert_refused(
        &r, false, "column-1.csv and column-2.csv share attributes, but not with the same values in every bucket");
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_tables),
        cmocka_unit_test(copies_must_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
