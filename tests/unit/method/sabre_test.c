/* SABRE's buckets, its exact bound and its class sizes, on the worked example of its specification and against plain
 * oracles. */
#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"
#include "support/problem/problem_maker.h"
#include "method/sabre/sabre.h"
#include "table/histogram.h"

enum { MOST = 10 };

/* A table with one attribute, the given rows of values 0 .. n-1, and one promise. */
static void make(problem_maker *m, const int64_t *count, uint32_t n, int arity, const char *tree, const char *promise)
{
    uint32_t codes[400], row = 0;
    int view;

    for (uint32_t v = 0; v < n; v++)
        for (int64_t i = 0; i < count[v]; i++)
            codes[row++] = v;
    maker_init(m, row);
    view = maker_add_sensitive(m, "s", codes, n);
    if (tree)
        maker_add_sensitive_tree_text(m, view, tree);
    else
        maker_add_sensitive_tree(m, view, arity);
    maker_promise(m, "t-closeness", promise, view);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

struct buckets {
    covey_sabre_ground ground;
    size_t n;
    uint32_t first[MOST + 1], node[MOST];
    covey_sabre_worst worst;
};

static void cut(struct buckets *b, problem_maker *m, covey_ratio slack, bool fewest)
{
    covey_closeness closeness;

    assert_true(covey_i_promise_closeness(&closeness, &m->problem.promises.promise[0]));
    assert_int_equal(covey_i_sabre_ground_new(&b->ground, &closeness, slack, &m->arena, NULL), COVEY_OK);
    if (closeness.ground == COVEY_GROUND_TREE)
        assert_int_equal(covey_i_sabre_trees(b->first, b->node, &b->n, &b->ground, fewest, &m->arena, NULL), COVEY_OK);
    else
        assert_int_equal(covey_i_sabre_runs(b->first, &b->n, &b->ground, fewest, &m->arena, NULL), COVEY_OK);
    assert_int_equal(covey_i_sabre_worst_new(&b->worst, &b->ground, b->first, b->node, b->n, &m->arena, NULL),
                     COVEY_OK);
}

static covey_i128 cost_of(const struct buckets *b)
{
    covey_i128 sum = 0;

    for (size_t j = 0; j < b->n; j++)
        sum += b->ground.closeness.ground == COVEY_GROUND_TREE
                   ? b->ground.node_cost[b->node[j]]
                   : covey_i_sabre_run_cost(&b->ground, b->first[j], b->first[j + 1] - 1);
    return sum;
}

/* "0 1 2|3|4 5": the values of each bucket. */
static const char *text_of(const struct buckets *b)
{
    static char text[128];
    size_t used = 0;

    for (size_t j = 0; j < b->n; j++)
        for (uint32_t i = b->first[j]; i < b->first[j + 1]; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u",
                                     i > b->first[j] ? " "
                                     : j             ? "|"
                                                     : "",
                                     b->ground.value[i]);
    return text;
}

static bool fits(void *context, const uint32_t *rows, int64_t size)
{
    struct buckets *b = context;
    const covey_ratio t = b->ground.closeness.t;

    return covey_i_fraction_compare(covey_i_sabre_worst_distance(&b->worst, rows, size),
                                    (covey_fraction){t.num, t.den}) <= 0;
}

static const char *classes_of(struct buckets *b)
{
    static char text[256];
    uint32_t size[MOST], leaf[64];
    covey_draw_tree tree;
    size_t used = 0;

    for (size_t j = 0; j < b->n; j++)
        size[j] = (uint32_t)(b->ground.below[b->first[j + 1]] - b->ground.below[b->first[j]]);
    assert_int_equal(covey_i_draw_tree_new(&tree, size, b->n, 1, fits, b, NULL), COVEY_OK);
    assert_true(tree.node[0].n_leaves <= 64);
    covey_i_draw_leaves(leaf, &tree);
    for (uint32_t c = 0; c < tree.node[0].n_leaves; c++)
        for (size_t j = 0; j < b->n; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u",
                                     j   ? ","
                                     : c ? " "
                                         : "",
                                     tree.node[leaf[c]].rows[j]);
    covey_i_draw_tree_clear(&tree);
    return text;
}

/* Diseases of [CaoKarras12]: three nervous ones, three of the circulation. */
static const int64_t diseases[] = {2, 3, 3, 3, 4, 4};
static const char disease_tree[] =
    "0;nervous;*\n1;nervous;*\n2;nervous;*\n3;circulatory;*\n4;circulatory;*\n5;circulatory;*\n";

static void the_worked_examples(void **state)
{
    static const struct {
        const char *promise, *buckets;
        int num, den;
        const char *classes;
    } example[] = {
        {"t=1/5,distance=ordered", "0 1 2|3|4 5", 13, 95, "4,1,4 2,1,2 2,1,2"},
        {"t=1/10,distance=ordered", "0|1 2|3|4 5", 7, 95, "1,3,1,4 1,3,2,4"},
        {"t=1/5,distance=hierarchical", "0 1 2|3|4|5", 3, 19, "4,1,2,2 2,1,1,1 2,1,1,1"},
        {"t=2/5,distance=hierarchical", "0 1 2|3 4 5", 7, 19, "4,5 2,3 2,3"},
        {"t=3/10,distance=equal", "0|1|2 3|4|5", 3, 19, "1,1,3,2,2 0,1,1,1,1 1,1,2,1,1"},
        {"t=1/10,distance=equal", "0|1|2|3|4|5", 0, 1, "1,1,1,1,2,2 1,2,2,2,2,2"},
    };

    for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
        problem_maker m;
        struct buckets b;

        make(&m, diseases, 6, 0, disease_tree, example[i].promise);
        cut(&b, &m, (covey_ratio){0, 1}, false);
        assert_string_equal(text_of(&b), example[i].buckets);
        assert_true(cost_of(&b) * example[i].den ==
                    (covey_i128)19 * (covey_i128)b.ground.closeness.den * example[i].num);
        assert_string_equal(classes_of(&b), example[i].classes);
        maker_clear(&m);
    }
}

