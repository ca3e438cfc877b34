#include "test.h"

#include "base/exact/log.h"

/* hi 10^19 + lo */
static covey_u128 wide(uint64_t hi, uint64_t lo)
{
    return (covey_u128)hi * 10000000000000000000u + lo;
}

/* Expected values: floor(ln(num/den) 2^64) with 80 digits. */
static void logarithms_are_just_below_the_truth(void **unused)
{
    static const struct {
        uint64_t num, den, hi, lo;
    } rows[] = {
        {1, 1, 0, 0},
        {2, 1, 1, 2786308645202655659u},
        {3, 2, 0, 7479511080090283978u},
        {19, 2, 4, 1529003644135281812u},
        {1000003, 7, 21, 8955536340491054113u},
        {4294967295u, 1, 40, 9161876642190013816u},
        {4294967295u, 4294967294u, 0, 4294967297u},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const covey_u128 truth = wide(rows[i].hi, rows[i].lo), found = covey_i_log_floor(rows[i].num, rows[i].den);

        assert_true(found <= truth);
        assert_true(truth - found < 2);
    }
}

/* Expected values: floor(e^x 2^90) with 80 digits. */
static void exponentials_are_just_below_the_truth(void **unused)
{
    static const struct {
        covey_ratio x;
        uint64_t hi, lo;
    } rows[] = {
        {{0, 1}, 123794003, 9285380274899124224u},
        {{1, 1}, 336506991, 3511325784023614818u},
        {{41, 100}, 186535006, 8098515651000055796u},
        {{2, 5}, 184678952, 4804934727571809460u},
        {{5, 3}, 655426122, 1074923148755237272u},
        {{1, 1000000000000}, 123794003, 9286618214938410223u},
        {{23, 1}, 1206348236107767557u, 4722519520038694869u},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const covey_u128 truth = wide(rows[i].hi, rows[i].lo), found = covey_i_log_exp_floor(rows[i].x);

        assert_true(found <= truth);
        assert_true(truth - found < 1 + (truth >> 86));
    }
}

static int sign_of(int n, const int64_t (*terms)[2], int n_terms)
{
    covey_log_sum sum;

    covey_i_log_sum_init(&sum, n);
    for (int i = 0; i < n_terms; i++)
        covey_i_log_sum_add(&sum, terms[i][0], (uint64_t)terms[i][1]);
    return covey_i_log_sum_sign(&sum);
}

static void sums_of_logarithms_have_their_sign(void **unused)
{
    /* 2^8 > 3^5, 2^19 < 3^12, and the best approximation below 10^6: 3^190537 < 2^301994 */
    assert_int_equal(sign_of(1, (const int64_t[][2]){{8, 2}, {-5, 3}}, 2), 1);
    assert_int_equal(sign_of(1, (const int64_t[][2]){{19, 2}, {-12, 3}}, 2), -1);
    assert_int_equal(sign_of(1, (const int64_t[][2]){{190537, 3}, {-301994, 2}}, 2), -1);
    assert_int_equal(sign_of(64, (const int64_t[][2]){{190537, 3}, {-301994, 2}}, 2), -1);
}

static void equal_products_stay_undecided_at_any_precision(void **unused)
{
    for (int n = 1; n <= COVEY_LOG_SUM_LIMBS; n *= 2)
        assert_int_equal(sign_of(n, (const int64_t[][2]){{1, 6}, {-1, 2}, {-1, 3}}, 3), 0);
}

static void numbers_that_differ_in_the_last_digit_are_told_apart_by_enough_limbs(void **unused)
{
    /* ln(1 - 1/n^2) summed: n^2 against (n-1)(n+1), 2^-60 apart */
    const int64_t n = 1 << 30;
    const int64_t terms[][2] = {{2, n}, {-1, n - 1}, {-1, n + 1}};

    assert_int_equal(sign_of(1, terms, 3), 0);
    assert_int_equal(sign_of(2, terms, 3), 1);
}

struct terms {
    covey_log_term term[8];
};

static covey_log_term term_at(const void *context, uint64_t index)
{
    return ((const struct terms *)context)->term[index];
}

static bool is_within(const struct terms *terms, uint64_t n, uint64_t whole, covey_ratio t, bool natural)
{
    const covey_log_form form = {
        .term = term_at, .context = terms, .n_terms = n, .whole = whole, .t = t, .natural = natural};

    return covey_i_log_form_is_within(&form);
}

static void forms_are_compared_exactly(void **unused)
{
    const covey_u128 large = ((covey_u128)1 << 126) + 1;
    /* 6 * 35 = 10 * 21, each to the 5th */
    const struct terms alike = {{{6, 5, false}, {35, 5, false}, {10, 5, true}, {21, 5, true}}};
    /* 2^126 + 1 is above 2^126, by 10^-38 */
    const struct terms near = {{{large, 1, false}, {(covey_u128)1 << 126, 1, true}}};
    const struct terms power = {{{(covey_u128)1 << 100, (covey_u128)1 << 65, false}}};
    /* two primes beyond 2^16, and their product: not taken apart, not told apart, so not within */
    const struct terms hidden = {{{65537, 1, false}, {65539, 1, false}, {(covey_u128)65537 * 65539, 1, true}}};

    assert_true(is_within(&alike, 4, 1, (covey_ratio){0, 1}, true));
    assert_true(is_within(&alike, 4, 1, (covey_ratio){0, 1}, false));
    assert_false(is_within(&alike, 3, 1, (covey_ratio){0, 1}, false));
    assert_false(is_within(&near, 2, 1, (covey_ratio){0, 1}, true));
    assert_true(is_within(&near, 2, 1, (covey_ratio){1, INT64_MAX}, true));
    assert_true(is_within(&power, 1, (uint64_t)1 << 63, (covey_ratio){400, 1}, false));
    assert_false(is_within(&power, 1, (uint64_t)1 << 63, (covey_ratio){INT64_MAX, INT64_MAX / 400 + 1}, false));
    assert_false(is_within(&hidden, 3, 1, (covey_ratio){0, 1}, true));
}

/* Numbers of more than 61 bits are split; their logarithms add up to those of their factors, however large the weights.
 */
static void wide_numbers_are_their_factors(void **unused)
{
    const covey_u128 weight = ((covey_u128)1 << 66) - 1;

    for (uint64_t i = 0; i < 60; i++) {
        const uint64_t x = 0xFFFFFFFFFFFFFFC5u - 12345678901 * i,
                       y = (uint64_t)1 << 61 | (0x123456789ABCDEFu * (i + 1) & ~((uint64_t)7 << 61));
        const covey_u128 product = (covey_u128)x * y;
        struct terms terms = {{{product, weight, false}, {x, weight, true}, {y, weight, true}}};

        assert_true(product < (covey_u128)1 << 127);
        assert_true(is_within(&terms, 3, 1, (covey_ratio){1, INT64_MAX}, true)); /* equal */
        terms.term[0].number++;
        assert_false(is_within(&terms, 3, 1, (covey_ratio){0, 1}, true));
        terms.term[0].number -= 2;
        assert_true(is_within(&terms, 3, 1, (covey_ratio){0, 1}, true));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_just_below_the_truth),
        cmocka_unit_test(exponentials_are_just_below_the_truth),
        cmocka_unit_test(sums_of_logarithms_have_their_sign),
        cmocka_unit_test(equal_products_stay_undecided_at_any_precision),
        cmocka_unit_test(forms_are_compared_exactly),
        cmocka_unit_test(wide_numbers_are_their_factors),
        cmocka_unit_test(numbers_that_differ_in_the_last_digit_are_told_apart_by_enough_limbs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
