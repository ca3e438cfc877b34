/* Candidates of sliced releases and the buckets that they match, found by trying every tuple there could be. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/problem_maker.h"
#include "support/release/release_folder.h"
#include "attack/attack_impl.h"
#include "query/sliced/membership.h"

enum {
    N_ATTRIBUTES = 4,
    MOST_ROWS = 10,
    MOST_SLICES = 4,
    MOST_BUCKETS = 3,
    MOST_VALUES = 3,
    N_TUPLES = 81,
    ROUNDS = 120
};

struct schema {
    const char *slices;
    int n_slices, attribute[MOST_SLICES][N_ATTRIBUTES + 1]; /* -1 behind the last */
};

static const char *const names[N_ATTRIBUTES] = {"a", "b", "c", "s"};
static const struct schema schemas[] = {
    {"[['a', 'b'], ['c', 's']]", 2, {{0, 1, -1}, {2, 3, -1}}},
    {"[['a'], ['b'], ['c'], ['s']]", 4, {{0, -1}, {1, -1}, {2, -1}, {3, -1}}},
    {"[['a', 'b', 'c'], ['c', 's']]", 2, {{0, 1, 2, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 'c'], ['c', 's']]", 3, {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 'c'], ['b', 's']]", 3, {{0, 1, -1}, {1, 2, -1}, {1, 3, -1}}},
    {"[['a', 'b', 's'], ['c', 's']]", 2, {{0, 1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 's'], ['c', 's']]", 3, {{0, 1, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b', 'c', 's']]", 1, {{0, 1, 2, 3, -1}}},
};

struct table {
    int n_rows, n_buckets, value[MOST_ROWS][N_ATTRIBUTES], bucket[MOST_ROWS]; /* in the order of buckets */
};

static void write_release(release_folder *r, const struct table *t, const struct schema *schema)
{
    char text[4096], manifest[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "a,b,c,s\n");

    release_begin(r);
    for (int i = 0; i < t->n_rows; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "a%d,b%d,c%d,s%d\n", t->value[i][0], t->value[i][1],
                              t->value[i][2], t->value[i][3]);
    release_original(r, text);
    for (int s = 0; s < schema->n_slices; s++) {
        char name[40];

        n = (size_t)snprintf(text, sizeof text, "bucket");
        for (const int *a = schema->attribute[s]; *a >= 0; a++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%s", names[*a]);
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        for (int i = 0; i < t->n_rows; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%d", t->bucket[i] + 1);
            for (const int *a = schema->attribute[s]; *a >= 0; a++)
                n += (size_t)snprintf(text + n, sizeof text - n, ",%s%d", names[*a], t->value[i][*a]);
            n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        }
        snprintf(name, sizeof name, "column-%d.csv", s + 1);
        release_put(r, name, text);
    }
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced', 'method': "
             "{'name': 'slicing', 'parameters': {}},"
             " 'rows': %d, 'published_rows': %d, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': %d, 'missing': "
             "[''], 'promises': [], 'slices': %s,"
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
             t->n_rows, t->n_rows, t->n_buckets, schema->slices);
    release_state(r, manifest);
    release_write(r);
}

static bool agrees(const struct table *t, int row, const int *tuple, const int *attribute)
{
    for (; *attribute >= 0; attribute++)
        if (t->value[row][*attribute] != tuple[*attribute])
            return false;
    return true;
}

/* Buckets that have a piece of the tuple in every column; *is_row: somebody has these values. */
static int count_buckets(bool *is_row, const struct table *t, const struct schema *schema, const int *tuple)
{
    static const int all[] = {0, 1, 2, 3, -1};
    int n = 0;

    *is_row = false;
    for (int i = 0; i < t->n_rows; i++)
        *is_row |= agrees(t, i, tuple, all);
    for (int b = 0; b < t->n_buckets; b++) {
        bool matches = true;

        for (int s = 0; s < schema->n_slices; s++) {
            bool has = false;

            for (int i = 0; i < t->n_rows; i++)
                has |= t->bucket[i] == b && agrees(t, i, tuple, schema->attribute[s]);
            matches &= has;
        }
        n += matches;
    }
    return n;
}

static void check(const covey_attacked *r, const struct table *t, const struct schema *schema)
{
    static const covey_slice_effort all = {1e6, 1}, some = {0, 20000};
    const covey_run seeded = {.has_seed = true, .seed = 3};
    double fake[MOST_BUCKETS + 1] = {0}, n_fakes = 0, n_candidates = 0;
    int64_t original[MOST_BUCKETS + 1] = {0};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_slice_membership m;
    covey_query_slices slices;
    covey_error err;

    for (int k = 0; k < N_TUPLES; k++) {
        const int tuple[N_ATTRIBUTES] = {k % 3, k / 3 % 3, k / 9 % 3, k / 27};
        bool is_row;
        const int n = count_buckets(&is_row, t, schema, tuple);

        n_candidates += n > 0;
        n_fakes += n > 0 && !is_row;
        fake[n] += n > 0 && !is_row;
        for (int i = 0; i < t->n_rows; i++)
            original[n] += memcmp(t->value[i], tuple, sizeof tuple) == 0;
    }
    assert_int_equal(covey_i_slices_tree(&slices, r->opened, &arena, &err), COVEY_OK);
    assert_int_equal(covey_i_slice_membership(&m, &slices, r->original, &all, &arena, &seeded, &err), COVEY_OK);
    assert_true(m.is_exact && m.n_candidates == n_candidates && m.n_fakes == n_fakes && m.n_originals == t->n_rows);
    for (int n = 0; n <= t->n_buckets; n++)
        assert_true(m.original[n] == original[n] && m.fake[n] == fake[n]);
    assert_int_equal(covey_i_slice_membership(&m, &slices, r->original, &some, &arena, &seeded, &err), COVEY_OK);
    assert_true(!m.is_exact && fabs(m.n_fakes - n_fakes) <= 5 * m.standard_error + 1e-9);
    covey_arena_free(&arena);
}

static void figures_are_those_of_all_tuples(void **state)
{
    uint64_t seed = test_seed(5);

    for (int round = 0; round < ROUNDS; round++) {
        const struct schema *schema = &schemas[(size_t)round % (sizeof schemas / sizeof *schemas)];
        struct table t = {.n_buckets = 1 + (int)maker_below(&seed, MOST_BUCKETS)};
        covey_attack_options options = {0};
        covey_attacked *attacked = NULL;
        release_folder r;
        covey_error err;

        t.n_rows = t.n_buckets + (int)maker_below(&seed, (uint32_t)(MOST_ROWS - t.n_buckets + 1));
        for (int i = 0; i < t.n_rows; i++) {
            t.bucket[i] = i * t.n_buckets / t.n_rows;
            for (int a = 0; a < N_ATTRIBUTES; a++)
                t.value[i][a] = (int)maker_below(&seed, MOST_VALUES);
        }
        write_release(&r, &t, schema);
        options.original = r.original;
        if (covey_i_attacked_open(&attacked, r.path, &options, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        check(attacked, &t, schema);
        covey_i_attacked_close(attacked);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_those_of_all_tuples)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
