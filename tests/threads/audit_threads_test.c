/* A verdict does not depend on the number of threads. */
#include "test.h"

#include <covey/utility.h>

#include <math.h>
#include <string.h>

#include "support/release/random_release.h"

static covey_verdict *verify(const release_folder *r, int n_threads)
{
    covey_verify_options options = {.original = r->original};
    covey_run run = {.n_threads = n_threads};
    covey_verdict *verdict = NULL;

    assert_int_equal(covey_verify(&verdict, r->path, &options, &run, NULL), COVEY_OK);
    return verdict;
}

static void assert_same(const covey_verdict *a, const covey_verdict *b)
{
    assert_int_equal(a->holds, b->holds);
    assert_int_equal(a->faithful, b->faithful);
    assert_int_equal(a->n_problems, b->n_problems);
    for (size_t i = 0; i < a->n_problems; i++)
        assert_string_equal(a->problem[i], b->problem[i]);
    assert_int_equal(a->n_promises, b->n_promises);
    for (size_t p = 0; p < a->n_promises; p++) {
        assert_string_equal(a->promise[p].achieved, b->promise[p].achieved);
        assert_int_equal(a->promise[p].worst_class, b->promise[p].worst_class);
        assert_int_equal(a->promise[p].holds, b->promise[p].holds);
    }
    assert_int_equal(a->n_classes, b->n_classes);
    assert_true(fabs(a->figures.discernibility - b->figures.discernibility) < 1e-9);
}

static void test_audit__threads_change_nothing(void **state)
{
    static const int threads[] = {2, 3, 8};
    uint64_t seed = 5;

    for (int i = 0; i < 12; i++) {
        release_folder r;
        covey_verdict *one, *many;

        if (!random_release(&r, &seed, NULL)) {
            release_end(&r);
            continue;
        }
        if (i % 2) { /* also one that does not hold, in every class */
            release_set(&r, "promises.0.parameters.k", "'1000'");
            release_write(&r);
        }
        one = verify(&r, 1);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            many = verify(&r, threads[t]);
            assert_same(one, many);
            covey_verdict_free(many);
        }
        covey_verdict_free(one);
        release_end(&r);
    }
}

static void test_measure__threads_change_nothing(void **state)
{
    uint64_t seed = 6;

    for (int i = 0; i < 6; i++) {
        covey_measurement *m[2] = {NULL, NULL};
        release_folder r;

        if (random_release(&r, &seed, NULL)) {
            covey_measure_options options = {.original = r.original};

            for (int t = 0; t < 2; t++) {
                covey_run run = {.n_threads = t ? 8 : 1};

                assert_int_equal(covey_measure(&m[t], r.path, &options, &run, NULL), COVEY_OK);
            }
            for (size_t f = 0; f < m[0]->n_figures; f++) /* a bound is as good as the machine can make it in its time */
                if (strcmp(covey_metric_name(m[0]->figure[f].metric), "lower_bound") != 0)
                    assert_memory_equal(&m[0]->figure[f].value, &m[1]->figure[f].value, sizeof(double));
            covey_measurement_free(m[0]);
            covey_measurement_free(m[1]);
        }
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__threads_change_nothing),
        cmocka_unit_test(test_measure__threads_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
