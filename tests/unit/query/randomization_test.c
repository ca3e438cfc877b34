/* The inverse of a randomization in closed form. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "query/perturbed/perturbed.h"

static covey_randomization make(const double *alpha, uint32_t n)
{
    covey_randomization r;
    covey_error err;

    assert_int_equal(covey_i_randomization_make(&r, alpha, n, &err), COVEY_OK);
    return r;
}

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g, not %.17g", got, expected);
}

/* Row by row: E[weight of what true value j shows] = a_j. */
static void assert_unbiased(const covey_randomization *r, const double *weight, const double *a)
{
    for (uint32_t j = 0; j < r->n; j++) {
        double mean = r->alpha[j] * weight[j];

        for (uint32_t i = 0; i < r->n; i++)
            mean += (1 - r->alpha[j]) / r->n * weight[i];
        assert_near(mean, a[j]);
    }
}

/* How many rows have each value, from how many show it. */
static void estimate_counts(double *count, const covey_randomization *r, const double *shown)
{
    for (uint32_t j = 0; j < r->n; j++) {
        double a[4] = {0}, weight[4];

        a[j] = 1;
        covey_i_randomization_weights(weight, r, a);
        count[j] = 0;
        for (uint32_t i = 0; i < r->n; i++)
            count[j] += weight[i] * shown[i];
    }
}

static void test_randomization__equal_shares(void **state)
{
    const double alpha[] = {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    const covey_randomization r = make(alpha, 4);

    for (int j = 0; j < 4; j++) { /* the inverse matrix: 5/2 on, -1/2 off the diagonal */
        double a[4] = {0}, weight[4];

        a[j] = 1;
        covey_i_randomization_weights(weight, &r, a);
        for (int i = 0; i < 4; i++)
            assert_near(weight[i], i == j ? 2.5 : -0.5);
    }
}

static const double rising[] = {25.0 / 357, 5.0 / 49, 5.0 / 33, 5.0 / 21};

static void test_randomization__the_inverse_of_the_worked_example(void **state)
{
    const double first_row[] = {9639.0 / 1090, -3927.0 / 1090, -2499.0 / 1090, -714.0 / 545};
    const covey_randomization r = make(rising, 4);

    for (int j = 0; j < 4; j++) {
        double shown[4] = {0}, count[4];

        shown[j] = 1;
        estimate_counts(count, &r, shown);
        assert_near(count[0], first_row[j]);
    }
}

static void test_randomization__counts_of_the_worked_example(void **state)
{
    const double shown[] = {22, 24, 26, 28}, expected[] = {11.790826, 27.691743, 31.849541, 28.667890};
    const covey_randomization r = make(rising, 4);
    double count[4];

    estimate_counts(count, &r, shown);
    for (int j = 0; j < 4; j++)
        assert_true(fabs(count[j] - expected[j]) < 5e-7);
    assert_near(count[0] + count[1] + count[2] + count[3], 100);
}

static void test_randomization__estimate_and_variance_of_the_worked_example(void **state)
{
    const double share[] = {.1, .2, .3, .4}, a[] = {0, 0, 1, 1};
    int64_t shown[] = {22, 24, 26, 28};
    const covey_query_perturbed p = {.randomization = make(rising, 4), .n_values = 4, .share = share};
    const covey_perturbed_kind kind = {1, 100, shown};
    covey_perturbed_sum sum = {0}, shrunk;
    double room[8], weight[4], variance = 0;

    covey_i_perturbed_add(&sum, &p, &kind, a, room);
    assert_true(fabs(sum.estimate - 60.517431) < 5e-7);
    assert_true(fabs(sum.variance - 1393.649437) < 5e-7);
    /* the variance for the true counts 10, 20, 30, 40 */
    covey_i_randomization_weights(weight, &p.randomization, a);
    for (int j = 0; j < 4; j++) {
        double square = rising[j] * weight[j] * weight[j];

        for (int i = 0; i < 4; i++)
            square += (1 - rising[j]) / 4 * weight[i] * weight[i];
        variance += 10.0 * (j + 1) * (square - a[j]);
    }
    assert_true(fabs(variance - 1375.394190) < 5e-7);
    /* towards 70 = 100 (0.3 + 0.4), whose variance counts as (70/4)^2 + 1 */
    shrunk = sum;
    covey_i_perturbed_shrink(&shrunk);
    assert_near(shrunk.estimate, (sum.estimate / sum.variance + 70 / 307.25) / (1 / sum.variance + 1 / 307.25));
    assert_near(shrunk.variance, 1 / (1 / sum.variance + 1 / 307.25));
}

static void test_randomization__one_value(void **state)
{
    const double alpha[] = {1}, a[] = {7}, shown[] = {5};
    const covey_randomization r = make(alpha, 1);
    double weight[1], count[1];

    covey_i_randomization_weights(weight, &r, a);
    estimate_counts(count, &r, shown);
    assert_near(weight[0], 7);
    assert_near(count[0], 5);
}

static void test_randomization__one_value_that_is_never_kept(void **state)
{
    for (uint32_t never = 0; never < 3; never++) {
        double alpha[] = {.5, .25, .125}, a[] = {1, 0, 3}, shown[3] = {0}, count[3], weight[3];
        const double truth[] = {10, 20, 70};
        covey_randomization r;

        alpha[never] = 0;
        r = make(alpha, 3);
        assert_int_equal(r.never_kept, never);
        covey_i_randomization_weights(weight, &r, a);
        assert_unbiased(&r, weight, a);
        for (int i = 0; i < 3; i++) /* what would be shown on average */
            for (int j = 0; j < 3; j++)
                shown[i] += truth[j] * ((i == j ? alpha[j] : 0) + (1 - alpha[j]) / 3);
        estimate_counts(count, &r, shown);
        for (int j = 0; j < 3; j++)
            assert_near(count[j], truth[j]);
    }
}

static void test_randomization__two_values_that_are_never_kept_are_refused(void **state)
{
    const double alpha[] = {.5, 0, .25, 0};
    covey_randomization r;
    covey_error err;

    assert_int_equal(covey_i_randomization_make(&r, alpha, 4, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "alpha 0 in lines 3 and 5"));
}

static void test_randomization__nearly_never_kept(void **state)
{
    const double alpha[] = {0x1p-30, .5, 0x1p-30, 1}, a[] = {1, 0, 0, 1};
    const covey_randomization r = make(alpha, 4);
    double weight[4], total = 0;

    covey_i_randomization_weights(weight, &r, a);
    for (int i = 0; i < 4; i++)
        total += weight[i];
    for (int j = 0; j < 4; j++) /* sums of weights near 2^30 cancel */
        assert_true(fabs(alpha[j] * weight[j] + (1 - alpha[j]) / 4 * total - a[j]) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_randomization__equal_shares),
        cmocka_unit_test(test_randomization__the_inverse_of_the_worked_example),
        cmocka_unit_test(test_randomization__counts_of_the_worked_example),
        cmocka_unit_test(test_randomization__estimate_and_variance_of_the_worked_example),
        cmocka_unit_test(test_randomization__one_value),
        cmocka_unit_test(test_randomization__one_value_that_is_never_kept),
        cmocka_unit_test(test_randomization__two_values_that_are_never_kept_are_refused),
        cmocka_unit_test(test_randomization__nearly_never_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
