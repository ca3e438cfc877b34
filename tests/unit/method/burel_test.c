#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "base/exact/cap.h"
#include "base/rng.h"
#include "method/burel/burel.h"

typedef covey_cap (*cap_maker)(int64_t count, int64_t total, covey_ratio beta);

/* Where the runs of these counts begin, as "0 2 4"; overwritten by the next call. */
static const char *runs(const int64_t *count, size_t n, cap_maker cap, covey_ratio beta, bool strict)
{
    static char text[128];
    uint32_t first[17], scratch[34];
    int64_t limit[16], total = 0;
    size_t n_runs, used = 0;

    for (size_t i = 0; i < n; i++)
        total += count[i];
    for (size_t i = 0; i < n; i++) {
        const covey_cap c = cap(count[i], total, beta);

        limit[i] = covey_i_cap_rows(&c, total);
    }
    n_runs = covey_i_burel_partition(first, count, limit, n, 1, strict, scratch);
    assert_int_equal(first[n_runs], n);
    for (size_t j = 0; j < n_runs; j++)
        used += (size_t)snprintf(text + used, sizeof text - used, j ? " %u" : "%u", first[j]);
    return text;
}

static void the_published_example_has_three_buckets(void **state)
{
    const int64_t count[] = {2, 3, 3, 3, 4, 4};

    assert_string_equal(runs(count, 6, covey_i_cap_enhanced, (covey_ratio){2, 1}, false), "0 2 4");
}

static void a_bucket_exactly_at_its_bound_is_allowed_unless_strict(void **state)
{
    const int64_t count[] = {1, 1, 1, 1, 1, 1};

    assert_string_equal(runs(count, 6, covey_i_cap_basic, (covey_ratio){1, 1}, false), "0 2 4");
    assert_string_equal(runs(count, 6, covey_i_cap_basic, (covey_ratio){1, 1}, true), "0 1 2 3 4 5");
}

static void only_neighbours_share_a_bucket(void **state)
{
    const int64_t count[] = {1, 3, 4, 4, 4, 5}; /* {1}, {3, 5}, {4, 4, 4} would be fewer */

    assert_string_equal(runs(count, 6, covey_i_cap_basic, (covey_ratio){2, 1}, false), "0 1 3 5");
}

static void a_single_value_is_one_bucket(void **state)
{
    const int64_t count[] = {7};

    assert_string_equal(runs(count, 1, covey_i_cap_enhanced, (covey_ratio){1, 2}, false), "0");
    assert_string_equal(runs(count, 1, covey_i_cap_enhanced, (covey_ratio){1, 2}, true), "0");
}

/* The fewest runs by trying every set of ends. */
static size_t fewest_runs(const int64_t *count, const int64_t *limit, size_t n)
{
    size_t fewest = n;

    for (unsigned ends = 0; ends < 1u << (n - 1); ends++) { /* bit i: a run ends behind value i */
        size_t n_runs = 1, start = 0;
        int64_t sum = 0;
        bool fits = true;

        for (size_t i = 0; i < n; i++) {
            sum += count[i];
            fits = fits && (i == start || sum <= limit[start]);
            if (i + 1 < n && ends >> i & 1) {
                n_runs++;
                start = i + 1;
                sum = 0;
            }
        }
        if (fits && n_runs < fewest)
            fewest = n_runs;
    }
    return fewest;
}

static void no_partition_into_runs_has_fewer(void **state)
{
    uint64_t random = 1;

    for (int round = 0; round < 2000; round++) {
        const size_t n = 1 + maker_below(&random, 8);
        uint32_t first[9], scratch[18];
        int64_t count[8], limit[8];

        count[0] = 1 + maker_below(&random, 5);
        for (size_t i = 1; i < n; i++)
            count[i] = count[i - 1] + maker_below(&random, 3);
        for (size_t i = 0; i < n; i++)
            limit[i] = count[i] * (1 + maker_below(&random, 2)) + 3;
        for (size_t i = 1; i < n; i++)
            limit[i] = limit[i] > limit[i - 1] ? limit[i] : limit[i - 1];
        assert_int_equal(covey_i_burel_partition(first, count, limit, n, 1, false, scratch),
                         fewest_runs(count, limit, n));
    }
}

