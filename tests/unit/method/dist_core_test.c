/* The worked examples and edge cases of distribution transformation: allocation, least ranges, made-up values, whole
 * weights. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/dist_maker.h"

static const int64_t salaries[] = {30, 40, 50, 60};

/* The least sum; *text receives the members as "[low-high]xcopies ...". */
static int64_t solve(const dist_tree *t, const int64_t *value, uint32_t n, char *text, size_t size)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_distribution_members members;
    uint32_t leaf[64];
    const covey_distribution_values values = dist_values(leaf, t, value, n);
    size_t used = 0;

    assert_int_equal(covey_i_distribution_least_ranges(&members, &t->tree, &values, &arena, NULL), COVEY_OK);
    if (size > 0)
        text[0] = '\0';
    for (uint32_t i = 0; i < members.n && size > used; i++) {
        const covey_target_node *node = &t->node[members.member[i].node];

        used += (size_t)snprintf(text + used, size - used, "%s%lld-%lldx%u", i ? " " : "",
                                 (long long)t->value[node->first_leaf],
                                 (long long)t->value[node->first_leaf + node->n_leaves - 1], members.member[i].copies);
    }
    covey_arena_free(&arena);
    return (int64_t)members.sum_of_ranges;
}

static void check_fakes(const dist_tree *t, const int64_t *value, uint32_t n, uint32_t most, const int64_t *expected,
                        uint32_t best)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_distribution_faked faked;
    uint32_t leaf[64];
    const covey_distribution_values values = dist_values(leaf, t, value, n);

    assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&faked, &t->tree, &values, most, &arena, NULL),
                     COVEY_OK);
    for (uint32_t k = 0; k <= most; k++)
        assert_int_equal((int64_t)faked.least[k], expected[k]);
    assert_int_equal(faked.n_fakes, best);
    covey_arena_free(&arena);
}

static void the_papers_groups_come_out(void **state)
{
    static const struct {
        int64_t value[8];
        uint32_t n;
        int64_t sum;
        const char *members;
    } cases[] = {
        {{30, 40, 50, 60}, 4, 0, "30-30x1 40-40x1 50-50x1 60-60x1"},
        {{40, 30, 50}, 3, 50, "30-60x1 30-40x1 50-60x1"},
        {{40, 60, 60, 60}, 4, 80, "30-60x2 30-40x1 50-60x1"},
        {{30, 30, 40, 40, 50, 60}, 6, 60, "30-60x2 30-30x1 40-40x1 50-50x1 60-60x1"},
        {{30}, 1, 30, "30-60x1"},
    };
    dist_tree t;
    char text[256];

    dist_make_balanced(&t, salaries, 4, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(solve(&t, cases[i].value, cases[i].n, text, sizeof text), cases[i].sum);
        assert_string_equal(text, cases[i].members);
    }
}

static void weights_decide_what_goes_down(void **state)
{
    const int64_t pair[] = {1, 2}, values[] = {1, 1, 2}, same[] = {1, 1, 1}, ternary[] = {1, 2, 3}, g[] = {1, 2, 2};
    char text[256];
    dist_tree t;

    dist_make_balanced(&t, pair, 2, 2);
    t.node[2].weight = 0; /* 1:0 */
    dist_reduce(&t);
    assert_int_equal(solve(&t, values, 3, text, sizeof text), 1);
    assert_string_equal(text, "1-2x1 1-1x2");
    dist_make_balanced(&t, pair, 2, 2);
    assert_int_equal(solve(&t, same, 3, text, sizeof text), 3); /* three roots */
    dist_make_balanced(&t, ternary, 3, 3);
    assert_int_equal(solve(&t, g, 3, text, sizeof text), 6);
    dist_make_balanced(&t, pair, 1, 2);
    assert_int_equal(solve(&t, same, 3, text, sizeof text), 0); /* a single leaf hides nothing */
    assert_string_equal(text, "1-1x3");
}

static void intervals_that_are_no_nodes_are_not_used(void **state)
{
    /* {1, 2} with 1:1, and 3; the root's weights 2:1. */
    dist_tree t = {.tree = {.n_nodes = 5, .n_leaves = 3}, .value = {1, 2, 3}};
    const int64_t g[] = {1, 3, 3};

    memcpy(t.node,
           (covey_target_node[]){
               {0, 3, 5, 1, 3, 2}, {0, 2, 4, 2, 2, 1}, {0, 1, 3, 1, 0, 0}, {1, 1, 4, 1, 0, 0}, {2, 1, 5, 1, 0, 0}},
           5 * sizeof *t.node);
    t.tree.node = t.node;
    assert_int_equal(solve(&t, g, 3, NULL, 0), 6);
}

