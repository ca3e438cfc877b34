#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "method/draw/draw.h"
#include "table/table_impl.h"

enum { ROWS = 400, AXES = 3, MOST_VALUES = 24 };

/* A random table, its piles, and what the test knows of each row by itself. */
struct fixture {
    problem_maker m;
    covey_arena arena, of_runs;
    covey_sorted_rows sorted;
    covey_draw_rows rows;
    covey_draw_curve curve;
    covey_draw_buckets buckets;
    covey_draw_piles piles;
    covey_draw_finder finder;
    uint32_t n_rows;
    int64_t place[AXES][ROWS]; /* steps from the lower end of the axis' domain */
    int64_t width[AXES];       /* of the domain in steps */
};

/* Numbers with gaps, a missing value at times; the smallest and the largest lie `width` steps apart. */
static void add_number(struct fixture *f, size_t a, bool has_null, uint64_t *random)
{
    const uint32_t n_values = 3 + maker_below(random, MOST_VALUES - 3);
    int64_t number[MOST_VALUES] = {0};
    uint32_t code[ROWS];

    for (uint32_t v = has_null ? 2 : 1; v < n_values; v++)
        number[v] = number[v - 1] + 1 + maker_below(random, 4);
    number[n_values - 1] =
        number[n_values - 1] > f->width[a] - has_null ? number[n_values - 1] : f->width[a] - has_null;
    f->width[a] = number[n_values - 1] + has_null;
    for (uint32_t i = 0; i < f->n_rows; i++) {
        code[i] = i == 0 ? n_values - 1 : i == 1 ? (uint32_t)has_null : maker_below(random, n_values);
        f->place[a][i] = has_null ? (code[i] == 0 ? 0 : number[code[i]] + 1) : number[code[i]];
    }
    maker_add_range(&f->m, "number", code, n_values, has_null, number);
}

static void add_category(struct fixture *f, size_t a, uint64_t *random)
{
    uint32_t code[ROWS];

    for (uint32_t i = 0; i < f->n_rows; i++) {
        code[i] = maker_below(random, (uint32_t)f->width[a] + 1);
        f->place[a][i] = code[i];
    }
    maker_add_flat(&f->m, "category", code, (uint32_t)f->width[a] + 1, false);
}

static void start(struct fixture *f, bool has_powers_of_two, uint64_t *random)
{
    const uint32_t n_buckets = 1 + maker_below(random, 4);
    uint32_t value[ROWS];

    *f = (struct fixture){
        .arena = COVEY_ARENA_INIT, .of_runs = COVEY_ARENA_INIT, .n_rows = 2 + maker_below(random, ROWS - 2)};
    for (size_t a = 0; a < AXES; a++)
        f->width[a] = has_powers_of_two ? 1u << (a < 2 ? 7 : maker_below(random, 4)) : 1 + maker_below(random, 7);
    maker_init(&f->m, f->n_rows);
    add_number(f, 0, false, random);
    add_number(f, 1, true, random);
    add_category(f, 2, random);
    for (uint32_t i = 0; i < f->n_rows; i++)
        value[i] = i < n_buckets ? i : maker_below(random, 6);
    maker_add_insensitive(&f->m, "s", value, 6);
    maker_promise(&f->m, "k-anonymity", "k=1", -1);
    assert_int_equal(maker_finish(&f->m, NULL), COVEY_OK);
    assert_int_equal(covey_i_problem_order(&f->sorted, &f->m.problem, NULL, NULL), COVEY_OK);
    assert_int_equal(
        covey_i_draw_rows_new(&f->rows, &f->m.problem, f->m.column[AXES], &f->sorted, &f->of_runs, NULL, NULL),
        COVEY_OK);
    assert_int_equal(covey_i_draw_curve_new(&f->curve, &f->m.problem, &f->rows, false, NULL, NULL), COVEY_OK);
    f->buckets = (covey_draw_buckets){.n = n_buckets,
                                      .bucket_of = covey_arena_array(&f->arena, uint32_t, 6),
                                      .size = covey_arena_array_zero(&f->arena, uint32_t, n_buckets)};
    for (uint32_t v = 0; v < 6; v++)
        f->buckets.bucket_of[v] = v < n_buckets ? v : maker_below(random, n_buckets);
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->buckets.size[f->buckets.bucket_of[value[i]]]++;
    assert_int_equal(covey_i_draw_piles_new(&f->piles, &f->curve, &f->buckets, &f->arena, NULL), COVEY_OK);
    assert_int_equal(
        covey_i_draw_nearest_new(&f->finder, &f->m.problem, &f->piles, &f->curve, n_buckets, &f->arena, NULL),
        COVEY_OK);
}

