/* (k,e)-partitions against a look at all partitions of small multisets, and laws of larger ones. */
#include "test.h"

#include "support/problem/ke_maker.h"
#include "support/problem/problem_maker.h"

enum { SMALL_CASES = 4000, MOST_SMALL = 9, LARGE_CASES = 2000 };

/* The best of all partitions. */
struct best {
    bool is_any;
    int64_t sum, max;
    uint32_t n_groups; /* the most among those of the least sum */
};

struct trying {
    int64_t row[MOST_SMALL]; /* ascending */
    uint32_t n, group[MOST_SMALL];
    covey_ke_bounds bounds;
    struct best all, touch, strict;
};

static void note(struct best *best, int64_t sum, int64_t max, uint32_t n_groups)
{
    if (!best->is_any || sum < best->sum || (sum == best->sum && n_groups > best->n_groups)) {
        best->sum = sum;
        best->n_groups = n_groups;
    }
    if (!best->is_any || max < best->max)
        best->max = max;
    best->is_any = true;
}

static void look(struct trying *t, uint32_t n_groups)
{
    int64_t sum = 0, max = 0;
    bool are_blocks = true, are_strict = true;

    for (uint32_t g = 0; g < n_groups; g++) {
        int64_t low = 0, high = 0, n = 0;

        for (uint32_t i = 0; i < t->n; i++) {
            if (t->group[i] != g)
                continue;
            low = n == 0 ? t->row[i] : low;
            n += n == 0 || t->row[i] != high;
            high = t->row[i];
        }
        if (n < t->bounds.min_distinct || high - low < t->bounds.min_range)
            return;
        sum += high - low;
        max = high - low > max ? high - low : max;
    }
    for (uint32_t i = 1; i < t->n; i++) {
        are_blocks = are_blocks && t->group[i] >= t->group[i - 1];
        are_strict = are_strict && (t->row[i] != t->row[i - 1] || t->group[i] == t->group[i - 1]);
    }
    note(&t->all, sum, max, n_groups);
    if (are_blocks)
        note(&t->touch, sum, max, n_groups);
    if (are_blocks && are_strict)
        note(&t->strict, sum, max, n_groups);
}

/* Restricted growth: every partition of the rows once. */
static void try_all(struct trying *t, uint32_t row, uint32_t n_groups)
{
    if (row == t->n) {
        look(t, n_groups);
        return;
    }
    for (uint32_t g = 0; g <= n_groups; g++) {
        t->group[row] = g;
        try_all(t, row + 1, g == n_groups ? n_groups + 1 : n_groups);
    }
}

static void sort(int64_t *row, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && row[j - 1] > row[j]; j--) {
            const int64_t swapped = row[j];

            row[j] = row[j - 1];
            row[j - 1] = swapped;
        }
}

/* Few distinct numbers, evenly or unevenly spread. */
static void draw(int64_t *row, uint32_t n, uint32_t n_numbers, uint64_t *random)
{
    const bool is_uneven = maker_below(random, 2) == 1;

    for (uint32_t i = 0; i < n; i++) {
        const int64_t number = maker_below(random, n_numbers);

        row[i] = (is_uneven ? number * number : number) - 5;
    }
}

static void small_sets_get_the_best_of_all_partitions(void **state)
{
    uint64_t random = test_seed(20070415);
    int n_overlapping = 0, n_repeated = 0;

    for (int i = 0; i < SMALL_CASES; i++) {
        struct trying t = {.n = 1 + maker_below(&random, MOST_SMALL)};
        covey_arena arena = COVEY_ARENA_INIT;
        covey_ke_partition partition;
        ke_worth worth;
        ke_set set;

        t.bounds = (covey_ke_bounds){1 + maker_below(&random, 4), maker_below(&random, 12)};
        draw(t.row, t.n, 2 + maker_below(&random, 11), &random);
        sort(t.row, t.n);
        ke_make(&set, t.row, t.n);
        try_all(&t, 0, 0);
        assert_int_equal(ke_is_feasible(&set.values, &t.bounds), t.all.is_any);
        if (!t.all.is_any)
            continue;
        assert_int_equal(covey_i_ke_min_sum(&partition, &set.values, &t.bounds, &arena, NULL), COVEY_OK);
        worth = ke_judge(&partition, &set.values, &t.bounds);
        assert_true(worth.sum == t.all.sum);
        assert_int_equal(worth.n_groups, t.all.n_groups);
        assert_int_equal(covey_i_ke_min_max_blocks(&partition, &set.values, &t.bounds, false, &arena, NULL), COVEY_OK);
        worth = ke_judge(&partition, &set.values, &t.bounds);
        assert_int_equal(worth.max, t.touch.max);
        assert_int_equal(covey_i_ke_min_max_blocks(&partition, &set.values, &t.bounds, true, &arena, NULL), COVEY_OK);
        worth = ke_judge(&partition, &set.values, &t.bounds);
        assert_int_equal(worth.max, t.strict.max);
        assert_int_equal(covey_i_ke_min_max(&partition, &set.values, &t.bounds, COVEY_KE_MOST_WORK, NULL, &arena, NULL),
                         COVEY_OK);
        worth = ke_judge(&partition, &set.values, &t.bounds);
        assert_int_equal(worth.max, t.all.max);
        assert_true(t.touch.max <= 2 * t.all.max);
        if (set.values.n == t.n && t.bounds.min_range == 0)
            assert_int_equal(t.touch.max, t.all.max);
        n_overlapping += t.all.max < t.touch.max;
        n_repeated += t.touch.max < t.strict.max;
        covey_arena_free(&arena);
    }
    assert_true(test_is_enough(n_overlapping > 20 && n_repeated > 20));
}