/* Six values, one row each, as often as wanted; weight and age of the paper's Table 1. */
static void six_patients(problem_maker *m)
{
    /* headache, epilepsy, brain tumors, anemia, heart murmur, angina: 0 .. 5 */
    static const uint32_t weight[] = {2, 1, 0, 2, 3, 1}, age[] = {0, 2, 1, 1, 1, 3}, disease[] = {0, 1, 2, 4, 3, 5};
    static const int64_t weights[] = {50, 60, 70, 80}, ages[] = {40, 50, 60, 70};

    maker_init(m, 6);
    maker_add_range(m, "weight", weight, 4, false, weights);
    maker_add_range(m, "age", age, 4, false, ages);
    maker_add_sensitive(m, "disease", disease, 6);
}

static void buckets_of(covey_draw_buckets *buckets, problem_maker *m, covey_ratio slack, bool strict)
{
    const covey_promises *promises = &m->problem.promises;

    assert_int_equal(covey_i_burel_buckets_new(buckets, promises, 0, promises->view[0].prior->count, m->problem.n_rows,
                                               slack, strict, &m->arena, NULL),
                     COVEY_OK);
}

/* Of 100 rows 5 and 6 have values 0 and 1: 12 rows may have either once, 10 rows value 0 once, too, but 9 only value 1.
 */