static void slack_tightens_the_buckets_alone(void **state)
{
    problem_maker m;
    struct buckets b;

    make(&m, diseases, 6, 0, disease_tree, "t=1/5,distance=ordered");
    cut(&b, &m, (covey_ratio){1, 2}, false); /* as for t = 1/10 */
    assert_string_equal(text_of(&b), "0|1 2|3|4 5");
    maker_clear(&m);
    make(&m, diseases, 6, 0, disease_tree, "t=13/95,distance=ordered");
    cut(&b, &m, (covey_ratio){0, 1}, false); /* exactly at the bound */
    assert_int_equal(b.n, 3);
    cut(&b, &m, (covey_ratio){1, 1000000000}, false);
    assert_int_equal(b.n, 4);
    maker_clear(&m);
}

/* --- random tables against oracles --- */

static const char *const distances[] = {"equal", "ordered", "numeric", "hierarchical"};

static uint32_t random_counts(int64_t *count, uint64_t *random, bool with_gaps)
{
    const uint32_t n = 2 + maker_below(random, 5);

    for (uint32_t v = 0; v < n; v++)
        count[v] = with_gaps && maker_below(random, 4) == 0 ? 0 : 1 + maker_below(random, 9);
    count[n - 1] += count[n - 1] == 0;
    return n;
}

static void make_random(problem_maker *m, int64_t *count, uint32_t *n, uint64_t *random)
{
    char promise[64];
    const char *distance = distances[maker_below(random, 4)];

    *n = random_counts(count, random, true);
    snprintf(promise, sizeof promise, "t=%u/40,distance=%s", maker_below(random, 25), distance);
    make(m, count, *n, 2 + (int)maker_below(random, 3), NULL, promise);
}

/* The distance of a class with these rows of each point, by the model itself. */
static covey_fraction real_distance(problem_maker *m, const struct buckets *b, const uint32_t *rows_of_point)
{
    const covey_promise *promise = &m->problem.promises.promise[0];
    covey_histogram h;
    covey_figure figure;
    covey_group group = {.counts = &h};

    assert_int_equal(covey_i_histogram_new(&h, b->ground.closeness.prior->n_values, &m->arena, NULL), COVEY_OK);
    for (uint32_t i = 0; i < b->ground.n; i++)
        if (rows_of_point[i] > 0)
            covey_i_histogram_add(&h, b->ground.value[i], rows_of_point[i]);
    group.size = h.total;
    promise->model->figure(&figure, promise->state, &group);
    assert_false(figure.infinite);
    return figure.fraction;
}