static void made_up_values_cost_what_the_examples_say(void **state)
{
    const int64_t eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
    dist_tree t;

    dist_make_balanced(&t, salaries, 4, 2);
    check_fakes(&t, (int64_t[]){40, 30, 50}, 3, 2, (int64_t[]){50, 0, 30}, 1);
    check_fakes(&t, (int64_t[]){40, 60, 60, 60}, 4, 8, (int64_t[]){80, 50, 40, 50, 20, 30, 20, 50, 0}, 8);
    check_fakes(&t, (int64_t[]){40, 30, 50}, 3, 0, (int64_t[]){50}, 0);
    dist_make_balanced(&t, eight, 8, 2);
    check_fakes(&t, (int64_t[]){1, 3, 5}, 3, 2, (int64_t[]){13, 4, 11}, 1);
    check_fakes(&t, (int64_t[]){1, 3, 5, 7}, 4, 4, (int64_t[]){4, 11, 10, 17, 0}, 4);
    check_fakes(&t, (int64_t[]){1, 2, 3, 5, 6, 7, 7}, 7, 2, (int64_t[]){17, 2, 7}, 1);
}

/* The group of example 2 of the first eight figures: what one made-up value costs wherever it lies. */
static void each_place_of_one_made_up_value_has_its_cost(void **state)
{
    static const int64_t sixteen[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const int64_t eight[] = {1, 2, 3, 4, 5, 6, 7, 8}, example5[] = {1, 2, 3, 5, 6, 7, 7};
    int64_t with[8], least = INT64_MAX, best = 0;
    char text[256];
    dist_tree t;

    dist_make_balanced(&t, eight, 8, 2);
    for (int64_t fake = 1; fake <= 8; fake++) {
        int64_t sum;

        memcpy(with, example5, sizeof example5);
        with[7] = fake;
        sum = solve(&t, with, 8, text, sizeof text);
        best = sum < least ? fake : best;
        least = sum < least ? sum : least;
    }
    assert_int_equal(best, 4);
    with[7] = 4;
    assert_int_equal(solve(&t, with, 8, text, sizeof text), 2);
    assert_string_equal(text, "1-1x1 2-2x1 3-3x1 4-4x1 5-5x1 6-6x1 7-8x2");
    assert_int_equal(solve(&t, (int64_t[]){1, 3, 5, 7, 1, 5}, 6, text, sizeof text), 10);
    assert_string_equal(text, "1-4x1 1-2x1 3-4x1 5-8x1 5-6x1 7-8x1");
    dist_make_balanced(&t, sixteen, 16, 2);
    assert_int_equal(solve(&t, sixteen, 16, text, sizeof text), 0);
}

/* 10 and 7 values with 3 made up on each side: 12 and 6 go down, 5 to the root. */
static void unequal_weights_share_made_up_values(void **state)
{
    const int64_t pair[] = {1, 2};
    int64_t value[23];
    char text[256];
    dist_tree t;

    dist_make_balanced(&t, pair, 2, 2);
    t.node[1].weight = 2;
    dist_reduce(&t);
    for (int i = 0; i < 23; i++)
        value[i] = i < 13 ? 1 : 2;
    assert_int_equal(solve(&t, value, 23, text, sizeof text), 5);
    assert_string_equal(text, "1-2x5 1-1x12 2-2x6");
}

static void weights_are_rounded_to_the_nearest_small_ratio(void **state)
{
    static const struct {
        uint64_t share[3];
        uint32_t n, resolution;
        uint64_t weight[3];
    } cases[] = {
        {{1, 1, 0}, 2, 12, {1, 1, 0}},
        {{713, 714, 0}, 2, 12, {1, 1, 0}},
        {{713, 714, 0}, 2, 0, {713, 714, 0}},
        {{2, 1, 0}, 2, 12, {2, 1, 0}},
        {{1, 1000, 0}, 2, 12, {1, 11, 0}},
        {{0, 5, 0}, 2, 12, {0, 1, 0}},
        {{1, 2, 3}, 3, 12, {1, 2, 3}},
        {{1, 1, 100}, 3, 2, {1, 1, 1}},
        {{30, 20, 50}, 3, 10, {3, 2, 5}},
        {{4, 6, 10}, 3, 0, {2, 3, 5}},
        {{UINT64_C(1) << 61, UINT64_C(1) << 61, UINT64_C(1) << 61}, 3, COVEY_DIST_MOST_RESOLUTION, {1, 1, 1}},
        {{(UINT64_C(1) << 62) - 1, 1, 0}, 2, 0, {(UINT64_C(1) << 62) - 1, 1, 0}},
    };
    const int64_t value[] = {1, 2, 3};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        dist_tree t;

        dist_make_balanced(&t, value, cases[i].n, cases[i].n);
        assert_int_equal(
            covey_i_distribution_set_weights(&t.tree, cases[i].share, NULL, cases[i].resolution, &arena, NULL),
            COVEY_OK);
        for (uint32_t c = 0; c < cases[i].n; c++)
            assert_int_equal(t.node[c + 1].weight, cases[i].weight[c]);
        covey_arena_free(&arena);
    }
}

