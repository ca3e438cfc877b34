/* Sums of fractions that doubles cannot tell from nothing. */
#include "test.h"

#include "base/exact/sum.h"

static int sign_of(size_t n, size_t k, const covey_i128 *x, const uint32_t *num, const uint32_t *den)
{
    const covey_exact_sum sum = {n, k, x, num, den};
    covey_arena arena = COVEY_ARENA_INIT;
    int sign = 7;

    assert_int_equal(covey_i_exact_sum_sign(&sign, &sum, &arena, NULL), COVEY_OK);
    covey_arena_free(&arena);
    return sign;
}

static void nothing_is_nothing(void **state)
{
    assert_int_equal(sign_of(0, 3, NULL, NULL, NULL), 0);
    assert_int_equal(sign_of(2, 1, (covey_i128[]){1, -1}, (uint32_t[]){3, 3}, (uint32_t[]){7, 7}), 0);
    assert_int_equal(sign_of(1, 1, (covey_i128[]){0}, (uint32_t[]){3}, (uint32_t[]){7}), 0);
}

/* 1/3 + 1/7 - 10/21 = 0, and a little more or less. */
static void fractions_with_different_denominators_are_added_up(void **state)
{
    const uint32_t num[] = {1, 1, 10, 1}, den[] = {3, 7, 21, 4000000007u};

    assert_int_equal(sign_of(3, 1, (covey_i128[]){1, 1, -1}, num, den), 0);
    assert_int_equal(sign_of(4, 1, (covey_i128[]){1, 1, -1, 1}, num, den), 1);
    assert_int_equal(sign_of(4, 1, (covey_i128[]){1, 1, -1, -1}, num, den), -1);
}

/* Differences far below what doubles hold: a/b - (a+1)/(b+1) with a and b near 2^32, to the 8th. */
static void long_products_are_compared(void **state)
{
    enum { K = 8 };
    uint32_t num[2 * K], den[2 * K];

    for (int f = 0; f < K; f++) {
        num[f] = 4294967290u;
        den[f] = 4294967291u;
        num[K + f] = 4294967291u;
        den[K + f] = 4294967292u;
    }
    assert_int_equal(sign_of(2, K, (covey_i128[]){1, -1}, num, den), -1);
    assert_int_equal(sign_of(2, K, (covey_i128[]){-1, 1}, num, den), 1);
    num[K] = 4294967290u; /* (1 - 1/x) (1 - 1/(x+1))^7 ... */
    den[K] = 4294967291u;
    assert_int_equal(sign_of(2, K, (covey_i128[]){1, -1}, num, den), -1);
    for (int f = 0; f < K; f++) { /* the same factors in another order */
        num[K + f] = num[K - 1 - f] = 4294967000u + (uint32_t)f;
        den[K + f] = den[K - 1 - f] = 4294967200u + (uint32_t)f;
    }
    assert_int_equal(sign_of(2, K, (covey_i128[]){5, -5}, num, den), 0);
}

/* Against fractions of 128 bits. */
static void small_sums_agree_with_fractions(void **state)
{
    uint64_t seed = 17;

    for (int round = 0; round < 20000; round++) {
        uint32_t num[6], den[6];
        covey_i128 x[3], common = 1, total = 0;

        for (int i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            num[i] = 1 + (uint32_t)(seed >> 40) % 6;
            den[i] = 1 + (uint32_t)(seed >> 50) % 6;
            common *= den[i];
        }
        for (int i = 0; i < 3; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[i] = (covey_i128)((seed >> 40) % 9) - 4;
            total += x[i] * num[2 * i] * num[2 * i + 1] * (common / den[2 * i] / den[2 * i + 1]);
        }
        assert_int_equal(sign_of(3, 2, x, num, den), total > 0 ? 1 : total < 0 ? -1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_nothing),
        cmocka_unit_test(fractions_with_different_denominators_are_added_up),
        cmocka_unit_test(long_products_are_compared),
        cmocka_unit_test(small_sums_agree_with_fractions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