/* Tries every choice of one value per bucket from bucket j on. */
static void try_all(covey_fraction *largest, problem_maker *m, const struct buckets *b, const uint32_t *rows, size_t j,
                    uint32_t *of_point)
{
    if (j == b->n) {
        const covey_fraction d = real_distance(m, b, of_point);

        if (covey_i_fraction_compare(d, *largest) > 0)
            *largest = d;
        return;
    }
    for (uint32_t i = b->first[j]; i < b->first[j + 1]; i++) {
        of_point[i] = rows[j];
        try_all(largest, m, b, rows, j + 1, of_point);
        of_point[i] = 0;
    }
}

static void the_worst_distance_is_exact(void **state)
{
    uint64_t random = 3;

    for (int round = 0; round < 600; round++) {
        problem_maker m;
        struct buckets b;
        int64_t count[MOST], size = 0;
        uint32_t n, rows[MOST], of_point[MOST] = {0};
        covey_fraction largest = {0, 1};

        make_random(&m, count, &n, &random);
        cut(&b, &m, (covey_ratio){0, 1}, maker_below(&random, 2));
        for (size_t j = 0; j < b.n; j++)
            size += rows[j] = maker_below(&random, 6);
        if (size > 0) {
            try_all(&largest, &m, &b, rows, 0, of_point);
            assert_int_equal(covey_i_fraction_compare(covey_i_sabre_worst_distance(&b.worst, rows, size), largest), 0);
            for (int fill = 0; fill < 5; fill++) { /* no other choice is worse */
                memset(of_point, 0, sizeof of_point);
                for (size_t j = 0; j < b.n; j++)
                    for (uint32_t r = 0; r < rows[j]; r++)
                        of_point[b.first[j] + maker_below(&random, b.first[j + 1] - b.first[j])]++;
                assert_true(covey_i_fraction_compare(real_distance(&m, &b, of_point), largest) <= 0);
            }
        }
        maker_clear(&m);
    }
}

/* With exactly its share of every bucket, a class's worst distance is what the buckets cost. */
static void buckets_cost_what_a_proportional_class_may_reach(void **state)
{
    uint64_t random = 5;

    for (int round = 0; round < 400; round++) {
        problem_maker m;
        struct buckets b;
        int64_t count[MOST], size = 0;
        uint32_t n, rows[MOST];

        make_random(&m, count, &n, &random);
        cut(&b, &m, (covey_ratio){0, 1}, maker_below(&random, 2));
        for (size_t j = 0; j < b.n; j++)
            size += rows[j] = (uint32_t)(b.ground.below[b.first[j + 1]] - b.ground.below[b.first[j]]);
        assert_int_equal(covey_i_fraction_compare(
                             covey_i_sabre_worst_distance(&b.worst, rows, size),
                             covey_i_fraction(cost_of(&b), (covey_i128)size * (covey_i128)b.ground.closeness.den)),
                         0);
        assert_true(fits(&b, rows, size)); /* and that is within t */
        maker_clear(&m);
    }
}

/* The fewest runs, or nodes, within the limit by trying all. */
static size_t fewest_runs(const covey_sabre_ground *g)
{
    size_t fewest = SIZE_MAX;

    for (unsigned ends = 0; ends < 1u << (g->n - 1); ends++) {
        covey_i128 cost = 0;
        size_t n_runs = 1;
        uint32_t low = 0;

        for (uint32_t i = 0; i < g->n; i++)
            if (i + 1 == g->n || ends >> i & 1) {
                cost += covey_i_sabre_run_cost(g, low, i);
                low = i + 1;
                n_runs += i + 1 < g->n;
            }
        if (cost <= g->limit && n_runs < fewest)
            fewest = n_runs;
    }
    return fewest;
}

