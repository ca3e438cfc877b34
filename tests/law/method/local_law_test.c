/* Local recoding never loses more than the classes it starts from, strict or relaxed; that it keeps promises and hides
 * orders is checked with all methods' laws. */
#include "test.h"

#include <math.h>

#include "support/problem/random_problem.h"
#include "method/mondrian/local.h"

enum { N_PROBLEMS = 300 };

/* NAN: no release. */
static double loss_of(problem_maker *m, const char *params)
{
    const covey_method *method = covey_method_find("mondrian");
    const covey_run run = {.n_threads = 1};
    covey_release *release = NULL;
    double loss = NAN;

    m->problem.promises.min_size = 1;
    if (method->run(&release, &m->problem, maker_method_params(m, method, params), &run, NULL) == COVEY_OK)
        loss = release->ail;
    covey_release_free(release);
    return loss;
}

static void no_more_is_lost_than_by_the_cuts(void **state)
{
    unsigned n_better = 0, n_made = 0;

    for (uint64_t number = 0; number < N_PROBLEMS; number++) {
        double strict, relaxed, local;
        problem_maker m;

        random_problem(&m, number, NULL);
        strict = loss_of(&m, "");
        relaxed = loss_of(&m, "cut=relaxed");
        local = loss_of(&m, "refine=local");
        if (isnan(strict) != isnan(local) || local > strict + 1e-12 || local > relaxed + 1e-12)
            fail_msg("problem %d (%s): strict %g, relaxed %g, local %g", (int)number, random_problem_text(&m), strict,
                     relaxed, local);
        n_made += !isnan(local);
        n_better += local < strict - 1e-12 && local < relaxed - 1e-12;
        maker_clear(&m);
    }
    assert_true(n_made > N_PROBLEMS / 4 && n_better > n_made / 10);
}

/* Classes {(1,1), (1,1)} and {(1,1), (1,2), (1,2)}, k = 2: the first row of the second is published as its own value in
 * the first, and the rest is exact, too. */
static void a_row_goes_to_the_class_that_publishes_its_own_value(void **state)
{
    static const uint32_t a[] = {1, 1, 1, 1, 1}, b[] = {1, 1, 1, 2, 2}, rows[] = {0, 1, 2, 3, 4};
    uint32_t class_of_row[] = {0, 0, 1, 1, 1}, n_classes = 2;
    problem_maker m;
    double loss = NAN;

    maker_init(&m, 5);
    maker_add_range(&m, "a", a, 3, false, NULL);
    maker_add_range(&m, "b", b, 3, false, NULL);
    maker_promise(&m, "k-anonymity", "k=2", -1);
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    m.problem.promises.min_size = 1;
    assert_int_equal(covey_i_local(class_of_row, &n_classes, &loss, rows, 5, &m.problem, NULL, NULL), COVEY_OK);
    assert_true(loss == 0);
    assert_true(class_of_row[2] == class_of_row[0] && class_of_row[3] == class_of_row[4] &&
                class_of_row[3] != class_of_row[0]);
    maker_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_is_lost_than_by_the_cuts),
        cmocka_unit_test(a_row_goes_to_the_class_that_publishes_its_own_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