static void nodes_without_share_get_equal_weights_and_no_mass(void **state)
{
    const uint64_t share[] = {0, 0, 3, 1};
    covey_arena arena = COVEY_ARENA_INIT;
    long double probability[7];
    dist_tree t;

    dist_make_balanced(&t, salaries, 4, 2);
    assert_int_equal(covey_i_distribution_set_weights(&t.tree, share, NULL, 12, &arena, NULL), COVEY_OK);
    covey_i_distribution_probabilities(probability, &t.tree);
    assert_int_equal(t.node[1].weight, 0);
    assert_int_equal(t.node[2].weight, 1);
    assert_int_equal(t.node[3].weight, 1);
    assert_true(probability[2] == 0 && probability[5] == 0.75L && probability[6] == 0.25L);
    assert_true(covey_i_distribution_distance(&t.tree, share, probability) == 0);
    covey_arena_free(&arena);
}

/* Far from the mean of a normal target two brothers are both next to nothing, but one is more so. */
static void brothers_far_out_keep_their_ratio(void **state)
{
    const uint64_t share[] = {1, 1, UINT64_C(1) << 52, 1}; /* what fits beside the largest */
    const long double density[] = {1e-300L, 3e-300L, 1, 1e-4000L};
    covey_arena arena = COVEY_ARENA_INIT;
    dist_tree t;

    dist_make_balanced(&t, salaries, 4, 2);
    assert_int_equal(covey_i_distribution_set_weights(&t.tree, share, density, 12, &arena, NULL), COVEY_OK);
    assert_true(t.node[1].weight == 1 && t.node[4].weight == 11); /* never 0 */
    assert_true(t.node[2].weight == 1 && t.node[3].weight == 3);
    assert_true(t.node[5].weight == 11 && t.node[6].weight == 1);
    covey_arena_free(&arena);
}

/* A chain: each inner node is a leaf and the rest; 40,000 deep. */
static void chains_need_no_deep_stack(void **state)
{
    enum { N = 40000 };
    covey_target_node *node = calloc(2 * N, sizeof *node);
    uint32_t *leaf = calloc(N, sizeof *leaf);
    const covey_target_tree tree = {2 * N - 1, N, node};
    const covey_distribution_values values = {N, leaf};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_distribution_members members;
    covey_distribution_faked faked;

    assert_non_null(node);
    assert_non_null(leaf);
    for (uint32_t i = 0; i < N; i++) {
        leaf[i] = i;
        if (i < N - 1) {
            node[2 * i] = (covey_target_node){i, N - i, 2 * N - 1, N - i, N - i, N - i - 1};
            node[2 * i + 1] = (covey_target_node){i, 1, 2 * i + 2, 1, 0, 0};
        }
    }
    node[0].weight = 1;
    for (uint32_t i = 1; i < N; i++) /* the rest weighs what it holds: the distribution is uniform */
        node[2 * i].weight = N - i;
    node[2 * N - 2] = (covey_target_node){N - 1, 1, 2 * N - 1, 1, 0, 0};
    assert_int_equal(covey_i_distribution_least_ranges(&members, &tree, &values, &arena, NULL), COVEY_OK);
    assert_true(members.sum_of_ranges == 0);
    assert_int_equal(members.n, N);
    leaf[0] = 1;
    assert_int_equal(covey_i_distribution_least_ranges(&members, &tree, &values, &arena, NULL), COVEY_OK);
    assert_int_equal(members.n, 1);
    assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&faked, &tree, &values, 3, &arena, NULL), COVEY_OK);
    assert_int_equal(faked.n_fakes, 1); /* the missing value: a single member stays at the root */
    assert_true(faked.least[0] == (covey_i128)N * (N - 1) && faked.least[1] == N - 1);
    covey_arena_free(&arena);
    free(node);
    free(leaf);
}

static void tables_that_are_too_large_are_refused(void **state)
{
    enum { N = 20000 };
    const int64_t pair[] = {1, 2};
    uint32_t *leaf = calloc(N, sizeof *leaf);
    const covey_distribution_values values = {N, leaf};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_distribution_faked faked;
    covey_error error;
    dist_tree t;

    assert_non_null(leaf);
    dist_make_balanced(&t, pair, 2, 2);
    assert_int_equal(covey_i_distribution_least_ranges_with_fakes(&faked, &t.tree, &values, N, &arena, &error),
                     COVEY_EINVAL);
    assert_non_null(strstr(error.message, "fewer fakes"));
    covey_arena_free(&arena);
    free(leaf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_groups_come_out),
        cmocka_unit_test(weights_decide_what_goes_down),
        cmocka_unit_test(intervals_that_are_no_nodes_are_not_used),
        cmocka_unit_test(made_up_values_cost_what_the_examples_say),
        cmocka_unit_test(each_place_of_one_made_up_value_has_its_cost),
        cmocka_unit_test(unequal_weights_share_made_up_values),
        cmocka_unit_test(weights_are_rounded_to_the_nearest_small_ratio),
        cmocka_unit_test(nodes_without_share_get_equal_weights_and_no_mass),
        cmocka_unit_test(brothers_far_out_keep_their_ratio),
        cmocka_unit_test(chains_need_no_deep_stack),
        cmocka_unit_test(tables_that_are_too_large_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
