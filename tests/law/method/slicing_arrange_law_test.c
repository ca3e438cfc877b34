/* Groups of rows with different values: of all arrangements that there are each comes equally often, so that nothing
 * speaks for one of them. */
#include "test.h"

#include <string.h>

#include "method/slicing/arrange.h"

enum { MOST_ROWS = 9, MOST_ARRANGEMENTS = 512, ROUNDS = 200 /* for each arrangement */ };

/* Rows of each value, and how many have to be in a group. */
struct block {
    uint32_t l, n_values, count[MOST_ROWS];
};

/* Where the groups are as large as l lets them be, one with a row more: then no size goes before another. */
static const struct block blocks[] = {
    {2, 4, {2, 2, 1, 1}}, {2, 4, {2, 2, 2, 1}}, {2, 3, {3, 2, 1}},       {2, 5, {3, 3, 1, 1, 1}},
    {2, 3, {4, 2, 2}},    {2, 4, {3, 2, 1, 1}}, {3, 5, {2, 2, 2, 2, 1}}, {3, 6, {2, 2, 2, 1, 1, 1}},
};

/* Arrangements as the smallest member of each row's group, which numbers are given to as they come. */
struct seen {
    uint32_t n;
    uint8_t first[MOST_ARRANGEMENTS][MOST_ROWS];
    uint32_t count[MOST_ARRANGEMENTS];
};

static uint32_t number_of(struct seen *seen, const uint8_t *first, uint32_t n_rows)
{
    for (uint32_t i = 0; i < seen->n; i++)
        if (memcmp(seen->first[i], first, n_rows) == 0)
            return i;
    assert_true(seen->n < MOST_ARRANGEMENTS);
    memcpy(seen->first[seen->n], first, n_rows);
    seen->count[seen->n] = 0;
    return seen->n++;
}

/* Lists all ways to give rows from `row` on to groups, which are known by their first rows. */
static void list_all(struct seen *all, const struct block *b, const uint32_t *value, uint32_t n, uint8_t *first,
                     uint32_t row)
{
    uint32_t size[MOST_ROWS] = {0}, n_groups = 0;

    if (row == n) {
        for (uint32_t r = 0; r < n; r++)
            n_groups += size[first[r]]++ == 0;
        for (uint32_t r = 0; r < n; r++)
            if (size[first[r]] < b->l || n_groups != n / b->l)
                return;
        number_of(all, first, n);
        return;
    }
    for (uint32_t to = 0; to <= row; to++) {
        bool fits = to == row || first[to] == to;

        for (uint32_t r = 0; r < row && fits; r++)
            fits = first[r] != to || value[r] != value[row];
        if (!fits)
            continue;
        first[row] = (uint8_t)to;
        list_all(all, b, value, n, first, row + 1);
    }
}

static void count_arrangement(struct seen *all, const covey_slicing_arrangement *a)
{
    uint8_t least[MOST_ROWS], first[MOST_ROWS];
    uint32_t number;

    memset(least, UINT8_MAX, sizeof least);
    for (uint32_t i = 0; i < a->n; i++) {
        const uint32_t row = (uint32_t)a->member[i], group = a->place[i].first;

        assert_true(group <= i && i < a->place[i].end);
        least[group] = row < least[group] ? (uint8_t)row : least[group];
    }
    for (uint32_t i = 0; i < a->n; i++)
        first[(uint32_t)a->member[i]] = least[a->place[i].first];
    number = all->n;
    assert_true(number_of(all, first, a->n) < number); /* none that there is not */
    all->count[number_of(all, first, a->n)]++;
}

static void check_uniform(struct seen *all, double n_rounds)
{
    const double expected = n_rounds / all->n;
    double chi2 = 0;

    for (uint32_t i = 0; i < all->n; i++) {
        chi2 += (all->count[i] - expected) * (all->count[i] - expected) / expected;
        all->count[i] = 0;
    }
    assert_true(chi2 < all->n - 1 + 6 * __builtin_sqrt(2.0 * all->n)); /* six standard deviations */
}

static void every_arrangement_is_as_likely_as_any_other(void **state)
{
    static struct seen all;
    static const unsigned char key[32] = {5};
    covey_rng rng;

    covey_i_rng_init(&rng, key, 1);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const struct block *b = &blocks[k];
        const covey_column column = {.n_values = b->n_values, .width = 1};
        uint32_t n = 0, n_rounds, value[MOST_ROWS], n_found = 0;
        uint8_t first[MOST_ROWS];
        covey_arena arena = COVEY_ARENA_INIT;
        covey_slicing_arrangement a;
        covey_anatomy anatomy;

        for (uint32_t v = 0; v < b->n_values; v++)
            for (uint32_t i = 0; i < b->count[v]; i++)
                value[n++] = v;
        all.n = 0;
        list_all(&all, b, value, n, first, 0);
        assert_true(all.n > 1);
        n_rounds = all.n * ROUNDS;
        assert_int_equal(covey_i_slicing_arrangement_new(&a, b->l, n, &arena, NULL), COVEY_OK);
        assert_int_equal(covey_i_anatomy_start(&anatomy, &column, b->l, NULL, n, &arena, NULL), COVEY_OK);
        for (uint32_t round = 0; round < n_rounds; round++) {
            for (uint32_t r = 0; r < n; r++) /* in whatever order they come */
                a.member[(r + round) % n] = (uint64_t)value[r] << 32 | r;
            if (!covey_i_slicing_arrange(&a, n, &rng))
                continue;
            n_found++;
            count_arrangement(&all, &a);
        }
        assert_true(n_found > n_rounds / 2);
        check_uniform(&all, n_found);
        for (uint32_t round = 0; round < n_rounds; round++) { /* from anatomy's groups, too */
            for (uint32_t r = 0; r < n; r++)
                anatomy.word[r] = (uint64_t)value[r] << 32 | r;
            assert_true(covey_i_anatomy_list(&anatomy, NULL, n));
            covey_i_slicing_arrange_listed(&a, &anatomy, n, &rng);
            count_arrangement(&all, &a);
        }
        check_uniform(&all, n_rounds);
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_arrangement_is_as_likely_as_any_other)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