/* Every set of nodes such that no node is below another and all leaves with rows are covered. */
static size_t fewest_nodes(const covey_sabre_ground *g)
{
    size_t fewest = SIZE_MAX;

    assert_true(g->n_nodes <= 16);
    for (unsigned set = 1; set < 1u << g->n_nodes; set++) {
        covey_i128 cost = 0;
        size_t n = 0;
        uint32_t covered = 0;

        for (uint32_t v = 0; v < g->n_nodes; v++)
            if (set >> v & 1) {
                covered += covey_i_sabre_end_point(g, v) - covey_i_sabre_first_point(g, v);
                cost += g->node_cost[v];
                n++;
                for (uint32_t a = v; a != 0;) {
                    a = g->node[a].parent;
                    if (set >> a & 1)
                        covered = UINT32_MAX / 2;
                }
            }
        if (covered == g->n && cost <= g->limit && n < fewest)
            fewest = n;
    }
    return fewest;
}

static void no_buckets_are_fewer_than_the_fewest(void **state)
{
    uint64_t random = 7;

    for (int round = 0; round < 500; round++) {
        problem_maker m;
        struct buckets fewest, greedy;
        int64_t count[MOST];
        uint32_t n;

        make_random(&m, count, &n, &random);
        cut(&fewest, &m, (covey_ratio){0, 1}, true);
        cut(&greedy, &m, (covey_ratio){0, 1}, false);
        assert_int_equal(fewest.n, fewest.ground.node ? fewest_nodes(&fewest.ground) : fewest_runs(&fewest.ground));
        assert_true(fewest.n <= greedy.n);
        assert_true(cost_of(&fewest) <= fewest.ground.limit && cost_of(&greedy) <= greedy.ground.limit);
        assert_int_equal(fewest.first[0], 0);
        assert_int_equal(fewest.first[fewest.n], fewest.ground.n);
        for (size_t j = 0; j < fewest.n; j++)
            assert_true(fewest.first[j] < fewest.first[j + 1]);
        maker_clear(&m);
    }
}

/* Greedy cuts by trying every single cut of every run, each time anew. */
static void greedy_cuts_are_the_best_at_each_step(void **state)
{
    uint64_t random = 9;

    for (int round = 0; round < 300; round++) {
        problem_maker m;
        struct buckets b;
        const covey_sabre_ground *g = &b.ground;
        int64_t count[MOST];
        uint32_t n, first[MOST + 1] = {0};
        size_t n_runs = 1;
        char promise[64];

        n = random_counts(count, &random, true);
        snprintf(promise, sizeof promise, "t=%u/40,distance=%s", maker_below(&random, 20),
                 distances[maker_below(&random, 3)]);
        make(&m, count, n, 2, NULL, promise);
        cut(&b, &m, (covey_ratio){0, 1}, false);
        first[1] = g->n;
        for (;;) {
            covey_i128 cost = 0, best = -1;
            uint32_t at = 0;

            for (size_t j = 0; j < n_runs; j++)
                cost += covey_i_sabre_run_cost(g, first[j], first[j + 1] - 1);
            if (cost <= g->limit)
                break;
            for (size_t j = 0; j < n_runs; j++)
                for (uint32_t c = first[j] + 1; c < first[j + 1]; c++) {
                    const covey_i128 drop = covey_i_sabre_run_cost(g, first[j], first[j + 1] - 1) -
                                            covey_i_sabre_run_cost(g, first[j], c - 1) -
                                            covey_i_sabre_run_cost(g, c, first[j + 1] - 1);

                    if (drop > best) {
                        best = drop;
                        at = c;
                    }
                }
            n_runs++;
            for (size_t j = n_runs; j > 0; j--) {
                first[j] = first[j - 1] > at ? first[j - 1] : at;
                if (first[j] == at)
                    break;
            }
        }
        assert_int_equal(b.n, n_runs);
        for (size_t j = 0; j <= n_runs; j++)
            assert_int_equal(b.first[j], first[j]);
        maker_clear(&m);
    }
}

