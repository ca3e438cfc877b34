#include "test.h"

#include "base/exact/entropy.h"

enum { MOST = 64 };

static bool reaches(const int64_t *count, uint32_t n, covey_ratio l)
{
    uint32_t value[MOST];
    int64_t total = 0;

    for (uint32_t v = 0; v < n; v++) {
        value[v] = v;
        total += count[v];
    }
    return covey_i_entropy_reaches(count, value, n, total, l);
}

static void l_equally_frequent_values_reach_l_and_nothing_more(void **unused)
{
    for (uint32_t n = 1; n <= MOST; n++)
        for (int64_t each = 1; each <= 1000; each = each * 3 + 1) {
            int64_t count[MOST];

            for (uint32_t v = 0; v < n; v++)
                count[v] = each;
            assert_true(reaches(count, n, (covey_ratio){n, 1}));
            assert_false(reaches(count, n, (covey_ratio){(int64_t)n * 1000000000000 + 1, 1000000000000}));
        }
}

static void unequal_counts_can_reach_a_whole_number_exactly(void **unused)
{
    /* 8^8 / 4^4 = 2^16 = 4^8 */
    assert_true(reaches((const int64_t[]){4, 1, 1, 1, 1}, 5, (covey_ratio){4, 1}));
    assert_false(reaches((const int64_t[]){4, 1, 1, 1, 1}, 5, (covey_ratio){400000000000001, 100000000000000}));
    assert_true(reaches((const int64_t[]){4000, 1000, 1000, 1000, 1000}, 5, (covey_ratio){4, 1}));
    /* one row moved makes it a little less */
    assert_false(reaches((const int64_t[]){4001, 1000, 1000, 999, 1000}, 5, (covey_ratio){4, 1}));
}

static void zeros_count_for_nothing(void **unused)
{
    assert_true(reaches((const int64_t[]){5, 0, 5, 0, 5}, 5, (covey_ratio){3, 1}));
}

static void large_prime_counts_are_handled(void **unused)
{
    const int64_t prime = 2147483647; /* beyond 2^16: found by common divisors only */

    assert_true(reaches((const int64_t[]){prime, prime}, 2, (covey_ratio){2, 1}));
    assert_false(reaches((const int64_t[]){prime, prime - 1}, 2, (covey_ratio){2, 1}));
    assert_true(reaches((const int64_t[]){prime, prime - 1}, 2, (covey_ratio){199999999, 100000000}));
}

static void a_denominator_with_large_primes_is_handled(void **unused)
{
    /* l = a/b with b = 65537 * 131071 */
    assert_true(reaches((const int64_t[]){65537, 65537}, 2, (covey_ratio){17180000253, 8590000127}));
    assert_false(reaches((const int64_t[]){65537, 65537}, 2, (covey_ratio){17180000255, 8590000127}));
    assert_true(reaches((const int64_t[]){65537, 131071}, 2,
                        (covey_ratio){(int64_t)65537 * 131071 + 1, (int64_t)65537 * 131071}));
}

/* All multisets of at most six counts with a sum of at most 12, against integers of 128 bits. */
static bool oracle(const int64_t *count, uint32_t n, int64_t m, covey_ratio l)
{
    unsigned __int128 left = 1, right = 1;

    for (int64_t i = 0; i < m; i++) {
        left *= (unsigned __int128)(m * l.den);
        right *= (unsigned __int128)l.num;
    }
    for (uint32_t v = 0; v < n; v++)
        for (int64_t i = 0; i < count[v]; i++)
            right *= (unsigned __int128)count[v];
    return left >= right;
}

static void small_classes_agree_with_whole_numbers(void **unused)
{
    static const covey_ratio ls[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {3, 2}, {5, 2}, {7, 3}, {12, 5}, {27, 10}};
    int64_t count[6];

    for (int code = 1; code < 7 * 7 * 7 * 7 * 7 * 7; code++) {
        bool descending = true;
        int64_t m = 0;

        for (int v = 0, rest = code; v < 6; v++, rest /= 7) {
            m += count[v] = rest % 7;
            descending &= v == 0 || count[v] <= count[v - 1];
        }
        if (m > 12 || !descending)
            continue;
        for (size_t i = 0; i < sizeof ls / sizeof *ls; i++)
            assert_int_equal(reaches(count, 6, ls[i]), oracle(count, 6, m, ls[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l_equally_frequent_values_reach_l_and_nothing_more),
        cmocka_unit_test(unequal_counts_can_reach_a_whole_number_exactly),
        cmocka_unit_test(zeros_count_for_nothing),
        cmocka_unit_test(large_prime_counts_are_handled),
        cmocka_unit_test(a_denominator_with_large_primes_is_handled),
        cmocka_unit_test(small_classes_agree_with_whole_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
