/* What peel's local search owes whoever asks for it: a release that is never worse than the one without. */
#include "test.h"

#include <string.h>

#include "support/problem/random_problem.h"

enum { N_PROBLEMS = 150 };

static covey_release *run_peel(covey_status *status, problem_maker *m, uint64_t number, const char *refine)
{
    const covey_method *peel = covey_method_find("peel");
    const covey_run run = {.n_threads = 2, .has_seed = true, .seed = 7};
    covey_release *release = NULL;
    size_t n;
    const covey_param *list = covey_method_params(peel, &n);
    void *params;

    random_problem(m, number, NULL);
    m->problem.promises.min_size = 1;
    params = maker_method_params(m, peel, "");
    assert_int_equal(covey_param_set(params, list, n, "method peel", "refine", refine, NULL), COVEY_OK);
    *status = peel->run(&release, &m->problem, params, &run, NULL);
    return release;
}

static void local_search_is_never_worse_than_none(void **state)
{
    int n_released = 0, n_better = 0;

    for (uint64_t number = 0; number < N_PROBLEMS; number++) {
        covey_status none, local;
        problem_maker m, n;
        covey_release *plain = run_peel(&none, &m, number, "none"), *refined = run_peel(&local, &n, number, "local");

        assert_int_equal(none, local);
        if (none == COVEY_OK) {
            if (refined->ail > plain->ail)
                fail_msg("problem %d (%s): %.17g with local search, %.17g without", (int)number,
                         random_problem_text(&m), refined->ail, plain->ail);
            n_released++;
            n_better += refined->ail < plain->ail;
        }
        covey_release_free(plain);
        covey_release_free(refined);
        maker_clear(&m);
        maker_clear(&n);
    }
    assert_true(n_better * 10 > n_released); /* or there would be nothing to see */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_search_is_never_worse_than_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