/* The salaries of the census table: numbers of buckets of the specification. */
static void the_census_salaries(void **state)
{
    static const struct {
        const char *promise;
        size_t greedy, fewest;
    } expected[] = {
        {"t=0.05,distance=ordered", 9, 9}, {"t=0.1,distance=ordered", 6, 5},  {"t=0.2,distance=ordered", 3, 3},
        {"t=0.3,distance=ordered", 2, 2},  {"t=0.05,distance=equal", 38, 38}, {"t=0.1,distance=equal", 33, 33},
        {"t=0.2,distance=equal", 26, 26},
    };
    int64_t weight[50], sum = 0;
    uint32_t *codes = malloc(500000 * sizeof *codes), row = 0;

    for (int64_t k = 0; k < 50; k++)
        weight[k] = k <= 12 ? 6000 + 42402 * k / 12 : 2018 + 46384 * (49 - k) * (49 - k) / 1369;
    for (int k = 0; k < 50; k++)
        sum += k == 12 || k == 49 ? 0 : weight[k];
    for (int k = 0; k < 50; k++) { /* as the census table counts half a million rows */
        const int64_t w = k == 12 || k == 49 ? weight[k] : weight[k] * (1000000 - 50420) / sum;

        weight[k] = k == 12 || k == 49 ? (w * 500000 + 500000) / 1000000 : w * 500000 / 1000000;
    }
    for (int k = 0; k < 50; k++)
        for (int64_t i = 0; i < weight[k]; i++)
            codes[row++] = (uint32_t)k;
    for (uint32_t k = 20; row < 500000; k = k == 39 ? 20 : k + 1)
        codes[row++] = k;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        problem_maker m;
        covey_closeness closeness;
        covey_sabre_ground ground;
        uint32_t first[51];
        size_t n;
        int view;

        maker_init(&m, 500000);
        view = maker_add_sensitive(&m, "salary", codes, 50);
        maker_promise(&m, "t-closeness", expected[i].promise, view);
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        assert_true(covey_i_promise_closeness(&closeness, &m.problem.promises.promise[0]));
        assert_int_equal(covey_i_sabre_ground_new(&ground, &closeness, (covey_ratio){0, 1}, &m.arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_sabre_runs(first, &n, &ground, false, &m.arena, NULL), COVEY_OK);
        assert_int_equal(n, expected[i].greedy);
        assert_int_equal(covey_i_sabre_runs(first, &n, &ground, true, &m.arena, NULL), COVEY_OK);
        assert_int_equal(n, expected[i].fewest);
        maker_clear(&m);
    }
    free(codes);
}

/* --- the method --- */

