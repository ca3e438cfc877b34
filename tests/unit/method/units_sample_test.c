/* Leaves of very many units: parted as a sample of them is cut. */
#include "method/units/leaves.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { N = 60000, WIDTH = 3000, TOO_MANY_ROWS = 50 };

/* Units on two axes without order, on which nothing is promised. */
struct table {
    uint16_t low[2][N], high[2][N];
    uint32_t n_rows[N];
    covey_column column[4];
    covey_axis axis[2];
    covey_unit_axis ends[2];
    covey_problem problem;
    covey_units_run run;
};

static struct table one, other;

static void describe(struct table *t)
{
    t->problem = (covey_problem){.axis = t->axis, .n_axes = 2};
    t->run = (covey_units_run){.problem = &t->problem,
                               .arena = COVEY_ARENA_INIT,
                               .n_units = N,
                               .sizes_suffice = true,
                               .n_rows = t->n_rows,
                               .most_rows = TOO_MANY_ROWS - 1,
                               .axis = t->ends};
    for (int a = 0; a < 2; a++) {
        t->column[2 * a] = (covey_column){.codes = t->low[a], .width = 2};
        t->column[2 * a + 1] = (covey_column){.codes = t->high[a], .width = 2};
        t->axis[a] = (covey_axis){.kind = COVEY_AXIS_FLAT, .n_values = 2 * WIDTH, .loss_den = 1, .weight = {1, 2}};
        t->ends[a] = (covey_unit_axis){&t->column[2 * a], &t->column[2 * a + 1]};
    }
}

static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % n);
}

/* Every tenth unit is as the one before; every thousandth has too many rows. */
static void fill(struct table *t, uint32_t width)
{
    uint64_t state = 5;

    for (uint32_t u = 0; u < N; u++) {
        t->n_rows[u] = u % 1000 == 7 ? TOO_MANY_ROWS : 1 + below(&state, 5);
        for (int a = 0; a < 2; a++) {
            const uint32_t low = below(&state, width), more = below(&state, width);

            t->low[a][u] = u % 10 == 9 ? t->low[a][u - 1] : (uint16_t)low;
            t->high[a][u] = u % 10 == 9 ? t->high[a][u - 1] : (uint16_t)(low + more);
        }
    }
    describe(t);
}

/* The leaf of each unit; *n_leaves: of those that are in none. */
static uint32_t *find_leaves(uint32_t *n_leaves, struct table *t)
{
    const size_t size = covey_i_unit_entry_size(t->problem.n_axes);
    uint32_t *of_unit = covey_arena_array(&t->run.arena, uint32_t, N);
    covey_unit_leaves leaves;
    covey_error err;

    assert_non_null(of_unit);
    assert_int_equal(covey_i_unit_leaves_new(&leaves, &t->run, &err), COVEY_OK);
    memset(of_unit, 0xff, N * sizeof *of_unit);
    for (uint32_t leaf = 0, i = 0; leaf <= leaves.n && leaves.n > 0; leaf++)
        for (; i < (leaf < leaves.n ? leaves.start[leaf + 1] : N); i++) {
            const covey_unit_entry *entry = covey_i_unit_leaves_at(&leaves, i, size);

            assert_in_range(entry->unit, 0, N - 1);
            assert_int_equal(of_unit[entry->unit], UINT32_MAX);
            assert_int_equal(entry->n_rows, t->n_rows[entry->unit]);
            for (int a = 0; a < 2; a++) {
                assert_int_equal(entry->end[a] - COVEY_FIRST_END, t->low[a][entry->unit]);
                assert_int_equal(COVEY_LAST_END - entry->end[2 + a], t->high[a][entry->unit]);
            }
            of_unit[entry->unit] = leaf;
        }
    *n_leaves = leaves.n;
    return of_unit;
}

static void units_are_parted_by_their_ends_alone(void **state)
{
    uint32_t n_leaves, *leaf, *n_units;

    (void)state;
    fill(&one, WIDTH);
    leaf = find_leaves(&n_leaves, &one);
    assert_in_range(n_leaves, 2, N);
    assert_non_null(n_units = calloc((size_t)n_leaves + 1, sizeof *n_units));
    for (uint32_t u = 0; u < N; u++) {
        assert_in_range(leaf[u], 0, n_leaves);
        assert_int_equal(leaf[u] == n_leaves, one.n_rows[u] == TOO_MANY_ROWS);
        if (u % 10 == 9 && u % 1000 != 7)
            assert_int_equal(leaf[u], leaf[u - 1]);
        n_units[leaf[u]]++;
    }
    for (uint32_t l = 0; l < n_leaves; l++)
        assert_in_range(n_units[l], 1, N / 2);
    free(n_units);
    covey_arena_free(&one.run.arena);
}

