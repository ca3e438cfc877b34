#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sort/keys.h"

enum { MOST_ROWS = 140000 };

struct table {
    uint8_t a[MOST_ROWS];
    uint16_t b[MOST_ROWS];
    uint32_t c[MOST_ROWS];
};

static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static struct table *random_table(uint32_t n_a, uint32_t n_b, uint32_t n_c, bool skewed)
{
    struct table *t = malloc(sizeof *t);
    uint64_t state = 1;

    for (size_t row = 0; row < MOST_ROWS; row++) {
        t->a[row] = skewed && next_word(&state) % 8 > 0 ? 0 : (uint8_t)(next_word(&state) % n_a);
        t->b[row] = (uint16_t)(next_word(&state) % n_b);
        t->c[row] = (uint32_t)(next_word(&state) % n_c);
    }
    return t;
}

/* a, then c, then b, then the place in the input. */
static bool is_before(const struct table *t, uint32_t x, uint32_t y)
{
    if (t->a[x] != t->a[y])
        return t->a[x] < t->a[y];
    if (t->c[x] != t->c[y])
        return t->c[x] < t->c[y];
    if (t->b[x] != t->b[y])
        return t->b[x] < t->b[y];
    return x < y;
}

static void check(uint32_t n_a, uint32_t n_b, uint32_t n_c, size_t n, int n_threads)
{
    struct table *t = random_table(n_a, n_b, n_c, false);
    const covey_sort_key key[] = {{t->a, 1, n_a, NULL}, {t->c, 4, n_c, NULL}, {t->b, 2, n_b, NULL}};
    const covey_run run = {.n_threads = n_threads};
    uint32_t *rows = malloc(MOST_ROWS * sizeof *rows);
    uint8_t *seen = calloc(MOST_ROWS, 1);

    for (uint32_t i = 0; i < n; i++)
        rows[i] = i;
    assert_int_equal(covey_i_sort_rows_by_keys(rows, n, key, 3, &run, NULL), COVEY_OK);
    for (size_t i = 0; i < n; i++) {
        assert_true(rows[i] < n);
        assert_false(seen[rows[i]]);
        seen[rows[i]] = 1;
        if (i > 0)
            assert_true(is_before(t, rows[i - 1], rows[i]));
    }
    free(seen);
    free(rows);
    free(t);
}

/* Pairs are the rows with their keys, as they come in order and as others are sorted. */
static void check_pairs(const uint32_t *rows, const uint32_t *packed, size_t n, uint64_t n_values,
                        const covey_sort_key *key, size_t n_keys, const covey_run *run)
{
    uint64_t *pairs = malloc(MOST_ROWS * sizeof *pairs);

    assert_int_equal(covey_i_keys_sort_pairs(pairs, n, key, n_keys, run, NULL), COVEY_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pairs[i], (uint64_t)packed[i] << 32 | rows[i]);
    for (size_t i = 0; i < n; i++) {
        uint32_t own;

        covey_i_pack_keys(&own, NULL, i, 1, key, n_keys);
        pairs[i] = (uint64_t)own << 32 | i;
    }
    assert_int_equal(covey_i_sort_pairs(pairs, n, n_values, run, NULL), COVEY_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pairs[i], (uint64_t)packed[i] << 32 | rows[i]);
    free(pairs);
}

/* All rows in order, and their keys as one number where they fit. */
static void check_order(uint32_t n_a, uint32_t n_b, uint32_t n_c, bool skewed, size_t n, int n_threads)
{
    struct table *t = random_table(n_a, n_b, n_c, skewed);
    const covey_sort_key key[] = {{t->a, 1, n_a, NULL}, {t->c, 4, n_c, NULL}, {t->b, 2, n_b, NULL}};
    const covey_run run = {.n_threads = n_threads};
    const bool fit = (double)n_a * n_b * n_c <= 4294967296.0;
    uint32_t *rows = malloc(MOST_ROWS * sizeof *rows), *packed = fit ? malloc(MOST_ROWS * sizeof *packed) : NULL;

    assert_int_equal(covey_i_keys_fit(key, 3), fit);
    memset(rows, 0xee, MOST_ROWS * sizeof *rows);
    assert_int_equal(covey_i_keys_sort_rows(rows, packed, n, key, 3, &run, NULL), COVEY_OK);
    for (size_t i = 0; i < n; i++) {
        assert_true(rows[i] < n);
        if (fit)
            assert_int_equal(packed[i], ((uint64_t)t->a[rows[i]] * n_c + t->c[rows[i]]) * n_b + t->b[rows[i]]);
        if (i > 0)
            assert_true(is_before(t, rows[i - 1], rows[i]));
    }
    if (fit) { /* without the rows */
        uint32_t *alone = malloc(MOST_ROWS * sizeof *alone);

        assert_int_equal(covey_i_sort_packed_keys(alone, n, key, 3, &run, NULL), COVEY_OK);
        assert_memory_equal(alone, packed, n * sizeof *alone);
        free(alone);
    }
    if (fit)
        check_pairs(rows, packed, n, (uint64_t)n_a * n_b * n_c, key, 3, &run);
    free(packed);
    free(rows);
    free(t);
}

static void rows_are_sorted_by_the_first_key_then_the_next(void **state)
{
    check(7, 300, 1000, 5000, 1);
    check(1, 1, 1, 100, 1);
    check(2, 1, 3, 1, 1);
    check(2, 1, 3, 0, 1);
}

static void keys_that_do_not_fit_one_word_are_sorted_one_after_another(void **state)
{
    check(256, 65536, UINT32_MAX, 20000, 1);
    check(256, 65536, 1 << 16, 20000, 1);
}

