#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/problem_maker.h"
#include "base/exact/cap.h"
#include "method/method_impl.h"
#include "method/perturbation/perturbation.h"
#include "release/perturbed.h"

enum { MOST = 64 };

/* A plan with everything it points to. */
struct made {
    covey_perturbation_plan plan;
    int64_t count[MOST];
    covey_cap bound[MOST];
    double cap[MOST], gamma[MOST], alpha[MOST];
};

static bool may_have(const void *context, uint32_t i, covey_u128 num, covey_u128 den)
{
    const covey_cap *cap = &((const struct made *)context)->bound[i];

    return covey_i_fraction_compare_products(num, cap->den, den, cap->num) <= 0 &&
           (cap->log_share == UINT64_MAX ||
            covey_i_fraction_compare_products(num, (covey_u128)1 << 62, den, cap->log_share) <= 0);
}

static void make(struct made *m, const int64_t *count, uint32_t n, covey_ratio beta, bool enhanced)
{
    int64_t total = 0;

    for (uint32_t i = 0; i < n; i++)
        total += count[i];
    for (uint32_t i = 0; i < n; i++) {
        const double p = (double)count[i] / (double)total, gain = covey_ratio_value(beta);

        m->count[i] = count[i];
        m->bound[i] = enhanced ? covey_i_cap_enhanced(count[i], total, beta) : covey_i_cap_basic(count[i], total, beta);
        m->cap[i] = fmin(1, p * (1 + (enhanced ? fmin(gain, -log(p)) : gain)));
    }
    m->plan = (covey_perturbation_plan){
        .n = n, .count = m->count, .total = total, .cap = m->cap, .gamma = m->gamma, .alpha = m->alpha};
    assert_int_equal(covey_i_perturbation_plan(&m->plan, may_have, m, NULL), COVEY_OK);
}

static void expect(const double *got, const double *expected, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(got[i] - expected[i]) <= tolerance);
}

static void the_worked_examples_come_out(void **state)
{
    const int64_t even[] = {1, 1, 1, 1}, rising[] = {10, 20, 30, 40}, paper[] = {2, 3, 3, 3, 4, 4};
    const double third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}, three[] = {3, 3, 3, 3};
    const double rising_gamma[] = {27.0 / 17, 12.0 / 7, 21.0 / 11, 9.0 / 4},
                 rising_alpha[] = {25.0 / 357, 5.0 / 49, 5.0 / 33, 5.0 / 21};
    const double paper_gamma[] = {3.923077, 4.352033, 4.352033, 4.352033, 4.376677, 4.376677};
    const double paper_alpha[] = {.302064, .356961, .356961, .356961, .360114, .360114};
    struct made m;

    make(&m, even, 4, (covey_ratio){1, 1}, true);
    expect(m.gamma, three, 4, 1e-12);
    expect(m.alpha, third, 4, 1e-9);
    assert_int_equal(m.plan.status, COVEY_PERTURBATION_PUBLISHED);
    make(&m, rising, 4, (covey_ratio){1, 2}, true);
    expect(m.gamma, rising_gamma, 4, 1e-9);
    expect(m.alpha, rising_alpha, 4, 1e-9);
    make(&m, paper, 6, (covey_ratio){2, 1}, true);
    expect(m.gamma, paper_gamma, 6, 1e-6);
    expect(m.alpha, paper_alpha, 6, 1e-6);
}

static void one_value_is_left_alone(void **state)
{
    const int64_t one[] = {7};
    struct made m;

    make(&m, one, 1, (covey_ratio){1, 1}, true);
    assert_int_equal(m.plan.status, COVEY_PERTURBATION_DEGENERATE);
    assert_true(m.alpha[0] == 1 && m.plan.gain == 0);
}

/* The published formula gives -0.948496 and 0.990115 here. */
static void negative_probabilities_are_repaired(void **state)
{
    const int64_t skewed[] = {1, 99};
    struct made m;

    make(&m, skewed, 2, (covey_ratio){4, 1}, true);
    assert_int_equal(m.plan.status, COVEY_PERTURBATION_REPAIRED);
    assert_true(m.alpha[0] > 0 && m.alpha[0] <= 1 && m.alpha[1] > 0 && m.alpha[1] <= 1);
}

/* Without the table: posterior of i when v shows, from the probabilities as they are, in long doubles. */
static long double worst_excess(const struct made *m)
{
    long double worst = -1;

    for (uint32_t v = 0; v < m->plan.n; v++) {
        long double shown = 0;

        for (uint32_t i = 0; i < m->plan.n; i++)
            shown +=
                m->count[i] * ((i == v ? (long double)m->alpha[i] : 0) + (1 - (long double)m->alpha[i]) / m->plan.n);
        for (uint32_t i = 0; i < m->plan.n; i++) {
            const long double joint =
                m->count[i] * ((i == v ? (long double)m->alpha[i] : 0) + (1 - (long double)m->alpha[i]) / m->plan.n);

            if (joint > 0 && joint / shown / (long double)m->cap[i] - 1 > worst)
                worst = joint / shown / (long double)m->cap[i] - 1;
        }
    }
    return worst;
}

