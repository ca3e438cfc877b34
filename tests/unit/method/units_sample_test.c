/* The first classes of very many units: cut as a sample of them is. */
#include "method/units/sample.h"

#include <stdlib.h>

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

static uint32_t *begin(uint32_t *n_classes, struct table *t)
{
    uint32_t *class = covey_arena_array(&t->run.arena, uint32_t, N);
    covey_error err;

    assert_non_null(class);
    assert_int_equal(covey_i_unit_classes_begin(class, n_classes, &t->run, &err), COVEY_OK);
    return class;
}

static void units_are_parted_by_their_ends_alone(void **state)
{
    uint32_t n_classes, *class, *n_units;

    (void)state;
    fill(&one, WIDTH);
    class = begin(&n_classes, &one);
    assert_in_range(n_classes, 3, N);
    assert_non_null(n_units = calloc(n_classes, sizeof *n_units));
    for (uint32_t u = 0; u < N; u++) {
        assert_in_range(class[u], 0, n_classes - 1);
        assert_int_equal(class[u] == n_classes - 1, one.n_rows[u] == TOO_MANY_ROWS);
        if (u % 10 == 9 && u % 1000 != 7)
            assert_int_equal(class[u], class[u - 1]);
        n_units[class[u]]++;
    }
    for (uint32_t c = 0; c + 1 < n_classes; c++)
        assert_in_range(n_units[c], 1, N / 2);
    free(n_units);
    covey_arena_free(&one.run.arena);
}

/* Unit u of the one table is unit 7 u of the other. */
static void their_order_makes_no_difference(void **state)
{
    uint32_t n_classes, n_others, *class, *others;

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
    class = begin(&n_classes, &one);
    others = begin(&n_others, &other);
    assert_int_equal(n_classes, n_others);
    for (uint32_t u = 0; u < N; u++)
        assert_int_equal(class[u], others[(uint64_t)u * 7 % N]);
    covey_arena_free(&one.run.arena);
    covey_arena_free(&other.run.arena);
}

static void units_that_are_alike_are_one_class(void **state)
{
    uint32_t n_classes, *class;

    (void)state;
    fill(&one, 6); /* 1,296 different hulls */
    class = begin(&n_classes, &one);
    assert_int_equal(n_classes, 2);
    for (uint32_t u = 0; u < N; u++)
        assert_int_equal(class[u], one.n_rows[u] == TOO_MANY_ROWS);
    covey_arena_free(&one.run.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_parted_by_their_ends_alone),
        cmocka_unit_test(their_order_makes_no_difference),
        cmocka_unit_test(units_that_are_alike_are_one_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
