/* Candidates of sliced releases and the buckets that they match, found by trying every tuple there could be. */
#include "test.h"

#include <math.h>

#include "support/problem/problem_maker.h"
#include "support/release/sliced_world.h"
#include "attack/attack_impl.h"
#include "query/sliced/membership.h"

enum { MOST_VALUES = 3, N_TUPLES = 81, ROUNDS = 120 };

static const sliced_schema schemas[] = {
    {"[['a', 'b'], ['c', 's']]", 2, {{0, 1, -1}, {2, 3, -1}}},
    {"[['a'], ['b'], ['c'], ['s']]", 4, {{0, -1}, {1, -1}, {2, -1}, {3, -1}}},
    {"[['a', 'b', 'c'], ['c', 's']]", 2, {{0, 1, 2, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 'c'], ['c', 's']]", 3, {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 'c'], ['b', 's']]", 3, {{0, 1, -1}, {1, 2, -1}, {1, 3, -1}}},
    {"[['a', 'b', 's'], ['c', 's']]", 2, {{0, 1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b'], ['b', 's'], ['c', 's']]", 3, {{0, 1, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b', 'c', 's']]", 1, {{0, 1, 2, 3, -1}}},
};

static void write_release(release_folder *r, const sliced_world *w)
{
    const sliced_text text = {.names = {"a", "b", "c", "s"},
                              .columns = SLICED_QUASI("a", "1/3") "," SLICED_QUASI("b", "1/3") "," SLICED_QUASI(
                                  "c", "1/3") "," SLICED_SENSITIVE("s")};
    char original[1024];
    size_t n = (size_t)snprintf(original, sizeof original, "a,b,c,s\n");

    sliced_write(r, w, &text);
    for (int b = 0; b < w->n_buckets; b++)
        for (int i = 0; i < w->n_rows[b]; i++)
            n += (size_t)snprintf(original + n, sizeof original - n, "a%d,b%d,c%d,s%d\n", w->value[b][i][0],
                                  w->value[b][i][1], w->value[b][i][2], w->value[b][i][3]);
    release_original(r, original);
}

static bool agrees(const int *row, const int *tuple, const int *attribute)
{
    for (; *attribute >= 0; attribute++)
        if (row[*attribute] != tuple[*attribute])
            return false;
    return true;
}

/* Buckets that have a piece of the tuple in every column; *n_rows: who has these values. */
static int count_buckets(int *n_rows, const sliced_world *w, const int *tuple)
{
    static const int all[] = {0, 1, 2, 3, -1};
    int n = 0;

    *n_rows = 0;
    for (int b = 0; b < w->n_buckets; b++) {
        bool matches = true;

        for (int i = 0; i < w->n_rows[b]; i++)
            *n_rows += agrees(w->value[b][i], tuple, all);
        for (int s = 0; s < w->schema->n_slices; s++) {
            bool has = false;

            for (int i = 0; i < w->n_rows[b]; i++)
                has |= agrees(w->value[b][i], tuple, w->schema->attribute[s]);
            matches &= has;
        }
        n += matches;
    }
    return n;
}

static void check(const covey_attacked *r, const sliced_world *w)
{
    static const covey_slice_effort all = {1e6, 1}, some = {0, 20000};
    const covey_run seeded = {.has_seed = true, .seed = 3};
    double fake[SLICED_MOST_BUCKETS + 1] = {0}, n_fakes = 0, n_candidates = 0;
    int64_t original[SLICED_MOST_BUCKETS + 1] = {0}, n_originals = 0;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_slice_membership m;
    covey_query_slices slices;
    covey_error err;

    for (int k = 0; k < N_TUPLES; k++) {
        const int tuple[SLICED_ATTRIBUTES] = {k % 3, k / 3 % 3, k / 9 % 3, k / 27};
        int n_rows;
        const int n = count_buckets(&n_rows, w, tuple);

        n_candidates += n > 0;
        n_fakes += n > 0 && n_rows == 0;
        fake[n] += n > 0 && n_rows == 0;
        original[n] += n_rows;
        n_originals += n_rows;
    }
    assert_int_equal(covey_i_slices_tree(&slices, r->opened, &arena, &err), COVEY_OK);
    assert_int_equal(covey_i_slice_membership(&m, &slices, r->original, &all, &arena, &seeded, &err), COVEY_OK);
    assert_true(m.is_exact && m.n_candidates == n_candidates && m.n_fakes == n_fakes && m.n_originals == n_originals);
    for (int n = 0; n <= w->n_buckets; n++)
        assert_true(m.original[n] == original[n] && m.fake[n] == fake[n]);
    assert_int_equal(covey_i_slice_membership(&m, &slices, r->original, &some, &arena, &seeded, &err), COVEY_OK);
    assert_true(!m.is_exact && fabs(m.n_fakes - n_fakes) <= 5 * m.standard_error + 1e-9);
    covey_arena_free(&arena);
}

static void figures_are_those_of_all_tuples(void **state)
{
    uint64_t seed = test_seed(5);

    for (int round = 0; round < ROUNDS; round++) {
        sliced_world w = {.schema = &schemas[(size_t)round % (sizeof schemas / sizeof *schemas)],
                          .n_buckets = 1 + (int)maker_below(&seed, SLICED_MOST_BUCKETS)};
        covey_attack_options options = {0};
        covey_attacked *attacked = NULL;
        release_folder r;
        covey_error err;
        const int n_rows = w.n_buckets + (int)maker_below(&seed, (uint32_t)(SLICED_MOST_PIECES - w.n_buckets + 1));

        for (int i = 0; i < n_rows; i++) {
            const int b = i * w.n_buckets / n_rows;
            int *value = w.value[b][w.n_rows[b]++];

            for (int a = 0; a < SLICED_ATTRIBUTES; a++)
                value[a] = (int)maker_below(&seed, MOST_VALUES);
        }
        write_release(&r, &w);
        options.original = r.original;
        if (covey_i_attacked_open(&attacked, r.path, &options, NULL, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        check(attacked, &w);
        covey_i_attacked_close(attacked);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_those_of_all_tuples)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
