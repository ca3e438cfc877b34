/* Verdicts on sliced releases with two sensitive attributes, beside a count of every table that a bucket may stand for:
 * what is said to hold follows with 1/l at most from any quasi-identifiers; and what is said to be broken has a bucket
 * from which more follows, taken alone. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "support/release/release_folder.h"

enum { ROUNDS = 320, MOST_BUCKETS = 2, MOST_ROWS = 4, A = 0, B = 1, S = 2, T = 3, N_ATTRIBUTES = 4, N_VALUES = 3 };

static const char names[] = "abst";

static const struct schema {
    const char *slices, *columns[3]; /* as in the manifest; the names in each */
} schemas[] = {
    {"[['a','s'],['b','t']]", {"as", "bt"}},
    {"[['a','b'],['s'],['t']]", {"ab", "s", "t"}},
    {"[['a','b'],['s','t']]", {"ab", "st"}},
    {"[['b'],['a','t','s']]", {"b", "ats"}},
};
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

struct world {
    const struct schema *schema;
    int n_buckets, n_rows[MOST_BUCKETS], value[MOST_BUCKETS][MOST_ROWS][N_ATTRIBUTES];
};

/* --- every table --- */

/* All ways to put a bucket's pieces together, row by row: permutations of every column but the first. */
struct counting {
    const struct world *w;
    int bucket, sensitive;
    int row_of[3][MOST_ROWS];                       /* [column][place] whose piece stands there */
    int64_t count[N_VALUES][N_VALUES][N_VALUES], n; /* [a][b][sensitive value] rows of all tables; tables */
};

static void count_table(struct counting *c)
{
    c->n++;
    for (int i = 0; i < c->w->n_rows[c->bucket]; i++) {
        int value[N_ATTRIBUTES] = {0};

        for (int s = 0; s < 3 && c->w->schema->columns[s]; s++)
            for (const char *name = c->w->schema->columns[s]; *name; name++) {
                const int a = (int)(strchr(names, *name) - names);

                value[a] = c->w->value[c->bucket][c->row_of[s][i]][a];
            }
        c->count[value[A]][value[B]][value[c->sensitive]]++;
    }
}

static void permute(struct counting *c, int s, int i)
{
    const int n = c->w->n_rows[c->bucket];

    if (s == 3 || !c->w->schema->columns[s]) {
        count_table(c);
        return;
    }
    if (i == n || s == 0) {
        for (int k = 0; k < n && s == 0; k++)
            c->row_of[0][k] = k;
        permute(c, s + 1, 0);
        return;
    }
    for (int row = 0; row < n; row++) {
        bool taken = false;

        for (int k = 0; k < i; k++)
            taken |= c->row_of[s][k] == row;
        c->row_of[s][i] = row;
        if (!taken)
            permute(c, s, i + 1);
    }
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
static bool is_broken(bool *alone, const struct world *w, int sensitive, int64_t num, int64_t den)
{
    static const struct counting none;
    struct counting c[MOST_BUCKETS] = {none, none};
    bool broken = false;

    *alone = false;
    c[1].n = 1;
    for (int b = 0; b < w->n_buckets; b++) {
        c[b] = (struct counting){.w = w, .bucket = b, .sensitive = sensitive};
        permute(&c[b], 0, 0);
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

static void write_column(release_folder *r, const struct world *w, int s)
{
    char text[2048], file[40];
    size_t n = (size_t)snprintf(text, sizeof text, "bucket");

    for (const char *name = w->schema->columns[s]; *name; name++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",%c", *name);
    n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    for (int b = 0; b < w->n_buckets; b++)
        for (int piece = 0; piece < 27; piece++) /* sorted, as releases are */
            for (int row = 0; row < w->n_rows[b]; row++) {
                char cells[64] = "";
                size_t used = 0;
                int own = 0;

                for (const char *name = w->schema->columns[s]; *name; name++) {
                    const int value = w->value[b][row][strchr(names, *name) - names];

                    own = own * N_VALUES + value;
                    used += (size_t)snprintf(cells + used, sizeof cells - used, ",%c%d", *name, value);
                }
                if (own == piece)
                    n += (size_t)snprintf(text + n, sizeof text - n, "%d%s\n", b + 1, cells);
            }
    snprintf(file, sizeof file, "column-%d.csv", s + 1);
    release_put(r, file, text);
}

#define COLUMN(name, role, weight)                                                                                     \
    "{'name': '" name "', 'role': '" role "', 'type': 'text', 'publish': 'value', " weight "'has_missing': false}"

static void write_world(release_folder *r, const struct world *w, const char *const *l)
{
    char manifest[4096], promises[2][512];
    int n_rows = 0;

    release_begin(r);
    for (int b = 0; b < w->n_buckets; b++)
        n_rows += w->n_rows[b];
    for (int s = 0; s < 3 && w->schema->columns[s]; s++)
        write_column(r, w, s);
    for (int p = 0; p < 2; p++)
        snprintf(promises[p], sizeof promises[p],
                 "{'model': 'sliced-l-diversity', 'attribute': '%c', 'parameters': {'l': '%s'}, 'threshold': '%s', "
                 "'achieved': '%s', 'achieved_value': 2, 'holds': true}",
                 names[S + p], l[p], l[p], l[p]);
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced', 'method': "
             "{'name': 'slicing', 'parameters': {}}, 'rows': %d, 'published_rows': %d, 'suppressed_rows': 0, "
             "'dropped_rows': 0, 'classes': %d, 'missing': [''], 'slices': %s, 'promises': [%s, %s], 'columns': "
             "[" COLUMN("a", "quasi-identifier", "'weight': '1/2', ") ", " COLUMN(
                 "b", "quasi-identifier",
                 "'weight': '1/2', ") ", " COLUMN("s", "sensitive",
                                                  "") ", " COLUMN("t", "sensitive",
                                                                  "") "], 'objective': null, 'utility': {'ail': 0, "
                                                                      "'ncp': 0, 'discernibility': null, "
                                                                      "'average_class_size': 1.0, 'largest_risk': "
                                                                      "null, 'mean_risk': null}}",
             n_rows, n_rows, w->n_buckets, w->schema->slices, promises[0], promises[1]);
    release_state(r, manifest);
    release_write(r);
}

static void make_world(struct world *w, const struct schema *schema, uint64_t *seed)
{
    *w = (struct world){.schema = schema, .n_buckets = 1 + (int)maker_below(seed, 2)};
    for (int b = 0; b < w->n_buckets; b++) {
        w->n_rows[b] = 1 + (int)maker_below(seed, MOST_ROWS);
        for (int i = 0; i < w->n_rows[b]; i++) {
            for (int a = 0; a < S; a++)
                w->value[b][i][a] = maker_below(seed, 6) == 0;
            for (int a = S; a < N_ATTRIBUTES; a++)
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
        struct world w;

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
    struct world w = {&schemas[0], 1, {2}, {{{0, 0, 0, 0}, {0, 0, 1, 1}}}};
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