/* The least r from floor(size / k) down for which all dealt groups are valid, by dealing one copy after another. */
static uint32_t plain_refine(const int64_t *row, uint32_t n, const covey_ke_bounds *bounds)
{
    for (uint32_t r = n / (uint32_t)bounds->min_distinct; r > 1; r--) {
        bool are_valid = true;

        for (uint32_t g = 0; g < r && are_valid; g++) {
            int64_t n_distinct = 0, low = row[g], high = low;

            for (uint32_t i = g; i < n; i += r) {
                n_distinct += i == g || row[i] != high;
                high = row[i];
            }
            are_valid = n_distinct >= bounds->min_distinct && high - low >= bounds->min_range;
        }
        if (are_valid)
            return r;
    }
    return 1;
}

static void larger_sets_keep_the_laws(void **state)
{
    uint64_t random = test_seed(4711);

    for (int i = 0; i < LARGE_CASES; i++) {
        const uint32_t n = 5 + maker_below(&random, KE_MOST_ROWS - 5);
        const covey_ke_bounds bounds = {1 + maker_below(&random, 5), maker_below(&random, 40)};
        covey_arena arena = COVEY_ARENA_INIT;
        covey_ke_partition sum, touch, strict, exact, scan, refined;
        covey_ke_share share[KE_MOST_ROWS];
        size_t start[2] = {0, 0};
        const covey_ke_partition whole = {1, start, share};
        ke_worth best, of_touch, of_exact, of_refined;
        int64_t row[KE_MOST_ROWS];
        ke_set set;

        draw(row, n, 3 + maker_below(&random, 60), &random);
        ke_make(&set, row, n);
        if (!ke_is_feasible(&set.values, &bounds))
            continue;
        assert_int_equal(covey_i_ke_min_sum(&sum, &set.values, &bounds, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_ke_min_max_blocks(&touch, &set.values, &bounds, false, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_ke_min_max_blocks(&strict, &set.values, &bounds, true, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_ke_min_max(&exact, &set.values, &bounds, COVEY_KE_MOST_WORK, NULL, &arena, NULL),
                         COVEY_OK);
        assert_int_equal(covey_i_ke_scan(&scan, &set.values, set.order, n, &bounds, &arena, NULL), COVEY_OK);
        best = ke_judge(&sum, &set.values, &bounds);
        of_touch = ke_judge(&touch, &set.values, &bounds);
        of_exact = ke_judge(&exact, &set.values, &bounds);
        assert_true(best.sum <= of_touch.sum && best.sum <= of_exact.sum &&
                    best.sum <= ke_judge(&scan, &set.values, &bounds).sum);
        assert_true(of_exact.max <= of_touch.max && of_touch.max <= 2 * of_exact.max && of_exact.max <= best.max);
        assert_true(of_touch.max <= ke_judge(&strict, &set.values, &bounds).max);
        assert_true(of_touch.max <= best.max); /* the least sum is reached by blocks */

        assert_int_equal(covey_i_ke_refine(&refined, &exact, &set.values, &bounds, &arena, NULL), COVEY_OK);
        of_refined = ke_judge(&refined, &set.values, &bounds);
        assert_true(of_refined.max <= of_exact.max && of_refined.n_groups >= of_exact.n_groups);
        for (uint32_t v = 0; v < set.values.n; v++)
            share[v] = (covey_ke_share){v, set.copies[v]};
        start[1] = set.values.n;
        assert_int_equal(covey_i_ke_refine(&refined, &whole, &set.values, &bounds, &arena, NULL), COVEY_OK);
        sort(row, n);
        assert_int_equal(ke_judge(&refined, &set.values, &bounds).n_groups, plain_refine(row, n, &bounds));
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_get_the_best_of_all_partitions),
        cmocka_unit_test(larger_sets_keep_the_laws),
    };

    return cmocka_run_group_tests_name("ke_partition_law", tests, NULL, NULL);
}