static covey_status accepts(const char *const (*promises)[2], size_t n, covey_error *err)
{
    const covey_method *sabre = covey_method_find("sabre");
    const uint32_t codes[] = {0, 1, 2, 3};
    problem_maker m;
    covey_status status;
    int view;

    maker_init(&m, 4);
    maker_add_range(&m, "q", codes, 4, false, NULL);
    view = maker_add_sensitive(&m, "s", codes, 4);
    for (size_t i = 0; i < n; i++)
        maker_promise(&m, promises[i][0], promises[i][1], strcmp(promises[i][0], "k-anonymity") ? view : -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    status = sabre->accepts(&m.problem.promises, maker_method_params(&m, sabre, ""), err);
    maker_clear(&m);
    return status;
}

static void it_takes_one_earth_movers_distance_and_k(void **state)
{
    static const char *const good[][2] = {{"k-anonymity", "k=2"}, {"t-closeness", "t=0.2,distance=ordered"}};
    static const char *const beta[][2] = {{"t-closeness", "t=0.2"}, {"basic-beta-likeness", "beta=1"}};
    static const char *const kl[][2] = {{"t-closeness", "t=0.2,distance=kl"}};
    static const char *const two[][2] = {{"t-closeness", "t=0.2,distance=ordered"}, {"t-closeness", "t=0.2"}};
    static const char *const none[][2] = {{"k-anonymity", "k=2"}};
    covey_error err = {0};

    assert_int_equal(accepts(good, 2, &err), COVEY_OK);
    assert_int_equal(accepts(beta, 2, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "not basic-beta-likeness"));
    assert_int_equal(accepts(kl, 1, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "divergence"));
    assert_int_equal(accepts(two, 2, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "not two"));
    assert_int_equal(accepts(none, 1, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "needs a promise of t-closeness"));
}

/* How many classes come out of 40 rows with the given sensitive values. */
static uint32_t n_classes(const uint32_t *sensitive, uint32_t n_values, const char *promise, const char *params)
{
    const covey_method *sabre = covey_method_find("sabre");
    uint32_t codes[40], n;
    problem_maker m;
    covey_release *release = NULL;

    for (uint32_t i = 0; i < 40; i++)
        codes[i] = i;
    maker_init(&m, 40);
    maker_add_range(&m, "q", codes, 40, false, NULL);
    maker_promise(&m, "t-closeness", promise, maker_add_sensitive(&m, "s", sensitive, n_values));
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(sabre->run(&release, &m.problem, maker_method_params(&m, sabre, params), NULL, NULL), COVEY_OK);
    n = release->n_classes;
    covey_release_free(release);
    maker_clear(&m);
    return n;
}

/* A part of a larger table is judged against the whole: every class keeps the promise there, whatever the part's own
 * shares. */
static void a_shard_is_judged_against_the_prior_of_the_whole(void **state)
{
    const covey_method *sabre = covey_method_find("sabre");
    uint64_t random = 13;
    int n_released = 0, n_cut = 0;

    for (int round = 0; round < 300; round++) {
        const uint32_t n = 3 + maker_below(&random, 4);
        const bool fewest = maker_below(&random, 2);
        uint32_t codes[60], values[60];
        int64_t count[6];
        covey_histogram whole;
        problem_maker m;
        covey_release *release = NULL;
        covey_tally tally;
        char promise[64];
        int view;

        maker_init(&m, 60);
        for (uint32_t i = 0; i < 60; i++) {
            codes[i] = maker_below(&random, 20);
            values[i] = maker_below(&random, n - 1); /* the last value occurs elsewhere only */
        }
        maker_add_range(&m, "q", codes, 20, false, NULL);
        view = maker_add_sensitive(&m, "s", values, n);
        maker_add_sensitive_tree(&m, view, 2);
        for (uint32_t v = 0; v < n; v++)
            count[v] = m.prior[view].count[v] * 3 + 1 + maker_below(&random, 30);
        judge_histogram(&whole, count, n, &m.arena);
        m.problem.promises.view[view].prior = &whole;
        snprintf(promise, sizeof promise, "t=%u/20,distance=%s", 2 + maker_below(&random, 8),
                 distances[maker_below(&random, 4)]);
        maker_promise(&m, "t-closeness", promise, view);
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        if (sabre->run(&release, &m.problem, maker_method_params(&m, sabre, fewest ? "buckets=fewest" : ""), NULL,
                       NULL) == COVEY_OK) {
            assert_int_equal(covey_i_tally_new(&tally, &m.problem.promises, &m.arena, NULL), COVEY_OK);
            for (uint32_t c = 0; c < release->n_classes; c++) {
                covey_i_release_tally(&tally, release, &m.problem, c);
                assert_true(covey_i_promises_admit(&m.problem.promises, &tally));
            }
            n_released++;
            n_cut += release->n_classes > 1;
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(n_released > 100 && n_cut > 30 && n_released < 300);
}

static void edge_cases(void **state)
{
    uint32_t alike[40] = {0}, halves[40], different[40];

    for (uint32_t i = 0; i < 40; i++) {
        halves[i] = i % 2;
        different[i] = i;
    }
    assert_int_equal(n_classes(alike, 1, "t=0,distance=ordered", ""), 40); /* one value: every class is at distance 0 */
    assert_int_equal(n_classes(alike, 1, "t=0,distance=ordered", "min-size=5"), 8);
    assert_int_equal(n_classes(halves, 2, "t=0", ""), 20);     /* both buckets are halved alike: one row of each */
    assert_int_equal(n_classes(different, 40, "t=0", ""), 1);  /* only the whole table has the same shares */
    assert_int_equal(n_classes(different, 40, "t=1", ""), 40); /* nothing is farther away than 1 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_examples),
        cmocka_unit_test(slack_tightens_the_buckets_alone),
        cmocka_unit_test(the_worst_distance_is_exact),
        cmocka_unit_test(buckets_cost_what_a_proportional_class_may_reach),
        cmocka_unit_test(no_buckets_are_fewer_than_the_fewest),
        cmocka_unit_test(greedy_cuts_are_the_best_at_each_step),
        cmocka_unit_test(the_census_salaries),
        cmocka_unit_test(it_takes_one_earth_movers_distance_and_k),
        cmocka_unit_test(a_shard_is_judged_against_the_prior_of_the_whole),
        cmocka_unit_test(edge_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
