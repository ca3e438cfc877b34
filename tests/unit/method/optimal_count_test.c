/* Numbers of classes against a table of all boxes: what is refuted of one box is used for others. */
#include "test.h"

#include <string.h>

#include "base/clock.h"
#include "support/problem/problem_maker.h"
#include "method/optimal/optimal.h"
#include "table/table_impl.h"

enum { AXES = 3, CELLS = 5, MOST_ROWS = 80, BOXES = CELLS * CELLS * CELLS * CELLS * CELLS * CELLS };

static const covey_ratio exact = {1, 1};

struct table {
    problem_maker m;
    covey_optimal_options options;
    covey_optimal_grid g;
    covey_axis_splits *splits;
    uint32_t rows[MOST_ROWS];
    int8_t most[BOXES]; /* classes by box; -1: not known */
};

static void make_table(struct table *t, uint64_t number)
{
    static const char *const ks[] = {"k=2", "k=3", "k=4", "k=6", "k=9"};
    uint64_t random = number * 91 + 7;
    uint32_t code[MOST_ROWS];
    const uint32_t n_rows = 20 + maker_below(&random, MOST_ROWS - 19);
    char name[3] = "q0";

    memset(t, 0, sizeof *t);
    memset(t->most, -1, sizeof t->most);
    maker_init(&t->m, n_rows);
    for (uint32_t a = 0; a < AXES; a++, name[1]++) {
        const uint32_t spread = 1 + maker_below(&random, CELLS);

        for (uint32_t i = 0; i < n_rows; i++)
            code[i] = maker_below(&random, maker_below(&random, 3) ? spread : CELLS);
        if (number % 4 == 0 && a == 0)
            maker_add_tree(&t->m, name, code, CELLS, false, 2);
        else
            maker_add_range(&t->m, name, code, CELLS, false, NULL);
    }
    maker_promise(&t->m, "k-anonymity", ks[maker_below(&random, 5)], -1);
    assert_int_equal(maker_finish(&t->m, NULL), COVEY_OK);
    assert_int_equal(covey_i_splits_read(&t->splits, &t->m.problem, "{}", 0, "test", &t->m.arena, NULL, NULL),
                     COVEY_OK);
    for (uint32_t i = 0; i < n_rows; i++)
        t->rows[i] = i;
    t->options = (covey_optimal_options){.approximation = exact, .time_limit = -1};
    assert_int_equal(covey_i_optimal_grid_new(&t->g, &t->m.problem, t->splits, NULL, t->rows, n_rows, &t->options,
                                              &t->m.arena, NULL),
                     COVEY_OK);
    assert_true(t->g.by_size);
}

/* The rows in a box, which shrinks to what they fill. */
static int64_t shrink(const struct table *t, uint32_t low[AXES], uint32_t high[AXES])
{
    uint32_t new_low[AXES], new_high[AXES] = {0};
    int64_t n = 0;

    memset(new_low, 0xff, sizeof new_low);
    for (uint32_t i = 0; i < t->m.problem.n_rows; i++) {
        uint32_t cell[AXES];
        bool is_in = true;

        for (uint32_t a = 0; a < AXES; a++) {
            cell[a] = covey_i_code(t->m.problem.axis[a].column, i);
            is_in = is_in && cell[a] >= low[a] && cell[a] <= high[a];
        }
        n += is_in;
        for (uint32_t a = 0; is_in && a < AXES; a++) {
            new_low[a] = cell[a] < new_low[a] ? cell[a] : new_low[a];
            new_high[a] = cell[a] > new_high[a] ? cell[a] : new_high[a];
        }
    }
    memcpy(low, new_low, sizeof new_low);
    memcpy(high, new_high, sizeof new_high);
    return n;
}

static bool may_cut(const struct table *t, uint32_t a, uint32_t low, uint32_t high, uint32_t cell)
{
    const covey_hierarchy *tree = t->m.problem.axis[a].tree;

    return !t->splits[a].siblings || covey_hierarchy_lca(tree, cell, cell + 1) == covey_hierarchy_lca(tree, low, high);
}