static void equal_bounds_of_a_part_are_told_by_the_whole_table(void **state)
{
    static const int64_t count[] = {2, 1, 9}; /* of a part's 12 rows */
    uint32_t value[100], age[100];
    covey_draw_buckets buckets;
    problem_maker m;

    for (uint32_t i = 0; i < 100; i++) {
        value[i] = i < 5 ? 0 : i < 11 ? 1 : 2;
        age[i] = i % 7;
    }
    maker_init(&m, 100);
    maker_add_range(&m, "age", age, 7, false, NULL);
    maker_add_sensitive(&m, "disease", value, 3);
    maker_promise(&m, "basic-beta-likeness", "beta=1", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(covey_i_burel_buckets_new(&buckets, &m.problem.promises, 0, count, 12, (covey_ratio){0, 1}, false,
                                               &m.arena, NULL),
                     COVEY_OK);
    assert_int_equal(buckets.value[0], 0);
    maker_clear(&m);
}

static void slack_and_strictness_are_exact(void **state)
{
    problem_maker m;
    covey_draw_buckets buckets;

    six_patients(&m);
    maker_promise(&m, "basic-beta-likeness", "beta=1", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    buckets_of(&buckets, &m, (covey_ratio){0, 1}, false);
    assert_int_equal(buckets.n, 3);
    buckets_of(&buckets, &m, (covey_ratio){0, 1}, true);
    assert_int_equal(buckets.n, 6);
    buckets_of(&buckets, &m, (covey_ratio){1, 1000000}, false);
    assert_int_equal(buckets.n, 6);
    maker_clear(&m);

    six_patients(&m);
    maker_promise(&m, "basic-beta-likeness", "beta=3",
                  0); /* four rows fill a bucket; with a quarter of slack three do */
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    buckets_of(&buckets, &m, (covey_ratio){0, 1}, false);
    assert_int_equal(buckets.n, 2);
    buckets_of(&buckets, &m, (covey_ratio){1, 4}, false);
    assert_int_equal(buckets.n, 2);
    buckets_of(&buckets, &m, (covey_ratio){1, 4}, true);
    assert_int_equal(buckets.n, 3);
    buckets_of(&buckets, &m, (covey_ratio){251, 1000}, false);
    assert_int_equal(buckets.n, 3);
    buckets_of(&buckets, &m, (covey_ratio){999999999999999, 1000000000000000}, false);
    assert_int_equal(buckets.n, 6);
    assert_int_equal(buckets.size[0] + buckets.size[5], 2);
    maker_clear(&m);
}

/* Could all rows bear the rarest value of each bucket of the published example? */
static bool fits_example(void *context, const uint32_t *rows, int64_t size)
{
    static const int64_t rarest[] = {2, 3, 4};

    for (size_t j = 0; j < 3; j++) {
        const covey_cap c = covey_i_cap_enhanced(rarest[j], 19, (covey_ratio){2, 1});

        if (rows[j] > covey_i_cap_rows(&c, size))
            return false;
    }
    return true;
}

static void the_published_example_has_three_classes(void **state)
{
    static const uint32_t size[] = {5, 6, 8}, expected[3][3] = {{1, 1, 2}, {1, 2, 2}, {3, 3, 4}};
    covey_draw_tree tree;
    uint32_t leaf[3];

    assert_int_equal(covey_i_draw_tree_new(&tree, size, 3, 1, fits_example, NULL, NULL), COVEY_OK);
    assert_int_equal(tree.node[0].n_leaves, 3);
    covey_i_draw_leaves(leaf, &tree);
    for (size_t c = 0; c < 3; c++)
        assert_memory_equal(tree.node[leaf[c]].rows, expected[c], sizeof expected[c]);
    covey_i_draw_tree_clear(&tree);
    assert_int_equal(covey_i_draw_tree_new(&tree, size, 3, 5, fits_example, NULL, NULL),
                     COVEY_OK); /* four rows are too few */
    assert_int_equal(tree.node[0].n_leaves, 2);
    covey_i_draw_tree_clear(&tree);
}

static bool always_fits(void *context, const uint32_t *rows, int64_t size)
{
    return true;
}

static void equal_nodes_of_the_tree_are_one(void **state)
{
    const size_t n_buckets = 5;
    const uint32_t size[] = {1000003, 777, 123456, 1, 99999};
    covey_draw_tree tree;
    uint32_t *leaf, sum[5] = {0};

    assert_int_equal(covey_i_draw_tree_new(&tree, size, n_buckets, 10, always_fits, NULL, NULL), COVEY_OK);
    assert_true(tree.n_nodes < 6 * 20);
    assert_true(tree.node[0].n_leaves > 30000);
    leaf = malloc(tree.node[0].n_leaves * sizeof *leaf);
    covey_i_draw_leaves(leaf, &tree);
    for (uint32_t c = 0; c < tree.node[0].n_leaves; c++) {
        assert_true(tree.node[leaf[c]].total >= 10);
        for (size_t j = 0; j < n_buckets; j++)
            sum[j] += tree.node[leaf[c]].rows[j];
    }
    assert_memory_equal(sum, size, sizeof size);
    free(leaf);
    covey_i_draw_tree_clear(&tree);
}

static void axes_are_stretched_over_the_grid(void **state)
{
    static const uint32_t code[] = {0, 1, 2}, leaf[] = {0, 1, 4};
    static const int64_t number[] = {10, 11, 41}, with_null[] = {0, 10, 40};
    problem_maker m;
    uint16_t coordinate[5];

    maker_init(&m, 3);
    maker_add_range(&m, "number", code, 3, false, number);
    maker_add_range(&m, "missing", code, 3, true, with_null);
    maker_add_flat(&m, "category", leaf, 5, false);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(covey_i_draw_bits(&m.problem), 5); /* 32 places: 10 .. 41; null, 10 .. 40 */
    covey_i_draw_coordinates(coordinate, &m.problem.axis[0], 5);
    assert_int_equal(coordinate[0], 0);
    assert_int_equal(coordinate[1], 1);
    assert_int_equal(coordinate[2], 31);
    covey_i_draw_coordinates(coordinate, &m.problem.axis[1], 5);
    assert_int_equal(coordinate[0], 0);
    assert_int_equal(coordinate[1], 1);
    assert_int_equal(coordinate[2], 31);
    covey_i_draw_coordinates(coordinate, &m.problem.axis[2], 5);
    assert_int_equal(coordinate[1], 31 / 4);
    assert_int_equal(coordinate[4], 31);
    maker_clear(&m);
}

static const char *figure_of(const covey_release *release, problem_maker *m, char text[96])
{
    const covey_promise *promise = &m->problem.promises.promise[0];
    covey_figure worst = {0};
    covey_tally tally;

    assert_int_equal(covey_i_tally_new(&tally, &m->problem.promises, &m->arena, NULL), COVEY_OK);
    for (uint32_t c = 0; c < release->n_classes; c++) {
        covey_figure figure;
        covey_group group;

        covey_i_release_tally(&tally, release, &m->problem, c);
        group = (covey_group){.size = tally.size, .counts = &tally.counts[0]};
        promise->model->figure(&figure, promise->state, &group);
        if (c == 0)
            worst = figure;
        else
            covey_i_figure_combine(promise->model, &worst, &figure);
    }
    covey_i_figure_text(text, 96, &worst);
    return text;
}

static void two_classes_of_the_six_patients_gain_exactly_one(void **state)
{
    const covey_method *burel = covey_method_find("burel");
    problem_maker m;
    covey_release *release = NULL;
    char text[96];

    six_patients(&m);
    maker_promise(&m, "basic-beta-likeness", "beta=1", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(burel->run(&release, &m.problem, maker_method_params(&m, burel, ""), NULL, NULL), COVEY_OK);
    assert_int_equal(release->n_classes, 2);
    assert_int_equal(release->class_start[1], 3);
    assert_string_equal(figure_of(release, &m, text), "1");
    covey_release_free(release);
    maker_clear(&m);

    six_patients(&m);
    maker_promise(&m, "basic-beta-likeness", "beta=0.5", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(burel->run(&release, &m.problem, maker_method_params(&m, burel, "retrieve=paper"), NULL, NULL),
                     COVEY_OK);
    assert_int_equal(release->n_classes, 1);
    assert_true(release->objective.value == 1);
    covey_release_free(release);
    maker_clear(&m);
}

static void other_promises_are_refused_with_the_reason(void **state)
{
    static const uint32_t codes[] = {0, 1, 0, 1};
    const covey_method *burel = covey_method_find("burel");
    problem_maker m;
    covey_error err;

    maker_init(&m, 4);
    maker_add_flat(&m, "q", codes, 2, false);
    maker_add_sensitive(&m, "s", codes, 2);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(burel->accepts(&m.problem.promises, maker_method_params(&m, burel, ""), &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "needs a promise of beta-likeness"));
    maker_promise(&m, "enhanced-beta-likeness", "beta=1", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(burel->accepts(&m.problem.promises, maker_method_params(&m, burel, ""), &err), COVEY_OK);
    maker_promise(&m, "entropy-l-diversity", "l=2", 0);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    assert_int_equal(burel->accepts(&m.problem.promises, maker_method_params(&m, burel, ""), &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "entropy-l-diversity"));
    maker_clear(&m);
}

/* Retrieval around random rows, done row by row: the same seeds, and for each the nearest rows by looking at all. */
static void retrieve_slowly(uint32_t *class_of_row, const covey_draw_piles *piles, const covey_draw_curve *curve,
                            const covey_draw_tree *tree, const uint32_t *leaf, const covey_run *run)
{
    uint32_t listed[64], n_listed[8];
    bool taken[64] = {false};
    unsigned char secret[32];
    covey_rng rng;

    assert_int_equal(covey_i_rng_key(secret, run, NULL), COVEY_OK);
    covey_i_rng_init(&rng, secret, 0);
    for (size_t j = 0; j < tree->n_buckets; j++)
        n_listed[j] = piles->start[j + 1] - piles->start[j];
    for (uint32_t i = 0; i < curve->rows->n; i++)
        listed[i] = i;
    for (uint32_t class = 0; class < tree->node[0].n_leaves; class ++) {
        const uint32_t *rows = tree->node[leaf[class]].rows;
        covey_u128 key = 0;
        bool is_seeded = false;

        for (size_t j = 0; j < tree->n_buckets; j++) {
            if (rows[j] == 0)
                continue;
            if (!is_seeded)
                key = curve->key[piles->cell[listed[piles->start[j] + covey_i_rng_below(&rng, n_listed[j])]]];
            is_seeded = true;
            for (uint32_t n = 0; n < rows[j]; n++) {
                uint32_t best = UINT32_MAX;
                covey_u128 best_distance = 0;

                for (uint32_t i = piles->start[j]; i < piles->start[j + 1]; i++) {
                    const covey_u128 k = curve->key[piles->cell[i]], distance = k < key ? key - k : k - key;
                    /* equally near: smaller keys first; below the key from it downwards, above upwards */
                    const bool is_better =
                        best == UINT32_MAX || distance < best_distance ||
                        (distance == best_distance && k < key && curve->key[piles->cell[best]] < key);

                    if (!taken[i] && is_better) {
                        best = i;
                        best_distance = distance;
                    }
                }
                taken[best] = true;
                class_of_row[piles->row[best]] = class;
                for (uint32_t i = piles->start[j]; i < piles->start[j] + n_listed[j]; i++)
                    if (listed[i] == best) {
                        listed[i] = listed[piles->start[j] + --n_listed[j]];
                        break;
                    }
            }
        }
    }
}

static void retrieval_takes_the_nearest_remaining_rows(void **state)
{
    uint64_t random = 3;

    for (int round = 0; round < 400; round++) {
        size_t n_buckets = 1 + maker_below(&random, 4);
        uint32_t size[4], start[5] = {0}, row[64], cell[64], leaf[64], quick[64], slow[64];
        const covey_run run = {.has_seed = true, .seed = (uint64_t)round};
        covey_draw_piles piles = {row, cell, start};
        covey_u128 key[16];
        covey_draw_rows rows = {0};
        covey_draw_curve curve = {.rows = &rows, .n_cells = 16, .key = key};
        covey_arena arena = COVEY_ARENA_INIT;
        covey_draw_finder finder;
        covey_draw_tree tree;

        for (size_t c = 0; c < 16; c++)
            key[c] = (c ? key[c - 1] : 0) + 1 + maker_below(&random, 3);
        for (size_t j = 0; j < n_buckets; j++) {
            uint32_t at = 0;

            size[j] = 1 + maker_below(&random, 16);
            start[j + 1] = start[j] + size[j];
            for (uint32_t i = start[j]; i < start[j + 1]; i++) {
                row[i] = i;
                at += maker_below(&random, 3);
                cell[i] = at < 16 ? at : 15;
            }
        }
        rows.n = start[n_buckets];
        assert_int_equal(
            covey_i_draw_tree_new(&tree, size, n_buckets, 1 + maker_below(&random, 5), always_fits, NULL, NULL),
            COVEY_OK);
        covey_i_draw_leaves(leaf, &tree);
        assert_int_equal(covey_i_draw_along_new(&finder, &piles, &curve, n_buckets, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_draw_retrieve(quick, &piles, &finder, &tree, leaf, &run, NULL), COVEY_OK);
        retrieve_slowly(slow, &piles, &curve, &tree, leaf, &run);
        assert_memory_equal(quick, slow, rows.n * sizeof *quick);
        covey_i_draw_tree_clear(&tree);
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_has_three_buckets),
        cmocka_unit_test(a_bucket_exactly_at_its_bound_is_allowed_unless_strict),
        cmocka_unit_test(only_neighbours_share_a_bucket),
        cmocka_unit_test(a_single_value_is_one_bucket),
        cmocka_unit_test(no_partition_into_runs_has_fewer),
        cmocka_unit_test(equal_bounds_of_a_part_are_told_by_the_whole_table),
        cmocka_unit_test(slack_and_strictness_are_exact),
        cmocka_unit_test(the_published_example_has_three_classes),
        cmocka_unit_test(equal_nodes_of_the_tree_are_one),
        cmocka_unit_test(axes_are_stretched_over_the_grid),
        cmocka_unit_test(two_classes_of_the_six_patients_gain_exactly_one),
        cmocka_unit_test(other_promises_are_refused_with_the_reason),
        cmocka_unit_test(retrieval_takes_the_nearest_remaining_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
