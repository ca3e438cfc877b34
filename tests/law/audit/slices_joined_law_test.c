/* Verdicts on sliced releases whose sensitive attribute stands in several columns, by trying every table that the
 * release may stand for: every way to put the pieces of a bucket together that lets copies agree is as likely as any
 * other.  Whoever made the release does not matter. */
#include "test.h"

#include "support/problem/problem_maker.h"
#include "support/release/sliced_world.h"

enum { SENSITIVE = 3, N_QUASI = 8, N_VALUES = 3, ROUNDS = 40 };

static const sliced_schema schemas[] = {
    {"[['a', 'b', 's'], ['c', 's']]", 2, {{0, 1, 3, -1}, {2, 3, -1}}},
    {"[['a', 's'], ['b', 's'], ['c', 's']]", 3, {{0, 3, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['a', 'b', 's'], ['b', 'c', 's']]", 2, {{0, 1, 3, -1}, {1, 2, 3, -1}}},
    {"[['a', 'b'], ['b', 's'], ['c', 's']]", 3, {{0, 1, -1}, {1, 3, -1}, {2, 3, -1}}},
    {"[['c'], ['a', 's'], ['b', 's']]", 3, {{2, -1}, {0, 3, -1}, {1, 3, -1}}},
    {"[['a', 'b', 'c', 's'], ['s']]", 2, {{0, 1, 2, 3, -1}, {3, -1}}},
    {"[['a', 'c'], ['b', 's'], ['b', 'c', 's']]", 3, {{0, 2, -1}, {1, 3, -1}, {1, 2, 3, -1}}},
};

/* --- all tables --- */

struct counts {
    int64_t n, count[N_QUASI][N_VALUES]; /* tables; their rows with a signature and a value */
};

static void count_table(void *context, const int (*row)[SLICED_ATTRIBUTES], int n)
{
    struct counts *k = context;

    k->n++;
    for (int i = 0; i < n; i++)
        k->count[row[i][0] + 2 * row[i][1] + 4 * row[i][2]][row[i][SENSITIVE]]++;
}

/* Does every value follow with num / den at most?  Exactly: counts of all pairs of tables.  *made_up: in one bucket
 * some value does not. */
static bool holds_in_all_tables(const sliced_world *w, int64_t num, int64_t den, bool *made_up)
{
    struct counts k[SLICED_MOST_BUCKETS] = {{0}};
    bool holds = true;

    *made_up = false;
    k[1].n = 1;
    for (int b = 0; b < w->n_buckets; b++) {
        k[b].n = 0;
        sliced_tables(w, b, count_table, &k[b]);
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

static void write_world(release_folder *r, const sliced_world *w, const char *l)
{
    char promise[400];
    const sliced_text text = {.names = {"a", "b", "c", "s"},
                              .columns = SLICED_QUASI("a", "1/3") "," SLICED_QUASI("b", "1/3") "," SLICED_QUASI(
                                  "c", "1/3") "," SLICED_SENSITIVE("s"),
                              .promises = promise};

    snprintf(promise, sizeof promise,
             "{'model': 'sliced-l-diversity', 'attribute': 's', 'parameters': {'l': '%s'}, 'threshold': '%s', "
             "'achieved': '%s', 'achieved_value': 2, 'holds': true}",
             l, l, l);
    sliced_write(r, w, &text);
}

/* Few values, and each round other ones are frequent, so that all verdicts occur. */
static void make_world(sliced_world *w, const sliced_schema *schema, uint64_t *seed)
{
    const uint32_t spread = 4 + 16 * maker_below(seed, 3), n_values = 2 + maker_below(seed, 2);

    *w = (sliced_world){.schema = schema, .n_buckets = 1 + (int)maker_below(seed, 2)};
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
        sliced_world w;
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
    sliced_world w = {.schema = &schemas[0], .n_buckets = 1, .n_rows = {2}, .value = {{{0, 0, 0, 0}, {0, 0, 0, 1}}}};
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