/* The most classes of a box, by trying everything; 0: none. */
static int most_classes(struct table *t, const uint32_t from[AXES], const uint32_t to[AXES])
{
    uint32_t low[AXES], high[AXES], place = 0;
    int most = 1;

    memcpy(low, from, sizeof low);
    memcpy(high, to, sizeof high);
    if (shrink(t, low, high) < t->g.k)
        return 0;
    for (uint32_t a = 0; a < AXES; a++)
        place = (place * CELLS + low[a]) * CELLS + high[a];
    if (t->most[place] >= 0)
        return t->most[place];
    for (uint32_t a = 0; a < AXES; a++)
        for (uint32_t c = low[a]; c < high[a]; c++) {
            uint32_t middle[AXES];
            int left, right;

            if (!may_cut(t, a, low[a], high[a], c))
                continue;
            memcpy(middle, high, sizeof middle);
            middle[a] = c;
            left = most_classes(t, low, middle);
            memcpy(middle, low, sizeof middle);
            middle[a] = c + 1;
            right = most_classes(t, middle, high);
            if (left > 0 && right > 0 && left + right > most)
                most = left + right;
        }
    t->most[place] = (int8_t)most;
    return most;
}

/* Asks about a block and the blocks in it, in an order that leads from small ones to large ones and back. */
static void check_block(struct table *t, covey_optimal_counter *counter, covey_optimal_worker *w,
                        const covey_optimal_block *block, int depth)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    uint32_t low[AXES], high[AXES];
    covey_optimal_block left, right;
    int most;

    for (uint32_t a = 0; a < AXES; a++) {
        low[a] = COVEY_OPT_LOW(block, &t->g, a);
        high[a] = COVEY_OPT_HIGH(block, &t->g, a);
    }
    for (uint32_t a = 0; a < AXES && depth > 0; a++)
        for (uint32_t c = low[a]; c < high[a]; c++) {
            assert_true(covey_i_optimal_divide(&left, &right, w, block, a, c));
            check_block(t, counter, w, depth % 2 ? &left : &right, depth - 1);
            covey_arena_rewind(&w->arena, mark);
        }
    most = most_classes(t, low, high);
    for (int64_t q = block->n / t->g.k + 1; q > 0; q--) {
        const covey_optimal_answer answer = covey_i_optimal_can_have(counter, w, block, q);

        if (answer != (q <= most ? COVEY_OPT_YES : COVEY_OPT_NO))
            fail_msg("%lld classes of %lld rows, k = %lld: %d, %d are the most", (long long)q, (long long)block->n,
                     (long long)t->g.k, (int)answer, most);
    }
}

static void classes_are_counted_as_by_trying_everything(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(80); number++) {
        static struct table t;
        covey_optimal_result result = {0};
        covey_optimal_counter *counter;
        covey_optimal_worker w;
        covey_optimal_block root;
        covey_optimal_hunt hunt;

        make_table(&t, number);
        covey_i_optimal_hunt_init(&hunt, &t.g, &result, NULL, 0);
        assert_int_equal(covey_i_optimal_worker_new(&w, &t.g, NULL), COVEY_OK);
        w.hunt = &hunt;
        assert_int_equal(covey_i_optimal_root(&root, &w, NULL), COVEY_OK);
        /* no more memory than it starts with: most of what is found out has to go */
        assert_int_equal(covey_i_optimal_counter_new(&counter, &t.g, number % 2 ? 0 : 1 << 24, NULL), COVEY_OK);
        check_block(&t, counter, &w, &root, 2);
        covey_i_optimal_counter_free(counter);
        covey_i_optimal_worker_clear(&w);
        covey_i_optimal_hunt_clear(&hunt);
        maker_clear(&t.m);
    }
}

/* A search that its nodes end says neither yes nor no, and goes on where it was. */
static void a_search_that_is_cut_short_answers_later(void **state)
{
    static struct table t;
    covey_optimal_result result = {0};
    covey_optimal_counter *counter;
    covey_optimal_worker w;
    covey_optimal_block root;
    covey_optimal_hunt hunt;
    int n_open = 0;

    make_table(&t, 1);
    covey_i_optimal_hunt_init(&hunt, &t.g, &result, NULL, 0);
    assert_int_equal(covey_i_optimal_worker_new(&w, &t.g, NULL), COVEY_OK);
    w.hunt = &hunt;
    assert_int_equal(covey_i_optimal_root(&root, &w, NULL), COVEY_OK);
    assert_int_equal(covey_i_optimal_counter_new(&counter, &t.g, 1 << 24, NULL), COVEY_OK);
    for (int64_t q = root.n / t.g.k; q > 0; q--) {
        covey_optimal_answer answer;

        do {
            w.node_end = w.n_nodes + 10;
            w.stopped = w.ran_out = false;
            answer = covey_i_optimal_can_have(counter, &w, &root, q);
            n_open += answer == COVEY_OPT_OPEN;
            assert_true((answer == COVEY_OPT_OPEN) == w.stopped);
        } while (answer == COVEY_OPT_OPEN);
        const uint32_t low[AXES] = {0}, high[AXES] = {CELLS - 1, CELLS - 1, CELLS - 1};

        assert_int_equal(answer == COVEY_OPT_YES, q <= most_classes(&t, low, high));
    }
    assert_true(n_open > 0);
    covey_i_optimal_counter_free(counter);
    covey_i_optimal_worker_clear(&w);
    covey_i_optimal_hunt_clear(&hunt);
    maker_clear(&t.m);
}

