/* How many new rows are suppressed and how many balance buckets, against all ways to choose. */
#include "test.h"

#include <string.h>

#include "method/m_invariance/m_invariance.h"
#include "support/problem/problem_maker.h"

enum { N = 4 };

/* Are the rows that are left m-eligible? */
static bool is_eligible(const int64_t *left, int64_t m)
{
    int64_t sum = 0;

    for (int v = 0; v < N; v++)
        sum += left[v];
    for (int v = 0; v < N; v++)
        if (left[v] * m > sum)
            return false;
    return true;
}

/* The least that is dropped, and the most that is taken then. */
static void find_best(int64_t *dropped, int64_t *taken, const int64_t *n, const int64_t *wanted, int64_t m, int v,
                      int64_t *left, int64_t drop, int64_t take)
{
    if (v == N) {
        if (is_eligible(left, m) && (drop < *dropped || (drop == *dropped && take > *taken))) {
            *dropped = drop;
            *taken = take;
        }
        return;
    }
    for (int64_t d = 0; d <= n[v]; d++)
        for (int64_t t = 0; t <= wanted[v] && d + t <= n[v]; t++) {
            left[v] = n[v] - d - t;
            find_best(dropped, taken, n, wanted, m, v + 1, left, drop + d, take + t);
        }
}

static void as_few_are_suppressed_and_then_as_many_taken_as_can_be(void **state)
{
    uint64_t random = 5;
    int n_dropped = 0, n_kept_back = 0;

    for (int i = 0; i < test_share(1500); i++) {
        int64_t n[N], wanted[N], drop[N], take[N], left[N], least = INT64_MAX, most = 0, taken = 0, sum = 0, asked = 0;
        covey_quota quota = {N, n, wanted, drop, take};
        const int64_t m = 1 + maker_below(&random, 4);

        for (int v = 0; v < N; v++) {
            n[v] = maker_below(&random, 6);
            wanted[v] = maker_below(&random, 3);
        }
        find_best(&least, &most, n, wanted, m, 0, left, 0, 0);
        assert_int_equal(covey_i_quota_find(&quota, m), least);
        for (int v = 0; v < N; v++) {
            left[v] = n[v] - drop[v] - take[v];
            assert_true(drop[v] >= 0 && take[v] >= 0 && take[v] <= wanted[v] && left[v] >= 0);
            sum += drop[v];
            taken += take[v];
            asked += wanted[v] < n[v] ? wanted[v] : n[v];
        }
        assert_int_equal(sum, least);
        assert_true(is_eligible(left, m));
        assert_int_equal(taken, most);
        n_dropped += least > 0;
        n_kept_back += least == 0 && taken < asked;
    }
    assert_true(n_dropped > 20 && n_kept_back > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_few_are_suppressed_and_then_as_many_taken_as_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