/* The last alpha is 0 exactly: (6 * 29/9) / (43/3 + 5) = 1; doubles make a bit more of it. */
static void a_probability_of_zero_is_repaired(void **state)
{
    const int64_t count[] = {15, 17, 14, 9, 3, 2};
    struct made m;

    make(&m, count, 6, (covey_ratio){2, 1}, false);
    assert_int_equal(m.plan.status, COVEY_PERTURBATION_REPAIRED);
    for (size_t i = 0; i < 6; i++)
        assert_true(m.alpha[i] > 0.1);
}

static void no_posterior_exceeds_its_bound_whatever_the_distribution(void **state)
{
    uint64_t seed = 5;
    unsigned n_repaired = 0;

    for (int trial = 0; trial < 3000; trial++) {
        const uint32_t n = 2 + maker_below(&seed, trial % 10 == 0 ? 40 : 5);
        const covey_ratio beta = {1 + maker_below(&seed, 60), 10};
        int64_t count[MOST];
        struct made m;

        for (uint32_t i = 0; i < n; i++)
            count[i] = 1 + maker_below(&seed, maker_below(&seed, 4) ? 10 : 1000000);
        make(&m, count, n, beta, trial % 2);
        assert_true(worst_excess(&m) < 1e-12);
        n_repaired += m.plan.status == COVEY_PERTURBATION_REPAIRED;
        for (uint32_t i = 0; i < n; i++)
            assert_true(m.alpha[i] > 0 && m.alpha[i] <= 1);
    }
    assert_true(n_repaired > 300);
}

static void products_of_128_bits_compare_exactly(void **state)
{
    const covey_u128 most = ~(covey_u128)0, half = (covey_u128)1 << 127;

    assert_int_equal(covey_i_fraction_compare_products(most, most, most, most), 0);
    assert_int_equal(covey_i_fraction_compare_products(most, most - 1, most, most), -1);
    assert_int_equal(covey_i_fraction_compare_products(most, 2, half, 4), -1);
    assert_int_equal(covey_i_fraction_compare_products(half, 4, most, 2), 1);
    assert_int_equal(covey_i_fraction_compare_products(half, 2, (covey_u128)1 << 64, (covey_u128)1 << 64), 0);
    assert_int_equal(covey_i_fraction_compare_products(0, most, 0, 1), 0);
    assert_int_equal(covey_i_fraction_compare_products(3, 5, 2, 7), 1);
}

/* What rows of each value come to show against what they should: chi-square with 3 degrees of freedom each, false alarm
 * below 1e-9. */
static void rows_are_randomized_as_planned(void **state)
{
    enum { ROWS = 40000, VALUES = 4 };
    static uint32_t quasi[ROWS], sensitive[ROWS];
    const covey_method *method = covey_method_find("perturbation");
    const covey_run run = {.has_seed = true, .seed = 3};
    double seen[VALUES][VALUES] = {{0}}, rows[VALUES] = {0};
    problem_maker m;
    covey_release *release = NULL;
    covey_perturbed *data;
    void *params;
    covey_error err;

    maker_init(&m, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        quasi[i] = i % 50;
        sensitive[i] = i % 10 < 1 ? 0 : i % 10 < 3 ? 1 : i % 10 < 6 ? 2 : 3;
    }
    maker_add_range(&m, "q", quasi, 50, false, NULL);
    maker_promise(&m, "enhanced-beta-likeness", "beta=1/2", maker_add_sensitive(&m, "s", sensitive, VALUES));
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    assert_non_null(params = covey_arena_alloc_zero(&m.arena, 1, method->params_size));
    assert_int_equal(method->accepts(&m.problem.promises, params, &err), COVEY_OK);
    assert_int_equal(method->run(&release, &m.problem, params, &run, &err), COVEY_OK);
    data = release->form_data;
    assert_int_equal(data->n_values, VALUES);
    for (uint32_t i = 0; i < ROWS; i++) {
        seen[sensitive[i]][((const uint8_t *)data->codes)[i]]++;
        rows[sensitive[i]]++;
    }
    for (int i = 0; i < VALUES; i++) {
        double chi = 0;

        for (int v = 0; v < VALUES; v++) {
            const double expected = rows[i] * ((i == v ? data->alpha[i] : 0) + (1 - data->alpha[i]) / VALUES);

            chi += (seen[i][v] - expected) * (seen[i][v] - expected) / expected;
        }
        assert_true(chi < 46);
    }
    covey_release_free(release);
    maker_clear(&m);
}

static void other_promises_are_refused(void **state)
{
    static const uint32_t quasi[] = {0, 1, 2, 3}, sensitive[] = {0, 1, 0, 1};
    const covey_method *method = covey_method_find("perturbation");
    problem_maker m;
    covey_error err;

    maker_init(&m, 4);
    maker_add_range(&m, "q", quasi, 4, false, NULL);
    maker_promise(&m, "enhanced-beta-likeness", "beta=1", maker_add_sensitive(&m, "s", sensitive, 2));
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, &err), COVEY_OK);
    assert_int_equal(method->accepts(&m.problem.promises, NULL, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "k-anonymity"));
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_examples_come_out),
        cmocka_unit_test(one_value_is_left_alone),
        cmocka_unit_test(negative_probabilities_are_repaired),
        cmocka_unit_test(a_probability_of_zero_is_repaired),
        cmocka_unit_test(no_posterior_exceeds_its_bound_whatever_the_distribution),
        cmocka_unit_test(products_of_128_bits_compare_exactly),
        cmocka_unit_test(rows_are_randomized_as_planned),
        cmocka_unit_test(other_promises_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