static void end(struct fixture *f)
{
    covey_i_draw_curve_clear(&f->curve);
    covey_i_sorted_rows_clear(&f->sorted);
    covey_arena_free(&f->of_runs);
    covey_arena_free(&f->arena);
    maker_clear(&f->m);
}

/* Squared, between two rows; whole numbers where widths are powers of two up to 2^8. */
static long double distance(const struct fixture *f, uint32_t x, uint32_t y)
{
    long double sum = 0;

    for (size_t a = 0; a < AXES; a++) {
        const long double share =
            f->width[a] ? 256 * (long double)(f->place[a][x] - f->place[a][y]) / (long double)f->width[a] : 0;

        sum += share * share;
    }
    return sum;
}

/* By looking at all rows that are left: of two as near the one that comes first on its pile. */
static uint32_t nearest_left(const struct fixture *f, const bool *is_taken, size_t j, uint32_t row)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t i = f->piles.start[j]; i < f->piles.start[j + 1]; i++)
        if (!is_taken[i] &&
            (best == UINT32_MAX || distance(f, row, f->piles.row[i]) < distance(f, row, f->piles.row[best])))
            best = i;
    return best;
}

static uint32_t n_left_in(const struct fixture *f, const bool *is_taken, size_t j)
{
    uint32_t n = 0;

    for (uint32_t i = f->piles.start[j]; i < f->piles.start[j + 1]; i++)
        n += !is_taken[i];
    return n;
}

/* Takes rows around random ones until few are left, and looks at every row that was taken. */
static void take_and_look(struct fixture *f, long double most_off, uint64_t *random)
{
    bool is_taken[ROWS] = {false};
    uint32_t taken[ROWS];

    for (int round = 0; round < 60; round++) {
        const size_t j = maker_below(random, (uint32_t)f->buckets.n);
        const uint32_t at = maker_below(random, f->n_rows), n_left = n_left_in(f, is_taken, j);
        const uint32_t n = n_left ? maker_below(random, n_left / 3 + 2) : 0;

        f->finder.take(taken, f->finder.state, j, f->piles.cell[at], n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t best = nearest_left(f, is_taken, j, f->piles.row[at]);

            if (most_off == 0)
                assert_int_equal(taken[i], best);
            assert_in_range(taken[i], f->piles.start[j], f->piles.start[j + 1] - 1);
            assert_false(is_taken[taken[i]]);
            assert_true(distance(f, f->piles.row[at], f->piles.row[taken[i]]) <=
                        distance(f, f->piles.row[at], f->piles.row[best]) + most_off);
            is_taken[taken[i]] = true;
        }
    }
}

static void the_rows_taken_are_those_that_looking_at_all_finds(void **state)
{
    uint64_t random = 5;

    for (int round = 0; round < 300; round++) {
        struct fixture f;

        start(&f, true, &random);
        take_and_look(&f, 0, &random);
        end(&f);
    }
}

/* Shares of a domain that are no whole multiples of 2^-30. */
static void nothing_left_is_nearer_by_more_than_the_last_digit(void **state)
{
    uint64_t random = 6;

    for (int round = 0; round < 300; round++) {
        struct fixture f;

        start(&f, false, &random);
        take_and_look(&f, 1e-3L, &random);
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_taken_are_those_that_looking_at_all_finds),
        cmocka_unit_test(nothing_left_is_nearer_by_more_than_the_last_digit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