/* Unit u of the one table is unit 7 u of the other. */
static void their_order_makes_no_difference(void **state)
{
    uint32_t n_leaves, n_others, *leaf, *others;

    (void)state;
    fill(&one, WIDTH);
    for (uint32_t u = 0; u < N; u++) {
        const uint32_t to = (uint32_t)((uint64_t)u * 7 % N);

        other.n_rows[to] = one.n_rows[u];
        for (int a = 0; a < 2; a++) {
            other.low[a][to] = one.low[a][u];
            other.high[a][to] = one.high[a][u];
        }
    }
    describe(&other);
    leaf = find_leaves(&n_leaves, &one);
    others = find_leaves(&n_others, &other);
    assert_int_equal(n_leaves, n_others);
    for (uint32_t u = 0; u < N; u++)
        assert_int_equal(leaf[u], others[(uint64_t)u * 7 % N]);
    covey_arena_free(&one.run.arena);
    covey_arena_free(&other.run.arena);
}

static int64_t two(const void *state)
{
    (void)state;
    return 2;
}

/* Nobody may have more than half of a leaf's rows: one has more than any leaf would have. */
static void leaves_are_joined_where_one_breaks_a_promise(void **state)
{
    enum { LARGEST = 40000 };
    static const covey_model model = {.name = "two", .least_rows = two};
    covey_promise promise = {.model = &model, .view = -1, .units = COVEY_UNITS_SHARE};
    uint32_t n_before, n_leaves, *leaf;
    int64_t *n_rows;

    (void)state;
    fill(&one, WIDTH);
    find_leaves(&n_before, &one);
    covey_arena_free(&one.run.arena);
    assert_in_range(n_before, 6, N);
    for (uint32_t largest = 11; largest < N; largest += N / 5) {
        fill(&one, WIDTH);
        one.n_rows[largest] = LARGEST;
        one.run.most_rows = LARGEST;
        one.problem.promises.n = 1;
        one.problem.promises.promise = &promise;
        leaf = find_leaves(&n_leaves, &one);
        assert_in_range(n_leaves, 1, n_before - 1);
        assert_non_null(n_rows = calloc(n_leaves, sizeof *n_rows));
        for (uint32_t u = 0; u < N; u++)
            n_rows[leaf[u]] += one.n_rows[u];
        assert_true(n_rows[leaf[largest]] >= 2 * LARGEST);
        free(n_rows);
        covey_arena_free(&one.run.arena);
    }
}

/* A promise on numbers of units has them counted leaf by leaf. */
static void leaves_are_cut_where_units_are_counted(void **state)
{
    static const covey_model model = {.name = "two", .least_rows = two};
    covey_promise promise = {.model = &model, .view = -1, .units = COVEY_UNITS_COUNT};
    covey_unit_leaves leaves;
    covey_unit_outcome out = {0};
    covey_error err;
    uint32_t *n_units;

    (void)state;
    fill(&one, WIDTH);
    one.problem.promises.n = 1;
    one.problem.promises.promise = &promise;
    assert_int_equal(covey_i_unit_leaves_new(&leaves, &one.run, &err), COVEY_OK);
    assert_in_range(leaves.n, 2, N);
    assert_non_null(out.class_of_unit = covey_arena_array(&one.run.arena, uint32_t, N));
    assert_int_equal(covey_i_unit_leaves_cut(&out, &leaves, &one.run, &err), COVEY_OK);
    assert_in_range(out.n_classes, leaves.n, N / 2);
    assert_non_null(n_units = calloc(out.n_classes, sizeof *n_units));
    for (uint32_t u = 0; u < N; u++) {
        assert_int_equal(out.class_of_unit[u] == COVEY_CLASS_SUPPRESSED, one.n_rows[u] == TOO_MANY_ROWS);
        if (out.class_of_unit[u] != COVEY_CLASS_SUPPRESSED)
            n_units[out.class_of_unit[u]]++;
    }
    for (uint32_t c = 0; c < out.n_classes; c++)
        assert_in_range(n_units[c], 2, N);
    free(n_units);
    covey_arena_free(&one.run.arena);
    covey_arena_free(&one.run.kept);
}

static void units_that_are_alike_have_no_leaves(void **state)
{
    uint32_t n_leaves;

    (void)state;
    fill(&one, 6); /* 1,296 different hulls */
    find_leaves(&n_leaves, &one);
    assert_int_equal(n_leaves, 0);
    covey_arena_free(&one.run.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_parted_by_their_ends_alone),
        cmocka_unit_test(their_order_makes_no_difference),
        cmocka_unit_test(leaves_are_joined_where_one_breaks_a_promise),
        cmocka_unit_test(leaves_are_cut_where_units_are_counted),
        cmocka_unit_test(units_that_are_alike_have_no_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