static void few_rows_are_sorted_as_many_are(void **state)
{
    for (size_t n = 0; n <= 60; n++) {
        check(3, 2, 2, n, 1);
        check(256, 65536, UINT32_MAX, n, 1);
    }
}

static void all_rows_come_in_order_with_their_keys(void **state)
{
    check_order(50, 2, 90, false, MOST_ROWS, 2);          /* 14 bits: two passes, the second in parts */
    check_order(50, 2, 90, true, MOST_ROWS, 3);           /* most rows in one part */
    check_order(50, 300, 90, false, MOST_ROWS, 2);        /* 21 bits: more than rows */
    check_order(2, 2, 2, false, MOST_ROWS, 2);            /* one pass */
    check_order(1, 1, 1, false, 5000, 1);                 /* none */
    check_order(256, 256, 65536, false, 70000, 2);        /* 32 bits: three passes */
    check_order(256, 65536, UINT32_MAX, false, 20000, 1); /* more than one number: each sorted after the other */
    check_order(256, 65536, 1, false, 60000, 3);
    check_order(7, 7, 7, false, 0, 1);
    check_order(7, 7, 7, false, 1, 1);
}

static void any_number_of_threads_gives_the_same_order(void **state)
{
    for (int n_threads = 1; n_threads <= 20; n_threads += 3)
        check(50, 2, 90, MOST_ROWS, n_threads);
}

static void a_map_stands_for_the_codes(void **state)
{
    const uint32_t codes[4] = {0, 7, 2, 7}, map[8] = {3, 9, 0, 9, 9, 9, 9, 1};
    const covey_sort_key key = {.codes = codes, .width = 4, .n_values = 4, .map = map};
    uint32_t rows[4] = {0, 1, 2, 3};

    assert_int_equal(covey_i_sort_rows_by_keys(rows, 4, &key, 1, NULL, NULL), COVEY_OK);
    assert_int_equal(rows[0], 2);
    assert_int_equal(rows[1], 1);
    assert_int_equal(rows[2], 3);
    assert_int_equal(rows[3], 0);
}

static void a_failed_allocation_is_reported(void **state)
{
    enum { N = 100 };
    uint16_t codes[N];
    const covey_sort_key key[2] = {{codes, 2, 1 << 15, NULL},
                                   {codes, 2, 1 << 16, NULL}}; /* 31 bits: two arrays of pairs */
    uint32_t rows[N];

    for (uint32_t i = 0; i < N; i++) {
        codes[i] = (uint16_t)(N - i);
        rows[i] = i;
    }
    for (int64_t n = 1; n <= 3; n++) {
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_sort_rows_by_keys(rows, N, key, 2, NULL, NULL), COVEY_ENOMEM);
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_keys_sort_rows(rows, NULL, N, key, 2, NULL, NULL), COVEY_ENOMEM);
    }
    for (int64_t n = 1; n <= 2; n++) {
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_sort_packed_keys(rows, N, key, 2, NULL, NULL), COVEY_ENOMEM);
    }
    covey_i_alloc_fail_at(0);
    assert_int_equal(covey_i_sort_rows_by_keys(rows, N, key, 2, NULL, NULL), COVEY_OK);
    assert_int_equal(rows[0], N - 1);
}

/* Counters of parts, keys that nobody wants, and copies of parts. */
static void a_failed_allocation_is_reported_where_rows_are_sorted_by_parts(void **state)
{
    enum { N = 1 << 13, VALUES = 2 * N };
    uint16_t *codes = malloc(N * sizeof *codes);
    const covey_sort_key key = {codes, 2, VALUES, NULL};
    uint32_t *rows = malloc(N * sizeof *rows), *packed = malloc(N * sizeof *packed);
    uint64_t *pairs = malloc(N * sizeof *pairs);
    const covey_run run = {.n_threads = 1};

    for (uint32_t i = 0; i < N; i++)
        codes[i] = (uint16_t)(VALUES - 1 - 2 * i);
    for (int64_t n = 1; n <= 3; n++) {
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_keys_sort_rows(rows, NULL, N, &key, 1, &run, NULL), COVEY_ENOMEM);
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_keys_sort_rows(rows, packed, N, &key, 1, &run, NULL), COVEY_ENOMEM);
        covey_i_alloc_fail_at(n);
        assert_int_equal(covey_i_keys_sort_pairs(pairs, N, &key, 1, &run, NULL), COVEY_ENOMEM);
    }
    covey_i_alloc_fail_at(0);
    assert_int_equal(covey_i_keys_sort_rows(rows, packed, N, &key, 1, &run, NULL), COVEY_OK);
    assert_int_equal(covey_i_keys_sort_pairs(pairs, N, &key, 1, &run, NULL), COVEY_OK);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(rows[i], N - 1 - i);
        assert_int_equal(packed[i], 2 * i + 1);
        assert_int_equal(pairs[i], (uint64_t)packed[i] << 32 | rows[i]);
    }
    free(codes);
    free(rows);
    free(packed);
    free(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_by_the_first_key_then_the_next),
        cmocka_unit_test(keys_that_do_not_fit_one_word_are_sorted_one_after_another),
        cmocka_unit_test(few_rows_are_sorted_as_many_are),
        cmocka_unit_test(all_rows_come_in_order_with_their_keys),
        cmocka_unit_test(any_number_of_threads_gives_the_same_order),
        cmocka_unit_test(a_map_stands_for_the_codes),
        cmocka_unit_test(a_failed_allocation_is_reported),
        cmocka_unit_test(a_failed_allocation_is_reported_where_rows_are_sorted_by_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