/* Counting down leaves the bound of the most classes and a partitioning into as many, which can be applied. */
static void counting_down_finds_a_partitioning(void **state)
{
    const uint32_t low[AXES] = {0}, high[AXES] = {CELLS - 1, CELLS - 1, CELLS - 1};

    for (uint64_t number = 0; number < (uint64_t)test_share(80); number++) {
        static struct table t;
        covey_optimal_result result = {0};
        covey_optimal_known known = {0};
        covey_optimal_tree tree = {0};
        covey_optimal_applied applied;
        covey_optimal_units cost = 0;
        covey_optimal_worker w;
        covey_optimal_block root;
        covey_optimal_hunt hunt;

        make_table(&t, number);
        covey_i_optimal_hunt_init(&hunt, &t.g, &result, NULL, 0);
        assert_int_equal(covey_i_optimal_cache_new(&hunt.cache, t.g.key_words, 1 << 20, NULL), COVEY_OK);
        assert_int_equal(covey_i_optimal_worker_new(&w, &t.g, NULL), COVEY_OK);
        assert_int_equal(covey_i_optimal_counter_new(&w.counter, &t.g, 1 << 20, NULL), COVEY_OK);
        w.hunt = &hunt;
        w.whole = &root;
        assert_int_equal(covey_i_optimal_root(&root, &w, NULL), COVEY_OK);
        const int most = most_classes(&t, low, high);

        covey_i_optimal_count_down(&w, &root, INT64_MAX / 2);
        assert_false(w.stopped);
        if (root.n >= 3 * t.g.k) { /* of fewer rows nothing is kept */
            assert_true(covey_i_optimal_recall(&known, &w, &root) || most == 1);
            if (most < root.n / t.g.k)
                assert_true(known.lower >= covey_i_optimal_floor(&t.g, root.n, most));
            assert_int_equal(covey_i_optimal_extract(&tree, &cost, &w, &root, NULL), COVEY_OK);
            assert_int_equal(covey_i_optimal_apply(&applied, NULL, NULL, &w, &tree, NULL), COVEY_OK);
            assert_true(applied.cost == cost);
            assert_int_equal(applied.n_classes, most);
            assert_true(known.lower <= applied.cost);
        }
        covey_i_optimal_tree_clear(&tree);
        covey_i_optimal_counter_free(w.counter);
        covey_i_optimal_worker_clear(&w);
        covey_i_optimal_cache_free(hunt.cache);
        covey_i_optimal_hunt_clear(&hunt);
        maker_clear(&t.m);
    }
}

static void count_warnings(void *context, const char *message)
{
    ++*(int *)context;
    assert_non_null(strstr(message, "time-limit"));
}

/* The search began a minute ago. */
static void a_search_without_end_is_warned_of_once(void **unused)
{
    static const struct {
        double seconds, time_limit;
        int64_t node_limit;
        int n_warnings;
    } cases[] = {{59, -1, 0, 0}, {61, -1, 0, 1}, {61, 1000, 0, 0}, {61, -1, 1000, 0}};
    int n_warnings;
    const covey_run run = {.warn = count_warnings, .context = &n_warnings};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const covey_optimal_options options = {
            .approximation = exact, .time_limit = cases[i].time_limit, .node_limit = cases[i].node_limit};
        const covey_optimal_grid grid = {.options = &options};
        covey_optimal_result result = {0};
        covey_optimal_hunt hunt;

        n_warnings = 0;
        covey_i_optimal_hunt_init(&hunt, &grid, &result, &run, covey_i_seconds() - cases[i].seconds);
        for (int again = 0; again < 3; again++) {
            hunt.last_report = 0;
            assert_false(covey_i_optimal_is_over(&hunt, again > 0)); /* who is not the first says nothing */
        }
        assert_int_equal(n_warnings, cases[i].n_warnings);
        covey_i_optimal_hunt_clear(&hunt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_counted_as_by_trying_everything),
        cmocka_unit_test(a_search_that_is_cut_short_answers_later),
        cmocka_unit_test(counting_down_finds_a_partitioning),
        cmocka_unit_test(a_search_without_end_is_warned_of_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
