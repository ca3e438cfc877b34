/* Verdicts on sliced releases with two sensitive attributes, beside a count of every table that a bucket may stand for:
 * what is said to hold follows with 1/l at most from any quasi-identifiers; and what is said to be broken has a bucket
 * from which more follows, taken alone. */
#include "test.h"

#include "support/problem/problem_maker.h"
#include "support/release/sliced_world.h"

enum { ROUNDS = 320, MOST_ROWS = 4, A = 0, B = 1, S = 2, T = 3, N_VALUES = 3 };

static const char names[] = "abst";

static const sliced_schema schemas[] = {
    {"[['a','s'],['b','t']]", 2, {{A, S, -1}, {B, T, -1}}},
    {"[['a','b'],['s'],['t']]", 3, {{A, B, -1}, {S, -1}, {T, -1}}},
    {"[['a','b'],['s','t']]", 2, {{A, B, -1}, {S, T, -1}}},
    {"[['b'],['a','t','s']]", 2, {{B, -1}, {A, T, S, -1}}},
};
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

/* --- every table --- */

struct counting {
    int sensitive;
    int64_t count[N_VALUES][N_VALUES][N_VALUES], n; /* [a][b][sensitive value] rows of all tables; tables */
};

static void count_table(void *context, const int (*row)[SLICED_ATTRIBUTES], int n)
{
    struct counting *c = context;

    c->n++;
    for (int i = 0; i < n; i++)
        c->count[row[i][A]][row[i][B]][row[i][c->sensitive]]++;
}

static bool exceeds(const int64_t *of_value, int64_t num, int64_t den)
{
    int64_t all = 0, most = 0;

    for (int v = 0; v < N_VALUES; v++) {
        all += of_value[v];
        most = of_value[v] > most ? of_value[v] : most;
    }
    return most * num > all * den;
}

/* Does a value of the attribute follow with more than den / num?  *alone: from one bucket, taken alone. */
static bool is_broken(bool *alone, const sliced_world *w, int sensitive, int64_t num, int64_t den)
{
    struct counting c[SLICED_MOST_BUCKETS] = {{0}};
    bool broken = false;

    *alone = false;
    c[1].n = 1;
    for (int b = 0; b < w->n_buckets; b++) {
        c[b] = (struct counting){.sensitive = sensitive};
        sliced_tables(w, b, count_table, &c[b]);
    }
    for (int q = 0; q < N_VALUES * N_VALUES; q++) {
        int64_t both[N_VALUES];

        for (int v = 0; v < N_VALUES; v++)
            both[v] =
                c[0].count[q % N_VALUES][q / N_VALUES][v] * c[1].n + c[1].count[q % N_VALUES][q / N_VALUES][v] * c[0].n;
        broken |= exceeds(both, num, den);
        for (int b = 0; b < w->n_buckets; b++)
            *alone |= exceeds(c[b].count[q % N_VALUES][q / N_VALUES], num, den);
    }
    return broken;
}

/* --- the release --- */

static void write_world(release_folder *r, const sliced_world *w, const char *const *l)
{
    char promises[1024];
    size_t n = 0;
    const sliced_text text = {.names = {"a", "b", "s", "t"},
                              .columns = SLICED_QUASI("a", "1/2") "," SLICED_QUASI("b", "1/2") "," SLICED_SENSITIVE(
                                  "s") "," SLICED_SENSITIVE("t"),
                              .promises = promises};

    for (int p = 0; p < 2; p++)
        n += (size_t)snprintf(promises + n, sizeof promises - n,
                              "%s{'model': 'sliced-l-diversity', 'attribute': '%c', 'parameters': {'l': '%s'}, "
                              "'threshold': '%s', 'achieved': '%s', 'achieved_value': 2, 'holds': true}",
                              p ? "," : "", names[S + p], l[p], l[p], l[p]);
    sliced_write(r, w, &text);
}

static void make_world(sliced_world *w, const sliced_schema *schema, uint64_t *seed)
{
    *w = (sliced_world){.schema = schema, .n_buckets = 1 + (int)maker_below(seed, 2)};
    for (int b = 0; b < w->n_buckets; b++) {
        w->n_rows[b] = 1 + (int)maker_below(seed, MOST_ROWS);
        for (int i = 0; i < w->n_rows[b]; i++) {
            for (int a = 0; a < S; a++)
                w->value[b][i][a] = maker_below(seed, 6) == 0;
            for (int a = S; a < SLICED_ATTRIBUTES; a++)
                w->value[b][i][a] = (int)((i + maker_below(seed, 4) / 3) % N_VALUES);
        }
    }
}

static void verdicts_are_sound_and_complete_bucket_by_bucket(void **state)
{
    static const struct {
        const char *text;
        int64_t num, den;
    } ls[] = {{"1", 1, 1}, {"5/4", 5, 4}, {"3/2", 3, 2}, {"2", 2, 1}, {"3", 3, 1}};
    unsigned n_holding = 0, n_broken = 0, n_mixed = 0;
    uint64_t seed = test_seed(19);

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t which[] = {maker_below(&seed, 5), maker_below(&seed, 5)};
        const char *const l[] = {ls[which[0]].text, ls[which[1]].text};
        covey_verdict *verdict;
        release_folder r;
        sliced_world w;

        make_world(&w, &schemas[round % N_SCHEMAS], &seed);
        write_world(&r, &w, l);
        verdict = release_verify(&r, false);
        assert_int_equal(verdict->n_promises, 2);
        for (int p = 0; p < 2; p++) {
            bool alone;
            const bool broken = is_broken(&alone, &w, S + p, ls[which[p]].num, ls[which[p]].den);

            if (verdict->promise[p].holds ? broken : !alone)
                fail_msg("round %d, %s, l = %s of %c: said to %s", round, w.schema->slices, l[p], names[S + p],
                         verdict->promise[p].holds ? "hold" : "be broken");
            n_holding += verdict->promise[p].holds && which[p] > 0;
            n_broken += !verdict->promise[p].holds;
        }
        n_mixed += verdict->promise[0].holds != verdict->promise[1].holds;
        covey_verdict_free(verdict);
        release_end(&r);
    }
    if (!test_is_enough(n_holding >= 60 && n_broken >= 60 && n_mixed >= 30))
        fail_msg("%u hold, %u are broken, %u hold for one only", n_holding, n_broken, n_mixed);
}

/* Promises and columns that are for one sensitive attribute only prove nothing of several. */
static void what_cannot_be_judged_is_a_problem(void **state)
{
    static const char *const l[] = {"1", "1"};
    sliced_world w = {.schema = &schemas[0], .n_buckets = 1, .n_rows = {2}, .value = {{{0, 0, 0, 0}, {0, 0, 1, 1}}}};
    release_folder r;

    (void)state;
    write_world(&r, &w, l);
    release_set(&r, "promises.1.attribute", NULL);
    release_set(&r, "promises.1.joint", "true");
    release_write(&r);
    release_assert_refused(&r, false, "it is about all sensitive attributes together");
    release_end(&r);

    write_world(&r, &w, l);
    release_set(&r, "slices", "[['a','s'],['b','s','t']]");
    release_write(&r);
    release_assert_refused(&r, false, "of several each once");
    release_end(&r);

    write_world(&r, &w, l);
    release_set(&r, "slices", "[['s','a'],['b','t']]");
    release_write(&r);
    release_assert_refused(&r, false, "must name sensitive attributes behind all others");
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_sound_and_complete_bucket_by_bucket),
        cmocka_unit_test(what_cannot_be_judged_is_a_problem),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
