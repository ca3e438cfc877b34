/* Least sums of ranges against a look at all multisets of subtrees of small hierarchies, and against all choices of
 * made-up values. */
#include "test.h"

#include <string.h>

#include "support/problem/dist_maker.h"
#include "support/problem/problem_maker.h"

enum { SMALL_CASES = 600, FAKE_CASES = 1500, LARGE_CASES = 400 };

static uint32_t draw(dist_tree *t, uint32_t *leaf, uint32_t most_leaves, uint32_t most_rows, uint64_t *random)
{
    const uint32_t n = 1 + maker_below(random, most_rows);
    int64_t value[64];

    dist_make_random(t, 1 + maker_below(random, most_leaves), random);
    for (uint32_t i = 0; i < n; i++)
        value[i] = t->value[maker_below(random, t->tree.n_leaves)];
    dist_values(leaf, t, value, n);
    return n;
}

static void copies_of(uint32_t *copies, const dist_tree *t, const covey_distribution_members *members)
{
    memset(copies, 0, t->tree.n_nodes * sizeof *copies);
    for (uint32_t i = 0; i < members->n; i++) {
        assert_int_equal(copies[members->member[i].node], 0);
        copies[members->member[i].node] = members->member[i].copies;
    }
}

static void small_groups_get_the_best_of_all_subtrees(void **state)
{
    uint64_t random = test_seed(20090824);
    int n_hidden = 0;

    for (int i = 0; i < SMALL_CASES; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        uint32_t leaf[64], copies[DIST_MOST_NODES];
        covey_distribution_members members;
        dist_tree t;
        const uint32_t n = draw(&t, leaf, 5, 5, &random);
        const covey_distribution_values values = {n, leaf};

        assert_int_equal(covey_i_distribution_least_ranges(&members, &t.tree, &values, &arena, NULL), COVEY_OK);
        copies_of(copies, &t, &members);
        assert_true(dist_is_private(&t, copies));
        assert_true(dist_generalizes(&t, copies, leaf, n));
        assert_true(members.sum_of_ranges == dist_least_of_all(&t, leaf, n));
        n_hidden += members.sum_of_ranges > 0;
        covey_arena_free(&arena);
    }
    assert_true(test_is_enough(n_hidden > SMALL_CASES / 4));
}

/* The least over all ways to make up k values: with repetition, ascending from leaf `from`. */
static covey_i128 try_fakes(const dist_tree *t, uint32_t *leaf, uint32_t n, uint32_t k, uint32_t from)
{
    covey_i128 best = -1;

    if (k == 0) {
        covey_arena arena = COVEY_ARENA_INIT;
        uint32_t sorted[64];
        covey_distribution_members members;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t j = i;

            for (; j > 0 && sorted[j - 1] > leaf[i]; j--)
                sorted[j] = sorted[j - 1];
            sorted[j] = leaf[i];
        }
        assert_int_equal(covey_i_distribution_least_ranges(&members, &t->tree, &(covey_distribution_values){n, sorted},
                                                           &arena, NULL),
                         COVEY_OK);
        covey_arena_free(&arena);
        return members.sum_of_ranges;
    }
    for (uint32_t l = from; l < t->tree.n_leaves; l++) {
        covey_i128 cost;

        leaf[n] = l;
        cost = try_fakes(t, leaf, n + 1, k - 1, l);
        best = best < 0 || cost < best ? cost : best;
    }
    return best;
}

static void made_up_values_are_the_best_of_all(void **state)
{
    uint64_t random = test_seed(42);
    int n_useful = 0;

    for (int i = 0; i < FAKE_CASES; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        uint32_t leaf[64], copies[DIST_MOST_NODES], all[64];
        covey_distribution_faked faked;
        dist_tree t;
        const uint32_t n = draw(&t, leaf, 7, 8, &random), most = maker_below(&random, 5);
        const covey_distribution_values values = {n, leaf};

        assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&faked, &t.tree, &values, most, &arena, NULL),
                         COVEY_OK);
        memcpy(all, leaf, n * sizeof *leaf);
        for (uint32_t k = 0; k <= most; k++)
            assert_true(faked.least[k] == try_fakes(&t, all, n, k, 0));
        copies_of(copies, &t, &faked.members);
        memcpy(all, leaf, n * sizeof *leaf);
        memcpy(all + n, faked.fake, faked.n_fakes * sizeof *leaf);
        assert_true(dist_is_private(&t, copies));
        assert_true(dist_generalizes(&t, copies, all, n + faked.n_fakes));
        n_useful += faked.n_fakes > 0;
        covey_arena_free(&arena);
    }
    assert_true(test_is_enough(n_useful > FAKE_CASES / 10));
}

/* More values may be made up: it is never worse.  None: the same as without.  Larger trees, whose checks are inside. */
static void larger_groups_keep_the_laws(void **state)
{
    uint64_t random = test_seed(7);

    for (int i = 0; i < LARGE_CASES; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        uint32_t leaf[64];
        covey_distribution_members members;
        covey_distribution_faked few, more;
        dist_tree t;
        const uint32_t n = draw(&t, leaf, 60, 60, &random), most = maker_below(&random, 20);
        const covey_distribution_values values = {n, leaf};

        assert_int_equal(covey_i_distribution_least_ranges(&members, &t.tree, &values, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&few, &t.tree, &values, most, &arena, NULL),
                         COVEY_OK);
        assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&more, &t.tree, &values, most + 5, &arena, NULL),
                         COVEY_OK);
        assert_true(few.least[0] == members.sum_of_ranges && more.least[0] == few.least[0]);
        for (uint32_t k = 0; k <= most; k++)
            assert_true(few.least[k] == more.least[k]);
        assert_true(more.members.sum_of_ranges <= few.members.sum_of_ranges);
        covey_arena_free(&arena);
    }
}

/* The weights' sum stays within the resolution, no share is lost, and a finer resolution is never further off at a
 * single node. */
static void rounded_weights_keep_the_laws(void **state)
{
    uint64_t random = test_seed(99);

    for (int i = 0; i < LARGE_CASES; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        uint64_t share[DIST_MOST_LEAVES], total = 0;
        long double probability[DIST_MOST_NODES];
        dist_tree t;

        dist_make_random(&t, 2 + maker_below(&random, 30), &random);
        for (uint32_t l = 0; l < t.tree.n_leaves; l++)
            total += share[l] = maker_below(&random, 4) == 0 ? 0 : maker_below(&random, 1000);
        share[0] += total == 0;
        assert_int_equal(covey_i_distribution_set_weights(&t.tree, share, NULL, 12, &arena, NULL), COVEY_OK);
        covey_i_distribution_probabilities(probability, &t.tree);
        for (uint32_t v = 0; v < t.tree.n_nodes; v++) {
            assert_true(t.node[v].sum <= 12);
            if (t.node[v].end == v + 1)
                assert_true((probability[v] > 0) == (share[t.node[v].first_leaf] > 0));
        }
        assert_int_equal(covey_i_distribution_set_weights(&t.tree, share, NULL, 0, &arena, NULL), COVEY_OK);
        covey_i_distribution_probabilities(probability, &t.tree);
        assert_true(covey_i_distribution_distance(&t.tree, share, probability) < 1e-15);
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_groups_get_the_best_of_all_subtrees),
        cmocka_unit_test(made_up_values_are_the_best_of_all),
        cmocka_unit_test(larger_groups_keep_the_laws),
        cmocka_unit_test(rounded_weights_keep_the_laws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
